//! The one owner of a workspace's state: every mutation goes through [`Workspace::apply`].

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::change::{Change, change};
use super::database::{Closed, Database};
use super::units::changed_units;
use super::{ApplyError, Command, StoredEvent, WorkspaceError, WorkspaceState, dense};
use crate::error::{Explain as _, Fault};
use crate::scenario::Scenario;
use crate::scenario::variation::{Content, Popup, Variation};

/// One isolated workspace: a state in memory, and one SQLite file that always holds the same
/// state with the events that led to it. Safe to share between threads; writes are one after the
/// other.
#[derive(Debug)]
pub struct Workspace {
    path: PathBuf,
    initial: Arc<WorkspaceState>,
    variation: Variation,
    /// Whether the variation's pop-up was closed. It is no part of the state: the same actions give
    /// the same state with and without it.
    popup_closed: AtomicBool,
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
    /// Whether it is the disk's fault.
    is_disk_at_fault: bool,
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
    /// Creates the file at `path`, which must not exist, and fills it from the scenario. Pages look
    /// as usual, in the scenario's language.
    ///
    /// # Errors
    /// [`WorkspaceError`] when the file exists or cannot be written.
    pub fn create(path: &Path, scenario: &Scenario) -> Result<Self, WorkspaceError> {
        Self::create_varied(path, scenario, Variation::in_language(&scenario.language))
    }

    /// The same in a variation.
    ///
    /// # Errors
    /// As [`Workspace::create`].
    pub fn create_varied(
        path: &Path,
        scenario: &Scenario,
        variation: Variation,
    ) -> Result<Self, WorkspaceError> {
        let mut state = WorkspaceState::from_scenario(scenario);
        if variation.content == Content::Dense {
            dense::fill(&mut state, &scenario.task_prompt);
        }
        let database = Database::create(path, &scenario.scenario_id, &scenario.content_hash, &state)?;
        Ok(Self::over(path.to_owned(), state, variation, Some(database)))
    }

    /// An empty workspace that can be looked at and not written to: it has no file.
    pub(crate) fn of_nobody() -> Self {
        Self::over(PathBuf::new(), WorkspaceState::of_nobody(), Variation::default(), None)
    }

