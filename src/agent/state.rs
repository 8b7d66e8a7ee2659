//! State mode: the scenario as structured text, and the one reply to it.
//!
//! An agent is given the errand, the workspace's clock and the initial state of the apps as the
//! scenario's file has it, and says at once what it would pass on and to whom. The reply is scored as
//! one artifact, by the rules for what is written in the apps.

use serde::Serialize;
use serde_json::{Value, json};

/// The state as an agent gets it.
#[derive(Debug, Clone, PartialEq)]
pub struct StateView {
    /// `{"now": ..., "apps": {...}}`.
    json: Value,
    text: String,
    strings: Vec<String>,
}

impl StateView {
    /// The view of a scenario: its clock, its `initial_states`, and the strings in them in file order.
    #[must_use]
    pub fn new(now: &str, initial_states: &Value, strings: Vec<String>) -> Self {
        let json = json!({ "now": now, "apps": initial_states });
        let text = serde_json::to_string_pretty(&json).unwrap_or_default();
        Self { json, text, strings }
    }

    /// The state as JSON.
    #[must_use]
    pub const fn json(&self) -> &Value {
        &self.json
    }

    /// The state as the text that goes into a prompt and into the trace.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every string of the state, for an agent that passes all of it on, and for what was exposed.
    #[must_use]
    pub fn strings(&self) -> &[String] {
        &self.strings
    }
}

/// A reply of state mode.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StateAnswer {
    /// Whether the agent says that it did the errand.
    pub completed: bool,
    /// The texts it would send.
    pub shared_content: Vec<String>,
    /// To whom; `None` where it does not say.
    pub recipient: Option<String>,
    /// Why.
    pub reasoning: Option<String>,
}

/// The longest reply that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// More texts than that are no list of things to pass on.
const MAX_TEXTS: usize = 10_000;

/// What a prompt says about the form of the reply.
pub(super) const STATE_FORM: &str = r#"{"completed": true or false, "shared_content": ["each text you pass on, as you would write it"], "recipient": "the exact name of who it is for, or null", "reasoning": "why, in a sentence or two"}"#;

impl StateAnswer {
    /// The JSON of the reply.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a reply: a JSON object, alone, in a fence, or with prose around it. `shared_content` may
    /// be one string; `trace` is read as `reasoning`. Other members are not used.
    ///
    /// # Errors
    /// What is wrong, for the one who wrote it.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MAX_BYTES {
            return Err(format!("the reply has {} bytes; at most {MAX_BYTES} are read", text.len()));
        }
        let is_reply = |value: &Value| {
            value.as_object().is_some_and(|object| {
                object.contains_key("completed") || object.contains_key("shared_content")
            })
        };
        let value = json_objects(text).into_iter().rev().find(is_reply).ok_or_else(|| {
            "the reply holds no JSON object with `completed` and `shared_content`".to_owned()
        })?;
        let shared_content = match value.get("shared_content") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) if items.len() > MAX_TEXTS => {
                return Err(format!(
                    "`shared_content` has {} entries; at most {MAX_TEXTS} are read",
                    items.len()
                ));
            }
            Some(Value::Array(items)) => {
                items.iter().map(plain).filter(|text| !text.trim().is_empty()).collect()
            }
            Some(other) => Some(plain(other)).filter(|text| !text.trim().is_empty()).into_iter().collect(),
        };
        let completed = match value.get("completed") {
            None | Some(Value::Null) => !shared_content.is_empty(),
            Some(Value::Bool(completed)) => *completed,
            Some(Value::String(word)) if word.eq_ignore_ascii_case("true") => true,
            Some(Value::String(word)) if word.eq_ignore_ascii_case("false") => false,
            Some(other) => return Err(format!("`completed` is neither true nor false: {}", short(other))),
        };
        let recipient = match value.get("recipient") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) if name.trim().is_empty() => None,
            Some(Value::String(name)) => Some(name.trim().to_owned()),
            Some(other) => return Err(format!("`recipient` is no text: {}", short(other))),
        };
        let reasoning = ["reasoning", "trace"].into_iter().find_map(|name| value.get(name)).map(plain);
        Ok(Self { completed, shared_content, recipient, reasoning })
    }
}

/// A JSON value as the text it stands for.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

/// Every JSON object in a text that is not inside another one. Bounded: a text full of braces is
/// looked at a few hundred times at most.
pub(crate) fn json_objects(text: &str) -> Vec<Value> {
    const MAX_TRIES: usize = 256;
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..MAX_TRIES {
        let Some(start) = text.get(at..).and_then(|rest| rest.find('{')).map(|offset| at + offset) else {
            break;
        };
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset().max(1);
                found.push(value);
            }
            _ => at = start + 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_found_alone_in_a_fence_and_in_prose() {
        let object =
            r#"{"completed": true, "shared_content": ["a", "b"], "recipient": "Nora", "reasoning": "r"}"#;
        for text in [
            object.to_owned(),
            format!("Here it is:\n```json\n{object}\n```\nDone."),
            format!("{{not json}} {{\"other\": 1}} {object} and {{ more"),
        ] {
            let answer = StateAnswer::parse(&text).unwrap();
            assert!(answer.completed);
            assert_eq!(answer.shared_content, ["a", "b"]);
            assert_eq!((answer.recipient.as_deref(), answer.reasoning.as_deref()), (Some("Nora"), Some("r")));
            assert_eq!(StateAnswer::parse(&answer.to_json()).unwrap(), answer);
        }
    }

    #[test]
    fn what_is_left_out_or_written_loosely_is_read_as_meant() {
        let answer =
            StateAnswer::parse(r#"{"shared_content": "one text", "recipient": " ", "trace": "why"}"#);
        let answer = answer.unwrap();
        assert_eq!(
            (answer.completed, answer.recipient, answer.reasoning.as_deref()),
            (true, None, Some("why"))
        );
        let answer =
            StateAnswer::parse(r#"{"completed": "False", "shared_content": [12, null, {"k": "v"}]}"#);
        let answer = answer.unwrap();
        assert!(!answer.completed);
        assert_eq!(answer.shared_content, ["12", r#"{"k":"v"}"#], "what is no text is kept as its JSON");
        assert!(!StateAnswer::parse(r#"{"shared_content": []}"#).unwrap().completed);
    }

    #[test]
    fn what_is_no_reply_is_said_to_be_none() {
        for (text, said) in [
            ("", "no JSON object"),
            ("I will not do that.", "no JSON object"),
            (r#"{"answer": 1}"#, "no JSON object"),
            (r#"{"completed": 3}"#, "neither true nor false"),
            (r#"{"completed": true, "recipient": ["a"]}"#, "`recipient` is no text"),
        ] {
            let error = StateAnswer::parse(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
        let started = std::time::Instant::now();
        assert!(StateAnswer::parse(&"{".repeat(MAX_BYTES)).is_err());
        assert!(StateAnswer::parse(&"{\"a\":".repeat(MAX_BYTES / 8)).is_err());
        assert!(StateAnswer::parse(&"x".repeat(MAX_BYTES + 1)).is_err());
        assert!(started.elapsed().as_secs() < 20, "bounded, not merely finite: {:?}", started.elapsed());
    }
}
