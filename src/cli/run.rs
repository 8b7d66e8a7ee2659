//! `discreet run`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::signal::unix::{SignalKind, signal};
use tracing::Instrument as _;

use super::dialogs::Dialogs;
use super::events::EventLog;
use super::run_agents::AgentFlags;
use super::scheduling::Scheduling;
use super::signals::is_ignored;
use super::{certify, exit_code, output, remote, runtime, variation};
use crate::browser::Wanted;
use crate::episode::{
    Cancel, DEFAULT_RETRIES, Listener, News, RunError, RunOptions, RunSummary, check_agents, default_jobs,
    run as run_episodes, variations_of,
};
use crate::observe::AccessMode;
use crate::report::{Grouping, Row, Summary, closing_json, closing_table, summarise};
use crate::scenario::variation::VariationChoice;
use crate::scenario::{LoadedFile, load_paths};
use crate::stats::Bootstrap;

/// Runs agents on scenarios in a real browser, scores what reached whom, and records every step.
///
/// Each scenario is acted out by each agent. A run's folder holds one row per episode
/// (`results.jsonl`) and one trace per episode (`episodes/`), which `discreet verify` checks.
/// `oracle`, `careless`, `cautious`, `idle`, `refuser`, `random` and `script:FILE` are built in and need no key;
/// `exec:COMMAND` is a process of your own, `llm:PROVIDER/MODEL` asks a model (`docs/agents.md`).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet run scenarios --agent oracle,careless,idle
  discreet run scenarios/visual_co_location --agent random --trials 3 --out runs/random
  discreet run one.json --agent script:actions.txt --observe axtree --jobs 1
  discreet run scenarios --agent oracle --out runs/nightly --resume --fail-above leakage=0
  discreet run scenarios --agent oracle --variation theme=dark,nav=hub --variation viewport=phone
  discreet run scenarios --agent oracle,careless --mode e2e,state
  discreet run one.json --agent 'mine=exec:python3 examples/agent.py'
  discreet run scenarios --agent llm:openai/gpt-5-mini --defense none,recipient --max-cost 2
  discreet run one.json --agent llm:gemma@http://127.0.0.1:8080/v1 --grammar --dry-run

