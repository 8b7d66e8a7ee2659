//! Files in their folders, and those that were saved last.

use serde::Serialize;

use super::super::context::{Context, address};
use super::super::moment;
use crate::scenario::model::SourceFile;

/// Folders within folders that the tree shows; what lies deeper is shown in the last of them.
const DEEPEST: usize = 12;

/// Where folders are shared; the path is told in the query, as it has slashes.
pub(super) const SHARE_FOLDER: &str = "/code/folder/share";

/// Files among the recent ones.
const RECENT: usize = 5;

/// A folder with what is in it, or a file.
#[derive(Serialize)]
pub(super) struct Branch {
    /// The last part of the path.
    name: String,
    level: usize,
    file: Option<FileLink>,
    /// The whole path of a folder.
    path: String,
    branches: Vec<Branch>,
    /// The form that deletes an empty folder.
    remove: Option<String>,
    /// With whom a folder is shared.
    shared: Option<String>,
}

/// A file that was saved here, the latest first.
#[derive(Serialize)]
pub(super) struct RecentFile {
    href: String,
    name: String,
    path: String,
    time: String,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the row")]
struct FileLink {
    href: String,
    path: String,
    current: bool,
    shared: bool,
    unsaved: bool,
    changed: bool,
}

/// Folders before files, both by name. A folder is known by the paths of what is in it, or was made.
pub(super) fn tree(context: &Context<'_>, open_id: Option<&str>) -> Vec<Branch> {
    let editor = &context.state.apps.code_editor;
    let mut roots: Vec<Branch> = Vec::new();
    for folder in &editor.folders {
        branches_of(&mut roots, folder);
    }
    for file in &editor.files {
        let (folder, name) = (folder_of(&file.path), name_of(&file.path));
        let link = FileLink {
            href: address(&["code", "file", &file.id]),
            path: file.path.clone(),
            current: open_id == Some(file.id.as_str()),
            shared: !editor.readers_of(file).is_empty(),
            unsaved: file.unsaved.is_some(),
            changed: file.committed.is_some(),
        };
        let level = depth(folder) + 1;
        branches_of(&mut roots, folder).push(Branch {
            name: name.to_owned(),
            level,
            file: Some(link),
            path: String::new(),
            branches: Vec::new(),
            remove: None,
            shared: None,
        });
    }
    finish(context, &mut roots);
    roots
}

/// The branches within a folder, which is made where it is not there yet.
fn branches_of<'a>(roots: &'a mut Vec<Branch>, folder: &str) -> &'a mut Vec<Branch> {
    let mut branches = roots;
    let mut path = String::new();
    for (level, part) in (1..).zip(folder.split('/').filter(|part| !part.is_empty()).take(DEEPEST)) {
        path = if path.is_empty() { part.to_owned() } else { format!("{path}/{part}") };
        let held = branches.iter().position(|branch| branch.file.is_none() && branch.name == part);
        let position = held.unwrap_or_else(|| {
            branches.push(Branch {
                name: part.to_owned(),
                level,
                file: None,
                path: path.clone(),
                branches: Vec::new(),
                remove: None,
                shared: None,
            });
            branches.len() - 1
        });
        branches = &mut branches[position].branches;
    }
    branches
}

fn depth(folder: &str) -> usize {
    folder.split('/').filter(|part| !part.is_empty()).take(DEEPEST).count()
}

fn finish(context: &Context<'_>, branches: &mut [Branch]) {
    let editor = &context.state.apps.code_editor;
    branches.sort_by(|one, other| {
        let key = |branch: &Branch| (branch.file.is_some(), branch.name.to_lowercase());
        key(one).cmp(&key(other))
    });
    for branch in branches {
        if branch.file.is_none() {
            let readers = editor.folder_readers(&branch.path);
            branch.shared = (!readers.is_empty())
                .then(|| context.text("code.shared_with", &[("names", &context.joined(&readers))]));
            if branch.branches.is_empty() && editor.folders.contains(&branch.path) {
                branch.remove = Some("/code/folder/delete".to_owned());
            }
        }
        finish(context, &mut branch.branches);
    }
}

/// The folder part of a path without its last `/`; a `/` at the end belongs to the name.
pub(super) fn folder_of(path: &str) -> &str {
    path.trim_end_matches('/').rfind('/').map_or("", |slash| &path[..slash])
}

pub(super) fn name_of(path: &str) -> &str {
    path.trim_end_matches('/').rfind('/').map_or(path, |slash| &path[slash + 1..])
}

/// Every folder there is, by path.
pub(super) fn folders(context: &Context<'_>) -> Vec<String> {
    let editor = &context.state.apps.code_editor;
    let mut all = std::collections::BTreeSet::new();
    let of_files = editor.files.iter().map(|file| folder_of(&file.path));
    for folder in of_files.chain(editor.folders.iter().map(String::as_str)) {
        let mut end = Some(folder.len());
        while let Some(length) = end.filter(|length| *length > 0) {
            all.insert(folder[..length].to_owned());
            end = folder[..length].rfind('/');
        }
    }
    all.into_iter().collect()
}

/// Files that were saved here, the latest first.
pub(super) fn recent(context: &Context<'_>) -> Vec<RecentFile> {
    let files = context.state.apps.code_editor.files.iter();
    let mut saved: Vec<_> = files.filter_map(|file| Some((file.saved_at?, file))).collect();
    saved.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let view = |(at, file): (jiff::civil::DateTime, &SourceFile)| RecentFile {
        href: address(&["code", "file", &file.id]),
        name: context.text("code.recent_named", &[("path", &file.path)]),
        path: file.path.clone(),
        time: moment::clock(at.time()),
    };
    saved.into_iter().take(RECENT).map(view).collect()
}
