//! Which runs and episodes there are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use super::search::{is_search, search_list};
use crate::error::{Explain, Fault};
use crate::report::place::{episode_at, runs_below};
use crate::report::row::Row;
use crate::report::run_folder::{RunFolder, episodes, is_episode};
use crate::trace::{BLOBS_FOLDER, Event, MAX_BLOB_BYTES, Reader, picture_type};

/// Nothing can be shown.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// There is no run and no trace.
    #[error("view {}: it holds no run, no trace and no generation", .path.display())]
    Nothing {
        /// The folder.
        path: PathBuf,
    },
}

impl Explain for LibraryError {
    fn fault(&self) -> Fault {
        Fault::Trace
    }

    fn hint(&self) -> Option<String> {
        Some(
            "name a run's folder, an episode's folder, its `trace.jsonl`, or the folder of a generation"
                .to_owned(),
        )
    }
}

/// An episode that can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shelved {
    /// Its number in the run; 1 for a trace by itself.
    pub(super) number: u64,
    /// Its folder.
    pub(super) folder: PathBuf,
}

/// Runs and episodes that can be looked at.
#[derive(Debug)]
pub struct Library {
    runs: Vec<Shelf>,
    /// Where episodes were found: a page asks for an episode's pictures one by one, and a run's folder is
    /// not listed for each of them.
    places: Mutex<HashMap<(usize, u64), PathBuf>>,
    /// The folder of a generation.
    search: Option<PathBuf>,
}

/// A run, or a trace by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shelf {
    Run(PathBuf),
    Trace(PathBuf),
}

impl Library {
    /// Finds what a path stands for: a run, a folder of runs, an episode's folder or its `trace.jsonl`,
    /// or the folder of a generation.
    ///
    /// # Errors
    /// [`LibraryError::Nothing`].
    pub fn open(path: &Path) -> Result<Self, LibraryError> {
        let nothing = || LibraryError::Nothing { path: path.to_owned() };
        if let Some(folder) = episode_at(path).filter(|folder| is_episode(folder)) {
            return Ok(Self::of(vec![Shelf::Trace(folder)]));
        }
        if is_search(path) {
            return Ok(Self { search: Some(path.to_owned()), ..Self::of(Vec::new()) });
        }
        let runs: Vec<Shelf> = runs_below(path).into_iter().map(Shelf::Run).collect();
        if runs.is_empty() { Err(nothing()) } else { Ok(Self::of(runs)) }
    }

    fn of(runs: Vec<Shelf>) -> Self {
        Self { runs, places: Mutex::default(), search: None }
    }

    /// Whether this is one trace and no run.
    #[must_use]
    pub fn is_single(&self) -> bool {
        matches!(self.runs.as_slice(), [Shelf::Trace(_)])
    }

    /// The folder of a generation, where it is one.
    pub(super) fn search(&self) -> Option<&Path> {
        self.search.as_deref()
    }

    /// Number of runs.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// The episodes of a run, by number.
    pub(super) fn shelved(&self, run: usize) -> Vec<Shelved> {
        match self.runs.get(run) {
            None => Vec::new(),
            Some(Shelf::Trace(folder)) => vec![Shelved { number: 1, folder: folder.clone() }],
            Some(Shelf::Run(folder)) => episodes(folder)
                .unwrap_or_default()
                .into_iter()
                .map(|episode| Shelved { number: episode.number, folder: episode.path })
                .collect(),
        }
    }

    /// The folder of an episode; `None` when there is none of that number.
    pub(super) fn episode(&self, run: usize, number: u64) -> Option<PathBuf> {
        if let Shelf::Trace(folder) = self.runs.get(run)? {
            return (number == 1).then(|| folder.clone());
        }
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        // One that is not known may be new, and one that was known be gone: a run goes on meanwhile.
        if !places.get(&(run, number)).is_some_and(|folder| folder.is_dir()) {
            places.retain(|(other, _), _| *other != run);
            places.extend(self.shelved(run).into_iter().map(|one| ((run, one.number), one.folder)));
        }
        places.get(&(run, number)).cloned()
    }

    /// All runs with a line per episode, as the list shows them. A run that cannot be read is listed
    /// with what is wrong.
    #[must_use]
    pub fn list(&self) -> Value {
        let runs = self.runs.iter().map(|shelf| match shelf {
            Shelf::Run(folder) => run_list(folder),
            Shelf::Trace(folder) => trace_list(folder),
        });
        let search = self.search().map(search_list);
        json!({ "version": env!("CARGO_PKG_VERSION"), "single": self.is_single(), "runs": runs.collect::<Vec<_>>(), "search": search })
    }
}

fn run_list(folder: &Path) -> Value {
    let name = folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
    let (manifest, rows) = match RunFolder::read(folder) {
        Ok(read) => read,
        Err(error) => {
            let there = episodes(folder).unwrap_or_default();
            let lines: Vec<Value> =
                there.iter().map(|episode| unfinished(episode.number, &episode.path)).collect();
            return json!({ "name": name, "error": error.to_string(), "episodes": lines });
        }
    };
    let there = episodes(folder).unwrap_or_default();
    let numbers: BTreeMap<&str, u64> =
        there.iter().map(|episode| (episode.relative.as_str(), episode.number)).collect();
    let mut lines: Vec<Value> =
        rows.iter().map(|row| line(row, numbers.get(row.trace.as_str()).copied())).collect();
    let with_row: BTreeSet<u64> =
        rows.iter().filter_map(|row| numbers.get(row.trace.as_str()).copied()).collect();
    let missing = there.iter().filter(|episode| !with_row.contains(&episode.number));
    lines.extend(missing.map(|episode| unfinished(episode.number, &episode.path)));
    json!({
        "name": name,
        "run_id": manifest.run_id,
        "created": manifest.created.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        "browser": manifest.browser,
        "episodes": lines,
    })
}

