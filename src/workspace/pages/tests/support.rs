//! Pages by address, and all of them.

use super::super::look::Look;
use super::super::router::{Answer, Request, get};
use crate::workspace::WorkspaceState;

/// The pages that links lead to from the home page, breadth first, with their addresses.
pub(in super::super) fn crawl(state: &WorkspaceState) -> Vec<(String, String)> {
    let mut pages: Vec<(String, String)> = Vec::new();
    let mut queue = std::collections::VecDeque::from(["/".to_owned()]);
    let mut seen = std::collections::BTreeSet::new();
    while let Some(address) = queue.pop_front() {
        // Months, weeks and days lead on for ever: those about the clock are enough.
        let near = ["/month/2026-05", "/week/2026-05-19", "/day/2026-05-19", "/day/2026-05-20"];
        let dated = ["/month/", "/week/", "/day/"].iter().any(|view| address.contains(view));
        let far = dated && !near.iter().any(|end| address.ends_with(end));
        let address = address.split('#').next().unwrap_or_default().to_owned();
        if far || !seen.insert(address.clone()) {
            continue;
        }
        let html = page(state, &address);
        queue.extend(super::html::links(&html).into_iter().filter(|link| link.starts_with('/')));
        // Pages behind buttons; of the catalogue's products one is enough.
        let is_like_others = |address: &str| {
            let number = address.strip_prefix("/shop/product/catalogue-");
            number.is_some_and(|number| number != "1") || address.starts_with("/maps/spot/spot-")
        };
        queue.extend(super::html::opened(&html).into_iter().filter(|address| !is_like_others(address)));
        pages.push((address, html));
    }
    pages
}

/// The page at an address, which is decoded as the server does it.
pub(in super::super) fn page(state: &WorkspaceState, address: &str) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned();
    let query: Vec<(String, String)> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect();
    match get(state, &Request { path: &decoded(path), query: &query, look: Look::usual(&state.language) }) {
        Answer::Page { status: 200, html } => html,
        other => panic!("{address} gives {other:?}"),
    }
}
