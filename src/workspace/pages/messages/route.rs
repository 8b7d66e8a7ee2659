//! Which page an address shows, and what a form sent there does.

use super::super::attach;
use super::super::context::{Context, address, confirmed};
use super::super::form::Form;
use super::super::notice;
use super::super::render::{self, Place};
use super::super::router::{Answer, Reading};
use super::compose::{chosen_names, edit_page, forward_page, new_message};
use super::folders::Folder;
use super::{folders, people, thread};
use crate::scenario::model::{Message, Thread};
use crate::workspace::{Addressee, App, Command, ThreadSetting};

pub(super) const PLACE: Place = Place::In(App::Messenger);

/// What a form that may have made a thread can have done: only afterwards its id is known.
const DONE: [&str; 3] = ["message_sent", "message_forwarded", "draft_saved"];

pub(in super::super) fn get(context: &Context<'_>, segments: &[&str]) -> Option<Answer> {
    let html = match segments {
        [] => thread::list(context, Folder::Inbox, &Form::default()),
        ["archive"] => thread::list(context, Folder::Archive, &Form::default()),
        ["new"] => {
            let mut values = vec![("to", context.query("to").unwrap_or_default())];
            if let Some(attach) = context.query("attach") {
                values.extend([("attach", attach), ("text", "")]);
            }
            new_message(context, &Form::prefilled(&values))
        }
        ["drafts"] => folders::drafts(context),
        ["search"] => folders::search(context),
        ["t", id] => thread::page(context, id, &Form::default())?,
        ["t", id, "info"] => people::info(context, context.state.apps.messenger.thread(id)?),
        ["m", id] => {
            let Some(thread) = notice::thread_of(context, id) else {
                return Some(Answer::Redirect("/messages".to_owned()));
            };
            let done = context.query("done").filter(|done| DONE.contains(done));
            let to = thread_address(thread);
            let entity = if done == Some("draft_saved") { thread.id.as_str() } else { id };
            return Some(Answer::Redirect(done.map_or(to.clone(), |done| confirmed(&to, done, entity))));
        }
        ["m", id, "edit"] => edit_page(context, id, &Form::default())?,
        ["m", id, "forward"] => forward_page(context, message(context, id)?.1, &Form::default()),
        _ => return None,
    };
    Some(render::answer(html))
}

pub(in super::super) fn post(context: &Context<'_>, segments: &[&str], mut form: Form) -> Option<Reading> {
    let messenger = &context.state.apps.messenger;
    match segments {
        ["t", id] => Some(read_composer(context, messenger.thread(id)?, form)),
        ["t", id, way @ ("pin" | "unpin" | "mute" | "unmute" | "archive" | "inbox")] => {
            Some(Ok(set(messenger.thread(id)?, way)))
        }
        ["t", id, "discard"] => {
            let thread = messenger.thread(id)?;
            let then = confirmed("/messages/drafts", "draft_removed", &thread.id);
            Some(Ok((discard(thread), then)))
        }
        ["t", id, "undo"] => {
            let thread = messenger.thread(id)?;
            let then = confirmed(&thread_address(thread), "draft_saved", &thread.id);
            Some(Ok((Command::RestoreDraft { thread: thread.id.clone() }, then)))
        }
        ["new"] => {
            let names = chosen_names(context, &mut form);
            let (text, attach) = (form.value("text").to_owned(), attach::chosen(&form));
            let draft = is_draft(&form);
            if attach.is_empty() {
                form.require(context, "text");
            }
            Some(checked(form, || {
                let (to, reply_to) = (Addressee::Names(names), None);
                if draft {
                    let then = confirmed("/messages/m/{entity}", "draft_saved", "{entity}");
                    (Command::SaveDraft { to, text, reply_to, attach }, then)
                } else {
                    let then = confirmed("/messages/m/{entity}", "message_sent", "{entity}");
                    (Command::SendMessage { to, text, reply_to, attach }, then)
                }
            }))
        }
        ["m", id, "forward"] => {
            let (_, message) = message(context, id)?;
            let names = chosen_names(context, &mut form);
            let text = form.value("text").to_owned();
            Some(checked(form, || {
                let (message, to) = (message.id.clone(), Addressee::Names(names));
                let then = confirmed("/messages/m/{entity}", "message_forwarded", "{entity}");
                (Command::ForwardMessage { message, to, text }, then)
            }))
        }
        ["m", id, "edit"] => {
            let (thread, message) = own_message(context, id)?;
            let text = form.value("text").to_owned();
            if message.forwarded.is_none() && message.attachments.is_empty() {
                form.require(context, "text");
            }
            let then = confirmed(&thread_address(thread), "message_edited", &message.id);
            Some(checked(form, || (Command::EditMessage { message: message.id.clone(), text }, then)))
        }
        ["m", id, "delete"] => {
            let (thread, message) = own_message(context, id)?;
            let then = confirmed(&thread_address(thread), "message_deleted", &message.id);
            Some(Ok((Command::DeleteMessage { message: message.id.clone() }, then)))
        }
        ["m", id, "undo"] => {
            let earlier = messenger.earlier.iter().find(|earlier| earlier.message.id == *id)?;
            let to = address(&["messages", "t", &earlier.thread]);
            let then = confirmed(&to, "message_restored", id);
            Some(Ok((Command::RestoreMessage { message: (*id).to_owned() }, then)))
        }
        _ => None,
    }
}

