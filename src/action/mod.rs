//! What an agent may do: grammar, parser and table (pure); checks and execution over CDP (feature
//! `browser`).

mod types;

pub use types::{Action, Button, Call, Modifier, Value};
