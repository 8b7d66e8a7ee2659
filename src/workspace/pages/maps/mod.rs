//! Maps: search, places, lists of places, routes, and the drawing of the city.

mod overview;
mod parts;
mod places;
mod route;
mod routes;

pub(super) use route::{again, get, post};
