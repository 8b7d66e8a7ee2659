//! The drafts folder, and searching.

use serde::Serialize;

use super::super::attach;
use super::super::context::Context;
use super::super::moment;
use super::super::names::Names;
use super::super::render;
use super::route::{PLACE, thread_address};
use super::thread::author;
use crate::scenario::model::{Contact, Message, Messenger, Thread};

/// Which folder a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folder {
    Inbox,
    Drafts,
    Archive,
    /// What was searched for, from all of them.
    Found,
}

impl Folder {
    /// The folder that a thread lies in.
    pub(super) fn of(thread: &Thread) -> Self {
        if thread.archived { Self::Archive } else { Self::Inbox }
    }
}

/// Inbox, drafts and archive, and what is searched for.
#[derive(Serialize)]
pub(super) struct Folders {
    tabs: Vec<Tab>,
    query: String,
}

#[derive(Serialize)]
struct Tab {
    href: &'static str,
    name: String,
    current: bool,
}

#[derive(Serialize)]
struct Drafts {
    folders: Folders,
    drafts: Vec<DraftRow>,
}

#[derive(Serialize)]
struct DraftRow {
    title: String,
    text: String,
    saved: String,
    readers: String,
    attachments: Vec<attach::View>,
    open: String,
    open_name: String,
    /// Where the form that discards it goes; a draft message of the scenario is deleted like any
    /// other.
    discard: String,
    discard_name: String,
}

#[derive(Serialize)]
struct Search {
    folders: Folders,
    query: String,
    count: String,
    /// The conversation that alone is searched.
    within: Option<Within>,
    threads: Vec<Found>,
    messages: Vec<Found>,
}

#[derive(Serialize)]
struct Within {
    id: String,
    back: String,
    label: String,
}

#[derive(Serialize)]
struct Found {
    href: String,
    name: String,
    text: String,
}

/// The tabs and the search field above every list of the messenger.
pub(super) fn folders(context: &Context<'_>, current: Folder) -> Folders {
    let count = drafts_of(context).len();
    let drafts = if count == 0 {
        context.text("messages.drafts", &[])
    } else {
        context.text("messages.drafts_count", &[("count", &count.to_string())])
    };
    let inbox = context.text("messages.inbox", &[]);
    let put_away = context.state.apps.messenger.threads.iter().filter(|thread| thread.archived).count();
    let archive = if put_away == 0 {
        context.text("messages.archive", &[])
    } else {
        context.text("messages.archive_count", &[("count", &put_away.to_string())])
    };
    let tab = |href, name, folder| Tab { href, name, current: current == folder };
    Folders {
        tabs: vec![
            tab("/messages", inbox, Folder::Inbox),
            tab("/messages/drafts", drafts, Folder::Drafts),
            tab("/messages/archive", archive, Folder::Archive),
        ],
        query: context.query("q").unwrap_or_default().to_owned(),
    }
}

/// What was typed and not sent: a thread's own draft, or a message that the scenario marks so.
fn drafts_of<'a>(context: &Context<'a>) -> Vec<(&'a Thread, Option<&'a Message>)> {
    let threads = context.state.apps.messenger.threads.iter();
    threads
        .flat_map(|thread| {
            let marked = thread.messages.iter().filter(|message| message.is_draft && message.author.is_user);
            let own = thread.draft.iter().map(move |_| (thread, None));
            own.chain(marked.map(move |message| (thread, Some(message))))
        })
        .collect()
}

pub(super) fn drafts(context: &Context<'_>) -> String {
    let mut names = Names::default();
    let mut name = |key: &str, title: &str| names.unique(context, &context.text(key, &[("title", title)]));
    let mut rows = Vec::new();
    for (thread, message) in drafts_of(context) {
        let address = thread_address(thread);
        let (text, at, attachments, open, discard) = match (message, &thread.draft) {
            (Some(message), _) => (
                &message.text,
                message.at,
                &message.attachments,
                format!("{address}#{}", message.id),
                format!("/messages/m/{}/delete", message.id),
            ),
            (None, Some(draft)) => (
                &draft.text,
                draft.at,
                &draft.attachments,
                format!("{address}#composer"),
                format!("{address}/discard"),
            ),
            (None, None) => continue,
        };
        rows.push(DraftRow {
            title: thread.title.clone(),
            text: text.clone(),
            saved: context.text("messages.draft_saved", &[("time", &moment::stamp(at))]),
            readers: context.readers(&thread.addressed_to),
            attachments: attach::views(context, attachments),
            open,
            open_name: name("messages.open_draft", &thread.title),
            discard,
            discard_name: name("messages.discard_draft", &thread.title),
        });
    }
    let view = Drafts { folders: folders(context, Folder::Drafts), drafts: rows };
    let heading = context.text("messages.drafts", &[]);
    render::page(context, PLACE, &heading, "message_drafts.html", &view)
}

/// Messages and conversations that hold what is searched for, without regard to case.
pub(super) fn search(context: &Context<'_>) -> String {
    let query = context.query("q").unwrap_or_default().trim().to_owned();
    let wanted = query.to_lowercase();
    let messenger = &context.state.apps.messenger;
    let mut names = Names::default();
    let (mut threads, mut messages) = (Vec::new(), Vec::new());
    // Within one conversation where the address names it.
    let within = context.query("in").and_then(|id| messenger.thread(id));
    let searched = within.map_or(messenger.threads.as_slice(), std::slice::from_ref);
    for thread in searched.iter().filter(|_| !wanted.is_empty()) {
        let href = thread_address(thread);
        let people = people_of(messenger, thread);
        if within.is_none() && (has(&thread.title, &wanted) || has(&people, &wanted)) {
            let name = context.text("messages.found_thread", &[("title", &thread.title)]);
            threads.push(Found { href: href.clone(), name: names.unique(context, &name), text: people });
        }
        for message in thread.messages.iter().rev().filter(|message| says(message, &wanted)) {
            let author = author(context, &message.author);
            let time = moment::stamp(message.at);
            let values = [("title", thread.title.as_str()), ("author", &author), ("time", &time)];
            let name = context.text("messages.found_message", &values);
            messages.push(Found {
                href: format!("{href}?all=1#{}", message.id),
                name: names.unique(context, &name),
                text: message.text.clone(),
            });
        }
    }
    let view = Search {
        folders: folders(context, Folder::Found),
        count: context.counted("messages.found", threads.len() + messages.len(), &[]),
        within: within.map(|thread| Within {
            id: thread.id.clone(),
            back: thread_address(thread),
            label: context.text("messages.search_in", &[("title", &thread.title)]),
        }),
        query,
        threads,
        messages,
    };
    let heading = match &view.within {
        Some(within) => within.label.clone(),
        None => context.text("messages.search", &[]),
    };
    render::page(context, PLACE, &heading, "message_search.html", &view)
}

fn has(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(wanted)
}

/// Names of a thread's members, where it has several.
fn people_of(messenger: &Messenger, thread: &Thread) -> String {
    let contacts: Vec<&Contact> =
        thread.addressed_to.iter().filter_map(|name| messenger.contact(name)).collect();
    let members: Vec<&str> =
        contacts.iter().flat_map(|contact| contact.members.iter().map(String::as_str)).collect();
    members.join(", ")
}

fn says(message: &Message, wanted: &str) -> bool {
    let passed_on = message.forwarded.iter().map(|earlier| earlier.text.as_str());
    let attached = message.attachments.iter().flat_map(|one| [one.title.as_str(), &one.text]);
    let mut all = [message.text.as_str(), &message.author.name].into_iter().chain(passed_on).chain(attached);
    all.any(|text| has(text, wanted))
}
