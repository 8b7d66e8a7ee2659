//! The one owner of a workspace's state: every mutation goes through [`Workspace::apply`].

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::change::{Change, change};
use super::database::{Closed, Database};
use super::units::units_of;
use super::{ApplyError, Command, StoredEvent, WorkspaceError, WorkspaceState};
use crate::scenario::Scenario;

/// One isolated workspace: a state in memory, and one SQLite file that always holds the same
/// state with the events that led to it. Safe to share between threads; writes are one after the
/// other.
#[derive(Debug)]
pub struct Workspace {
    path: PathBuf,
    initial: Arc<WorkspaceState>,
    step: AtomicU32,
    live: Mutex<Live>,
}

#[derive(Debug)]
struct Live {
    state: Arc<WorkspaceState>,
    events: Vec<StoredEvent>,
    /// `None` once closed.
    database: Option<Database>,
    /// Why writing failed; nothing is written after that.
    failure: Option<String>,
}

/// What a command that was carried out wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// Number of its event.
    pub seq: u64,
    /// The entity that was written or removed, such as `message-13`.
    pub entity: String,
    /// What holds the entity: the thread of a message or draft, the list of a task; otherwise the
    /// entity itself.
    pub parent: String,
}

impl Workspace {
    /// Creates the file at `path`, which must not exist, and fills it from the scenario.
    ///
    /// # Errors
    /// [`WorkspaceError`] when the file exists or cannot be written.
    pub fn create(path: &Path, scenario: &Scenario) -> Result<Self, WorkspaceError> {
        let initial = Arc::new(WorkspaceState::from_scenario(scenario));
        let database = Database::create(path, &scenario.scenario_id, &scenario.content_hash, &initial)?;
        Ok(Self {
            path: path.to_owned(),
            initial: Arc::clone(&initial),
            step: AtomicU32::new(0),
            live: Mutex::new(Live {
                state: initial,
                events: Vec::new(),
                database: Some(database),
                failure: None,
            }),
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Says which of the agent's steps the following events belong to; 0 before the first.
    pub fn set_step(&self, step: u32) {
        self.step.store(step, Ordering::SeqCst);
    }

    /// Carries a command out: the state changes, the virtual clock advances by a minute, and the
    /// event is on file before this returns.
    ///
    /// # Errors
    /// [`ApplyError::Rejected`] when the command is no good: nothing changed.
    /// [`ApplyError::Failed`] when it could not be recorded: nothing changed either, and every
    /// later command fails as well, so that no write goes missing between two others.
    pub fn apply(&self, command: &Command) -> Result<Applied, ApplyError> {
        let mut live = self.live();
        let Live { state, events, database, failure } = &mut *live;
        if let Some(failure) = failure {
            return Err(WorkspaceError::Stopped(failure.clone()).into());
        }
        let database = database.as_mut().ok_or(WorkspaceError::Closed)?;
        let mut next = WorkspaceState::clone(state);
        let Change { app, kind, entity, parent } = change(&mut next, command)?;
        let event = StoredEvent {
            seq: events.len() as u64 + 1,
            step: self.step.load(Ordering::SeqCst),
            at: state.now,
            app,
            kind: kind.to_owned(),
            units: units_of(&next, app, &entity),
            entity: entity.clone(),
            payload: serde_json::to_value(command).map_err(WorkspaceError::Json)?,
        };
        if let Err(error) = database.record(&next, &event) {
            *failure = Some(error.to_string());
            return Err(error.into());
        }
        let applied = Applied { seq: event.seq, entity, parent };
        *state = Arc::new(next);
        events.push(event);
        Ok(applied)
    }

    /// The state now. Cheap: the state itself is never changed, only replaced.
    #[must_use]
    pub fn snapshot(&self) -> Arc<WorkspaceState> {
        Arc::clone(&self.live().state)
    }

    /// The state at the start.
    #[must_use]
    pub fn initial(&self) -> Arc<WorkspaceState> {
        Arc::clone(&self.initial)
    }

    /// The events after number `seq`; all with 0.
    #[must_use]
    pub fn events_since(&self, seq: u64) -> Vec<StoredEvent> {
        let live = self.live();
        let skipped = usize::try_from(seq).unwrap_or(usize::MAX);
        live.events.get(skipped..).unwrap_or_default().to_vec()
    }

    /// Why the workspace could not record a write or serve a page, if that ever happened: then the
    /// episode is not to be trusted.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.live().failure.clone()
    }

    /// Notes a failure of the server; the first one stands.
    pub(super) fn note_failure(&self, what: &str) {
        self.live().failure.get_or_insert_with(|| what.to_owned());
    }

    /// Brings everything into the one file, without `-wal` and `-shm` beside it, closes it, and
    /// hashes it. The state stays readable in memory.
    ///
    /// # Errors
    /// [`WorkspaceError::Closed`] the second time; others when the file cannot be written.
    pub fn close(&self) -> Result<Closed, WorkspaceError> {
        let database = self.live().database.take().ok_or(WorkspaceError::Closed)?;
        database.close()
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        // The state is replaced as a whole and only after the write, so a panic elsewhere leaves
        // nothing half done.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
