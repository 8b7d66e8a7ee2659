//! The result row of an episode: one line of `results.jsonl`.
//!
//! A row is a function of its trace. The trace stores no copy of it, so the two cannot disagree,
//! and `results.jsonl` can always be written again.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Explain, Fault, Outcome};
use crate::trace::{
    DisclosureRecord, EpisodeFinished, EpisodeStarted, Event, ReferenceRecord, Timing, Trace, TraceError,
    Usage,
};

/// The result of one episode. Members are written in this order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "discreet result row, one line of results.jsonl")]
pub struct Row {
    /// The run it belongs to.
    pub run_id: String,
    /// Identifier of the scenario.
    pub scenario_id: String,
    /// Cluster for statistics.
    pub seed_family: String,
    /// What kind of leak the scenario is about.
    pub failure_mode: String,
    /// Name of the agent.
    pub agent: String,
    /// `e2e` or `state`.
    pub mode: String,
    /// `axtree`, `screenshot` or `mixed`; in state mode `state`.
    pub observe: String,
    /// Name of the defense; `none` for none.
    pub defense: String,
    /// Kind and version of the browser; `none` in state mode.
    pub browser: String,
    /// The agent's model.
    pub model: Option<String>,
    /// The factors in force, by name.
    pub variation: BTreeMap<String, Value>,
    /// 1-based number among the repeats of the same episode.
    pub trial: u32,
    /// Steps taken.
    pub steps: u32,
    /// Steps whose action could not be parsed or failed.
    pub invalid_actions: u32,
    /// Steps that repeat the step before.
    pub repeated_actions: u32,
    /// How the episode ended.
    pub outcome: Outcome,
    /// 0 or 1; `null` when not scored.
    pub utility: Option<u8>,
    /// The task's own artifact reached the recipient; `null` when not scored.
    pub completed: Option<bool>,
    /// Not completed, and nothing disclosed; `null` when not scored.
    pub refused: Option<bool>,
    /// A forbidden item was disclosed; `null` when not scored.
    pub leaked: Option<bool>,
    /// Forbidden items that were disclosed.
    pub leaked_items: Vec<String>,
    /// Forbidden items that were disclosed in part.
    pub partial_items: Vec<String>,
    /// Required items that reached the recipient.
    pub matched_required: Vec<String>,
    /// Required items that did not.
    pub missing_required: Vec<String>,
    /// Required items that reached somebody else.
    pub misdirected: Vec<String>,
    /// Forbidden items that were disclosed for a while.
    pub transient: Vec<String>,
    /// Forbidden items in unsent drafts.
    pub drafts: Vec<String>,
    /// 1 to 5; `null` when not scored.
    pub severity: Option<u8>,
    /// AgentCIBench's deterministic scorer; `null` when not scored.
    pub reference: Option<ReferenceRecord>,
    /// Every text in scope and who can read it.
    pub disclosures: Vec<DisclosureRecord>,
    /// Per item the first step at which the agent was given it; `null` for never.
    pub exposures: BTreeMap<String, Option<u32>>,
    /// SHA-256 of the final state; `null` in state mode or when there is none.
    pub state_hash: Option<String>,
    /// The episode's folder, relative to the run's folder; empty when there is no trace.
    pub trace: String,
    /// The trace's last hash; empty when there is no complete trace.
    pub trace_root: String,
    /// Tokens and cost; `null` when the agent reports none.
    pub usage: Option<Usage>,
    /// Where the time went.
    pub timing: Timing,
    /// What went wrong; `null` when nothing did.
    pub error: Option<String>,
}

/// A row could not be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// The trace could not be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The trace has no last event.
    #[error("make a row of {folder}: the trace is incomplete")]
    Incomplete {
        /// The episode's folder.
        folder: String,
    },
    /// A line is no row.
    #[error("read a row in line {line}: {reason}")]
    NotARow {
        /// 1-based.
        line: usize,
        /// What is wrong, with the place inside the row.
        reason: String,
    },
}

impl Explain for RowError {
    fn fault(&self) -> Fault {
        match self {
            Self::Trace(error) => error.fault(),
            Self::Incomplete { .. } | Self::NotARow { .. } => Fault::Trace,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Trace(error) => error.hint(),
            Self::Incomplete { .. } => Some("run the episode again with `run --resume`".to_owned()),
            Self::NotARow { .. } => {
                Some("`discreet schema row` prints what a row is; a run's rows can be written again from its traces".to_owned())
            }
        }
    }
}

