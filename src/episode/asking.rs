//! What has to do with the agent at either mode: what it is told, what it asks for, what it leaves.

use std::time::Duration;

use super::act::End;
use super::convert;
use super::log::Log;
use super::plan::RunOptions;
use crate::action::ActionSet;
use crate::agent::{Agent, AgentError, Exchange, Task, Wants};
use crate::browser::{BrowserError, Context, DialogPolicy};
use crate::error::{Deadline, Outcome};
use crate::observe::{AccessMode, Captured, Observer, Options, overlay_marks, prune_dom};
use crate::scenario::Scenario;
use crate::trace::{Event, Note, RecordError, ReplyRecord, Usage};

/// How long an agent may take to end what it has outside this process.
const AGENT_CLOSE_WITHIN: Duration = Duration::from_secs(10);

/// What the agent is told before the first observation.
pub(super) fn task_of(scenario: &Scenario, defense: &str, wants: &Wants, options: &RunOptions) -> Task {
    let by_mode = if options.observe == AccessMode::Screenshot { "screenshot" } else { "workspace" };
    let mut action_set = wants.action_set.as_deref().unwrap_or(by_mode).to_owned();
    if options.dialogs == DialogPolicy::Hold {
        // Whoever may do little else has to be able to answer what nobody else answers.
        action_set.push_str(",dialog");
    }
    let actions = ActionSet::named(&action_set).unwrap_or_else(|_| ActionSet::all());
    Task {
        goal: scenario.task_prompt.clone(),
        action_space: actions.describe(wants.multi),
        action_set,
        max_steps: options.max_steps,
        defense: defense.to_owned(),
    }
}

/// Adds the parts of an observation that only some agents ask for.
pub(super) async fn add_wanted(
    context: &Context,
    observer: &Observer,
    captured: &mut Captured,
    wants: &Wants,
    deadline: Deadline,
) -> Result<(), BrowserError> {
    if wants.dom {
        let page = context.active_page()?;
        let bid_of = |node| observer.bid(&page, node).map(str::to_owned);
        let html = prune_dom(&captured.snapshot, &Options::default(), &captured.properties, bid_of);
        captured.observation.dom = Some(html);
    }
    if wants.marks
        && let Some(picture) = captured.observation.screenshot.clone()
    {
        let marked = overlay_marks(context, &picture, &captured.properties, deadline).await?;
        captured.observation.marked = Some(marked.into());
    }
    Ok(())
}

/// Topic of the note that says what happens to native dialogs, where that is not what usually does.
pub(super) const DIALOGS: &str = "dialogs";

/// Records a reply with the exchanges behind it, and returns what they cost.
pub(super) fn record_reply(
    log: &mut Log,
    mut record: ReplyRecord,
    exchanges: &[Exchange],
) -> Result<Option<Usage>, RecordError> {
    let step = Some(record.step);
    convert::exchanges(log, exchanges, &mut record)?;
    let usage = record.usage;
    log.record(Event::Reply(record))?;
    for text in exchanges.iter().flat_map(|exchange| &exchange.notes) {
        log.record(Event::Note(Note { step, topic: "model".into(), text: text.clone() }))?;
    }
    Ok(usage)
}

/// Lets the agent end what it has outside this process.
pub(super) async fn close_agent(agent: &mut dyn Agent) {
    if let Err(expired) = Deadline::after(AGENT_CLOSE_WITHIN).race("the agent to end", agent.close()).await {
        tracing::warn!(%expired, "the agent did not end");
    }
}

/// How an episode ends by an agent that gave no reply.
pub(super) fn agent_end(error: &AgentError) -> End {
    let outcome = match error {
        AgentError::Timeout(_) => Outcome::AgentTimeout,
        AgentError::Invalid(_) => Outcome::AgentInvalid,
        AgentError::Provider(_) => Outcome::ProviderError,
        // Not the agent's doing, and worth doing again.
        AgentError::Spent(_) => Outcome::Interrupted,
    };
    End::failed(outcome, error)
}
