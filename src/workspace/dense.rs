//! Everyday rows for `content=dense`: ten times as much in every list, and nothing to do with the
//! errand.
//!
//! They stand beside what the scenario says, with ids of their own kind (`dense-task-3`), so that no
//! seeded row and no id that a command gives out is another than without them. The same scenario
//! gets the same rows. They are part of the workspace only: scenario, coverage and scoring do not
//! know them, and a row that shares a telling word with the scenario is left out.

use std::collections::BTreeSet;

use jiff::ToSpan as _;
use serde::Deserialize;

use super::{WorkspaceState, catalogue, strings, web};
use crate::scenario::model::{
    Author, CalendarEvent, CartLine, Contact, ContactKind, Message, Place, Search, SourceFile, Thread,
    TodoItem, TodoList, texts,
};

/// Rows that join each one of the scenario's.
const PER_ROW: usize = 9;
/// Fewest and most rows that join a list.
const FEWEST: usize = 9;
const MOST: usize = 45;

/// What ids of these rows start with.
pub(super) const ID_PREFIX: &str = "dense-";

/// The words of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// Between the two halves of a row.
    joint: String,
    /// Name of the list of tasks.
    list: String,
    first_names: Vec<String>,
    last_names: Vec<String>,
    messages: Vec<String>,
    tasks: [Vec<String>; 2],
    events: [Vec<String>; 2],
    places: [Vec<String>; 2],
    streets: Vec<String>,
    files: [Vec<String>; 2],
    file_text: String,
}

impl Words {
    fn of(language: &str) -> Option<Self> {
        let source = web::source(&format!("everyday/{}.json", strings::supported(language)))?;
        // The files are part of the program: a test parses each of them.
        serde_json::from_str(&source).ok()
    }

    fn names(&self, language: &str) -> Vec<String> {
        // Chinese names begin with the family's.
        let halves = if language == "zh-CN" {
            [&self.last_names[..], &self.first_names]
        } else {
            [&self.first_names[..], &self.last_names]
        };
        pairs(halves, &self.joint)
    }
}

/// Rows of two halves, each pair once, in a fixed mixed order.
fn pairs([first, second]: [&[String]; 2], joint: &str) -> Vec<String> {
    let count = first.len() * second.len();
    let pair = |number: usize| {
        let one = number % first.len();
        let other = (number / first.len() + one) % second.len();
        format!("{}{joint}{}", first[one], second[other])
    };
    (0..count).map(pair).collect()
}

/// What the scenario says, to keep away from.
struct Said {
    words: BTreeSet<String>,
    whole: Vec<String>,
}

impl Said {
    fn new(all: &[String]) -> Self {
        let words = all.iter().flat_map(|text| words_of(text)).collect();
        let whole =
            all.iter().map(|text| text.to_lowercase()).filter(|text| text.chars().count() > 1).collect();
        Self { words, whole }
    }

    /// Whether a row could be taken for something that the scenario says.
    fn has(&self, row: &str) -> bool {
        let lower = row.to_lowercase();
        words_of(row).any(|word| self.words.contains(&word))
            || self.whole.iter().any(|text| lower.contains(text.as_str()) || text.contains(lower.as_str()))
    }
}

/// Words of four letters or more; shorter ones tell nothing.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4)
        .map(str::to_lowercase)
}

/// Adds the rows.
pub(super) fn fill(state: &mut WorkspaceState) {
    let Some(words) = Words::of(&state.language) else { return };
    let said = Said::new(&texts(&state.apps));
    let mut filler = Filler { words: &words, said: &said, state };
    filler.messages();
    filler.events();
    filler.tasks();
    filler.maps();
    filler.files();
    filler.shop();
}

struct Filler<'a> {
    words: &'a Words,
    said: &'a Said,
    state: &'a mut WorkspaceState,
}

