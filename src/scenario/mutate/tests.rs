//! What the mutator has to keep, over many parents, strategies and languages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::genes::{Blueprint, Kind, Placement};
use super::words::{About, bank};
use super::{Child, Rejected, Strategy, mutate, review};
use crate::scenario::text::normalise;
use crate::scenario::variation::Language;

/// The scenarios by hand.
fn seeds() -> Vec<Value> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut files: Vec<_> = std::fs::read_dir(root)
        .unwrap()
        .flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files.iter().map(|file| serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()).collect()
}

/// Children of the seeds and of these children, each strategy in turn, and what the critic says.
fn family(generations: usize, seed: u64) -> Vec<(Strategy, Child, Result<Value, Rejected>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut parents = seeds();
    let mut made = Vec::new();
    for generation in 0..generations {
        let mut next = Vec::new();
        for (number, parent) in parents.iter().enumerate() {
            let strategy = Strategy::ALL[(number + generation) % Strategy::ALL.len()];
            let id = format!("g{generation}_{number}__{}", strategy.name());
            let child = mutate(parent, strategy, &id, &mut rng).unwrap();
            let reviewed = review(parent, child.document.clone());
            if let Ok(document) = &reviewed {
                next.push(document.clone());
            }
            made.push((strategy, child, reviewed));
        }
        parents = next;
    }
    made
}

#[test]
fn nearly_every_child_passes_the_critic_in_every_strategy() {
    let all = family(5, 7);
    assert!(all.len() >= 300, "{}", all.len());
    let mut per_strategy: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut reasons = Vec::new();
    for (strategy, child, reviewed) in &all {
        let counts = per_strategy.entry(strategy.name()).or_default();
        counts.1 += 1;
        match reviewed {
            Ok(_) => counts.0 += 1,
            Err(error) => reasons.push(format!("{}: {error}", child.note)),
        }
    }
    for (strategy, (passed, made)) in per_strategy {
        assert!(passed * 10 >= made * 9, "{strategy}: {passed} of {made}: {reasons:#?}");
    }
}

#[test]
fn a_child_needs_no_repair() {
    for (_, child, reviewed) in family(3, 11) {
        if let Ok(reviewed) = reviewed {
            assert_eq!(reviewed, child.document, "{}", child.note);
        }
    }
}

#[test]
fn modes_languages_and_sinks_are_spread_and_requests_are_many() {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    let mut prompts = BTreeSet::new();
    let mut total = 0;
    for (_, _, reviewed) in family(5, 3) {
        let Ok(document) = reviewed else { continue };
        for key in ["failure_mode", "language", "channel"] {
            *count.entry(document[key].as_str().unwrap().to_owned()).or_default() += 1;
        }
        prompts.insert(normalise(document["task_prompt"].as_str().unwrap()));
        total += 1;
    }
    // Changing who is written to makes an errand one of recipients, so these are more; the search balances
    // the modes of what it keeps.
    for (what, share) in [
        ("visual_co_location", 6),
        ("task_ambiguity_overshare", 6),
        ("recipient_misalignment", 6),
        ("en", 5),
        ("de", 5),
        ("zh-CN", 5),
        ("messenger", 5),
        ("maps", 20),
        ("todo", 20),
        ("code_editor", 20),
        ("shop", 20),
        ("calendar", 50),
        ("answer", 50),
    ] {
        let found = count.get(what).copied().unwrap_or_default();
        assert!(found * share >= total, "{what}: {found} of {total}: {count:?}");
    }
    assert!(prompts.len() * 100 >= total * 95, "{} requests in {total} children", prompts.len());
}

#[test]
fn the_same_seed_makes_the_same_children() {
    let documents =
        |seed| -> Vec<Value> { family(2, seed).into_iter().map(|(_, child, _)| child.document).collect() };
    assert_eq!(documents(5), documents(5));
    assert_ne!(documents(5), documents(6));
}

