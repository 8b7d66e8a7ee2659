//! Paths into JSON, and where in the text they point.

use std::fmt;

use super::super::error::Position;

/// The longest key a path prints; the rest is cut, since keys come from hostile files.
const LONGEST_KEY: usize = 60;

/// A path such as `initial_states.open_calendar.events[3].title`; empty for the whole document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct JsonPath(Vec<Segment>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Key(String),
    Index(usize),
}

impl JsonPath {
    pub(crate) fn key(&self, key: &str) -> Self {
        let mut segments = self.0.clone();
        segments.push(Segment::Key(key.to_owned()));
        Self(segments)
    }

    pub(crate) fn index(&self, index: usize) -> Self {
        let mut segments = self.0.clone();
        segments.push(Segment::Index(index));
        Self(segments)
    }

    pub(crate) fn push_key(&mut self, key: &str) {
        self.0.push(Segment::Key(key.to_owned()));
    }

    pub(crate) fn push_index(&mut self, index: usize) {
        self.0.push(Segment::Index(index));
    }

    pub(crate) fn pop(&mut self) {
        self.0.pop();
    }

    /// This path below another one.
    pub(crate) fn below(&self, parent: &Self) -> Self {
        Self(parent.0.iter().chain(&self.0).cloned().collect())
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(formatter, "[{index}]")?,
                Segment::Key(key) if is_plain(key) => {
                    write!(formatter, "{}{key}", if position == 0 { "" } else { "." })?;
                }
                Segment::Key(key) => {
                    let short: String = key.chars().take(LONGEST_KEY).collect();
                    write!(formatter, "[{short:?}]")?;
                }
            }
        }
        Ok(())
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key.len() <= LONGEST_KEY
        && key.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '$'))
}

/// Where the value (or its key, for a key of an object) of `path` starts in `text`, which has to be
/// valid JSON. `None` where the path leads below a value that the text holds as an encoded string:
/// then the string's own place is returned by the caller's shorter path.
///
/// The deepest part of the path that exists is located, so a path to a missing key gives the place
/// of the object that should have had it.
pub(crate) fn locate(text: &str, path: &JsonPath) -> Position {
    let bytes = text.as_bytes();
    let mut at = skip_space(bytes, 0);
    let mut shown = at;
    'segments: for segment in &path.0 {
        let mut cursor = skip_space(bytes, at + 1);
        match (segment, bytes.get(at)) {
            (Segment::Key(wanted), Some(b'{')) => {
                while bytes.get(cursor) == Some(&b'"') {
                    let key_end = skip_string(bytes, cursor);
                    let key =
                        text.get(cursor..key_end).and_then(|raw| serde_json::from_str::<String>(raw).ok());
                    let value = skip_space(bytes, skip_space(bytes, key_end) + 1);
                    if key.as_deref() == Some(wanted) {
                        shown = cursor;
                        at = value;
                        continue 'segments;
                    }
                    cursor = next_item(bytes, value);
                }
                break;
            }
            (Segment::Index(wanted), Some(b'[')) => {
                for _ in 0..*wanted {
                    cursor = next_item(bytes, cursor);
                }
                if matches!(bytes.get(cursor), None | Some(b']')) {
                    break;
                }
                shown = cursor;
                at = cursor;
            }
            _ => break,
        }
    }
    position_of(text, shown)
}

/// The items of a list that is the whole of `text`, which has to be valid JSON, and where they start.
/// One pass, whatever the number of items.
pub(crate) fn items(text: &str) -> Vec<(&str, Position)> {
    let bytes = text.as_bytes();
    let mut items = Vec::new();
    let mut at = skip_space(bytes, skip_space(bytes, 0) + 1);
    let (mut counted, mut position) = (0, Position { line: 1, column: 1 });
    while !matches!(bytes.get(at), None | Some(b']')) {
        let next = next_item(bytes, at);
        let passed = &text[counted..at];
        match passed.rfind('\n') {
            Some(newline) => {
                position.line += passed.bytes().filter(|byte| *byte == b'\n').count();
                position.column = passed[newline + 1..].chars().count() + 1;
            }
            None => position.column += passed.chars().count(),
        }
        counted = at;
        let item = text[at..next]
            .trim_end_matches(|character: char| character.is_ascii_whitespace() || character == ',');
        items.push((item, position));
        at = next;
    }
    items
}

/// The line and column of a byte offset; both count from 1, the column in characters.
fn position_of(text: &str, offset: usize) -> Position {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position {
        line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The offset after the string that starts at `at`.
fn skip_string(bytes: &[u8], at: usize) -> usize {
    let mut cursor = at + 1;
    while let Some(byte) = bytes.get(cursor) {
        match byte {
            b'\\' => cursor += 2,
            b'"' => return cursor + 1,
            _ => cursor += 1,
        }
    }
    bytes.len()
}

/// The offset of the item after the value that starts at `at`, or of the closing bracket.
fn next_item(bytes: &[u8], at: usize) -> usize {
    let mut cursor = at;
    let mut depth = 0_usize;
    while let Some(byte) = bytes.get(cursor) {
        match byte {
            b'"' => {
                cursor = skip_string(bytes, cursor);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return cursor,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return skip_space(bytes, cursor + 1),
            _ => {}
        }
        cursor += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_like_code_and_odd_keys_are_quoted() {
        let path = JsonPath::default().key("initial_states").key("open_calendar").key("events").index(3);
        assert_eq!(path.key("titel").to_string(), "initial_states.open_calendar.events[3].titel");
        assert_eq!(
            path.key("a \"b\"").to_string(),
            "initial_states.open_calendar.events[3][\"a \\\"b\\\"\"]"
        );
        assert_eq!(JsonPath::default().to_string(), "");
    }

    #[test]
    fn items_of_a_list_are_found_with_their_places() {
        let found = items("[ {\"a\": \"],\"},\n  [1, 2] ,\"ü\", 3\n]");
        let expected = [
            ("{\"a\": \"],\"}", Position { line: 1, column: 3 }),
            ("[1, 2]", Position { line: 2, column: 3 }),
            ("\"ü\"", Position { line: 2, column: 11 }),
            ("3", Position { line: 2, column: 16 }),
        ];
        assert_eq!(found, expected);
        assert!(items(" [ ]").is_empty());
    }

    #[test]
    fn a_path_is_found_in_the_text() {
        let text =
            "{\n  \"a\": {\"x\": [1, {\"y\": \"}\\\"],\"}, [2,3]]},\n  \"b\": [ {\"ü\": 1, \"key\": 2} ]\n}";
        let place = |path: &JsonPath| locate(text, path);
        let path = JsonPath::default().key("b").index(0).key("key");
        assert_eq!(place(&path), Position { line: 3, column: 19 });
        assert_eq!(place(&JsonPath::default().key("a").key("x").index(2)), Position { line: 2, column: 34 });
        assert_eq!(place(&JsonPath::default()), Position { line: 1, column: 1 });
        assert_eq!(place(&JsonPath::default().key("b").key("none")), Position { line: 3, column: 3 });
    }
}
