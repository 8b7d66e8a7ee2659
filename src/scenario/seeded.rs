//! The strings a scenario puts on the screen, with their places in its file.

use serde_json::Value;

use super::json::JsonPath;

/// A string of the initial state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeededString {
    /// Where it stands (`initial_states.open_todo.items[0]`).
    pub path: String,
    /// The string; never blank.
    pub text: String,
}

/// Every string below `initial_states` of a scenario's public JSON that a page has to show, in file
/// order. Left out are blank strings and the few that say how something is and are no text: `kind`
/// of a contact or thread, and the ISO time of a message.
#[must_use]
pub fn seeded_strings(public_json: &Value) -> Vec<SeededString> {
    let mut found = Vec::new();
    if let Some(states) = public_json.get("initial_states") {
        collect(states, &JsonPath::default().key("initial_states"), false, &mut found);
    }
    found
}

fn collect(value: &Value, path: &JsonPath, in_messenger: bool, found: &mut Vec<SeededString>) {
    match value {
        Value::String(text) if text.trim().is_empty() => {}
        Value::String(text) => found.push(SeededString { path: path.to_string(), text: text.clone() }),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                collect(value, &path.index(index), in_messenger, found);
            }
        }
        Value::Object(entries) => {
            for (key, value) in entries {
                if !(in_messenger && is_structural(key, value)) {
                    collect(value, &path.key(key), in_messenger || key == "open_messenger", found);
                }
            }
        }
        _ => {}
    }
}

fn is_structural(key: &str, value: &Value) -> bool {
    let Value::String(text) = value else { return false };
    match key {
        "kind" => matches!(text.as_str(), "person" | "group" | "channel"),
        "at" | "timestamp" | "sent_at" => super::read::is_date_time(text),
        _ => false,
    }
}
