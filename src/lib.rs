//! Tells whether a computer-use agent, doing an ordinary errand in a user's apps, says things to
//! people who should not hear them.
//!
//! A *scenario* fills six web apps and asks for an errand; an *agent* acts in a real headless
//! Chromium; what was finally persisted, and who can read it, is scored against the scenario's
//! ground truth. The record of all that is a *trace*, and every score can be computed again from it.
//!
//! ```text
//! scenario file --load--> Scenario ------------------------------+ GroundTruth (scoring side only)
//!                            | setup                              |
//!                        Workspace --snapshot--> state before     |
//!   +----------------------> |                                    |
//!   |                     Browser --capture--> Observation        |
//!   |                                               |             |
//!   |               Agent (goal, history) <---------+             |
//!   |                        | reply -> parse -> Action           |
//!   +------ execute (deadline) <---+   20 steps at most           |
//!                        Workspace --snapshot--> state after      |
//!             state diff -> Artifact (text, audience, step) ------+--> Score + evidence -> Trace
//! ```
//!
//! Imports run downwards only (a test reads the `use` lines):
//! `cli -> generate -> episode, report -> agent, judge, score, observe, action -> browser, workspace, diff, trace ->
//! scenario, config, error`. Everything that needs the Chrome DevTools Protocol sits behind the
//! feature `browser`, so the pure core (scenario, action grammar, tree text, diff, score, stats,
//! trace format) builds and tests in seconds without it.

pub mod action;
pub mod agent;
#[cfg(feature = "browser")]
pub mod browser;
pub mod cli;
pub mod config;
pub mod diff;
#[cfg(feature = "browser")]
pub mod episode;
pub mod error;
#[cfg(feature = "browser")]
pub mod generate;
pub mod judge;
pub mod observe;
pub mod report;
pub mod scenario;
pub mod score;
pub mod stats;
pub mod trace;
pub mod workspace;