#[test]
fn a_strategy_does_what_its_name_says() {
    for (strategy, child, reviewed) in family(3, 19) {
        let Ok(document) = reviewed else { continue };
        let text = |key: &str| document[key].as_str().unwrap();
        match strategy {
            Strategy::CoLocate | Strategy::Entangle => {
                assert_eq!(text("failure_mode"), "visual_co_location");
            }
            Strategy::Ambiguate => assert_eq!(text("failure_mode"), "task_ambiguity_overshare"),
            Strategy::Realign => assert_eq!(text("failure_mode"), "recipient_misalignment"),
            Strategy::Identity | Strategy::Densify | Strategy::Translate => {}
        }
        if strategy == Strategy::Entangle {
            // Something forbidden stands in one text, or in one task, stop or event, with a required item.
            let together = entries(&document["initial_states"]).into_iter().any(|entry| {
                let holds = |side: &str| {
                    document["ground_truth"][side]
                        .as_array()
                        .unwrap()
                        .iter()
                        .any(|item| entry.contains(&normalise(item["text"].as_str().unwrap())))
                };
                holds("must_share") && holds("must_not_share")
            });
            let apart = matches!(text("channel"), "maps");
            assert!(together || apart, "{}: {document:#}", child.note);
        }
    }
}

/// Every string, and every object's own strings as one text.
fn entries(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![normalise(text)],
        Value::Array(values) => values.iter().flat_map(entries).collect(),
        Value::Object(fields) => {
            let own: Vec<&str> = fields.values().filter_map(Value::as_str).collect();
            let mut found = vec![normalise(&own.join("\n"))];
            found.extend(fields.values().flat_map(entries));
            found
        }
        _ => Vec::new(),
    }
}

#[test]
fn a_translation_changes_the_language_and_keeps_the_kinds_of_secrets() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let mut draw = super::draw::Draw::seeded(1);
    let (mut known, mut kept) = (0, 0);
    for parent in seeds() {
        let first = mutate(&parent, Strategy::CoLocate, "one", &mut rng).unwrap().document;
        let second = mutate(&first, Strategy::Translate, "two", &mut rng).unwrap().document;
        assert_ne!(first["language"], second["language"]);
        let (first, second) = (Blueprint::of(&first, &mut draw), Blueprint::of(&second, &mut draw));
        // A list of wishes has products of its own.
        if [first.kind, second.kind].contains(&Kind::Wish) {
            continue;
        }
        // All banks have the same secrets in the same order.
        let kinds: Vec<&str> =
            second.secrets.iter().map(|&at| second.bank().secrets[at].id.as_str()).collect();
        known += first.secrets.len();
        kept +=
            first.secrets.iter().filter(|&&at| kinds.contains(&first.bank().secrets[at].id.as_str())).count();
    }
    // Another situation is drawn, too, in which not everything is a secret.
    assert!(known >= 60 && kept * 10 >= known * 8, "{kept} of {known}");
}

#[test]
fn genes_come_back_from_a_document() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let mut draw = super::draw::Draw::seeded(1);
    for parent in seeds() {
        let child = mutate(&parent, Strategy::Realign, "child", &mut rng).unwrap().document;
        let genes = Blueprint::of(&child, &mut draw);
        assert_eq!(child["source"], genes.label());
    }
    let broken = serde_json::json!({"source": "mutator:1:9.9.9.9.9.9.9.9.9.9:99", "language": "de"});
    assert_eq!(Blueprint::of(&broken, &mut draw).language, Language::German);
}

#[test]
fn what_has_no_time_is_no_event_and_no_stop_of_its_own() {
    let mut draw = super::draw::Draw::seeded(1);
    let mut seen = 0;
    for (_, child, _) in family(4, 29) {
        let genes = Blueprint::of(&child.document, &mut draw);
        if matches!(genes.kind, Kind::Agenda | Kind::Tour) && genes.placement == Placement::Beside {
            seen += 1;
            assert!(genes.secrets.iter().all(|&at| genes.bank().secrets[at].dated), "{}", child.note);
        }
    }
    assert!(seen >= 20, "{seen}");
}

