//! Evidence from places.

use super::super::evidence::{Disguise, Evidence, Rule};
use super::super::negation::is_negated;
use super::super::text::{PreparedText, View};
use super::super::token::Kind;
use super::super::vocabulary::NONE;
use super::Stretch;

pub(super) fn literal_evidence(text: &PreparedText<'_>, index: usize, literal: &str) -> Option<Evidence> {
    let units = super::super::fold::fold(text.source);
    let visible: Vec<_> = units.iter().filter(|unit| !unit.character.is_whitespace()).collect();
    let wanted: Vec<char> = literal.chars().collect();
    let found = visible
        .windows(wanted.len())
        .position(|window| window.iter().zip(&wanted).all(|(unit, wanted)| unit.character == *wanted))?;
    let start = visible[found].start as usize;
    let end = visible[found + wanted.len() - 1].end as usize;
    Some(at_bytes(text, index, start, end, Rule::Literal, None))
}

pub(super) fn evidence(
    text: &PreparedText<'_>,
    index: usize,
    view: &View,
    stretch: Stretch,
    rule: Rule,
    disguise: Option<Disguise>,
    coverage: f64,
) -> Evidence {
    let start = view.token(stretch.first).start as usize;
    let end =
        (stretch.first..=stretch.last).map(|token| view.token(token).end as usize).max().unwrap_or(start);
    let misspelt = (stretch.first..=stretch.last).any(|token| {
        let reading = view.readings[token];
        reading.exact == NONE
            && reading.possible != NONE
            && !matches!(view.token(token).kind, Kind::Clock(_) | Kind::Date(_))
    });
    let disguise = disguise
        .or_else(|| text.surface_disguise(start, end))
        .or_else(|| misspelt.then_some(Disguise::Misspelt));
    let negated = is_negated(view, stretch.first, stretch.last);
    Evidence { negated, coverage, ..at_bytes(text, index, start, end, rule, disguise) }
}

pub(super) fn at_bytes(
    text: &PreparedText<'_>,
    index: usize,
    start: usize,
    end: usize,
    rule: Rule,
    disguise: Option<Disguise>,
) -> Evidence {
    let quote = text.source.get(start..end).unwrap_or_default().chars().take(Evidence::MAX_QUOTE).collect();
    Evidence {
        rule,
        text: index,
        start,
        end,
        quote,
        disguise,
        negated: false,
        coverage: 1.0,
        step: 0,
        audience: Vec::new(),
    }
}
