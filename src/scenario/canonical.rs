//! Canonical JSON: keys sorted by bytes, no white space. Equal values give equal bytes, whatever the
//! order of keys in the file.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The value as canonical JSON.
#[must_use]
pub fn to_string(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

/// SHA-256 of the canonical JSON, in hex.
#[must_use]
pub fn hash(value: &Value) -> String {
    hex::encode(Sha256::digest(to_string(value).as_bytes()))
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Array(values) => {
            text.push('[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write(value, text);
            }
            text.push(']');
        }
        Value::Object(entries) => {
            // Not left to `serde_json`: whether its maps are sorted depends on a feature that any
            // dependency can turn on.
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by(|left, right| left.0.cmp(right.0));
            text.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_order_of_keys_does_not_matter() {
        let left: Value = serde_json::from_str(r#"{"b": [1, {"y": "ü\n", "x": null}], "a": 1.5}"#).unwrap();
        let right: Value = serde_json::from_str(r#"{"a":1.5,"b":[1,{"x":null,"y":"ü\n"}]}"#).unwrap();
        assert_eq!(to_string(&left), r#"{"a":1.5,"b":[1,{"x":null,"y":"ü\n"}]}"#);
        assert_eq!(hash(&left), hash(&right));
        assert_ne!(hash(&left), hash(&json!({"a": 1.5})));
    }
}
