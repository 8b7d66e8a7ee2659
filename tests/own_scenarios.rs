//! What every scenario in `scenarios/` has to keep, read off the files themselves: the loader's own
//! lints come on top of this.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

struct Own {
    file: PathBuf,
    json: Value,
}

impl Own {
    fn text(&self, key: &str) -> &str {
        self.json[key].as_str().unwrap_or_else(|| panic!("{}: no `{key}`", self.file.display()))
    }

    fn items(&self, key: &str) -> Vec<&str> {
        let items = self.json["ground_truth"][key].as_array().expect("a list of items");
        items.iter().map(|item| item["text"].as_str().expect("an item has a text")).collect()
    }

    fn state(&self) -> Vec<String> {
        let mut found = Vec::new();
        strings(&self.json["initial_states"], &mut found);
        found
    }
}

fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(folded(text)),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

/// Lower case, white space as one space: how a careful comparison sees a text.
fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn own() -> Vec<Own> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root).expect("the folder is there") {
        for file in std::fs::read_dir(folder.expect("an entry").path()).expect("a folder per mode") {
            let file = file.expect("an entry").path();
            if file.extension().is_some_and(|extension| extension == "json") {
                let text = std::fs::read_to_string(&file).expect("the file is text");
                let json = serde_json::from_str(&text).expect("the file is JSON");
                found.push(Own { file, json });
            }
        }
    }
    found.sort_by(|left, right| left.file.cmp(&right.file));
    found
}

#[test]
fn items_are_in_the_state_and_nowhere_they_would_give_themselves_away() {
    for scenario in own() {
        let name = scenario.file.display();
        let (required, forbidden) = (scenario.items("must_share"), scenario.items("must_not_share"));
        assert!(!required.is_empty() && !forbidden.is_empty(), "{name}: an empty side of the ground truth");
        let (state, prompt) = (scenario.state(), folded(scenario.text("task_prompt")));
        for item in required.iter().chain(&forbidden) {
            let wanted = folded(item);
            assert!(state.iter().any(|text| text.contains(&wanted)), "{name}: `{item}` is not in the state");
            assert!(!prompt.contains(&wanted), "{name}: `{item}` is in the prompt");
            let dense = item.chars().filter(|letter| ('\u{2e80}'..='\u{9fff}').contains(letter)).count();
            assert!(
                item.split_whitespace().count() >= 2 || dense >= 4,
                "{name}: `{item}` is not distinctive"
            );
        }
        for item in &forbidden {
            let wanted = folded(item);
            let places = state.iter().filter(|text| text.contains(&wanted)).count();
            assert_eq!(places, 1, "{name}: `{item}` has to have one place");
            for other in &required {
                let other = folded(other);
                assert!(
                    !other.contains(&wanted) && !wanted.contains(&other),
                    "{name}: `{item}` and `{other}`"
                );
            }
        }
    }
}

#[test]
fn every_item_says_why() {
    for scenario in own() {
        for side in ["must_share", "must_not_share"] {
            for item in scenario.json["ground_truth"][side].as_array().unwrap() {
                let why = item["why"].as_str().unwrap_or_default();
                assert!(why.chars().count() >= 8, "{}: {item} has no reason", scenario.file.display());
            }
        }
    }
}

#[test]
fn the_recipient_is_one_contact_with_one_conversation() {
    for scenario in own() {
        let recipient = scenario.text("recipient");
        if matches!(recipient, "user" | "seller" | "courier" | "employer") {
            continue;
        }
        let messenger = &scenario.json["initial_states"]["open_messenger"];
        for (list, key) in [("contacts", "name"), ("threads", "contact")] {
            let entries = messenger[list].as_array().unwrap();
            let count = entries.iter().filter(|entry| entry[key] == recipient).count();
            assert_eq!(count, 1, "{}: `{recipient}` in {list}", scenario.file.display());
        }
    }
}

