//! Taking an object apart, key by key, so that nothing is forgotten.

use super::super::error::Problem;
use super::super::json::{Json, JsonPath};
use super::super::lint::LintCode;
use super::super::model::Detail;
use super::context::Context;

/// How alike two keys have to be for one to be a likely misspelling of the other.
const LIKELY_MISSPELLING: f64 = 0.75;

/// An object whose keys are taken one after the other; what is left over is seen at the end.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    path: JsonPath,
    left: Vec<(&'a str, &'a Json)>,
    known: Vec<&'static str>,
    details: Vec<Detail>,
}

/// A value that was taken, with its place.
#[derive(Debug, Clone)]
pub(super) struct Field<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a Json,
    pub(super) path: JsonPath,
}

impl<'a> Fields<'a> {
    /// Opens a value that has to be an object. `null` counts as an empty one.
    pub(super) fn open(context: &mut Context, value: &'a Json, path: &JsonPath) -> Option<Self> {
        let left = match value {
            Json::Object(entries) => entries.iter().map(|(key, value)| (key.as_str(), value)).collect(),
            Json::Null => Vec::new(),
            other => {
                let problem = Problem::WrongType { expected: "an object", found: other.kind() };
                context.fault(path.clone(), problem);
                return None;
            }
        };
        Some(Self { path: path.clone(), left, known: Vec::new(), details: Vec::new() })
    }

    /// Where the object lies.
    pub(super) const fn path(&self) -> &JsonPath {
        &self.path
    }

