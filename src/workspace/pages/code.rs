//! Code editor: files, open tabs, the file in front, search, sharing, commits.

use serde::Serialize;

use super::context::{Context, address, confirmed};
use super::form::{Field, Form, untouched};
use super::names::Names;
use super::render::{self, Place, Row};
use super::router::{Answer, Reading};
use super::share::{self, Parts, PreviewLine};
use super::{moment, people};
use crate::scenario::model::{Commit, RemovedFile, ShareKind, SourceFile, Tab};
use crate::workspace::{App, CodeCommand, Command, difference};

const PLACE: Place = Place::In(App::CodeEditor);

/// Lines that a search shows.
const HITS_LIMIT: usize = 200;

#[derive(Serialize)]
struct Editor {
    files: Vec<FileLink>,
    tabs: Vec<TabView>,
    open: Option<OpenFile>,
    query: Field,
    changed: usize,
    commits: Vec<CommitView>,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the row")]
struct FileLink {
    href: String,
    /// The folder part of the path with its `/`, and the rest.
    folder: String,
    file: String,
    current: bool,
    active: bool,
    shared: bool,
    unsaved: bool,
    changed: bool,
}

#[derive(Serialize)]
struct TabView {
    href: Option<String>,
    title: String,
    name: String,
    current: bool,
    unsaved: bool,
    close: String,
    close_name: String,
}

#[derive(Serialize)]
struct OpenFile {
    address: String,
    path: String,
    content: Field,
    lines: String,
    shared: Option<String>,
    readers: String,
    /// The saved content, where the editor shows edits that were not saved.
    saved: Option<String>,
    has_tab: bool,
    find: Field,
    found: Option<String>,
    hits: Vec<Hit>,
    messages: Vec<Row>,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct Hit {
    line: String,
    text: String,
}

#[derive(Serialize)]
struct CommitView {
    message: String,
    about: String,
    files: Vec<DiffView>,
}

#[derive(Serialize)]
struct DiffView {
    path: String,
    lines: Vec<String>,
}

#[derive(Serialize)]
struct SearchPage {
    query: Field,
    found: Option<String>,
    files: Vec<FoundFile>,
}

#[derive(Serialize)]
struct FoundFile {
    address: String,
    path: String,
    name: String,
    hits: Vec<Hit>,
}

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
    message: Option<String>,
}

#[derive(Serialize)]
struct NewFile {
    path: Field,
    content: Field,
    readers: String,
    message: Option<String>,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let blank = Form::default();
    let html = match segments {
        [] => front_page(context, &blank),
        ["file", id] => editor_page(context, Some(file_of(context, id)?), &blank),
        ["file", id, "edit"] => path_page(context, file_of(context, id)?, &blank),
        ["file", id, "share"] => share_page(context, file_of(context, id)?, &blank),
        ["new"] => new_file(context, &blank),
        ["search"] => search_page(context),
        ["commit"] => commit_page(context, &blank),
        _ => return None,
    };
    Some(render::answer(html))
}

pub(super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    let done = |command: CodeCommand, then: String| Some(Ok((Command::Code(command), then)));
    match segments {
        ["file", id, rest @ ..] => post_file(context, file_of(context, id)?, rest, form),
        ["tab", id, "close"] => {
            let tab = context.state.apps.code_editor.tabs.iter().find(|tab| tab.id == *id)?.id.clone();
            let then = confirmed("/code", "tab_closed", &tab);
            done(CodeCommand::CloseTab { tab }, then)
        }
        ["new"] => {
            let path = form.line("path");
            form.require(context, "path");
            if is_taken(context, &path, None) {
                form.fail("path", context.text("code.path_taken", &[]));
            }
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = Command::SaveFile { file: None, path, content: form.value("content").to_owned() };
            Some(Ok((command, confirmed("/code/file/{entity}", "file_saved", "{entity}"))))
        }
        ["commit"] => {
            let files: Vec<String> = form.all("file").map(str::to_owned).collect();
            form.require(context, "text");
            if files.is_empty() {
                form.fail("file", context.text("code.choose_files", &[]));
            }
            let push = form.value("action") == "push";
            let people = if push { people::required(context, &mut form) } else { Vec::new() };
            if !form.is_valid() {
                return Some(Err(form));
            }
            let message = form.value("text").trim().to_owned();
            let kind = if push { "commit_pushed" } else { "commit_made" };
            let then = confirmed("/code", kind, "{entity}");
            done(CodeCommand::Commit { files, message, people }, then)
        }
        ["undo"] => {
            let kind = match context.state.apps.code_editor.removed {
                Some(RemovedFile::Unsaved { .. }) => "edits_restored",
                _ => "file_restored",
            };
            done(CodeCommand::Undo, confirmed("/code/file/{entity}", kind, "{entity}"))
        }
        _ => None,
    }
}

fn post_file(context: &Context<'_>, held: &SourceFile, rest: &[&str], mut form: Form) -> Option<Reading> {
    let own = address(&["code", "file", &held.id]);
    let file = held.id.clone();
    let (command, then) = match rest {
        [] if form.value("action") == "keep" => {
            let content = form.value("content").to_owned();
            (CodeCommand::KeepUnsaved { file, content }, confirmed(&own, "edits_kept", &held.id))
        }
        [] => {
            let command = Command::SaveFile {
                file: Some(file),
                path: held.path.clone(),
                content: form.value("content").to_owned(),
            };
            return Some(Ok((command, confirmed(&own, "file_saved", &held.id))));
        }
        ["open"] => (CodeCommand::OpenTab { file }, confirmed(&own, "tab_opened", &held.id)),
        ["revert"] => (CodeCommand::Revert { file }, confirmed(&own, "edits_reverted", &held.id)),
        ["edit"] => {
            let path = form.line("path");
            form.require(context, "path");
            if is_taken(context, &path, Some(held)) {
                form.fail("path", context.text("code.path_taken", &[]));
            }
            if !form.is_valid() {
                return Some(Err(form));
            }
            (CodeCommand::Rename { file, path }, confirmed(&own, "file_renamed", &held.id))
        }
        ["delete"] => (CodeCommand::Delete { file }, confirmed("/code", "file_removed", &held.id)),
        ["share", "stop"] => (CodeCommand::StopSharing { file }, confirmed(&own, "file_unshared", &held.id)),
        ["share"] => {
            if share::is_preview(&form) {
                return Some(Err(form));
            }
            let people = people::required(context, &mut form);
            if !form.is_valid() {
                return Some(Err(form));
            }
            let message = form.value("message").trim().to_owned();
            let command = CodeCommand::Share { file, people, message };
            (command, confirmed(&own, "file_shared", &held.id))
        }
        _ => return None,
    };
    Some(Ok((Command::Code(command), then)))
}

pub(super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["file", id, "edit" | "delete"] => Some(path_page(context, file_of(context, id)?, form)),
        ["file", id, "share", ..] => Some(share_page(context, file_of(context, id)?, form)),
        ["file", id, ..] => Some(editor_page(context, Some(file_of(context, id)?), form)),
        ["new"] => Some(new_file(context, form)),
        ["commit"] => Some(commit_page(context, form)),
        ["tab" | "undo", ..] => Some(front_page(context, form)),
        _ => None,
    }
}

