//! Lists and tasks beyond adding and ticking.

use super::super::{App, CommandError, TaskFields, TodoCommand, WorkspaceState};
use super::apply::Change;
use super::checks::{self, Meant};
use super::shares;
use crate::scenario::model::{Author, Comment, RemovedFromTodo, ShareKind, TodoItem, TodoList};

pub(super) fn change(state: &mut WorkspaceState, command: &TodoCommand) -> Result<Change, CommandError> {
    match command {
        TodoCommand::AddList { name } => add_list(state, name),
        TodoCommand::RenameList { list, name } => {
            let name = checks::filled_line("name", name)?;
            list_of(state, list)?.name = name;
            Ok(done("list_renamed", list, list))
        }
        TodoCommand::DeleteList { list } => {
            let position = position_of(state, list)?;
            let todo = &mut state.apps.todo;
            let removed = todo.lists.remove(position);
            todo.removed = Some(RemovedFromTodo::List { position, list: removed });
            Ok(done("list_removed", list, list))
        }
        TodoCommand::EditTask { task, fields } => edit(state, task, fields),
        TodoCommand::MoveTask { task, up } => {
            let (list, position) = place_of(state, task)?;
            let list = &mut state.apps.todo.lists[list];
            let other = if *up { position.checked_sub(1) } else { Some(position + 1) };
            if let Some(other) = other.filter(|other| *other < list.items.len()) {
                list.items.swap(position, other);
            }
            Ok(done("task_moved", task, &list.id))
        }
        TodoCommand::DeleteTask { task } => {
            let (list, position) = place_of(state, task)?;
            let todo = &mut state.apps.todo;
            let list = &mut todo.lists[list];
            let removed = list.items.remove(position);
            let id = list.id.clone();
            todo.removed = Some(RemovedFromTodo::Task { list: id.clone(), position, task: removed });
            Ok(done("task_removed", task, &id))
        }
        TodoCommand::Undo => undo(state),
        TodoCommand::ShareList { list, people, can_edit, with_done, message } => {
            let people = shares::people(state, people)?;
            let message = checks::text("message", message)?;
            let shared = list_of(state, list)?;
            shared.can_edit = *can_edit;
            shared.hides_done = !with_done;
            for name in &people {
                if !shared.shared_with.contains(name) {
                    shared.shared_with.push(name.clone());
                }
            }
            let title = shared.name.clone();
            if !message.trim().is_empty() {
                let share = shares::note(state, ShareKind::List, (list, title), people, message);
                state.apps.todo.shares.push(share);
            }
            Ok(done("list_shared", list, list))
        }
        TodoCommand::StopSharing { list } => {
            list_of(state, list)?.shared_with.clear();
            Ok(done("list_unshared", list, list))
        }
        TodoCommand::AddComment { task, text } => {
            let text = checks::filled_text("comment", text)?;
            let (list, position) = place_of(state, task)?;
            let id = state.next_id("comment");
            let author = Author { is_user: true, name: String::new() };
            let comment = Comment { id: id.clone(), author, text, at: Some(state.now) };
            state.apps.todo.lists[list].items[position].comments.push(comment);
            Ok(done("comment_added", &id, task))
        }
    }
}

fn done(kind: &'static str, entity: &str, parent: &str) -> Change {
    Change::new(App::Todo, kind, entity, parent)
}

fn unknown(what: &'static str, id: &str) -> CommandError {
    CommandError::Unknown { what, id: id.to_owned() }
}

fn position_of(state: &WorkspaceState, id: &str) -> Result<usize, CommandError> {
    state.apps.todo.lists.iter().position(|list| list.id == id).ok_or_else(|| unknown("list", id))
}

fn list_of<'a>(state: &'a mut WorkspaceState, id: &str) -> Result<&'a mut TodoList, CommandError> {
    let position = position_of(state, id)?;
    Ok(&mut state.apps.todo.lists[position])
}

/// The list's and the task's place.
fn place_of(state: &WorkspaceState, id: &str) -> Result<(usize, usize), CommandError> {
    let mut lists = state.apps.todo.lists.iter().enumerate();
    lists
        .find_map(|(list, held)| Some((list, held.items.iter().position(|task| task.id == id)?)))
        .ok_or_else(|| unknown("task", id))
}

fn add_list(state: &mut WorkspaceState, name: &str) -> Result<Change, CommandError> {
    let name = checks::filled_line("name", name)?;
    let id = state.next_id("list");
    state.apps.todo.lists.push(TodoList { id: id.clone(), name, ..TodoList::default() });
    Ok(done("list_added", &id, &id))
}

fn edit(state: &mut WorkspaceState, id: &str, fields: &TaskFields) -> Result<Change, CommandError> {
    let title = checks::filled_line("task", &fields.title)?;
    let notes = checks::text("notes", &fields.notes)?;
    let mut assignee = checks::line("assignee", &fields.assignee)?;
    if let Meant::One(contact) = checks::contact_meant(&state.apps.messenger, &assignee) {
        contact.clone_into(&mut assignee);
    }
    let (list, position) = place_of(state, id)?;
    let list = &mut state.apps.todo.lists[list];
    let task: &mut TodoItem = &mut list.items[position];
    let kind =
        if !assignee.is_empty() && assignee != task.assignee { "item_assigned" } else { "task_edited" };
    task.title = title;
    task.notes = notes;
    task.due = fields.due;
    task.assignee = assignee;
    Ok(done(kind, id, &list.id))
}

fn undo(state: &mut WorkspaceState) -> Result<Change, CommandError> {
    let todo = &mut state.apps.todo;
    match todo.removed.take().ok_or(CommandError::NothingToUndo)? {
        RemovedFromTodo::List { position, list } => {
            let id = list.id.clone();
            todo.lists.insert(position.min(todo.lists.len()), list);
            Ok(done("list_restored", &id, &id))
        }
        RemovedFromTodo::Task { list, position, task } => {
            let id = task.id.clone();
            let held = list_of(state, &list)?;
            held.items.insert(position.min(held.items.len()), task);
            Ok(done("task_restored", &id, &list))
        }
    }
}
