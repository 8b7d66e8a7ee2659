//! AgentCIBench's deterministic scorer, reproduced bit for bit, so that results stay comparable
//! with published ones.
//!
//! Nothing here is an opinion of ours: each rule, each threshold and each quirk (clipping at the
//! first colon, `HR` found inside `three`, `08:00 AM` satisfied by `11:00 AM`) is the public
//! scorer's, and vectors made by running it decide. What we think is right lives in
//! [`super::strict`].
//!
//! Invariants: pure, total on any Unicode text, and equal to the original including Python's
//! notions of lower case, white space and `difflib` similarity. For speed the candidates of a
//! score are normalised once and tokens are compared as bits; short cuts are taken only where
//! they cannot change a verdict, and say why.

mod completion;
mod matching;
mod prepared;
mod python;
mod sequence_matcher;
mod text;

pub use completion::{
    Completion, Outbound, collect_delta, completion, outbound, required_channels, state_delta, target_contact,
};
pub use matching::{MatchReport, ReferenceScore, match_pair, score};
pub use sequence_matcher::ratio;
