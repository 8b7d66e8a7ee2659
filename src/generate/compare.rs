//! Whether the search is worth its name: the same number of played scenarios by tree search, by random
//! mutation of the seeds, and by random mutation of anything found so far, with the same proxies, critic,
//! threshold and removal of copies.

use super::error::GenerateError;
use super::line::Line;
use super::search::{End, Search};
use super::settings::{Policy, Settings};
use super::world::World;
use crate::scenario::LoadedScenario;
use crate::stats::{Bootstrap, Cluster, Interval, PairedCluster, paired_interval, ratio_interval};

/// What the ways are called.
pub(crate) const TREE: &str = "tree search";
pub(crate) const RANDOM: &str = "random mutation of seeds";
pub(crate) const WALK: &str = "random mutation of anything found";
/// Iterations per rollout after which an arm ends that cannot play enough.
const MAX_ITERATIONS_PER_ROLLOUT: u64 = 20;

/// What one way of choosing found with one random seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArmCount {
    /// The random seed.
    pub seed: u64,
    /// Scenarios that were played.
    pub rollouts: u64,
    /// Scenarios at or above the threshold, copies left out; certified where that was asked for.
    pub found: u64,
    /// Those of them that can be kept without a failure mode getting more than a fifth ahead of the one with
    /// the fewest.
    pub balanced: u64,
}

/// What is counted of what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// All of it, whatever its failure mode.
    Found,
    /// What can be kept in balance.
    Balanced,
}

impl Counted {
    const fn of(self, count: &ArmCount) -> u64 {
        match self {
            Self::Found => count.found,
            Self::Balanced => count.balanced,
        }
    }
}

/// How many of so many per mode can be kept in balance.
fn balanced(per_mode: &[u64]) -> u64 {
    let fewest = per_mode.iter().copied().min().unwrap_or_default();
    per_mode.iter().map(|count| (*count).min(fewest + fewest / 5)).sum()
}

/// All ways beside one another.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareReport {
    /// The tree search, per random seed.
    pub tree: Vec<ArmCount>,
    /// Random mutation of seeds, per random seed.
    pub random: Vec<ArmCount>,
    /// Random mutation of anything found, per random seed.
    pub walk: Vec<ArmCount>,
    /// The reward that counts as high.
    pub threshold: f64,
    /// Whether only certified scenarios count.
    pub certified: bool,
}

fn clusters(arm: &[ArmCount], what: Counted) -> Vec<Cluster> {
    arm.iter()
        .map(|count| Cluster { numerator: what.of(count) as f64, denominator: count.rollouts as f64 })
        .collect()
}

/// Found per played; `None` where nothing was played.
fn rate(arm: &[ArmCount], what: Counted) -> Option<f64> {
    let (found, rollouts) =
        arm.iter().fold((0, 0), |sum, count| (sum.0 + what.of(count), sum.1 + count.rollouts));
    (rollouts > 0).then(|| found as f64 / rollouts as f64)
}

impl CompareReport {
    /// An arm's rate with its interval over random seeds.
    #[must_use]
    pub fn rate(arm: &[ArmCount], what: Counted) -> (Option<f64>, Option<Interval>) {
        (rate(arm, what), ratio_interval(&clusters(arm, what), Bootstrap::default()))
    }

    /// The tree search minus another way, with its interval over random seeds.
    #[must_use]
    pub fn difference(&self, other: &[ArmCount], what: Counted) -> (Option<f64>, Option<Interval>) {
        let pairs: Vec<PairedCluster> = clusters(other, what)
            .into_iter()
            .zip(clusters(&self.tree, what))
            .map(|(first, second)| PairedCluster { first, second })
            .collect();
        let value = rate(&self.tree, what).zip(rate(other, what)).map(|(tree, other)| tree - other);
        (value, paired_interval(&pairs, Bootstrap::default()))
    }
}

