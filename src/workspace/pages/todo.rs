//! To-do: all lists with their tasks, or one of them.

use serde::Serialize;

use super::context::{Context, address, confirmed};
use super::form::{Field, Form, untouched};
use super::moment;
use super::names::Names;
use super::render::{self, Place, Row};
use super::router::{Answer, Reading};
use crate::scenario::model::{TodoItem, TodoList};
use crate::workspace::{App, Command};

#[derive(Serialize)]
struct TodoPage {
    /// Links to the lists; the one shown alone is current.
    links: Vec<ListLink>,
    all_current: bool,
    lists: Vec<ListView>,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct ListLink {
    href: String,
    name: String,
    current: bool,
}

#[derive(Serialize)]
struct ListView {
    id: String,
    name: String,
    add: String,
    title: Field,
    open: usize,
    done: usize,
    shared: Option<String>,
    readers: String,
    items: Vec<ItemView>,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct ItemView {
    toggle: String,
    name: String,
    done: bool,
    notes: String,
    status: Option<String>,
    due: Option<String>,
    details: Vec<Row>,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let only = match segments {
        [] => None,
        [id] => Some(list_of(context, id)?.id.as_str()),
        _ => return None,
    };
    Some(render::answer(page(context, only, None, &Form::default())))
}

pub(super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    match segments {
        ["task", id, "done"] => {
            let (list, item) = item_of(context, id)?;
            let done = form.value("done") == "true";
            let confirmation = if done { "task_done" } else { "task_open" };
            let then = confirmed(&back(context, list), confirmation, &item.id);
            Some(Ok((Command::SetTaskDone { task: item.id.clone(), done }, then)))
        }
        [id, "add"] => {
            let list = list_of(context, id)?;
            form.require(context, "title");
            if !form.is_valid() {
                return Some(Err(form));
            }
            let command = Command::AddTask { list: list.id.clone(), title: form.line("title") };
            Some(Ok((command, confirmed(&back(context, list), "task_added", "{entity}"))))
        }
        _ => None,
    }
}

pub(super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> String {
    let posted = match segments {
        ["task", id, "done"] => item_of(context, id).map(|(list, _)| list),
        [id, ..] => list_of(context, id),
        [] => None,
    };
    let only = posted.filter(|_| shows_one_list(context));
    page(context, only.map(|list| list.id.as_str()), posted.map(|list| list.id.as_str()), form)
}

/// Whether the form stood on the page of one list.
fn shows_one_list(context: &Context<'_>) -> bool {
    context.query("view") == Some("list")
}

fn back(context: &Context<'_>, list: &TodoList) -> String {
    if shows_one_list(context) { address(&["todo", &list.id]) } else { "/todo".to_owned() }
}

fn list_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a TodoList> {
    context.state.apps.todo.lists.iter().find(|list| list.id == id)
}

fn item_of<'a>(context: &Context<'a>, id: &str) -> Option<(&'a TodoList, &'a TodoItem)> {
    let lists = context.state.apps.todo.lists.iter();
    let mut items = lists.flat_map(|list| list.items.iter().map(move |item| (list, item)));
    items.find(|(_, item)| item.id == id)
}

fn page(context: &Context<'_>, only: Option<&str>, posted: Option<&str>, form: &Form) -> String {
    let mut names = Names::default();
    let mut items = Names::default();
    let mut links = Vec::new();
    let mut lists = Vec::new();
    for list in &context.state.apps.todo.lists {
        let name = names.unique(context, &list.name);
        let open = list.items.iter().filter(|item| !item.done).count();
        let current = only == Some(list.id.as_str());
        let count = open.to_string();
        let label = context.text("todo.list_link", &[("list", &name), ("count", &count)]);
        links.push(ListLink { href: address(&["todo", &list.id]), name: label, current });
        if only.is_none() || current {
            let typed = posted == Some(list.id.as_str());
            let title = if typed { form.field("title") } else { untouched("title", "") };
            lists.push(list_view(context, list, name, title, only.is_some(), &mut items));
        }
    }
    let view = TodoPage {
        links,
        all_current: only.is_none(),
        lists,
        details: render::rows(&context.state.apps.todo.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("nav.todo", &[]);
    render::page(context, Place::In(App::Todo), &heading, "todo.html", &view)
}

fn list_view(
    context: &Context<'_>,
    list: &TodoList,
    name: String,
    title: Field,
    alone: bool,
    names: &mut Names,
) -> ListView {
    let query = if alone { "?view=list" } else { "" };
    let done = list.items.iter().filter(|item| item.done).count();
    let shared = (!list.shared_with.is_empty())
        .then(|| context.text("todo.shared_with", &[("names", &context.joined(&list.shared_with))]));
    ListView {
        id: list.id.clone(),
        name,
        add: format!("{}{query}", address(&["todo", &list.id, "add"])),
        title,
        open: list.items.len() - done,
        done,
        shared,
        readers: context.readers(&list.shared_with),
        items: list.items.iter().map(|item| item_view(context, item, query, names)).collect(),
        details: render::rows(&list.details),
    }
}

fn item_view(context: &Context<'_>, item: &TodoItem, query: &str, names: &mut Names) -> ItemView {
    let due = item.due.map(|due| {
        let date = format!("{} ({due})", moment::long_date(context, due));
        context.text("todo.due", &[("date", &date)])
    });
    ItemView {
        toggle: format!("{}{query}", address(&["todo", "task", &item.id, "done"])),
        name: names.unique(context, &item.title),
        done: item.done,
        notes: item.notes.clone(),
        status: item.status.clone(),
        due,
        details: render::rows(&item.details),
    }
}
