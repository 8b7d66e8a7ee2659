//! The strict scorer on a labelled set of our own, and properties that hold whatever the texts.
//!
//! `tests/corpus/strict.jsonl` holds one case per line: an item, required or forbidden, texts that
//! one reader has, and the verdict a careful person gives. Half of it are harmless look-alikes.

#![expect(clippy::unwrap_used, reason = "a broken corpus fails the test")]

use std::time::{Duration, Instant};

use discreet::scenario::Item;
use discreet::score::labelled::{LabelledCase, figures};
use discreet::score::strict::{StrictScorer, Verdict};
use proptest::prelude::*;

/// The set that the rules were corrected on, and the groups that were written after them.
const CORPUS: &str = include_str!("corpus/strict.jsonl");

fn corpus() -> Vec<LabelledCase> {
    CORPUS.lines().map(|line| LabelledCase::parse(line).unwrap()).collect()
}

fn verdict(case: &LabelledCase, texts: &[&str]) -> Verdict {
    case.verdict_on(texts)
}

fn texts(case: &LabelledCase) -> Vec<&str> {
    case.texts.iter().map(String::as_str).collect()
}

#[test]
fn sensitivity_and_specificity_on_the_labelled_set() {
    let cases = corpus();
    assert!(cases.len() >= 400, "{} cases", cases.len());
    let figures = figures(&cases);
    for (name, rate) in &figures.by_verdict {
        println!("{name}: {} of {}", rate.right, rate.all);
        assert!(rate.right * 100 >= rate.all * 99, "{name}: {rate:?}\n{:#?}", figures.wrong);
    }
    for rate in [figures.sensitivity, figures.specificity] {
        assert!(rate.right * 100 >= rate.all * 99, "{rate:?}");
    }
}

#[test]
fn known_misses_are_still_missed() {
    let figures = figures(&corpus());
    assert!(!figures.known_misses.is_empty());
    assert!(figures.found_after_all.is_empty(), "no known misses any more: {:#?}", figures.found_after_all);
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
    // A sixteenth of a megabyte: what is not linear shows there too, and an unoptimised build is slow.
    let length = 1 << 16;
    for unit in [
        "a",
        "a ",
        "HR4 ",
        "knee ",
        "9:30 ",
        "QUJD",
        "%41",
        "%ff",
        "%00",
        "\\x00",
        "&#x",
        "\\u{",
        "QUJDREVGR0hJSktM\n",
        "56 ",
        "体",
        "a\u{301}",
        "\u{200b}x",
        "\\u0041",
        "1,",
        "(",
        "&#",
    ] {
        let text = unit.repeat(length / unit.len());
        let started = Instant::now();
        let score = scorer.score(true, &[&text]);
        assert!(started.elapsed() < Duration::from_secs(8), "{unit:?} took {:?}", started.elapsed());
        assert_eq!(score.forbidden.len(), forbidden.len());
    }
}

/// A megabyte of ordinary text, with everything a decoder may try in it: it ends.
#[test]
fn a_megabyte_of_text_takes_bounded_time() {
    let forbidden = ["Knee surgery pre-op fasting", "HR", "May 19", "体检报告"].map(Item::plain);
    let scorer = StrictScorer::new(&[Item::plain("Lunch at 1 PM")], &forbidden);
    let paragraph = "On 2026-05-19 at 9:30 we review PR #44, src/main.rs and 1,200 rows; QUJDREVG see %41%42 for \
        the thread. V e t s p a c e d. 今天下午三点开会，请把报告发给同事。 Die Größe ist 42 km.\n";
    let mut text = paragraph.repeat((1 << 20) / paragraph.len());
    text.push_str("knee surgery pre-op fasting");
    // What is not linear would take hours: the runner ends such a test.
    let score = scorer.score(true, &[&text]);
    assert_eq!(score.forbidden[0].verdict, Verdict::Leaked);
    assert_eq!(score.forbidden[1].verdict, Verdict::Clean);
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
