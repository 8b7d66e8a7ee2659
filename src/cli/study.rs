//! `discreet study`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::run::{load, run_until_done};
use super::scheduling::{Scheduling, duration};
use super::study_file::{StudyFile, StudyMode, StudyObserve};
use super::{exit_code, output, remote, runtime};
use crate::agent::{AgentOptions, Agents, Defense};
use crate::browser::Wanted;
use crate::config::env_vars;
use crate::episode::{
    Estimate, Mode, RunOptions, RunSummary, assumptions, check_agents, default_jobs, estimate, preview,
};
use crate::error::Explain;
use crate::observe::AccessMode;
use crate::report::remote::Address;
use crate::report::{
    Cases, Report, RunFolder, is_run, printable, report_csv, report_html, report_json, report_text,
};
use crate::scenario::LoadedFile;
use crate::stats::Bootstrap;

/// The report's files in the run's folder.
const REPORT_HTML: &str = "report.html";
const REPORT_JSON: &str = "report.json";
const REPORT_CSV: &str = "report.csv";

/// Runs a study that one file describes, and reports on it.
///
/// Scenarios x agents x modes x defenses x variations x trials are one run: one folder, one manifest,
/// one `results.jsonl`. Before it starts it says how many episodes, tokens and minutes to expect. At its
/// end stands one report, in which agents that met the scenarios in both modes are compared, state-grounded
/// against end-to-end, paired by scenario (`docs/study.md`).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet study examples/transfer-study.toml --dry-run
  discreet study examples/transfer-study.toml
  discreet study examples/transfer-study.toml --resume
  discreet study mine.toml --shard 1/3        # 2/3 and 3/3 elsewhere, then:
  discreet merge runs/mine-shard-*-of-3 --out runs/mine && discreet report runs/mine --html report.html

Exit codes: as for `discreet run`; 2 also for a study file that is wrong.")]
pub(crate) struct Arguments {
    /// The study, in TOML; `discreet schema study` lists its keys
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The run's folder [default: what the file says, or runs/ and the study's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Episodes at the same time [default: what the file says, or from cores and memory]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// `chromium`, `headless-shell`, `best`, or the address of a running browser
    #[arg(long, value_name = "BROWSER")]
    browser: Option<Wanted>,
    #[command(flatten)]
    scheduling: Scheduling,
    /// Print the report as JSON to stdout; with `--dry-run`, what to expect
    #[arg(long)]
    json: bool,
    /// Say what to expect, and stop
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    match prepare(arguments) {
        Ok(prepared) => prepared.go_on(arguments),
        Err(code) => code,
    }
}

/// A study that could start.
struct Prepared {
    name: String,
    files: Vec<LoadedFile>,
    options: RunOptions,
    agents: Agents,
}

fn prepare(arguments: &Arguments) -> Result<Prepared, u8> {
    let study = StudyFile::read(&arguments.file).map_err(|error| refused(&error))?;
    let folder = arguments.file.parent().unwrap_or(Path::new("")).to_owned();
    let paths: Vec<PathBuf> = study.scenarios.iter().map(|path| folder.join(path)).collect();
    let files = load(&paths)?;
    let name = study.name.clone();
    let options = options(study, &folder, arguments)?;
    let agents = check_agents(&files, &options).map_err(|error| refused(&error))?;
    Ok(Prepared { name, files, options, agents })
}

fn refused(error: &dyn Explain) -> u8 {
    output::error(error);
    exit_code::for_fault(error.fault())
}

