//! Calendar: agenda, month grid, one event, a new event.

use jiff::ToSpan;
use jiff::civil::{Date, Time};
use serde::Serialize;

use super::context::{Context, address, confirmed};
use super::form::{Field, Form};
use super::moment;
use super::names::Names;
use super::render::{self, Place, Row};
use super::router::{Answer, Reading};
use crate::scenario::model::CalendarEvent;
use crate::workspace::{App, Command, NewEvent};

const PLACE: Place = Place::In(App::Calendar);

#[derive(Serialize)]
struct Agenda {
    month: String,
    days: Vec<Day>,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct Day {
    label: String,
    iso: String,
    today: bool,
    events: Vec<EventView>,
}

#[derive(Serialize)]
struct EventView {
    href: String,
    title: String,
    /// Title and time: what its link is called.
    name: String,
    when: String,
    rows: Vec<Row>,
    invitees: Option<String>,
}

#[derive(Serialize)]
struct Month {
    label: String,
    weekdays: Vec<String>,
    weeks: Vec<Vec<Cell>>,
    previous: Option<String>,
    next: Option<String>,
    current: String,
}

#[derive(Serialize)]
struct Cell {
    day: i8,
    iso: String,
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
}

#[derive(Serialize)]
struct OneEvent {
    event: EventView,
    date: String,
    iso: String,
}

#[derive(Serialize)]
struct NewEventPage {
    title: Field,
    start_date: Field,
    start_time: Field,
    end_date: Field,
    end_time: Field,
    location: Field,
    description: Field,
    other_invitees: Field,
    contacts: Vec<Choice>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Choice {
    id: String,
    name: String,
    chosen: bool,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let html = match segments {
        [] => agenda(context),
        ["month"] => month(context, first_of_month(context.state.now.date()))?,
        ["month", text] => month(context, moment::read_month(text)?)?,
        ["event", id] => event_page(context, id)?,
        ["new"] => {
            let today = context.state.now.date().to_string();
            new_event(context, &Form::prefilled(&[("start_date", context.query("date").unwrap_or(&today))]))
        }
        _ => return None,
    };
    Some(render::answer(html))
}

pub(super) fn post(context: &Context<'_>, segments: &[&str], form: Form) -> Option<Reading> {
    match segments {
        ["new"] => Some(read_event(context, form)),
        _ => None,
    }
}

pub(super) fn again(context: &Context<'_>, form: &Form) -> String {
    new_event(context, form)
}

fn read_event(context: &Context<'_>, mut form: Form) -> Reading {
    let today = context.state.now.date();
    form.require(context, "title");
    form.require(context, "start_date");
    let date = optional_date(context, &mut form, "start_date", today).unwrap_or(today);
    let start = optional_time(context, &mut form, "start_time");
    let end = optional_time(context, &mut form, "end_time");
    let end_date = optional_date(context, &mut form, "end_date", today).unwrap_or(date);
    if end.is_some() && start.is_none() && form.is_valid() {
        form.fail("start_time", context.text("calendar.end_without_start", &[]));
    }
    let same_day_backwards =
        end_date == date && matches!((start, end), (Some(start), Some(end)) if end < start);
    if end_date < date || same_day_backwards {
        let field = if end_date < date { "end_date" } else { "end_time" };
        form.fail(field, context.text("calendar.end_before_start", &[]));
    }
    if !form.is_valid() {
        return Err(form);
    }
    let contacts = context.state.apps.messenger.contacts.iter();
    let mut invitees: Vec<String> = contacts
        .filter(|contact| form.has("invitee", &contact.id))
        .map(|contact| contact.name.clone())
        .collect();
    let others = form.value("other_invitees").split([',', ';', '\n', '，', '；', '、']);
    for other in others.map(str::trim).filter(|name| !name.is_empty()) {
        if !invitees.iter().any(|name| name == other) {
            invitees.push(other.to_owned());
        }
    }
    let event = NewEvent {
        title: form.line("title"),
        date,
        start,
        end_date,
        end,
        location: form.line("location"),
        description: form.value("description").trim().to_owned(),
        invitees,
    };
    let then = confirmed("/calendar/event/{entity}", "event_created", "{entity}");
    Ok((Command::CreateEvent(event), then))
}

fn optional_date(context: &Context<'_>, form: &mut Form, name: &'static str, today: Date) -> Option<Date> {
    let text = form.line(name);
    if text.is_empty() {
        return None;
    }
    let date = moment::read_date(&text, today);
    if date.is_none() {
        form.fail(name, context.text("date.unreadable", &[("text", &text)]));
    }
    date
}

fn optional_time(context: &Context<'_>, form: &mut Form, name: &'static str) -> Option<Time> {
    let text = form.line(name);
    if text.is_empty() {
        return None;
    }
    let time = moment::read_time(&text);
    if time.is_none() {
        form.fail(name, context.text("time.unreadable", &[("text", &text)]));
    }
    time
}

fn event_address(event: &CalendarEvent) -> String {
    address(&["calendar", "event", &event.id])
}

fn month_address(date: Date) -> String {
    format!("/calendar/month/{:04}-{:02}", date.year(), date.month())
}

/// Events by day and time; those of the same time stay in the state's order.
fn in_order<'a>(context: &Context<'a>) -> Vec<&'a CalendarEvent> {
    let mut events: Vec<&CalendarEvent> = context.state.apps.calendar.events.iter().collect();
    events.sort_by_key(|event| (event.date, event.start));
    events
}

