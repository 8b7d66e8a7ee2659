//! Messenger: conversations, one open thread, a new message, editing.

use serde::Serialize;

use super::context::{Context, address, confirmed};
use super::form::{Field, Form, untouched};
use super::names::Names;
use super::render::{self, Place, Row};
use super::router::{Answer, Reading};
use super::{moment, notice};
use crate::scenario::model::{Contact, ContactKind, Message, Thread};
use crate::workspace::{Addressee, App, Command};

const PLACE: Place = Place::In(App::Messenger);

#[derive(Serialize)]
struct Messages {
    threads: Vec<ThreadRow>,
    open: Option<OpenThread>,
    /// On a narrow screen: show the thread, not the list.
    thread_first: bool,
    details: Vec<Row>,
    message: Option<String>,
}

#[derive(Serialize)]
struct ThreadRow {
    href: String,
    name: String,
    current: bool,
    chips: Vec<String>,
    summary: String,
}

#[derive(Serialize)]
struct OpenThread {
    address: String,
    title: String,
    cards: Vec<Card>,
    details: Vec<Row>,
    days: Vec<Day>,
    text: Field,
    readers: String,
    draft_saved: Option<String>,
}

#[derive(Serialize)]
struct Card {
    id: String,
    name: String,
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
struct Day {
    label: String,
    iso: String,
    messages: Vec<MessageView>,
}

#[derive(Serialize)]
struct MessageView {
    number: usize,
    author: String,
    mine: bool,
    at: String,
    time: String,
    text: String,
    is_draft: bool,
    edited: Option<String>,
    details: Vec<Row>,
    edit: Option<String>,
}

#[derive(Serialize)]
struct NewMessage {
    cards: Vec<Card>,
    to_text: Field,
    text: Field,
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

pub(super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let html = match segments {
        [] => list(context, &Form::default()),
        ["new"] => new_message(context, &Form::prefilled(&[("to", context.query("to").unwrap_or_default())])),
        ["t", id] => thread_page(context, id, &Form::default())?,
        ["m", id] => {
            // Where a form that made a thread leads to: only then is the thread's id known.
            let Some(thread) = notice::thread_of(context, id) else {
                return Some(Answer::Redirect("/messages".to_owned()));
            };
            let done = context.query("done").filter(|done| matches!(*done, "message_sent" | "draft_saved"));
            let to = thread_address(thread);
            let entity = if done == Some("draft_saved") { thread.id.as_str() } else { id };
            return Some(Answer::Redirect(done.map_or(to.clone(), |done| confirmed(&to, done, entity))));
        }
        ["m", id, "edit"] => edit_page(context, id, &Form::default())?,
        _ => return None,
    };
    Some(render::answer(html))
}

pub(super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    let messenger = &context.state.apps.messenger;
    match segments {
        ["t", id] => {
            let thread = messenger.thread(id)?;
            let to = Addressee::Thread(thread.id.clone());
            let text = form.value("text").to_owned();
            let address = thread_address(thread);
            if is_draft(&form) {
                let then = confirmed(&address, "draft_saved", &thread.id);
                return Some(Ok((Command::SaveDraft { to, text }, then)));
            }
            form.require(context, "text");
            Some(checked(form, || {
                (Command::SendMessage { to, text }, confirmed(&address, "message_sent", "{entity}"))
            }))
        }
        ["new"] => {
            let names = chosen_names(context, &mut form);
            let text = form.value("text").to_owned();
            let draft = is_draft(&form);
            form.require(context, "text");
            Some(checked(form, || {
                let to = Addressee::Names(names);
                if draft {
                    (
                        Command::SaveDraft { to, text },
                        confirmed("/messages/m/{entity}", "draft_saved", "{entity}"),
                    )
                } else {
                    (
                        Command::SendMessage { to, text },
                        confirmed("/messages/m/{entity}", "message_sent", "{entity}"),
                    )
                }
            }))
        }
        ["m", id, "edit"] => {
            let (thread, message) = own_message(context, id)?;
            let text = form.value("text").to_owned();
            form.require(context, "text");
            let then = confirmed(&thread_address(thread), "message_edited", &message.id);
            Some(checked(form, || (Command::EditMessage { message: message.id.clone(), text }, then)))
        }
        ["m", id, "delete"] => {
            let (thread, message) = own_message(context, id)?;
            let then = confirmed(&thread_address(thread), "message_deleted", &thread.id);
            Some(Ok((Command::DeleteMessage { message: message.id.clone() }, then)))
        }
        _ => None,
    }
}

pub(super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["t", id] => thread_page(context, id, form),
        ["new"] => Some(new_message(context, form)),
        ["m", id, "edit"] => edit_page(context, id, form),
        ["m", id, "delete"] => {
            let (_, message) = own_message(context, id)?;
            let mut shown = Form::prefilled(&[("text", &message.text)]);
            shown.refuse(form.message().unwrap_or_default());
            edit_page(context, id, &shown)
        }
        _ => None,
    }
}

fn checked(form: Form, command: impl FnOnce() -> (Command, String)) -> Reading {
    if form.is_valid() { Ok(command()) } else { Err(form) }
}

fn is_draft(form: &Form) -> bool {
    form.value("action") == "draft"
}

/// The contacts that were ticked or typed, each once.
fn chosen_names(context: &Context<'_>, form: &mut Form) -> Vec<String> {
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

fn thread_address(thread: &Thread) -> String {
    address(&["messages", "t", &thread.id])
}

fn own_message<'a>(context: &Context<'a>, id: &str) -> Option<(&'a Thread, &'a Message)> {
    let threads = context.state.apps.messenger.threads.iter();
    let mut all = threads.flat_map(|thread| thread.messages.iter().map(move |message| (thread, message)));
    all.find(|(_, message)| message.id == id && message.author.is_user)
}

/// The threads, the one with the latest message first.
fn by_latest<'a>(context: &Context<'a>) -> Vec<&'a Thread> {
    let mut threads: Vec<&Thread> = context.state.apps.messenger.threads.iter().collect();
    threads.sort_by_key(|thread| {
        let drafted = thread.draft.as_ref().map(|draft| draft.at);
        let last = thread.messages.iter().map(|message| message.at).max().max(drafted);
        std::cmp::Reverse(last)
    });
    threads
}

