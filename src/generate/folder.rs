//! A generation on disk.
//!
//! ```text
//! generate.json            the seeds, and everything else that decides what comes out
//! search.jsonl             one line per iteration; a round is written at once
//! nodes/ID.json            every scenario of the tree, seeds included, canonical
//! scenarios/MODE/ID.json   the kept ones, with `ID.cert` beside them
//! spending.json            what models have used so far, where there are any
//! lock                     held by the writing process
//! ```

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::GenerateError;
use super::line::Line;
use super::settings::Settings;
use crate::agent::model::Spending;
use crate::episode::certify::Certificate;
use crate::report::viewer::{
    SEARCH_LINES_FILE as LINES_FILE, SEARCH_MANIFEST_FILE as MANIFEST_FILE,
    SEARCH_NODES_FOLDER as NODES_FOLDER,
};
use crate::report::{RunFolderError, SPENDING_FILE, lock_folder, spending_in};
use crate::scenario::canonical;
use crate::trace::write_whole_among_others;

/// Name of the folder with the kept scenarios.
pub const SCENARIOS_FOLDER: &str = "scenarios";

const FORMAT: u32 = 1;
/// The largest record that is gone on with.
const MAX_BYTES: u64 = 1 << 30;
/// The largest scenario of the tree that is read.
const MAX_NODE_BYTES: u64 = 16 << 20;

/// A scenario that a generation starts from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedRecord {
    /// Its id.
    pub scenario_id: String,
    /// Its hash with its ground truth.
    pub hash: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: u32,
    discreet_version: String,
    settings: Settings,
    seeds: Vec<SeedRecord>,
}

/// The folder of a generation, held for writing.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    lines: File,
    // Held, not read: closing it frees the lock.
    _lock: File,
}

impl Folder {
    /// Starts a generation in a folder that is empty or not there, or goes on with the one there: the
    /// lines of its whole rounds. What a process that was killed left of a round is taken away.
    ///
    /// # Errors
    /// [`GenerateError`] where the folder is taken, locked, or cannot be written; where it is gone on with
    /// and other seeds or settings were recorded.
    pub fn open(
        path: &Path,
        settings: &Settings,
        seeds: &[SeedRecord],
        resume: bool,
    ) -> Result<(Self, Vec<Line>), GenerateError> {
        let wanted = Manifest {
            format: FORMAT,
            discreet_version: env!("CARGO_PKG_VERSION").to_owned(),
            settings: settings.clone(),
            seeds: seeds.to_vec(),
        };
        let manifest_path = path.join(MANIFEST_FILE);
        let is_there = manifest_path.exists();
        if is_there && !resume {
            return Err(GenerateError::Taken {
                path: path.to_owned(),
                what: "it holds a generation already",
            });
        }
        if !is_there && holds_something(path)? {
            return Err(GenerateError::Taken { path: path.to_owned(), what: "the folder is not empty" });
        }
        let lock = lock_folder(path)?;
        if is_there {
            check_same(path, &manifest_path, &wanted)?;
        } else {
            write_json(&manifest_path, &wanted)?;
        }
        let lines_path = path.join(LINES_FILE);
        let mut lines = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&lines_path)
            .map_err(file_error("write", &lines_path))?;
        let recorded = read_lines(path, &lines_path, &mut lines)?;
        let folder = Self { path: path.to_owned(), lines, _lock: lock };
        folder.remove_leftovers(&recorded, seeds)?;
        Ok((folder, recorded))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A scenario of the tree that was recorded under this hash.
    ///
    /// # Errors
    /// [`GenerateError::Different`] where it is not there any more as it was.
    pub fn node(&self, id: &str, hash: &str) -> Result<Value, GenerateError> {
        let path = self.node_path(id);
        let differs = |what: String| GenerateError::Different { path: self.path.clone(), what };
        let mut text = String::new();
        File::open(&path)
            .and_then(|file| file.take(MAX_NODE_BYTES).read_to_string(&mut text))
            .map_err(|error| differs(format!("{} cannot be read: {error}", path.display())))?;
        let document: Value = serde_json::from_str(&text)
            .map_err(|error| differs(format!("{} is no JSON: {error}", path.display())))?;
        if canonical::hash(&document) == hash {
            Ok(document)
        } else {
            Err(differs(format!("{} was changed", path.display())))
        }
    }

