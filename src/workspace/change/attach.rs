//! What is attached to a message: a copy of what its readers are shown.

use super::super::catalogue::offered;
use super::super::showing::{event_facts, route_stops, route_title};
use super::super::{Attach, CommandError, WorkspaceState};
use super::checks::unknown;
use crate::scenario::model::{Attachment, AttachmentKind, CalendarEvent};

/// Most attachments of one message or event.
pub(super) const LIMIT: usize = 50;

/// The copies, each thing once.
pub(super) fn attachments(
    state: &WorkspaceState,
    attach: &[Attach],
) -> Result<Vec<Attachment>, CommandError> {
    if attach.len() > LIMIT {
        return Err(CommandError::TooMany { field: "list of attachments", limit: LIMIT });
    }
    let mut copies: Vec<Attachment> = Vec::new();
    for wanted in attach {
        let copy = copy(state, wanted)?;
        if !copies.contains(&copy) {
            copies.push(copy);
        }
    }
    Ok(copies)
}

fn copy(state: &WorkspaceState, wanted: &Attach) -> Result<Attachment, CommandError> {
    let apps = &state.apps;
    let id = wanted.id.as_str();
    let found = match wanted.kind {
        AttachmentKind::File => {
            let file = apps.code_editor.files.iter().find(|file| file.id == id);
            file.map(|file| (file.path.clone(), file.content.clone()))
        }
        AttachmentKind::Event => {
            let event = apps.calendar.events.iter().find(|event| event.id == id);
            event.map(|event| (event.title.clone(), event_text(event)))
        }
        AttachmentKind::Place => {
            // The note is the user's own.
            let place = apps.maps.places.iter().find(|place| place.id == id);
            place.map(|place| {
                let facts = std::iter::once(place.address.as_str()).chain(place.facts());
                (place.name.clone(), lines(facts))
            })
        }
        AttachmentKind::Route => {
            let route = apps.maps.routes.iter().find(|route| route.id == id);
            route.map(|route| {
                // A stop's note is the user's own.
                let stops = route_stops(route).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
                let facts = [&route.address, &route.eta, &route.distance, &route.traffic];
                let facts = facts.into_iter().filter_map(|fact| fact.as_deref());
                (route_title(route), lines(stops.iter().map(String::as_str).chain(facts)))
            })
        }
        AttachmentKind::List => {
            let list = apps.todo.lists.iter().find(|list| list.id == id);
            list.map(|list| {
                let tasks = list.items.iter().flat_map(|task| [task.title.as_str(), &task.notes]);
                (list.name.clone(), lines(tasks))
            })
        }
        AttachmentKind::Product => {
            offered(&apps.shop, &state.language).into_iter().find(|product| product.id == id).map(|product| {
                let price = product.price.as_ref().map_or("", |price| price.text.as_str());
                (product.title.clone(), lines([price, product.description.as_str()]))
            })
        }
    };
    let (title, text) = found.ok_or_else(|| unknown(wanted.kind.name(), id))?;
    Ok(Attachment { kind: wanted.kind, source: id.to_owned(), title, text })
}

/// All that a reader of an event sees: when, where, what, and who else comes.
fn event_text(event: &CalendarEvent) -> String {
    let facts = event_facts(event);
    let details = event.details.iter().map(|detail| detail.value.as_str());
    let attached = event.attachments.iter().flat_map(|one| [one.title.as_str(), &one.text]);
    lines(facts.iter().map(String::as_str).chain(details).chain(attached))
}

fn lines<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
    parts.join("\n")
}
