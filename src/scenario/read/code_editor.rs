//! Code editor: files and open tabs.

use std::collections::{HashMap, HashSet};

use super::super::error::Problem;
use super::super::json::{Json, JsonPath};
use super::super::model::{CodeEditor, Comment, Detail, Repository, SharedFolder, SourceFile, Tab};
use super::context::Context;
use super::fields::Fields;
use super::{python, todo};

/// Label of the row that shows a text the loader took apart.
const AS_WRITTEN: &str = "as written";

/// Longest text that is taken for a path.
const LONGEST_PATH: usize = 260;

pub(super) fn read(context: &mut Context, value: &Json, path: &JsonPath) -> CodeEditor {
    let Some(mut fields) = Fields::open(context, value, path) else { return CodeEditor::default() };
    let mut editor = Editor::default();
    if let Some(items) = fields.take_list(context, &["files"]) {
        for (value, path) in items.iter() {
            if let Some(file) = read_file(context, value, &path, false) {
                editor.add(context, file);
            }
        }
    }
    let (mut folders, mut shared_folders) = (Vec::new(), Vec::new());
    if let Some(items) = fields.take_list_or_keep(&["folders"]) {
        for (value, path) in items.iter() {
            let Some(shared) = read_folder(context, &mut fields, value, &path) else { continue };
            if !folders.contains(&shared.path) {
                folders.push(shared.path.clone());
                shared_folders.extend(Some(shared).filter(|folder| !folder.shared_with.is_empty()));
            }
        }
    }
    let repository = read_repository(context, &mut fields);
    let file_name = fields.take_text(&["filename"]).filter(|name| !name.trim().is_empty());
    let active = fields.take_text(&["active_file"]).filter(|name| !name.trim().is_empty());
    let content = fields.take_text(&["content"]);
    if let Some(name) = &file_name {
        editor.open(context, name);
    }
    if let Some(name) = &active {
        editor.active = Some(editor.open(context, name));
    }
    if let Some(content) = content {
        // The content belongs to the file named beside it, else to the one in front.
        let name = file_name.or(active);
        match name {
            Some(name) => editor.fill(context, &name, content),
            None if content.trim().is_empty() => {}
            None => fields.keep("content", content),
        }
    }
    if let Some(items) = fields.take_list(context, &["open_tabs", "tabs"]) {
        for (value, path) in items.iter() {
            if let Some(tab) = read_tab(context, &mut editor, value, &path) {
                editor.tabs.push(tab);
            }
        }
    }
    if editor.active.is_none() {
        editor.active = editor.tabs.iter().find_map(|tab| tab.file.clone());
    }
    CodeEditor {
        files: editor.files,
        folders,
        shared_folders,
        repository,
        tabs: editor.tabs,
        active_file: editor.active,
        details: fields.into_details(context),
        ..CodeEditor::default()
    }
}

/// A file as the scenario gives it, before its path is made unique.
#[derive(Debug, Default)]
struct FileReading {
    path: String,
    /// `None` where the file is only named.
    content: Option<String>,
    /// Edits that were not saved.
    unsaved: Option<String>,
    shared_with: Vec<String>,
    comments: Vec<Comment>,
    /// Whether the tab that names the file is pinned.
    pinned: bool,
    details: Vec<Detail>,
}

/// The editor while it is read.
#[derive(Debug, Default)]
struct Editor {
    files: Vec<SourceFile>,
    /// The first file of each path as the scenario wrote it, and how many there are.
    by_path: HashMap<String, (usize, usize)>,
    /// Files by that path and their content.
    by_content: HashMap<(String, String), usize>,
    /// Paths given out.
    taken: HashSet<String>,
    /// Whether a file's content is known, in step with `files`.
    has_content: Vec<bool>,
    tabs: Vec<Tab>,
    active: Option<String>,
}

