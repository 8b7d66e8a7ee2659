//! Which page an address shows, and what a form sent there does.

use super::super::context::{Context, address, confirmed};
use super::super::form::{Form, listed};
use super::super::render::{self, Place};
use super::super::router::{Answer, Reading};
use super::super::share::{self};
use super::super::{moment, people};
use super::edit::{edit_list, new_list, share_page};
use super::lists::{back, back_to_new, page, shows_one_list};
use super::task::task_page;
use crate::scenario::model::{Priority, RemovedFromTodo, TodoItem, TodoList};
use crate::workspace::{App, Command, TaskFields, TodoCommand};

pub(super) const PLACE: Place = Place::In(App::Todo);

pub(in super::super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let blank = Form::default();
    let html = match segments {
        [] => page(context, None, None, &blank),
        ["new"] => new_list(context, &blank),
        ["task", id] => task_page(context, id, &blank)?,
        [id] => page(context, Some(&list_of(context, id)?.id), None, &blank),
        [id, "edit"] => edit_list(context, list_of(context, id)?, &blank),
        [id, "share"] => share_page(context, list_of(context, id)?, &blank),
        _ => return None,
    };
    Some(render::answer(html))
}

pub(in super::super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    let todo = |command: TodoCommand, then: String| Some(Ok((Command::Todo(command), then)));
    match segments {
        ["undo"] => {
            let (to, kind) = match &context.state.apps.todo.removed {
                Some(RemovedFromTodo::List { .. }) => ("/todo".to_owned(), "list_restored"),
                Some(RemovedFromTodo::Subtask { task, .. }) => {
                    (address(&["todo", "task", task]), "subtask_restored")
                }
                _ => ("/todo".to_owned(), "task_restored"),
            };
            todo(TodoCommand::Undo, confirmed(&to, kind, "{entity}"))
        }
        ["new"] => {
            form.require(context, "name");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = TodoCommand::AddList { name: form.line("name") };
            todo(command, confirmed("/todo/{entity}", "list_added", "{entity}"))
        }
        ["task", id, rest @ ..] => post_task(context, id, rest, form),
        [id, "add"] => {
            let list = list_of(context, id)?;
            form.require(context, "title");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = Command::AddTask { list: list.id.clone(), title: form.line("title") };
            Some(Ok((command, confirmed(&back_to_new(context, list), "task_added", "{entity}"))))
        }
        [id, rest @ ..] => post_list(context, list_of(context, id)?, rest, form),
        [] => None,
    }
}

fn post_task(context: &Context<'_>, id: &str, rest: &[&str], mut form: Form) -> Option<Reading> {
    let (list, item) = item_of(context, id)?;
    let task = item.id.clone();
    let own = address(&["todo", "task", &item.id]);
    let todo = |command: TodoCommand, then: String| Some(Ok((Command::Todo(command), then)));
    match rest {
        ["done"] => {
            let done = form.value("done") == "true";
            let confirmation = if done { "task_done" } else { "task_open" };
            let then = confirmed(&back(context, list), confirmation, &item.id);
            Some(Ok((Command::SetTaskDone { task, done }, then)))
        }
        [] => {
            let now = context.state.now.date();
            let typed = form.line("due");
            let due = if typed.is_empty() { None } else { moment::read_date(&typed, now) };
            form.require(context, "title");
            if due.is_none() && !typed.is_empty() {
                form.fail("due", context.text("date.unreadable", &[("text", &typed)]));
            }
            if !form.is_valid() {
                return Some(Err(form));
            }
            let assignee = form.line("assignee");
            let is_new = !assignee.is_empty() && assignee != item.assignee;
            let labels = listed(form.value("labels"));
            let fields = TaskFields {
                title: form.line("title"),
                notes: form.value("notes").trim().to_owned(),
                due,
                assignee,
                priority: Priority::from_name(form.value("priority")).unwrap_or_default(),
                labels: labels.filter(|label| !label.is_empty()).map(str::to_owned).collect(),
            };
            if form.value("action") == "keep" {
                // What the page's script sends when a field is left.
                return todo(TodoCommand::KeepTask { task, fields }, own);
            }
            let kind = if is_new { "item_assigned" } else { "task_edited" };
            todo(TodoCommand::EditTask { task, fields }, confirmed(&own, kind, &item.id))
        }
        ["comment"] => {
            form.require(context, "comment");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let text = form.value("comment").trim().to_owned();
            todo(TodoCommand::AddComment { task, text }, confirmed(&own, "comment_added", &item.id))
        }
        ["subtasks"] => {
            form.require(context, "subtask");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let title = form.line("subtask");
            todo(TodoCommand::AddSubtask { task, title }, confirmed(&own, "subtask_added", &item.id))
        }
        ["subtasks", id, way @ ("done" | "open" | "delete")] => {
            let subtask = item.subtasks.iter().find(|subtask| subtask.id == *id)?.id.clone();
            let (command, kind) = match *way {
                "delete" => (TodoCommand::DeleteSubtask { subtask }, "subtask_removed"),
                "done" => (TodoCommand::SetSubtaskDone { subtask, done: true }, "subtask_done"),
                _ => (TodoCommand::SetSubtaskDone { subtask, done: false }, "subtask_reopened"),
            };
            todo(command, confirmed(&own, kind, &item.id))
        }
        [way @ ("up" | "down")] => {
            let command = TodoCommand::MoveTask { task, up: *way == "up" };
            todo(command, confirmed(&own, "task_moved", &item.id))
        }
        ["delete"] => {
            let then = confirmed(&back(context, list), "task_removed", &item.id);
            todo(TodoCommand::DeleteTask { task }, then)
        }
        _ => None,
    }
}

