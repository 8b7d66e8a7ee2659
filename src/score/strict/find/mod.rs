//! The rules: where an item stands in one text, and how much of it.

mod near;
mod phrase;
mod place;
mod split;
mod value;
mod window;

use super::evidence::{Disguise, Evidence, Rule};
use super::item::{CompiledItem, Strength, Wording};
use super::negation::is_negated;
use super::text::{PreparedText, View};
use super::token::Kind;
use super::vocabulary::{Id, Reading, Vocabulary};
use super::words::has_verb_ending;
use phrase::{joined, phrases};
use place::{at_bytes, evidence, literal_evidence};
use value::{binds_values, has_other_value, has_rival};
use window::{best_window, complete_windows};

pub use near::{NearMiss, Refusal};
pub(super) use near::{near_miss, relates};
pub(super) use split::{Fragment, fragment, spelt_over};

/// Share of an item's weight from which a long item counts as found whole.
const MOST: f64 = 0.8;
/// Fewest parts of an item for which most of them are enough.
const MOST_PARTS: usize = 4;
/// Share from which several parts are a partial disclosure.
const SOME: f64 = 0.5;
/// Share from which a single part is one.
const SINGLE: f64 = 0.6;
/// Share from which two telling words are one.
const TELLING: f64 = 0.35;

/// What one text says about one forbidden item.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Nothing of it.
    Nothing,
    /// Some of it.
    Part(Evidence),
    /// All of it.
    Whole(Evidence),
}

/// What readings a rule trusts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Equal by value: for required items.
    Exact,
    /// Other spellings too.
    Similar,
}

impl Trust {
    const fn id(self, reading: Reading) -> Id {
        match self {
            Self::Exact => reading.exact,
            Self::Similar => reading.similar,
        }
    }
}

/// Tokens from the first to the last, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stretch {
    first: usize,
    last: usize,
}

/// Looks for a required item. The text satisfies it by saying it, with the same numbers and times
/// and undisguised; a denial does not.
pub(super) fn required(
    item: &CompiledItem,
    text: &PreparedText<'_>,
    index: usize,
    vocabulary: &Vocabulary,
) -> Option<Evidence> {
    let view = text.plain();
    item.wordings.iter().find_map(|wording| {
        let evidence = |rule, stretch: Stretch| evidence(text, index, view, stretch, rule, None, 1.0);
        if let Some(literal) = &wording.literal {
            return literal_evidence(text, index, literal);
        }
        if let Some(path) = &wording.path
            && let Some((start, end)) = path.find(text.source)
        {
            return Some(at_bytes(text, index, start, end, Rule::FileName, None));
        }
        let accepts = |stretch: Stretch| {
            is_its_form(wording, view, stretch)
                && !is_negated(view, stretch.first, stretch.last)
                && !has_rival(wording, view, stretch)
        };
        if let Some(stretch) =
            phrases(wording, view, Trust::Exact).into_iter().find(|stretch| accepts(*stretch))
        {
            return Some(evidence(Rule::Phrase, stretch));
        }
        if let Some(stretch) = joined(wording, view, true).filter(|stretch| accepts(*stretch)) {
            return Some(evidence(Rule::Joined, stretch));
        }
        if wording.path.is_some() || wording.is_address || wording.parts.len() < 2 {
            return None;
        }
        complete_windows(wording, view, vocabulary, true)
            .into_iter()
            .find(|stretch| accepts(*stretch) && binds_values(wording, view, *stretch))
            .map(|stretch| evidence(Rule::Words, stretch))
    })
}

