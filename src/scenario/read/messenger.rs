//! Messenger: contacts, threads, messages.

use std::collections::HashMap;

use jiff::ToSpan as _;
use jiff::civil::DateTime;

use super::super::error::Problem;
use super::super::json::{Json, JsonPath};
use super::super::model::{
    Attachment, AttachmentKind, Author, Contact, ContactKind, Detail, Draft, Forwarded, Message, Messenger,
    Thread,
};
use super::context::Context;
use super::fields::{Field, Fields, Items, cut, is_name};
use super::{people, when};

/// Minutes between two messages without a time.
const MINUTES_BETWEEN_MESSAGES: i64 = 5;

/// The messenger before its messages have times; the clock is known only when all apps are read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    contacts: Contacts,
    threads: Vec<ThreadReading>,
    details: Vec<Detail>,
}

#[derive(Debug)]
struct ThreadReading {
    thread: Thread,
    /// Times of the messages, as far as the file gives them.
    times: Vec<Option<DateTime>>,
    draft_time: Option<DateTime>,
}

/// Contacts in order, found by name.
#[derive(Debug, Default)]
struct Contacts {
    list: Vec<Contact>,
    by_name: HashMap<String, usize>,
}

impl Contacts {
    /// The contact of that name, made from the name where there is none.
    fn named(&mut self, context: &mut Context, name: &str) -> &mut Contact {
        let index = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            let label = people::label(name);
            self.list.push(Contact {
                id: context.next_id("contact"),
                name: name.to_owned(),
                kind: people::kind(name),
                external: people::is_external(label.as_deref()),
                label,
                members: Vec::new(),
                details: Vec::new(),
            });
            self.list.len() - 1
        });
        &mut self.list[index]
    }

    fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

pub(super) fn read(context: &mut Context, value: &Json, path: &JsonPath) -> Reading {
    let mut reading = Reading::default();
    let Some(mut fields) = Fields::open(context, value, path) else { return reading };
    if let Some(items) = fields.take_list(context, &["contacts"]) {
        for (value, path) in items.iter() {
            read_contact(context, &mut reading.contacts, value, &path);
        }
    }
    if let Some(items) = fields.take_list(context, &["threads"]) {
        for (value, path) in items.iter() {
            if let Some(thread) = read_thread(context, &mut reading.contacts, value, &path) {
                reading.threads.push(thread);
            }
        }
    }
    reading.details = fields.into_details(context);
    add_members(context, &mut reading);
    add_senders(context, &mut reading);
    reading
}

impl Reading {
    /// The dates of messages that have a time.
    pub(super) fn times(&self) -> impl Iterator<Item = DateTime> + '_ {
        self.threads.iter().flat_map(|thread| thread.times.iter().flatten().copied())
    }

    /// Gives every message a time and returns the messenger.
    pub(super) fn finish(self, now: DateTime) -> Messenger {
        let mut threads = Vec::new();
        for ThreadReading { mut thread, times, draft_time } in self.threads {
            let filled = fill_times(&times, now);
            for (message, at) in thread.messages.iter_mut().zip(filled) {
                message.at = at;
            }
            if times.iter().any(Option::is_some) {
                // Oldest first; stable, so that equal times keep the file's order.
                thread.messages.sort_by_key(|message| message.at);
            }
            if let Some(draft) = &mut thread.draft {
                draft.at = draft_time.unwrap_or(now);
            }
            threads.push(thread);
        }
        Messenger { contacts: self.contacts.list, threads, earlier: Vec::new(), details: self.details }
    }
}

fn read_contact(context: &mut Context, contacts: &mut Contacts, value: &Json, path: &JsonPath) {
    if let Some(name) = value.scalar_text() {
        if is_name(context, &name, path) {
            contacts.named(context, &name);
        }
        return;
    }
    let Some(mut fields) = Fields::open(context, value, path) else { return };
    let Some(name) = fields.take_text(&["name", "contact"]) else {
        fields.missing(context, "name");
        return;
    };
    if !is_name(context, &name, &path.key("name")) {
        return;
    }
    if contacts.has(&name) {
        let problem = Problem::BadValue { value: cut(&name), expected: "a contact name of its own" };
        context.fault(path.clone(), problem);
        return;
    }
    let facts = take_contact_facts(context, &mut fields);
    let details = fields.into_details(context);
    let contact = contacts.named(context, &name);
    facts.apply(contact);
    contact.details = details;
}

/// What may be said about a contact, in its own entry or in its thread.
#[derive(Debug, Default)]
struct ContactFacts {
    label: Option<String>,
    kind: Option<ContactKind>,
    members: Vec<String>,
    external: Option<bool>,
}

