//! The action grammar against recorded results of BrowserGym 0.14.3, and its properties.

#![expect(clippy::unwrap_used, reason = "helpers of tests, outside the test functions")]

#[path = "support/shared.rs"]
mod shared;

use discreet::action::{ActionSet, Call, Improvement, ParseOptions, Value, grammar, quote};
use proptest::prelude::*;
use serde_json::Value as Json;

/// A file of the recorded data, or `None` (said on stderr) where it is not there.
fn recorded(name: &str) -> Option<String> {
    shared::data(&format!("browsergym/{name}")).map(|path| std::fs::read_to_string(path).unwrap())
}

fn rows() -> Option<Vec<Json>> {
    Some(recorded("action_parse.jsonl")?.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// What the recorded run gave for a mode: the calls as JSON, or the error's text.
fn expected(row: &Json, mode: &str) -> Result<Vec<Json>, String> {
    match &row[mode]["error"] {
        Json::String(class) => Err(format!("{class}: {}", row[mode]["message"].as_str().unwrap())),
        _ => Ok(row[mode]["calls"]
            .as_array()
            .unwrap()
            .iter()
            .map(|call| serde_json::json!({"name": call["name"], "args": call["args"], "kwargs": call["kwargs"]}))
            .collect()),
    }
}

fn ours(text: &str, options: ParseOptions) -> Result<Vec<Json>, String> {
    match grammar::calls(text, options) {
        Ok(calls) => Ok(calls.iter().map(Call::to_json).collect()),
        Err(error) if error.message == "Received an empty action." => Ok(Vec::new()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn compatible_mode_reads_every_recorded_text_as_browsergym_did() {
    let Some(rows) = rows() else { return };
    let browsergym = ActionSet::named("browsergym").unwrap();
    for row in &rows {
        let text = row["action"].as_str().unwrap();
        for (mode, strict) in [("loose", false), ("strict", true)] {
            let options = ParseOptions { strict, multi: true, compat: true };
            assert_eq!(ours(text, options), expected(row, mode), "{mode}: {text:?}");
            let rendered: Vec<String> = grammar::calls(text, options)
                .map(|calls| calls.iter().map(ToString::to_string).collect())
                .unwrap_or_default();
            let wanted: Vec<&str> = row[mode]["calls"]
                .as_array()
                .map(|calls| calls.iter().map(|call| call["rendered"].as_str().unwrap()).collect())
                .unwrap_or_default();
            assert_eq!(rendered, wanted, "{mode}: {text:?}");
            for (arity, multi) in [("multi", true), ("single", false)] {
                let options = ParseOptions { strict, multi, compat: true };
                let outcome = grammar::calls(text, options)
                    .and_then(|calls| browsergym.check_names(&calls, options))
                    .map_or_else(|error| error.to_string(), |()| "ok".to_owned());
                let wanted = &row[format!("to_code_{mode}_{arity}")];
                assert_eq!(outcome, wanted.as_str().unwrap(), "{mode} {arity}: {text:?}");
            }
        }
    }
    println!("{} recorded texts agree", rows.len());
}

#[test]
fn default_mode_differs_from_browsergym_only_by_named_improvements() {
    let Some(rows) = rows() else { return };
    let all = ActionSet::all();
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for row in &rows {
        let text = row["action"].as_str().unwrap();
        for (mode, strict) in [("loose", false), ("strict", true)] {
            let options = ParseOptions { strict, ..ParseOptions::default() };
            let examined = grammar::examine(text, options);
            if ours(text, options) != expected(row, mode) {
                assert!(!examined.improvements.is_empty(), "{mode}: {text:?} gives {:?}", examined.calls);
                for improvement in &examined.improvements {
                    *counts.entry(improvement.name()).or_default() += 1;
                }
            }
            if let Ok(calls) = examined.calls
                && let Err(error) = all.check_names(&calls, options)
            {
                assert!(error.message.contains("Allowed: noop, "), "{error}");
                *counts.entry(Improvement::NamesListed.name()).or_default() += 1;
            }
        }
    }
    assert!(counts.len() >= 3, "the recorded texts exercise the improvements: {counts:?}");
    println!("rows that differ: {counts:?}");
}

#[test]
fn signatures_and_sets_are_browsergyms() {
    let (Some(signatures), Some(subsets)) =
        (recorded("action_signatures.json"), recorded("action_subsets.json"))
    else {
        return;
    };
    let signatures: Json = serde_json::from_str(&signatures).unwrap();
    let described = ActionSet::all().describe(true);
    for signature in signatures["signatures"].as_object().unwrap().values() {
        let line = format!("\n{}\n", signature.as_str().unwrap());
        assert!(described.contains(&line), "{line}");
    }
    assert_eq!(ActionSet::named("browsergym").unwrap().actions().len() as u64, signatures["n_default"]);
    let subsets: Json = serde_json::from_str(&subsets).unwrap();
    for (name, members) in subsets.as_object().unwrap() {
        let mut wanted = vec!["noop"];
        wanted.extend(members.as_array().unwrap().iter().map(|member| member.as_str().unwrap()));
        assert_eq!(ActionSet::named(name).unwrap().actions(), wanted, "{name}");
    }
}

fn error(text: &str) -> String {
    grammar::calls(text, ParseOptions::default()).unwrap_err().to_string()
}

#[test]
fn a_broken_call_is_named_with_its_place_and_reason() {
    for (text, parts) in [
        ("fill('1', x)", ["fill() at character 0", "At character 10", "text is written in quotes"]),
        ("do it: fill('1', 'it's')", ["fill() at character 7", "At character 21", "backslash"]),
        ("click(‘12’)", ["click() at character 0", "At character 6", "only ' and \" quote a string"]),
        ("click(str(12))", ["click() at character 0", "At character 6", "cannot be computed"]),
        ("click('12'", ["click() at character 0", "At character 10", "found end of text"]),
        ("select_option('1', ['a','b')", ["select_option()", "At character 27", "expected `,` or `]`"]),
        ("fill('1', f'x')", ["fill()", "At character 10", "a string has no prefix"]),
        ("click(bid='1', 'left')", ["click()", "At character 15", "cannot follow one with a name"]),
        ("fill('1', \"never closed)", ["fill()", "At character 10", "closed by \""]),
        ("fill('1', true)", ["fill()", "At character 10", "`True`"]),
        ("fill('1', {k: 1})", ["fill()", "At character 11", "a key in quotes"]),
        ("clik('12'", ["clik() at character 0", "At character 9", "found end of text"]),
        ("click('1')\nbad(\nclick('2')", ["bad() at character 11", "At character 16", "found 'click'"]),
    ] {
        let error = error(text);
        assert!(error.starts_with("ValueError: The call to "), "{error}");
        for part in parts {
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}

#[test]
fn prose_around_calls_is_no_broken_call() {
    for text in [
        "I press the button(s) I need. click('12')",
        "Let me scroll (down) and press (Enter): click('12')",
        "So f(x) = 2x and click('12')",
        "请点击click('12')。",
        "It's \"fine\" # nothing here('\nclick('12')",
    ] {
        let calls = grammar::calls(text, ParseOptions::default()).unwrap();
        assert_eq!(calls.last().unwrap().to_string(), "click('12')", "{text}");
        assert_eq!(calls.len(), 1, "{text}");
    }
    assert_eq!(error("I will click on the (first) button"), "ValueError: Received an empty action.");
}

/// BrowserGym's issue 334: a message with a real line break was "an empty action".
#[test]
fn a_line_break_inside_a_string_belongs_to_it() {
    for text in ["send_msg_to_user(\"Hello\nWorld\")", "send_msg_to_user('Hello\r\nWorld')"] {
        let calls = grammar::calls(text, ParseOptions::default()).unwrap();
        assert_eq!(calls[0].args, [Value::Str("Hello\nWorld".into())]);
        let compat = ParseOptions { compat: true, ..ParseOptions::default() };
        assert_eq!(
            grammar::calls(text, compat).unwrap_err().to_string(),
            "ValueError: Received an empty action."
        );
    }
}

#[test]
fn a_tab_inside_a_string_stays_one() {
    let calls = grammar::calls("fill('1', 'a\tb')", ParseOptions::default()).unwrap();
    assert_eq!(calls[0].args[1], Value::Str("a\tb".into()));
}

#[test]
fn text_and_depth_are_bounded() {
    assert!(error(&" ".repeat(grammar::MAX_CHARACTERS + 1)).contains("at most"));
    let nested = |depth: usize| format!("f({}{})", "[".repeat(depth), "]".repeat(depth));
    assert!(grammar::calls(&nested(grammar::MAX_DEPTH), ParseOptions::default()).is_ok());
    assert!(error(&nested(grammar::MAX_DEPTH + 1)).starts_with("RecursionError: "));
    assert!(error(&format!("f({}", "[".repeat(100_000))).starts_with("RecursionError: "));
}

/// No text of the longest length takes long: every name is tried once.
#[test]
fn long_hostile_texts_are_read_quickly() {
    let started = std::time::Instant::now();
    for unit in ["a", "f(", "f('''", "f(\"", "f(1,", "a ", "a # ", "f('\\'", "f({'a':", "#\n"] {
        let text = unit.repeat(grammar::MAX_CHARACTERS / unit.chars().count());
        for compat in [false, true] {
            for strict in [false, true] {
                let _ = grammar::calls(&text, ParseOptions { strict, multi: true, compat });
            }
        }
    }
    assert!(started.elapsed().as_secs() < 20, "took {:?}", started.elapsed());
}

#[test]
fn the_documentation_lists_every_action_set_and_improvement() {
    let page = include_str!("../docs/actions.md");
    for line in ActionSet::all().summary().lines() {
        assert!(page.contains(line.trim()), "docs/actions.md lacks: {line}");
    }
    for name in ActionSet::names() {
        assert!(page.contains(&format!("`{name}`")), "docs/actions.md lacks the set {name}");
    }
    for improvement in Improvement::ALL {
        assert!(page.contains(&format!("| `{}` |", improvement.name())), "{improvement:?}");
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        Just(Value::None),
        any::<i64>().prop_map(Value::Int),
        "-?[1-9][0-9]{20,60}".prop_map(Value::BigInt),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::Float),
        any::<String>().prop_map(Value::Str),
        r#"['"\\\n\r\t a]{0,8}"#.prop_map(Value::Str),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Tuple),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|entries| Value::Dict(entries.into_iter().collect())),
        ]
    })
}

fn call() -> impl Strategy<Value = Call> {
    let name = "[a-zA-Z_][a-zA-Z0-9_]{0,8}";
    (name, prop::collection::vec(value(), 0..4), prop::collection::vec((name, value()), 0..3))
        .prop_map(|(name, args, kwargs)| Call { name, args, kwargs })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), strict: bool, multi: bool, compat: bool) {
        let _ = ActionSet::all().parse(&text, ParseOptions { strict, multi, compat });
    }

    #[test]
    fn text_that_looks_like_calls_is_read_or_refused(
        text in r#"(click|fill|f|a|1|'|"|'''|\\|\n|\t|\(|\)|\[|\]|\{|\}|,|=|:|#| |True|None|1e|\.|é){0,40}"#,
        strict: bool,
        compat: bool,
    ) {
        let _ = ActionSet::all().parse(&text, ParseOptions { strict, multi: true, compat });
    }

    #[test]
    fn a_call_written_out_reads_back_to_itself(calls in prop::collection::vec(call(), 1..4), strict: bool, compat: bool) {
        let text = calls.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let read = grammar::calls(&text, ParseOptions { strict, multi: true, compat }).unwrap();
        prop_assert_eq!(read, calls);
    }

    #[test]
    fn a_quoted_text_reads_back_to_itself(text in any::<String>(), compat: bool) {
        let written = format!("finish({})", quote(&text));
        let read = grammar::calls(&written, ParseOptions { strict: true, multi: false, compat }).unwrap();
        prop_assert_eq!(&read[0].args, &[Value::Str(text)]);
    }
}
