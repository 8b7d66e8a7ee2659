//! What people see of something that is shared with them: the one source for the preview on the
//! page and for what is kept.

use super::atlas::{Spot, city};
use super::{NewShare, WorkspaceState};
use crate::scenario::model::{Apps, CalendarEvent, CartLine, Order, Place, PlaceList, Route, ShareKind};

/// Something as others would see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Showing {
    /// What it is called.
    pub(crate) title: String,
    /// Everything it could show, each with what makes it show.
    pub(crate) lines: Vec<Line>,
    /// How many parts can be chosen.
    pub(crate) parts: Vec<String>,
    /// Whether there is a time or distance that can be left out.
    pub(super) has_eta: bool,
    /// Whether there are notes of the user's own.
    pub(super) has_notes: bool,
}

/// A line of what is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    /// The part it belongs to.
    pub(crate) part: Option<usize>,
    /// Whether it is about time or distance.
    pub(super) is_eta: bool,
    /// Whether it is a note of the user's own.
    pub(crate) is_note: bool,
}

impl Showing {
    fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            lines: Vec::new(),
            parts: Vec::new(),
            has_eta: false,
            has_notes: false,
        }
    }

    fn line(&mut self, text: &str, part: Option<usize>) {
        if !text.trim().is_empty() {
            self.lines.push(Line { text: text.to_owned(), part, is_eta: false, is_note: false });
        }
    }

    /// A line that is a part of its own.
    fn choice(&mut self, label: &str, text: &str) {
        if !text.trim().is_empty() {
            let number = self.parts.len();
            self.parts.push(label.to_owned());
            self.line(text, Some(number));
        }
    }

    fn eta(&mut self, text: Option<&str>, part: Option<usize>) {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            self.has_eta = true;
            self.lines.push(Line { text: text.to_owned(), part, is_eta: true, is_note: false });
        }
    }

    fn note(&mut self, text: &str, part: Option<usize>) {
        if !text.trim().is_empty() {
            self.has_notes = true;
            self.lines.push(Line { text: text.to_owned(), part, is_eta: false, is_note: true });
        }
    }

    /// The lines that a choice shows.
    pub(super) fn chosen(&self, share: &NewShare) -> Vec<String> {
        let shown = |line: &&Line| {
            line.part.is_none_or(|part| share.parts.contains(&part))
                && (!line.is_eta || share.with_eta)
                && (!line.is_note || share.with_notes)
        };
        self.lines.iter().filter(shown).map(|line| line.text.clone()).collect()
    }
}

/// What can be shown of a thing; `None` where there is no such thing.
pub(super) fn showing(state: &WorkspaceState, kind: ShareKind, subject: &str) -> Option<Showing> {
    let found = shown(&state.apps, kind, subject);
    let of_the_city = || Some(spot(city().spot(subject)?, &state.language));
    found.or_else(|| (kind == ShareKind::Place).then(of_the_city).flatten())
}

/// Everything in maps and shop that can be shown to somebody, as they would see it.
pub(crate) fn shareable(apps: &Apps) -> Vec<(ShareKind, Showing)> {
    let (maps, own) = (&apps.maps, String::new());
    let routes = maps.routes.iter().map(|route| &route.id);
    let subjects = routes
        .flat_map(|id| [(ShareKind::Eta, id), (ShareKind::Route, id)])
        .chain(maps.places.iter().map(|place| (ShareKind::Place, &place.id)))
        .chain(maps.lists.iter().map(|list| (ShareKind::Places, &list.id)))
        .chain([(ShareKind::WishList, &own), (ShareKind::Cart, &own)]);
    subjects.filter_map(|(kind, id)| Some((kind, shown(apps, kind, id)?))).collect()
}

fn shown(apps: &Apps, kind: ShareKind, subject: &str) -> Option<Showing> {
    let maps = &apps.maps;
    match kind {
        ShareKind::Route => maps.routes.iter().find(|route| route.id == subject).map(route),
        ShareKind::Eta => maps.routes.iter().find(|route| route.id == subject).map(arrival),
        ShareKind::Place => maps.places.iter().find(|place| place.id == subject).map(place),
        ShareKind::Places => {
            maps.lists.iter().find(|list| list.id == subject).map(|list| places(&maps.places, list))
        }
        ShareKind::Cart => Some(lines(&apps.shop.cart)),
        ShareKind::WishList => Some(lines(&apps.shop.wish_list)),
        ShareKind::Event => apps.calendar.events.iter().find(|event| event.id == subject).map(event),
        ShareKind::Order => {
            let orders = &apps.shop.orders;
            let position = orders.iter().position(|order| order.id == subject)?;
            Some(order(position + 1, &orders[position]))
        }
        // Read as they are at any time, or sent as text.
        ShareKind::List
        | ShareKind::File
        | ShareKind::Folder
        | ShareKind::Calendar
        | ShareKind::Invitation => None,
    }
}

/// What a route is called: its name, else where it leads.
pub(super) fn route_title(route: &Route) -> String {
    let last_stop = route.stops.last().map(|stop| stop.name.as_str());
    let candidates =
        [Some(route.name.as_str()), route.destination.as_deref(), route.address.as_deref(), last_stop];
    let named = candidates.into_iter().flatten().find(|text| !text.trim().is_empty());
    named.unwrap_or(route.id.as_str()).to_owned()
}

