//! Messages and drafts.

use super::super::{Addressee, App, Attach, CommandError, ThreadSetting, WorkspaceState};
use super::apply::Change;
use super::attach::attachments;
use super::checks::{self, Meant, unknown};
use crate::scenario::model::{Author, Draft, EarlierMessage, Forwarded, Message, Messenger, Thread};

pub(super) fn send(
    state: &mut WorkspaceState,
    to: &Addressee,
    typed: &str,
    reply_to: Option<&str>,
    attach: &[Attach],
) -> Result<Change, CommandError> {
    let attachments = attachments(state, attach)?;
    let text = if attachments.is_empty() {
        checks::filled_text("message", typed)?
    } else {
        checks::text("message", typed)?
    };
    let thread = thread_of(state, to)?;
    let reply_to = answered(thread_mut(state, &thread)?, reply_to)?;
    let message = Message { text, reply_to, attachments, ..own(state) };
    let change = Change::new(App::Messenger, "message_sent", &message.id, &thread);
    let thread = thread_mut(state, &thread)?;
    thread.draft = None;
    thread.messages.push(message);
    thread.unread = 0;
    thread.new_from = None;
    thread.archived = false;
    Ok(change)
}

pub(super) fn forward(
    state: &mut WorkspaceState,
    id: &str,
    to: &Addressee,
    typed: &str,
) -> Result<Change, CommandError> {
    let text = checks::text("message", typed)?;
    let mut all = state.apps.messenger.threads.iter().flat_map(|thread| &thread.messages);
    let original = all.find(|message| message.id == id).ok_or_else(|| unknown("message", id))?;
    // What was itself passed on is passed on as the first one wrote it, with what was said about it.
    let quoted = match &original.forwarded {
        Some(earlier) if original.text.trim().is_empty() => earlier.text.clone(),
        Some(earlier) => format!("{}\n{}", original.text, earlier.text),
        None => original.text.clone(),
    };
    let forwarded = Some(Forwarded { author: original.author.clone(), text: quoted });
    let attachments = original.attachments.clone();
    let thread = thread_of(state, to)?;
    let message = Message { text, forwarded, attachments, ..own(state) };
    let change = Change::new(App::Messenger, "message_forwarded", &message.id, &thread);
    let thread = thread_mut(state, &thread)?;
    thread.messages.push(message);
    thread.archived = false;
    Ok(change)
}

/// A message of the user's own, now, still without anything in it.
fn own(state: &mut WorkspaceState) -> Message {
    Message {
        id: state.next_id("message"),
        author: Author { is_user: true, name: "you".to_owned() },
        at: state.now,
        ..Message::default()
    }
}

/// The id of the message that is answered, which has to be in the thread.
fn answered(thread: &Thread, reply_to: Option<&str>) -> Result<Option<String>, CommandError> {
    let Some(id) = reply_to.filter(|id| !id.is_empty()) else { return Ok(None) };
    let found = thread.messages.iter().find(|message| message.id == id);
    found.map(|message| Some(message.id.clone())).ok_or_else(|| unknown("message", id))
}

pub(super) fn save_draft(
    state: &mut WorkspaceState,
    to: &Addressee,
    typed: &str,
    reply_to: Option<&str>,
    attach: &[Attach],
) -> Result<Change, CommandError> {
    let text = checks::text("draft", typed)?;
    let attachments = attachments(state, attach)?;
    if text.trim().is_empty() && attachments.is_empty() {
        let thread = existing_thread(state, to)?.ok_or(CommandError::NoDraft)?;
        let held = thread_mut(state, &thread)?;
        held.discarded = Some(held.draft.take().ok_or(CommandError::NoDraft)?);
        return Ok(Change::new(App::Messenger, "draft_removed", &thread, &thread));
    }
    let thread = thread_of(state, to)?;
    let reply_to = answered(thread_mut(state, &thread)?, reply_to)?;
    let draft = Draft { text, attachments, reply_to, at: state.now };
    thread_mut(state, &thread)?.draft = Some(draft);
    Ok(Change::new(App::Messenger, "draft_saved", &thread, &thread))
}

