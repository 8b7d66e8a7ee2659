//! The folder of a generation, as far as the viewer shows it: the lines of the search and its scenarios.
//!
//! Read as plain JSON and within bounds: what writes the folder stands above this module, and a folder may
//! come from anywhere.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// Name of the file with what decides a generation.
pub const MANIFEST_FILE: &str = "generate.json";
/// Name of the file with a line per iteration.
pub const LINES_FILE: &str = "search.jsonl";
/// Name of the folder with the scenarios of the tree.
pub const NODES_FOLDER: &str = "nodes";
/// Most bytes of a file that are read.
const MAX_BYTES: u64 = 256 << 20;
/// Most bytes of a scenario.
const MAX_SCENARIO_BYTES: u64 = 16 << 20;

/// Whether a folder holds a generation.
pub(super) fn is_search(folder: &Path) -> bool {
    folder.join(MANIFEST_FILE).is_file()
}

/// The lines and the names of the seeds; `problems` says what could not be read.
pub(super) fn search_list(folder: &Path) -> Value {
    let name = folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
    let mut problems: Vec<String> = Vec::new();
    let manifest = bounded(&folder.join(MANIFEST_FILE), MAX_BYTES)
        .and_then(|text| serde_json::from_str::<Value>(&text).map_err(|error| error.to_string()))
        .unwrap_or_else(|error| {
            problems.push(format!("{MANIFEST_FILE}: {error}"));
            Value::Null
        });
    let seeds = manifest.get("seeds").and_then(Value::as_array).into_iter().flatten();
    let seeds: Vec<&str> = seeds.filter_map(|seed| seed.get("scenario_id")?.as_str()).collect();
    let mut lines: Vec<Value> = Vec::new();
    match File::open(folder.join(LINES_FILE)) {
        Ok(file) => {
            for (number, line) in BufReader::new(file.take(MAX_BYTES)).lines().enumerate() {
                let line = line.map_err(|error| error.to_string());
                match line.and_then(|line| read_line(&line)) {
                    Ok(line) => lines.push(line),
                    Err(error) => problems.push(format!("line {} of {LINES_FILE}: {error}", number + 1)),
                }
                // A file that is no record has one fault, not a million.
                if problems.len() > 5 {
                    break;
                }
            }
        }
        Err(error) => problems.push(format!("{LINES_FILE}: {error}")),
    }
    let settings = manifest.get("settings").cloned().unwrap_or_default();
    json!({ "name": name, "settings": settings, "seeds": seeds, "lines": lines, "problems": problems })
}

/// A line with the members that the page counts on.
fn read_line(text: &str) -> Result<Value, String> {
    let mut line: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let has_text = |name: &str| line.get(name).is_some_and(Value::is_string);
    if !["parent", "child", "strategy", "fate"].into_iter().all(has_text) {
        return Err("it is no line of a search".to_owned());
    }
    if !line["answers"].is_array() {
        line["answers"] = json!([]);
    }
    if !line["reward"].is_number() {
        line["reward"] = Value::Null;
    }
    Ok(line)
}

/// Names of the scenarios that can be shown.
pub(super) fn scenarios(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join(NODES_FOLDER)).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let id = name.strip_suffix(".json")?;
        is_id(id).then(|| id.to_owned())
    });
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

/// A scenario of the tree; `None` where there is none of that name.
pub(super) fn scenario(folder: &Path, id: &str) -> Option<Value> {
    let path: PathBuf = is_id(id).then(|| folder.join(NODES_FOLDER).join(format!("{id}.json")))?;
    serde_json::from_str(&bounded(&path, MAX_SCENARIO_BYTES).ok()?).ok()
}

/// Letters of an id, and never a path.
fn is_id(id: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    !id.is_empty() && id.len() <= 128 && !id.starts_with('.') && id.chars().all(fits)
}

fn bounded(path: &Path, most: u64) -> Result<String, String> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(most).read_to_string(&mut text))
        .map_err(|error| error.to_string())?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(lines: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let manifest = json!({"seeds": [{"scenario_id": "a__1", "hash": ""}, 3], "settings": {"seed": 1}});
        std::fs::write(folder.path().join(MANIFEST_FILE), manifest.to_string()).unwrap();
        std::fs::write(folder.path().join(LINES_FILE), lines).unwrap();
        std::fs::create_dir(folder.path().join(NODES_FOLDER)).unwrap();
        folder
    }

    #[test]
    fn lines_are_listed_and_what_is_none_is_said() {
        let line = json!({"parent": "a__1", "child": "a__g1_00001", "strategy": "densify", "fate": "kept"});
        let folder = folder(&format!("{line}\n{{\"x\": 1}}\nnot json\n"));
        assert!(is_search(folder.path()) && !is_search(&folder.path().join(NODES_FOLDER)));
        let list = search_list(folder.path());
        assert_eq!(list["seeds"], json!(["a__1"]));
        assert_eq!(list["lines"].as_array().unwrap().len(), 1);
        assert_eq!(list["lines"][0]["answers"], json!([]));
        assert_eq!(list["problems"].as_array().unwrap().len(), 2);
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(search_list(empty.path())["problems"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_scenario_is_found_by_its_id_and_by_nothing_else() {
        let folder = folder("");
        std::fs::write(folder.path().join(NODES_FOLDER).join("a__g1_00001.json"), "{\"a\": 1}").unwrap();
        assert_eq!(scenarios(folder.path()), ["a__g1_00001"]);
        assert_eq!(scenario(folder.path(), "a__g1_00001"), Some(json!({"a": 1})));
        for id in ["", "..", "../generate", "a/b", "a__g1_00002", &"x".repeat(200)] {
            assert_eq!(scenario(folder.path(), id), None, "{id}");
        }
    }
}