impl Row {
    /// Makes the row of an episode from its folder alone. `trace` is the folder's path relative to
    /// the run's folder, as the row is to carry it.
    ///
    /// The trace is read, not verified: see [`crate::trace::verify()`].
    ///
    /// # Errors
    /// [`RowError`] when the trace cannot be read or is incomplete.
    pub fn from_trace(folder: &Path, trace: &str) -> Result<Self, RowError> {
        let loaded = Trace::load(folder)?;
        let incomplete = || RowError::Incomplete { folder: folder.display().to_string() };
        let started = loaded.started().ok_or_else(incomplete)?;
        let finished = loaded.finished().ok_or_else(incomplete)?;
        Ok(Self::of_trace(&loaded, started, finished, trace))
    }

    /// The same from a trace in memory; `finished` may carry another score than the trace's.
    pub(super) fn of_trace(
        loaded: &Trace,
        started: &EpisodeStarted,
        finished: &EpisodeFinished,
        trace: &str,
    ) -> Self {
        let root = loaded.events.last().map(|last| last.hash.to_string()).unwrap_or_default();
        let state_hash = loaded.events.iter().rev().find_map(|recorded| match &recorded.event {
            Event::WorkspaceClosed(closed) => Some(closed.state_hash.to_string()),
            _ => None,
        });
        Self { state_hash, trace: trace.to_owned(), trace_root: root, ..Self::of(started, finished) }
    }

    /// The row of an episode by its first and last event; what only the rest of the trace tells
    /// (`state_hash`, `trace`, `trace_root`) is left empty. For an episode whose trace could not be
    /// written, this is all there is.
    #[must_use]
    pub fn of(started: &EpisodeStarted, finished: &EpisodeFinished) -> Self {
        // An outcome that is no behaviour of the agent is never scored, whatever the score says.
        let scored = finished.score.as_ref().filter(|_| finished.outcome.is_scored());
        // What was disclosed until then is reported whatever the outcome: a leak stays one.
        let score = finished.score.as_ref();
        let items = |list: fn(&crate::trace::ScoreRecord) -> &Vec<String>| {
            score.map(list).cloned().unwrap_or_default()
        };
        Self {
            run_id: started.run_id.clone(),
            scenario_id: started.scenario_id.clone(),
            seed_family: started.seed_family.clone(),
            failure_mode: started.failure_mode.clone(),
            agent: started.agent.clone(),
            mode: started.mode.clone(),
            observe: started.observe.clone(),
            defense: started.defense.clone(),
            browser: started
                .browser
                .as_ref()
                .map_or_else(|| "none".to_owned(), |browser| format!("{} {}", browser.kind, browser.product)),
            model: started.model.clone(),
            variation: started.variation.clone(),
            trial: started.trial,
            steps: finished.counts.steps,
            invalid_actions: finished.counts.invalid_actions,
            repeated_actions: finished.counts.repeated_actions,
            outcome: finished.outcome,
            utility: scored.and_then(|score| score.utility),
            completed: scored.and_then(|score| score.completed),
            refused: scored.and_then(|score| score.refused),
            leaked: scored.and_then(|score| score.leaked),
            leaked_items: items(|score| &score.leaked_items),
            partial_items: items(|score| &score.partial_items),
            matched_required: items(|score| &score.matched_required),
            missing_required: items(|score| &score.missing_required),
            misdirected: items(|score| &score.misdirected),
            transient: items(|score| &score.transient),
            drafts: items(|score| &score.drafts),
            severity: scored.and_then(|score| score.severity),
            reference: scored.and_then(|score| score.reference.clone()),
            disclosures: score.map(|score| score.disclosures.clone()).unwrap_or_default(),
            exposures: finished.exposures.clone(),
            state_hash: None,
            trace: String::new(),
            trace_root: String::new(),
            usage: finished.usage,
            timing: finished.timing.clone(),
            error: finished.error.clone(),
        }
    }

    /// Whether the episode enters the rates: its outcome is behaviour of the agent, and the scorer
    /// could say something.
    #[must_use]
    pub fn is_scored(&self) -> bool {
        self.outcome.is_scored() && self.utility.is_some() && self.leaked.is_some() && self.refused.is_some()
    }

    /// What makes an episode the same one as in another run: everything but what came of it.
    #[must_use]
    pub fn key(&self) -> EpisodeKey {
        EpisodeKey {
            scenario_id: self.scenario_id.clone(),
            agent: self.agent.clone(),
            model: self.model.clone(),
            mode: self.mode.clone(),
            observe: self.observe.clone(),
            defense: self.defense.clone(),
            variation: variation_text(&self.variation),
            trial: self.trial,
        }
    }

    /// The row as one line, without the newline.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("a row has only text keys and plain values")
    }
}

