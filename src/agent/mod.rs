//! Who decides: the `Agent` trait and the built-in agents.

mod types;

pub use types::{Agent, AgentError, Reply, Task};
