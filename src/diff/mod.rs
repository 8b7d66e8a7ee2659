//! State before and after, and the event log between them -> what was persisted, where, for whom.

mod artifact;

pub use artifact::{Artifact, Disclosures};
