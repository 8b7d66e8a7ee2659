//! Agenda, day, week and month, and searching.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Serialize;

use super::super::context::Context;
use super::super::moment;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::calendars;
use super::event::{EventView, occurrence_address, view};
use super::route::PLACE;
use crate::scenario::model::CalendarEvent;

/// What stands above every view.
#[derive(Serialize)]
struct Bar {
    tabs: Vec<Tab>,
    query: String,
    /// Where the buttons to the earlier and the later days lead.
    previous: Option<Step>,
    today: String,
    /// Today's date, as an example of one to go to.
    example: String,
    next: Option<Step>,
    legend: Vec<calendars::Legend>,
}

#[derive(Serialize)]
struct Tab {
    href: String,
    name: String,
    current: bool,
}

#[derive(Serialize)]
struct Step {
    href: String,
    name: String,
}

#[derive(Serialize)]
struct List {
    bar: Bar,
    /// What a search found, in words.
    found: Option<String>,
    /// A day's own page says so where the day is free.
    free: bool,
    /// The day that something new is for.
    date: Option<String>,
    days: Vec<Day>,
    details: Vec<Row>,
    /// What is no date that could be gone to.
    unreadable: Option<String>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Day {
    label: String,
    iso: String,
    today: bool,
    events: Vec<EventView>,
}

#[derive(Serialize)]
struct Month {
    bar: Bar,
    label: String,
    weekdays: Vec<String>,
    weeks: Vec<Vec<Cell>>,
}

#[derive(Serialize)]
struct Cell {
    day: i8,
    iso: String,
    /// The name of the day's link, and its address.
    name: String,
    href: String,
    outside: bool,
    today: bool,
    events: Vec<CellEvent>,
}

#[derive(Serialize)]
struct CellEvent {
    href: String,
    time: Option<String>,
    title: String,
    name: String,
    place: Option<String>,
    /// What has to be said about whether it takes place.
    status: Option<String>,
    /// That of its calendar.
    colour: &'static str,
    /// The name of its calendar, where that is not the user's own one.
    calendar: Option<String>,
}

/// The bar above the view `current`, looking at `date`.
fn bar(context: &Context<'_>, current: &str, date: Date) -> Bar {
    let text = |key: &str| context.text(&format!("calendar.{key}"), &[]);
    let step = |date: Option<Date>, view: &str, key: &str| {
        let date = date.filter(|date| (0..=9998).contains(&date.year()))?;
        Some(Step { href: view_address(view, date), name: text(key) })
    };
    let by = |days: i64| date.checked_add(days.days()).ok();
    let (previous, next) = match current {
        "day" => (step(by(-1), "day", "previous_day"), step(by(1), "day", "next_day")),
        "week" => (step(by(-7), "week", "previous_week"), step(by(7), "week", "next_week")),
        "month" => (
            step(date.checked_sub(1.month()).ok(), "month", "previous_month"),
            step(date.checked_add(1.month()).ok(), "month", "next_month"),
        ),
        _ => (None, None),
    };
    let today = context.state.now.date();
    Bar {
        tabs: ["agenda", "day", "week", "month"]
            .map(|view| Tab { href: view_address(view, date), name: text(view), current: view == current })
            .into(),
        query: context.query("q").unwrap_or_default().to_owned(),
        today: view_address(if current == "agenda" { "day" } else { current }, today),
        example: today.to_string(),
        previous,
        next,
        legend: calendars::legend(context),
    }
}

fn view_address(view: &str, date: Date) -> String {
    match view {
        "month" => format!("/calendar/month/{:04}-{:02}", date.year(), date.month()),
        "day" | "week" => format!("/calendar/{view}/{date}"),
        _ => "/calendar".to_owned(),
    }
}

/// Events by day and time; those of the same time stay in the state's order.
fn in_order<'a>(context: &Context<'a>) -> Vec<&'a CalendarEvent> {
    let mut events: Vec<&CalendarEvent> = context.state.apps.calendar.events.iter().collect();
    events.sort_by_key(|event| (event.date, event.start));
    events
}

