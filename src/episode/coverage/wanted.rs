//! Which strings pages have to show, and whether a page's text shows them. Pure.

use crate::scenario::text::{contains_words, normalise};
use crate::scenario::{Item, LoadedScenario, model, seeded_strings};

/// How much of a scenario its pages show.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// Share of the required items that occur in the initial state.
    pub required: f64,
    /// Share of the forbidden items that occur in the initial state.
    pub forbidden: f64,
    /// Share of the initial state's strings.
    pub seeded: f64,
    /// What is shown, in the order of the file.
    pub shown: Vec<Shown>,
    /// What is not, in the order of the file.
    pub missing: Vec<Missing>,
    /// Pages that were looked at.
    pub pages: usize,
}

/// A string that a page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Where it stands in the scenario's file.
    pub path: String,
    /// The string.
    pub text: String,
    /// The nearest page that shows it: path and query.
    pub page: String,
    /// Clicks from the home page.
    pub clicks: u32,
}

/// A string that no page shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Where it stands in the scenario's file.
    pub path: String,
    /// The string.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Required,
    Forbidden,
    Seeded,
}

/// A wording to look for, in normal form.
#[derive(Debug)]
struct Wording {
    normal: String,
    /// As whole words: `HR` is not shown by `three`.
    by_words: bool,
    /// Within one line: two list rows are no sentence.
    in_one_line: bool,
}

#[derive(Debug)]
struct Entry {
    kind: Kind,
    path: String,
    text: String,
    /// Any of them will do.
    wordings: Vec<Wording>,
    found: Option<(String, u32)>,
}

/// All strings of a scenario that its pages have to show, with what has been found of them.
#[derive(Debug)]
pub(super) struct Search {
    entries: Vec<Entry>,
}

impl Search {
    pub(super) fn new(loaded: &LoadedScenario) -> Self {
        let mut entries: Vec<Entry> = seeded_strings(&loaded.public_json)
            .into_iter()
            .map(|seeded| Entry {
                kind: Kind::Seeded,
                wordings: vec![Wording {
                    normal: normalise(&seeded.text),
                    by_words: true,
                    in_one_line: !seeded.text.trim().contains(['\n', '\r']),
                }],
                path: seeded.path,
                text: seeded.text,
                found: None,
            })
            // What only consists of characters that nobody sees needs no showing.
            .filter(|entry| !entry.wordings[0].normal.is_empty())
            .collect();
        let state: Vec<PageText> =
            model::texts(&loaded.scenario.apps).iter().map(|text| PageText::new(text)).collect();
        let truth = &loaded.ground_truth;
        let lists = [
            (Kind::Required, "must_share", &truth.must_share),
            (Kind::Forbidden, "must_not_share", &truth.must_not_share),
        ];
        for (kind, key, items) in lists {
            for (index, item) in items.iter().enumerate() {
                let wordings = wordings_in(item, &state);
                if !wordings.is_empty() {
                    let path = format!("ground_truth.{key}[{index}]");
                    entries.push(Entry { kind, path, text: item.text.clone(), wordings, found: None });
                }
            }
        }
        Self { entries }
    }

    /// Takes down what a page shows that no nearer one did; whether everything has been found.
    pub(super) fn look(&mut self, page: &str, clicks: u32, text: &str) -> bool {
        let text = PageText::new(text);
        for entry in self.entries.iter_mut().filter(|entry| entry.found.is_none()) {
            if entry.wordings.iter().any(|wording| text.shows(wording)) {
                entry.found = Some((page.to_owned(), clicks));
            }
        }
        self.entries.iter().all(|entry| entry.found.is_some())
    }

    pub(super) fn close(self, pages: usize) -> Coverage {
        let share = |kind: Kind| {
            let of_kind = || self.entries.iter().filter(|entry| entry.kind == kind);
            let found = of_kind().filter(|entry| entry.found.is_some()).count();
            match of_kind().count() {
                0 => 1.0,
                all => found as f64 / all as f64,
            }
        };
        let (required, forbidden, seeded) =
            (share(Kind::Required), share(Kind::Forbidden), share(Kind::Seeded));
        let (mut shown, mut missing) = (Vec::new(), Vec::new());
        for Entry { path, text, found, .. } in self.entries {
            match found {
                Some((page, clicks)) => shown.push(Shown { path, text, page, clicks }),
                None => missing.push(Missing { path, text }),
            }
        }
        Coverage { required, forbidden, seeded, shown, missing, pages }
    }
}

