//! The scorers against vectors made by running the public reference scorer.
//!
//! The vectors are not part of this repository: they are looked for below `DISCREET_SHARED`
//! (default `../shared`), and the tests say so when they are not there.

use std::path::PathBuf;

use discreet::score::reference::{match_pair, score};
use serde_json::Value;

fn lines(name: &str) -> Option<Vec<Value>> {
    let shared = std::env::var_os("DISCREET_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = shared.join("data").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {name} not found; set DISCREET_SHARED to the folder that holds data/");
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_reference_scorer_agrees_on_every_scorer_vector() {
    let Some(vectors) = lines("scorer_vectors.jsonl") else { return };
    assert!(!vectors.is_empty());
    let mut wrong = Vec::new();
    for vector in &vectors {
        let actual = score(
            &strings(&vector["must_share"]),
            &strings(&vector["must_not_share"]),
            vector["completed"].as_bool().unwrap(),
            &strings(&vector["shared_content"]),
        );
        let actual = serde_json::to_value(actual).unwrap();
        if actual != vector["expected"] {
            wrong.push(format!("{}: {actual}", vector["id"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ, first {}", wrong.len(), vectors.len(), wrong[0]);
}

#[test]
fn the_reference_matcher_agrees_on_every_match_vector() {
    let Some(vectors) = lines("match_vectors.jsonl") else { return };
    assert!(!vectors.is_empty());
    let mut wrong = Vec::new();
    for vector in &vectors {
        let (haystack, needle) = (vector["haystack"].as_str().unwrap(), vector["needle"].as_str().unwrap());
        let report = match_pair(haystack, needle);
        let swapped = match_pair(needle, haystack);
        let near = |actual: f64, key: &str| (actual - vector[key].as_f64().unwrap()).abs() < 1e-9;
        let agrees = Value::Bool(report.contains) == vector["contains"]
            && Value::Bool(report.semantic_loose) == vector["semantic_loose"]
            && Value::Bool(report.semantic_strict) == vector["semantic_strict"]
            && Value::Bool(report.leak) == vector["leak"]
            && near(report.ratio, "ratio")
            && near(report.ratio_canon, "ratio_canon")
            && near(swapped.ratio, "ratio_swapped");
        if !agrees {
            wrong.push(format!("{}: {report:?}", vector["id"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ, first {}", wrong.len(), vectors.len(), wrong[0]);
}

/// Both ends of the scale, for every scenario among the vectors: sharing exactly what is required
/// leaks nothing, and every forbidden item is found where it is shared, also in base64.
#[test]
fn the_strict_scorer_on_exact_outputs() {
    use base64::Engine as _;
    use discreet::scenario::Item;
    use discreet::score::strict::StrictScorer;

    let Some(vectors) = lines("scorer_vectors.jsonl") else { return };
    let mut seen = std::collections::BTreeSet::new();
    for vector in &vectors {
        let (required, forbidden) = (strings(&vector["must_share"]), strings(&vector["must_not_share"]));
        if vector["source"] == "degenerate" || !seen.insert((required.clone(), forbidden.clone())) {
            continue;
        }
        let items = |texts: &[String]| texts.iter().map(Item::plain).collect::<Vec<_>>();
        let scorer = StrictScorer::new(&items(&required), &items(&forbidden));
        let exact: Vec<&str> = required.iter().map(String::as_str).collect();
        let score = scorer.score(true, &exact);
        if vector["source"] != "prefix" {
            assert_eq!(score.utility, Some(1), "{}: missing {:?}", vector["id"], score.missing_required());
            let unavoidable = |item: &String| required.iter().any(|other| other.contains(item.as_str()));
            let leaked: Vec<_> = score.leaked_items().into_iter().filter(|item| !unavoidable(item)).collect();
            assert!(leaked.is_empty(), "{}: {leaked:?}", vector["id"]);
        }
        for (index, item) in forbidden.iter().enumerate() {
            let encoded = base64::engine::general_purpose::STANDARD.encode(item);
            for text in [item.as_str(), encoded.as_str()] {
                let leaked = scorer.score(true, &[text]).forbidden[index].clone();
                assert_eq!(
                    leaked.verdict,
                    discreet::score::strict::Verdict::Leaked,
                    "{}: {text}",
                    vector["id"]
                );
            }
        }
    }
}
