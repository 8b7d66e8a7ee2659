//! `discreet generate`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use comfy_table::Table;
use serde_json::{Value, json};

use super::run_agents::{ModeArgument, dollars};
use super::{exit_code, output, run, runtime};
use crate::agent::{AgentOptions, LlmConfig, split_agents};
use crate::browser::Wanted;
use crate::config::env_vars;
use crate::episode::{Cancel, Mode, default_jobs};
use crate::error::Explain as _;
use crate::generate::{
    ArmCount, Combine, CompareReport, Counted, End, Ended, Folder, GenerateError, Mutator, Policy, RANDOM,
    RealWorld, RealWorldOptions, Search, Settings, Summary, TREE, WALK, check_not_evaluated,
    compare_with_random, summarise_lines,
};
use crate::report::{plain_table, printable};
use crate::scenario::LoadedScenario;
use crate::stats::Interval;

/// Makes more scenarios from those there are, and keeps the ones that are certified.
///
/// A tree search over mutations: it chooses a scenario and a way to change it, lets proxy agents answer
/// what comes out, and goes on where they do the errand and tell what they should not. What reaches the
/// threshold is played by the reference agents through the real pages; only what gets a certificate is
/// kept. Copies and near-copies are left out, and the failure modes kept in balance. The same seed gives
/// the same bytes, whatever `--jobs` is (docs/generate.md).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet generate scenarios --out more --keep 200 --seed 1
  discreet generate scenarios --out more --keep 200 --seed 1 --resume
  discreet generate scenarios --out more --proxy careless,cautious --combine min --evaluated llm:openai/gpt-5
  discreet generate scenarios --out more --mutator llm --model openai/gpt-5-mini --max-cost 5
  discreet generate scenarios --compare-random --rollouts 200 --repeats 5

Exit codes: 0 done; 2 wrong command line; 4 no scenario to start from; 5 the limit of `--max-tokens` or
`--max-cost` is reached, or fewer were kept than `--keep`; 6 no browser, or the folder cannot be written;
7 every file is unusable; 8 `--resume` finds another generation; 9 the proxies cannot be asked; 130 and 143
after a signal.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub(crate) struct Arguments {
    /// Scenario files to start from, or folders that hold some
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The generation's folder; without `--resume` it must be empty or not exist
    #[arg(long, value_name = "DIR", required_unless_present = "compare_random")]
    out: Option<PathBuf>,
    /// Go on with the generation in `--out`
    #[arg(long, conflicts_with = "compare_random")]
    resume: bool,
    /// End when so many are kept
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    keep: u64,
    /// End after so many iterations
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The reward, utility times severity, from 0 to 5, from which a scenario is worth a certificate
    #[arg(long, value_name = "X", default_value_t = 4.0, value_parser = reward)]
    threshold: f64,
    #[command(flatten)]
    search: SearchFlags,
    #[command(flatten)]
    proxies: ProxyFlags,
    /// Episodes at the same time [default: two per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// `chromium`, `headless-shell`, `best` of those that are installed, or the address of a running browser
    #[arg(long, default_value = "best", value_name = "BROWSER")]
    browser: Wanted,
    /// Instead of writing scenarios, compare the search with two ways of chance: random mutation of the seeds,
    /// and of anything found; each plays `--rollouts` scenarios for each of `--repeats` seeds
    #[arg(long, conflicts_with = "out")]
    compare_random: bool,
    /// Scenarios to play per way and random seed
    #[arg(long, value_name = "N", default_value_t = 200, requires = "compare_random", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    rollouts: u64,
    /// Random seeds, from `--seed` on
    #[arg(long, value_name = "N", default_value_t = 5, requires = "compare_random", value_parser = clap::value_parser!(u64).range(1..=1_000))]
    repeats: u64,
    /// Count only what gets a certificate
    #[arg(long, requires = "compare_random")]
    certified: bool,
    /// Print the closing table as JSON
    #[arg(long)]
    json: bool,
}

/// How the search goes.
#[derive(Debug, clap::Args)]
struct SearchFlags {
    /// Iterations that are chosen together; part of what decides the outcome, unlike `--jobs`
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1000))]
    batch: u16,
    /// How much what was seldom tried counts in a choice
    #[arg(long, value_name = "X", default_value_t = 0.15, value_parser = weight)]
    exploration: f64,
    /// How much what is unlike the kept ones counts in a choice
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = weight)]
    novelty: f64,
    /// Most children of one scenario
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    expansions: u16,
    /// Most mutations on the way from a seed
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
}

