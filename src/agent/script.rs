//! Plays actions from a file.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use serde::Deserialize;

use super::types::{Agent, AgentError, Reply, Task};
use crate::error::{Explain, Fault};
use crate::observe::Observation;

/// The largest script that is read, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Gives the actions of a script one after the other, then nothing more.
///
/// A script has one action per line: as it is, as a JSON string, or as a JSON object
/// `{"action": "...", "thought": "..."}`. Empty lines and lines that start with `#` are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Script {
    replies: Vec<Reply>,
    next: usize,
}

/// Why a script cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("read the script `{}`: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is larger than any script.
    #[error("read the script `{}`: it is larger than {MAX_BYTES} bytes", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A line that looks like JSON is none, or not of the right shape.
    #[error("read line {line} of the script: {message}")]
    Line {
        /// 1-based.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// There is no action in it.
    #[error("find an action in the script")]
    Empty,
}

impl Explain for ScriptError {
    fn fault(&self) -> Fault {
        Fault::Usage
    }

    fn hint(&self) -> Option<String> {
        Some(
            "a script has one action per line, such as `click('12')`, or a JSON object with the key `action`"
                .to_owned(),
        )
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    action: String,
    thought: Option<String>,
}

impl Script {
    /// Reads a script from text.
    ///
    /// # Errors
    /// A line that starts as JSON and is none; no action at all.
    pub(super) fn parse(text: &str) -> Result<Self, ScriptError> {
        let mut replies = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let broken =
                |error: serde_json::Error| ScriptError::Line { line: number, message: error.to_string() };
            replies.push(if line.starts_with('{') {
                let line: Line = serde_json::from_str(line).map_err(broken)?;
                Reply { action: line.action, thought: line.thought, ..Reply::default() }
            } else if line.starts_with('"') {
                Reply {
                    action: serde_json::from_str(line).map_err(broken)?,
                    thought: None,
                    ..Reply::default()
                }
            } else {
                Reply { action: line.to_owned(), thought: None, ..Reply::default() }
            });
        }
        if replies.is_empty() { Err(ScriptError::Empty) } else { Ok(Self { replies, next: 0 }) }
    }

    /// Reads a script from a file.
    ///
    /// # Errors
    /// The file cannot be read, is too large, is not UTF-8, or [`Script::parse`] fails.
    pub(super) fn read(path: &Path) -> Result<Self, ScriptError> {
        let failed = |source| ScriptError::Read { path: path.to_owned(), source };
        let file = std::fs::File::open(path).map_err(failed)?;
        let mut text = String::new();
        file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(failed)?;
        if text.len() as u64 > MAX_BYTES {
            return Err(ScriptError::TooLarge { path: path.to_owned() });
        }
        Self::parse(&text)
    }
}

impl Agent for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn reset(&mut self, _task: &Task) {
        self.next = 0;
    }

    fn act<'a>(&'a mut self, _observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>> {
        let reply = self.replies.get(self.next).cloned().unwrap_or_default();
        self.next = self.next.saturating_add(1);
        ready(Ok(reply)).boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{act, observation, task};
    use super::*;

    #[test]
    fn three_notations_and_then_nothing() {
        let text = "# a comment\nclick('12')\n\n\"fill('a', 'x')\"\n{\"action\": \"finish('')\", \"thought\": \"done\"}\n";
        let mut script = Script::parse(text).unwrap();
        script.reset(&task("", 20));
        let observation = observation(&[]);
        assert_eq!(act(&mut script, &observation), "click('12')");
        assert_eq!(act(&mut script, &observation), "fill('a', 'x')");
        assert_eq!(act(&mut script, &observation), "finish('')");
        assert_eq!(act(&mut script, &observation), "");
        script.reset(&task("", 20));
        assert_eq!(act(&mut script, &observation), "click('12')", "a new episode starts over");
    }

    #[test]
    fn broken_scripts_say_where() {
        let error = Script::parse("click('1')\n{\"akshun\": 1}").unwrap_err();
        assert!(
            error.to_string().starts_with("read line 2 of the script: unknown field `akshun`"),
            "{error}"
        );
        assert!(matches!(Script::parse("# nothing\n"), Err(ScriptError::Empty)));
        assert!(matches!(Script::read(Path::new("/no/such/script")), Err(ScriptError::Read { .. })));
    }
}
