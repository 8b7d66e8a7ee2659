//! Maps: places, recent searches, routes.

use serde::{Deserialize, Serialize};

use super::Detail;

/// Everything in the maps app.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Maps {
    /// Saved places, in order of saving. Only the user reads them.
    pub places: Vec<Place>,
    /// Recent searches, newest first.
    pub recent_searches: Vec<Search>,
    /// Routes; at most one is active, and it comes first.
    pub routes: Vec<Route>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// A saved place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// `place-1`, …
    pub id: String,
    /// Name.
    pub name: String,
    /// Address; may be empty.
    pub address: String,
    /// The user's own note; may be empty.
    pub note: String,
    /// Facts without a field.
    pub details: Vec<Detail>,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// A stop on a route.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stop {
    /// `stop-1`, …
    pub id: String,
    /// Name or address.
    pub name: String,
    /// A note; may be empty.
    pub note: String,
}
