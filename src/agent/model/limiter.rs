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
    /// Takes the next free moment for a request to `server` and returns how long to wait for it.
    pub(super) fn take(&self, server: &str, per_minute: Option<u32>) -> Duration {
        self.take_at(Instant::now(), server, per_minute)
    }

    fn take_at(&self, now: Instant, server: &str, per_minute: Option<u32>) -> Duration {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = next.entry(server.to_owned()).or_insert(now);
        let at = (*entry).max(now);
        let gap = per_minute.map_or(Duration::ZERO, |count| Duration::from_secs(60) / count.max(1));
        *entry = at + gap;
        at - now
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
        let waits: Vec<u64> = (0..3).map(|_| limiter.clone().take_at(now, "a", Some(60)).as_secs()).collect();
        assert_eq!(waits, [0, 1, 2]);
        let later = now + Duration::from_secs(10);
        assert_eq!(
            limiter.take_at(later, "a", Some(60)),
            Duration::ZERO,
            "a slot that passed is not made up for"
        );
        assert_eq!(limiter.take_at(later, "a", Some(60)).as_secs(), 1);
        assert_eq!(limiter.take_at(now, "b", None), Duration::ZERO);
        assert_eq!(limiter.take_at(now, "b", None), Duration::ZERO);
        limiter.pause_until("b", now + Duration::from_secs(100));
        assert_eq!(limiter.take_at(now, "b", None).as_secs(), 100);
    }
}