/// What the file and the flags say together; flags are stronger.
fn options(study: StudyFile, folder: &Path, arguments: &Arguments) -> Result<RunOptions, u8> {
    let scheduling = &arguments.scheduling;
    let limits = study.limits;
    let shard = scheduling.shard().map_err(|error| refused(&error))?;
    let out = arguments.out.clone().unwrap_or_else(|| {
        let out = match study.out {
            None => Path::new("runs").join(&study.name),
            Some(out) if Address::parse(&out).is_some() => out,
            Some(out) => folder.join(out),
        };
        // Shards of one file do not write into one folder.
        match shard {
            Some(shard) => {
                let mut name = out.into_os_string();
                name.push(format!("-shard-{}-of-{}", shard.index(), shard.count()));
                name.into()
            }
            None => out,
        }
    });
    let browser = match (&arguments.browser, &study.browser) {
        (Some(flag), _) => flag.clone(),
        (None, Some(text)) => text.parse().map_err(|error: <Wanted as std::str::FromStr>::Err| {
            wrong(
                &format!("`browser` cannot be `{text}`: {error}"),
                "`chromium`, `headless-shell`, `best` or an address",
            )
        })?,
        (None, None) => Wanted::Best,
    };
    let stop_after = match (&scheduling.stop_after, &limits.stop_after) {
        (Some(flag), _) => Some(*flag),
        (None, Some(text)) => Some(
            duration(text)
                .map_err(|error| wrong(&format!("`stop_after`: {error}"), "such as `90m` or `8h`"))?,
        ),
        (None, None) => None,
    };
    let mut agents: Vec<String> = study.agents.iter().map(|asked| beside(asked, folder)).collect();
    let mut configs = BTreeMap::new();
    for agent in study.agent {
        let asked = match (agent.model, agent.command) {
            (Some(model), _) => format!("{}=llm:{model}", agent.name),
            (None, command) => format!("{}=exec:{}", agent.name, command.unwrap_or_default()),
        };
        if let Some(config) = agent.config {
            configs.insert(asked.clone(), folder.join(config));
        }
        agents.push(asked);
    }
    let mut modes: Vec<Mode> = study.modes.iter().map(|mode| mode_of(*mode)).collect();
    modes.sort();
    modes.dedup();
    let usual = RunOptions::default();
    let jobs_per_browser = scheduling.jobs_per_browser.map(usize::from);
    Ok(RunOptions {
        agents,
        agent_options: AgentOptions {
            config: study.agent_config.map(|path| folder.join(path)),
            configs,
            environment: study.agent_env,
            cache: study.llm_cache.map(|path| folder.join(path)),
            offline: env_vars::is_offline(),
            max_tokens: limits.max_tokens,
            max_cost: limits.max_cost,
            ..AgentOptions::default()
        },
        modes,
        study: Some(study.name),
        defenses: defenses(&study.defenses, folder)?,
        observe: match study.observe {
            StudyObserve::Axtree => AccessMode::Axtree,
            StudyObserve::Screenshot => AccessMode::Screenshot,
            StudyObserve::Mixed => AccessMode::Mixed,
        },
        max_steps: study.max_steps,
        trials: study.trials,
        jobs: arguments.jobs.or(limits.jobs).map_or_else(|| default_jobs(jobs_per_browser), usize::from),
        jobs_per_browser,
        out: Some(out),
        browser,
        seed: study.seed,
        variations: study.variations.iter().map(|one| one.0).collect(),
        agent_within: limits
            .agent_timeout
            .map_or(usual.agent_within, |seconds| std::time::Duration::from_secs(seconds.into())),
        resume: scheduling.resume,
        shard,
        retries: scheduling.retries.or(limits.retries).unwrap_or(usual.retries),
        max_failures: scheduling.max_failures.or(limits.max_failures),
        stop_after,
        ..usual
    })
}

fn wrong(what: &str, hint: &str) -> u8 {
    output::note(&format!("error: failed to use the study: {what}"));
    output::note(&format!("hint: {hint}"));
    exit_code::USAGE
}

/// The script of a `script:` agent lies beside the study.
fn beside(asked: &str, folder: &Path) -> String {
    let (label, agent) =
        asked.split_once('=').filter(|(label, _)| !label.contains(':')).unwrap_or(("", asked));
    match agent.strip_prefix("script:") {
        Some(path) if label.is_empty() => format!("script:{}", folder.join(path).display()),
        Some(path) => format!("{label}=script:{}", folder.join(path).display()),
        None => asked.to_owned(),
    }
}

const fn mode_of(mode: StudyMode) -> Mode {
    match mode {
        StudyMode::E2e => Mode::EndToEnd,
        StudyMode::State => Mode::State,
    }
}

