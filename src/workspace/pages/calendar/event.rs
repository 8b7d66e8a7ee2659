//! One event, with all that is known of it.

use jiff::civil::Date;
use serde::Serialize;

use super::super::attach;
use super::super::context::Context;
use super::super::form::{Field, Form};
use super::super::moment;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::super::share::SharedView;
use super::calendars::{self, readers};
use super::route::{PLACE, event_address};
use crate::scenario::model::{CalendarEvent, EventStatus, Invitee, Visibility};

/// An event wherever it is listed.
#[derive(Serialize)]
pub(super) struct EventView {
    href: String,
    title: String,
    /// Title and time: what its link is called.
    name: String,
    when: String,
    rows: Vec<Row>,
    invitees: Option<String>,
    attachments: Vec<attach::View>,
    cancelled: bool,
    /// That of its calendar.
    colour: &'static str,
}

#[derive(Serialize)]
struct OneEvent {
    event: EventView,
    address: String,
    /// The address of the form that changes it; none for somebody else's event.
    edit: Option<String>,
    /// The day of the series that is looked at, for that form.
    on: Option<String>,
    /// Whether anybody else reads something of it.
    is_shared: bool,
    date: String,
    iso: String,
    readers: String,
    /// Whether it repeats, and the day that may be left out.
    repeats: bool,
    day: Option<Day>,
    answer: Option<Answer>,
    /// What was sent to its invitees, the newest first.
    invitations: Vec<SharedView>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Day {
    iso: String,
    name: String,
    /// The button that leaves out those after it as well.
    following: Option<String>,
}

/// The form that answers an invitation.
#[derive(Serialize)]
struct Answer {
    organiser: String,
    now: String,
    note: Field,
    readers: String,
}

/// An event as it is listed, on the day of its series that is meant.
pub(super) fn view(context: &Context<'_>, event: &CalendarEvent, on: Date, names: &mut Names) -> EventView {
    let when = when(context, event, on);
    let date = match event.start {
        Some(start) => format!("{on} {}", moment::clock(start)),
        None => on.to_string(),
    };
    let name = context.text("calendar.cell_name", &[("title", &event.title), ("date", &date)]);
    let invitees = invited(context, event);
    EventView {
        href: occurrence_address(event, on),
        title: event.title.clone(),
        name: names.unique(context, &name),
        rows: rows(context, event, &when),
        when,
        invitees: (!invitees.is_empty()).then(|| context.joined(&invitees)),
        attachments: attach::views(context, &event.attachments),
        cancelled: event.status == EventStatus::Cancelled,
        colour: context.state.apps.calendar.colour(event).name(),
    }
}

/// Who is invited, each with the answer.
fn invited(context: &Context<'_>, event: &CalendarEvent) -> Vec<String> {
    let named = |invitee: &Invitee| {
        let response = response(context, &invitee.response);
        context.text("calendar.invitee", &[("name", &invitee.name), ("response", &response)])
    };
    event.invitees.iter().map(named).collect()
}

/// An event as those read it whom its calendar is shared with: everything but what is the user's own.
pub(super) fn as_read(context: &Context<'_>, event: &CalendarEvent) -> String {
    let moment = moment_of(context, event);
    let mut lines = vec![event.title.clone(), moment.clone()];
    let labelled = |row: Row| format!("{}: {}", row.label, row.value);
    lines.extend(read_rows(context, event, &moment).into_iter().map(labelled));
    let invited = invited(context, event);
    if !invited.is_empty() {
        lines.push(format!("{}: {}", context.text("calendar.invitees", &[]), context.joined(&invited)));
    }
    for attachment in &event.attachments {
        let parts = [&attachment.title, &attachment.text].into_iter().filter(|part| !part.is_empty());
        lines.extend(parts.cloned());
    }
    lines.extend(render::rows(&event.details).into_iter().map(labelled));
    lines.join("\n")
}

fn rows(context: &Context<'_>, event: &CalendarEvent, when: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    if !context.state.apps.calendar.calendars.is_empty() {
        let name = calendars::name_of(context, &event.calendar);
        render::add_row(&mut rows, context, "calendar.calendar", &name);
    }
    rows.extend(read_rows(context, event, when));
    if event.visibility != Visibility::Default {
        let text = context.text(&format!("calendar.visibility.{}", event.visibility.name()), &[]);
        render::add_row(&mut rows, context, "calendar.visibility", &text);
    }
    if !event.reminders.is_empty() {
        let reminders: Vec<String> =
            event.reminders.iter().map(|minutes| reminder(context, *minutes)).collect();
        render::add_row(&mut rows, context, "calendar.reminders", &context.joined(&reminders));
    }
    render::add_row(&mut rows, context, "calendar.own_notes", &event.own_notes);
    rows.extend(render::rows(&event.details));
    rows
}

