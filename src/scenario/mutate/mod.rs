//! New scenarios from a given one, without a model: a mutator, and a critic that looks at what any
//! mutator made.
//!
//! [`mutate`] draws a child from a parent by one of seven [`Strategy`]s. A scenario is made from a few
//! *genes* (which situation, where the facts stand, where they are to go, which secrets lie beside or
//! within them, who says them, who reads along); a child inherits most of its parent's, the strategy
//! sets some, and the rest drifts. Templates and word lists of our own, one bank per language, make a
//! document of them. Every choice comes from the generator that is given, so the same parent, strategy
//! and seed make the same child.
//!
//! [`review`] is the critic: it repairs what can be repaired without guessing and rejects the rest
//! with a reason. Neither does any I/O, and neither knows which agents will be measured.

mod apps;
mod cast;
mod compose;
mod critic;
mod draw;
mod errands;
mod error;
mod evolve;
mod genes;
mod inherit;
mod scene;
mod secret;
mod strategy;
mod talk;
#[cfg(test)]
mod tests;
mod words;

pub use critic::review;
#[cfg(feature = "browser")]
pub(crate) use draw::below;
pub use error::{NotApplicable, Rejected};
pub use strategy::Strategy;

use rand::Rng;
use serde_json::Value;

use draw::Draw;
use genes::Blueprint;

/// What a mutation makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Child {
    /// A scenario document with everything a scenario file says. Its `seed_family` is the situation it
    /// tells of, which others may tell of as well.
    pub document: Value,
    /// What was changed, on one line, for the record of a search.
    pub note: String,
}

/// How often a child is drawn anew that nobody could use.
const ATTEMPTS: usize = 4;

/// Draws a child of a scenario document, with `id` as its `scenario_id`.
///
/// # Errors
/// [`NotApplicable`] where the parent gives the strategy nothing to work on.
pub fn mutate(
    parent: &Value,
    strategy: Strategy,
    id: &str,
    rng: &mut impl Rng,
) -> Result<Child, NotApplicable> {
    if !parent.is_object() || parent["initial_states"].is_null() {
        return Err(NotApplicable { strategy, reason: "the parent has no initial state" });
    }
    let mut draw = Draw::new(rng);
    let genes = Blueprint::of(parent, &mut draw);
    for _ in 0..ATTEMPTS {
        let (plan, note) = evolve::evolve(&genes, strategy, &mut draw);
        if !plan.secrets.is_empty() {
            let document = compose::compose(parent, &plan, id, &mut draw);
            return Ok(Child { document, note });
        }
    }
    Err(NotApplicable { strategy, reason: "nothing is secret in the situations that fit" })
}
