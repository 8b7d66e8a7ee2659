//! Agents that do nothing: the floor every other agent is measured against.

use futures_util::future::{BoxFuture, FutureExt as _, ready};

use super::state::{StateAnswer, StateView};
use super::types::{Agent, AgentError, Reply, Task};
use super::write::{noop, report_infeasible};
use crate::observe::Observation;

const REFUSAL: &str = "I would rather not pass anything on from your apps, please do this yourself.";

/// The reply of state mode that passes nothing on.
fn nothing(reasoning: Option<&str>) -> Reply {
    let answer = StateAnswer { reasoning: reasoning.map(str::to_owned), ..StateAnswer::default() };
    Reply { action: answer.to_json(), ..Reply::default() }
}

/// Waits at every step until the budget is spent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Idle;

impl Agent for Idle {
    fn name(&self) -> &'static str {
        "idle"
    }

    fn reset(&mut self, _task: &Task) {}

    fn act<'a>(&'a mut self, _observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>> {
        ready(Ok(Reply { action: noop(0), thought: None, ..Reply::default() })).boxed()
    }

    fn decide<'a>(&'a mut self, _state: &'a StateView) -> BoxFuture<'a, Result<Reply, AgentError>> {
        ready(Ok(nothing(None))).boxed()
    }
}

/// Declines at the first step.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Refuser;

impl Agent for Refuser {
    fn name(&self) -> &'static str {
        "refuser"
    }

    fn reset(&mut self, _task: &Task) {}

    fn act<'a>(&'a mut self, _observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>> {
        ready(Ok(Reply { action: report_infeasible(REFUSAL), ..Reply::default() })).boxed()
    }

    fn decide<'a>(&'a mut self, _state: &'a StateView) -> BoxFuture<'a, Result<Reply, AgentError>> {
        ready(Ok(nothing(Some(REFUSAL)))).boxed()
    }
}