fn agenda(context: &Context<'_>) -> String {
    let now = context.state.now.date();
    let mut names = Names::default();
    let mut days: Vec<Day> = Vec::new();
    for event in in_order(context) {
        let iso = event.date.to_string();
        if days.last().is_none_or(|day| day.iso != iso) {
            let label = moment::long_date(context, event.date);
            days.push(Day { label, iso, today: event.date == now, events: Vec::new() });
        }
        if let Some(day) = days.last_mut() {
            day.events.push(event_view(context, event, &mut names));
        }
    }
    let view = Agenda {
        month: month_address(now),
        days,
        details: render::rows(&context.state.apps.calendar.details),
    };
    let heading = context.text("nav.calendar", &[]);
    render::page(context, PLACE, &heading, "calendar.html", &view)
}

fn event_view(context: &Context<'_>, event: &CalendarEvent, names: &mut Names) -> EventView {
    let when = when(context, event);
    let date = match event.start {
        Some(start) => format!("{} {}", event.date, moment::clock(start)),
        None => event.date.to_string(),
    };
    let name = context.text("calendar.cell_name", &[("title", &event.title), ("date", &date)]);
    let mut rows = Vec::new();
    if let Some(written) = event.time_text.as_deref().filter(|text| !when.contains(text)) {
        render::add_row(&mut rows, context, "calendar.written_time", written);
    }
    render::add_row(&mut rows, context, "calendar.where", &event.location);
    render::add_row(&mut rows, context, "calendar.about", &event.description);
    render::add_row(&mut rows, context, "calendar.link", &event.url);
    rows.extend(render::rows(&event.details));
    let invitees: Vec<String> = event
        .invitees
        .iter()
        .map(|invitee| {
            let response = match invitee.response.as_str() {
                known @ ("none" | "yes" | "no" | "maybe") => {
                    context.text(&format!("calendar.response.{known}"), &[])
                }
                other => other.to_owned(),
            };
            context.text("calendar.invitee", &[("name", &invitee.name), ("response", &response)])
        })
        .collect();
    EventView {
        href: event_address(event),
        title: event.title.clone(),
        name: names.unique(context, &name),
        when,
        rows,
        invitees: (!invitees.is_empty()).then(|| context.joined(&invitees)),
    }
}

