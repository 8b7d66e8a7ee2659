//! Choosing people: contacts to tick, other names to type.

use serde::Serialize;

use super::context::Context;
use super::form::{Field, Form, listed};
use crate::scenario::model::{Contact, ContactKind};

/// The part of a form that names people.
#[derive(Debug, Serialize)]
pub(super) struct People {
    contacts: Vec<Person>,
    typed: Field,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Person {
    id: String,
    name: String,
    /// Key of the word for a group or channel.
    kind: Option<&'static str>,
    /// Shown where the name does not hold it already.
    label: Option<String>,
    external: bool,
    members: Option<String>,
    /// Who reads what this contact reads, for the script that keeps the readers' line.
    readers: String,
    chosen: bool,
}

impl People {
    /// The contacts, ticked as the form says.
    pub(super) fn new(context: &Context<'_>, form: &Form) -> Self {
        let contacts = &context.state.apps.messenger.contacts;
        Self {
            contacts: contacts.iter().map(|contact| person(context, contact, form)).collect(),
            typed: form.field("to_text"),
            error: form.error("to"),
        }
    }
}

/// The names that were ticked or typed, each once. Typed names are parted by commas, semicolons or
/// lines, unless the whole is a contact's name.
pub(super) fn chosen(context: &Context<'_>, form: &Form) -> Vec<String> {
    let contacts = &context.state.apps.messenger.contacts;
    let ticked = contacts.iter().filter(|contact| form.has("to", &contact.id));
    let mut names: Vec<String> = ticked.map(|contact| contact.name.clone()).collect();
    let typed = form.value("to_text").trim();
    let parts: Vec<&str> = if contacts.iter().any(|contact| contact.name == typed) {
        vec![typed]
    } else {
        listed(typed).collect()
    };
    for name in parts.into_iter().filter(|name| !name.is_empty()) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The chosen names where there are some; otherwise the form says that somebody is missing.
pub(super) fn required(context: &Context<'_>, form: &mut Form) -> Vec<String> {
    let names = chosen(context, form);
    if names.is_empty() {
        form.fail("to", context.text("messages.choose_recipient", &[]));
    }
    names
}

fn person(context: &Context<'_>, contact: &Contact, form: &Form) -> Person {
    let is_group = contact.kind != ContactKind::Person;
    let readers = if contact.members.is_empty() && is_group {
        vec![context.text("readers.whole_group", &[("name", &contact.name)])]
    } else {
        context.state.apps.messenger.readers(std::slice::from_ref(&contact.name))
    };
    Person {
        id: contact.id.clone(),
        name: contact.name.clone(),
        kind: match contact.kind {
            ContactKind::Person => None,
            ContactKind::Group => Some("messages.group"),
            ContactKind::Channel => Some("messages.channel"),
        },
        label: contact.label.clone().filter(|label| !contact.name.contains(label.as_str())),
        external: contact.external,
        members: (!contact.members.is_empty()).then(|| {
            let names = context.joined(&contact.members);
            context.counted("messages.members", contact.members.len(), &[("names", &names)])
        }),
        readers: serde_json::Value::from(readers).to_string(),
        chosen: form.has("to", &contact.id),
    }
}
