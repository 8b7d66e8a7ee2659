//! The browsers of a run: who shares one, when one is replaced.
//!
//! A browser costs far more memory than a context in it, and several of them are no faster than one. So
//! episodes share a browser, up to [`MOST_SHARING`] of them; where there are more, each browser gets as
//! many. Episodes that share one have nothing in common but its process: each has a context with cookies,
//! storage, renderers and a proxy of its own. What they share is its end: a browser that dies takes all
//! its episodes with it, and no other; a run acts them out again.
//!
//! Invariants: an episode holds its browser by a [`Lease`]; a browser that is worn, lost or at fault gets
//! no further episode, and is closed when its last one gives it back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::warm::WarmSeat;
use crate::browser::{Browser, BrowserError, LaunchOptions};

/// Episodes after which a browser is replaced by a fresh one, so that nothing it keeps adds up.
const EPISODES_PER_BROWSER: u32 = 100;

/// So many episodes share a browser at most, unless more are asked for.
pub(super) const MOST_SHARING: usize = 16;

/// The browsers of a run.
pub(super) struct Pool {
    launch: LaunchOptions,
    sharing: usize,
    entries: Mutex<Vec<Entry<Running>>>,
    /// Held while a browser starts: whoever waits for it may find room in the new one.
    starting: tokio::sync::Mutex<()>,
}

/// A browser and its context in reserve.
pub(super) struct Running {
    pub(super) browser: Browser,
    pub(super) seat: WarmSeat,
}

/// What is known about a browser.
struct Entry<T> {
    running: Arc<T>,
    /// Episodes in it now.
    active: usize,
    /// Episodes it had, those of now included.
    begun: u32,
    /// Whether it gets no more.
    is_retired: bool,
}

/// Whether a browser is gone.
trait Mortal {
    fn is_lost(&self) -> bool;
}

impl Mortal for Running {
    fn is_lost(&self) -> bool {
        self.browser.is_lost()
    }
}

impl<T: Mortal> Entry<T> {
    fn new(running: T) -> Self {
        Self { running: Arc::new(running), active: 0, begun: 0, is_retired: false }
    }

    /// Whether it gets further episodes, now or later.
    fn goes_on(&self) -> bool {
        !self.is_retired && self.begun < EPISODES_PER_BROWSER && !self.running.is_lost()
    }

    fn take(&mut self) -> Arc<T> {
        self.active += 1;
        self.begun += 1;
        Arc::clone(&self.running)
    }
}

/// A place in the browser with the fewest episodes that has one.
fn find_room<T: Mortal>(entries: &mut [Entry<T>], sharing: usize) -> Option<Arc<T>> {
    let free = entries.iter_mut().filter(|entry| entry.active < sharing && entry.goes_on());
    free.min_by_key(|entry| entry.active).map(Entry::take)
}

/// Takes out those that no episode is in and none will be.
fn take_done<T: Mortal>(entries: &mut Vec<Entry<T>>) -> Vec<Entry<T>> {
    entries.extract_if(.., |entry| entry.active == 0 && !entry.goes_on()).collect()
}

/// An episode's hold of a browser.
pub(super) struct Lease(Arc<Running>);

impl std::ops::Deref for Lease {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.0
    }
}

/// How many of so many jobs share a browser: all, or as many in each as few browsers as there need to be.
pub(super) fn sharing(jobs: usize) -> usize {
    let browsers = jobs.div_ceil(MOST_SHARING).max(1);
    jobs.div_ceil(browsers).max(1)
}

impl Pool {
    /// A pool that begins with the browser given, and starts others as they are needed.
    pub(super) fn new(launch: LaunchOptions, sharing: usize, first: Option<Browser>) -> Self {
        Self {
            launch,
            sharing: sharing.max(1),
            entries: Mutex::new(first.into_iter().map(entry).collect()),
            starting: tokio::sync::Mutex::default(),
        }
    }

    /// A browser for one episode, and what went wrong with a first one that did not start: it gets a
    /// second chance. `None` where `is_needless` says, once its turn to start one has come, that there is to
    /// be no episode.
    ///
    /// # Errors
    /// [`BrowserError`] when it does not start then either.
    pub(super) async fn lease(
        &self,
        is_needless: impl Fn() -> bool,
    ) -> Result<Option<(Lease, Option<BrowserError>)>, BrowserError> {
        if let Some(lease) = self.find_room() {
            return Ok(Some((lease, None)));
        }
        let _starting = self.starting.lock().await;
        if is_needless() {
            return Ok(None);
        }
        if let Some(lease) = self.find_room() {
            return Ok(Some((lease, None)));
        }
        // A browser that died with nobody in it is given back by nobody.
        self.close_done().await;
        let (browser, failed) = match Browser::launch(&self.launch).await {
            Ok(browser) => (browser, None),
            Err(error) => (Browser::launch(&self.launch).await?, Some(error)),
        };
        let mut entry = entry(browser);
        let lease = Lease(entry.take());
        self.entries().push(entry);
        Ok(Some((lease, failed)))
    }

