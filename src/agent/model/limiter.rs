//! At most so many requests a minute to one server, whoever sends them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When each server may be asked next; clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Limiter {
    next: Arc<Mutex<HashMap<String, Instant>>>,
}

impl Limiter {
    /// Takes the next free moment for a request to `server` and returns how long to wait for it. One that
    /// is further off than `at_most` is left to others; the error says how far.
    pub(super) fn take(
        &self,
        server: &str,
        per_minute: Option<u32>,
        at_most: Duration,
    ) -> Result<Duration, Duration> {
        self.take_at(Instant::now(), server, per_minute, at_most)
    }

    fn take_at(
        &self,
        now: Instant,
        server: &str,
        per_minute: Option<u32>,
        at_most: Duration,
    ) -> Result<Duration, Duration> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = next.entry(server.to_owned()).or_insert(now);
        let at = (*entry).max(now);
        let wait = at - now;
        if wait > at_most {
            return Err(wait);
        }
        let gap = per_minute.map_or(Duration::ZERO, |count| Duration::from_secs(60) / count.max(1));
        *entry = at + gap;
        Ok(wait)
    }

    /// Nobody asks `server` before `wait` has passed: it said so.
    pub(super) fn pause(&self, server: &str, wait: Duration) {
        self.pause_until(server, Instant::now() + wait);
    }

    fn pause_until(&self, server: &str, until: Instant) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = next.entry(server.to_owned()).or_insert(until);
        *entry = (*entry).max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_to_one_server_are_spread_and_others_are_not_held_up() {
        let (limiter, now) = (Limiter::default(), Instant::now());
        let seconds = Duration::from_secs;
        let waits: Vec<_> =
            (0..3).map(|_| limiter.clone().take_at(now, "a", Some(60), seconds(9)).unwrap()).collect();
        assert_eq!(waits, [0, 1, 2].map(seconds));
        let later = now + seconds(10);
        let next = |at, server, per_minute| limiter.take_at(at, server, per_minute, seconds(1_000)).unwrap();
        assert_eq!(next(later, "a", Some(60)), Duration::ZERO, "a slot that passed is not made up for");
        assert_eq!(next(later, "a", Some(60)), seconds(1));
        assert_eq!(next(now, "b", None), Duration::ZERO);
        assert_eq!(next(now, "b", None), Duration::ZERO);
        limiter.pause_until("b", now + seconds(100));
        assert_eq!(next(now, "b", None), seconds(100));
    }

    #[test]
    fn a_moment_that_comes_too_late_is_left_to_others() {
        let (limiter, now) = (Limiter::default(), Instant::now());
        let seconds = Duration::from_secs;
        limiter.take_at(now, "a", Some(1), Duration::ZERO).unwrap();
        for _ in 0..3 {
            assert_eq!(limiter.take_at(now, "a", Some(1), seconds(59)), Err(seconds(60)));
        }
        assert_eq!(limiter.take_at(now, "a", Some(1), seconds(60)), Ok(seconds(60)), "nobody has taken it");
    }
}