fn post_list(context: &Context<'_>, held: &TodoList, rest: &[&str], mut form: Form) -> Option<Reading> {
    let list = held.id.clone();
    let own = address(&["todo", &held.id]);
    let (command, then) = match rest {
        ["edit"] => {
            form.require(context, "name");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let name = form.line("name");
            (TodoCommand::RenameList { list, name }, confirmed(&own, "list_renamed", &held.id))
        }
        ["link"] => {
            let by_link = form.has("by_link", "yes");
            let kind = if by_link { "list_opened" } else { "list_closed" };
            (TodoCommand::SetByLink { list, by_link }, confirmed(&own, kind, &held.id))
        }
        ["delete"] => (TodoCommand::DeleteList { list }, confirmed("/todo", "list_removed", &held.id)),
        ["share", "stop"] => (TodoCommand::StopSharing { list }, confirmed(&own, "list_unshared", &held.id)),
        ["share"] => {
            if share::is_preview(&form) {
                return Some(Err(form));
            }
            let people = people::required(context, &mut form);
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = TodoCommand::ShareList {
                list,
                people,
                can_edit: form.value("access") == "edit",
                with_done: form.has("done", "yes"),
                message: form.value("message").trim().to_owned(),
            };
            (command, confirmed(&own, "list_shared", &held.id))
        }
        _ => return None,
    };
    Some(Ok((Command::Todo(command), then)))
}

pub(in super::super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    let posted = match segments {
        ["new"] => return Some(new_list(context, form)),
        ["task", id] | ["task", id, "comment" | "subtasks" | "up" | "down", ..] => {
            return task_page(context, id, form);
        }
        ["task", id, ..] => item_of(context, id).map(|(list, _)| list),
        [id, "edit" | "delete" | "link"] => return Some(edit_list(context, list_of(context, id)?, form)),
        [id, "share", ..] => return Some(share_page(context, list_of(context, id)?, form)),
        [id, ..] => list_of(context, id),
        [] => None,
    };
    let only = posted.filter(|_| shows_one_list(context));
    let (only, posted) = (only.map(|list| list.id.as_str()), posted.map(|list| list.id.as_str()));
    Some(page(context, only, posted, form))
}

fn list_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a TodoList> {
    context.state.apps.todo.lists.iter().find(|list| list.id == id)
}

pub(super) fn item_of<'a>(context: &Context<'a>, id: &str) -> Option<(&'a TodoList, &'a TodoItem)> {
    let lists = context.state.apps.todo.lists.iter();
    let mut items = lists.flat_map(|list| list.items.iter().map(move |item| (list, item)));
    items.find(|(_, item)| item.id == id)
}
