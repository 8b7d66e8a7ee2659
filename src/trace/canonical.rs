//! Canonical JSON: one text for one value, so that a hash over it means the same everywhere.
//!
//! * UTF-8, no white space outside strings, nothing after the value;
//! * members of an object in ascending order of their keys' code points, no key twice;
//! * in strings only what must be escaped is: `\"`, `\\`, `\b`, `\f`, `\n`, `\r`, `\t`, other
//!   characters below U+0020 as `\u00xx` with lowercase digits;
//! * numbers as this program writes them: integers as digits, others in the shortest form that
//!   reads back as the same 64-bit float. A reader takes a number's text as it stands, because the
//!   hash is over text.
//!
//! For integers, strings, arrays and objects this is what `json.dumps(value, sort_keys=True,
//! separators=(",", ":"), ensure_ascii=False)` gives in Python.

use serde_json::Value;

/// Deepest nesting that is written or read; `serde_json` itself stops at 128.
const MAX_DEPTH: usize = 100;

/// Why a text is not canonical JSON, or a value cannot be written as such.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why} at byte {offset}")]
pub struct CanonicalError {
    /// Zero-based place in the text; 0 for a value that cannot be written.
    pub offset: usize,
    /// What is wrong there.
    pub why: &'static str,
}

/// Writes a value as canonical JSON.
///
/// # Errors
/// [`CanonicalError`] when it is nested deeper than 100 levels.
pub fn canonical_json(value: &Value) -> Result<String, CanonicalError> {
    let mut text = String::new();
    write_value(&mut text, value, 0)?;
    Ok(text)
}

fn write_value(text: &mut String, value: &Value, depth: usize) -> Result<(), CanonicalError> {
    if depth > MAX_DEPTH {
        return Err(CanonicalError { offset: 0, why: "nesting deeper than 100 levels" });
    }
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::String(string) => write_string(text, string),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_value(text, item, depth + 1)?;
            }
            text.push(']');
        }
        Value::Object(members) => {
            // Sorted here although `serde_json`'s map is sorted by default: a feature that some
            // other crate turns on (`preserve_order`) must not change our hashes.
            let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
            sorted.sort_unstable_by_key(|(key, _)| key.as_bytes());
            text.push('{');
            for (index, (key, member)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_string(text, key);
                text.push(':');
                write_value(text, member, depth + 1)?;
            }
            text.push('}');
        }
    }
    Ok(())
}

fn write_string(text: &mut String, string: &str) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\0'..='\u{1f}' => {
                let code = character as usize;
                text.push_str("\\u00");
                text.push(char::from(DIGITS[code >> 4]));
                text.push(char::from(DIGITS[code & 0xf]));
            }
            _ => text.push(character),
        }
    }
    text.push('"');
}

