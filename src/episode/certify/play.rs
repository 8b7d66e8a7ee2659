//! The reference agents' episodes.

use std::collections::HashMap;
use std::path::PathBuf;

use super::super::cancel::Cancel;
use super::super::dispatcher::run;
use super::super::listener::Listener;
use super::super::plan::{RunOptions, default_jobs};
use super::super::run_error::RunError;
use super::certificate::{Certificate, HoldsFor};
use super::verdict::{Rows, certificate};
use crate::browser::Wanted;
use crate::observe::AccessMode;
use crate::report::{Row, RunFolderError};
use crate::scenario::LoadedFile;
use crate::scenario::lint::Lint;
use crate::scenario::variation::VariationChoice;

/// Steps of the idle agent: more of nothing is nothing.
const IDLE_STEPS: u32 = 2;

/// How to certify.
#[derive(Debug, Clone)]
pub struct CertifyOptions {
    /// Step budget of oracle and careless agent.
    pub max_steps: u32,
    /// Episodes at the same time.
    pub jobs: usize,
    /// Which browser.
    pub browser: Wanted,
    /// Factors of appearance and content, stronger than what scenarios say.
    pub variation: VariationChoice,
    /// The binary that runs the browser's guard; default: this program.
    pub guard_executable: Option<PathBuf>,
}

impl Default for CertifyOptions {
    fn default() -> Self {
        Self {
            max_steps: 20,
            jobs: default_jobs(None),
            browser: Wanted::Best,
            variation: VariationChoice::default(),
            guard_executable: None,
        }
    }
}

/// Certifies every scenario that can be used: one certificate each, `None` for a file that cannot,
/// in the order of the files. `lints` are what is remarked about each file; of what a look at the
/// pages remarks, too, a certificate takes account.
///
/// The episodes' traces are not kept: a certificate says what they showed, and the same command
/// shows it again.
///
/// # Errors
/// [`RunError`] where no episode could be run, or the run had to stop.
pub async fn certify(
    files: &[LoadedFile],
    lints: &[Vec<Lint>],
    options: &CertifyOptions,
    cancel: &Cancel,
    listener: &mut (dyn Listener + Send),
) -> Result<Vec<Option<Certificate>>, RunError> {
    let usable: Vec<LoadedFile> = files.iter().filter(|file| file.result.is_ok()).cloned().collect();
    let folder = tempfile::Builder::new().prefix("discreet-certify-").tempdir().map_err(|source| {
        RunError::Folder(RunFolderError::File { doing: "write", path: std::env::temp_dir(), source })
    })?;
    let mut rows: Vec<Row> = Vec::new();
    for (agents, max_steps) in [(&["careless", "oracle"][..], options.max_steps), (&["idle"], IDLE_STEPS)] {
        if cancel.is_cancelled() {
            break;
        }
        let run_options = RunOptions {
            agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
            // What these agents read; a screenshot costs more than all the rest of a step.
            observe: AccessMode::Axtree,
            max_steps: max_steps.min(options.max_steps),
            jobs: options.jobs,
            out: Some(folder.path().join(agents[0])),
            browser: options.browser.clone(),
            variations: vec![options.variation],
            guard_executable: options.guard_executable.clone(),
            ..RunOptions::default()
        };
        let summary = Box::pin(run(usable.clone(), run_options, cancel, listener)).await?;
        if let Some(error) = summary.stopped_by {
            return Err(error);
        }
        rows.extend(summary.rows);
    }
    let by_name: HashMap<(&str, &str), &Row> =
        rows.iter().map(|row| ((row.scenario_id.as_str(), row.agent.as_str()), row)).collect();
    let certificates = files.iter().zip(lints).map(|(file, lints)| {
        let loaded = file.result.as_deref().ok()?;
        let of = |agent| by_name.get(&(loaded.scenario.scenario_id.as_str(), agent)).copied();
        let rows = Rows { oracle: of("oracle"), careless: of("careless"), idle: of("idle") };
        let holds_for = HoldsFor::now(loaded, options.max_steps, &options.variation);
        Some(certificate(loaded, lints, rows, holds_for))
    });
    Ok(certificates.collect())
}
