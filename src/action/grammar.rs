//! Reads an action text into calls.
//!
//! ```text
//! actions := call+                     (nothing between calls but white space and comments)
//! call    := NAME "(" [value {"," value} [","]] [NAME "=" value {"," NAME "=" value} [","]] ")"
//! value   := STRING | NUMBER | "[" … "]" | "(" … ")" | "{" STRING ":" value, … "}" | True | False | None
//! ```
//!
//! White space (space, TAB, `\n`, `\r`) and comments (`#` to the end of the line) may stand between
//! any two tokens. Strict reading wants the whole text to be `actions`; loose reading looks for calls
//! anywhere and skips what is between them. `docs/actions.md` has the details.
//!
//! The rules are BrowserGym's, whose grammar is written with a parser library (`pyparsing`): names
//! are Latin-1 words, the comma between the last positional and the first named argument may be
//! missing, `('a')` is a tuple. `compat` reproduces its results and the texts of its errors; the
//! default mode adds the [`Improvement`]s.
//!
//! The scanner is written by hand on purpose: the error positions to reproduce are those of a
//! library that backtracks in its own way, the loose mode needs to know *why* a call could not be
//! read, and text, depth and time have to be bounded. It is total: no input panics, recursion is
//! limited to [`MAX_DEPTH`] values, and no arguments are read twice from the same parenthesis.

use std::collections::BTreeSet;

use super::error::ActionError;
use super::improvement::Improvement;
use super::literal;
use super::quote::python_repr;
use super::table;
use super::types::{Call, Value};

/// The longest action text that is read, in characters.
pub const MAX_CHARACTERS: usize = 1 << 17;

/// How deep values may be nested in one another. BrowserGym gives up between 50 and 60.
pub const MAX_DEPTH: usize = 50;

/// How an action text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseOptions {
    /// The whole text must be calls; otherwise calls are looked for anywhere in it.
    pub strict: bool,
    /// More than one call is allowed.
    pub multi: bool,
    /// Exactly as BrowserGym 0.14.3 does, without the [`Improvement`]s.
    pub compat: bool,
}

impl Default for ParseOptions {
    /// Loose, several calls, with the improvements.
    fn default() -> Self {
        Self { strict: false, multi: true, compat: false }
    }
}

/// What [`examine`] found.
#[derive(Debug, Clone, PartialEq)]
pub struct Examined {
    /// The calls, or what is wrong.
    pub calls: Result<Vec<Call>, ActionError>,
    /// The departures from BrowserGym that took part in it; empty in `compat` mode.
    pub improvements: BTreeSet<Improvement>,
}

/// The calls in `text`, in order. Names and arguments are not checked: see `ActionSet` for that.
///
/// # Errors
/// `ParseException` when the whole text has to be calls and is not; `ValueError` when there is no
/// call, when there are several where one is allowed, when a call is broken (default mode) or when
/// the text is longer than [`MAX_CHARACTERS`]; `SyntaxError` for an escape that cannot be decoded;
/// `RecursionError` for values nested too deeply.
pub fn calls(text: &str, options: ParseOptions) -> Result<Vec<Call>, ActionError> {
    examine(text, options).calls
}

/// As [`calls`], and also tells which improvements took part.
#[must_use]
pub fn examine(text: &str, options: ParseOptions) -> Examined {
    let length = text.chars().count();
    if length > MAX_CHARACTERS {
        let message = format!("The action has {length} characters; at most {MAX_CHARACTERS} are read.");
        return Examined { calls: Err(ActionError::value(message)), improvements: BTreeSet::new() };
    }
    let mut scanner = Scanner {
        text: if options.compat { expand_tabs(text) } else { text.chars().collect() },
        compat: options.compat,
        furthest: None,
        improvements: BTreeSet::new(),
    };
    if !options.compat && text.contains('\t') {
        scanner.improvements.insert(Improvement::TabKept);
    }
    let calls = if options.strict { scanner.strict() } else { scanner.loose() };
    let calls = calls.and_then(|calls| match calls.len() {
        0 => Err(ActionError::value("Received an empty action.")),
        1 => Ok(calls),
        _ if options.multi => Ok(calls),
        _ => Err(ActionError::value("Received a multi-action, only single-actions are allowed.")),
    });
    Examined { calls, improvements: scanner.improvements }
}