/// The facts of an event that its readers read, without time, invitees and what has no field.
fn read_rows(context: &Context<'_>, event: &CalendarEvent, when: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    if !event.status.is_confirmed() {
        let text = context.text(&format!("calendar.status.{}", event.status.name()), &[]);
        render::add_row(&mut rows, context, "calendar.status", &text);
    }
    if let Some(written) = event.time_text.as_deref().filter(|text| !when.contains(text)) {
        render::add_row(&mut rows, context, "calendar.written_time", written);
    }
    render::add_row(&mut rows, context, "calendar.where", &event.location);
    render::add_row(&mut rows, context, "calendar.about", &event.description);
    render::add_row(&mut rows, context, "calendar.link", &event.url);
    if let Some(series) = &event.recurrence {
        let frequency = series.frequency.name();
        let mut text = if series.interval > 1 {
            let count = series.interval.to_string();
            context.text(&format!("calendar.every.{frequency}"), &[("count", &count)])
        } else {
            context.text(&format!("calendar.repeat.{frequency}"), &[])
        };
        if !series.weekdays.is_empty() {
            let name = |day: &i8| context.text(&format!("date.weekday.{day}"), &[]);
            let days: Vec<String> = series.weekdays.iter().map(name).collect();
            let days = context.joined(&days);
            text = format!("{text} {}", context.text("calendar.on_weekdays", &[("days", &days)]));
        }
        if let Some(until) = series.until {
            text = format!("{text} {}", context.text("calendar.until", &[("date", &until.to_string())]));
        }
        if !series.except.is_empty() {
            let days: Vec<String> = series.except.iter().map(Date::to_string).collect();
            text =
                format!("{text}, {}", context.text("calendar.except", &[("dates", &context.joined(&days))]));
        }
        render::add_row(&mut rows, context, "calendar.repeat", &text);
    }
    render::add_row(
        &mut rows,
        context,
        "calendar.created_by",
        event.created_by.as_deref().unwrap_or_default(),
    );
    if let Some(organiser) = &event.organiser {
        render::add_row(&mut rows, context, "calendar.organiser", organiser);
        let own = response(context, event.own_response.as_deref().unwrap_or("none"));
        render::add_row(&mut rows, context, "calendar.own_answer", &own);
        render::add_row(&mut rows, context, "calendar.answer_note", &event.response_note);
    }
    rows
}

/// Who reads an event of that visibility whose audience are `names`, as the sentence beside it.
pub(super) fn event_readers(context: &Context<'_>, visibility: Visibility, names: &[String]) -> String {
    match visibility {
        Visibility::Private => context.text("readers.only_you", &[]),
        Visibility::Public => context.text("calendar.readers_public", &[]),
        Visibility::BusyOnly if !names.is_empty() => {
            let sentence = context.readers(names);
            format!("{sentence} ({})", context.text("calendar.only_time", &[]))
        }
        Visibility::BusyOnly | Visibility::Default => context.readers(names),
    }
}

/// Day and time of an event on one line.
pub(super) fn moment_of(context: &Context<'_>, event: &CalendarEvent) -> String {
    format!(
        "{} ({}), {}",
        moment::long_date(context, event.date),
        event.date,
        when(context, event, event.date)
    )
}

/// An answer in words; what is no known answer is shown as it is.
fn response(context: &Context<'_>, response: &str) -> String {
    match response {
        known @ ("none" | "yes" | "no" | "maybe") => context.text(&format!("calendar.response.{known}"), &[]),
        other => other.to_owned(),
    }
}

/// `10 minutes before`, in the largest unit that divides it.
pub(super) fn reminder(context: &Context<'_>, minutes: u32) -> String {
    let (unit, count) = match minutes {
        0 => return context.text("calendar.remind.start", &[]),
        days if days % 1440 == 0 => ("days", days / 1440),
        hours if hours % 60 == 0 => ("hours", hours / 60),
        minutes => ("minutes", minutes),
    };
    context.counted(&format!("calendar.remind.{unit}"), count as usize, &[])
}

/// The time of an event, with the last day where that is another one.
pub(in super::super) fn when(context: &Context<'_>, event: &CalendarEvent, on: Date) -> String {
    let start = event.start.map(moment::clock);
    let end = event.end.map(moment::clock);
    let mut when = match (start, &end) {
        (None, _) => context.text("calendar.all_day", &[]),
        (Some(start), Some(end)) if event.end_date == event.date => format!("{start}–{end}"),
        (Some(start), _) => start,
    };
    if event.end_date != event.date {
        let last = event.last_day(on);
        let mut date = format!("{} ({last})", moment::long_date(context, last));
        if let Some(end) = end {
            date = format!("{date} {end}");
        }
        when = format!("{when} {}", context.text("calendar.until", &[("date", &date)]));
    }
    when
}

/// The address of an event, or of one of its series.
pub(in super::super) fn occurrence_address(event: &CalendarEvent, on: Date) -> String {
    let address = event_address(&event.id);
    if on == event.date { address } else { format!("{address}?on={on}") }
}

pub(super) fn page(context: &Context<'_>, event: &CalendarEvent, form: &Form) -> String {
    let asked = context.query("on").and_then(moment::read_iso).filter(|day| event.starts_on(*day));
    let on = asked.unwrap_or(event.date);
    let own = event.organiser.is_none();
    let day = (own && event.recurrence.is_some() && event.starts_on(on)).then(|| Day {
        iso: on.to_string(),
        name: context.text("calendar.delete_day", &[("date", &moment::long_date(context, on))]),
        following: (on != event.date)
            .then(|| context.text("calendar.delete_following", &[("date", &moment::long_date(context, on))])),
    });
    let answer = event.organiser.as_ref().map(|organiser| Answer {
        organiser: organiser.clone(),
        now: response(context, event.own_response.as_deref().unwrap_or("none")),
        note: form.field_or("note", &event.response_note),
        readers: context.readers(&context.state.apps.calendar.audience(event)),
    });
    let address = event_address(&event.id);
    let view = OneEvent {
        event: view(context, event, on, &mut Names::default()),
        edit: own.then(|| format!("{address}/edit")),
        address,
        date: moment::long_date(context, on),
        iso: on.to_string(),
        on: event.recurrence.is_some().then(|| on.to_string()),
        is_shared: event.visibility == Visibility::Public
            || !context.state.apps.calendar.audience(event).is_empty(),
        readers: readers(context, event),
        repeats: event.recurrence.is_some(),
        day,
        answer,
        invitations: calendars::invitations(context, Some(&event.id)),
        message: form.message().map(str::to_owned),
    };
    render::page(context, PLACE, &event.title, "calendar_event.html", &view)
}
