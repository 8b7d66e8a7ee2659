//! What can be wrong with a trace.

use std::path::PathBuf;

use crate::error::{Explain, Fault as Whose};

/// A trace could not be read, or is not what was recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// A file could not be read.
    #[error("read {}: {source}", .path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is no trace at a path.
    #[error("find a trace at {}", .path.display())]
    NotATrace {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The trace has a format this program does not know.
    #[error("read {}: trace format {format} is not known to this version", .path.display())]
    UnknownFormat {
        /// Which file.
        path: PathBuf,
        /// The format it names.
        format: u64,
    },
    /// The trace holds together as far as it goes, and has no last event.
    #[error("verify {}: incomplete: {why} after {events} events", .path.display())]
    Incomplete {
        /// The episode's folder.
        path: PathBuf,
        /// Whole events.
        events: u64,
        /// What shows that it is incomplete.
        why: &'static str,
    },
    /// An event is not what was recorded.
    #[error("verify {}: event {seq} (line {line}) {fault}", .path.display())]
    Broken {
        /// The episode's folder.
        path: PathBuf,
        /// Number of the first bad event. For removed events it is the first that is missing.
        seq: u64,
        /// 1-based line at which that shows.
        line: u64,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The folder holds something that no event names.
    #[error("verify {}: `{name}` lies in the folder and no event names it", .path.display())]
    Stray {
        /// The episode's folder.
        path: PathBuf,
        /// Path inside that folder.
        name: String,
    },
}

/// What is wrong with an event; each reads after "event 7 (line 7)".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Its line is no canonical JSON.
    #[error("was changed: its line is not canonical JSON: {0}")]
    NotCanonical(String),
    /// Its line is canonical JSON, but no event of this format.
    #[error("was changed: it is no event of this format: {0}")]
    NotAnEvent(String),
    /// Its content does not give its hash.
    #[error("was changed: its content does not give its hash")]
    Changed,
    /// The next event names another predecessor.
    #[error("was replaced: the next event names another predecessor")]
    Replaced,
    /// Events are missing; the number is that of the last missing one.
    #[error("was removed: events up to {0} are missing")]
    Removed(u64),
    /// It does not belong here.
    #[error("was added: no event names it as its predecessor")]
    Added,
    /// Another event stands in its place, and it stands elsewhere; the number is that of the other.
    #[error("was moved: event {0} stands in its place")]
    Moved(u64),
    /// It comes after the last event.
    #[error("was added: it stands after the last event")]
    AfterEnd,
    /// A blob it names is not there.
    #[error("names `{0}`, which is missing")]
    FileMissing(String),
    /// A file it names has another content.
    #[error("names `{0}`, whose content was changed")]
    FileChanged(String),
    /// A file it names is no regular file.
    #[error("names `{0}`, which is not a regular file")]
    NotAFile(String),
}

impl TraceError {
    /// A short name for machine output.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Read { .. } => "unreadable",
            Self::NotATrace { .. } => "not_a_trace",
            Self::UnknownFormat { .. } => "unknown_format",
            Self::Incomplete { .. } => "incomplete",
            Self::Stray { .. } => "stray_file",
            Self::Broken { fault, .. } => match fault {
                Fault::NotCanonical(_) | Fault::NotAnEvent(_) | Fault::Changed | Fault::Replaced => "changed",
                Fault::Removed(_) => "removed",
                Fault::Added | Fault::AfterEnd => "added",
                Fault::Moved(_) => "moved",
                Fault::FileMissing(_) => "file_missing",
                Fault::FileChanged(_) | Fault::NotAFile(_) => "file_changed",
            },
        }
    }

    /// Number of the first bad event, where there is one.
    #[must_use]
    pub fn event(&self) -> Option<u64> {
        match self {
            Self::Broken { seq, .. } => Some(*seq),
            _ => None,
        }
    }
}

impl Explain for TraceError {
    fn fault(&self) -> Whose {
        Whose::Trace
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Read { .. } => "check that the path exists and may be read".to_owned(),
            Self::NotATrace { .. } => {
                "give a folder that holds `trace.jsonl`, a run's folder, or the `trace.jsonl` itself"
                    .to_owned()
            }
            Self::UnknownFormat { .. } => {
                "read it with the version of discreet that wrote it, or a newer one".to_owned()
            }
            Self::Incomplete { .. } => {
                "the episode was cut off; what is there can be viewed, and `run --resume` runs it again"
                    .to_owned()
            }
            Self::Broken { .. } => {
                "do not rely on this trace; take it from where it was recorded, or run the episode again"
                    .to_owned()
            }
            Self::Stray { .. } => {
                "move the file elsewhere if it is yours; a trace's folder holds nothing else".to_owned()
            }
        })
    }
}
