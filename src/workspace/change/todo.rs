//! Lists and tasks beyond adding and ticking.

use super::super::{App, CommandError, TaskFields, TodoCommand, WorkspaceState};
use super::apply::Change;
use super::checks::{self, Meant, unknown};
use super::shares;
use crate::scenario::model::{Author, Comment, RemovedFromTodo, ShareKind, Subtask, TodoItem, TodoList};

/// Parts of one task.
const SUBTASKS_LIMIT: usize = 200;
/// Labels of one task.
const LABELS_LIMIT: usize = 50;

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
        TodoCommand::EditTask { task, fields } | TodoCommand::KeepTask { task, fields } => {
            edit(state, task, fields)
        }
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
            let held = list_of(state, list)?;
            held.shared_with.clear();
            held.by_link = false;
            Ok(done("list_unshared", list, list))
        }
        TodoCommand::SetByLink { list, by_link } => {
            list_of(state, list)?.by_link = *by_link;
            Ok(done(if *by_link { "list_opened" } else { "list_closed" }, list, list))
        }
        TodoCommand::AddSubtask { task, title } => {
            let title = checks::filled_line("subtask", title)?;
            let (list, position) = place_of(state, task)?;
            if state.apps.todo.lists[list].items[position].subtasks.len() >= SUBTASKS_LIMIT {
                return Err(CommandError::TooMany { field: "list of subtasks", limit: SUBTASKS_LIMIT });
            }
            let id = state.next_id("subtask");
            let subtask = Subtask { id: id.clone(), title, done: false };
            state.apps.todo.lists[list].items[position].subtasks.push(subtask);
            // Its readers read it as a part of the task, which is what was written.
            Ok(done("subtask_added", task, task))
        }
        TodoCommand::SetSubtaskDone { subtask, done: is_done } => {
            let (task, position) = subtask_of(state, subtask)?;
            task.subtasks[position].done = *is_done;
            let kind = if *is_done { "subtask_done" } else { "subtask_reopened" };
            Ok(done(kind, &task.id, &task.id))
        }
        TodoCommand::DeleteSubtask { subtask } => {
            let (task, position) = subtask_of(state, subtask)?;
            let (id, removed) = (task.id.clone(), task.subtasks.remove(position));
            state.apps.todo.removed =
                Some(RemovedFromTodo::Subtask { task: id.clone(), position, subtask: removed });
            Ok(done("subtask_removed", &id, &id))
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

/// The task that a part belongs to, and the part's place in it.
fn subtask_of<'a>(
    state: &'a mut WorkspaceState,
    id: &str,
) -> Result<(&'a mut TodoItem, usize), CommandError> {
    let mut tasks = state.apps.todo.lists.iter_mut().flat_map(|list| &mut list.items);
    tasks
        .find_map(|task| {
            let position = task.subtasks.iter().position(|subtask| subtask.id == id)?;
            Some((task, position))
        })
        .ok_or_else(|| unknown("subtask", id))
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
    let mut labels: Vec<String> = Vec::new();
    for label in &fields.labels {
        let label = checks::line("label", label)?;
        if !label.is_empty() && !labels.contains(&label) {
            labels.push(label);
        }
    }
    if labels.len() > LABELS_LIMIT {
        return Err(CommandError::TooMany { field: "list of labels", limit: LABELS_LIMIT });
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
    task.priority = fields.priority;
    task.labels = labels;
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
        RemovedFromTodo::Subtask { task, position, subtask } => {
            let (list, place) = place_of(state, &task)?;
            let held = &mut state.apps.todo.lists[list].items[place].subtasks;
            held.insert(position.min(held.len()), subtask);
            Ok(done("subtask_restored", &task, &task))
        }
    }
}
