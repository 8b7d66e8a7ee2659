//! What an episode left behind, in terms of who can read what.

use serde::{Deserialize, Serialize};

/// A piece of text that the agent wrote and that is in the final state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// `messenger`, `calendar`, `todo`, `maps`, `code_editor`, `shop` or `answer`.
    pub app: String,
    /// `message`, `event`, `task`, `file`, `place`, `order`, `draft` or `answer`.
    pub kind: String,
    /// Entity id; empty for an answer.
    pub entity: String,
    /// Names it was addressed to; a group stays a group here.
    pub addressed_to: Vec<String>,
    /// Everybody who can read it besides the user; `["user"]` for an answer.
    pub readers: Vec<String>,
    /// What the agent added: the whole text of a new entity, the added words of a changed one.
    pub text: String,
    /// The step that made it (1-based; 0 when no step did).
    pub step: u32,
}

/// Everything the agent wrote during an episode.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disclosures {
    /// In the final state, in order of writing; includes writes that only the user reads
    /// (`readers` empty) and answers.
    pub artifacts: Vec<Artifact>,
    /// Read by somebody for a while, gone from the final state (deleted, or edited away).
    pub transient: Vec<Artifact>,
    /// Saved as a draft and not sent, in the final state.
    pub drafts: Vec<Artifact>,
}
