//! The pages of a new message, of passing one on, and of editing.

use serde::Serialize;

use super::super::attach;
use super::super::context::{Context, address};
use super::super::form::{Field, Form};
use super::super::render;
use super::people::{Card, card};
use super::route::{PLACE, own_message, thread_address};
use super::thread::{Quote, quoted};
use crate::scenario::model::{Contact, Message};

#[derive(Serialize)]
struct NewMessage {
    address: String,
    /// What is passed on with it.
    quotes: Vec<Quote>,
    passed_on: Vec<attach::View>,
    cards: Vec<Card>,
    to_text: Field,
    text: Field,
    /// Empty where a message is passed on: it has its own attachments.
    attach: attach::Menu,
    is_forward: bool,
    recipients_error: Option<String>,
    message: Option<String>,
}

#[derive(Serialize)]
struct EditMessage {
    address: String,
    back: String,
    text: Field,
    readers: String,
    message: Option<String>,
}

pub(super) fn new_message(context: &Context<'_>, form: &Form) -> String {
    let view = NewMessage {
        address: "/messages/new".to_owned(),
        quotes: Vec::new(),
        passed_on: Vec::new(),
        cards: cards(context, form),
        to_text: form.field("to_text"),
        text: form.field("text"),
        attach: attach::menu(context, form, &[]),
        is_forward: false,
        recipients_error: form.error("to"),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("messages.new", &[]);
    render::page(context, PLACE, &heading, "message_new.html", &view)
}

pub(super) fn forward_page(context: &Context<'_>, message: &Message, form: &Form) -> String {
    let view = NewMessage {
        address: format!("{}/forward", address(&["messages", "m", &message.id])),
        quotes: quoted(context, message),
        passed_on: attach::views(context, &message.attachments),
        cards: cards(context, form),
        to_text: form.field("to_text"),
        text: form.field("text"),
        attach: attach::NONE,
        is_forward: true,
        recipients_error: form.error("to"),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("messages.forward_title", &[]);
    render::page(context, PLACE, &heading, "message_new.html", &view)
}

fn cards(context: &Context<'_>, form: &Form) -> Vec<Card> {
    let contacts = context.state.apps.messenger.contacts.iter();
    contacts.map(|contact| card(context, contact, form.has("to", &contact.id))).collect()
}

pub(super) fn edit_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let (thread, message) = own_message(context, id)?;
    let text = form.field_or("text", &message.text);
    let view = EditMessage {
        address: address(&["messages", "m", &message.id]),
        back: thread_address(thread),
        text,
        readers: context.readers(&thread.addressed_to),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("messages.edit_title", &[]);
    Some(render::page(context, PLACE, &heading, "message_edit.html", &view))
}

/// The contacts that were ticked or typed, each once.
pub(super) fn chosen_names(context: &Context<'_>, form: &mut Form) -> Vec<String> {
    let contacts = &context.state.apps.messenger.contacts;
    let mut names: Vec<String> = contacts
        .iter()
        .filter(|contact| form.has("to", &contact.id))
        .map(|contact| contact.name.clone())
        .collect();
    for typed in typed_names(contacts, form.value("to_text")) {
        match find_contact(contacts, &typed) {
            Some(contact) if names.contains(&contact.name) => {}
            Some(contact) => names.push(contact.name.clone()),
            None => {
                let reason = context.text("messages.unknown_recipient", &[("name", &typed)]);
                form.fail("to_text", reason);
            }
        }
    }
    if names.is_empty() {
        form.fail("to", context.text("messages.choose_recipient", &[]));
    }
    names
}

/// A contact's name may hold a comma, so the whole text is tried first, then the parts between
/// semicolons and lines, and commas only within a part that is no name.
fn typed_names(contacts: &[Contact], text: &str) -> Vec<String> {
    let tidy = |part: &str| part.trim().to_owned();
    if find_contact(contacts, text.trim()).is_some() {
        return vec![tidy(text)];
    }
    let parts = text.split([';', '\n', '；']).map(tidy).filter(|part| !part.is_empty());
    parts
        .flat_map(|part| {
            if find_contact(contacts, &part).is_some() {
                vec![part]
            } else {
                part.split([',', '，', '、']).map(tidy).filter(|name| !name.is_empty()).collect()
            }
        })
        .collect()
}

fn find_contact<'a>(contacts: &'a [Contact], name: &str) -> Option<&'a Contact> {
    let exact = contacts.iter().find(|contact| contact.name == name);
    exact.or_else(|| {
        let folded = name.to_lowercase();
        let mut alike = contacts.iter().filter(|contact| contact.name.to_lowercase() == folded);
        let first = alike.next();
        if alike.next().is_some() { None } else { first }
    })
}
