//! Events.

use super::super::{App, CommandError, NewEvent, SeriesPart, WorkspaceState};
use super::apply::Change;
use super::attach::{self, attachments};
use super::checks::{self, unknown};
use super::shares::invite;
use crate::scenario::model::{
    Attachment, Calendar, CalendarEvent, EarlierEvent, Frequency, Invitee, Recurrence,
};

/// An event lasts at most this many days.
const LONGEST: i32 = 366;
/// Most reminders of one event.
const REMINDERS_LIMIT: usize = 20;
/// Most of a series that is told by their number.
pub(crate) const COUNT_LIMIT: u32 = 999;
/// The earliest reminder: four weeks before.
const EARLIEST_REMINDER: u32 = 4 * 7 * 24 * 60;

pub(super) fn create(state: &mut WorkspaceState, new: &NewEvent) -> Result<Change, CommandError> {
    let fields = read(state, new)?;
    let id = state.next_id("event");
    state.apps.calendar.events.push(CalendarEvent { id: id.clone(), ..fields });
    if new.send {
        invite(state, &id)?;
    }
    Ok(Change::new(App::Calendar, "event_created", &id, &id))
}

pub(super) fn update(state: &mut WorkspaceState, id: &str, new: &NewEvent) -> Result<Change, CommandError> {
    let mut fields = read(state, new)?;
    let calendar = &mut state.apps.calendar;
    let position = own_event(calendar, id)?;
    keep_earlier(calendar, position, None);
    let held = &mut calendar.events[position];
    keep_answers(&mut fields, held);
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
        url: new.url.clone().unwrap_or_else(|| std::mem::take(&mut held.url)),
        details: std::mem::take(&mut held.details),
        ..fields
    };
    if new.send {
        invite(state, id)?;
    }
    Ok(Change::new(App::Calendar, "event_updated", id, id))
}

/// Makes an event of its own out of one day of a series, or ends the series there and begins
/// another one.
pub(super) fn update_part(
    state: &mut WorkspaceState,
    id: &str,
    new: &NewEvent,
    part: SeriesPart,
) -> Result<Change, CommandError> {
    let mut fields = read(state, new)?;
    let position = part_of_own(&state.apps.calendar, id, part)?;
    if part.following && state.apps.calendar.events[position].date == part.day {
        return update(state, id, new);
    }
    let made = state.next_id("event");
    let calendar = &mut state.apps.calendar;
    keep_earlier(calendar, position, Some(&made));
    leave_out(&mut calendar.events[position], part);
    let held = &calendar.events[position];
    keep_answers(&mut fields, held);
    if !part.following {
        fields.recurrence = None;
    }
    let same_time = (held.start, held.end) == (fields.start, fields.end);
    calendar.events.push(CalendarEvent {
        id: made.clone(),
        time_text: held.time_text.clone().filter(|_| same_time),
        url: new.url.clone().unwrap_or_else(|| held.url.clone()),
        details: held.details.clone(),
        ..fields
    });
    if new.send {
        invite(state, &made)?;
    }
    Ok(Change::new(App::Calendar, "series_parted", &made, id))
}

pub(super) fn delete_part(
    state: &mut WorkspaceState,
    id: &str,
    part: SeriesPart,
) -> Result<Change, CommandError> {
    let calendar = &mut state.apps.calendar;
    let position = part_of_own(calendar, id, part)?;
    if part.following && calendar.events[position].date == part.day {
        return delete(state, id);
    }
    keep_earlier(calendar, position, None);
    leave_out(&mut calendar.events[position], part);
    let kind = if part.following { "event_days_removed" } else { "event_day_removed" };
    Ok(Change::new(App::Calendar, kind, id, id))
}

/// Where a series of the user's own is that starts on the day that is meant.
fn part_of_own(calendar: &Calendar, id: &str, part: SeriesPart) -> Result<usize, CommandError> {
    let position = own_event(calendar, id)?;
    let event = &calendar.events[position];
    let is_part = event.recurrence.is_some() && event.starts_on(part.day);
    if is_part { Ok(position) } else { Err(CommandError::NotInSeries) }
}

fn leave_out(event: &mut CalendarEvent, part: SeriesPart) {
    let Some(series) = &mut event.recurrence else { return };
    if part.following {
        // The series began earlier, so there is a day before.
        series.until = part.day.yesterday().ok();
        series.except.retain(|day| *day < part.day);
    } else {
        series.except.push(part.day);
        series.except.sort();
    }
}

/// Invitees who stay keep their answers.
fn keep_answers(fields: &mut CalendarEvent, held: &CalendarEvent) {
    for invitee in &mut fields.invitees {
        if let Some(earlier) = held.invitees.iter().find(|earlier| earlier.name == invitee.name) {
            invitee.response.clone_from(&earlier.response);
        }
    }
}

