//! The workers of a run: each takes planned episodes from one queue, and for each of them a place in a
//! browser of the pool.
//!
//! They report and decide nothing about the run; what becomes of an episode is told by its row.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tracing::Instrument as _;

use super::act::{Cast, Stage, act_out, record_unusable};
use super::cancel::Cancel;
use super::dispatcher::scenario_id;
use super::plan::{Mode, Planned, RunOptions};
use super::pool::{Lease, Pool};
use super::run_error::RunError;
use super::state_mode;
use super::warm::Wish;
use crate::agent::{Agents, OracleBrief};
use crate::browser::Viewport;
use crate::error::Outcome;
use crate::report::{Episode, Row, RunFolderError};
use crate::scenario::{LoadedFile, LoadedScenario};
use crate::trace::{BrowserRecord, EpisodeStarted, FORMAT};
use crate::workspace::Server;

/// What a worker tells.
pub(super) enum Report {
    Started(usize, String),
    /// The worker waits until it is weighed: whether there is a next episode may hang on this one.
    Ended {
        number: usize,
        label: String,
        row: Box<Row>,
        weighed: oneshot::Sender<()>,
    },
    Repeated {
        number: usize,
        label: String,
        row: Box<Row>,
    },
    Warning(String),
    Fatal(RunError),
}

/// What the workers share.
pub(super) struct Shared {
    pub(super) server: Server,
    pub(super) options: RunOptions,
    pub(super) files: Vec<LoadedFile>,
    pub(super) cancel: Cancel,
    pub(super) queue: Mutex<VecDeque<(Planned, Episode)>>,
    pub(super) stopped: AtomicBool,
    pub(super) agents: Agents,
    pub(super) run_id: String,
    /// `None` where no episode needs one.
    pub(super) browser: Option<BrowserRecord>,
    pub(super) pool: Pool,
    /// How many episodes are set up at the same time: each takes all of a core, and has a deadline.
    pub(super) set_ups: Semaphore,
}

impl Shared {
    fn next(&self) -> Option<(Planned, Episode)> {
        if self.is_ending() {
            return None;
        }
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    fn gives_another_try(&self, planned: &Planned, outcome: Outcome) -> bool {
        let is_worth_it = planned.attempt < self.options.retries && outcome.is_worth_repeating();
        is_worth_it && self.agents.spent().is_none() && !self.is_ending()
    }

    fn put_back(&self, planned: Planned, place: Episode) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).push_front((planned, place));
    }

    /// The page size of the next episode that needs a page; `None` where there is none.
    fn next_viewport(&self) -> Option<Viewport> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let next = queue.iter().find(|(planned, _)| planned.mode == Mode::EndToEnd);
        next.map(|(planned, _)| planned.variation.viewport.into())
    }

    /// No more episodes: those under way end by themselves.
    pub(super) fn stop(&self) {
        self.stopped.store(true, SeqCst);
    }

    fn is_ending(&self) -> bool {
        self.stopped.load(SeqCst) || self.cancel.is_cancelled()
    }
}

/// How many episodes may be set up at the same time.
pub(super) fn set_ups() -> Semaphore {
    Semaphore::new(std::thread::available_parallelism().map_or(1, NonZero::get) * 2)
}

/// Takes episodes from the queue until there are none.
pub(super) async fn work(shared: Arc<Shared>, reports: mpsc::Sender<Report>) {
    while let Some((planned, place)) = shared.next() {
        let file = &shared.files[planned.file];
        let label = label(&shared, &planned, file);
        let begun = in_browser(&shared, &reports, &planned, &place, file, &label).await;
        let Some((acted, lease)) = begun else { break };
        let is_at_fault = acted.as_ref().map_or(true, |row| is_browsers_fault(row.outcome));
        // Before the report: whoever acts a lost episode out again gets another browser.
        if let Some(lease) = &lease
            && is_at_fault
        {
            shared.pool.retire(lease);
        }
        let goes_on = report(&shared, &reports, planned, place, label, acted).await;
        // After the report: a browser that does not end at once keeps nobody waiting for a row.
        if let Some(lease) = lease {
            shared.pool.give_back(lease).await;
        }
        if !goes_on {
            break;
        }
    }
}