    /// Writes a scenario of the tree.
    ///
    /// # Errors
    /// [`GenerateError::Folder`].
    pub fn write_node(&self, id: &str, document: &Value) -> Result<(), GenerateError> {
        let mut text = canonical::to_string(document);
        text.push('\n');
        write(&self.node_path(id), text.as_bytes())
    }

    /// Writes a kept scenario and its certificate.
    ///
    /// # Errors
    /// [`GenerateError::Folder`].
    pub fn keep(
        &self,
        mode: &str,
        id: &str,
        document: &Value,
        certificate: Option<&Certificate>,
    ) -> Result<(), GenerateError> {
        let folder = self.path.join(SCENARIOS_FOLDER).join(folder_name(mode));
        write_json(&folder.join(format!("{id}.json")), document)?;
        match certificate {
            Some(certificate) => write_json(&folder.join(format!("{id}.cert")), certificate),
            None => Ok(()),
        }
    }

    /// Adds the lines of a round, all or, where the process is killed, none that will be read again.
    ///
    /// # Errors
    /// [`GenerateError::Folder`].
    pub fn append(&mut self, lines: &[Line]) -> Result<(), GenerateError> {
        let mut text = String::new();
        for line in lines {
            text.push_str(&serde_json::to_string(line).unwrap_or_default());
            text.push('\n');
        }
        let path = self.path.join(LINES_FILE);
        self.lines
            .write_all(text.as_bytes())
            .and_then(|()| self.lines.sync_data())
            .map_err(file_error("write", &path))?;
        Ok(())
    }

    /// Keeps what models have used so far, for when the generation is gone on with: lines tell what answers
    /// take, and a round that was not recorded has none.
    ///
    /// # Errors
    /// [`GenerateError::Folder`].
    pub fn keep_spending(&self, spending: Spending) -> Result<(), GenerateError> {
        if spending == Spending::default() {
            return Ok(());
        }
        write_json(&self.path.join(SPENDING_FILE), &spending)
    }

    /// What models have used so far; `None` where that was not kept.
    #[must_use]
    pub fn spending(&self) -> Option<Spending> {
        spending_in(&self.path)
    }

    fn node_path(&self, id: &str) -> PathBuf {
        // Ids are checked when a scenario is loaded: they are no paths.
        self.path.join(NODES_FOLDER).join(format!("{id}.json"))
    }

    /// Removes scenarios of a round that was not recorded.
    fn remove_leftovers(&self, lines: &[Line], seeds: &[SeedRecord]) -> Result<(), GenerateError> {
        let children = lines.iter().filter(|line| line.hash.is_some()).map(|line| line.child.as_str());
        let in_tree: BTreeSet<&str> =
            seeds.iter().map(|seed| seed.scenario_id.as_str()).chain(children).collect();
        let kept: BTreeSet<&str> =
            lines.iter().filter(|line| line.is_kept()).map(|line| line.child.as_str()).collect();
        remove_others(&self.path.join(NODES_FOLDER), &in_tree)?;
        let scenarios = self.path.join(SCENARIOS_FOLDER);
        let modes = std::fs::read_dir(&scenarios).into_iter().flatten().flatten();
        for mode in modes.map(|entry| entry.path()).filter(|path| path.is_dir()) {
            remove_others(&mode, &kept)?;
        }
        Ok(())
    }
}

/// Removes the scenarios and certificates that have none of these ids.
/// What the name of a file ends in that was being written.
const PARTIAL: &str = "partial";

