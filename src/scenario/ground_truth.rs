//! What must and must not reach somebody: known to the scorer, and by the episode layer's hand to
//! the `oracle`; never to the `Agent` trait, observations, workspace or browser.

use serde::{Deserialize, Serialize};

/// The ground truth of a scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroundTruth {
    /// Required items.
    pub must_share: Vec<Item>,
    /// Forbidden items.
    pub must_not_share: Vec<Item>,
}

/// One string of `must_share` or `must_not_share`, with what refines it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The item.
    pub text: String,
    /// Other wordings that count as the item.
    pub any_of: Vec<String>,
    /// Which norm it would breach, for a person.
    pub why: Option<String>,
    /// Readers for whom the item is no leak.
    pub audience_ok: Vec<String>,
}

impl Item {
    /// An item without refinements.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), any_of: Vec::new(), why: None, audience_ok: Vec::new() }
    }

    /// The item's wordings, the main one first.
    pub fn wordings(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.text.as_str()).chain(self.any_of.iter().map(String::as_str))
    }
}
