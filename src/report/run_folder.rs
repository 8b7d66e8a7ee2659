//! A run's folder: one writer at a time, rows as they come, and the final rows from the traces.
//!
//! ```text
//! run.json                 what decides the results (manifest)
//! lock                     held by the writing process; the system frees it when that ends
//! results.partial.jsonl    rows in the order in which episodes ended
//! results.jsonl            rows written from the traces, ordered, all at once
//! spending.json            what its models have used so far, where there are any
//! episodes/<n>-<slug>/     one trace each
//! abandoned/<n>-<slug>.<k> attempts that a resumed run has replaced; nothing reads them
//! ```
//!
//! After a crash at any moment: `run.json` is there whole or not at all; `results.partial.jsonl`
//! may end in a torn line, which a resumed run cuts off; `results.jsonl` is there whole or not at
//! all; a trace without its last event is incomplete and is run again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::row::{EpisodeKey, Row, RowError, rows_from_jsonl, variation_text};
use super::shard::Shard;
use crate::agent::model::Spending;
use crate::error::{Explain, Fault};
use crate::trace::{Disk, RealDisk, TRACE_FILE, TraceError, Verified, verify, write_whole};

/// Name of the manifest.
pub const MANIFEST_FILE: &str = "run.json";
/// Name of the file with the final rows.
pub const RESULTS_FILE: &str = "results.jsonl";
/// Name of the folder of traces.
pub const EPISODES_FOLDER: &str = "episodes";
pub(crate) const SPENDING_FILE: &str = "spending.json";
const PARTIAL_FILE: &str = "results.partial.jsonl";
const LOCK_FILE: &str = "lock";
const ABANDONED_FOLDER: &str = "abandoned";

/// A run's folder could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunFolderError {
    /// There is a run already.
    #[error("start a run in {}: it holds one already", .path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// Something else lies there.
    #[error("start a run in {}: the folder is not empty", .path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes to it.
    #[error("lock {}: another discreet{holder} is writing to it", .path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
        /// ` (process 123)`, or empty where that is not known.
        holder: String,
    },
    /// The run there is another one.
    #[error("resume the run in {}: it differs in {}", .path.display(), .differences.join(", "))]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// A file could not be read or written.
    #[error("{doing} {}: {source}", .path.display())]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The manifest is none.
    #[error("read {}: {reason}", .path.display())]
    Manifest {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Rows could not be read.
    #[error("use {}: {source}", .path.display())]
    Row {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: RowError,
    },
}

impl Explain for RunFolderError {
    fn fault(&self) -> Fault {
        match self {
            Self::Exists { .. } | Self::NotEmpty { .. } | Self::Different { .. } => Fault::Usage,
            Self::Locked { .. } | Self::File { .. } => Fault::Environment,
            Self::Manifest { .. } => Fault::Trace,
            Self::Row { source, .. } => source.fault(),
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Exists { .. } => "give another `--out`, or go on with that run by `--resume`".to_owned(),
            Self::NotEmpty { .. } => "give a folder that is empty or not there yet".to_owned(),
            Self::Locked { .. } => "wait until it ends, or give another `--out`".to_owned(),
            Self::Different { .. } => {
                "resume with the command line the run was started with, or start another run".to_owned()
            }
            Self::File { .. } => "check free space and permissions".to_owned(),
            Self::Manifest { .. } => "the folder is no run, or was written by another version".to_owned(),
            Self::Row { source, .. } => return source.hint(),
        })
    }
}

fn file_error<'a>(
    doing: &'static str,
    path: &'a Path,
) -> impl Fn(std::io::Error) -> RunFolderError + use<'a> {
    move |source| RunFolderError::File { doing, path: path.to_owned(), source }
}

/// An episode's folder inside a run's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// Its number in the run.
    pub number: u64,
    /// Where it is.
    pub path: PathBuf,
    /// The same relative to the run's folder, as rows carry it.
    pub relative: String,
}

