//! One episode: a workspace, a browser context, an agent, at most so many steps, a trace.
//!
//! Whatever ends the steps, what was persisted is read back from the workspace's file after the
//! browser context is gone, and the trace gets its last event. Only a trace that cannot be written
//! ends an episode without one.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::Instrument as _;

use super::asking::{DIALOGS, add_wanted, agent_end, close_agent, record_reply, task_of};
use super::cancel::Cancel;
use super::convert;
use super::exposure::Seen;
use super::log::Log;
use super::plan::RunOptions;
use super::warm::{SeatError, WarmSeat, Wish};
use crate::action::{self, Action, ActionSet, Executor, ParseOptions, Performed};
use crate::agent::{Agent, AgentError, Exchange, Reply, Wants, add_usage};
use crate::browser::{Browser, BrowserError, Context, DialogPolicy};
use crate::diff::{Artifact, disclosures};
use crate::error::{Deadline, Expired, Explain, Fault, Outcome};
use crate::observe::{Captured, Observation, Observer, Wishes};
use crate::report::{artifacts_read, score_record};
use crate::scenario::variation::Variation;
use crate::scenario::{GroundTruth, Scenario, orders_to_agents};
use crate::score;
use crate::trace::{
    ActionResult, Blocked, Counts, EpisodeFinished, EpisodeStarted, Event, Note, RecordError, ReplyRecord,
    Timing, Usage, WORKSPACE_FILE, WorkspaceClosed, WorkspaceEvents,
};
use crate::workspace::{ORIGIN, Registration, Server, Workspace, WorkspaceError, read_back, state_hash};

/// How long an observation may take, looking again included.
const OBSERVE_WITHIN: Duration = Duration::from_secs(30);

/// How long opening the workspace's first page may take.
const OPEN_WITHIN: Duration = Duration::from_secs(20);

/// How long closing a context may take; the browser ends it anyway later.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);

/// Unusable replies in a row after which the agent is given up.
const INVALID_IN_A_ROW: u32 = 5;

/// An episode that could not be recorded, so that it does not count.
#[derive(Debug, thiserror::Error)]
pub enum EpisodeError {
    /// The trace could not be written.
    #[error("record the episode")]
    Record(#[from] RecordError),
    /// The workspace's file could not be written: the disk is full, or the folder gone.
    #[error("record the episode: failed to {0}")]
    Disk(String),
}

impl Explain for EpisodeError {
    fn fault(&self) -> Fault {
        match self {
            Self::Record(error) => error.fault(),
            Self::Disk(_) => Fault::Environment,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Record(error) => error.hint(),
            Self::Disk(_) => Some(
                "check free space and permissions of the output folder; what was recorded before is readable"
                    .to_owned(),
            ),
        }
    }
}

/// Where an episode is acted out.
pub(super) struct Stage<'a> {
    pub(super) server: &'a Server,
    pub(super) browser: &'a Browser,
    pub(super) options: &'a RunOptions,
    pub(super) cancel: &'a Cancel,
    /// Where the browser's next context is kept.
    pub(super) seat: &'a WarmSeat,
    /// How the episode says that it is set up.
    pub(super) wish: &'a Wish,
}

/// What one episode is about.
pub(super) struct Cast<'a> {
    pub(super) started: EpisodeStarted,
    pub(super) scenario: &'a Scenario,
    pub(super) variation: Variation,
    pub(super) ground_truth: &'a GroundTruth,
    pub(super) agent: Box<dyn Agent>,
    /// What is added to the agent's system prompt.
    pub(super) defense: &'a str,
}

/// How the steps ended.
pub(super) struct End {
    pub(super) outcome: Outcome,
    pub(super) error: Option<String>,
}

impl End {
    pub(super) const fn clean(outcome: Outcome) -> Self {
        Self { outcome, error: None }
    }

    pub(super) fn failed(outcome: Outcome, error: &dyn std::error::Error) -> Self {
        Self { outcome, error: Some(format!("failed to {error}")) }
    }
}

/// Why the steps stopped before an end of their own.
enum Stop {
    End(End),
    Record(RecordError),
}

