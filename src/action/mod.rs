//! What an agent may do: grammar, parser and table (pure); checks and execution over CDP (feature
//! `browser`).
//!
//! An action text is read in three steps, each of which can be called alone: [`grammar`] turns text
//! into [`Call`]s, an [`ActionSet`] says which names are allowed, and binding checks the arguments of
//! a call and gives the [`Action`] to execute. The table behind the set also yields the text that
//! tells agents what they can do, and tool schemas for models that want those.

pub mod grammar;

mod describe;
mod error;
#[cfg(feature = "browser")]
mod execute;
mod gbnf;
mod improvement;
#[cfg(feature = "browser")]
mod keys;
mod literal;
mod quote;
mod set;
mod table;
mod types;
mod wire;

pub use error::ActionError;
#[cfg(feature = "browser")]
pub use execute::{Executor, Performed};
pub use gbnf::{gbnf, state_gbnf};
pub use grammar::ParseOptions;
pub use improvement::Improvement;
pub use quote::{is_printable, python_float, python_json, python_repr, python_strip, quote};
pub use set::{ActionSet, UnknownSet};
pub use types::{Action, Button, Call, Modifier, Value};
