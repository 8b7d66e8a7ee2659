//! The home page: the six apps, and the day where the variation asks for it.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Serialize;

use super::calendar::{occurrence_address, time_of};
use super::context::Context;
use super::names::Names;
use super::render::{self, Place};
use super::router::Answer;
use super::{messages, moment};
use crate::scenario::model::{CalendarEvent, EventStatus};
use crate::scenario::variation::{HomePage, Nav};

/// Events that the day's part shows.
const NEXT_EVENTS: usize = 3;
/// Days, from today on, in which they are looked for.
const DAYS_AHEAD: i64 = 31;

#[derive(Serialize)]
struct Home {
    apps: Vec<Tile>,
    today: Option<Today>,
}

#[derive(Serialize)]
struct Tile {
    key: &'static str,
    href: String,
    /// How many messages wait there, where no rail says so.
    unread: Option<String>,
}

/// What comes next, what is to be done, what waits to be read.
#[derive(Serialize)]
struct Today {
    events: Vec<NextEvent>,
    tasks: String,
    unread: Vec<Unread>,
}

#[derive(Serialize)]
struct NextEvent {
    href: String,
    name: String,
    title: String,
    when: String,
    location: String,
}

#[derive(Serialize)]
struct Unread {
    href: String,
    name: String,
    title: String,
    count: String,
}

pub(super) fn page(context: &Context<'_>) -> Answer {
    let waiting = render::waiting(context);
    let unread = |key: &str| {
        let is_shown = key == "messages" && waiting > 0 && context.variation.nav == Nav::Hub;
        is_shown.then(|| context.counted("messages.unread", waiting, &[]))
    };
    let apps =
        render::app_keys().map(|key| Tile { key, href: render::root(key), unread: unread(key) }).collect();
    let today = (context.variation.home == HomePage::Today).then(|| today(context));
    let heading = context.text("nav.home", &[]);
    render::answer(render::page(context, Place::Home, &heading, "home.html", &Home { apps, today }))
}

fn today(context: &Context<'_>) -> Today {
    let mut names = Names::default();
    let events = next_events(context)
        .into_iter()
        .map(|(event, first)| NextEvent {
            href: occurrence_address(event, first),
            name: names.unique(context, &context.text("home.event", &[("title", &event.title)])),
            title: event.title.clone(),
            when: when(context, event, first),
            location: event.location.clone(),
        })
        .collect();
    let lists = context.state.apps.todo.lists.iter();
    let open = lists.flat_map(|list| &list.items).filter(|item| !item.done).count();
    let threads = context.state.apps.messenger.threads.iter();
    let unread = threads
        .filter(|thread| thread.unread > 0 && !thread.muted)
        .map(|thread| Unread {
            href: messages::thread_address(thread),
            name: names.unique(context, &context.text("home.conversation", &[("title", &thread.title)])),
            title: thread.title.clone(),
            count: context.counted("messages.unread", thread.unread, &[]),
        })
        .collect();
    Today { events, tasks: context.counted("home.open_tasks", open, &[]), unread }
}

/// The next events that are not over, each with the first day of the one of its series that is meant.
fn next_events<'a>(context: &Context<'a>) -> Vec<(&'a CalendarEvent, Date)> {
    let now = context.state.now;
    let mut found: Vec<(&CalendarEvent, Date)> = Vec::new();
    for ahead in 0..DAYS_AHEAD {
        let Ok(day) = now.date().checked_add(ahead.days()) else { break };
        let events = context.state.apps.calendar.events.iter();
        let mut of_day: Vec<(&CalendarEvent, Date)> = events
            .filter(|event| event.status != EventStatus::Cancelled)
            .filter_map(|event| Some((event, event.occurrence_over(day)?)))
            // What began earlier was found on its first day, or covers today.
            .filter(|(_, first)| *first == day || ahead == 0)
            .filter(|(event, first)| {
                let end = event.end.or(event.start.filter(|_| event.end_date == event.date));
                end.is_none_or(|end| event.last_day(*first).to_datetime(end) >= now)
            })
            .collect();
        of_day.sort_by_key(|(event, first)| (*first, event.start));
        found.extend(of_day);
        if found.len() >= NEXT_EVENTS {
            break;
        }
    }
    found.truncate(NEXT_EVENTS);
    found
}

/// The time of an event, with its day where it is a later one.
fn when(context: &Context<'_>, event: &CalendarEvent, first: Date) -> String {
    let hours = time_of(context, event, first);
    if first <= context.state.now.date() {
        hours
    } else {
        context.joined(&[moment::long_date(context, first), hours])
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, datetime, time};

    use super::super::look::Look;
    use super::super::router::Request;
    use super::super::tests::full::empty_state;
    use super::*;
    use crate::scenario::model::{Frequency, Recurrence};
    use crate::workspace::WorkspaceState;

    fn titles(state: &WorkspaceState) -> Vec<(String, String)> {
        let context = Context::new(state, &Request { path: "/", query: &[], look: Look::usual("en") });
        next_events(&context)
            .into_iter()
            .map(|(event, first)| (event.title.clone(), when(&context, event, first)))
            .collect()
    }

    #[test]
    fn what_is_over_is_left_out_and_what_goes_on_comes_first() {
        let mut state = empty_state("en");
        state.now = datetime(2026, 5, 19, 9, 0, 0, 0);
        let event = |title: &str, day: i8, hours: Option<(i8, i8)>| CalendarEvent {
            title: title.to_owned(),
            date: date(2026, 5, day),
            end_date: date(2026, 5, day),
            start: hours.map(|(start, _)| time(start, 0, 0, 0)),
            end: hours.map(|(_, end)| time(end, 0, 0, 0)),
            ..CalendarEvent::default()
        };
        let mut off = event("Called off", 19, Some((12, 13)));
        off.status = EventStatus::Cancelled;
        let mut trip = event("Trip", 17, None);
        trip.end_date = date(2026, 5, 19);
        let mut gym = event("Gym", 5, Some((18, 19)));
        gym.recurrence = Some(Recurrence::every(Frequency::Weekly));
        state.apps.calendar.events =
            vec![event("Early", 19, Some((7, 8))), event("Later", 21, Some((10, 11))), gym, off, trip];
        let told = titles(&state);
        let told: Vec<(&str, &str)> = told.iter().map(|(title, when)| (&**title, &**when)).collect();
        assert_eq!(
            told,
            [
                ("Trip", "All day until Tuesday, 19 May 2026 (2026-05-19)"),
                ("Gym", "18:00–19:00"),
                ("Later", "Thursday, 21 May 2026, 10:00–11:00"),
            ]
        );
        state.apps.calendar.events.truncate(1);
        assert_eq!(titles(&state), []);
        // One that ends on another day says on which, as its own page does.
        let mut night = event("Night watch", 20, Some((22, 6)));
        night.end_date = date(2026, 5, 21);
        state.apps.calendar.events = vec![night];
        let told = titles(&state);
        assert_eq!(told[0].1, "Wednesday, 20 May 2026, 22:00 until Thursday, 21 May 2026 (2026-05-21) 06:00");
    }
}
