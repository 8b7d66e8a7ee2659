//! A task's own page.

use serde::Serialize;

use super::super::context::{Context, address};
use super::super::form::{Field, Form};
use super::super::moment;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::lists::{comment_row, readers};
use super::route::{PLACE, item_of};
use crate::scenario::model::{Priority, Subtask, TodoItem};
use crate::workspace::units::task_people;

#[derive(Serialize)]
pub(super) struct SubtaskView {
    address: String,
    name: String,
    title: String,
    done: bool,
}

#[derive(Serialize)]
struct TaskPage {
    address: String,
    back: String,
    list: String,
    title: Field,
    notes: Field,
    due: Field,
    assignee: Field,
    people: Vec<String>,
    priorities: Vec<PriorityChoice>,
    labels: Field,
    subtasks: Vec<SubtaskView>,
    subtask: Field,
    readers: String,
    first: bool,
    last: bool,
    comments: Vec<Row>,
    comment: Field,
    /// When it was added and done.
    times: Vec<Row>,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct PriorityChoice {
    value: &'static str,
    label: String,
    chosen: bool,
}

pub(super) fn subtasks(context: &Context<'_>, item: &TodoItem) -> Vec<SubtaskView> {
    let mut names = Names::default();
    let view = |subtask: &Subtask| SubtaskView {
        address: address(&["todo", "task", &item.id, "subtasks", &subtask.id]),
        name: names.unique(context, &subtask.title),
        title: subtask.title.clone(),
        done: subtask.done,
    };
    item.subtasks.iter().map(view).collect()
}

fn times(context: &Context<'_>, item: &TodoItem) -> Vec<Row> {
    let mut rows = Vec::new();
    for (key, at) in [("todo.created", item.created), ("todo.completed", item.completed)] {
        render::add_row(&mut rows, context, key, &at.map(moment::stamp).unwrap_or_default());
    }
    rows
}

pub(super) fn task_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let (list, item) = item_of(context, id)?;
    let edited = form.given("title").is_some();
    let chosen =
        if edited { Priority::from_name(form.value("priority")).unwrap_or_default() } else { item.priority };
    let position = list.items.iter().position(|held| held.id == item.id)?;
    let contacts = context.state.apps.messenger.contacts.iter();
    let view = TaskPage {
        address: address(&["todo", "task", &item.id]),
        back: address(&["todo", &list.id]),
        list: list.name.clone(),
        title: form.field_or("title", &item.title),
        notes: form.field_or("notes", &item.notes),
        due: form.field_or("due", &item.due.map(|due| due.to_string()).unwrap_or_default()),
        assignee: form.field_or("assignee", &item.assignee),
        people: contacts.map(|contact| contact.name.clone()).collect(),
        priorities: Priority::ALL
            .map(|priority| PriorityChoice {
                value: priority.name(),
                label: context.text(&format!("todo.priority.{}", priority.name()), &[]),
                chosen: priority == chosen,
            })
            .into(),
        labels: form.field_or("labels", &context.joined(&item.labels)),
        subtasks: subtasks(context, item),
        subtask: form.field("subtask"),
        readers: readers(context, &task_people(list, item)),
        first: position == 0,
        last: position + 1 == list.items.len(),
        comments: item.comments.iter().map(|comment| comment_row(context, comment)).collect(),
        comment: form.field("comment"),
        times: times(context, item),
        details: render::rows(&item.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("todo.task_heading", &[("title", &item.title)]);
    Some(render::page(context, PLACE, &heading, "todo_task.html", &view))
}
