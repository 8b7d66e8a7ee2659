//! The file in front with its tabs, and searching.

use serde::Serialize;

use super::super::context::{Context, address};
use super::super::form::{Field, Form, untouched};
use super::super::moment;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::super::share::{self};
use super::super::todo::comment_row;
use super::route::{PLACE, file_of};
use super::tree::{Branch, RecentFile, recent, tree};
use crate::scenario::model::{Commit, Repository, SourceFile, Tab};
use crate::workspace::EVERYBODY;

/// Lines that a search shows.
const HITS_LIMIT: usize = 200;

#[derive(Serialize)]
struct Editor {
    tree: Vec<Branch>,
    recent: Vec<RecentFile>,
    tabs: Vec<TabView>,
    /// Messages that went with folders when they were shared.
    folder_messages: Vec<Row>,
    /// Where commits are pushed to, and who reads that.
    repository: Vec<Row>,
    open: Option<OpenFile>,
    query: Field,
    changed: usize,
    commits: Vec<CommitView>,
    details: Vec<Row>,
    message: Option<String>,
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
    /// The form that takes the pin off; a pinned tab is not closed.
    unpin: Option<String>,
    unpin_name: String,
}

#[derive(Serialize)]
struct OpenFile {
    address: String,
    path: String,
    content: Field,
    lines: String,
    saved_at: Option<String>,
    shared: Option<String>,
    access: Option<String>,
    readers: String,
    /// The saved content, where the editor shows edits that were not saved.
    saved: Option<String>,
    /// Its tab, which can be pinned.
    tab: Option<OwnTab>,
    find: Field,
    found: Option<String>,
    hits: Vec<Hit>,
    comments: Vec<Row>,
    comment: Field,
    messages: Vec<Row>,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct OwnTab {
    pin: String,
    pinned: bool,
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

pub(super) fn front_page(context: &Context<'_>, form: &Form) -> String {
    let editor = &context.state.apps.code_editor;
    let active = editor.active_file.as_deref().and_then(|id| file_of(context, id));
    editor_page(context, active.or(editor.files.first()), form)
}

pub(super) fn editor_page(context: &Context<'_>, open: Option<&SourceFile>, form: &Form) -> String {
    let editor = &context.state.apps.code_editor;
    let open_id = open.map(|file| file.id.as_str());
    let mut names = Names::default();
    let (pinned, others): (Vec<&Tab>, Vec<&Tab>) = editor.tabs.iter().partition(|tab| tab.pinned);
    let tabs = pinned.into_iter().chain(others);
    let tabs = tabs.map(|tab| tab_view(context, tab, open_id, &mut names)).collect();
    let mut commits: Vec<CommitView> =
        editor.commits.iter().map(|commit| commit_view(context, commit)).collect();
    commits.reverse();
    let folder_messages = editor.shared_folders.iter().flat_map(|folder| {
        let rows = share::messages(context, &editor.shares, &folder.path).into_iter();
        rows.map(|row| Row { label: format!("{}: {}", folder.path, row.label), ..row })
    });
    let view = Editor {
        tree: tree(context, open_id),
        recent: recent(context),
        tabs,
        folder_messages: folder_messages.collect(),
        repository: editor.repository.as_ref().map_or_else(Vec::new, |held| repository(context, held)),
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
    let own = address(&["code", "tab", &tab.id]);
    TabView {
        href: file.map(|file| address(&["code", "file", &file.id])),
        title: tab.title.clone(),
        name: names.unique(context, &context.text(key, &title)),
        current: tab.file.is_some() && tab.file.as_deref() == open_id,
        unsaved,
        close: format!("{own}/close"),
        close_name: names.unique(context, &context.text("code.close_tab", &title)),
        unpin: tab.pinned.then(|| format!("{own}/unpin")),
        unpin_name: names.unique(context, &context.text("code.unpin_tab", &title)),
    }
}

/// Where commits are pushed to, and who reads what is.
pub(super) fn repository(context: &Context<'_>, held: &Repository) -> Vec<Row> {
    let mut rows = Vec::new();
    render::add_row(&mut rows, context, "code.repository", &held.remote);
    let readers = if held.is_public {
        context.text("code.repository_public", &[])
    } else {
        context.joined(&held.members)
    };
    render::add_row(&mut rows, context, "code.repository_members", &readers);
    if held.is_public {
        render::add_row(&mut rows, context, "code.repository_people", &context.joined(&held.members));
    }
    rows
}

fn commit_view(context: &Context<'_>, commit: &Commit) -> CommitView {
    let time = moment::stamp(commit.at);
    let about = if commit.pushed_to.is_empty() {
        context.text("code.commit_kept", &[("time", &time)])
    } else {
        let names = commit.pushed_to.iter().map(|name| match name.as_str() {
            EVERYBODY => context.text("code.repository_public", &[]),
            _ => name.clone(),
        });
        let names = context.joined(&names.collect::<Vec<_>>());
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
    let content = form.field_or("content", shown);
    let lines = file.content.lines().count();
    let find = context.query("find").unwrap_or_default();
    let hits = hits(context, shown, find);
    let editor = &context.state.apps.code_editor;
    let tab = editor.tabs.iter().find(|tab| tab.file.as_deref() == Some(file.id.as_str()));
    let names = editor.readers_of(file);
    let by_folder = editor.folder_can_edit(&file.path);
    OpenFile {
        address: address(&["code", "file", &file.id]),
        path: file.path.clone(),
        content,
        lines: match lines {
            0 => context.text("code.empty_file", &[]),
            _ => context.counted("code.lines", lines, &[]),
        },
        shared: (!names.is_empty())
            .then(|| context.text("code.shared_with", &[("names", &context.joined(&names))])),
        readers: context.readers(&names),
        saved_at: file
            .saved_at
            .map(|at| context.text("code.saved_at", &[("time", &moment::clock(at.time()))])),
        access: (file.can_edit || by_folder).then(|| context.text("share.can_edit", &[])),
        saved: file.unsaved.is_some().then(|| file.content.clone()),
        tab: tab.map(|tab| OwnTab {
            pin: address(&["code", "tab", &tab.id, if tab.pinned { "unpin" } else { "pin" }]),
            pinned: tab.pinned,
        }),
        find: untouched("find", find),
        found: (!find.trim().is_empty())
            .then(|| context.counted("code.found", hits.len(), &[("query", find.trim())])),
        hits,
        comments: file.comments.iter().map(|comment| comment_row(context, comment)).collect(),
        comment: form.field("comment"),
        messages: share::messages(context, &context.state.apps.code_editor.shares, &file.id),
        details: render::rows(&file.details),
    }
}

pub(super) fn search_page(context: &Context<'_>) -> String {
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
