//! All lists with their tasks, or one of them, filtered and sorted.

use serde::Serialize;

use super::super::context::{Context, address, query_value};
use super::super::form::{Field, Form, untouched};
use super::super::moment;
use super::super::names::Names;
use super::super::pager::{self, Pager};
use super::super::render::{self, Row};
use super::super::share::{self};
use super::route::PLACE;
use super::task::{SubtaskView, subtasks};
use crate::scenario::model::{Comment, TodoItem, TodoList};
use crate::workspace::EVERYBODY;
use crate::workspace::units::list_people;

/// Query parameters of the filter, which stay when a task is ticked, as does the page.
const FILTER: [&str; 3] = ["show", "sort", "q"];
const PAGE: &str = "page";

/// Tasks of a list on one page.
const PAGE_SIZE: usize = 50;

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
    /// The list's other pages, on its own page, or a link to them.
    pager: Option<Pager>,
    more: Option<ListLink>,
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
    priority: Option<String>,
    labels: Vec<String>,
    subtasks: Vec<SubtaskView>,
    comments: Vec<Row>,
    details: Vec<Row>,
}

/// Whether the form stood on the page of one list.
pub(super) fn shows_one_list(context: &Context<'_>) -> bool {
    context.query("view") == Some("list")
}

/// The page that the form stood on, filtered as it was.
pub(super) fn back(context: &Context<'_>, list: &TodoList) -> String {
    if !shows_one_list(context) {
        return with_query("/todo", &kept(context, &FILTER));
    }
    with_query(&address(&["todo", &list.id]), &[kept(context, &FILTER), kept(context, &[PAGE])].concat())
}

/// The page on which a task shows that is added now: where it is one of many, the list's last one.
pub(super) fn back_to_new(context: &Context<'_>, list: &TodoList) -> String {
    let filter = Filter::of(context);
    let shown = 1 + list.items.iter().filter(|item| filter.shows(item)).count();
    if shown <= PAGE_SIZE {
        return back(context, list);
    }
    page_address(context, list, shown.div_ceil(PAGE_SIZE))
}

fn page_address(context: &Context<'_>, list: &TodoList, page: usize) -> String {
    let mut query = kept(context, &FILTER);
    if page > 1 {
        query.push(format!("{PAGE}={page}"));
    }
    with_query(&address(&["todo", &list.id]), &query)
}

fn with_query(page: &str, query: &[String]) -> String {
    if query.is_empty() { page.to_owned() } else { format!("{page}?{}", query.join("&")) }
}

/// What the address says of those, as pairs of a query.
fn kept(context: &Context<'_>, names: &[&'static str]) -> Vec<String> {
    let pair = |name: &&'static str| {
        let value = context.query(name).filter(|value| !value.is_empty())?;
        Some(format!("{name}={}", query_value(value)))
    };
    names.iter().filter_map(pair).collect()
}

/// Which tasks are shown, in which order.
struct Filter {
    show: &'static str,
    sort: &'static str,
    query: String,
}

impl Filter {
    fn of(context: &Context<'_>) -> Self {
        let one_of = |name: &str, choices: &[&'static str]| {
            let asked = context.query(name).unwrap_or_default();
            choices.iter().copied().find(|choice| *choice == asked).unwrap_or(choices[0])
        };
        Self {
            show: one_of("show", &["all", "open", "done"]),
            sort: one_of("sort", &["position", "due", "priority", "title"]),
            query: context.query("q").unwrap_or_default().trim().to_lowercase(),
        }
    }

    fn shows(&self, item: &TodoItem) -> bool {
        let by_state = match self.show {
            "open" => !item.done,
            "done" => item.done,
            _ => true,
        };
        let text = || {
            let labels = item.labels.join("\n");
            let parts = item.subtasks.iter().map(|subtask| subtask.title.as_str());
            let parts = parts.collect::<Vec<_>>().join("\n");
            let all = [item.title.as_str(), &item.notes, &item.assignee, &labels, &parts];
            all.join("\n").to_lowercase()
        };
        by_state && (self.query.is_empty() || text().contains(&self.query))
    }

