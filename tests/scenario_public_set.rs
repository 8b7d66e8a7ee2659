//! The public scenarios of AgentCIBench: they load, nothing they say is lost, and the rules for
//! channel and recipient agree with a careful reading. Skips where the data are not there.

#[path = "support/shared.rs"]
mod shared;

use std::collections::BTreeMap;
use std::path::PathBuf;

use discreet::scenario::{self, LoadedScenario, model, text};
use serde_json::Value;

fn load(folders: &[PathBuf]) -> Vec<LoadedScenario> {
    let loaded = scenario::load_paths(folders);
    assert!(!loaded.is_empty());
    loaded.into_iter().map(|entry| *entry.result.unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn no_string_of_an_initial_state_is_lost() {
    let Some(data) = shared::data("agentcibench") else { return };
    let mut checked = 0;
    for loaded in load(&[data.join("test"), data.join("seeds")]) {
        let shown: Vec<String> =
            model::texts(&loaded.scenario.apps).iter().map(|text| text::normalise(text)).collect();
        for leaf in scenario::seeded_strings(&loaded.public_json) {
            let wanted = text::normalise(&leaf.text);
            checked += 1;
            let is_shown = shown.iter().any(|text| text.contains(&wanted));
            assert!(is_shown, "{}: {}: {:?} is lost", loaded.scenario.scenario_id, leaf.path, leaf.text);
        }
    }
    assert!(checked > 1000, "only {checked} strings were checked");
}

#[test]
fn channel_and_recipient_agree_with_a_careful_reading() {
    let Some(data) = shared::data("agentcibench") else { return };
    let reading = std::fs::read_to_string(data.join("channels.json")).unwrap();
    let reading: BTreeMap<String, Value> = serde_json::from_str(&reading).unwrap();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for loaded in load(&[data.join("test")]) {
        let scenario = &loaded.scenario;
        let Some(row) = reading.get(&scenario.scenario_id) else { continue };
        let target = &scenario.target;
        let channel = target.channel.name() == row["channel"];
        // A reader of an answer is the user, whoever it is passed on to.
        let recipient = target.channel == scenario::Channel::Answer
            || target.recipient.as_deref() == row["recipient"].as_str();
        let confidence = row["confidence"].as_str().unwrap().to_owned();
        let count = counts.entry(confidence.clone()).or_default();
        count.1 += 1;
        if channel && recipient {
            count.0 += 1;
        } else {
            eprintln!(
                "{confidence}: {}: {} {:?} ({:?}: {}), expected {} {}\n    {}",
                scenario.scenario_id,
                target.channel.name(),
                target.recipient,
                target.confidence,
                target.reason,
                row["channel"],
                row["recipient"],
                scenario.task_prompt
            );
        }
        let drafts = row["artifact_kind"] == "draft_or_direct_message";
        assert_eq!(target.draft_accepted, drafts, "{}: {}", scenario.scenario_id, scenario.task_prompt);
    }
    eprintln!("agreement by confidence of the reading: {counts:?}");
    let (right, all) = counts["high"];
    assert_eq!(right, all, "every sure reading has to agree");
    let (right, all) = counts["medium"];
    assert!(right * 10 >= all * 9, "{right} of {all} middling readings agree");
}