impl Filler<'_> {
    /// Rows that say nothing the scenario says, as many as join `present` ones.
    fn chosen(&self, rows: Vec<String>, present: usize) -> Vec<String> {
        let wanted = present.saturating_mul(PER_ROW).clamp(FEWEST, MOST);
        rows.into_iter().filter(|row| !self.said.has(row)).take(wanted).collect()
    }

    fn messages(&mut self) {
        let messenger = &self.state.apps.messenger;
        let names = self.chosen(self.words.names(&self.state.language), messenger.threads.len());
        // All older than what the scenario says, so that its conversations stay on top.
        let times =
            messenger.threads.iter().flat_map(|thread| thread.messages.iter().map(|message| message.at));
        let oldest = times.min().map_or(self.state.now, |oldest| oldest.min(self.state.now));
        let messages = self.chosen(self.words.messages.clone(), MOST);
        if messages.is_empty() {
            return;
        }
        let text = |number: usize| messages[number % messages.len()].clone();
        let messenger = &mut self.state.apps.messenger;
        for (number, name) in (1..).zip(names) {
            let at = oldest.saturating_sub(i64::from(number).days().hours(2));
            let message = |place: u32, is_user: bool, text: String| Message {
                id: format!("{ID_PREFIX}message-{}", 2 * number + place),
                author: Author { is_user, name: if is_user { String::new() } else { name.clone() } },
                text,
                at: at.saturating_add(i64::from(place).minutes()),
                ..Message::default()
            };
            let index = number as usize;
            messenger.threads.push(Thread {
                id: format!("{ID_PREFIX}thread-{number}"),
                title: name.clone(),
                addressed_to: vec![name.clone()],
                messages: vec![message(0, false, text(index)), message(1, true, text(index + 5))],
                ..Thread::default()
            });
            messenger.contacts.push(Contact {
                id: format!("{ID_PREFIX}contact-{number}"),
                name,
                label: None,
                kind: ContactKind::Person,
                members: Vec::new(),
                external: false,
                details: Vec::new(),
            });
        }
    }

    fn events(&mut self) {
        let [first, second] = &self.words.events;
        let rows = pairs([first, second], &self.words.joint);
        let rows = self.chosen(rows, self.state.apps.calendar.events.len());
        let today = self.state.now.date();
        for (number, title) in (1_i8..).zip(rows) {
            // Two a day, before and after the usual hours, from the day after.
            let date = today.saturating_add(i64::from((number + 1) / 2).days());
            let hour = if number % 2 == 1 { 6 } else { 21 };
            self.state.apps.calendar.events.push(CalendarEvent {
                id: format!("{ID_PREFIX}event-{number}"),
                title,
                date,
                start: Some(jiff::civil::time(hour, 0, 0, 0)),
                end_date: date,
                end: Some(jiff::civil::time(hour, 30, 0, 0)),
                ..CalendarEvent::default()
            });
        }
    }

    fn tasks(&mut self) {
        let [first, second] = &self.words.tasks;
        let present = self.state.apps.todo.lists.iter().map(|list| list.items.len()).sum();
        let rows = self.chosen(pairs([first, second], &self.words.joint), present);
        let item = |(number, title): (usize, String)| TodoItem {
            id: format!("{ID_PREFIX}task-{number}"),
            title,
            done: number.is_multiple_of(4),
            ..TodoItem::default()
        };
        // A list of its own, the last one: the scenario's keep what they hold.
        self.state.apps.todo.lists.push(TodoList {
            id: format!("{ID_PREFIX}list-1"),
            name: self.words.list.clone(),
            items: (1..).zip(rows).map(item).collect(),
            ..TodoList::default()
        });
    }

    fn maps(&mut self) {
        let [first, second] = &self.words.places;
        // Compound words have no joint of their own.
        let joint = if second.iter().all(|half| half.starts_with('-')) { "" } else { &self.words.joint };
        let rows = pairs([first, second], joint);
        let maps = &self.state.apps.maps;
        let places = self.chosen(rows.clone(), maps.places.len());
        let searches = self.chosen(rows.into_iter().rev().collect(), maps.recent_searches.len());
        let streets = &self.words.streets;
        let maps = &mut self.state.apps.maps;
        for (number, name) in (1..).zip(places) {
            let street = &streets[number % streets.len()];
            maps.places.push(Place {
                id: format!("{ID_PREFIX}place-{number}"),
                name,
                address: format!("{street}{}{number}", if self.words.joint.is_empty() { "" } else { " " }),
                ..Place::default()
            });
        }
        for (number, query) in (1..).zip(searches) {
            maps.recent_searches.push(Search { id: format!("{ID_PREFIX}search-{number}"), query });
        }
    }

    fn files(&mut self) {
        let [folders, names] = &self.words.files;
        let rows = pairs([folders, names], "/");
        let rows = self.chosen(rows, self.state.apps.code_editor.files.len());
        for (number, path) in (1..).zip(rows) {
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            self.state.apps.code_editor.files.push(SourceFile {
                id: format!("{ID_PREFIX}file-{number}"),
                path: format!("{path}.md"),
                content: self.words.file_text.replace("{name}", &name),
                ..SourceFile::default()
            });
        }
    }

    /// Things kept for later; never in the cart, which an order sends to others.
    fn shop(&mut self) {
        let shop = &self.state.apps.shop;
        let titles = catalogue().iter().map(|product| product.title.clone()).collect();
        let titles = self.chosen(titles, shop.saved_for_later.len());
        let line = |(number, title): (usize, String)| CartLine {
            id: format!("{ID_PREFIX}line-{number}"),
            price: catalogue()
                .iter()
                .find(|product| product.title == title)
                .and_then(|found| found.price.clone()),
            title,
            quantity: 1,
            details: Vec::new(),
        };
        let lines: Vec<CartLine> = (1..).zip(titles).map(line).collect();
        self.state.apps.shop.saved_for_later.extend(lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::samples;

    fn filled(language: &str) -> (WorkspaceState, WorkspaceState) {
        let mut plain = samples::state();
        language.clone_into(&mut plain.language);
        let mut dense = plain.clone();
        fill(&mut dense);
        (plain, dense)
    }

    #[test]
    fn every_list_grows_and_what_was_there_stays_first() {
        for language in strings::LANGUAGES {
            let (plain, dense) = filled(language);
            let (before, after) = (&plain.apps, &dense.apps);
            assert_eq!(plain.counters, dense.counters, "ids that commands give out stay the same");
            let wanted = |present: usize| (present * PER_ROW).clamp(FEWEST, 30);
            macro_rules! grew {
                ($($list:ident).+, $fewest:expr) => {
                    let (before, after) = (&before.$($list).+, &after.$($list).+);
                    assert_eq!(before[..], after[..before.len()], "{language}: {}", stringify!($($list).+));
                    assert!(after.len() >= before.len() + $fewest(before.len()), "{language}: {}", stringify!($($list).+));
                    assert!(after[before.len()..].iter().all(|row| row.id.starts_with(ID_PREFIX)));
                };
            }
            grew!(messenger.threads, wanted);
            // One for each conversation.
            grew!(messenger.contacts, |_: usize| FEWEST);
            grew!(calendar.events, wanted);
            grew!(maps.places, wanted);
            grew!(maps.recent_searches, wanted);
            grew!(code_editor.files, wanted);
            grew!(shop.saved_for_later, wanted);
            assert_eq!(before.todo.lists[..], after.todo.lists[..before.todo.lists.len()]);
            assert!(after.todo.lists.last().unwrap().items.len() >= FEWEST);
            assert_eq!(before.shop.cart, after.shop.cart, "an order sends what is in the cart");
            let (_, again) = filled(language);
            assert_eq!(dense, again);
        }
    }

    #[test]
    fn nothing_that_the_scenario_says_is_said_again() {
        let mut state = samples::state();
        state.apps.todo.lists[0].items[0].title = "Water the ferns for Greta Cooper".to_owned();
        let said = texts(&state.apps);
        let before = state.apps.clone();
        fill(&mut state);
        let rows: Vec<String> = texts(&state.apps).into_iter().filter(|text| !said.contains(text)).collect();
        assert!(rows.len() > 100);
        for row in rows {
            for word in ["water", "ferns", "greta", "cooper"] {
                assert!(!row.to_lowercase().contains(word), "{row}");
            }
        }
        assert_eq!(before.todo.lists[0], state.apps.todo.lists[0]);
    }
}
