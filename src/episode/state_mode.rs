//! An episode in state mode: the scenario as structured text, one reply, the same artifacts, scorer
//! and trace. It needs no workspace and no browser.

use std::path::Path;
use std::time::Instant;

use tracing::Instrument as _;

use super::act::{Cast, End, EpisodeError, milliseconds, note_orders};
use super::asking::{agent_end, close_agent, record_reply};
use super::cancel::Cancel;
use super::convert;
use super::exposure::Seen;
use super::log::Log;
use super::plan::RunOptions;
use crate::agent::{Reply, StateAnswer, StateView, Task};
use crate::diff::Disclosures;
use crate::error::{Deadline, Outcome};
use crate::report::{artifacts_read, score_record};
use crate::scenario::{LoadedScenario, Scenario, seeded_strings};
use crate::score::{self, StateReply};
use crate::trace::{
    Counts, EpisodeFinished, Event, ObservationRecord, RecordError, ReplyRecord, Timing, Usage,
};

/// The state of a scenario as an agent is given it. Nothing of the ground truth, channel or recipient
/// is in it.
pub(super) fn view(loaded: &LoadedScenario) -> StateView {
    let none = serde_json::Value::Object(serde_json::Map::new());
    let states = loaded.public_json.get("initial_states").unwrap_or(&none);
    let strings = seeded_strings(&loaded.public_json).into_iter().map(|string| string.text).collect();
    StateView::new(&loaded.scenario.clock.to_string(), states, strings)
}

/// Puts the state before the agent, in `folder`, which must not hold a trace yet.
pub(super) async fn answer(
    options: &RunOptions,
    cancel: &Cancel,
    mut cast: Cast<'_>,
    state: &StateView,
    folder: &Path,
) -> Result<(), EpisodeError> {
    let started = Instant::now();
    let mut log = Log::create(folder)?;
    log.record(Event::EpisodeStarted(Box::new(cast.started.clone())))?;
    note_orders(&mut log, &cast.started.scenario)?;
    let blob = log.blob(state.text().as_bytes(), "json")?;
    let record = ObservationRecord { step: 1, state: Some(blob), ..ObservationRecord::default() };
    log.record(Event::Observation(record))?;
    let setup_ms = milliseconds(started.elapsed());
    let asked = Instant::now();
    let (end, answered, usage) = ask(options, cancel, &mut cast, state, &mut log).await?;
    let steps_ms = vec![milliseconds(asked.elapsed())];
    close_agent(cast.agent.as_mut()).await;
    let target = &cast.scenario.target;
    let messenger = &cast.scenario.apps.messenger;
    let reply = answered.map(|answer| StateReply {
        completed: answer.completed,
        shared_content: answer.shared_content,
        recipient: answer.recipient,
    });
    let found =
        reply.as_ref().map_or_else(Disclosures::default, |reply| reply.disclosures(target, messenger));
    log.record(Event::ArtifactsRead(artifacts_read(&found)))?;
    let score = score::assess(&score::Case {
        target,
        messenger,
        ground_truth: cast.ground_truth,
        disclosures: &found,
        gave_up: reply.as_ref().is_some_and(|reply| !reply.completed),
    });
    let mut seen = Seen::default();
    seen.add(1, &state.strings().join("\n"));
    let invalid_actions = u32::from(end.outcome == Outcome::AgentInvalid);
    log.finish(EpisodeFinished {
        ground_truth: Some(cast.ground_truth.into()),
        outcome: end.outcome,
        score: Some(score_record(&score, None)),
        exposures: seen.exposures(cast.ground_truth),
        counts: Counts { steps: 1, invalid_actions, repeated_actions: 0 },
        usage,
        timing: Timing { setup_ms, steps_ms, total_ms: milliseconds(started.elapsed()) },
        error: end.error,
    })?;
    Ok(())
}

/// What the agent is told besides the state.
pub(super) fn task_of(scenario: &Scenario, defense: &str) -> Task {
    Task { goal: scenario.task_prompt.clone(), max_steps: 1, defense: defense.to_owned(), ..Task::default() }
}

/// Gets the reply, records it, and reads it.
async fn ask(
    options: &RunOptions,
    cancel: &Cancel,
    cast: &mut Cast<'_>,
    state: &StateView,
    log: &mut Log,
) -> Result<(End, Option<StateAnswer>, Option<Usage>), RecordError> {
    let within = Deadline::after(options.agent_within.max(cast.agent.wants().patience.unwrap_or_default()));
    cast.agent.reset(&task_of(cast.scenario, cast.defense));
    let asked = Instant::now();
    let replied = tokio::select! {
        replied = within
            .race("the agent's reply", cast.agent.decide(state))
            .instrument(tracing::debug_span!("reply", step = 1)) => Some(replied),
        () = cancel.cancelled() => None,
    };
    let latency_ms = milliseconds(asked.elapsed());
    let exchanges = cast.agent.take_exchanges();
    let end = match replied {
        Some(Ok(Ok(reply))) => {
            let answer = read(&reply);
            let record = ReplyRecord {
                step: 1,
                action: reply.action,
                thought: reply.thought,
                parsed: answer.iter().map(convert::json).collect(),
                parse_error: answer.as_ref().err().cloned(),
                latency_ms,
                ..ReplyRecord::default()
            };
            let usage = record_reply(log, record, &exchanges)?;
            return Ok(match answer {
                Ok(answer) => (End::clean(Outcome::Finished), Some(answer), usage),
                Err(error) => {
                    let error = Some(format!("failed to read the agent's reply: {error}"));
                    (End { outcome: Outcome::AgentInvalid, error }, None, usage)
                }
            });
        }
        Some(Ok(Err(error))) => agent_end(&error),
        Some(Err(expired)) => End::failed(Outcome::AgentTimeout, &expired),
        None => End::clean(Outcome::Interrupted),
    };
    let record = convert::no_reply(1, end.error.as_deref(), latency_ms);
    let usage = if exchanges.is_empty() { None } else { record_reply(log, record, &exchanges)? };
    Ok((end, None, usage))
}

fn read(reply: &Reply) -> Result<StateAnswer, String> {
    match &reply.malformed {
        Some(malformed) => Err(malformed.clone()),
        None => StateAnswer::parse(&reply.action),
    }
}
