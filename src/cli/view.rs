//! `discreet view`.

use std::path::PathBuf;

use super::signals::{Signals, announce};
use super::{exit_code, output};
use crate::error::Explain as _;
use crate::report::viewer::{Library, export, export_size, view};

/// Size from which an export is worth a warning, bytes.
const LARGE: u64 = 200 * 1024 * 1024;

/// Shows runs and traces in a browser: every step, what was seen, done and written, and the score.
///
/// Serves on 127.0.0.1 under an address with a token and prints it, until it is interrupted. With
/// `--export` it writes everything into one file instead, which opens from disk and asks for nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet view runs/2026-05-19
  discreet view runs/2026-05-19/episodes/3-brunch__one
  discreet view runs/2026-05-19 --export run.html

Exit codes: 0 the file is written; 6 the port is in use, or the file cannot be written; 8 there is nothing
to show; 130 and 143 after a signal.")]
pub(crate) struct Arguments {
    /// A run's folder, a folder of runs, an episode's folder, or its `trace.jsonl`
    #[arg(value_name = "DIR|TRACE", default_value = "runs")]
    path: PathBuf,
    /// Write one self-contained page
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// Port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let library = match Library::open(&arguments.path) {
        Ok(library) => library,
        Err(error) => {
            output::error(&error);
            return exit_code::for_fault(error.fault());
        }
    };
    if let Some(path) = &arguments.export {
        let size = export_size(&library);
        if size > LARGE {
            output::note(&format!("warning: the page takes about {} MB", size / (1024 * 1024)));
        }
        return match super::report::write(path, &export(&library)) {
            Ok(()) => exit_code::OK,
            Err(code) => code,
        };
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