pub(super) fn delete(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let calendar = &mut state.apps.calendar;
    let position = own_event(calendar, id)?;
    keep_earlier(calendar, position, None);
    calendar.events.remove(position);
    Ok(Change::new(App::Calendar, "event_cancelled", id, id))
}

pub(super) fn restore(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let calendar = &mut state.apps.calendar;
    let mut kept = calendar.earlier.iter().position(|earlier| earlier.event.id == id);
    // What was made of a series leads back to the series.
    kept = kept.or_else(|| calendar.earlier.iter().position(|earlier| earlier.made.as_deref() == Some(id)));
    let EarlierEvent { position, event, made } =
        calendar.earlier.remove(kept.ok_or(CommandError::NothingToUndo)?);
    if let Some(made) = made {
        calendar.events.retain(|event| event.id != made);
        calendar.earlier.retain(|earlier| earlier.event.id != made);
    }
    let id = event.id.clone();
    match calendar.events.iter().position(|held| held.id == id) {
        Some(held) => calendar.events[held] = event,
        None => calendar.events.insert(position.min(calendar.events.len()), event),
    }
    Ok(Change::new(App::Calendar, "event_restored", &id, &id))
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
    keep_earlier(calendar, position, None);
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
    found.ok_or_else(|| unknown("event", id))
}

/// Keeps an event as it is, for undoing what comes next.
fn keep_earlier(calendar: &mut Calendar, position: usize, made: Option<&str>) {
    let event = calendar.events[position].clone();
    calendar.earlier.retain(|earlier| earlier.event.id != event.id);
    calendar.earlier.push(EarlierEvent { position, event, made: made.map(str::to_owned) });
}

/// The fields as an event without id.
fn read(state: &WorkspaceState, new: &NewEvent) -> Result<CalendarEvent, CommandError> {
    let apps = &state.apps;
    if !new.calendar.is_empty() && apps.calendar.calendar(&new.calendar).is_none() {
        return Err(unknown("calendar", &new.calendar));
    }
    let attachments = attached(state, new)?;
    let title = checks::filled_line("title", &new.title)?;
    let location = checks::line("location", &new.location)?;
    let description = checks::text("description", &new.description)?;
    let invitees = checks::names("list of invitees", &apps.messenger, &new.invitees)?;
    let url = checks::line("link", new.url.as_deref().unwrap_or_default())?;
    let own_notes = checks::text("private notes", &new.own_notes)?;
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
        Some(frequency) => Some(series(new, frequency)?),
        None if new.until.is_some() || new.count.is_some() => return Err(CommandError::UntilWithoutRepeat),
        None => None,
    };
    Ok(CalendarEvent {
        calendar: new.calendar.clone(),
        title,
        url,
        own_notes,
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
        status: new.status,
        attachments,
        ..CalendarEvent::default()
    })
}

/// How an event repeats. A number of times becomes the last day, so that days that are left out count.
fn series(new: &NewEvent, frequency: Frequency) -> Result<Recurrence, CommandError> {
    let interval = new.interval.max(1);
    let mut weekdays = new.weekdays.clone();
    let has_weekdays = !weekdays.is_empty();
    let are_fine = weekdays.iter().all(|day| (1..=7).contains(day));
    if interval > Recurrence::INTERVAL_LIMIT
        || new.count.is_some_and(|count| count == 0 || count > COUNT_LIMIT || new.until.is_some())
        || (has_weekdays && (frequency != Frequency::Weekly || !are_fine))
    {
        return Err(CommandError::BadSeries);
    }
    // The first one is one of them.
    weekdays.push(new.date.weekday().to_monday_one_offset());
    weekdays.sort_unstable();
    weekdays.dedup();
    if weekdays.len() == 1 {
        weekdays.clear();
    }
    let series = Recurrence { interval, weekdays, ..Recurrence::every(frequency) };
    let until = match new.count {
        Some(count) => Some(series.last_of(new.date, count).ok_or(CommandError::DateOutOfRange)?),
        None => new.until,
    };
    Ok(Recurrence { until, ..series })
}

/// What was attached and stays, and what comes to it, each thing once.
fn attached(state: &WorkspaceState, new: &NewEvent) -> Result<Vec<Attachment>, CommandError> {
    let mut all: Vec<Attachment> = Vec::new();
    for kept in &new.keep {
        let event = state.apps.calendar.events.iter().find(|event| event.id == kept.event);
        let held = event.and_then(|event| event.attachments.get(kept.number));
        all.push(held.ok_or_else(|| unknown("event", &kept.event))?.clone());
    }
    for copy in attachments(state, &new.attach)? {
        if !all.contains(&copy) {
            all.push(copy);
        }
    }
    if all.len() > attach::LIMIT {
        return Err(CommandError::TooMany { field: "list of attachments", limit: attach::LIMIT });
    }
    Ok(all)
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