/// Tells what became of an episode, and puts one back that gets another try. Whether the worker goes on.
async fn report(
    shared: &Shared,
    reports: &mpsc::Sender<Report>,
    mut planned: Planned,
    place: Episode,
    label: String,
    acted: Result<Row, RunError>,
) -> bool {
    // A receiver that is gone means that the run is over.
    let (number, row) = match acted {
        Ok(row) => (planned.number, Box::new(row)),
        Err(error) => {
            let _ = reports.send(Report::Fatal(error)).await;
            return false;
        }
    };
    if shared.gives_another_try(&planned, row.outcome) {
        if let Err(error) = place.set_aside() {
            let _ = reports.send(Report::Fatal(error.into())).await;
            return false;
        }
        let _ = reports.send(Report::Repeated { number, label, row }).await;
        planned.attempt += 1;
        shared.put_back(planned, place);
    } else {
        let (weighed, is_weighed) = oneshot::channel();
        let _ = reports.send(Report::Ended { number, label, row, weighed }).await;
        let _ = is_weighed.await;
    }
    true
}

/// Acts an episode out, in a browser of the pool where it needs one; the next episode's context is made
/// ready beside it, unless there is no next one. `None` where the run came to its end before the episode began.
async fn in_browser(
    shared: &Shared,
    reports: &mpsc::Sender<Report>,
    planned: &Planned,
    place: &Episode,
    file: &LoadedFile,
    label: &str,
) -> Option<(Result<Row, RunError>, Option<Lease>)> {
    let started = || Report::Started(planned.number, label.to_owned());
    let span = episode_span(shared, planned, file);
    // A file that cannot be used gives its row without a browser.
    if planned.mode == Mode::State || file.result.is_err() {
        let _ = reports.send(started()).await;
        let acted = Box::pin(episode(shared, place, None, planned, file));
        return Some((acted.instrument(span).await, None));
    }
    let turn = tokio::select! {
        turn = shared.set_ups.acquire() => turn.ok(),
        () = shared.cancel.cancelled() => None,
    };
    // Its turn may have come late.
    if shared.is_ending() {
        return None;
    }
    let lease = match shared.pool.lease(|| shared.is_ending()).await {
        Ok(None) => return None,
        Ok(Some((lease, failed))) => {
            if let Some(failed) = failed {
                let text = format!("failed to {failed}; another try succeeded");
                let _ = reports.send(Report::Warning(text)).await;
            }
            lease
        }
        Err(error) => return Some((Err(error.into()), None)),
    };
    let _ = reports.send(started()).await;
    let wish = Wish::default();
    let acted = async {
        let acted = Box::pin(episode(shared, place, Some((&lease, &wish)), planned, file));
        let acted = acted.instrument(span.clone()).await;
        if let Ok(row) = &acted {
            span.record("outcome", tracing::field::display(row.outcome));
            tracing::info!(parent: &span, steps = row.steps, "the episode ended");
        }
        wish.end();
        acted
    };
    let beside = async {
        let is_set_up = wish.is_now().await;
        drop(turn);
        let viewport = shared.next_viewport().filter(|_| is_set_up && shared.pool.takes_more(&lease));
        let Some(viewport) = viewport else { return };
        tokio::select! {
            () = lease.seat.make_ready(&shared.server, &lease.browser, viewport, shared.options.observe) => {}
            () = shared.cancel.cancelled() => {}
        }
    };
    let ((), acted) = tokio::join!(beside, acted);
    Some((acted, Some(lease)))
}

fn brief(loaded: &LoadedScenario) -> OracleBrief {
    OracleBrief::of(&loaded.scenario, &loaded.ground_truth)
}

/// An episode for whoever watches the harness.
fn episode_span(shared: &Shared, planned: &Planned, file: &LoadedFile) -> tracing::Span {
    tracing::info_span!(
        "episode",
        number = planned.number,
        scenario = scenario_id(file),
        agent = shared.agents.name(&planned.agent),
        mode = planned.mode.name(),
        trial = planned.trial,
        outcome = tracing::field::Empty,
    )
}