/// The time of an event, with the last day where that is another one.
fn when(context: &Context<'_>, event: &CalendarEvent) -> String {
    let start = event.start.map(moment::clock);
    let end = event.end.map(moment::clock);
    let mut when = match (start, &end) {
        (None, _) => context.text("calendar.all_day", &[]),
        (Some(start), Some(end)) if event.end_date == event.date => format!("{start}–{end}"),
        (Some(start), _) => start,
    };
    if event.end_date != event.date {
        let mut date = format!("{} ({})", moment::long_date(context, event.end_date), event.end_date);
        if let Some(end) = end {
            date = format!("{date} {end}");
        }
        when = format!("{when} {}", context.text("calendar.until", &[("date", &date)]));
    }
    when
}

fn first_of_month(date: Date) -> Date {
    date.first_of_month()
}

fn month(context: &Context<'_>, first: Date) -> Option<String> {
    let today = context.state.now.date();
    let next = first.checked_add(1.month()).ok();
    let previous = first.checked_sub(1.month()).ok().filter(|date| date.year() >= 0);
    let lead = i64::from(first.weekday().to_monday_zero_offset());
    let mut day = first.checked_sub(lead.days()).ok()?;
    let mut names = Names::default();
    let events = in_order(context);
    let mut weeks = Vec::new();
    while weeks.is_empty() || (day.year(), day.month()) == (first.year(), first.month()) {
        let mut week = Vec::new();
        for _ in 0..7 {
            let shown =
                events.iter().filter(|event| event.date <= day && day <= event.end_date.max(event.date));
            week.push(Cell {
                day: day.day(),
                iso: day.to_string(),
                outside: day.month() != first.month(),
                today: day == today,
                events: shown.map(|event| cell_event(context, event, day, &mut names)).collect(),
            });
            day = day.tomorrow().ok()?;
        }
        weeks.push(week);
    }
    let view = Month {
        label: moment::month_title(context, first),
        weekdays: (1..=7).map(|day| context.text(&format!("date.weekday_short.{day}"), &[])).collect(),
        weeks,
        previous: previous.map(month_address),
        next: next.filter(|date| date.year() <= 9998).map(month_address),
        current: month_address(today),
    };
    let heading = moment::month_title(context, first);
    Some(render::page(context, PLACE, &heading, "calendar_month.html", &view))
}

fn cell_event(context: &Context<'_>, event: &CalendarEvent, day: Date, names: &mut Names) -> CellEvent {
    let time = event.start.filter(|_| day == event.date).map(moment::clock);
    // An event of several days stands in several cells: its links are told apart by the day.
    let date = day.to_string();
    let name = context.text("calendar.cell_name", &[("title", &event.title), ("date", &date)]);
    CellEvent {
        href: event_address(event),
        time,
        title: event.title.clone(),
        name: names.unique(context, &name),
    }
}

fn event_page(context: &Context<'_>, id: &str) -> Option<String> {
    let event = context.state.apps.calendar.events.iter().find(|event| event.id == id)?;
    let view = OneEvent {
        event: event_view(context, event, &mut Names::default()),
        date: moment::long_date(context, event.date),
        iso: event.date.to_string(),
    };
    Some(render::page(context, PLACE, &event.title, "calendar_event.html", &view))
}

fn new_event(context: &Context<'_>, form: &Form) -> String {
    let contacts = context.state.apps.messenger.contacts.iter();
    let view = NewEventPage {
        title: form.field("title"),
        start_date: form.field("start_date"),
        start_time: form.field("start_time"),
        end_date: form.field("end_date"),
        end_time: form.field("end_time"),
        location: form.field("location"),
        description: form.field("description"),
        other_invitees: form.field("other_invitees"),
        contacts: contacts
            .map(|contact| Choice {
                id: contact.id.clone(),
                name: contact.name.clone(),
                chosen: form.has("invitee", &contact.id),
            })
            .collect(),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("calendar.new", &[]);
    render::page(context, PLACE, &heading, "calendar_new.html", &view)
}