    fn over(path: PathBuf, state: WorkspaceState, variation: Variation, database: Option<Database>) -> Self {
        let initial = Arc::new(state);
        Self {
            path,
            initial: Arc::clone(&initial),
            variation,
            popup_closed: AtomicBool::new(variation.popup == Popup::None),
            step: AtomicU32::new(0),
            live: Mutex::new(Live {
                state: initial,
                events: Vec::new(),
                database,
                failure: None,
                is_disk_at_fault: false,
            }),
        }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The factors its pages are shown in.
    #[must_use]
    pub const fn variation(&self) -> &Variation {
        &self.variation
    }

    /// Whether the variation's pop-up still stands in front of the pages.
    #[must_use]
    pub fn is_popup_open(&self) -> bool {
        !self.popup_closed.load(Ordering::SeqCst)
    }

    /// Closes the pop-up for good.
    pub fn close_popup(&self) {
        self.popup_closed.store(true, Ordering::SeqCst);
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
        let Live { state, events, database, failure, is_disk_at_fault } = &mut *live;
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
            units: changed_units(state, &next, app, &entity),
            entity: entity.clone(),
            payload: serde_json::to_value(command).map_err(WorkspaceError::Json)?,
        };
        if let Err(error) = database.record(&next, &event) {
            *failure = Some(error.with_cause());
            *is_disk_at_fault = error.fault() == Fault::Environment;
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

    /// The same where the disk is at fault: it is full, or cannot be written. Other episodes will fare
    /// no better.
    #[must_use]
    pub fn disk_failure(&self) -> Option<String> {
        let live = self.live();
        live.failure.clone().filter(|_| live.is_disk_at_fault)
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

#[cfg(test)]
mod tests {
    use std::process::{Command as Process, Stdio};
    use std::time::{Duration, Instant};

    use sha2::{Digest as _, Sha256};

    use super::*;
    use crate::workspace::{Addressee, CommandError, TodoCommand, read_back, samples, state_hash};

    fn send(text: &str) -> Command {
        Command::SendMessage {
            to: Addressee::Thread("thread-1".to_owned()),
            text: text.to_owned(),
            reply_to: None,
            attach: vec![],
        }
    }

    fn create(folder: &tempfile::TempDir) -> Workspace {
        Workspace::create(&folder.path().join("workspace.sqlite"), &samples::scenario()).unwrap()
    }

    #[test]
    fn the_file_holds_what_the_memory_holds() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = create(&folder);
        workspace.apply(&send("one")).unwrap();
        workspace.set_step(3);
        let applied = workspace.apply(&send("two")).unwrap();
        assert_eq!((applied.seq, applied.parent.as_str()), (2, "thread-1"));
        assert!(matches!(workspace.apply(&send(" ")), Err(ApplyError::Rejected(CommandError::Blank { .. }))));
        let open = read_back(workspace.path()).unwrap();
        let closed = workspace.close().unwrap();
        let persisted = read_back(&closed.path).unwrap();
        assert_eq!(open, persisted);
        assert_eq!(persisted.initial, samples::state());
        assert_eq!(persisted.last, *workspace.snapshot());
        assert_eq!(persisted.events, workspace.events_since(0));
        assert_eq!(persisted.events.iter().map(|event| event.step).collect::<Vec<_>>(), [0, 3]);
        assert_eq!(persisted.events[1].units[0].text, "two");
        assert_eq!((persisted.scenario_id.as_str(), persisted.content_hash.len()), ("sample", 64));
        assert_eq!(workspace.events_since(1).len(), 1);
        assert_eq!(workspace.events_since(u64::MAX).len(), 0);
    }

    #[test]
    fn closing_leaves_one_file_with_the_hash_it_tells() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = create(&folder);
        workspace.apply(&send("one")).unwrap();
        let closed = workspace.close().unwrap();
        let left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["workspace.sqlite"]);
        let bytes = std::fs::read(&closed.path).unwrap();
        assert_eq!(closed.sha256, hex::encode(Sha256::digest(&bytes)));
        assert_eq!(closed.bytes, bytes.len() as u64);
        read_back(&closed.path).unwrap();
        assert_eq!(std::fs::read(&closed.path).unwrap(), bytes, "reading back does not write");
        assert!(matches!(workspace.close(), Err(WorkspaceError::Closed)));
        assert!(matches!(workspace.apply(&send("x")), Err(ApplyError::Failed(WorkspaceError::Closed))));
    }

    #[test]
    fn nobodys_workspace_is_empty_and_stays_so() {
        let workspace = Workspace::of_nobody();
        let add = Command::Todo(TodoCommand::AddList { name: "x".to_owned() });
        assert!(matches!(workspace.apply(&add), Err(ApplyError::Failed(WorkspaceError::Closed))));
        assert_eq!(workspace.snapshot().apps, crate::scenario::model::Apps::default());
    }

    #[test]
    fn an_existing_file_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = create(&folder);
        let error = Workspace::create(workspace.path(), &samples::scenario()).unwrap_err();
        assert!(matches!(error, WorkspaceError::Exists(_)), "{error}");
    }

