//! Parsing with bounds.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::super::error::{Position, Problem};
use super::{Json, JsonPath};

/// Deepest nesting of lists and objects.
const MAXIMUM_DEPTH: usize = 32;
/// Most values in one scenario.
const MAXIMUM_VALUES: usize = 100_000;
/// Most values in a file that is a list of scenarios.
const MAXIMUM_VALUES_IN_LIST: usize = 2_000_000;
/// Longest string, in bytes. The artifacts scored later are bounded by the same size.
const MAXIMUM_STRING_BYTES: usize = 1024 * 1024;

/// Why a text is no usable JSON, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseFailure {
    pub(crate) path: JsonPath,
    pub(crate) position: Position,
    pub(crate) problem: Problem,
}

/// Parses one JSON document.
pub(crate) fn parse(text: &str) -> Result<Json, ParseFailure> {
    parse_within(text, MAXIMUM_VALUES)
}

/// Parses a whole file, which may be a list of documents. Each of them has to be parsed again, so that
/// its own bound is checked.
pub(crate) fn parse_file(text: &str) -> Result<Json, ParseFailure> {
    let is_list = text.trim_start().starts_with('[');
    parse_within(text, if is_list { MAXIMUM_VALUES_IN_LIST } else { MAXIMUM_VALUES })
}

fn parse_within(text: &str, maximum_values: usize) -> Result<Json, ParseFailure> {
    let progress = Progress { maximum_values, ..Progress::default() };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let outcome = Seed { progress: &progress, depth: 0 }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    outcome.map_err(|error| {
        let problem = progress.problem.into_inner().unwrap_or_else(|| syntax(&error));
        let trailing = matches!(problem, Problem::TrailingText);
        ParseFailure {
            path: if trailing { JsonPath::default() } else { progress.path.into_inner() },
            position: Position { line: error.line().max(1), column: error.column().max(1) },
            problem,
        }
    })
}

/// What `serde_json` says, without its own line and column.
fn syntax(error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    let reason = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
    if reason == "trailing characters" {
        return Problem::TrailingText;
    }
    if error.is_eof() {
        return Problem::CutOff;
    }
    Problem::Syntax { reason: reason.to_owned() }
}

/// What the visitors share: how far they are, and the complaint that ended the parsing.
#[derive(Default)]
struct Progress {
    path: RefCell<JsonPath>,
    problem: RefCell<Option<Problem>>,
    values: Cell<usize>,
    maximum_values: usize,
}

impl Progress {
    fn refuse<E: serde::de::Error>(&self, problem: Problem) -> E {
        let error = E::custom(&problem);
        *self.problem.borrow_mut() = Some(problem);
        error
    }

    fn checked<E: serde::de::Error>(&self, text: String) -> Result<String, E> {
        if text.len() > MAXIMUM_STRING_BYTES {
            return Err(self.refuse(Problem::StringTooLong { bytes: text.len() }));
        }
        if text.contains('\0') {
            return Err(self.refuse(Problem::NulCharacter));
        }
        Ok(text)
    }
}

#[derive(Clone, Copy)]
struct Seed<'a> {
    progress: &'a Progress,
    depth: usize,
}

impl Seed<'_> {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth >= MAXIMUM_DEPTH {
            return Err(self.progress.refuse(Problem::TooDeep { most: MAXIMUM_DEPTH }));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        let values = self.progress.values.get() + 1;
        self.progress.values.set(values);
        let most = self.progress.maximum_values;
        if values > most {
            return Err(self.progress.refuse(Problem::TooManyValues { most }));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        Number::from_f64(value)
            .map(Json::Number)
            .ok_or_else(|| self.progress.refuse(Problem::Syntax { reason: "number out of range".to_owned() }))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Json, E> {
        self.progress.checked(value.to_owned()).map(Json::String)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let inner = self.deeper()?;
        let mut values = Vec::new();
        loop {
            self.progress.path.borrow_mut().push_index(values.len());
            let Some(value) = items.next_element_seed(inner)? else { break };
            self.progress.path.borrow_mut().pop();
            values.push(value);
        }
        self.progress.path.borrow_mut().pop();
        Ok(Json::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let inner = self.deeper()?;
        let mut entries: Vec<(String, Json)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            let key = self.progress.checked::<A::Error>(key)?;
            self.progress.path.borrow_mut().push_key(&key);
            if !seen.insert(key.clone()) {
                return Err(self.progress.refuse(Problem::DuplicateKey { key }));
            }
            let value = map.next_value_seed(inner)?;
            self.progress.path.borrow_mut().pop();
            entries.push((key, value));
        }
        Ok(Json::Object(entries))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn failure(text: &str) -> ParseFailure {
        parse(text).unwrap_err()
    }

    #[test]
    fn duplicate_keys_are_refused_with_their_path() {
        let failure = failure("{\"a\": {\"b\": 1,\n \"b\": 2}}");
        assert_eq!(failure.path.to_string(), "a.b");
        assert_eq!(failure.problem, Problem::DuplicateKey { key: "b".to_owned() });
        assert_eq!(failure.position.line, 2);
    }

    #[test]
    fn a_key_written_with_escapes_is_the_same_key() {
        assert!(matches!(failure(r#"{"a": 1, "\u0061": 2}"#).problem, Problem::DuplicateKey { .. }));
    }

    #[test]
    fn bounds_hold() {
        let deep = format!("{}{}", "[".repeat(60), "]".repeat(60));
        assert!(matches!(failure(&deep).problem, Problem::TooDeep { .. }));
        assert!(matches!(failure(&"[".repeat(1_000_000)).problem, Problem::TooDeep { .. }));
        let wide = format!("[{}1]", "1,".repeat(MAXIMUM_VALUES));
        assert!(matches!(failure(&wide).problem, Problem::TooManyValues { .. }));
        let long = format!("\"{}\"", "x".repeat(MAXIMUM_STRING_BYTES + 1));
        assert!(matches!(failure(&long).problem, Problem::StringTooLong { .. }));
        assert_eq!(failure(r#"{"a": ["x\u0000y"]}"#).problem, Problem::NulCharacter);
        assert_eq!(failure(r#"{"a": ["x\u0000y"]}"#).path.to_string(), "a[0]");
    }

    #[test]
    fn broken_texts_say_what_is_broken() {
        assert_eq!(failure("{\"a\": ").problem, Problem::CutOff);
        assert_eq!(failure("").problem, Problem::CutOff);
        assert_eq!(failure("{} {}").problem, Problem::TrailingText);
        assert!(matches!(failure("{\"a\": NaN}").problem, Problem::Syntax { .. }));
        assert!(matches!(failure("[1e999]").problem, Problem::Syntax { .. }));
        assert!(matches!(failure("[\"\\ud800\"]").problem, Problem::Syntax { .. }));
    }

    proptest! {
        #[test]
        fn it_accepts_what_serde_json_accepts_and_reads_the_same(value in json(), junk in ".{0,12}", cut in 0_usize..40) {
            let text = value.to_string();
            let read: serde_json::Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(parse(&text).unwrap().to_value(), read);
            let mut broken = text;
            let mut at = cut.min(broken.len());
            while !broken.is_char_boundary(at) { at -= 1; }
            broken.insert_str(at, &junk);
            if parse(&broken).is_ok() {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&broken).is_ok());
            }
        }
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            (-1.0e9..1.0e9_f64).prop_map(Into::into),
            "[^\\x00]{0,12}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                proptest::collection::hash_map("[a-zé \"]{0,5}", inner, 0..5)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }
}
