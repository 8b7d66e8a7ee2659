//! What an agent sees: text form, ids, marks (pure); capture over CDP (feature `browser`).

#[cfg(feature = "browser")]
mod capture;
mod ids;
mod types;

#[cfg(feature = "browser")]
pub use capture::{AccessMode, Captured, Observer};
pub use ids::DocumentIds;
pub use types::{DialogSeen, Node, Observation, OpenPage, Tree};
