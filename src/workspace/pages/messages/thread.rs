//! The list of conversations with one of them open.

use serde::Serialize;

use super::super::attach;
use super::super::context::{Context, address};
use super::super::form::{Field, Form};
use super::super::moment;
use super::super::names::Names;
use super::super::render::{self, Row};
use super::folders::{Folder, Folders, folders};
use super::people::{self, Card};
use super::route::{PLACE, thread_address};
use crate::scenario::model::{Author, Message, Thread};

/// Messages that a thread shows at first; the earlier ones are a link away.
const SHOWN: usize = 50;
/// Letters of the newest message that the list of conversations shows.
const PREVIEW: usize = 60;
/// A thread of fewer messages needs no hint at what lies above.
const FEW: usize = 5;

#[derive(Serialize)]
struct Messages {
    folders: Folders,
    /// What an empty folder says.
    empty: String,
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
    unread: Option<String>,
    /// How the newest message begins; the conversation has all of it.
    preview: Option<String>,
    summary: String,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the conversation")]
struct OpenThread {
    address: String,
    info: String,
    /// Where the conversation is searched.
    search: String,
    title: String,
    cards: Vec<Card>,
    details: Vec<Row>,
    /// The link to messages that are not shown: its text and address.
    hidden: Option<Hidden>,
    /// Whether there is so much above the composer that a hint at it helps.
    long: bool,
    days: Vec<Day>,
    text: Field,
    readers: String,
    replying: Option<Replying>,
    attach: attach::Menu,
    attaching: Vec<attach::View>,
    draft_saved: Option<String>,
    /// The form that the script sends while somebody types says so, with `{time}` open.
    draft_saved_now: String,
    pinned: bool,
    muted: bool,
    archived: bool,
}

#[derive(Serialize)]
struct Hidden {
    href: String,
    text: String,
}

#[derive(Serialize)]
struct Replying {
    id: String,
    quote: Quote,
}

/// What stands above a message's own text.
#[derive(Serialize)]
pub(super) struct Quote {
    label: String,
    text: String,
}

#[derive(Serialize)]
struct Day {
    label: String,
    iso: String,
    messages: Vec<MessageView>,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is one mark of the message")]
struct MessageView {
    id: String,
    number: usize,
    author: String,
    mine: bool,
    /// The first that the user had not seen.
    is_new: bool,
    at: String,
    time: String,
    text: String,
    is_draft: bool,
    /// Whether it went to somebody.
    delivered: bool,
    edited: Option<String>,
    answers: Option<Quote>,
    forwarded: Option<Quote>,
    attachments: Vec<attach::View>,
    details: Vec<Row>,
    address: String,
    reply: String,
}

/// The page of a folder: the first thread in it is open.
pub(super) fn list(context: &Context<'_>, folder: Folder, form: &Form) -> String {
    let first = by_latest(context, folder).first().copied();
    messages(context, folder, first, false, form)
}

/// The page of one thread.
pub(super) fn page(context: &Context<'_>, id: &str, form: &Form) -> Option<String> {
    let thread = context.state.apps.messenger.thread(id)?;
    Some(messages(context, Folder::of(thread), Some(thread), true, form))
}

/// The threads of a folder, the pinned ones first and among them the one with the latest message.
fn by_latest<'a>(context: &Context<'a>, folder: Folder) -> Vec<&'a Thread> {
    let all = context.state.apps.messenger.threads.iter();
    let mut threads: Vec<&Thread> = all.filter(|thread| Folder::of(thread) == folder).collect();
    threads.sort_by_key(|thread| {
        let drafted = thread.draft.as_ref().map(|draft| draft.at);
        let last = thread.messages.iter().map(|message| message.at).max().max(drafted);
        std::cmp::Reverse((thread.pinned, last))
    });
    threads
}

fn messages(
    context: &Context<'_>,
    folder: Folder,
    open: Option<&Thread>,
    thread_first: bool,
    form: &Form,
) -> String {
    let mut names = Names::default();
    let threads = by_latest(context, folder)
        .into_iter()
        .map(|thread| thread_row(context, thread, open.is_some_and(|open| open.id == thread.id), &mut names))
        .collect();
    let view = Messages {
        folders: folders(context, folder),
        empty: context
            .text(if folder == Folder::Archive { "messages.no_archive" } else { "messages.empty" }, &[]),
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
        chips.extend(people::kind_key(contact.kind).map(|key| context.text(key, &[])));
        chips.extend(people::unsaid_label(contact));
        if contact.external {
            chips.push(context.text("messages.external", &[]));
        }
    }
    if thread.pinned {
        chips.push(context.text("messages.pinned", &[]));
    }
    if thread.muted {
        chips.push(context.text("messages.muted", &[]));
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
        let author = author(context, &last.author);
        let time = moment::clock(last.at.time());
        summary.push(context.text("messages.last_from", &[("author", &author), ("time", &time)]));
    }
    ThreadRow {
        href: thread_address(thread),
        name: names.unique(context, &thread.title),
        current,
        chips,
        unread: (thread.unread > 0).then(|| context.counted("messages.unread", thread.unread, &[])),
        preview: thread.messages.last().and_then(|last| preview(context, last)),
        summary: context.joined(&summary),
    }
}

/// How a message begins, on one line. What the user wrote says so.
fn preview(context: &Context<'_>, message: &Message) -> Option<String> {
    let words: Vec<&str> = message.text.split_whitespace().collect();
    let text = words.join(" ");
    let mut shown: String = text.chars().take(PREVIEW).collect();
    if shown.len() < text.len() {
        shown = format!("{}…", shown.trim_end());
    }
    if message.author.is_user {
        let you = context.text("messages.you", &[]);
        shown = context.text("messages.preview_own", &[("you", &you), ("text", &shown)]);
    }
    (!text.is_empty()).then_some(shown)
}