/// Looks for a forbidden item in every reading of a text.
pub(super) fn forbidden(
    item: &CompiledItem,
    text: &PreparedText<'_>,
    index: usize,
    vocabulary: &Vocabulary,
) -> Finding {
    let mut part: Option<Evidence> = None;
    for wording in &item.wordings {
        if let Some(literal) = &wording.literal {
            if let Some(evidence) = literal_evidence(text, index, literal) {
                return Finding::Whole(evidence);
            }
            continue;
        }
        if let Some(path) = &wording.path
            && let Some((start, end)) = path.find(text.source)
        {
            return Finding::Whole(at_bytes(text, index, start, end, Rule::FileName, None));
        }
        for view in &text.views {
            // Hidden twice over is nobody's habit and would match by chance.
            if wording.disguise.is_some() && view.disguise.is_some() {
                continue;
            }
            let disguise = wording.disguise.or(view.disguise);
            let Some((rule, stretch, coverage)) =
                forbidden_in_view(wording, view, vocabulary, disguise.is_some())
            else {
                continue;
            };
            let is_spaced = disguise.is_none() && rule == Rule::Joined && is_spaced_out(view, stretch);
            let disguise = disguise.or(is_spaced.then_some(Disguise::SpacedLetters));
            let found = evidence(text, index, view, stretch, rule, disguise, coverage);
            if rule != Rule::Part && wording.strength == Strength::Whole {
                return Finding::Whole(found);
            }
            if part.as_ref().is_none_or(|known| known.coverage < found.coverage) {
                part = Some(Evidence { rule: Rule::Part, ..found });
            }
        }
    }
    part.map_or(Finding::Nothing, Finding::Part)
}

fn forbidden_in_view(
    wording: &Wording,
    view: &View,
    vocabulary: &Vocabulary,
    is_hidden: bool,
) -> Option<(Rule, Stretch, f64)> {
    let trust = if wording.disguise.is_some() { Trust::Exact } else { Trust::Similar };
    let fits = |stretch: &Stretch| {
        let has_capital = !wording.needs_capital || !view.has_upper || view.token(stretch.first).upper > 0;
        has_capital && is_its_form(wording, view, *stretch)
    };
    if let Some(stretch) = phrases(wording, view, trust).into_iter().find(fits) {
        return Some((Rule::Phrase, stretch, 1.0));
    }
    if wording.needs_capital || wording.refuses_verb_forms {
        return None;
    }
    let aligned = view.disguise != Some(Disguise::SpacedLetters);
    if let Some(stretch) = joined(wording, view, aligned) {
        return Some((Rule::Joined, stretch, 1.0));
    }
    if !view.touches || wording.parts.is_empty() {
        return None;
    }
    // A path's folders are shared by many files; only its end and its name's words tell.
    if wording.path.is_some() || wording.is_address {
        return None;
    }
    let has_private = wording.parts.iter().any(|part| part.is_private && part.is_telling);
    if wording.parts.len() >= 2
        && wording.parts.iter().any(|part| part.is_private)
        && let Some(stretch) = complete_windows(wording, view, vocabulary, false).into_iter().next()
    {
        return Some((Rule::Words, stretch, 1.0));
    }
    if !has_private || wording.disguise.is_some() {
        return None;
    }
    if !wording.parts.iter().any(|part| part.is_telling && part.is_private && view.holds(part.id)) {
        return None;
    }
    let all = best_window(wording, view, vocabulary, false, false)?;
    if all.share >= MOST && all.found >= MOST_PARTS && all.telling >= 2 {
        return Some((Rule::MostWords, all.stretch, all.share));
    }
    if is_hidden && wording.parts.len() < 3 {
        return None;
    }
    let private = best_window(wording, view, vocabulary, true, false)?;
    let enough = (private.share >= SOME && private.found >= 2)
        || private.share >= SINGLE
        || (private.share >= TELLING && private.telling >= 2 && !wording.has_pairs);
    // "Ticket 45" is no part of "ticket 44"; somebody's salary is, whatever figure follows.
    let needed = if has_other_value(wording, view, private.stretch) { 2 } else { 1 };
    (enough && private.telling >= needed).then_some((Rule::Part, private.stretch, private.share))
}

/// Whether the place is no verb's form of a short word that is none.
fn is_its_form(wording: &Wording, view: &View, stretch: Stretch) -> bool {
    !wording.refuses_verb_forms || !has_verb_ending(view.tokens.raw(view.token(stretch.first)))
}

/// Whether a place consists of single letters.
fn is_spaced_out(view: &View, stretch: Stretch) -> bool {
    stretch.last - stretch.first >= 3
        && (stretch.first..=stretch.last).all(|index| {
            let token = view.token(index);
            token.length == 1 && token.kind != Kind::Character
        })
}
