//! What each [`Command`](super::Command) does to a state: checks first, then the change, without
//! any I/O. A rejected command leaves its state half-changed at worst, so callers work on a copy.

mod apply;
mod attach;
mod calendar;
mod checks;
mod lists;
mod messenger;
mod shop;

pub(super) use apply::{Change, change};
