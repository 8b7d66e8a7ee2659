//! `discreet verify`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{exit_code, output};
use crate::error::{Explain as _, Fault};
use crate::report::{
    CheckedTrace, RunFolderError, RunTraceError, folders_in, is_episode, is_run, verify_run,
};
use crate::trace::{TRACE_FILE, TraceError, Verified, verify};

/// How far below a given folder runs and episodes are looked for.
const MAX_DEPTH: usize = 6;

/// Says whether traces are what was recorded.
///
/// For each trace one line: `ok N events ROOT`, or what is wrong with the first bad event. Of a run
/// every episode is checked, and that each has the root that the results name.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet verify runs/2026-05-19/episodes/3-brunch__one
  discreet verify runs/2026-05-19
  discreet verify --json runs/*/episodes/*/trace.jsonl

Exit codes: 0 all are what was recorded, 4 a run without episodes, 8 one is not or cannot be read.")]
pub(crate) struct Arguments {
    /// An episode's folder, its `trace.jsonl`, a run's folder, or a folder of these.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,

    /// One JSON object per trace.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let mut checked: Vec<CheckedTrace> = Vec::new();
    for path in &arguments.traces {
        let before = checked.len();
        if let Err(error) = check(path, 0, &mut checked) {
            output::error(&error);
            return match error.fault() {
                Fault::Trace | Fault::Environment => exit_code::TRACE,
                fault => exit_code::for_fault(fault),
            };
        }
        if checked.len() == before {
            if is_run(path) {
                output::note(&format!("{}: a run without episodes", path.display()));
            } else {
                checked.push((path.clone(), Err(TraceError::NotATrace { path: path.clone() }.into())));
            }
        }
    }
    if checked.is_empty() {
        return exit_code::NOTHING_SELECTED;
    }
    let mut first_bad = None;
    for (path, result) in &checked {
        output::data(&if arguments.json { json_line(path, result) } else { line(result) });
        if first_bad.is_none() {
            first_bad = result.as_ref().err();
        }
    }
    let Some(error) = first_bad else { return exit_code::OK };
    if checked.len() > 1 {
        let bad = checked.iter().filter(|(_, result)| result.is_err()).count();
        output::note(&format!("error: {bad} of {} traces are not what was recorded", checked.len()));
    }
    if let Some(hint) = error.hint() {
        output::note(&format!("hint: {hint}"));
    }
    exit_code::TRACE
}

/// Checks what a path stands for: one trace, a run, or whatever lies below.
fn check(path: &Path, depth: usize, checked: &mut Vec<CheckedTrace>) -> Result<(), RunFolderError> {
    if path.file_name().is_some_and(|name| name == TRACE_FILE) && !path.is_dir() {
        // A bare `trace.jsonl` has an empty parent, which is the current folder.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or_else(|| Path::new("."));
        checked.push((folder.to_owned(), verify(folder).map_err(RunTraceError::from)));
    } else if is_episode(path) {
        checked.push((path.to_owned(), verify(path).map_err(RunTraceError::from)));
    } else if is_run(path) {
        checked.extend(verify_run(path)?);
    } else if depth < MAX_DEPTH {
        for folder in folders_in(path) {
            check(&folder, depth + 1, checked)?;
        }
    }
    Ok(())
}

/// The episodes' folders that a path stands for, found as `verify` finds them.
#[cfg(feature = "browser")]
pub(super) fn episodes_at(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find_episodes(path, 0, &mut found);
    found
}

#[cfg(feature = "browser")]
fn find_episodes(path: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if path.file_name().is_some_and(|name| name == TRACE_FILE) && !path.is_dir() {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        found.push(parent.unwrap_or_else(|| Path::new(".")).to_owned());
    } else if is_episode(path) {
        found.push(path.to_owned());
    } else if is_run(path) {
        found.extend(crate::report::episode_folders(path));
    } else if depth < MAX_DEPTH {
        for folder in folders_in(path) {
            find_episodes(&folder, depth + 1, found);
        }
    }
}

fn line(result: &Result<Verified, RunTraceError>) -> String {
    match result {
        Ok(verified) => format!("ok {} events {}", verified.events, verified.root),
        Err(error) => format!("bad: failed to {error}"),
    }
}

fn json_line(path: &Path, result: &Result<Verified, RunTraceError>) -> String {
    let trace = path.display().to_string();
    match result {
        Ok(verified) => {
            json!({ "trace": trace, "ok": true, "events": verified.events, "root": verified.root })
        }
        Err(error) => json!({
            "trace": trace,
            "ok": false,
            "kind": error.kind(),
            "event": error.event(),
            "message": error.to_string(),
        }),
    }
    .to_string()
}
