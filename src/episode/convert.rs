//! Domain types to the trace's wire types.

use serde_json::Value;

use super::log::Log;
use crate::action::{Action, ActionError, Performed};
use crate::agent::{Exchange, Reply, add_usage};
use crate::observe::Observation;
use crate::trace::{
    AttemptRecord, DialogRecord, Digest, ObservationRecord, PageRecord, RecordError, ReplyRecord,
    SettleRecord,
};

/// A value of ours as JSON.
pub(super) fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("our types hold nothing that JSON cannot")
}

/// A hash that another part of ours computed.
pub(super) fn digest(hex: &str) -> Digest {
    Digest::try_from(hex.to_owned()).expect("a SHA-256 of ours is 64 hexadecimal digits")
}

/// Stores the observation's texts and names them. Its picture is stored by whoever calls.
pub(super) fn observation(
    log: &mut Log,
    observation: &Observation,
) -> Result<ObservationRecord, RecordError> {
    let axtree = observation.axtree.as_ref().map(|text| log.blob(text.as_bytes(), "txt")).transpose()?;
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
        screenshot: None,
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

/// The record of a step at which the agent gave no reply.
pub(super) fn no_reply(step: u32, error: Option<&str>, latency_ms: u64) -> ReplyRecord {
    let parse_error = error.map(str::to_owned);
    ReplyRecord { step, parse_error, latency_ms, ..ReplyRecord::default() }
}

/// Stores what went to a model and what came back, and names it in the reply.
pub(super) fn exchanges(
    log: &mut Log,
    exchanges: &[Exchange],
    record: &mut ReplyRecord,
) -> Result<(), RecordError> {
    let Some((last, earlier)) = exchanges.split_last() else { return Ok(()) };
    let mut store = |bytes: &[u8]| log.blob(bytes, "json");
    for exchange in earlier {
        record.attempts.push(AttemptRecord {
            prompt: store(&exchange.request)?,
            response: exchange.response.as_deref().map(&mut store).transpose()?,
            usage: exchange.usage,
            error: exchange.error.clone().unwrap_or_default(),
            latency_ms: u64::try_from(exchange.latency.as_millis()).unwrap_or(u64::MAX),
        });
    }
    record.prompt = Some(store(&last.request)?);
    record.response = last.response.as_deref().map(store).transpose()?;
    record.usage = exchanges.iter().fold(None, |sum, exchange| add_usage(sum, exchange.usage));
    Ok(())
}

pub(super) fn settle(performed: &Performed) -> SettleRecord {
    SettleRecord {
        waited_ms: u64::try_from(performed.settled_after.as_millis()).unwrap_or(u64::MAX),
        settled: performed.still_busy.is_none(),
        waited_for: performed.still_busy.unwrap_or("frame").to_owned(),
    }
}
