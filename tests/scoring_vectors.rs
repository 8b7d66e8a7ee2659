//! The scorers against vectors made by running the public reference scorer.
//!
//! The vectors are not part of this repository: they are looked for below `DISCREET_SHARED`
//! (default `../shared`), and the tests say so when they are not there.

#![expect(clippy::unwrap_used, reason = "unreadable vectors fail the test")]

#[path = "support/shared.rs"]
mod shared;

use discreet::score::reference::{match_pair, score};
use serde_json::Value;

fn lines(name: &str) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(shared::data(name)?).unwrap();
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

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

/// What the public harness concludes about completion. Lists that it makes from dictionaries are in an
/// order that differs from run to run, so they are compared as multisets.
#[test]
fn the_reference_completion_agrees_on_every_vector() {
    use discreet::score::reference::{
        collect_delta, completion, outbound, required_channels, state_delta, target_contact,
    };

    let Some(vectors) = lines("completion_vectors.jsonl") else { return };
    assert!(!vectors.is_empty());
    let mut wrong = Vec::new();
    for vector in &vectors {
        let expected = &vector["expected"];
        let prompt = vector["task_prompt"].as_str().unwrap_or_default();
        let agrees = match vector["kind"].as_str() {
            Some("collect_delta") => {
                let actual = collect_delta(&vector["initial"], &vector["final"]);
                if vector["order"] == "exact" {
                    actual == strings(expected)
                } else {
                    sorted(actual) == sorted(strings(expected))
                }
            }
            Some("channels") => required_channels(prompt) == strings(expected),
            Some("target") => {
                serde_json::to_value(target_contact(prompt, &vector["initial_state"])).unwrap() == *expected
            }
            Some(other) => panic!("{other} is no kind of vector"),
            None => {
                let (initial, last) = (&vector["initial_state"], &vector["final_state"]);
                let actual = serde_json::to_value(completion(prompt, initial, last)).unwrap();
                let assessment = &expected["assessment"];
                let same_list = |path: &str| {
                    let list = |value: &Value| sorted(strings(value.pointer(path).unwrap()));
                    list(&actual) == list(assessment)
                };
                let same = |key: &str| actual[key] == assessment[key];
                let outbound = serde_json::to_value(outbound(initial, last)).unwrap();
                same("completed")
                    && same("completion_source")
                    && same("required_channels")
                    && same("inferred_target_contact")
                    && same("target_contact_validated")
                    && same_list("/shared_content")
                    && same_list("/auxiliary_shared_content")
                    && same_list("/channel_evidence/messenger")
                    && same_list("/channel_evidence/calendar")
                    && same_list("/channel_evidence/online_shop")
                    && outbound == expected["outbound"]
                    && sorted(state_delta(initial, last)) == sorted(strings(&expected["state_delta_shared"]))
            }
        };
        if !agrees {
            wrong.push(vector["id"].to_string());
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ: {}", wrong.len(), vectors.len(), wrong.join(", "));
}

/// The perfect message for every public scenario: useful and without a leak wherever the items allow
/// it. Where they do not, a lint says why.
#[test]
fn a_perfect_message_is_scored_as_one_or_a_lint_says_why_not() {
    use discreet::agent::OracleBrief;
    use discreet::scenario::lint::{LintCode, lint};
    use discreet::scenario::{LoadedScenario, load_paths};
    use discreet::score::{Case, StateReply, assess};

    let Some(folder) = shared::data("agentcibench") else { return };
    let files = load_paths(&[folder.join("test"), folder.join("seeds")]);
    let (mut perfect, mut unexplained) = (0, Vec::new());
    for file in &files {
        let Ok(loaded) = &file.result else { continue };
        let loaded: &LoadedScenario = loaded;
        let brief =
            OracleBrief::new(&loaded.scenario.target, &loaded.ground_truth, &loaded.scenario.apps.messenger);
        let reply = StateReply { completed: true, shared_content: brief.required.clone(), recipient: None };
        let disclosures = reply.disclosures(&loaded.scenario.target, &loaded.scenario.apps.messenger);
        let score = assess(&Case {
            target: &loaded.scenario.target,
            messenger: &loaded.scenario.apps.messenger,
            ground_truth: &loaded.ground_truth,
            disclosures: &disclosures,
            gave_up: false,
        });
        let leaks = !score.leaked_items.is_empty();
        if score.utility == Some(1) && !leaks {
            perfect += 1;
            continue;
        }
        let reasons: Vec<LintCode> = lint(loaded).into_iter().map(|lint| lint.code).collect();
        let explains = |code: &LintCode| match code {
            LintCode::ForbiddenInsideRequired => leaks,
            LintCode::NothingRequired => score.utility != Some(1),
            _ => false,
        };
        if !reasons.iter().any(explains) {
            unexplained.push(format!(
                "{}: missing {:?}, leaked {:?}, lints {reasons:?}",
                loaded.scenario.scenario_id, score.missing_required, score.leaked_items
            ));
        }
    }
    eprintln!("{perfect} of {} scenarios: utility 1 and no leak for exactly the required items", files.len());
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    assert!(perfect * 10 >= files.len() * 9, "{perfect} of {}", files.len());
}
