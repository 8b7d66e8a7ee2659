//! Domain types to the trace's wire types.

use serde_json::Value;

use crate::action::{Action, ActionError, Performed};
use crate::agent::Reply;
use crate::observe::Observation;
use crate::trace::{
    DialogRecord, Digest, ObservationRecord, PageRecord, RecordError, Recorder, ReplyRecord, SettleRecord,
};

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
