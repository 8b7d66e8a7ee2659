//! A run: one owner of the truth, workers that only report.
//!
//! The dispatcher alone writes rows and tells the listener; workers take planned episodes from one
//! queue, each with a browser of its own, so that a browser that dies takes one episode with it.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::sync::{mpsc, oneshot};
use tracing::Instrument as _;

use super::act::{Cast, Stage, act_out, record_unusable};
use super::cancel::Cancel;
use super::listener::{Listener, News};
use super::plan::{Mode, Planned, RunOptions, plan};
use super::run_error::RunError;
use super::state_mode;
use super::warm::WarmSeat;
use crate::agent::model::Spending;
use crate::agent::{Agents, OracleBrief};
use crate::browser::{Browser, BrowserError, LaunchOptions};
use crate::error::{Deadline, Outcome};
use crate::report::{Episode, Manifest, ManifestScenario, Row, RunFolder, RunFolderError};
use crate::scenario::LoadedFile;
use crate::trace::{BrowserRecord, EpisodeStarted, FORMAT};
use crate::workspace::{Server, ServerOptions};

/// Episodes after which a browser is replaced by a fresh one, so that nothing it keeps adds up.
const EPISODES_PER_BROWSER: u32 = 100;

/// What became of a run.
#[derive(Debug)]
pub struct RunSummary {
    /// The run's folder.
    pub folder: PathBuf,
    /// All rows in the order of results.
    pub rows: Vec<Row>,
    /// Episodes that were planned.
    pub planned: usize,
    /// Why the run stopped before its end, if it did.
    pub stopped_by: Option<RunError>,
    /// Episodes that ended by no doing of the agent, or in an agent that did not answer.
    pub failures: usize,
    /// Whether these were more than the run was to bear.
    pub failed_too_often: bool,
    /// Attempts that no doing of the agent ended, and that were acted out again.
    pub repeated: usize,
}

