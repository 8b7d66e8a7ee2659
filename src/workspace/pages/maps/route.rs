//! Which page an address shows, and what a form sent there does.

use super::super::context::{Context, address, confirmed};
use super::super::form::Form;
use super::super::render::{self, Place as Frame};
use super::super::router::{Answer, Reading};
use super::super::searches::search_address;
use super::super::share::{self};
use super::overview::page;
use super::places::{list_page, place_page, search_page, spot_page};
use super::routes::{STOP_FIELDS, directions, route_page, stops_in};
use crate::scenario::model::{Place, PlaceList, RemovedFromMaps, Route, ShareKind, TravelMode};
use crate::workspace::atlas::city as the_city;
use crate::workspace::{App, Command, MapsCommand, NewStop};

/// Where a place is looked for.
pub(super) const SEARCH: &str = "/maps/search";
pub(super) const FRAME: Frame = Frame::In(App::Maps);

pub(in super::super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let blank = Form::default();
    let html = match segments {
        [] | ["new" | "lists"] => page(context, &blank),
        ["search"] => search_page(context),
        ["place", id] => place_page(context, id, &blank)?,
        ["spot", id] => spot_page(context, the_city().spot(id)?),
        ["list", id] => list_page(context, list_of(context, id)?),
        ["route", id] => route_page(context, route_of(context, id)?),
        ["directions"] => directions(context, &blank),
        ["directions", "to", id] => directions(context, &Form::prefilled(&[("to", &name_of(context, id)?)])),
        ["share", kind, id] => share_page(context, kind, id, &blank)?,
        _ => return None,
    };
    Some(render::answer(html))
}

pub(in super::super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    let done = |command: MapsCommand, then: String| Some(Ok((Command::Maps(command), then)));
    match segments {
        ["new"] => {
            form.require(context, "name");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = Command::SavePlace {
                name: form.line("name"),
                address: form.line("address"),
                note: form.value("note").trim().to_owned(),
            };
            Some(Ok((command, confirmed("/maps", "place_saved", "{entity}"))))
        }
        ["search"] => {
            let query = form.line("q");
            if query.is_empty() {
                form.refuse(&context.text("maps.type_something", &[]));
                return Some(Err(form));
            }
            let then = search_address(SEARCH, &query);
            done(MapsCommand::Search { query }, then)
        }
        ["search", id, "forget"] => {
            let held = context.state.apps.maps.recent_searches.iter().find(|search| search.id == *id)?;
            let then = confirmed("/maps", "search_removed", &held.id);
            done(MapsCommand::ForgetSearch { search: held.id.clone() }, then)
        }
        ["searches", "clear"] => {
            done(MapsCommand::ForgetSearches, confirmed("/maps", "searches_cleared", "searches"))
        }
        ["spot", id, "save"] => {
            let spot = the_city().spot(id)?;
            let (name, address) = (spot.name.clone(), spot.address.clone());
            let command = Command::SavePlace { name, address, note: String::new() };
            Some(Ok((command, confirmed("/maps/place/{entity}", "place_saved", "{entity}"))))
        }
        ["place", id, rest @ ..] => post_place(context, id, rest, form),
        ["lists"] => {
            form.require(context, "list_name");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = MapsCommand::AddList { name: form.line("list_name") };
            done(command, confirmed("/maps/list/{entity}", "place_list_added", "{entity}"))
        }
        ["list", id, "delete"] => {
            let list = list_of(context, id)?.id.clone();
            let then = confirmed("/maps", "place_list_removed", &list);
            done(MapsCommand::DeleteList { list }, then)
        }
        ["directions"] => Some(post_directions(context, form)),
        ["route", id, way] => {
            let route = route_of(context, id)?.id.clone();
            let own = address(&["maps", "route", &route]);
            match *way {
                "start" => {
                    let then = confirmed("/maps", "route_started", &route);
                    done(MapsCommand::StartRoute { route }, then)
                }
                "end" => {
                    let then = confirmed(&own, "route_ended", &route);
                    done(MapsCommand::EndRoute { route }, then)
                }
                "delete" => {
                    let then = confirmed("/maps", "route_removed", &route);
                    done(MapsCommand::DeleteRoute { route }, then)
                }
                _ => None,
            }
        }
        ["share", kind, id] => {
            let kind = share_kind(kind)?;
            let confirmation = match kind {
                ShareKind::Eta => "eta_shared",
                ShareKind::Place => "place_shared",
                ShareKind::Places => "place_list_shared",
                _ => "route_shared",
            };
            let new = share::snapshot(context, kind, id, form)?;
            Some(new.map(|new| {
                (Command::Maps(MapsCommand::Share(new)), confirmed("/maps", confirmation, "{entity}"))
            }))
        }
        ["shared", id, "stop"] => {
            let share = context.state.apps.maps.shares.iter().find(|share| share.id == *id)?.id.clone();
            let then = confirmed("/maps", "share_removed", &share);
            done(MapsCommand::Unshare { share }, then)
        }
        ["undo"] => {
            let (page, kind) = match context.state.apps.maps.removed {
                Some(RemovedFromMaps::List { .. }) => ("/maps", "place_list_restored"),
                Some(RemovedFromMaps::Route { .. }) => ("/maps", "route_restored"),
                Some(RemovedFromMaps::Searches { .. }) => ("/maps", "searches_restored"),
                _ => ("/maps", "place_restored"),
            };
            done(MapsCommand::Undo, confirmed(page, kind, "{entity}"))
        }
        _ => None,
    }
}