impl From<RecordError> for Stop {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl From<BrowserError> for Stop {
    fn from(error: BrowserError) -> Self {
        Self::End(End::failed(error.outcome(), &error))
    }
}

impl From<WorkspaceError> for Stop {
    fn from(error: WorkspaceError) -> Self {
        Self::End(End::failed(Outcome::WorkspaceError, &error))
    }
}

/// What pages get longer to settle where every answer of the workspace takes so long: a form leads to
/// another page, which has styles and scripts of its own.
pub(super) fn patience(latency_ms: u32) -> Duration {
    Duration::from_millis(u64::from(latency_ms)) * 6
}

/// Acts an episode out in `folder`, which must not hold a trace yet.
pub(super) async fn act_out(
    stage: &Stage<'_>,
    mut cast: Cast<'_>,
    folder: &Path,
) -> Result<(), EpisodeError> {
    let started = Instant::now();
    let mut log = Log::create(folder)?;
    log.record(Event::EpisodeStarted(Box::new(cast.started.clone())))?;
    if stage.options.dialogs != DialogPolicy::default() {
        let text = stage.options.dialogs.name().to_owned();
        log.record(Event::Note(Note { step: None, topic: DIALOGS.into(), text }))?;
    }
    note_orders(&mut log, &cast.started.scenario)?;
    let file = folder.join(WORKSPACE_FILE);
    let workspace = match Workspace::create_varied(&file, cast.scenario, cast.variation) {
        Ok(workspace) => Arc::new(workspace),
        Err(error) => {
            let end = workspace_end(&error)?;
            return finish_without_workspace(log, Some(cast.ground_truth), end, started);
        }
    };
    let registration = stage.server.add(Arc::clone(&workspace));
    let mut episode = Episode {
        stage,
        log,
        workspace,
        registration,
        counts: Counts::default(),
        timing: Timing::default(),
        seen: Seen::default(),
        answers: Vec::new(),
        usage: None,
        logged_events: 0,
        logged_refusals: 0,
        started,
    };
    let (scenario, ground_truth) = (cast.scenario, cast.ground_truth);
    let ended = episode.live(&mut cast).await;
    // What was asked and came to nothing is part of the record, a question under way when the episode was
    // broken off included.
    let exchanges = cast.agent.take_exchanges();
    close_agent(cast.agent.as_mut()).await;
    let recorded = match ended {
        Ok(end) | Err(Stop::End(end)) => episode.record_no_reply(&exchanges, &end).map(|()| end),
        Err(Stop::Record(error)) => Err(error),
    };
    let end = match recorded {
        Ok(end) => end,
        Err(error) => {
            stage.server.remove(&episode.registration.token);
            return Err(error.into());
        }
    };
    let workspace = Arc::clone(&episode.workspace);
    episode.finish(scenario, ground_truth, end)?;
    // The episode is on record, and the next one would fare no better.
    workspace.disk_failure().map_or(Ok(()), |failure| Err(EpisodeError::Disk(failure)))
}

/// How an episode ends whose workspace failed; where the disk is at fault it is not to be recorded
/// either.
fn workspace_end(error: &WorkspaceError) -> Result<End, EpisodeError> {
    if error.fault() == Fault::Environment {
        return Err(EpisodeError::Disk(error.with_cause()));
    }
    Ok(End::failed(Outcome::WorkspaceError, error))
}

struct Episode<'a> {
    stage: &'a Stage<'a>,
    log: Log,
    workspace: Arc<Workspace>,
    registration: Registration,
    counts: Counts,
    timing: Timing,
    seen: Seen,
    /// Answers to the user: text and step.
    answers: Vec<(u32, String)>,
    usage: Option<Usage>,
    logged_events: u64,
    logged_refusals: u64,
    started: Instant,
}

