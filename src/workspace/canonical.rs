//! Canonical JSON and the hash of a state: the same state gives the same bytes, whatever the
//! order in which a map was filled or a crate chose to keep its keys.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::WorkspaceState;

/// JSON without white space, object keys sorted by their bytes, strings and numbers as
/// `serde_json` writes them.
///
/// # Errors
/// When a value has no JSON form (a map whose keys are no strings).
pub fn canonical_json<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    write_value(&mut text, &serde_json::to_value(value)?);
    Ok(text)
}

/// SHA-256 of a state in canonical JSON, in hex. The state holds no port, token or wall-clock
/// time, so two runs of the same commands give the same hash on every machine.
#[must_use]
pub fn state_hash(state: &WorkspaceState) -> String {
    let text = canonical_json(state).expect("a workspace state has string keys only");
    hex::encode(Sha256::digest(text.as_bytes()))
}

fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_value(text, item);
            }
            text.push(']');
        }
        Value::Object(members) => {
            // Sorted here and not by the map: whether `serde_json`'s map is sorted depends on the
            // features that any other crate of the build asks for.
            let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (index, (key, member)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_scalar(text, &Value::String(key.clone()));
                text.push(':');
                write_value(text, member);
            }
            text.push('}');
        }
        scalar => write_scalar(text, scalar),
    }
}

fn write_scalar(text: &mut String, scalar: &Value) {
    write!(text, "{scalar}").expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_at_every_depth_and_strings_are_escaped() {
        let value = serde_json::json!({"b": [{"z": 1, "a": null}], "a": "\"\n\u{1}ä", "ä": true});
        assert_eq!(
            canonical_json(&value).unwrap(),
            "{\"a\":\"\\\"\\n\\u0001ä\",\"b\":[{\"a\":null,\"z\":1}],\"ä\":true}"
        );
    }

    #[test]
    fn the_hash_is_that_of_the_bytes() {
        let mut state = crate::workspace::samples::state();
        let before = state_hash(&state);
        assert_eq!(before.len(), 64);
        assert_eq!(before, state_hash(&state.clone()));
        state.next_id("message");
        assert_ne!(before, state_hash(&state));
    }
}
