//! To-do: all lists with their tasks, or one of them; a task's own page; sharing a list.

use serde::Serialize;

use super::context::{Context, address, confirmed};
use super::form::{Field, Form, untouched};
use super::names::Names;
use super::render::{self, Place, Row};
use super::router::{Answer, Reading};
use super::share::{self, Parts, PreviewLine, Switch};
use super::{moment, people};
use crate::scenario::model::{Comment, ShareKind, TodoItem, TodoList};
use crate::workspace::{App, Command, TaskFields, TodoCommand};

const PLACE: Place = Place::In(App::Todo);

/// Query parameters of the filter, which stay when a task is ticked.
const FILTER: [&str; 3] = ["show", "sort", "q"];

#[derive(Serialize)]
struct TodoPage {
    /// Links to the lists; the one shown alone is current.
    links: Vec<ListLink>,
    all_current: bool,
    lists: Vec<ListView>,
    /// Where the filter's form leads.
    filter: String,
    show: &'static str,
    sort: &'static str,
    query: Field,
    filtered: bool,
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
    address: String,
    add: String,
    title: Field,
    open: usize,
    done: usize,
    shared: Option<String>,
    access: Option<String>,
    readers: String,
    items: Vec<ItemView>,
    /// How many the filter hides.
    hidden: usize,
    messages: Vec<Row>,
    details: Vec<Row>,
}

#[derive(Serialize)]
struct ItemView {
    address: String,
    toggle: String,
    remove: String,
    name: String,
    done: bool,
    notes: String,
    status: Option<String>,
    due: Option<String>,
    assignee: Option<String>,
    comments: Vec<Row>,
    details: Vec<Row>,
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
    readers: String,
    first: bool,
    last: bool,
    comments: Vec<Row>,
    comment: Field,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct ListPage {
    action: String,
    back: String,
    name: Field,
    button: String,
    remove: Option<String>,
    message: Option<String>,
}

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
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

pub(super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    let todo = |command: TodoCommand, then: String| Some(Ok((Command::Todo(command), then)));
    match segments {
        ["undo"] => {
            let kind = match context.state.apps.todo.removed {
                Some(crate::scenario::model::RemovedFromTodo::List { .. }) => "list_restored",
                _ => "task_restored",
            };
            todo(TodoCommand::Undo, confirmed("/todo", kind, "{entity}"))
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
            Some(Ok((command, confirmed(&back(context, list), "task_added", "{entity}"))))
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
            let fields = TaskFields {
                title: form.line("title"),
                notes: form.value("notes").trim().to_owned(),
                due,
                assignee,
            };
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

pub(super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    let posted = match segments {
        ["new"] => return Some(new_list(context, form)),
        ["task", id] | ["task", id, "comment" | "up" | "down"] => return task_page(context, id, form),
        ["task", id, ..] => item_of(context, id).map(|(list, _)| list),
        [id, "edit" | "delete"] => return Some(edit_list(context, list_of(context, id)?, form)),
        [id, "share", ..] => return Some(share_page(context, list_of(context, id)?, form)),
        [id, ..] => list_of(context, id),
        [] => None,
    };
    let only = posted.filter(|_| shows_one_list(context));
    let (only, posted) = (only.map(|list| list.id.as_str()), posted.map(|list| list.id.as_str()));
    Some(page(context, only, posted, form))
}

/// Whether the form stood on the page of one list.
fn shows_one_list(context: &Context<'_>) -> bool {
    context.query("view") == Some("list")
}

/// The page that the form stood on, filtered as it was.
fn back(context: &Context<'_>, list: &TodoList) -> String {
    let page = if shows_one_list(context) { address(&["todo", &list.id]) } else { "/todo".to_owned() };
    let kept = kept(context);
    if kept.is_empty() { page } else { format!("{page}?{}", kept.join("&")) }
}

/// The filter as pairs of a query.
fn kept(context: &Context<'_>) -> Vec<String> {
    let pair = |name: &&'static str| {
        let value = context.query(name).filter(|value| !value.is_empty())?;
        // A segment's encoding is a value's as well.
        Some(format!("{name}={}", &address(&[value])[1..]))
    };
    FILTER.iter().filter_map(pair).collect()
}

fn list_of<'a>(context: &Context<'a>, id: &str) -> Option<&'a TodoList> {
    context.state.apps.todo.lists.iter().find(|list| list.id == id)
}

fn item_of<'a>(context: &Context<'a>, id: &str) -> Option<(&'a TodoList, &'a TodoItem)> {
    let lists = context.state.apps.todo.lists.iter();
    let mut items = lists.flat_map(|list| list.items.iter().map(move |item| (list, item)));
    items.find(|(_, item)| item.id == id)
}

