//! Files and folders: finding scenario files and reading them within bounds.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::error::{Finding, Position, Problem, ScenarioError};
use super::json::{self, Json, JsonPath, ParseFailure};
use super::loaded::{LoadedFile, LoadedScenario};
use super::read;

/// Largest scenario file, in bytes.
pub const MAXIMUM_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Most scenarios in one file.
const MAXIMUM_SCENARIOS: usize = 20_000;
/// Most files below the named paths.
const MAXIMUM_FILES: usize = 100_000;
/// Deepest folder below a named one.
const MAXIMUM_FOLDER_DEPTH: usize = 64;

/// Loads every scenario of the files and folders, in the order of `paths`, within a folder by path,
/// within a file by position.
///
/// A folder stands for every `*.json` and `*.jsonl` below it. `*.jsonl` holds a scenario per line, any
/// other file one scenario or a list of them. A file that is reached twice (also through a link) is
/// loaded once. Nothing a file holds stops the others: each fault is the result of its own entry. A
/// scenario id that an earlier entry has is a fault of the later one.
#[must_use]
pub fn load_paths(paths: &[PathBuf]) -> Vec<LoadedFile> {
    let mut finder = Finder::default();
    for path in paths {
        finder.named(path);
    }
    let mut loaded: Vec<LoadedFile> = Vec::new();
    for found in finder.found {
        match found.problem {
            Some(problem) => loaded.push(refused(&found.file, None, problem)),
            None => match read_text(&found.file) {
                Ok(text) => loaded.extend(load_text(&found.file, &text)),
                Err(problem) => loaded.push(refused(&found.file, None, problem)),
            },
        }
    }
    refuse_duplicate_ids(&mut loaded);
    loaded
}

/// Loads the scenarios of a text as if it were the content of `file`, whose name decides whether it is
/// JSON Lines. Scenario ids are not compared.
#[must_use]
pub fn load_text(file: &Path, text: &str) -> Vec<LoadedFile> {
    if text.starts_with('\u{feff}') {
        return vec![refused(file, None, Problem::ByteOrderMark)];
    }
    if text.trim().is_empty() {
        return vec![refused(file, None, Problem::Empty)];
    }
    if has_extension(file, "jsonl") {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let pieces = lines.map(|(index, line)| Piece {
            text: line,
            start: Position { line: index + 1, column: 1 },
            prefix: JsonPath::default(),
            line: Some(index + 1),
        });
        return load_pieces(file, pieces.collect());
    }
    match json::parse_file(text) {
        Ok(Json::Array(documents)) if documents.is_empty() => vec![refused(file, None, Problem::Empty)],
        Ok(Json::Array(_)) => {
            let items = json::items(text).into_iter().enumerate();
            let pieces = items.map(|(index, (text, start))| Piece {
                text,
                start,
                prefix: JsonPath::default().index(index),
                line: Some(start.line),
            });
            load_pieces(file, pieces.collect())
        }
        Ok(document) => vec![load_document(file, &Piece::whole(text), &document)],
        Err(failure) => vec![refused_piece(file, &Piece::whole(text), failure)],
    }
}

/// Loads the scenario that a trace records, which is without its ground truth. A placeholder stands for
/// that: it is not part of the scenario's content hash, and nothing an agent or workspace is given
/// depends on it.
///
/// # Errors
/// What is wrong with it, as text: it was no file.
pub fn load_recorded(public_json: &serde_json::Value) -> Result<Box<LoadedScenario>, String> {
    let mut document = public_json.clone();
    let Some(members) = document.as_object_mut() else {
        return Err("the scenario could not be loaded when it was recorded".to_owned());
    };
    let placeholder = serde_json::json!({ "must_share": ["-"], "must_not_share": ["-"] });
    members.insert("ground_truth".to_owned(), placeholder);
    match load_text(Path::new("scenario.json"), &document.to_string()).pop() {
        Some(LoadedFile { result: Ok(loaded), .. }) => Ok(loaded),
        Some(LoadedFile { result: Err(error), .. }) => Err(error.to_string()),
        None => Err("the scenario is empty".to_owned()),
    }
}

