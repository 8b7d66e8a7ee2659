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
use crate::workspace::atlas::{self, Found, city as the_city};

/// Places of the city that a search shows.
const RESULTS_LIMIT: usize = 40;

#[derive(Serialize)]
struct SearchPage {
    search: Search,
    heading: String,
    saved: Vec<PlaceView>,
    spots: Vec<SpotView>,
    /// What is said where no place has all the words.
    partly: Option<String>,
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
    let words: Vec<&str> = folded.split_whitespace().collect();
    let maps = &context.state.apps.maps;
    let Found { spots: mut found, mut partly } = the_city().search(query);
    let mut kept: Vec<&Place> =
        maps.places.iter().filter(|place| !words.is_empty() && held(place, &words) == words.len()).collect();
    if !kept.is_empty() && partly {
        // What has all the words is among the saved ones.
        (found, partly) = (Vec::new(), false);
    } else if kept.is_empty() && (partly || found.is_empty()) {
        kept = nearest(&maps.places, &words);
        partly |= !kept.is_empty();
    }
    let mut names = Names::default();
    let saved: Vec<PlaceView> =
        (1..).zip(kept).map(|(number, place)| place_view(context, number, place, &mut names)).collect();
    let spots: Vec<SpotView> = (saved.len() + 1..)
        .zip(found.iter().take(RESULTS_LIMIT))
        .map(|(number, spot)| SpotView {
            pin: number.to_string(),
            id: spot.id.clone(),
            name: names.unique(context, &spot.name),
            about: context.joined(&[
                &spot.kind(&context.state.language),
                &spot.address,
                &distance(context, spot),
            ]),
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
        partly: partly.then(|| context.text("maps.partly", &[])),
        more: (found.len() > RESULTS_LIMIT)
            .then(|| context.text("maps.first_results", &[("count", &RESULTS_LIMIT.to_string())])),
        drawing: city::draw(&[], &pins, 1),
        saved,
        spots,
    };
    let heading = context.text("maps.results", &[]);
    render::page(context, FRAME, &heading, "maps_search.html", &view)
}

/// How many of some words a saved place has.
fn held(place: &Place, words: &[&str]) -> usize {
    let Place { name, address, note, category, .. } = place;
    let text = format!("{name} {address} {note} {category}").to_lowercase();
    words.iter().filter(|word| text.contains(**word)).count()
}

/// The saved places that have the most of some words; those of one or two letters say nothing.
fn nearest<'a>(places: &'a [Place], words: &[&str]) -> Vec<&'a Place> {
    let is_telling = |word: &&&str| word.len() > 2;
    let words: Vec<&str> = words.iter().filter(is_telling).copied().collect();
    let counts: Vec<usize> = places.iter().map(|place| held(place, &words)).collect();
    let most = counts.iter().copied().max().filter(|most| *most > 0);
    places.iter().zip(counts).filter(|(_, count)| Some(*count) == most).map(|(place, _)| place).collect()
}

pub(super) fn spot_page(context: &Context<'_>, spot: &atlas::Spot) -> String {
    let saved = context.state.apps.maps.places.iter().find(|place| place.name == spot.name);
    let view = SpotPage {
        search: search_form(context, ""),
        id: spot.id.clone(),
        address: spot.address.clone(),
        facts: known(context, &spot.facts(&context.state.language)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_saved_places_with_the_most_words_are_the_nearest() {
        let place = |name: &str, note: &str| Place {
            name: name.to_owned(),
            note: note.to_owned(),
            ..Place::default()
        };
        let places = [place("Harbour Hall", "park behind it"), place("Harbour Baths", ""), place("Lake", "")];
        let names = |words: &[&str]| {
            nearest(&places, words).into_iter().map(|place| place.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&["harbour", "park", "late"]), ["Harbour Hall"]);
        assert_eq!(names(&["harbour", "at"]), ["Harbour Hall", "Harbour Baths"]);
        assert!(names(&["it", "at"]).is_empty(), "short words say nothing");
        assert!(names(&["museum"]).is_empty());
    }
}
