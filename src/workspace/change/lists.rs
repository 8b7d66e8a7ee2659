//! Tasks, files and places.

use super::super::atlas::city;
use super::super::{App, CommandError, WorkspaceState};
use super::apply::Change;
use super::checks::{self, unknown};
use super::code_editor;
use crate::scenario::model::{Place, SourceFile, Tab, TodoItem};

pub(super) fn add_task(state: &mut WorkspaceState, list: &str, typed: &str) -> Result<Change, CommandError> {
    let title = checks::filled_line("task", typed)?;
    let Some(position) = state.apps.todo.lists.iter().position(|held| held.id == list) else {
        return Err(unknown("list", list));
    };
    let id = state.next_id("task");
    let task = TodoItem { id: id.clone(), title, created: Some(state.now), ..TodoItem::default() };
    state.apps.todo.lists[position].items.push(task);
    Ok(Change::new(App::Todo, "task_added", &id, list))
}

pub(super) fn set_done(state: &mut WorkspaceState, id: &str, done: bool) -> Result<Change, CommandError> {
    let now = state.now;
    for list in &mut state.apps.todo.lists {
        if let Some(task) = list.items.iter_mut().find(|task| task.id == id) {
            if task.done != done {
                // The scenario's own word ("pending") no longer holds.
                task.status = None;
                task.completed = done.then_some(now);
            }
            task.done = done;
            let kind = if done { "task_done" } else { "task_reopened" };
            return Ok(Change::new(App::Todo, kind, id, &list.id));
        }
    }
    Err(unknown("task", id))
}

pub(super) fn save_file(state: &mut WorkspaceState, id: &str, typed: &str) -> Result<Change, CommandError> {
    let content = checks::text("content", typed)?;
    let now = state.now;
    let mut files = state.apps.code_editor.files.iter_mut();
    let Some(file) = files.find(|file| file.id == id) else {
        return Err(unknown("file", id));
    };
    code_editor::note_committed(file, &content);
    file.saved_at = Some(now);
    file.content = content;
    file.unsaved = None;
    Ok(Change::new(App::CodeEditor, "file_saved", id, id))
}

pub(super) fn create_file(
    state: &mut WorkspaceState,
    path: &str,
    typed: &str,
) -> Result<Change, CommandError> {
    let path = checks::filled_line("path", path)?;
    let content = checks::text("content", typed)?;
    if state.apps.code_editor.files.iter().any(|file| file.path == path) {
        return Err(CommandError::DuplicatePath { path });
    }
    let now = state.now;
    let id = state.next_id("file");
    let tab = Tab { id: state.next_id("tab"), title: path.clone(), file: Some(id.clone()), pinned: false };
    let editor = &mut state.apps.code_editor;
    editor.files.push(SourceFile {
        id: id.clone(),
        path,
        content,
        committed: Some(String::new()),
        saved_at: Some(now),
        shared_with: Vec::new(),
        details: Vec::new(),
        ..SourceFile::default()
    });
    editor.tabs.push(tab);
    editor.active_file = Some(id.clone());
    Ok(Change::new(App::CodeEditor, "file_created", &id, &id))
}

pub(super) fn save_place(
    state: &mut WorkspaceState,
    name: &str,
    address: &str,
    note: &str,
) -> Result<Change, CommandError> {
    let mut place = Place {
        name: checks::filled_line("name", name)?,
        address: checks::line("address", address)?,
        note: checks::text("note", note)?,
        id: state.next_id("place"),
        ..Place::default()
    };
    // What is saved of the city's own places brings along what everybody knows of them.
    if let Some(spot) = city().named(&place.name).filter(|spot| spot.address == place.address) {
        [place.category, place.phone, place.hours, place.rating] = spot.facts(&state.language);
    }
    let change = Change::new(App::Maps, "place_saved", &place.id, &place.id);
    state.apps.maps.places.push(place);
    Ok(change)
}
