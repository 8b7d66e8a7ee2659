//! The episodes of one or more runs, with what only their traces tell.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::metrics::Grouping;
use super::place::runs_below;
use super::row::Row;
use super::run_folder::{RESULTS_FILE, RunFolder, RunFolderError, episodes};
use crate::trace::{Digest, Event, ItemKind, Reader, Trace, VerdictKind};

/// An episode with what only its trace tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its row.
    pub row: Row,
    /// The app the errand's result belongs into, or `answer`; empty when the trace does not say.
    pub channel: String,
    /// The step that wrote the first forbidden item that leaked.
    pub leak_step: Option<u32>,
    /// Its folder; `None` when there is none.
    pub folder: Option<PathBuf>,
}

/// A run that cases come from.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Its folder.
    pub folder: PathBuf,
    /// What decided its results.
    pub manifest: Manifest,
    /// Number of its rows.
    pub episodes: usize,
    /// SHA-256 of its results, which name the root of every trace; `None` where there are none.
    pub results: Option<Digest>,
}

/// Runs and their episodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cases {
    /// The runs, in the order given.
    pub sources: Vec<Source>,
    /// Their episodes, in the order of results.
    pub cases: Vec<Case>,
}

impl Cases {
    /// Reads runs: each folder is a run's, or one that holds runs. A run that is reached twice is
    /// read once.
    ///
    /// # Errors
    /// [`RunFolderError`] when a folder holds no run or cannot be read.
    pub fn load(folders: &[PathBuf]) -> Result<Self, RunFolderError> {
        let mut found = Self::default();
        for run in runs_of(folders)? {
            found.read_run(&run)?;
        }
        Ok(found)
    }

    /// The rows of runs, found as [`Cases::load`] finds them, without a look into their traces.
    ///
    /// # Errors
    /// [`RunFolderError`] when a folder holds no run or cannot be read.
    pub fn load_rows(folders: &[PathBuf]) -> Result<Vec<Row>, RunFolderError> {
        let mut found = Vec::new();
        for run in runs_of(folders)? {
            found.extend(RunFolder::read(&run)?.1);
        }
        Ok(found)
    }

    fn read_run(&mut self, run: &Path) -> Result<(), RunFolderError> {
        let (manifest, rows) = RunFolder::read(run)?;
        // Names in rows are not used as paths: they are looked up among the folders that are there.
        let folders: BTreeMap<String, PathBuf> =
            episodes(run)?.into_iter().map(|episode| (episode.relative, episode.path)).collect();
        let results = std::fs::read(run.join(RESULTS_FILE)).ok().map(|bytes| Digest::of(&bytes));
        self.sources.push(Source { folder: run.to_owned(), manifest, episodes: rows.len(), results });
        self.cases.extend(rows.into_iter().map(|row| {
            let folder = folders.get(&row.trace).cloned();
            let channel = folder.as_deref().and_then(channel_of).unwrap_or_default();
            let leaks = !row.leaked_items.is_empty();
            let leak_step = folder.as_deref().filter(|_| leaks).and_then(leak_step_of);
            Case { row, channel, leak_step, folder }
        }));
        Ok(())
    }

    /// The rows alone.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        self.cases.iter().map(|case| case.row.clone()).collect()
    }
}

/// The runs that folders stand for, each once.
fn runs_of(folders: &[PathBuf]) -> Result<Vec<PathBuf>, RunFolderError> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for folder in folders {
        let runs = runs_below(folder);
        if runs.is_empty() {
            // Reading it says what is missing.
            RunFolder::read(folder)?;
        }
        found.extend(
            runs.into_iter().filter(|run| seen.insert(run.canonicalize().unwrap_or_else(|_| run.clone()))),
        );
    }
    Ok(found)
}

/// The channel as the first event names it.
fn channel_of(folder: &Path) -> Option<String> {
    match Reader::open(folder).ok()?.next()?.ok()?.event {
        Event::EpisodeStarted(started) => Some(started.target?.channel.name().to_owned()),
        _ => None,
    }
}

/// The first step that wrote a forbidden item which leaked, by the evidence of the score.
fn leak_step_of(folder: &Path) -> Option<u32> {
    let trace = Trace::load(folder).ok()?;
    let score = trace.finished()?.score.as_ref()?;
    score
        .verdicts
        .iter()
        .filter(|verdict| verdict.kind == ItemKind::Forbidden && verdict.verdict == VerdictKind::Leaked)
        .flat_map(|verdict| &verdict.evidence)
        .map(|evidence| evidence.step)
        .filter(|step| *step > 0)
        .min()
}

/// By what the cases of a report are put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dimension {
    /// Something every row carries.
    Row(Grouping),
    /// The app the errand's result belongs into.
    Channel,
    /// The apps in which something was disclosed. An episode counts in each of them, and under `none`
    /// when it disclosed nothing.
    App,
}

impl Dimension {
    /// The name in tables and machine output.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Row(grouping) => grouping.name(),
            Self::Channel => "channel",
            Self::App => "app",
        }
    }

    /// Whether it is a factor of variation.
    #[must_use]
    pub const fn is_factor(&self) -> bool {
        matches!(self, Self::Row(Grouping::Variation(_)))
    }

    /// The groups of a case.
    #[must_use]
    pub fn of(&self, case: &Case) -> Vec<String> {
        match self {
            Self::Row(grouping) => vec![grouping.of(&case.row)],
            Self::Channel if case.channel.is_empty() => vec!["unknown".to_owned()],
            Self::Channel => vec![case.channel.clone()],
            Self::App => {
                let apps: BTreeSet<&String> = case.row.disclosures.iter().map(|one| &one.app).collect();
                if apps.is_empty() {
                    return vec!["none".to_owned()];
                }
                apps.into_iter().cloned().collect()
            }
        }
    }

    /// All dimensions of these cases: those of DESIGN, then each factor of variation that occurs.
    #[must_use]
    pub fn all(cases: &[Case]) -> Vec<Self> {
        let fixed = [
            Self::Row(Grouping::Agent),
            Self::Row(Grouping::Model),
            Self::Row(Grouping::Mode),
            Self::Row(Grouping::Observe),
            Self::Row(Grouping::FailureMode),
            Self::App,
            Self::Channel,
            Self::Row(Grouping::Defense),
            Self::Row(Grouping::SeedFamily),
        ];
        let factors: BTreeSet<&String> = cases.iter().flat_map(|case| case.row.variation.keys()).collect();
        let factors = factors.into_iter().map(|name| Self::Row(Grouping::Variation(name.clone())));
        fixed.into_iter().chain(factors).collect()
    }
}
