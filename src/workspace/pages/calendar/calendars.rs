//! The user's calendars, and sharing one of them or one event.

use serde::Serialize;

use super::super::context::{Context, address, confirmed};
use super::super::form::{Field, Form};
use super::super::names::Names;
use super::super::people;
use super::super::render::{self, Row};
use super::super::router::Reading;
use super::super::share::{self, Parts, PreviewLine, SharedView};
use super::event::{as_read, event_readers, moment_of};
use super::route::{PLACE, event_address};
use crate::scenario::model::{CalendarColour, CalendarEvent, EventCalendar, Share, ShareKind, Visibility};
use crate::workspace::{CalendarCommand, Command};

/// The name in addresses of the calendar that has no id.
const OWN: &str = "own";
const HOME: &str = "/calendar/settings";

#[derive(Serialize)]
struct Settings {
    calendars: Vec<CalendarView>,
    name: Field,
    shared: Vec<SharedView>,
    invitations: Vec<SharedView>,
    message: Option<String>,
}

#[derive(Serialize)]
struct CalendarView {
    address: String,
    control: String,
    name: String,
    count: String,
    shared: Option<String>,
    colour: &'static str,
    /// Whose it is, where it is not the user's: it is not the user's to share.
    owner: Option<String>,
    messages: Vec<Row>,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct CalendarPage {
    address: String,
    back: &'static str,
    /// Its name, where it is a further one of the user's, which can be deleted, too.
    name: Option<Field>,
    colours: Vec<ColourChoice>,
    message: Option<String>,
}

/// A colour that a calendar may have.
#[derive(Serialize)]
struct ColourChoice {
    value: &'static str,
    label: String,
    chosen: bool,
}

/// A calendar among the colours in which events are shown.
#[derive(Serialize)]
pub(super) struct Legend {
    name: String,
    colour: &'static str,
}

/// What the colours stand for; nothing where there is one calendar.
pub(super) fn legend(context: &Context<'_>) -> Vec<Legend> {
    let calendar = &context.state.apps.calendar;
    if calendar.calendars.is_empty() {
        return Vec::new();
    }
    let own = Legend { name: name_of(context, ""), colour: calendar.own_colour.name() };
    let others = calendar.calendars.iter();
    let others = others.map(|held| Legend { name: held.name.clone(), colour: held.colour.name() });
    std::iter::once(own).chain(others).collect()
}

/// A calendar that an event may lie in.
#[derive(Serialize)]
pub(super) struct Choice {
    id: String,
    label: String,
    chosen: bool,
    /// Who reads what lies in it, for the script that keeps the readers' line.
    readers: String,
}

/// What a calendar is called; the user's own one where the id is no other's.
pub(super) fn name_of(context: &Context<'_>, id: &str) -> String {
    let held = context.state.apps.calendar.calendar(id);
    held.map_or_else(|| context.text("calendar.own", &[]), |calendar| calendar.name.clone())
}

/// The calendars to choose from, with who reads them.
pub(super) fn choices(context: &Context<'_>, chosen: &str) -> Vec<Choice> {
    let calendar = &context.state.apps.calendar;
    let mut names = Names::default();
    let mut choice = |id: &str| {
        let (name, read_by) = (name_of(context, id), calendar.readers_of(id));
        let label = if read_by.is_empty() {
            name
        } else {
            let shared = context.joined(&read_by);
            context.text("calendar.shared_label", &[("name", &name), ("names", &shared)])
        };
        let readers = context.state.apps.messenger.readers(&read_by);
        Choice {
            id: id.to_owned(),
            label: names.unique(context, &label),
            chosen: id == chosen,
            readers: serde_json::Value::from(readers).to_string(),
        }
    };
    let mut all = vec![choice("")];
    all.extend(calendar.calendars.iter().map(|held| choice(&held.id)));
    all
}

pub(super) fn page(context: &Context<'_>, form: &Form) -> String {
    let calendar = &context.state.apps.calendar;
    let mut names = Names::default();
    let mut calendars = vec![view(context, None, &mut names)];
    calendars.extend(calendar.calendars.iter().map(|held| view(context, Some(held), &mut names)));
    let events: Vec<_> =
        calendar.shares.iter().filter(|share| share.kind == ShareKind::Event).cloned().collect();
    let view = Settings {
        calendars,
        name: form.field("name"),
        shared: share::shared(context, &events, "/calendar/shared"),
        invitations: invitations(context, None),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("calendar.calendars", &[]);
    render::page(context, PLACE, &heading, "calendar_settings.html", &view)
}

fn view(context: &Context<'_>, held: Option<&EventCalendar>, names: &mut Names) -> CalendarView {
    let calendar = &context.state.apps.calendar;
    let id = held.map_or("", |held| held.id.as_str());
    let shared_with = held.map_or(&calendar.own_shared_with, |held| &held.shared_with);
    let name = name_of(context, id);
    let count = events_of(context, id).count();
    CalendarView {
        address: own_address(id),
        control: names.unique(context, &name),
        name,
        count: context.counted("calendar.holds", count, &[]),
        shared: (!shared_with.is_empty())
            .then(|| context.text("todo.shared_with", &[("names", &context.joined(shared_with))])),
        colour: held.map_or(calendar.own_colour, |held| held.colour).name(),
        owner: held
            .and_then(|held| held.owner.as_ref())
            .map(|name| context.text("calendar.calendar_of", &[("name", name)])),
        messages: messages(context, id),
        details: held.map_or_else(Vec::new, |held| render::rows(&held.details)),
    }
}

/// The invitations that were sent, to one event or to all, the newest first.
pub(super) fn invitations(context: &Context<'_>, event: Option<&str>) -> Vec<SharedView> {
    let is_meant = |share: &&Share| {
        share.kind == ShareKind::Invitation && event.is_none_or(|event| share.subject == event)
    };
    let sent: Vec<Share> = context.state.apps.calendar.shares.iter().filter(is_meant).cloned().collect();
    share::shared(context, &sent, "/calendar/shared")
}

fn messages(context: &Context<'_>, id: &str) -> Vec<Row> {
    let shares = context.state.apps.calendar.shares.iter();
    let told: Vec<_> = shares.filter(|share| share.kind == ShareKind::Calendar).cloned().collect();
    share::messages(context, &told, id)
}

/// The events that lie in a calendar; what lies in none that is there lies in the user's own.
fn events_of<'a>(context: &Context<'a>, id: &str) -> impl Iterator<Item = &'a CalendarEvent> {
    let calendar = &context.state.apps.calendar;
    let id = id.to_owned();
    calendar
        .events
        .iter()
        .filter(move |event| calendar.calendar(&event.calendar).map_or("", |held| held.id.as_str()) == id)
}

