//! Calendar: events and who is invited.

use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};

use super::{Detail, Share};

/// Everything in the calendar.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Calendar {
    /// Calendars beside the user's own one, in file order, then in order of creation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calendars: Vec<EventCalendar>,
    /// Contact names of the people who read the user's own calendar.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_shared_with: Vec<String>,
    /// Events in file order, then in order of creation.
    pub events: Vec<CalendarEvent>,
    /// Events as they were before their last change, for undoing it; one per event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierEvent>,
    /// Events that were shown to others, and messages that went with calendars when they were
    /// shared, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// A calendar beside the user's own one, such as `Work`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EventCalendar {
    /// `calendar-1`, …
    pub id: String,
    /// Name.
    pub name: String,
    /// Contact names of the people who read its events as their visibility allows; empty when
    /// private.
    pub shared_with: Vec<String>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// An event as it was before it was changed or deleted. Nobody reads it; undoing brings it back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EarlierEvent {
    /// Its place among the events.
    pub position: usize,
    /// The event.
    pub event: CalendarEvent,
    /// Id of the event that the change made beside it, which undoing takes away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
}

/// One event. Its title, time, place and description can be read by every invitee.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CalendarEvent {
    /// `event-1`, …
    pub id: String,
    /// Id of its calendar; empty for the user's own one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub calendar: String,
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
    /// Who made the event, where that was not the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organiser: Option<String>,
    /// The user's own answer to somebody else's event: `none`, `yes`, `no` or `maybe`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_response: Option<String>,
    /// What the user wrote with the answer; the organiser reads it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub response_note: String,
    /// What invitees see of it.
    #[serde(default, skip_serializing_if = "Visibility::is_default")]
    pub visibility: Visibility,
    /// How it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrence: Option<Recurrence>,
    /// Minutes before the start at which the user alone is reminded, longest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reminders: Vec<u32>,
    /// Notes that the user alone reads.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub own_notes: String,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// What invitees see of an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everything.
    #[default]
    Default,
    /// When it is, and nothing else.
    BusyOnly,
    /// Nothing: nobody is told of it.
    Private,
    /// Everything, and anybody else may look it up.
    Public,
}

impl Visibility {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Default, Self::BusyOnly, Self::Private, Self::Public];

    /// The name used in files, forms and keys of texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::BusyOnly => "busy_only",
            Self::Private => "private",
            Self::Public => "public",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    const fn is_default(&self) -> bool {
        matches!(self, Self::Default)
    }
}

/// How often an event repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frequency {
    /// Every day.
    Daily,
    /// Every week on the same weekday.
    Weekly,
    /// Every month on the same day, left out where a month has no such day.
    Monthly,
    /// Every year on the same day, left out where a year has no such day.
    Yearly,
}

impl Frequency {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Daily, Self::Weekly, Self::Monthly, Self::Yearly];

    /// The name used in files, forms and keys of texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
            Self::Yearly => "yearly",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// A series of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recurrence {
    /// How often.
    pub frequency: Frequency,
    /// Last day on which one may start; without end where there is none.
    pub until: Option<Date>,
    /// Days on which the series is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<Date>,
}

impl Calendar {
    /// The calendar of that id, where it is not the user's own one.
    #[must_use]
    pub fn calendar(&self, id: &str) -> Option<&EventCalendar> {
        self.calendars.iter().find(|calendar| calendar.id == id)
    }

    /// Who reads the calendar of an event besides the user; an id that is no other's is the user's
    /// own one.
    #[must_use]
    pub fn sharers(&self, event: &CalendarEvent) -> &[String] {
        self.calendar(&event.calendar).map_or(&self.own_shared_with, |calendar| &calendar.shared_with)
    }

    /// Names of everybody who reads an event in some part: who made it, who is invited, who reads
    /// its calendar. Nobody twice.
    #[must_use]
    pub fn audience(&self, event: &CalendarEvent) -> Vec<String> {
        let invited = event.invitees.iter().map(|invitee| &invitee.name);
        let mut names: Vec<String> = Vec::new();
        for name in event.organiser.iter().chain(invited).chain(self.sharers(event)) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}

impl CalendarEvent {
    /// Whether the event, or one of its series, starts on that day.
    #[must_use]
    pub fn starts_on(&self, day: Date) -> bool {
        let Some(recurrence) = &self.recurrence else { return day == self.date };
        let in_time = day >= self.date && recurrence.until.is_none_or(|until| day <= until);
        let fits = match recurrence.frequency {
            Frequency::Daily => true,
            Frequency::Weekly => day.weekday() == self.date.weekday(),
            Frequency::Monthly => day.day() == self.date.day(),
            Frequency::Yearly => (day.month(), day.day()) == (self.date.month(), self.date.day()),
        };
        in_time && fits && !recurrence.except.contains(&day)
    }

    /// The first day of the one of the series that covers `day`, if one does. An event covers the
    /// days up to its last one.
    #[must_use]
    pub fn occurrence_over(&self, day: Date) -> Option<Date> {
        let length = self.date.until(self.end_date).map_or(0, |span| span.get_days()).clamp(0, 366);
        let mut start = day;
        for _ in 0..=length {
            if self.starts_on(start) {
                return Some(start);
            }
            start = start.yesterday().ok()?;
        }
        None
    }
}

/// Somebody invited to an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitee {
    /// Contact name, or a name or address that is in no contact.
    pub name: String,
    /// `none`, `yes`, `no` or `maybe`.
    pub response: String,
}