fn trace_list(folder: &Path) -> Value {
    let name = folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
    let episode = match Row::from_trace(folder, "") {
        Ok(row) => line(&row, Some(1)),
        Err(_) => unfinished(1, folder),
    };
    json!({ "name": name, "episodes": [episode] })
}

/// A row without its long texts, which the episode's own view has.
fn line(row: &Row, number: Option<u64>) -> Value {
    let apps: BTreeSet<&str> = row.disclosures.iter().map(|one| one.app.as_str()).collect();
    let variation = crate::report::row::variation_text(&row.variation);
    let reference =
        row.reference.as_ref().map(|one| json!({ "utility": one.utility, "leaked": one.leaked_items.len() }));
    json!({
        "number": number,
        "scenario_id": row.scenario_id,
        "seed_family": row.seed_family,
        "failure_mode": row.failure_mode,
        "agent": row.agent,
        "model": row.model,
        "mode": row.mode,
        "observe": row.observe,
        "defense": row.defense,
        "variation": variation,
        "trial": row.trial,
        "steps": row.steps,
        "invalid": row.invalid_actions,
        "repeated": row.repeated_actions,
        "outcome": row.outcome.name(),
        "scored": row.is_scored(),
        "utility": row.utility,
        "completed": row.completed,
        "refused": row.refused,
        "leaked": row.leaked,
        "leaked_items": row.leaked_items,
        "partial_items": row.partial_items,
        "misdirected": row.misdirected,
        "transient": row.transient,
        "drafts": row.drafts,
        "severity": row.severity,
        "reference": reference,
        "apps": apps,
        "usage": row.usage,
        "total_ms": row.timing.total_ms,
        "error": row.error,
    })
}

/// An episode without a row: killed in the middle, still running, or broken.
fn unfinished(number: u64, folder: &Path) -> Value {
    let first = Reader::open(folder).ok().and_then(|mut reader| reader.next());
    let started = match first {
        Some(Ok(recorded)) => match recorded.event {
            Event::EpisodeStarted(started) => Some(started),
            _ => None,
        },
        _ => None,
    };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let text = |pick: fn(&crate::trace::EpisodeStarted) -> &String| {
        started.as_ref().map(|started| pick(started).clone()).unwrap_or_default()
    };
    let scenario = text(|started| &started.scenario_id);
    json!({
        "number": number,
        "scenario_id": if scenario.is_empty() { name } else { scenario },
        "seed_family": text(|started| &started.seed_family),
        "failure_mode": text(|started| &started.failure_mode),
        "agent": text(|started| &started.agent),
        "model": null,
        "mode": text(|started| &started.mode),
        "observe": text(|started| &started.observe),
        "defense": text(|started| &started.defense),
        "variation": "",
        "trial": started.as_ref().map_or(1, |started| started.trial),
        "outcome": "unfinished",
        "scored": false,
        "leaked_items": [],
        "apps": [],
    })
}

/// The bytes of a blob, with the type it may be shown as. The name is checked: it can be no path.
pub(super) fn blob(folder: &Path, name: &str) -> Option<(Vec<u8>, &'static str)> {
    let (hash, extension) = name.split_once('.')?;
    let is_hash =
        hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    let is_extension = (1..=8).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if !is_hash || !is_extension {
        return None;
    }
    let path = folder.join(BLOBS_FOLDER).join(name);
    // Asked before opening: a link is not followed, a pipe not waited for.
    let about = std::fs::symlink_metadata(&path).ok()?;
    if !about.is_file() || about.len() > MAX_BLOB_BYTES as u64 {
        return None;
    }
    let kind = picture_type(extension).unwrap_or("text/plain; charset=utf-8");
    Some((std::fs::read(path).ok()?, kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{TRACE_FILE, testing};

    #[test]
    fn a_blobs_name_can_be_no_path() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let blobs = std::fs::read_dir(folder.path().join(BLOBS_FOLDER)).unwrap();
        let name = blobs
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .find(|name| name.ends_with("png"));
        assert_eq!(blob(folder.path(), &name.unwrap()).unwrap().1, "image/png");
        for bad in [
            "../trace.jsonl",
            "trace.jsonl",
            "",
            ".",
            &format!("{}.PNG", "0".repeat(64)),
            &format!("{}./", "0".repeat(64)),
        ] {
            assert!(blob(folder.path(), bad).is_none(), "{bad}");
        }
        let linked = format!("{}.txt", "1".repeat(64));
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join(BLOBS_FOLDER).join(&linked)).unwrap();
        assert!(blob(folder.path(), &linked).is_none());
    }

    #[test]
    fn a_trace_by_itself_and_one_that_is_cut_off_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let library = Library::open(folder.path()).unwrap();
        assert!(library.is_single());
        let list = library.list();
        assert_eq!(list["runs"][0]["episodes"][0]["outcome"], "finished");
        assert_eq!(list["runs"][0]["episodes"][0]["number"], 1);
        let path = folder.path().join(TRACE_FILE);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
        let list = Library::open(&path).unwrap().list();
        assert_eq!(list["runs"][0]["episodes"][0]["outcome"], "unfinished");
        assert_eq!(library.episode(0, 1).unwrap(), folder.path());
        assert_eq!((library.episode(0, 2), library.episode(1, 1)), (None, None));
        let empty = tempfile::tempdir().unwrap();
        assert!(matches!(Library::open(empty.path()), Err(LibraryError::Nothing { .. })));
    }
}