/// The text of one scenario inside a file.
struct Piece<'a> {
    text: &'a str,
    /// Where it starts in the file.
    start: Position,
    /// Its path in the file.
    prefix: JsonPath,
    /// The line it starts on, in a file with several.
    line: Option<usize>,
}

impl<'a> Piece<'a> {
    fn whole(text: &'a str) -> Self {
        Self { text, start: Position { line: 1, column: 1 }, prefix: JsonPath::default(), line: None }
    }

    /// A place in the piece as a place in the file.
    fn place(&self, within: Position) -> Position {
        let column = if within.line == 1 { self.start.column + within.column - 1 } else { within.column };
        Position { line: self.start.line + within.line - 1, column }
    }
}

fn load_pieces(file: &Path, mut pieces: Vec<Piece<'_>>) -> Vec<LoadedFile> {
    let is_too_many = pieces.len() > MAXIMUM_SCENARIOS;
    pieces.truncate(MAXIMUM_SCENARIOS);
    let mut loaded: Vec<LoadedFile> = pieces
        .iter()
        .map(|piece| match json::parse(piece.text) {
            Ok(document) => load_document(file, piece, &document),
            Err(failure) => refused_piece(file, piece, failure),
        })
        .collect();
    if is_too_many {
        loaded.push(refused(file, None, Problem::TooManyScenarios { most: MAXIMUM_SCENARIOS }));
    }
    loaded
}

fn load_document(file: &Path, piece: &Piece<'_>, document: &Json) -> LoadedFile {
    let read = read::read(document);
    let mut findings = read.findings.into_iter().map(|(path, problem)| Finding {
        position: Some(piece.place(json::locate(piece.text, &path))),
        path: path.below(&piece.prefix).to_string(),
        problem,
    });
    let result = match (read.scenario, findings.next()) {
        (Some(scenario), None) => Ok(scenario),
        (_, first) => {
            // Nothing was read and nothing found only where the reader itself is at fault.
            let unexplained = || Finding { path: String::new(), position: None, problem: Problem::Empty };
            let first = first.unwrap_or_else(unexplained);
            let others = findings.collect();
            Err(ScenarioError { file: file.to_owned(), scenario_id: read.scenario_id, first, others })
        }
    };
    LoadedFile { file: file.to_owned(), line: piece.line, result }
}

fn refused_piece(file: &Path, piece: &Piece<'_>, failure: ParseFailure) -> LoadedFile {
    let first = Finding {
        path: failure.path.below(&piece.prefix).to_string(),
        position: Some(piece.place(failure.position)),
        problem: failure.problem,
    };
    let error = ScenarioError { file: file.to_owned(), scenario_id: None, first, others: Vec::new() };
    LoadedFile { file: file.to_owned(), line: piece.line, result: Err(error) }
}

fn refused(file: &Path, line: Option<usize>, problem: Problem) -> LoadedFile {
    let first = Finding { path: String::new(), position: None, problem };
    let error = ScenarioError { file: file.to_owned(), scenario_id: None, first, others: Vec::new() };
    LoadedFile { file: file.to_owned(), line, result: Err(error) }
}

fn refuse_duplicate_ids(loaded: &mut [LoadedFile]) {
    let mut first_use: HashMap<String, String> = HashMap::new();
    for entry in loaded {
        let Ok(scenario) = &entry.result else { continue };
        let id = scenario.scenario.scenario_id.clone();
        let place = match entry.line {
            Some(line) => format!("{}:{line}", entry.file.display()),
            None => entry.file.display().to_string(),
        };
        if let Some(first) = first_use.get(&id) {
            let problem = Problem::DuplicateId { id: id.clone(), first: first.clone() };
            let finding = Finding { path: "scenario_id".to_owned(), position: None, problem };
            entry.result = Err(ScenarioError {
                file: entry.file.clone(),
                scenario_id: Some(id),
                first: finding,
                others: Vec::new(),
            });
        } else {
            first_use.insert(id, place);
        }
    }
}

