//! The SQLite file of one workspace.
//!
//! Three tables hold what happened: `initial`, written once, and `current` with one row per app in
//! canonical JSON (and one, `workspace`, for clock, language and counters), and the append-only
//! `event`. A write-ahead log keeps the file readable if the process is killed between two writes,
//! and both tables of a write change in one transaction.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::canonical::canonical_json;
use super::{App, StoredEvent, WorkspaceError, WorkspaceState};

/// Version of the tables, in `user_version`.
const FORMAT: i64 = 1;

const TABLES: &str = "
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE initial (app TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE current (app TEXT PRIMARY KEY, state TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE event (
        seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, at TEXT NOT NULL, app TEXT NOT NULL,
        kind TEXT NOT NULL, entity TEXT NOT NULL, payload TEXT NOT NULL, units TEXT NOT NULL);
    PRAGMA user_version = 1;
";

/// An open file that is written.
#[derive(Debug)]
pub(super) struct Database {
    path: PathBuf,
    connection: Connection,
}

/// Everything a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Persisted {
    /// Id of the scenario the workspace was filled from.
    pub scenario_id: String,
    /// Content hash of that scenario.
    pub content_hash: String,
    /// The state at the start.
    pub initial: WorkspaceState,
    /// The state after the last event.
    pub last: WorkspaceState,
    /// All events, by `seq`.
    pub events: Vec<StoredEvent>,
}

/// A workspace's file after it was closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The file; nothing lies beside it any more.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
}

impl Database {
    /// Creates the file with the initial state in it.
    pub(super) fn create(
        path: &Path,
        scenario_id: &str,
        content_hash: &str,
        state: &WorkspaceState,
    ) -> Result<Self, WorkspaceError> {
        // Made here and not by SQLite, which would open an existing file.
        match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(WorkspaceError::Exists(path.to_owned()));
            }
            Err(source) => {
                return Err(WorkspaceError::File { doing: "create", path: path.to_owned(), source });
            }
        }
        let failed =
            |source| WorkspaceError::Database { doing: "create tables", path: path.to_owned(), source };
        let mut connection = Connection::open(path).map_err(failed)?;
        // Until the initial state is in, the file is worth nothing, so nothing waits for the disk.
        connection.pragma_update(None, "synchronous", "OFF").map_err(failed)?;
        connection.pragma_update(None, "journal_mode", "MEMORY").map_err(failed)?;
        let rows = rows(state)?;
        let transaction = connection.transaction().map_err(failed)?;
        transaction.execute_batch(TABLES).map_err(failed)?;
        for (name, value) in [("scenario_id", scenario_id), ("content_hash", content_hash)] {
            transaction.execute("INSERT INTO about VALUES (?1, ?2)", params![name, value]).map_err(failed)?;
        }
        for (app, json) in &rows {
            for table in ["INSERT INTO initial VALUES (?1, ?2)", "INSERT INTO current VALUES (?1, ?2)"] {
                transaction.execute(table, params![app, json]).map_err(failed)?;
            }
        }
        transaction.commit().map_err(failed)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
        Ok(Self { path: path.to_owned(), connection })
    }

    /// For tests that make it fail.
    #[cfg(test)]
    pub(super) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Appends an event and brings the rows it changed up to date, both or neither.
    pub(super) fn record(
        &mut self,
        state: &WorkspaceState,
        event: &StoredEvent,
    ) -> Result<(), WorkspaceError> {
        let changed =
            [(event.app.name(), app_json(state, event.app)?), ("workspace", workspace_json(state)?)];
        let payload = json(&event.payload)?;
        let units = json(&event.units)?;
        let path = &self.path;
        let failed =
            |source| WorkspaceError::Database { doing: "record an event", path: path.clone(), source };
        let transaction = self.connection.transaction().map_err(failed)?;
        transaction
            .prepare_cached("INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
            .and_then(|mut insert| {
                insert.execute(params![
                    i64::try_from(event.seq).unwrap_or(i64::MAX),
                    event.step,
                    event.at.to_string(),
                    event.app.name(),
                    event.kind,
                    event.entity,
                    payload,
                    units,
                ])
            })
            .map_err(failed)?;
        for (app, json) in &changed {
            transaction
                .prepare_cached("UPDATE current SET state = ?2 WHERE app = ?1")
                .and_then(|mut update| update.execute(params![app, json]))
                .map_err(failed)?;
        }
        transaction.commit().map_err(failed)
    }

    /// Brings everything into the one file and closes it.
    pub(super) fn close(self) -> Result<Closed, WorkspaceError> {
        let Self { path, connection } = self;
        let failed = |source| WorkspaceError::Database { doing: "close", path: path.clone(), source };
        connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
            .map_err(failed)?;
        // Leaving the write-ahead log removes the two files beside the database.
        let mode: String =
            connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0)).map_err(failed)?;
        if mode != "delete" {
            let what = format!("somebody else has it open (journal mode `{mode}`)");
            return Err(WorkspaceError::Damaged { path, what });
        }
        connection.close().map_err(|(_, source)| failed(source))?;
        let (bytes, sha256) = hash_file(&path).map_err(|source| WorkspaceError::File {
            doing: "hash",
            path: path.clone(),
            source,
        })?;
        Ok(Closed { path, bytes, sha256 })
    }
}

