//! The workspace: six apps over one HTTP server, with state and event log in one SQLite file per
//! episode.

mod event;

pub use event::{App, StoredEvent, Unit};
