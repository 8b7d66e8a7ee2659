//! `discreet report`.

use std::path::{Path, PathBuf};

use super::{exit_code, output, remote};
use crate::error::Explain as _;
use crate::report::{Cases, Report, report_csv, report_html, report_json, report_junit, report_text};
use crate::stats::Bootstrap;

/// Says what runs came to: every metric by group, with intervals, plots and comparisons.
///
/// Everything is computed from the runs' traces. Several folders are put together in one report;
/// episodes recorded in both modes or with defenses are compared, paired by scenario.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet report runs/2026-05-19
  discreet report s3://bucket/run --html report.html
  discreet report runs/a runs/b --html report.html --csv figures.csv --junit junit.xml
  discreet report runs/2026-05-19 --json | jq '.summaries[].figures.leakage'

Exit codes: 0 done, whatever was found; 4 no episodes; 6 a file cannot be written; 8 a run cannot be read.")]
pub(crate) struct Arguments {
    /// Runs' folders, folders that hold some, or `s3://` addresses of runs
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write one self-contained HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write one line per figure
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write one test case per episode; a leak is a failure
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Print the whole report as JSON to stdout
    #[arg(long)]
    json: bool,
    /// Resamples of the bootstrap
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    resamples: u32,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let fetched = match remote::fetch(&arguments.folders) {
        Ok(fetched) => fetched,
        Err(code) => return code,
    };
    let cases = match Cases::load(&fetched.folders) {
        Ok(cases) => cases,
        Err(error) => return failed_to_read(&error),
    };
    let bootstrap = Bootstrap { resamples: arguments.resamples, ..Bootstrap::default() };
    let report = Report::of(&cases, bootstrap);
    if arguments.json {
        output::data(&report_json(&cases, &report).to_string());
    } else {
        output::data(&report_text(&cases, &report, output::width()));
    }
    let html = match &arguments.html {
        None => None,
        Some(path) => match report_html(&cases, &report) {
            Ok(html) => Some((path, html)),
            Err(error) => {
                output::error(&error);
                return exit_code::INTERNAL;
            }
        },
    };
    let csv = arguments.csv.as_ref().map(|path| (path, report_csv(&report)));
    let junit = arguments.junit.as_ref().map(|path| (path, report_junit(&cases, &report)));
    for (path, text) in [html, csv, junit].into_iter().flatten() {
        if let Err(code) = write(path, &text) {
            return code;
        }
    }
    if cases.cases.is_empty() { exit_code::NOTHING_SELECTED } else { exit_code::OK }
}

/// Says why a run could not be read; whatever it is, the runs are not readable.
pub(super) fn failed_to_read(error: &crate::report::RunFolderError) -> u8 {
    output::error(error);
    match error.fault() {
        crate::error::Fault::Environment => exit_code::TRACE,
        fault => exit_code::for_fault(fault),
    }
}

/// Writes a file and says so.
pub(super) fn write(path: &Path, text: &str) -> Result<(), u8> {
    match std::fs::write(path, text) {
        Ok(()) => {
            output::note(&format!("wrote {}", path.display()));
            Ok(())
        }
        Err(error) => {
            output::note(&format!("error: failed to write {}: {error}", path.display()));
            output::note("hint: check that its folder exists, free space and permissions");
            Err(exit_code::ENVIRONMENT)
        }
    }
}