fn list(context: &Context<'_>, form: &Form) -> String {
    let first = by_latest(context).first().copied();
    messages(context, first, false, form)
}

fn thread_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let thread = context.state.apps.messenger.thread(id)?;
    Some(messages(context, Some(thread), true, form))
}

fn messages(context: &Context<'_>, open: Option<&Thread>, thread_first: bool, form: &Form) -> String {
    let mut names = Names::default();
    let threads = by_latest(context)
        .into_iter()
        .map(|thread| thread_row(context, thread, open.is_some_and(|open| open.id == thread.id), &mut names))
        .collect();
    let view = Messages {
        threads,
        open: open.map(|thread| open_thread(context, thread, form)),
        thread_first,
        details: render::rows(&context.state.apps.messenger.details),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("nav.messages", &[]);
    render::page(context, PLACE, &heading, "messages.html", &view)
}

fn thread_row(context: &Context<'_>, thread: &Thread, current: bool, names: &mut Names) -> ThreadRow {
    let mut chips = Vec::new();
    if thread.addressed_to.is_empty() {
        chips.push(context.text("messages.private", &[]));
    }
    for contact in thread.addressed_to.iter().filter_map(|name| context.state.apps.messenger.contact(name)) {
        chips.extend(kind_key(contact.kind).map(|key| context.text(key, &[])));
        chips.extend(unsaid_label(contact));
        if contact.external {
            chips.push(context.text("messages.external", &[]));
        }
    }
    if thread.draft.is_some() {
        chips.push(context.text("messages.draft", &[]));
    }
    chips.dedup();
    let mut summary = vec![match thread.messages.len() {
        0 => context.text("messages.empty_thread", &[]),
        count => context.counted("messages.count", count, &[]),
    }];
    if let Some(last) = thread.messages.last() {
        let author = author(context, last);
        let time = moment::clock(last.at.time());
        summary.push(context.text("messages.last_from", &[("author", &author), ("time", &time)]));
    }
    ThreadRow {
        href: thread_address(thread),
        name: names.unique(context, &thread.title),
        current,
        chips,
        summary: context.joined(&summary),
    }
}

fn open_thread(context: &Context<'_>, thread: &Thread, form: &Form) -> OpenThread {
    let mut days: Vec<Day> = Vec::new();
    for (number, message) in (1..).zip(&thread.messages) {
        let iso = message.at.date().to_string();
        if days.last().is_none_or(|day| day.iso != iso) {
            let label = moment::long_date(context, message.at.date());
            days.push(Day { label, iso, messages: Vec::new() });
        }
        if let Some(day) = days.last_mut() {
            day.messages.push(message_view(context, number, message));
        }
    }
    let draft = thread.draft.as_ref();
    let text = match form.given("text") {
        Some(_) => form.field("text"),
        None => untouched("text", draft.map_or("", |draft| &draft.text)),
    };
    let contacts = thread.addressed_to.iter().filter_map(|name| context.state.apps.messenger.contact(name));
    OpenThread {
        address: thread_address(thread),
        title: thread.title.clone(),
        cards: contacts.map(|contact| card(context, contact, false)).collect(),
        details: render::rows(&thread.details),
        days,
        text,
        readers: context.readers(&thread.addressed_to),
        draft_saved: draft
            .map(|draft| context.text("messages.draft_saved", &[("time", &moment::stamp(draft.at))])),
    }
}

fn message_view(context: &Context<'_>, number: usize, message: &Message) -> MessageView {
    let mine = message.author.is_user;
    MessageView {
        number,
        author: author(context, message),
        mine,
        at: message.at.to_string(),
        time: moment::clock(message.at.time()),
        text: message.text.clone(),
        is_draft: message.is_draft,
        edited: message
            .edited_at
            .map(|at| context.text("messages.edited", &[("time", &moment::clock(at.time()))])),
        details: render::rows(&message.details),
        edit: mine.then(|| address(&["messages", "m", &message.id, "edit"])),
    }
}

/// The author as the scenario writes it; the user's own name for himself goes with "You".
fn author(context: &Context<'_>, message: &Message) -> String {
    let name = &message.author.name;
    let you = context.text("messages.you", &[]);
    if !message.author.is_user {
        name.clone()
    } else if name.to_lowercase() == you.to_lowercase() || name.trim().is_empty() {
        you
    } else if name.to_lowercase().starts_with(&format!("{} ", you.to_lowercase())) {
        name.clone()
    } else {
        context.text("messages.you_as", &[("name", name)])
    }
}

fn kind_key(kind: ContactKind) -> Option<&'static str> {
    match kind {
        ContactKind::Person => None,
        ContactKind::Group => Some("messages.group"),
        ContactKind::Channel => Some("messages.channel"),
    }
}

fn unsaid_label(contact: &Contact) -> Option<String> {
    contact.label.clone().filter(|label| !contact.name.contains(label.as_str()))
}

fn card(context: &Context<'_>, contact: &Contact, chosen: bool) -> Card {
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

fn new_message(context: &Context<'_>, form: &Form) -> String {
    let contacts = context.state.apps.messenger.contacts.iter();
    let view = NewMessage {
        cards: contacts.map(|contact| card(context, contact, form.has("to", &contact.id))).collect(),
        to_text: form.field("to_text"),
        text: form.field("text"),
        recipients_error: form.error("to"),
        message: form.message().map(str::to_owned),
    };
    let heading = context.text("messages.new", &[]);
    render::page(context, PLACE, &heading, "message_new.html", &view)
}

fn edit_page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let (thread, message) = own_message(context, id)?;
    let text = match form.given("text") {
        Some(_) => form.field("text"),
        None => untouched("text", &message.text),
    };
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