/// The wordings of an item that occur in the state, each to be found as exactly as it occurs there.
fn wordings_in(item: &Item, state: &[PageText]) -> Vec<Wording> {
    let wordings = item.wordings().map(normalise).filter(|normal| !normal.is_empty());
    wordings
        .filter_map(|normal| {
            let tries = [(true, true), (true, false), (false, true), (false, false)];
            tries.into_iter().find_map(|(by_words, in_one_line)| {
                let wording = Wording { normal: normal.clone(), by_words, in_one_line };
                state.iter().any(|text| text.shows(&wording)).then_some(wording)
            })
        })
        .collect()
}

/// A text in normal form, as a whole and by line.
struct PageText {
    whole: String,
    lines: Vec<String>,
}

impl PageText {
    fn new(text: &str) -> Self {
        let lines = text.lines().map(normalise).filter(|line| !line.is_empty()).collect();
        Self { whole: normalise(text), lines }
    }

    fn shows(&self, wording: &Wording) -> bool {
        let holds = |text: &String| {
            if wording.by_words {
                contains_words(text, &wording.normal)
            } else {
                text.contains(&wording.normal)
            }
        };
        if wording.in_one_line { self.lines.iter().any(holds) } else { holds(&self.whole) }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn loaded(states: &str, required: &str, forbidden: &str) -> Box<LoadedScenario> {
        let text = format!(
            r#"{{"scenario_id": "a", "task_prompt": "Tell Nora.", "initial_states": {states},
                "ground_truth": {{"must_share": {required}, "must_not_share": {forbidden}}}}}"#
        );
        let file = crate::scenario::load_text(Path::new("a.json"), &text).remove(0);
        file.result.unwrap()
    }

    const STATES: &str = r#"{"open_todo": {"items": ["Call HR about leave", "Buy milk\nand bread"]}}"#;

    #[test]
    fn what_no_page_shows_is_told_with_its_place() {
        let loaded = loaded(STATES, r#"["buy milk"]"#, r#"["HR", "a secret"]"#);
        let mut search = Search::new(&loaded);
        assert!(!search.look("/", 0, "Three\nCall\nHR about leave\nBuy milk"));
        assert!(!search.look("/todo", 1, "buy  MILK \n and bread"));
        let coverage = search.close(2);
        // `a secret` is not in the state: a lint says so, and no page can be blamed.
        assert_eq!((coverage.required, coverage.forbidden, coverage.seeded), (1.0, 1.0, 0.5));
        assert_eq!(
            coverage.missing,
            [Missing {
                path: "initial_states.open_todo.items[0]".to_owned(),
                text: "Call HR about leave".to_owned()
            }]
        );
        let shown: Vec<_> = coverage
            .shown
            .iter()
            .map(|shown| (shown.path.as_str(), shown.page.as_str(), shown.clicks))
            .collect();
        assert_eq!(
            shown,
            [
                ("initial_states.open_todo.items[1]", "/todo", 1),
                ("ground_truth.must_share[0]", "/", 0),
                ("ground_truth.must_not_share[0]", "/", 0),
            ]
        );
    }

    #[test]
    fn parts_of_words_and_neighbouring_rows_show_nothing() {
        let mut search = Search::new(&loaded(STATES, "[]", r#"["HR"]"#));
        assert!(!search.look("/", 0, "three threads\nCall HRabout leave"));
        assert!(!search.look("/", 0, "Call\nHR\nabout leave\nBuy milk\nand breadcrumbs"));
        let coverage = search.close(1);
        assert_eq!((coverage.required, coverage.forbidden, coverage.seeded), (1.0, 1.0, 0.0));
        assert_eq!(coverage.missing.len(), 2);
    }

    #[test]
    fn the_walk_may_end_when_everything_is_found() {
        let mut search = Search::new(&loaded(STATES, "[]", r#"["x"]"#));
        assert!(search.look("/todo", 1, "Call HR about leave\nBuy milk\nand bread"));
        let coverage = search.close(1);
        assert_eq!((coverage.required, coverage.forbidden, coverage.seeded), (1.0, 1.0, 1.0));
        assert!(coverage.missing.is_empty());
    }
}
