//! Calendars, and events that are shown to others.

use super::super::{App, CalendarCommand, CommandError, WorkspaceState};
use super::apply::Change;
use super::checks::{self, unknown};
use super::shares;
use crate::scenario::model::{Calendar, CalendarColour, EventCalendar, ShareKind};

/// Calendars beside the user's own one.
const CALENDARS_LIMIT: usize = 100;

pub(super) fn change(state: &mut WorkspaceState, command: &CalendarCommand) -> Result<Change, CommandError> {
    match command {
        CalendarCommand::AddCalendar { name } => {
            let name = checks::filled_line("name", name)?;
            if state.apps.calendar.calendars.len() >= CALENDARS_LIMIT {
                return Err(CommandError::TooMany { field: "list of calendars", limit: CALENDARS_LIMIT });
            }
            let id = state.next_id("calendar");
            let colour = unused_colour(&state.apps.calendar);
            let calendar = EventCalendar { id: id.clone(), name, colour, ..EventCalendar::default() };
            state.apps.calendar.calendars.push(calendar);
            Ok(done("calendar_added", &id))
        }
        CalendarCommand::RenameCalendar { calendar, name } => {
            let name = checks::filled_line("name", name)?;
            own_calendar_of(state, calendar)?.name = name;
            Ok(done("calendar_renamed", calendar))
        }
        CalendarCommand::SetColour { calendar, colour } => {
            if calendar.is_empty() {
                state.apps.calendar.own_colour = *colour;
            } else {
                calendar_of(state, calendar)?.colour = *colour;
            }
            Ok(done("calendar_coloured", entity(calendar)))
        }
        CalendarCommand::DeleteCalendar { calendar } => {
            own_calendar_of(state, calendar)?;
            let held = &mut state.apps.calendar;
            if held.events.iter().any(|event| event.calendar == *calendar) {
                return Err(CommandError::CalendarInUse);
            }
            held.calendars.retain(|other| other.id != *calendar);
            // What would be undone into it goes with it.
            held.earlier.retain(|earlier| earlier.event.calendar != *calendar);
            Ok(done("calendar_removed", calendar))
        }
        CalendarCommand::ShareCalendar { calendar, people, message } => {
            let people = shares::people(state, people)?;
            let message = checks::text("message", message)?;
            let readers = readers_of(state, calendar)?;
            for name in &people {
                if !readers.contains(name) {
                    readers.push(name.clone());
                }
            }
            let title = state.apps.calendar.calendar(calendar).map(|held| held.name.clone());
            if !message.trim().is_empty() {
                let subject = (calendar.as_str(), title.unwrap_or_default());
                let share = shares::note(state, ShareKind::Calendar, subject, people, message);
                state.apps.calendar.shares.push(share);
            }
            Ok(done("calendar_shared", entity(calendar)))
        }
        CalendarCommand::StopSharing { calendar } => {
            readers_of(state, calendar)?.clear();
            Ok(done("calendar_unshared", entity(calendar)))
        }
        CalendarCommand::Share(new) => shares::add(state, App::Calendar, new),
        CalendarCommand::Unshare { share } => shares::take_back(state, App::Calendar, share),
    }
}

/// The user's own calendar has no id of its own; its events are named after it.
fn entity(calendar: &str) -> &str {
    if calendar.is_empty() { "calendar-own" } else { calendar }
}

fn done(kind: &'static str, entity: &str) -> Change {
    Change::new(App::Calendar, kind, entity, entity)
}

fn calendar_of<'a>(state: &'a mut WorkspaceState, id: &str) -> Result<&'a mut EventCalendar, CommandError> {
    let mut calendars = state.apps.calendar.calendars.iter_mut();
    calendars.find(|calendar| calendar.id == id).ok_or_else(|| unknown("calendar", id))
}

/// A calendar that is the user's. Somebody else's is shown in a colour of one's own, and no more.
fn own_calendar_of<'a>(
    state: &'a mut WorkspaceState,
    id: &str,
) -> Result<&'a mut EventCalendar, CommandError> {
    let calendar = calendar_of(state, id)?;
    match &calendar.owner {
        Some(owner) => Err(CommandError::NotOwner { owner: owner.clone() }),
        None => Ok(calendar),
    }
}

/// The first colour that no calendar has, else the one that the fewest have.
fn unused_colour(calendar: &Calendar) -> CalendarColour {
    let others = calendar.calendars.iter().map(|held| held.colour);
    let taken: Vec<CalendarColour> = std::iter::once(calendar.own_colour).chain(others).collect();
    let uses = |colour: &CalendarColour| taken.iter().filter(|held| *held == colour).count();
    CalendarColour::FURTHER.into_iter().min_by_key(uses).unwrap_or_default()
}

fn readers_of<'a>(state: &'a mut WorkspaceState, id: &str) -> Result<&'a mut Vec<String>, CommandError> {
    if id.is_empty() {
        return Ok(&mut state.apps.calendar.own_shared_with);
    }
    Ok(&mut own_calendar_of(state, id)?.shared_with)
}
