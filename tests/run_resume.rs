//! Runs that are gone on with, shared among machines, and joined again: every path gives the same
//! rows.
#![cfg(feature = "browser")]

mod support;

use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;
use support::runs::{Place, errand, has_browser, lasting, lines, text, wait_for_step};

fn place() -> Place {
    let place = Place::new();
    for id in ["one", "two", "three"] {
        place.scenario(&errand(id));
    }
    place
}

const AGENTS: [&str; 4] = ["--agent", "oracle,refuser,idle", "--jobs", "1"];

fn verifies(place: &Place, out: &str) {
    let verified = place.discreet(&["verify", out]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stdout));
}

#[test]
fn a_killed_run_is_gone_on_with_and_shards_are_joined_to_the_same_rows() {
    if !has_browser() {
        return;
    }
    let place = place();
    let whole = lasting(&place.run("whole", &AGENTS));
    assert_eq!(whole.len(), 9);

    // Killed in the fourth episode, then gone on with.
    let mut arguments = vec!["run", "scenarios", "--out", "killed"];
    arguments.extend(AGENTS);
    let mut running = place.start(&arguments);
    wait_for_step(&place.path("killed"), 4, 1);
    running.signal(Signal::SIGKILL);
    running.end(Duration::from_secs(90));
    assert!(!place.path("killed/results.jsonl").exists());
    arguments.push("--resume");
    let resumed = place.discreet(&arguments);
    let told = text(&resumed.stderr);
    assert_eq!(resumed.status.code(), Some(0), "{told}");
    assert!(told.contains("of 9 episodes are there already"), "{told}");
    assert_eq!(lasting(&place.rows("killed")), whole);
    verifies(&place, "killed");
    let runs: Vec<Value> = place.rows("killed").iter().map(|row| row["run_id"].clone()).collect();
    assert!(runs.iter().all(|run| *run == runs[0]), "one run, one name: {runs:?}");

    // Gone on with once more there is nothing to do, and nothing changes.
    let before = std::fs::read(place.path("killed/results.jsonl")).expect("rows");
    let again = place.discreet(&arguments);
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(std::fs::read(place.path("killed/results.jsonl")).expect("rows"), before);

    // Another command line is refused with what differs.
    let mut other = arguments.clone();
    other.extend(["--max-steps", "7"]);
    let refused = place.discreet(&other);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("`max_steps` (20 there, 7 here)"), "{}", text(&refused.stderr));

    share_and_join(&place, &whole);
}

