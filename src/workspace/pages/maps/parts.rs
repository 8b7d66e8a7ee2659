//! What the maps' pages share: the search form, routes and places as they are shown, pins.

use serde::Serialize;

use super::super::city::{self, Drawing, Spot};
use super::super::context::{Context, address};
use super::super::form::{Field, untouched};
use super::super::names::Names;
use super::super::render::{self, Row};
use super::super::searches::search_address;
use super::route::SEARCH;
use crate::scenario::model::{Place, Route};
use crate::workspace::atlas::{self, city as the_city};
use crate::workspace::showing::{route_stops, route_title};

/// The search form, on every page of the app, and the route that is travelled.
#[derive(Serialize)]
pub(super) struct Search {
    pub(super) query: Field,
    pub(super) suggestions: Vec<String>,
    /// None on the pages that show the route itself.
    pub(super) current: Option<Current>,
}

#[derive(Serialize)]
pub(super) struct Current {
    title: String,
    facts: String,
    stops: String,
    address: String,
    share: String,
    share_eta: String,
    end: String,
}

#[derive(Serialize)]
pub(super) struct RouteView {
    pub(super) address: String,
    pub(super) active: bool,
    pub(super) name: String,
    pub(super) title: String,
    pub(super) mode: Option<String>,
    pub(super) status: Option<String>,
    pub(super) facts: Vec<Row>,
    pub(super) stops: Vec<StopView>,
    pub(super) steps: Vec<String>,
    pub(super) details: Vec<Row>,
    pub(super) share: String,
    pub(super) share_eta: String,
    pub(super) share_name: String,
    pub(super) eta_name: String,
    pub(super) open_name: String,
    pub(super) end_name: String,
    pub(super) start_name: String,
}

#[derive(Serialize)]
pub(super) struct StopView {
    /// What stands on its pin.
    pin: String,
    /// Start, destination, or nothing for a stop on the way.
    part: Option<String>,
    name: String,
    note: String,
    /// How long it takes, as a sentence.
    dwell: Option<String>,
}

#[derive(Serialize)]
pub(super) struct PlaceView {
    pub(super) pin: String,
    pub(super) id: String,
    /// As a control of the page is called.
    pub(super) control: String,
    pub(super) name: String,
    pub(super) address: String,
    pub(super) note: String,
    pub(super) lists: Vec<String>,
    pub(super) facts: Vec<Row>,
    pub(super) details: Vec<Row>,
}

pub(super) fn search_form(context: &Context<'_>, query: &str) -> Search {
    let maps = &context.state.apps.maps;
    let mut suggestions: Vec<String> =
        maps.recent_searches.iter().map(|search| search.query.clone()).collect();
    suggestions.extend(maps.places.iter().map(|place| place.name.clone()));
    let language = &context.state.language;
    let mut categories: Vec<&atlas::Spot> = the_city().spots.iter().collect();
    categories.dedup_by_key(|spot| spot.category);
    let categories = categories.into_iter().map(|spot| spot.kind(language));
    suggestions.extend(categories);
    Search { query: untouched("q", query), suggestions, current: current(context) }
}

/// The route that is travelled, in short.
fn current(context: &Context<'_>) -> Option<Current> {
    let route = context.state.apps.maps.routes.iter().find(|route| route.active)?;
    let facts = [&route.eta, &route.distance, &route.traffic, &route.status];
    let facts: Vec<&str> = facts.into_iter().filter_map(|fact| fact.as_deref()).collect();
    let stops: Vec<String> = route_stops(route).into_iter().map(|(name, _)| name).collect();
    Some(Current {
        title: route_title(route),
        facts: context.joined(&facts),
        stops: context.joined(&stops),
        address: address(&["maps", "route", &route.id]),
        share: address(&["maps", "share", "route", &route.id]),
        share_eta: address(&["maps", "share", "eta", &route.id]),
        end: address(&["maps", "route", &route.id, "end"]),
    })
}

/// What everybody knows of a place, as labelled rows.
pub(super) fn known<T: AsRef<str>>(context: &Context<'_>, facts: &[T; 4]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (key, value) in ["maps.category", "maps.phone", "maps.hours", "maps.rating"].into_iter().zip(facts) {
        render::add_row(&mut rows, context, key, value.as_ref());
    }
    rows
}

pub(super) fn known_of(context: &Context<'_>, place: &Place) -> Vec<Row> {
    known(context, &[&place.category, &place.phone, &place.hours, &place.rating])
}

/// How far a spot is from the middle of the city.
pub(super) fn distance(context: &Context<'_>, spot: &atlas::Spot) -> String {
    let metres = atlas::distance_text(the_city().distance_from_middle(spot.point));
    context.text("maps.from_middle", &[("distance", &metres)])
}

