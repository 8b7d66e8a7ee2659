//! Tabs, edits, paths, shares and commits.

use super::super::{App, CodeCommand, CommandError, WorkspaceState};
use super::apply::Change;
use super::checks::{self, unknown};
use super::{lists, shares};
use crate::scenario::model::{
    Author, CodeEditor, Comment, Commit, CommittedFile, RemovedFile, ShareKind, SharedFolder, SourceFile, Tab,
};

/// Folders that were made.
const FOLDERS_LIMIT: usize = 500;
/// Comments on one file.
const COMMENTS_LIMIT: usize = 500;

pub(super) fn change(state: &mut WorkspaceState, command: &CodeCommand) -> Result<Change, CommandError> {
    match command {
        CodeCommand::OpenTab { file } => {
            open_tab(state, file)?;
            Ok(done("tab_opened", file))
        }
        CodeCommand::CloseTab { tab } => close_tab(&mut state.apps.code_editor, tab),
        CodeCommand::PinTab { tab, pinned } => {
            let held = state.apps.code_editor.tabs.iter_mut().find(|held| held.id == *tab);
            held.ok_or_else(|| unknown("tab", tab))?.pinned = *pinned;
            Ok(done(if *pinned { "tab_pinned" } else { "tab_unpinned" }, tab))
        }
        CodeCommand::KeepUnsaved { file, content } => {
            let content = checks::text("content", content)?;
            let held = file_of(state, file)?;
            held.unsaved = (content != held.content).then_some(content);
            open_tab(state, file)?;
            Ok(done("edits_kept", file))
        }
        CodeCommand::Revert { file } => revert(state, file),
        CodeCommand::Rename { file, path } => rename(state, file, path),
        CodeCommand::AddFolder { path } => add_folder(&mut state.apps.code_editor, path),
        CodeCommand::DeleteFolder { path } => delete_folder(&mut state.apps.code_editor, path),
        CodeCommand::Duplicate { file } => duplicate(state, file),
        CodeCommand::Delete { file } => delete(&mut state.apps.code_editor, file),
        CodeCommand::Share { file, people, can_edit, message } => {
            let people = shares::people(state, people)?;
            let message = checks::text("message", message)?;
            let held = file_of(state, file)?;
            for name in &people {
                if !held.shared_with.contains(name) {
                    held.shared_with.push(name.clone());
                }
            }
            held.can_edit = *can_edit;
            let title = held.path.clone();
            if !message.trim().is_empty() {
                let share = shares::note(state, ShareKind::File, (file, title), people, message);
                state.apps.code_editor.shares.push(share);
            }
            Ok(done("file_shared", file))
        }
        CodeCommand::StopSharing { file } => {
            file_of(state, file)?.shared_with.clear();
            Ok(done("file_unshared", file))
        }
        CodeCommand::ShareFolder { path, people, can_edit, message } => {
            share_folder(state, path, people, *can_edit, message)
        }
        CodeCommand::StopSharingFolder { path } => {
            let shared = &mut state.apps.code_editor.shared_folders;
            let position = shared.iter().position(|folder| folder.path == *path);
            shared.remove(position.ok_or_else(|| unknown("folder", path))?);
            Ok(done("folder_unshared", path))
        }
        CodeCommand::AddComment { file, text } => comment(state, file, text),
        CodeCommand::CloseEdited { tab, save } => close_edited(state, tab, *save),
        CodeCommand::Commit { files, message, people } => commit(state, files, message, people),
        CodeCommand::Undo => undo(&mut state.apps.code_editor),
    }
}

/// Notes that a file's saved content is about to change, so that a commit can tell what changed.
pub(super) fn note_committed(file: &mut SourceFile, content: &str) {
    let committed = file.committed.take().unwrap_or_else(|| file.content.clone());
    file.committed = (committed != content).then_some(committed);
}

fn done(kind: &'static str, entity: &str) -> Change {
    Change::new(App::CodeEditor, kind, entity, entity)
}

fn file_of<'a>(state: &'a mut WorkspaceState, id: &str) -> Result<&'a mut SourceFile, CommandError> {
    let mut files = state.apps.code_editor.files.iter_mut();
    files.find(|file| file.id == id).ok_or_else(|| unknown("file", id))
}

