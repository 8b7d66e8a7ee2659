//! A form as it was sent: values, and what is wrong with them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::context::Context;

/// Values by field name, in the order they came, with errors.
#[derive(Debug, Clone, Default)]
pub(super) struct Form {
    values: Vec<(String, String)>,
    errors: BTreeMap<&'static str, String>,
    message: Option<String>,
}

/// One field as a template shows it.
#[derive(Debug, Serialize)]
pub(super) struct Field {
    name: &'static str,
    value: String,
    error: Option<String>,
}

impl Form {
    /// A form that nobody has sent, with values to start from.
    pub(super) fn prefilled(values: &[(&str, &str)]) -> Self {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self { values, ..Self::default() }
    }

    /// A form as the browser sent it. Browsers send line breaks as CR LF; the state has LF.
    pub(super) fn sent(values: &[(String, String)]) -> Self {
        let values = values.iter().map(|(name, value)| (name.clone(), value.replace("\r\n", "\n"))).collect();
        Self { values, ..Self::default() }
    }

    /// The first value of a field; empty where there is none.
    pub(super) fn value(&self, name: &'static str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// The first value of a field, or `None` where the field was not sent.
    pub(super) fn given(&self, name: &'static str) -> Option<&str> {
        self.all(name).next()
    }

    /// The first value without white space around it.
    pub(super) fn line(&self, name: &'static str) -> String {
        self.value(name).trim().to_owned()
    }

    /// All values of a field.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.values.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether a field has that value among its values.
    pub(super) fn has(&self, name: &'static str, value: &str) -> bool {
        self.all(name).any(|other| other == value)
    }

    /// Gives a field other values than were sent.
    pub(super) fn set_all(&mut self, name: &'static str, values: Vec<String>) {
        self.values.retain(|(key, _)| key != name);
        self.values.extend(values.into_iter().map(|value| (name.to_owned(), value)));
    }

    /// Puts another value in place of those of a field.
    pub(super) fn set(&mut self, name: &'static str, value: String) {
        self.values.retain(|(key, _)| key != name);
        self.values.push((name.to_owned(), value));
    }

    /// Notes what is wrong with a field; the first reason stands.
    pub(super) fn fail(&mut self, name: &'static str, reason: String) {
        self.errors.entry(name).or_insert(reason);
    }

    /// Notes that a field must not be blank, where it is.
    pub(super) fn require(&mut self, context: &Context<'_>, name: &'static str) {
        if self.value(name).trim().is_empty() {
            self.fail(name, context.text("field.blank", &[]));
        }
    }

    /// Notes why the whole form was not taken.
    pub(super) fn refuse(&mut self, message: &str) {
        self.message = Some(message.to_owned());
    }

    /// The reason why the whole form was not taken.
    pub(super) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Whether nothing is wrong with any field.
    pub(super) fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// The field for a template.
    pub(super) fn field(&self, name: &'static str) -> Field {
        Field { name, value: self.value(name).to_owned(), error: self.errors.get(name).cloned() }
    }

    /// The field as it was sent; with `value` where the form was not sent yet.
    pub(super) fn field_or(&self, name: &'static str, value: &str) -> Field {
        if self.given(name).is_some() { self.field(name) } else { untouched(name, value) }
    }

    /// What is wrong with a field.
    pub(super) fn error(&self, name: &str) -> Option<String> {
        self.errors.get(name).cloned()
    }
}

/// The entries of a line in which people list several, without blanks: parted by commas, semicolons or
/// line ends, in either script.
pub(super) fn listed(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ';', '\n', '，', '；', '、']).map(str::trim).filter(|entry| !entry.is_empty())
}

/// An untouched field with a value.
pub(super) fn untouched(name: &'static str, value: &str) -> Field {
    Field { name, value: value.to_owned(), error: None }
}
