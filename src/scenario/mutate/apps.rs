//! Pieces of app states.

use jiff::ToSpan as _;
use jiff::civil::DateTime;
use serde_json::{Value, json};

use super::draw::Draw;
use super::words::Bank;

/// An open task.
pub(super) fn task(title: &str) -> Value {
    json!({ "title": title, "done": false })
}

/// A task with a note.
pub(super) fn noted_task(title: &str, note: &str) -> Value {
    json!({ "title": title, "notes": note, "done": false })
}

/// Everyday tasks, some of them done.
pub(super) fn tasks(titles: &[&String], draw: &mut Draw) -> Vec<Value> {
    titles.iter().map(|title| json!({ "title": title, "done": draw.chance(0.2) })).collect()
}

/// A text file of lines under a heading.
pub(super) fn file(path: &str, heading: &str, lines: &[String]) -> Value {
    json!({ "path": path, "content": format!("# {heading}\n\n{}\n", lines.join("\n")) })
}

/// What has a time: a title, the hour at which it starts, and maybe a description.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) title: String,
    pub(super) hour: i8,
    pub(super) description: String,
}

impl Slot {
    pub(super) fn new(title: &str, hour: i8) -> Self {
        Self { title: title.to_owned(), hour, description: String::new() }
    }

    /// From a text such as `Choir@19`.
    pub(super) fn read(text: &str) -> Self {
        let (title, hour) = text.rsplit_once('@').unwrap_or((text, ""));
        Self::new(title, hour.parse().unwrap_or(12))
    }
}

/// Events on the days from tomorrow on, `per_day` a day, in the order of the day.
pub(super) fn events(slots: &[Slot], now: DateTime, per_day: usize, draw: &mut Draw) -> Vec<Value> {
    let mut made = Vec::new();
    for (number, slots) in slots.chunks(per_day.max(1)).enumerate() {
        let day = i32::try_from(1 + number).unwrap_or(1);
        let Ok(date) = now.date().checked_add(day.days()) else { continue };
        let mut slots: Vec<&Slot> = slots.iter().collect();
        slots.sort_by_key(|slot| slot.hour);
        let mut free = 0;
        for slot in slots {
            let hour = slot.hour.max(free).clamp(0, 22);
            free = hour + 1;
            let start = date.at(hour, if draw.chance(0.5) { 0 } else { 30 }, 0, 0);
            let Ok(end) = start.checked_add(30.minutes()) else { continue };
            let mut event =
                json!({ "title": slot.title, "start": start.to_string(), "end": end.to_string() });
            if !slot.description.is_empty() {
                event["description"] = slot.description.as_str().into();
            }
            made.push(event);
        }
    }
    made
}

/// Everyday events in the coming days.
pub(super) fn everyday_events(bank: &Bank, now: DateTime, count: usize, draw: &mut Draw) -> Vec<Value> {
    let titles = draw.some(&bank.everyday.events, count);
    let slots: Vec<Slot> = titles.into_iter().map(|(title, hour)| Slot::new(title, *hour)).collect();
    events(&slots, now, 1, draw)
}

/// Puts the elements of `guests` among those of `hosts`, each behind the host of its number; what is
/// left over comes at the end.
pub(super) fn woven<T>(hosts: Vec<T>, guests: Vec<T>) -> Vec<T> {
    let mut guests = guests.into_iter();
    let mut woven = Vec::new();
    for host in hosts {
        woven.push(host);
        woven.extend(guests.next());
    }
    woven.extend(guests);
    woven
}

/// The same elements, a few of `others` before, between and after them.
pub(super) fn among<T>(elements: Vec<T>, others: Vec<T>, draw: &mut Draw) -> Vec<T> {
    let mut all: Vec<T> = others;
    let mut at = 0;
    for element in elements {
        at = (at + draw.between(0, 2)).min(all.len());
        all.insert(at, element);
        at += 1;
    }
    all
}
