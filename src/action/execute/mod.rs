//! Executes actions over CDP: checks before acting, real input events, and a named reason when it
//! does not work.
//!
//! What goes wrong with an action is the agent's business and becomes text for it
//! ([`Performed::error`], `ClassName: message`); only a browser or page that is gone is an error.
//! Effects and error classes are BrowserGym's, which are Playwright's; `docs/action-effects.md`
//! lists where they are not.

mod clipboard;
mod element;
mod executor;
mod failure;
mod fields;
mod keyboard;
mod pointer;
mod upload;

pub use executor::{Executor, Performed};
