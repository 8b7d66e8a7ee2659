//! Calendar: agenda, day, week and month; one event; making, changing and answering events.

mod calendars;
mod event;
mod form;
mod picker;
mod route;
mod views;

pub(super) use event::{occurrence_address, when as time_of};
pub(super) use route::{again, get, post};