/// The defenses by name, else by their files beside the study.
fn defenses(names: &[String], folder: &Path) -> Result<Vec<Defense>, u8> {
    let mut defenses = Vec::new();
    for name in names {
        let path = folder.join(name);
        let is_file = !Defense::is_built_in(name) && path.is_file();
        let asked = if is_file { path.display().to_string() } else { name.clone() };
        defenses.push(Defense::resolve(&asked).map_err(|error| refused(&error))?);
    }
    Defense::tell_apart(defenses).map_err(|name| {
        wrong(
            &format!("two defenses are called `{name}`"),
            "rows call a defense by the name of its file without the ending",
        )
    })
}

impl Prepared {
    fn go_on(mut self, arguments: &Arguments) -> u8 {
        let runtime = match runtime::start() {
            Ok(runtime) => runtime,
            Err(code) => return code,
        };
        let first = self.files.iter().find_map(|file| file.result.as_deref().ok());
        let asks = self.options.agents.iter().any(|asked| self.agents.llm(asked).is_some());
        let previews = match first.filter(|_| asks) {
            Some(first) => match runtime.block_on(preview(first, &self.options, &self.agents)) {
                Ok(previews) => previews,
                Err(error) => return refused(&error),
            },
            None => Vec::new(),
        };
        let before = match self.options.out.as_deref().filter(|out| self.options.resume && is_run(out)) {
            Some(out) => match RunFolder::read(out) {
                Ok((_, rows)) => rows,
                Err(error) => return refused(&error),
            },
            None => Vec::new(),
        };
        let expected = estimate(&self.files, &self.options, &self.agents, &previews, &before);
        if arguments.dry_run {
            let told = if arguments.json {
                expected_json(&self, &expected).to_string()
            } else {
                expected_text(&self, &expected)
            };
            output::data(&told);
            return exit_code::OK;
        }
        output::note(&expected_text(&self, &expected));
        let destination = match remote::Destination::of(&mut self.options.out, self.options.resume) {
            Ok(destination) => destination,
            Err(code) => return code,
        };
        let started = std::time::Instant::now();
        let is_json = arguments.json;
        let code = runtime.block_on(run_until_done(
            self.files,
            self.options,
            destination,
            &arguments.scheduling,
            |summary, _| close(summary, is_json),
        ));
        output::note(&format!(
            "took {}; expected were {}",
            minutes(started.elapsed().as_secs_f64()),
            minutes(expected.seconds)
        ));
        code
    }
}

/// The report of a run that has ended; of one that has not, where it stands.
fn close(summary: &RunSummary, is_json: bool) -> Result<(), u8> {
    let folder = &summary.folder;
    let is_whole = summary.rows.len() >= summary.planned;
    if !is_whole {
        output::note(&format!(
            "{} of {} episodes are there; `--resume` goes on, and its end is the report",
            summary.rows.len(),
            summary.planned
        ));
    }
    let cases =
        Cases::load(std::slice::from_ref(folder)).map_err(|error| super::report::failed_to_read(&error))?;
    let report = Report::of(&cases, Bootstrap::default());
    let as_json = report_json(&cases, &report).to_string();
    output::data(&if is_json { as_json.clone() } else { report_text(&cases, &report, output::width()) });
    if is_whole {
        let html = report_html(&cases, &report).map_err(|error| {
            output::error(&error);
            exit_code::INTERNAL
        })?;
        for (name, text) in
            [(REPORT_HTML, html), (REPORT_JSON, as_json + "\n"), (REPORT_CSV, report_csv(&report))]
        {
            super::report::write(&folder.join(name), &text)?;
        }
    }
    output::note(&format!("rows and traces are in {}", folder.display()));
    Ok(())
}