fn open_thread(context: &Context<'_>, thread: &Thread, form: &Form) -> OpenThread {
    let all = context.query("all").is_some();
    let count = thread.messages.len();
    let skipped = if all { 0 } else { count.saturating_sub(SHOWN) };
    let mut days: Vec<Day> = Vec::new();
    for (number, message) in (1..).zip(&thread.messages).skip(skipped) {
        let iso = message.at.date().to_string();
        if days.last().is_none_or(|day| day.iso != iso) {
            let label = moment::long_date(context, message.at.date());
            days.push(Day { label, iso, messages: Vec::new() });
        }
        if let Some(day) = days.last_mut() {
            day.messages.push(message_view(context, thread, number, message));
        }
    }
    let draft = thread.draft.as_ref();
    let text = form.field_or("text", draft.map_or("", |draft| &draft.text));
    let contacts = thread.addressed_to.iter().filter_map(|name| context.state.apps.messenger.contact(name));
    let address = thread_address(thread);
    let hidden = (skipped > 0).then(|| Hidden {
        href: format!("{address}?all=1"),
        text: context.counted("messages.load_earlier", skipped, &[]),
    });
    OpenThread {
        info: format!("{address}/info"),
        search: format!("/messages/search?in={}", thread.id),
        address,
        title: thread.title.clone(),
        cards: contacts.map(|contact| people::card(context, contact, false)).collect(),
        details: render::rows(&thread.details),
        hidden,
        long: count > FEW,
        days,
        text,
        readers: context.readers(&thread.addressed_to),
        replying: replying(context, thread, form),
        attach: attach::menu(context, form, draft.map_or(&[][..], |draft| &draft.attachments)),
        attaching: draft.map_or_else(Vec::new, |draft| attach::views(context, &draft.attachments)),
        draft_saved: draft
            .map(|draft| context.text("messages.draft_saved", &[("time", &moment::stamp(draft.at))])),
        draft_saved_now: context.text("messages.draft_saved", &[("time", &moment::stamp(context.state.now))]),
        pinned: thread.pinned,
        muted: thread.muted,
        archived: thread.archived,
    }
}

/// Which message is answered: the form says so, else the address, else the draft. An address with
/// an empty one answers none.
fn replying(context: &Context<'_>, thread: &Thread, form: &Form) -> Option<Replying> {
    let drafted = thread.draft.as_ref().and_then(|draft| draft.reply_to.as_deref());
    let id = form.given("reply_to").or_else(|| context.query("reply")).or(drafted)?;
    let message = thread.messages.iter().find(|message| message.id == id)?;
    let author = author(context, &message.author);
    let label = context.text("messages.replying_to", &[("author", &author)]);
    Some(Replying { id: message.id.clone(), quote: Quote { label, text: message.text.clone() } })
}

fn message_view(context: &Context<'_>, thread: &Thread, number: usize, message: &Message) -> MessageView {
    let address = address(&["messages", "m", &message.id]);
    let answers =
        message.reply_to.as_ref().map(|id| match thread.messages.iter().find(|other| other.id == *id) {
            Some(other) => {
                let author = author(context, &other.author);
                let label = context.text("messages.answers", &[("author", &author)]);
                Quote { label, text: other.text.clone() }
            }
            None => Quote { label: context.text("messages.answers_deleted", &[]), text: String::new() },
        });
    MessageView {
        id: message.id.clone(),
        number,
        author: author(context, &message.author),
        mine: message.author.is_user,
        is_new: thread.first_new() == Some(message.id.as_str()),
        at: message.at.to_string(),
        time: moment::clock(message.at.time()),
        text: message.text.clone(),
        is_draft: message.is_draft,
        delivered: message.author.is_user && !message.is_draft && !thread.addressed_to.is_empty(),
        edited: message
            .edited_at
            .map(|at| context.text("messages.edited", &[("time", &moment::clock(at.time()))])),
        answers,
        forwarded: forwarded(context, message),
        attachments: attach::views(context, &message.attachments),
        details: render::rows(&message.details),
        reply: format!("{}?reply={}#composer", thread_address(thread), message.id),
        address,
    }
}

fn forwarded(context: &Context<'_>, message: &Message) -> Option<Quote> {
    message.forwarded.as_ref().map(|earlier| {
        let author = author(context, &earlier.author);
        let label = context.text("messages.forwarded_from", &[("author", &author)]);
        Quote { label, text: earlier.text.clone() }
    })
}

/// A message as it is passed on.
pub(super) fn quoted(context: &Context<'_>, message: &Message) -> Vec<Quote> {
    let author = author(context, &message.author);
    let label = context.text("messages.forwarded_from", &[("author", &author)]);
    let own = (!message.text.trim().is_empty()).then(|| Quote { label, text: message.text.clone() });
    own.into_iter().chain(forwarded(context, message)).collect()
}

/// The author as the scenario writes it; the user's own name for himself goes with "You".
pub(super) fn author(context: &Context<'_>, author: &Author) -> String {
    let name = &author.name;
    let you = context.text("messages.you", &[]);
    if !author.is_user {
        name.clone()
    } else if name.to_lowercase() == you.to_lowercase() || name.trim().is_empty() {
        you
    } else if name.to_lowercase().starts_with(&format!("{} ", you.to_lowercase())) {
        name.clone()
    } else {
        context.text("messages.you_as", &[("name", name)])
    }
}
