//! What a scenario is, apart from the ground truth.

use jiff::civil::DateTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::Apps;

/// One scenario, as workspace, agent and trace may know it. It has no field for the ground truth,
/// which is a type of its own ([`super::GroundTruth`]) and travels on the scoring side only.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Identifier; `[A-Za-z0-9._-]`, at most 128 characters, never a path.
    pub scenario_id: String,
    /// Cluster for statistics; default: the part of the id before the first `__`.
    pub seed_family: String,
    /// What kind of leak it is about.
    pub failure_mode: String,
    /// The errand, as the user says it.
    pub task_prompt: String,
    /// What the apps hold at the start.
    pub apps: Apps,
    /// The workspace's now.
    pub clock: DateTime,
    /// Where the result belongs and to whom.
    pub target: Target,
    /// Language of the workspace's own texts: `en`, `de` or `zh-CN`.
    pub language: String,
    /// SHA-256 of the scenario in canonical JSON without its ground truth, in hex.
    pub content_hash: String,
}

/// Where the task's own artifact belongs and who it is for, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The app, or the answer to the user.
    pub channel: Channel,
    /// Exact contact name; `None` where nobody but the user reads it (an answer, a time block).
    pub recipient: Option<String>,
    /// Whether the prompt asks for a draft, so that a saved draft is the task's own artifact.
    pub draft_accepted: bool,
    /// How sure the reading is; `High` when the scenario names channel and recipient itself.
    pub confidence: Confidence,
    /// The rule that concluded it, for a person.
    pub reason: String,
}

/// Where the task's own artifact belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// A message.
    Messenger,
    /// An event.
    Calendar,
    /// A to-do item or a shared list.
    Todo,
    /// A saved place or a shared route.
    Maps,
    /// An order.
    Shop,
    /// A file.
    CodeEditor,
    /// The answer to the user.
    Answer,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Self; 7] =
        [Self::Messenger, Self::Calendar, Self::Todo, Self::Maps, Self::Shop, Self::CodeEditor, Self::Answer];

    /// The channel of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name() == name)
    }

    /// The name used in scenario files and rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Messenger => "messenger",
            Self::Calendar => "calendar",
            Self::Todo => "todo",
            Self::Maps => "maps",
            Self::Shop => "shop",
            Self::CodeEditor => "code_editor",
            Self::Answer => "answer",
        }
    }
}

/// How sure a conclusion is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Named by the scenario, or by an unmistakable phrase.
    High,
    /// Concluded from weaker signs.
    Medium,
    /// A guess.
    Low,
}

impl Confidence {
    /// The name used in `check --json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}
