//! To-do: lists and their items.

use jiff::civil::{Date, DateTime};

use super::super::error::Problem;
use super::super::json::{Json, JsonPath};
use super::super::model::{Author, Comment, Priority, Subtask, Todo, TodoItem, TodoList};
use super::context::Context;
use super::fields::{Fields, Items};
use super::{people, when};

/// Keys that hold a list of items, in the order in which their lists are shown.
const LIST_KEYS: [&str; 4] = ["items", "todo", "todos", "tasks"];

/// Statuses that mean done.
const DONE: [&str; 8] = ["done", "completed", "complete", "finished", "closed", "erledigt", "完成", "已完成"];

pub(super) fn read(context: &mut Context, value: &Json, path: &JsonPath, language: &str) -> Todo {
    let name = default_name(language);
    let mut todo = Todo::default();
    let Some(mut fields) = Fields::open(context, value, path) else { return todo };
    if let Some(items) = fields.take_list(context, &["lists"]) {
        for (value, path) in items.iter() {
            todo.lists.extend(read_list(context, value, &path));
        }
    }
    for key in LIST_KEYS {
        // Two of these keys in one file are two lists (`todo` and `todos` do occur together).
        let Some(field) = fields.take(&[key]) else { continue };
        if key == "todo" && field.value.scalar_text().is_some() {
            fields.keep_value(&field);
            continue;
        }
        let Some(items) = Items::open(context, &field) else { continue };
        let name = if todo.lists.is_empty() { name.to_owned() } else { format!("{name} ({key})") };
        let mut list = empty_list(context, name);
        list.items = read_items(context, &items);
        todo.lists.push(list);
    }
    todo.details = fields.into_details(context);
    todo
}

/// The app has at least one list, also where the scenario says nothing.
pub(super) fn ensure_list(context: &mut Context, todo: &mut Todo, language: &str) {
    if todo.lists.is_empty() {
        let list = empty_list(context, default_name(language).to_owned());
        todo.lists.push(list);
    }
}

fn default_name(language: &str) -> &'static str {
    match language {
        "de" => "Aufgaben",
        "zh-CN" => "任务",
        _ => "Tasks",
    }
}

fn empty_list(context: &mut Context, name: String) -> TodoList {
    TodoList {
        id: context.next_id("list"),
        name,
        shared_with: Vec::new(),
        items: Vec::new(),
        details: Vec::new(),
        ..TodoList::default()
    }
}

fn read_list(context: &mut Context, value: &Json, path: &JsonPath) -> Option<TodoList> {
    let mut fields = Fields::open(context, value, path)?;
    let Some(name) = fields.take_text(&["name", "title"]) else {
        fields.missing(context, "name");
        return None;
    };
    if name.trim().is_empty() {
        context.fault(path.key("name"), Problem::Blank);
        return None;
    }
    let mut list = empty_list(context, name);
    if let Some(names) = fields.take_list(context, &["shared_with"]) {
        list.shared_with = names.texts(context);
    }
    list.can_edit = fields.take_flag(&["can_edit"]).unwrap_or_default();
    list.hides_done = fields.take_flag(&["hides_done"]).unwrap_or_default();
    list.by_link = fields.take_flag(&["by_link"]).unwrap_or_default();
    if let Some(items) = fields.take_list(context, &LIST_KEYS) {
        list.items = read_items(context, &items);
    }
    list.details = fields.into_details(context);
    Some(list)
}

fn read_items(context: &mut Context, items: &Items<'_>) -> Vec<TodoItem> {
    items.iter().filter_map(|(value, path)| read_item(context, value, &path)).collect()
}

