//! `discreet verify`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{exit_code, output, remote};
use crate::error::{Explain as _, Fault};
use crate::report::{CheckedTrace, Place, RunFolderError, RunTraceError, is_run, places_at, verify_run};
use crate::trace::{TraceError, Verified, verify};

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
    /// An episode's folder, its `trace.jsonl`, a run's folder or `s3://` address, or a folder of these.
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,

    /// One JSON object per trace.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let mut checked: Vec<CheckedTrace> = Vec::new();
    let fetched = match remote::fetch(&arguments.traces) {
        Ok(fetched) => fetched,
        Err(code) => return code,
    };
    for path in &fetched.folders {
        let before = checked.len();
        if let Err(error) = check(path, &mut checked) {
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
fn check(path: &Path, checked: &mut Vec<CheckedTrace>) -> Result<(), RunFolderError> {
    for place in places_at(path) {
        match place {
            Place::Episode(folder) => {
                let result = verify(&folder).map_err(RunTraceError::from);
                checked.push((folder, result));
            }
            Place::Run(folder) => checked.extend(verify_run(&folder)?),
        }
    }
    Ok(())
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