/// Searches with every policy, `repeats` times each with one random seed after the other.
///
/// # Errors
/// [`GenerateError`].
pub async fn compare_with_random(
    seeds: &[&LoadedScenario],
    settings: &Settings,
    rollouts: u64,
    repeats: u64,
    world: &mut dyn World,
    progress: &mut (dyn FnMut(&str) + Send),
) -> Result<CompareReport, GenerateError> {
    let mut report = CompareReport {
        tree: Vec::new(),
        random: Vec::new(),
        walk: Vec::new(),
        threshold: settings.threshold,
        certified: settings.certifies,
    };
    for seed in (0..repeats).map(|repeat| settings.seed.saturating_add(repeat)) {
        for policy in [Policy::Tree, Policy::Random, Policy::Walk] {
            let iterations = rollouts.saturating_mul(MAX_ITERATIONS_PER_ROLLOUT);
            let end = End { iterations, keep: None, rollouts: Some(rollouts) };
            let mut search = Search::new(Settings { seed, policy, ..settings.clone() }, end, seeds)?;
            search.run(world, None, &mut |_| {}).await?;
            let lines = search.lines();
            let found = |mode: &String| {
                let of_mode = |line: &&Line| {
                    line.is_kept() && line.facets.as_ref().is_some_and(|facets| facets.mode == *mode)
                };
                lines.iter().filter(of_mode).count() as u64
            };
            let per_mode: Vec<u64> = search.modes().iter().map(found).collect();
            let count = ArmCount {
                seed,
                rollouts: lines.iter().filter(|line| line.is_rollout()).count() as u64,
                found: per_mode.iter().sum(),
                balanced: balanced(&per_mode),
            };
            let (name, arm) = match policy {
                Policy::Tree => (TREE, &mut report.tree),
                Policy::Random => (RANDOM, &mut report.random),
                Policy::Walk => (WALK, &mut report.walk),
            };
            progress(&format!(
                "seed {seed}, {name}: {} found in {} played, {} in balance",
                count.found, count.rollouts, count.balanced
            ));
            arm.push(count);
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{FakeWorld, seeds};
    use super::*;

    #[tokio::test]
    async fn where_changes_add_up_the_tree_finds_more_and_an_interval_says_so() {
        let seeds = seeds();
        let seeds: Vec<&LoadedScenario> = seeds.iter().collect();
        let settings = Settings { certifies: false, ..Settings::default() };
        let mut said = Vec::new();
        let report = compare_with_random(&seeds, &settings, 60, 4, &mut FakeWorld::default(), &mut |line| {
            said.push(line.to_owned());
        })
        .await
        .unwrap();
        assert_eq!((report.tree.len(), report.random.len(), report.walk.len(), said.len()), (4, 4, 4, 12));
        assert!(report.tree.iter().chain(&report.random).all(|count| count.rollouts >= 60));
        // One change is never worth more than 2 there.
        assert!(report.random.iter().all(|count| count.found == 0), "{:?}", report.random);
        for other in [&report.random, &report.walk] {
            let (difference, interval) = report.difference(other, Counted::Found);
            assert!(difference.unwrap() > 0.05 && interval.unwrap().low > 0.0, "{report:?}");
        }
    }

    #[test]
    fn rates_are_ratios_of_sums() {
        let arm = [(1, 100, 10, 6), (2, 300, 90, 30)].map(|(seed, rollouts, found, balanced)| ArmCount {
            seed,
            rollouts,
            found,
            balanced,
        });
        assert_eq!(CompareReport::rate(&arm, Counted::Found).0, Some(0.25));
        assert_eq!(CompareReport::rate(&arm, Counted::Balanced).0, Some(0.09));
        assert_eq!(CompareReport::rate(&[], Counted::Found), (None, None));
    }

    #[test]
    fn no_mode_is_more_than_a_fifth_ahead_in_what_is_balanced() {
        assert_eq!(balanced(&[10, 30, 12]), 34);
        assert_eq!(balanced(&[10, 10, 10]), 30);
        assert_eq!(balanced(&[0, 50, 50]), 0, "a mode that is missing cannot be made up for");
        assert_eq!(balanced(&[]), 0);
    }
}
