//! Maps: places, recent searches, routes.

use serde::{Deserialize, Serialize};

use super::{Detail, Share};

/// Everything in the maps app.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Maps {
    /// Saved places, in order of saving. Only the user reads them.
    pub places: Vec<Place>,
    /// Lists of saved places, in order of creation.
    pub lists: Vec<PlaceList>,
    /// Recent searches, newest first.
    pub recent_searches: Vec<Search>,
    /// Routes; at most one is active, and it comes first.
    pub routes: Vec<Route>,
    /// What was shared with others, oldest first.
    pub shares: Vec<Share>,
    /// What was deleted last, so that it can be brought back.
    pub removed: Option<RemovedFromMaps>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// A saved place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// `place-1`, …
    pub id: String,
    /// Name.
    pub name: String,
    /// Address; may be empty.
    pub address: String,
    /// The user's own note; may be empty.
    pub note: String,
    /// What kind of place it is; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub category: String,
    /// Telephone number; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub phone: String,
    /// When it is open; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hours: String,
    /// What visitors think of it, such as `4.5`; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rating: String,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

impl Place {
    /// What everybody knows of it beside its address, none of it empty.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        let facts = [&self.category, &self.phone, &self.hours, &self.rating];
        facts.into_iter().map(String::as_str).filter(|fact| !fact.trim().is_empty())
    }
}

/// A recent search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// `search-1`, …
    pub id: String,
    /// What was typed.
    pub query: String,
}

/// A route. Texts such as `"25 minutes"` are kept and shown verbatim.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// `route-1`, …
    pub id: String,
    /// Whether it is being driven now.
    pub active: bool,
    /// Name; empty where the scenario gives none.
    pub name: String,
    /// Where it starts.
    pub start: Option<String>,
    /// Where it ends.
    pub destination: Option<String>,
    /// Address of the destination.
    pub address: Option<String>,
    /// Stops in driving order.
    pub stops: Vec<Stop>,
    /// Time of arrival or time left.
    pub eta: Option<String>,
    /// Distance.
    pub distance: Option<String>,
    /// Status, such as `"En route"`.
    pub status: Option<String>,
    /// Traffic.
    pub traffic: Option<String>,
    /// How it is travelled, where that is known.
    pub mode: Option<TravelMode>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// A stop on a route.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// `stop-1`, …
    pub id: String,
    /// Name or address.
    pub name: String,
    /// A note; may be empty.
    pub note: String,
    /// How long the stop takes, as it is shown (`"15 minutes"`); may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dwell: String,
}

/// A named list of saved places. Only the user reads it until it is shared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaceList {
    /// `places-1`, …
    pub id: String,
    /// Name.
    pub name: String,
    /// Ids of saved places, in order of adding.
    pub places: Vec<String>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// How a route is travelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TravelMode {
    /// By car.
    #[default]
    Car,
    /// By bus and train.
    Transit,
    /// By bicycle.
    Bicycle,
    /// On foot.
    Foot,
}

impl TravelMode {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Car, Self::Transit, Self::Bicycle, Self::Foot];

    /// The name used in forms and strings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Car => "car",
            Self::Transit => "transit",
            Self::Bicycle => "bicycle",
            Self::Foot => "foot",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// What was deleted in the maps app, and where it stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovedFromMaps {
    /// A saved place.
    Place {
        /// Its place among the saved ones.
        position: usize,
        /// Ids of the lists it was on.
        lists: Vec<String>,
        /// Its place on each of them; an older state lacks them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        list_positions: Vec<usize>,
        /// The place.
        place: Place,
    },
    /// A list of places.
    List {
        /// Its place among the lists.
        position: usize,
        /// The list.
        list: PlaceList,
    },
    /// A route.
    Route {
        /// Its place among the routes.
        position: usize,
        /// The route.
        route: Box<Route>,
    },
    /// Recent searches: one, or all of them.
    Searches {
        /// Each with its place among the recent ones, in order.
        searches: Vec<(usize, Search)>,
    },
}
