//! The one type for waiting: absolute, monotonic, and able to say what it waited for.
//!
//! A program that is stopped (Ctrl-Z, a debugger, a frozen container) and goes on must not find that
//! all its waits ran out meanwhile: that would be recorded as a fault of a page or an agent that did
//! nothing wrong. So deadlines count the time in which this process could run. A thread looks at the
//! clock ten times a second; where it did not come to look for more than a second, nobody here did
//! anything, and that time does not count.

use std::future::Future;
use std::pin::pin;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How often the clock is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What is longer between two looks is a pause. A loaded machine lets a thread wait for a fraction of
/// this.
const PAUSE: Duration = Duration::from_secs(1);

/// An absolute point in monotonic time by which something outside the process has to have
/// happened. Nothing outside the process is awaited without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline {
    /// Time since the first deadline was made, pauses left out.
    at: Duration,
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
        Self { at: awake().saturating_add(duration) }
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
        self.at.saturating_sub(awake())
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
        let started = awake();
        let mut future = pin!(future);
        loop {
            // After a pause there is time left although the timer has run out.
            match tokio::time::timeout(self.remaining(), &mut future).await {
                Ok(done) => return Ok(done),
                Err(_) if self.has_passed() => {
                    let after = awake().saturating_sub(started);
                    return Err(Expired { waited_for: waited_for.to_owned(), after });
                }
                Err(_) => {}
            }
        }
    }
}

/// Time since this was first asked, without the pauses.
fn awake() -> Duration {
    static CLOCK: OnceLock<Mutex<Clock>> = OnceLock::new();
    let clock = CLOCK.get_or_init(|| {
        let looks = std::thread::Builder::new().name("clock".to_owned()).spawn(|| {
            loop {
                std::thread::sleep(LOOK_EVERY);
                awake();
            }
        });
        // Without somebody who looks, a long time between two looks says nothing.
        Mutex::new(Clock::new(Instant::now(), looks.is_ok()))
    });
    clock.lock().unwrap_or_else(PoisonError::into_inner).look(Instant::now())
}

/// Tells time apart in which this process could not run.
#[derive(Debug)]
struct Clock {
    last_look: Instant,
    awake: Duration,
    is_watched: bool,
}

impl Clock {
    const fn new(now: Instant, is_watched: bool) -> Self {
        Self { last_look: now, awake: Duration::ZERO, is_watched }
    }

    fn look(&mut self, now: Instant) -> Duration {
        let gap = now.saturating_duration_since(self.last_look);
        self.last_look = self.last_look.max(now);
        self.awake += if self.is_watched && gap > PAUSE { LOOK_EVERY } else { gap };
        self.awake
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
        assert_eq!(Deadline::after_ms(0).race("x", async { 7 }).await, Ok(7), "it is there already");
    }

    #[test]
    fn a_pause_does_not_count_and_everything_else_does() {
        let start = Instant::now();
        let at = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let mut clock = Clock::new(start, true);
        assert_eq!(clock.look(at(0.1)), Duration::from_millis(100));
        assert_eq!(clock.look(at(0.9)), Duration::from_millis(900), "a thread that came late");
        assert_eq!(clock.look(at(3_600.0)), Duration::from_millis(1_000), "an hour in a debugger");
        assert_eq!(clock.look(at(3_600.5)), Duration::from_millis(1_500));
        assert_eq!(clock.look(at(3_600.2)), Duration::from_millis(1_500), "two threads look at once");
        let mut alone = Clock::new(start, false);
        assert_eq!(alone.look(at(5.0)), Duration::from_secs(5));
    }
}
