//! Maps: places, searches, routes.

use super::super::json::{Json, JsonPath};
use super::super::model::{Detail, Maps, Place, PlaceList, Route, Search, Stop, TravelMode};
use super::context::Context;
use super::fields::{Field, Fields, Items, flatten};

pub(super) fn read(context: &mut Context, value: &Json, path: &JsonPath) -> Maps {
    let mut maps = Maps::default();
    let Some(mut fields) = Fields::open(context, value, path) else { return maps };
    if let Some(items) = fields.take_list(context, &["places", "saved_places"]) {
        for (value, path) in items.iter() {
            maps.places.extend(read_place(context, value, &path));
        }
    }
    if let Some(items) = fields.take_list_or_keep(&["lists", "saved_lists"]) {
        for (value, path) in items.iter() {
            read_place_list(context, value, &path, &mut maps);
        }
    }
    if let Some(items) = fields.take_list(context, &["recent_searches"]) {
        read_searches(context, &items, &mut maps.recent_searches);
    }
    let mut sidebar_details = Vec::new();
    if let Some(field) = fields.take(&["sidebar"]) {
        read_sidebar(context, &field, &mut maps, &mut sidebar_details);
    }
    if let Some(field) = fields.take(&["active_route"]) {
        let route = read_route(context, field.value, &field.path, true);
        maps.routes.extend(route);
    }
    if let Some(items) = fields.take_list(context, &["waypoints"]) {
        // Stops without a route around them are the route that is being driven, unless the file
        // names another one.
        let mut route = empty_route(context, maps.routes.is_empty());
        route.stops = read_stops(context, &items, &mut route.details);
        if !route.stops.is_empty() {
            maps.routes.push(route);
        }
    }
    if let Some(items) = fields.take_list(context, &["routes"]) {
        for (value, path) in items.iter() {
            let has_active = maps.routes.iter().any(|route| route.active);
            maps.routes.extend(read_route(context, value, &path, false).map(|mut route| {
                route.active = route.active && !has_active;
                route
            }));
        }
    }
    // At most one is active, and it comes first; otherwise file order.
    maps.routes.sort_by_key(|route| !route.active);
    maps.details = sidebar_details;
    maps.details.extend(fields.into_details(context));
    maps
}

fn read_sidebar(context: &mut Context, field: &Field<'_>, maps: &mut Maps, details: &mut Vec<Detail>) {
    if field.value.scalar_text().is_some() || matches!(field.value, Json::Array(_)) {
        flatten(field.key, field.value, details);
        return;
    }
    let Some(mut fields) = Fields::open(context, field.value, &field.path) else { return };
    if let Some(items) = fields.take_list(context, &["recent_searches"]) {
        read_searches(context, &items, &mut maps.recent_searches);
    }
    if let Some(items) = fields.take_list(context, &["places", "saved_places"]) {
        for (value, path) in items.iter() {
            maps.places.extend(read_place(context, value, &path));
        }
    }
    for detail in fields.into_details(context) {
        details.push(Detail { label: format!("{}.{}", field.key, detail.label), value: detail.value });
    }
}

fn read_searches(context: &mut Context, items: &Items<'_>, searches: &mut Vec<Search>) {
    for (value, path) in items.iter() {
        let query = if let Some(text) = value.scalar_text() {
            text
        } else {
            let Some(mut fields) = Fields::open(context, value, &path) else { continue };
            let Some(mut query) = fields.take_text(&["query", "text", "name"]) else {
                fields.missing(context, "query");
                continue;
            };
            // A search is one line; what else the file says about it goes on it.
            for detail in fields.into_details(context) {
                query = format!("{query}, {}: {}", detail.label, detail.value);
            }
            query
        };
        searches.push(Search { id: context.next_id("search"), query });
    }
}