/// What covers a day: the event, and the first day of the one of its series. Those that began
/// earlier come first.
fn on_day<'a>(events: &[&'a CalendarEvent], day: Date) -> Vec<(&'a CalendarEvent, Date)> {
    let mut found: Vec<(&CalendarEvent, Date)> =
        events.iter().filter_map(|event| Some((*event, event.occurrence_over(day)?))).collect();
    found.sort_by_key(|(event, first)| (*first, event.start));
    found
}

/// Every event of the calendar, a series at its first day.
pub(super) fn agenda(context: &Context<'_>, message: Option<String>) -> String {
    agenda_with(context, message, None)
}

/// The same for somebody who wanted to go to a date that cannot be read.
pub(super) fn unreadable(context: &Context<'_>, text: &str) -> String {
    agenda_with(context, None, Some(context.text("date.unreadable", &[("text", text)])))
}

fn agenda_with(context: &Context<'_>, message: Option<String>, unreadable: Option<String>) -> String {
    let view = List {
        unreadable,
        bar: bar(context, "agenda", context.state.now.date()),
        found: None,
        free: false,
        date: None,
        days: days(context, &in_order(context)),
        details: render::rows(&context.state.apps.calendar.details),
        message,
    };
    let heading = context.text("nav.calendar", &[]);
    render::page(context, PLACE, &heading, "calendar.html", &view)
}

fn days(context: &Context<'_>, events: &[&CalendarEvent]) -> Vec<Day> {
    let now = context.state.now.date();
    let mut names = Names::default();
    let mut days: Vec<Day> = Vec::new();
    for event in events {
        let iso = event.date.to_string();
        if days.last().is_none_or(|day| day.iso != iso) {
            let label = moment::long_date(context, event.date);
            days.push(Day { label, iso, today: event.date == now, events: Vec::new() });
        }
        if let Some(day) = days.last_mut() {
            day.events.push(view(context, event, event.date, &mut names));
        }
    }
    days
}

/// Events that hold what is searched for, without regard to case.
pub(super) fn search(context: &Context<'_>) -> String {
    let query = context.query("q").unwrap_or_default().trim().to_lowercase();
    let events: Vec<&CalendarEvent> =
        in_order(context).into_iter().filter(|event| !query.is_empty() && says(event, &query)).collect();
    let view = List {
        bar: bar(context, "search", context.state.now.date()),
        unreadable: None,
        found: Some(context.counted("calendar.found", events.len(), &[])),
        free: false,
        date: None,
        days: days(context, &events),
        details: Vec::new(),
        message: None,
    };
    let heading = context.text("calendar.search", &[]);
    render::page(context, PLACE, &heading, "calendar.html", &view)
}

fn says(event: &CalendarEvent, wanted: &str) -> bool {
    let people = event.invitees.iter().map(|invitee| invitee.name.as_str());
    let details = event.details.iter().flat_map(|detail| [detail.label.as_str(), &detail.value]);
    let own = [event.title.as_str(), &event.location, &event.description, &event.url, &event.response_note];
    let attached = event.attachments.iter().flat_map(|one| [one.title.as_str(), &one.text]);
    let dates = [event.date.to_string()];
    let optional = event.organiser.as_deref().into_iter().chain(event.time_text.as_deref());
    let mut all = own.into_iter().chain(optional).chain(people).chain(details).chain(attached);
    all.any(|text| text.to_lowercase().contains(wanted)) || dates.iter().any(|date| date.contains(wanted))
}

/// One day with everything about its events.
pub(super) fn day(context: &Context<'_>, date: Date) -> String {
    let mut names = Names::default();
    let found = on_day(&in_order(context), date);
    let events: Vec<EventView> =
        found.into_iter().map(|(event, first)| view(context, event, first, &mut names)).collect();
    let iso = date.to_string();
    let label = moment::long_date(context, date);
    let view = List {
        bar: bar(context, "day", date),
        unreadable: None,
        found: None,
        free: events.is_empty(),
        date: Some(iso.clone()),
        days: vec![Day { label: label.clone(), iso, today: date == context.state.now.date(), events }],
        details: Vec::new(),
        message: None,
    };
    render::page(context, PLACE, &label, "calendar.html", &view)
}

