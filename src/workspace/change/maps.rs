//! Searches, places, lists of places and routes.

use jiff::ToSpan;

use super::super::atlas::{self, city};
use super::super::{App, CommandError, MapsCommand, NewStop, WorkspaceState};
use super::apply::Change;
use super::checks::{self, unknown};
use super::{searches, shares};
use crate::scenario::model::{Maps, Place, PlaceList, RemovedFromMaps, Route, Search, Stop, TravelMode};

/// Stops of a planned route.
const STOPS_LIMIT: usize = 20;
/// Minutes that one of them takes: a day.
const MINUTES_LIMIT: u32 = 24 * 60;

pub(super) fn change(state: &mut WorkspaceState, command: &MapsCommand) -> Result<Change, CommandError> {
    match command {
        MapsCommand::Search { query } => search(state, query),
        MapsCommand::ForgetSearch { search } => {
            let maps = &mut state.apps.maps;
            let forgotten = searches::forget(&mut maps.recent_searches, search);
            let forgotten = forgotten.ok_or_else(|| unknown("search", search))?;
            maps.removed = Some(RemovedFromMaps::Searches { searches: vec![forgotten] });
            Ok(done("search_removed", search))
        }
        MapsCommand::ForgetSearches => {
            let maps = &mut state.apps.maps;
            let searches = searches::forget_all(&mut maps.recent_searches);
            maps.removed = Some(RemovedFromMaps::Searches { searches });
            Ok(done("searches_cleared", "searches"))
        }
        MapsCommand::EditPlace { place, name, address, note, lists } => {
            edit_place(state, place, (name, address, note), lists)
        }
        MapsCommand::DeletePlace { place } => delete_place(&mut state.apps.maps, place),
        MapsCommand::AddList { name } => {
            let name = checks::filled_line("name", name)?;
            let id = state.next_id("places");
            state.apps.maps.lists.push(PlaceList { id: id.clone(), name, ..PlaceList::default() });
            Ok(done("place_list_added", &id))
        }
        MapsCommand::DeleteList { list } => {
            let maps = &mut state.apps.maps;
            let position = maps.lists.iter().position(|held| held.id == *list);
            let position = position.ok_or_else(|| unknown("list", list))?;
            let removed = maps.lists.remove(position);
            maps.removed = Some(RemovedFromMaps::List { position, list: removed });
            Ok(done("place_list_removed", list))
        }
        MapsCommand::PlanRoute { start, stops, destination, mode } => {
            plan(state, start, stops, destination, *mode)
        }
        MapsCommand::StartRoute { route } => {
            let position = route_position(&state.apps.maps, route)?;
            let routes = &mut state.apps.maps.routes;
            for held in routes.iter_mut() {
                held.active = held.id == *route;
            }
            // The active one comes first; the others keep their order.
            let active = routes.remove(position);
            routes.insert(0, active);
            Ok(done("route_started", route))
        }
        MapsCommand::EndRoute { route } => {
            let position = route_position(&state.apps.maps, route)?;
            state.apps.maps.routes[position].active = false;
            Ok(done("route_ended", route))
        }
        MapsCommand::DeleteRoute { route } => {
            let position = route_position(&state.apps.maps, route)?;
            let maps = &mut state.apps.maps;
            let removed = Box::new(maps.routes.remove(position));
            maps.removed = Some(RemovedFromMaps::Route { position, route: removed });
            Ok(done("route_removed", route))
        }
        MapsCommand::Share(new) => shares::add(state, App::Maps, new),
        MapsCommand::Unshare { share } => shares::take_back(state, App::Maps, share),
        MapsCommand::Undo => undo(&mut state.apps.maps),
    }
}

fn done(kind: &'static str, entity: &str) -> Change {
    Change::new(App::Maps, kind, entity, entity)
}

fn route_position(maps: &Maps, id: &str) -> Result<usize, CommandError> {
    maps.routes.iter().position(|route| route.id == id).ok_or_else(|| unknown("route", id))
}

fn search(state: &mut WorkspaceState, typed: &str) -> Result<Change, CommandError> {
    let query = checks::filled_line("search", typed)?;
    let id = state.next_id("search");
    searches::remember(&mut state.apps.maps.recent_searches, Search { id: id.clone(), query });
    Ok(done("place_searched", &id))
}

