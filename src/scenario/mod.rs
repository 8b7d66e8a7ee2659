//! Scenarios: file formats, loading, validation, linting, content hash.

pub mod model;

mod ground_truth;
mod types;

pub use ground_truth::{GroundTruth, Item};
pub use types::{Channel, Confidence, Scenario, Target};