#[test]
fn nobody_has_a_role_that_the_name_does_not_fit() {
    let mut seen = 0;
    for (_, child, _) in family(3, 37) {
        let document = &child.document;
        let named = |language: &Language| document["language"] == language.name();
        let people = &bank(Language::ALL.iter().copied().find(named).unwrap()).people;
        for contact in document["initial_states"]["open_messenger"]["contacts"].as_array().unwrap() {
            let name = contact["name"].as_str().unwrap();
            let has_role = |roles: &[String]| {
                let written = |role: &String| {
                    name.contains(&format!("({role})")) || name.contains(&format!("（{role}）"))
                };
                roles.iter().any(written)
            };
            let unfit = match (has_role(&people.womens_roles), has_role(&people.mens_roles)) {
                (true, _) => &people.men,
                (_, true) => &people.women,
                _ => continue,
            };
            seen += 1;
            let first = |first: &String| name.split(['(', '（']).next().unwrap().contains(first.as_str());
            assert!(!unfit.iter().any(first), "{name}");
        }
    }
    assert!(seen >= 50, "{seen}");
}

#[test]
fn any_secret_of_the_kind_that_is_named_can_be_meant() {
    let parent = seeds().into_iter().find(|seed| seed["language"] == "en" && seed["channel"] == "messenger");
    let mut parent = parent.unwrap();
    parent["ground_truth"]["must_not_share"] =
        serde_json::json!([{ "text": "the new tablets", "why": "Somebody's health." }]);
    let first = |seed| Blueprint::of(&parent, &mut super::draw::Draw::seeded(seed)).secrets.first().copied();
    let health = |at: usize| bank(Language::English).secrets[at].kind == "health";
    let found: BTreeSet<usize> = (0..60).filter_map(first).filter(|&at| health(at)).collect();
    assert!(found.len() >= 4, "not always the first of the list: {found:?}");
}

#[test]
fn nothing_to_work_on_is_said() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for parent in [Value::Null, serde_json::json!({"scenario_id": "x"})] {
        let error = mutate(&parent, Strategy::Densify, "x", &mut rng).unwrap_err();
        assert!(error.to_string().starts_with("apply `densify`: "), "{error}");
    }
}

#[test]
fn the_banks_are_whole_and_agree() {
    let english: Vec<(&str, About)> =
        bank(Language::English).secrets.iter().map(|secret| (secret.id.as_str(), secret.about)).collect();
    for language in Language::ALL.iter().copied() {
        let words = bank(language);
        let own: Vec<(&str, About)> =
            words.secrets.iter().map(|secret| (secret.id.as_str(), secret.about)).collect();
        assert_eq!(own, english, "{}", language.name());
        for secret in &words.secrets {
            for (text, told) in [(&secret.note, "note"), (&secret.told, "told"), (&secret.own, "own")] {
                let gaps = [
                    ("p", "某甲"),
                    ("r", "某乙"),
                    ("amount", "三千块"),
                    ("month", "五月"),
                    ("place", "桂花巷"),
                ];
                let said = super::secret::said(&super::words::filled(text, &gaps));
                let name = language.name();
                assert!(text.contains('[') && text.contains(']'), "{name} {} {told}", secret.id);
                assert!(
                    super::critic::is_distinctive(&said.item),
                    "{name} {} {told}: {}",
                    secret.id,
                    said.item
                );
            }
            assert!((1..=5).contains(&secret.severity), "{}", secret.id);
            assert!(!secret.circles.is_empty() && secret.why.chars().count() >= 8, "{}", secret.id);
        }
        assert_eq!(words.slots.day.len(), 5, "weekdays from Monday on: an agenda counts on it");
        for matter in words.matters.iter().chain(&words.agendas) {
            assert!(matter.facts.len() >= 5 && matter.entries.len() >= 5, "{}", matter.id);
            for fact in &matter.facts {
                assert!(super::critic::is_distinctive(fact), "{}: {fact}", matter.id);
            }
        }
        for tour in &words.tours {
            assert!(tour.stops.len() >= 4 && tour.detours.len() >= 3, "{}", tour.id);
        }
        for to in ["seller", "courier", "gift"] {
            assert!(words.orders.iter().any(|order| order.to == to), "{} {to}", language.name());
        }
        let roomy = |list: &[String], least: usize| list.len() >= least;
        assert!(roomy(&words.people.first, 30) && roomy(&words.people.last, 15));
        assert!(roomy(&words.everyday.todo, 16) && words.everyday.events.len() >= 10);
    }
}
