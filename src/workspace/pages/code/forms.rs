//! Making, moving, sharing and committing files.

use serde::Serialize;

use super::super::context::{Context, address, query_value};
use super::super::form::{Field, Form};
use super::super::people;
use super::super::render::{self, Row};
use super::super::share::{self, Parts, PreviewLine};
use super::super::todo::comment_row;
use super::editor;
use super::route::{PLACE, file_of};
use super::tree::{SHARE_FOLDER, folder_of, folders};
use crate::scenario::model::{ShareKind, SharedFolder, SourceFile, Tab, lies_in};
use crate::workspace::{EVERYBODY, difference};

#[derive(Serialize)]
struct CommitPage {
    files: Vec<ChangedFile>,
    text: Field,
    people: people::People,
    /// Where commits are pushed to; then nobody is chosen.
    repository: Vec<Row>,
    /// Who reads what is pushed there.
    pushed_readers: Option<String>,
    files_error: Option<String>,
    message: Option<String>,
}

#[derive(Serialize)]
struct ChangedFile {
    id: String,
    path: String,
    lines: Vec<String>,
    chosen: bool,
}

#[derive(Serialize)]
struct PathPage {
    address: String,
    path: Field,
    folders: Vec<String>,
    /// The one it lies in.
    folder: String,
    /// Who reads what is put into which of them.
    folder_readers: Vec<String>,
    message: Option<String>,
}

#[derive(Serialize)]
struct FolderPage {
    path: Field,
    message: Option<String>,
}

#[derive(Serialize)]
struct ClosePage {
    action: String,
    back: String,
    path: String,
    /// What the edits change.
    lines: Vec<String>,
    readers: String,
    message: Option<String>,
}

#[derive(Serialize)]
struct NewFile {
    path: Field,
    content: Field,
    readers: String,
    folder_readers: Vec<String>,
    message: Option<String>,
}

