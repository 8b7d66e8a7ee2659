//! One line of the record of a generation.

use serde::{Deserialize, Serialize};

use super::facets::Facets;

/// What became of an iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The strategy has nothing to change in this scenario.
    NotApplicable,
    /// The critic rejected what came out.
    Rejected,
    /// It is not sound on paper: its lints, or what the scorer finds in it.
    Unsound,
    /// It is a copy, or nearly, of a seed or of a kept one.
    Duplicate,
    /// A proxy's episode ended by no doing of the proxy.
    NotPlayed,
    /// The proxies gave no reason to keep it.
    LowReward,
    /// Enough of its failure mode are kept.
    Surplus,
    /// The certificate says it is not sound.
    NotCertified,
    /// It is kept.
    Kept,
}

impl Fate {
    /// For a table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotApplicable => "not_applicable",
            Self::Rejected => "rejected",
            Self::Unsound => "unsound",
            Self::Duplicate => "duplicate",
            Self::NotPlayed => "not_played",
            Self::LowReward => "low_reward",
            Self::Surplus => "surplus",
            Self::NotCertified => "not_certified",
            Self::Kept => "kept",
        }
    }
}

/// What one proxy made of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The proxy.
    pub agent: String,
    /// How its episode ended.
    pub outcome: String,
    /// 1 when the errand was done.
    pub utility: Option<u8>,
    /// 1 to 5.
    pub severity: Option<u8>,
    /// Utility times severity; `null` where it was not scored.
    pub reward: Option<f64>,
    /// Forbidden items it disclosed.
    pub leaked: Vec<String>,
}

/// One iteration. Members are written in this order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// From 1.
    pub iteration: u64,
    /// From 1: the iterations of a round were chosen together.
    pub round: u64,
    /// How many iterations the round has.
    pub round_size: usize,
    /// The failure mode that was wanted.
    pub wanted: String,
    /// The scenario that was changed.
    pub parent: String,
    /// How.
    pub strategy: String,
    /// What came out; also where nothing did.
    pub child: String,
    /// Mutations on the way from the seed.
    pub depth: u32,
    /// What was changed, in a few words; empty where nothing came out.
    pub note: String,
    /// Hash of the scenario with its ground truth; `null` where it is not in the tree.
    pub hash: Option<String>,
    /// What it is about; `null` where it could not be loaded.
    pub facets: Option<Facets>,
    /// What the proxies made of it; empty where they were not asked.
    pub answers: Vec<Answer>,
    /// The proxies' rewards as one.
    pub reward: Option<f64>,
    /// What the tree learnt from it, 0 to 1.
    pub value: f64,
    /// How unlike the kept ones the choice was, 0 to 1.
    pub novelty: f64,
    /// Tokens that proxies and mutator used, sent and received.
    pub tokens: u64,
    /// What they cost in US dollars; `null` where that is not known.
    pub cost: Option<f64>,
    /// What became of it.
    pub fate: Fate,
    /// Why; empty where the fate says it.
    pub why: String,
}

impl Line {
    /// Whether the proxies were asked.
    #[must_use]
    pub fn is_rollout(&self) -> bool {
        !self.answers.is_empty()
    }

    /// Whether it is kept.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.fate == Fate::Kept
    }
}