impl Episode<'_> {
    /// Opens a context, plays the steps, closes the context.
    async fn live(&mut self, cast: &mut Cast<'_>) -> Result<End, Stop> {
        let cancel = self.stage.cancel.clone();
        let Stage { server, browser, seat, .. } = self.stage;
        let opened = seat.open(server, browser, &self.registration.token, cast.variation.viewport.into());
        let context = tokio::select! {
            opened = opened => match opened {
                Ok(context) => context,
                Err(SeatError::Server(error)) => return Ok(End::failed(Outcome::WorkspaceError, &error)),
                Err(SeatError::Browser(error)) => return Err(error.into()),
            },
            () = cancel.cancelled() => return Ok(End::clean(Outcome::Interrupted)),
        };
        context.set_dialog_policy(self.stage.options.dialogs);
        let end = tokio::select! {
            end = self.play(&context, cast) => end,
            () = cancel.cancelled() => Ok(End::clean(Outcome::Interrupted)),
        };
        if let Err(error) = context.close(Deadline::after(CLOSE_WITHIN)).await {
            tracing::debug!(%error, "the context was not closed");
        }
        if let Err(Stop::Record(error)) = end {
            // Nothing more can be recorded, and this error names the cause.
            return Err(Stop::Record(error));
        }
        // What happened during the step that was broken off belongs to the record all the same.
        self.log.settle().await?;
        self.log_workspace(self.counts.steps)?;
        end
    }

    async fn play(&mut self, context: &Context, cast: &mut Cast<'_>) -> Result<End, Stop> {
        let settling = patience(cast.variation.latency_ms);
        let deadline = Deadline::after(OPEN_WITHIN + settling);
        context.active_page()?.open(&format!("{ORIGIN}/"), deadline).await?;
        let max_steps = self.stage.options.max_steps;
        let wants = cast.agent.wants();
        let task = task_of(cast.scenario, cast.defense, &wants, self.stage.options);
        // The set was checked when the agent was set up.
        let actions = ActionSet::named(&task.action_set).unwrap_or_else(|_| ActionSet::all());
        cast.agent.reset(&task);
        let patience = self.stage.options.agent_within.max(wants.patience.unwrap_or_default());
        let mut observer = Observer::default();
        let mut executor = Executor::default().with_patience(settling);
        let mut last = Last::default();
        for step in 1..=max_steps {
            let step_started = Instant::now();
            self.counts.steps = step;
            self.workspace.set_step(step);
            let looking = self.look(context, &mut observer, step, &last, &wants);
            let captured = looking.instrument(tracing::debug_span!("observe", step)).await?;
            if step == 1 {
                self.timing.setup_ms = milliseconds(self.started.elapsed());
                self.stage.wish.now();
            }
            let observed = captured.page_text;
            let reply_started = Instant::now();
            let asking = self.ask(cast, &captured.observation, patience);
            let replied = asking.instrument(tracing::debug_span!("reply", step)).await?;
            let reply = match replied {
                Ok(Ok(reply)) => reply,
                Ok(Err(error)) => return Ok(agent_end(&error)),
                Err(expired) => return Ok(End::failed(Outcome::AgentTimeout, &expired)),
            };
            let parsed = if let Some(malformed) = &reply.malformed {
                Err(action::ActionError::value(malformed))
            } else if reply.action.trim().is_empty() {
                Ok(Vec::new())
            } else {
                actions.parse(&reply.action, ParseOptions { multi: wants.multi, ..ParseOptions::default() })
            };
            let record = convert::reply(step, &reply, &parsed, milliseconds(reply_started.elapsed()));
            self.record_reply(record, &cast.agent.take_exchanges())?;
            if reply.malformed.is_none() && reply.action.trim().is_empty() {
                return Ok(End::clean(Outcome::AgentStopped));
            }
            if last.action == reply.action && last.page_text == observed {
                self.counts.repeated_actions += 1;
            }
            last.action = reply.action;
            last.page_text = observed;
            match parsed {
                Ok(parsed) => {
                    last.invalid_in_a_row = 0;
                    for (index, action) in parsed.iter().enumerate() {
                        if let Some(end) = self
                            .act(context, &observer, &mut executor, (step, index), action, &mut last)
                            .instrument(tracing::debug_span!("act", step, index))
                            .await?
                        {
                            self.timing.steps_ms.push(milliseconds(step_started.elapsed()));
                            return Ok(end);
                        }
                    }
                }
                Err(error) => {
                    self.counts.invalid_actions += 1;
                    last.invalid_in_a_row += 1;
                    last.error = error.to_string();
                    if last.invalid_in_a_row >= INVALID_IN_A_ROW {
                        let error = format!(
                            "{INVALID_IN_A_ROW} replies in a row held no usable action; the last: {error}"
                        );
                        return Ok(End { outcome: Outcome::AgentInvalid, error: Some(error) });
                    }
                }
            }
            self.timing.steps_ms.push(milliseconds(step_started.elapsed()));
            if let Some(failure) = self.workspace.failure() {
                return Ok(End { outcome: Outcome::WorkspaceError, error: Some(failure) });
            }
        }
        Ok(End::clean(Outcome::BudgetExhausted))
    }

    /// Takes and records an observation.
    async fn look(
        &mut self,
        context: &Context,
        observer: &mut Observer,
        step: u32,
        last: &Last,
        wants: &Wants,
    ) -> Result<Captured, Stop> {
        let mode = self.stage.options.observe;
        let wishes = Wishes { properties: wants.marks || wants.dom, ..Wishes::of(mode) };
        let deadline = Deadline::after(OBSERVE_WITHIN);
        let mut captured = observer.observe(context, wishes, deadline).await?;
        add_wanted(context, observer, &mut captured, wants, deadline).await?;
        captured.observation.step = step;
        captured.observation.last_action.clone_from(&last.action);
        captured.observation.last_action_error.clone_from(&last.error);
        let record = convert::observation(&mut self.log, &captured)?;
        self.log.record_seen(record, captured.observation.screenshot.clone()).await?;
        for text in &captured.notes {
            self.note(step, "observation", text)?;
        }
        self.seen.add(step, &captured.page_text);
        Ok(captured)
    }

    /// Lets the agent think. The picture it was given is recorded meanwhile; an agent that has its reply at
    /// once does not wait for that.
    async fn ask(
        &mut self,
        cast: &mut Cast<'_>,
        observation: &Observation,
        patience: Duration,
    ) -> Result<Result<Result<Reply, AgentError>, Expired>, RecordError> {
        let within = Deadline::after(patience);
        let mut thinking = std::pin::pin!(within.race("the agent's reply", cast.agent.act(observation)));
        tokio::select! {
            biased;
            replied = &mut thinking => return Ok(replied),
            settled = self.log.settle() => settled?,
        }
        Ok(thinking.await)
    }

    fn record_reply(&mut self, record: ReplyRecord, exchanges: &[Exchange]) -> Result<(), RecordError> {
        self.usage = add_usage(self.usage, record_reply(&mut self.log, record, exchanges)?);
        Ok(())
    }

    /// Records what a model was asked where nothing came of it; without a model there is nothing to
    /// record but the episode's end.
    fn record_no_reply(&mut self, exchanges: &[Exchange], end: &End) -> Result<(), RecordError> {
        if exchanges.is_empty() {
            return Ok(());
        }
        let latency = exchanges.iter().map(|exchange| exchange.latency).sum();
        let step = self.counts.steps;
        self.record_reply(convert::no_reply(step, end.error.as_deref(), milliseconds(latency)), exchanges)
    }

    /// Carries one action out. Returns how the episode ends, if it ends by it.
    async fn act(
        &mut self,
        context: &Context,
        observer: &Observer,
        executor: &mut Executor,
        (step, index): (u32, usize),
        action: &Action,
        last: &mut Last,
    ) -> Result<Option<End>, Stop> {
        let started = Instant::now();
        let end = match action {
            Action::Finish { text } => {
                self.answer(step, text);
                Some(End::clean(Outcome::Finished))
            }
            Action::ReportInfeasible { .. } => Some(End::clean(Outcome::AgentStopped)),
            Action::SendMsgToUser { text } => {
                self.answer(step, text);
                None
            }
            _ => None,
        };
        let performed = executor.perform(context, observer, action).await;
        // Whatever became of the action, what it wrote is written.
        self.log_workspace(step)?;
        let performed = performed?;
        last.error.clone_from(&performed.error);
        if !performed.error.is_empty() {
            self.counts.invalid_actions += 1;
        }
        self.log.record(Event::ActionResult(action_result(
            (step, index),
            action,
            &performed,
            milliseconds(started.elapsed()),
        )))?;
        if let Some(target) = performed.refused {
            self.log.record(Event::Blocked(Blocked { step, target, how: "action_layer".into() }))?;
        }
        for target in context.take_refused() {
            self.log.record(Event::Blocked(Blocked { step, target, how: "network_wall".into() }))?;
        }
        Ok(end)
    }

    fn answer(&mut self, step: u32, text: &str) {
        if !text.trim().is_empty() {
            self.answers.push((step, text.to_owned()));
        }
    }

    fn note(&mut self, step: u32, topic: &str, text: &str) -> Result<(), RecordError> {
        let note = Note { step: Some(step), topic: topic.into(), text: text.into() };
        self.log.record(Event::Note(note))
    }

    /// Records what the workspace's log and the network wall hold since the last time.
    fn log_workspace(&mut self, step: u32) -> Result<(), RecordError> {
        let events = self.workspace.events_since(self.logged_events);
        if let Some(newest) = events.last() {
            self.logged_events = newest.seq;
            let events = events.iter().map(convert::json).collect();
            self.log.record(Event::WorkspaceEvents(WorkspaceEvents { step, events }))?;
        }
        let refused = self.stage.server.blocked_since(Some(&self.registration.token), self.logged_refusals);
        for request in refused {
            self.logged_refusals = request.seq;
            let target = format!("{} {}", request.method, request.target);
            self.log.record(Event::Blocked(Blocked { step, target, how: "network_wall".into() }))?;
        }
        Ok(())
    }

    /// Reads back what was persisted, scores it, and writes the last events.
    fn finish(
        mut self,
        scenario: &Scenario,
        ground_truth: &GroundTruth,
        mut end: End,
    ) -> Result<(), EpisodeError> {
        self.stage.server.remove(&self.registration.token);
        let closed = self.workspace.close();
        let read = closed.and_then(|closed| Ok((read_back(&closed.path)?, closed)));
        let (persisted, closed) = match read {
            Ok(read) => read,
            Err(error) => {
                end = workspace_end(&error)?;
                return finish_without_workspace(self.log, Some(ground_truth), end, self.started);
            }
        };
        let mut found = disclosures(&persisted.initial, &persisted.last, &persisted.events);
        found.artifacts.extend(self.answers.iter().map(|(step, text)| answer_artifact(*step, text)));
        self.log.record(Event::ArtifactsRead(artifacts_read(&found)))?;
        let score = score::assess(&score::Case {
            target: &scenario.target,
            messenger: &scenario.apps.messenger,
            ground_truth,
            disclosures: &found,
            gave_up: false,
        });
        self.log.record(Event::WorkspaceClosed(WorkspaceClosed {
            sha256: convert::digest(&closed.sha256),
            bytes: closed.bytes,
            state_hash: convert::digest(&state_hash(&persisted.last)),
        }))?;
        self.timing.total_ms = milliseconds(self.started.elapsed());
        self.log.finish(EpisodeFinished {
            ground_truth: Some(ground_truth.into()),
            outcome: end.outcome,
            score: Some(score_record(&score, None)),
            exposures: self.seen.exposures(ground_truth),
            counts: self.counts,
            usage: self.usage,
            timing: self.timing,
            error: end.error,
        })?;
        Ok(())
    }
}

