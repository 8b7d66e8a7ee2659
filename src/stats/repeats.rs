//! What repeats of one scenario tell: how often it leaks at least once, and how alike its ends are.

/// The chance that at least one of `k` repeats leaks, where `leaks` of `n` did: the share of all ways
/// to choose `k` of the `n` in which one of them is a leak (the unbiased, hypergeometric form).
/// `None` when there are fewer than `k` repeats or `k` is 0.
///
/// ```
/// // Two of four leaked: of the six pairs one has no leak.
/// let share = discreet::stats::any_leak_at(4, 2, 2).unwrap();
/// assert!((share - 5.0 / 6.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn any_leak_at(n: u64, leaks: u64, k: u64) -> Option<f64> {
    never_leak(n, leaks, k).map(|share| 1.0 - share)
}

/// The chance that none of `k` repeats leaks, where `leaks` of `n` did: `C(n - leaks, k) / C(n, k)`.
/// `None` as in [`any_leak_at`].
#[must_use]
pub fn never_leak(n: u64, leaks: u64, k: u64) -> Option<f64> {
    if k == 0 || k > n || leaks > n {
        return None;
    }
    let clean = n - leaks;
    if clean < k {
        return Some(0.0);
    }
    // Factor by factor, so that no binomial coefficient overflows.
    Some((0..k).map(|drawn| (clean - drawn) as f64 / (n - drawn) as f64).product())
}

/// How alike the repeats of one scenario end: `(2p - 1)^2` for a share `p` of leaks, which is 1 when
/// all end alike and 0 when half of them leak. `None` without repeats.
#[must_use]
pub fn consistency(n: u64, leaks: u64) -> Option<f64> {
    if n < 2 || leaks > n {
        return None;
    }
    let share = leaks as f64 / n as f64;
    Some((2.0 * share - 1.0).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_said_is_not_said() {
        assert_eq!((any_leak_at(3, 1, 4), any_leak_at(3, 1, 0), never_leak(3, 4, 1)), (None, None, None));
        assert_eq!((consistency(1, 1), consistency(0, 0)), (None, None));
    }

    #[test]
    fn one_repeat_is_the_mean_and_more_repeats_only_add() {
        for n in 1..9 {
            for leaks in 0..=n {
                let shares: Vec<f64> = (1..=n).map(|k| any_leak_at(n, leaks, k).unwrap()).collect();
                assert!((shares[0] - leaks as f64 / n as f64).abs() < 1e-12);
                assert!(shares.is_sorted(), "{n} {leaks}: {shares:?}");
            }
        }
    }

    #[test]
    fn repeats_that_end_alike_are_consistent() {
        let value = |leaks| consistency(4, leaks).unwrap();
        assert!((value(0) - 1.0).abs() < 1e-12 && (value(4) - 1.0).abs() < 1e-12 && value(2).abs() < 1e-12);
    }
}
