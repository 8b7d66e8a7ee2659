//! Comparisons of two conditions on the same scenarios.

use super::bootstrap::{Bootstrap, Cluster, cluster_bootstrap};
use super::interval::Interval;

/// Pairs of binary results that differ; pairs that agree say nothing about a difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Discordance {
    /// Pairs in which only the first condition has the property.
    pub only_first: u64,
    /// Pairs in which only the second has it.
    pub only_second: u64,
}

/// `McNemar`'s exact two-sided p-value: under no difference each discordant pair falls to either
/// side with probability one half, so it is twice the smaller binomial tail, at most 1. Without
/// discordant pairs it is 1.
///
/// ```
/// use discreet::stats::{Discordance, mcnemar_exact};
/// // R: binom.test(2, 12)$p.value
/// let p = mcnemar_exact(Discordance { only_first: 2, only_second: 10 });
/// assert!((p - 0.038_574_218_75).abs() < 1e-12);
/// ```
#[must_use]
pub fn mcnemar_exact(discordance: Discordance) -> f64 {
    let Discordance { only_first, only_second } = discordance;
    let smaller = only_first.min(only_second);
    let n = only_first + only_second;
    if n == 0 || only_first == only_second {
        return 1.0;
    }
    // The tail relative to its largest term, from there downwards: C(n, k-1) = C(n, k) k / (n-k+1).
    // In logarithms, because 2^-n has no float for n above 1074.
    let mut term = 1.0;
    let mut relative_sum = 1.0;
    for k in (1..=smaller).rev() {
        term *= k as f64 / (n - k + 1) as f64;
        relative_sum += term;
        if term < 1e-20 {
            break;
        }
    }
    let ln_choose: f64 = (1..=smaller).map(|k| ((n - smaller + k) as f64).ln() - (k as f64).ln()).sum();
    let ln_tail = ln_choose + relative_sum.ln() - n as f64 * std::f64::consts::LN_2;
    (2.0 * ln_tail.exp()).min(1.0)
}

/// What one cluster contributes to the difference of two ratios of sums over the same scenarios.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PairedCluster {
    /// The first condition.
    pub first: Cluster,
    /// The second condition.
    pub second: Cluster,
}

/// The percentile interval of "second minus first", both resampled by the same clusters, so that
/// what a family does to both conditions cancels out. `None` as in
/// [`cluster_bootstrap`].
#[must_use]
pub fn paired_interval(clusters: &[PairedCluster], bootstrap: Bootstrap) -> Option<Interval> {
    cluster_bootstrap(clusters.len(), bootstrap, |sample| {
        let mut sums = PairedCluster::default();
        for place in sample {
            let PairedCluster { first, second } = clusters[*place];
            sums.first.numerator += first.numerator;
            sums.first.denominator += first.denominator;
            sums.second.numerator += second.numerator;
            sums.second.denominator += second.denominator;
        }
        let defined = sums.first.denominator > 0.0 && sums.second.denominator > 0.0;
        defined.then(|| {
            sums.second.numerator / sums.second.denominator - sums.first.numerator / sums.first.denominator
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(only_first: u64, only_second: u64) -> f64 {
        mcnemar_exact(Discordance { only_first, only_second })
    }

    #[test]
    fn mcnemar_agrees_with_the_binomial_distribution() {
        // Sums of C(n, k) / 2^n by hand, and binom.test in R.
        let known = [
            (0, 5, 0.0625),
            (1, 7, 0.070_312_5),
            (5, 0, 0.0625),
            (2, 10, 0.038_574_218_75),
            (3, 3, 1.0),
            (0, 0, 1.0),
            (4, 5, 1.0),
            (0, 1, 1.0),
        ];
        for (one, other, expected) in known {
            assert!((p(one, other) - expected).abs() < 1e-12, "{one} {other}: {}", p(one, other));
        }
    }

    #[test]
    fn mcnemar_is_exact_against_whole_number_sums() {
        // C(n, k) fits u128 for n up to 120.
        for n in 1_u64..=120 {
            let mut choose = 1_u128;
            let mut tail = 0_u128;
            for k in 0..=n / 2 {
                tail += choose;
                if 2 * k < n {
                    let expected = (2.0 * tail as f64 / 2_f64.powi(i32::try_from(n).unwrap())).min(1.0);
                    let relative = (p(k, n - k) - expected).abs() / expected;
                    assert!(relative < 1e-11, "{k} of {n}: {} is not {expected}", p(k, n - k));
                }
                choose = choose * u128::from(n - k) / u128::from(k + 1);
            }
        }
    }

    #[test]
    fn large_counts_neither_overflow_nor_vanish() {
        // Summed with Python's exact fractions.
        let value = p(4750, 5252);
        assert!((value / 5.428_720_285_518_888e-7 - 1.0).abs() < 1e-8, "{value}");
        assert!(p(0, 2000) >= 0.0);
    }

    #[test]
    fn what_a_family_does_to_both_conditions_cancels_out() {
        // Families differ widely; within each the second condition leaks one in ten more.
        let clusters: Vec<PairedCluster> = (0..20)
            .map(|family| {
                let base = f64::from(family % 9);
                PairedCluster {
                    first: Cluster { numerator: base, denominator: 10.0 },
                    second: Cluster { numerator: base + 1.0, denominator: 10.0 },
                }
            })
            .collect();
        let interval = paired_interval(&clusters, Bootstrap::default()).unwrap();
        assert!((interval.low - 0.1).abs() < 1e-9 && (interval.high - 0.1).abs() < 1e-9, "{interval:?}");
        assert_eq!(paired_interval(&clusters[..1], Bootstrap::default()), None);
    }
}
