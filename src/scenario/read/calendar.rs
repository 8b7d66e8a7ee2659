//! Calendar: events, with or without a date.

use jiff::civil::{Date, DateTime, Time};

use super::super::error::Problem;
use super::super::json::{Json, JsonPath};
use super::super::lint::LintCode;
use super::super::model::{
    Calendar, CalendarColour, CalendarEvent, Detail, EventCalendar, EventStatus, Frequency, Invitee,
    Recurrence, Visibility,
};
use super::context::Context;
use super::fields::{Field, Fields, cut};
use super::messenger::read_attachments;
use super::people;
use super::when::{self, Day};

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The calendar before its undated events have a day.
#[derive(Debug, Default)]
pub(super) struct Reading {
    calendars: Vec<EventCalendar>,
    own_shared_with: Vec<String>,
    own_colour: CalendarColour,
    events: Vec<EventReading>,
    details: Vec<Detail>,
}

#[derive(Debug)]
struct EventReading {
    event: CalendarEvent,
    day: Option<Day>,
    end_day: Option<Date>,
}

pub(super) fn read(context: &mut Context, value: &Json, path: &JsonPath) -> Reading {
    let Some(mut fields) = Fields::open(context, value, path) else { return Reading::default() };
    let mut calendars = Vec::new();
    if let Some(items) = fields.take_list_or_keep(&["calendars"]) {
        for (value, path) in items.iter() {
            let colour = further_colour(calendars.len());
            calendars.extend(read_calendar(context, value, &path, colour));
        }
    }
    let shared = fields.take_list_or_keep(&["shared_with"]);
    let own_shared_with = shared.map(|names| names.texts(context)).unwrap_or_default();
    let own_colour = read_colour(&mut fields).unwrap_or_default();
    let mut events = Vec::new();
    if let Some(items) = fields.take_list(context, &["events"]) {
        for (value, path) in items.iter() {
            events.extend(read_event(context, &mut calendars, value, &path));
        }
    }
    Reading { calendars, own_shared_with, own_colour, events, details: fields.into_details(context) }
}

/// The colour of a further calendar that the file gives none.
fn further_colour(position: usize) -> CalendarColour {
    CalendarColour::FURTHER[position % CalendarColour::FURTHER.len()]
}

fn read_colour(fields: &mut Fields<'_>) -> Option<CalendarColour> {
    let text = fields.take_text(&["colour", "color"])?;
    let known = CalendarColour::from_name(&text.trim().to_lowercase());
    if known.is_none() && !text.trim().is_empty() {
        fields.keep("colour", text);
    }
    known
}

/// A calendar beside the user's own one: a name, or an object that says whose it is and who reads it.
fn read_calendar(
    context: &mut Context,
    value: &Json,
    path: &JsonPath,
    colour: CalendarColour,
) -> Option<EventCalendar> {
    let id = context.next_id("calendar");
    if let Some(name) = value.scalar_text() {
        if name.trim().is_empty() {
            context.fault(path.clone(), Problem::Blank);
            return None;
        }
        return Some(EventCalendar { id, name, colour, ..EventCalendar::default() });
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(name) = fields.take_text(&["name", "title"]).filter(|name| !name.trim().is_empty()) else {
        fields.missing(context, "name");
        return None;
    };
    let shared = fields.take_list_or_keep(&["shared_with"]);
    let shared_with = shared.map(|names| names.texts(context)).unwrap_or_default();
    let owner = fields.take_text(&["owner"]).filter(|name| !name.trim().is_empty());
    let owner = owner.filter(|name| !people::is_user(name));
    let colour = read_colour(&mut fields).unwrap_or(colour);
    Some(EventCalendar { id, name, shared_with, colour, owner, details: fields.into_details(context) })
}

impl Reading {
    /// The dates that are written out.
    pub(super) fn dates(&self) -> impl Iterator<Item = Date> + '_ {
        self.events.iter().filter_map(|reading| match reading.day {
            Some(Day::On(date)) => Some(date),
            _ => None,
        })
    }

    /// Puts every event on a day: its own, else the one the prompt names, else today.
    pub(super) fn finish(self, now: DateTime, prompt: &str) -> Calendar {
        let today = now.date();
        let undated = when::day_in_prompt(prompt).unwrap_or(Day::Today).resolve(today);
        let events = self
            .events
            .into_iter()
            .map(|EventReading { mut event, day, end_day }| {
                event.date = day.map_or(undated, |day| day.resolve(today));
                event.end_date = end_day.unwrap_or_else(|| match (event.start, event.end) {
                    // `22:00-01:00` ends on the next day.
                    (Some(start), Some(end)) if end < start => event.date.tomorrow().unwrap_or(event.date),
                    _ => event.date,
                });
                event
            })
            .collect();
        Calendar {
            calendars: self.calendars,
            own_shared_with: self.own_shared_with,
            own_colour: self.own_colour,
            events,
            details: self.details,
            ..Calendar::default()
        }
    }
}