/// Who takes part.
#[derive(Debug, clap::Args)]
struct ProxyFlags {
    /// Up to three agents whose answers say what a scenario is worth, as `discreet run --agent` reads them
    #[arg(long, default_value = "careless,cautious", value_name = "AGENT")]
    proxy: Vec<String>,
    /// How proxies meet a scenario: as structured text with one reply, or through the apps
    #[arg(long, value_enum, default_value = "state")]
    proxy_mode: ModeArgument,
    /// How the rewards of several proxies become one
    #[arg(long, value_enum, default_value = "mean")]
    combine: CombineArgument,
    /// Agents that are to be evaluated on the outcome: they must not take part
    #[arg(long, value_name = "AGENT")]
    evaluated: Vec<String>,
    /// Who changes scenarios: templates and word lists of our own, or a model
    #[arg(long, value_enum, default_value = "builtin")]
    mutator: MutatorArgument,
    /// The model of `--mutator llm`, as `PROVIDER/MODEL` or `MODEL@http://HOST/v1` [default: that of `--agent-config`]
    #[arg(long, value_name = "MODEL", default_value = "", hide_default_value = true)]
    model: String,
    /// Settings of models, in TOML
    #[arg(long, value_name = "FILE")]
    agent_config: Option<PathBuf>,
    /// Keep answers of models here, and take them from here
    #[arg(long, value_name = "DIR")]
    llm_cache: Option<PathBuf>,
    /// End when models have used this many tokens, sent and received together
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// End when models have cost this many US dollars
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_cost: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum CombineArgument {
    /// Their mean
    Mean,
    /// The lowest
    Min,
    /// The highest
    Max,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum MutatorArgument {
    /// Templates and word lists; no model is asked
    Builtin,
    /// A model
    Llm,
}

fn reward(text: &str) -> Result<f64, String> {
    number(text, 0.0, 5.0)
}

fn weight(text: &str) -> Result<f64, String> {
    number(text, 0.0, 100.0)
}

fn number(text: &str, from: f64, to: f64) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if (from..=to).contains(&number) { Ok(number) } else { Err(format!("it is not from {from} to {to}")) }
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let files = match run::load(&arguments.paths) {
        Ok(files) => files,
        Err(code) => return code,
    };
    let seeds: Vec<&LoadedScenario> = files.iter().filter_map(|file| file.result.as_deref().ok()).collect();
    let cancel = Cancel::default();
    let (world, settings) = match prepare(arguments, &cancel) {
        Ok(prepared) => prepared,
        Err(error) => return failed(&error),
    };
    let runtime = match runtime::start() {
        Ok(runtime) => runtime,
        Err(code) => return code,
    };
    runtime.block_on(async {
        let signalled = Arc::new(AtomicU8::new(0));
        if let Err(error) = run::watch_signals(&cancel, &signalled) {
            output::note(&format!("warning: signals are not handled: {error}"));
        }
        let done = if arguments.compare_random {
            compare(arguments, &seeds, &settings, world).await
        } else {
            generate(arguments, &seeds, settings, world).await
        };
        match (done, signalled.load(Ordering::SeqCst)) {
            (Ok(code), 0) | (Ok(_), code) => code,
            (Err(error), code) => {
                let of_error = failed(&error);
                if code == 0 { of_error } else { code }
            }
        }
    })
}

fn failed(error: &GenerateError) -> u8 {
    output::error(error);
    match error {
        GenerateError::NoSeeds => exit_code::NOTHING_SELECTED,
        other => exit_code::for_fault(other.fault()),
    }
}

/// Everything from the command line, checked.
fn prepare(arguments: &Arguments, cancel: &Cancel) -> Result<(RealWorld, Settings), GenerateError> {
    let flags = &arguments.proxies;
    let proxies = split_agents(&flags.proxy);
    let mutator = match flags.mutator {
        MutatorArgument::Builtin => Mutator::BuiltIn,
        MutatorArgument::Llm => Mutator::Model(flags.model.clone()),
    };
    let mut taking_part = proxies.clone();
    if let Mutator::Model(model) = &mutator {
        taking_part.push(format!("llm:{model}"));
    }
    let named = LlmConfig::read(flags.agent_config.as_deref())?.model.name;
    check_not_evaluated(&taking_part, &split_agents(&flags.evaluated), named.as_deref())?;
    let mode = Mode::from(flags.proxy_mode);
    let options = RealWorldOptions {
        proxies: proxies.clone(),
        agent_options: AgentOptions {
            config: flags.agent_config.clone(),
            cache: flags.llm_cache.clone(),
            offline: env_vars::is_offline(),
            max_tokens: flags.max_tokens,
            max_cost: flags.max_cost,
            ..AgentOptions::default()
        },
        mode,
        mutator: mutator.clone(),
        jobs: arguments.jobs.map_or_else(|| default_jobs(None), usize::from),
        browser: arguments.browser.clone(),
        guard_executable: None,
        max_steps: Settings::default().max_steps,
        seed: arguments.seed,
    };
    let world = RealWorld::new(options, cancel)?;
    let settings = Settings {
        seed: arguments.seed,
        policy: Policy::Tree,
        batch: usize::from(arguments.search.batch),
        threshold: arguments.threshold,
        exploration: arguments.search.exploration,
        novelty: arguments.search.novelty,
        expansions: usize::from(arguments.search.expansions),
        depth: arguments.search.depth,
        proxies,
        proxy_mode: mode.name().to_owned(),
        combine: match flags.combine {
            CombineArgument::Mean => Combine::Mean,
            CombineArgument::Min => Combine::Min,
            CombineArgument::Max => Combine::Max,
        },
        mutator: match mutator {
            Mutator::BuiltIn => "builtin".to_owned(),
            Mutator::Model(_) => "llm".to_owned(),
        },
        agent_settings: world.agent_settings().clone(),
        certifies: !arguments.compare_random || arguments.certified,
        ..Settings::default()
    };
    Ok((world, settings))
}

async fn generate(
    arguments: &Arguments,
    seeds: &[&LoadedScenario],
    settings: Settings,
    mut world: RealWorld,
) -> Result<u8, GenerateError> {
    let end = End { iterations: arguments.iterations, keep: Some(arguments.keep), rollouts: None };
    let mut search = Search::new(settings.clone(), end, seeds)?;
    let path = arguments.out.clone().unwrap_or_default();
    let (mut folder, lines) = Folder::open(&path, &settings, search.seeds(), arguments.resume)?;
    search.write_seeds(&folder)?;
    if !lines.is_empty() {
        output::note(&format!("{} iterations are there already", lines.len()));
    }
    // Also where no round was recorded: what the first one spent counts.
    search.replay(lines, &folder, &mut world)?;
    let mut progress = |progress: crate::generate::Progress| {
        output::note(&format!(
            "{} iterations, {} played, {} of {} kept",
            progress.iterations, progress.rollouts, progress.kept, arguments.keep
        ));
    };
    let ended = Box::pin(search.run(&mut world, Some(&mut folder), &mut progress)).await;
    let modes: Vec<String> = seeds.iter().map(|seed| seed.scenario.failure_mode.clone()).collect();
    let summary = summarise_lines(search.lines(), &modes);
    if arguments.json {
        output::data(&summary.json().to_string());
    } else {
        print_summary(&summary);
    }
    output::note(&format!("kept scenarios in {}", path.join(crate::generate::SCENARIOS_FOLDER).display()));
    Ok(match ended? {
        Ended::Kept => exit_code::OK,
        Ended::Iterations | Ended::Rollouts => {
            output::note(&format!(
                "{} of {} are kept: the iterations are used up",
                summary.kept, arguments.keep
            ));
            exit_code::INCOMPLETE
        }
        Ended::Exhausted => {
            output::note(&format!("{} of {} are kept: nothing is left to try", summary.kept, arguments.keep));
            exit_code::INCOMPLETE
        }
    })
}

fn table(header: [&str; 2]) -> Table {
    let mut table = plain_table(output::width());
    table.set_header(header);
    table
}

fn print_summary(summary: &Summary) {
    let mut counts = table(["kept", "scenarios"]);
    counts.add_row(["all".to_owned(), summary.kept.to_string()]);
    for (name, values) in &summary.by {
        counts.add_row([format!("by {name}"), String::new()]);
        for (value, count) in values {
            counts.add_row([format!("  {}", printable(value)), count.to_string()]);
        }
    }
    output::data(&counts.to_string());
    output::data("");
    let mut not_kept = table(["not kept", "iterations"]);
    for (reason, count) in &summary.rejected {
        not_kept.add_row([printable(reason), count.to_string()]);
    }
    output::data(&not_kept.to_string());
    output::data("");
    let per_kept =
        summary.rollouts_per_kept().map_or_else(String::new, |per| format!(", {per:.2} per kept one"));
    output::data(&format!(
        "{} iterations; {} scenarios played{per_kept}",
        summary.iterations, summary.rollouts
    ));
    if summary.tokens > 0 {
        output::data(&format!("{} tokens, {:.4} dollars", summary.tokens, summary.cost));
    }
}

async fn compare(
    arguments: &Arguments,
    seeds: &[&LoadedScenario],
    settings: &Settings,
    mut world: RealWorld,
) -> Result<u8, GenerateError> {
    let (rollouts, repeats) = (arguments.rollouts, arguments.repeats);
    let mut say = |line: &str| output::note(line);
    let report =
        Box::pin(compare_with_random(seeds, settings, rollouts, repeats, &mut world, &mut say)).await?;
    if arguments.json {
        output::data(&compare_json(&report).to_string());
    } else {
        print_compare(&report);
    }
    Ok(exit_code::OK)
}

const METHOD: &str = "bootstrap over random seeds";

fn compare_json(report: &CompareReport) -> Value {
    let figure = |value: Option<f64>, interval: Option<Interval>, n: u64| {
        json!({
            "value": value,
            "low": interval.map(|interval| interval.low),
            "high": interval.map(|interval| interval.high),
            "n": n,
            "clusters": report.tree.len(),
            "method": METHOD,
        })
    };
    let rate = |arm: &[ArmCount], what: Counted| {
        let (value, interval) = CompareReport::rate(arm, what);
        figure(value, interval, rollouts(arm))
    };
    let of_arm = |arm: &[ArmCount]| {
        let runs: Vec<Value> = arm
            .iter()
            .map(|count| json!({"seed": count.seed, "rollouts": count.rollouts, "found": count.found, "balanced": count.balanced}))
            .collect();
        json!({
            "found_per_rollout": rate(arm, Counted::Found),
            "balanced_per_rollout": rate(arm, Counted::Balanced),
            "runs": runs,
        })
    };
    let less = |other: &[ArmCount], what: Counted| {
        let (value, interval) = report.difference(other, what);
        figure(value, interval, rollouts(&report.tree) + rollouts(other))
    };
    json!({
        "threshold": report.threshold,
        "certified": report.certified,
        "tree": of_arm(&report.tree),
        "random": of_arm(&report.random),
        "walk": of_arm(&report.walk),
        "difference": less(&report.random, Counted::Found),
        "difference_from_walk": less(&report.walk, Counted::Found),
        "balanced_difference": less(&report.random, Counted::Balanced),
        "balanced_difference_from_walk": less(&report.walk, Counted::Balanced),
    })
}

fn rollouts(arm: &[ArmCount]) -> u64 {
    arm.iter().map(|count| count.rollouts).sum()
}

fn print_compare(report: &CompareReport) {
    print_counted(report, Counted::Found, ["", "played", "found", "found per played", "95 % interval"]);
    output::data("");
    print_counted(
        report,
        Counted::Balanced,
        ["", "played", "in balance", "in balance per played", "95 % interval"],
    );
    output::data("");
    let what = if report.certified { "certified, no copies" } else { "sound on paper, no copies" };
    output::data(&format!(
        "found: reward of {} or more, {what}; in balance: those of them that can be kept without a failure mode \
         getting more than a fifth ahead; {} random seeds, {METHOD}",
        report.threshold,
        report.tree.len()
    ));
}

fn print_counted(report: &CompareReport, what: Counted, header: [&str; 5]) {
    let mut table = plain_table(output::width());
    table.set_header(header);
    let interval = |interval: Option<Interval>| {
        interval.map_or_else(
            || "none".to_owned(),
            |interval| format!("[{:.3}, {:.3}]", interval.low, interval.high),
        )
    };
    let rate = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| format!("{value:.3}"));
    for (name, arm) in [(TREE, &report.tree), (RANDOM, &report.random), (WALK, &report.walk)] {
        let (value, range) = CompareReport::rate(arm, what);
        let found: u64 = arm
            .iter()
            .map(|count| match what {
                Counted::Found => count.found,
                Counted::Balanced => count.balanced,
            })
            .sum();
        table.add_row([
            name.to_owned(),
            rollouts(arm).to_string(),
            found.to_string(),
            rate(value),
            interval(range),
        ]);
    }
    for (name, arm) in [(RANDOM, &report.random), (WALK, &report.walk)] {
        let (value, range) = report.difference(arm, what);
        let name = format!("{TREE} less {name}");
        table.add_row([name, String::new(), String::new(), rate(value), interval(range)]);
    }
    output::data(&table.to_string());
}