/// A run's folder, held for writing. The lock is freed when this is dropped.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    manifest: Manifest,
    partial: File,
    disk: Box<dyn Disk>,
    // Held, not read: closing it frees the lock.
    _lock: File,
}

/// What models have used so far, as a folder keeps it; `None` where it does not.
pub(crate) fn spending_in(folder: &Path) -> Option<Spending> {
    let path = folder.join(SPENDING_FILE);
    let bytes = std::fs::read(&path).ok()?;
    serde_json::from_slice(&bytes)
        .inspect_err(|error| tracing::warn!(file = %path.display(), %error, "it cannot be read"))
        .ok()
}

impl RunFolder {
    /// Starts a run. Without `out` the folder is `runs/<run_id>`.
    ///
    /// # Errors
    /// [`RunFolderError`] when the folder holds something, is locked, or cannot be written.
    pub fn create(out: Option<&Path>, manifest: Manifest) -> Result<Self, RunFolderError> {
        Self::create_on(out, manifest, Box::new(RealDisk))
    }

    /// As [`RunFolder::create`], over a disk of the caller's.
    ///
    /// # Errors
    /// As [`RunFolder::create`].
    pub(crate) fn create_on(
        out: Option<&Path>,
        manifest: Manifest,
        disk: Box<dyn Disk>,
    ) -> Result<Self, RunFolderError> {
        let path = Self::place(out, &manifest);
        refuse_foreign(&path)?;
        let lock = lock(&path)?;
        if path.join(MANIFEST_FILE).exists() {
            return Err(RunFolderError::Exists { path });
        }
        Self::start(path, lock, manifest, disk)
    }

    /// Goes on with a run, or starts it where there is none yet. The run there keeps its
    /// `run_id` and time of start; everything else in the manifest has to be the same.
    ///
    /// # Errors
    /// [`RunFolderError`], with a list of differences when the run there is another one.
    pub fn resume(out: Option<&Path>, manifest: Manifest) -> Result<Self, RunFolderError> {
        let mut disk = RealDisk;
        let path = Self::place(out, &manifest);
        refuse_foreign(&path)?;
        let lock = lock(&path)?;
        if !path.join(MANIFEST_FILE).exists() {
            return Self::start(path, lock, manifest, Box::new(disk));
        }
        let existing = read_manifest(&path)?;
        let mut differences = existing.differences(&manifest);
        if existing.shard != manifest.shard {
            let name = |shard: Option<Shard>| {
                shard.map_or_else(|| "all episodes".to_owned(), |shard| format!("shard {shard}"))
            };
            differences.push(format!(
                "which episodes it holds ({} there, {} here)",
                name(existing.shard),
                name(manifest.shard)
            ));
        }
        if !differences.is_empty() {
            return Err(RunFolderError::Different { path, differences });
        }
        let partial = open_partial(&path, &mut disk)?;
        Ok(Self { path, manifest: existing, partial, disk: Box::new(disk), _lock: lock })
    }

    fn place(out: Option<&Path>, manifest: &Manifest) -> PathBuf {
        out.map_or_else(|| Path::new("runs").join(slug(&manifest.run_id)), Path::to_owned)
    }

