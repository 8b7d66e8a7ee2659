//! Which page an address shows, and what a form sent there does.

use super::super::context::{Context, address, confirmed};
use super::super::form::Form;
use super::super::moment;
use super::super::render::{self, Place};
use super::super::router::{Answer, Reading};
use super::{calendars, event, form, views};
use crate::scenario::model::{CalendarEvent, EarlierEvent};
use crate::workspace::{App, Command};

pub(super) const PLACE: Place = Place::In(App::Calendar);

pub(in super::super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let today = context.state.now.date();
    let html = match segments {
        [] => views::agenda(context, None),
        ["search"] => views::search(context),
        ["go"] => {
            let text = context.query("date").unwrap_or_default().trim();
            match moment::read_date(text, today) {
                Some(date) => return Some(Answer::Redirect(format!("/calendar/day/{date}"))),
                None if text.is_empty() => views::agenda(context, None),
                None => views::unreadable(context, text),
            }
        }
        ["month"] => views::month(context, today.first_of_month())?,
        ["month", text] => views::month(context, moment::read_month(text)?)?,
        ["week"] => views::week(context, today)?,
        ["week", text] => views::week(context, moment::read_iso(text)?)?,
        ["day"] => views::day(context, today),
        ["day", text] => views::day(context, moment::read_iso(text)?),
        ["event", id] => event::page(context, find(context, id)?, &Form::default()),
        ["event", id, "edit"] => form::edit(context, own(context, id)?, None),
        ["event", id, "copy"] => form::copy(context, find(context, id)?),
        ["event", id, "share"] => calendars::share_event_page(context, find(context, id)?, &Form::default())?,
        ["new"] => form::new(context, None),
        ["settings"] => calendars::page(context, &Form::default()),
        ["calendars", id, "edit"] => calendars::edit_page(context, id, &Form::default())?,
        ["calendars", id, "share"] => calendars::share_page(context, id, &Form::default())?,
        _ => return None,
    };
    Some(render::answer(html))
}

pub(in super::super) fn post(context: &Context<'_>, segments: &[&str], form: Form) -> Option<Reading> {
    match segments {
        ["new"] => Some(form::read(context, form).map(|fields| {
            let done = if fields.send { "event_sent" } else { "event_created" };
            let then = confirmed("/calendar/event/{entity}", done, "{entity}");
            (Command::CreateEvent(fields), then)
        })),
        ["event", id, "edit"] => {
            let held = own(context, id)?;
            let event = held.id.clone();
            Some(form::read_change(context, held, form).map(|(fields, part)| {
                let then = match part {
                    Some(_) => confirmed("/calendar/event/{entity}", "series_parted", "{entity}"),
                    None if fields.send => confirmed(&event_address(&event), "event_sent", &event),
                    None => confirmed(&event_address(&event), "event_updated", &event),
                };
                (Command::UpdateEvent { event, fields, part }, then)
            }))
        }
        ["event", id, "delete"] => {
            let event = own(context, id)?.id.clone();
            let day = moment::read_iso(&form.line("day"));
            let following = form.given("following").is_some();
            let (to, done) = match day {
                Some(day) if following => (format!("/calendar/day/{day}"), "event_days_removed"),
                Some(day) => (format!("/calendar/day/{day}"), "event_day_removed"),
                None => ("/calendar".to_owned(), "event_cancelled"),
            };
            let then = confirmed(&to, done, &event);
            Some(Ok((Command::DeleteEvent { event, day, following }, then)))
        }
        ["event", id, "respond"] => {
            let event = find(context, id)?.id.clone();
            let then = confirmed(&event_address(&event), "event_answered", &event);
            let (response, note) = (form.line("response"), form.value("note").to_owned());
            Some(Ok((Command::RespondToEvent { event, response, note }, then)))
        }
        ["event", id, "undo"] => {
            let mut earlier = context.state.apps.calendar.earlier.iter();
            let is_meant =
                |earlier: &&EarlierEvent| earlier.event.id == *id || earlier.made.as_deref() == Some(*id);
            let event = earlier.find(is_meant)?.event.id.clone();
            let then = confirmed(&event_address(&event), "event_restored", &event);
            Some(Ok((Command::RestoreEvent { event }, then)))
        }
        ["event", id, "share"] => calendars::share_event(context, find(context, id)?, form),
        ["shared", id, "stop"] => calendars::unshare(context, id),
        ["calendars", rest @ ..] => calendars::post(context, rest, form),
        _ => None,
    }
}

pub(in super::super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["new"] => Some(form::new(context, Some(form))),
        ["event", id, "edit"] => Some(form::edit(context, own(context, id)?, Some(form))),
        ["event", id, "undo"] => {
            let refused = form.message().map(str::to_owned);
            Some(
                find(context, id).map_or_else(
                    || views::agenda(context, refused),
                    |event| event::page(context, event, form),
                ),
            )
        }
        ["event", id, "share"] => calendars::share_event_page(context, find(context, id)?, form),
        ["calendars", rest @ ..] => calendars::again(context, rest, form),
        ["shared", ..] => Some(calendars::page(context, form)),
        ["event", id, ..] => Some(event::page(context, find(context, id)?, form)),
        _ => None,
    }
}

pub(super) fn find<'a>(context: &Context<'a>, id: &str) -> Option<&'a CalendarEvent> {
    context.state.apps.calendar.events.iter().find(|event| event.id == id)
}

/// An event that the user may change.
fn own<'a>(context: &Context<'a>, id: &str) -> Option<&'a CalendarEvent> {
    find(context, id).filter(|event| event.organiser.is_none())
}

pub(super) fn event_address(id: &str) -> String {
    address(&["calendar", "event", id])
}
