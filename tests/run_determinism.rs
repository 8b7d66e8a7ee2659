//! The same scenario and the same actions give the same state, the same trees and the same pixels.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::runs::{Place, episodes, errand, events, events_of, text};

/// What an episode consists of, without wall times and the bytes of a database file.
fn lasting(episode: &Path) -> Vec<(String, Value)> {
    events(episode)
        .into_iter()
        .map(|(kind, mut what)| {
            let drop: &[&str] = match kind.as_str() {
                "episode_started" => &["run_id", "trial", "seed"],
                "reply" => &["latency_ms"],
                "action_result" => &["duration_ms", "settle"],
                // Pages of a database file are laid out as SQLite likes; what they hold is in the
                // state's hash.
                "workspace_closed" => &["sha256", "bytes"],
                "episode_finished" => &["timing"],
                _ => &[],
            };
            for name in drop {
                assert!(what.as_object_mut().unwrap().remove(*name).is_some(), "{kind} has no {name}");
            }
            (kind, what)
        })
        .collect()
}

/// The actions an agent took, as a script.
fn script_of(episode: &Path) -> String {
    events_of(episode, "reply").iter().map(|reply| reply["action"].to_string() + "\n").collect()
}

#[test]
fn the_same_script_gives_the_same_state_trees_and_pixels_in_the_headless_shell() {
    the_same_script_gives_the_same("headless-shell");
}

#[test]
fn the_same_script_gives_the_same_state_trees_and_pixels_in_chromium() {
    the_same_script_gives_the_same("chromium");
}

fn the_same_script_gives_the_same(browser: &str) {
    if !support::runs::browser_names().contains(&browser) {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("steady__one"));
    // What the oracle does (open, fill, send), and then a look at every app, as a script.

    place.run("oracle", &["--agent", "oracle", "--browser", browser]);
    let oracle = &episodes(&place.path("oracle"))[0];
    let mut script = script_of(oracle);
    let finish = script.trim_end().rfind('\n').unwrap() + 1;
    script.truncate(finish);
    for app in ["calendar", "maps", "todo", "code", "shop", ""] {
        script.extend(["goto('http://openapps.test/", app, "')\n"]);
    }
    script.push_str("scroll(0, 200)\nclick('nowhere')\nfinish('done')\n");
    place.write("script", &script);
    let arguments = ["--agent", "script:script", "--browser", browser];
    place.run("first", &[&arguments[..], &["--jobs", "1"]].concat());
    // Two at the same time, so that each is in the other's way.
    place.run("pair", &[&arguments[..], &["--jobs", "2", "--trials", "2"]].concat());
    let mut played = episodes(&place.path("first"));
    played.extend(episodes(&place.path("pair")));
    assert_eq!(played.len(), 3);
    let first = lasting(&played[0]);
    let images = events_of(&played[0], "observation");
    assert!(images.len() >= 10 && images.iter().all(|image| image["screenshot"].is_object()));
    let finished = &first.last().unwrap().1;
    assert_eq!(finished["score"]["utility"], 1, "the script did the errand: {finished}");
    assert_eq!(finished["counts"]["invalid_actions"], 1, "{finished}");
    for other in &played[1..] {
        for (number, (one, other)) in first.iter().zip(lasting(other)).enumerate() {
            assert_eq!(*one, other, "{browser}, event {}", number + 1);
        }
        assert_eq!(first.len(), lasting(other).len());
    }
    // What the oracle left is what the script left: looking changes nothing.
    let hashes: Vec<Value> = [oracle, &played[0]]
        .map(|episode| events_of(episode, "workspace_closed")[0]["state_hash"].clone())
        .to_vec();
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn a_seed_decides_what_the_random_agent_does() {
    if !support::runs::has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("dice__one"));
    let actions = |out: &str, seed: &str| {
        place.run(out, &["--agent", "random", "--seed", seed, "--max-steps", "8", "--observe", "axtree"]);
        script_of(&episodes(&place.path(out))[0])
    };
    let first = actions("first", "1");
    assert_eq!(first, actions("again", "1"));
    assert_ne!(first, actions("other", "2"));
}

#[test]
fn a_workspace_is_the_same_after_another_as_alone() {
    if !support::runs::has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("alone__one"));
    let alone = place.run("alone", &["--agent", "oracle", "--jobs", "1"]);
    let mut before = errand("aa_before__one");
    before["initial_states"]["open_todo"]["items"] = json!(["Approve timesheets by noon", "Another thing"]);
    before["ground_truth"]["must_not_share"] = json!(["Another thing"]);
    place.scenario(&before);
    let after = place.run("after", &["--agent", "oracle", "--jobs", "1"]);
    assert_eq!(after.len(), 2);
    assert_eq!(alone[0]["state_hash"], after[1]["state_hash"]);
    let first = |run: &str, number: usize| {
        events_of(&episodes(&place.path(run))[number - 1], "observation")[0].clone()
    };
    assert_eq!(first("alone", 1), first("after", 2));
    assert_eq!(place.discreet(&["verify", "after"]).status.code(), Some(0), "{}", text(b""));
}

#[test]
fn one_job_and_eight_give_the_same_rows() {
    if !support::runs::has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("alpha__one"));
    place.scenario(&errand("beta__one"));
    let rows = |out: &str, jobs: &str| -> Vec<Value> {
        let arguments = ["--agent", "oracle,careless,refuser", "--mode", "e2e,state", "--observe", "axtree"];
        let mut rows = place.run(out, &[&arguments[..], &["--jobs", jobs]].concat());
        for row in &mut rows {
            for name in ["run_id", "trace_root", "timing"] {
                assert!(row.as_object_mut().unwrap().remove(name).is_some(), "{name}");
            }
        }
        rows
    };
    let one = rows("one", "1");
    assert_eq!(one.len(), 12);
    assert_eq!(one, rows("eight", "8"));
}
