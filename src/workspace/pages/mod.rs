//! The pages of the six apps, as pure functions of the state.
//!
//! [`get`] shows a page or an asset, [`visit`] says what looking at it changes (a thread is read), [`post`] reads a form into a [`Command`](super::Command) for
//! the store, [`rejected`] shows that form again with the store's reason. Nothing here keeps
//! anything: the same state and request give the same bytes, and a read changes nothing.
//!
//! Invariants: every string of the state is shown on some page that links lead to; scenario text
//! reaches HTML through the templates' escaping only; no two controls of a page have the same role
//! and name; pages work as plain forms without a script.
//!
//! Design note, 2026-05: pages scroll as whole documents, without inner scroll areas and without
//! anything that covers content, so that a wheel anywhere moves the page and whatever is scrolled
//! into view can be clicked. Refused: panes that scroll on their own, which agents that scroll at
//! the mouse's place cannot move.

mod app_notice;
mod attach;
mod calendar;
mod city;
mod code;
mod context;
mod form;
mod gallery;
mod home;
mod look;
mod maps;
mod messages;
mod moment;
mod names;
mod notice;
mod pager;
mod people;
mod render;
mod router;
mod searches;
mod share;
mod shop;
mod todo;

#[cfg(test)]
mod tests;

pub(crate) use look::Look;
pub(crate) use router::{Answer, Posted, Request, get, post, rejected, visit};
