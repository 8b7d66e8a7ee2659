//! Calendars, and events that are shown to others.

use super::super::{App, CalendarCommand, CommandError, WorkspaceState};
use super::apply::Change;
use super::checks::{self, unknown};
use super::shares;
use crate::scenario::model::{EventCalendar, ShareKind};

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
            let calendar = EventCalendar { id: id.clone(), name, ..EventCalendar::default() };
            state.apps.calendar.calendars.push(calendar);
            Ok(done("calendar_added", &id))
        }
        CalendarCommand::RenameCalendar { calendar, name } => {
            let name = checks::filled_line("name", name)?;
            calendar_of(state, calendar)?.name = name;
            Ok(done("calendar_renamed", calendar))
        }
        CalendarCommand::DeleteCalendar { calendar } => {
            calendar_of(state, calendar)?;
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

fn readers_of<'a>(state: &'a mut WorkspaceState, id: &str) -> Result<&'a mut Vec<String>, CommandError> {
    if id.is_empty() {
        return Ok(&mut state.apps.calendar.own_shared_with);
    }
    Ok(&mut calendar_of(state, id)?.shared_with)
}