/// Reads a file that has been found, within the bounds; its size is asked for before a byte is read.
fn read_text(file: &Path) -> Result<String, Problem> {
    let unreadable = |error: std::io::Error| Problem::Unreadable { reason: error.kind().to_string() };
    let metadata = fs::metadata(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Problem::NotFound,
        _ => unreadable(error),
    })?;
    // Opening a pipe would wait for a writer.
    if !metadata.is_file() {
        return Err(Problem::NotRegular);
    }
    if metadata.len() > MAXIMUM_FILE_BYTES {
        return Err(Problem::TooLarge { bytes: metadata.len(), most: MAXIMUM_FILE_BYTES });
    }
    let mut bytes = Vec::new();
    // The file may grow, or lie about its size, while it is read.
    File::open(file)
        .and_then(|file| file.take(MAXIMUM_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    let size = bytes.len() as u64;
    if size > MAXIMUM_FILE_BYTES {
        return Err(Problem::TooLarge { bytes: size, most: MAXIMUM_FILE_BYTES });
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(Problem::ByteOrderMark);
    }
    String::from_utf8(bytes).map_err(|error| Problem::NotUtf8 { offset: error.utf8_error().valid_up_to() })
}

struct Found {
    file: PathBuf,
    problem: Option<Problem>,
}

/// Collects files, each once, without following a link in a circle.
#[derive(Default)]
struct Finder {
    found: Vec<Found>,
    seen: HashSet<PathBuf>,
    is_full: bool,
}

impl Finder {
    /// A path the caller named: a folder is searched, anything else is taken for a file.
    fn named(&mut self, path: &Path) {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.folder(path, 0),
            Ok(_) => self.file(path.to_owned()),
            Err(error) => {
                let problem = match error.kind() {
                    std::io::ErrorKind::NotFound => Problem::NotFound,
                    kind => Problem::Unreadable { reason: kind.to_string() },
                };
                self.refuse(path, problem);
            }
        }
    }

    fn folder(&mut self, folder: &Path, depth: usize) {
        if depth > MAXIMUM_FOLDER_DEPTH {
            let problem = Problem::TooMuchInFolder { most: MAXIMUM_FOLDER_DEPTH, what: "nested folders" };
            self.refuse(folder, problem);
            return;
        }
        if !self.is_new(folder) {
            return;
        }
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                self.refuse(folder, Problem::Unreadable { reason: error.kind().to_string() });
                return;
            }
        };
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in entries {
            match entry {
                Ok(entry) => paths.push(entry.path()),
                Err(error) => {
                    self.refuse(folder, Problem::Unreadable { reason: error.kind().to_string() });
                    break;
                }
            }
        }
        paths.sort();
        for path in paths {
            if self.is_full {
                return;
            }
            // Follows links, so that a folder may be put together from several; a link that leads
            // nowhere is a fault only where its name says that it is a scenario.
            let is_folder = fs::metadata(&path).is_ok_and(|metadata| metadata.is_dir());
            if is_folder {
                self.folder(&path, depth + 1);
            } else if has_extension(&path, "json") || has_extension(&path, "jsonl") {
                self.file(path);
            }
        }
    }

    fn file(&mut self, file: PathBuf) {
        if !self.is_new(&file) || self.is_full {
            return;
        }
        if self.found.len() >= MAXIMUM_FILES {
            self.is_full = true;
            self.refuse(&file, Problem::TooMuchInFolder { most: MAXIMUM_FILES, what: "files" });
            return;
        }
        self.found.push(Found { file, problem: None });
    }

    fn refuse(&mut self, file: &Path, problem: Problem) {
        self.found.push(Found { file: file.to_owned(), problem: Some(problem) });
    }

    /// Whether what the path leads to was not seen before.
    fn is_new(&mut self, path: &Path) -> bool {
        fs::canonicalize(path).map_or(true, |real| self.seen.insert(real))
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
