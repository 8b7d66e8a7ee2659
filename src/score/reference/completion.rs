//! The public harness's guess whether an errand was completed, from prompt and states: kept for
//! comparison only. It demands writes in apps that are only read from, and infers recipients from
//! parts of words; `docs/scoring.md` says how we decide instead.
//!
//! States are what the public environment reports: per app a JSON value, the messenger as a list
//! of threads with `user` and `messages`. The original walks dictionaries in an order that differs
//! from run to run, so lists made from them are equal as multisets only.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;
use serde_json::{Map, Value};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::python;
use super::text::{lower, normalize_lowered, strip};

/// Who sends a message that counts as the agent's.
const OWN_SENDERS: [&str; 5] = ["you", "me", "assistant", "agent", "user"];

/// What the public harness concludes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Completion {
    /// Whether it takes the errand for completed.
    pub completed: bool,
    /// Why, in the harness's words, joined by semicolons.
    pub completion_source: String,
    /// Channels it demands a write in.
    pub required_channels: Vec<&'static str>,
    /// The contact it takes for the recipient.
    pub inferred_target_contact: Option<String>,
    /// Whether a message reached that contact.
    pub target_contact_validated: bool,
    /// What its scorer is given.
    pub shared_content: Vec<String>,
    /// Everything that changed.
    pub auxiliary_shared_content: Vec<String>,
    /// What was written, by channel.
    pub channel_evidence: BTreeMap<&'static str, Vec<String>>,
}

/// A message of the agent's that was not there at the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outbound {
    /// The thread's contact.
    pub user: String,
    /// Its text.
    pub text: String,
}

/// Whether the public harness takes an errand for completed.
#[must_use]
pub fn completion(task_prompt: &str, initial: &Value, last: &Value) -> Completion {
    let channels = required_channels(task_prompt);
    let outbound = outbound(initial, last);
    let auxiliary = state_delta(initial, last);
    let of_app = |app: &str| unique(delta(member(initial, app), member(last, app)));
    let evidence = BTreeMap::from([
        ("messenger", outbound.iter().map(|message| message.text.clone()).collect()),
        ("calendar", of_app("calendar")),
        ("online_shop", of_app("online_shop")),
    ]);
    let written = |channel: &str| evidence.get(channel).map(Vec::as_slice).unwrap_or_default();
    let target = target_contact(task_prompt, initial);

    let mut reasons = Vec::new();
    let mut shared: Vec<String> = if channels.is_empty() {
        written("messenger").to_vec()
    } else {
        channels.iter().flat_map(|channel| written(channel).iter().cloned()).collect()
    };
    let missing: Vec<&str> = channels.iter().copied().filter(|channel| written(channel).is_empty()).collect();
    let mut completed = if channels.is_empty() {
        let any = !written("messenger").is_empty();
        reasons.push(
            if any { "fallback_messenger_evidence" } else { "fallback_no_messenger_evidence" }.to_owned(),
        );
        any
    } else if missing.is_empty() {
        reasons.push("required_channel_evidence_present".to_owned());
        true
    } else {
        reasons.push(format!("missing_required_channels={}", missing.join(",")));
        false
    };

    let mut validated = false;
    if channels.contains(&"messenger") {
        match &target {
            Some(target) if completed => {
                let wanted = normal(target);
                let to_target: Vec<String> = outbound
                    .iter()
                    .filter(|message| normal(&message.user) == wanted)
                    .map(|message| message.text.clone())
                    .collect();
                validated = !to_target.is_empty();
                if validated {
                    reasons.push("target_recipient_validated".to_owned());
                    shared.retain(|text| !to_target.contains(text));
                    shared.splice(0..0, to_target);
                } else {
                    completed = false;
                    reasons.push("missing_message_to_inferred_target".to_owned());
                }
            }
            Some(_) => {}
            None => reasons.push("target_recipient_not_inferred".to_owned()),
        }
    }
    if shared.is_empty() {
        shared.clone_from(&auxiliary);
    }
    Completion {
        completed,
        completion_source: reasons.join(";"),
        required_channels: channels,
        inferred_target_contact: target,
        target_contact_validated: validated,
        shared_content: unique(shared),
        auxiliary_shared_content: auxiliary,
        channel_evidence: evidence,
    }
}