/// What the loop remembers from one step to the next.
#[derive(Default)]
struct Last {
    action: String,
    error: String,
    page_text: String,
    invalid_in_a_row: u32,
}

fn answer_artifact(step: u32, text: &str) -> Artifact {
    Artifact {
        app: "answer".into(),
        kind: "answer".into(),
        entity: String::new(),
        addressed_to: Vec::new(),
        readers: vec!["user".into()],
        text: text.to_owned(),
        step,
    }
}

fn action_result(
    (step, index): (u32, usize),
    action: &Action,
    performed: &Performed,
    duration_ms: u64,
) -> ActionResult {
    ActionResult {
        step,
        index: u32::try_from(index).unwrap_or(u32::MAX),
        action: convert::json(action),
        error: (!performed.error.is_empty()).then(|| performed.error.clone()),
        point: performed.point.map(|(x, y)| [x, y]),
        element_box: performed.element_box,
        settle: Some(convert::settle(performed)),
        duration_ms,
    }
}

/// Notes what in the scenario reads like an order to the agent.
pub(super) fn note_orders(log: &mut Log, scenario: &serde_json::Value) -> Result<(), RecordError> {
    /// As many are enough to say so.
    const MOST: usize = 20;
    for order in orders_to_agents(scenario).into_iter().take(MOST) {
        let start: String = order.text.chars().take(200).collect();
        let text = format!("{} reads like an order to the agent: {start}", order.path);
        log.record(Event::Note(Note { step: None, topic: "order_to_agent".into(), text }))?;
    }
    Ok(())
}

/// Records an episode that could not be acted out.
pub(super) fn record_unusable(
    folder: &Path,
    started: EpisodeStarted,
    outcome: Outcome,
    error: &str,
) -> Result<(), EpisodeError> {
    let mut log = Log::create(folder)?;
    log.record(Event::EpisodeStarted(Box::new(started)))?;
    let end = End { outcome, error: Some(format!("failed to {error}")) };
    finish_without_workspace(log, None, end, Instant::now())
}

/// The last event of an episode whose workspace is not there to be read.
fn finish_without_workspace(
    log: Log,
    ground_truth: Option<&GroundTruth>,
    end: End,
    started: Instant,
) -> Result<(), EpisodeError> {
    log.finish(EpisodeFinished {
        ground_truth: ground_truth.map(Into::into),
        outcome: end.outcome,
        score: None,
        exposures: ground_truth.map(|truth| Seen::default().exposures(truth)).unwrap_or_default(),
        counts: Counts::default(),
        usage: None,
        timing: Timing { total_ms: milliseconds(started.elapsed()), ..Timing::default() },
        error: end.error,
    })?;
    Ok(())
}

pub(super) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
