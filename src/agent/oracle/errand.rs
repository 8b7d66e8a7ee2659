//! What every way of doing the errand has in common.

use super::super::page::{Kind, Page, fold};
use super::super::write::{click, fill};

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Move {
    /// This action.
    Act(String),
    /// Look again: something is not on the page, named for a person.
    Missing(String),
    /// The errand is done; the text is the answer to the user.
    Done(String),
    /// The pages offer no way, for this reason.
    Impossible(String),
}

/// One way of doing the errand. It is asked once per observation and decides from what the page
/// shows, not from what it believes to have done.
pub(super) trait Errand: Send + std::fmt::Debug {
    /// Decides.
    fn next(&mut self, page: &Page<'_>) -> Move;
}

/// How often something that did not show up is done once more.
pub(super) const ATTEMPTS: u32 = 2;

/// Opens an app through the rail, or goes back to the list of apps first.
pub(super) fn open_app(page: &Page<'_>, key: &str) -> Move {
    match page.way_to_app(key) {
        Some(link) => Move::Act(click(link.bid)),
        None => missing(page, key),
    }
}

/// Clicks the control with the name of a key.
pub(super) fn press(page: &Page<'_>, kind: Kind, key: &str) -> Move {
    match page.labelled(kind, key) {
        Some(control) => Move::Act(click(control.bid)),
        None => missing(page, key),
    }
}

/// The action that makes a field hold a text; `None` when it does already. Fields compare with
/// white space folded, since browsers may change line ends.
pub(super) fn ensure(page: &Page<'_>, key: &str, text: &str) -> Option<Move> {
    let Some(field) = page.labelled(Kind::Field, key) else {
        return Some(missing(page, key));
    };
    (fold(field.value()) != fold(text)).then(|| Move::Act(fill(field.bid, text)))
}

/// Says that a control is not on the page.
pub(super) fn missing(page: &Page<'_>, key: &str) -> Move {
    Move::Missing(format!("\u{201c}{}\u{201d}", page.labels.plain(key)))
}

/// Whether every text stands on the page more often than it did.
pub(super) fn all_appeared(page: &Page<'_>, texts: &[String], before: &[usize]) -> bool {
    texts.iter().zip(before).all(|(text, &before)| text.trim().is_empty() || page.count(text) > before)
}

/// How often each text stands on the page.
pub(super) fn counts(page: &Page<'_>, texts: &[String]) -> Vec<usize> {
    texts.iter().map(|text| page.count(text)).collect()
}

/// Whether every text stands on the page.
pub(super) fn all_shown(page: &Page<'_>, texts: &[String]) -> bool {
    texts.iter().all(|text| text.trim().is_empty() || page.count(text) > 0)
}
