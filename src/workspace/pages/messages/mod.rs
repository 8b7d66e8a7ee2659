//! Messenger: conversations, drafts, search, one open thread and who is in it, a new message,
//! forwarding, editing.

mod compose;
mod folders;
mod people;
mod route;
mod thread;

pub(super) use route::{again, get, post, thread_address, visit};
