//! Maps: routes, places, recent searches, and the drawing of the city.

use serde::Serialize;

use super::city::{self, Drawing};
use super::context::{Context, confirmed};
use super::form::{Field, Form};
use super::render::{self, Place as Frame, Row};
use super::router::{Answer, Reading};
use crate::scenario::model::{Place, Route};
use crate::workspace::{App, Command};

#[derive(Serialize)]
struct MapsPage {
    routes: Vec<RouteView>,
    places: Vec<PlaceView>,
    recent: Vec<String>,
    drawing: Drawing,
    name: Field,
    address: Field,
    note: Field,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct RouteView {
    active: bool,
    name: String,
    status: Option<String>,
    facts: Vec<Row>,
    stops: Vec<StopView>,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct StopView {
    /// What stands on its pin.
    pin: String,
    /// Start, destination, or nothing for a stop on the way.
    part: Option<String>,
    name: String,
    note: String,
}

#[derive(Serialize)]
struct PlaceView {
    pin: String,
    name: String,
    address: String,
    note: String,
    details: Vec<Row>,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    match segments {
        [] | ["new"] => Some(render::answer(page(context, &Form::default()))),
        _ => None,
    }
}

pub(super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    if segments != ["new"] {
        return None;
    }
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

pub(super) fn again(context: &Context<'_>, form: &Form) -> String {
    page(context, form)
}

fn page(context: &Context<'_>, form: &Form) -> String {
    let maps = &context.state.apps.maps;
    let routes: Vec<RouteView> = maps.routes.iter().map(|route| route_view(context, route)).collect();
    let places: Vec<PlaceView> =
        (1..).zip(&maps.places).map(|(number, place)| place_view(number, place)).collect();
    // Pins for the places, and for the first route only: one way through the city can be followed.
    let way: Vec<(&str, &str)> = routes
        .first()
        .map(|route| route.stops.iter().map(|stop| (stop.pin.as_str(), stop.name.as_str())).collect())
        .unwrap_or_default();
    let spots: Vec<(&str, &str)> =
        places.iter().map(|place| (place.pin.as_str(), place.name.as_str())).collect();
    let drawing = city::draw(&way, &spots);
    let view = MapsPage {
        drawing,
        routes,
        places,
        recent: maps.recent_searches.iter().map(|search| search.query.clone()).collect(),
        name: form.field("name"),
        address: form.field("address"),
        note: form.field("note"),
        details: render::rows(&maps.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("nav.maps", &[]);
    render::page(context, Frame::In(App::Maps), &heading, "maps.html", &view)
}

fn route_view(context: &Context<'_>, route: &Route) -> RouteView {
    let mut facts = Vec::new();
    let mut add = |key: &str, value: &Option<String>| {
        render::add_row(&mut facts, context, key, value.as_deref().unwrap_or_default());
    };
    add("maps.eta", &route.eta);
    add("maps.distance", &route.distance);
    add("maps.traffic", &route.traffic);
    let mut stops = Vec::new();
    if let Some(start) = &route.start {
        stops.push((Some(context.text("maps.start", &[])), start.clone(), String::new()));
    }
    stops.extend(route.stops.iter().map(|stop| (None, stop.name.clone(), stop.note.clone())));
    if route.destination.is_some() || route.address.is_some() {
        let address = route.address.clone().unwrap_or_default();
        let (name, note) = match &route.destination {
            Some(destination) => (destination.clone(), address),
            None => (address, String::new()),
        };
        stops.push((Some(context.text("maps.destination", &[])), name, note));
    }
    let stops = ('A'..='Z')
        .map(String::from)
        .chain((27..).map(|number: usize| number.to_string()))
        .zip(stops)
        .map(|(pin, (part, name, note))| StopView { pin, part, name, note })
        .collect();
    RouteView {
        active: route.active,
        name: route.name.clone(),
        status: route.status.clone(),
        facts,
        stops,
        details: render::rows(&route.details),
    }
}

fn place_view(number: usize, place: &Place) -> PlaceView {
    PlaceView {
        pin: number.to_string(),
        name: place.name.clone(),
        address: place.address.clone(),
        note: place.note.clone(),
        details: render::rows(&place.details),
    }
}
