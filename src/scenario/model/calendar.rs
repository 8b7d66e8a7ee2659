//! Calendar: events and who is invited.

use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};

use super::{Attachment, Detail, Share};

/// Everything in the calendar.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Calendar {
    /// Calendars beside the user's own one, in file order, then in order of creation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calendars: Vec<EventCalendar>,
    /// Contact names of the people who read the user's own calendar.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_shared_with: Vec<String>,
    /// The colour in which the user's own calendar is shown.
    #[serde(default, skip_serializing_if = "CalendarColour::is_default")]
    pub own_colour: CalendarColour,
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
    /// The colour in which its events are shown.
    #[serde(default, skip_serializing_if = "CalendarColour::is_default")]
    pub colour: CalendarColour,
    /// Whose it is, where it is not the user's: a contact name or a free one, who reads all of it that
    /// is not private.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// The colour of a calendar. It says nothing that a page does not say in words, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CalendarColour {
    /// As the app itself.
    #[default]
    Red,
    /// Blue.
    Blue,
    /// Green.
    Green,
    /// Purple.
    Purple,
    /// Teal.
    Teal,
    /// Orange.
    Orange,
    /// Grey.
    Grey,
}

impl CalendarColour {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 7] =
        [Self::Red, Self::Orange, Self::Green, Self::Teal, Self::Blue, Self::Purple, Self::Grey];

    /// All of them, in the order in which further calendars get them.
    pub const FURTHER: [Self; 7] =
        [Self::Blue, Self::Green, Self::Purple, Self::Orange, Self::Teal, Self::Grey, Self::Red];

    /// The name used in files, forms, styles and keys of texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Green => "green",
            Self::Purple => "purple",
            Self::Teal => "teal",
            Self::Orange => "orange",
            Self::Grey => "grey",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    const fn is_default(&self) -> bool {
        matches!(self, Self::Red)
    }
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

/// One event. Its title, time, place, description and attachments can be read by every invitee.
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
    /// Who entered it into the calendar, where that was neither the user nor whoever made it: an
    /// assistant, say, who reads it, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
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
    /// Whether it takes place.
    #[serde(default, skip_serializing_if = "EventStatus::is_confirmed")]
    pub status: EventStatus,
    /// Copies of what is attached; whoever reads the event reads them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// Whether an event takes place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventStatus {
    /// It does.
    #[default]
    Confirmed,
    /// Perhaps.
    Tentative,
    /// It does not, and stays for those who know of it to see that.
    Cancelled,
}

impl EventStatus {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Confirmed, Self::Tentative, Self::Cancelled];

    /// The name used in files, forms and keys of texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Tentative => "tentative",
            Self::Cancelled => "cancelled",
        }
    }

    /// The one of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether nothing needs to be said about it.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        matches!(self, Self::Confirmed)
    }
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
    /// Only every so many days, weeks, months or years: 2 for every other one.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub interval: u32,
    /// Weekdays of a weekly series, Monday being 1; empty for that of the first day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weekdays: Vec<i8>,
    /// Last day on which one may start; without end where there is none.
    pub until: Option<Date>,
    /// Days on which the series is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<Date>,
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_one(interval: &u32) -> bool {
    *interval == 1
}

impl Recurrence {
    /// Most days, weeks, months or years from one of a series to the next.
    pub const INTERVAL_LIMIT: u32 = 99;

    /// One of them each day, week, month or year, without end.
    #[must_use]
    pub const fn every(frequency: Frequency) -> Self {
        Self { frequency, interval: 1, weekdays: Vec::new(), until: None, except: Vec::new() }
    }

    /// Whether one may start on `day` of a series whose first starts on `first`, whatever is left out
    /// and however long it lasts.
    #[must_use]
    pub fn fits(&self, first: Date, day: Date) -> bool {
        if day <= first {
            return day == first;
        }
        let days = first.until(day).map_or(0, |span| i64::from(span.get_days()));
        let months = i64::from(day.year() - first.year()) * 12 + i64::from(day.month() - first.month());
        let passed = match self.frequency {
            Frequency::Daily => Some(days),
            Frequency::Weekly => {
                let is_meant = if self.weekdays.is_empty() {
                    day.weekday() == first.weekday()
                } else {
                    self.weekdays.contains(&day.weekday().to_monday_one_offset())
                };
                // Weeks begin on Monday.
                let lead = i64::from(first.weekday().to_monday_zero_offset());
                is_meant.then_some((days + lead) / 7)
            }
            Frequency::Monthly => (day.day() == first.day()).then_some(months),
            Frequency::Yearly => {
                let is_meant = (day.month(), day.day()) == (first.month(), first.day());
                is_meant.then_some(months / 12)
            }
        };
        passed.is_some_and(|passed| passed % i64::from(self.interval.max(1)) == 0)
    }

