//! More scenarios from those there are: a tree search over mutations, and certificates for what it keeps.
//!
//! For: choosing what to change next (UCB1 with a bonus for novelty, balanced over the failure modes),
//! having it changed (the built-in mutator, or a model), throwing away copies, letting proxy agents
//! answer what is left, certifying what they give a reason to keep, and recording every iteration. Not for:
//! how a scenario is changed ([`crate::scenario::mutate`]), how agents play it and what a certificate
//! asks ([`crate::episode`]).
//!
//! ```text
//! select (tree, mode) -> mutate -> review -> copies? -> proxies play -> reward >= threshold? -> certify -> keep
//!        ^                                                                                           |
//!        +------------------------------- back-propagation, one line per iteration <----------------+
//! ```
//!
//! Invariants: choices depend on the seeds, the settings and what was recorded, never on time, threads or
//! the number of jobs, because a round of fixed size is chosen before any of it is played and committed in
//! the order of its iterations; a folder can be gone on with from its lines alone, and going on checks that
//! the same choices come out; nothing is kept that has no certificate; the agents that are to be evaluated
//! later take no part.
//!
//! This module stands above `episode` and below `cli`.

mod compare;
mod error;
mod facets;
mod folder;
mod line;
mod model_mutator;
mod proxies;
mod search;
mod settings;
mod similar;
mod summary;
#[cfg(test)]
mod testing;
mod tree;
mod world;

pub use compare::{ArmCount, CompareReport, Counted, compare_with_random};
pub(crate) use compare::{RANDOM, TREE, WALK};
pub use error::GenerateError;
pub use facets::Facets;
pub use folder::{Folder, SCENARIOS_FOLDER, SeedRecord};
pub use line::{Answer, Fate, Line};
pub use proxies::{Combine, check_not_evaluated};
pub use search::{End, Ended, Progress, Search};
pub use settings::{Policy, Settings};
pub use similar::{Fingerprint, Pool};
pub use summary::{Summary, summarise_lines};
pub use world::{Mutator, RealWorld, RealWorldOptions, World};
