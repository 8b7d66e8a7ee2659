//! `discreet redact`.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{exit_code, output};
use crate::report::{Row, episode_at, episode_folders, is_run};
use crate::trace::{Redact, RedactError, redact};

/// Makes a copy of a trace, or of all traces of a run, that can be shared.
///
/// Forbidden items are replaced by labels (`[S1]`, `[S2]`, …) in every text and boxed out in pictures. Where
/// they stand in a picture is found by doing the recorded actions again in a browser; a picture that does
/// not come out the same is boxed out as a whole. The copy has a chain of its own, which `discreet verify` checks, and
/// says that it is redacted. Items that were told in other words are not found: look through a copy before
/// you share it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet redact runs/2026-05-19/episodes/3-brunch__one --out shared/brunch
  discreet redact runs/2026-05-19 --out shared --items all

Exit codes: 0 done; 2 the folder is not empty; 6 the copy cannot be written; 8 a trace is broken or
incomplete.")]
pub(crate) struct Arguments {
    /// An episode's folder, its `trace.jsonl`, or a run's folder
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    /// Where to write the copy; must be empty or not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Which items to replace
    #[arg(long, value_enum, default_value = "forbidden")]
    items: Items,
    /// Do not look up where items stand in pictures: box out whole pictures
    #[arg(long)]
    no_browser: bool,
    /// One JSON object per trace
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Items {
    /// Forbidden items
    Forbidden,
    /// Forbidden and required items
    All,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    if std::fs::read_dir(&arguments.out).is_ok_and(|mut entries| entries.next().is_some()) {
        output::note(&format!("error: failed to write to {}: it is not empty", arguments.out.display()));
        output::note("hint: give a folder that is empty or not there yet");
        return exit_code::USAGE;
    }
    let which = match arguments.items {
        Items::Forbidden => Redact::Forbidden,
        Items::All => Redact::All,
    };
    let pairs = match copies(&arguments.trace, &arguments.out) {
        Ok(pairs) => pairs,
        Err(code) => return code,
    };
    let mut rows = Vec::new();
    let mut code = exit_code::OK;
    let mut eyes = Eyes::open(!arguments.no_browser);
    for (from, to, relative) in &pairs {
        let boxes = eyes.boxes(from, which);
        let result = redact(from, to, which, &mut |step| boxes.get(&step).cloned());
        match tell(from, &result, arguments.json) {
            exit_code::OK => rows.extend(Row::from_trace(to, relative)),
            own if code == exit_code::OK => code = own,
            _ => {}
        }
    }
    eyes.close();
    if is_run(&arguments.trace)
        && let Err(error) = write_results(&arguments.out, &rows)
    {
        output::note(&format!("error: failed to write {}: {error}", arguments.out.display()));
        return exit_code::ENVIRONMENT;
    }
    code
}

/// Boxes of the items by step.
type Boxes = std::collections::BTreeMap<u32, Vec<[f64; 4]>>;

/// A browser to look up where items stand in pictures; without one, nothing is known.
#[cfg(feature = "browser")]
struct Eyes(Option<(tokio::runtime::Runtime, crate::episode::Replayer)>);

#[cfg(feature = "browser")]
impl Eyes {
    fn open(wanted: bool) -> Self {
        if !wanted {
            return Self(None);
        }
        let Ok(runtime) = tokio::runtime::Runtime::new() else { return Self(None) };
        let started = runtime.block_on(crate::episode::Replayer::start(crate::browser::Wanted::Best, None));
        match started {
            Ok(replayer) => Self(Some((runtime, replayer))),
            Err(error) => {
                output::note(&format!("note: whole pictures are boxed out: failed to {error}"));
                Self(None)
            }
        }
    }

    fn boxes(&mut self, from: &Path, which: Redact) -> Boxes {
        let (Some((runtime, replayer)), Ok(texts)) = (&self.0, crate::trace::secrets(from, which)) else {
            return Boxes::new();
        };
        runtime.block_on(replayer.locate(from, &texts)).unwrap_or_else(|error| {
            output::note(&format!("note: whole pictures are boxed out: failed to {error}"));
            Boxes::new()
        })
    }

    fn close(self) {
        if let Some((runtime, replayer)) = self.0 {
            runtime.block_on(replayer.close());
        }
    }
}

/// Without the feature `browser` nothing is known about pictures.
#[cfg(not(feature = "browser"))]
struct Eyes;

#[cfg(not(feature = "browser"))]
impl Eyes {
    fn open(_wanted: bool) -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "the same interface as with a browser")]
    fn boxes(&mut self, _from: &Path, _which: Redact) -> Boxes {
        Boxes::new()
    }

    #[expect(clippy::unused_self, reason = "the same interface as with a browser")]
    fn close(self) {}
}

/// What is copied to where, and what the copy is called in its run.
fn copies(trace: &Path, out: &Path) -> Result<Vec<(PathBuf, PathBuf, String)>, u8> {
    if let Some(from) = episode_at(trace) {
        return Ok(vec![(from, out.to_owned(), String::new())]);
    }
    if is_run(trace) {
        // Named by number alone: a scenario's name is the scenario's text.
        let numbered = (1..).zip(episode_folders(trace)).map(|(number, from)| {
            let relative = format!("episodes/{number}-redacted");
            (from, out.join(&relative), relative)
        });
        return Ok(numbered.collect());
    }
    output::note(&format!("error: failed to redact {}: it holds no trace", trace.display()));
    output::note("hint: name an episode's folder or a run's");
    Err(exit_code::TRACE)
}

/// The rows of the copies, so that a redacted run can be reported and viewed. The manifest names files
/// and settings of the original and is not copied; a plain one stands for it.
fn write_results(out: &Path, rows: &[Row]) -> std::io::Result<()> {
    let text: String = rows.iter().map(|row| row.to_line() + "\n").collect();
    let manifest = json!({
        "run_id": rows.first().map_or("redacted", |row| row.run_id.as_str()),
        "created": "1970-01-01T00:00:00Z",
        "discreet_version": env!("CARGO_PKG_VERSION"),
        "settings": { "redacted": true },
        "scenarios": [],
        "browser": null,
    });
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join("run.json"), format!("{manifest:#}\n"))?;
    std::fs::write(out.join("results.jsonl"), text)
}

fn tell(from: &Path, result: &Result<crate::trace::Redacted, RedactError>, as_json: bool) -> u8 {
    let trace = from.display().to_string();
    match result {
        Ok(done) => {
            output::data(&if as_json {
                json!({
                    "trace": trace, "ok": true, "labels": done.labels, "pictures": done.pictures,
                    "root": done.root, "original_root": done.original,
                })
                .to_string()
            } else {
                format!("ok {} labels {} pictures boxed out {}", done.labels, done.pictures, done.root)
            });
            exit_code::OK
        }
        Err(error) => output::bad_trace(&trace, error, as_json),
    }
}