    #[test]
    fn the_same_commands_give_the_same_hash() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let hashes = folders.each_ref().map(|folder| {
            let workspace = create(folder);
            workspace.apply(&send("one")).unwrap();
            state_hash(&workspace.snapshot())
        });
        assert_eq!(hashes[0], hashes[1]);
        assert_ne!(hashes[0], state_hash(&samples::state()));
    }

    #[test]
    fn replaying_the_payloads_gives_the_last_state() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = create(&folder);
        for text in ["one", "two", "three"] {
            workspace.apply(&send(text)).unwrap();
        }
        let mut state = WorkspaceState::clone(&workspace.initial());
        for event in workspace.events_since(0) {
            let command: Command = serde_json::from_value(event.payload).unwrap();
            change(&mut state, &command).unwrap();
        }
        assert_eq!(state, *workspace.snapshot());
    }

    #[test]
    fn a_failed_write_stops_the_workspace_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = create(&folder);
        workspace.apply(&send("one")).unwrap();
        // Another program takes the table away.
        let other = rusqlite::Connection::open(workspace.path()).unwrap();
        other.execute_batch("DROP TABLE event").unwrap();
        let before = workspace.snapshot();
        assert!(matches!(
            workspace.apply(&send("two")),
            Err(ApplyError::Failed(WorkspaceError::Database { .. }))
        ));
        assert_eq!(*workspace.snapshot(), *before);
        assert!(matches!(
            workspace.apply(&send("three")),
            Err(ApplyError::Failed(WorkspaceError::Stopped(_)))
        ));
        assert!(workspace.failure().is_some_and(|failure| failure.contains("record an event")));
    }

    #[test]
    fn the_nth_page_does_not_fit_on_the_disk_for_every_n_and_what_was_written_is_whole() {
        let limit = |workspace: &Workspace, pages: Option<u32>| -> u32 {
            let live = workspace.live();
            let connection = live.database.as_ref().unwrap().connection();
            if let Some(pages) = pages {
                connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).unwrap();
            }
            connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap()
        };
        let long = "x".repeat(3_000);
        let write = |workspace: &Workspace| {
            (0..12).map(|number| workspace.apply(&send(&format!("{number} {long}")))).find_map(Result::err)
        };
        let folder = tempfile::tempdir().unwrap();
        let workspace = create(&folder);
        let first = limit(&workspace, None);
        assert!(write(&workspace).is_none());
        let last = limit(&workspace, None);
        assert!(last > first + 20, "{first} to {last} pages are too few to mean anything");
        for pages in first..last {
            let folder = tempfile::tempdir().unwrap();
            let workspace = create(&folder);
            limit(&workspace, Some(pages));
            let error = write(&workspace).expect("it does not fit");
            assert!(
                matches!(error, ApplyError::Failed(WorkspaceError::Database { .. })),
                "{pages} pages: {error}"
            );
            assert!(
                workspace.disk_failure().is_some_and(|failure| failure.contains("full")),
                "{pages} pages"
            );
            assert!(matches!(
                workspace.apply(&send("later")),
                Err(ApplyError::Failed(WorkspaceError::Stopped(_)))
            ));
            let closed = workspace.close().unwrap();
            let persisted = read_back(&closed.path).unwrap();
            assert_eq!(persisted.last, *workspace.snapshot(), "{pages} pages");
            assert_eq!(persisted.events, workspace.events_since(0), "{pages} pages");
        }
    }

    #[test]
    fn files_that_are_no_workspace_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.sqlite");
        assert!(matches!(read_back(&path), Err(WorkspaceError::File { .. })));
        std::fs::write(&path, "no database, but a text that is long enough to look at").unwrap();
        assert!(matches!(read_back(&path), Err(WorkspaceError::Database { .. })));
        std::fs::write(&path, "").unwrap();
        assert!(matches!(read_back(&path), Err(WorkspaceError::Damaged { .. })));
        let workspace = create(&folder);
        let other = rusqlite::Connection::open(workspace.path()).unwrap();
        other.execute("UPDATE current SET state = '[]' WHERE app = 'calendar'", []).unwrap();
        assert!(matches!(read_back(workspace.path()), Err(WorkspaceError::Damaged { .. })));
    }

    const WRITER: &str = "DISCREET_TEST_WRITER";

    /// Writes without end, in a process of its own that the test below starts and kills.
    #[test]
    #[ignore = "only the test below starts it"]
    fn writer_that_is_killed() {
        let Some(path) = std::env::var_os(WRITER) else { return };
        let workspace = Workspace::create(Path::new(&path), &samples::scenario()).unwrap();
        for number in 0_u64.. {
            workspace.apply(&send(&format!("message number {number}"))).unwrap();
        }
    }

    #[test]
    fn a_killed_process_leaves_a_readable_file() {
        for (round, wanted) in [1, 20, 150].into_iter().enumerate() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("workspace.sqlite");
            let mut writer = Process::new(std::env::current_exe().unwrap())
                .args(["--ignored", "--exact", "workspace::store::tests::writer_that_is_killed"])
                .env(WRITER, &path)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let started = Instant::now();
            let written = |path: &Path| read_back(path).map_or(0, |persisted| persisted.events.len());
            while written(&path) < wanted {
                assert!(started.elapsed() < Duration::from_mins(1), "the writer does not write");
                std::thread::yield_now();
            }
            writer.kill().unwrap();
            writer.wait().unwrap();
            let persisted = read_back(&path).unwrap();
            assert!(persisted.events.len() >= wanted, "round {round}");
            let messages = &persisted.last.apps.messenger.threads[0].messages;
            assert_eq!(messages.len(), 2 + persisted.events.len(), "state and events agree");
        }
    }
}
