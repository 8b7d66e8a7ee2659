//! `discreet view`.

use std::path::{Path, PathBuf};

use super::signals::{Signals, announce};
use super::{exit_code, output, remote};
use crate::error::Explain as _;
use crate::report::viewer::{ExportOptions, Library, export, view};

/// Size from which an exported page opens slowly, bytes.
const LARGE: usize = 100 * 1000 * 1000;

/// Shows runs and traces in a browser: every step, what was seen, done and written, and the score.
///
/// Serves on 127.0.0.1 under an address with a token and prints it, until it is interrupted. With
/// `--export` it writes everything into one file instead, which opens from disk and asks for nothing;
/// `--without-pictures` and `--episodes` make that smaller.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet view runs/2026-05-19
  discreet view runs/2026-05-19/episodes/3-brunch__one
  discreet view runs/2026-05-19 --export run.html
  discreet view runs/2026-05-19 --export small.html --without-pictures
  discreet view runs/2026-05-19 --export some.html --episodes 3,7-12
  discreet view more

Exit codes: 0 the file is written; 4 no episode has such a number; 6 the port is in use, or the file cannot be written; 8 there is nothing
to show; 130 and 143 after a signal.")]
pub(crate) struct Arguments {
    /// A run's folder or `s3://` address, a folder of runs, an episode's folder, its `trace.jsonl`, or the
    /// folder of `discreet generate`
    #[arg(value_name = "DIR|TRACE", default_value = "runs")]
    path: PathBuf,
    /// Write one self-contained page
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// Leave the pictures out of the page, which are most of it
    #[arg(long, requires = "export")]
    without_pictures: bool,
    /// Take only these episodes into the page, by number: `3,7-12`
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = numbers, requires = "export")]
    episodes: Vec<std::ops::RangeInclusive<u64>>,
    /// Port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
}

/// A number, or the first and the last one of several.
fn numbers(text: &str) -> Result<std::ops::RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last && last - first < 1_000_000 => Ok(first..=last),
        _ => Err("write numbers from 1, such as `3` or `7-12`".to_owned()),
    }
}

/// Writes the page, and says before how large it is.
fn export_to(path: &Path, library: &Library, arguments: &Arguments) -> u8 {
    let options = ExportOptions {
        without_pictures: arguments.without_pictures,
        episodes: arguments.episodes.iter().cloned().flatten().collect(),
    };
    let exported = export(library, &options);
    if exported.episodes == 0 && !options.episodes.is_empty() {
        output::note("error: failed to find an episode with such a number");
        output::note("hint: without `--episodes` all of them are taken");
        return exit_code::NOTHING_SELECTED;
    }
    let megabytes = |bytes: usize| format!("{:.1} MB", bytes as f64 / 1e6);
    output::note(&format!(
        "{} for {} episodes; {} of it are {} pictures",
        megabytes(exported.page.len()),
        exported.episodes,
        megabytes(exported.picture_bytes),
        exported.pictures
    ));
    if exported.page.len() > LARGE {
        output::note(
            "hint: so large a page opens slowly; `--without-pictures` or `--episodes` make it smaller",
        );
    }
    match super::report::write(path, &exported.page) {
        Ok(()) => exit_code::OK,
        Err(code) => code,
    }
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    // Kept until the end: a copy goes with it.
    let (path, _copy) = match remote::fetch_one(&arguments.path) {
        Ok(fetched) => fetched,
        Err(code) => return code,
    };
    let library = match Library::open(&path) {
        Ok(library) => library,
        Err(error) => {
            output::error(&error);
            return exit_code::for_fault(error.fault());
        }
    };
    if let Some(path) = &arguments.export {
        return export_to(path, &library, arguments);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            output::note(&format!("error: failed to start the asynchronous runtime: {error}"));
            return exit_code::INTERNAL;
        }
    };
    runtime.block_on(view_until_signal(library, arguments.port))
}

async fn view_until_signal(library: Library, port: u16) -> u8 {
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(code) => return code,
    };
    let mut code = exit_code::OK;
    let stop = async { code = signals.first().await };
    match view(library, port, announce, stop).await {
        Ok(()) => code,
        Err(error) => {
            output::error(&error);
            exit_code::for_fault(error.fault())
        }
    }
}