fn is_taken(context: &Context<'_>, path: &str, by_other_than: Option<&SourceFile>) -> bool {
    let own = by_other_than.map(|file| file.id.as_str());
    let files = &context.state.apps.code_editor.files;
    files.iter().any(|file| file.path == path && own != Some(file.id.as_str()))
}

fn file_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a SourceFile> {
    context.state.apps.code_editor.files.iter().find(|file| file.id == id)
}

fn front_page(context: &Context<'_>, form: &Form) -> String {
    let editor = &context.state.apps.code_editor;
    let active = editor.active_file.as_deref().and_then(|id| file_of(context, id));
    editor_page(context, active.or(editor.files.first()), form)
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
                unsaved: file.unsaved.is_some(),
                changed: file.committed.is_some(),
            }
        })
        .collect();
    let mut names = Names::default();
    let tabs = editor.tabs.iter().map(|tab| tab_view(context, tab, open_id, &mut names)).collect();
    let mut commits: Vec<CommitView> =
        editor.commits.iter().map(|commit| commit_view(context, commit)).collect();
    commits.reverse();
    let view = Editor {
        files,
        tabs,
        open: open.map(|file| open_file(context, file, form)),
        query: untouched("q", ""),
        changed: editor.files.iter().filter(|file| file.committed.is_some()).count(),
        commits,
        details: render::rows(&editor.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("nav.code", &[]);
    render::page(context, PLACE, &heading, "code.html", &view)
}

fn tab_view(context: &Context<'_>, tab: &Tab, open_id: Option<&str>, names: &mut Names) -> TabView {
    let file = tab.file.as_deref().and_then(|id| file_of(context, id));
    let unsaved = file.is_some_and(|file| file.unsaved.is_some());
    let title = [("title", tab.title.as_str())];
    let key = if unsaved { "code.tab_unsaved" } else { "code.tab" };
    TabView {
        href: file.map(|file| address(&["code", "file", &file.id])),
        title: tab.title.clone(),
        name: names.unique(context, &context.text(key, &title)),
        current: tab.file.is_some() && tab.file.as_deref() == open_id,
        unsaved,
        close: address(&["code", "tab", &tab.id, "close"]),
        close_name: names.unique(context, &context.text("code.close_tab", &title)),
    }
}

fn commit_view(context: &Context<'_>, commit: &Commit) -> CommitView {
    let time = moment::stamp(commit.at);
    let about = if commit.pushed_to.is_empty() {
        context.text("code.commit_kept", &[("time", &time)])
    } else {
        let names = context.joined(&commit.pushed_to);
        context.text("code.commit_pushed_to", &[("time", &time), ("names", &names)])
    };
    let files = commit.files.iter();
    let files = files.map(|file| DiffView { path: file.path.clone(), lines: file.diff.clone() }).collect();
    CommitView { message: commit.message.clone(), about, files }
}

/// The lines of a text that hold a query, numbered.
fn hits(context: &Context<'_>, content: &str, query: &str) -> Vec<Hit> {
    let folded = query.trim().to_lowercase();
    if folded.is_empty() {
        return Vec::new();
    }
    let found = (1..).zip(content.lines()).filter(|(_, line)| line.to_lowercase().contains(&folded));
    found
        .take(HITS_LIMIT)
        .map(|(number, line): (usize, &str)| Hit {
            line: context.text("code.line", &[("number", &number.to_string())]),
            text: line.to_owned(),
        })
        .collect()
}

fn open_file(context: &Context<'_>, file: &SourceFile, form: &Form) -> OpenFile {
    let shown = file.unsaved.as_deref().unwrap_or(&file.content);
    let content = match form.given("content") {
        Some(_) => form.field("content"),
        None => untouched("content", shown),
    };
    let lines = file.content.lines().count();
    let find = context.query("find").unwrap_or_default();
    let hits = hits(context, shown, find);
    let mut tabs = context.state.apps.code_editor.tabs.iter();
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
        saved: file.unsaved.is_some().then(|| file.content.clone()),
        has_tab: tabs.any(|tab| tab.file.as_deref() == Some(file.id.as_str())),
        find: untouched("find", find),
        found: (!find.trim().is_empty())
            .then(|| context.counted("code.found", hits.len(), &[("query", find.trim())])),
        hits,
        messages: share::messages(context, &context.state.apps.code_editor.shares, &file.id),
        details: render::rows(&file.details),
    }
}