/// The stops of a route as pins, each of which leads to what is known of the place.
pub(super) fn way_of(context: &Context<'_>, route: &RouteView, names: &mut Names) -> Vec<Spot> {
    let mut spot = |stop: &StopView| {
        let saved = context.state.apps.maps.places.iter().find(|place| place.name == stop.name);
        let href = match (saved, the_city().named(&stop.name)) {
            (Some(place), _) => address(&["maps", "place", &place.id]),
            (None, Some(spot)) => address(&["maps", "spot", &spot.id]),
            (None, None) => search_address(SEARCH, &stop.name),
        };
        Spot {
            label: stop.pin.clone(),
            name: stop.name.clone(),
            title: pin_name(context, &stop.name, names),
            href,
        }
    };
    route.stops.iter().map(&mut spot).collect()
}

pub(super) fn place_spot(context: &Context<'_>, place: &PlaceView, names: &mut Names) -> Spot {
    Spot {
        label: place.pin.clone(),
        name: place.name.clone(),
        title: pin_name(context, &place.name, names),
        href: address(&["maps", "place", &place.id]),
    }
}

pub(super) fn pin_name(context: &Context<'_>, name: &str, names: &mut Names) -> String {
    names.unique(context, &context.text("maps.pin", &[("name", name)]))
}

pub(super) fn route_view(context: &Context<'_>, route: &Route, names: &mut Names) -> RouteView {
    let mut facts = Vec::new();
    let mut add = |key: &str, value: &Option<String>| {
        render::add_row(&mut facts, context, key, value.as_deref().unwrap_or_default());
    };
    add("maps.eta", &route.eta);
    add("maps.distance", &route.distance);
    add("maps.traffic", &route.traffic);
    let has_end = route.destination.is_some() || route.address.is_some();
    let passed = route_stops(route);
    let last = passed.len().saturating_sub(1);
    let starts = usize::from(route.start.is_some());
    let pins = ('A'..='Z').map(String::from).chain((27..).map(|number: usize| number.to_string()));
    let stops: Vec<StopView> = pins
        .zip(passed.iter().enumerate())
        .map(|(pin, (number, (name, note)))| {
            let part = if number == 0 && route.start.is_some() {
                Some(context.text("maps.start", &[]))
            } else if number == last && has_end {
                Some(context.text("maps.destination", &[]))
            } else {
                None
            };
            let stop = number.checked_sub(starts).and_then(|number| route.stops.get(number));
            let dwell = stop.map(|stop| stop.dwell.as_str()).filter(|dwell| !dwell.trim().is_empty());
            let dwell = dwell.map(|time| context.text("maps.dwell", &[("time", time)]));
            StopView { pin, part, name: name.clone(), note: note.clone(), dwell }
        })
        .collect();
    let steps = route.mode.map_or_else(Vec::new, |mode| {
        let stops: Vec<&str> = passed.iter().map(|(name, _)| name.as_str()).collect();
        the_city().legs(&stops, mode).iter().map(|leg| step(context, leg)).collect()
    });
    let title = route_title(route);
    let mut named = |key: &str| names.unique(context, &context.text(key, &[("route", &title)]));
    RouteView {
        address: address(&["maps", "route", &route.id]),
        active: route.active,
        name: route.name.clone(),
        mode: route.mode.map(|mode| context.text(&format!("maps.mode.{}", mode.name()), &[])),
        status: route.status.clone(),
        facts,
        stops,
        steps,
        details: render::rows(&route.details),
        share: address(&["maps", "share", "route", &route.id]),
        share_eta: address(&["maps", "share", "eta", &route.id]),
        share_name: named("maps.share_route"),
        eta_name: named("maps.share_eta"),
        open_name: named("maps.open_route"),
        end_name: named("maps.end_route"),
        start_name: named("maps.start_route"),
        title,
    }
}

fn step(context: &Context<'_>, leg: &atlas::Leg) -> String {
    context.text(
        "maps.step",
        &[
            ("from", &leg.from),
            ("to", &leg.to),
            ("first", leg.streets[0]),
            ("second", leg.streets[1]),
            ("distance", &atlas::distance_text(leg.metres)),
            ("time", &atlas::duration_text(leg.minutes)),
        ],
    )
}

pub(super) fn place_view(
    context: &Context<'_>,
    number: usize,
    place: &Place,
    names: &mut Names,
) -> PlaceView {
    let lists = context.state.apps.maps.lists.iter().filter(|list| list.places.contains(&place.id));
    PlaceView {
        pin: number.to_string(),
        id: place.id.clone(),
        control: names.unique(context, &place.name),
        name: place.name.clone(),
        address: place.address.clone(),
        note: place.note.clone(),
        lists: lists.map(|list| list.name.clone()).collect(),
        facts: known_of(context, place),
        details: render::rows(&place.details),
    }
}

/// A drawing around the one thing that a page is about.
pub(super) fn pinned(name: &str) -> Drawing {
    let spot = Spot { label: "1".to_owned(), name: name.to_owned(), ..Spot::default() };
    city::draw(&[], &[spot], 2)
}
