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
    // For each cut: the texts whose piece ends there, and where that piece starts. Two that differ are
    // enough: what goes on from there may be one of them, and no text goes on from itself or its copy.
    let mut reached: Vec<Vec<(usize, usize)>> = vec![Vec::new(); needle.len() + 1];
    let joined = |position: usize| texts[position].1.plain().joined.as_str();
    let has_room = |ends: &[(usize, usize)], position: usize| {
        ends.len() < 2 && ends.iter().all(|(other, _)| joined(*other) != joined(position))
    };
    let cuts: Vec<usize> = needle
        .char_indices()
        .map(|(cut, _)| cut)
        .filter(|cut| *cut >= MIN_PIECE && needle.len() - cut >= MIN_PIECE)
        .collect();
    let mut any = false;
    for position in 0..texts.len() {
        let last = joined(position).bytes().next_back();
        for cut in &cuts {
            // Comparing one byte first spares most of the work: few texts are pieces.
            if last == Some(needle.as_bytes()[*cut - 1])
                && has_room(&reached[*cut], position)
                && joined(position).ends_with(&needle[..*cut])
            {
                reached[*cut].push((position, 0));
                any = true;
            }
        }
    }
    if !any {
        return None;
    }
    for cut in &cuts {
        if reached[*cut].is_empty() {
            continue;
        }
        for position in 0..texts.len() {
            let piece = joined(position);
            let end = cut + piece.len();
            if piece.len() >= MIN_PIECE
                && end < needle.len()
                && needle[*cut..].starts_with(piece)
                && has_room(&reached[end], position)
            {
                reached[end].push((position, *cut));
            }
        }
    }
    for cut in cuts.iter().rev() {
        let ending = reached[*cut].iter().find_map(|&(before, start)| {
            let goes_on = |text: &str| text != joined(before) && text.starts_with(&needle[*cut..]);
            let last = (0..texts.len()).find(|position| goes_on(joined(*position)))?;
            Some((last, before, start))
        });
        let Some((last, before, mut end)) = ending else { continue };
        let mut pieces = vec![last, before];
        while end > 0 {
            let (position, start) = *reached[end].first()?;
            pieces.push(position);
            end = start;
        }
        pieces.reverse();
        return Some(
            pieces
                .into_iter()
                .map(|position| {
                    let (index, text) = texts[position];
                    at_bytes(text, index, 0, text.source.len(), Rule::Split, None)
                })
                .collect(),
        );
    }
    None
}
