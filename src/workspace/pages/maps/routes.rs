//! A route, and the form that plans one.

use serde::Serialize;

use super::super::city::{self, Drawing};
use super::super::context::Context;
use super::super::form::{Field, Form};
use super::super::names::Names;
use super::super::render::{self};
use super::parts::{RouteView, Search, route_view, search_form, way_of};
use super::route::FRAME;
use crate::scenario::model::{Route, TravelMode};
use crate::workspace::atlas::city as the_city;

#[derive(Serialize)]
struct RoutePage {
    search: Search,
    route: RouteView,
    drawing: Drawing,
}

#[derive(Serialize)]
struct DirectionsPage {
    search: Search,
    from: Field,
    to: Field,
    stops: Vec<StopFields>,
    modes: Vec<ModeChoice>,
    suggestions: Vec<String>,
    message: Option<String>,
}

/// A stop as it is typed.
#[derive(Serialize)]
struct StopFields {
    name: String,
    note: String,
    minutes: String,
}

#[derive(Serialize)]
struct ModeChoice {
    name: &'static str,
    label: String,
    chosen: bool,
}

pub(super) fn route_page(context: &Context<'_>, route: &Route) -> String {
    let view = route_view(context, route, &mut Names::default());
    let drawing = city::draw(&way_of(context, &view, &mut Names::default()), &[], 1);
    let heading = context.text("maps.route_heading", &[("route", &view.title)]);
    let mut search = search_form(context, "");
    if view.active {
        search.current = None;
    }
    let view = RoutePage { search, drawing, route: view };
    render::page(context, FRAME, &heading, "maps_route.html", &view)
}

/// The fields of each stop: name, note, minutes.
pub(super) const STOP_FIELDS: [&str; 3] = ["stop", "stop_note", "stop_minutes"];

/// The stops of a sent form, each with what stands in its fields.
pub(super) fn stops_in(form: &Form) -> Vec<[String; 3]> {
    let values = STOP_FIELDS.map(|name| form.all(name).map(str::to_owned).collect::<Vec<_>>());
    let [names, notes, minutes] = &values;
    let at = |held: &[String], number: usize| held.get(number).cloned().unwrap_or_default();
    let stop = |(number, name): (usize, &String)| [name.clone(), at(notes, number), at(minutes, number)];
    names.iter().enumerate().map(stop).collect()
}

pub(super) fn directions(context: &Context<'_>, form: &Form) -> String {
    let chosen = TravelMode::named(form.value("mode")).unwrap_or_default();
    let modes = TravelMode::ALL.map(|mode| ModeChoice {
        name: mode.name(),
        label: context.text(&format!("maps.mode.{}", mode.name()), &[]),
        chosen: mode == chosen,
    });
    let search = search_form(context, "");
    let saved = context.state.apps.maps.places.iter().map(|place| place.name.clone());
    let view = DirectionsPage {
        search,
        from: form.field("from"),
        to: form.field("to"),
        stops: stops_in(form)
            .into_iter()
            .map(|[name, note, minutes]| StopFields { name, note, minutes })
            .collect(),
        modes: modes.into(),
        suggestions: saved.chain(the_city().spots.iter().map(|spot| spot.name.clone())).collect(),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("maps.directions", &[]);
    render::page(context, FRAME, &heading, "maps_directions.html", &view)
}