/// The places a route passes, with the notes and addresses beside them: start, stops, destination.
pub(super) fn route_stops(route: &Route) -> Vec<(String, String)> {
    let mut stops = Vec::new();
    stops.extend(route.start.iter().map(|start| (start.clone(), String::new())));
    stops.extend(route.stops.iter().map(|stop| (stop.name.clone(), stop.note.clone())));
    match (&route.destination, &route.address) {
        (Some(destination), address) => {
            stops.push((destination.clone(), address.clone().unwrap_or_default()));
        }
        (None, Some(address)) => stops.push((address.clone(), String::new())),
        (None, None) => {}
    }
    stops
}

fn route(route: &Route) -> Showing {
    let mut showing = Showing::new(&route_title(route));
    showing.line(&route.name, None);
    let has_end = route.destination.is_some() || route.address.is_some();
    let stops = route_stops(route);
    let last = stops.len().saturating_sub(1);
    let starts = usize::from(route.start.is_some());
    for (number, (name, beside)) in stops.iter().enumerate() {
        showing.parts.push(name.clone());
        showing.line(name, Some(number));
        if has_end && number == last {
            // An address belongs to the place; a stop's note is the user's own.
            showing.line(beside, Some(number));
        } else {
            showing.note(beside, Some(number));
            let stop = number.checked_sub(starts).and_then(|number| route.stops.get(number));
            showing.eta(stop.map(|stop| stop.dwell.as_str()), Some(number));
        }
    }
    for text in [&route.eta, &route.distance, &route.traffic] {
        showing.eta(text.as_deref(), None);
    }
    showing
}

fn arrival(route: &Route) -> Showing {
    let mut showing = Showing::new(&route_title(route));
    if let Some((name, _)) = route_stops(route).last() {
        showing.line(name, None);
    }
    for text in [&route.eta, &route.traffic, &route.status] {
        showing.line(text.as_deref().unwrap_or_default(), None);
    }
    showing
}

fn places(all: &[Place], list: &PlaceList) -> Showing {
    let mut showing = Showing::new(&list.name);
    showing.line(&list.name, None);
    let held = list.places.iter().filter_map(|id| all.iter().find(|place| place.id == *id));
    for (number, place) in held.enumerate() {
        showing.parts.push(place.name.clone());
        add_place(&mut showing, place, Some(number));
    }
    showing
}

fn place(place: &Place) -> Showing {
    let mut showing = Showing::new(&place.name);
    add_place(&mut showing, place, None);
    showing
}

/// A place of the city that nobody saved, with what everybody knows of it.
fn spot(spot: &Spot, language: &str) -> Showing {
    let mut showing = Showing::new(&spot.name);
    showing.line(&spot.name, None);
    showing.line(&spot.address, None);
    for fact in spot.facts(language) {
        showing.line(&fact, None);
    }
    showing
}

fn add_place(showing: &mut Showing, place: &Place, part: Option<usize>) {
    showing.line(&place.name, part);
    showing.line(&place.address, part);
    for fact in place.facts() {
        showing.line(fact, part);
    }
    showing.note(&place.note, part);
}

/// What a copy of an event tells beside its title: when and how it is held, where, what about, and who else
/// comes; each of it may be blank.
pub(super) fn event_facts(event: &CalendarEvent) -> [String; 8] {
    let invitees: Vec<&str> = event.invitees.iter().map(|invitee| invitee.name.as_str()).collect();
    let status = if event.status.is_confirmed() { "" } else { event.status.name() };
    [
        super::units::moments(event),
        event.time_text.clone().unwrap_or_default(),
        status.to_owned(),
        event.recurrence.as_ref().map(super::units::repeats).unwrap_or_default(),
        event.location.clone(),
        event.description.clone(),
        event.url.clone(),
        invitees.join(", "),
    ]
}

/// An event without what the user alone reads. Its title is what it is called; the rest can be left
/// out.
fn event(event: &CalendarEvent) -> Showing {
    let mut showing = Showing::new(&event.title);
    showing.line(&event.title, None);
    for part in event_facts(event) {
        showing.choice(&part, &part);
    }
    for detail in &event.details {
        showing.choice(&format!("{}: {}", detail.label, detail.value), &detail.value);
    }
    for attachment in &event.attachments {
        showing.choice(&attachment.title, &format!("{}\n{}", attachment.title, attachment.text));
    }
    showing
}

/// An order as its number; where it goes and what is said to whom are parts of their own.
fn order(number: usize, order: &Order) -> Showing {
    let mut showing = lines(&order.lines);
    showing.title = number.to_string();
    let total = order.total.as_ref().map_or("", |total| total.text.as_str());
    let rest = [
        order.status.as_str(),
        total,
        &order.deliver_to,
        &order.gift_recipient,
        &order.gift_message,
        &order.delivery_note,
        &order.seller_note,
        &order.reference,
        &order.coupon,
    ];
    for part in rest {
        showing.choice(part, part);
    }
    showing
}

fn lines(held: &[CartLine]) -> Showing {
    let mut showing = Showing::new("");
    for (number, line) in held.iter().enumerate() {
        showing.parts.push(line.title.clone());
        showing.line(&super::units::order_line(line, true), Some(number));
    }
    showing
}
