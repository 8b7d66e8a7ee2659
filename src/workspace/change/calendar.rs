//! Events.

use super::super::{App, CommandError, NewEvent, WorkspaceState};
use super::apply::Change;
use super::checks;
use crate::scenario::model::{CalendarEvent, Invitee};

/// An event lasts at most this many days.
const LONGEST: i32 = 366;

pub(super) fn create(state: &mut WorkspaceState, new: &NewEvent) -> Result<Change, CommandError> {
    let title = checks::filled_line("title", &new.title)?;
    let location = checks::line("location", &new.location)?;
    let description = checks::text("description", &new.description)?;
    let invitees = checks::names("list of invitees", &state.apps.messenger, &new.invitees)?;
    check_times(new)?;
    let id = state.next_id("event");
    state.apps.calendar.events.push(CalendarEvent {
        id: id.clone(),
        title,
        date: new.date,
        start: new.start,
        end_date: new.end_date,
        end: new.end,
        time_text: None,
        location,
        description,
        url: String::new(),
        invitees: invitees.into_iter().map(|name| Invitee { name, response: "none".to_owned() }).collect(),
        details: Vec::new(),
    });
    Ok(Change::new(App::Calendar, "event_created", &id, &id))
}

fn check_times(new: &NewEvent) -> Result<(), CommandError> {
    if new.start.is_none() && new.end.is_some() {
        return Err(CommandError::EndWithoutStart);
    }
    let ends_early_that_day =
        new.end_date == new.date && matches!((new.start, new.end), (Some(start), Some(end)) if end < start);
    if new.end_date < new.date || ends_early_that_day {
        return Err(CommandError::EndBeforeStart);
    }
    let years = 1900..=2199;
    let days = new.date.until(new.end_date).map_or(i32::MAX, |span| span.get_days());
    if !years.contains(&new.date.year()) || !years.contains(&new.end_date.year()) || days > LONGEST {
        return Err(CommandError::DateOutOfRange);
    }
    Ok(())
}
