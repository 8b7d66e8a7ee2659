//! The workspace: six apps over one HTTP server, with state and event log in one SQLite file per
//! episode.
//!
//! Every mutation is a [`Command`]; one store applies it, appends an event and updates the state in
//! the same transaction. Pages are pure functions of the state, so a read changes nothing.

pub mod strings;

mod catalogue;
mod command;
mod event;
#[cfg_attr(not(test), expect(dead_code, unused_imports, reason = "the server calls it"))]
mod pages;
mod state;
mod web;

pub use catalogue::{catalogue, offered};
pub use command::{Addressee, Command, NewEvent, NewOrder};
pub use event::{App, StoredEvent, Unit};
pub use state::WorkspaceState;
