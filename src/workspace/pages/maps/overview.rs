//! The first page: routes, saved places, lists, recent searches.

use serde::Serialize;

use super::super::city::{self, Drawing, Spot};
use super::super::context::Context;
use super::super::form::{Field, Form};
use super::super::names::Names;
use super::super::render::{self, Row};
use super::super::searches::{RecentSearch, recent_searches};
use super::super::share::{self, SharedView};
use super::parts::{PlaceView, RouteView, Search, place_spot, place_view, route_view, search_form, way_of};
use super::route::{FRAME, SEARCH, place_of};
use crate::scenario::model::PlaceList;

#[derive(Serialize)]
struct MapsPage {
    search: Search,
    routes: Vec<RouteView>,
    places: Vec<PlaceView>,
    lists: Vec<ListView>,
    recent: Vec<RecentSearch>,
    shared: Vec<SharedView>,
    drawing: Drawing,
    zoom_in: Option<i32>,
    zoom_out: Option<i32>,
    name: Field,
    address: Field,
    note: Field,
    list_name: Field,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct ListView {
    id: String,
    control: String,
    name: String,
    count: String,
    places: Vec<String>,
    details: Vec<Row>,
}

fn zoom(context: &Context<'_>) -> i32 {
    let asked = context.query("zoom").and_then(|zoom| zoom.parse().ok()).unwrap_or(1);
    asked.clamp(*city::ZOOM.start(), *city::ZOOM.end())
}

pub(super) fn page(context: &Context<'_>, form: &Form) -> String {
    let maps = &context.state.apps.maps;
    let mut names = Names::default();
    let routes: Vec<RouteView> =
        maps.routes.iter().map(|route| route_view(context, route, &mut names)).collect();
    let places: Vec<PlaceView> = (1..)
        .zip(&maps.places)
        .map(|(number, place)| place_view(context, number, place, &mut names))
        .collect();
    // Pins for the places, and for the first route only: one way through the city can be followed.
    let mut pins = Names::default();
    let way = routes.first().map(|route| way_of(context, route, &mut pins)).unwrap_or_default();
    let spots: Vec<Spot> = places.iter().map(|place| place_spot(context, place, &mut pins)).collect();
    let zoom = zoom(context);
    let drawing = city::draw(&way, &spots, zoom);
    let recent = recent_searches(context, &mut names, "maps", SEARCH, &maps.recent_searches);
    let view = MapsPage {
        search: Search { current: None, ..search_form(context, form.value("q")) },
        drawing,
        zoom_in: Some(zoom + 1).filter(|zoom| city::ZOOM.contains(zoom)),
        zoom_out: Some(zoom - 1).filter(|zoom| city::ZOOM.contains(zoom)),
        routes,
        places,
        lists: maps.lists.iter().map(|list| list_view(context, list, &mut names)).collect(),
        recent,
        shared: share::shared(context, &maps.shares, "/maps/shared"),
        name: form.field("name"),
        address: form.field("address"),
        note: form.field("note"),
        list_name: form.field("list_name"),
        details: render::rows(&maps.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("nav.maps", &[]);
    render::page(context, FRAME, &heading, "maps.html", &view)
}

fn list_view(context: &Context<'_>, list: &PlaceList, names: &mut Names) -> ListView {
    let held = list.places.iter().filter_map(|id| place_of(context, id));
    ListView {
        id: list.id.clone(),
        control: names.unique(context, &list.name),
        name: list.name.clone(),
        count: context.counted("maps.places_count", list.places.len(), &[]),
        places: held.map(|place| place.name.clone()).collect(),
        details: render::rows(&list.details),
    }
}
