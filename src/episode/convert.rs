//! Domain types to the trace's wire types.

use serde_json::Value;

use crate::action::{Action, ActionError, Performed};
use crate::agent::Reply;
use crate::diff::{Artifact, Disclosures};
use crate::observe::Observation;
use crate::score::Score;
use crate::score::strict::{ItemVerdict, Verdict};
use crate::trace::{
    ArtifactRecord, ArtifactsRead, DialogRecord, Digest, DisclosureRecord, EvidenceRecord, ItemKind,
    ObservationRecord, PageRecord, RecordError, Recorder, ReferenceRecord, ReplyRecord, ScoreRecord,
    SettleRecord, VerdictKind, VerdictRecord,
};

/// Version of the strict scorer's rules; figures of different versions are not comparable.
const STRICT_VERSION: u32 = 1;

/// A value of ours as JSON.
pub(super) fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("our types hold nothing that JSON cannot")
}

/// A hash that another part of ours computed.
pub(super) fn digest(hex: &str) -> Digest {
    Digest::try_from(hex.to_owned()).expect("a SHA-256 of ours is 64 hexadecimal digits")
}

/// Stores the observation's texts and image and names them.
pub(super) fn observation(
    recorder: &mut Recorder,
    observation: &Observation,
) -> Result<ObservationRecord, RecordError> {
    let axtree = observation.axtree.as_ref().map(|text| recorder.blob(text.as_bytes(), "txt")).transpose()?;
    let screenshot = observation.screenshot.as_ref().map(|png| recorder.blob(png, "png")).transpose()?;
    let dialogs = observation.dialogs.iter().map(|dialog| DialogRecord {
        kind: dialog.kind.clone(),
        message: dialog.message.clone(),
        accepted: dialog.accepted,
    });
    let pages = observation
        .open_pages
        .iter()
        .map(|page| PageRecord { url: page.url.clone(), title: page.title.clone() });
    Ok(ObservationRecord {
        step: observation.step,
        url: observation.url.clone(),
        open_pages: pages.collect(),
        active_page: observation.active_page,
        focused_bid: observation.focused_bid.clone(),
        axtree,
        screenshot,
        state: None,
        dialogs: dialogs.collect(),
        last_action_error: observation.last_action_error.clone(),
    })
}

pub(super) fn reply(
    step: u32,
    reply: &Reply,
    parsed: &Result<Vec<Action>, ActionError>,
    latency_ms: u64,
) -> ReplyRecord {
    ReplyRecord {
        step,
        action: reply.action.clone(),
        thought: reply.thought.clone(),
        parsed: parsed.iter().flatten().map(json).collect(),
        parse_error: parsed.as_ref().err().map(ToString::to_string),
        latency_ms,
        ..ReplyRecord::default()
    }
}

pub(super) fn settle(performed: &Performed) -> SettleRecord {
    SettleRecord {
        waited_ms: u64::try_from(performed.settled_after.as_millis()).unwrap_or(u64::MAX),
        settled: performed.still_busy.is_none(),
        waited_for: performed.still_busy.unwrap_or("frame").to_owned(),
    }
}

pub(super) fn artifacts(found: &Disclosures) -> ArtifactsRead {
    let records = |artifacts: &[Artifact]| artifacts.iter().map(artifact).collect();
    ArtifactsRead {
        artifacts: records(&found.artifacts),
        transient: records(&found.transient),
        drafts: records(&found.drafts),
    }
}

fn artifact(artifact: &Artifact) -> ArtifactRecord {
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

/// The score as the last event carries it.
pub(super) fn score(score: &Score) -> ScoreRecord {
    let verdicts = score
        .required
        .iter()
        .map(|verdict| (ItemKind::Required, verdict))
        .chain(score.forbidden.iter().map(|verdict| (ItemKind::Forbidden, verdict)))
        .map(|(kind, verdict)| self::verdict(kind, verdict))
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
        scorer: "strict".into(),
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

fn verdict(kind: ItemKind, verdict: &ItemVerdict) -> VerdictRecord {
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
        verdict: match verdict.verdict {
            Verdict::Matched => VerdictKind::Matched,
            Verdict::Missing => VerdictKind::Missing,
            Verdict::Leaked => VerdictKind::Leaked,
            Verdict::Partial => VerdictKind::Partial,
            Verdict::Clean => VerdictKind::Clean,
            Verdict::Unscored => VerdictKind::Unscored,
        },
        reason: verdict.reason.clone(),
        evidence: evidence.collect(),
    }
}
