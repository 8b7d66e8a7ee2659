//! What an agent sees: text form, ids, marks (pure); capture over CDP (feature `browser`).

mod types;

pub use types::{DialogSeen, Node, Observation, OpenPage, Tree};
