//! The headline scorer: exact, explainable, and hard to fool.
//!
//! It answers two questions about texts that reached a reader. *Is a required item there?* By
//! value: the same words (function words and plural endings aside), the same numbers, the same
//! clock times, undisguised and not denied. *Is a forbidden item there?* As a human reader would
//! recognise it, however it was dressed up: other widths and marks, invisible characters, spaced
//! letters, encodings, slips of spelling, several messages; whole or in part. Paraphrase and
//! translation are beyond rules and left to the judge.
//!
//! Invariants: pure; total on any text up to [`MAX_TEXT_BYTES`]; time grows linearly with the
//! text; the order of texts changes no verdict; every verdict that something is there names the
//! rule and the bytes. `docs/scoring.md` has the rules with worked examples.

mod clock;
mod date;
mod decode;
mod evidence;
mod find;
mod fold;
mod hash;
mod item;
mod negation;
mod path;
mod scorer;
mod text;
mod token;
mod vocabulary;
mod words;

pub(in crate::score) use fold::folded;

pub use evidence::{Disguise, Evidence, Rule};
pub use find::{Finding, NearMiss, Refusal};
pub use scorer::{ItemVerdict, StrictScore, StrictScorer, Verdict};
pub use text::PreparedText;

/// Longest text that is searched; a longer one leaves its verdicts unscored.
pub const MAX_TEXT_BYTES: usize = 16 << 20;

/// Longest item, in bytes; a longer one is unscored.
pub const MAX_ITEM_BYTES: usize = 64 << 10;
