//! Numbers, times and days: whether those that stand in a text are the item's.

use super::super::item::Wording;
use super::super::text::View;
use super::super::token::{Boundary, Kind};
use super::super::vocabulary::{Id, NONE};
use super::Stretch;

/// Kinds of values that cannot stand for each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    Number,
    Clock,
    Date,
}

/// The kind of value at an index, where the wording has one of that kind.
fn value_kind(wording: &Wording, view: &View, index: usize) -> Option<ValueKind> {
    match view.token(index).kind {
        Kind::Number => wording.has_number.then_some(ValueKind::Number),
        Kind::Clock(_) => wording.has_clock.then_some(ValueKind::Clock),
        Kind::Date(_) => wording.has_date.then_some(ValueKind::Date),
        Kind::Word | Kind::Character => None,
    }
}

/// Whether another number, time or day stands where the item's should: "standup at 10:00, call at
/// 11:00" does not say that the standup is at 11:00.
pub(super) fn has_rival(wording: &Wording, view: &View, stretch: Stretch) -> bool {
    if !wording.has_clock && !wording.has_number && !wording.has_date {
        return false;
    }
    let is_item = |index: usize| {
        let id = view.readings[index].exact;
        id != NONE && wording.parts.iter().any(|part| part.id == id)
    };
    let kind = |index: usize| value_kind(wording, view, index);
    let inside = (stretch.first..=stretch.last).any(|index| {
        kind(index).is_some_and(|value| {
            !is_item(index)
                && !is_listed_with_item(view, stretch, index, &|other| {
                    kind(other) == Some(value) && is_item(other)
                })
        })
    });
    if inside {
        return true;
    }
    // A value belongs to its clause. "10:00 standup, 11:00 call": the value before the words is
    // theirs, the one after the comma is not; "10:00 planning, standup at 12:00" likewise.
    let Some(cut) =
        (stretch.first + 1..=stretch.last).find(|index| view.token(*index).boundary >= Boundary::Clause)
    else {
        return false;
    };
    let is_rival = |index: usize, value: ValueKind| kind(index) == Some(value) && !is_item(index);
    let own_after = (cut..=stretch.last).find_map(|index| kind(index).filter(|_| is_item(index)));
    let own_before = (stretch.first..cut).find_map(|index| kind(index).filter(|_| is_item(index)));
    if let (None, Some(value)) = (own_before, own_after)
        && let Some(before) = stretch.first.checked_sub(1)
    {
        return view.token(stretch.first).boundary <= Boundary::Soft && is_rival(before, value);
    }
    if let (Some(value), None) = (own_before, own_after) {
        return (stretch.last + 1..view.readings.len())
            .take(4)
            .take_while(|index| view.token(*index).boundary < Boundary::Clause)
            .any(|index| is_rival(index, value));
    }
    false
}

/// Whether each of several values stands beside one of the words it stands beside in the item:
/// "5 bags and 3 boxes" says the same as "3 boxes, 5 bags", "5 boxes and 3 bags" does not.
pub(super) fn binds_values(wording: &Wording, view: &View, stretch: Stretch) -> bool {
    if wording.value_neighbours.len() < 2 {
        return true;
    }
    let is_there =
        |value: Id| (stretch.first..=stretch.last).any(|index| view.readings[index].exact == value);
    wording.value_neighbours.iter().filter(|(value, _)| is_there(*value)).all(|(value, neighbours)| {
        neighbours.is_empty()
            || (stretch.first..=stretch.last).any(|index| {
                view.readings[index].exact == *value
                    && view
                        .tokens
                        .words_beside(index)
                        .into_iter()
                        .any(|beside| neighbours.contains(&view.readings[beside].exact))
            })
    })
}

/// Whether a number, time or day stands beside or inside the stretch where the item has another.
pub(super) fn has_other_value(wording: &Wording, view: &View, stretch: Stretch) -> bool {
    let near = stretch.first.saturating_sub(1)..(stretch.last + 2).min(view.readings.len());
    let (mut own, mut other) = (false, false);
    for index in near {
        let matters = value_kind(wording, view, index).is_some();
        if matters {
            let id = view.readings[index].possible;
            let is_own = id != NONE && wording.parts.iter().any(|part| part.id == id);
            own |= is_own;
            other |= !is_own;
        }
    }
    other && !own
}

/// Whether a value stands in one enumeration with the item's own ("#44 and #45").
fn is_listed_with_item(view: &View, stretch: Stretch, index: usize, is_own: &dyn Fn(usize) -> bool) -> bool {
    let connects = |other: usize| {
        view.token(other).is_value()
            || matches!(
                view.tokens.raw(view.token(other)),
                "and" | "or" | "und" | "oder" | "to" | "bis" | "和" | "、"
            )
    };
    let forwards = (index + 1..=stretch.last).take_while(|other| connects(*other)).any(is_own);
    let backwards = (stretch.first..index).rev().take_while(|other| connects(*other)).any(is_own);
    forwards || backwards
}
