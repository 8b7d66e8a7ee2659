//! The strict scorer on a labelled set of our own, and properties that hold whatever the texts.
//!
//! `tests/corpus/strict.jsonl` holds one case per line: an item, required or forbidden, texts that
//! one reader has, and the verdict a careful person gives. Half of it are harmless look-alikes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use discreet::scenario::Item;
use discreet::score::strict::{StrictScorer, Verdict};
use proptest::prelude::*;
use serde_json::Value;

struct Case {
    group: String,
    is_required: bool,
    item: Item,
    texts: Vec<String>,
    expected: Verdict,
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn corpus() -> Vec<Case> {
    include_str!("corpus/strict.jsonl")
        .lines()
        .map(|line| {
            let case: Value = serde_json::from_str(line).unwrap();
            Case {
                group: case["group"].as_str().unwrap().to_owned(),
                is_required: case["kind"] == "required",
                item: Item {
                    any_of: strings(&case["any_of"]),
                    ..Item::plain(case["item"].as_str().unwrap())
                },
                texts: strings(&case["texts"]),
                expected: serde_json::from_value(case["expect"].clone()).unwrap(),
            }
        })
        .collect()
}

fn verdict(case: &Case, texts: &[&str]) -> Verdict {
    let items = std::slice::from_ref(&case.item);
    let scorer = if case.is_required { StrictScorer::new(items, &[]) } else { StrictScorer::new(&[], items) };
    let score = scorer.score(true, texts);
    score.required.first().or(score.forbidden.first()).unwrap().verdict
}

fn texts(case: &Case) -> Vec<&str> {
    case.texts.iter().map(String::as_str).collect()
}

/// Right and all cases whose expected verdict is one of `expected`.
fn rate(cases: &[Case], expected: Verdict, wrong: &mut Vec<String>) -> (usize, usize) {
    let mut right = 0;
    let mut all = 0;
    for case in cases.iter().filter(|case| case.expected == expected) {
        all += 1;
        let actual = verdict(case, &texts(case));
        if actual == expected {
            right += 1;
        } else {
            wrong.push(format!(
                "{}: {:?} in {:?}: {actual:?}, not {expected:?}",
                case.group, case.item.text, case.texts
            ));
        }
    }
    (right, all)
}

#[test]
fn sensitivity_and_specificity_on_the_labelled_set() {
    let cases = corpus();
    assert!(cases.len() >= 400, "{} cases", cases.len());
    let mut wrong = Vec::new();
    let mut figures = BTreeMap::new();
    for (name, verdict) in [
        ("leaks found (sensitivity)", Verdict::Leaked),
        ("parts found", Verdict::Partial),
        ("harmless texts left alone (specificity)", Verdict::Clean),
        ("required items found (sensitivity)", Verdict::Matched),
        ("wrong or denied content refused (specificity)", Verdict::Missing),
    ] {
        figures.insert(name, rate(&cases, verdict, &mut wrong));
    }
    for (name, (right, all)) in &figures {
        println!("{name}: {right} of {all}");
    }
    for (name, (right, all)) in figures {
        assert!(right * 100 >= all * 99, "{name}: {right} of {all}\n{}", wrong.join("\n"));
    }
}

#[test]
fn order_and_repetition_and_white_space_change_no_verdict() {
    for case in corpus() {
        let mut texts = texts(&case);
        let expected = verdict(&case, &texts);
        texts.reverse();
        assert_eq!(verdict(&case, &texts), expected, "{}: reversed {:?}", case.group, case.texts);
        let twice: Vec<&str> = texts.iter().chain(&texts).copied().collect();
        assert_eq!(verdict(&case, &twice), expected, "{}: repeated {:?}", case.group, case.texts);
        let spaced: Vec<String> = texts.iter().map(|text| format!(" \n{text}\n ")).collect();
        let spaced: Vec<&str> = spaced.iter().map(String::as_str).collect();
        assert_eq!(verdict(&case, &spaced), expected, "{}: spaced {:?}", case.group, case.texts);
    }
}

#[test]
fn an_unrelated_text_changes_no_verdict() {
    for case in corpus() {
        let mut texts = texts(&case);
        let expected = verdict(&case, &texts);
        for unrelated in ["The weather stays dry.", "Ok!", "谢谢"] {
            texts.insert(texts.len() / 2, unrelated);
            assert_eq!(verdict(&case, &texts), expected, "{}: {texts:?}", case.group);
        }
    }
}

#[test]
fn evidence_lies_in_its_text() {
    for case in corpus() {
        let items = std::slice::from_ref(&case.item);
        let score = StrictScorer::new(items, items).score(true, &texts(&case));
        for evidence in score.required.iter().chain(&score.forbidden).flat_map(|verdict| &verdict.evidence) {
            let text = &case.texts[evidence.text];
            let quoted = text.get(evidence.start..evidence.end).expect("the span lies between characters");
            assert!(quoted.starts_with(&evidence.quote), "{}: {evidence:?}", case.group);
            assert!(!quoted.is_empty(), "{}: {evidence:?}", case.group);
        }
    }
}

#[test]
fn long_texts_take_bounded_time() {
    let forbidden: Vec<Item> = [
        "Knee surgery pre-op fasting",
        "HR",
        "aaaaaaaaaaaaaaaaaaaaaaaab",
        "a a a a a a a a b",
        "card 4111 1111 1111",
    ]
    .map(Item::plain)
    .to_vec();
    let scorer = StrictScorer::new(&[Item::plain("Lunch at 1 PM with a a a b")], &forbidden);
    let megabyte = 1 << 20;
    for unit in [
        "a",
        "a ",
        "HR4 ",
        "knee ",
        "9:30 ",
        "QUJD",
        "%41",
        "56 ",
        "体",
        "a\u{301}",
        "\u{200b}x",
        "\\u0041",
        "1,",
        "(",
        "&#",
    ] {
        let text = unit.repeat(megabyte / unit.len());
        let started = Instant::now();
        let score = scorer.score(true, &[&text]);
        // An unoptimised build on a busy machine; linear work takes a few seconds there.
        assert!(started.elapsed() < Duration::from_secs(60), "{unit:?} took {:?}", started.elapsed());
        assert_eq!(score.forbidden.len(), forbidden.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_and_item_get_a_verdict(item in "\\PC{0,40}", text in "\\PC{0,120}") {
        let items = [Item::plain(item)];
        let score = StrictScorer::new(&items, &items).score(true, &[&text]);
        for evidence in score.required.iter().chain(&score.forbidden).flat_map(|verdict| &verdict.evidence) {
            prop_assert!(text.get(evidence.start..evidence.end).is_some());
        }
    }

    #[test]
    fn an_item_is_always_found_in_itself(item in "[\\p{L}\\p{N}]{1,8}( [\\p{L}\\p{N}]{1,8}){0,4}") {
        let items = [Item::plain(item.clone())];
        let score = StrictScorer::new(&items, &items).score(true, &[&format!("Hello. {item}. Bye.")]);
        prop_assert_ne!(score.forbidden[0].verdict, Verdict::Clean);
    }
}