    fn find_room(&self) -> Option<Lease> {
        find_room(&mut self.entries(), self.sharing).map(Lease)
    }

    /// Whether the browser gets further episodes.
    pub(super) fn takes_more(&self, lease: &Lease) -> bool {
        self.entries().iter().any(|entry| Arc::ptr_eq(&entry.running, &lease.0) && entry.goes_on())
    }

    /// The browser may be at fault for how an episode ended: it gets no further one.
    pub(super) fn retire(&self, lease: &Lease) {
        let mut entries = self.entries();
        let entry = entries.iter_mut().find(|entry| Arc::ptr_eq(&entry.running, &lease.0));
        if let Some(entry) = entry {
            entry.is_retired = true;
        }
    }

    /// Gives a browser back; the last one out of a browser that gets no more closes it.
    pub(super) async fn give_back(&self, lease: Lease) {
        {
            let mut entries = self.entries();
            let entry = entries.iter_mut().find(|entry| Arc::ptr_eq(&entry.running, &lease.0));
            if let Some(entry) = entry {
                entry.active = entry.active.saturating_sub(1);
            }
        }
        drop(lease);
        self.close_done().await;
    }

    async fn close_done(&self) {
        let done = take_done(&mut self.entries());
        close(done).await;
    }

    /// Ends all browsers. No episode may be under way.
    pub(super) async fn close(&self) {
        let all = std::mem::take(&mut *self.entries());
        close(all).await;
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry<Running>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn entry(browser: Browser) -> Entry<Running> {
    Entry::new(Running { browser, seat: WarmSeat::default() })
}

async fn close(entries: Vec<Entry<Running>>) {
    let closing = entries.into_iter().map(|entry| async {
        // Nobody else holds it: dropping the last hold would end it too, and not wait for that.
        if let Some(running) = Arc::into_inner(entry.running) {
            running.browser.close().await;
        }
    });
    futures_util::future::join_all(closing).await;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[derive(Default)]
    struct Fake(AtomicBool);

    impl Mortal for Fake {
        fn is_lost(&self) -> bool {
            self.0.load(Ordering::SeqCst)
        }
    }

    #[test]
    fn jobs_share_one_browser_until_there_are_too_many_for_it() {
        for jobs in 1..=MOST_SHARING {
            assert_eq!(sharing(jobs), jobs);
        }
        assert_eq!(sharing(0), 1);
        assert_eq!(sharing(MOST_SHARING + 1), 9, "two browsers, even shares");
        assert_eq!(sharing(60), 15);
        assert!((1..500).all(|jobs| sharing(jobs) <= MOST_SHARING));
    }

    #[tokio::test]
    async fn a_run_that_is_ending_starts_no_browser() {
        let pool = Pool::new(LaunchOptions::default(), 1, None);
        assert!(pool.lease(|| true).await.unwrap().is_none());
        assert!(pool.entries().is_empty());
    }

    #[test]
    fn episodes_go_where_the_fewest_are_and_never_into_a_browser_that_is_worn_lost_or_at_fault() {
        let mut entries: Vec<Entry<Fake>> = (0..4).map(|_| Entry::new(Fake::default())).collect();
        entries[0].running.0.store(true, Ordering::SeqCst);
        entries[1].is_retired = true;
        let good: Vec<_> = entries[2..].iter().map(|entry| Arc::clone(&entry.running)).collect();
        let mut held: Vec<_> = (0..4).map(|_| find_room(&mut entries, 2).expect("there is room")).collect();
        assert!(find_room(&mut entries, 2).is_none(), "two for each that is good");
        for browser in &good {
            assert_eq!(held.iter().filter(|one| Arc::ptr_eq(one, browser)).count(), 2);
        }
        // The lost one and the one at fault are empty, and go; the others do not.
        assert_eq!(take_done(&mut entries).len(), 2);
        assert_eq!(entries.len(), 2);

        // A browser that dies keeps its entry until its last episode is out of it.
        good[0].0.store(true, Ordering::SeqCst);
        assert!(take_done(&mut entries).is_empty());
        held.clear();
        for entry in &mut entries {
            entry.active = 0;
        }
        assert_eq!(take_done(&mut entries).len(), 1);

        // The one that is left wears out.
        let begun = entries[0].begun;
        for _ in begun..EPISODES_PER_BROWSER {
            find_room(&mut entries, 1).expect("it is not worn yet");
            entries[0].active = 0;
        }
        assert!(find_room(&mut entries, 1).is_none());
        assert_eq!(take_done(&mut entries).len(), 1);
    }
}
