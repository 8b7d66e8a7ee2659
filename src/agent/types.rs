//! The interface between the episode loop and whoever decides.

use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _, ready};

use super::exchange::Exchange;
use super::state::StateView;
use crate::observe::Observation;

/// What an agent is told before the first observation. It has no place for the ground truth.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Task {
    /// The errand, as the user says it.
    pub goal: String,
    /// Text that describes the actions; empty in state mode.
    pub action_space: String,
    /// The action set behind that text, by the names that [`crate::action::ActionSet::named`] reads.
    pub action_set: String,
    /// Step budget.
    pub max_steps: u32,
    /// What a defense adds to the system prompt; empty for none.
    pub defense: String,
}

/// What an agent answers at a step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The action text, in the grammar of `action`; empty when the agent has nothing more to do. In
    /// state mode the JSON of the answer.
    pub action: String,
    /// Its reasoning, if it gives any.
    pub thought: Option<String>,
    /// Why the answer is no usable reply at all, where it is none; the step is spent then, and the
    /// agent is told at the next one.
    pub malformed: Option<String>,
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
    /// What the run may spend is spent, so that the model was not asked.
    #[error("ask the model: {0}")]
    Spent(String),
}

/// What an agent asks of the episode.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wants {
    /// Its action set, where it is not the one of the access mode.
    pub action_set: Option<String>,
    /// Whether it may give several actions in one reply.
    pub multi: bool,
    /// Whether it reads the page as HTML.
    pub dom: bool,
    /// Whether it gets the picture with a mark on every element that can be used.
    pub marks: bool,
    /// How long it may take for a reply, where that is longer than what the run allows: an agent that
    /// keeps deadlines of its own says so here, in order to name what took too long itself.
    pub patience: Option<Duration>,
}

/// Decides what to do, step by step, from observations only.
pub trait Agent: Send {
    /// The name used on the command line and in rows.
    fn name(&self) -> &str;

    /// What it asks of the episode; the same throughout.
    fn wants(&self) -> Wants {
        Wants::default()
    }

    /// Starts an episode.
    fn reset(&mut self, task: &Task);

    /// Answers one observation.
    ///
    /// # Errors
    /// [`AgentError`]; the episode ends with the outcome of the same name.
    fn act<'a>(&'a mut self, observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>>;

    /// Answers state mode: the whole state at once, one reply.
    ///
    /// # Errors
    /// [`AgentError`], as [`Agent::act`]; an agent without a state mode is `Invalid`.
    fn decide<'a>(&'a mut self, _state: &'a StateView) -> BoxFuture<'a, Result<Reply, AgentError>> {
        let error = AgentError::Invalid(format!("`{}` has no state mode", self.name()));
        ready(Err(error)).boxed()
    }

    /// The exchanges with a model since the last time it was asked, also where the answer was an error
    /// or was not awaited to the end.
    fn take_exchanges(&mut self) -> Vec<Exchange> {
        Vec::new()
    }

    /// Ends what it has outside this process. Called once, at the end of an episode.
    fn close(&mut self) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }
}