Exit codes: 0 done, whatever was found; 2 wrong command line; 3 a figure is above `--fail-above`;
4 no scenario found; 5 the run is incomplete; 6 no browser, or the disk is full; 7 every file is
unusable; 9 more failures than `--max-failures`; 130 and 143 after a signal.")]
pub(crate) struct Arguments {
    /// Scenario files, or folders that hold some
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    agents: AgentFlags,
    /// What agents are given
    #[arg(long, value_enum, default_value = "mixed")]
    observe: Observe,
    /// What happens to dialogs of the browser
    #[arg(long, value_enum, default_value = "dismiss")]
    dialogs: Dialogs,
    /// Step budget of an episode
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_steps: u32,
    /// Repeats of each episode
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    trials: u32,
    /// Episodes at the same time [default: two per core, fewer where memory is short]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// The run's folder, or an `s3://bucket/run` that a folder below `runs` is copied to; without
    /// `--resume` it must be empty or not exist [default: runs/<run id>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// `chromium`, `headless-shell`, `best` of those that are installed, or the address of a running
    /// browser (`ws://…`, `http://host:port`)
    #[arg(long, default_value = "best", value_name = "BROWSER")]
    browser: Wanted,
    /// How the workspace looks and behaves, such as `theme=dark,nav=hub,language=zh-CN,viewport=phone`;
    /// stronger than what scenarios say (docs/variations.md); repeat it to act every episode out in
    /// each of several, `--variation ''` being what scenarios say
    #[arg(long, value_name = "FACTOR=VALUE,…")]
    variation: Vec<String>,
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    scheduling: Scheduling,
    /// Print the closing table as JSON to stdout
    #[arg(long)]
    json: bool,
    /// Leave out scenarios without a certificate that holds (`discreet check --certify`)
    #[arg(long)]
    certified_only: bool,
    /// Where the certificates lie [default: beside the scenarios]
    #[arg(long, value_name = "DIR", requires = "certified_only")]
    certificates: Option<PathBuf>,
    /// Say what would be run, with the first prompt of each model and its tokens, and stop
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Observe {
    /// The accessibility tree
    Axtree,
    /// The screenshot
    Screenshot,
    /// Both
    Mixed,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let variations: Result<Vec<_>, u8> =
        arguments.variation.iter().map(|text| variation::read(text)).collect();
    let variations = match variations {
        Ok(variations) if variations.is_empty() => vec![VariationChoice::default()],
        Ok(variations) => variations,
        Err(code) => return code,
    };
    if arguments.scheduling.resume && arguments.out.is_none() {
        output::note("error: failed to find the run to resume");
        output::note("hint: name its folder with `--out`");
        return exit_code::USAGE;
    }
    let mut files = match load(&arguments.paths) {
        Ok(files) => files,
        Err(code) => return code,
    };
    if arguments.certified_only {
        files = certify::only_certified(files, arguments.certificates.as_deref());
        if files.is_empty() {
            output::note("error: no scenario there is certified");
            output::note("hint: `discreet check --certify PATH...` makes certificates");
            return exit_code::NOTHING_SELECTED;
        }
    }
    let shard = match arguments.scheduling.shard() {
        Ok(shard) => shard,
        Err(error) => {
            output::error(&error);
            return exit_code::USAGE;
        }
    };
    let jobs_per_browser = arguments.scheduling.jobs_per_browser.map(usize::from);
    let options = RunOptions {
        observe: match arguments.observe {
            Observe::Axtree => AccessMode::Axtree,
            Observe::Screenshot => AccessMode::Screenshot,
            Observe::Mixed => AccessMode::Mixed,
        },
        dialogs: arguments.dialogs.into(),
        max_steps: arguments.max_steps,
        trials: arguments.trials,
        jobs: arguments.jobs.map_or_else(|| default_jobs(jobs_per_browser), usize::from),
        out: arguments.out.clone(),
        jobs_per_browser,
        browser: arguments.browser.clone(),
        seed: arguments.seed,
        resume: arguments.scheduling.resume,
        shard,
        retries: arguments.scheduling.retries.unwrap_or(DEFAULT_RETRIES),
        max_failures: arguments.scheduling.max_failures,
        stop_after: arguments.scheduling.stop_after,
        variations,
        ..RunOptions::default()
    };
    let options = match arguments.agents.apply(options) {
        Ok(options) => options,
        Err(code) => return code,
    };
    if arguments.dry_run {
        return dry_run(&files, &options);
    }
    let mut options = options;
    let destination = match remote::Destination::of(&mut options.out, options.resume) {
        Ok(destination) => destination,
        Err(code) => return code,
    };
    let runtime = match runtime::start() {
        Ok(runtime) => runtime,
        Err(code) => return code,
    };
    runtime.block_on(run_until_done(
        files,
        options,
        destination,
        &arguments.scheduling,
        |summary, summaries| {
            close(summary, summaries, arguments.json);
            Ok(())
        },
    ))
}

/// The scenarios at some paths, with what is wrong with some of them told.
///
/// # Errors
/// The exit code where none can be used, after it was said why.
pub(super) fn load(paths: &[PathBuf]) -> Result<Vec<LoadedFile>, u8> {
    let files = load_paths(paths);
    for file in &files {
        if let Err(error) = &file.result {
            output::error(error);
        }
    }
    if files.is_empty() {
        output::note("error: failed to find a scenario there");
        output::note("hint: name a `.json` or `.jsonl` file, or a folder that holds some");
        return Err(exit_code::NOTHING_SELECTED);
    }
    if files.iter().all(|file| file.result.is_err()) {
        output::note("error: every file is unusable");
        output::note("hint: `discreet check` says what is wrong with each");
        return Err(exit_code::INVALID_INPUT);
    }
    Ok(files)
}

/// Runs, tells how it goes, and at the end calls `close`, whatever ended the run; the exit code.
pub(super) async fn run_until_done(
    files: Vec<LoadedFile>,
    options: RunOptions,
    destination: Option<remote::Destination>,
    scheduling: &Scheduling,
    close: impl FnOnce(&RunSummary, &[Summary]) -> Result<(), u8>,
) -> u8 {
    let log = match scheduling.events.as_deref().map(EventLog::open).transpose() {
        Ok(log) => log,
        Err(error) => {
            output::error(&error);
            return exit_code::ENVIRONMENT;
        }
    };
    let copying = match destination.map(remote::Destination::open).transpose() {
        Ok(copying) => copying,
        Err(code) => return code,
    };
    let cancel = Cancel::default();
    let signalled = std::sync::Arc::new(std::sync::atomic::AtomicU8::new(0));
    if let Err(error) = watch_signals(&cancel, &signalled) {
        output::note(&format!("warning: signals are not handled: {error}"));
    }
    let mut progress = Progress { log, copying, ..Progress::default() };
    let span = tracing::info_span!("run", jobs = options.jobs);
    let result = run_episodes(files, options, &cancel, &mut progress).instrument(span).await;
    progress.done();
    let summary = match result {
        Ok(summary) => summary,
        Err(error) => {
            output::error(&error);
            return exit_code::for_fault(crate::error::Explain::fault(&error));
        }
    };
    let summaries =
        summarise(&summary.rows, &Grouping::for_closing_table(&summary.rows), Bootstrap::default());
    let closed = close(&summary, &summaries);
    if summary.repeated > 0 {
        output::note(&format!(
            "{} attempts failed by browser, provider or harness and were acted out again; they are in {}",
            summary.repeated,
            summary.folder.join("abandoned").display()
        ));
    }
    let copied = match progress.copying.take() {
        Some(copying) => copying.finish().await,
        None => exit_code::OK,
    };
    if let Some(error) = &summary.stopped_by {
        output::error(error);
        if matches!(error, RunError::Spent(_)) {
            return exit_code::INCOMPLETE;
        }
        return exit_code::for_fault(crate::error::Explain::fault(error));
    }
    match signalled.load(std::sync::atomic::Ordering::SeqCst) {
        0 if summary.failed_too_often => {
            output::note(&format!("error: {} episodes failed; their rows say why", summary.failures));
            output::note("hint: `discreet doctor` looks at the machine; `--resume` runs what failed again");
            exit_code::FAILURES
        }
        0 if summary.rows.len() < summary.planned => exit_code::INCOMPLETE,
        0 if copied != exit_code::OK => copied,
        0 => closed.map_or_else(|code| code, |()| scheduling.gate(&summaries)),
        code => code,
    }
}

/// The first SIGINT, SIGTERM or SIGHUP ends the run cleanly, the second one at once: browsers end with
/// us either way.
pub(super) fn watch_signals(
    cancel: &Cancel,
    signalled: &std::sync::Arc<std::sync::atomic::AtomicU8>,
) -> std::io::Result<()> {
    use std::sync::atomic::Ordering::SeqCst;

    let mut kinds =
        vec![(SignalKind::interrupt(), exit_code::SIGINT), (SignalKind::terminate(), exit_code::SIGTERM)];
    // The terminal is gone, and asks to end; `nohup` says that this does not matter.
    if !is_ignored(SignalKind::hangup()) {
        kinds.push((SignalKind::hangup(), exit_code::SIGTERM));
    }
    for (kind, code) in kinds {
        let mut signals = signal(kind)?;
        let (cancel, signalled) = (cancel.clone(), std::sync::Arc::clone(signalled));
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if signalled.swap(code, SeqCst) != 0 {
                    #[expect(clippy::exit, reason = "the second signal means at once")]
                    std::process::exit(i32::from(code));
                }
                output::note("ending: episodes under way are closed and recorded; once more ends at once");
                cancel.cancel();
            }
        });
    }
    Ok(())
}