fn read_item(context: &mut Context, value: &Json, path: &JsonPath) -> Option<TodoItem> {
    let mut item = TodoItem {
        id: context.next_id("task"),
        title: String::new(),
        notes: String::new(),
        done: false,
        status: None,
        due: None,
        details: Vec::new(),
        ..TodoItem::default()
    };
    if let Some(title) = value.scalar_text() {
        item.title = title;
        return Some(item);
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(title) = fields.take_text(&["title", "text", "content", "name", "task", "item"]) else {
        fields.missing(context, "title");
        return None;
    };
    item.title = title;
    item.status = fields.take_text(&["status"]).filter(|status| !status.trim().is_empty());
    let by_status = item.status.as_ref().is_some_and(|status| DONE.contains(&status.to_lowercase().as_str()));
    item.done = fields.take_flag(&["done", "completed", "checked"]).unwrap_or(by_status);
    item.notes = fields.take_text(&["notes", "note", "description"]).unwrap_or_default();
    item.due = take_due(&mut fields);
    item.created = take_moment(&mut fields, &["created_at", "created"]);
    if item.done {
        item.completed = take_moment(&mut fields, &["completed_at"]);
    }
    if let Some(text) = fields.take_text(&["priority"]).filter(|text| !text.trim().is_empty()) {
        match Priority::from_name(&text.trim().to_lowercase()) {
            Some(priority) => item.priority = priority,
            None => fields.keep("priority", text),
        }
    }
    item.labels = read_labels(context, &mut fields);
    if let Some(items) = fields.take_list_or_keep(&["subtasks", "checklist"]) {
        for (value, path) in items.iter() {
            item.subtasks.extend(read_subtask(context, value, &path));
        }
    }
    let assignee = fields.take_text(&["assignee", "assigned_to"]).unwrap_or_default();
    assignee.trim().clone_into(&mut item.assignee);
    if let Some(items) = fields.take_list_or_keep(&["comments"]) {
        for (value, path) in items.iter() {
            item.comments.extend(read_comment(context, value, &path));
        }
    }
    item.details = fields.into_details(context);
    Some(item)
}

/// Labels: a list of texts, or one text. What is neither is kept as it is.
fn read_labels(context: &mut Context, fields: &mut Fields<'_>) -> Vec<String> {
    let Some(field) = fields.take(&["labels", "tags", "label"]) else { return Vec::new() };
    let mut labels = Vec::new();
    match field.value {
        Json::Array(values) if values.iter().all(|value| value.scalar_text().is_some()) => {
            labels.extend(values.iter().filter_map(Json::scalar_text));
        }
        other => match other.scalar_text() {
            Some(text) => labels.push(text),
            None => fields.keep_value(&field),
        },
    }
    for label in &labels {
        if label.trim().is_empty() {
            context.fault(field.path.clone(), Problem::Blank);
        }
    }
    labels
}

/// A part of a task: a text, or an object with a title and whether it is done.
fn read_subtask(context: &mut Context, value: &Json, path: &JsonPath) -> Option<Subtask> {
    let id = context.next_id("subtask");
    if let Some(title) = value.scalar_text() {
        return Some(Subtask { id, title, done: false });
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(title) = fields.take_text(&["title", "text", "name"]) else {
        fields.missing(context, "title");
        return None;
    };
    let done = fields.take_flag(&["done", "completed", "checked"]).unwrap_or_default();
    // A part is one text; what else the file says about it goes behind it.
    let more = fields.into_details(context);
    let more = more.into_iter().map(|detail| format!(" ({}: {})", detail.label, detail.value));
    Some(Subtask { id, title: std::iter::once(title).chain(more).collect(), done })
}

/// A comment: a text is the user's own, an object may say whose it is.
pub(super) fn read_comment(context: &mut Context, value: &Json, path: &JsonPath) -> Option<Comment> {
    let id = context.next_id("comment");
    let own = || Author { is_user: true, name: String::new() };
    if let Some(text) = value.scalar_text() {
        return Some(Comment { id, author: own(), text, at: None });
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(text) = fields.take_text(&["text", "comment", "body"]) else {
        fields.missing(context, "text");
        return None;
    };
    let author = match fields.take_text(&["author", "from", "sender"]) {
        Some(name) => Author { is_user: people::is_user(&name), name },
        None => own(),
    };
    // A comment is one text; what else the file says about it goes below it.
    let details = fields.into_details(context);
    let more = details.into_iter().map(|detail| format!("\n{}: {}", detail.label, detail.value));
    Some(Comment { id, author, text: std::iter::once(text).chain(more).collect(), at: None })
}

/// A moment. What is none is kept as it is.
fn take_moment(fields: &mut Fields<'_>, names: &[&'static str]) -> Option<DateTime> {
    let field = fields.take(names)?;
    let moment = field.value.scalar_text().and_then(|text| when::date_time(&text));
    if moment.is_none() {
        fields.keep_value(&field);
    }
    moment
}

/// A due date. One that is not plain ISO is kept as text too.
fn take_due(fields: &mut Fields<'_>) -> Option<Date> {
    let field = fields.take(&["due", "due_date", "deadline"])?;
    let text = field.value.scalar_text().unwrap_or_default();
    let due = when::date(&text);
    if due.is_none_or(|due| due.to_string() != text) {
        fields.keep_value(&field);
    }
    due
}
