//! Searches that were made in an app.

use serde::Serialize;

use super::context::{Context, address, query_value};
use super::names::Names;
use crate::scenario::model::Search;

/// A recent search, with what can be done with it.
#[derive(Serialize)]
pub(super) struct RecentSearch {
    query: String,
    /// The search again, as its address.
    href: String,
    again: String,
    forget: String,
    forget_name: String,
}

/// Recent searches of an app (`maps`, `shop`), which are made on `page`.
pub(super) fn recent_searches(
    context: &Context<'_>,
    names: &mut Names,
    app: &str,
    page: &str,
    searches: &[Search],
) -> Vec<RecentSearch> {
    let view = |search: &Search| {
        let mut name = |key| {
            let text = context.text(&format!("{app}.{key}"), &[("query", search.query.as_str())]);
            names.unique(context, &text)
        };
        RecentSearch {
            query: search.query.clone(),
            href: search_address(page, &search.query),
            again: name("search_again"),
            forget: address(&[app, "search", &search.id, "forget"]),
            forget_name: name("forget_search"),
        }
    };
    searches.iter().map(view).collect()
}

/// Where what has some words is found.
pub(super) fn search_address(page: &str, query: &str) -> String {
    format!("{page}?q={}", query_value(query))
}
