//! What a comparison of a given size can find at all.

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::bootstrap::Cluster;

/// A paired comparison that is planned, or was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedPlan {
    /// Number of pairs.
    pub pairs: u64,
    /// Share of pairs that differ in either direction, 0 to 1.
    pub discordant: f64,
    /// By how much families of alike scenarios widen an interval: variance against that of as many
    /// independent pairs; 1 for independent ones.
    pub design_effect: f64,
    /// Two-sided level, such as 0.05.
    pub level: f64,
    /// Chance to find the difference, such as 0.8.
    pub power: f64,
}

/// The smallest difference of two shares that `McNemar`'s test finds with the wanted chance, by
/// Connor's normal approximation (R. J. Connor, *Sample size for testing differences in proportions
/// for the paired-sample design*, Biometrics 43, 1987). `None` when even the largest difference that
/// so many discordant pairs allow would not be found, or the plan makes no sense.
#[must_use]
pub fn minimum_detectable(plan: PairedPlan) -> Option<f64> {
    let PairedPlan { pairs, discordant, design_effect, level, power } = plan;
    let sensible = |share: f64| share > 0.0 && share < 1.0;
    let is_a_plan = pairs > 0
        && discordant > 0.0
        && discordant <= 1.0
        && design_effect >= 1.0
        && sensible(level)
        && sensible(power);
    if !is_a_plan {
        return None;
    }
    let normal = Normal::standard();
    let (at_level, at_power) = (normal.inverse_cdf(1.0 - level / 2.0), normal.inverse_cdf(power));
    let pairs = pairs as f64 / design_effect;
    // How far a difference lies beyond what is needed; it rises with the difference.
    let beyond = |difference: f64| {
        let spread = (discordant - difference * difference).max(0.0);
        difference * pairs.sqrt() - at_level * discordant.sqrt() - at_power * spread.sqrt()
    };
    // All discordant pairs on one side.
    if beyond(discordant) < 0.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, discordant);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if beyond(middle) < 0.0 { low = middle } else { high = middle }
    }
    Some(high)
}

/// By how much families of alike scenarios widen an interval: `1 + (m - 1) ICC`, with the
/// intraclass correlation by the analysis of variance (at least 0) and `m` the mean family size
/// weighted by size. 1 with fewer than two families or without a family of more than one.
#[must_use]
pub fn design_effect(families: &[Cluster], sum_of_squares: f64) -> f64 {
    let count = families.len() as f64;
    let total: f64 = families.iter().map(|family| family.denominator).sum();
    let squares: f64 = families.iter().map(|family| family.denominator * family.denominator).sum();
    if families.len() < 2 || total <= count {
        return 1.0;
    }
    let mean = families.iter().map(|family| family.numerator).sum::<f64>() / total;
    let between: f64 = families
        .iter()
        .filter(|family| family.denominator > 0.0)
        .map(|family| family.denominator * (family.numerator / family.denominator - mean).powi(2))
        .sum::<f64>()
        / (count - 1.0);
    let explained: f64 = families
        .iter()
        .filter(|family| family.denominator > 0.0)
        .map(|family| family.numerator * family.numerator / family.denominator)
        .sum();
    let within = (sum_of_squares - explained).max(0.0) / (total - count);
    let typical = (total - squares / total) / (count - 1.0);
    let spread = between + (typical - 1.0) * within;
    let correlation = if spread > 0.0 { ((between - within) / spread).clamp(0.0, 1.0) } else { 0.0 };
    1.0 + (squares / total - 1.0) * correlation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(pairs: u64, discordant: f64) -> PairedPlan {
        PairedPlan { pairs, discordant, design_effect: 1.0, level: 0.05, power: 0.8 }
    }

    #[test]
    fn more_pairs_find_smaller_differences_and_families_take_some_away() {
        let found: Vec<f64> =
            [50, 117, 500].map(|pairs| minimum_detectable(plan(pairs, 0.3)).unwrap()).to_vec();
        assert!(found[0] > found[1] && found[1] > found[2], "{found:?}");
        let clustered = minimum_detectable(PairedPlan { design_effect: 2.0, ..plan(117, 0.3) }).unwrap();
        assert!(clustered > found[1]);
    }

    #[test]
    fn what_so_few_pairs_cannot_find_is_not_promised() {
        assert_eq!(minimum_detectable(plan(5, 0.2)), None);
        assert_eq!(minimum_detectable(plan(0, 0.2)), None);
        assert_eq!(minimum_detectable(plan(50, 0.0)), None);
    }

    #[test]
    fn families_that_end_alike_count_once_and_independent_ones_fully() {
        // Ten families of ten: all of a family alike, three families leak.
        let alike: Vec<Cluster> = (0..10)
            .map(|family| Cluster { numerator: if family < 3 { 10.0 } else { 0.0 }, denominator: 10.0 })
            .collect();
        assert!((design_effect(&alike, 30.0) - 10.0).abs() < 1e-9);
        let mixed = vec![Cluster { numerator: 3.0, denominator: 10.0 }; 10];
        assert!((design_effect(&mixed, 30.0) - 1.0).abs() < 1e-9);
        assert!((design_effect(&alike[..1], 10.0) - 1.0).abs() < 1e-9);
    }
}