impl ContactFacts {
    fn apply(self, contact: &mut Contact) {
        if let Some(label) = self.label {
            contact.external = people::is_external(Some(&label));
            contact.label = Some(label);
        }
        if !self.members.is_empty() {
            contact.members = self.members;
            // A name with members is no person, whatever the words in it say.
            if contact.kind == ContactKind::Person {
                contact.kind = ContactKind::Group;
            }
        }
        if let Some(kind) = self.kind {
            contact.kind = kind;
        }
        if let Some(external) = self.external {
            contact.external = external;
        }
    }
}

fn take_contact_facts(context: &mut Context, fields: &mut Fields<'_>) -> ContactFacts {
    let label = fields.take_text(&["label"]).filter(|label| !label.trim().is_empty());
    let kind = fields.take(&["kind"]).and_then(|field| read_kind(context, &field));
    let members =
        fields.take_list(context, &["members"]).map(|items| items.texts(context)).unwrap_or_default();
    let members = members.into_iter().filter(|name| !people::is_user(name)).collect();
    let external = fields.take_flag(&["external"]);
    ContactFacts { label, kind, members, external }
}

fn read_kind(context: &mut Context, field: &Field<'_>) -> Option<ContactKind> {
    match field.value.scalar_text().unwrap_or_default().as_str() {
        "person" => Some(ContactKind::Person),
        "group" => Some(ContactKind::Group),
        "channel" => Some(ContactKind::Channel),
        other => {
            let expected = "`person`, `group` or `channel`";
            context.fault(field.path.clone(), Problem::BadValue { value: cut(other), expected });
            None
        }
    }
}

fn read_thread(
    context: &mut Context,
    contacts: &mut Contacts,
    value: &Json,
    path: &JsonPath,
) -> Option<ThreadReading> {
    let id = context.next_id("thread");
    if let Some(title) = value.scalar_text() {
        if !is_name(context, &title, path) {
            return None;
        }
        let names = counterparts(context, contacts, vec![title]);
        return Some(ThreadReading { thread: empty_thread(id, &names), times: Vec::new(), draft_time: None });
    }
    let mut fields = Fields::open(context, value, path)?;
    let names = read_names(context, &mut fields)?;
    let mut thread = empty_thread(id, &counterparts(context, contacts, names));
    let facts = take_contact_facts(context, &mut fields);
    match thread.addressed_to.as_slice() {
        [only] => facts.apply(contacts.named(context, only)),
        _ => keep_facts(&mut fields, facts),
    }
    let mut times = Vec::new();
    if let Some(items) = fields.take_list(context, &["messages"]) {
        for (value, path) in items.iter() {
            if let Some((message, at)) = read_message(context, &thread, value, &path) {
                thread.messages.push(message);
                times.push(at);
            }
        }
    }
    let mut draft_time = None;
    if let Some(field) = fields.take(&["draft"])
        && let Some((text, at)) = read_draft(context, &mut fields, &field)
    {
        thread.draft = Some(Draft { text, at: DateTime::MIN, ..Draft::default() });
        draft_time = at;
    }
    thread.unread = read_unread(&mut fields, thread.messages.len());
    thread.pinned = fields.take_flag(&["pinned"]).unwrap_or_default();
    thread.muted = fields.take_flag(&["muted"]).unwrap_or_default();
    thread.archived = fields.take_flag(&["archived"]).unwrap_or_default();
    thread.details = fields.into_details(context);
    Some(ThreadReading { thread, times, draft_time })
}

/// Names of a thread: `contact` or `name`, one or several.
fn read_names(context: &mut Context, fields: &mut Fields<'_>) -> Option<Vec<String>> {
    let Some(field) = fields.take(&["contact", "name", "title"]) else {
        fields.missing(context, "contact");
        return None;
    };
    let names = match field.value {
        Json::Array(_) => Items::open(context, &field)?.texts(context),
        other => {
            let Some(name) = other.scalar_text() else {
                let expected = "a name or a list of names";
                context.fault(field.path, Problem::WrongType { expected, found: other.kind() });
                return None;
            };
            if is_name(context, &name, &field.path) { vec![name] } else { return None }
        }
    };
    if names.is_empty() {
        context.fault(field.path, Problem::Blank);
        return None;
    }
    Some(names)
}

/// The counterparts of a thread, each of them a contact; the title where it is the user's own.
fn counterparts(context: &mut Context, contacts: &mut Contacts, names: Vec<String>) -> Counterparts {
    let title = names.join(", ");
    if let [only] = names.as_slice()
        && people::is_own_title(only)
        && !contacts.has(only)
    {
        return Counterparts { title, names: Vec::new() };
    }
    for name in &names {
        contacts.named(context, name);
    }
    Counterparts { title, names }
}

struct Counterparts {
    title: String,
    names: Vec<String>,
}