fn edit_place(
    state: &mut WorkspaceState,
    id: &str,
    (name, address, note): (&str, &str, &str),
    lists: &[String],
) -> Result<Change, CommandError> {
    let name = checks::filled_line("name", name)?;
    let address = checks::line("address", address)?;
    let note = checks::text("note", note)?;
    let maps = &mut state.apps.maps;
    if let Some(list) = lists.iter().find(|id| !maps.lists.iter().any(|list| list.id == **id)) {
        return Err(unknown("list", list));
    }
    let place = maps.places.iter_mut().find(|place| place.id == id).ok_or_else(|| unknown("place", id))?;
    *place = Place { name, address, note, ..std::mem::take(place) };
    for list in &mut maps.lists {
        let held = list.places.iter().position(|place| place == id);
        match (lists.contains(&list.id), held) {
            (true, None) => list.places.push(id.to_owned()),
            (false, Some(position)) => {
                list.places.remove(position);
            }
            _ => {}
        }
    }
    Ok(done("place_edited", id))
}

fn delete_place(maps: &mut Maps, id: &str) -> Result<Change, CommandError> {
    let position = maps.places.iter().position(|place| place.id == id).ok_or_else(|| unknown("place", id))?;
    let place = maps.places.remove(position);
    let (mut lists, mut list_positions) = (Vec::new(), Vec::new());
    for list in &mut maps.lists {
        if let Some(held) = list.places.iter().position(|place| place == id) {
            list.places.remove(held);
            lists.push(list.id.clone());
            list_positions.push(held);
        }
    }
    maps.removed = Some(RemovedFromMaps::Place { position, lists, list_positions, place });
    Ok(done("place_removed", id))
}

fn plan(
    state: &mut WorkspaceState,
    start: &str,
    stops: &[NewStop],
    destination: &str,
    mode: TravelMode,
) -> Result<Change, CommandError> {
    let start = checks::filled_line("start", start)?;
    let destination = checks::filled_line("destination", destination)?;
    let mut on_the_way = Vec::new();
    let mut rest: i32 = 0;
    for new in stops {
        let (name, note) = (checks::line("stop", &new.name)?, checks::text("note", &new.note)?);
        if name.is_empty() {
            continue;
        }
        if new.minutes > MINUTES_LIMIT {
            return Err(CommandError::LongStop { limit: MINUTES_LIMIT });
        }
        let minutes = i32::try_from(new.minutes).unwrap_or(0);
        rest += minutes;
        let dwell = if minutes > 0 { atlas::duration_text(minutes) } else { String::new() };
        on_the_way.push(Stop { id: String::new(), name, note: note.trim().to_owned(), dwell });
    }
    if on_the_way.len() >= STOPS_LIMIT {
        return Err(CommandError::TooMany { field: "list of stops", limit: STOPS_LIMIT });
    }
    let names = on_the_way.iter().map(|stop| stop.name.as_str());
    let all: Vec<&str> = std::iter::once(start.as_str()).chain(names).chain([destination.as_str()]).collect();
    let legs = city().legs(&all, mode);
    let minutes: i32 = rest + legs.iter().map(|leg| leg.minutes).sum::<i32>();
    let metres: i32 = legs.iter().map(|leg| leg.metres).sum();
    let id = state.next_id("route");
    // A duration and a time of day, which read alike in every language.
    let arrival = state.now.checked_add(i64::from(minutes).minutes()).unwrap_or(state.now);
    let eta = format!("{}, {:02}:{:02}", atlas::duration_text(minutes), arrival.hour(), arrival.minute());
    let mut stops = on_the_way;
    for stop in &mut stops {
        stop.id = state.next_id("stop");
    }
    let address = city().named(&destination).map(|spot| spot.address.clone());
    state.apps.maps.routes.push(Route {
        id: id.clone(),
        start: Some(start),
        destination: Some(destination),
        address,
        stops,
        eta: Some(eta),
        distance: Some(atlas::distance_text(metres)),
        mode: Some(mode),
        ..Route::default()
    });
    Ok(done("route_planned", &id))
}

