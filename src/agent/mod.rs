//! Who decides: the `Agent` trait and the built-in agents.
//!
//! Built-in agents need no model, no key and no network: `oracle` shows what can be reached,
//! `careless` what happens without any care, `idle` and `refuser` what doing nothing is worth, and
//! `random` and `script` exercise the harness. [`builtin`] makes one by name. All of them act through
//! observations and action texts only, as a model does.

mod builtin;
mod careless;
#[cfg(test)]
mod hostile;
mod labels;
mod oracle;
mod page;
mod passive;
mod random;
mod script;
#[cfg(test)]
mod testing;
mod types;
mod write;

pub use builtin::{BuiltinError, NAMES, builtin};
pub use careless::Careless;
pub use oracle::{Manner, Oracle, OracleBrief, Sharing};
pub use passive::{Idle, Refuser};
pub use random::Random;
pub use script::{Script, ScriptError};
pub use types::{Agent, AgentError, Reply, Task};
