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
//! three).

mod bootstrap;
mod interval;
mod paired;

pub use bootstrap::{Bootstrap, Cluster, cluster_bootstrap, ratio_interval};
pub use interval::{Interval, rule_of_three, wilson};
pub use paired::{Discordance, PairedCluster, mcnemar_exact, paired_interval};