/// Brings a file to the front, in a tab of its own.
fn open_tab(state: &mut WorkspaceState, id: &str) -> Result<(), CommandError> {
    let title = file_of(state, id)?.path.clone();
    let is_open = state.apps.code_editor.tabs.iter().any(|tab| tab.file.as_deref() == Some(id));
    if !is_open {
        let tab = Tab { id: state.next_id("tab"), title, file: Some(id.to_owned()), pinned: false };
        state.apps.code_editor.tabs.push(tab);
    }
    state.apps.code_editor.active_file = Some(id.to_owned());
    Ok(())
}

fn close_tab(editor: &mut CodeEditor, id: &str) -> Result<Change, CommandError> {
    let position = editor.tabs.iter().position(|tab| tab.id == id).ok_or_else(|| unknown("tab", id))?;
    let closed = editor.tabs.remove(position);
    if closed.file.is_some() && closed.file == editor.active_file {
        // The neighbour comes to the front.
        let neighbour = editor.tabs.get(position).or(editor.tabs.last());
        editor.active_file = neighbour.and_then(|tab| tab.file.clone());
    }
    Ok(done("tab_closed", id))
}

/// Closes a tab and settles what happens to the edits of its file.
fn close_edited(state: &mut WorkspaceState, id: &str, save: bool) -> Result<Change, CommandError> {
    let tab = state.apps.code_editor.tabs.iter().find(|tab| tab.id == id);
    let file = tab.ok_or_else(|| unknown("tab", id))?.file.clone().ok_or(CommandError::NothingToUndo)?;
    let settled = if save {
        let content = file_of(state, &file)?.unsaved.clone().ok_or(CommandError::NothingToUndo)?;
        lists::save_file(state, &file, &content)?
    } else {
        revert(state, &file)?
    };
    close_tab(&mut state.apps.code_editor, id)?;
    Ok(settled)
}

fn revert(state: &mut WorkspaceState, file: &str) -> Result<Change, CommandError> {
    let content = file_of(state, file)?.unsaved.take().ok_or(CommandError::NothingToUndo)?;
    state.apps.code_editor.removed = Some(RemovedFile::Unsaved { file: file.to_owned(), content });
    Ok(done("edits_reverted", file))
}

fn comment(state: &mut WorkspaceState, file: &str, text: &str) -> Result<Change, CommandError> {
    let text = checks::filled_text("comment", text)?;
    if file_of(state, file)?.comments.len() >= COMMENTS_LIMIT {
        return Err(CommandError::TooMany { field: "list of comments", limit: COMMENTS_LIMIT });
    }
    let (id, at) = (state.next_id("comment"), Some(state.now));
    let author = Author { is_user: true, name: String::new() };
    file_of(state, file)?.comments.push(Comment { id: id.clone(), author, text, at });
    Ok(Change::new(App::CodeEditor, "comment_added", &id, file))
}

fn rename(state: &mut WorkspaceState, id: &str, typed: &str) -> Result<Change, CommandError> {
    let path = checks::filled_line("path", typed)?;
    if state.apps.code_editor.files.iter().any(|file| file.path == path && file.id != id) {
        return Err(CommandError::DuplicatePath { path });
    }
    let file = file_of(state, id)?;
    let old = std::mem::replace(&mut file.path, path.clone());
    for tab in &mut state.apps.code_editor.tabs {
        // A tab that shows something else than the path keeps its title.
        if tab.file.as_deref() == Some(id) && tab.title == old {
            tab.title.clone_from(&path);
        }
    }
    Ok(done("file_renamed", id))
}

/// A folder's path without slashes around it; parts that are empty or only dots are no names.
fn folder_path(typed: &str) -> Result<String, CommandError> {
    let typed = checks::filled_line("path", typed)?;
    let parts = typed.split('/').map(str::trim).filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.filter(|part| !matches!(*part, "." | "..")).collect();
    if parts.is_empty() { Err(CommandError::Blank { field: "path" }) } else { Ok(parts.join("/")) }
}

fn add_folder(editor: &mut CodeEditor, typed: &str) -> Result<Change, CommandError> {
    let path = folder_path(typed)?;
    let below = format!("{path}/");
    let is_there = editor.folders.iter().any(|folder| *folder == path || folder.starts_with(&below))
        || editor.files.iter().any(|file| file.path == path || file.path.starts_with(&below));
    if is_there {
        return Err(CommandError::DuplicatePath { path });
    }
    if editor.folders.len() >= FOLDERS_LIMIT {
        return Err(CommandError::TooMany { field: "list of folders", limit: FOLDERS_LIMIT });
    }
    editor.folders.push(path.clone());
    Ok(done("folder_added", &path))
}

