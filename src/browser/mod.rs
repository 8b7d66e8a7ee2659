//! Chromium: process guard, CDP connection, contexts and pages, deadlines, dialogs, crashes,
//! network wall.
//!
//! For: starting a browser that always ends with us, and talking to its pages so that no call can
//! hang. Not for: what an agent sees (`observe`) or does (`action`).
//!
//! Invariants: every command ends by reply, deadline, or at once when the page crashes or the
//! browser goes away; dialogs are answered the moment they open, because an open one blocks
//! screenshots, trees and scripts; a page's first script runs after its set-up, popups included.

mod connection;
mod context;
mod error;
mod find;
mod guard;
mod launch;
mod page;
mod process;
mod state;
mod wall;

pub use context::{Context, ContextOptions, Viewport};
pub use error::BrowserError;
pub use find::{Candidate, Found, Wanted, candidates, find};
pub use guard::{COMMAND as GUARD_COMMAND, run as run_guard};
pub use launch::{Browser, Identity, LaunchOptions};
pub use page::{FrameRef, Page, Settled};
pub use process::remove_stale_profiles;
pub use state::Dialog;
pub use wall::Wall;
