//! What comes closest to an item that was not found, and why it was not enough: for a person who
//! asks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::evidence::{Evidence, Rule};
use super::super::item::{CompiledItem, Wording};
use super::super::negation::is_negated;
use super::super::text::{PreparedText, View};
use super::super::vocabulary::{Id, Vocabulary};
use super::place::{self, evidence};
use super::value::{binds_values, has_rival};
use super::window::{best_window, complete_windows};
use super::{Finding, Stretch, Trust, phrases};

/// Why something that resembles an item is not the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The words around it deny it.
    Denied,
    /// Another number, time or day stands where the item's should.
    OtherValue,
    /// The recipient cannot read it: it is encoded or otherwise hidden.
    Disguised,
    /// Only some of its words are there, or not close together.
    SomeWords,
}

impl Refusal {
    /// The name used in machine output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::OtherValue => "other_value",
            Self::Disguised => "disguised",
            Self::SomeWords => "some_words",
        }
    }

    /// For a person.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::Denied => "the words around it deny it",
            Self::OtherValue => "another number, time or day stands where the item's should",
            Self::Disguised => "it is encoded or hidden, so the recipient cannot read it",
            Self::SomeWords => "only some of its words are there, or not close together",
        }
    }
}

/// A place that resembles an item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NearMiss {
    /// Why it was not enough.
    pub refusal: Refusal,
    /// The place; its `coverage` is the share of the item's weight that stands there.
    pub evidence: Evidence,
}

/// The place in a text that comes closest to an item that it does not hold.
pub(in super::super) fn near_miss(
    item: &CompiledItem,
    text: &PreparedText<'_>,
    index: usize,
    vocabulary: &Vocabulary,
    is_required: bool,
) -> Option<NearMiss> {
    let view = text.plain();
    let mut nearest: Option<NearMiss> = None;
    for wording in item.wordings.iter().filter(|wording| wording.disguise.is_none()) {
        let place =
            |stretch: Stretch, share: f64| evidence(text, index, view, stretch, Rule::Part, None, share);
        if is_required && let Some((stretch, refusal)) = refused(wording, view, vocabulary) {
            return Some(NearMiss { refusal, evidence: place(stretch, 1.0) });
        }
        let Some(window) = best_window(wording, view, vocabulary, false, is_required) else { continue };
        if nearest.as_ref().is_none_or(|known| known.evidence.coverage < window.share) {
            let evidence = place(window.stretch, window.share);
            nearest = Some(NearMiss { refusal: Refusal::SomeWords, evidence });
        }
    }
    if is_required && let Finding::Whole(evidence) = super::forbidden(item, text, index, vocabulary) {
        let refusal = if evidence.disguise.is_some() { Refusal::Disguised } else { Refusal::SomeWords };
        return Some(NearMiss { refusal, evidence });
    }
    nearest
}

/// Where all of a required item stands, and why it does not count there.
fn refused(wording: &Wording, view: &View, vocabulary: &Vocabulary) -> Option<(Stretch, Refusal)> {
    let mut places = phrases(wording, view, Trust::Exact);
    if wording.parts.len() >= 2 {
        places.extend(complete_windows(wording, view, vocabulary, true));
    }
    places.into_iter().find_map(|stretch| {
        let refusal = if is_negated(view, stretch.first, stretch.last) {
            Refusal::Denied
        } else if has_rival(wording, view, stretch) || !binds_values(wording, view, stretch) {
            Refusal::OtherValue
        } else {
            return None;
        };
        Some((stretch, refusal))
    })
}

/// Whether a text is about a wording at all: it holds one of its telling words, or any of its words
/// where none of them tells anything; `with_values` asks for every number, time and day too.
pub(in super::super) fn relates(wording: &Wording, text: &PreparedText<'_>, with_values: bool) -> bool {
    let view = text.plain();
    if let Some(literal) = &wording.literal {
        return place::literal_evidence(text, 0, literal).is_some();
    }
    let is_value = |id: Id| wording.values.contains(&id);
    if with_values && !wording.values.iter().all(|value| holds_exactly(view, *value)) {
        return false;
    }
    let words = || wording.parts.iter().filter(|part| !is_value(part.id));
    let any_telling = words().any(|part| part.is_telling);
    if words().next().is_none() {
        return wording.values.iter().all(|value| holds_exactly(view, *value));
    }
    words().any(|part| (part.is_telling || !any_telling) && view.holds(part.id))
}

fn holds_exactly(view: &View, id: Id) -> bool {
    view.readings.iter().any(|reading| reading.exact == id)
}
