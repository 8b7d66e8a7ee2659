//! Code editor: files, open tabs.

use serde::{Deserialize, Serialize};

use super::Detail;

/// Everything in the code editor.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeEditor {
    /// Files in file order, then in order of creation.
    pub files: Vec<SourceFile>,
    /// Open tabs, left to right.
    pub tabs: Vec<Tab>,
    /// Id of the file in front, if any.
    pub active_file: Option<String>,
    /// Facts without a field.
    pub details: Vec<Detail>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceFile {
    /// `file-1`, …
    pub id: String,
    /// Path with `/`, unique; a second file of the same path gets ` (2)`.
    pub path: String,
    /// Saved content.
    pub content: String,
    /// Contact names of the people who read this file besides the user; empty when private.
    pub shared_with: Vec<String>,
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
