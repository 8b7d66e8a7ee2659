//! Scores of a run's traces by this version's rules, and what changed against what was recorded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use super::place::episode_at;
use super::recorded::{RecordedEpisode, score_record, verdict_kind};
use super::row::{Row, RowError, rows_from_jsonl};
use super::run_folder::{RESULTS_FILE, list_episodes};
use crate::score::Score;
use crate::score::strict::{ItemVerdict, Verdict};
use crate::trace::{EpisodeFinished, ItemKind, ScoreRecord, VerdictKind};

/// Name of the file that `rescore` writes beside a run's results.
pub const RESCORED_FILE: &str = "results.rescored.jsonl";

/// A verdict or figure that is another one now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The scenario.
    pub scenario_id: String,
    /// The agent.
    pub agent: String,
    /// The episode's folder, relative to the run's.
    pub trace: String,
    /// `required`, `forbidden`, or `figure`.
    pub list: &'static str,
    /// The item, or the figure's name.
    pub item: String,
    /// What was recorded.
    pub before: String,
    /// What it is now.
    pub after: String,
    /// The rule that found it now, or why it is unscored.
    pub why: Option<String>,
}

/// An episode scored again.
#[derive(Debug, Clone)]
pub struct Rescored {
    /// Its row with the new score.
    pub row: Row,
    /// What is another one than recorded.
    pub changes: Vec<Change>,
}

/// The episodes below a folder, with the path that rows carry: those of a run by number, or the
/// folder itself where it is an episode's. Links are not followed.
///
/// # Errors
/// When the run's folder cannot be listed.
pub fn find_episodes(folder: &Path) -> std::io::Result<Vec<(PathBuf, String)>> {
    if let Some(episode) = episode_at(folder) {
        return Ok(vec![(episode, String::new())]);
    }
    let episodes = list_episodes(folder)?;
    Ok(episodes.into_iter().map(|episode| (episode.path, episode.relative)).collect())
}

/// The place of each episode in a run's results, by the path that rows carry; empty where there are
/// no results yet.
///
/// # Errors
/// [`RowError`] when the results hold something else than rows.
pub fn order_of_results(folder: &Path) -> Result<BTreeMap<String, usize>, RowError> {
    let Ok(text) = std::fs::read_to_string(folder.join(RESULTS_FILE)) else { return Ok(BTreeMap::new()) };
    let rows = rows_from_jsonl(&text)?;
    Ok(rows.into_iter().enumerate().map(|(place, row)| (row.trace, place)).collect())
}

/// The row of an episode with another score, and what changed.
#[must_use]
pub fn rescore(episode: &RecordedEpisode, trace: &str, score: &Score, judge: Option<&str>) -> Rescored {
    let finished = episode.finished();
    let record = score_record(score, judge);
    let mut changes = Vec::new();
    let mut note = |list, item: &str, before: String, after: String, why| {
        if before != after {
            let started = episode.started();
            changes.push(Change {
                scenario_id: started.scenario_id.clone(),
                agent: started.agent.clone(),
                trace: trace.to_owned(),
                list,
                item: item.to_owned(),
                before,
                after,
                why,
            });
        }
    };
    let verdicts = |kind| {
        let list: Vec<&ItemVerdict> = match kind {
            ItemKind::Required => score.required.iter().collect(),
            ItemKind::Forbidden => score.forbidden.iter().collect(),
        };
        list
    };
    for (kind, list) in [(ItemKind::Required, "required"), (ItemKind::Forbidden, "forbidden")] {
        let recorded: Vec<VerdictKind> = finished
            .score
            .iter()
            .flat_map(|score| &score.verdicts)
            .filter(|verdict| verdict.kind == kind)
            .map(|verdict| verdict.verdict)
            .collect();
        for (index, verdict) in verdicts(kind).into_iter().enumerate() {
            let before = recorded.get(index).map_or_else(|| "none".to_owned(), |kind| name(*kind));
            note(list, &verdict.item, before, name(verdict_kind(verdict.verdict)), why(verdict));
        }
    }
    let figures = |score: Option<&ScoreRecord>| score.map(figures).unwrap_or_default();
    let (before, after) = (figures(finished.score.as_ref()), figures(Some(&record)));
    for (figure, after) in after {
        let before = before.get(figure).map_or_else(|| "none".to_owned(), Value::to_string);
        note("figure", figure, before, after.to_string(), None);
    }
    let finished = EpisodeFinished { score: Some(record), ..finished.clone() };
    Rescored { row: Row::of_trace(&episode.trace, episode.started(), &finished, trace), changes }
}

/// A verdict's name in JSON.
fn name(kind: VerdictKind) -> String {
    serde_json::to_value(kind).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn why(verdict: &ItemVerdict) -> Option<String> {
    if verdict.verdict == Verdict::Unscored {
        return verdict.reason.clone();
    }
    verdict.evidence.first().map(|evidence| evidence.rule.name().to_owned())
}

/// The figures that are compared beside the verdicts.
fn figures(score: &ScoreRecord) -> BTreeMap<&'static str, Value> {
    let reference = score.reference.as_ref();
    BTreeMap::from([
        ("utility", json!(score.utility)),
        ("completed", json!(score.completed)),
        ("refused", json!(score.refused)),
        ("leaked", json!(score.leaked)),
        ("severity", json!(score.severity)),
        ("misdirected", json!(score.misdirected)),
        ("transient", json!(score.transient)),
        ("drafts", json!(score.drafts)),
        ("reference.utility", json!(reference.map(|reference| reference.utility))),
        ("reference.ci_violation", json!(reference.map(|reference| reference.ci_violation))),
        ("reference.leaked_items", json!(reference.map(|reference| &reference.leaked_items))),
    ])
}