/// What a worker tells.
enum Report {
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
struct Shared {
    server: Server,
    options: RunOptions,
    files: Vec<LoadedFile>,
    cancel: Cancel,
    queue: Mutex<VecDeque<(Planned, Episode)>>,
    stopped: AtomicBool,
    agents: Agents,
    run_id: String,
    /// `None` where no episode needs one.
    browser: Option<BrowserRecord>,
    launch: LaunchOptions,
}

/// Runs every agent on every scenario.
///
/// # Errors
/// [`RunError`] when the run cannot start. One that stops later is in [`RunSummary::stopped_by`],
/// with everything that was done until then.
pub async fn run(
    files: Vec<LoadedFile>,
    options: RunOptions,
    cancel: &Cancel,
    listener: &mut (dyn Listener + Send),
) -> Result<RunSummary, RunError> {
    let agents = check_agents(&files, &options)?;
    // Episodes are numbered in this order, which has to be the same when the run is gone on with.
    let options = RunOptions { agents: agents.in_order(), ..options };
    let server = Server::start(ServerOptions::default()).await?;
    let launch = LaunchOptions {
        wanted: options.browser.clone(),
        proxy: Some(format!("http://{}", server.address())),
        guard_executable: options.guard_executable.clone(),
        ..LaunchOptions::default()
    };
    let needs_browser = options.modes.contains(&Mode::EndToEnd);
    let mut browser = if needs_browser { Some(Browser::launch(&launch).await?) } else { None };
    let identity = browser.as_ref().map(|browser| browser.identity().clone());
    let created = jiff::Timestamp::now();
    let mut run_id = format!("run-{}", created.strftime("%Y%m%d-%H%M%S-%3f"));
    let mut planned = plan(&files, &options);
    let manifest = Manifest {
        browser: identity.as_ref().map(|identity| identity.product.clone()),
        episodes: planned.len() as u64,
        ..manifest(&files, &options, &agents, &run_id, created)
    };
    if let Some(shard) = options.shard {
        planned.retain(|planned| shard.holds(planned.number as u64));
    }
    let total = planned.len();
    let prepared = prepare(manifest, &options, &files, &agents, planned);
    let (mut folder, queue) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            if let Some(browser) = browser.take() {
                browser.close().await;
            }
            return Err(error.into());
        }
    };
    let mut stopped_by = agents.spent().map(RunError::Spent);
    // A resumed run goes on under the name it was started with.
    folder.manifest().run_id.clone_into(&mut run_id);
    listener.news(&News::Started { episodes: total, kept: total - queue.len() });
    let jobs = options.jobs.clamp(1, queue.len().max(1));
    let stop_after = options.stop_after;
    let max_failures = options.max_failures;
    let shared = Arc::new(Shared {
        server,
        options,
        files,
        cancel: cancel.clone(),
        queue: Mutex::new(queue),
        stopped: AtomicBool::new(stopped_by.is_some()),
        agents,
        run_id,
        browser: identity.map(|identity| BrowserRecord {
            kind: identity.kind.to_owned(),
            product: identity.product,
            // The proxy's port differs from run to run and decides nothing.
            flags: identity.flags.into_iter().filter(|flag| !flag.starts_with("--proxy-server=")).collect(),
        }),
        launch,
    });
    let (reports, mut incoming) = mpsc::channel(64);
    let workers: Vec<_> = (0..jobs)
        .map(|_| tokio::spawn(work(Arc::clone(&shared), browser.take(), reports.clone()).in_current_span()))
        .collect();
    drop(reports);
    let mut failures = 0;
    let mut repeated = 0;
    let mut failed_too_often = false;
    let time_is_up = async {
        match stop_after {
            Some(within) => tokio::time::sleep(within).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(time_is_up);
    let mut is_time_up = false;
    loop {
        let report = tokio::select! {
            report = incoming.recv() => report,
            () = &mut time_is_up, if !is_time_up => {
                is_time_up = true;
                shared.stop();
                listener.news(&News::Warning { text: "the run's time is up: no further episodes are started" });
                continue;
            }
        };
        let Some(report) = report else { break };
        match report {
            Report::Started(number, label) => listener.news(&News::EpisodeStarted { number, label: &label }),
            Report::Ended { number, label, row, weighed } => {
                if let Err(error) = keep(&mut folder, &shared.agents, &row) {
                    stopped_by.get_or_insert(error.into());
                    shared.stop();
                }
                listener.news(&News::EpisodeEnded { number, label: &label, row: &row });
                if let Some(spent) = shared.agents.spent() {
                    stopped_by.get_or_insert(RunError::Spent(spent));
                    shared.stop();
                }
                failures += usize::from(is_failure(row.outcome));
                if !failed_too_often && max_failures.is_some_and(|limit| failures > limit as usize) {
                    failed_too_often = true;
                    shared.stop();
                    let text = format!("{failures} episodes failed: no further ones are started");
                    listener.news(&News::Warning { text: &text });
                }
                // A worker that is gone needs no answer.
                let _ = weighed.send(());
            }
            Report::Repeated { number, label, row } => {
                repeated += 1;
                if let Err(error) = keep(&mut folder, &shared.agents, &row) {
                    stopped_by.get_or_insert(error.into());
                    shared.stop();
                }
                listener.news(&News::EpisodeRepeated { number, label: &label, row: &row });
            }
            Report::Warning(text) => listener.news(&News::Warning { text: &text }),
            Report::Fatal(error) => {
                stopped_by.get_or_insert(error);
                shared.stop();
            }
        }
    }
    for worker in workers {
        if let Err(error) = worker.await {
            tracing::error!(%error, "a worker ended abnormally");
        }
    }
    if let Ok(shared) = Arc::try_unwrap(shared) {
        shared.server.shutdown(Deadline::after_ms(1_000)).await;
    }
    let path = folder.path().to_owned();
    let rows = folder.finish()?;
    Ok(RunSummary { folder: path, rows, planned: total, stopped_by, failures, failed_too_often, repeated })
}

/// Keeps an attempt's row, and what the models have used, where there are any.
fn keep(folder: &mut RunFolder, agents: &Agents, row: &Row) -> Result<(), RunFolderError> {
    folder.append_partial(row)?;
    let spending = agents.spending();
    if spending == Spending::default() { Ok(()) } else { folder.keep_spending(spending) }
}

/// An episode that says nothing about the agent, or only that it did not answer.
const fn is_failure(outcome: Outcome) -> bool {
    !outcome.is_scored()
        && !matches!(outcome, Outcome::Interrupted | Outcome::ScenarioError | Outcome::Blocked)
}

/// Opens the run's folder and makes room for every episode that is to be acted out: all of those
/// planned, or those that a resumed run does not have.
fn prepare(
    manifest: Manifest,
    options: &RunOptions,
    files: &[LoadedFile],
    agents: &Agents,
    planned: Vec<Planned>,
) -> Result<(RunFolder, VecDeque<(Planned, Episode)>), RunFolderError> {
    let folder = if options.resume {
        RunFolder::resume(options.out.as_deref(), manifest)?
    } else {
        RunFolder::create(options.out.as_deref(), manifest)?
    };
    let finished = folder.finished_episodes()?;
    // What was spent before counts for the run, also where it was in vain.
    agents.count_spending(folder.spending().unwrap_or_else(|| {
        agents.spending_of(finished.iter().map(|(_, row)| (row.agent.as_str(), row.usage.as_ref())))
    }));
    let kept: BTreeSet<u64> = finished
        .into_iter()
        .filter(|(_, row)| !row.outcome.is_worth_repeating())
        .map(|(episode, _)| episode.number)
        .collect();
    let queue: Result<_, RunFolderError> = planned
        .into_iter()
        .filter(|planned| !kept.contains(&(planned.number as u64)))
        .map(|planned| {
            let name = format!("{}-{}", scenario_id(&files[planned.file]), agents.name(&planned.agent));
            let episode = folder.episode_dir(planned.number as u64, &name)?;
            Ok((planned, episode))
        })
        .collect();
    let queue = queue?;
    Ok((folder, queue))
}

impl Shared {
    fn next(&self) -> Option<(Planned, Episode)> {
        if self.is_ending() {
            return None;
        }
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    fn gives_another_try(&self, planned: &Planned, outcome: Outcome) -> bool {
        let is_worth_it = match self.options.retries {
            Some(times) => planned.attempt < times && outcome.is_worth_repeating(),
            None => planned.attempt < 1 && outcome.is_lost(),
        };
        is_worth_it && self.agents.spent().is_none() && !self.is_ending()
    }

    fn put_back(&self, planned: Planned, place: Episode) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).push_front((planned, place));
    }

    /// Whether episodes wait for a worker.
    fn has_more(&self) -> bool {
        !self.queue.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// No more episodes: those under way end by themselves.
    fn stop(&self) {
        self.stopped.store(true, SeqCst);
    }

    fn is_ending(&self) -> bool {
        self.stopped.load(SeqCst) || self.cancel.is_cancelled()
    }
}

/// Finds unknown agents, unreadable scripts and models without a key before anything is started.
///
/// # Errors
/// [`RunError::Agent`], or [`RunError::NoneUsable`].
pub fn check_agents(files: &[LoadedFile], options: &RunOptions) -> Result<Agents, RunError> {
    let agents = Agents::new(&options.agents, &options.agent_options)?;
    if options.modes.contains(&Mode::State) {
        agents.check_state_mode()?;
    }
    if !files.iter().any(|file| file.result.is_ok()) {
        return Err(RunError::NoneUsable(files.len()));
    }
    Ok(agents)
}

fn brief(loaded: &crate::scenario::LoadedScenario) -> OracleBrief {
    OracleBrief::of(&loaded.scenario, &loaded.ground_truth)
}

fn manifest(
    files: &[LoadedFile],
    options: &RunOptions,
    agents: &Agents,
    run_id: &str,
    created: jiff::Timestamp,
) -> Manifest {
    let mut settings = json!({
        "agents": agents.settings(),
        "modes": options.modes.iter().map(|mode| mode.name()).collect::<Vec<_>>(),
        "observe": options.observe.name(),
        "dialogs": options.dialogs.name(),
        "defenses": options
            .defenses
            .iter()
            .map(|defense| json!({ "name": defense.name, "text": defense.text }))
            .collect::<Vec<_>>(),
        "max_steps": options.max_steps,
        "trials": options.trials,
        "seed": options.seed,
    });
    match options.variations.as_slice() {
        [one] => settings["variation"] = json!(one.factors()),
        several => settings["variations"] = several.iter().map(|one| json!(one.factors())).collect(),
    }
    if let Some(study) = &options.study {
        settings["study"] = json!(study);
    }
    Manifest {
        run_id: run_id.to_owned(),
        created,
        discreet_version: env!("CARGO_PKG_VERSION").to_owned(),
        settings,
        scenarios: files.iter().map(manifest_scenario).collect(),
        browser: None,
        episodes: 0,
        shard: options.shard,
    }
}

fn manifest_scenario(file: &LoadedFile) -> ManifestScenario {
    ManifestScenario {
        file: file.file.display().to_string(),
        line: file.line.map(|line| line as u64),
        scenario_id: scenario_id(file),
        hash: file.result.as_ref().map(|loaded| loaded.scenario.content_hash.clone()).unwrap_or_default(),
    }
}

/// What rows call a scenario: its id, or the file's name where it could not be loaded.
fn scenario_id(file: &LoadedFile) -> String {
    match &file.result {
        Ok(loaded) => loaded.scenario.scenario_id.clone(),
        Err(error) => error.scenario_id.clone().unwrap_or_else(|| {
            file.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
        }),
    }
}

/// Takes episodes from the queue until there are none.
async fn work(shared: Arc<Shared>, mut browser: Option<Browser>, reports: mpsc::Sender<Report>) {
    let mut episodes_of_browser = 0;
    let mut seat = WarmSeat::default();
    while let Some((mut planned, place)) = shared.next() {
        let file = &shared.files[planned.file];
        let label = label(&shared, &planned, file);
        // A receiver that is gone means that the run is over.
        let _ = reports.send(Report::Started(planned.number, label.clone())).await;
        if episodes_of_browser >= EPISODES_PER_BROWSER || browser.as_ref().is_some_and(Browser::is_lost) {
            if let Some(old) = browser.take() {
                old.close().await;
            }
            episodes_of_browser = 0;
        }
        if browser.is_none() && planned.mode == Mode::EndToEnd {
            match launch(&shared, &reports).await {
                Ok(launched) => {
                    browser = Some(launched);
                    seat = WarmSeat::default();
                }
                Err(error) => {
                    let _ = reports.send(Report::Fatal(error.into())).await;
                    break;
                }
            }
        }
        episodes_of_browser += 1;
        let acted = async {
            let span = episode_span(&shared, &planned, file);
            let acted = Box::pin(episode(&shared, &place, browser.as_ref(), &seat, &planned, file));
            let acted = acted.instrument(span.clone()).await;
            if let Ok(row) = &acted {
                span.record("outcome", tracing::field::display(row.outcome));
                tracing::info!(parent: &span, steps = row.steps, "the episode ended");
            }
            seat.end_wishes();
            acted
        };
        // The next episode's context is made ready beside this one, unless there is no next one.
        let ((), acted) = tokio::join!(
            async {
                if let Some(running) = browser.as_ref().filter(|_| shared.has_more()) {
                    tokio::select! {
                        () = seat.make_ready(&shared.server, running) => {}
                        () = shared.cancel.cancelled() => {}
                    }
                }
            },
            acted
        );
        match acted {
            Ok(row) => {
                if is_browsers_fault(row.outcome) {
                    episodes_of_browser = EPISODES_PER_BROWSER;
                }
                let (number, row) = (planned.number, Box::new(row));
                if shared.gives_another_try(&planned, row.outcome) {
                    if let Err(error) = place.set_aside() {
                        let _ = reports.send(Report::Fatal(error.into())).await;
                        break;
                    }
                    let _ = reports.send(Report::Repeated { number, label, row }).await;
                    planned.attempt += 1;
                    shared.put_back(planned, place);
                } else {
                    let (weighed, is_weighed) = oneshot::channel();
                    let _ = reports.send(Report::Ended { number, label, row, weighed }).await;
                    let _ = is_weighed.await;
                }
            }
            Err(error) => {
                let _ = reports.send(Report::Fatal(error)).await;
                break;
            }
        }
    }
    if let Some(browser) = browser {
        browser.close().await;
    }
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

/// Starts a browser; one that fails to start gets a second chance.
async fn launch(shared: &Shared, reports: &mpsc::Sender<Report>) -> Result<Browser, BrowserError> {
    match Browser::launch(&shared.launch).await {
        Ok(browser) => Ok(browser),
        Err(error) => {
            let _ = reports.send(Report::Warning(format!("failed to {error}; trying once more"))).await;
            Browser::launch(&shared.launch).await
        }
    }
}

async fn episode(
    shared: &Shared,
    Episode { path, relative, .. }: &Episode,
    browser: Option<&Browser>,
    seat: &WarmSeat,
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
            if let Some(browser) = browser.filter(|_| planned.mode == Mode::EndToEnd) {
                let stage = Stage { server: &shared.server, browser, options, cancel, seat };
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