    fn start(
        path: PathBuf,
        lock: File,
        manifest: Manifest,
        mut disk: Box<dyn Disk>,
    ) -> Result<Self, RunFolderError> {
        refuse_foreign(&path)?;
        let mut text = serde_json::to_string_pretty(&manifest).expect("a manifest is plain data");
        text.push('\n');
        let episodes = path.join(EPISODES_FOLDER);
        disk.create_folder(&episodes).map_err(file_error("write", &episodes))?;
        write_file(disk.as_mut(), &path.join(MANIFEST_FILE), text.as_bytes())?;
        let partial = open_partial(&path, disk.as_mut())?;
        Ok(Self { path, manifest, partial, disk, _lock: lock })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The manifest; of a resumed run, that of its start.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Makes room for an episode's trace: names its folder, which is not there afterwards. An
    /// earlier attempt is moved to `abandoned/`, because nothing that was recorded is deleted.
    ///
    /// # Errors
    /// [`RunFolderError::File`] when the earlier attempt cannot be moved.
    pub fn episode_dir(&self, number: u64, name: &str) -> Result<Episode, RunFolderError> {
        let name = format!("{number}-{}", slug(name));
        let path = self.path.join(EPISODES_FOLDER).join(&name);
        set_aside(&self.path, &name)?;
        Ok(Episode { number, path, relative: format!("{EPISODES_FOLDER}/{name}") })
    }

    /// Appends a row to `results.partial.jsonl` and hands it to the system.
    ///
    /// # Errors
    /// [`RunFolderError::File`].
    pub fn append_partial(&mut self, row: &Row) -> Result<(), RunFolderError> {
        let path = self.path.join(PARTIAL_FILE);
        let line = format!("{}\n", row.to_line());
        self.disk.append(&mut self.partial, line.as_bytes()).map_err(file_error("write", &path))
    }

    /// Keeps what the run's models have used so far, for when it is gone on with. Rows do not tell it:
    /// what came from a cache stands in them as it was when it was asked, and what an attempt used that
    /// was acted out again stands in none.
    ///
    /// # Errors
    /// [`RunFolderError::File`].
    pub fn keep_spending(&mut self, spending: Spending) -> Result<(), RunFolderError> {
        let text = serde_json::to_string(&spending).expect("two numbers are plain data") + "\n";
        write_file(self.disk.as_mut(), &self.path.join(SPENDING_FILE), text.as_bytes())
    }

    /// What the run's models have used so far; `None` where that was not kept.
    #[must_use]
    pub fn spending(&self) -> Option<Spending> {
        spending_in(&self.path)
    }

    /// The episodes whose traces are complete and verify, with their rows: what a resumed run need
    /// not do again. Which of them it does again all the same (a lost browser) is its decision.
    ///
    /// # Errors
    /// [`RunFolderError`] when the folder cannot be read. A trace that is incomplete or broken is
    /// left out.
    pub fn finished_episodes(&self) -> Result<Vec<(Episode, Row)>, RunFolderError> {
        finished(&self.path)
    }

    /// Writes `results.jsonl` from the traces, all at once, and returns its rows in order. Episodes
    /// that have a row and no complete trace (the disk was full) keep the row they had.
    ///
    /// # Errors
    /// [`RunFolderError`] when something cannot be read or written.
    pub fn finish(mut self) -> Result<Vec<Row>, RunFolderError> {
        let rows = rows_of(&self.path, &self.manifest)?;
        let text: String = rows.iter().map(|row| row.to_line() + "\n").collect();
        write_file(self.disk.as_mut(), &self.path.join(RESULTS_FILE), text.as_bytes())?;
        Ok(rows)
    }

    /// The manifest and the rows of a run's folder, for reading: no lock is taken. The rows are
    /// those of `results.jsonl`, or made from the traces when the run has not ended.
    ///
    /// # Errors
    /// [`RunFolderError`] when the folder is no run or cannot be read.
    pub fn read(path: &Path) -> Result<(Manifest, Vec<Row>), RunFolderError> {
        let manifest = read_manifest(path)?;
        let results = path.join(RESULTS_FILE);
        let rows = if results.exists() { read_rows(&results)? } else { rows_of(path, &manifest)? };
        Ok((manifest, rows))
    }
}

impl Episode {
    /// Moves what was recorded so far to `abandoned/`, so that the episode can be acted out again.
    ///
    /// # Errors
    /// [`RunFolderError::File`] when it cannot be moved.
    pub fn set_aside(&self) -> Result<(), RunFolderError> {
        let run = self.path.ancestors().nth(2).unwrap_or(Path::new("."));
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        set_aside(run, &name)
    }
}

/// Moves an attempt out of the way, if one is there: nothing that was recorded is deleted.
fn set_aside(run: &Path, name: &str) -> Result<(), RunFolderError> {
    let path = run.join(EPISODES_FOLDER).join(name);
    if std::fs::symlink_metadata(&path).is_err() {
        return Ok(());
    }
    let abandoned = run.join(ABANDONED_FOLDER);
    std::fs::create_dir_all(&abandoned).map_err(file_error("write", &abandoned))?;
    let free = (1..=u32::MAX)
        .map(|attempt| abandoned.join(format!("{name}.{attempt}")))
        .find(|place| std::fs::symlink_metadata(place).is_err())
        .expect("there are more numbers than attempts");
    std::fs::rename(&path, &free).map_err(file_error("write", &free))
}

/// The episodes of a run's folder whose traces are complete and verify, with their rows.
pub(super) fn finished(run: &Path) -> Result<Vec<(Episode, Row)>, RunFolderError> {
    let mut finished = Vec::new();
    for episode in episodes(run)? {
        if verify(&episode.path).is_ok()
            && let Ok(row) = Row::from_trace(&episode.path, &episode.relative)
        {
            finished.push((episode, row));
        }
    }
    Ok(finished)
}

/// Puts an episode of another run's folder into this one: linked where that works, else copied.
pub(super) fn copy_episode(episode: &Episode, run: &Path) -> Result<(), RunFolderError> {
    let to = run.join(&episode.relative);
    copy_folder(&episode.path, &to)
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), RunFolderError> {
    std::fs::create_dir_all(to).map_err(file_error("write", to))?;
    for entry in std::fs::read_dir(from).map_err(file_error("read", from))? {
        let entry = entry.map_err(file_error("read", from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().map_err(file_error("read", &source))?.is_dir() {
            copy_folder(&source, &target)?;
        } else if std::fs::hard_link(&source, &target).is_err() {
            std::fs::copy(&source, &target).map_err(file_error("write", &target))?;
        }
    }
    Ok(())
}

/// An episode's folder, and what its check said.
pub type CheckedTrace = (PathBuf, Result<Verified, RunTraceError>);

/// Checks every trace of a run's folder. Where `results.jsonl` is there, each trace has to have the
/// root that its row names, so that a trace exchanged for another one that holds together is found,
/// and each row that names a trace has to have it.
///
/// # Errors
/// [`RunFolderError`] when the folder cannot be read. What is wrong with a trace is in its entry.
pub fn verify_run(path: &Path) -> Result<Vec<CheckedTrace>, RunFolderError> {
    let results = path.join(RESULTS_FILE);
    let rows = if results.exists() { read_rows(&results)? } else { Vec::new() };
    let mut roots: BTreeMap<&str, &str> = rows
        .iter()
        .filter(|row| !row.trace_root.is_empty())
        .map(|row| (row.trace.as_str(), row.trace_root.as_str()))
        .collect();
    let mut checked = Vec::new();
    for episode in episodes(path)? {
        let verified = verify(&episode.path).map_err(RunTraceError::Trace).and_then(|verified| {
            match roots.get(episode.relative.as_str()) {
                Some(named) if *named != verified.root.as_str() => {
                    Err(RunTraceError::OtherRoot { path: episode.path.clone(), named: (*named).to_owned() })
                }
                _ => Ok(verified),
            }
        });
        roots.remove(episode.relative.as_str());
        checked.push((episode.path, verified));
    }
    for missing in roots.into_keys() {
        // Joined for display only: nothing is opened under a name that a row gives.
        let place = path.join(missing);
        let error = RunTraceError::Trace(TraceError::NotATrace { path: place.clone() });
        checked.push((place, Err(error)));
    }
    Ok(checked)
}

/// A trace of a run is not what the run's results say.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunTraceError {
    /// The trace by itself.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The trace holds together, and is not the one the results were made of.
    #[error("verify {}: its root is not the one in {RESULTS_FILE}, {named}", .path.display())]
    OtherRoot {
        /// The episode's folder.
        path: PathBuf,
        /// The root in the row.
        named: String,
    },
}

impl RunTraceError {
    /// A short name for machine output.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Trace(error) => error.kind(),
            Self::OtherRoot { .. } => "other_root",
        }
    }

