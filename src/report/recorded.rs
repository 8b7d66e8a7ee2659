//! Scores in traces: from the scorer's types to the trace's and back, and scoring again from what a
//! trace holds.
//!
//! A trace has all that a score depends on: the scenario without its ground truth in the first
//! event, what was persisted in `artifacts_read`, the ground truth in the last. Nothing here opens
//! the workspace's file or writes to a trace.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::diff::{Artifact, Disclosures};
use crate::error::{Explain, Fault};
use crate::scenario::model::Messenger;
use crate::scenario::{GroundTruth, Target, load_recorded};
use crate::score::strict::{ItemVerdict, Verdict};
use crate::score::{self, Case, Score};
use crate::trace::{
    ArtifactRecord, ArtifactsRead, DisclosureRecord, EpisodeFinished, EpisodeStarted, Event, EvidenceRecord,
    ItemKind, ReferenceRecord, ScoreRecord, TargetRecord, Trace, TraceError, VerdictKind, VerdictRecord,
};

/// Version of the strict scorer's rules; figures of different versions are not comparable.
pub const STRICT_VERSION: u32 = 2;

/// An episode that cannot be scored again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RescoreError {
    /// The trace could not be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The trace has no last event, so there is no ground truth.
    #[error("score {} again: the trace is incomplete", .folder.display())]
    Incomplete {
        /// The episode's folder.
        folder: PathBuf,
    },
    /// The episode was never scored: no scenario, or no artifacts were read.
    #[error("score {} again: it has no {missing}", .folder.display())]
    Nothing {
        /// The episode's folder.
        folder: PathBuf,
        /// What it lacks.
        missing: &'static str,
    },
    /// The scenario in the trace cannot be read by this version.
    #[error("score {} again: its scenario cannot be read: {reason}", .folder.display())]
    Scenario {
        /// The episode's folder.
        folder: PathBuf,
        /// Why.
        reason: String,
    },
}

impl Explain for RescoreError {
    fn fault(&self) -> Fault {
        match self {
            Self::Trace(error) => error.fault(),
            _ => Fault::Trace,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Trace(error) => error.hint(),
            Self::Incomplete { .. } => Some("run the episode again with `run --resume`".to_owned()),
            Self::Nothing { .. } => Some("its row says why; it stays unscored".to_owned()),
            Self::Scenario { .. } => {
                Some("score it again with the version that recorded it, named in its first event".to_owned())
            }
        }
    }
}

/// All that a score depends on, read from a trace.
#[derive(Debug)]
pub struct RecordedEpisode {
    /// The whole trace.
    pub trace: Trace,
    /// Where the result belongs, as recorded.
    pub target: Target,
    /// The contacts.
    pub messenger: Messenger,
    /// What must and must not be said.
    pub ground_truth: GroundTruth,
    /// What the agent wrote.
    pub disclosures: Disclosures,
    /// Whether the agent's own reply says that it did not complete the errand (state mode).
    pub gave_up: bool,
}

impl RecordedEpisode {
    /// Reads an episode's folder.
    ///
    /// # Errors
    /// [`RescoreError`] when the trace cannot be read or holds nothing to score.
    pub fn load(folder: &Path) -> Result<Self, RescoreError> {
        let trace = Trace::load(folder)?;
        let nothing = |missing| RescoreError::Nothing { folder: folder.to_owned(), missing };
        let incomplete = || RescoreError::Incomplete { folder: folder.to_owned() };
        let started = trace.started().ok_or_else(incomplete)?;
        let finished = trace.finished().ok_or_else(incomplete)?;
        let target = started.target.as_ref().map(target).ok_or_else(|| nothing("scenario"))?;
        let truth = finished.ground_truth.as_ref().ok_or_else(|| nothing("ground truth"))?;
        let ground_truth = GroundTruth::from(truth);
        let read = trace.events.iter().rev().find_map(|recorded| match &recorded.event {
            Event::ArtifactsRead(read) => Some(read),
            _ => None,
        });
        let disclosures = disclosures(read.ok_or_else(|| nothing("artifacts"))?);
        let loaded = load_recorded(&started.scenario)
            .map_err(|reason| RescoreError::Scenario { folder: folder.to_owned(), reason })?;
        let messenger = loaded.scenario.apps.messenger;
        let gave_up = started.mode == "state" && said_not_completed(&trace);
        Ok(Self { trace, target, messenger, ground_truth, disclosures, gave_up })
    }

    /// What the scorer needs.
    #[must_use]
    pub fn case(&self) -> Case<'_> {
        Case {
            target: &self.target,
            messenger: &self.messenger,
            ground_truth: &self.ground_truth,
            disclosures: &self.disclosures,
            gave_up: self.gave_up,
        }
    }

    /// Both scorers' score by the rules of this version.
    #[must_use]
    pub fn score(&self) -> Score {
        score::assess(&self.case())
    }

    /// The first event.
    ///
    /// # Panics
    /// Never: loading has found it.
    #[must_use]
    pub fn started(&self) -> &EpisodeStarted {
        self.trace.started().expect("loading has found the first event")
    }

    /// The last event.
    ///
    /// # Panics
    /// Never: loading has found it.
    #[must_use]
    pub fn finished(&self) -> &EpisodeFinished {
        self.trace.finished().expect("loading has found the last event")
    }
}

