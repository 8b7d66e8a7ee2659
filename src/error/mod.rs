//! Errors by whose fault they are, outcomes of episodes, hints, and the one type for deadlines.
//!
//! Every error enum of the library lives beside the code that raises it, implements
//! [`std::error::Error`] through `thiserror` with a lowercase fragment that reads after
//! "failed to", and implements [`Explain`] so that the binary can say whose fault it is and what
//! to do next. An agent's mistakes are data, not errors.

mod deadline;
mod explain;
mod outcome;

pub use deadline::{Deadline, Expired};
pub use explain::{Explain, Fault};
pub use outcome::Outcome;
