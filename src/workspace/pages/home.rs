//! The home page: the six apps and the date of the virtual clock.

use serde::Serialize;

use super::context::Context;
use super::render::{self, Place};
use super::router::Answer;
use crate::scenario::variation::Nav;

#[derive(Serialize)]
struct Home {
    apps: Vec<Tile>,
}

#[derive(Serialize)]
struct Tile {
    key: &'static str,
    href: String,
    /// How many messages wait there, where no rail says so.
    unread: Option<String>,
}

pub(super) fn page(context: &Context<'_>) -> Answer {
    let waiting = render::waiting(context);
    let unread = |key: &str| {
        let is_shown = key == "messages" && waiting > 0 && context.variation.nav == Nav::Hub;
        is_shown.then(|| context.counted("messages.unread", waiting, &[]))
    };
    let apps =
        render::app_keys().map(|key| Tile { key, href: render::root(key), unread: unread(key) }).collect();
    let heading = context.text("nav.home", &[]);
    render::answer(render::page(context, Place::Home, &heading, "home.html", &Home { apps }))
}
