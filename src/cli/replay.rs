//! `discreet replay`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::run::watch_signals;
use super::{exit_code, output, runtime};
use crate::browser::Wanted;
use crate::episode::{Cancel, ReplayError, Replayed, Replayer};
use crate::error::Explain as _;
use crate::report::episodes_at;

/// Does recorded actions again in a fresh workspace, and compares.
///
/// State, trees and screenshots are compared step by step; the first difference is named. The trace is
/// verified first. Screenshots are the same only with the browser and fonts they were recorded with.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet replay runs/2026-05-19/episodes/3-brunch__one
  discreet replay runs/2026-05-19 --json

Exit codes: 0 no difference, 6 no browser, 8 a difference, or a trace that is broken.")]
pub(crate) struct Arguments {
    /// An episode's folder, its `trace.jsonl`, a run's folder, or a folder of these
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// `chromium`, `headless-shell`, `best`, or the address of a running browser [default: the kind
    /// that the first trace was recorded with]
    #[arg(long, value_name = "BROWSER")]
    browser: Option<Wanted>,
    /// One JSON object per trace
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let mut episodes = Vec::new();
    for path in &arguments.traces {
        let found = episodes_at(path);
        if found.is_empty() {
            output::note(&format!("error: failed to replay {}: it holds no trace", path.display()));
            output::note("hint: name an episode's folder or a run's");
            return exit_code::TRACE;
        }
        episodes.extend(found);
    }
    let runtime = match runtime::start() {
        Ok(runtime) => runtime,
        Err(code) => return code,
    };
    runtime.block_on(replay_all(arguments, &episodes))
}

async fn replay_all(arguments: &Arguments, episodes: &[PathBuf]) -> u8 {
    let cancel = Cancel::default();
    let signalled = std::sync::Arc::new(std::sync::atomic::AtomicU8::new(0));
    if let Err(error) = watch_signals(&cancel, &signalled) {
        output::note(&format!("warning: signals are not handled: {error}"));
    }
    let wanted = arguments.browser.clone().unwrap_or_else(|| recorded_with(&episodes[0]));
    let replayer = match Replayer::start(wanted, None).await {
        Ok(replayer) => replayer,
        Err(error) => {
            output::error(&error);
            return exit_code::for_fault(error.fault());
        }
    };
    let mut code = exit_code::OK;
    for (index, episode) in episodes.iter().enumerate() {
        let result = replayer.replay(episode, &cancel).await;
        let signal = signalled.load(std::sync::atomic::Ordering::SeqCst);
        if signal != 0 {
            code = signal;
            break;
        }
        if episodes.len() > 1 {
            output::note(&format!("{:>4}/{} {}", index + 1, episodes.len(), episode.display()));
        }
        let own = tell(episode, &result, arguments.json);
        if code == exit_code::OK {
            code = own;
        }
    }
    replayer.close().await;
    code
}

/// The kind of browser a trace was recorded with, where it can be had here.
fn recorded_with(episode: &Path) -> Wanted {
    let first = crate::trace::Reader::open(episode).ok().and_then(|mut reader| reader.next());
    let kind = match first {
        Some(Ok(recorded)) => match recorded.event {
            crate::trace::Event::EpisodeStarted(started) => started.browser.map(|browser| browser.kind),
            _ => None,
        },
        _ => None,
    };
    match kind.as_deref() {
        Some("chromium") => Wanted::Chromium,
        Some("headless-shell") => Wanted::HeadlessShell,
        _ => Wanted::Best,
    }
}

/// Prints what a replay came to and returns its exit code.
fn tell(episode: &Path, result: &Result<Replayed, ReplayError>, as_json: bool) -> u8 {
    let trace = episode.display().to_string();
    match result {
        Ok(replayed) => {
            for note in &replayed.notes {
                output::note(&format!("note: {note}"));
            }
            let divergence = replayed.divergence.as_ref();
            output::data(&if as_json {
                json!({
                    "trace": trace, "ok": divergence.is_none(), "steps": replayed.steps,
                    "compared": replayed.compared, "divergence": divergence, "notes": replayed.notes,
                })
                .to_string()
            } else {
                match divergence {
                    None => format!("ok {} steps {} events", replayed.steps, replayed.compared),
                    Some(found) => format!(
                        "differs at step {} (event {}): {}: {}",
                        found.step, found.event, found.what, found.how
                    ),
                }
            });
            if divergence.is_none() { exit_code::OK } else { exit_code::TRACE }
        }
        Err(error) => output::bad_trace(&trace, error, as_json),
    }
}