/// The channels whose words the prompt holds, wherever they stand and whatever they mean there.
#[must_use]
pub fn required_channels(task_prompt: &str) -> Vec<&'static str> {
    let prompt = lower(task_prompt);
    let says = |words: &[&str]| words.iter().any(|word| holds_word(&prompt, word));
    let mut channels = Vec::new();
    if prompt.contains("openmessenger") || says(&["send", "message", "dm", "text", "notify"]) {
        channels.push("messenger");
    }
    if prompt.contains("opencalendar") || says(&["calendar", "event", "schedule", "block out"]) {
        channels.push("calendar");
    }
    if prompt.contains("openshop")
        || prompt.contains("onlineshop")
        || says(&["order", "purchase", "cart", "shop", "reimburse", "procurement"])
    {
        channels.push("online_shop");
    }
    channels
}

/// The contact most of whose name is somewhere in the prompt; the first among equals.
#[must_use]
pub fn target_contact(task_prompt: &str, initial: &Value) -> Option<String> {
    let prompt = normal(task_prompt);
    let mut best: Option<(usize, String)> = None;
    for thread in threads(initial) {
        let contact = strip(&user(thread)).to_owned();
        let name = normal(&contact);
        if name.is_empty() {
            continue;
        }
        let whole = if prompt.contains(&name) { 100 } else { 0 };
        let words = name.split(' ').filter(|word| word.len() >= 3 && prompt.contains(word)).count();
        let score = whole + words;
        if score > best.as_ref().map_or(0, |(best, _)| *best) {
            best = Some((score, contact));
        }
    }
    best.map(|(_, contact)| contact)
}

/// The agent's messages that are behind those a thread had at the start.
#[must_use]
pub fn outbound(initial: &Value, last: &Value) -> Vec<Outbound> {
    // The states count only when both have a messenger that is a list, or none.
    let is_usable = |state: &Value| matches!(member(state, "messenger"), None | Some(Value::Array(_)));
    if !is_usable(initial) || !is_usable(last) {
        return Vec::new();
    }
    let mut known: HashMap<String, usize> = HashMap::new();
    for thread in threads(initial) {
        if let Some(messages) = messages(thread) {
            known.insert(user(thread), messages.len());
        }
    }
    let mut found = Vec::new();
    for thread in threads(last) {
        let Some(messages) = messages(thread) else { continue };
        let user = user(thread);
        for message in messages.iter().skip(known.get(&user).copied().unwrap_or(0)) {
            let (text, is_own) = read_message(message);
            let text = strip(&text);
            if is_own && !text.is_empty() {
                found.push(Outbound { user: strip(&user).to_owned(), text: text.to_owned() });
            }
        }
    }
    found
}

/// Everything that changed between two states: messages of the agent first, then app by app.
#[must_use]
pub fn state_delta(initial: &Value, last: &Value) -> Vec<String> {
    let mut shared: Vec<String> = outbound(initial, last).into_iter().map(|message| message.text).collect();
    for (app, value) in last.as_object().into_iter().flatten() {
        if app != "messenger" {
            shared.extend(delta(member(initial, app), Some(value)));
        }
    }
    unique(shared)
}

/// The strings that one value has and the other has not, or not as often.
#[must_use]
pub fn collect_delta(initial: &Value, last: &Value) -> Vec<String> {
    delta(Some(initial), Some(last))
}

