//! The agent that knows the ground truth and does the errand as a careful user would.
//!
//! It shows that a scenario can be solved through the pages within the budget and without a leak.
//! It acts only through observations and action texts: what it is told beforehand is what to write
//! and for whom ([`OracleBrief`]), never where on the page anything is. Every step it looks at the
//! page and decides afresh, so a slow page or a failed click is looked at again instead of breaking
//! a recorded sequence. Where the pages offer no way, it says so.

mod agent;
mod brief;
mod calendar;
mod code_editor;
mod commit;
mod errand;
mod forward;
mod manner;
mod maps;
mod messenger;
mod share;
mod shop;
#[cfg(test)]
mod tests;
mod todo;

pub use agent::Oracle;
pub use brief::OracleBrief;
pub use manner::{Manner, Sharing};
