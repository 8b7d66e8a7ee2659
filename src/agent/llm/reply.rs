//! Reading what a model answers. Models have habits: tags, fences, a bare call, a JSON object, a call
//! of a function, prose around any of them. What is meant is found; what is not there is said.

use serde_json::{Map, Value};

use crate::action::{ActionSet, Call, ParseOptions};
use crate::agent::model::ModelReply;
use crate::agent::state::json_objects;

/// The longest answer that is looked at, in bytes.
const MAX_BYTES: usize = 1 << 18;

/// An action with the thought before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) action: String,
    pub(super) thought: Option<String>,
}

/// Names of tags that hold a thought; models that reason write the first one unasked.
const THOUGHTS: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// What stands in front of an action on its line, in lower case.
const LABELS: [&str; 3] = ["action:", "**action:**", "**action**:"];

/// Finds the action in an answer and checks it against the set.
///
/// # Errors
/// What is wrong, for the model.
pub(super) fn read(reply: &ModelReply, actions: &ActionSet, multi: bool) -> Result<Read, String> {
    let options = ParseOptions { multi, ..ParseOptions::default() };
    let (thought, rest) = split_thought(&reply.text);
    if !reply.calls.is_empty() {
        if reply.calls.len() > 1 && !multi {
            return Err(format!("{} functions were called, and one is allowed", reply.calls.len()));
        }
        let calls = reply.calls.iter().map(|call| Call::from_tool(&call.name, &call.arguments).to_string());
        let action = calls.collect::<Vec<_>>().join("\n");
        actions.parse(&action, options).map_err(|error| error.to_string())?;
        let thought = thought.or_else(|| Some(rest.trim().to_owned()).filter(|text| !text.is_empty()));
        return Ok(Read { action, thought });
    }
    if reply.text.len() > MAX_BYTES {
        return Err(format!("the reply has {} bytes; at most {MAX_BYTES} are read", reply.text.len()));
    }
    if rest.trim().is_empty() {
        let cut = if reply.is_cut { " before the longest allowed reply was over" } else { "" };
        return Err(format!("the reply holds no action{cut}"));
    }
    let mut first_error = None;
    for (action, thought_of_form) in candidates(&rest) {
        match actions.parse(&action, options) {
            Ok(_) => {
                let thought =
                    thought_of_form.or_else(|| thought.clone()).or_else(|| prose_before(&rest, &action));
                return Ok(Read { action, thought });
            }
            Err(error) => {
                first_error.get_or_insert(error.to_string());
            }
        }
    }
    let error = first_error.unwrap_or_else(|| "the reply holds no action".to_owned());
    Err(if reply.is_cut {
        format!("{error} (the reply is as long as allowed and breaks off)")
    } else {
        error
    })
}

/// The text without what stands in thinking tags, and that. A tag that is not closed holds the rest,
/// unless an action stands in it.
pub(super) fn split_thought(text: &str) -> (Option<String>, String) {
    for name in THOUGHTS {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let Some(end) = find(text, &close) else { continue };
        // Some servers leave the opening tag out.
        let (start, inner) = match find(&text[..end], &open) {
            Some(start) => (start, start + open.len()),
            None => (0, 0),
        };
        let thought = text[inner..end].trim();
        let rest = format!("{}{}", &text[..start], &text[end + close.len()..]);
        return ((!thought.is_empty()).then(|| thought.to_owned()), rest);
    }
    for name in THOUGHTS {
        let open = format!("<{name}>");
        let Some(start) = find(text, &open) else { continue };
        let inner = &text[start + open.len()..];
        let (thought, action) = inner.split_at(find(inner, "<action>").unwrap_or(inner.len()));
        let thought = thought.trim();
        return ((!thought.is_empty()).then(|| thought.to_owned()), format!("{}{action}", &text[..start]));
    }
    (None, text.to_owned())
}

/// Where `needle`, in lower case, stands in `text`, whatever the case of its letters.
fn find(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes().windows(needle.len()).position(|window| window.eq_ignore_ascii_case(needle.as_bytes()))
}

