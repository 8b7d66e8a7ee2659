//! The events of a run as JSON Lines, for whoever watches a run from outside.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::episode::News;
use crate::error::{Explain, Fault};
use crate::report::Row;

/// A log could not be written.
#[derive(Debug, thiserror::Error)]
#[error("write events to {}: {source}", .path.display())]
pub(crate) struct EventLogError {
    path: PathBuf,
    source: std::io::Error,
}

impl Explain for EventLogError {
    fn fault(&self) -> Fault {
        Fault::Environment
    }

    fn hint(&self) -> Option<String> {
        Some("check free space, permissions, and that its folder is there".to_owned())
    }
}

/// A file that grows by one line per event.
#[derive(Debug)]
pub(crate) struct EventLog {
    path: PathBuf,
    file: File,
}

impl EventLog {
    /// Opens a log; what is in it stays.
    pub(crate) fn open(path: &Path) -> Result<Self, EventLogError> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|source| EventLogError { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Appends one event, whole.
    pub(crate) fn write(&mut self, news: &News<'_>) -> Result<(), EventLogError> {
        let line = format!("{}\n", line(news, jiff::Timestamp::now()));
        self.file
            .write_all(line.as_bytes())
            .map_err(|source| EventLogError { path: self.path.clone(), source })
    }
}

fn line(news: &News<'_>, now: jiff::Timestamp) -> Value {
    let at = now.to_string();
    match news {
        News::Started { episodes, kept } => {
            json!({ "type": "started", "at": at, "episodes": episodes, "kept": kept })
        }
        News::EpisodeStarted { number, label } => {
            json!({ "type": "episode_started", "at": at, "number": number, "label": label })
        }
        News::EpisodeEnded { number, row, .. } => episode("episode_ended", &at, *number, row),
        News::EpisodeRepeated { number, row, .. } => episode("episode_repeated", &at, *number, row),
        News::Warning { text } => json!({ "type": "warning", "at": at, "text": text }),
    }
}

fn episode(kind: &str, at: &str, number: usize, row: &Row) -> Value {
    json!({
        "type": kind, "at": at, "number": number,
        "scenario_id": row.scenario_id, "agent": row.agent, "mode": row.mode, "trial": row.trial,
        "outcome": row.outcome, "steps": row.steps, "utility": row.utility, "leaked": row.leaked,
        "leaked_items": row.leaked_items.len(), "error": row.error, "trace": row.trace,
    })
}
