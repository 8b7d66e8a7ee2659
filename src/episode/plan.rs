//! What a run consists of.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use crate::browser::Wanted;
use crate::observe::AccessMode;
use crate::scenario::LoadedFile;
use crate::scenario::variation::VariationChoice;

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Names of the agents.
    pub agents: Vec<String>,
    /// What agents are given.
    pub observe: AccessMode,
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
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            agents: Vec::new(),
            observe: AccessMode::Mixed,
            max_steps: 20,
            trials: 1,
            jobs: default_jobs(),
            out: None,
            browser: Wanted::Best,
            guard_executable: None,
            seed: 0,
            variation: VariationChoice::default(),
            agent_within: Duration::from_secs(120),
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
    /// Name of the agent.
    pub(crate) agent: String,
    /// 1-based repeat.
    pub(crate) trial: u32,
}

/// All episodes in the order of results: scenario path, agent, trial.
pub(crate) fn plan(files: &[LoadedFile], options: &RunOptions) -> Vec<Planned> {
    let mut planned = Vec::new();
    for file in 0..files.len() {
        let mut agents = options.agents.clone();
        agents.sort();
        for agent in agents {
            for trial in 1..=options.trials {
                planned.push(Planned { number: planned.len() + 1, file, agent: agent.clone(), trial });
            }
        }
    }
    planned
}
