//! State before and after, and the event log between them -> what was persisted, where, for whom.

mod artifact;
mod disclose;
mod words;

pub use artifact::{Artifact, Disclosures};
pub use disclose::disclosures;