    /// Number of the first bad event, where there is one.
    #[must_use]
    pub fn event(&self) -> Option<u64> {
        match self {
            Self::Trace(error) => error.event(),
            Self::OtherRoot { .. } => None,
        }
    }
}

impl Explain for RunTraceError {
    fn fault(&self) -> Fault {
        Fault::Trace
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Trace(error) => error.hint(),
            Self::OtherRoot { .. } => Some(
                "the trace or the results were exchanged; take both from where they were recorded".to_owned(),
            ),
        }
    }
}

/// All rows a run's folder gives: from complete traces, else from the partial rows; ordered.
fn rows_of(path: &Path, manifest: &Manifest) -> Result<Vec<Row>, RunFolderError> {
    let mut rows: BTreeMap<EpisodeKey, Row> = BTreeMap::new();
    let partial = path.join(PARTIAL_FILE);
    if partial.exists() {
        let text = std::fs::read(&partial).map_err(file_error("read", &partial))?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let text = String::from_utf8_lossy(&text[..whole]);
        let read = rows_from_jsonl(&text);
        let read = read.map_err(|source| RunFolderError::Row { path: partial.clone(), source })?;
        // A later row of the same episode replaces an earlier one.
        rows.extend(read.into_iter().map(|row| (row.key(), row)));
    }
    for episode in episodes(path)? {
        match Row::from_trace(&episode.path, &episode.relative) {
            Ok(row) => drop(rows.insert(row.key(), row)),
            // Killed in the middle, or its disk was full: its partial row, if any, stands.
            Err(RowError::Incomplete { .. } | RowError::Trace(TraceError::NotATrace { .. })) => {}
            Err(source) => return Err(RunFolderError::Row { path: episode.path, source }),
        }
    }
    let place: BTreeMap<&str, (&str, u64)> = manifest
        .scenarios
        .iter()
        .map(|scenario| {
            (scenario.scenario_id.as_str(), (scenario.file.as_str(), scenario.line.unwrap_or_default()))
        })
        .collect();
    let mut rows: Vec<Row> = rows.into_values().collect();
    rows.sort_by_cached_key(|row| {
        let (file, line) = place.get(row.scenario_id.as_str()).copied().unwrap_or_default();
        let key = row.key();
        (
            (file.to_owned(), line, key.scenario_id),
            (key.agent, key.model, key.mode, key.observe),
            (key.defense, variation_text(&row.variation), key.trial),
        )
    });
    Ok(rows)
}