/// Checks that a text is canonical JSON, without building a value.
///
/// A scanner of its own rather than "parse, write, compare": that would accept two keys of the same
/// name as the last one, and depends on a float parser that is exact to the last bit.
///
/// # Errors
/// [`CanonicalError`] with the first place that is not canonical.
pub fn check_canonical(text: &str) -> Result<(), CanonicalError> {
    let mut scanner = Scanner { text: text.as_bytes(), at: 0 };
    scanner.value(0)?;
    if scanner.at == text.len() { Ok(()) } else { Err(scanner.error("something after the value")) }
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn error(&self, why: &'static str) -> CanonicalError {
        CanonicalError { offset: self.at, why }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, expected: u8) -> bool {
        let taken = self.peek() == Some(expected);
        self.at += usize::from(taken);
        taken
    }

    fn word(&mut self, word: &[u8]) -> Result<(), CanonicalError> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            Err(self.error("a value is expected"))
        }
    }

    fn value(&mut self, depth: usize) -> Result<(), CanonicalError> {
        if depth > MAX_DEPTH {
            return Err(self.error("nesting deeper than 100 levels"));
        }
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(|_| ()),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b' ' | b'\t' | b'\r' | b'\n') => Err(self.error("white space outside a string")),
            Some(_) => Err(self.error("a value is expected")),
            None => Err(self.error("the text ends too early")),
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), CanonicalError> {
        self.at += 1;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            self.value(depth + 1)?;
            if self.take(b']') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.error("`,` or `]` is expected"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<(), CanonicalError> {
        self.at += 1;
        if self.take(b'}') {
            return Ok(());
        }
        let mut previous: Option<Vec<u8>> = None;
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.error("a key is expected"));
            }
            let start = self.at;
            let key = self.string()?;
            match previous.as_ref().map(|previous| previous.cmp(&key)) {
                Some(std::cmp::Ordering::Equal) => {
                    return Err(CanonicalError { offset: start, why: "a key stands twice" });
                }
                Some(std::cmp::Ordering::Greater) => {
                    return Err(CanonicalError { offset: start, why: "keys are not sorted" });
                }
                _ => {}
            }
            previous = Some(key);
            if !self.take(b':') {
                return Err(self.error("`:` is expected"));
            }
            self.value(depth + 1)?;
            if self.take(b'}') {
                return Ok(());
            }
            if !self.take(b',') {
                return Err(self.error("`,` or `}` is expected"));
            }
        }
    }

    /// Scans a string and returns it decoded.
    fn string(&mut self) -> Result<Vec<u8>, CanonicalError> {
        self.at += 1;
        let mut decoded = Vec::new();
        loop {
            let Some(byte) = self.peek() else { return Err(self.error("the text ends inside a string")) };
            match byte {
                b'"' => {
                    self.at += 1;
                    return Ok(decoded);
                }
                b'\\' => decoded.push(self.escape()?),
                0..=0x1f => return Err(self.error("a control character stands raw in a string")),
                _ => {
                    decoded.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self) -> Result<u8, CanonicalError> {
        let decoded = match self.text.get(self.at + 1) {
            Some(b'"') => b'"',
            Some(b'\\') => b'\\',
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let digits = self.text.get(self.at + 2..self.at + 6).unwrap_or_default();
                let code = match digits {
                    [b'0', b'0', high @ (b'0' | b'1'), low @ (b'0'..=b'9' | b'a'..=b'f')] => {
                        let low = if low.is_ascii_digit() { low - b'0' } else { low - b'a' + 10 };
                        (high - b'0') * 16 + low
                    }
                    _ => return Err(self.error("an escape that is not needed")),
                };
                if matches!(code, 0x08 | 0x09 | 0x0a | 0x0c | 0x0d) {
                    return Err(self.error("an escape that has a shorter form"));
                }
                self.at += 4;
                code
            }
            _ => return Err(self.error("an unknown escape")),
        };
        self.at += 2;
        Ok(decoded)
    }

    fn digits(&mut self) -> Result<(), CanonicalError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { Err(self.error("a digit is expected")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<(), CanonicalError> {
        self.take(b'-');
        if self.take(b'0') {
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(self.error("a number starts with a needless zero"));
            }
        } else {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') {
            if !self.take(b'-') {
                self.take(b'+');
            }
            self.digits()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn members_are_sorted_by_code_point_and_only_needed_escapes_are_written() {
        let value = json!({ "é": 1, "z": [true, null, 1.5], "a\u{1}\u{8}\n\"\\/\u{7f}": "\u{1f600}" });
        let text = canonical_json(&value).unwrap();
        assert_eq!(text, "{\"a\\u0001\\b\\n\\\"\\\\/\u{7f}\":\"\u{1f600}\",\"z\":[true,null,1.5],\"é\":1}");
        assert_eq!(check_canonical(&text), Ok(()));
    }

    #[test]
    fn every_other_spelling_of_a_value_is_refused() {
        let wrong = [
            ("{\"a\": 1}", "white space outside a string"),
            ("{\"b\":1,\"a\":2}", "keys are not sorted"),
            ("{\"a\":1,\"a\":2}", "a key stands twice"),
            ("{\"\\u0061\":1}", "an escape that is not needed"),
            ("\"\\u001F\"", "an escape that is not needed"),
            ("\"\\u000a\"", "an escape that has a shorter form"),
            ("\"\\/\"", "an unknown escape"),
            ("\"\t\"", "a control character stands raw in a string"),
            ("1 ", "something after the value"),
            ("01", "a number starts with a needless zero"),
            ("1.", "a digit is expected"),
            ("1E5", "something after the value"),
            ("[1,]", "a value is expected"),
            ("[1", "`,` or `]` is expected"),
            ("\"abc", "the text ends inside a string"),
            ("", "the text ends too early"),
            ("nul", "a value is expected"),
            ("\u{feff}1", "a value is expected"),
        ];
        for (text, why) in wrong {
            assert_eq!(check_canonical(text).unwrap_err().why, why, "{text:?}");
        }
    }

    #[test]
    fn nesting_is_bounded_when_writing_and_when_reading() {
        let mut value = json!(1);
        for _ in 0..=MAX_DEPTH {
            value = json!([value]);
        }
        assert!(canonical_json(&value).is_err());
        assert!(check_canonical(&"[".repeat(100_000)).is_err());
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::hash_map(any::<String>(), inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_canonical_and_valid_json(value in any_json()) {
            let text = canonical_json(&value).unwrap();
            prop_assert_eq!(check_canonical(&text), Ok(()));
            prop_assert!(serde_json::from_str::<Value>(&text).is_ok());
        }

        #[test]
        fn what_is_canonical_is_valid_json(text in "[\\[\\]{}\":,0-9a-e.\\\\ u-]{0,24}") {
            if check_canonical(&text).is_ok() {
                prop_assert!(serde_json::from_str::<Value>(&text).is_ok() || text.contains('e'));
            }
        }

        #[test]
        fn the_check_is_total(text in any::<String>()) {
            let _ = check_canonical(&text);
        }
    }
}