/// What the composer of a thread does: it sends, or it saves or discards the draft.
fn read_composer(context: &Context<'_>, thread: &Thread, mut form: Form) -> Reading {
    let address = thread_address(thread);
    if form.value("action") == "discard" {
        return Ok((discard(thread), confirmed(&address, "draft_removed", &thread.id)));
    }
    let to = Addressee::Thread(thread.id.clone());
    let text = form.value("text").to_owned();
    let attach = attach::chosen(&form);
    let reply_to = Some(form.line("reply_to")).filter(|id| !id.is_empty());
    if form.value("action") == "keep" {
        // What the page's script sends while somebody types.
        return Ok((Command::KeepDraft { thread: thread.id.clone(), text, reply_to, attach }, address));
    }
    if is_draft(&form) {
        let done = if text.trim().is_empty() && attach.is_empty() { "draft_removed" } else { "draft_saved" };
        let then = confirmed(&address, done, &thread.id);
        return Ok((Command::SaveDraft { to, text, reply_to, attach }, then));
    }
    if attach.is_empty() {
        form.require(context, "text");
    }
    checked(form, || {
        let then = confirmed(&address, "message_sent", "{entity}");
        (Command::SendMessage { to, text, reply_to, attach }, then)
    })
}

/// Pins, mutes or archives a thread, or takes that back. One that was put away leaves for the list.
fn set(thread: &Thread, way: &str) -> (Command, String) {
    let (setting, on, done) = match way {
        "pin" => (ThreadSetting::Pinned, true, "thread_pinned"),
        "unpin" => (ThreadSetting::Pinned, false, "thread_unpinned"),
        "mute" => (ThreadSetting::Muted, true, "thread_muted"),
        "unmute" => (ThreadSetting::Muted, false, "thread_unmuted"),
        "archive" => (ThreadSetting::Archived, true, "thread_archived"),
        _ => (ThreadSetting::Archived, false, "thread_unarchived"),
    };
    let to = if way == "archive" { "/messages".to_owned() } else { thread_address(thread) };
    let then = confirmed(&to, done, &thread.id);
    (Command::SetThread { thread: thread.id.clone(), setting, on }, then)
}

fn discard(thread: &Thread) -> Command {
    let to = Addressee::Thread(thread.id.clone());
    Command::SaveDraft { to, text: String::new(), reply_to: None, attach: Vec::new() }
}

pub(in super::super) fn again(context: &Context<'_>, segments: &[&str], form: &Form) -> Option<String> {
    match segments {
        ["t", id, ..] => thread::page(context, id, form),
        ["new"] => Some(new_message(context, form)),
        ["m", id, "forward"] => Some(forward_page(context, message(context, id)?.1, form)),
        ["m", id, "edit"] => edit_page(context, id, form),
        ["m", id, "delete" | "undo"] => {
            let Some((_, message)) = own_message(context, id) else {
                return Some(thread::list(context, Folder::Inbox, form));
            };
            let mut shown = Form::prefilled(&[("text", &message.text)]);
            shown.refuse(form.message().unwrap_or_default());
            edit_page(context, id, &shown)
        }
        _ => None,
    }
}

/// What looking at an address changes: an opened thread is read.
pub(in super::super) fn visit(context: &Context<'_>, segments: &[&str]) -> Option<Command> {
    let ["t", id] = segments else { return None };
    let thread = context.state.apps.messenger.thread(id).filter(|thread| thread.unread > 0)?;
    Some(Command::MarkRead { thread: thread.id.clone() })
}

fn checked(form: Form, command: impl FnOnce() -> (Command, String)) -> Reading {
    if form.is_valid() { Ok(command()) } else { Err(form) }
}

fn is_draft(form: &Form) -> bool {
    form.value("action") == "draft"
}

pub(in super::super) fn thread_address(thread: &Thread) -> String {
    address(&["messages", "t", &thread.id])
}

fn message<'a>(context: &Context<'a>, id: &str) -> Option<(&'a Thread, &'a Message)> {
    let threads = context.state.apps.messenger.threads.iter();
    let mut all = threads.flat_map(|thread| thread.messages.iter().map(move |message| (thread, message)));
    all.find(|(_, message)| message.id == id)
}

pub(super) fn own_message<'a>(context: &Context<'a>, id: &str) -> Option<(&'a Thread, &'a Message)> {
    message(context, id).filter(|(_, message)| message.author.is_user)
}