/// Removes the scenarios and certificates of others, and what a killed process was writing.
fn remove_others(folder: &Path, ids: &BTreeSet<&str>) -> Result<(), GenerateError> {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if ending == PARTIAL || ["json", "cert"].contains(&ending) && !ids.contains(id) {
            std::fs::remove_file(&path).map_err(file_error("remove", &path))?;
        }
    }
    Ok(())
}

fn holds_something(path: &Path) -> Result<bool, GenerateError> {
    match std::fs::read_dir(path) {
        // A process that was killed at once leaves the lock, and what it was writing.
        Ok(entries) => Ok(entries.flatten().any(|entry| {
            let name = PathBuf::from(entry.file_name());
            name.as_os_str() != "lock" && name.extension().is_none_or(|ending| ending != PARTIAL)
        })),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(file_error("read", path)(error)),
    }
}

/// Compares what was recorded with what is asked for now.
fn check_same(path: &Path, manifest_path: &Path, wanted: &Manifest) -> Result<(), GenerateError> {
    let differs = |what: String| GenerateError::Different { path: path.to_owned(), what };
    let text = std::fs::read_to_string(manifest_path).map_err(file_error("read", manifest_path))?;
    let recorded: Manifest = serde_json::from_str(&text)
        .map_err(|error| differs(format!("{MANIFEST_FILE} cannot be used: {error}")))?;
    if recorded == *wanted {
        return Ok(());
    }
    let value = |manifest: &Manifest| serde_json::to_value(&manifest.settings).unwrap_or_default();
    let (old, new) = (value(&recorded), value(wanted));
    let mut names: Vec<String> = old
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, value)| new.get(name.as_str()) != Some(value))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if recorded.seeds != wanted.seeds {
        names.push("the seeds".to_owned());
    }
    if (recorded.format, &recorded.discreet_version) != (wanted.format, &wanted.discreet_version) {
        names.push("the version".to_owned());
    }
    Err(differs(format!("it was started with other values of {}", names.join(", "))))
}

/// The lines of whole rounds; what follows them is cut off.
fn read_lines(path: &Path, lines_path: &Path, file: &mut File) -> Result<Vec<Line>, GenerateError> {
    let differs = |what: String| GenerateError::Different { path: path.to_owned(), what };
    let mut text = String::new();
    (&*file).take(MAX_BYTES).read_to_string(&mut text).map_err(file_error("read", lines_path))?;
    let mut lines: Vec<Line> = Vec::new();
    let (mut whole, mut read, mut of_round) = (0, 0, 0);
    let (mut end_of_whole, mut count_of_whole) = (0, 0);
    for (number, piece) in text.split_inclusive('\n').enumerate() {
        if !piece.ends_with('\n') {
            break;
        }
        let line: Line = serde_json::from_str(piece)
            .map_err(|error| differs(format!("line {} of {LINES_FILE}: {error}", number + 1)))?;
        let is_next = line.iteration == number as u64 + 1
            && (line.round == whole + 1 && line.round_size > 0 && of_round < line.round_size);
        if !is_next {
            return Err(differs(format!("line {} of {LINES_FILE} is out of order", number + 1)));
        }
        read += piece.len();
        of_round += 1;
        let is_last = of_round == line.round_size;
        lines.push(line);
        if is_last {
            whole += 1;
            of_round = 0;
            (end_of_whole, count_of_whole) = (read, lines.len());
        }
    }
    lines.truncate(count_of_whole);
    if end_of_whole < text.len() {
        file.set_len(end_of_whole as u64).map_err(file_error("write", lines_path))?;
    }
    Ok(lines)
}

