//! The strings a scenario puts on the screen, with their places in its file.

use serde_json::Value;

use super::json::JsonPath;
use super::model::{AttachmentKind, CalendarColour, EventStatus, Frequency, TravelMode, Visibility};

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
/// of a contact, thread or attachment, the ISO time of a message, an event's `response`, `visibility`,
/// `status` and `recurrence` with its `weekdays`, a calendar's `colour`, when a task was made and done, and a route's
/// `mode`. Pages say these in their own language.
#[must_use]
pub fn seeded_strings(public_json: &Value) -> Vec<SeededString> {
    let mut found = Vec::new();
    if let Some(states) = public_json.get("initial_states") {
        collect(states, &JsonPath::default().key("initial_states"), None, &mut found);
    }
    found
}

fn collect(value: &Value, path: &JsonPath, app: Option<&str>, found: &mut Vec<SeededString>) {
    match value {
        Value::String(text) if text.trim().is_empty() => {}
        Value::String(text) => found.push(SeededString { path: path.to_string(), text: text.clone() }),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                collect(value, &path.index(index), app, found);
            }
        }
        Value::Object(entries) => {
            for (key, value) in entries {
                if !app.is_some_and(|app| is_structural(app, key, value)) {
                    collect(value, &path.key(key), app.or(Some(key)), found);
                }
            }
        }
        _ => {}
    }
}

fn is_structural(app: &str, key: &str, value: &Value) -> bool {
    if let ("open_calendar", "weekdays", Value::Array(days)) = (app, key, value) {
        return days.iter().all(|day| day.as_str().is_some_and(super::read::is_weekday));
    }
    let Value::String(text) = value else { return false };
    let text = text.as_str();
    match (app, key) {
        ("open_messenger", "kind") => matches!(text, "person" | "group" | "channel") || is_attachment(text),
        ("open_calendar", "kind") => is_attachment(text),
        ("open_calendar", "status") => EventStatus::from_name(text).is_some(),
        ("open_messenger", "at" | "timestamp" | "sent_at")
        | ("open_todo", "created_at" | "created" | "completed_at") => super::read::is_date_time(text),
        ("open_calendar", "colour" | "color") => {
            CalendarColour::from_name(&text.trim().to_lowercase()).is_some()
        }
        ("open_calendar", "response") => matches!(text, "none" | "yes" | "no" | "maybe"),
        ("open_calendar", "visibility") => Visibility::from_name(text).is_some(),
        ("open_calendar", "recurrence" | "frequency") => Frequency::from_name(text).is_some(),
        ("open_maps", "mode") => TravelMode::named(text).is_some(),
        _ => false,
    }
}

fn is_attachment(text: &str) -> bool {
    AttachmentKind::ALL.iter().any(|kind| kind.name() == text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn how_something_is_is_no_text_and_the_same_word_elsewhere_is_one() {
        let states = json!({
            "open_calendar": { "events": [{
                "title": "weekly", "recurrence": { "frequency": "weekly", "weekdays": ["Mon"] }, "visibility": "private",
                "status": "tentative", "attachments": [{ "kind": "file", "title": "b" }],
                "response": "yes", "invitees": [{ "name": "Ann", "response": "perhaps later" }],
            }] },
            "open_maps": { "active_route": { "mode": "foot", "name": "foot" } },
            "open_messenger": { "threads": [{ "contact": "Ann", "kind": "person", "messages": [
                { "text": "hi", "at": "2026-05-19T08:00:00", "attachments": [{ "kind": "file", "title": "a" }] },
            ] }] },
            "open_todo": { "mode": "foot", "kind": "person" },
        });
        let found = seeded_strings(&json!({ "initial_states": states }));
        let mut texts: Vec<&str> = found.iter().map(|seeded| seeded.text.as_str()).collect();
        texts.sort_unstable();
        assert_eq!(
            texts,
            ["Ann", "Ann", "a", "b", "foot", "foot", "hi", "perhaps later", "person", "weekly"]
        );
    }
}
