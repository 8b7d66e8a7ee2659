//! The messages, as JSON.

use base64::Engine as _;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::state::StateView;
use super::super::types::{Reply, Task};
use crate::observe::Observation;
use crate::trace::Usage;

/// The first message of an episode.
pub(super) fn reset(task: &Task) -> Value {
    json!({
        "type": "reset",
        "goal": task.goal,
        "action_space": task.action_space,
        "max_steps": task.max_steps,
        "defense": task.defense,
    })
}

/// The message of a step.
pub(super) fn observe(observation: &Observation) -> Value {
    let screenshot =
        observation.screenshot.as_ref().map(|png| base64::engine::general_purpose::STANDARD.encode(png));
    json!({
        "type": "observe",
        "step": observation.step,
        "observation": {
            "url": observation.url,
            "open_pages": observation.open_pages,
            "active_page": observation.active_page,
            "axtree": observation.axtree,
            "screenshot": screenshot,
            "focused_bid": observation.focused_bid,
            "last_action": observation.last_action,
            "last_action_error": observation.last_action_error,
            "dialogs": observation.dialogs,
        },
    })
}

/// The message of state mode.
pub(super) fn decide(state: &StateView) -> Value {
    json!({ "type": "decide", "state": state.json() })
}

/// A reply of a step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    action: String,
    thought: Option<String>,
    usage: Option<UsageLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UsageLine {
    input_tokens: u64,
    output_tokens: u64,
    cost: Option<f64>,
}

/// Reads a line of the process as the reply to an observation. A line that is none costs the step:
/// what is wrong with it is in [`Reply::malformed`].
pub(super) fn reply(line: &[u8]) -> (Reply, Option<Usage>) {
    let read = std::str::from_utf8(line)
        .map_err(|error| format!("the reply is not UTF-8: {error}"))
        .and_then(|text| {
            serde_json::from_str::<Line>(text).map_err(|error| {
                format!(
                    "the reply is no JSON object with `action` and perhaps `thought` and `usage`: {error}"
                )
            })
        });
    match read {
        Ok(line) => {
            let usage = line.usage.map(|usage| Usage {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cost: usage.cost.filter(|cost| cost.is_finite() && *cost >= 0.0),
            });
            (Reply { action: line.action, thought: line.thought, malformed: None }, usage)
        }
        Err(malformed) => (malformed_reply(line, malformed), None),
    }
}

/// Reads a line of the process as the reply of state mode, which is the JSON itself.
pub(super) fn decision(line: &[u8]) -> Reply {
    match std::str::from_utf8(line) {
        Ok(text) => Reply { action: text.to_owned(), ..Reply::default() },
        Err(error) => malformed_reply(line, format!("the reply is not UTF-8: {error}")),
    }
}

fn malformed_reply(line: &[u8], malformed: String) -> Reply {
    /// Characters of a line that is no reply that are recorded.
    const SHOWN: usize = 2_000;
    let action = String::from_utf8_lossy(line).chars().take(SHOWN).collect();
    Reply { action, thought: None, malformed: Some(malformed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_reply_or_says_what_is_wrong_with_it() {
        let (read, usage) = reply(
            br#"{"action": "noop()", "thought": "wait", "usage": {"input_tokens": 5, "output_tokens": 2}}"#,
        );
        assert_eq!(
            (read.action.as_str(), read.thought.as_deref(), read.malformed),
            ("noop()", Some("wait"), None)
        );
        assert_eq!(usage, Some(Usage { input_tokens: 5, output_tokens: 2, cost: None }));
        for (line, said) in [
            (&b"click('1')"[..], "no JSON object"),
            (b"{\"action\": 1}", "invalid type"),
            (b"{\"action\": \"noop()\", \"actoin\": 1}", "unknown field `actoin`"),
            (b"{\"thought\": \"hm\"}", "missing field `action`"),
            (b"\xff\xfe", "not UTF-8"),
        ] {
            let (read, _) = reply(line);
            assert!(read.malformed.as_ref().is_some_and(|text| text.contains(said)), "{read:?}");
        }
    }
}