/// Python's `str.expandtabs`: to the next multiple of eight columns; `\n` and `\r` start a line.
fn expand_tabs(text: &str) -> Vec<char> {
    let mut out = Vec::with_capacity(text.len());
    let mut column = 0;
    for character in text.chars() {
        match character {
            '\t' => {
                let width = 8 - column % 8;
                out.extend(std::iter::repeat_n(' ', width));
                column += width;
            }
            '\n' | '\r' => {
                out.push(character);
                column = 0;
            }
            _ => {
                out.push(character);
                column += 1;
            }
        }
    }
    out
}

/// What stops the reading of a call.
enum Stop {
    /// The text is no call: `expected` was not found at `at`.
    Mismatch { expected: &'static str, at: usize },
    /// The text cannot be read at all, wherever else a call may be.
    Fatal(ActionError),
}

impl From<ActionError> for Stop {
    fn from(error: ActionError) -> Self {
        Self::Fatal(error)
    }
}

/// A token that may not be there, and the place after it.
type Attempt<T> = Result<Option<(T, usize)>, ActionError>;

struct Scanner {
    text: Vec<char>,
    compat: bool,
    /// Furthest place in the current call at which something was missing, and what.
    furthest: Option<(usize, String)>,
    improvements: BTreeSet<Improvement>,
}

impl Scanner {
    fn peek(&self, at: usize) -> Option<char> {
        self.text.get(at).copied()
    }

    /// The place after white space and comments.
    fn skip(&self, mut at: usize) -> usize {
        while let Some(character) = self.peek(at) {
            match character {
                ' ' | '\t' | '\n' | '\r' => at += 1,
                '#' => at += self.text[at..].iter().take_while(|character| **character != '\n').count(),
                _ => break,
            }
        }
        at
    }

    fn strict(&mut self) -> Result<Vec<Call>, ActionError> {
        let mut calls = Vec::new();
        let mut at = self.skip(0);
        loop {
            match self.call(at) {
                Ok((call, end)) => {
                    calls.push(call);
                    at = self.skip(end);
                    if at >= self.text.len() {
                        return Ok(calls);
                    }
                }
                Err(Stop::Fatal(error)) => return Err(error),
                Err(Stop::Mismatch { expected, at: mismatch }) => {
                    let (expected, place) =
                        if calls.is_empty() { (expected, mismatch) } else { ("end of text", at) };
                    return Err(ActionError::new("ParseException", self.mismatch_text(expected, place)));
                }
            }
        }
    }

    fn loose(&mut self) -> Result<Vec<Call>, ActionError> {
        let mut calls = Vec::new();
        let mut first_broken = None;
        let mut at = 0;
        loop {
            at = self.skip(at);
            if at >= self.text.len() {
                break;
            }
            let Some(name_end) = self.name_end(at) else {
                at += 1;
                continue;
            };
            match self.call(at) {
                Ok((call, end)) => {
                    calls.push(call);
                    at = end;
                }
                Err(Stop::Fatal(error)) => return Err(error),
                Err(Stop::Mismatch { .. }) => {
                    if !self.compat && self.starts_word(at) {
                        if self.means_a_call(at) {
                            self.improvements.insert(Improvement::BrokenCallNamed);
                            return Err(self.broken(at));
                        }
                        if first_broken.is_none() && self.looks_like_a_call(at) {
                            first_broken = Some(self.broken(at));
                        }
                    }
                    // Every other start within the name leads to the same arguments.
                    at = name_end;
                }
            }
        }
        match first_broken {
            Some(broken) if calls.is_empty() => {
                self.improvements.insert(Improvement::BrokenCallNamed);
                Err(broken)
            }
            _ => Ok(calls),
        }
    }

    /// Whether the name at `at` is a whole word rather than the tail of one.
    fn starts_word(&self, at: usize) -> bool {
        at == 0 || !self.text[at - 1].is_alphanumeric() && self.text[at - 1] != '_'
    }

    /// Whether a broken call at `at` was surely meant as one: the name of an action with a
    /// parenthesis right after it, or any name so at the start of a line.
    fn means_a_call(&self, at: usize) -> bool {
        let Some(end) = self.name_end(at) else { return false };
        let name: String = self.text[at..end].iter().collect();
        let starts_line = self.text[..at]
            .iter()
            .rev()
            .take_while(|character| **character != '\n')
            .all(|character| character.is_whitespace());
        self.peek(end) == Some('(') && (starts_line || table::find(&name).is_some())
    }