/// Asks what happens to edits that were not saved before the tab of their file is closed.
pub(super) fn close_page(context: &Context<'_>, tab: &Tab, form: &Form) -> Option<String> {
    let file = file_of(context, tab.file.as_deref()?)?;
    let lines = difference(&file.content, file.unsaved.as_deref()?);
    let view = ClosePage {
        action: address(&["code", "tab", &tab.id, "close"]),
        back: address(&["code", "file", &file.id]),
        path: file.path.clone(),
        lines,
        readers: context.readers(&context.state.apps.code_editor.readers_of(file)),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.close_heading", &[("path", &file.path)]);
    Some(render::page(context, PLACE, &heading, "code_close.html", &view))
}

pub(super) fn folder_page(context: &Context<'_>, form: &Form) -> String {
    let view = FolderPage { path: form.field("path"), message: form.message().map(str::to_owned) };
    let heading = context.text("code.new_folder", &[]);
    render::page(context, PLACE, &heading, "code_folder.html", &view)
}

pub(super) fn commit_page(context: &Context<'_>, form: &Form) -> String {
    let changed = context.state.apps.code_editor.files.iter().filter_map(|file| {
        let committed = file.committed.as_deref()?;
        Some(ChangedFile {
            id: file.id.clone(),
            path: file.path.clone(),
            lines: difference(committed, &file.content),
            chosen: share::is_on(form, "file", &file.id),
        })
    });
    let repository = context.state.apps.code_editor.repository.as_ref();
    let view = CommitPage {
        repository: repository.map_or_else(Vec::new, |held| editor::repository(context, held)),
        pushed_readers: pushed_to(context).map(|names| match repository {
            Some(held) if held.is_public => context.text("code.readers_public", &[]),
            _ => context.readers(&names),
        }),
        files: changed.collect(),
        text: form.field("text"),
        people: people::People::new(context, form),
        files_error: form.error("file"),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.commit_heading", &[]);
    render::page(context, PLACE, &heading, "code_commit.html", &view)
}

/// Who reads what is pushed to the repository; `None` where there is no repository, or none that anybody
/// else reads.
pub(super) fn pushed_to(context: &Context<'_>) -> Option<Vec<String>> {
    let repository = context.state.apps.code_editor.repository.as_ref()?;
    let mut names = repository.members.clone();
    if repository.is_public {
        names.push(EVERYBODY.to_owned());
    }
    (!names.is_empty()).then_some(names)
}

pub(super) fn path_page(context: &Context<'_>, file: &SourceFile, form: &Form) -> String {
    let view = PathPage {
        address: address(&["code", "file", &file.id]),
        path: form.field_or("path", &file.path),
        folders: folders(context),
        folder: form.given("folder").unwrap_or(folder_of(&file.path)).to_owned(),
        folder_readers: folder_readers(context),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.rename_heading", &[("path", &file.path)]);
    render::page(context, PLACE, &heading, "code_path.html", &view)
}

/// A file as those read it whom it is shared with.
fn as_read(context: &Context<'_>, file: &SourceFile) -> Vec<PreviewLine> {
    let mut preview = vec![read_line(&file.path, false), read_line(&file.content, true)];
    preview.extend(
        file.details.iter().map(|detail| read_line(&format!("{}: {}", detail.label, detail.value), false)),
    );
    preview.extend(file.comments.iter().map(|comment| {
        let row = comment_row(context, comment);
        read_line(&format!("{}: {}", row.label, row.value), false)
    }));
    preview
}

fn read_line(text: &str, code: bool) -> PreviewLine {
    PreviewLine { text: text.to_owned(), shown_by: String::new(), hidden: false, code }
}

/// The page on which a folder is shared; `None` where there is none of that path.
pub(super) fn share_folder_page(context: &Context<'_>, path: &str, form: &Form) -> Option<String> {
    let editor = &context.state.apps.code_editor;
    if !editor.has_folder(path) {
        return None;
    }
    let held = editor.shared_folders.iter().find(|folder| folder.path == path);
    let mut preview = vec![read_line(path, false)];
    let files = editor.files.iter().filter(|file| lies_in(&file.path, path));
    preview.extend(files.flat_map(|file| as_read(context, file)));
    let parts = Parts {
        kind: ShareKind::Folder,
        title: path.to_owned(),
        action: format!("{SHARE_FOLDER}?path={}", query_value(path)),
        back: "/code".to_owned(),
        switches: Vec::new(),
        access: share::access(context, form, held.is_some_and(|folder| folder.can_edit)),
        preview,
        shared_with: held.map(|folder| folder.shared_with.clone()).unwrap_or_default(),
    };
    Some(share::page(context, PLACE, parts, form))
}

/// Who reads what is put into the folders that others read, as sentences.
fn folder_readers(context: &Context<'_>) -> Vec<String> {
    let editor = &context.state.apps.code_editor;
    let sentence = |folder: &SharedFolder| {
        let readers = context.readers(&editor.folder_readers(&folder.path));
        context.text("code.in_folder", &[("path", &folder.path), ("readers", &readers)])
    };
    editor.shared_folders.iter().map(sentence).collect()
}

pub(super) fn share_page(context: &Context<'_>, file: &SourceFile, form: &Form) -> String {
    let own = address(&["code", "file", &file.id]);
    let parts = Parts {
        kind: ShareKind::File,
        title: file.path.clone(),
        action: format!("{own}/share"),
        back: own,
        switches: Vec::new(),
        access: share::access(context, form, file.can_edit),
        preview: as_read(context, file),
        shared_with: file.shared_with.clone(),
    };
    share::page(context, PLACE, parts, form)
}

pub(super) fn new_file(context: &Context<'_>, form: &Form) -> String {
    let view = NewFile {
        path: form.field("path"),
        content: form.field("content"),
        readers: context.readers(&[]),
        folder_readers: folder_readers(context),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.new", &[]);
    render::page(context, PLACE, &heading, "code_new.html", &view)
}
