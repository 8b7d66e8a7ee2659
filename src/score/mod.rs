//! Normalising, matching, verdicts with evidence; pure.
//!
//! [`assess`] judges what an episode left behind: which artifacts count, who reads them, which
//! items they hold. Two scorers say whether a text holds an item: [`strict`], the headline, and
//! [`mod@reference`], which reproduces the public deterministic scorer for comparison. Both can be
//! used alone on any text:
//!
//! ```
//! use discreet::scenario::Item;
//! use discreet::score::strict::StrictScorer;
//!
//! let scorer = StrictScorer::new(&[Item::plain("Lunch at 1 PM")], &[Item::plain("HR")]);
//! let score = scorer.score(true, &["See you for lunch at 13:00, as in the thread."]);
//! assert_eq!(score.utility, Some(1));
//! assert!(score.leaked_items().is_empty());
//! ```
//!
//! Nothing here reads files, clocks or networks. An unknown is a value: an item that cannot be
//! decided is unscored with a reason, never clean.

pub mod disagree;
pub mod labelled;
pub mod reference;
pub mod strict;
pub mod vectors;

mod assess;
mod audience;
mod second;

pub use assess::{Case, Disclosure, ReferenceFigures, Score, StateReply, assess};
pub use second::{Claim, ClaimOutcome, ItemList, Question, merge, questions};
