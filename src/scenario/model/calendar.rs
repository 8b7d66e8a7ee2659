//! Calendar: events and who is invited.

use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};

use super::Detail;

/// Everything in the calendar.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Calendar {
    /// Events in file order, then in order of creation.
    pub events: Vec<CalendarEvent>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// One event. Its title, time, place and description can be read by every invitee.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CalendarEvent {
    /// `event-1`, …
    pub id: String,
    /// Title.
    pub title: String,
    /// First day.
    pub date: Date,
    /// Start, if the event has a time of day.
    pub start: Option<Time>,
    /// Last day; the first day where the file gives none.
    pub end_date: Date,
    /// End, if known.
    pub end: Option<Time>,
    /// The time exactly as the scenario writes it (`"08:00 AM"`), shown beside the parsed one.
    pub time_text: Option<String>,
    /// Place.
    pub location: String,
    /// Description; visible to invitees.
    pub description: String,
    /// Link.
    pub url: String,
    /// Who is invited, in file order.
    pub invitees: Vec<Invitee>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// Somebody invited to an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitee {
    /// Contact name, or a name or address that is in no contact.
    pub name: String,
    /// `none`, `yes`, `no` or `maybe`.
    pub response: String,
}
