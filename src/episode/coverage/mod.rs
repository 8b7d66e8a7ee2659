//! Coverage: whether the pages of a workspace show everything that its scenario put there.
//!
//! A crawler walks through the workspace in the real browser as a person would, by clicks that
//! change nothing, and compares what pages show with the strings of the initial state. For the
//! people who write scenarios (`discreet check`) and for the tests of the pages. Not for what an
//! agent sees in an episode: that is `observe`.
//!
//! Invariants: only what is rendered counts (text, and what fields hold), never an attribute or a
//! hidden node; the fewest clicks from the home page are told; the walk sends no form that
//! writes, and a state that is another one afterwards is an error.
//!
//! Design note, 2026-05: problem: an infinite calendar and a catalogue have far more pages than a
//! scenario has strings. Choice: breadth first by clicks, and an end as soon as everything has been
//! found, so that the number of clicks is exact and a whole set takes a minute. Refused: to walk
//! through every page of every scenario, which would take hours and find nothing more.

mod survey;
mod walk;
mod wanted;

pub use survey::{CoverageError, Surveyed, survey, survey_workspace};
pub use walk::{Sight, Walked, walk};
pub use wanted::{Coverage, Missing, Shown};
