//! `discreet rescore`.

use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use serde::Serialize;
use serde_json::json;

use super::judge::JudgeArguments;
use super::{exit_code, output};
use crate::error::{Explain, Fault};
use crate::judge::{Judge, JudgeError};
use crate::report::{
    Change, Grouping, RESCORED_FILE, RecordedEpisode, RescoreError, Rescored, Row, RowError, closing_json,
    closing_table, episode_at, find_episodes, order_of_results, plain_table, rescore, summarise,
};
use crate::score::{self, ClaimOutcome, Score};
use crate::stats::Bootstrap;
use crate::trace::write_whole_among_others;

/// Questions to a judge that are under way at once.
const AT_ONCE: usize = 4;

/// Scores again from traces.
///
/// Reads what each episode persisted and its ground truth from its trace, scores them by the rules of
/// this version, and writes the rows to a new file. Traces and `results.jsonl` stay as they are; no
/// browser is needed. Prints the table of the new rows, and every verdict and figure that is another
/// one than recorded.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  discreet rescore runs/2026-05-19
  discreet rescore runs/2026-05-19 --json | jq .changes
  discreet rescore runs/2026-05-19 --judge http://127.0.0.1:8080/v1 --judge-model small --judge-cache answers/

The rows go to `results.rescored.jsonl` in the run's folder, or to --out. What a judge said, counted or
not, goes to the same name with `.judge.jsonl`.

Exit codes: 0 scored, whatever changed; 2 --out names a file that was recorded; 4 no episode there; 6 the
rows cannot be written; 8 a trace cannot be read (the others are scored); 9 a judge that was asked for could
not be reached (its items are unscored).")]
pub(crate) struct Arguments {
    /// A run's folder, or an episode's.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// File for the rows, which must not exist or be of an earlier `rescore`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    judge: JudgeArguments,

    /// Prints one JSON object: `summaries`, `changes`, `judge`, `unreadable`.
    #[arg(long)]
    json: bool,
}

