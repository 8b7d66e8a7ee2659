//! The published schema of scenario files: it accepts what the loader accepts and refuses what the
//! loader refuses. Checked by a validator for the few keywords the schema uses.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

#[path = "support/shared.rs"]
mod shared;

use discreet::scenario::{self, variation::Factor};
use serde_json::{Value, json};

/// Whether `value` fits `schema`. Panics on a keyword it does not know, so that none is skipped
/// silently.
fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let Value::Object(keywords) = schema else { panic!("{schema} is no schema") };
    keywords.iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "description" | "$defs" | "contentMediaType" => true,
        "$ref" => {
            let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
            fits(root, &root["$defs"][name], value)
        }
        "type" => match rule {
            Value::String(name) => is_type(name, value),
            Value::Array(names) => names.iter().any(|name| is_type(name.as_str().unwrap(), value)),
            _ => panic!("{rule}"),
        },
        "enum" => rule.as_array().unwrap().contains(value),
        "anyOf" => rule.as_array().unwrap().iter().any(|schema| fits(root, schema, value)),
        "required" => value.as_object().is_none_or(|object| {
            rule.as_array().unwrap().iter().all(|key| object.contains_key(key.as_str().unwrap()))
        }),
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(key, value)| rule.get(key).is_none_or(|schema| fits(root, schema, value)))
        }),
        "additionalProperties" => {
            assert_eq!(*rule, json!(false));
            value
                .as_object()
                .is_none_or(|object| object.keys().all(|key| schema["properties"].get(key).is_some()))
        }
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| fits(root, rule, item))),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap()),
        "maxLength" => {
            value.as_str().is_none_or(|text| text.chars().count() as u64 <= rule.as_u64().unwrap())
        }
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
        "pattern" => value.as_str().is_none_or(|text| matches_pattern(rule.as_str().unwrap(), text)),
        other => panic!("the validator does not know `{other}`"),
    })
}

fn is_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    }
}

/// The three patterns of the schema, by what they mean.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    if pattern == "\\S" {
        return !text.trim().is_empty();
    }
    if pattern.contains("A-Za-z0-9._-") {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        return (1..=128).contains(&text.len())
            && text.bytes().all(plain)
            && !text.contains("..")
            && text != ".";
    }
    assert!(pattern.starts_with("^\\d{4}-"), "the validator does not know the pattern {pattern}");
    text.len() >= 15 && text[..10].bytes().filter(|byte| *byte == b'-').count() == 2 && !text.ends_with('Z')
}

fn accepts(value: &Value) -> bool {
    let schema = scenario::schema();
    fits(&schema, &schema, value)
}

#[test]
fn all_public_files_fit_the_schema() {
    let Some(data) = shared::data("agentcibench") else { return };
    let mut count = 0;
    for folder in ["test", "seeds"] {
        for file in std::fs::read_dir(data.join(folder)).unwrap() {
            let path = file.unwrap().path();
            let value: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            assert!(accepts(&value), "{} does not fit", path.display());
            count += 1;
        }
    }
    assert!(count > 50);
}

#[test]
fn schema_and_loader_agree() {
    let good = json!({
        "scenario_id": "s", "task_prompt": "Send Nora the list.",
        "recipient": "Nora", "channel": "messenger", "clock": "2026-05-19T09:00:00", "language": "de",
        "variation": {"theme": "dark", "latency_ms": 20}, "seed_family": "f", "failure_mode": "m",
        "initial_states": {
            "open_messenger": {
                "contacts": ["Ben", {"name": "Ana", "label": "Client", "kind": "person", "external": true}],
                "threads": ["Nora", {"contact": ["Ana", "Ben"], "messages": ["x", {"text": "y", "at": "2026-05-19 08:00"}], "draft": "z"}],
            },
            "open_calendar": {"events": ["a", {"title": "b", "date": "2026-05-19", "start": "10:00", "invitees": ["Ana"]}]},
            "open_todo": {"lists": [{"name": "l", "shared_with": ["Ana"], "items": [{"title": "t", "due": "2026-05-20"}]}], "state": "x"},
            "open_maps": {"places": [{"name": "p"}], "routes": [{"name": "r", "stops": ["s"]}], "active_route": "q"},
            "open_code_editor": {"files": ["f", {"path": "g", "content": "c", "shared_with": ["Ana"]}], "open_tabs": ["f"]},
            "open_shop": {"products": ["p"], "cart": [{"title": "t", "price": 1.5, "quantity": 2}], "orders": [{"lines": ["l"], "total": "$1"}]},
            },
        "ground_truth": {"must_share": ["a"], "must_not_share": [{"text": "b", "any_of": ["c"], "why": "w", "audience_ok": []}]},
    });
    let loads = |value: &Value| {
        scenario::load_text(std::path::Path::new("s.json"), &value.to_string()).remove(0).result.is_ok()
    };
    assert!(accepts(&good));
    assert!(loads(&good));
    let changes: [(&str, Value); 20] = [
        ("/scenario_id", json!("a/b")),
        ("/scenario_id", json!(7)),
        ("/task_prompt", json!(" ")),
        ("/channel", json!("email")),
        ("/clock", json!("2026-05-19T09:00:00Z")),
        ("/language", json!("fr")),
        ("/variation", json!({"colour": "red"})),
        ("/variation/theme", json!("red")),
        ("/variation/theme", json!(["dark"])),
        ("/variation/latency_ms", json!(5001)),
        ("/variation/latency_ms", json!(1.5)),
        ("/failure_mode", json!("x".repeat(200))),
        ("/initial_states", json!({"open_mail": {}})),
        ("/initial_states/open_calendar/events", json!("x")),
        ("/initial_states/open_calendar/events/0", json!({"titel": "x"})),
        ("/initial_states/open_messenger/threads/1/messages/0", json!({"sender": "x"})),
        ("/initial_states/open_messenger/contacts/1/kind", json!("robot")),
        ("/ground_truth/must_not_share", json!([])),
        ("/ground_truth/must_share/0", json!(7)),
        ("/ground_truth/must_not_share/0", json!({"text": "x", "reason": "y"})),
    ];
    for (pointer, value) in changes {
        let mut changed = good.clone();
        *changed.pointer_mut(pointer).unwrap() = value;
        assert!(!loads(&changed), "the loader takes a bad {pointer}");
        assert!(!accepts(&changed), "the schema takes a bad {pointer}");
    }
    // Every value of every factor, as the loader lists them.
    let factors = &scenario::schema()["properties"]["variation"]["properties"];
    assert_eq!(factors.as_object().unwrap().len(), Factor::ALL.len());
    for factor in Factor::ALL {
        let Some(values) = factors[factor.name()]["enum"].as_array() else {
            assert_eq!(factor, Factor::LatencyMs);
            continue;
        };
        let named: Vec<String> =
            values.iter().filter_map(Value::as_str).map(|value| format!("`{value}`")).collect();
        assert_eq!(named.len(), factor.allowed().matches('`').count() / 2, "{factor:?}");
        assert!(named.iter().all(|value| factor.allowed().contains(value)), "{factor:?}");
    }
}
