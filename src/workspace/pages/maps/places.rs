//! What a search found, a place, a list of places.

use serde::Serialize;

use super::super::city::{self, Drawing, Spot};
use super::super::context::{Context, address};
use super::super::form::{Field, Form};
use super::super::names::Names;
use super::super::render::{self, Row};
use super::parts::{
    PlaceView, Search, distance, known, known_of, pin_name, pinned, place_spot, place_view, search_form,
};
use super::route::{FRAME, place_of};
use crate::scenario::model::{Place, PlaceList};
use crate::workspace::atlas::{self, city as the_city};

/// Places of the city that a search shows.
const RESULTS_LIMIT: usize = 40;

#[derive(Serialize)]
struct SearchPage {
    search: Search,
    heading: String,
    saved: Vec<PlaceView>,
    spots: Vec<SpotView>,
    more: Option<String>,
    drawing: Drawing,
}

#[derive(Serialize)]
struct SpotView {
    pin: String,
    id: String,
    name: String,
    about: String,
}

#[derive(Serialize)]
struct SpotPage {
    search: Search,
    id: String,
    address: String,
    facts: Vec<Row>,
    distance: String,
    saved: Option<String>,
    drawing: Drawing,
}

#[derive(Serialize)]
struct PlacePage {
    search: Search,
    id: String,
    name: Field,
    address: Field,
    note: Field,
    lists: Vec<ListChoice>,
    facts: Vec<Row>,
    details: Vec<Row>,
    drawing: Drawing,
    message: Option<String>,
}

#[derive(Serialize)]
struct ListChoice {
    id: String,
    name: String,
    chosen: bool,
}

#[derive(Serialize)]
struct ListPage {
    search: Search,
    id: String,
    places: Vec<PlaceView>,
    details: Vec<Row>,
    drawing: Drawing,
}

pub(super) fn search_page(context: &Context<'_>) -> String {
    let query = context.query("q").unwrap_or_default().trim();
    let folded = query.to_lowercase();
    let maps = &context.state.apps.maps;
    let fits = |place: &&Place| {
        let text = format!("{} {} {}", place.name, place.address, place.note).to_lowercase();
        !folded.is_empty() && text.contains(&folded)
    };
    let mut names = Names::default();
    let saved: Vec<PlaceView> = (1..)
        .zip(maps.places.iter().filter(fits))
        .map(|(number, place)| place_view(context, number, place, &mut names))
        .collect();
    let found = the_city().search(query);
    let spots: Vec<SpotView> = (saved.len() + 1..)
        .zip(found.iter().take(RESULTS_LIMIT))
        .map(|(number, spot)| SpotView {
            pin: number.to_string(),
            id: spot.id.clone(),
            name: names.unique(context, &spot.name),
            about: context.joined(&[spot.category, &spot.address, &distance(context, spot)]),
        })
        .collect();
    let mut pin_names = Names::default();
    let mut pins: Vec<Spot> = saved.iter().map(|place| place_spot(context, place, &mut pin_names)).collect();
    pins.extend(spots.iter().map(|spot| Spot {
        label: spot.pin.clone(),
        name: spot.name.clone(),
        title: pin_name(context, &spot.name, &mut pin_names),
        href: address(&["maps", "spot", &spot.id]),
    }));
    let view = SearchPage {
        search: search_form(context, query),
        heading: context.counted("maps.found", saved.len() + found.len(), &[("query", query)]),
        more: (found.len() > RESULTS_LIMIT)
            .then(|| context.text("maps.first_results", &[("count", &RESULTS_LIMIT.to_string())])),
        drawing: city::draw(&[], &pins, 1),
        saved,
        spots,
    };
    let heading = context.text("maps.results", &[]);
    render::page(context, FRAME, &heading, "maps_search.html", &view)
}

pub(super) fn spot_page(context: &Context<'_>, spot: &atlas::Spot) -> String {
    let saved = context.state.apps.maps.places.iter().find(|place| place.name == spot.name);
    let view = SpotPage {
        search: search_form(context, ""),
        id: spot.id.clone(),
        address: spot.address.clone(),
        facts: known(context, [spot.category, &spot.phone, &spot.hours, &spot.rating]),
        distance: distance(context, spot),
        saved: saved.map(|place| address(&["maps", "place", &place.id])),
        drawing: pinned(&spot.name),
    };
    render::page(context, FRAME, &spot.name, "maps_spot.html", &view)
}

pub(super) fn place_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let place = place_of(context, id)?;
    let edited = form.given("name").is_some();
    let lists = context.state.apps.maps.lists.iter().map(|list| ListChoice {
        id: list.id.clone(),
        name: list.name.clone(),
        chosen: if edited { form.has("list", &list.id) } else { list.places.contains(&place.id) },
    });
    let view = PlacePage {
        search: search_form(context, ""),
        id: place.id.clone(),
        name: form.field_or("name", &place.name),
        address: form.field_or("address", &place.address),
        note: form.field_or("note", &place.note),
        lists: lists.collect(),
        facts: known_of(context, place),
        details: render::rows(&place.details),
        drawing: pinned(&place.name),
        message: form.message().map(str::to_owned),
    };
    Some(render::page(context, FRAME, &place.name, "maps_place.html", &view))
}

pub(super) fn list_page(context: &Context<'_>, list: &PlaceList) -> String {
    let mut names = Names::default();
    let held = list.places.iter().filter_map(|id| place_of(context, id));
    let places: Vec<PlaceView> =
        (1..).zip(held).map(|(number, place)| place_view(context, number, place, &mut names)).collect();
    let mut pin_names = Names::default();
    let pins: Vec<Spot> = places.iter().map(|place| place_spot(context, place, &mut pin_names)).collect();
    let view = ListPage {
        search: search_form(context, ""),
        id: list.id.clone(),
        drawing: city::draw(&[], &pins, 1),
        places,
        details: render::rows(&list.details),
    };
    render::page(context, FRAME, &list.name, "maps_list.html", &view)
}
