//! Domain types to the trace's wire types.

use std::collections::BTreeMap;

use serde_json::Value;

use super::log::Log;
use crate::action::{Action, ActionError, Performed};
use crate::agent::{Exchange, Reply, add_usage};
use crate::observe::Captured;
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
pub(super) fn observation(log: &mut Log, captured: &Captured) -> Result<ObservationRecord, RecordError> {
    let observation = &captured.observation;
    let axtree = observation.axtree.as_ref().map(|text| log.blob(text.as_bytes(), "txt")).transpose()?;
    let boxes = match (&observation.axtree, &observation.screenshot) {
        (Some(tree), Some(picture)) => boxes_in_picture(tree, picture, &captured.boxes),
        _ => BTreeMap::new(),
    };
    let boxes =
        (!boxes.is_empty()).then(|| log.blob(json(&boxes).to_string().as_bytes(), "json")).transpose()?;
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
        boxes,
        state: None,
        dialogs: dialogs.collect(),
        last_action_error: observation.last_action_error.clone(),
    })
}

/// Where the tree's elements are in the picture, in whole pixels; those that are not in it are left out.
fn boxes_in_picture<'a>(
    tree: &'a str,
    png: &[u8],
    boxes: &BTreeMap<String, [f64; 4]>,
) -> BTreeMap<&'a str, [i64; 4]> {
    // A PNG starts with its size.
    let side =
        |at: usize| png.get(at..at + 4)?.try_into().ok().map(|bytes| f64::from(u32::from_be_bytes(bytes)));
    let (Some(width), Some(height)) = (side(16), side(20)) else { return BTreeMap::new() };
    let bids = tree.lines().filter_map(|line| Some(line.trim_start().strip_prefix('[')?.split_once("] ")?.0));
    let is_in = |[x, y, across, down]: &[f64; 4]| {
        *across >= 1.0 && *down >= 1.0 && *x < width && *y < height && x + across > 0.0 && y + down > 0.0
    };
    #[expect(clippy::cast_possible_truncation, reason = "a place in a picture, and casts saturate")]
    let whole = |sides: &[f64; 4]| sides.map(|side| side.round() as i64);
    bids.filter_map(|bid| Some((bid, whole(boxes.get(bid).filter(|sides| is_in(sides))?)))).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_those_of_the_tree_that_are_in_the_picture() {
        let mut png = std::io::Cursor::new(Vec::new());
        image::RgbImage::new(40, 30).write_to(&mut png, image::ImageFormat::Png).unwrap();
        let tree = "RootWebArea 'Home'\n\t[12] button 'Send'\n\t\t[b3] link '[9] '\n\t[7] link 'Below'\n\t[8] link 'Flat'\n[x";
        let boxes = BTreeMap::from([
            ("12".to_owned(), [1.4, -2.5, 10.0, 4.0]),
            ("b3".to_owned(), [39.0, 29.0, 500.0, 500.0]),
            ("7".to_owned(), [0.0, 30.0, 5.0, 5.0]),
            ("8".to_owned(), [3.0, 3.0, 5.0, 0.0]),
            ("9".to_owned(), [0.0, 0.0, 5.0, 5.0]),
        ]);
        let found = boxes_in_picture(tree, png.get_ref(), &boxes);
        assert_eq!(found, BTreeMap::from([("12", [1, -3, 10, 4]), ("b3", [39, 29, 500, 500])]));
        assert_eq!(boxes_in_picture(tree, b"no picture", &boxes), BTreeMap::new());
    }
}