/// Runs three shards, one of them as a task of a Slurm array, and joins them.
fn share_and_join(place: &Place, whole: &[Value]) {
    for index in 1..=3 {
        let (out, task) = (format!("shard-{index}"), index.to_string());
        let mut command = place.command(support::binary());
        command.args(["run", "scenarios", "--out", &out]).args(AGENTS);
        if index == 2 {
            command
                .env("SLURM_ARRAY_TASK_ID", &task)
                .env("SLURM_ARRAY_TASK_MIN", "1")
                .env("SLURM_ARRAY_TASK_COUNT", "3");
        } else {
            command.args(["--shard", &format!("{index}/3")]);
        }
        let output = command.output().expect("it starts");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(place.rows(&out).len(), 3);
    }
    let joined = place.discreet(&["merge", "shard-3", "shard-1", "shard-2", "--out", "joined"]);
    assert_eq!(joined.status.code(), Some(0), "{}", text(&joined.stderr));
    assert_eq!(lasting(&place.rows("joined")), whole);
    verifies(place, "joined");

    let refused = |shards: &[&str], code: i32, told: &str| {
        let mut arguments = vec!["merge", "--out", "refused"];
        arguments.extend(shards);
        let output = place.discreet(&arguments);
        assert_eq!(output.status.code(), Some(code), "{shards:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(told), "{shards:?}: {}", text(&output.stderr));
        assert!(!place.path("refused").exists(), "{shards:?}: nothing is written");
    };
    refused(&["shard-1", "shard-2"], 5, "1 of 3 missing (3)");
    refused(&["shard-1", "shard-2", "shard-2"], 2, "both are shard 2/3");
    refused(&["shard-1", "whole"], 2, "not a shard");
    refused(&["shard-1", "scenarios"], 8, "read scenarios/run.json");
    let lost = place.path("shard-3/episodes");
    let episode = std::fs::read_dir(&lost).expect("episodes").next().expect("one").expect("it is there");
    std::fs::remove_file(episode.path().join("trace.jsonl")).expect("it is removed");
    refused(&["shard-1", "shard-2", "shard-3"], 5, "1 of its 3 episodes are not there");
}

#[test]
fn an_episode_that_lost_its_browser_is_acted_out_again_once() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut running = place.start(&[
        "run",
        "scenarios",
        "--out",
        "run",
        "--agent",
        "idle",
        "--jobs",
        "1",
        "--events",
        "events.jsonl",
    ]);
    wait_for_step(&place.path("run"), 1, 2);
    for browser in running.browsers() {
        support::runs::send(browser, Signal::SIGKILL);
    }
    assert_eq!(running.end(Duration::from_secs(120)), Some(0));
    let rows = place.rows("run");
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["outcome"] == "budget_exhausted"), "{rows:#?}");
    // The attempt stays on record, and is told.
    let said = std::fs::read_to_string(place.path("stderr")).expect("what was said");
    assert!(said.contains("1 attempts failed by browser, provider or harness"), "{said}");
    assert!(said.contains("browser_lost") && said.contains("it is acted out again"), "{said}");
    let attempts: Vec<Value> = lines(&place.path("run/results.partial.jsonl"));
    assert_eq!(attempts[0]["outcome"], "browser_lost");
    assert_eq!(attempts.len(), 4);
    let abandoned = std::fs::read_dir(place.path("run/abandoned")).expect("it is kept").count();
    assert_eq!(abandoned, 1);
    let events = lines(&place.path("events.jsonl"));
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "episode_ended").count(), 3);
    assert_eq!(kinds.iter().filter(|kind| **kind == "episode_repeated").count(), 1);
    verifies(&place, "run");
}

/// Starts a run and kills the browser of its first two episodes; returns the exit code.
fn without_browsers(place: &Place, arguments: &[&str]) -> Option<i32> {
    let mut running = place.start(arguments);
    for number in 1..=2 {
        wait_for_step(&place.path("run"), number, 1);
        for browser in running.browsers() {
            support::runs::send(browser, Signal::SIGKILL);
        }
    }
    running.end(Duration::from_secs(120))
}

#[test]
fn a_run_that_fails_too_often_starts_no_further_episode_and_can_be_gone_on_with() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut arguments = vec!["run", "scenarios", "--out", "run", "--agent", "idle", "--jobs", "1"];
    arguments.extend(["--retries", "0", "--max-failures", "1"]);
    assert_eq!(without_browsers(&place, &arguments), Some(9));
    let outcomes = |rows: &[Value]| -> Vec<String> {
        rows.iter().map(|row| row["outcome"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(outcomes(&place.rows("run")), ["browser_lost", "browser_lost"]);
    arguments.push("--resume");
    let resumed = place.discreet(&arguments);
    assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
    assert_eq!(outcomes(&place.rows("run")), ["budget_exhausted"; 3]);
}

#[test]
fn a_gate_fails_where_a_figure_is_above_it() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("one"));
    let run = |out: &str, agent: &str, limit: &str| {
        let output =
            place.discreet(&["run", "scenarios", "--out", out, "--agent", agent, "--fail-above", limit]);
        (output.status.code(), text(&output.stderr))
    };
    let (code, told) = run("careless", "careless", "leakage=50%");
    assert_eq!(code, Some(3), "{told}");
    assert!(told.contains("gate failed: leakage of careless is 1.0000, above 0.5"), "{told}");
    assert_eq!(run("oracle", "oracle", "L=0").0, Some(0));
    let (code, told) = run("none", "oracle", "leaks=0");
    assert_eq!(code, Some(2));
    assert!(told.contains("there is no figure `leaks`"), "{told}");
}
