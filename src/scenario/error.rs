//! What can be wrong with a scenario file, where, and what to do about it.

use std::fmt;
use std::path::PathBuf;

use crate::error::{Explain, Fault};

/// A place in a text; both count from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

/// Why a scenario cannot be used: all that was found, in file order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("load `{}`: {}{}", .file.display(), .first, more(.others.len()))]
pub struct ScenarioError {
    /// The file, as it was named or found.
    pub file: PathBuf,
    /// The scenario's id, where it could be read.
    pub scenario_id: Option<String>,
    /// The first fault.
    pub first: Finding,
    /// Further faults of the same scenario; at most a hundred are kept.
    pub others: Vec<Finding>,
}

impl ScenarioError {
    /// Every fault, in file order.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl Explain for ScenarioError {
    fn fault(&self) -> Fault {
        Fault::Scenario
    }

    fn hint(&self) -> Option<String> {
        self.first.problem.hint()
    }
}

fn more(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (and one more fault)".to_owned(),
        _ => format!(" (and {count} more faults)"),
    }
}

/// One fault and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Path into the JSON (`initial_states.open_calendar.events[3].title`); empty for the whole.
    pub path: String,
    /// Line and column, where known.
    pub position: Option<Position>,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.path.is_empty(), self.position) {
            (true, None) => write!(formatter, "{}", self.problem),
            (true, Some(at)) => {
                write!(formatter, "line {}, column {}: {}", at.line, at.column, self.problem)
            }
            (false, None) => write!(formatter, "`{}`: {}", self.path, self.problem),
            (false, Some(at)) => {
                write!(
                    formatter,
                    "`{}` (line {}, column {}): {}",
                    self.path, at.line, at.column, self.problem
                )
            }
        }
    }
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// No file or folder of that name.
    #[error("no such file or folder")]
    NotFound,
    /// A device, a pipe, a socket.
    #[error("not a regular file")]
    NotRegular,
    /// The system refused to open or list it.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// What the system said.
        reason: String,
    },
    /// Too large to be a scenario.
    #[error("{bytes} bytes are too large for a scenario file (at most {most})")]
    TooLarge {
        /// Size found.
        bytes: u64,
        /// Size allowed.
        most: u64,
    },
    /// A folder holds too many files, or is nested too deep.
    #[error("more than {most} {what} below one folder")]
    TooMuchInFolder {
        /// How many are allowed.
        most: usize,
        /// Of what.
        what: &'static str,
    },
    /// Not UTF-8.
    #[error("not valid UTF-8 (first bad byte at offset {offset})")]
    NotUtf8 {
        /// Offset of the first bad byte.
        offset: usize,
    },
    /// A byte order mark in front.
    #[error("starts with a byte order mark")]
    ByteOrderMark,
    /// Nothing but white space.
    #[error("is empty")]
    Empty,
    /// Not JSON.
    #[error("not valid JSON: {reason}")]
    Syntax {
        /// What the parser said.
        reason: String,
    },
    /// The JSON ends too early.
    #[error("not valid JSON: ends before the value is complete")]
    CutOff,
    /// Text after the JSON value.
    #[error("not valid JSON: text after the end of the value")]
    TrailingText,
    /// Nested too deep.
    #[error("nested deeper than {most} levels")]
    TooDeep {
        /// Levels allowed.
        most: usize,
    },
    /// Too many values.
    #[error("more than {most} values")]
    TooManyValues {
        /// Values allowed.
        most: usize,
    },
    /// Too many scenarios in one file; those beyond the bound are not read.
    #[error("holds more than {most} scenarios; the rest was not read")]
    TooManyScenarios {
        /// Scenarios allowed.
        most: usize,
    },
    /// A string that is too long.
    #[error("a string of {bytes} bytes is too long")]
    StringTooLong {
        /// Its size.
        bytes: usize,
    },
    /// U+0000 in a string, which no page can show.
    #[error("holds a NUL character")]
    NulCharacter,
    /// The same key twice in one object.
    #[error("duplicate key `{key}`")]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// A value of another type than needed.
    #[error("is {found}, expected {expected}")]
    WrongType {
        /// What is needed.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// Something required is not there.
    #[error("missing `{key}`")]
    MissingKey {
        /// The key.
        key: &'static str,
    },
    /// A key that means nothing here.
    #[error("unknown key `{key}`")]
    UnknownKey {
        /// The key.
        key: String,
        /// The known key that is most like it.
        suggestion: Option<String>,
    },
    /// A text that must not be blank.
    #[error("is blank")]
    Blank,
    /// A value that is not one of those allowed.
    #[error("`{value}` is not {expected}")]
    BadValue {
        /// The value, cut if long.
        value: String,
        /// What is needed.
        expected: &'static str,
    },
    /// An id that could be a path, or that is too long.
    #[error("`{id}` is not a scenario id")]
    BadId {
        /// The id, cut if long.
        id: String,
    },
    /// An id that an earlier scenario of the same load has.
    #[error("scenario id `{id}` is already used by `{first}`")]
    DuplicateId {
        /// The id.
        id: String,
        /// The file that has it.
        first: String,
    },
    /// Nothing is forbidden, so nothing can leak.
    #[error("forbids no item")]
    NothingForbidden,
    /// Everything forbidden may be read by the recipient.
    #[error("forbids no item to its recipient `{recipient}`")]
    NothingForbiddenToRecipient {
        /// The recipient.
        recipient: String,
    },
}

impl Problem {
    /// The next thing to do, as a fragment without a full stop.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::NotFound => "check the path; a folder is searched for `*.json` and `*.jsonl`",
            Self::NotRegular => "pass a file or a folder",
            Self::TooLarge { .. } | Self::TooManyScenarios { .. } => "split it into several files",
            Self::TooMuchInFolder { .. } => "pass the folder that holds the scenarios themselves",
            Self::NotUtf8 { .. } => "save the file as UTF-8",
            Self::ByteOrderMark => "save the file as UTF-8 without a byte order mark",
            Self::Empty => {
                "a scenario file holds one JSON object; run `discreet schema scenario` for its form"
            }
            Self::Syntax { reason }
                if reason.contains("expected value") || reason.contains("expected ident") =>
            {
                "JSON has no NaN, Infinity, comments, trailing commas or single quotes"
            }
            Self::CutOff => {
                "close every string, list and object; in `*.jsonl` every line is one whole object"
            }
            Self::TrailingText => "JSON Lines files are named `*.jsonl`; a `*.json` file holds one value",
            Self::NulCharacter => "remove `\\u0000`: no page can show it",
            Self::DuplicateKey { .. } => "keep one of the two: readers disagree about which one counts",
            Self::UnknownKey { suggestion: Some(suggestion), .. } => {
                return Some(format!("did you mean `{suggestion}`?"));
            }
            Self::UnknownKey { suggestion: None, .. } => {
                "`docs/scenario.md` lists the known keys; only an app's own state may have others"
            }
            Self::MissingKey { key: "ground_truth" } => {
                "add `ground_truth` with `must_share` and `must_not_share`; without it nothing can be scored"
            }
            Self::BadId { .. } => "use letters, digits, `.`, `_` and `-`, at most 128, and no `..`",
            Self::DuplicateId { .. } => "give every scenario an id of its own",
            Self::NothingForbidden => "name in `must_not_share` what the recipient should not hear",
            Self::NothingForbiddenToRecipient { .. } => {
                "forbid at least one item whose `audience_ok` leaves the recipient out"
            }
            _ => return None,
        };
        Some(text.to_owned())
    }
}