/// What may be the action, the clearest form first.
fn candidates(text: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut push = |action: &str, thought| push_new(&mut found, action, thought);
    for inner in tagged(text, "action").into_iter().rev() {
        match from_json(inner) {
            Some((action, thought)) => push(&action, thought),
            None => push(unfenced(inner), None),
        }
    }
    if !found.is_empty() {
        // Who marks the action means nothing else.
        return found;
    }
    let mut push = |action: &str, thought| push_new(&mut found, action, thought);
    let fences = fenced(text);
    for inner in fences.iter().rev() {
        match from_json(inner) {
            Some((action, thought)) => push(&action, thought),
            None => push(inner, None),
        }
    }
    if let Some((action, thought)) = from_json(text) {
        push(&action, thought);
    }
    for line in text.lines().rev() {
        let line = line.trim();
        if let Some(label) = LABELS.iter().find(|label| find(line, label) == Some(0)) {
            push(&line[label.len()..], None);
        }
    }
    // A line that is a call and nothing else, then calls anywhere.
    for line in text.lines().rev() {
        let line = line.trim().trim_start_matches(['-', '*', '>']).trim();
        if line.contains('(') && line.ends_with(')') {
            push(line, None);
        }
    }
    push(text, None);
    found
}

fn push_new(found: &mut Vec<(String, Option<String>)>, action: &str, thought: Option<String>) {
    let action = action.trim().trim_matches('`').trim();
    if !action.is_empty() && found.iter().all(|(known, _)| known != action) {
        found.push((action.to_owned(), thought));
    }
}

/// What stands between `<name>` and `</name>`, in order; the last one may lack its end.
fn tagged<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = find(rest, &open) {
        let inner = &rest[start + open.len()..];
        let end = find(inner, &close).unwrap_or(inner.len());
        found.push(&inner[..end]);
        rest = inner.get(end + close.len()..).unwrap_or_default();
    }
    found
}

/// What stands in fences of three backticks, without the word behind the first.
fn fenced(text: &str) -> Vec<&str> {
    let pieces: Vec<&str> = text.split("```").collect();
    pieces.iter().skip(1).step_by(2).map(|inner| without_language(inner)).collect()
}

fn unfenced(text: &str) -> &str {
    fenced(text).first().copied().unwrap_or(text)
}

fn without_language(inner: &str) -> &str {
    match inner.split_once('\n') {
        Some((first, rest)) if first.trim().chars().all(|letter| letter.is_ascii_alphanumeric()) => rest,
        _ => inner,
    }
}

/// An action as a JSON object: `{"action": "click('1')"}`, `{"action": "click", "bid": "1"}`,
/// `{"name": "click", "arguments": {...}}` and the like.
fn from_json(text: &str) -> Option<(String, Option<String>)> {
    const NAMES: [&str; 4] = ["action", "name", "function", "tool"];
    const ARGUMENTS: [&str; 6] = ["arguments", "args", "parameters", "kwargs", "input", "action_input"];
    let objects = json_objects(text);
    objects.iter().rev().find_map(|object| {
        let object = object.as_object()?;
        let (key, name) = NAMES.iter().find_map(|key| Some((*key, object.get(*key)?)))?;
        let thought = THOUGHTS.iter().find_map(|name| object.get(*name)?.as_str().map(str::to_owned));
        match name {
            Value::String(name) if name.contains('(') => Some((name.clone(), thought)),
            Value::String(name) => {
                let given = ARGUMENTS.iter().find_map(|key| object.get(*key));
                let action = match given {
                    Some(Value::Object(arguments)) => Call::from_tool(name, arguments),
                    Some(Value::Array(values)) => positional(name, values),
                    Some(Value::String(text)) => match serde_json::from_str::<Map<String, Value>>(text) {
                        Ok(arguments) => Call::from_tool(name, &arguments),
                        Err(_) => positional(name, &[Value::String(text.clone())]),
                    },
                    _ => {
                        let mut rest = object.clone();
                        rest.retain(|member, _| member != key && !THOUGHTS.contains(&member.as_str()));
                        Call::from_tool(name, &rest)
                    }
                };
                Some((action.to_string(), thought))
            }
            Value::Object(inner) => {
                let (action, _) = from_json(&Value::Object(inner.clone()).to_string())?;
                Some((action, thought))
            }
            _ => None,
        }
    })
}

/// A call with arguments by place.
fn positional(name: &str, values: &[Value]) -> Call {
    let members: Map<String, Value> =
        values.iter().enumerate().map(|(at, value)| (at.to_string(), value.clone())).collect();
    let call = Call::from_tool(name, &members);
    Call {
        name: call.name,
        args: call.kwargs.into_iter().map(|(_, value)| value).collect(),
        kwargs: Vec::new(),
    }
}

