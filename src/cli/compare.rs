//! `discreet compare`.

use std::path::{Path, PathBuf};

use super::report::{failed_to_read, write};
use super::{exit_code, output, remote};
use crate::report::{
    Cases, CompareError, Grouping, Row, Side, compare, comparison_html, comparison_json, comparison_text,
};
use crate::stats::Bootstrap;

/// Compares two runs, or two conditions of one run, scenario by scenario.
///
/// Episodes are paired by scenario, and by agent, model, mode, observation, defense and variation where
/// both sides hold the same ones; what differs is named. Repeats are averaged first. `--left` and
/// `--right` choose episodes where a side holds more than one condition.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet compare runs/before runs/after
  discreet compare runs/a runs/a --left mode=state --right mode=e2e
  discreet compare runs/a runs/a --left agent=careless --right agent=oracle --html compared.html

Exit codes: 0 done, whatever was found; 2 a side holds several conditions, or a field is not known;
4 nothing to compare; 8 a run cannot be read.")]
pub(crate) struct Arguments {
    /// The left side: a run's folder, or a folder that holds some
    #[arg(value_name = "A")]
    left: PathBuf,
    /// The right side; differences are right minus left
    #[arg(value_name = "B")]
    right: PathBuf,
    /// Take only these of the left side: `field=value`, separated by commas
    #[arg(long = "left", value_delimiter = ',', value_name = "FIELD=VALUE", value_parser = selection)]
    of_left: Vec<(String, String)>,
    /// Take only these of the right side
    #[arg(long = "right", value_delimiter = ',', value_name = "FIELD=VALUE", value_parser = selection)]
    of_right: Vec<(String, String)>,
    /// Print JSON to stdout
    #[arg(long)]
    json: bool,
    /// Write one self-contained HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Resamples of the bootstrap
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    resamples: u32,
}

fn selection(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write `field=value`, such as `mode=state`".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let sides = [(&arguments.left, &arguments.of_left), (&arguments.right, &arguments.of_right)];
    let same = arguments.left == arguments.right;
    // Both sides may be conditions of one run, which is copied here once.
    let mut folders = vec![arguments.left.clone()];
    if !same {
        folders.push(arguments.right.clone());
    }
    let fetched = match remote::fetch(&folders) {
        Ok(fetched) => fetched,
        Err(code) => return code,
    };
    let places = [fetched.folders.first(), fetched.folders.last()];
    let mut read = Vec::new();
    for ((folder, selection), place) in sides.into_iter().zip(places.into_iter().flatten()) {
        match Cases::load_rows(std::slice::from_ref(place)) {
            Ok(mut rows) => {
                if let Some(name) = unknown(&rows, selection) {
                    return refuse_field(name);
                }
                rows.retain(|row| is_selected(row, selection));
                read.push(Side { label: label(folder, selection, same), rows });
            }
            Err(error) => return failed_to_read(&error),
        }
    }
    let (Some(right), Some(left)) = (read.pop(), read.pop()) else { return exit_code::INTERNAL };
    let bootstrap = Bootstrap { resamples: arguments.resamples, ..Bootstrap::default() };
    let comparison = match compare(left, right, bootstrap) {
        Ok(comparison) => comparison,
        Err(error) => return refused(&error),
    };
    if arguments.json {
        output::data(&comparison_json(&comparison).to_string());
    } else {
        output::data(&comparison_text(&comparison, output::width()));
    }
    if let Some(path) = &arguments.html {
        match comparison_html(&comparison) {
            Ok(html) => {
                if let Err(code) = write(path, &html) {
                    return code;
                }
            }
            Err(error) => {
                output::error(&error);
                return exit_code::INTERNAL;
            }
        }
    }
    exit_code::OK
}

fn is_selected(row: &Row, selection: &[(String, String)]) -> bool {
    selection.iter().all(|(name, value)| Grouping::named(name).of(row) == *value)
}

/// The first name in a selection that no row can have.
fn unknown<'a>(rows: &[Row], selection: &'a [(String, String)]) -> Option<&'a str> {
    selection.iter().map(|(name, _)| name.as_str()).find(|name| !Grouping::named(name).occurs_in(rows))
}

fn refuse_field(name: &str) -> u8 {
    output::note(&format!("error: failed to choose by `{}`: no episode has it", output::printable(name)));
    output::note(
        "hint: agent, model, mode, observe, defense, failure_mode, seed_family, browser, scenario, variation, \
         or a factor of variation such as theme",
    );
    exit_code::USAGE
}

/// The folder's name, and what was chosen of it; only the latter where both sides are one folder.
fn label(folder: &Path, selection: &[(String, String)], same: bool) -> String {
    let chosen: Vec<String> = selection.iter().map(|(_, value)| value.clone()).collect();
    let name = folder
        .file_name()
        .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned());
    match (chosen.is_empty(), same) {
        (true, _) => name,
        (false, true) => chosen.join(", "),
        (false, false) => format!("{name}: {}", chosen.join(", ")),
    }
}

fn refused(error: &CompareError) -> u8 {
    output::note(&format!("error: failed to {error}"));
    match error {
        CompareError::Several { field, values, .. } => {
            let first = values.first().map(String::as_str).unwrap_or_default();
            output::note(&format!(
                "hint: choose one with `--left {field}={first}` or `--right {field}={first}`"
            ));
            exit_code::USAGE
        }
        CompareError::Nothing { .. } | CompareError::NothingInCommon { .. } => {
            output::note("hint: `discreet report DIR` lists what a run holds");
            exit_code::NOTHING_SELECTED
        }
    }
}
