//! How Python shows a JSON value: `str` and `repr`, and whether it counts as true.

use std::fmt::Write as _;

use serde_json::Value;

/// Python's `str(value)` of a value that `json.load` made.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => shown(other),
    }
}

/// Python's `repr(value)`.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => float_text(float),
            _ => number.to_string(),
        },
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| format!("{}: {}", quoted(key), shown(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Whether Python takes it for true in `a or b`.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// The shortest digits that give the number again, plain between 1e-4 and 1e16.
fn float_text(float: f64) -> String {
    let scientific = format!("{float:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{float}");
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut shown = String::with_capacity(text.len() + 2);
    shown.push(quote);
    for character in text.chars() {
        match character {
            '\\' => shown.push_str("\\\\"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if character == quote => shown.extend(['\\', quote]),
            _ if u32::from(character) < 0x20 || character == '\u{7f}' => {
                // Writing to a string cannot fail.
                let _ = write!(shown, "\\x{:02x}", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
    shown.push(quote);
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_shown_as_python_shows_them() {
        for (value, expected) in [
            (json!(null), "None"),
            (json!(true), "True"),
            (json!(3), "3"),
            (json!(1.5), "1.5"),
            (json!(2.0), "2.0"),
            (json!(1e21), "1e+21"),
            (json!(1e-7), "1e-07"),
            (json!(0.0001), "0.0001"),
            (json!(1.25e-5), "1.25e-05"),
            (json!(1e15), "1000000000000000.0"),
            (json!("it's"), "it's"),
            (json!(["it's", 1, {"a": "b\n"}]), "[\"it's\", 1, {'a': 'b\\n'}]"),
        ] {
            assert_eq!(text(&value), expected);
        }
    }

    #[test]
    fn what_counts_as_true() {
        for value in [json!(0), json!(0.0), json!(""), json!([]), json!({}), json!(null), json!(false)] {
            assert!(!is_true(&value), "{value}");
        }
        assert!(is_true(&json!("0")) && is_true(&json!([0])) && is_true(&json!(-1)));
    }
}
