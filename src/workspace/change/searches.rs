//! Recent searches, which maps and shop keep alike: the newest first, the same text not twice.

use crate::scenario::model::Search;

/// Recent searches that are kept.
const LIMIT: usize = 50;

/// Puts a search before the others.
pub(super) fn remember(searches: &mut Vec<Search>, search: Search) {
    searches.retain(|held| held.query != search.query);
    searches.insert(0, search);
    searches.truncate(LIMIT);
}

/// Takes one of them away; tells it with its place, so that it can be brought back.
pub(super) fn forget(searches: &mut Vec<Search>, id: &str) -> Option<(usize, Search)> {
    let position = searches.iter().position(|held| held.id == id)?;
    Some((position, searches.remove(position)))
}

/// Takes all of them away, likewise.
pub(super) fn forget_all(searches: &mut Vec<Search>) -> Vec<(usize, Search)> {
    std::mem::take(searches).into_iter().enumerate().collect()
}

/// Puts back what was taken away, each at its place as far as there is one.
pub(super) fn restore(searches: &mut Vec<Search>, forgotten: Vec<(usize, Search)>) {
    for (position, search) in forgotten {
        searches.insert(position.min(searches.len()), search);
    }
}
