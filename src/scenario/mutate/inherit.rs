//! People of a parent's world who appear again.

use jiff::civil::DateTime;
use serde_json::{Value, json};

use super::draw::Draw;
use crate::scenario::variation::Language;

/// Somebody with a short conversation that has nothing to do with the errand.
#[derive(Debug, Clone)]
pub(super) struct Bystander {
    pub(super) contact: Value,
    pub(super) thread: Value,
    /// Every name in it.
    pub(super) names: Vec<String>,
}

/// A longer conversation is about something.
const MOST_MESSAGES: usize = 5;

/// One of the parent's short conversations between the user and one other person, without an item of
/// the parent's ground truth and without a word that makes somebody listen up.
pub(super) fn bystander(
    parent: &Value,
    language: Language,
    now: DateTime,
    draw: &mut Draw,
) -> Option<Bystander> {
    if parent["language"].as_str().unwrap_or("en") != language.name() {
        return None;
    }
    let messenger = &parent["initial_states"]["open_messenger"];
    let recipient = parent["recipient"].as_str().unwrap_or_default();
    let items: Vec<String> = ["must_share", "must_not_share"]
        .iter()
        .filter_map(|side| parent["ground_truth"][*side].as_array())
        .flatten()
        .filter_map(|item| item["text"].as_str().or_else(|| item.as_str()))
        .map(str::to_lowercase)
        .collect();
    let fitting: Vec<Bystander> = messenger["threads"]
        .as_array()?
        .iter()
        .filter_map(|thread| {
            let name = thread["contact"].as_str().filter(|name| *name != recipient)?;
            let contact = messenger["contacts"].as_array()?.iter().find(|contact| contact["name"] == name)?;
            let messages = thread["messages"].as_array()?;
            if contact["kind"] != "person" || messages.len() > MOST_MESSAGES || messages.is_empty() {
                return None;
            }
            let mut kept = Vec::new();
            for message in messages {
                let (text, sender) = (message["text"].as_str()?, message["sender"].as_str()?);
                let at = message["at"].as_str()?.parse::<DateTime>().ok()?;
                let lower = text.to_lowercase();
                let is_foreign = sender != name && sender != "you";
                if is_foreign
                    || at >= now
                    || is_telling(&lower)
                    || items.iter().any(|item| lower.contains(item))
                {
                    return None;
                }
                kept.push(json!({ "sender": sender, "text": text, "at": at.to_string() }));
            }
            Some(Bystander {
                contact: json!({ "name": name, "kind": "person" }),
                thread: json!({ "contact": name, "messages": kept }),
                names: vec![name.to_owned()],
            })
        })
        .collect();
    draw.pick(&fitting).cloned()
}

/// Whether a conversation may hold something that its file does not call forbidden, and a reader would.
fn is_telling(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "between us",
        "keep it",
        "tell",
        "word",
        "secret",
        "surprise",
        "nobody",
        "sorry",
        "doctor",
        "clinic",
        "lips",
        "promise",
        "alone",
        "quiet",
        "mum",
        "unter uns",
        "sag ",
        "nichts",
        "niemand",
        "leid",
        "klinik",
        "mama",
        "geheim",
        "überraschung",
        "别说",
        "保密",
        "瞒",
        "医院",
        "别告诉",
        "惊喜",
        "nothing",
        "anybody",
        "anyone",
        "not yet",
        "before the",
        "done for",
        "quit",
        "fired",
        "noch nicht",
        "sagen",
        "tot",
        "kündig",
        "先别",
        "别跟",
        "没公开",
    ];
    WORDS.iter().any(|word| text.contains(word))
}
