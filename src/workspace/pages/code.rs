//! Code editor: files, open tabs, the file in front, a new file.

use serde::Serialize;

use super::context::{Context, address, confirmed};
use super::form::{Field, Form, untouched};
use super::names::Names;
use super::render::{self, Place, Row};
use super::router::{Answer, Reading};
use crate::scenario::model::SourceFile;
use crate::workspace::{App, Command};

const PLACE: Place = Place::In(App::CodeEditor);

#[derive(Serialize)]
struct Editor {
    files: Vec<FileLink>,
    tabs: Vec<TabView>,
    open: Option<OpenFile>,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct FileLink {
    href: String,
    /// The folder part of the path with its `/`, and the rest.
    folder: String,
    file: String,
    current: bool,
    active: bool,
    shared: bool,
}

#[derive(Serialize)]
struct TabView {
    href: Option<String>,
    title: String,
    name: String,
    current: bool,
}

#[derive(Serialize)]
struct OpenFile {
    address: String,
    path: String,
    content: Field,
    lines: String,
    shared: Option<String>,
    readers: String,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct NewFile {
    path: Field,
    content: Field,
    readers: String,
    message: Option<String>,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let html = match segments {
        [] => {
            let editor = &context.state.apps.code_editor;
            let active = editor.active_file.as_deref().and_then(|id| file_of(context, id));
            editor_page(context, active.or(editor.files.first()), &Form::default())
        }
        ["file", id] => editor_page(context, Some(file_of(context, id)?), &Form::default()),
        ["new"] => new_file(context, &Form::default()),
        _ => return None,
    };
    Some(render::answer(html))
}

pub(super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    match segments {
        ["file", id] => {
            let file = file_of(context, id)?;
            let command = Command::SaveFile {
                file: Some(file.id.clone()),
                path: file.path.clone(),
                content: form.value("content").to_owned(),
            };
            Some(Ok((command, confirmed(&address(&["code", "file", &file.id]), "file_saved", &file.id))))
        }
        ["new"] => {
            let path = form.line("path");
            form.require(context, "path");
            if context.state.apps.code_editor.files.iter().any(|file| file.path == path) {
                form.fail("path", context.text("code.path_taken", &[]));
            }
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = Command::SaveFile { file: None, path, content: form.value("content").to_owned() };
            Some(Ok((command, confirmed("/code/file/{entity}", "file_saved", "{entity}"))))
        }
        _ => None,
    }
}

pub(super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["file", id] => Some(editor_page(context, Some(file_of(context, id)?), form)),
        ["new"] => Some(new_file(context, form)),
        _ => None,
    }
}

fn file_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a SourceFile> {
    context.state.apps.code_editor.files.iter().find(|file| file.id == id)
}

fn editor_page(context: &Context<'_>, open: Option<&SourceFile>, form: &Form) -> String {
    let editor = &context.state.apps.code_editor;
    let open_id = open.map(|file| file.id.as_str());
    let mut files: Vec<&SourceFile> = editor.files.iter().collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let files = files
        .into_iter()
        .map(|file| {
            let cut = file.path.trim_end_matches('/').rfind('/').map_or(0, |slash| slash + 1);
            FileLink {
                href: address(&["code", "file", &file.id]),
                folder: file.path[..cut].to_owned(),
                file: file.path[cut..].to_owned(),
                current: open_id == Some(file.id.as_str()),
                active: editor.active_file.as_deref() == Some(file.id.as_str()),
                shared: !file.shared_with.is_empty(),
            }
        })
        .collect();
    let mut names = Names::default();
    let tabs = editor
        .tabs
        .iter()
        .map(|tab| {
            let name = context.text("code.tab", &[("title", &tab.title)]);
            TabView {
                href: tab.file.as_deref().map(|id| address(&["code", "file", id])),
                title: tab.title.clone(),
                name: names.unique(context, &name),
                current: tab.file.is_some() && tab.file.as_deref() == open_id,
            }
        })
        .collect();
    let view = Editor {
        files,
        tabs,
        open: open.map(|file| open_file(context, file, form)),
        details: render::rows(&editor.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("nav.code", &[]);
    render::page(context, PLACE, &heading, "code.html", &view)
}

fn open_file(context: &Context<'_>, file: &SourceFile, form: &Form) -> OpenFile {
    let content = match form.given("content") {
        Some(_) => form.field("content"),
        None => untouched("content", &file.content),
    };
    let lines = file.content.lines().count();
    OpenFile {
        address: address(&["code", "file", &file.id]),
        path: file.path.clone(),
        content,
        lines: match lines {
            0 => context.text("code.empty_file", &[]),
            _ => context.counted("code.lines", lines, &[]),
        },
        shared: (!file.shared_with.is_empty())
            .then(|| context.text("code.shared_with", &[("names", &context.joined(&file.shared_with))])),
        readers: context.readers(&file.shared_with),
        details: render::rows(&file.details),
    }
}

fn new_file(context: &Context<'_>, form: &Form) -> String {
    let view = NewFile {
        path: form.field("path"),
        content: form.field("content"),
        readers: context.readers(&[]),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.new", &[]);
    render::page(context, PLACE, &heading, "code_new.html", &view)
}
