//! Whether the search is worth its name: the same number of played scenarios by tree search and by random
//! mutation of the seeds, with the same proxies, critic, threshold and removal of copies.

use super::error::GenerateError;
use super::search::{End, Search};
use super::settings::{Policy, Settings};
use super::world::World;
use crate::scenario::LoadedScenario;
use crate::stats::{Bootstrap, Cluster, Interval, PairedCluster, paired_interval, ratio_interval};

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
}

/// Both ways beside one another.
#[derive(Debug, Clone, PartialEq)]
pub struct CompareReport {
    /// The tree search, per random seed.
    pub tree: Vec<ArmCount>,
    /// Random mutation of seeds, per random seed.
    pub random: Vec<ArmCount>,
    /// The reward that counts as high.
    pub threshold: f64,
    /// Whether only certified scenarios count.
    pub certified: bool,
}

fn clusters(arm: &[ArmCount]) -> Vec<Cluster> {
    arm.iter()
        .map(|count| Cluster { numerator: count.found as f64, denominator: count.rollouts as f64 })
        .collect()
}

/// Found per played; `None` where nothing was played.
fn rate(arm: &[ArmCount]) -> Option<f64> {
    let (found, rollouts) =
        arm.iter().fold((0, 0), |sum, count| (sum.0 + count.found, sum.1 + count.rollouts));
    (rollouts > 0).then(|| found as f64 / rollouts as f64)
}

impl CompareReport {
    /// An arm's rate with its interval over random seeds.
    #[must_use]
    pub fn rate(arm: &[ArmCount]) -> (Option<f64>, Option<Interval>) {
        (rate(arm), ratio_interval(&clusters(arm), Bootstrap::default()))
    }

    /// Tree minus random, with its interval over random seeds.
    #[must_use]
    pub fn difference(&self) -> (Option<f64>, Option<Interval>) {
        let pairs: Vec<PairedCluster> = clusters(&self.random)
            .into_iter()
            .zip(clusters(&self.tree))
            .map(|(first, second)| PairedCluster { first, second })
            .collect();
        let value = rate(&self.tree).zip(rate(&self.random)).map(|(tree, random)| tree - random);
        (value, paired_interval(&pairs, Bootstrap::default()))
    }
}

/// Searches with both policies, `repeats` times each with one random seed after the other.
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
        threshold: settings.threshold,
        certified: settings.certifies,
    };
    for seed in (0..repeats).map(|repeat| settings.seed.saturating_add(repeat)) {
        for policy in [Policy::Tree, Policy::Random] {
            let iterations = rollouts.saturating_mul(MAX_ITERATIONS_PER_ROLLOUT);
            let end = End { iterations, keep: None, rollouts: Some(rollouts) };
            let mut search = Search::new(Settings { seed, policy, ..settings.clone() }, end, seeds)?;
            search.run(world, None, &mut |_| {}).await?;
            let lines = search.lines();
            let count = ArmCount {
                seed,
                rollouts: lines.iter().filter(|line| line.is_rollout()).count() as u64,
                found: lines.iter().filter(|line| line.is_kept()).count() as u64,
            };
            let (name, arm) = match policy {
                Policy::Tree => ("tree search", &mut report.tree),
                Policy::Random => ("random mutation", &mut report.random),
            };
            progress(&format!("seed {seed}, {name}: {} found in {} played", count.found, count.rollouts));
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
        assert_eq!((report.tree.len(), report.random.len(), said.len()), (4, 4, 8));
        assert!(report.tree.iter().chain(&report.random).all(|count| count.rollouts >= 60));
        // One change is never worth more than 2 there.
        assert!(report.random.iter().all(|count| count.found == 0), "{:?}", report.random);
        let (difference, interval) = report.difference();
        assert!(difference.unwrap() > 0.05 && interval.unwrap().low > 0.0, "{report:?}");
    }

    #[test]
    fn rates_are_ratios_of_sums() {
        let arm =
            [ArmCount { seed: 1, rollouts: 100, found: 10 }, ArmCount { seed: 2, rollouts: 300, found: 90 }];
        assert_eq!(CompareReport::rate(&arm).0, Some(0.25));
        assert_eq!(CompareReport::rate(&[]), (None, None));
    }
}
