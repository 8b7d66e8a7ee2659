//! Words in their order, and characters with other gaps.

use super::super::item::Wording;
use super::super::text::View;
use super::super::vocabulary::{Id, NONE};
use super::{Stretch, Trust};

/// Every place where the wording's tokens stand in their order, function words aside.
pub(super) fn phrases(wording: &Wording, view: &View, trust: Trust) -> Vec<Stretch> {
    let pattern = wording.pattern.as_slice();
    let mut found = Vec::new();
    if pattern.is_empty() || !pattern.iter().all(|id| view.holds(*id)) {
        return found;
    }
    // Knuth, Morris and Pratt: linear, whatever the text and the item repeat.
    let failures = failures(pattern);
    let length = if wording.skips_function_words { view.content.len() } else { view.readings.len() };
    let token_index = |position: usize| {
        if wording.skips_function_words { view.content[position] as usize } else { position }
    };
    let mut matched = 0;
    for position in 0..length {
        let id = trust.id(view.readings[token_index(position)]);
        if id == NONE {
            matched = 0;
            continue;
        }
        while matched > 0 && (matched == pattern.len() || pattern[matched] != id) {
            matched = failures[matched - 1];
        }
        if pattern[matched] == id {
            matched += 1;
        }
        if matched == pattern.len() {
            found.push(Stretch {
                first: token_index(position + 1 - pattern.len()),
                last: token_index(position),
            });
        }
    }
    found
}

fn failures(pattern: &[Id]) -> Vec<usize> {
    let mut failures = vec![0; pattern.len()];
    let mut matched = 0;
    for index in 1..pattern.len() {
        while matched > 0 && pattern[matched] != pattern[index] {
            matched = failures[matched - 1];
        }
        if pattern[matched] == pattern[index] {
            matched += 1;
        }
        failures[index] = matched;
    }
    failures
}

/// Where the item's characters stand with other gaps ("check-up" and "checkup"). The place starts
/// and ends where tokens do, unless the view is one of spaced letters that lost its word gaps.
pub(super) fn joined(wording: &Wording, view: &View, aligned: bool) -> Option<Stretch> {
    let needle = wording.joined.as_deref().filter(|needle| needle.len() <= view.joined.len())?;
    let finder = wording.joined_finder.as_ref()?;
    let mut from = 0;
    while let Some(offset) = finder.find(view.joined.as_bytes().get(from..)?) {
        let start = from + offset;
        let end = start + needle.len();
        let first = view.joined_starts.partition_point(|known| *known as usize <= start) - 1;
        let after = view.joined_starts.partition_point(|known| (*known as usize) < end);
        let fits = view.joined_starts[first] as usize == start
            && view.joined_starts.get(after).map_or(view.joined.len(), |next| *next as usize) == end;
        if fits || !aligned {
            return Some(Stretch { first, last: after - 1 });
        }
        from = start + needle.chars().next().map_or(1, char::len_utf8);
    }
    None
}
