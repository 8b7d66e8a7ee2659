//! How often the strict scorer is right on cases that a person has labelled.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::scenario::Item;

use super::strict::{StrictScorer, Verdict};
use super::vectors::{self, VectorError};

/// Texts that one reader has, an item, and the verdict a careful person gives.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledCase {
    /// What it is an example of.
    pub group: String,
    /// Whether the item is required; forbidden otherwise.
    pub is_required: bool,
    /// The item.
    pub item: Item,
    /// The texts.
    pub texts: Vec<String>,
    /// The verdict.
    pub expected: Verdict,
    /// Whether rules are known not to find it; only a judge can.
    pub known_miss: bool,
}

impl LabelledCase {
    /// Reads one line: an object with `kind` (`required` or `forbidden`), `item`, `texts`,
    /// `expect`, and where wanted `group`, `any_of` and `known_miss`.
    ///
    /// # Errors
    /// [`VectorError`] naming the key that is missing or wrong.
    pub fn parse(line: &str) -> Result<Self, VectorError> {
        let object = vectors::object(line)?;
        let text = |key: &'static str| match vectors::get(&object, key)? {
            Value::String(text) => Ok(text.as_str()),
            other => Err(vectors::wrong(key.to_owned(), "a string", other)),
        };
        let is_required = match text("kind")? {
            "required" => true,
            "forbidden" => false,
            _ => {
                let found = vectors::get(&object, "kind")?;
                return Err(vectors::wrong("kind".to_owned(), "`required` or `forbidden`", found));
            }
        };
        let expected: Verdict = serde_json::from_value(vectors::get(&object, "expect")?.clone())
            .ok()
            .filter(|verdict| {
                matches!(
                    (is_required, verdict),
                    (true, Verdict::Matched | Verdict::Missing)
                        | (false, Verdict::Leaked | Verdict::Partial | Verdict::Clean)
                )
            })
            .ok_or_else(|| {
                let found = object.get("expect").unwrap_or(&Value::Null);
                vectors::wrong("expect".to_owned(), "a verdict about an item of this kind", found)
            })?;
        let any_of = match object.get("any_of") {
            None | Some(Value::Null) => Vec::new(),
            Some(value) => vectors::strings(value, "any_of")?,
        };
        Ok(Self {
            group: object.get("group").and_then(Value::as_str).unwrap_or("all").to_owned(),
            is_required,
            item: Item { any_of, ..Item::plain(text("item")?) },
            texts: vectors::strings(vectors::get(&object, "texts")?, "texts")?,
            expected,
            known_miss: object.get("known_miss") == Some(&Value::Bool(true)),
        })
    }

    /// The scorer's verdict about these texts instead of the case's own.
    #[must_use]
    pub fn verdict_on(&self, texts: &[&str]) -> Verdict {
        let items = std::slice::from_ref(&self.item);
        let scorer =
            if self.is_required { StrictScorer::new(items, &[]) } else { StrictScorer::new(&[], items) };
        let score = scorer.score(true, texts);
        score.required.first().or(score.forbidden.first()).map_or(Verdict::Unscored, |first| first.verdict)
    }

    /// The scorer's verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict_on(&self.texts.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Right ones among all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// Cases with the expected verdict.
    pub right: u64,
    /// All cases.
    pub all: u64,
}

/// A case that came out otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Surprise {
    /// Its group.
    pub group: String,
    /// The item.
    pub item: String,
    /// The texts.
    pub texts: Vec<String>,
    /// The person's verdict.
    pub expected: Verdict,
    /// The scorer's.
    pub actual: Verdict,
}

/// Rates over labelled cases; known misses are left out of them and listed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Figures {
    /// By expected verdict: leaks found, parts found, harmless texts left alone, required items
    /// found, wrong content refused.
    pub by_verdict: BTreeMap<&'static str, Rate>,
    /// The same by group.
    pub by_group: BTreeMap<String, BTreeMap<&'static str, Rate>>,
    /// Items found among those that are there, leaked and required ones.
    pub sensitivity: Rate,
    /// Texts without the item that were told apart: harmless ones, and wrong or denied content.
    pub specificity: Rate,
    /// Cases that came out otherwise, known misses left out.
    pub wrong: Vec<Surprise>,
    /// What rules are known to miss.
    pub known_misses: Vec<Surprise>,
    /// Known misses that are found now, so that the list is wrong.
    pub found_after_all: Vec<Surprise>,
}

/// What a verdict's rate is called.
#[must_use]
pub const fn rate_name(expected: Verdict) -> &'static str {
    match expected {
        Verdict::Leaked => "leaks found",
        Verdict::Partial => "parts found",
        Verdict::Clean => "harmless texts left alone",
        Verdict::Matched => "required items found",
        Verdict::Missing => "wrong content refused",
        Verdict::Unscored => "unscored",
    }
}

/// Scores every case.
#[must_use]
pub fn figures(cases: &[LabelledCase]) -> Figures {
    let mut figures = Figures::default();
    for case in cases {
        let actual = case.verdict();
        let is_right = actual == case.expected;
        let surprise = || Surprise {
            group: case.group.clone(),
            item: case.item.text.clone(),
            texts: case.texts.clone(),
            expected: case.expected,
            actual,
        };
        if case.known_miss {
            if is_right {
                figures.found_after_all.push(surprise());
            }
            figures.known_misses.push(surprise());
            continue;
        }
        let count = |rate: &mut Rate| {
            rate.all += 1;
            rate.right += u64::from(is_right);
        };
        let name = rate_name(case.expected);
        count(figures.by_verdict.entry(name).or_default());
        count(figures.by_group.entry(case.group.clone()).or_default().entry(name).or_default());
        match case.expected {
            Verdict::Leaked | Verdict::Matched => count(&mut figures.sensitivity),
            Verdict::Clean | Verdict::Missing => count(&mut figures.specificity),
            Verdict::Partial | Verdict::Unscored => {}
        }
        if !is_right {
            figures.wrong.push(surprise());
        }
    }
    figures
}