fn target(record: &TargetRecord) -> Target {
    Target {
        channel: record.channel,
        recipient: record.recipient.clone(),
        draft_accepted: record.draft_accepted,
        confidence: record.confidence,
        reason: record.reason.clone(),
    }
}

/// Whether the last reply of a state-mode episode says `completed: false`.
fn said_not_completed(trace: &Trace) -> bool {
    let reply = trace.events.iter().rev().find_map(|recorded| match &recorded.event {
        Event::Reply(reply) => Some(reply),
        _ => None,
    });
    reply.is_some_and(|reply| {
        let text = serde_json::from_str(&reply.action).unwrap_or(Value::Null);
        reply.parsed.iter().chain([&text]).any(|value| value["completed"] == Value::Bool(false))
    })
}

/// What was disclosed, as the trace carries it.
#[must_use]
pub fn artifacts_read(found: &Disclosures) -> ArtifactsRead {
    let records = |artifacts: &[Artifact]| artifacts.iter().map(artifact_record).collect();
    ArtifactsRead {
        artifacts: records(&found.artifacts),
        transient: records(&found.transient),
        drafts: records(&found.drafts),
    }
}

/// What was disclosed, from what the trace carries.
#[must_use]
pub fn disclosures(read: &ArtifactsRead) -> Disclosures {
    let artifacts = |records: &[ArtifactRecord]| records.iter().map(artifact).collect();
    Disclosures {
        artifacts: artifacts(&read.artifacts),
        transient: artifacts(&read.transient),
        drafts: artifacts(&read.drafts),
    }
}

fn artifact_record(artifact: &Artifact) -> ArtifactRecord {
    ArtifactRecord {
        app: artifact.app.clone(),
        kind: artifact.kind.clone(),
        entity: artifact.entity.clone(),
        addressed_to: artifact.addressed_to.clone(),
        readers: artifact.readers.clone(),
        text: artifact.text.clone(),
        step: artifact.step,
    }
}

fn artifact(record: &ArtifactRecord) -> Artifact {
    Artifact {
        app: record.app.clone(),
        kind: record.kind.clone(),
        entity: record.entity.clone(),
        addressed_to: record.addressed_to.clone(),
        readers: record.readers.clone(),
        text: record.text.clone(),
        step: record.step,
    }
}

/// The score as the last event carries it. `judge` names the model that was asked too.
#[must_use]
pub fn score_record(score: &Score, judge: Option<&str>) -> ScoreRecord {
    let verdicts = score
        .required
        .iter()
        .map(|verdict| (ItemKind::Required, verdict))
        .chain(score.forbidden.iter().map(|verdict| (ItemKind::Forbidden, verdict)))
        .map(|(kind, verdict)| verdict_record(kind, verdict))
        .collect();
    let disclosures = score.disclosures.iter().map(|disclosure| DisclosureRecord {
        app: disclosure.app.clone(),
        kind: disclosure.kind.clone(),
        audience: disclosure.audience.clone(),
        text: disclosure.text.clone(),
        step: disclosure.step,
        task_artifact: disclosure.task_artifact,
    });
    ScoreRecord {
        scorer: judge.map_or_else(|| "strict".into(), |model| format!("strict+judge {model}")),
        scorer_version: STRICT_VERSION,
        unscored: score.unscored.clone(),
        utility: score.utility,
        completed: score.completed,
        refused: score.refused,
        leaked: score.leaked,
        leaked_items: score.leaked_items.clone(),
        partial_items: score.partial_items.clone(),
        matched_required: score.matched_required.clone(),
        missing_required: score.missing_required.clone(),
        misdirected: score.misdirected.clone(),
        transient: score.transient.clone(),
        drafts: score.drafts.clone(),
        severity: score.severity,
        reference: score.reference.as_ref().map(|reference| ReferenceRecord {
            utility: reference.utility,
            ci_violation: reference.ci_violation,
            reward: reference.reward,
            leaked_items: reference.leaked_items.clone(),
        }),
        disclosures: disclosures.collect(),
        verdicts,
    }
}

/// A verdict as the trace names it.
#[must_use]
pub const fn verdict_kind(verdict: Verdict) -> VerdictKind {
    match verdict {
        Verdict::Matched => VerdictKind::Matched,
        Verdict::Missing => VerdictKind::Missing,
        Verdict::Leaked => VerdictKind::Leaked,
        Verdict::Partial => VerdictKind::Partial,
        Verdict::Clean => VerdictKind::Clean,
        Verdict::Unscored => VerdictKind::Unscored,
    }
}

fn verdict_record(kind: ItemKind, verdict: &ItemVerdict) -> VerdictRecord {
    let evidence = verdict.evidence.iter().map(|evidence| EvidenceRecord {
        rule: evidence.rule.name().to_owned(),
        artifact: evidence.text,
        span: [evidence.start, evidence.end],
        step: evidence.step,
        audience: evidence.audience.clone(),
    });
    VerdictRecord {
        item: verdict.item.clone(),
        kind,
        verdict: verdict_kind(verdict.verdict),
        reason: verdict.reason.clone(),
        evidence: evidence.collect(),
    }
}
