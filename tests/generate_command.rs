//! `discreet generate` through the real binary.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;
use support::runs::{Place, has_browser, lines, text};

const MODES: [&str; 3] = ["visual_co_location", "task_ambiguity_overshare", "recipient_misalignment"];

/// A folder with a seed of each mode and language.
fn place_with_seeds() -> Place {
    let place = Place::new();
    for ((id, mode), language) in
        ["one__a", "two__a", "three__a"].into_iter().zip(MODES).zip(["en", "de", "zh-CN"])
    {
        let output = place.discreet(&["new", id, "--mode", mode, "--language", language, "--out", "seeds"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    place
}

/// Every file below a folder but the lock, which names a process.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().unwrap() != "lock" {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    found
}

/// Every option that decides what comes out.
fn search<'a>(out: &'a str, jobs: &'a str) -> Vec<&'a str> {
    let mut words = vec!["generate", "seeds", "--out", out, "--jobs", jobs];
    words.extend(["--proxy", "careless", "--seed", "5", "--batch", "2", "--keep", "2", "--iterations", "40"]);
    words
}

#[test]
fn what_is_kept_is_certified_and_killed_or_not_the_same_seed_gives_the_same_bytes() {
    if !has_browser() {
        return;
    }
    let place = place_with_seeds();
    let mut words = search("whole", "2");
    words.push("--json");
    let output = place.discreet(&words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let summary: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(summary["kept"], 2);
    let whole = files(&place.path("whole"));
    let is_scenario = |name: &&String| {
        let path = Path::new(name);
        path.starts_with("scenarios") && path.extension().is_some_and(|extension| extension == "json")
    };
    let kept: Vec<&String> = whole.keys().filter(is_scenario).collect();
    assert_eq!(kept.len(), 2, "{:?}", whole.keys());
    let recorded = lines(&place.path("whole/search.jsonl"));
    assert_eq!(recorded.iter().filter(|line| line["fate"] == "kept").count(), 2);
    assert_eq!(summary["iterations"].as_u64(), Some(recorded.len() as u64));
    // A child carries what the next change goes on from.
    for name in &kept {
        let document: Value = serde_json::from_str(&whole[*name]).unwrap();
        assert!(
            document["source"].as_str().unwrap().starts_with("mutator:"),
            "{name}: {}",
            document["source"]
        );
    }
    for line in &recorded {
        for member in ["iteration", "parent", "strategy", "reward", "novelty", "tokens", "fate", "why"] {
            assert!(line.get(member).is_some(), "{member} in {line}");
        }
    }
    // What another command makes of the certificates.
    let output =
        place.discreet(&["run", "whole/scenarios", "--agent", "idle", "--certified-only", "--dry-run"]);
    assert_eq!(text(&output.stdout).lines().count(), 2, "{}", text(&output.stderr));

    let words = search("part", "1");
    let mut running = place.start(&words);
    let record = place.path("part/search.jsonl");
    support::eventually("the first round", Duration::from_secs(60), || {
        std::fs::metadata(&record).is_ok_and(|about| about.len() > 0)
    });
    // It may be at its end: going on from there is what is left to test then.
    let _ = nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(i32::try_from(running.id()).unwrap()),
        Signal::SIGKILL,
    );
    running.end(Duration::from_secs(10));
    let mut words = search("part", "1");
    words.push("--resume");
    let output = place.discreet(&words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let part = files(&place.path("part"));
    assert_eq!(part.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    for (name, text) in &whole {
        assert_eq!(part.get(name), Some(text), "{name}");
    }
    place.nothing_is_left(Duration::from_secs(10));
}

#[test]
fn the_search_is_compared_with_chance_without_a_browser() {
    let place = place_with_seeds();
    let compare = |more: &[&str]| {
        let mut words = vec!["generate", "seeds", "--compare-random", "--proxy", "careless"];
        words.extend(["--rollouts", "4", "--batch", "4", "--repeats", "2", "--browser", "ws://127.0.0.1:9"]);
        words.extend(more);
        let output = place.discreet(&words);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let json: Value = serde_json::from_str(&compare(&["--json"])).unwrap();
    for arm in ["tree", "random", "walk"] {
        let runs = json[arm]["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 2);
        for run in runs {
            let (found, rollouts) = (run["found"].as_u64().unwrap(), run["rollouts"].as_u64().unwrap());
            assert!(rollouts >= 4 && found <= rollouts, "{run}");
        }
        assert_eq!(json[arm]["found_per_rollout"]["clusters"], 2);
    }
    assert!(json["difference"]["method"].is_string() && json["difference_from_walk"]["method"].is_string());
    assert!(json["balanced_difference"]["method"].is_string());
    let table = compare(&[]);
    assert!(
        table.contains("tree search less random mutation of seeds") && table.contains("95 % interval"),
        "{table}"
    );
    assert!(table.contains("sound on paper"), "what is not certified is not called so: {table}");
}

#[test]
fn who_is_to_be_evaluated_takes_no_part() {
    let place = place_with_seeds();
    for proxies in ["careless", "idle,mine=careless"] {
        let words =
            ["generate", "seeds", "--out", "more", "--proxy", proxies, "--evaluated", "idle2=idle,careless"];
        let output = place.discreet(&words);
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.contains("which is to be evaluated") && said.contains("hint:"), "{said}");
        assert!(!place.path("more").exists(), "nothing was started");
    }
}

#[test]
fn a_command_line_that_cannot_be_meant_is_refused() {
    let place = place_with_seeds();
    place.write("full/letter.txt", "dear");
    place.write("broken/one.json", "{}");
    for (words, code) in [
        (&["generate", "seeds"][..], 2),
        (&["generate", "seeds", "--out", "full"], 2),
        (&["generate", "seeds", "--out", "x", "--proxy", "random"], 2),
        (&["generate", "seeds", "--out", "x", "--proxy", "a=careless,b=idle,c=refuser,d=oracle"], 2),
        (&["generate", "seeds", "--out", "x", "--threshold", "6"], 2),
        (&["generate", "seeds", "--out", "x", "--mutator", "llm"], 2),
        (&["generate", "broken", "--out", "x"], 7),
        (&["generate", "nowhere", "--out", "x"], 7),
    ] {
        let output = place.discreet(words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", text(&output.stderr));
        assert!(!place.path("x").exists(), "{words:?}");
    }
    let help = text(&place.discreet(&["generate", "--help"]).stdout);
    assert!(help.contains("Examples:") && help.contains("discreet generate scenarios --out"), "{help}");
}