fn post_place(context: &Context<'_>, id: &str, rest: &[&str], mut form: Form) -> Option<Reading> {
    let place = place_of(context, id)?.id.clone();
    match rest {
        [] => {
            form.require(context, "name");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let lists = form.all("list").map(str::to_owned).collect();
            let then = confirmed(&address(&["maps", "place", &place]), "place_edited", &place);
            let (name, address) = (form.line("name"), form.line("address"));
            let note = form.value("note").trim().to_owned();
            let command = MapsCommand::EditPlace { place, name, address, note, lists };
            Some(Ok((Command::Maps(command), then)))
        }
        ["delete"] => {
            let then = confirmed("/maps", "place_removed", &place);
            Some(Ok((Command::Maps(MapsCommand::DeletePlace { place }), then)))
        }
        _ => None,
    }
}

/// The form for directions; its buttons add, remove and move stops as well.
fn post_directions(context: &Context<'_>, mut form: Form) -> Reading {
    let mut stops = stops_in(&form);
    let action = form.value("action").to_owned();
    let number = action.rsplit('-').next().and_then(|number| number.parse::<usize>().ok());
    let number = number.filter(|number| *number < stops.len());
    match (action.split('-').next().unwrap_or_default(), number) {
        ("add", _) => stops.push(<[String; 3]>::default()),
        ("remove", Some(number)) => {
            stops.remove(number);
        }
        ("up", Some(number)) if number > 0 => stops.swap(number, number - 1),
        ("down", Some(number)) if number + 1 < stops.len() => stops.swap(number, number + 1),
        ("up" | "down" | "remove", _) => {}
        _ => {
            form.require(context, "from");
            form.require(context, "to");
            if !form.is_valid() {
                return Err(form);
            }
            let planned = match planned(context, stops) {
                Ok(planned) => planned,
                Err(reason) => {
                    form.refuse(&reason);
                    return Err(form);
                }
            };
            let command = MapsCommand::PlanRoute {
                start: form.line("from"),
                stops: planned,
                destination: form.line("to"),
                mode: TravelMode::named(form.value("mode")).unwrap_or_default(),
            };
            let then = confirmed("/maps/route/{entity}", "route_planned", "{entity}");
            return Ok((Command::Maps(command), then));
        }
    }
    for (field, name) in STOP_FIELDS.into_iter().enumerate() {
        form.set_all(name, stops.iter().map(|stop| stop[field].clone()).collect());
    }
    Err(form)
}

/// The stops as they are planned; what is wrong with the first that cannot be.
fn planned(context: &Context<'_>, stops: Vec<[String; 3]>) -> Result<Vec<NewStop>, String> {
    let stop = |(number, [name, note, minutes]): (usize, [String; 3])| {
        let name = name.trim().to_owned();
        let minutes = match minutes.trim() {
            "" => 0,
            typed => typed
                .parse()
                .map_err(|_| context.text("maps.no_minutes", &[("number", &(number + 1).to_string())]))?,
        };
        Ok(NewStop { name, note: note.trim().to_owned(), minutes })
    };
    stops.into_iter().enumerate().map(stop).collect()
}

pub(in super::super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["place", id, ..] => place_page(context, id, form),
        ["directions"] => Some(directions(context, form)),
        ["share", kind, id] => share_page(context, kind, id, form),
        _ => Some(page(context, form)),
    }
}

fn share_kind(name: &str) -> Option<ShareKind> {
    let kinds = [ShareKind::Route, ShareKind::Eta, ShareKind::Place, ShareKind::Places];
    kinds.into_iter().find(|kind| kind.name() == name)
}

fn share_page(context: &Context<'_>, kind: &str, id: &str, form: &Form) -> Option<String> {
    let action = address(&["maps", "share", kind, id]);
    let kind = share_kind(kind)?;
    share::snapshot_page(context, FRAME, (kind, id), (action, "/maps".to_owned()), form)
}

pub(super) fn place_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a Place> {
    context.state.apps.maps.places.iter().find(|place| place.id == id)
}

fn list_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a PlaceList> {
    context.state.apps.maps.lists.iter().find(|list| list.id == id)
}

fn route_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a Route> {
    context.state.apps.maps.routes.iter().find(|route| route.id == id)
}

/// What a saved place or one of the city is called.
fn name_of(context: &Context<'_>, id: &str) -> Option<String> {
    let saved = place_of(context, id).map(|place| place.name.clone());
    saved.or_else(|| the_city().spot(id).map(|spot| spot.name.clone()))
}
