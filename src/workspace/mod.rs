//! The workspace: six apps over one HTTP server, with state and event log in one SQLite file per
//! episode.
//!
//! Every mutation is a [`Command`]; one store ([`Workspace`]) applies it, appends an event and
//! updates the state in the same transaction. Pages are pure functions of the state, so a read
//! changes nothing. The final state is read back from the file ([`read_back`]), never from a page.

pub mod strings;

mod app_commands;
mod atlas;
mod canonical;
mod catalogue;
mod change;
mod command;
mod database;
mod dense;
mod error;
mod event;
mod openapps;
mod pages;
mod serve;
mod server;
mod showing;
mod state;
mod store;
mod units;
mod web;

/// Version of the workspace, as certificates name it: raised when pages, or what is kept of them,
/// change so that a scenario may be solved or leaked in another way.
pub const VERSION: u32 = 1;

#[cfg(test)]
pub(crate) mod samples;

use change::{CANCELLED, COUNT_LIMIT, OWN_COUPON, bill, coupon, difference};

pub use app_commands::{
    CalendarCommand, CodeCommand, MapsCommand, NewShare, NewStop, ShopCommand, TaskFields, TodoCommand,
};
pub use canonical::{canonical_json, state_hash};
pub use catalogue::{catalogue, offered};
pub use command::{
    Addressee, Attach, Command, KeptAttachment, NewEvent, NewOrder, SeriesPart, ThreadSetting,
};
pub use database::{Closed, Persisted, read_back};
pub use error::{ApplyError, CommandError, WorkspaceError};
pub use event::{App, StoredEvent, Unit};
pub use serve::{Addresses, ServeError, serve};
pub use server::{
    Activity, BlockedRequest, CONTROL_HEADER, COOKIE, HOST, ORIGIN, Registration, ReservedDoor, Server,
    ServerError, ServerOptions,
};
pub(crate) use showing::{Showing, shareable};
pub use state::WorkspaceState;
pub use store::{Applied, Workspace};
pub use units::{COURIER, EMPLOYER, EVERYBODY, SELLER, units};