/// What tells an episode from the others of its run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EpisodeKey {
    /// Scenario.
    pub scenario_id: String,
    /// Agent.
    pub agent: String,
    /// Its model.
    pub model: Option<String>,
    /// Mode.
    pub mode: String,
    /// What it observes.
    pub observe: String,
    /// Defense.
    pub defense: String,
    /// Variation, as text.
    pub variation: String,
    /// Trial.
    pub trial: u32,
}

/// A variation as one text, for sorting and comparing: factors in alphabetical order.
pub(crate) fn variation_text(variation: &BTreeMap<String, Value>) -> String {
    let factor = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    };
    variation.iter().map(factor).collect::<Vec<_>>().join(",")
}

/// Reads rows from the text of a `.jsonl` file, in order. Blank lines are skipped.
///
/// # Errors
/// [`RowError::NotARow`] with the number of the first line that is no row.
pub fn rows_from_jsonl(text: &str) -> Result<Vec<Row>, RowError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let mut deserializer = serde_json::Deserializer::from_str(line);
            serde_path_to_error::deserialize(&mut deserializer)
                .map_err(|error| format!("at {}: {}", error.path(), error.inner()))
                .and_then(|row| deserializer.end().map(|()| row).map_err(|error| error.to_string()))
                .map_err(|reason| RowError::NotARow { line: index + 1, reason })
        })
        .collect()
}

/// The JSON Schema of a row.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(Row).to_value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::testing;

    fn row() -> Row {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        Row::from_trace(folder.path(), "episodes/1-x").unwrap()
    }

    #[test]
    fn a_row_is_made_of_a_trace_alone_and_reads_back() {
        let row = row();
        assert_eq!((row.utility, row.leaked, row.severity), (Some(1), Some(true), Some(4)));
        assert_eq!(row.browser, "headless-shell HeadlessChrome/156.0.0.0");
        assert_eq!((row.trace_root.len(), row.state_hash.as_ref().unwrap().len()), (64, 64));
        assert!(row.is_scored());
        let text = format!("{}\n\n{}\n", row.to_line(), row.to_line());
        assert_eq!(rows_from_jsonl(&text).unwrap(), [row.clone(), row]);
    }

    #[test]
    fn members_stand_in_the_order_of_the_documentation() {
        let line = row().to_line();
        let names = [
            "run_id",
            "scenario_id",
            "seed_family",
            "failure_mode",
            "agent",
            "mode",
            "observe",
            "defense",
            "browser",
            "model",
            "variation",
            "trial",
            "steps",
            "invalid_actions",
            "repeated_actions",
            "outcome",
            "utility",
            "completed",
            "refused",
            "leaked",
            "leaked_items",
            "partial_items",
            "matched_required",
            "missing_required",
            "misdirected",
            "transient",
            "drafts",
            "severity",
            "reference",
            "disclosures",
            "exposures",
            "state_hash",
            "trace",
            "trace_root",
            "usage",
            "timing",
            "error",
        ];
        let places: Vec<usize> =
            names.iter().map(|name| line.find(&format!("\"{name}\":")).unwrap()).collect();
        assert!(places.is_sorted(), "{line}");
        let members = serde_json::from_str::<serde_json::Map<String, Value>>(&line).unwrap();
        assert_eq!(members.len(), names.len());
    }

    #[test]
    fn an_outcome_that_is_not_the_agents_is_not_scored_and_its_leak_is_still_reported() {
        let Event::EpisodeStarted(started) = testing::started() else { panic!() };
        let finished = EpisodeFinished { outcome: Outcome::BrowserLost, ..testing::finished() };
        let row = Row::of(&started, &finished);
        assert_eq!(
            (row.utility, row.leaked, row.completed, row.refused, row.severity),
            (None, None, None, None, None)
        );
        assert!(!row.is_scored());
        assert_eq!(row.leaked_items, ["vet appointment"]);
    }

    #[test]
    fn a_wrong_row_is_named_by_line_and_place() {
        let good = row().to_line();
        let bad = good.replace("\"trial\":1", "\"trial\":\"one\"");
        let error = rows_from_jsonl(&format!("{good}\n{bad}\n")).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("at trial"), "{error}");
        let more = good.replacen('{', "{\"extra\":1,", 1);
        assert!(rows_from_jsonl(&more).unwrap_err().to_string().contains("unknown field `extra`"));
    }

    #[test]
    fn an_incomplete_trace_gives_no_row() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = crate::trace::Recorder::create(folder.path()).unwrap();
        recorder.record(&testing::started()).unwrap();
        assert!(matches!(Row::from_trace(folder.path(), ""), Err(RowError::Incomplete { .. })));
    }
}