fn empty_thread(id: String, counterparts: &Counterparts) -> Thread {
    Thread {
        id,
        title: counterparts.title.clone(),
        addressed_to: counterparts.names.clone(),
        ..Thread::default()
    }
}

/// What a thread without one single contact says about it stays visible.
fn keep_facts(fields: &mut Fields<'_>, facts: ContactFacts) {
    if let Some(label) = facts.label {
        fields.keep("label", label);
    }
    for member in facts.members {
        fields.keep("members", member);
    }
    if let Some(external) = facts.external {
        fields.keep("external", external.to_string());
    }
}

fn read_message(
    context: &mut Context,
    thread: &Thread,
    value: &Json,
    path: &JsonPath,
) -> Option<(Message, Option<DateTime>)> {
    let own = thread.addressed_to.is_empty();
    let unsigned =
        || Author { is_user: own, name: if own { "You".to_owned() } else { thread.title.clone() } };
    let mut message = Message {
        id: context.next_id("message"),
        author: unsigned(),
        at: DateTime::MIN,
        is_draft: own,
        ..Message::default()
    };
    if let Some(text) = value.scalar_text() {
        message.text = text;
        return Some((message, None));
    }
    let mut fields = Fields::open(context, value, path)?;
    let Some(text) = fields.take_text(&["text", "message", "content", "body"]) else {
        fields.missing(context, "text");
        return None;
    };
    message.text = text;
    if let Some(name) = fields.take_text(&["sender", "from", "author"]).filter(|name| !name.trim().is_empty())
    {
        message.author = Author { is_user: people::is_user(&name), name };
    }
    let marked = fields.take_flag(&["draft"]);
    message.is_draft = marked
        .unwrap_or_else(|| people::is_marked_draft(&message.author.name) || (own && message.author.is_user));
    let at = take_time(&mut fields);
    message.reply_to = read_answered(&mut fields, thread);
    message.forwarded = read_forwarded(&mut fields);
    message.attachments = read_attachments(&mut fields);
    message.details = fields.into_details(context);
    Some((message, at))
}

/// How many of the last messages are unread: a number, or a yes for the last one.
fn read_unread(fields: &mut Fields<'_>, messages: usize) -> usize {
    let Some(field) = fields.take(&["unread", "unread_count"]) else { return 0 };
    let unread = match field.value {
        Json::Bool(unread) => Some(usize::from(*unread)),
        value => value.scalar_text().and_then(|text| text.trim().parse().ok()),
    };
    if unread.is_none() {
        fields.keep_value(&field);
    }
    unread.unwrap_or(0).min(messages)
}

/// The message that is answered, by its number in the thread, the first being 1.
fn read_answered(fields: &mut Fields<'_>, thread: &Thread) -> Option<String> {
    let field = fields.take(&["reply_to"])?;
    let number = field.value.scalar_text().and_then(|text| text.trim().parse::<usize>().ok());
    let answered = number.and_then(|number| thread.messages.get(number.checked_sub(1)?));
    if answered.is_none() {
        fields.keep_value(&field);
    }
    answered.map(|message| message.id.clone())
}

/// `{author, text}` of a message that was passed on.
fn read_forwarded(fields: &mut Fields<'_>) -> Option<Forwarded> {
    let field = fields.take(&["forwarded"])?;
    let text = |keys: &[&str]| keys.iter().find_map(|key| field.value.get(key)).and_then(Json::scalar_text);
    let (name, body) = (text(&["author", "sender", "from"]), text(&["text", "message", "content", "body"]));
    let whole = matches!(field.value, Json::Object(entries) if entries.len() == 2);
    let read = match (name, body) {
        (Some(name), Some(text)) if whole => {
            Some(Forwarded { author: Author { is_user: people::is_user(&name), name }, text })
        }
        _ => None,
    };
    if read.is_none() {
        fields.keep_value(&field);
    }
    read
}

/// A list of `{kind, title, text}`; a whole list that is something else is kept as it is.
pub(super) fn read_attachments(fields: &mut Fields<'_>) -> Vec<Attachment> {
    let Some(field) = fields.take(&["attachments"]) else { return Vec::new() };
    let Json::Array(values) = field.value else {
        fields.keep_value(&field);
        return Vec::new();
    };
    let read: Option<Vec<Attachment>> = values.iter().map(read_attachment).collect();
    read.unwrap_or_else(|| {
        fields.keep_value(&field);
        Vec::new()
    })
}

