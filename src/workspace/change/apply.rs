//! The one entry: which part of the state a command changes.

use jiff::ToSpan;

use super::super::{App, Command, CommandError, WorkspaceState};
use super::{calendar, lists, messenger, shop};

/// What a command did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Where.
    pub(crate) app: App,
    /// The event's kind, such as `message_sent`.
    pub(crate) kind: &'static str,
    /// The entity that was written or removed.
    pub(crate) entity: String,
    /// What holds the entity: the thread of a message or draft, the list of a task; otherwise the
    /// entity itself.
    pub(crate) parent: String,
}

impl Change {
    pub(super) fn new(app: App, kind: &'static str, entity: &str, parent: &str) -> Self {
        Self { app, kind, entity: entity.to_owned(), parent: parent.to_owned() }
    }
}

/// Carries a command out and advances the clock by a minute.
///
/// # Errors
/// [`CommandError`] where the command is no good; `state` is then to be thrown away.
pub(crate) fn change(state: &mut WorkspaceState, command: &Command) -> Result<Change, CommandError> {
    let done = match command {
        Command::SendMessage { to, text } => messenger::send(state, to, text),
        Command::SaveDraft { to, text } => messenger::save_draft(state, to, text),
        Command::EditMessage { message, text } => messenger::edit(state, message, text),
        Command::DeleteMessage { message } => messenger::delete(state, message),
        Command::CreateEvent(event) => calendar::create(state, event),
        Command::AddTask { list, title } => lists::add_task(state, list, title),
        Command::SetTaskDone { task, done } => lists::set_done(state, task, *done),
        Command::SaveFile { file: Some(file), content, .. } => lists::save_file(state, file, content),
        Command::SaveFile { file: None, path, content } => lists::create_file(state, path, content),
        Command::SavePlace { name, address, note } => lists::save_place(state, name, address, note),
        Command::AddToCart { title } => shop::add_to_cart(state, title),
        Command::PlaceOrder(order) => shop::place_order(state, order),
    }?;
    // At the end of the calendar the clock stands still rather than fail.
    state.now = state.now.checked_add(1.minute()).unwrap_or(state.now);
    Ok(done)
}