impl Editor {
    /// Adds a file. A second one of the same path is another file, called `path (2)`, unless it adds
    /// nothing to the first. Returns the file's index.
    fn add(&mut self, context: &mut Context, file: FileReading) -> usize {
        let (first, count) = self.by_path.get(&file.path).copied().unwrap_or((self.files.len(), 0));
        let is_plain = file.shared_with.is_empty()
            && file.comments.is_empty()
            && file.details.is_empty()
            && file.unsaved.is_none();
        if count > 0 && is_plain {
            let Some(content) = &file.content else { return first };
            let key = (file.path.clone(), content.clone());
            if let Some(same) = self.by_content.get(&key) {
                return *same;
            }
            // Only the first file of a path can be one that was named without its content.
            if !self.has_content[first] {
                self.files[first].content.clone_from(content);
                self.has_content[first] = true;
                self.by_content.insert(key, first);
                return first;
            }
        }
        let index = self.files.len();
        let path = self.unused_path(&file.path, count);
        if let Some(content) = &file.content {
            self.by_content.insert((file.path.clone(), content.clone()), index);
        }
        self.by_path.insert(file.path, (first, count + 1));
        self.taken.insert(path.clone());
        self.has_content.push(file.content.is_some());
        self.files.push(SourceFile {
            id: context.next_id("file"),
            path,
            content: file.content.unwrap_or_default(),
            unsaved: file.unsaved,
            shared_with: file.shared_with,
            comments: file.comments,
            details: file.details,
            ..SourceFile::default()
        });
        index
    }

    fn unused_path(&self, path: &str, taken: usize) -> String {
        let mut candidate = path.to_owned();
        let mut number = taken.max(1) + 1;
        while self.taken.contains(&candidate) {
            candidate = format!("{path} ({number})");
            number += 1;
        }
        candidate
    }

    /// The first file of that path; made where there is none, since it is open.
    fn open(&mut self, context: &mut Context, path: &str) -> String {
        let index = self.add(context, FileReading { path: path.to_owned(), ..FileReading::default() });
        self.files[index].id.clone()
    }

    /// Gives a file its content; where it has another one, it is a further file of that path.
    fn fill(&mut self, context: &mut Context, path: &str, content: String) {
        let file = FileReading { path: path.to_owned(), content: Some(content), ..FileReading::default() };
        let index = self.add(context, file);
        if self.active.is_none() {
            self.active = Some(self.files[index].id.clone());
        }
    }
}

