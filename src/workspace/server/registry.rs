//! Which workspaces a server holds, by their tokens.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;

use super::super::Workspace;
use super::blocked::{BlockedLog, BlockedRequest};

/// What opens a workspace on a server. Tokens are 128 random bits in hex; they are secrets of this
/// process and appear in no trace, log or page.
#[derive(Clone, PartialEq, Eq)]
pub struct Registration {
    /// Value of the cookie [`COOKIE`](super::COOKIE), and of `/enter/TOKEN`.
    pub token: String,
    /// Value of the header [`CONTROL_HEADER`](super::CONTROL_HEADER).
    pub control_token: String,
}

impl std::fmt::Debug for Registration {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Registration(masked)")
    }
}

/// How busy a workspace's pages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activity {
    /// Requests being answered now.
    pub in_flight: u32,
    /// Requests since the start.
    pub requests: u64,
    /// When the last request came or was answered; `None` before the first.
    pub last: Option<Instant>,
}

/// One workspace on a server.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) workspace: Arc<Workspace>,
    token: String,
    control_token: String,
    activity: watch::Sender<Activity>,
    blocked: Mutex<BlockedLog>,
    /// Turns true when the workspace is removed; its doors close then.
    removed: watch::Sender<bool>,
}

impl Entry {
    pub(super) fn note_blocked(&self, method: &str, target: &str, reason: &str) {
        lock(&self.blocked).note(method, target, reason);
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    pub(super) fn removal(&self) -> watch::Receiver<bool> {
        self.removed.subscribe()
    }

    /// Counts a request until the guard is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> InFlight {
        self.activity.send_modify(|activity| {
            activity.in_flight += 1;
            activity.requests += 1;
            activity.last = Some(Instant::now());
        });
        InFlight { entry: Arc::clone(self) }
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct InFlight {
    entry: Arc<Entry>,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.entry.activity.send_modify(|activity| {
            activity.in_flight = activity.in_flight.saturating_sub(1);
            activity.last = Some(Instant::now());
        });
    }
}

/// All workspaces of a server.
#[derive(Debug, Default)]
pub(super) struct Registry {
    entries: Mutex<Tokens>,
    /// Refused requests that no workspace could be told for.
    blocked: Mutex<BlockedLog>,
}

#[derive(Debug, Default)]
struct Tokens {
    by_token: HashMap<String, Arc<Entry>>,
    by_control_token: HashMap<String, Arc<Entry>>,
}

impl Registry {
    pub(super) fn add(&self, workspace: Arc<Workspace>) -> Registration {
        let registration = Registration { token: random_token(), control_token: random_token() };
        let entry = Arc::new(Entry {
            workspace,
            token: registration.token.clone(),
            control_token: registration.control_token.clone(),
            activity: watch::Sender::new(Activity { in_flight: 0, requests: 0, last: None }),
            blocked: Mutex::default(),
            removed: watch::Sender::new(false),
        });
        let mut tokens = lock(&self.entries);
        tokens.by_control_token.insert(registration.control_token.clone(), Arc::clone(&entry));
        tokens.by_token.insert(registration.token.clone(), entry);
        registration
    }

    pub(super) fn remove(&self, token: &str) -> Option<Arc<Workspace>> {
        let mut tokens = lock(&self.entries);
        let entry = tokens.by_token.remove(token)?;
        tokens.by_control_token.remove(&entry.control_token);
        entry.removed.send_replace(true);
        Some(Arc::clone(&entry.workspace))
    }

    pub(super) fn entry(&self, token: &str) -> Option<Arc<Entry>> {
        lock(&self.entries).by_token.get(token).cloned()
    }

    pub(super) fn controlled_entry(&self, control_token: &str) -> Option<Arc<Entry>> {
        lock(&self.entries).by_control_token.get(control_token).cloned()
    }

    pub(super) fn activity(&self, token: &str) -> Option<watch::Receiver<Activity>> {
        self.entry(token).map(|entry| entry.activity.subscribe())
    }

    pub(super) fn note_blocked(&self, entry: Option<&Arc<Entry>>, method: &str, target: &str, reason: &str) {
        tracing::debug!(method, target, reason, "refused a request");
        match entry {
            Some(entry) => entry.note_blocked(method, target, reason),
            None => lock(&self.blocked).note(method, target, reason),
        }
    }

    pub(super) fn blocked_since(&self, token: Option<&str>, seq: u64) -> Vec<BlockedRequest> {
        match token {
            Some(token) => self.entry(token).map(|entry| lock(&entry.blocked).since(seq)).unwrap_or_default(),
            None => lock(&self.blocked).since(seq),
        }
    }
}

/// Where a connection came in.
#[derive(Debug, Clone)]
pub(super) struct Door {
    pub(super) registry: Arc<Registry>,
    /// The address that is listened on.
    pub(super) address: SocketAddr,
    /// The only workspace this door leads to; `None` for the main door, which leads to all.
    pub(super) only: Option<watch::Receiver<Arc<Entry>>>,
}

impl Door {
    /// The only workspace this door leads to now.
    pub(super) fn only(&self) -> Option<Arc<Entry>> {
        self.only.as_ref().map(|leads_to| Arc::clone(&leads_to.borrow()))
    }
}

fn random_token() -> String {
    hex::encode(rand::random::<[u8; 16]>())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every critical section here is a few map or vector operations that cannot panic half-way.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