    /// Takes the first of `names` that is there. A second one stays, so that it is not lost.
    /// `null` counts as absent.
    pub(super) fn take(&mut self, names: &[&'static str]) -> Option<Field<'a>> {
        self.known.extend_from_slice(names);
        for name in names {
            if let Some(index) = self.left.iter().position(|(key, _)| key == name) {
                let (key, value) = self.left.remove(index);
                if *value != Json::Null {
                    return Some(Field { key, value, path: self.path.key(key) });
                }
            }
        }
        None
    }

    /// Takes a text: a string, or a number or boolean as text. A list or an object is kept as
    /// details instead.
    pub(super) fn take_text(&mut self, names: &[&'static str]) -> Option<String> {
        let field = self.take(names)?;
        let text = field.value.scalar_text();
        if text.is_none() {
            flatten(field.key, field.value, &mut self.details);
        }
        text
    }

    /// Takes a list; anything else is a fault.
    pub(super) fn take_list(&mut self, context: &mut Context, names: &[&'static str]) -> Option<Items<'a>> {
        let field = self.take(names)?;
        Items::open(context, &field)
    }

    /// Takes a list; anything else is kept as details.
    pub(super) fn take_list_or_keep(&mut self, names: &[&'static str]) -> Option<Items<'a>> {
        let field = self.take(names)?;
        if let Json::Array(values) = field.value {
            return Some(Items { values, path: field.path });
        }
        flatten(field.key, field.value, &mut self.details);
        None
    }

    /// Takes a boolean, also one written as text or number. What cannot be read as one is kept as a
    /// detail.
    pub(super) fn take_flag(&mut self, names: &[&'static str]) -> Option<bool> {
        let field = self.take(names)?;
        let flag = match field.value {
            Json::Bool(value) => Some(*value),
            other => match other.scalar_text().unwrap_or_default().to_lowercase().as_str() {
                "true" | "yes" | "1" => Some(true),
                "false" | "no" | "0" => Some(false),
                _ => None,
            },
        };
        if flag.is_none() {
            flatten(field.key, field.value, &mut self.details);
        }
        flag
    }

    /// Keeps a value that has no field of its own.
    pub(super) fn keep(&mut self, label: &str, value: impl Into<String>) {
        self.details.push(Detail { label: label.to_owned(), value: value.into() });
    }

    /// Keeps a value of any form that has no field of its own.
    pub(super) fn keep_value(&mut self, field: &Field<'_>) {
        flatten(field.key, field.value, &mut self.details);
    }

    /// Notes that the object lacks its main text, pointing at the key that was likely meant.
    pub(super) fn missing(&self, context: &mut Context, key: &'static str) {
        let likely = self.left.iter().find(|(other, _)| likeness(other, key) >= LIKELY_MISSPELLING);
        match likely {
            Some((other, _)) => context.fault(
                self.path.key(other),
                Problem::UnknownKey { key: (*other).to_owned(), suggestion: Some(key.to_owned()) },
            ),
            None => context.fault(self.path.clone(), Problem::MissingKey { key }),
        }
    }

    /// The end of an app's object: all that is left becomes details. A key that looks misspelt is
    /// remarked upon.
    pub(super) fn into_details(mut self, context: &mut Context) -> Vec<Detail> {
        for (key, value) in std::mem::take(&mut self.left) {
            // `task` beside the list `tasks` is a word of its own where it holds one value.
            let is_singular =
                |known: &str| known.strip_suffix('s') == Some(key) && value.scalar_text().is_some();
            if let Some(known) = self.closest(key, LIKELY_MISSPELLING).filter(|known| !is_singular(known)) {
                let message = format!("`{key}` is shown as a detail; did you mean `{known}`?");
                context.remark(LintCode::NearMissKey, &self.path.key(key), message);
            }
            flatten(key, value, &mut self.details);
        }
        self.details
    }

    /// The end of any other object: all that is left is a fault.
    pub(super) fn refuse_rest(self, context: &mut Context) {
        for (key, _) in &self.left {
            let suggestion = self.closest(key, 0.6).map(str::to_owned);
            context.fault(self.path.key(key), Problem::UnknownKey { key: cut(key), suggestion });
        }
        debug_assert!(self.details.is_empty(), "details outside an app's state have no place");
    }

    fn closest(&self, key: &str, least: f64) -> Option<&'static str> {
        self.known
            .iter()
            .map(|known| (likeness(key, known), *known))
            .filter(|(likeness, _)| *likeness >= least)
            .max_by(|left, right| left.0.total_cmp(&right.0))
            .map(|(_, known)| known)
    }
}

/// The items of a list, with their places.
#[derive(Debug)]
pub(super) struct Items<'a> {
    pub(super) values: &'a [Json],
    pub(super) path: JsonPath,
}

impl<'a> Items<'a> {
    /// Opens a value that has to be a list.
    pub(super) fn open(context: &mut Context, field: &Field<'a>) -> Option<Self> {
        if let Json::Array(values) = field.value {
            return Some(Self { values, path: field.path.clone() });
        }
        let problem = Problem::WrongType { expected: "a list", found: field.value.kind() };
        context.fault(field.path.clone(), problem);
        None
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a Json, JsonPath)> + '_ {
        self.values.iter().enumerate().map(|(index, value)| (value, self.path.index(index)))
    }

    /// The items as short texts, such as names; an item that is none is a fault.
    pub(super) fn texts(&self, context: &mut Context) -> Vec<String> {
        let mut texts = Vec::new();
        for (value, path) in self.iter() {
            match value.scalar_text() {
                Some(text) => {
                    if is_name(context, &text, &path) {
                        texts.push(text);
                    }
                }
                None => {
                    context.fault(path, Problem::WrongType { expected: "a string", found: value.kind() });
                }
            }
        }
        texts
    }
}

/// Longest name of a contact, in bytes. Every name is looked for in every prompt and thread.
const LONGEST_NAME: usize = 1000;

/// Whether a contact's name can be one; notes a fault otherwise.
pub(super) fn is_name(context: &mut Context, name: &str, path: &JsonPath) -> bool {
    if name.trim().is_empty() {
        context.fault(path.clone(), Problem::Blank);
        return false;
    }
    if name.len() > LONGEST_NAME {
        let expected = "a name of at most 1000 bytes";
        context.fault(path.clone(), Problem::BadValue { value: cut(name), expected });
        return false;
    }
    true
}

/// Turns any value into details: `tags` with two values gives two rows, an object inside gives
/// `outer.inner`.
pub(super) fn flatten(label: &str, value: &Json, details: &mut Vec<Detail>) {
    match value {
        Json::Array(values) if !values.is_empty() => {
            for value in values {
                flatten(label, value, details);
            }
        }
        Json::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                flatten(&format!("{label}.{key}"), value, details);
            }
        }
        scalar => {
            let value = scalar.scalar_text().unwrap_or_default();
            details.push(Detail { label: label.to_owned(), value });
        }
    }
}

/// A text from a file, cut to a length a message can carry.
pub(super) fn cut(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(LONGEST).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

fn likeness(left: &str, right: &str) -> f64 {
    // Long keys come from hostile files; comparing them would cost quadratic time.
    if left.len() > 64 { 0.0 } else { strsim::normalized_damerau_levenshtein(&left.to_lowercase(), right) }
}