/// A file, or what a tab says of one.
fn read_file(context: &mut Context, value: &Json, path: &JsonPath, is_tab: bool) -> Option<FileReading> {
    if let Some(text) = value.scalar_text() {
        if text.trim().is_empty() {
            context.fault(path.clone(), Problem::Blank);
            return None;
        }
        let mut file =
            printed_file(&text).unwrap_or_else(|| FileReading { path: text.clone(), ..Default::default() });
        if file.path != text {
            file.details.push(Detail { label: AS_WRITTEN.to_owned(), value: text });
        }
        return Some(file);
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(name) = fields.take_text(&["path", "name", "filename"]) else {
        fields.missing(context, "path");
        return None;
    };
    if name.trim().is_empty() {
        context.fault(path.clone(), Problem::Blank);
        return None;
    }
    let content = fields.take_text(&["content", "text", "body"]);
    let unsaved = fields.take_text(&["unsaved"]);
    let shared_with =
        fields.take_list(context, &["shared_with"]).map(|items| items.texts(context)).unwrap_or_default();
    let mut comments = Vec::new();
    if let Some(items) = fields.take_list_or_keep(&["comments"]) {
        for (value, path) in items.iter() {
            comments.extend(todo::read_comment(context, value, &path));
        }
    }
    let pinned = is_tab && fields.take_flag(&["pinned"]).unwrap_or_default();
    let details = fields.into_details(context);
    Some(FileReading { path: name, content, unsaved, shared_with, comments, pinned, details })
}

/// A folder: its path, or an object that says who reads it.
fn read_folder(
    context: &mut Context,
    outer: &mut Fields<'_>,
    value: &Json,
    path: &JsonPath,
) -> Option<SharedFolder> {
    let mut folder = SharedFolder::default();
    if let Some(text) = value.scalar_text() {
        folder.path = text;
    } else {
        let mut fields = Fields::open(context, value, path)?;
        let Some(text) = fields.take_text(&["path", "name"]) else {
            fields.missing(context, "path");
            return None;
        };
        folder.path = text;
        let names = fields.take_list(context, &["shared_with"]);
        folder.shared_with = names.map(|names| names.texts(context)).unwrap_or_default();
        folder.can_edit = fields.take_flag(&["can_edit"]).unwrap_or_default();
        for detail in fields.into_details(context) {
            outer.keep(&format!("{} {}", folder.path, detail.label), detail.value);
        }
    }
    folder.path = folder.path.trim().trim_matches('/').to_owned();
    if folder.path.is_empty() {
        context.fault(path.clone(), Problem::Blank);
        return None;
    }
    Some(folder)
}

/// Where commits are pushed to: an address, or an object that says who reads what is pushed. What is
/// neither is kept as it is.
fn read_repository(context: &mut Context, outer: &mut Fields<'_>) -> Option<Repository> {
    let field = outer.take(&["repository"])?;
    let mut repository = Repository::default();
    match field.value {
        Json::Object(entries) if entries.iter().any(|(key, _)| key == "remote") => {
            let mut fields = Fields::open(context, field.value, &field.path)?;
            repository.remote = fields.take_text(&["remote"]).unwrap_or_default();
            let names = fields.take_list(context, &["members"]);
            repository.members = names.map(|names| names.texts(context)).unwrap_or_default();
            repository.is_public = fields.take_flag(&["public"]).unwrap_or_default();
            for detail in fields.into_details(context) {
                outer.keep(&format!("{} {}", field.key, detail.label), detail.value);
            }
        }
        value => repository.remote = value.scalar_text().unwrap_or_default(),
    }
    if repository.remote.trim().is_empty() {
        outer.keep_value(&field);
        return None;
    }
    Some(repository)
}

/// A file that was printed as a Python dictionary.
fn printed_file(text: &str) -> Option<FileReading> {
    let mut file = FileReading::default();
    for (key, value) in python::dictionary(text)? {
        match key.as_str() {
            "name" | "path" | "filename" if file.path.is_empty() => file.path = value,
            "content" if file.content.is_none() => file.content = Some(value),
            // The text is shown as written, so nothing is lost here.
            _ => {}
        }
    }
    (!file.path.trim().is_empty()).then_some(file)
}

/// A tab shows its text verbatim; the file it belongs to is found, or made where the text is a path.
fn read_tab(context: &mut Context, editor: &mut Editor, value: &Json, path: &JsonPath) -> Option<Tab> {
    let mut pinned = false;
    let (title, file) = if let Some(title) = value.scalar_text() {
        if title.trim().is_empty() {
            context.fault(path.clone(), Problem::Blank);
            return None;
        }
        let file = match printed_file(&title) {
            Some(file) => Some(editor.add(context, file)),
            None if is_path(&title) => {
                Some(editor.add(context, FileReading { path: title.clone(), ..Default::default() }))
            }
            None => None,
        };
        (title, file)
    } else {
        let Json::Object(_) = value else {
            let problem = Problem::WrongType { expected: "a string or an object", found: value.kind() };
            context.fault(path.clone(), problem);
            return None;
        };
        let file = read_file(context, value, path, true)?;
        pinned = file.pinned;
        (file.path.clone(), Some(editor.add(context, file)))
    };
    let file = file.map(|index| editor.files[index].id.clone());
    Some(Tab { id: context.next_id("tab"), title, file, pinned })
}

/// Whether a tab's text is the path of a file and not a description.
fn is_path(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or(text);
    text.len() <= LONGEST_PATH
        && !text.contains(['\n', '\t', '{', '"'])
        && (text.contains('/') || last.contains('.'))
        && last.split_whitespace().count() <= 6
}
