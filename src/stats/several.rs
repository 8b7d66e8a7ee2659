//! Several tests at once.

/// Holm's step-down adjustment: p-values that may each be compared with the level that all of them
/// together are to keep. In the order given.
///
/// ```
/// let adjusted = discreet::stats::holm(&[0.01, 0.04, 0.03]);
/// assert!((adjusted[0] - 0.03).abs() < 1e-12 && (adjusted[1] - 0.06).abs() < 1e-12);
/// ```
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, place) in order.into_iter().enumerate() {
        let left = (p_values.len() - rank) as f64;
        least = least.max((left * p_values[place]).min(1.0));
        adjusted[place] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjusting_keeps_the_order_and_never_lowers() {
        let raw = [0.2, 0.001, 0.04, 0.9, 0.0401];
        let adjusted = holm(&raw);
        for (one, value) in raw.iter().enumerate() {
            assert!(adjusted[one] >= *value && adjusted[one] <= 1.0);
            for (other, smaller) in raw.iter().enumerate() {
                assert!(value < smaller || adjusted[one] >= adjusted[other]);
            }
        }
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }
}
