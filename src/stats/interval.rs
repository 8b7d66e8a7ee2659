//! Intervals for one proportion.

/// 97.5 % point of the standard normal distribution: all intervals are two-sided 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Wilson's score interval for `successes` of `n` independent trials; `None` when `n` is 0 or less
/// than `successes`.
///
/// ```
/// let interval = discreet::stats::wilson(81, 263).unwrap();
/// assert!((interval.low - 0.2553).abs() < 5e-5 && (interval.high - 0.3662).abs() < 5e-5);
/// ```
#[must_use]
pub fn wilson(successes: u64, n: u64) -> Option<Interval> {
    if n == 0 || successes > n {
        return None;
    }
    let (count, share) = (n as f64, successes as f64 / n as f64);
    let square = Z * Z;
    let scale = 1.0 + square / count;
    let centre = (share + square / (2.0 * count)) / scale;
    let half = Z / scale * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    // The ends are exactly 0 and 1 there; rounding would leave them beside it.
    let low = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if successes == n { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high })
}

/// The rule of three: what 0 of `n` independent trials, or all of them, leave open. For `all` the
/// interval is `[1 - 3/n, 1]`, otherwise `[0, 3/n]`; `None` when `n` is 0.
///
/// 3 stands for `-ln(0.05)` = 2.996, so this is a one-sided 95 % bound.
#[must_use]
pub fn rule_of_three(n: u64, all: bool) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let open = (3.0 / n as f64).min(1.0);
    Some(if all { Interval { low: 1.0 - open, high: 1.0 } } else { Interval { low: 0.0, high: open } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(interval: Interval, low: f64, high: f64, tolerance: f64) {
        let distance = (interval.low - low).abs().max((interval.high - high).abs());
        assert!(distance < tolerance, "{interval:?} is not [{low}, {high}]");
    }

    #[test]
    fn wilson_agrees_with_published_examples() {
        // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3, to four decimals.
        close(wilson(81, 263).unwrap(), 0.2553, 0.3662, 5e-5);
        close(wilson(15, 148).unwrap(), 0.0624, 0.1605, 5e-5);
        close(wilson(0, 20).unwrap(), 0.0, 0.1611, 5e-5);
        close(wilson(1, 29).unwrap(), 0.0061, 0.1718, 5e-5);
    }

    #[test]
    fn wilson_is_symmetric_and_stays_in_the_unit_interval() {
        for n in 1..60 {
            for successes in 0..=n {
                let one = wilson(successes, n).unwrap();
                let other = wilson(n - successes, n).unwrap();
                close(one, 1.0 - other.high, 1.0 - other.low, 1e-12);
                let share = successes as f64 / n as f64;
                assert!(0.0 <= one.low && one.low <= share && share <= one.high && one.high <= 1.0);
            }
        }
        assert_eq!((wilson(0, 0), wilson(3, 2)), (None, None));
    }

    #[test]
    fn nothing_in_n_trials_leaves_three_in_n_open() {
        close(rule_of_three(60, false).unwrap(), 0.0, 0.05, 1e-12);
        close(rule_of_three(60, true).unwrap(), 0.95, 1.0, 1e-12);
        close(rule_of_three(2, false).unwrap(), 0.0, 1.0, 1e-12);
        assert_eq!(rule_of_three(0, false), None);
    }
}
