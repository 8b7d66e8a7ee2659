//! What each [`Command`](super::Command) does to a state: checks first, then the change, without
//! any I/O. A rejected command leaves its state half-changed at worst, so callers work on a copy.

mod apply;
mod attach;
mod bill;
mod calendar;
mod calendars;
mod checks;
mod code_editor;
mod lists;
mod maps;
mod messenger;
mod searches;
mod shares;
mod shop;
mod todo;

#[cfg(test)]
mod tests;

pub(super) use apply::{Change, change};
pub(super) use bill::{OWN_COUPON, bill, coupon};
pub(super) use calendar::COUNT_LIMIT;
pub(super) use code_editor::difference;
pub(super) use shop::CANCELLED;