    /// Whether a broken call at `at` may have been meant as one, which matters when the text has no
    /// other call.
    fn looks_like_a_call(&self, at: usize) -> bool {
        let Some(end) = self.name_end(at) else { return false };
        let name: String = self.text[at..end].iter().collect();
        let open = self.skip(end);
        self.peek(open) == Some('(') && (open == end || table::find(&name).is_some())
    }

    fn broken(&self, at: usize) -> ActionError {
        let end = self.name_end(at).unwrap_or(at);
        let name: String = self.text[at..end].iter().collect();
        let reason = self.furthest.as_ref().map_or_else(String::new, |(place, reason)| {
            format!(" At character {place}: {reason}, found {}.", self.found(*place))
        });
        ActionError::value(format!("The call to {name}() at character {at} is broken.{reason}"))
    }

    fn name_end(&self, at: usize) -> Option<usize> {
        if !self.peek(at).is_some_and(starts_name) {
            return None;
        }
        let length = self.text[at..].iter().take_while(|character| continues_name(**character)).count();
        Some(at + length)
    }

    /// Notes what was missing at `at`, unless the call was read further than that before.
    fn missing(&mut self, at: usize, what: impl Into<String>) {
        if self.furthest.as_ref().is_none_or(|(furthest, _)| at > *furthest) {
            self.furthest = Some((at, what.into()));
        }
    }

    fn call(&mut self, at: usize) -> Result<(Call, usize), Stop> {
        self.furthest = None;
        let Some(name_end) = self.name_end(at) else {
            return Err(Stop::Mismatch { expected: "identifier", at });
        };
        let name: String = self.text[at..name_end].iter().collect();
        let open = self.skip(name_end);
        if self.peek(open) != Some('(') {
            return Err(Stop::Mismatch { expected: "'('", at: open });
        }
        let (args, at) = self.list(open + 1, 0, Self::value)?;
        let (kwargs, at) = self.list(at, 0, Self::named)?;
        let close = self.skip(at);
        if self.peek(close) == Some(')') {
            return Ok((Call { name, args, kwargs }, close + 1));
        }
        self.missing(close, self.why_not_closed(close, !kwargs.is_empty()));
        Err(Stop::Mismatch { expected: "')'", at: close })
    }

    /// Why the arguments do not end at `at`, in words for the agent.
    fn why_not_closed(&self, at: usize, after_named: bool) -> String {
        let mut reason = "expected `,` or `)`".to_owned();
        let starts_value =
            self.peek(at).is_some_and(|next| matches!(next, '\'' | '"' | '[' | '(' | '{' | '0'..='9'));
        if after_named && starts_value {
            reason.push_str(" (an argument without a name cannot follow one with a name)");
        } else if at > 0 && matches!(self.text[at - 1], '\'' | '"') && at < self.text.len() {
            reason.push_str(" (a quote inside a string is written with a backslash before it)");
        }
        reason
    }

    /// Items separated by commas, with an optional comma after the last; possibly none.
    fn list<T>(
        &mut self,
        at: usize,
        depth: usize,
        item: fn(&mut Self, usize, usize) -> Attempt<T>,
    ) -> Result<(Vec<T>, usize), ActionError> {
        let mut items = Vec::new();
        let start = self.skip(at);
        let Some((first, mut end)) = item(self, start, depth)? else { return Ok((items, at)) };
        items.push(first);
        loop {
            let comma = self.skip(end);
            if self.peek(comma) != Some(',') {
                return Ok((items, end));
            }
            let start = self.skip(comma + 1);
            match item(self, start, depth)? {
                Some((next, next_end)) => {
                    items.push(next);
                    end = next_end;
                }
                None => return Ok((items, comma + 1)),
            }
        }
    }

    fn named(&mut self, at: usize, depth: usize) -> Attempt<(String, Value)> {
        let Some(name_end) = self.name_end(at) else { return Ok(None) };
        let equals = self.skip(name_end);
        if self.peek(equals) != Some('=') {
            return Ok(None);
        }
        let start = self.skip(equals + 1);
        let name: String = self.text[at..name_end].iter().collect();
        Ok(self.value(start, depth)?.map(|(value, end)| ((name, value), end)))
    }

