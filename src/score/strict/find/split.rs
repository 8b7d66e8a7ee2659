//! Items cut into pieces that stand in several texts.

use super::super::evidence::{Evidence, Rule};
use super::super::item::{MIN_JOINED, Wording};
use super::super::negation::is_negated;
use super::super::text::PreparedText;
use super::super::vocabulary::{NONE, Vocabulary};
use super::place::{at_bytes, evidence};
use super::value::{binds_values, has_rival};
use super::window::{best_window, ids};

/// What one text adds to an item that may be split over several: which parts, and whether they
/// stand there on purpose.
#[derive(Debug)]
pub(in super::super) struct Fragment {
    /// Indices into the wording's parts.
    pub(in super::super) parts: Vec<usize>,
    pub(in super::super) evidence: Evidence,
}

/// What a text holds of a wording, if it reads like a piece of it: two or more of its tokens in
/// their order, or a text that consists mostly of its words.
pub(in super::super) fn fragment(
    wording: &Wording,
    text: &PreparedText<'_>,
    index: usize,
    vocabulary: &Vocabulary,
    exact: bool,
) -> Option<Fragment> {
    let view = text.plain();
    let window = best_window(wording, view, vocabulary, false, exact)?;
    let mut parts = Vec::new();
    let stretch = window.stretch;
    for token in stretch.first..=stretch.last {
        for id in ids(view, vocabulary, token, exact).into_iter().filter(|id| *id != NONE) {
            if let Some(part) = wording.parts.iter().position(|part| part.id == id)
                && !parts.contains(&part)
            {
                parts.push(part);
            }
        }
    }
    let is_dense = window.found * 2 >= view.content.len();
    let runs_in_order = view.content.windows(2).any(|pair| {
        let (first, second) = (view.readings[pair[0] as usize].exact, view.readings[pair[1] as usize].exact);
        first != NONE && wording.pattern.windows(2).any(|known| known == [first, second])
    });
    // A text that holds every part has been judged by itself; saying it twice makes it no truer.
    if parts.len() == wording.parts.len() {
        return None;
    }
    if exact
        && (is_negated(view, stretch.first, stretch.last)
            || has_rival(wording, view, stretch)
            || !binds_values(wording, view, stretch))
    {
        return None;
    }
    (is_dense || runs_in_order).then(|| Fragment {
        parts,
        evidence: evidence(text, index, view, stretch, Rule::Split, None, window.share),
    })
}

/// Whether the ends and beginnings of several texts spell the item, cut anywhere: one text ends
/// with its beginning, one begins with its end, and whole texts may stand between. Gives the
/// texts in the order of the item; their order among each other does not matter.
pub(in super::super) fn spelt_over(
    wording: &Wording,
    texts: &[(usize, &PreparedText<'_>)],
) -> Option<Vec<Evidence>> {
    /// Shortest piece that is no chance.
    const MIN_PIECE: usize = 3;
    let needle = wording.joined.as_deref().filter(|joined| joined.len() >= MIN_JOINED)?;
    if texts.len() < 2 {
        return None;
    }
    // For each cut: the text whose piece ends there, and where that piece starts.
    let mut reached: Vec<Option<(usize, usize)>> = vec![None; needle.len() + 1];
    let cuts: Vec<usize> = needle
        .char_indices()
        .map(|(cut, _)| cut)
        .filter(|cut| *cut >= MIN_PIECE && needle.len() - cut >= MIN_PIECE)
        .collect();
    let mut any = false;
    for (position, (_, text)) in texts.iter().enumerate() {
        let joined = text.plain().joined.as_str();
        let last = joined.bytes().next_back();
        for cut in &cuts {
            // Comparing one byte first spares most of the work: few texts are pieces.
            if last == Some(needle.as_bytes()[*cut - 1])
                && reached[*cut].is_none()
                && joined.ends_with(&needle[..*cut])
            {
                reached[*cut] = Some((position, 0));
                any = true;
            }
        }
    }
    if !any {
        return None;
    }
    for cut in &cuts {
        if reached[*cut].is_none() {
            continue;
        }
        for (position, (_, text)) in texts.iter().enumerate() {
            let piece = text.plain().joined.as_str();
            let end = cut + piece.len();
            if piece.len() >= MIN_PIECE
                && end < needle.len()
                && needle[*cut..].starts_with(piece)
                && reached[end].is_none()
            {
                reached[end] = Some((position, *cut));
            }
        }
    }
    for cut in cuts.iter().rev() {
        let Some(previous) = reached[*cut] else { continue };
        let last = texts
            .iter()
            .position(|(_, text)| text.plain().joined.starts_with(&needle[*cut..]))
            .filter(|position| *position != previous.0);
        let Some(last) = last else { continue };
        let mut pieces = vec![(last, *cut)];
        let mut end = *cut;
        while end > 0 {
            let (position, start) = reached[end]?;
            pieces.push((position, start));
            end = start;
        }
        pieces.reverse();
        return Some(
            pieces
                .into_iter()
                .map(|(position, _)| {
                    let (index, text) = texts[position];
                    at_bytes(text, index, 0, text.source.len(), Rule::Split, None)
                })
                .collect(),
        );
    }
    None
}
