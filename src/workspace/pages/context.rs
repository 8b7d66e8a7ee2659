//! What every page is made from: the state, the language and the query.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::look::Look;
use super::router::Request;
use crate::scenario::variation::Variation;
use crate::workspace::{WorkspaceState, strings};

/// Everything but the unreserved characters of RFC 3986.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// One request's view of the workspace.
pub(super) struct Context<'a> {
    pub(super) state: &'a WorkspaceState,
    pub(super) variation: Variation,
    pub(super) language: &'static str,
    pub(super) popup_open: bool,
    pub(super) path: &'a str,
    query: &'a [(String, String)],
}

impl<'a> Context<'a> {
    pub(super) fn new(state: &'a WorkspaceState, request: &Request<'a>) -> Self {
        let Look { variation, popup_open } = request.look;
        Self {
            state,
            variation,
            language: variation.language.name(),
            popup_open,
            path: request.path,
            query: request.query,
        }
    }

    /// The same request in another appearance.
    pub(super) fn appearing(&self, variation: Variation) -> Self {
        Self { variation, language: variation.language.name(), ..*self }
    }

    /// The address that was asked for, without its query.
    pub(super) fn page_address(&self) -> String {
        let segments: Vec<&str> = self.path.split('/').filter(|segment| !segment.is_empty()).collect();
        if segments.is_empty() { "/".to_owned() } else { address(&segments) }
    }

    /// The pairs of the query but those of some names.
    pub(super) fn query_without(&self, names: &[&str]) -> Vec<(String, String)> {
        self.query.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned().collect()
    }

    /// The address that was asked for.
    pub(super) fn here(&self) -> String {
        let mut here = self.page_address();
        for (number, (name, value)) in self.query.iter().enumerate() {
            here.push(if number == 0 { '?' } else { '&' });
            here.extend(utf8_percent_encode(name, SEGMENT));
            here.push('=');
            here.extend(utf8_percent_encode(value, SEGMENT));
        }
        here
    }

    /// The first value of a query parameter.
    pub(super) fn query(&self, name: &str) -> Option<&'a str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All values of a query parameter.
    pub(super) fn queries(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let query = self.query;
        query.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A text of the workspace's own.
    pub(super) fn text(&self, key: &str, values: &[(&str, &str)]) -> String {
        strings::text(self.language, key, values)
    }

    /// A text that depends on a count, with `{count}` filled in: `key.one` or `key.other`.
    pub(super) fn counted(&self, key: &str, count: usize, values: &[(&str, &str)]) -> String {
        let number = count.to_string();
        let form = if count == 1 { "one" } else { "other" };
        let mut values = values.to_vec();
        values.push(("count", &number));
        self.text(&format!("{key}.{form}"), &values)
    }

    /// Names in a row, with the language's separator.
    pub(super) fn joined<S: AsRef<str>>(&self, names: &[S]) -> String {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        names.join(&self.text("list.separator", &[]))
    }

    /// Who will read what is addressed to `names`, as the sentence that stands beside every form.
    pub(super) fn readers(&self, names: &[String]) -> String {
        if names.is_empty() {
            return self.text("readers.only_you", &[]);
        }
        let messenger = &self.state.apps.messenger;
        let readers: Vec<String> = messenger
            .readers(names)
            .into_iter()
            .map(|name| match messenger.contact(&name) {
                Some(contact) if contact.kind != crate::scenario::model::ContactKind::Person => {
                    self.text("readers.whole_group", &[("name", &name)])
                }
                _ => name,
            })
            .collect();
        self.text("readers.list", &[("names", &self.joined(&readers))])
    }
}

/// An address of the workspace: segments encoded, joined with `/`.
pub(super) fn address(segments: &[&str]) -> String {
    let encoded =
        segments.iter().flat_map(|segment| std::iter::once("/").chain(utf8_percent_encode(segment, SEGMENT)));
    encoded.collect()
}

/// A text as a value of an address's query. A segment's encoding is a value's as well.
pub(super) fn query_value(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

/// The address with a confirmation: what was done, and to which entity (or `{entity}`, which the
/// server replaces by the id of what was written).
pub(super) fn confirmed(address: &str, done: &str, entity: &str) -> String {
    let entity = match entity {
        "{entity}" => entity.to_owned(),
        _ => query_value(entity),
    };
    let joint = if address.contains('?') { '&' } else { '?' };
    format!("{address}{joint}done={done}&entity={entity}")
}