    fn value(&mut self, at: usize, depth: usize) -> Attempt<Value> {
        if depth > MAX_DEPTH {
            return Err(ActionError::new("RecursionError", "maximum recursion depth exceeded"));
        }
        let Some(first) = self.peek(at) else {
            self.missing(at, "expected a value or `)`");
            return Ok(None);
        };
        match first {
            '\'' | '"' => return Ok(self.string(at)?.map(|(text, end)| (Value::Str(text), end))),
            '[' => return self.enclosed(at, depth, ']', Self::value, Value::List),
            '(' => return self.enclosed(at, depth, ')', Self::value, Value::Tuple),
            '{' => return self.enclosed(at, depth, '}', Self::entry, dictionary),
            _ => {}
        }
        if let Some((number, length)) = literal::number(&self.text[at..])? {
            return Ok(Some((number, at + length)));
        }
        for (word, value) in
            [("True", Value::Bool(true)), ("False", Value::Bool(false)), ("None", Value::None)]
        {
            let end = at + word.len();
            let is_word = self.text.get(at..end).is_some_and(|text| text.iter().copied().eq(word.chars()));
            let goes_on = |next: char| next.is_ascii_alphanumeric() || next == '_' || next == '$';
            if is_word && !self.peek(end).is_some_and(goes_on) {
                return Ok(Some((value, end)));
            }
        }
        self.missing(at, self.why_no_value(at, first));
        Ok(None)
    }

    /// Why there is no value at `at`, in words for the agent.
    fn why_no_value(&self, at: usize, first: char) -> String {
        let word_end = self.name_end(at).unwrap_or(at);
        let word: String = self.text[at..word_end].iter().collect();
        let reason = match (first, self.peek(word_end)) {
            ('‘' | '’' | '‚' | '“' | '”' | '„' | '«' | '»' | '「' | '『' | '`' | '´', _) => {
                "expected a value (only ' and \" quote a string)"
            }
            (_, Some('\'' | '"')) if !word.is_empty() => "expected a value (a string has no prefix)",
            (_, Some('(' | '.')) if !word.is_empty() => {
                "expected a value (a value is written out; it cannot be computed)"
            }
            _ if matches!(word.as_str(), "true" | "false" | "null" | "none") => {
                "expected a value (`True`, `False` and `None` are written so)"
            }
            _ if !word.is_empty() => "expected a value (text is written in quotes)",
            _ => "expected a value",
        };
        reason.to_owned()
    }

    fn enclosed<T>(
        &mut self,
        at: usize,
        depth: usize,
        close: char,
        item: fn(&mut Self, usize, usize) -> Attempt<T>,
        build: fn(Vec<T>) -> Value,
    ) -> Attempt<Value> {
        let (items, end) = self.list(at + 1, depth + 1, item)?;
        let end = self.skip(end);
        if self.peek(end) == Some(close) {
            return Ok(Some((build(items), end + 1)));
        }
        self.missing(end, format!("expected `,` or `{close}`"));
        Ok(None)
    }

    fn entry(&mut self, at: usize, depth: usize) -> Attempt<(String, Value)> {
        let Some((key, key_end)) = self.string(at)? else {
            self.missing(at, "expected a key in quotes");
            return Ok(None);
        };
        let colon = self.skip(key_end);
        if self.peek(colon) != Some(':') {
            self.missing(colon, "expected `:`");
            return Ok(None);
        }
        let start = self.skip(colon + 1);
        Ok(self.value(start, depth)?.map(|(value, end)| ((key, value), end)))
    }

    /// A string in single, double or triple quotes: the longest that can be read at `at`.
    fn string(&mut self, at: usize) -> Attempt<String> {
        let Some(quote @ ('\'' | '"')) = self.peek(at) else { return Ok(None) };
        let (open, end) = if self.peek(at + 1) == Some(quote)
            && self.peek(at + 2) == Some(quote)
            && let Some(end) = self.triple_end(at + 3, quote)
        {
            (3, end)
        } else if let Some(end) = self.single_end(at + 1, quote) {
            (1, end)
        } else {
            self.missing(at, format!("expected the string to be closed by {quote}"));
            return Ok(None);
        };
        let body = &self.text[at + open..end - open];
        Ok(Some((literal::decode(body)?, end)))
    }

