//! Code editor: files, open tabs.

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use super::{Comment, Detail, Share};

/// Everything in the code editor.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeEditor {
    /// Files in file order, then in order of creation.
    pub files: Vec<SourceFile>,
    /// Paths of folders that were made and may hold no file, in order of making. A folder that holds
    /// a file is known by that file's path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<String>,
    /// Open tabs, left to right.
    pub tabs: Vec<Tab>,
    /// Id of the file in front, if any.
    pub active_file: Option<String>,
    /// Commits, oldest first.
    pub commits: Vec<Commit>,
    /// Messages that went with files when they were shared.
    pub shares: Vec<Share>,
    /// What was deleted or reverted last, so that it can be brought back.
    pub removed: Option<RemovedFile>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// One file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceFile {
    /// `file-1`, …
    pub id: String,
    /// Path with `/`, unique; a second file of the same path gets ` (2)`.
    pub path: String,
    /// Saved content.
    pub content: String,
    /// Edited content that was kept without saving it.
    pub unsaved: Option<String>,
    /// The content that was committed last, where it differs from the saved one; empty for a file
    /// that no commit has.
    pub committed: Option<String>,
    /// Contact names of the people who read this file besides the user; empty when private.
    pub shared_with: Vec<String>,
    /// Whether they may change it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub can_edit: bool,
    /// When it was last saved here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_at: Option<DateTime>,
    /// What was said about it, oldest first. Whoever reads the file reads it, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Comment>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// An open tab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tab {
    /// `tab-1`, …
    pub id: String,
    /// What the tab strip shows: usually the path, otherwise the scenario's text verbatim.
    pub title: String,
    /// Id of the file it shows, if there is one.
    pub file: Option<String>,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Commit {
    /// `commit-1`, …
    pub id: String,
    /// What it says.
    pub message: String,
    /// What it changes.
    pub files: Vec<CommittedFile>,
    /// Contact names or free names of those it was pushed to, who read all of it; empty for a commit
    /// that was kept.
    pub pushed_to: Vec<String>,
    /// When.
    pub at: DateTime,
}

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommittedFile {
    /// Its path at that time.
    pub path: String,
    /// Lines that went (`-`) and came (`+`), and unchanged ones beside them.
    pub diff: Vec<String>,
}

/// What was deleted in the code editor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovedFile {
    /// A file and its tabs, each with its place.
    File {
        /// Its place among the files.
        position: usize,
        /// The file.
        file: Box<SourceFile>,
        /// Its tabs.
        tabs: Vec<(usize, Tab)>,
        /// Whether it was the file in front.
        active: bool,
    },
    /// Edits that were not saved.
    Unsaved {
        /// Id of the file.
        file: String,
        /// The edited content.
        content: String,
    },
}