/// Reads everything from a workspace's file, without writing to it. Works on the file of a killed
/// process too, as long as its `-wal` lies beside it.
///
/// # Errors
/// [`WorkspaceError::File`] or [`WorkspaceError::Database`] when it cannot be read,
/// [`WorkspaceError::Damaged`] when it is no workspace of this version.
pub fn read_back(path: &Path) -> Result<Persisted, WorkspaceError> {
    let failed = |source| WorkspaceError::Database { doing: "read", path: path.to_owned(), source };
    let damaged = |what: String| WorkspaceError::Damaged { path: path.to_owned(), what };
    // SQLite's own message for a missing file names no reason.
    File::open(path).map_err(|source| WorkspaceError::File {
        doing: "read",
        path: path.to_owned(),
        source,
    })?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    let format: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
    if format != FORMAT {
        return Err(damaged(format!("format {format} is not known, only {FORMAT}")));
    }
    let about = |name: &str| {
        connection
            .query_row("SELECT value FROM about WHERE name = ?1", [name], |row| row.get::<_, String>(0))
            .map_err(failed)
    };
    let table = |query: &str| -> Result<WorkspaceState, WorkspaceError> {
        let mut statement = connection.prepare(query).map_err(failed)?;
        let rows = statement
            .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
            .and_then(Iterator::collect::<Result<Vec<(String, String)>, _>>)
            .map_err(failed)?;
        state(rows).map_err(|error| damaged(format!("a state is not readable: {error}")))
    };
    let initial = table("SELECT app, state FROM initial")?;
    let last = table("SELECT app, state FROM current")?;
    let mut statement = connection
        .prepare("SELECT seq, step, at, app, kind, entity, payload, units FROM event ORDER BY seq")
        .map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    let mut events = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let columns = EventColumns {
            seq: row.get(0).map_err(failed)?,
            step: row.get(1).map_err(failed)?,
            at: row.get(2).map_err(failed)?,
            app: row.get(3).map_err(failed)?,
            kind: row.get(4).map_err(failed)?,
            entity: row.get(5).map_err(failed)?,
            payload: row.get(6).map_err(failed)?,
            units: row.get(7).map_err(failed)?,
        };
        let seq = columns.seq;
        let event =
            columns.event().map_err(|error| damaged(format!("event {seq} is not readable: {error}")))?;
        if event.seq != events.len() as u64 + 1 {
            return Err(damaged(format!("event {seq} stands where event {} is due", events.len() + 1)));
        }
        events.push(event);
    }
    Ok(Persisted {
        scenario_id: about("scenario_id")?,
        content_hash: about("content_hash")?,
        initial,
        last,
        events,
    })
}

struct EventColumns {
    seq: i64,
    step: u32,
    at: String,
    app: String,
    kind: String,
    entity: String,
    payload: String,
    units: String,
}

impl EventColumns {
    fn event(self) -> Result<StoredEvent, serde_json::Error> {
        Ok(StoredEvent {
            seq: u64::try_from(self.seq).unwrap_or(0),
            step: self.step,
            at: from_text(self.at)?,
            app: from_text(self.app)?,
            kind: self.kind,
            entity: self.entity,
            payload: serde_json::from_str(&self.payload)?,
            units: serde_json::from_str(&self.units)?,
        })
    }
}

/// A value whose JSON form is a string.
fn from_text<T: DeserializeOwned>(text: String) -> Result<T, serde_json::Error> {
    serde_json::from_value(Value::String(text))
}

fn json<T: Serialize>(value: &T) -> Result<String, WorkspaceError> {
    canonical_json(value).map_err(WorkspaceError::Json)
}

fn app_json(state: &WorkspaceState, app: App) -> Result<String, WorkspaceError> {
    let apps = &state.apps;
    match app {
        App::Messenger => json(&apps.messenger),
        App::Calendar => json(&apps.calendar),
        App::Todo => json(&apps.todo),
        App::Maps => json(&apps.maps),
        App::CodeEditor => json(&apps.code_editor),
        App::Shop => json(&apps.shop),
    }
}

fn workspace_json(state: &WorkspaceState) -> Result<String, WorkspaceError> {
    let WorkspaceState { now, language, apps: _, counters } = state;
    json(&serde_json::json!({ "now": now, "language": language, "counters": counters }))
}

fn rows(state: &WorkspaceState) -> Result<Vec<(&'static str, String)>, WorkspaceError> {
    let mut rows = vec![("workspace", workspace_json(state)?)];
    for app in App::ALL {
        rows.push((app.name(), app_json(state, app)?));
    }
    Ok(rows)
}

/// The state from its rows: the `workspace` row's members beside the apps'.
fn state(rows: Vec<(String, String)>) -> Result<WorkspaceState, serde_json::Error> {
    let mut members = serde_json::Map::new();
    let mut apps = serde_json::Map::new();
    for (name, json) in rows {
        let value: Value = serde_json::from_str(&json)?;
        match value {
            Value::Object(workspace) if name == "workspace" => members.extend(workspace),
            value => {
                apps.insert(name, value);
            }
        }
    }
    members.insert("apps".to_owned(), Value::Object(apps));
    serde_json::from_value(Value::Object(members))
}

/// Size and SHA-256 of a file.
fn hash_file(path: &Path) -> std::io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, hex::encode(hasher.finalize())));
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
}