/// The episodes' folders of a run, by number.
pub(super) fn episodes(path: &Path) -> Result<Vec<Episode>, RunFolderError> {
    list_episodes(path).map_err(file_error("read", &path.join(EPISODES_FOLDER)))
}

/// The same, with what the system said where the folder cannot be listed.
pub(super) fn list_episodes(path: &Path) -> std::io::Result<Vec<Episode>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path.join(EPISODES_FOLDER))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.split_once('-').and_then(|(number, _)| number.parse().ok());
        if let Some(number) = number
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
        {
            found.push(Episode { number, path: entry.path(), relative: format!("{EPISODES_FOLDER}/{name}") });
        }
    }
    found.sort_by(|one, other| (one.number, &one.relative).cmp(&(other.number, &other.relative)));
    Ok(found)
}

pub(super) fn read_manifest(path: &Path) -> Result<Manifest, RunFolderError> {
    let file = path.join(MANIFEST_FILE);
    let unusable = |reason: String| RunFolderError::Manifest { path: file.clone(), reason };
    let bytes = match std::fs::read(&file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(unusable("it is not there".to_owned()));
        }
        Err(error) => return Err(file_error("read", &file)(error)),
    };
    serde_json::from_slice(&bytes).map_err(|error| unusable(error.to_string()))
}