/// Seven days from Monday on, side by side.
pub(super) fn week(context: &Context<'_>, date: Date) -> Option<String> {
    let lead = i64::from(date.weekday().to_monday_zero_offset());
    let mut day = date.checked_sub(lead.days()).ok()?;
    let first = day;
    let mut names = Names::default();
    let events = in_order(context);
    let mut cells = Vec::new();
    for _ in 0..7 {
        cells.push(cell(context, &events, day, false, true, &mut names));
        day = day.tomorrow().ok()?;
    }
    let (from, to) = (moment::long_date(context, first), moment::long_date(context, day.yesterday().ok()?));
    let label = context.text("calendar.week_title", &[("from", &from), ("to", &to)]);
    let view = Month {
        bar: bar(context, "week", date),
        label: label.clone(),
        weekdays: weekdays(context),
        weeks: vec![cells],
    };
    Some(render::page(context, PLACE, &label, "calendar_month.html", &view))
}

pub(super) fn month(context: &Context<'_>, first: Date) -> Option<String> {
    let lead = i64::from(first.weekday().to_monday_zero_offset());
    let mut day = first.checked_sub(lead.days()).ok()?;
    let mut names = Names::default();
    let events = in_order(context);
    let mut weeks = Vec::new();
    while weeks.is_empty() || (day.year(), day.month()) == (first.year(), first.month()) {
        let mut week = Vec::new();
        for _ in 0..7 {
            week.push(cell(context, &events, day, day.month() != first.month(), false, &mut names));
            day = day.tomorrow().ok()?;
        }
        weeks.push(week);
    }
    let heading = moment::month_title(context, first);
    let today = context.state.now.date();
    // The other views open at today where today is in this month.
    let looking_at = if first == today.first_of_month() { today } else { first };
    let view = Month {
        bar: bar(context, "month", looking_at),
        label: heading.clone(),
        weekdays: weekdays(context),
        weeks,
    };
    Some(render::page(context, PLACE, &heading, "calendar_month.html", &view))
}

fn weekdays(context: &Context<'_>) -> Vec<String> {
    (1..=7).map(|day| context.text(&format!("date.weekday_short.{day}"), &[])).collect()
}

fn cell(
    context: &Context<'_>,
    events: &[&CalendarEvent],
    day: Date,
    outside: bool,
    with_place: bool,
    names: &mut Names,
) -> Cell {
    let found = on_day(events, day);
    let label = moment::long_date(context, day);
    Cell {
        day: day.day(),
        iso: day.to_string(),
        name: context.counted("calendar.day_name", found.len(), &[("date", &label)]),
        href: view_address("day", day),
        outside,
        today: day == context.state.now.date(),
        events: found
            .into_iter()
            .map(|(event, first)| cell_event(context, event, first, day, with_place, names))
            .collect(),
    }
}

fn cell_event(
    context: &Context<'_>,
    event: &CalendarEvent,
    first: Date,
    day: Date,
    with_place: bool,
    names: &mut Names,
) -> CellEvent {
    let time = event.start.filter(|_| day == first).map(|start| match event.end {
        Some(end) if event.end_date == event.date => {
            format!("{}–{}", moment::clock(start), moment::clock(end))
        }
        _ => moment::clock(start),
    });
    // An event of several days stands in several cells: its links are told apart by the day.
    let date = day.to_string();
    let name = context.text("calendar.cell_name", &[("title", &event.title), ("date", &date)]);
    let status = (!event.status.is_confirmed())
        .then(|| context.text(&format!("calendar.status.{}", event.status.name()), &[]));
    CellEvent {
        status,
        colour: context.state.apps.calendar.colour(event).name(),
        calendar: context.state.apps.calendar.calendar(&event.calendar).map(|held| held.name.clone()),
        href: occurrence_address(event, first),
        time,
        title: event.title.clone(),
        name: names.unique(context, &name),
        place: Some(event.location.clone()).filter(|place| with_place && !place.is_empty()),
    }
}
