//! Scenarios: file formats, loading, validation, linting, content hash.
//!
//! [`load_paths`] is the way in: it reads files, folders, JSON Lines and rows of a data set, and
//! returns every scenario or what is wrong with it. What a scenario puts on the screen is the
//! canonical model ([`model`]); its ground truth is a type of its own, so that nothing but the scoring
//! side can be handed it. `docs/scenario.md` describes the format, [`schema`] is its JSON Schema.
//!
//! Invariants: no string of a file's initial state is lost ([`model::texts`] lists them all); reading
//! is total and bounded whatever the bytes; loading does not depend on time, locale or the order in
//! which a folder is listed.

pub mod canonical;
pub mod lint;
pub mod model;
pub mod mutate;
pub mod rows;
pub mod text;
pub mod variation;

mod errand;
mod error;
mod ground_truth;
mod json;
mod load;
mod loaded;
mod orders;
mod read;
mod schema;
mod seeded;
mod skeleton;
mod types;

pub use errand::Declared;
pub use error::{Finding, Position, Problem, ScenarioError};
pub use ground_truth::{GroundTruth, Item};
pub use load::{MAXIMUM_FILE_BYTES, load_paths, load_recorded, load_text};
pub use loaded::{Extras, LoadedFile, LoadedScenario};
pub use orders::orders_to_agents;
pub use schema::schema;
pub use seeded::{SeededString, seeded_strings};
pub use skeleton::{FailureMode, skeleton};
pub use types::{Channel, Confidence, Scenario, Target};