fn read_place(context: &mut Context, value: &Json, path: &JsonPath) -> Option<Place> {
    let mut place = Place {
        id: context.next_id("place"),
        name: String::new(),
        address: String::new(),
        note: String::new(),
        details: Vec::new(),
        ..Place::default()
    };
    if let Some(name) = value.scalar_text() {
        place.name = name;
        return Some(place);
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(name) = fields.take_text(&["name", "title", "place"]) else {
        fields.missing(context, "name");
        return None;
    };
    place.name = name;
    place.address = fields.take_text(&["address"]).unwrap_or_default();
    place.note = fields.take_text(&["note", "notes", "description"]).unwrap_or_default();
    place.category = fields.take_text(&["category"]).unwrap_or_default();
    place.phone = fields.take_text(&["phone", "telephone"]).unwrap_or_default();
    place.hours = fields.take_text(&["hours", "opening_hours"]).unwrap_or_default();
    place.rating = fields.take_text(&["rating"]).unwrap_or_default();
    place.details = fields.into_details(context);
    Some(place)
}

/// A list of places: names of saved ones, or places that are saved with it.
fn read_place_list(context: &mut Context, value: &Json, path: &JsonPath, maps: &mut Maps) {
    let Some(mut fields) = Fields::open(context, value, path) else { return };
    let Some(name) = fields.take_text(&["name", "title"]) else {
        fields.missing(context, "name");
        return;
    };
    let mut list = PlaceList { id: context.next_id("places"), name, ..PlaceList::default() };
    if let Some(items) = fields.take_list(context, &["places", "items"]) {
        for (value, path) in items.iter() {
            let known = value.scalar_text().and_then(|name| {
                maps.places.iter().find(|place| place.name == name).map(|place| place.id.clone())
            });
            let id = known.or_else(|| {
                let place = read_place(context, value, &path)?;
                let id = place.id.clone();
                maps.places.push(place);
                Some(id)
            });
            list.places.extend(id.filter(|id| !list.places.contains(id)));
        }
    }
    list.details = fields.into_details(context);
    maps.lists.push(list);
}

fn empty_route(context: &mut Context, active: bool) -> Route {
    Route {
        id: context.next_id("route"),
        active,
        name: String::new(),
        start: None,
        destination: None,
        address: None,
        stops: Vec::new(),
        eta: None,
        distance: None,
        status: None,
        traffic: None,
        details: Vec::new(),
        ..Route::default()
    }
}

fn read_route(context: &mut Context, value: &Json, path: &JsonPath, active: bool) -> Option<Route> {
    let mut route = empty_route(context, active);
    if let Some(destination) = value.scalar_text() {
        route.destination = Some(destination);
        return Some(route);
    }
    let mut fields = Fields::open(context, value, path)?;
    route.active = fields.take_flag(&["active"]).unwrap_or(active);
    route.name = fields.take_text(&["name", "title"]).unwrap_or_default();
    route.start = fields.take_text(&["start", "origin", "from"]);
    route.destination = fields.take_text(&["destination", "to"]);
    route.address = fields.take_text(&["address"]);
    route.eta = fields.take_text(&["eta", "total_eta"]);
    route.distance = fields.take_text(&["distance", "total_distance"]);
    route.status = fields.take_text(&["status"]);
    route.traffic = fields.take_text(&["traffic"]);
    if let Some(field) = fields.take(&["mode"]) {
        route.mode = field.value.scalar_text().as_deref().and_then(TravelMode::named);
        if route.mode.is_none() {
            fields.keep_value(&field);
        }
    }
    let mut details = Vec::new();
    if let Some(items) = fields.take_list(context, &["stops", "waypoints"]) {
        route.stops = read_stops(context, &items, &mut details);
    }
    details.extend(fields.into_details(context));
    route.details = details;
    Some(route)
}

fn read_stops(context: &mut Context, items: &Items<'_>, details: &mut Vec<Detail>) -> Vec<Stop> {
    let mut stops = Vec::new();
    for (value, path) in items.iter() {
        let mut stop = Stop { id: context.next_id("stop"), ..Stop::default() };
        if let Some(name) = value.scalar_text() {
            stop.name = name;
        } else {
            let Some(mut fields) = Fields::open(context, value, &path) else { continue };
            let Some(name) = fields.take_text(&["name", "place", "address"]) else {
                fields.missing(context, "name");
                continue;
            };
            stop.name = name;
            stop.note = fields.take_text(&["note", "notes"]).unwrap_or_default();
            stop.dwell = fields.take_text(&["dwell"]).unwrap_or_default();
            for detail in fields.into_details(context) {
                details
                    .push(Detail { label: format!("{} {}", stop.name, detail.label), value: detail.value });
            }
        }
        stops.push(stop);
    }
    stops
}
