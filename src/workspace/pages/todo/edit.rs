//! Making, renaming and sharing a list.

use serde::Serialize;

use super::super::context::{Context, address};
use super::super::form::{Field, Form};
use super::super::render::{self};
use super::super::share::{self, Parts, PreviewLine, Switch};
use super::lists::{comment_row, due, readers};
use super::route::PLACE;
use crate::scenario::model::{ShareKind, TodoList};
use crate::workspace::units::list_people;

#[derive(Serialize)]
struct ListPage {
    action: String,
    back: String,
    name: Field,
    button: String,
    remove: Option<String>,
    /// Whether its link opens it, and where the form that changes that goes.
    by_link: Option<ByLink>,
    message: Option<String>,
}

#[derive(Serialize)]
struct ByLink {
    action: String,
    on: bool,
    readers: String,
}

pub(super) fn new_list(context: &Context<'_>, form: &Form) -> String {
    let view = ListPage {
        action: "/todo/new".to_owned(),
        back: "/todo".to_owned(),
        name: form.field("name"),
        button: context.text("todo.create_list", &[]),
        remove: None,
        by_link: None,
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("todo.new_list", &[]);
    render::page(context, PLACE, &heading, "todo_list.html", &view)
}

pub(super) fn edit_list(context: &Context<'_>, list: &TodoList, form: &Form) -> String {
    let view = ListPage {
        action: address(&["todo", &list.id, "edit"]),
        back: address(&["todo", &list.id]),
        name: form.field_or("name", &list.name),
        button: context.text("todo.rename_list", &[]),
        remove: Some(address(&["todo", &list.id, "delete"])),
        by_link: Some(ByLink {
            action: address(&["todo", &list.id, "link"]),
            on: list.by_link,
            readers: readers(context, &list_people(list)),
        }),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("todo.edit_list", &[("list", &list.name)]);
    render::page(context, PLACE, &heading, "todo_list.html", &view)
}

pub(super) fn share_page(context: &Context<'_>, list: &TodoList, form: &Form) -> String {
    let with_done = share::is_on(form, "done", "yes");
    let mut about = vec![list.name.clone()];
    about.extend(list.details.iter().map(|detail| format!("{}: {}", detail.label, detail.value)));
    let mut preview =
        vec![PreviewLine { text: about.join("\n"), shown_by: String::new(), hidden: false, code: false }];
    for item in &list.items {
        let mut text = vec![item.title.clone()];
        text.extend(Some(item.notes.clone()).filter(|notes| !notes.trim().is_empty()));
        text.extend(item.status.clone());
        text.extend(due(context, item));
        if !item.assignee.is_empty() {
            text.push(context.text("todo.assigned_to", &[("name", &item.assignee)]));
        }
        if !item.priority.is_none() {
            text.push(context.text(&format!("todo.priority.{}", item.priority.name()), &[]));
        }
        text.extend((!item.labels.is_empty()).then(|| context.joined(&item.labels)));
        text.extend(item.subtasks.iter().map(|subtask| {
            let done = if subtask.done { context.text("todo.subtask_is_done", &[]) } else { String::new() };
            format!("· {} {done}", subtask.title).trim_end().to_owned()
        }));
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
        access: share::access(context, form, list.can_edit),
        preview,
        shared_with: list.shared_with.clone(),
    };
    share::page(context, PLACE, parts, form)
}