/// A failure mode as the name of a folder.
fn folder_name(mode: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let name: String = mode.chars().take(64).map(|letter| if fits(letter) { letter } else { '_' }).collect();
    if name.is_empty() { "other".to_owned() } else { name }
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), GenerateError> {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    write(path, text.as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), GenerateError> {
    write_whole_among_others(path, bytes).map_err(file_error("write", path))
}

fn file_error<'a>(doing: &'static str, path: &'a Path) -> impl Fn(std::io::Error) -> GenerateError + use<'a> {
    move |source| RunFolderError::File { doing, path: path.to_owned(), source }.into()
}

#[cfg(test)]
mod tests {
    use super::super::testing::line;
    use super::*;

    fn round(first: u64, round: u64, size: usize) -> Vec<Line> {
        let number = |index: usize| first + index as u64;
        (0..size).map(|index| Line { round, round_size: size, ..line(number(index)) }).collect()
    }

    fn open(path: &Path, resume: bool) -> Result<(Folder, Vec<Line>), GenerateError> {
        Folder::open(path, &Settings::default(), &[], resume)
    }

    #[test]
    fn whole_rounds_are_read_again_and_the_rest_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let (mut out, none) = open(&path, false).unwrap();
        assert!(none.is_empty());
        out.append(&round(1, 1, 3)).unwrap();
        out.append(&round(4, 2, 2)).unwrap();
        drop(out);
        let whole = std::fs::read(path.join(LINES_FILE)).unwrap();
        let third = serde_json::to_string(&round(6, 3, 2)[0]).unwrap();
        for torn in ["{\"iteration\":6,", &format!("{third}\n"), &format!("{third}\n{{\"it")] {
            let mut bytes = whole.clone();
            bytes.extend_from_slice(torn.as_bytes());
            std::fs::write(path.join(LINES_FILE), bytes).unwrap();
            let (mut out, lines) = open(&path, true).unwrap();
            assert_eq!(lines.len(), 5, "{torn}");
            assert_eq!(std::fs::read(path.join(LINES_FILE)).unwrap(), whole);
            out.append(&round(6, 3, 2)).unwrap();
            drop(out);
            assert_eq!(open(&path, true).unwrap().1.len(), 7);
        }
    }

    #[test]
    fn what_is_taken_changed_or_another_generation_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let (mut out, _) = open(&path, false).unwrap();
        out.append(&round(1, 1, 2)).unwrap();
        let document = serde_json::json!({"a": 1});
        out.write_node("n1", &document).unwrap();
        assert_eq!(out.node("n1", &canonical::hash(&document)).unwrap(), document);
        assert!(out.node("n1", "other").unwrap_err().to_string().contains("was changed"));
        assert!(matches!(open(&path, true), Err(GenerateError::Folder(_))), "it is locked");
        drop(out);
        assert!(matches!(open(&path, false), Err(GenerateError::Taken { .. })));
        let other = Settings { seed: 7, ..Settings::default() };
        let error = Folder::open(&path, &other, &[], true).unwrap_err().to_string();
        assert!(error.contains("`seed`"), "{error}");
        let seed = SeedRecord { scenario_id: "a".to_owned(), hash: String::new() };
        let error = Folder::open(&path, &Settings::default(), &[seed], true).unwrap_err().to_string();
        assert!(error.contains("the seeds"), "{error}");
        let lines = std::fs::read_to_string(path.join(LINES_FILE)).unwrap();
        std::fs::write(path.join(LINES_FILE), lines.replace("\"iteration\":2", "\"iteration\":3")).unwrap();
        assert!(open(&path, true).unwrap_err().to_string().contains("line 2"));
        let full = folder.path().join("full");
        std::fs::create_dir(&full).unwrap();
        std::fs::write(full.join("letter.txt"), "dear").unwrap();
        assert!(matches!(open(&full, true), Err(GenerateError::Taken { .. })));
    }

    #[test]
    fn scenarios_of_a_round_that_was_not_recorded_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let (out, _) = open(&path, false).unwrap();
        out.keep("../evil mode", "n1", &serde_json::json!({}), None).unwrap();
        out.write_node("n1", &serde_json::json!({})).unwrap();
        let kept = path.join(SCENARIOS_FOLDER).join("___evil_mode").join("n1.json");
        assert!(kept.exists(), "a mode is no path");
        drop(out);
        open(&path, true).unwrap();
        assert!(!kept.exists() && !path.join(NODES_FOLDER).join("n1.json").exists());
    }
}
