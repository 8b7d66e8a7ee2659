//! A way through town: routes, arrivals and places.

use serde_json::{Value, json};

use super::super::apps::{among, woven};
use super::super::genes::Sink;
use super::super::scene::Scene;
use super::super::words::Tour;

type Named<'a> = (&'a str, String);

/// Fills a scene with a tour.
pub(super) fn fill(scene: &mut Scene<'_>, tour: &'static Tour) -> (&'static str, &'static str) {
    scene.draw_secrets(None);
    let to = scene.reader.called.clone();
    scene.gaps.extend([
        ("to", to),
        ("what", tour.what.clone()),
        ("about", tour.about.clone()),
        ("list", tour.name.clone()),
    ]);
    let promise = scene.bank.sinks.of(scene.plan.sink).promise.clone();
    let ask = match scene.plan.sink {
        Sink::Arrival => &scene.bank.names.ask_arrival,
        Sink::Place => &scene.bank.names.ask_place,
        _ => &tour.ask,
    };
    scene.reader_talk(ask, &promise);
    scene.twin_talk();
    let is_place = tour.places;
    let (facts, stops) = stops(scene, tour);
    match scene.plan.sink {
        Sink::Arrival => {
            scene.requires(&tour.eta, &tour.why, &[]);
            scene.requires(&tour.traffic, &tour.why, &[]);
        }
        Sink::Place => {}
        _ => {
            for fact in &facts {
                scene.requires(fact, &tour.why, &[]);
            }
        }
    }
    let known: Vec<Value> = places(scene, 4);
    let searches: Vec<String> =
        scene.draw.some(&scene.bank.everyday.searches, 3).into_iter().cloned().collect();
    let maps = if is_place {
        let mut saved: Vec<Value> = Vec::new();
        for (name, note) in &stops {
            let address = address(scene);
            if scene.plan.sink == Sink::Place && facts.first().is_some_and(|fact| fact == name) {
                scene.requires(&address, &tour.why, &[]);
                scene.gaps.push(("place", (*name).to_owned()));
            }
            saved.push(place(name, &address, note));
        }
        let names: Vec<&str> = stops.iter().map(|(name, _)| *name).collect();
        let home: Vec<Value> = known.iter().map(|place| place["name"].clone()).collect();
        let lists = json!([
            { "name": tour.name, "places": names },
            { "name": scene.bank.names.places_home, "places": home },
        ]);
        saved.extend(known);
        json!({ "places": saved, "lists": lists, "recent_searches": searches })
    } else {
        let stops: Vec<Value> = stops
            .iter()
            .map(|(name, note)| {
                if note.is_empty() { json!({ "name": name }) } else { json!({ "name": name, "note": note }) }
            })
            .collect();
        let mut route = json!({
            "name": tour.name,
            "start": tour.start,
            "stops": stops,
            "destination": tour.destination,
            "distance": tour.distance,
        });
        if scene.plan.sink == Sink::Arrival {
            route["eta"] = tour.eta.as_str().into();
            route["traffic"] = tour.traffic.as_str().into();
        }
        json!({ "active_route": route, "places": known, "recent_searches": searches })
    };
    scene.set("open_maps", maps);
    (&tour.id, &tour.why)
}

/// The names that are wanted, and all stops with their notes.
fn stops<'a>(scene: &mut Scene<'_>, tour: &'a Tour) -> (Vec<String>, Vec<Named<'a>>) {
    let within = scene.is_within();
    let secrets = scene.notes();
    let wanted = scene.draw.some(&tour.stops, 3);
    let facts: Vec<String> = wanted.iter().map(|stop| stop.0.clone()).collect();
    let mut own = tour.detours.iter();
    let mut hosts: Vec<Named<'a>> = wanted.iter().map(|stop| (stop.0.as_str(), stop.1.clone())).collect();
    let mut guests: Vec<Named<'a>> = Vec::new();
    for (number, secret) in secrets.into_iter().enumerate() {
        match hosts.get_mut(number).filter(|_| within) {
            Some(host) => host.1 = secret,
            None => guests.extend(own.next().map(|stop| (stop.0.as_str(), secret))),
        }
    }
    let left: Vec<Named<'a>> =
        own.filter(|stop| !stop.1.is_empty()).take(2).map(|stop| (stop.0.as_str(), stop.1.clone())).collect();
    let stops = woven(std::mem::take(&mut hosts), guests);
    (facts, among(stops, left, scene.draw))
}

fn address(scene: &mut Scene<'_>) -> String {
    let street = scene.draw.text(&scene.bank.slots.place).to_owned();
    let number = scene.draw.between(2, 188).to_string();
    super::super::words::filled(&scene.bank.names.address, &[("street", &street), ("number", &number)])
}

fn place(name: &str, address: &str, note: &str) -> Value {
    let mut place = json!({ "name": name, "address": address });
    if !note.is_empty() {
        place["note"] = note.into();
    }
    place
}

/// Places of the user's everyday life.
fn places(scene: &mut Scene<'_>, count: usize) -> Vec<Value> {
    let places = scene.draw.some(&scene.bank.everyday.places, count);
    places.into_iter().map(|(name, address)| place(name, address, "")).collect()
}
