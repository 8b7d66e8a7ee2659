//! A run: one owner of the truth, workers that only report.
//!
//! The dispatcher alone writes rows and tells the listener.

use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio::sync::mpsc;
use tracing::Instrument as _;

use super::cancel::Cancel;
use super::listener::{Listener, News};
use super::plan::{Mode, Planned, RunOptions, plan};
use super::pool::{Pool, sharing};
use super::run_error::RunError;
use super::worker::{Report, Shared, set_ups, work};
use crate::agent::Agents;
use crate::agent::model::Spending;
use crate::browser::{Browser, LaunchOptions};
use crate::error::{Deadline, Outcome};
use crate::report::{Episode, Manifest, ManifestScenario, Row, RunFolder, RunFolderError};
use crate::scenario::LoadedFile;
use crate::trace::BrowserRecord;
use crate::workspace::{Server, ServerOptions};

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
    /// What its models have used, answers from a cache left out.
    pub spending: Spending,
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
    let sharing = options.jobs_per_browser.unwrap_or_else(|| sharing(jobs));
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
        pool: Pool::new(launch, sharing, browser),
        set_ups: set_ups(),
    });
    let (reports, mut incoming) = mpsc::channel(64);
    let workers: Vec<_> = (0..jobs)
        .map(|_| tokio::spawn(work(Arc::clone(&shared), reports.clone()).in_current_span()))
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
    shared.pool.close().await;
    let spending = shared.agents.spending();
    if let Ok(shared) = Arc::try_unwrap(shared) {
        shared.server.shutdown(Deadline::after_ms(1_000)).await;
    }
    let path = folder.path().to_owned();
    let rows = folder.finish()?;
    Ok(RunSummary {
        folder: path,
        rows,
        planned: total,
        stopped_by,
        failures,
        failed_too_often,
        repeated,
        spending,
    })
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
pub(super) fn scenario_id(file: &LoadedFile) -> String {
    match &file.result {
        Ok(loaded) => loaded.scenario.scenario_id.clone(),
        Err(error) => error.scenario_id.clone().unwrap_or_else(|| {
            file.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
        }),
    }
}