/// Which tasks are shown, in which order.
struct Filter {
    show: &'static str,
    sort: &'static str,
    query: String,
}

impl Filter {
    fn of(context: &Context<'_>) -> Self {
        let one_of = |name: &str, choices: [&'static str; 3]| {
            let asked = context.query(name).unwrap_or_default();
            choices.into_iter().find(|choice| *choice == asked).unwrap_or(choices[0])
        };
        Self {
            show: one_of("show", ["all", "open", "done"]),
            sort: one_of("sort", ["position", "due", "title"]),
            query: context.query("q").unwrap_or_default().trim().to_lowercase(),
        }
    }

    fn shows(&self, item: &TodoItem) -> bool {
        let by_state = match self.show {
            "open" => !item.done,
            "done" => item.done,
            _ => true,
        };
        let text = || format!("{}\n{}\n{}", item.title, item.notes, item.assignee).to_lowercase();
        by_state && (self.query.is_empty() || text().contains(&self.query))
    }

    fn sort(&self, items: &mut [&TodoItem]) {
        match self.sort {
            // Tasks without a date come last.
            "due" => items.sort_by_key(|item| (item.due.is_none(), item.due)),
            "title" => items.sort_by_key(|item| item.title.to_lowercase()),
            _ => {}
        }
    }
}

