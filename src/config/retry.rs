//! When a request to a provider is made again, and how long to wait before it is.

use std::time::Duration;

/// How often and how soon a failed request is repeated. The waits double, with jitter, up to a cap;
/// what the provider asks for (`Retry-After`) is kept to where it is longer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retry {
    /// Requests in all, the first included.
    pub attempts: u32,
    /// The wait before the second request, before jitter.
    pub first_wait: Duration,
    /// The longest wait of our own choice.
    pub longest_wait: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self { attempts: 5, first_wait: Duration::from_millis(500), longest_wait: Duration::from_secs(20) }
    }
}

impl Retry {
    /// Whether a reply with this status is worth another try: too many requests, a time-out on the
    /// way, or a fault of the server. A bad request or a refused key stays one.
    #[must_use]
    pub const fn is_worthwhile(status: u16) -> bool {
        matches!(status, 408 | 425 | 429 | 500..=599) && status != 501 && status != 505
    }

    /// The wait before request number `next` (2 for the first repetition); `chance` from 0 to 1
    /// spreads it over the upper half, so that many clients do not come back at the same moment.
    #[must_use]
    pub fn wait_before(&self, next: u32, asked_for: Option<Duration>, chance: f64) -> Duration {
        let doublings = next.saturating_sub(2).min(16);
        let wait = self.first_wait.saturating_mul(1 << doublings).min(self.longest_wait);
        let wait = wait.mul_f64(0.5 + 0.5 * chance.clamp(0.0, 1.0));
        asked_for.map_or(wait, |asked_for| asked_for.max(wait))
    }
}

/// How long an answer asks to wait, where it does.
#[must_use]
pub fn retry_after_of(headers: &reqwest::header::HeaderMap) -> Option<Duration> {
    let value = headers.get(reqwest::header::RETRY_AFTER)?;
    retry_after(value.to_str().ok()?, jiff::Timestamp::now())
}

/// Reads a `Retry-After` header: seconds (a fraction is allowed), or a date.
#[must_use]
pub fn retry_after(value: &str, now: jiff::Timestamp) -> Option<Duration> {
    /// What is longer is no wait but a refusal; the caller's deadline says so in any case.
    const LONGEST: f64 = 86_400.0;
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return (seconds.is_finite() && seconds >= 0.0)
            .then(|| Duration::from_secs_f64(seconds.min(LONGEST)));
    }
    let at = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    let seconds = at.duration_since(now).as_secs_f64();
    Some(Duration::from_secs_f64(seconds.clamp(0.0, LONGEST)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_cap_and_keep_to_what_is_asked_for() {
        let retry =
            Retry { attempts: 9, first_wait: Duration::from_secs(1), longest_wait: Duration::from_secs(5) };
        let waits: Vec<u128> = (2..6).map(|next| retry.wait_before(next, None, 1.0).as_millis()).collect();
        assert_eq!(waits, [1_000, 2_000, 4_000, 5_000]);
        assert_eq!(retry.wait_before(2, None, 0.0).as_millis(), 500);
        assert_eq!(retry.wait_before(2, Some(Duration::from_secs(7)), 1.0).as_secs(), 7);
        assert_eq!(retry.wait_before(4, Some(Duration::from_secs(1)), 1.0).as_secs(), 4);
        assert!(retry.wait_before(u32::MAX, None, f64::NAN.max(2.0)) <= Duration::from_secs(5));
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        let again: Vec<u16> = (200..600).filter(|status| Retry::is_worthwhile(*status)).collect();
        assert!(again.contains(&429) && again.contains(&500) && again.contains(&503) && again.contains(&529));
        for never in [200, 301, 400, 401, 403, 404, 413, 422, 501] {
            assert!(!again.contains(&never), "{never}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: jiff::Timestamp = "2026-05-19T09:00:00Z".parse().unwrap();
        assert_eq!(retry_after(" 3 ", now), Some(Duration::from_secs(3)));
        assert_eq!(retry_after("0.25", now), Some(Duration::from_millis(250)));
        assert_eq!(retry_after("Tue, 19 May 2026 09:00:10 GMT", now), Some(Duration::from_secs(10)));
        assert_eq!(retry_after("Tue, 19 May 2026 08:00:10 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("1e300", now), Some(Duration::from_secs(86_400)));
        for odd in ["", "soon", "-3", "NaN", "inf"] {
            assert_eq!(retry_after(odd, now), None, "{odd}");
        }
    }
}