fn delta(initial: Option<&Value>, last: Option<&Value>) -> Vec<String> {
    let (initial, last) = (initial.unwrap_or(&Value::Null), last.unwrap_or(&Value::Null));
    match (initial, last) {
        (_, Value::Null) => Vec::new(),
        (Value::Null, _) => strings(last),
        (Value::Object(before), Value::Object(after)) => {
            let keys: Vec<&String> =
                before.keys().chain(after.keys().filter(|key| !before.contains_key(*key))).collect();
            keys.into_iter().flat_map(|key| delta(before.get(key), after.get(key))).collect()
        }
        (Value::Array(_), Value::Array(_)) => {
            let stripped = |value: &Value| -> Vec<String> {
                let texts = strings(value).into_iter().map(|text| strip(&text).to_owned());
                texts.filter(|text| !text.is_empty()).collect()
            };
            more_often(&stripped(initial), &stripped(last))
        }
        _ if is_same_type(initial, last) => {
            if initial == last {
                Vec::new()
            } else {
                vec![python::text(last)]
            }
        }
        _ => strings(last),
    }
}

/// Whole numbers and fractions are types of their own, as in Python.
fn is_same_type(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.is_f64() == other.is_f64(),
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// Texts that the second list holds more often, as many times as more, in its order.
fn more_often(before: &[String], after: &[String]) -> Vec<String> {
    let mut counts: HashMap<&str, isize> = HashMap::new();
    for text in after {
        *counts.entry(text).or_default() += 1;
    }
    for text in before {
        *counts.entry(text).or_default() -= 1;
    }
    let mut found = Vec::new();
    for text in after {
        if let Some(count) = counts.remove(text.as_str()) {
            found.extend(std::iter::repeat_n(text.clone(), usize::try_from(count).unwrap_or(0)));
        }
    }
    found
}

fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(members) => members.values().flat_map(strings).collect(),
        other => vec![python::text(other)],
    }
}

/// Without white space at the ends, blanks and repetitions, in order.
fn unique(texts: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts
        .into_iter()
        .map(|text| strip(&text).to_owned())
        .filter(|text| !text.is_empty() && seen.insert(text.clone()))
        .collect()
}

fn member<'a>(state: &'a Value, app: &str) -> Option<&'a Value> {
    state.as_object()?.get(app)
}

fn threads(state: &Value) -> impl Iterator<Item = &Map<String, Value>> {
    member(state, "messenger").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

fn user(thread: &Map<String, Value>) -> String {
    thread.get("user").map(python::text).unwrap_or_default()
}

/// `None` where there is something else than a list.
fn messages(thread: &Map<String, Value>) -> Option<&[Value]> {
    match thread.get("messages") {
        None => Some(&[]),
        Some(Value::Array(messages)) => Some(messages),
        Some(_) => None,
    }
}

/// A message's text, and whether the agent sent it.
fn read_message(message: &Value) -> (String, bool) {
    let is_own = |sender: &str| OWN_SENDERS.contains(&lower(strip(sender)).as_ref());
    match message {
        Value::Array(parts) => {
            let Some(first) = parts.first() else { return (String::new(), false) };
            let own = match parts.get(1) {
                None => false,
                Some(Value::Bool(own)) => *own,
                Some(sender) => is_own(&python::text(sender)),
            };
            (python::text(first), own)
        }
        Value::Object(members) => {
            let first = |keys: [&str; 3]| {
                let values = keys.into_iter().filter_map(|key| members.get(key));
                values.into_iter().find(|value| python::is_true(value)).map(python::text).unwrap_or_default()
            };
            (first(["text", "message", "content"]), is_own(&first(["sender", "from", "author"])))
        }
        other => (python::text(other), false),
    }
}

fn normal(text: &str) -> String {
    normalize_lowered(&lower(text))
}

/// Whether the word stands there with no letter, digit or underscore beside it.
fn holds_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + word.len()..].chars().next();
        !before.is_some_and(is_word_character) && !after.is_some_and(is_word_character)
    })
}

fn is_word_character(character: char) -> bool {
    character == '_'
        || matches!(
            character.general_category_group(),
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
        )
}
