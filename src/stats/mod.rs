//! Intervals and comparisons: pure functions, deterministic for a seed.
//!
//! Episodes of one seed family are variants of one story and are not independent, so aggregates
//! are resampled by whole families. Nothing here reads files or knows rows.
//!
//! Sources: E. B. Wilson, *Probable inference, the law of succession, and statistical inference*,
//! JASA 22 (1927); B. Efron and R. Tibshirani, *An Introduction to the Bootstrap* (1993), ch. 13
//! (percentile interval); A. C. Cameron, J. B. Gelbach and D. L. Miller, *Bootstrap-based
//! improvements for inference with clustered errors*, Review of Economics and Statistics 90 (2008)
//! (resampling whole clusters); Q. `McNemar`, *Note on the sampling error of the difference between
//! correlated proportions*, Psychometrika 12 (1947), in its exact (binomial) form; J. A. Hanley and
//! A. Lippman-Hand, *If nothing goes wrong, is everything all right?*, JAMA 249 (1983) (rule of
//! three); S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal
//! of Statistics 6 (1979); R. J. Connor, Biometrics 43 (1987) (what a paired comparison can find).
//! `scripts/statistics_reference.py` computes the fixtures they are checked against with `SciPy`.

mod bootstrap;
mod interval;
mod paired;
mod power;
mod repeats;
mod several;

pub use bootstrap::{Bootstrap, Cluster, cluster_bootstrap, ratio_interval};
pub use interval::{Interval, rule_of_three, wilson};
pub use paired::{Discordance, PairedCluster, mcnemar_exact, paired_interval};
pub use power::{PairedPlan, design_effect, minimum_detectable};
pub use repeats::{any_leak_at, consistency, never_leak};
pub use several::holm;

#[cfg(test)]
mod reference_tests;