#[test]
fn names_files_and_prompts_are_unique_and_agree() {
    let mut prompts = BTreeSet::new();
    for scenario in own() {
        let id = scenario.text("scenario_id");
        assert_eq!(scenario.file.file_stem().unwrap().to_str().unwrap(), id);
        let folder = scenario.file.parent().unwrap().file_name().unwrap();
        assert_eq!(folder.to_str().unwrap(), scenario.text("failure_mode"), "{id}");
        let (family, variant) = id.split_once("__").expect("family and variant");
        assert_eq!(family, scenario.text("seed_family"), "{id}");
        assert!(
            !variant.is_empty() && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{id}"
        );
        assert!(prompts.insert(scenario.text("task_prompt").to_owned()), "{id}: the prompt is used twice");
        let clock = scenario.text("clock");
        let mut times = Vec::new();
        messages(&scenario.json, &mut times);
        assert!(times.iter().all(|at| at.as_str() <= clock), "{id}: a message from the future");
    }
}

fn messages(scenario: &Value, times: &mut Vec<String>) {
    for thread in scenario["initial_states"]["open_messenger"]["threads"].as_array().into_iter().flatten() {
        for message in thread["messages"].as_array().into_iter().flatten() {
            times.push(message["at"].as_str().expect("a message has a time").to_owned());
        }
    }
}

#[test]
fn modes_languages_apps_and_sinks_are_spread() {
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for scenario in own() {
        for key in ["failure_mode", "language", "channel"] {
            *count.entry(scenario.text(key).to_owned()).or_default() += 1;
        }
        for app in scenario.json["initial_states"].as_object().unwrap().keys() {
            *count.entry(app.clone()).or_default() += 1;
        }
    }
    let at_least = [
        ("visual_co_location", 20),
        ("task_ambiguity_overshare", 20),
        ("recipient_misalignment", 20),
        ("zh-CN", 12),
        ("de", 12),
        ("messenger", 20),
        ("calendar", 3),
        ("maps", 5),
        ("todo", 3),
        ("shop", 5),
        ("code_editor", 5),
        ("answer", 3),
        ("open_messenger", 20),
        ("open_calendar", 20),
        ("open_todo", 20),
        ("open_maps", 8),
        ("open_shop", 8),
        ("open_code_editor", 15),
    ];
    for (what, least) in at_least {
        assert!(
            count.get(what).is_some_and(|&count| count >= least),
            "{what}: {:?} of {least}",
            count.get(what)
        );
    }
}

/// Scenarios of one seed family are flip twins: the same state, another recipient.
#[test]
fn flip_twins_share_a_state_and_differ_in_what_may_be_said() {
    let all = own();
    let mut families: BTreeMap<&str, Vec<&Own>> = BTreeMap::new();
    for scenario in &all {
        families.entry(scenario.text("seed_family")).or_default().push(scenario);
    }
    families.retain(|_, members| members.len() > 1);
    assert!(families.len() >= 3, "{:?}", families.keys());
    for (family, members) in families {
        let [one, other] = members.as_slice() else { panic!("{family}: {} members", members.len()) };
        assert_eq!(one.json["initial_states"], other.json["initial_states"], "{family}");
        assert_ne!(one.text("recipient"), other.text("recipient"), "{family}");
        let (forbidden, needed) = (one.items("must_not_share"), other.items("must_share"));
        let other_way = (other.items("must_not_share"), one.items("must_share"));
        let flips = |forbidden: &[&str], needed: &[&str]| forbidden.iter().any(|item| needed.contains(item));
        assert!(
            flips(&forbidden, &needed) || flips(&other_way.0, &other_way.1),
            "{family}: nothing is forbidden to one and needed by the other"
        );
        let both = forbidden.iter().any(|item| other_way.0.contains(item));
        assert!(both, "{family}: one item stays forbidden for both");
    }
}

/// Certified, and for the scenarios as they are: `discreet check --certify scenarios` makes the
/// certificates again.
#[cfg(feature = "browser")]
#[test]
fn every_scenario_is_certified() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    for file in discreet::scenario::load_paths(&[root]) {
        let loaded = file.result.as_ref().unwrap_or_else(|error| panic!("{error}"));
        let found = discreet::episode::certify::valid_certificate(&file, loaded, None);
        assert!(found.is_ok(), "{}: {}", loaded.scenario.scenario_id, found.unwrap_err());
    }
}
