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
/// of a contact or thread, the ISO time of a message, and the answer to an invitation, which pages
/// tell in their own language.
#[must_use]
pub fn seeded_strings(public_json: &Value) -> Vec<SeededString> {
    let mut found = Vec::new();
    if let Some(states) = public_json.get("initial_states") {
        collect(states, &JsonPath::default().key("initial_states"), None, &mut found);
    }
    found
}

/// An app in which some strings are no text.
#[derive(Debug, Clone, Copy)]
enum Within {
    Messenger,
    Calendar,
}

fn collect(value: &Value, path: &JsonPath, within: Option<Within>, found: &mut Vec<SeededString>) {
    match value {
        Value::String(text) if text.trim().is_empty() => {}
        Value::String(text) => found.push(SeededString { path: path.to_string(), text: text.clone() }),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                collect(value, &path.index(index), within, found);
            }
        }
        Value::Object(entries) => {
            for (key, value) in entries {
                let within = within.or(match key.as_str() {
                    "open_messenger" => Some(Within::Messenger),
                    "open_calendar" => Some(Within::Calendar),
                    _ => None,
                });
                if !within.is_some_and(|within| is_structural(within, key, value)) {
                    collect(value, &path.key(key), within, found);
                }
            }
        }
        _ => {}
    }
}

fn is_structural(within: Within, key: &str, value: &Value) -> bool {
    let Value::String(text) = value else { return false };
    match (within, key) {
        (Within::Messenger, "kind") => matches!(text.as_str(), "person" | "group" | "channel"),
        (Within::Messenger, "at" | "timestamp" | "sent_at") => super::read::is_date_time(text),
        (Within::Calendar, "response" | "status") => {
            matches!(text.as_str(), "none" | "yes" | "no" | "maybe")
        }
        _ => false,
    }
}