fn undo(maps: &mut Maps) -> Result<Change, CommandError> {
    match maps.removed.take().ok_or(CommandError::NothingToUndo)? {
        RemovedFromMaps::Place { position, lists, list_positions, place } => {
            let id = place.id.clone();
            maps.places.insert(position.min(maps.places.len()), place);
            for (number, id_of_list) in lists.iter().enumerate() {
                // A list may have been deleted meanwhile, or have lost others of its places.
                if let Some(list) = maps.lists.iter_mut().find(|list| list.id == *id_of_list) {
                    let end = list.places.len();
                    let held = list_positions.get(number).copied().unwrap_or(end);
                    list.places.insert(held.min(end), id.clone());
                }
            }
            Ok(done("place_restored", &id))
        }
        RemovedFromMaps::List { position, list } => {
            let id = list.id.clone();
            maps.lists.insert(position.min(maps.lists.len()), list);
            Ok(done("place_list_restored", &id))
        }
        RemovedFromMaps::Route { position, route } => {
            let id = route.id.clone();
            maps.routes.insert(position.min(maps.routes.len()), *route);
            // Another one may have been started meanwhile.
            let mut seen = false;
            for route in &mut maps.routes {
                route.active = route.active && !seen;
                seen |= route.active;
            }
            maps.routes.sort_by_key(|route| !route.active);
            Ok(done("route_restored", &id))
        }
        RemovedFromMaps::Searches { searches } => {
            searches::restore(&mut maps.recent_searches, searches);
            Ok(done("searches_restored", "searches"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::change::change;
    use crate::workspace::{Command, samples};

    fn done_to(state: &mut WorkspaceState, command: MapsCommand) {
        change(state, &Command::Maps(command)).unwrap();
    }

    #[test]
    fn a_place_that_is_brought_back_stands_where_it_stood_on_each_of_its_lists() {
        let mut state = samples::state();
        let place = |number: u32| Place { id: format!("place-{number}"), ..Place::default() };
        let list = |number: u32, places: &[&str]| PlaceList {
            id: format!("places-{number}"),
            places: places.iter().map(|place| (*place).to_owned()).collect(),
            ..PlaceList::default()
        };
        let maps = &mut state.apps.maps;
        maps.places = (1..=3).map(place).collect();
        maps.lists = vec![
            list(1, &["place-1", "place-2", "place-3"]),
            list(2, &["place-3"]),
            list(3, &["place-2", "place-1"]),
        ];
        let before = state.apps.maps.clone();
        done_to(&mut state, MapsCommand::DeletePlace { place: "place-2".to_owned() });
        assert_eq!(state.apps.maps.lists[0].places, ["place-1", "place-3"]);
        done_to(&mut state, MapsCommand::Undo);
        assert_eq!(state.apps.maps, before);

        // A list that went meanwhile stays away, one that grew shorter takes it at its end.
        done_to(&mut state, MapsCommand::DeletePlace { place: "place-2".to_owned() });
        let removed = state.apps.maps.removed.take();
        state.apps.maps.lists.remove(2);
        state.apps.maps.lists[0].places.clear();
        state.apps.maps.removed = removed;
        done_to(&mut state, MapsCommand::Undo);
        assert_eq!(state.apps.maps.lists, [list(1, &["place-2"]), list(2, &["place-3"])]);
    }

    #[test]
    fn a_place_of_the_city_is_saved_with_what_is_known_of_it_and_shown_with_it() {
        let mut state = samples::state();
        let spot = &city().spots[100];
        let save = |address: &str| Command::SavePlace {
            name: spot.name.clone(),
            address: address.to_owned(),
            note: "mine".to_owned(),
        };
        change(&mut state, &save(&spot.address)).unwrap();
        let kept = state.apps.maps.places[0].clone();
        assert_eq!((&kept.phone, &kept.hours, &kept.rating), (&spot.phone, &spot.hours, &spot.rating));
        change(&mut state, &save("elsewhere")).unwrap();
        assert_eq!(state.apps.maps.places[1].facts().count(), 0, "another place of the same name");
        let facts = spot.facts("en").join("\n");
        let known = format!("{}\n{}\n{facts}", spot.name, spot.address);
        for subject in [spot.id.as_str(), "place-1"] {
            let share = MapsCommand::Share(crate::workspace::NewShare {
                kind: crate::scenario::model::ShareKind::Place,
                subject: subject.to_owned(),
                people: vec!["Sam".to_owned()],
                parts: Vec::new(),
                with_eta: false,
                with_notes: false,
                message: String::new(),
            });
            done_to(&mut state, share);
        }
        let shown: Vec<String> = state.apps.maps.shares.iter().map(|share| share.lines.join("\n")).collect();
        assert_eq!(shown, [known.clone(), known]);
    }
}
