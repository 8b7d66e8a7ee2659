//! Events.

use jiff::civil::Date;

use super::super::{App, CommandError, NewEvent, WorkspaceState};
use super::apply::Change;
use super::checks;
use crate::scenario::model::{Calendar, CalendarEvent, EarlierEvent, Invitee, Messenger, Recurrence};

/// An event lasts at most this many days.
const LONGEST: i32 = 366;
/// Most reminders of one event.
const REMINDERS_LIMIT: usize = 20;
/// The earliest reminder: four weeks before.
const EARLIEST_REMINDER: u32 = 4 * 7 * 24 * 60;

pub(super) fn create(state: &mut WorkspaceState, new: &NewEvent) -> Result<Change, CommandError> {
    let fields = read(&state.apps.messenger, new)?;
    let id = state.next_id("event");
    state.apps.calendar.events.push(CalendarEvent { id: id.clone(), ..fields });
    Ok(Change::new(App::Calendar, "event_created", &id, &id))
}

pub(super) fn update(state: &mut WorkspaceState, id: &str, new: &NewEvent) -> Result<Change, CommandError> {
    let mut fields = read(&state.apps.messenger, new)?;
    let calendar = &mut state.apps.calendar;
    let position = own_event(calendar, id)?;
    keep_earlier(calendar, position);
    let held = &mut calendar.events[position];
    for invitee in &mut fields.invitees {
        if let Some(earlier) = held.invitees.iter().find(|earlier| earlier.name == invitee.name) {
            invitee.response.clone_from(&earlier.response);
        }
    }
    // Days that were left out stay so as long as the series is the same one.
    if let (Some(series), Some(earlier)) = (&mut fields.recurrence, &held.recurrence)
        && series.frequency == earlier.frequency
        && fields.date == held.date
    {
        series.except.clone_from(&earlier.except);
    }
    let same_time = (held.start, held.end) == (fields.start, fields.end);
    *held = CalendarEvent {
        id: held.id.clone(),
        // The time as it was written no longer holds for another time.
        time_text: held.time_text.take().filter(|_| same_time),
        url: std::mem::take(&mut held.url),
        details: std::mem::take(&mut held.details),
        ..fields
    };
    Ok(Change::new(App::Calendar, "event_updated", id, id))
}

pub(super) fn delete(
    state: &mut WorkspaceState,
    id: &str,
    day: Option<Date>,
) -> Result<Change, CommandError> {
    let calendar = &mut state.apps.calendar;
    let position = own_event(calendar, id)?;
    if let Some(day) = day {
        let event = &calendar.events[position];
        if event.recurrence.is_none() || !event.starts_on(day) {
            return Err(CommandError::NotInSeries);
        }
        keep_earlier(calendar, position);
        if let Some(series) = &mut calendar.events[position].recurrence {
            series.except.push(day);
            series.except.sort();
        }
        return Ok(Change::new(App::Calendar, "event_day_removed", id, id));
    }
    keep_earlier(calendar, position);
    calendar.events.remove(position);
    Ok(Change::new(App::Calendar, "event_cancelled", id, id))
}

pub(super) fn restore(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let calendar = &mut state.apps.calendar;
    let kept = calendar.earlier.iter().position(|earlier| earlier.event.id == id);
    let EarlierEvent { position, event } = calendar.earlier.remove(kept.ok_or(CommandError::NothingToUndo)?);
    match calendar.events.iter().position(|held| held.id == id) {
        Some(held) => calendar.events[held] = event,
        None => calendar.events.insert(position.min(calendar.events.len()), event),
    }
    Ok(Change::new(App::Calendar, "event_restored", id, id))
}

pub(super) fn respond(
    state: &mut WorkspaceState,
    id: &str,
    response: &str,
    note: &str,
) -> Result<Change, CommandError> {
    let note = checks::text("note", note)?;
    if !matches!(response, "yes" | "no" | "maybe") {
        return Err(CommandError::Blank { field: "answer" });
    }
    let calendar = &mut state.apps.calendar;
    let position = position(calendar, id)?;
    if calendar.events[position].organiser.is_none() {
        return Err(CommandError::NotInvited);
    }
    keep_earlier(calendar, position);
    let event = &mut calendar.events[position];
    event.own_response = Some(response.to_owned());
    note.trim().clone_into(&mut event.response_note);
    Ok(Change::new(App::Calendar, "event_answered", id, id))
}

/// Where an event of the user's own is. Somebody else's cannot be changed, only answered.
fn own_event(calendar: &Calendar, id: &str) -> Result<usize, CommandError> {
    let position = position(calendar, id)?;
    match &calendar.events[position].organiser {
        Some(organiser) => Err(CommandError::NotOrganiser { organiser: organiser.clone() }),
        None => Ok(position),
    }
}

fn position(calendar: &Calendar, id: &str) -> Result<usize, CommandError> {
    let found = calendar.events.iter().position(|event| event.id == id);
    found.ok_or_else(|| CommandError::Unknown { what: "event", id: id.to_owned() })
}

/// Keeps an event as it is, for undoing what comes next.
fn keep_earlier(calendar: &mut Calendar, position: usize) {
    let event = calendar.events[position].clone();
    calendar.earlier.retain(|earlier| earlier.event.id != event.id);
    calendar.earlier.push(EarlierEvent { position, event });
}

/// The fields as an event without id.
fn read(messenger: &Messenger, new: &NewEvent) -> Result<CalendarEvent, CommandError> {
    let title = checks::filled_line("title", &new.title)?;
    let location = checks::line("location", &new.location)?;
    let description = checks::text("description", &new.description)?;
    let invitees = checks::names("list of invitees", messenger, &new.invitees)?;
    check_times(new)?;
    let mut reminders = new.reminders.clone();
    reminders.sort_by_key(|minutes| std::cmp::Reverse(*minutes));
    reminders.dedup();
    if reminders.len() > REMINDERS_LIMIT {
        return Err(CommandError::TooMany { field: "list of reminders", limit: REMINDERS_LIMIT });
    }
    if reminders.first().is_some_and(|minutes| *minutes > EARLIEST_REMINDER) {
        return Err(CommandError::ReminderTooEarly);
    }
    let recurrence = match new.repeats {
        Some(frequency) => Some(Recurrence { frequency, until: new.until, except: Vec::new() }),
        None if new.until.is_some() => return Err(CommandError::UntilWithoutRepeat),
        None => None,
    };
    Ok(CalendarEvent {
        title,
        date: new.date,
        start: new.start,
        end_date: new.end_date,
        end: new.end,
        location,
        description,
        invitees: invitees.into_iter().map(|name| Invitee { name, response: "none".to_owned() }).collect(),
        visibility: new.visibility,
        recurrence,
        reminders,
        ..CalendarEvent::default()
    })
}

fn check_times(new: &NewEvent) -> Result<(), CommandError> {
    if new.start.is_none() && new.end.is_some() {
        return Err(CommandError::EndWithoutStart);
    }
    let ends_early_that_day =
        new.end_date == new.date && matches!((new.start, new.end), (Some(start), Some(end)) if end < start);
    if new.end_date < new.date || ends_early_that_day || new.until.is_some_and(|until| until < new.date) {
        return Err(CommandError::EndBeforeStart);
    }
    let years = 1900..=2199;
    let days = new.date.until(new.end_date).map_or(i32::MAX, |span| span.get_days());
    let last = new.until.unwrap_or(new.date);
    if [new.date, new.end_date, last].iter().any(|day| !years.contains(&day.year())) || days > LONGEST {
        return Err(CommandError::DateOutOfRange);
    }
    Ok(())
}
