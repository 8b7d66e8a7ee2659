//! Normalising, matching, verdicts with evidence: the `reference` and the `strict` scorer; pure.

pub mod reference;
