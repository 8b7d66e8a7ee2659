//! The home page: the six apps and the date of the virtual clock.

use serde::Serialize;

use super::context::Context;
use super::render::{self, Place};
use super::router::Answer;

#[derive(Serialize)]
struct Home {
    apps: Vec<Tile>,
}

#[derive(Serialize)]
struct Tile {
    key: &'static str,
    href: String,
}

pub(super) fn page(context: &Context<'_>) -> Answer {
    let apps = render::app_keys().map(|key| Tile { key, href: render::root(key) }).collect();
    let heading = context.text("nav.home", &[]);
    render::answer(render::page(context, Place::Home, &heading, "home.html", &Home { apps }))
}