/// An episode for a person: what tells it from the others of the run.
fn label(shared: &Shared, planned: &Planned, file: &LoadedFile) -> String {
    let mut label = format!("{} · {}", scenario_id(file), shared.agents.name(&planned.agent));
    if let Some(model) = shared.agents.model(&planned.agent) {
        label = format!("{label} {model}");
    }
    if shared.options.modes.len() > 1 || planned.mode == Mode::State {
        label = format!("{label} · {}", planned.mode.name());
    }
    if shared.options.defenses.len() > 1 {
        label = format!("{label} · {}", shared.options.defenses[planned.defense].name);
    }
    if shared.options.variations.len() > 1 {
        label = format!("{label} · {}", planned.variation.unusual());
    }
    if shared.options.trials > 1 {
        label = format!("{label} · trial {}", planned.trial);
    }
    label
}

/// Whether the browser may have had a part in how an episode ended; it gets no other one then.
const fn is_browsers_fault(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::BrowserLost | Outcome::PageCrashed | Outcome::PageHung | Outcome::HarnessError)
}

async fn episode(
    shared: &Shared,
    Episode { path, relative, .. }: &Episode,
    browser: Option<(&Lease, &Wish)>,
    planned: &Planned,
    file: &LoadedFile,
) -> Result<Row, RunError> {
    let started = episode_started(shared, planned, file);
    let seed = started.seed;
    match &file.result {
        Ok(loaded) => {
            let cast = Cast {
                started,
                scenario: &loaded.scenario,
                variation: planned.variation,
                ground_truth: &loaded.ground_truth,
                agent: shared.agents.make(&planned.agent, seed, Some(brief(loaded)))?,
                defense: &shared.options.defenses[planned.defense].text,
            };
            let (options, cancel) = (&shared.options, &shared.cancel);
            if let Some((lease, wish)) = browser {
                let (browser, seat) = (&lease.browser, &lease.seat);
                let stage = Stage { server: &shared.server, browser, options, cancel, seat, wish };
                Box::pin(act_out(&stage, cast, path)).await?;
            } else {
                let view = state_mode::view(loaded);
                Box::pin(state_mode::answer(options, cancel, cast, &view, path)).await?;
            }
        }
        Err(error) => record_unusable(path, started, Outcome::ScenarioError, &error.to_string())?,
    }
    Row::from_trace(path, relative)
        .map_err(|source| RunError::Folder(RunFolderError::Row { path: path.clone(), source }))
}

fn episode_started(shared: &Shared, planned: &Planned, file: &LoadedFile) -> EpisodeStarted {
    let loaded = file.result.as_ref().ok();
    let is_end_to_end = planned.mode == Mode::EndToEnd;
    EpisodeStarted {
        format: FORMAT,
        discreet_version: env!("CARGO_PKG_VERSION").to_owned(),
        run_id: shared.run_id.clone(),
        scenario_id: scenario_id(file),
        seed_family: loaded.map(|loaded| loaded.scenario.seed_family.clone()).unwrap_or_default(),
        failure_mode: loaded.map(|loaded| loaded.scenario.failure_mode.clone()).unwrap_or_default(),
        scenario_file: file.file.display().to_string(),
        scenario_hash: loaded.map(|loaded| loaded.scenario.content_hash.clone()).unwrap_or_default(),
        scenario: loaded.map(|loaded| loaded.public_json.clone()).unwrap_or_default(),
        target: loaded.map(|loaded| (&loaded.scenario.target).into()),
        agent: shared.agents.name(&planned.agent).to_owned(),
        model: shared.agents.model(&planned.agent).map(str::to_owned),
        mode: planned.mode.name().into(),
        observe: if is_end_to_end { shared.options.observe.name().into() } else { "state".into() },
        defense: shared.options.defenses[planned.defense].name.clone(),
        variation: planned.variation.factors(),
        browser: shared.browser.clone().filter(|_| is_end_to_end),
        trial: planned.trial,
        max_steps: if is_end_to_end { shared.options.max_steps } else { 1 },
        seed: episode_seed(
            shared.options.seed,
            &scenario_id(file),
            shared.agents.name(&planned.agent),
            planned.trial,
        ),
    }
}

/// A seed that depends on what an episode is, and not on when or beside what it runs.
fn episode_seed(seed: u64, scenario: &str, agent: &str, trial: u32) -> u64 {
    let digest = Sha256::digest(format!("{seed}\0{scenario}\0{agent}\0{trial}"));
    digest.iter().take(8).fold(0, |number, byte| (number << 8) | u64::from(*byte))
}
