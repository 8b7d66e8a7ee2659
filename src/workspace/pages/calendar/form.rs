//! The form of a new event and of a changed one.

use jiff::civil::{Date, Time};
use serde::Serialize;

use super::super::attach;
use super::super::context::Context;
use super::super::form::{Field, Form, listed};
use super::super::moment;
use super::super::render;
use super::calendars;
use super::event::{event_readers, reminder};
use super::picker::{self, Picker};
use super::route::{PLACE, event_address, find};
use crate::scenario::model::{
    CalendarEvent, Contact, ContactKind, EventStatus, Frequency, Recurrence, Visibility,
};
use crate::workspace::{COUNT_LIMIT, NewEvent, SeriesPart, strings};

/// Which part of a series a change is for, the first where none is chosen.
const SCOPES: [&str; 3] = ["all", "this", "following"];

/// Reminders that can be ticked, in minutes before the start.
const REMINDERS: [u32; 4] = [0, 10, 60, 1440];

#[derive(Serialize)]
struct EventForm {
    address: String,
    back: String,
    title: Field,
    start_date: Field,
    start_time: Field,
    end_date: Field,
    end_time: Field,
    all_day: bool,
    location: Field,
    description: Field,
    contacts: Vec<Invitable>,
    other_invitees: Field,
    readers: String,
    visibilities: Vec<Choice>,
    statuses: Vec<Choice>,
    /// What is attached already, to be kept or not, and what can be attached.
    kept: Vec<attach::Kept>,
    attach: attach::Menu,
    /// The event that this one begins as a copy of.
    copy_of: String,
    repeats: Vec<Choice>,
    interval: Field,
    weekdays: Vec<Choice>,
    until: Field,
    count: Field,
    calendars: Vec<calendars::Choice>,
    url: Field,
    own_notes: Field,
    /// Which part of a series is changed; empty where the event does not repeat.
    scopes: Vec<Choice>,
    /// The day of the series that was looked at.
    day: String,
    reminders: Vec<Choice>,
    other_reminders: Field,
    pickers: Vec<Picker>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Invitable {
    id: String,
    name: String,
    about: String,
    /// Who reads it then, as a JSON list for the script that keeps the readers' line.
    readers: String,
    chosen: bool,
}

#[derive(Serialize)]
struct Choice {
    value: String,
    label: String,
    chosen: bool,
}

/// The form of a new event: empty but for what the address says, or as it was sent.
pub(super) fn new(context: &Context<'_>, sent: Option<&Form>) -> String {
    let heading = context.text("calendar.new", &[]);
    if let Some(form) = sent {
        return page(context, &heading, ("/calendar/new", "/calendar"), form, None);
    }
    let today = context.state.now.date().to_string();
    let date = context.query("date").filter(|text| moment::read_iso(text).is_some()).unwrap_or(&today);
    let time = context.query("time").unwrap_or_default();
    let block = context.query("kind") == Some("block");
    let (title, visibility) = if block {
        // Kept as it is, so in the language of the content and not in that of the page.
        let content_language = strings::supported(&context.state.language);
        (strings::text(content_language, "calendar.block_title", &[]), Visibility::BusyOnly)
    } else {
        (String::new(), Visibility::Default)
    };
    let form = Form::prefilled(&[
        ("title", &title),
        ("start_date", date),
        ("start_time", time),
        ("visibility", visibility.name()),
    ]);
    let heading = if block { context.text("calendar.block", &[]) } else { heading };
    page(context, &heading, ("/calendar/new", "/calendar"), &form, None)
}

/// The form of a new event that begins as a copy of another one.
pub(super) fn copy(context: &Context<'_>, event: &CalendarEvent) -> String {
    let heading = context.text("calendar.copy_title", &[("title", &event.title)]);
    let back = event_address(&event.id);
    let mut form = prefilled(context, event);
    form.set("copy_of", event.id.clone());
    page(context, &heading, ("/calendar/new", &back), &form, None)
}

/// The form of an event as it is, or as it was sent.
pub(super) fn edit(context: &Context<'_>, event: &CalendarEvent, sent: Option<&Form>) -> String {
    let address = event_address(&event.id);
    let heading = context.text("calendar.edit_title", &[("title", &event.title)]);
    let mut prefilled = prefilled(context, event);
    let asked = context.query("on").and_then(moment::read_iso).filter(|day| event.starts_on(*day));
    let day = asked.unwrap_or(event.date);
    if day != event.date {
        prefilled.set("start_date", day.to_string());
        if event.end_date != event.date {
            prefilled.set("end_date", event.last_day(day).to_string());
        }
    }
    prefilled.set("day", day.to_string());
    let form = sent.unwrap_or(&prefilled);
    page(context, &heading, (&format!("{address}/edit"), &address), form, Some(event))
}

/// A date as many days later as `to` is after `from`.
fn moved(date: Date, from: Date, to: Date) -> Date {
    from.until(to).ok().and_then(|days| date.checked_add(days).ok()).unwrap_or(date)
}

/// The fields of an event as a form holds them.
fn prefilled(context: &Context<'_>, event: &CalendarEvent) -> Form {
    let contacts = &context.state.apps.messenger.contacts;
    let clock = |time: Option<Time>| time.map(moment::clock).unwrap_or_default();
    let mut values = vec![
        ("title", event.title.clone()),
        ("start_date", event.date.to_string()),
        ("start_time", clock(event.start)),
        // Empty means the first day, also when that is changed.
        ("end_date", if event.end_date == event.date { String::new() } else { event.end_date.to_string() }),
        ("end_time", clock(event.end)),
        ("location", event.location.clone()),
        ("description", event.description.clone()),
        ("visibility", event.visibility.name().to_owned()),
        ("calendar", event.calendar.clone()),
        ("url", event.url.clone()),
        ("own_notes", event.own_notes.clone()),
        ("status", event.status.name().to_owned()),
    ];
    let attached = 0..event.attachments.len();
    values.extend(attached.map(|number| ("kept", attach::kept_value(event, number))));
    let mut others = Vec::new();
    for invitee in &event.invitees {
        match contacts.iter().find(|contact| contact.name == invitee.name) {
            Some(contact) => values.push(("invitee", contact.id.clone())),
            None => others.push(invitee.name.clone()),
        }
    }
    values.push(("other_invitees", others.join("; ")));
    if let Some(series) = &event.recurrence {
        values.push(("repeat", series.frequency.name().to_owned()));
        values.push(("until", series.until.map(|date| date.to_string()).unwrap_or_default()));
        if series.interval > 1 {
            values.push(("interval", series.interval.to_string()));
        }
        values.extend(series.weekdays.iter().map(|day| ("weekday", day.to_string())));
    }
    let (known, rare): (Vec<u32>, Vec<u32>) =
        event.reminders.iter().partition(|minutes| REMINDERS.contains(minutes));
    values.extend(known.iter().map(|minutes| ("reminder", minutes.to_string())));
    let rare: Vec<String> = rare.iter().map(u32::to_string).collect();
    values.push(("other_reminders", rare.join(", ")));
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Form::prefilled(&values)
}

fn page(
    context: &Context<'_>,
    heading: &str,
    (address, back): (&str, &str),
    form: &Form,
    edited: Option<&CalendarEvent>,
) -> String {
    let contacts = &context.state.apps.messenger.contacts;
    let visibility = Visibility::from_name(form.value("visibility")).unwrap_or_default();
    let repeat = Frequency::from_name(form.value("repeat"));
    let mut repeats = vec![Choice {
        value: String::new(),
        label: context.text("calendar.repeat.never", &[]),
        chosen: repeat.is_none(),
    }];
    repeats.extend(Frequency::ALL.map(|frequency| Choice {
        value: frequency.name().to_owned(),
        label: context.text(&format!("calendar.repeat.{}", frequency.name()), &[]),
        chosen: repeat == Some(frequency),
    }));
    let weekdays = [1_i8, 2, 3, 4, 5, 6, 7].map(|day| Choice {
        value: day.to_string(),
        label: context.text(&format!("date.weekday.{day}"), &[]),
        chosen: form.has("weekday", &day.to_string()),
    });
    let visibilities = Visibility::ALL.map(|known| Choice {
        value: known.name().to_owned(),
        label: context.text(&format!("calendar.visibility.{}", known.name()), &[]),
        chosen: known == visibility,
    });
    let series: Option<&Recurrence> = edited.and_then(|event| event.recurrence.as_ref());
    let source = edited.or_else(|| find(context, &form.line("copy_of")));
    let status = EventStatus::from_name(form.value("status")).unwrap_or_default();
    let statuses = EventStatus::ALL.map(|known| Choice {
        value: known.name().to_owned(),
        label: context.text(&format!("calendar.status.{}", known.name()), &[]),
        chosen: known == status,
    });
    let reminders = REMINDERS.map(|minutes| Choice {
        value: minutes.to_string(),
        label: reminder(context, minutes),
        chosen: form.has("reminder", &minutes.to_string()),
    });
    let day = form.line("day");
    let scope = SCOPES.into_iter().find(|known| *known == form.value("scope")).unwrap_or(SCOPES[0]);
    let scopes = SCOPES.map(|known| Choice {
        value: known.to_owned(),
        label: context.text(&format!("calendar.scope.{known}"), &[("date", &day)]),
        chosen: known == scope,
    });
    let calendar = form.value("calendar");
    let mut names = invitees(context, form);
    let held = &context.state.apps.calendar;
    names.extend(held.readers_of(calendar));
    let view = EventForm {
        address: address.to_owned(),
        back: back.to_owned(),
        title: form.field("title"),
        start_date: form.field("start_date"),
        start_time: form.field("start_time"),
        end_date: form.field("end_date"),
        end_time: form.field("end_time"),
        all_day: form.given("all_day").is_some(),
        location: form.field("location"),
        description: form.field("description"),
        contacts: contacts.iter().map(|contact| invitable(context, contact, form)).collect(),
        other_invitees: form.field("other_invitees"),
        readers: event_readers(context, visibility, &names),
        visibilities: visibilities.into(),
        repeats,
        interval: form.field("interval"),
        weekdays: weekdays.into(),
        until: form.field("until"),
        count: form.field("count"),
        calendars: calendars::choices(context, calendar),
        url: form.field("url"),
        own_notes: form.field("own_notes"),
        scopes: if series.is_some() { scopes.into() } else { Vec::new() },
        statuses: statuses.into(),
        kept: source.map_or_else(Vec::new, |event| attach::kept(context, event, form)),
        attach: attach::menu(context, form, &[]),
        copy_of: form.line("copy_of"),
        day,
        reminders: reminders.into(),
        other_reminders: form.field("other_reminders"),
        pickers: picker::pickers(context, form),
        message: form.message().map(str::to_owned),
    };
    render::page(context, PLACE, heading, "calendar_form.html", &view)
}

fn invitable(context: &Context<'_>, contact: &Contact, form: &Form) -> Invitable {
    let mut about = Vec::new();
    if contact.kind != ContactKind::Person && !contact.members.is_empty() {
        let names = context.joined(&contact.members);
        about.push(context.counted("messages.members", contact.members.len(), &[("names", &names)]));
    }
    if let Some(label) = contact.label.as_ref().filter(|label| !contact.name.contains(label.as_str())) {
        about.push(label.clone());
    }
    if contact.external {
        about.push(context.text("messages.external", &[]));
    }
    let readers = if contact.members.is_empty() && contact.kind != ContactKind::Person {
        vec![context.text("readers.whole_group", &[("name", &contact.name)])]
    } else {
        context.state.apps.messenger.readers(std::slice::from_ref(&contact.name))
    };
    Invitable {
        id: contact.id.clone(),
        name: contact.name.clone(),
        about: context.joined(&about),
        readers: serde_json::Value::from(readers).to_string(),
        chosen: form.has("invitee", &contact.id),
    }
}

/// Who is invited: the ticked contacts, then the typed names.
fn invitees(context: &Context<'_>, form: &Form) -> Vec<String> {
    let contacts = context.state.apps.messenger.contacts.iter();
    let mut invitees: Vec<String> = contacts
        .filter(|contact| form.has("invitee", &contact.id))
        .map(|contact| contact.name.clone())
        .collect();
    for other in listed(form.value("other_invitees")) {
        if !invitees.iter().any(|name| name == other) {
            invitees.push(other.to_owned());
        }
    }
    invitees
}

/// The fields of an event from a sent form. A day or time that was picked, not saved, gives the
/// form again with it.
pub(super) fn read(context: &Context<'_>, mut form: Form) -> Result<NewEvent, Form> {
    if picker::take(&mut form) {
        return Err(form);
    }
    let today = context.state.now.date();
    form.require(context, "title");
    form.require(context, "start_date");
    let date = optional_date(context, &mut form, "start_date", today).unwrap_or(today);
    let (mut start, mut end) = (None, None);
    if form.given("all_day").is_none() {
        start = optional_time(context, &mut form, "start_time");
        end = optional_time(context, &mut form, "end_time");
    }
    let end_date = optional_date(context, &mut form, "end_date", today).unwrap_or(date);
    let until = optional_date(context, &mut form, "until", today);
    let repeats = Frequency::from_name(form.value("repeat"));
    let interval = number(context, &mut form, "interval", Recurrence::INTERVAL_LIMIT);
    let count = number(context, &mut form, "count", COUNT_LIMIT);
    let weekdays: Vec<i8> = form.all("weekday").filter_map(|day| day.parse().ok()).collect();
    let reminders = reminders(context, &mut form);
    if end.is_some() && start.is_none() && form.is_valid() {
        form.fail("start_time", context.text("calendar.end_without_start", &[]));
    }
    let same_day_backwards =
        end_date == date && matches!((start, end), (Some(start), Some(end)) if end < start);
    if end_date < date || same_day_backwards {
        let field = if end_date < date { "end_date" } else { "end_time" };
        form.fail(field, context.text("calendar.end_before_start", &[]));
    }
    if until.is_some_and(|until| until < date) {
        form.fail("until", context.text("calendar.end_before_start", &[]));
    }
    let more = [("until", until.is_some()), ("interval", interval.is_some()), ("count", count.is_some())];
    for (field, _) in more.into_iter().filter(|(_, is_given)| *is_given && repeats.is_none()) {
        form.fail(field, context.text("calendar.until_without_repeat", &[]));
    }
    if until.is_some() && count.is_some() {
        form.fail("count", context.text("calendar.count_or_until", &[]));
    }
    if !form.is_valid() {
        return Err(form);
    }
    Ok(NewEvent {
        title: form.line("title"),
        date,
        start,
        end_date,
        end,
        location: form.line("location"),
        description: form.value("description").trim().to_owned(),
        invitees: invitees(context, &form),
        visibility: Visibility::from_name(form.value("visibility")).unwrap_or_default(),
        repeats,
        interval: interval.unwrap_or(1),
        // They are for weeks, and stay ticked while something else is chosen.
        weekdays: if repeats == Some(Frequency::Weekly) { weekdays } else { Vec::new() },
        until,
        count,
        reminders,
        calendar: form.line("calendar"),
        url: Some(form.line("url")),
        own_notes: form.value("own_notes").trim().to_owned(),
        status: EventStatus::from_name(form.value("status")).unwrap_or_default(),
        keep: attach::kept_in(&form),
        attach: attach::chosen(&form),
        send: form.has("send", "yes"),
    })
}

/// The fields of a changed event, and the part of the series that they are for. A change of the whole
/// series that was begun on one of its later days moves its first day as far as that one.
pub(super) fn read_change(
    context: &Context<'_>,
    event: &CalendarEvent,
    form: Form,
) -> Result<(NewEvent, Option<SeriesPart>), Form> {
    let day = moment::read_iso(&form.line("day")).filter(|day| event.starts_on(*day));
    let following = match form.value("scope") {
        "this" => Some(false),
        "following" => Some(true),
        _ => None,
    };
    let mut fields = read(context, form)?;
    let Some(day) = day.filter(|_| event.recurrence.is_some()) else { return Ok((fields, None)) };
    // Those from the first day on are all of them.
    let following = following.filter(|following| !(*following && day == event.date));
    if following.is_none() {
        fields.date = moved(fields.date, day, event.date);
        fields.end_date = moved(fields.end_date, day, event.date);
    }
    Ok((fields, following.map(|following| SeriesPart { day, following })))
}

/// Minutes before the start, ticked and typed.
fn reminders(context: &Context<'_>, form: &mut Form) -> Vec<u32> {
    let mut reminders: Vec<u32> = form.all("reminder").filter_map(|text| text.parse().ok()).collect();
    let typed = form.line("other_reminders");
    for part in typed.split([',', ';', ' ', '，', '；', '、']).filter(|part| !part.is_empty()) {
        if let Ok(minutes) = part.parse() {
            reminders.push(minutes);
        } else {
            let reason = context.text("calendar.reminder_unreadable", &[("text", part)]);
            form.fail("other_reminders", reason);
        }
    }
    reminders
}

/// A number from 1 to `limit`, where one is typed.
fn number(context: &Context<'_>, form: &mut Form, name: &'static str, limit: u32) -> Option<u32> {
    let text = form.line(name);
    if text.is_empty() {
        return None;
    }
    let number = text.parse().ok().filter(|number| (1..=limit).contains(number));
    if number.is_none() {
        let limit = limit.to_string();
        form.fail(name, context.text("calendar.number_unreadable", &[("text", &text), ("limit", &limit)]));
    }
    number
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
