//! The percentile bootstrap over whole clusters.

use rand::{Rng, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::interval::Interval;

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bootstrap {
    /// Number of resamples.
    pub resamples: u32,
    /// Seed; the same seed gives the same interval on every machine and thread count.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 10 000 resamples: the ends of a 95 % interval are then stable to about a tenth of its width
    /// over seeds.
    fn default() -> Self {
        Self { resamples: 10_000, seed: 20_260_519 }
    }
}

/// What one cluster contributes to a ratio of sums.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cluster {
    /// Sum above the line.
    pub numerator: f64,
    /// Sum below the line: number of observations for a mean.
    pub denominator: f64,
}

/// The percentile interval of any statistic over `clusters` clusters. `statistic` gets the indices
/// of a resample, as many as there are clusters, some more than once; where it is undefined for a
/// resample it returns `None`, and that resample is left out.
///
/// `None` with fewer than two clusters, or when more than half of the resamples are left out: what
/// remains would be no distribution of the statistic.
pub fn cluster_bootstrap(
    clusters: usize,
    bootstrap: Bootstrap,
    mut statistic: impl FnMut(&[usize]) -> Option<f64>,
) -> Option<Interval> {
    if clusters < 2 {
        return None;
    }
    let bound = u32::try_from(clusters).ok()?;
    let mut random = ChaCha8Rng::seed_from_u64(bootstrap.seed);
    let mut sample = vec![0_usize; clusters];
    let mut values = Vec::with_capacity(bootstrap.resamples as usize);
    for _ in 0..bootstrap.resamples {
        for place in &mut sample {
            *place = below(&mut random, bound) as usize;
        }
        values.extend(statistic(&sample));
    }
    if values.len() * 2 < bootstrap.resamples as usize || values.is_empty() {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    Some(Interval { low: quantile(&values, 0.025), high: quantile(&values, 0.975) })
}

/// The percentile interval of the sum of numerators over the sum of denominators.
#[must_use]
pub fn ratio_interval(clusters: &[Cluster], bootstrap: Bootstrap) -> Option<Interval> {
    cluster_bootstrap(clusters.len(), bootstrap, |sample| {
        let (mut above, mut below) = (0.0, 0.0);
        for place in sample {
            above += clusters[*place].numerator;
            below += clusters[*place].denominator;
        }
        (below > 0.0).then(|| above / below)
    })
}

/// A number below `bound`, each equally likely (Lemire's method). Written out rather than taken
/// from `rand`, whose sampling may change between versions and with it every published interval.
fn below(random: &mut ChaCha8Rng, bound: u32) -> u32 {
    let threshold = bound.wrapping_neg() % bound;
    loop {
        let product = u64::from(random.next_u32()) * u64::from(bound);
        // The low half decides about rejection, the high half is the number.
        if product & u64::from(u32::MAX) >= u64::from(threshold) {
            return u32::try_from(product >> 32).expect("the high half of a product of two u32 is one");
        }
    }
}

/// A quantile of sorted values, interpolated linearly (type 7 of Hyndman and Fan, the default of R
/// and `NumPy`).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a slice")]
    let index = place.floor() as usize;
    let next = (index + 1).min(sorted.len() - 1);
    sorted[index] + (sorted[next] - sorted[index]) * (place - index as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn means(values: &[f64]) -> Vec<Cluster> {
        values.iter().map(|value| Cluster { numerator: *value, denominator: 1.0 }).collect()
    }

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([1, 2, 4, 8, 16], [0.025, 0.5, 0.975])
        let values = [1.0, 2.0, 4.0, 8.0, 16.0];
        let close = |share, expected: f64| (quantile(&values, share) - expected).abs() < 1e-12;
        assert!(close(0.025, 1.1) && close(0.5, 4.0) && close(0.975, 15.2));
    }

    #[test]
    fn one_observation_per_cluster_comes_near_the_binomial_quantiles() {
        // 30 of 100: the resampled count is binomial(100, 0.3), whose 2.5 % and 97.5 % points are 21
        // and 39.
        let values: Vec<f64> = (0..100).map(|index| f64::from(u8::from(index < 30))).collect();
        let interval = ratio_interval(&means(&values), Bootstrap::default()).unwrap();
        assert!(
            (interval.low - 0.21).abs() < 0.0101 && (interval.high - 0.39).abs() < 0.0101,
            "{interval:?}"
        );
    }

    #[test]
    fn resampling_whole_clusters_is_wider_than_resampling_episodes() {
        // Ten families of ten episodes that all end alike.
        let families: Vec<Cluster> = (0..10)
            .map(|index| Cluster { numerator: if index < 3 { 10.0 } else { 0.0 }, denominator: 10.0 })
            .collect();
        let by_family = ratio_interval(&families, Bootstrap::default()).unwrap();
        // binomial(10, 0.3): 2.5 % point 0 or 1, 97.5 % point 6.
        assert!(by_family.low <= 0.1 && (by_family.high - 0.6).abs() < 1e-9, "{by_family:?}");
    }

    #[test]
    fn the_same_seed_gives_the_same_interval_and_another_seed_one_near_it() {
        let clusters = means(&(0..40).map(|index| f64::from(index % 7)).collect::<Vec<_>>());
        let one = ratio_interval(&clusters, Bootstrap::default()).unwrap();
        assert_eq!(ratio_interval(&clusters, Bootstrap::default()), Some(one));
        let other = ratio_interval(&clusters, Bootstrap { seed: 1, ..Bootstrap::default() }).unwrap();
        let width = one.high - one.low;
        assert!((one.low - other.low).abs() < width / 10.0 && (one.high - other.high).abs() < width / 10.0);
        let elsewhere = std::thread::spawn(move || ratio_interval(&clusters, Bootstrap::default()));
        assert_eq!(elsewhere.join().unwrap(), Some(one));
    }

    #[test]
    fn there_is_no_interval_where_there_is_no_distribution() {
        assert_eq!(ratio_interval(&means(&[1.0]), Bootstrap::default()), None);
        assert_eq!(ratio_interval(&[], Bootstrap::default()), None);
        let empty = vec![Cluster::default(); 5];
        assert_eq!(ratio_interval(&empty, Bootstrap::default()), None);
    }

    #[test]
    fn every_cluster_is_drawn_equally_often() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[below(&mut random, 7) as usize] += 1;
        }
        // 10 000 expected each, standard deviation 93.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 450), "{counts:?}");
    }

    proptest! {
        #[test]
        fn an_interval_of_means_lies_between_the_extremes(values in prop::collection::vec(-5.0_f64..5.0, 2..12), seed: u64) {
            let interval = ratio_interval(&means(&values), Bootstrap { resamples: 200, seed }).unwrap();
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(low - 1e-9 <= interval.low && interval.low <= interval.high && interval.high <= high + 1e-9);
        }
    }
}