fn read_event(
    context: &mut Context,
    calendars: &mut Vec<EventCalendar>,
    value: &Json,
    path: &JsonPath,
) -> Option<EventReading> {
    let mut event = CalendarEvent {
        id: context.next_id("event"),
        date: Date::MIN,
        end_date: Date::MIN,
        ..CalendarEvent::default()
    };
    if let Some(title) = value.scalar_text() {
        event.title = title;
        return Some(EventReading { event, day: None, end_day: None });
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(title) = fields.take_text(&["title", "name", "summary", "event", "subject"]) else {
        fields.missing(context, "title");
        return None;
    };
    event.title = title;
    let day = read_day(context, &mut fields);
    event.location = fields.take_text(&["location", "place", "where"]).unwrap_or_default();
    event.description = fields.take_text(&["description", "notes", "details"]).unwrap_or_default();
    event.url = fields.take_text(&["url", "link"]).unwrap_or_default();
    event.own_notes = fields.take_text(&["private_notes", "own_notes"]).unwrap_or_default();
    if let Some(name) = fields.take_text(&["calendar"]).filter(|name| !name.trim().is_empty()) {
        // A calendar that is named nowhere else is the user's, too.
        let held =
            calendars.iter().find(|calendar| calendar.name == name).map(|calendar| calendar.id.clone());
        event.calendar = held.unwrap_or_else(|| {
            let id = context.next_id("calendar");
            let colour = further_colour(calendars.len());
            calendars.push(EventCalendar { id: id.clone(), name, colour, ..EventCalendar::default() });
            id
        });
    }
    let (start_day, end_day) = read_times(&mut fields, &mut event);
    if let Some(field) = fields.take(&["invitees", "attendees", "participants", "guests"]) {
        event.invitees = read_invitees(context, &mut fields, &field);
    }
    read_invitation(&mut fields, &mut event);
    event.created_by = fields.take_text(&["created_by"]).filter(|name| !name.trim().is_empty());
    event.created_by = event.created_by.take().filter(|name| !people::is_user(name));
    event.visibility = read_visibility(&mut fields);
    event.status = read_status(&mut fields);
    event.attachments = read_attachments(&mut fields);
    event.recurrence = read_recurrence(&mut fields);
    event.reminders = read_reminders(&mut fields);
    if event.start.is_none()
        && event.end.is_none()
        && let Some((start, end)) =
            when::only_time_range_in(&event.description).or_else(|| when::only_time_range_in(&event.title))
    {
        (event.start, event.end) = (Some(start), Some(end));
    }
    event.details = fields.into_details(context);
    let day = day.or(start_day.map(Day::On));
    if let (Some(Day::On(start)), Some(end)) = (day, end_day)
        && end < start
    {
        let value = end.to_string();
        let expected = "a day on or after the event's first day";
        context.fault(path.clone(), Problem::BadValue { value, expected });
        return None;
    }
    Some(EventReading { event, day, end_day })
}

/// The event's day. A date in another form than ISO is kept as text too.
fn read_day(context: &mut Context, fields: &mut Fields<'_>) -> Option<Day> {
    let field = fields.take(&["date", "day"])?;
    let text = field.value.scalar_text().unwrap_or_default();
    let day = when::day(&text);
    let is_iso = matches!(day, Some(Day::On(date)) if date.to_string() == text);
    let is_blank = field.value.scalar_text().is_some_and(|text| text.trim().is_empty());
    if !is_iso && !is_blank {
        fields.keep_value(&field);
    }
    if day.is_none() && !text.trim().is_empty() {
        let message = format!(
            "`{}` is no date that is understood; the event is shown on the day of undated events",
            cut(&text)
        );
        context.remark(LintCode::DateNotUnderstood, &field.path, message);
    }
    day
}

/// Start, end and time, parsed where possible and kept verbatim where the parsed form would read
/// differently. Returns the days that the start and the end name.
fn read_times(fields: &mut Fields<'_>, event: &mut CalendarEvent) -> (Option<Date>, Option<Date>) {
    let mut verbatim: Vec<String> = Vec::new();
    let (mut start_day, mut end_day) = (None, None);
    for (names, is_start) in [(["start", "start_time"], true), (["end", "end_time"], false)] {
        let Some(text) = fields.take_text(&names).filter(|text| !text.trim().is_empty()) else { continue };
        let (day, time) = match when::date_time(&text) {
            Some(at) => (Some(at.date()), Some(at.time())),
            None => (when::date(&text), when::time(&text)),
        };
        if time.is_none_or(|time| canonical(time) != text) {
            verbatim.push(text);
        }
        if is_start {
            (event.start, start_day) = (time, day);
        } else {
            (event.end, end_day) = (time, day);
        }
    }
    if let Some(text) = fields.take_text(&["end_date", "end_day"]).filter(|text| !text.trim().is_empty()) {
        let day = when::date(&text);
        end_day = day.or(end_day);
        if day.is_none_or(|day| day.to_string() != text) {
            fields.keep("end_date", text);
        }
    }
    if let Some(text) = fields.take_text(&["time"]).filter(|text| !text.trim().is_empty()) {
        if let Some((start, end)) = when::time_range(&text) {
            event.start = event.start.or(Some(start));
            event.end = event.end.or(Some(end));
        } else {
            event.start = event.start.or_else(|| when::time(&text));
        }
        verbatim.insert(0, text);
    }
    event.time_text = (!verbatim.is_empty()).then(|| verbatim.join(" – "));
    (start_day, end_day)
}

fn canonical(time: Time) -> String {
    format!("{:02}:{:02}", time.hour(), time.minute())
}

/// Who made the event, and the user's own answer to it. An answer to an event of one's own is none.
fn read_invitation(fields: &mut Fields<'_>, event: &mut CalendarEvent) {
    let organiser = fields.take_text(&["organiser", "organizer"]).filter(|name| !name.trim().is_empty());
    event.organiser = organiser.filter(|name| !people::is_user(name));
    if event.organiser.is_none() {
        return;
    }
    if let Some(response) = fields.take_text(&["response"]) {
        if matches!(response.as_str(), "none" | "yes" | "no" | "maybe") {
            event.own_response = Some(response);
        } else {
            fields.keep("response", response);
        }
    }
    event.own_response.get_or_insert_with(|| "none".to_owned());
}

fn read_visibility(fields: &mut Fields<'_>) -> Visibility {
    let Some(text) = fields.take_text(&["visibility"]) else { return Visibility::Default };
    let known = Visibility::from_name(&text.trim().to_lowercase());
    if known.is_none() && !text.trim().is_empty() {
        fields.keep("visibility", text);
    }
    known.unwrap_or_default()
}

fn read_status(fields: &mut Fields<'_>) -> EventStatus {
    let Some(text) = fields.take_text(&["status"]) else { return EventStatus::Confirmed };
    let known = EventStatus::from_name(&text);
    if known.is_none() && !text.trim().is_empty() {
        fields.keep("status", text);
    }
    known.unwrap_or_default()
}

/// `weekly`, or `{frequency, interval, weekdays, until}`. What is not understood is kept as it is.
fn read_recurrence(fields: &mut Fields<'_>) -> Option<Recurrence> {
    let field = fields.take(&["recurrence", "recurring", "repeat", "repeats"])?;
    let read = match field.value {
        Json::Object(entries) => read_series(entries),
        value => frequency(value).map(Recurrence::every),
    };
    if read.is_none() && field.value.scalar_text().is_none_or(|text| !text.trim().is_empty()) {
        fields.keep_value(&field);
    }
    read
}

fn frequency(value: &Json) -> Option<Frequency> {
    Frequency::from_name(&value.scalar_text()?.trim().to_lowercase())
}

/// `None` where one of the entries is not understood.
fn read_series(entries: &[(String, Json)]) -> Option<Recurrence> {
    let given = entries.iter().find(|(key, _)| matches!(key.as_str(), "frequency" | "freq"));
    let mut series = Recurrence::every(frequency(&given?.1)?);
    for (key, value) in entries {
        match key.as_str() {
            "frequency" | "freq" => {}
            "until" => series.until = Some(value.scalar_text().and_then(|text| when::date(&text))?),
            "interval" => {
                let interval = value.scalar_text()?.trim().parse().ok();
                series.interval =
                    interval.filter(|interval| (1..=Recurrence::INTERVAL_LIMIT).contains(interval))?;
            }
            "weekdays" if series.frequency == Frequency::Weekly => {
                let Json::Array(names) = value else { return None };
                let numbers: Option<Vec<i8>> =
                    names.iter().map(|name| weekday(&name.scalar_text()?)).collect();
                series.weekdays = numbers?;
                series.weekdays.sort_unstable();
                series.weekdays.dedup();
            }
            _ => return None,
        }
    }
    Some(series)
}

/// Whether a text names a weekday as a series does.
pub(crate) fn is_weekday(name: &str) -> bool {
    weekday(name).is_some()
}

/// `monday`, `Mon`: Monday is 1.
fn weekday(name: &str) -> Option<i8> {
    let folded = name.trim().to_lowercase();
    let position = WEEKDAYS.iter().position(|known| *known == folded || known[..3] == *folded)?;
    i8::try_from(position + 1).ok()
}

/// Minutes before the start: a number or a list of them.
fn read_reminders(fields: &mut Fields<'_>) -> Vec<u32> {
    let Some(field) = fields.take(&["reminders", "reminder"]) else { return Vec::new() };
    let minutes = |value: &Json| value.scalar_text().and_then(|text| text.trim().parse::<u32>().ok());
    let read: Option<Vec<u32>> = match field.value {
        Json::Array(values) => values.iter().map(minutes).collect(),
        value => minutes(value).map(|minutes| vec![minutes]),
    };
    let Some(mut read) = read else {
        fields.keep_value(&field);
        return Vec::new();
    };
    read.sort_by_key(|minutes| std::cmp::Reverse(*minutes));
    read.dedup();
    read
}

/// Invitees: a list of names or objects, or names in one string with commas.
fn read_invitees(context: &mut Context, outer: &mut Fields<'_>, field: &Field<'_>) -> Vec<Invitee> {
    let unanswered = |name: &str| Invitee { name: name.to_owned(), response: "none".to_owned() };
    let Json::Array(values) = field.value else {
        let Some(text) = field.value.scalar_text() else {
            outer.keep_value(field);
            return Vec::new();
        };
        return text
            .split([',', ';'])
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(unanswered)
            .collect();
    };
    let mut invitees = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let path = field.path.index(index);
        if let Some(name) = value.scalar_text() {
            if name.trim().is_empty() {
                context.fault(path, Problem::Blank);
            } else {
                invitees.push(unanswered(&name));
            }
            continue;
        }
        let Some(mut fields) = Fields::open(context, value, &path) else { continue };
        let Some(name) = fields.take_text(&["name", "contact", "email"]) else {
            fields.missing(context, "name");
            continue;
        };
        let mut invitee = unanswered(&name);
        if let Some(response) = fields.take_text(&["response", "status"]) {
            let known = matches!(response.as_str(), "none" | "yes" | "no" | "maybe");
            if known {
                invitee.response = response;
            } else {
                outer.keep(&format!("{name} response"), response);
            }
        }
        for detail in fields.into_details(context) {
            outer.keep(&format!("{name} {}", detail.label), detail.value);
        }
        invitees.push(invitee);
    }
    invitees
}
