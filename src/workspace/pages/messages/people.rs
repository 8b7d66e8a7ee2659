//! Contact cards, and the page that says who is in a conversation.

use serde::Serialize;

use super::super::context::Context;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::route::{PLACE, thread_address};
use crate::scenario::model::{Contact, ContactKind, Thread};

#[derive(Serialize)]
pub(super) struct Card {
    id: String,
    pub(super) name: String,
    /// Group or channel; a person needs no word for it.
    kind: Option<&'static str>,
    /// Shown where the name does not hold it already.
    label: Option<String>,
    external: bool,
    members: Option<String>,
    details: Vec<Row>,
    /// Who reads a message to this contact, for the script that keeps the readers' line.
    readers: String,
    chosen: bool,
}

#[derive(Serialize)]
struct Info {
    title: String,
    back: String,
    readers: String,
    parts: Vec<Part>,
    details: Vec<Row>,
}

/// One contact that the conversation is addressed to, with those behind it.
#[derive(Serialize)]
struct Part {
    card: Card,
    write: Option<Link>,
    groups: Option<String>,
    members: Vec<Member>,
}

#[derive(Serialize)]
struct Member {
    card: Card,
    write: Option<Link>,
}

#[derive(Serialize)]
struct Link {
    href: String,
    name: String,
}

/// Who is in a conversation: its contacts, their labels, and the members of groups and channels.
pub(super) fn info(context: &Context<'_>, thread: &Thread) -> String {
    let messenger = &context.state.apps.messenger;
    let mut names = Names::default();
    let mut write = |contact: &Contact| {
        let name = context.text("messages.write_to", &[("name", &contact.name)]);
        Some(Link { href: format!("/messages/new?to={}", contact.id), name: names.unique(context, &name) })
    };
    let mut parts = Vec::new();
    for contact in thread.addressed_to.iter().filter_map(|name| messenger.contact(name)) {
        let members = contact.members.iter().map(|name| match messenger.contact(name) {
            Some(member) => Member { card: card(context, member, false), write: write(member) },
            None => Member { card: stranger(name), write: None },
        });
        let members = members.collect();
        let groups: Vec<String> = messenger
            .contacts
            .iter()
            .filter(|group| group.members.contains(&contact.name))
            .map(|group| group.name.clone())
            .collect();
        parts.push(Part {
            card: card(context, contact, false),
            write: write(contact),
            groups: (!groups.is_empty())
                .then(|| context.text("messages.in_groups", &[("names", &context.joined(&groups))])),
            members,
        });
    }
    let view = Info {
        title: thread.title.clone(),
        back: thread_address(thread),
        readers: context.readers(&thread.addressed_to),
        parts,
        details: render::rows(&thread.details),
    };
    let heading = context.text("messages.info", &[]);
    render::page(context, PLACE, &heading, "message_info.html", &view)
}

/// Somebody who is in a group and in no contact.
fn stranger(name: &str) -> Card {
    Card {
        id: String::new(),
        name: name.to_owned(),
        kind: None,
        label: None,
        external: false,
        members: None,
        details: Vec::new(),
        readers: String::new(),
        chosen: false,
    }
}

pub(super) fn kind_key(kind: ContactKind) -> Option<&'static str> {
    match kind {
        ContactKind::Person => None,
        ContactKind::Group => Some("messages.group"),
        ContactKind::Channel => Some("messages.channel"),
    }
}

pub(super) fn unsaid_label(contact: &Contact) -> Option<String> {
    contact.label.clone().filter(|label| !contact.name.contains(label.as_str()))
}

pub(super) fn card(context: &Context<'_>, contact: &Contact, chosen: bool) -> Card {
    let members = (!contact.members.is_empty()).then(|| {
        let names = context.joined(&contact.members);
        context.counted("messages.members", contact.members.len(), &[("names", &names)])
    });
    Card {
        id: contact.id.clone(),
        name: contact.name.clone(),
        kind: kind_key(contact.kind),
        label: unsaid_label(contact),
        external: contact.external,
        members,
        details: render::rows(&contact.details),
        readers: reader_list(context, contact),
        chosen,
    }
}

/// The readers behind a contact as a JSON list.
fn reader_list(context: &Context<'_>, contact: &Contact) -> String {
    let readers = if contact.members.is_empty() && contact.kind != ContactKind::Person {
        vec![context.text("readers.whole_group", &[("name", &contact.name)])]
    } else {
        context.state.apps.messenger.readers(std::slice::from_ref(&contact.name))
    };
    serde_json::Value::from(readers).to_string()
}