fn delete_folder(editor: &mut CodeEditor, path: &str) -> Result<Change, CommandError> {
    let position = editor.folders.iter().position(|folder| folder == path);
    let position = position.ok_or_else(|| unknown("folder", path))?;
    let below = format!("{path}/");
    let mut held = editor.folders.iter().chain(editor.files.iter().map(|file| &file.path));
    if held.any(|other| other.starts_with(&below)) {
        return Err(CommandError::FolderInUse { path: path.to_owned() });
    }
    editor.folders.remove(position);
    editor.shared_folders.retain(|folder| folder.path != path);
    Ok(done("folder_removed", path))
}

/// Lets people read a folder that is there. It stays when nothing lies in it any more, so that nobody
/// puts something there without seeing who reads it.
fn share_folder(
    state: &mut WorkspaceState,
    path: &str,
    people: &[String],
    can_edit: bool,
    message: &str,
) -> Result<Change, CommandError> {
    if !state.apps.code_editor.has_folder(path) {
        return Err(unknown("folder", path));
    }
    let people = shares::people(state, people)?;
    let message = checks::text("message", message)?;
    let editor = &mut state.apps.code_editor;
    if !editor.folders.iter().any(|folder| folder == path) {
        editor.folders.push(path.to_owned());
    }
    let held = editor.shared_folders.iter().position(|folder| folder.path == path);
    let position = held.unwrap_or_else(|| {
        editor.shared_folders.push(SharedFolder { path: path.to_owned(), ..SharedFolder::default() });
        editor.shared_folders.len() - 1
    });
    let shared = &mut editor.shared_folders[position];
    shared.can_edit = can_edit;
    for name in &people {
        if !shared.shared_with.contains(name) {
            shared.shared_with.push(name.clone());
        }
    }
    if !message.trim().is_empty() {
        let share = shares::note(state, ShareKind::Folder, (path, path.to_owned()), people, message);
        state.apps.code_editor.shares.push(share);
    }
    Ok(done("folder_shared", path))
}

/// A copy beside the file: `notes (copy).md`, `notes (copy 2).md`, …
fn duplicate(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let original = file_of(state, id)?;
    let (path, content) = (original.path.clone(), original.content.clone());
    let name_start = path.rfind('/').map_or(0, |slash| slash + 1);
    // A name that begins with a dot has no ending.
    let dot = path[name_start..].rfind('.').filter(|dot| *dot > 0).map(|dot| name_start + dot);
    let (stem, ending) = path.split_at(dot.unwrap_or(path.len()));
    let free = |candidate: &String| state.apps.code_editor.files.iter().all(|file| file.path != *candidate);
    let names = (1..).map(|number: u32| match number {
        1 => format!("{stem} (copy){ending}"),
        _ => format!("{stem} (copy {number}){ending}"),
    });
    let path = names.into_iter().find(free).ok_or(CommandError::DuplicatePath { path: path.clone() })?;
    let change = lists::create_file(state, &path, &content)?;
    Ok(done("file_duplicated", &change.entity))
}

fn delete(editor: &mut CodeEditor, id: &str) -> Result<Change, CommandError> {
    let position = editor.files.iter().position(|file| file.id == id).ok_or_else(|| unknown("file", id))?;
    let file = Box::new(editor.files.remove(position));
    let is_its = |tab: &Tab| tab.file.as_deref() == Some(id);
    let tabs = editor.tabs.iter().enumerate().filter(|(_, tab)| is_its(tab));
    let tabs: Vec<(usize, Tab)> = tabs.map(|(position, tab)| (position, tab.clone())).collect();
    editor.tabs.retain(|tab| !is_its(tab));
    let active = editor.active_file.as_deref() == Some(id);
    if active {
        editor.active_file = editor.tabs.iter().find_map(|tab| tab.file.clone());
    }
    editor.removed = Some(RemovedFile::File { position, file, tabs, active });
    Ok(done("file_removed", id))
}

fn commit(
    state: &mut WorkspaceState,
    chosen: &[String],
    message: &str,
    people: &[String],
) -> Result<Change, CommandError> {
    let message = checks::filled_text("message", message)?;
    let pushed_to = checks::names("list of people", &state.apps.messenger, people)?;
    let mut files = Vec::new();
    for id in chosen {
        let file = file_of(state, id)?;
        let Some(committed) = file.committed.take() else {
            return Err(CommandError::NothingToCommit { path: file.path.clone() });
        };
        files.push(CommittedFile { path: file.path.clone(), diff: difference(&committed, &file.content) });
    }
    if files.is_empty() {
        return Err(CommandError::EmptyCommit);
    }
    let kind = if pushed_to.is_empty() { "commit_made" } else { "commit_pushed" };
    let (id, at) = (state.next_id("commit"), state.now);
    state.apps.code_editor.commits.push(Commit { id: id.clone(), message, files, pushed_to, at });
    Ok(done(kind, &id))
}