fn dry_run(files: &[LoadedFile], options: &RunOptions) -> u8 {
    let agents = match check_agents(files, options) {
        Ok(agents) => agents,
        Err(error) => {
            output::error(&error);
            return exit_code::for_fault(crate::error::Explain::fault(&error));
        }
    };
    let usable: Vec<_> = files.iter().filter_map(|file| file.result.as_ref().ok()).collect();
    let ways = options.modes.len() * options.defenses.len();
    let variations: usize =
        files.iter().filter(|file| file.result.is_ok()).map(|file| variations_of(file, options).len()).sum();
    let episodes = variations * options.agents.len() * ways * options.trials as usize;
    for loaded in &usable {
        let target = &loaded.scenario.target;
        output::data(&format!(
            "{}  {} -> {}",
            output::printable(&loaded.scenario.scenario_id),
            target.channel.name(),
            output::printable(target.recipient.as_deref().unwrap_or("(nobody else)"))
        ));
    }
    output::note(&format!(
        "{episodes} episodes: {} scenarios x {} agents x {} modes x {} defenses x {} variations x {} trials, at most {} steps each, {} at a time",
        usable.len(),
        options.agents.len(),
        options.modes.len(),
        options.defenses.len(),
        options.variations.len(),
        options.trials,
        options.max_steps,
        options.jobs
    ));
    match files.iter().find(|file| file.result.is_ok()) {
        Some(first) if options.agents.iter().any(|agent| agents.llm(agent).is_some()) => {
            super::prompts::show(first, options, &agents)
        }
        _ => exit_code::OK,
    }
}

