//! Which page an address shows, and what a form sent there does.

use super::super::context::{Context, address, confirmed};
use super::super::form::Form;
use super::super::moment;
use super::super::render::{self, Place};
use super::super::router::{Answer, Reading};
use super::{event, form, views};
use crate::scenario::model::CalendarEvent;
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
                None => views::agenda(context, Some(context.text("date.unreadable", &[("text", text)]))),
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
        ["new"] => form::new(context, None),
        _ => return None,
    };
    Some(render::answer(html))
}

pub(in super::super) fn post(context: &Context<'_>, segments: &[&str], form: Form) -> Option<Reading> {
    match segments {
        ["new"] => Some(form::read(context, form).map(|fields| {
            let then = confirmed("/calendar/event/{entity}", "event_created", "{entity}");
            (Command::CreateEvent(fields), then)
        })),
        ["event", id, "edit"] => {
            let event = own(context, id)?.id.clone();
            let then = confirmed(&event_address(&event), "event_updated", &event);
            Some(form::read(context, form).map(|fields| (Command::UpdateEvent { event, fields }, then)))
        }
        ["event", id, "delete"] => {
            let event = own(context, id)?.id.clone();
            let day = moment::read_iso(&form.line("day"));
            let (to, done) = match day {
                Some(day) => (format!("/calendar/day/{day}"), "event_day_removed"),
                None => ("/calendar".to_owned(), "event_cancelled"),
            };
            let then = confirmed(&to, done, &event);
            Some(Ok((Command::DeleteEvent { event, day }, then)))
        }
        ["event", id, "respond"] => {
            let event = find(context, id)?.id.clone();
            let then = confirmed(&event_address(&event), "event_answered", &event);
            let (response, note) = (form.line("response"), form.value("note").to_owned());
            Some(Ok((Command::RespondToEvent { event, response, note }, then)))
        }
        ["event", id, "undo"] => {
            let earlier = &context.state.apps.calendar.earlier;
            let event = earlier.iter().find(|earlier| earlier.event.id == *id)?.event.id.clone();
            let then = confirmed(&event_address(&event), "event_restored", &event);
            Some(Ok((Command::RestoreEvent { event }, then)))
        }
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