    /// The place after the closing quotes of a triple-quoted string whose text starts at `at`.
    fn triple_end(&mut self, mut at: usize, quote: char) -> Option<usize> {
        let mut joins_lines = false;
        loop {
            match self.peek(at)? {
                '\\' => {
                    if self.peek(at + 1)? == '\n' {
                        if self.compat {
                            return None;
                        }
                        joins_lines = true;
                    }
                    at += 2;
                }
                character if character == quote => {
                    if self.peek(at + 1) == Some(quote) && self.peek(at + 2) == Some(quote) {
                        if joins_lines {
                            self.improvements.insert(Improvement::LineContinuation);
                        }
                        return Some(at + 3);
                    }
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// The place after the closing quote of a string whose text starts at `at`.
    fn single_end(&mut self, mut at: usize, quote: char) -> Option<usize> {
        let mut used = BTreeSet::new();
        loop {
            match self.peek(at)? {
                '\\' => match (self.peek(at + 1)?, self.peek(at + 2)) {
                    ('x', next) if !next.is_some_and(|next| next.is_ascii_hexdigit()) => return None,
                    ('\r', Some('\n')) if self.compat => return None,
                    ('\r', Some('\n')) => {
                        used.insert(Improvement::LineContinuation);
                        at += 3;
                    }
                    _ => at += 2,
                },
                '\n' | '\r' if self.compat => return None,
                '\n' | '\r' => {
                    used.insert(Improvement::LineBreakInString);
                    at += 1;
                }
                character if character == quote => {
                    self.improvements.extend(used);
                    return Some(at + 1);
                }
                _ => at += 1,
            }
        }
    }

    fn mismatch_text(&self, expected: &str, at: usize) -> String {
        let found = if self.text.is_empty() { String::new() } else { format!(", found {}", self.found(at)) };
        let before = &self.text[..at.min(self.text.len())];
        let line = before.iter().filter(|character| **character == '\n').count() + 1;
        let column = before.iter().rev().take_while(|character| **character != '\n').count() + 1;
        // Two spaces, as the library that BrowserGym uses writes it.
        format!("Expected {expected}{found}  (at char {at}), (line:{line}, col:{column})")
    }

    /// What stands at `at`: up to sixteen characters of a word, or one character.
    fn found(&self, at: usize) -> String {
        let Some(first) = self.peek(at) else { return "end of text".to_owned() };
        let word: String =
            self.text[at..].iter().take(16).take_while(|character| in_word(**character)).collect();
        let found = if word.is_empty() { first.to_string() } else { word };
        python_repr(&found).replace(r"\\", "\\")
    }
}

/// Entries of a dictionary: a repeated key keeps its place and takes the later value.
fn dictionary(entries: Vec<(String, Value)>) -> Value {
    let mut out: Vec<(String, Value)> = Vec::with_capacity(entries.len());
    let mut places = std::collections::HashMap::new();
    for (key, value) in entries {
        if let Some((_, earlier)) = places.get(&key).and_then(|place: &usize| out.get_mut(*place)) {
            *earlier = value;
        } else {
            places.insert(key.clone(), out.len());
            out.push((key, value));
        }
    }
    Value::Dict(out)
}

/// Whether a name may start with the character: the letters of Latin-1, and `_`. Other scripts are
/// left out on purpose: a call written right after Chinese prose is still found.
fn starts_name(character: char) -> bool {
    character == '_'
        || character.is_ascii_alphabetic()
        || matches!(character, 'ª' | 'µ' | 'º' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ')
}

fn continues_name(character: char) -> bool {
    starts_name(character) || character.is_ascii_digit() || character == '·'
}

/// Whether the character belongs to a word that an error quotes whole: letters and digits of Latin,
/// Greek and Cyrillic.
fn in_word(character: char) -> bool {
    let in_scripts = matches!(character,
        '0'..='9' | 'A'..='Z' | 'a'..='z' | 'ª' | '²' | '³' | 'µ' | '¹' | 'º' | 'À'..='Ö' | 'Ø'..='ö'
        | 'ø'..='\u{24f}' | '\u{370}'..='\u{3e1}' | '\u{3f0}'..='\u{52f}' | '\u{1c80}'..='\u{1c88}'
        | '\u{1d26}'..='\u{1d2b}' | '\u{1d5e}' | '\u{1d60}' | '\u{1d66}'..='\u{1d6a}' | '\u{1d78}'
        | '\u{1f00}'..='\u{1fff}' | '\u{a640}'..='\u{a69f}' | '\u{ab65}');
    in_scripts && (character.is_alphanumeric() && !is_mark(character))
}

fn is_mark(character: char) -> bool {
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
    character.general_category_group() == GeneralCategoryGroup::Mark
}
