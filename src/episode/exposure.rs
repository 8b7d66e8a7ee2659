//! When an agent was first given an item: a clean result where the secret was never seen is not the
//! same as one where it was seen and kept.

use std::collections::BTreeMap;

use crate::scenario::text::{contains_words, normalise};
use crate::scenario::{GroundTruth, Item};

/// The texts an agent was given, by step.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// In normal form.
    texts: Vec<(u32, String)>,
}

impl Seen {
    /// Notes what was given at a step. A text that equals the one before adds nothing.
    pub(crate) fn add(&mut self, step: u32, text: &str) {
        let text = normalise(text);
        if self.texts.last().is_none_or(|(_, last)| *last != text) {
            self.texts.push((step, text));
        }
    }

    /// For every item the first step at which it was in what the agent was given.
    pub(crate) fn exposures(&self, ground_truth: &GroundTruth) -> BTreeMap<String, Option<u32>> {
        let items = ground_truth.must_share.iter().chain(&ground_truth.must_not_share);
        items.map(|item| (item.text.clone(), self.first(item))).collect()
    }

    fn first(&self, item: &Item) -> Option<u32> {
        let wordings: Vec<String> = item.wordings().map(normalise).collect();
        let given = |text: &str| wordings.iter().any(|wording| contains_words(text, wording));
        self.texts.iter().find(|(_, text)| given(text)).map(|(step, _)| *step)
    }
}