/// The draft as it is typed. Unlike saving it, this leaves nothing to undo.
pub(super) fn keep_draft(
    state: &mut WorkspaceState,
    id: &str,
    typed: &str,
    reply_to: Option<&str>,
    attach: &[Attach],
) -> Result<Change, CommandError> {
    let text = checks::text("draft", typed)?;
    let attachments = attachments(state, attach)?;
    let at = state.now;
    let thread = thread_mut(state, id)?;
    let reply_to = answered(thread, reply_to)?;
    let is_blank = text.trim().is_empty() && attachments.is_empty();
    let kind = if is_blank { "draft_removed" } else { "draft_saved" };
    thread.draft = (!is_blank).then_some(Draft { text, attachments, reply_to, at });
    Ok(Change::new(App::Messenger, kind, id, id))
}

pub(super) fn set_thread(
    state: &mut WorkspaceState,
    id: &str,
    setting: ThreadSetting,
    on: bool,
) -> Result<Change, CommandError> {
    let thread = thread_mut(state, id)?;
    let (held, kind) = match (setting, on) {
        (ThreadSetting::Pinned, true) => (&mut thread.pinned, "thread_pinned"),
        (ThreadSetting::Pinned, false) => (&mut thread.pinned, "thread_unpinned"),
        (ThreadSetting::Muted, true) => (&mut thread.muted, "thread_muted"),
        (ThreadSetting::Muted, false) => (&mut thread.muted, "thread_unmuted"),
        (ThreadSetting::Archived, true) => (&mut thread.archived, "thread_archived"),
        (ThreadSetting::Archived, false) => (&mut thread.archived, "thread_unarchived"),
    };
    *held = on;
    Ok(Change::new(App::Messenger, kind, id, id))
}

pub(super) fn restore_draft(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let thread = thread_mut(state, id)?;
    let draft = thread.discarded.take().ok_or(CommandError::NothingToUndo)?;
    thread.draft = Some(draft);
    Ok(Change::new(App::Messenger, "draft_saved", id, id))
}

pub(super) fn mark_read(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let thread = thread_mut(state, id)?;
    thread.new_from = thread.first_new().map(str::to_owned);
    thread.unread = 0;
    // Named after what was read: the thread's id is that of its draft, which is not written here.
    let first = thread.new_from.clone().unwrap_or_else(|| id.to_owned());
    Ok(Change::new(App::Messenger, "thread_read", &first, id))
}

pub(super) fn edit(state: &mut WorkspaceState, id: &str, typed: &str) -> Result<Change, CommandError> {
    let now = state.now;
    let (thread, position) = own_message(&state.apps.messenger, id)?;
    let held = &state.apps.messenger.threads[thread].messages[position];
    let says_something = held.forwarded.is_some() || !held.attachments.is_empty();
    let text =
        if says_something { checks::text("message", typed)? } else { checks::filled_text("message", typed)? };
    let parent = keep_earlier(&mut state.apps.messenger, thread, position);
    let message = &mut state.apps.messenger.threads[thread].messages[position];
    message.text = text;
    message.edited_at = Some(now);
    Ok(Change::new(App::Messenger, "message_edited", id, &parent))
}

pub(super) fn delete(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let (thread, position) = own_message(&state.apps.messenger, id)?;
    let parent = keep_earlier(&mut state.apps.messenger, thread, position);
    state.apps.messenger.threads[thread].messages.remove(position);
    Ok(Change::new(App::Messenger, "message_deleted", id, &parent))
}

pub(super) fn restore(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let messenger = &mut state.apps.messenger;
    let kept = messenger.earlier.iter().position(|earlier| earlier.message.id == id);
    let EarlierMessage { thread, position, message } =
        messenger.earlier.remove(kept.ok_or(CommandError::NothingToUndo)?);
    let messages = &mut thread_mut(state, &thread)?.messages;
    match messages.iter().position(|held| held.id == id) {
        Some(held) => messages[held] = message,
        None => messages.insert(position.min(messages.len()), message),
    }
    Ok(Change::new(App::Messenger, "message_restored", id, &thread))
}

