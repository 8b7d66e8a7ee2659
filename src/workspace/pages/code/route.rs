//! Which page an address shows, and what a form sent there does.

use super::super::context::{Context, address, confirmed};
use super::super::form::Form;
use super::super::people;
use super::super::render::{self, Place};
use super::super::router::{Answer, Reading};
use super::super::share::{self};
use super::editor::{editor_page, front_page, search_page};
use super::forms::{
    close_page, commit_page, folder_page, new_file, path_page, pushed_to, share_folder_page, share_page,
};
use super::tree::{folder_of, name_of};
use crate::scenario::model::{RemovedFile, SourceFile, Tab};
use crate::workspace::{App, CodeCommand, Command};

pub(super) const PLACE: Place = Place::In(App::CodeEditor);

pub(in super::super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let blank = Form::default();
    let html = match segments {
        [] => front_page(context, &blank),
        ["file", id] => editor_page(context, Some(file_of(context, id)?), &blank),
        ["file", id, "edit"] => path_page(context, file_of(context, id)?, &blank),
        ["file", id, "share"] => share_page(context, file_of(context, id)?, &blank),
        ["new"] => new_file(context, &blank),
        ["folder"] => folder_page(context, &blank),
        ["folder", "share"] => share_folder_page(context, context.query("path")?, &blank)?,
        ["search"] => search_page(context),
        ["commit"] => commit_page(context, &blank),
        _ => return None,
    };
    Some(render::answer(html))
}

pub(in super::super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    let done = |command: CodeCommand, then: String| Some(Ok((Command::Code(command), then)));
    match segments {
        ["file", id, rest @ ..] => post_file(context, file_of(context, id)?, rest, form),
        ["tab", id, "close"] => {
            let held = tab_of(context, id)?;
            let tab = held.id.clone();
            let file = held.file.as_deref().and_then(|file| file_of(context, file));
            let Some(file) = file.filter(|file| file.unsaved.is_some()) else {
                let then = confirmed("/code", "tab_closed", &tab);
                return done(CodeCommand::CloseTab { tab }, then);
            };
            let (save, kind) = match form.value("edits") {
                "save" => (true, "file_saved"),
                "discard" => (false, "edits_reverted"),
                // Nobody has said yet.
                _ => return Some(Err(form)),
            };
            done(CodeCommand::CloseEdited { tab, save }, confirmed("/code", kind, &file.id))
        }
        ["tab", id, way @ ("pin" | "unpin")] => {
            let held = tab_of(context, id)?;
            let (tab, pinned) = (held.id.clone(), *way == "pin");
            let own = held.file.as_deref().map(|file| address(&["code", "file", file]));
            let kind = if pinned { "tab_pinned" } else { "tab_unpinned" };
            let then = confirmed(own.as_deref().unwrap_or("/code"), kind, &tab);
            done(CodeCommand::PinTab { tab, pinned }, then)
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
        ["folder"] => {
            form.require(context, "path");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = CodeCommand::AddFolder { path: form.line("path") };
            done(command, confirmed("/code", "folder_added", "{entity}"))
        }
        ["folder", "delete"] => {
            let path = form.value("path").to_owned();
            let then = confirmed("/code", "folder_removed", &path);
            done(CodeCommand::DeleteFolder { path }, then)
        }
        ["folder", "share", rest @ ..] => post_folder_share(context, rest, form),
        ["commit"] => {
            let files: Vec<String> = form.all("file").map(str::to_owned).collect();
            form.require(context, "text");
            if files.is_empty() {
                form.fail("file", context.text("code.choose_files", &[]));
            }
            let push = form.value("action") == "push";
            let people = match pushed_to(context) {
                _ if !push => Vec::new(),
                Some(names) => names,
                None => people::required(context, &mut form),
            };
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

fn post_folder_share(context: &Context<'_>, rest: &[&str], mut form: Form) -> Option<Reading> {
    let path = context.query("path")?;
    if !context.state.apps.code_editor.has_folder(path) {
        return None;
    }
    let (command, kind) = match rest {
        ["stop"] => (CodeCommand::StopSharingFolder { path: path.to_owned() }, "folder_unshared"),
        [] => {
            if share::is_preview(&form) {
                return Some(Err(form));
            }
            let people = people::required(context, &mut form);
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = CodeCommand::ShareFolder {
                path: path.to_owned(),
                people,
                can_edit: form.value("access") == "edit",
                message: form.value("message").trim().to_owned(),
            };
            (command, "folder_shared")
        }
        _ => return None,
    };
    Some(Ok((Command::Code(command), confirmed("/code", kind, path))))
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
            let mut path = form.line("path");
            form.require(context, "path");
            if let Some(folder) = form.given("folder").filter(|folder| *folder != folder_of(&held.path)) {
                // The folder that was chosen holds the name that was typed.
                let name = name_of(&path);
                path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            }
            if is_taken(context, &path, Some(held)) {
                form.fail("path", context.text("code.path_taken", &[]));
            }
            if !form.is_valid() {
                return Some(Err(form));
            }
            (CodeCommand::Rename { file, path }, confirmed(&own, "file_renamed", &held.id))
        }
        ["comment"] => {
            form.require(context, "comment");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let text = form.value("comment").trim().to_owned();
            (CodeCommand::AddComment { file, text }, confirmed(&own, "comment_added", &held.id))
        }
        ["duplicate"] => {
            let then = confirmed("/code/file/{entity}", "file_duplicated", "{entity}");
            (CodeCommand::Duplicate { file }, then)
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
            let can_edit = form.value("access") == "edit";
            let command = CodeCommand::Share { file, people, can_edit, message };
            (command, confirmed(&own, "file_shared", &held.id))
        }
        _ => return None,
    };
    Some(Ok((Command::Code(command), then)))
}

pub(in super::super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["file", id, "edit" | "delete"] => Some(path_page(context, file_of(context, id)?, form)),
        ["file", id, "share", ..] => Some(share_page(context, file_of(context, id)?, form)),
        ["file", id, ..] => Some(editor_page(context, Some(file_of(context, id)?), form)),
        ["new"] => Some(new_file(context, form)),
        ["folder"] => Some(folder_page(context, form)),
        ["folder", "share", ..] => share_folder_page(context, context.query("path")?, form),
        ["commit"] => Some(commit_page(context, form)),
        ["tab", id, "close"] if form.message().is_none() => close_page(context, tab_of(context, id)?, form),
        ["tab" | "undo" | "folder", ..] => Some(front_page(context, form)),
        _ => None,
    }
}

fn is_taken(context: &Context<'_>, path: &str, by_other_than: Option<&SourceFile>) -> bool {
    let own = by_other_than.map(|file| file.id.as_str());
    let files = &context.state.apps.code_editor.files;
    files.iter().any(|file| file.path == path && own != Some(file.id.as_str()))
}

fn tab_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a Tab> {
    context.state.apps.code_editor.tabs.iter().find(|tab| tab.id == id)
}

pub(super) fn file_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a SourceFile> {
    context.state.apps.code_editor.files.iter().find(|file| file.id == id)
}
