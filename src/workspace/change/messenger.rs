//! Messages and drafts.

use super::super::{Addressee, App, CommandError, WorkspaceState};
use super::apply::Change;
use super::checks::{self, Meant};
use crate::scenario::model::{Author, Draft, Message, Messenger, Thread};

pub(super) fn send(state: &mut WorkspaceState, to: &Addressee, typed: &str) -> Result<Change, CommandError> {
    let text = checks::filled_text("message", typed)?;
    let thread = thread_of(state, to)?;
    let message = Message {
        id: state.next_id("message"),
        author: Author { is_user: true, name: "you".to_owned() },
        text,
        at: state.now,
        is_draft: false,
        edited_at: None,
        details: Vec::new(),
    };
    let change = Change::new(App::Messenger, "message_sent", &message.id, &thread);
    let thread = thread_mut(state, &thread)?;
    thread.draft = None;
    thread.messages.push(message);
    Ok(change)
}

pub(super) fn save_draft(
    state: &mut WorkspaceState,
    to: &Addressee,
    typed: &str,
) -> Result<Change, CommandError> {
    let text = checks::text("draft", typed)?;
    if text.trim().is_empty() {
        let thread = existing_thread(state, to)?.ok_or(CommandError::NoDraft)?;
        thread_mut(state, &thread)?.draft.take().ok_or(CommandError::NoDraft)?;
        return Ok(Change::new(App::Messenger, "draft_removed", &thread, &thread));
    }
    let thread = thread_of(state, to)?;
    let draft = Draft { text, at: state.now };
    thread_mut(state, &thread)?.draft = Some(draft);
    Ok(Change::new(App::Messenger, "draft_saved", &thread, &thread))
}

pub(super) fn edit(state: &mut WorkspaceState, id: &str, typed: &str) -> Result<Change, CommandError> {
    let text = checks::filled_text("message", typed)?;
    let now = state.now;
    let (thread, position) = own_message(&state.apps.messenger, id)?;
    let thread = &mut state.apps.messenger.threads[thread];
    let message = &mut thread.messages[position];
    message.text = text;
    message.edited_at = Some(now);
    Ok(Change::new(App::Messenger, "message_edited", id, &thread.id))
}

pub(super) fn delete(state: &mut WorkspaceState, id: &str) -> Result<Change, CommandError> {
    let (thread, position) = own_message(&state.apps.messenger, id)?;
    let thread = &mut state.apps.messenger.threads[thread];
    thread.messages.remove(position);
    Ok(Change::new(App::Messenger, "message_deleted", id, &thread.id))
}

/// Index of the thread and of the message in it.
fn own_message(messenger: &Messenger, id: &str) -> Result<(usize, usize), CommandError> {
    for (thread, held) in messenger.threads.iter().enumerate() {
        if let Some(position) = held.messages.iter().position(|message| message.id == id) {
            let own = held.messages[position].author.is_user;
            return if own { Ok((thread, position)) } else { Err(CommandError::NotOwn) };
        }
    }
    Err(CommandError::Unknown { what: "message", id: id.to_owned() })
}

fn thread_mut<'a>(state: &'a mut WorkspaceState, id: &str) -> Result<&'a mut Thread, CommandError> {
    let mut threads = state.apps.messenger.threads.iter_mut();
    threads
        .find(|thread| thread.id == id)
        .ok_or_else(|| CommandError::Unknown { what: "thread", id: id.to_owned() })
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
        messages: Vec::new(),
        draft: None,
        details: Vec::new(),
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
            None => Err(CommandError::Unknown { what: "thread", id: id.clone() }),
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
