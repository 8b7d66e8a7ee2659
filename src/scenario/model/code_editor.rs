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
    /// Folders that others read, with all files that lie in them now and later, in order of sharing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_folders: Vec<SharedFolder>,
    /// Where commits are pushed to, if there is such a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<Repository>,
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

/// A folder that others read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedFolder {
    /// Its path.
    pub path: String,
    /// Contact names or free names of those who read what lies in it; never empty.
    pub shared_with: Vec<String>,
    /// Whether they may change it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub can_edit: bool,
}

/// Where commits are pushed to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// Its address, as the scenario writes it.
    pub remote: String,
    /// Contact names or free names of those who read what is pushed.
    pub members: Vec<String>,
    /// Whether everybody reads what is pushed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_public: bool,
}

impl CodeEditor {
    /// Who reads a folder: those whom it, or a folder around it, was shared with. Nobody twice.
    #[must_use]
    pub fn folder_readers(&self, path: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let around = self.shared_folders.iter().filter(|folder| lies_in(path, &folder.path));
        for name in around.flat_map(|folder| &folder.shared_with) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Whether those who read the folder that a path lies in, or one around it, may change it.
    #[must_use]
    pub fn folder_can_edit(&self, path: &str) -> bool {
        self.shared_folders.iter().any(|folder| folder.can_edit && lies_in(path, &folder.path))
    }

    /// Who reads a file: those whom it was shared with, then those who read the folder that it lies
    /// in. Nobody twice.
    #[must_use]
    pub fn readers_of(&self, file: &SourceFile) -> Vec<String> {
        let mut names = file.shared_with.clone();
        for name in self.folder_readers(&file.path) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Whether there is a folder of that path: one that was made, or one that something lies in.
    #[must_use]
    pub fn has_folder(&self, path: &str) -> bool {
        let depth = parts(path).count();
        let holds = |file: &SourceFile| lies_in(&file.path, path) && parts(&file.path).count() > depth;
        let is_there =
            || self.folders.iter().any(|folder| lies_in(folder, path)) || self.files.iter().any(holds);
        depth > 0 && is_there()
    }
}

/// Whether a path is that folder's or lies below it. Slashes that part nothing are no part of a name.
#[must_use]
pub(crate) fn lies_in(path: &str, folder: &str) -> bool {
    let mut own = parts(path);
    parts(folder).all(|part| own.next() == Some(part))
}

/// The names in a path.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

/// An open tab.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tab {
    /// `tab-1`, …
    pub id: String,
    /// What the tab strip shows: usually the path, otherwise the scenario's text verbatim.
    pub title: String,
    /// Id of the file it shows, if there is one.
    pub file: Option<String>,
    /// Whether it stays at the front of the strip and is not closed by mistake.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_known_by_its_names_however_it_is_written() {
        let file = |path: &str| SourceFile { path: path.to_owned(), ..SourceFile::default() };
        let editor = CodeEditor {
            files: vec![file("/src//auth/login.py"), file("notes.md")],
            folders: vec!["drafts//2026".to_owned()],
            ..CodeEditor::default()
        };
        for path in ["src", "src/auth", "/src/auth/", "drafts", "drafts/2026"] {
            assert!(editor.has_folder(path), "{path}");
        }
        for path in ["", "/", "sr", "src/auth/login.py", "notes.md", "drafts/2026/05", "auth"] {
            assert!(!editor.has_folder(path), "{path}");
        }
        assert!(lies_in("/src//auth/login.py", "src/auth") && !lies_in("src2/a", "src"));
    }
}