fn own_address(id: &str) -> String {
    address(&["calendar", "calendars", if id.is_empty() { OWN } else { id }])
}

/// The id that an address names; `None` where there is no such calendar.
fn id_of(context: &Context<'_>, segment: &str) -> Option<String> {
    if segment == OWN {
        return Some(String::new());
    }
    context.state.apps.calendar.calendar(segment).map(|held| held.id.clone())
}

pub(super) fn edit_page(context: &Context<'_>, segment: &str, form: &Form) -> Option<String> {
    let id = id_of(context, segment)?;
    let calendar = &context.state.apps.calendar;
    let held = calendar.calendar(&id);
    let colour = held.map_or(calendar.own_colour, |held| held.colour);
    let colour = CalendarColour::from_name(form.value("colour")).unwrap_or(colour);
    let colours = CalendarColour::ALL.map(|known| ColourChoice {
        value: known.name(),
        label: context.text(&format!("calendar.colour.{}", known.name()), &[]),
        chosen: known == colour,
    });
    let view = CalendarPage {
        address: own_address(&id),
        back: HOME,
        name: held.filter(|held| held.owner.is_none()).map(|held| form.field_or("name", &held.name)),
        colours: colours.into(),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("calendar.edit_calendar", &[("name", &name_of(context, &id))]);
    Some(render::page(context, PLACE, &heading, "calendar_calendar.html", &view))
}

pub(super) fn share_page(context: &Context<'_>, segment: &str, form: &Form) -> Option<String> {
    let id = id_of(context, segment)?;
    let calendar = &context.state.apps.calendar;
    if calendar.calendar(&id).is_some_and(|held| held.owner.is_some()) {
        return None;
    }
    let line = |text: String| PreviewLine { text, shown_by: String::new(), hidden: false, code: false };
    let preview = events_of(context, &id).filter_map(|event| match event.visibility {
        Visibility::Private => None,
        Visibility::BusyOnly => Some(line(moment_of(context, event))),
        Visibility::Default | Visibility::Public => Some(line(as_read(context, event))),
    });
    let held = calendar.calendar(&id);
    // The user's own calendar has no name that others would see.
    let about = held.map(|held| {
        let details = render::rows(&held.details).into_iter();
        let details = details.map(|row| format!("{}: {}", row.label, row.value));
        line(std::iter::once(held.name.clone()).chain(details).collect::<Vec<_>>().join("\n"))
    });
    let preview = about.into_iter().chain(preview).collect();
    let parts = Parts {
        kind: ShareKind::Calendar,
        title: name_of(context, &id),
        action: format!("{}/share", own_address(&id)),
        back: HOME.to_owned(),
        switches: Vec::new(),
        access: Vec::new(),
        preview,
        shared_with: held.map_or(&calendar.own_shared_with, |held| &held.shared_with).clone(),
    };
    Some(share::page(context, PLACE, parts, form))
}

pub(super) fn share_event_page(context: &Context<'_>, event: &CalendarEvent, form: &Form) -> Option<String> {
    let back = event_address(&event.id);
    let action = format!("{back}/share");
    share::snapshot_page(context, PLACE, (ShareKind::Event, &event.id), (action, back), form)
}

pub(super) fn share_event(context: &Context<'_>, event: &CalendarEvent, form: Form) -> Option<Reading> {
    let new = share::snapshot(context, ShareKind::Event, &event.id, form)?;
    let then = confirmed(&event_address(&event.id), "event_shared", "{entity}");
    Some(new.map(|new| (Command::Calendar(CalendarCommand::Share(new)), then)))
}

pub(super) fn unshare(context: &Context<'_>, id: &str) -> Option<Reading> {
    let share = context.state.apps.calendar.shares.iter().find(|share| share.id == id)?.id.clone();
    let then = confirmed(HOME, "share_removed", &share);
    Some(Ok((Command::Calendar(CalendarCommand::Unshare { share }), then)))
}

/// What a form of these pages does.
pub(super) fn post(context: &Context<'_>, rest: &[&str], mut form: Form) -> Option<Reading> {
    let name = |form: &mut Form| {
        form.require(context, "name");
        form.line("name")
    };
    let (command, done, entity) = match rest {
        [] => {
            let name = name(&mut form);
            (CalendarCommand::AddCalendar { name }, "calendar_added", "{entity}".to_owned())
        }
        [id, "edit"] => {
            let calendar = id_of(context, id).filter(|id| !id.is_empty())?;
            let name = name(&mut form);
            (
                CalendarCommand::RenameCalendar { calendar: calendar.clone(), name },
                "calendar_renamed",
                calendar,
            )
        }
        [id, "colour"] => {
            let calendar = id_of(context, id)?;
            let colour = CalendarColour::from_name(form.value("colour"))?;
            (CalendarCommand::SetColour { calendar, colour }, "calendar_coloured", "{entity}".to_owned())
        }
        [id, "delete"] => {
            let calendar = id_of(context, id).filter(|id| !id.is_empty())?;
            (CalendarCommand::DeleteCalendar { calendar: calendar.clone() }, "calendar_removed", calendar)
        }
        [id, "share", "stop"] => {
            let calendar = id_of(context, id)?;
            (CalendarCommand::StopSharing { calendar }, "calendar_unshared", "{entity}".to_owned())
        }
        [id, "share"] => {
            let calendar = id_of(context, id)?;
            if share::is_preview(&form) {
                return Some(Err(form));
            }
            let people = people::required(context, &mut form);
            let message = form.value("message").trim().to_owned();
            let command = CalendarCommand::ShareCalendar { calendar, people, message };
            (command, "calendar_shared", "{entity}".to_owned())
        }
        _ => return None,
    };
    if !form.is_valid() {
        return Some(Err(form));
    }
    Some(Ok((Command::Calendar(command), confirmed(HOME, done, &entity))))
}

pub(super) fn again(context: &Context<'_>, rest: &[&str], form: &Form) -> Option<String> {
    match rest {
        [id, "edit" | "colour"] => edit_page(context, id, form),
        [id, "share", ..] => share_page(context, id, form),
        _ => Some(page(context, form)),
    }
}

/// Who reads an event, as the sentence beside it.
pub(super) fn readers(context: &Context<'_>, event: &CalendarEvent) -> String {
    event_readers(context, event.visibility, &context.state.apps.calendar.audience(event))
}
