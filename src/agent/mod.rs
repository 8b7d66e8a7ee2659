//! Who decides: the `Agent` trait and the built-in agents.
//!
//! Built-in agents need no model, no key and no network: `oracle` shows what can be reached,
//! `careless` what happens without any care, `cautious` how far the signs in a scenario go, `idle` and
//! `refuser` what doing nothing is worth, and `random` and `script` exercise the harness. [`builtin`] makes one by name. All of them act through
//! observations and action texts only, as a model does. [`exec`] runs a stranger's process as an agent,
//! [`Llm`] asks a [`model`]. [`Agents`] makes any of them from the words of a command line.

mod builtin;
mod careless;
mod cautious;
mod cues;
mod defense;
mod exchange;
pub mod exec;
mod factory;
#[cfg(test)]
mod hostile;
mod labels;
mod llm;
pub mod model;
mod oracle;
mod page;
mod passive;
mod random;
mod script;
mod state;
#[cfg(test)]
mod testing;
mod types;
mod write;

pub use builtin::{BuiltinError, builtin};
pub use defense::{Defense, DefenseError};
pub use exchange::{Exchange, add_usage};
#[cfg(feature = "browser")]
pub(crate) use factory::split_label;
pub use factory::{AgentOptions, Agents, SetupError, kinds, split_agents};
pub use llm::{Llm, LlmConfig, LlmError, LlmSetup, ReplyForm};
pub use oracle::{Manner, Oracle, OracleBrief, Sharing};
pub use script::ScriptError;
#[cfg(feature = "browser")]
pub(crate) use state::json_objects;
pub use state::{StateAnswer, StateView};
pub use types::{Agent, AgentError, Reply, Task, Wants};