    fn sort(&self, items: &mut [&TodoItem]) {
        match self.sort {
            // Tasks without a date come last.
            "due" => items.sort_by_key(|item| (item.due.is_none(), item.due)),
            "priority" => items.sort_by_key(|item| item.priority),
            "title" => items.sort_by_key(|item| item.title.to_lowercase()),
            _ => {}
        }
    }
}

pub(super) fn page(context: &Context<'_>, only: Option<&str>, posted: Option<&str>, form: &Form) -> String {
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
        let label = match is_shared_with(context, list) {
            Some(shared) => context
                .text("todo.list_link_shared", &[("list", &name), ("count", &count), ("shared", &shared)]),
            None => context.text("todo.list_link", &[("list", &name), ("count", &count)]),
        };
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
        filtered: !kept(context, &FILTER).is_empty(),
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
    let mut query = kept(context, &FILTER);
    if alone {
        query.insert(0, "view=list".to_owned());
        query.extend(kept(context, &[PAGE]));
    }
    let query = with_query("", &query);
    let done = list.items.iter().filter(|item| item.done).count();
    let is_shared = !list.shared_with.is_empty();
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
    let found = shown.len();
    let (page, pages) = if alone { pager::place(context, found, PAGE_SIZE) } else { (1, 1) };
    let more = found.saturating_sub(PAGE_SIZE);
    let more = (!alone && more > 0).then(|| ListLink {
        href: page_address(context, list, 2),
        name: context.counted("todo.more", more, &[("list", &name)]),
        current: false,
    });
    let shown = shown.into_iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE);
    let items = shown.map(|item| item_view(context, item, &query, names)).collect();
    ListView {
        id: list.id.clone(),
        name,
        address: address(&["todo", &list.id]),
        add: format!("{}{query}", address(&["todo", &list.id, "add"])),
        title,
        open: list.items.len() - done,
        done,
        shared: is_shared_with(context, list),
        access,
        readers: readers(context, &list_people(list)),
        hidden: list.items.len() - found,
        items,
        pager: pager::pager(context, (page, pages), |page| page_address(context, list, page)),
        more,
        messages: share::messages(context, &context.state.apps.todo.shares, &list.id),
        details: render::rows(&list.details),
    }
}

/// With whom a list is shared; `None` for one that nobody else reads.
fn is_shared_with(context: &Context<'_>, list: &TodoList) -> Option<String> {
    let named = context.joined(&list.shared_with);
    let named =
        (!list.shared_with.is_empty()).then(|| context.text("todo.shared_with", &[("names", &named)]));
    let by_link = list.by_link.then(|| context.text("todo.by_link", &[]));
    let all: Vec<String> = named.into_iter().chain(by_link).collect();
    (!all.is_empty()).then(|| context.joined(&all))
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
        priority: (!item.priority.is_none())
            .then(|| context.text(&format!("todo.priority.{}", item.priority.name()), &[])),
        labels: item.labels.clone(),
        subtasks: subtasks(context, item),
        comments: item.comments.iter().map(|comment| comment_row(context, comment)).collect(),
        details: render::rows(&item.details),
    }
}

/// Who reads what is for those names: everybody, where the link of a list opens it.
pub(super) fn readers(context: &Context<'_>, names: &[String]) -> String {
    let by_link = names.iter().any(|name| name == EVERYBODY);
    if by_link { context.text("todo.readers_by_link", &[]) } else { context.readers(names) }
}

pub(super) fn due(context: &Context<'_>, item: &TodoItem) -> Option<String> {
    item.due.map(|due| {
        let date = format!("{} ({due})", moment::long_date(context, due));
        context.text("todo.due", &[("date", &date)])
    })
}

pub(in super::super) fn comment_row(context: &Context<'_>, comment: &Comment) -> Row {
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
