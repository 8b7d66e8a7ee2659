//! `discreet export` and `discreet import`: scenarios in the layout of the public data set.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::{exit_code, output};
use crate::scenario::{LoadedScenario, load_paths, rows};

/// Writes scenarios as rows of a data set: JSON Lines, with states and ground truth as strings.
///
/// Every command takes such a file where it takes scenarios; `import` makes one file per scenario of
/// it again. Nothing is lost either way, and the content hash stays the same.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet export scenarios > rows.jsonl
  discreet export scenarios/visual_co_location --out rows.jsonl

Exit codes: 0 every scenario is written; 4 none found; 6 the file cannot be written; 7 a file is
unusable (the others are written).")]
pub(crate) struct ExportArguments {
    /// Scenario files, and folders with them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The file to write; an older one is replaced [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Makes one scenario file of each row of a data set.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  discreet import rows.jsonl --out scenarios/imported

Exit codes: 0 every scenario is written; 2 a file of that name is there; 4 none found; 6 a file cannot
be written; 7 a row is unusable (the others are written).")]
pub(crate) struct ImportArguments {
    /// Files with rows, or scenario files of any form
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The folder in which `ID.json` is written for each
    #[arg(long, required = true, value_name = "DIR")]
    out: PathBuf,
}

/// The usable scenarios, and the exit code that the unusable ones ask for.
fn load(paths: &[PathBuf]) -> Result<(Vec<LoadedScenario>, u8), u8> {
    let files = load_paths(paths);
    if files.is_empty() {
        output::note("error: failed to find a scenario there");
        output::note("hint: name a `.json` or `.jsonl` file, or a folder that holds some");
        return Err(exit_code::NOTHING_SELECTED);
    }
    let mut code = exit_code::OK;
    let mut loaded = Vec::new();
    for file in files {
        match file.result {
            Ok(one) => loaded.push(*one),
            Err(error) => {
                output::error(&error);
                code = exit_code::INVALID_INPUT;
            }
        }
    }
    Ok((loaded, code))
}

fn failed(path: &Path, error: &std::io::Error) -> u8 {
    output::note(&format!("error: failed to write {}: {error}", path.display()));
    if error.kind() == std::io::ErrorKind::AlreadyExists {
        output::note("hint: nothing is overwritten; choose another `--out`");
        return exit_code::USAGE;
    }
    exit_code::ENVIRONMENT
}

pub(crate) fn export(arguments: &ExportArguments) -> u8 {
    let (loaded, code) = match load(&arguments.paths) {
        Ok(found) => found,
        Err(code) => return code,
    };
    let lines = loaded.iter().map(|one| rows::row(one).to_string());
    match &arguments.out {
        None => lines.for_each(|line| output::data(&line)),
        Some(path) => {
            let text: String = lines.flat_map(|line| [line, "\n".to_owned()]).collect();
            if let Err(error) = std::fs::write(path, text) {
                return failed(path, &error);
            }
            output::note(&format!("{} scenarios in {}", loaded.len(), path.display()));
        }
    }
    code
}

pub(crate) fn import(arguments: &ImportArguments) -> u8 {
    let (loaded, code) = match load(&arguments.paths) {
        Ok(found) => found,
        Err(code) => return code,
    };
    for one in &loaded {
        // The loader takes no id that is a path.
        let path = arguments.out.join(format!("{}.json", one.scenario.scenario_id));
        if let Err(error) = write_new(&path, one) {
            return failed(&path, &error);
        }
    }
    output::note(&format!("{} scenarios in {}", loaded.len(), arguments.out.display()));
    code
}

fn write_new(path: &Path, loaded: &LoadedScenario) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = std::fs::File::create_new(path)?;
    serde_json::to_writer_pretty(&mut file, &rows::document(loaded))?;
    file.write_all(b"\n")
}
