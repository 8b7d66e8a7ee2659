//! What a run consists of.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use super::pool::MOST_SHARING;
use crate::agent::{AgentOptions, Defense};
use crate::browser::{DialogPolicy, Wanted};
use crate::observe::AccessMode;
use crate::report::{Shard, variation_text};
use crate::scenario::LoadedFile;
use crate::scenario::variation::{Variation, VariationChoice};

/// How an agent meets a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Through the rendered apps, step by step.
    EndToEnd,
    /// As structured text, with one reply.
    State,
}

impl Mode {
    /// The name used on the command line and in rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EndToEnd => "e2e",
            Self::State => "state",
        }
    }
}

/// How often an episode is acted out again unless said otherwise: what failed once by no doing of the agent
/// says nothing about it, and what fails twice is likely to fail for ever.
pub const DEFAULT_RETRIES: u32 = 1;

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The agents, as [`crate::agent::Agents`] reads them.
    pub agents: Vec<String>,
    /// What the agents need besides their names.
    pub agent_options: AgentOptions,
    /// How they meet the scenarios.
    pub modes: Vec<Mode>,
    /// The study that the run is; part of what has to be the same for a run to be gone on with.
    pub study: Option<String>,
    /// What is added to their system prompts, one after the other.
    pub defenses: Vec<Defense>,
    /// What agents are given.
    pub observe: AccessMode,
    /// What happens to native dialogs.
    pub dialogs: DialogPolicy,
    /// Step budget per episode.
    pub max_steps: u32,
    /// Repeats of each episode.
    pub trials: u32,
    /// Episodes at the same time.
    pub jobs: usize,
    /// How many of them share a browser at most; `None`: up to sixteen, and as few browsers as that takes.
    pub jobs_per_browser: Option<usize>,
    /// The run's folder; `None` makes one below `runs/`.
    pub out: Option<PathBuf>,
    /// Which browser.
    pub browser: Wanted,
    /// The binary that runs the browser's guard; default: this program.
    pub guard_executable: Option<PathBuf>,
    /// Seed of everything random.
    pub seed: u64,
    /// Factors of appearance and content, stronger than what scenarios say: every episode is acted out
    /// in each of them.
    pub variations: Vec<VariationChoice>,
    /// How long an agent may take for a reply.
    pub agent_within: Duration,
    /// Go on with the run in `out`, where there is one.
    pub resume: bool,
    /// Which of the run's episodes to act out; `None` for all.
    pub shard: Option<Shard>,
    /// How often an episode is acted out again that browser, page, provider or this program failed.
    pub retries: u32,
    /// After more episodes than this that ended by no doing of the agent, or in an agent that did not
    /// answer, no further ones are started; `None` for no limit.
    pub max_failures: Option<u32>,
    /// After this long no further episodes are started.
    pub stop_after: Option<Duration>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            agents: Vec::new(),
            agent_options: AgentOptions::default(),
            modes: vec![Mode::EndToEnd],
            study: None,
            defenses: vec![Defense::default()],
            observe: AccessMode::Mixed,
            dialogs: DialogPolicy::default(),
            max_steps: 20,
            trials: 1,
            jobs: default_jobs(None),
            jobs_per_browser: None,
            out: None,
            browser: Wanted::Best,
            guard_executable: None,
            seed: 0,
            variations: vec![VariationChoice::default()],
            agent_within: Duration::from_secs(120),
            resume: false,
            shard: None,
            retries: DEFAULT_RETRIES,
            max_failures: None,
            stop_after: None,
        }
    }
}

/// Episodes at the same time: two per core, because a page under test keeps a core busy and for half of its
/// time waits for a frame, and no more than memory has room for.
/// `jobs_per_browser` is how many of them share a browser, where that is set.
#[must_use]
pub fn default_jobs(jobs_per_browser: Option<usize>) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    jobs_for(cores, available_memory(), jobs_per_browser.unwrap_or(MOST_SHARING))
}

/// Memory that is kept free of episodes: the system's share, this program, the browser that they share.
const MEMORY_BESIDE: u64 = 1 << 30;

/// Memory of an episode: its processes in the browser, and some more where it is a large page.
const MEMORY_PER_JOB: u64 = 128 << 20;

/// Memory of a browser beside its episodes (`docs/benchmarks.md`).
const MEMORY_PER_BROWSER: u64 = 512 << 20;

fn jobs_for(cores: usize, memory: Option<u64>, sharing: usize) -> usize {
    let each = MEMORY_PER_JOB + MEMORY_PER_BROWSER / sharing.max(1) as u64;
    let room = memory.map_or(u64::MAX, |bytes| bytes.saturating_sub(MEMORY_BESIDE) / each);
    (cores * 2).min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
}

/// Bytes that this process may still take: what the system has available, or less where its control
/// group is limited. `None` where the system does not say.
fn available_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let system = read("/proc/meminfo").as_deref().and_then(available_in);
    let number = |path: &str| read(path).and_then(|text| text.trim().parse::<u64>().ok());
    // `max` is no number, and no limit.
    let group = number("/sys/fs/cgroup/memory.max")
        .map(|limit| limit.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or_default()));
    [system, group].into_iter().flatten().min()
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1_024)
}