fn read_rows(path: &Path) -> Result<Vec<Row>, RunFolderError> {
    let text = std::fs::read_to_string(path).map_err(file_error("read", path))?;
    rows_from_jsonl(&text).map_err(|source| RunFolderError::Row { path: path.to_owned(), source })
}

/// Refuses a folder that holds something and no run, before anything is written into it.
fn refuse_foreign(path: &Path) -> Result<(), RunFolderError> {
    if path.join(MANIFEST_FILE).exists() {
        return Ok(());
    }
    let mut entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(file_error("read", path)(error)),
    };
    // A process that was killed, or whose disk was full, before its manifest was written leaves the
    // lock, perhaps an empty folder, and perhaps its temporary file.
    let is_empty = |name: &std::ffi::OsStr| {
        std::fs::read_dir(path.join(name)).is_ok_and(|mut inside| inside.next().is_none())
    };
    let is_ours = |name: &std::ffi::OsStr| {
        name == LOCK_FILE || name == "run.json.partial" || (name == EPISODES_FOLDER && is_empty(name))
    };
    if entries.any(|entry| entry.is_ok_and(|entry| !is_ours(&entry.file_name()))) {
        return Err(RunFolderError::NotEmpty { path: path.to_owned() });
    }
    Ok(())
}

/// Makes the folder and takes its lock, without waiting.
pub(crate) fn lock(path: &Path) -> Result<File, RunFolderError> {
    std::fs::create_dir_all(path).map_err(file_error("write", path))?;
    let file_path = path.join(LOCK_FILE);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&file_path)
        .map_err(file_error("write", &file_path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            // Only for the message: what cannot be read is left out of it.
            let _ = (&mut file).take(32).read_to_string(&mut text);
            let holder = match text.trim().parse::<u32>() {
                Ok(process) => format!(" (process {process})"),
                Err(_) => String::new(),
            };
            return Err(RunFolderError::Locked { path: path.to_owned(), holder });
        }
        Err(TryLockError::Error(source)) => return Err(file_error("write", &file_path)(source)),
    }
    file.set_len(0)
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .map_err(file_error("write", &file_path))?;
    Ok(file)
}

/// Opens the partial rows for appending and cuts off a torn last line.
fn open_partial(path: &Path, disk: &mut dyn Disk) -> Result<File, RunFolderError> {
    let path = path.join(PARTIAL_FILE);
    if path.exists() {
        let bytes = std::fs::read(&path).map_err(file_error("read", &path))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        if whole < bytes.len() {
            let file = OpenOptions::new().write(true).open(&path).map_err(file_error("write", &path))?;
            file.set_len(whole as u64).map_err(file_error("write", &path))?;
        }
    }
    disk.open_file(&path).map_err(file_error("write", &path))
}

/// Writes a file of the folder, whole or not at all.
fn write_file(disk: &mut dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), RunFolderError> {
    write_whole(disk, path, bytes).map_err(file_error("write", path))
}

/// A name that is safe as a part of a path on any system: `[A-Za-z0-9._-]`, at most 80 characters,
/// not starting with a dot.
fn slug(name: &str) -> String {
    let fits = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-');
    let mut slug: String =
        name.chars().take(80).map(|character| if fits(character) { character } else { '-' }).collect();
    if slug.is_empty() || slug.starts_with('.') {
        slug.insert(0, '_');
    }
    slug
}

/// The folders of a run's episodes, by number; none where it cannot be listed.
#[must_use]
pub fn episode_folders(run: &Path) -> Vec<PathBuf> {
    episodes(run).unwrap_or_default().into_iter().map(|episode| episode.path).collect()
}

/// Whether a folder holds a trace of its own.
#[must_use]
pub fn is_episode(path: &Path) -> bool {
    std::fs::symlink_metadata(path.join(TRACE_FILE)).is_ok()
}

/// Whether a folder is a run's.
#[must_use]
pub fn is_run(path: &Path) -> bool {
    path.join(EPISODES_FOLDER).is_dir()
}

#[cfg(test)]
#[path = "run_folder_tests.rs"]
mod tests;