fn read_attachment(value: &Json) -> Option<Attachment> {
    let Json::Object(entries) = value else { return None };
    let text = |keys: &[&str]| keys.iter().find_map(|key| value.get(key)).and_then(Json::scalar_text);
    let kind = text(&["kind"])?;
    let attachment = Attachment {
        kind: AttachmentKind::ALL.into_iter().find(|known| known.name() == kind)?,
        source: String::new(),
        title: text(&["title", "name", "path"]).filter(|title| !title.trim().is_empty())?,
        text: text(&["text", "content", "description"]).unwrap_or_default(),
    };
    let known = ["kind", "title", "name", "path", "text", "content", "description"];
    let taken = 2 + usize::from(!attachment.text.is_empty());
    let all_known = entries.iter().all(|(key, _)| known.contains(&key.as_str()));
    (all_known && entries.len() <= taken.max(2)).then_some(attachment)
}

/// When a message was sent. A time that is not plain ISO is kept as text too.
fn take_time(fields: &mut Fields<'_>) -> Option<DateTime> {
    let field = fields.take(&["at", "timestamp", "sent_at"])?;
    let at = field.value.scalar_text().and_then(|text| when::date_time(&text));
    if at.is_none() {
        fields.keep_value(&field);
    }
    at
}

fn read_draft(
    context: &mut Context,
    outer: &mut Fields<'_>,
    field: &Field<'_>,
) -> Option<(String, Option<DateTime>)> {
    match field.value {
        Json::Object(_) => {
            let mut fields = Fields::open(context, field.value, &field.path)?;
            let Some(text) = fields.take_text(&["text", "message", "content", "body"]) else {
                fields.missing(context, "text");
                return None;
            };
            let at = take_time(&mut fields);
            for detail in fields.into_details(context) {
                outer.keep(&format!("draft.{}", detail.label), detail.value);
            }
            Some((text, at))
        }
        Json::String(text) if text.trim().is_empty() => None,
        Json::String(text) => Some((text.clone(), None)),
        _ => {
            outer.keep_value(field);
            None
        }
    }
}

/// Members that a group lists are people the user can write to.
fn add_members(context: &mut Context, reading: &mut Reading) {
    let members: Vec<String> =
        reading.contacts.list.iter().flat_map(|contact| contact.members.iter().cloned()).collect();
    for member in members {
        reading.contacts.named(context, &member);
    }
}

/// Senders that are neither the user nor a contact become contacts, so that they can be written to.
/// A short form of a contact's name (`Sarah` in the thread with `Sarah (Procurement Manager)`) is
/// that contact.
fn add_senders(context: &mut Context, reading: &mut Reading) {
    let senders: Vec<(String, Vec<String>)> = reading
        .threads
        .iter()
        .flat_map(|reading| {
            let thread = &reading.thread;
            thread.messages.iter().map(|message| (&message.author, &thread.addressed_to))
        })
        .filter(|(author, _)| !author.is_user)
        .map(|(author, addressed_to)| (author.name.clone(), addressed_to.clone()))
        .collect();
    let mut base_names: HashMap<String, usize> = HashMap::new();
    for contact in &reading.contacts.list {
        *base_names.entry(people::base_name(&contact.name).to_lowercase()).or_insert(0) += 1;
    }
    for (name, addressed_to) in senders {
        let counterpart = addressed_to.iter().any(|counterpart| is_short_form(&name, counterpart));
        let known_elsewhere = people::label(&name).is_none()
            && base_names.get(&people::base_name(&name).to_lowercase()) == Some(&1);
        if !counterpart && !known_elsewhere && !people::is_own_title(&name) {
            reading.contacts.named(context, &name);
        }
    }
}

/// Whether `name` is the start of `full` up to a word's end, without case.
fn is_short_form(name: &str, full: &str) -> bool {
    let (name, full) = (name.trim().to_lowercase(), full.trim().to_lowercase());
    full.strip_prefix(&name)
        .is_some_and(|rest| !name.is_empty() && !rest.starts_with(|next: char| next.is_alphanumeric()))
}

/// A time for every message: those given; a minute after the one before; and evenly spaced before the
/// first known one, or before now, oldest first.
fn fill_times(times: &[Option<DateTime>], now: DateTime) -> Vec<DateTime> {
    let later = |at: DateTime, minutes: i64| at.checked_add(minutes.minutes()).unwrap_or(at);
    let first_known = times.iter().position(Option::is_some);
    let leading = first_known.unwrap_or(times.len());
    let anchor = first_known.and_then(|index| times[index]).unwrap_or(now);
    let mut filled: Vec<DateTime> = Vec::with_capacity(times.len());
    for (index, time) in times.iter().enumerate() {
        let before = i64::try_from(leading.saturating_sub(index)).unwrap_or(0);
        let at = match (time, filled.last()) {
            (Some(at), _) => *at,
            (None, Some(previous)) if index >= leading => later(*previous, 1),
            (None, _) => later(anchor, -before * MINUTES_BETWEEN_MESSAGES),
        };
        filled.push(at);
    }
    filled
}