/// One episode to be acted out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Planned {
    /// 1-based number in the run: position in the order of results.
    pub(crate) number: usize,
    /// Index into the loaded files.
    pub(crate) file: usize,
    /// The agent, as it was asked for.
    pub(crate) agent: String,
    /// How it meets the scenario.
    pub(crate) mode: Mode,
    /// Index into the defenses.
    pub(crate) defense: usize,
    /// The factors in force.
    pub(crate) variation: Variation,
    /// 1-based repeat.
    pub(crate) trial: u32,
    /// How often it was acted out before, in vain.
    pub(crate) attempt: u32,
}

/// All episodes in the order of results: scenario path, agent, mode, defense, variation, trial. The
/// agents are in their order already.
pub(crate) fn plan(files: &[LoadedFile], options: &RunOptions) -> Vec<Planned> {
    let mut modes = options.modes.clone();
    modes.sort();
    let mut defenses: Vec<usize> = (0..options.defenses.len()).collect();
    defenses.sort_by_key(|index| &options.defenses[*index].name);
    let mut planned = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let variations = variations_of(file, options);
        for agent in &options.agents {
            for (mode, defense) in modes.iter().flat_map(|mode| defenses.iter().map(move |one| (*mode, *one)))
            {
                for variation in &variations {
                    planned.extend((1..=options.trials).map(|trial| Planned {
                        number: 0,
                        file: index,
                        agent: agent.clone(),
                        mode,
                        defense,
                        variation: *variation,
                        trial,
                        attempt: 0,
                    }));
                }
            }
        }
    }
    for (index, planned) in planned.iter_mut().enumerate() {
        planned.number = index + 1;
    }
    planned
}

/// The variations that a scenario is shown in, in the order of results. Two choices that come to the
/// same one, because the scenario asks for a factor itself, are one.
pub(crate) fn variations_of(file: &LoadedFile, options: &RunOptions) -> Vec<Variation> {
    let mut variations: Vec<Variation> = Vec::new();
    for asked in &options.variations {
        let variation = file
            .result
            .as_ref()
            .map_or_else(|_| asked.over(Variation::default()), |loaded| loaded.variation(asked));
        if !variations.contains(&variation) {
            variations.push(variation);
        }
    }
    variations.sort_by_cached_key(|variation| variation_text(&variation.factors()));
    variations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::load_paths;

    #[test]
    fn jobs_are_as_many_as_cores_and_memory_allow_and_never_none() {
        assert_eq!(jobs_for(8, None, 16), 16);
        assert_eq!(jobs_for(8, Some(64 << 30), 16), 16);
        assert_eq!(jobs_for(8, Some((1_024 + 3 * (128 + 32)) << 20), 16), 3);
        assert_eq!(jobs_for(8, Some((1_024 + 3 * (128 + 32)) << 20), 2), 1);
        assert_eq!(jobs_for(8, Some((1_024 + 3 * (128 + 512)) << 20), 1), 3);
        assert_eq!(jobs_for(8, Some(0), 16), 1);
        assert_eq!(available_in("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"), Some(2 << 20));
        assert_eq!(available_in("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn every_combination_is_planned_once_in_the_order_of_results() {
        let folder = tempfile::tempdir().unwrap();
        for (name, language) in [("a", "en"), ("b", "de")] {
            let scenario = serde_json::json!({
                "scenario_id": name, "failure_mode": "x", "task_prompt": "Say it.", "language": language,
                "recipient": "user", "channel": "answer", "initial_states": {},
                "ground_truth": { "must_share": ["one"], "must_not_share": ["two"] },
            });
            std::fs::write(folder.path().join(format!("{name}.json")), scenario.to_string()).unwrap();
        }
        let files = load_paths(&[folder.path().to_owned()]);
        assert!(files.iter().all(|file| file.result.is_ok()), "{files:?}");
        let options = RunOptions {
            agents: vec!["idle".into(), "refuser".into()],
            modes: vec![Mode::State, Mode::EndToEnd],
            variations: ["language=de", "", "theme=dark"].map(|text| text.parse().unwrap()).to_vec(),
            trials: 2,
            ..RunOptions::default()
        };
        let planned = plan(&files, &options);
        // The second scenario is German already: two of its three variations are one.
        assert_eq!(planned.iter().filter(|one| one.file == 0).count(), 2 * 2 * 3 * 2);
        assert_eq!(planned.iter().filter(|one| one.file == 1).count(), 2 * 2 * 2 * 2);
        assert!(planned.iter().map(|one| one.number).eq(1..=planned.len()));
        let places: Vec<_> = planned
            .iter()
            .map(|one| {
                let variation = variation_text(&one.variation.factors());
                (one.file, one.agent.clone(), one.mode.name(), variation, one.trial)
            })
            .collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}
