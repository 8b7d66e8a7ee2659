//! Maps: search, places, lists of places, routes, and the drawing of the city.

use serde::Serialize;

use super::city::{self, Drawing};
use super::context::{Context, address, confirmed};
use super::form::{Field, Form, untouched};
use super::names::Names;
use super::render::{self, Place as Frame, Row};
use super::router::{Answer, Reading};
use super::share::{self, SharedView};
use crate::scenario::model::{Place, PlaceList, RemovedFromMaps, Route, ShareKind, TravelMode};
use crate::workspace::atlas::{self, Spot, city as the_city};
use crate::workspace::showing::{route_stops, route_title};
use crate::workspace::{App, Command, MapsCommand};

const FRAME: Frame = Frame::In(App::Maps);

/// Places of the city that a search shows.
const RESULTS_LIMIT: usize = 40;

#[derive(Serialize)]
struct MapsPage {
    search: Search,
    routes: Vec<RouteView>,
    places: Vec<PlaceView>,
    lists: Vec<ListView>,
    recent: Vec<RecentView>,
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

/// The search form, on every page of the app.
#[derive(Serialize)]
struct Search {
    query: Field,
    suggestions: Vec<String>,
}

#[derive(Serialize)]
struct RecentView {
    query: String,
    /// The search again, as its address.
    href: String,
    again: String,
    forget: String,
    forget_name: String,
}

#[derive(Serialize)]
struct RouteView {
    address: String,
    active: bool,
    name: String,
    title: String,
    mode: Option<String>,
    status: Option<String>,
    facts: Vec<Row>,
    stops: Vec<StopView>,
    steps: Vec<String>,
    details: Vec<Row>,
    share: String,
    share_eta: String,
    share_name: String,
    eta_name: String,
    open_name: String,
    end_name: String,
    start_name: String,
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
    id: String,
    /// As a control of the page is called.
    control: String,
    name: String,
    address: String,
    note: String,
    lists: Vec<String>,
    details: Vec<Row>,
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
    category: &'static str,
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
    stops: Vec<String>,
    modes: Vec<ModeChoice>,
    suggestions: Vec<String>,
    message: Option<String>,
}

#[derive(Serialize)]
struct ModeChoice {
    name: &'static str,
    label: String,
    chosen: bool,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
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

pub(super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
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
            let then = search_address(&query);
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
    let mut stops: Vec<String> = form.all("stop").map(str::to_owned).collect();
    let action = form.value("action").to_owned();
    let number = action.rsplit('-').next().and_then(|number| number.parse::<usize>().ok());
    let number = number.filter(|number| *number < stops.len());
    match (action.split('-').next().unwrap_or_default(), number) {
        ("add", _) => stops.push(String::new()),
        ("remove", Some(number)) => {
            stops.remove(number);
        }
        ("up", Some(number)) if number > 0 => stops.swap(number, number - 1),
        ("up" | "remove", _) => {}
        _ => {
            form.require(context, "from");
            form.require(context, "to");
            if !form.is_valid() {
                return Err(form);
            }
            let command = MapsCommand::PlanRoute {
                start: form.line("from"),
                stops: stops.iter().map(|stop| stop.trim().to_owned()).collect(),
                destination: form.line("to"),
                mode: TravelMode::named(form.value("mode")).unwrap_or_default(),
            };
            let then = confirmed("/maps/route/{entity}", "route_planned", "{entity}");
            return Ok((Command::Maps(command), then));
        }
    }
    form.set_all("stop", stops);
    Err(form)
}

pub(super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
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

fn search_address(query: &str) -> String {
    // A segment's encoding is a value's as well.
    format!("/maps/search?q={}", &address(&[query])[1..])
}

fn place_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a Place> {
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

fn search_form(context: &Context<'_>, query: &str) -> Search {
    let maps = &context.state.apps.maps;
    let mut suggestions: Vec<String> =
        maps.recent_searches.iter().map(|search| search.query.clone()).collect();
    suggestions.extend(maps.places.iter().map(|place| place.name.clone()));
    let mut categories: Vec<String> = the_city().spots.iter().map(|spot| spot.category.to_owned()).collect();
    categories.dedup();
    suggestions.extend(categories);
    Search { query: untouched("q", query), suggestions }
}

fn zoom(context: &Context<'_>) -> i32 {
    let asked = context.query("zoom").and_then(|zoom| zoom.parse().ok()).unwrap_or(1);
    asked.clamp(*city::ZOOM.start(), *city::ZOOM.end())
}

fn page(context: &Context<'_>, form: &Form) -> String {
    let maps = &context.state.apps.maps;
    let mut names = Names::default();
    let routes: Vec<RouteView> =
        maps.routes.iter().map(|route| route_view(context, route, &mut names)).collect();
    let places: Vec<PlaceView> = (1..)
        .zip(&maps.places)
        .map(|(number, place)| place_view(context, number, place, &mut names))
        .collect();
    // Pins for the places, and for the first route only: one way through the city can be followed.
    let way = routes.first().map(way_of).unwrap_or_default();
    let spots: Vec<(&str, &str)> =
        places.iter().map(|place| (place.pin.as_str(), place.name.as_str())).collect();
    let zoom = zoom(context);
    let drawing = city::draw(&way, &spots, zoom);
    let recent = maps.recent_searches.iter().map(|search| {
        let query = [("query", search.query.as_str())];
        RecentView {
            query: search.query.clone(),
            href: search_address(&search.query),
            again: names.unique(context, &context.text("maps.search_again", &query)),
            forget: address(&["maps", "search", &search.id, "forget"]),
            forget_name: names.unique(context, &context.text("maps.forget_search", &query)),
        }
    });
    let recent = recent.collect();
    let view = MapsPage {
        search: search_form(context, form.value("q")),
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

fn way_of(route: &RouteView) -> Vec<(&str, &str)> {
    route.stops.iter().map(|stop| (stop.pin.as_str(), stop.name.as_str())).collect()
}

fn route_view(context: &Context<'_>, route: &Route, names: &mut Names) -> RouteView {
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
            StopView { pin, part, name: name.clone(), note: note.clone() }
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

fn place_view(context: &Context<'_>, number: usize, place: &Place, names: &mut Names) -> PlaceView {
    let lists = context.state.apps.maps.lists.iter().filter(|list| list.places.contains(&place.id));
    PlaceView {
        pin: number.to_string(),
        id: place.id.clone(),
        control: names.unique(context, &place.name),
        name: place.name.clone(),
        address: place.address.clone(),
        note: place.note.clone(),
        lists: lists.map(|list| list.name.clone()).collect(),
        details: render::rows(&place.details),
    }
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

/// A drawing with numbered pins at named spots.
fn pinned(names: &[&str], zoom: i32) -> Drawing {
    let pins: Vec<String> = (1..=names.len()).map(|number| number.to_string()).collect();
    let spots: Vec<(&str, &str)> = pins.iter().map(String::as_str).zip(names.iter().copied()).collect();
    city::draw(&[], &spots, zoom)
}

fn search_page(context: &Context<'_>) -> String {
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
            about: format!("{}, {}", spot.category, spot.address),
        })
        .collect();
    let pins: Vec<&str> = saved
        .iter()
        .map(|place| place.name.as_str())
        .chain(spots.iter().map(|spot| spot.name.as_str()))
        .collect();
    let view = SearchPage {
        search: search_form(context, query),
        heading: context.counted("maps.found", saved.len() + found.len(), &[("query", query)]),
        more: (found.len() > RESULTS_LIMIT)
            .then(|| context.text("maps.first_results", &[("count", &RESULTS_LIMIT.to_string())])),
        drawing: pinned(&pins, 1),
        saved,
        spots,
    };
    let heading = context.text("maps.results", &[]);
    render::page(context, FRAME, &heading, "maps_search.html", &view)
}

fn spot_page(context: &Context<'_>, spot: &Spot) -> String {
    let saved = context.state.apps.maps.places.iter().find(|place| place.name == spot.name);
    let view = SpotPage {
        search: search_form(context, ""),
        id: spot.id.clone(),
        address: spot.address.clone(),
        category: spot.category,
        saved: saved.map(|place| address(&["maps", "place", &place.id])),
        drawing: pinned(&[&spot.name], 2),
    };
    render::page(context, FRAME, &spot.name, "maps_spot.html", &view)
}

fn place_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let place = place_of(context, id)?;
    let edited = form.given("name").is_some();
    let field = |name: &'static str, value: &str| {
        if edited { form.field(name) } else { untouched(name, value) }
    };
    let lists = context.state.apps.maps.lists.iter().map(|list| ListChoice {
        id: list.id.clone(),
        name: list.name.clone(),
        chosen: if edited { form.has("list", &list.id) } else { list.places.contains(&place.id) },
    });
    let view = PlacePage {
        search: search_form(context, ""),
        id: place.id.clone(),
        name: field("name", &place.name),
        address: field("address", &place.address),
        note: field("note", &place.note),
        lists: lists.collect(),
        details: render::rows(&place.details),
        drawing: pinned(&[&place.name], 2),
        message: form.message().map(str::to_owned),
    };
    Some(render::page(context, FRAME, &place.name, "maps_place.html", &view))
}

fn list_page(context: &Context<'_>, list: &PlaceList) -> String {
    let mut names = Names::default();
    let held = list.places.iter().filter_map(|id| place_of(context, id));
    let places: Vec<PlaceView> =
        (1..).zip(held).map(|(number, place)| place_view(context, number, place, &mut names)).collect();
    let pins: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
    let view = ListPage {
        search: search_form(context, ""),
        id: list.id.clone(),
        drawing: pinned(&pins, 1),
        places,
        details: render::rows(&list.details),
    };
    render::page(context, FRAME, &list.name, "maps_list.html", &view)
}

fn route_page(context: &Context<'_>, route: &Route) -> String {
    let view = route_view(context, route, &mut Names::default());
    let drawing = city::draw(&way_of(&view), &[], 1);
    let heading = context.text("maps.route_heading", &[("route", &view.title)]);
    let view = RoutePage { search: search_form(context, ""), drawing, route: view };
    render::page(context, FRAME, &heading, "maps_route.html", &view)
}

fn directions(context: &Context<'_>, form: &Form) -> String {
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
        stops: form.all("stop").map(str::to_owned).collect(),
        modes: modes.into(),
        suggestions: saved.chain(the_city().spots.iter().map(|spot| spot.name.clone())).collect(),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("maps.directions", &[]);
    render::page(context, FRAME, &heading, "maps_directions.html", &view)
}