fn search_page(context: &Context<'_>) -> String {
    let query = context.query("q").unwrap_or_default();
    let mut files = Vec::new();
    let mut count = 0;
    for file in &context.state.apps.code_editor.files {
        let content = file.unsaved.as_deref().unwrap_or(&file.content);
        let hits = hits(context, content, query);
        let folded = query.trim().to_lowercase();
        let named = !folded.is_empty() && file.path.to_lowercase().contains(&folded);
        count += hits.len() + usize::from(named);
        if !hits.is_empty() || named {
            let name = context.text("code.open", &[("path", &file.path)]);
            let address = address(&["code", "file", &file.id]);
            files.push(FoundFile { address, path: file.path.clone(), name, hits });
        }
    }
    let view = SearchPage {
        query: untouched("q", query),
        found: (!query.trim().is_empty())
            .then(|| context.counted("code.found", count, &[("query", query.trim())])),
        files,
    };
    let heading = context.text("code.search", &[]);
    render::page(context, PLACE, &heading, "code_search.html", &view)
}

fn commit_page(context: &Context<'_>, form: &Form) -> String {
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

fn path_page(context: &Context<'_>, file: &SourceFile, form: &Form) -> String {
    let view = PathPage {
        address: address(&["code", "file", &file.id]),
        path: match form.given("path") {
            Some(_) => form.field("path"),
            None => untouched("path", &file.path),
        },
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("code.rename_heading", &[("path", &file.path)]);
    render::page(context, PLACE, &heading, "code_path.html", &view)
}

fn share_page(context: &Context<'_>, file: &SourceFile, form: &Form) -> String {
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
    let own = address(&["code", "file", &file.id]);
    let parts = Parts {
        kind: ShareKind::File,
        title: file.path.clone(),
        action: format!("{own}/share"),
        back: own,
        switches: Vec::new(),
        access: Vec::new(),
        preview,
        shared_with: file.shared_with.clone(),
    };
    share::page(context, PLACE, parts, form)
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
