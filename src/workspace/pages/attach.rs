//! What can be attached to a message or an event, and what was.

use serde::Serialize;

use super::context::Context;
use super::form::Form;
use super::moment;
use super::names::Names;
use crate::scenario::model::{Attachment, AttachmentKind, CalendarEvent};
use crate::workspace::showing::route_title;
use crate::workspace::{Attach, KeptAttachment, offered};

/// Everything that can be attached.
#[derive(Serialize)]
pub(super) struct Menu {
    groups: Vec<Group>,
    /// What is ticked must be seen.
    open: bool,
}

/// One kind of things in it.
#[derive(Serialize)]
struct Group {
    label: String,
    things: Vec<Item>,
}

#[derive(Serialize)]
struct Item {
    id: String,
    value: String,
    /// What its check box is called.
    name: String,
    title: String,
    about: String,
    chosen: bool,
}

/// An attachment as its readers see it.
#[derive(Serialize)]
pub(super) struct View {
    kind: String,
    title: String,
    text: String,
}

/// Everything that can be attached, with what is ticked: in the form where it was sent, else what is
/// held, such as by a draft.
pub(super) fn menu(context: &Context<'_>, form: &Form, held: &[Attachment]) -> Menu {
    let mut names = Names::default();
    let sent = form.given("text").or_else(|| form.given("title")).is_some();
    let chosen = |kind: AttachmentKind, id: &str| {
        if sent {
            return form.has("attach", &value(kind, id));
        }
        held.iter().any(|attachment| attachment.kind == kind && attachment.source == id)
    };
    let groups: Vec<Group> = AttachmentKind::ALL
        .into_iter()
        .filter_map(|kind| {
            let items: Vec<Item> = things(context, kind, form)
                .into_iter()
                .map(|(id, title, about)| {
                    let key = format!("messages.attach.{}", kind.name());
                    let name = names.unique(context, &context.text(&key, &[("title", &title)]));
                    Item {
                        value: value(kind, &id),
                        chosen: chosen(kind, &id),
                        id: format!("attach-{}-{id}", kind.name()),
                        name,
                        title,
                        about,
                    }
                })
                .collect();
            let label = context.text(&format!("messages.attach.{}s", kind.name()), &[]);
            (!items.is_empty()).then_some(Group { label, things: items })
        })
        .collect();
    let open = groups.iter().flat_map(|group| &group.things).any(|thing| thing.chosen);
    Menu { groups, open }
}

/// An empty menu: there is nothing to attach.
pub(super) const NONE: Menu = Menu { groups: Vec::new(), open: false };

/// The things of a kind: id, title, and what tells it from others of that title.
fn things(context: &Context<'_>, kind: AttachmentKind, form: &Form) -> Vec<(String, String, String)> {
    let apps = &context.state.apps;
    match kind {
        AttachmentKind::Event => {
            let row = |event: &CalendarEvent| {
                let date = event.date.to_string();
                let when =
                    event.start.map_or(date.clone(), |start| format!("{date} {}", moment::clock(start)));
                (event.id.clone(), event.title.clone(), when)
            };
            apps.calendar.events.iter().map(row).collect()
        }
        AttachmentKind::Place => {
            let places = apps.maps.places.iter();
            places.map(|place| (place.id.clone(), place.name.clone(), place.address.clone())).collect()
        }
        AttachmentKind::Route => {
            let row = |route: &crate::scenario::model::Route| {
                (route.id.clone(), route_title(route), route.eta.clone().unwrap_or_default())
            };
            apps.maps.routes.iter().map(row).collect()
        }
        AttachmentKind::List => {
            let row = |list: &crate::scenario::model::TodoList| {
                let about = context.counted("messages.attach.tasks", list.items.len(), &[]);
                (list.id.clone(), list.name.clone(), about)
            };
            apps.todo.lists.iter().map(row).collect()
        }
        AttachmentKind::File => {
            let row = |file: &crate::scenario::model::SourceFile| {
                let about = context.counted("code.lines", file.content.lines().count(), &[]);
                (file.id.clone(), file.path.clone(), about)
            };
            apps.code_editor.files.iter().map(row).collect()
        }
        AttachmentKind::Product => {
            let row = |product: &crate::scenario::model::Product| {
                let price = product.price.as_ref().map_or(String::new(), |price| price.text.clone());
                (product.id.clone(), product.title.clone(), price)
            };
            // Not the whole shelf: what the user has to do with.
            let shop = &apps.shop;
            let held = |title: &str| {
                shop.products.iter().any(|product| product.title == title)
                    || shop.cart.iter().chain(&shop.saved_for_later).any(|line| line.title == title)
            };
            let ticked =
                |product: &crate::scenario::model::Product| form.has("attach", &value(kind, &product.id));
            let shown = offered(shop, &context.state.language)
                .into_iter()
                .filter(|product| held(&product.title) || ticked(product));
            shown.map(row).collect()
        }
    }
}

fn value(kind: AttachmentKind, id: &str) -> String {
    format!("{}:{id}", kind.name())
}

/// What is ticked in a sent form. What is no such value was made up and is left out.
pub(super) fn chosen(form: &Form) -> Vec<Attach> {
    let read = |value: &str| {
        let (kind, id) = value.split_once(':')?;
        let kind = AttachmentKind::ALL.into_iter().find(|known| known.name() == kind)?;
        Some(Attach { kind, id: id.to_owned() })
    };
    form.all("attach").filter_map(read).collect()
}

pub(super) fn views(context: &Context<'_>, attachments: &[Attachment]) -> Vec<View> {
    attachments
        .iter()
        .map(|attachment| View {
            kind: context.text(&format!("messages.kind.{}", attachment.kind.name()), &[]),
            title: attachment.title.clone(),
            text: attachment.text.clone(),
        })
        .collect()
}

/// Something that is attached to an event already.
#[derive(Serialize)]
pub(super) struct Kept {
    value: String,
    name: String,
    kind: String,
    text: String,
    chosen: bool,
}

/// What is attached to an event, to be kept or not.
pub(super) fn kept(context: &Context<'_>, event: &CalendarEvent, form: &Form) -> Vec<Kept> {
    let mut names = Names::default();
    let views = views(context, &event.attachments);
    let kept = |(number, view): (usize, View)| {
        let value = kept_value(event, number);
        let name = context.text("calendar.keep_attached", &[("title", &view.title)]);
        let chosen = form.has("kept", &value);
        Kept { name: names.unique(context, &name), chosen, value, kind: view.kind, text: view.text }
    };
    views.into_iter().enumerate().map(kept).collect()
}

/// The value of the box of an event's attachment.
pub(super) fn kept_value(event: &CalendarEvent, number: usize) -> String {
    format!("{}:{number}", event.id)
}

/// What stays attached, as a sent form says.
pub(super) fn kept_in(form: &Form) -> Vec<KeptAttachment> {
    let read = |value: &str| {
        let (event, number) = value.rsplit_once(':')?;
        Some(KeptAttachment { event: event.to_owned(), number: number.parse().ok()? })
    };
    form.all("kept").filter_map(read).collect()
}
