//! The interface between the episode loop and whoever decides.

use futures_util::future::BoxFuture;

use crate::observe::Observation;

/// What an agent is told before the first observation. It has no place for the ground truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The errand, as the user says it.
    pub goal: String,
    /// Text that describes the actions.
    pub action_space: String,
    /// Step budget.
    pub max_steps: u32,
}

/// What an agent answers at a step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The action text, in the grammar of `action`; empty when the agent has nothing more to do.
    pub action: String,
    /// Its reasoning, if it gives any.
    pub thought: Option<String>,
}

/// Why an agent gave no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// It did not answer in time.
    #[error("get a reply from the agent: {0}")]
    Timeout(String),
    /// It answered something unusable too often, or died.
    #[error("get a usable reply from the agent: {0}")]
    Invalid(String),
    /// The model's provider failed.
    #[error("get a reply from the model's provider: {0}")]
    Provider(String),
}

/// Decides what to do, step by step, from observations only.
pub trait Agent: Send {
    /// The name used on the command line and in rows.
    fn name(&self) -> &str;

    /// Starts an episode.
    fn reset(&mut self, task: &Task);

    /// Answers one observation.
    ///
    /// # Errors
    /// [`AgentError`]; the episode ends with the outcome of the same name.
    fn act<'a>(&'a mut self, observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>>;
}