fn page(context: &Context<'_>, only: Option<&str>, posted: Option<&str>, form: &Form) -> String {
    let mut names = Names::default();
    let mut items = Names::default();
    let mut links = Vec::new();
    let mut lists = Vec::new();
    let filter = Filter::of(context);
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
            lists.push(list_view(context, (list, name), title, only.is_some(), &filter, &mut items));
        }
    }
    let view = TodoPage {
        links,
        all_current: only.is_none(),
        lists,
        filter: only.map_or_else(|| "/todo".to_owned(), |id| address(&["todo", id])),
        show: filter.show,
        sort: filter.sort,
        query: untouched("q", context.query("q").unwrap_or_default()),
        filtered: !kept(context).is_empty(),
        details: render::rows(&context.state.apps.todo.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("nav.todo", &[]);
    render::page(context, PLACE, &heading, "todo.html", &view)
}

fn list_view(
    context: &Context<'_>,
    (list, name): (&TodoList, String),
    title: Field,
    alone: bool,
    filter: &Filter,
    names: &mut Names,
) -> ListView {
    let mut query = kept(context);
    if alone {
        query.insert(0, "view=list".to_owned());
    }
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let done = list.items.iter().filter(|item| item.done).count();
    let is_shared = !list.shared_with.is_empty();
    let shared =
        is_shared.then(|| context.text("todo.shared_with", &[("names", &context.joined(&list.shared_with))]));
    let access = is_shared.then(|| {
        let mut parts =
            vec![context.text(if list.can_edit { "share.can_edit" } else { "share.can_view" }, &[])];
        if list.hides_done {
            parts.push(context.text("todo.hides_done", &[]));
        }
        context.joined(&parts)
    });
    let mut shown: Vec<&TodoItem> = list.items.iter().filter(|item| filter.shows(item)).collect();
    filter.sort(&mut shown);
    ListView {
        id: list.id.clone(),
        name,
        address: address(&["todo", &list.id]),
        add: format!("{}{query}", address(&["todo", &list.id, "add"])),
        title,
        open: list.items.len() - done,
        done,
        shared,
        access,
        readers: context.readers(&list.shared_with),
        hidden: list.items.len() - shown.len(),
        items: shown.into_iter().map(|item| item_view(context, item, &query, names)).collect(),
        messages: share::messages(context, &context.state.apps.todo.shares, &list.id),
        details: render::rows(&list.details),
    }
}

fn item_view(context: &Context<'_>, item: &TodoItem, query: &str, names: &mut Names) -> ItemView {
    ItemView {
        address: address(&["todo", "task", &item.id]),
        toggle: format!("{}{query}", address(&["todo", "task", &item.id, "done"])),
        remove: format!("{}{query}", address(&["todo", "task", &item.id, "delete"])),
        name: names.unique(context, &item.title),
        done: item.done,
        notes: item.notes.clone(),
        status: item.status.clone(),
        due: due(context, item),
        assignee: (!item.assignee.is_empty())
            .then(|| context.text("todo.assigned_to", &[("name", &item.assignee)])),
        comments: item.comments.iter().map(|comment| comment_row(context, comment)).collect(),
        details: render::rows(&item.details),
    }
}

fn due(context: &Context<'_>, item: &TodoItem) -> Option<String> {
    item.due.map(|due| {
        let date = format!("{} ({due})", moment::long_date(context, due));
        context.text("todo.due", &[("date", &date)])
    })
}

fn comment_row(context: &Context<'_>, comment: &Comment) -> Row {
    let name = comment.author.name.trim();
    let author = match (comment.author.is_user, name.is_empty()) {
        (true, true) => context.text("messages.you", &[]),
        (true, false) => context.text("messages.you_as", &[("name", name)]),
        (false, _) => name.to_owned(),
    };
    let label = match comment.at {
        Some(at) => format!("{author}, {}", moment::stamp(at)),
        None => author,
    };
    Row { label, value: comment.text.clone() }
}

fn task_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let (list, item) = item_of(context, id)?;
    let edited = form.given("title").is_some();
    let field = |name: &'static str, value: &str| {
        if edited { form.field(name) } else { untouched(name, value) }
    };
    let position = list.items.iter().position(|held| held.id == item.id)?;
    let mut readers = list.shared_with.clone();
    if item.done && list.hides_done {
        readers.clear();
    }
    if !item.assignee.is_empty() {
        readers.push(item.assignee.clone());
    }
    let contacts = context.state.apps.messenger.contacts.iter();
    let view = TaskPage {
        address: address(&["todo", "task", &item.id]),
        back: address(&["todo", &list.id]),
        list: list.name.clone(),
        title: field("title", &item.title),
        notes: field("notes", &item.notes),
        due: field("due", &item.due.map(|due| due.to_string()).unwrap_or_default()),
        assignee: field("assignee", &item.assignee),
        people: contacts.map(|contact| contact.name.clone()).collect(),
        readers: context.readers(&readers),
        first: position == 0,
        last: position + 1 == list.items.len(),
        comments: item.comments.iter().map(|comment| comment_row(context, comment)).collect(),
        comment: form.field("comment"),
        details: render::rows(&item.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("todo.task_heading", &[("title", &item.title)]);
    Some(render::page(context, PLACE, &heading, "todo_task.html", &view))
}

fn new_list(context: &Context<'_>, form: &Form) -> String {
    let view = ListPage {
        action: "/todo/new".to_owned(),
        back: "/todo".to_owned(),
        name: form.field("name"),
        button: context.text("todo.create_list", &[]),
        remove: None,
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("todo.new_list", &[]);
    render::page(context, PLACE, &heading, "todo_list.html", &view)
}

fn edit_list(context: &Context<'_>, list: &TodoList, form: &Form) -> String {
    let view = ListPage {
        action: address(&["todo", &list.id, "edit"]),
        back: address(&["todo", &list.id]),
        name: match form.given("name") {
            Some(_) => form.field("name"),
            None => untouched("name", &list.name),
        },
        button: context.text("todo.rename_list", &[]),
        remove: Some(address(&["todo", &list.id, "delete"])),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("todo.edit_list", &[("list", &list.name)]);
    render::page(context, PLACE, &heading, "todo_list.html", &view)
}

fn share_page(context: &Context<'_>, list: &TodoList, form: &Form) -> String {
    let with_done = share::is_on(form, "done", "yes");
    let mut preview =
        vec![PreviewLine { text: list.name.clone(), shown_by: String::new(), hidden: false, code: false }];
    for item in &list.items {
        let mut text = vec![item.title.clone()];
        text.extend(Some(item.notes.clone()).filter(|notes| !notes.trim().is_empty()));
        text.extend(due(context, item));
        text.extend(item.details.iter().map(|detail| format!("{}: {}", detail.label, detail.value)));
        text.extend(item.comments.iter().map(|comment| {
            let row = comment_row(context, comment);
            format!("{}: {}", row.label, row.value)
        }));
        preview.push(PreviewLine {
            text: text.join("\n"),
            shown_by: if item.done { "done-yes".to_owned() } else { String::new() },
            hidden: item.done && !with_done,
            code: false,
        });
    }
    let can_edit = if form.given("sent").is_some() { form.value("access") == "edit" } else { list.can_edit };
    let access = |value: &str, on: bool| Switch {
        name: "access",
        value: value.to_owned(),
        label: context.text(&format!("share.can_{value}"), &[]),
        on,
        part: false,
    };
    let parts = Parts {
        kind: ShareKind::List,
        title: list.name.clone(),
        action: address(&["todo", &list.id, "share"]),
        back: address(&["todo", &list.id]),
        switches: vec![Switch {
            name: "done",
            value: "yes".to_owned(),
            label: context.text("share.with_done", &[]),
            on: with_done,
            part: false,
        }],
        access: vec![access("view", !can_edit), access("edit", can_edit)],
        preview,
        shared_with: list.shared_with.clone(),
    };
    share::page(context, PLACE, parts, form)
}
