//! Runs: the step loop with its budget and outcomes, and the dispatcher that owns a run.
//!
//! One owner of truth per run: the dispatcher. Workers act out episodes and report; they print
//! nothing and share no state. Recording happens here and only here: browser and action code do not
//! know that there is a trace.
//!
//! The ground truth passes through this layer on its way from the loader to the scorer, and to the
//! `oracle`, which is built from it; observations, workspace and browser never get it.

mod act;
mod asking;
mod cancel;
pub mod certify;
mod convert;
pub mod coverage;
mod dispatcher;
mod estimate;
mod exposure;
mod listener;
mod locate;
mod log;
mod plan;
mod pool;
mod preview;
mod replay;
mod run_error;
mod state_mode;
mod warm;
mod worker;

pub use act::EpisodeError;
pub use cancel::Cancel;
pub use dispatcher::{RunSummary, check_agents, run};
pub use estimate::{Estimate, EstimatedPart, assumptions, estimate};
pub use listener::{Listener, News};
pub use locate::Boxes;
pub(crate) use plan::variations_of;
pub use plan::{DEFAULT_RETRIES, Mode, RunOptions, default_jobs};
pub use preview::{Preview, preview};
pub use replay::{Divergence, ReplayError, Replayed, Replayer};
pub use run_error::RunError;
pub use warm::{SeatError, WarmSeat, open_seat};