/// Keeps a message as it is, for undoing what comes next. Returns its thread's id.
fn keep_earlier(messenger: &mut Messenger, thread: usize, position: usize) -> String {
    let held = &messenger.threads[thread];
    let (thread, message) = (held.id.clone(), held.messages[position].clone());
    messenger.earlier.retain(|earlier| earlier.message.id != message.id);
    messenger.earlier.push(EarlierMessage { thread: thread.clone(), position, message });
    thread
}

/// Index of the thread and of the message in it.
fn own_message(messenger: &Messenger, id: &str) -> Result<(usize, usize), CommandError> {
    for (thread, held) in messenger.threads.iter().enumerate() {
        if let Some(position) = held.messages.iter().position(|message| message.id == id) {
            let own = held.messages[position].author.is_user;
            return if own { Ok((thread, position)) } else { Err(CommandError::NotOwn) };
        }
    }
    Err(unknown("message", id))
}

fn thread_mut<'a>(state: &'a mut WorkspaceState, id: &str) -> Result<&'a mut Thread, CommandError> {
    let mut threads = state.apps.messenger.threads.iter_mut();
    threads.find(|thread| thread.id == id).ok_or_else(|| unknown("thread", id))
}

/// The id of the thread, made where names are given that share none yet.
fn thread_of(state: &mut WorkspaceState, to: &Addressee) -> Result<String, CommandError> {
    if let Some(id) = existing_thread(state, to)? {
        return Ok(id);
    }
    let Addressee::Names(typed) = to else {
        // `existing_thread` answers a thread's id with that thread or an error.
        return Err(CommandError::NoRecipient);
    };
    let names = recipients(&state.apps.messenger, typed)?;
    let id = state.next_id("thread");
    state.apps.messenger.threads.push(Thread {
        id: id.clone(),
        title: names.join(", "),
        addressed_to: names,
        ..Thread::default()
    });
    Ok(id)
}

/// The thread an addressee means, if there is one. Order does not matter: a thread with Ann and
/// Bob is the one with Bob and Ann.
fn existing_thread(state: &WorkspaceState, to: &Addressee) -> Result<Option<String>, CommandError> {
    let messenger = &state.apps.messenger;
    match to {
        Addressee::Thread(id) => match messenger.thread(id) {
            Some(thread) => Ok(Some(thread.id.clone())),
            None => Err(unknown("thread", id)),
        },
        Addressee::Names(typed) => {
            let mut wanted = recipients(messenger, typed)?;
            wanted.sort();
            let found = messenger.threads.iter().find(|thread| {
                let mut names = thread.addressed_to.clone();
                names.sort();
                names == wanted
            });
            Ok(found.map(|thread| thread.id.clone()))
        }
    }
}

/// Contact names, each of which exists: a message cannot go to somebody unknown.
fn recipients(messenger: &Messenger, typed: &[String]) -> Result<Vec<String>, CommandError> {
    let names = checks::names("list of recipients", messenger, typed)?;
    for name in &names {
        if messenger.contact(name).is_none() {
            return Err(unknown_recipient(messenger, name));
        }
    }
    if names.is_empty() { Err(CommandError::NoRecipient) } else { Ok(names) }
}

fn unknown_recipient(messenger: &Messenger, name: &str) -> CommandError {
    if let Meant::Several(candidates) = checks::contact_meant(messenger, name) {
        return CommandError::AmbiguousRecipient {
            name: name.to_owned(),
            candidates: candidates.into_iter().map(str::to_owned).collect(),
        };
    }
    let folded = name.to_lowercase();
    let closest = messenger
        .contacts
        .iter()
        .map(|contact| (strsim::jaro_winkler(&contact.name.to_lowercase(), &folded), &contact.name))
        .filter(|(similarity, _)| *similarity >= 0.75)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, closest)| closest.clone());
    CommandError::UnknownRecipient { name: name.to_owned(), closest }
}
