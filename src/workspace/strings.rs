//! The workspace's own texts in three languages.
//!
//! Pages take every word that is not the scenario's from here, and agents that look a control up by
//! its name ask for the same key in the same language. A key that a language lacks falls back to
//! English, an unknown key to itself; a test keeps both from happening.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::web;

/// The languages of the workspace, the first being the one to fall back to.
pub const LANGUAGES: [&str; 3] = ["en", "de", "zh-CN"];

type Table = HashMap<String, String>;

static TABLES: LazyLock<[Table; LANGUAGES.len()]> = LazyLock::new(|| LANGUAGES.map(table));

/// The text of a key in a language, with each `{placeholder}` replaced by its value.
///
/// Values are put in as they are, once: braces within a value stay. Text is not HTML; whoever
/// writes it into a page escapes it.
///
/// ```
/// use discreet::workspace::strings::text;
///
/// assert_eq!(text("en", "messages.send", &[("title", "Nora (Manager)")]), "Send to Nora (Manager)");
/// ```
#[must_use]
pub fn text(language: &str, key: &str, values: &[(&str, &str)]) -> String {
    let own = LANGUAGES.iter().position(|known| *known == supported(language)).unwrap_or(0);
    let pattern = TABLES[own].get(key).or_else(|| TABLES[0].get(key));
    pattern.map_or_else(|| key.to_owned(), |pattern| fill(pattern, values))
}

/// The workspace's language for a language tag: itself where it is known, one of the same main
/// language otherwise (`de-AT` gives `de`), else English.
#[must_use]
pub fn supported(language: &str) -> &'static str {
    let main = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    LANGUAGES
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(language))
        .or_else(|| LANGUAGES.into_iter().find(|known| main(known) == main(language)))
        .unwrap_or(LANGUAGES[0])
}

fn table(language: &str) -> Table {
    let source = web::source(&format!("strings/{language}.json"));
    // The files are part of the program: a test parses each of them.
    source.and_then(|source| serde_json::from_str(&source).ok()).unwrap_or_default()
}

fn fill(pattern: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        filled.push_str(&rest[..open]);
        let inner = &rest[open + 1..];
        let Some(close) = inner.find('}') else {
            rest = &rest[open..];
            break;
        };
        match values.iter().find(|(name, _)| *name == &inner[..close]) {
            Some((_, value)) => filled.push_str(value),
            None => filled.push_str(&rest[open..=open + 1 + close]),
        }
        rest = &inner[close + 1..];
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn entries(language: &str) -> BTreeMap<String, String> {
        let source = web::source(&format!("strings/{language}.json")).unwrap();
        serde_json::from_str(&source).unwrap()
    }

    fn placeholders(pattern: &str) -> BTreeSet<&str> {
        pattern.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name).collect()
    }

    #[test]
    fn languages_have_the_same_keys_and_placeholders() {
        let english = entries("en");
        assert!(english.len() > 200, "the English table is there");
        for language in &LANGUAGES[1..] {
            let other = entries(language);
            let missing: Vec<_> = english.keys().filter(|key| !other.contains_key(*key)).collect();
            let extra: Vec<_> = other.keys().filter(|key| !english.contains_key(*key)).collect();
            assert!(
                missing.is_empty() && extra.is_empty(),
                "{language}: missing {missing:?}, extra {extra:?}"
            );
            for (key, pattern) in &english {
                // Dates are put together differently; every part they may use is always given.
                if !key.starts_with("date.") {
                    assert_eq!(placeholders(pattern), placeholders(&other[key]), "{language} {key}");
                }
                assert!(!other[key].trim().is_empty() || key == "list.separator", "{language} {key}");
            }
        }
    }

    #[test]
    fn values_are_put_in_once() {
        assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "2")]), "{b} and 2");
        assert_eq!(fill("{unknown} {", &[]), "{unknown} {");
    }

    #[test]
    fn language_tags_find_their_table() {
        assert_eq!(supported("de-AT"), "de");
        assert_eq!(supported("zh"), "zh-CN");
        assert_eq!(supported("zh-cn"), "zh-CN");
        assert_eq!(supported("fr"), "en");
        assert_eq!(text("de", "nav.home", &[]), "Startseite");
        assert_eq!(text("en", "no.such.key", &[]), "no.such.key");
    }
}
