//! The workspace: six apps over one HTTP server, with state and event log in one SQLite file per
//! episode.
//!
//! Every mutation is a [`Command`]; one store applies it, appends an event and updates the state in
//! the same transaction. Pages are pure functions of the state, so a read changes nothing.

mod command;
mod event;
mod state;

pub use command::{Addressee, Command, NewEvent, NewOrder};
pub use event::{App, StoredEvent, Unit};
pub use state::WorkspaceState;
