//! Making, moving, sharing and committing files.

use serde::Serialize;

use super::super::context::{Context, address};
use super::super::form::{Field, Form};
use super::super::people;
use super::super::render::{self};
use super::super::share::{self, Parts, PreviewLine};
use super::super::todo::comment_row;
use super::route::{PLACE, file_of};
use super::tree::{folder_of, folders};
use crate::scenario::model::{ShareKind, SourceFile, Tab};
use crate::workspace::difference;

#[derive(Serialize)]
struct CommitPage {
    files: Vec<ChangedFile>,
    text: Field,
    people: people::People,
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
        readers: context.readers(&file.shared_with),
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
    let view = CommitPage {
        files: changed.collect(),
        text: form.field("text"),
        people: people::People::new(context, form),
        files_error: form.error("file"),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.commit_heading", &[]);
    render::page(context, PLACE, &heading, "code_commit.html", &view)
}

pub(super) fn path_page(context: &Context<'_>, file: &SourceFile, form: &Form) -> String {
    let view = PathPage {
        address: address(&["code", "file", &file.id]),
        path: form.field_or("path", &file.path),
        folders: folders(context),
        folder: form.given("folder").unwrap_or(folder_of(&file.path)).to_owned(),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.rename_heading", &[("path", &file.path)]);
    render::page(context, PLACE, &heading, "code_path.html", &view)
}

pub(super) fn share_page(context: &Context<'_>, file: &SourceFile, form: &Form) -> String {
    let line = |text: &str, code: bool| PreviewLine {
        text: text.to_owned(),
        shown_by: String::new(),
        hidden: false,
        code,
    };
    let mut preview = vec![line(&file.path, false), line(&file.content, true)];
    preview.extend(
        file.details.iter().map(|detail| line(&format!("{}: {}", detail.label, detail.value), false)),
    );
    preview.extend(file.comments.iter().map(|comment| {
        let row = comment_row(context, comment);
        line(&format!("{}: {}", row.label, row.value), false)
    }));
    let own = address(&["code", "file", &file.id]);
    let parts = Parts {
        kind: ShareKind::File,
        title: file.path.clone(),
        action: format!("{own}/share"),
        back: own,
        switches: Vec::new(),
        access: share::access(context, form, file.can_edit),
        preview,
        shared_with: file.shared_with.clone(),
    };
    share::page(context, PLACE, parts, form)
}

pub(super) fn new_file(context: &Context<'_>, form: &Form) -> String {
    let view = NewFile {
        path: form.field("path"),
        content: form.field("content"),
        readers: context.readers(&[]),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.new", &[]);
    render::page(context, PLACE, &heading, "code_new.html", &view)
}
