//! What a run consists of.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use crate::agent::{AgentOptions, Defense};
use crate::browser::{DialogPolicy, Wanted};
use crate::observe::AccessMode;
use crate::report::Shard;
use crate::scenario::LoadedFile;
use crate::scenario::variation::VariationChoice;

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

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The agents, as [`crate::agent::Agents`] reads them.
    pub agents: Vec<String>,
    /// What the agents need besides their names.
    pub agent_options: AgentOptions,
    /// How they meet the scenarios.
    pub modes: Vec<Mode>,
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
    /// The run's folder; `None` makes one below `runs/`.
    pub out: Option<PathBuf>,
    /// Which browser.
    pub browser: Wanted,
    /// The binary that runs the browser's guard; default: this program.
    pub guard_executable: Option<PathBuf>,
    /// Seed of everything random.
    pub seed: u64,
    /// Factors of appearance and content, stronger than what scenarios say.
    pub variation: VariationChoice,
    /// How long an agent may take for a reply.
    pub agent_within: Duration,
    /// Go on with the run in `out`, where there is one.
    pub resume: bool,
    /// Which of the run's episodes to act out; `None` for all.
    pub shard: Option<Shard>,
    /// How often an episode is acted out again that the browser, the provider or this program failed.
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
            defenses: vec![Defense::default()],
            observe: AccessMode::Mixed,
            dialogs: DialogPolicy::default(),
            max_steps: 20,
            trials: 1,
            jobs: default_jobs(),
            out: None,
            browser: Wanted::Best,
            guard_executable: None,
            seed: 0,
            variation: VariationChoice::default(),
            agent_within: Duration::from_secs(120),
            resume: false,
            shard: None,
            retries: 0,
            max_failures: None,
            stop_after: None,
        }
    }
}

/// Episodes at the same time: one per core. More only adds waiting, because a page under test keeps
/// a core busy.
#[must_use]
pub fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
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
    /// 1-based repeat.
    pub(crate) trial: u32,
    /// How often it was acted out before, in vain.
    pub(crate) attempt: u32,
}

/// All episodes in the order of results: scenario path, agent, mode, defense, trial. The agents are in
/// their order already.
pub(crate) fn plan(files: &[LoadedFile], options: &RunOptions) -> Vec<Planned> {
    let mut planned = Vec::new();
    for file in 0..files.len() {
        let mut modes = options.modes.clone();
        modes.sort();
        let mut defenses: Vec<usize> = (0..options.defenses.len()).collect();
        defenses.sort_by_key(|index| &options.defenses[*index].name);
        for agent in &options.agents {
            for (mode, defense) in modes.iter().flat_map(|mode| defenses.iter().map(move |one| (*mode, *one)))
            {
                for trial in 1..=options.trials {
                    planned.push(Planned {
                        number: planned.len() + 1,
                        file,
                        agent: agent.clone(),
                        mode,
                        defense,
                        trial,
                        attempt: 0,
                    });
                }
            }
        }
    }
    planned
}