/// How many of each a study has.
fn dimensions(study: &Prepared) -> [(&'static str, usize); 6] {
    let options = &study.options;
    [
        ("scenarios", study.files.len()),
        ("agents", options.agents.len()),
        ("modes", options.modes.len()),
        ("defenses", options.defenses.len()),
        ("variations", options.variations.len()),
        ("trials", options.trials as usize),
    ]
}

fn expected_text(study: &Prepared, expected: &Estimate) -> String {
    let options = &study.options;
    let product: Vec<String> =
        dimensions(study).iter().map(|(name, count)| format!("{count} {name}")).collect();
    let mut lines = vec![format!("study {}: {}", study.name, product.join(" x "))];
    if expected.alike > 0 {
        lines.push(format!(
            "  {} of these are left out: two variations come to the same one, because their scenarios ask for it",
            expected.alike
        ));
    }
    let shard = options.shard.map_or_else(String::new, |shard| format!(" of shard {shard}"));
    let there =
        if expected.kept > 0 { format!(", besides {} that are there", expected.kept) } else { String::new() };
    lines.push(format!(
        "  {} episodes{shard}{there}, at most {} steps each, {} at a time",
        expected.episodes, options.max_steps, options.jobs
    ));
    if options.variations.len() > 1 {
        let variations: Vec<String> = options.variations.iter().map(|one| format!("[{one}]")).collect();
        lines.push(format!("  variations: {}", variations.join(", ")));
    }
    for part in &expected.parts {
        let pace = match part.measured {
            0 => format!("{:.1} s each (assumed)", part.seconds),
            n => format!("{:.1} s each (mean of {n})", part.seconds),
        };
        let mut line = format!(
            "  {} · {}: {} episodes, {pace}",
            printable(&part.agent),
            part.mode.name(),
            part.episodes
        );
        if let (Some(prompt), Some((sent, received))) = (part.prompt_tokens, part.tokens) {
            let price = part.cost.map_or_else(|| "price unknown".to_owned(), |cost| format!("${cost:.2}"));
            line = format!(
                "{line}, {prompt} tokens a prompt, at most {sent} sent and about {received} received, {price}"
            );
        }
        lines.push(line);
    }
    let tokens = match expected.tokens {
        None => "no tokens".to_owned(),
        Some((sent, received)) => {
            let cost = expected.cost.map_or_else(|| "price unknown".to_owned(), |cost| format!("${cost:.2}"));
            format!("at most {} tokens ({cost})", sent + received)
        }
    };
    lines.push(format!("  expected: about {}, {tokens}", minutes(expected.seconds)));
    if expected.parts.iter().any(|part| part.measured == 0 && part.episodes > 0) {
        lines.push(format!("  assumed: {}", assumptions()));
    }
    lines.join("\n")
}

/// Seconds as somebody would say them.
fn minutes(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} seconds")
    } else if seconds < 5_400.0 {
        format!("{:.0} minutes", seconds / 60.0)
    } else {
        format!("{:.1} hours", seconds / 3_600.0)
    }
}

fn expected_json(study: &Prepared, expected: &Estimate) -> serde_json::Value {
    let parts: Vec<_> = expected
        .parts
        .iter()
        .map(|part| {
            json!({
                "agent": part.agent,
                "mode": part.mode.name(),
                "episodes": part.episodes,
                "seconds_per_episode": part.seconds,
                "measured_episodes": part.measured,
                "prompt_tokens": part.prompt_tokens,
                "input_tokens": part.tokens.map(|(sent, _)| sent),
                "output_tokens": part.tokens.map(|(_, received)| received),
                "cost": part.cost,
            })
        })
        .collect();
    let dimensions: serde_json::Map<String, serde_json::Value> =
        dimensions(study).iter().map(|(name, count)| ((*name).to_owned(), json!(count))).collect();
    json!({
        "study": study.name,
        "dimensions": dimensions,
        "episodes": expected.episodes,
        "kept": expected.kept,
        "left_out_alike": expected.alike,
        "jobs": study.options.jobs,
        "max_steps": study.options.max_steps,
        "seconds": expected.seconds,
        "input_tokens": expected.tokens.map(|(sent, _)| sent),
        "output_tokens": expected.tokens.map(|(_, received)| received),
        "cost": expected.cost,
        "parts": parts,
        "assumed": assumptions(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_looked_for_beside_the_study_and_nothing_else_is_touched() {
        let folder = Path::new("studies");
        assert_eq!(beside("script:a.txt", folder), "script:studies/a.txt");
        assert_eq!(beside("mine=script:a=b.txt", folder), "mine=script:studies/a=b.txt");
        assert_eq!(beside("mine=exec:x script:y", folder), "mine=exec:x script:y");
        assert_eq!(beside("oracle", folder), "oracle");
    }

    #[test]
    fn times_are_said_as_a_person_would() {
        assert_eq!(minutes(20.4), "20 seconds");
        assert_eq!(minutes(600.0), "10 minutes");
        assert_eq!(minutes(9_000.0), "2.5 hours");
    }
}