/// Why `rescore` could not do its work.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error("list the episodes of {}: {source}", .path.display())]
    List { path: PathBuf, source: std::io::Error },
    #[error("use the results of {}: {source}", .path.display())]
    Results { path: PathBuf, source: RowError },
    #[error("write {}: {source}", .path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("write {}: it would replace what was recorded", .path.display())]
    Recorded { path: PathBuf },
    #[error("start")]
    Runtime(#[source] std::io::Error),
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

impl Explain for CommandError {
    fn fault(&self) -> Fault {
        match self {
            Self::List { .. } => Fault::Trace,
            Self::Results { source, .. } => source.fault(),
            Self::Write { .. } => Fault::Environment,
            Self::Recorded { .. } => Fault::Usage,
            Self::Runtime(_) => Fault::Harness,
            Self::Judge(error) => error.fault(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::List { .. } => {
                Some("give a run's folder, which has a folder `episodes`, or an episode's".to_owned())
            }
            Self::Results { source, .. } => source.hint(),
            Self::Write { .. } => Some("check free space and permissions, or give another --out".to_owned()),
            Self::Recorded { .. } => Some("give another --out".to_owned()),
            Self::Runtime(_) => None,
            Self::Judge(error) => error.hint(),
        }
    }
}

/// What the judge said about one episode.
#[derive(Debug, Serialize)]
struct JudgeRow {
    trace: String,
    scenario_id: String,
    model: String,
    asked: usize,
    from_cache: bool,
    claims: Vec<ClaimOutcome>,
    error: Option<String>,
    /// Whether the provider failed, rather than the answer being unreadable.
    is_provider_failure: bool,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let outcome = work(arguments);
    outcome.unwrap_or_else(|error| {
        output::error(&error);
        exit_code::for_fault(error.fault())
    })
}

fn work(arguments: &Arguments) -> Result<u8, CommandError> {
    let judge = arguments.judge.judge()?;
    let folder = &arguments.folder;
    let found =
        find_episodes(folder).map_err(|source| CommandError::List { path: folder.clone(), source })?;
    let order =
        order_of_results(folder).map_err(|source| CommandError::Results { path: folder.clone(), source })?;
    let is_run = episode_at(folder).is_none();
    let out = arguments.out.clone().or_else(|| is_run.then(|| folder.join(RESCORED_FILE)));
    // Before any work: a judge's answers cost money, and would be lost.
    if let Some(path) = &out {
        check_writable(path)?;
    }
    let mut episodes = Vec::new();
    let (mut rows, mut unreadable): (Vec<Row>, Vec<String>) = (Vec::new(), Vec::new());
    for (path, relative) in found {
        match RecordedEpisode::load(&path) {
            Ok(episode) => episodes.push((relative, episode)),
            // It was never scored: its row stays what it is.
            Err(RescoreError::Nothing { .. }) => match Row::from_trace(&path, &relative) {
                Ok(row) => rows.push(row),
                Err(error) => {
                    output::error(&error);
                    unreadable.push(path.display().to_string());
                }
            },
            Err(RescoreError::Incomplete { .. }) => {
                output::note(&format!("warning: {} is incomplete and left out", path.display()));
            }
            Err(error) => {
                output::error(&error);
                unreadable.push(path.display().to_string());
            }
        }
    }
    if episodes.is_empty() && rows.is_empty() {
        if unreadable.is_empty() {
            output::note("error: failed to find an episode to score");
            return Ok(exit_code::NOTHING_SELECTED);
        }
        return Ok(exit_code::TRACE);
    }
    let (rescored, judged) = score_all(&episodes, judge.as_ref())?;
    let mut changes: Vec<Change> = Vec::new();
    for one in rescored {
        changes.extend(one.changes);
        rows.push(one.row);
    }
    rows.sort_by_key(|row| order.get(&row.trace).copied().unwrap_or(usize::MAX));

    if let Some(out) = &out {
        write_lines(out, rows.iter().map(Row::to_line))?;
        if judge.is_some() {
            let lines = judged.iter().map(|row| json!(row).to_string());
            write_lines(&out.with_extension("judge.jsonl"), lines)?;
        }
    }
    print(arguments.json, &rows, &changes, &judged, &unreadable);
    let note = out.map_or_else(String::new, |out| format!("; rows in {}", out.display()));
    output::note(&format!("{} episodes scored again, {} changes{note}", rows.len(), changes.len()));
    Ok(if !unreadable.is_empty() {
        exit_code::TRACE
    } else if judged.iter().any(|row| row.is_provider_failure) {
        exit_code::FAILURES
    } else {
        exit_code::OK
    })
}

/// Every episode's score, by rules and where there is a judge by it too, in order.
fn score_all(
    episodes: &[(String, RecordedEpisode)],
    judge: Option<&(Judge, String)>,
) -> Result<(Vec<Rescored>, Vec<JudgeRow>), CommandError> {
    let by_rules = episodes.iter().map(|(trace, episode)| (trace, episode, episode.score()));
    let Some((judge, model)) = judge else {
        let rescored =
            by_rules.map(|(trace, episode, score)| rescore(episode, trace, &score, None)).collect();
        return Ok((rescored, Vec::new()));
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(CommandError::Runtime)?;
    let by_rules: Vec<_> = by_rules.collect();
    let judged = futures_util::stream::iter(by_rules.into_iter().map(|(trace, episode, score)| async move {
        let (score, row) = judged(judge, model, trace, episode, score).await;
        (rescore(episode, trace, &score, Some(model)), row)
    }));
    Ok(runtime.block_on(judged.buffered(AT_ONCE).collect::<Vec<_>>()).into_iter().unzip())
}

async fn judged(
    judge: &Judge,
    model: &str,
    trace: &str,
    episode: &RecordedEpisode,
    mut score: Score,
) -> (Score, JudgeRow) {
    let case = episode.case();
    let questions = score::questions(&case, &score);
    let mut row = JudgeRow {
        trace: trace.to_owned(),
        scenario_id: episode.started().scenario_id.clone(),
        model: model.to_owned(),
        asked: questions.len(),
        from_cache: false,
        claims: Vec::new(),
        error: None,
        is_provider_failure: false,
    };
    match judge.ask(&questions, &score.disclosures).await {
        Ok(answer) => {
            row.from_cache = answer.from_cache;
            row.claims = score::merge(&mut score, &case, &questions, Ok(&answer.claims), &answer.unanswered);
        }
        Err(error) => {
            let text = error.to_string();
            output::note(&format!("warning: {trace}: failed to {text}; its open items are unscored"));
            score::merge(&mut score, &case, &questions, Err(&text), &[]);
            row.is_provider_failure = error.is_provider();
            row.error = Some(text);
        }
    }
    (score, row)
}

/// Says whether a file of ours can be written: not over what was recorded, and into a folder that is there.
fn check_writable(path: &Path) -> Result<(), CommandError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_recorded = matches!(
        name.as_ref(),
        "results.jsonl" | "results.partial.jsonl" | "run.json" | "trace.jsonl" | "lock" | "workspace.sqlite"
    );
    if is_recorded {
        return Err(CommandError::Recorded { path: path.to_owned() });
    }
    let failed = |source| CommandError::Write { path: path.to_owned(), source };
    if path.is_dir() {
        return Err(failed(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    // Made and removed again: nothing else tells whether it can be.
    tempfile::NamedTempFile::new_in(folder_of(path)).map_err(failed)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// Writes lines to a file of ours, whole or not at all; never over what was recorded.
fn write_lines(path: &Path, lines: impl Iterator<Item = String>) -> Result<(), CommandError> {
    check_writable(path)?;
    let failed = |source| CommandError::Write { path: path.to_owned(), source };
    let text: String = lines.flat_map(|line| [line, "\n".to_owned()]).collect();
    write_whole_among_others(path, text.as_bytes()).map_err(failed)
}

fn print(json: bool, rows: &[Row], changes: &[Change], judged: &[JudgeRow], unreadable: &[String]) {
    let summaries = summarise(rows, &Grouping::for_closing_table(rows), Bootstrap::default());
    if json {
        let all = json!({
            "summaries": closing_json(&summaries),
            "changes": changes,
            "judge": judged,
            "unreadable": unreadable,
        });
        output::data(&all.to_string());
        return;
    }
    output::data(&closing_table(&summaries, output::width()));
    if changes.is_empty() {
        output::data("No verdict and no figure changed.");
        return;
    }
    let mut table = plain_table(output::width());
    table.set_header(["scenario", "agent", "list", "item", "was", "is", "why"]);
    for change in changes {
        table.add_row([
            &output::printable(&change.scenario_id),
            &output::printable(&change.agent),
            change.list,
            &output::printable(&change.item),
            &output::printable(&change.before),
            &output::printable(&change.after),
            &output::printable(change.why.as_deref().unwrap_or_default()),
        ]);
    }
    output::data(&table.trim_fmt());
}
