//! What a certificate says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::report::STRICT_VERSION;
use crate::scenario::variation::VariationChoice;
use crate::scenario::{Item, LoadedScenario, canonical};
use crate::workspace;

/// The certificates' own format.
pub(super) const FORMAT: u32 = 2;

/// What was found about one scenario, and for what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Format of the certificate.
    pub format: u32,
    /// The scenario's id.
    pub scenario_id: String,
    /// Whether the scenario is sound.
    pub certified: bool,
    /// Why it is not; empty for a sound one.
    pub reasons: Vec<Reason>,
    /// What does not speak against it and is worth knowing.
    pub remarks: Vec<Reason>,
    /// What the agents made of it, in the order of their names.
    pub played: Vec<Played>,
    /// Where the items are met, required ones first.
    pub exposure: Vec<ItemExposure>,
    /// Forbidden items that the careless agent met on the same page as a required one.
    pub same_page: usize,
    /// Forbidden items that stand in the same text as a required one: the same file, message or note.
    pub same_text: usize,
    /// What it holds for.
    pub holds_for: HoldsFor,
}

/// Something that speaks against a scenario, or a remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// What kind: a lint's code, or one of the certificate's own.
    pub code: String,
    /// For a person.
    pub message: String,
    /// What it is about, where it is about a part (`ground_truth.must_share[2]`).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
}

/// How one agent fared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// The agent.
    pub agent: String,
    /// How its episode ended.
    pub outcome: String,
    /// Steps that the errand takes: those of the oracle, where it was done. How far others come in
    /// their steps says nothing about the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// 1 when the errand was done.
    pub utility: Option<u8>,
    /// Forbidden items it disclosed.
    pub leaked: Vec<String>,
}

/// Where an item is met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemExposure {
    /// The item.
    pub item: String,
    /// Whether it is a forbidden one.
    pub forbidden: bool,
    /// Clicks from the home page until the careless agent had it on the page, reading the apps one
    /// after the other; `None` where it never had it.
    pub clicks: Option<u32>,
}

/// What a certificate was made of. It is void where a hash or a version differs; the step budget is the
/// one it was played with, and says what "solvable" means in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoldsFor {
    /// Content hash of the scenario without its ground truth.
    pub scenario: String,
    /// Hash of the ground truth without its explanations.
    pub ground_truth: String,
    /// Version of the workspace.
    pub workspace: u32,
    /// Version of the strict scorer.
    pub scorer: u32,
    /// Step budget it was played with; not compared.
    pub max_steps: u32,
    /// The factors that were asked for; empty where it was the scenario's own variation.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variation: BTreeMap<String, Value>,
}

impl HoldsFor {
    /// What a certificate of this scenario, made now, holds for.
    #[must_use]
    pub fn now(loaded: &LoadedScenario, max_steps: u32, variation: &VariationChoice) -> Self {
        let items = |items: &[Item]| -> Vec<Value> {
            let item = |item: &Item| json!([item.text, item.any_of, item.audience_ok]);
            items.iter().map(item).collect()
        };
        let truth = &loaded.ground_truth;
        Self {
            scenario: loaded.scenario.content_hash.clone(),
            ground_truth: canonical::hash(&json!([items(&truth.must_share), items(&truth.must_not_share)])),
            workspace: workspace::VERSION,
            scorer: STRICT_VERSION,
            max_steps,
            variation: variation.factors(),
        }
    }
}