    /// The day on which the last one starts where there are `count` of them; `None` where the calendar
    /// ends before.
    #[must_use]
    pub fn last_of(&self, first: Date, count: u32) -> Option<Date> {
        let mut day = first;
        let mut left = count;
        loop {
            if self.fits(first, day) {
                left = left.checked_sub(1)?;
                if left == 0 {
                    return Some(day);
                }
            }
            day = day.tomorrow().ok().filter(|day| day.year() < 2200)?;
        }
    }
}

impl Calendar {
    /// The calendar of that id, where it is not the user's own one.
    #[must_use]
    pub fn calendar(&self, id: &str) -> Option<&EventCalendar> {
        self.calendars.iter().find(|calendar| calendar.id == id)
    }

    /// The colour in which an event is shown.
    #[must_use]
    pub fn colour(&self, event: &CalendarEvent) -> CalendarColour {
        self.calendar(&event.calendar).map_or(self.own_colour, |calendar| calendar.colour)
    }

    /// Who reads a calendar besides the user: whose it is, then those it is shared with. An id that is no
    /// other's is the user's own one.
    #[must_use]
    pub fn readers_of(&self, id: &str) -> Vec<String> {
        let Some(held) = self.calendar(id) else { return self.own_shared_with.clone() };
        let mut names: Vec<String> = held.owner.iter().cloned().collect();
        names.extend(held.shared_with.iter().filter(|name| held.owner.as_ref() != Some(*name)).cloned());
        names
    }

    /// Names of everybody who reads an event in some part: who made it, who entered it, who is invited,
    /// whose calendar it lies in, who reads that. Nobody twice.
    #[must_use]
    pub fn audience(&self, event: &CalendarEvent) -> Vec<String> {
        let invited = event.invitees.iter().map(|invitee| &invitee.name);
        let made = event.organiser.iter().chain(&event.created_by);
        let mut names: Vec<String> = Vec::new();
        for name in made.chain(invited).chain(&self.readers_of(&event.calendar)) {
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
        in_time && recurrence.fits(self.date, day) && !recurrence.except.contains(&day)
    }

    /// The last day of the one of the series that begins on `first`.
    #[must_use]
    pub fn last_day(&self, first: Date) -> Date {
        let length = self.date.until(self.end_date).ok();
        length.and_then(|length| first.checked_add(length).ok()).unwrap_or(self.end_date)
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

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn days(series: &Recurrence, first: Date, count: usize) -> Vec<String> {
        let mut day = first;
        let mut found = Vec::new();
        while found.len() < count {
            if series.fits(first, day) {
                found.push(day.to_string());
            }
            day = day.tomorrow().unwrap();
        }
        found
    }

    #[test]
    fn a_series_leaves_out_weeks_months_and_weekdays() {
        // A Wednesday.
        let first = date(2026, 5, 20);
        let every_other = |frequency| Recurrence { interval: 2, ..Recurrence::every(frequency) };
        let of = |frequency| days(&every_other(frequency), first, 3);
        assert_eq!(of(Frequency::Daily), ["2026-05-20", "2026-05-22", "2026-05-24"]);
        assert_eq!(of(Frequency::Weekly), ["2026-05-20", "2026-06-03", "2026-06-17"]);
        assert_eq!(of(Frequency::Monthly), ["2026-05-20", "2026-07-20", "2026-09-20"]);
        assert_eq!(of(Frequency::Yearly), ["2026-05-20", "2028-05-20", "2030-05-20"]);
        let twice = Recurrence { weekdays: vec![1, 3], ..every_other(Frequency::Weekly) };
        // The Monday of the first week lies before the first one.
        assert_eq!(days(&twice, first, 4), ["2026-05-20", "2026-06-01", "2026-06-03", "2026-06-15"]);
        let month_ends = days(&Recurrence::every(Frequency::Monthly), date(2026, 1, 31), 3);
        assert_eq!(month_ends, ["2026-01-31", "2026-03-31", "2026-05-31"]);
    }

    #[test]
    fn a_count_gives_the_last_day() {
        let first = date(2026, 5, 20);
        let weekly = Recurrence::every(Frequency::Weekly);
        assert_eq!(weekly.last_of(first, 1), Some(first));
        assert_eq!(weekly.last_of(first, 4), Some(date(2026, 6, 10)));
        assert_eq!(weekly.last_of(first, 0), None);
        assert_eq!(Recurrence::every(Frequency::Yearly).last_of(first, 500), None, "the calendar ends");
    }
}