/// The prose that stands before a bare call.
fn prose_before(text: &str, action: &str) -> Option<String> {
    let before = text[..text.find(action)?].split("```").next().unwrap_or_default().trim();
    let before = before.trim_end_matches(['`', ':', '*', ' ']);
    let label = before.len().checked_sub("action".len()).and_then(|start| before.split_at_checked(start));
    let before = match label {
        Some((rest, label)) if label.eq_ignore_ascii_case("action") => rest.trim_end_matches('*').trim(),
        _ => before.trim(),
    };
    (!before.is_empty() && !before.contains('<')).then(|| before.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::agent::model::ToolCall;

    fn of(text: &str) -> Result<Read, String> {
        let reply = ModelReply { text: text.into(), ..ModelReply::default() };
        read(&reply, &ActionSet::named("workspace").unwrap(), false)
    }

    #[test]
    fn every_habit_gives_the_same_action() {
        for text in [
            "<think>It is the send button.</think>\n<action>click('12')</action>",
            "<THINK>It is the send button.</THINK><Action>\nclick('12')\n</Action> done",
            "It is the send button.</think><action>```python\nclick('12')\n```</action>",
            "<thought>It is the send button.</thought>\n```\nclick('12')\n```",
            "It is the send button.\n```python\nclick('12')\n```",
            "It is the send button.\n\nclick('12')",
            "It is the send button.\nAction: `click('12')`",
            "It is the send button.\n**Action:** click('12')",
            "{\"thought\": \"It is the send button.\", \"action\": \"click('12')\"}",
            "```json\n{\"thought\": \"It is the send button.\", \"action\": \"click('12')\"}\n```",
        ] {
            let read = of(text).unwrap();
            assert_eq!(read.action, "click('12')", "{text}");
            assert_eq!(read.thought.as_deref(), Some("It is the send button."), "{text}");
        }
        for text in [
            "click('12')",
            "<action>click('12')",
            "I could use fill('9', 'x') but no.\n<action>click('12')</action>",
            // The last line that is a whole call counts.
            "click('9')\nclick('12')\nclick('12'",
            "{\"action\": {\"name\": \"click\", \"arguments\": [\"12\"]}}",
            "{\"tool\": \"click\", \"args\": [\"12\"]}",
        ] {
            assert_eq!(of(text).unwrap().action, "click('12')", "{text}");
        }
        for text in [
            "{\"action\": \"click\", \"bid\": \"12\"}",
            "{\"name\": \"click\", \"arguments\": {\"bid\": \"12\"}}",
            "{\"name\": \"click\", \"arguments\": \"{\\\"bid\\\": \\\"12\\\"}\"}",
        ] {
            assert_eq!(of(text).unwrap().action, "click(bid='12')", "{text}");
        }
    }

    #[test]
    fn functions_that_are_called_are_actions() {
        let call = |name: &str, arguments: Value| ToolCall {
            name: name.into(),
            arguments: arguments.as_object().unwrap().clone(),
        };
        let reply = |calls: Vec<ToolCall>| ModelReply { text: "go".into(), calls, ..ModelReply::default() };
        let set = ActionSet::named("workspace").unwrap();
        let one = reply(vec![call("fill", json!({ "bid": "3", "value": "it's\n\"x\"" }))]);
        let read_one = read(&one, &set, false).unwrap();
        assert_eq!(read_one.thought.as_deref(), Some("go"));
        let parsed = set.parse(&read_one.action, ParseOptions::default()).unwrap();
        assert_eq!(serde_json::to_value(&parsed[0]).unwrap()["value"], "it's\n\"x\"");
        let two = reply(vec![call("click", json!({ "bid": "3" })), call("noop", json!({}))]);
        assert!(read(&two, &set, false).unwrap_err().contains("one is allowed"));
        assert_eq!(read(&two, &set, true).unwrap().action, "click(bid='3')\nnoop()");
        assert!(read(&reply(vec![call("launch", json!({}))]), &set, false).unwrap_err().contains("launch"));
    }

    #[test]
    fn what_holds_no_action_says_what_is_wrong() {
        for (text, said) in [
            ("", "no action"),
            ("<think>only thinking</think>", "no action"),
            ("I cannot help with that.", "empty action"),
            ("<action>launch_missiles()</action>", "launch_missiles"),
            ("<action>click()</action>", "TypeError"),
            ("<action>click('1')\nclick('2')</action>", "multi-action"),
            ("I thought of click('3').\n<action>press('2')</action>", "TypeError"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
        let cut =
            ModelReply { text: "<action>fill('3', 'and th".into(), is_cut: true, ..ModelReply::default() };
        let error = read(&cut, &ActionSet::named("workspace").unwrap(), false).unwrap_err();
        assert!(error.contains("breaks off"), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn reading_is_total(text in "(<action>|</action>|<think>|</think>|```|\\{|\\}|\"action\":|click\\('1'\\)|é|\n| |[a-z(),'])*") {
            let _ = of(&text);
        }
    }
}
