//! The one type for waiting: absolute, monotonic, and able to say what it waited for.

use std::future::Future;
use std::time::{Duration, Instant};

/// An absolute point in monotonic time by which something outside the process has to have
/// happened. Nothing outside the process is awaited without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline {
    at: Instant,
}

/// A wait ran out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("wait for {waited_for}: gave up after {} ms", .after.as_millis())]
pub struct Expired {
    /// What was awaited, as a noun phrase.
    pub waited_for: String,
    /// How long this wait took.
    pub after: Duration,
}

impl Deadline {
    /// The deadline `duration` from now.
    #[must_use]
    pub fn after(duration: Duration) -> Self {
        Self { at: Instant::now() + duration }
    }

    /// The deadline `milliseconds` from now.
    #[must_use]
    pub fn after_ms(milliseconds: u64) -> Self {
        Self::after(Duration::from_millis(milliseconds))
    }

    /// The earlier of two deadlines.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self { at: self.at.min(other.at) }
    }

    /// Time left; zero once it has passed.
    #[must_use]
    pub fn remaining(self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    #[must_use]
    pub fn has_passed(self) -> bool {
        self.remaining().is_zero()
    }

    /// Waits for `future`, at most until the deadline.
    ///
    /// # Errors
    /// [`Expired`] with `waited_for` once the deadline has passed.
    pub async fn race<T>(self, waited_for: &str, future: impl Future<Output = T>) -> Result<T, Expired> {
        let started = Instant::now();
        tokio::time::timeout_at(tokio::time::Instant::from_std(self.at), future)
            .await
            .map_err(|_| Expired { waited_for: waited_for.to_owned(), after: started.elapsed() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_wait_that_never_ends_names_what_it_waited_for() {
        let error = Deadline::after_ms(5).race("a reply", std::future::pending::<()>()).await.unwrap_err();
        assert_eq!(error.waited_for, "a reply");
        assert!(error.to_string().starts_with("wait for a reply: gave up after"));
    }

    #[tokio::test]
    async fn a_finished_future_is_returned() {
        assert_eq!(Deadline::after_ms(1000).race("x", async { 7 }).await, Ok(7));
    }
}