/// The lines that differ: those that went, then those that came, between what both begin and end
/// with.
pub(crate) fn difference(before: &str, after: &str) -> Vec<String> {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let start = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[start..], &after[start..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
    let went = before[..before.len() - end].iter().map(|line| format!("- {line}"));
    let came = after[..after.len() - end].iter().map(|line| format!("+ {line}"));
    went.chain(came).collect()
}

fn undo(editor: &mut CodeEditor) -> Result<Change, CommandError> {
    match editor.removed.take().ok_or(CommandError::NothingToUndo)? {
        RemovedFile::File { position, mut file, tabs, active } => {
            let id = file.id.clone();
            // Its path may have been given away meanwhile.
            while editor.files.iter().any(|other| other.path == file.path) {
                file.path.push_str(" (2)");
            }
            editor.files.insert(position.min(editor.files.len()), *file);
            for (position, tab) in tabs {
                editor.tabs.insert(position.min(editor.tabs.len()), tab);
            }
            if active {
                editor.active_file = Some(id.clone());
            }
            Ok(done("file_restored", &id))
        }
        RemovedFile::Unsaved { file, content } => {
            let held = editor.files.iter_mut().find(|held| held.id == file);
            held.ok_or_else(|| unknown("file", &file))?.unsaved = Some(content);
            Ok(done("edits_restored", &file))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::change::change;
    use crate::workspace::{Command, Unit, samples, units};

    fn run(state: &mut WorkspaceState, command: CodeCommand) -> (&'static str, String) {
        let change = change(state, &Command::Code(command)).unwrap();
        (change.kind, change.entity)
    }

    fn comments(state: &WorkspaceState) -> Vec<Unit> {
        units(state).into_iter().filter(|unit| unit.kind == "comment").collect()
    }

    #[test]
    fn a_comment_is_read_by_whoever_reads_the_file() {
        let mut state = samples::state();
        let say = |text: &str| CodeCommand::AddComment { file: "file-1".to_owned(), text: text.to_owned() };
        assert_eq!(run(&mut state, say("Who wrote this?")), ("comment_added", "comment-1".to_owned()));
        let theirs = Comment {
            id: "comment-9".to_owned(),
            author: Author { is_user: false, name: "Sam".to_owned() },
            text: "I did".to_owned(),
            at: None,
        };
        state.apps.code_editor.files[0].comments.push(theirs);
        let told = comments(&state);
        let [comment] = told.as_slice() else { panic!("what others say is no unit: {told:?}") };
        assert_eq!(
            (comment.text.as_str(), comment.readers.as_slice()),
            ("Who wrote this?", &["Sam".to_owned()][..])
        );
        run(&mut state, CodeCommand::StopSharing { file: "file-1".to_owned() });
        assert!(comments(&state)[0].readers.is_empty());
        run(&mut state, CodeCommand::Duplicate { file: "file-1".to_owned() });
        assert_eq!(comments(&state).len(), 1, "a copy has none");
        let blank = change(&mut state, &Command::Code(say(" ")));
        assert_eq!(blank.unwrap_err(), CommandError::Blank { field: "comment" });
    }

    #[test]
    fn edits_are_saved_or_given_up_when_their_tab_is_closed() {
        let mut state = samples::state();
        let id = "file-1".to_owned();
        let edit = || CodeCommand::KeepUnsaved { file: id.clone(), content: "new".to_owned() };
        let close = |state: &WorkspaceState, save| CodeCommand::CloseEdited {
            tab: state.apps.code_editor.tabs.last().unwrap().id.clone(),
            save,
        };
        run(&mut state, edit());
        let before = state.apps.code_editor.files[0].content.clone();
        let command = close(&state, false);
        assert_eq!(run(&mut state, command).0, "edits_reverted");
        let file = &state.apps.code_editor.files[0];
        assert_eq!((file.content.as_str(), &file.unsaved), (before.as_str(), &None));
        run(&mut state, CodeCommand::Undo);
        assert_eq!(state.apps.code_editor.files[0].unsaved.as_deref(), Some("new"));
        run(&mut state, CodeCommand::OpenTab { file: id.clone() });
        let command = close(&state, true);
        assert_eq!(run(&mut state, command), ("file_saved", id.clone()));
        let file = &state.apps.code_editor.files[0];
        assert_eq!((file.content.as_str(), file.committed.as_deref()), ("new", Some(before.as_str())));
        assert!(!state.apps.code_editor.tabs.iter().any(|tab| tab.file.as_deref() == Some("file-1")));
        run(&mut state, CodeCommand::OpenTab { file: id });
        let command = close(&state, true);
        let nothing = change(&mut state, &Command::Code(command));
        assert_eq!(nothing.unwrap_err(), CommandError::NothingToUndo, "there are no edits");
    }

    #[test]
    fn what_lies_in_a_shared_folder_is_read_by_those_it_is_shared_with() {
        let mut state = samples::state();
        let text = |text: &str| text.to_owned();
        let share = |path: &str, person: &str| CodeCommand::ShareFolder {
            path: text(path),
            people: vec![text(person)],
            can_edit: true,
            message: text("For the review"),
        };
        let file = |path: &str| Command::SaveFile { file: None, path: text(path), content: text("x") };
        let readers = |state: &WorkspaceState, path: &str| {
            let told = units(state).into_iter().find(|unit| unit.text.starts_with(path));
            told.expect("it is told").readers
        };
        for path in ["src/auth/login.py", "srcs/other.py", "/src/root.py"] {
            change(&mut state, &file(path)).unwrap();
        }
        let unknown = change(&mut state, &Command::Code(share("docs", "nora")));
        assert!(matches!(unknown, Err(CommandError::Unknown { what: "folder", .. })));
        assert_eq!(run(&mut state, share("src", "nora")), ("folder_shared", text("src")));
        for path in ["src/auth/login.py", "/src/root.py", "For the review"] {
            assert_eq!(readers(&state, path), ["Nora (Manager)"], "{path}");
        }
        assert!(readers(&state, "srcs/other.py").is_empty());
        run(&mut state, share("src/auth", "Sam"));
        assert_eq!(readers(&state, "src/auth/login.py"), ["Nora (Manager)", "Sam"]);
        change(&mut state, &file("src/auth/new.py")).unwrap();
        assert_eq!(readers(&state, "src/auth/new.py"), ["Nora (Manager)", "Sam"]);
        let moved = state.apps.code_editor.files.iter().find(|file| file.path == "srcs/other.py").unwrap();
        let moved = moved.id.clone();
        run(&mut state, CodeCommand::Rename { file: moved, path: text("src/other.py") });
        assert_eq!(readers(&state, "src/other.py"), ["Nora (Manager)"], "it was moved into the folder");
        run(&mut state, CodeCommand::StopSharingFolder { path: text("src") });
        assert_eq!(readers(&state, "src/auth/new.py"), ["Sam"]);
        let again = change(&mut state, &Command::Code(CodeCommand::StopSharingFolder { path: text("src") }));
        assert!(matches!(again, Err(CommandError::Unknown { .. })));
    }

    #[test]
    fn an_empty_folder_that_is_shared_tells_its_path_until_it_is_deleted() {
        let mut state = samples::state();
        run(&mut state, CodeCommand::AddFolder { path: "layoffs".to_owned() });
        let share = CodeCommand::ShareFolder {
            path: "layoffs".to_owned(),
            people: vec!["sam@example.org".to_owned()],
            can_edit: false,
            message: String::new(),
        };
        run(&mut state, share);
        let folder = samples::unit(&units(&state), "folder", "layoffs");
        assert_eq!(
            (folder.text.as_str(), folder.readers.as_slice()),
            ("layoffs", &["sam@example.org".to_owned()][..])
        );
        run(&mut state, CodeCommand::DeleteFolder { path: "layoffs".to_owned() });
        assert!(units(&state).iter().all(|unit| unit.kind != "folder"));
    }

    #[test]
    fn pinning_a_tab_takes_no_time() {
        let mut state = samples::state();
        run(&mut state, CodeCommand::OpenTab { file: "file-1".to_owned() });
        let now = state.now;
        let tab = state.apps.code_editor.tabs[0].id.clone();
        let pin = |pinned| CodeCommand::PinTab { tab: tab.clone(), pinned };
        assert_eq!(run(&mut state, pin(true)).0, "tab_pinned");
        assert!(state.apps.code_editor.tabs[0].pinned);
        assert_eq!(run(&mut state, pin(false)).0, "tab_unpinned");
        assert_eq!((state.apps.code_editor.tabs[0].pinned, state.now), (false, now));
    }
}