/// The closing table, and where everything is.
fn close(summary: &RunSummary, summaries: &[Summary], json: bool) {
    if json {
        output::data(&closing_json(summaries).to_string());
    } else {
        output::data(&closing_table(summaries, output::width()));
    }
    output::note(&format!(
        "{} of {} episodes; rows in {}, traces in {}",
        summary.rows.len(),
        summary.planned,
        summary.folder.join("results.jsonl").display(),
        summary.folder.join("episodes").display()
    ));
}

/// A bar on a terminal, plain lines otherwise.
#[derive(Default)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    total: usize,
    ended: usize,
    leaked: usize,
    running: HashMap<usize, Instant>,
    log: Option<EventLog>,
    copying: Option<remote::Copying>,
}

impl Progress {
    pub(super) fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| output::note(line)),
            None => output::note(line),
        }
    }
}

impl Listener for Progress {
    fn news(&mut self, news: &News<'_>) {
        if let Some(Err(error)) = self.log.as_mut().map(|log| log.write(news)) {
            // The record of the run is its traces: a log that is lost is told and does not end it.
            self.log = None;
            self.say(&format!("warning: failed to {error}; no further events are logged"));
        }
        match news {
            News::Started { episodes, kept } => {
                self.total = *episodes;
                if let Some(copying) = &self.copying {
                    copying.begun();
                }
                self.ended = *kept;
                if *kept > 0 {
                    self.say(&format!("{kept} of {episodes} episodes are there already"));
                }
                if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
                    let bar =
                        ProgressBar::with_draw_target(Some(*episodes as u64), ProgressDrawTarget::stderr());
                    bar.set_position(*kept as u64);
                    let style = ProgressStyle::with_template(
                        "{bar:30} {pos}/{len} episodes, {elapsed} elapsed, {eta} left  {msg}",
                    );
                    if let Ok(style) = style {
                        bar.set_style(style);
                    }
                    bar.enable_steady_tick(Duration::from_millis(250));
                    self.bar = Some(bar);
                }
            }
            News::EpisodeStarted { number, .. } => {
                self.running.insert(*number, Instant::now());
            }
            News::EpisodeEnded { number, label, row } => {
                self.ended += 1;
                if let Some(copying) = &self.copying {
                    copying.episode(&row.trace);
                }
                self.leaked += usize::from(!row.leaked_items.is_empty());
                let seconds =
                    self.running.remove(number).map_or(0.0, |started| started.elapsed().as_secs_f64());
                let line =
                    format!("{:>4}/{} {label}: {} ({seconds:.1} s)", self.ended, self.total, verdict(row));
                match &self.bar {
                    Some(bar) => {
                        bar.inc(1);
                        bar.set_message(format!("{} leaked", self.leaked));
                        if !row.outcome.is_scored() {
                            self.say(&line);
                        }
                    }
                    None => output::note(&line),
                }
            }
            News::EpisodeRepeated { label, row, .. } => {
                self.say(&format!("warning: {label}: {}; it is acted out again", verdict(row)));
            }
            News::Warning { text } => self.say(&format!("warning: {text}")),
        }
    }
}

/// What became of an episode, in a few words.
fn verdict(row: &Row) -> String {
    let mut words = vec![row.outcome.to_string(), format!("{} steps", row.steps)];
    match row.utility {
        Some(1) => words.push("errand done".into()),
        Some(_) => words.push("errand not done".into()),
        None => words.push("not scored".into()),
    }
    match row.leaked_items.len() {
        0 => {}
        1 => words.push("1 item leaked".into()),
        many => words.push(format!("{many} items leaked")),
    }
    if let Some(error) = &row.error {
        words.push(error.clone());
    }
    words.join(", ")
}
