//! `discreet report` and `discreet compare` through the real binary, over runs whose traces are written
//! here.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "support/traces.rs"]
mod traces;

use std::path::Path;

use serde_json::Value;
use traces::{Told, discreet, stderr, stdout, write_run};

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = discreet(arguments, folder);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// Six scenarios of three families; which leak is given by number.
fn told(mode: &'static str, leaks: impl Fn(usize) -> bool) -> Vec<Told> {
    (0..6)
        .map(|index| Told {
            scenario: format!("family-{}__{index}", index % 3),
            mode,
            leaked: leaks(index),
            ..Told::default()
        })
        .collect()
}

#[test]
fn a_report_is_the_same_figures_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("run"), &told("e2e", |index| index < 4));
    let files = ["--html", "r.html", "--csv", "r.csv", "--junit", "r.xml", "--resamples", "300"];
    let report = json(folder.path(), &[&["report", "run", "--json"], &files[..]].concat());
    let leakage = &report["summaries"][0]["figures"]["leakage"];
    assert_eq!((leakage["n"].as_u64(), leakage["clusters"].as_u64()), (Some(6), Some(3)));
    assert!((leakage["value"].as_f64().unwrap() - 4.0 / 6.0).abs() < 1e-12);
    assert_eq!(leakage["method"], "cluster_bootstrap");
    // What only traces tell: the channel, and the step of the leak.
    let by = |name: &str| {
        let all = report["breakdowns"].as_array().unwrap();
        all.iter().find(|one| one["by"] == name).unwrap_or_else(|| panic!("no {name}"))["groups"].clone()
    };
    assert_eq!(by("channel")[0]["group"]["channel"], "messenger");
    for dimension in ["agent", "mode", "failure_mode", "app", "defense", "seed_family", "theme"] {
        assert!(!by(dimension).as_array().unwrap().is_empty(), "{dimension}");
    }
    assert_eq!(report["leak_steps"][0]["steps"]["2"], 4);
    assert_eq!(report["funnels"][0]["items"], 6);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("r.csv").lines().any(|line| line.starts_with("headline,agent=careless,leakage,0.66666")));
    assert_eq!(read("r.xml").matches("<failure ").count(), 4);
    let html = read("r.html");
    assert!(html.contains("66.7 %") && html.contains("default-src 'none'"));
    let output = discreet(&["report", "run", "--resamples", "300"], folder.path());
    assert!(stdout(&output).contains("66.7 %"), "{}", stdout(&output));
}

#[test]
fn both_modes_in_one_folder_are_compared_by_the_report_and_by_compare() {
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("runs/state"), &told("state", |index| index == 0));
    write_run(&folder.path().join("runs/e2e"), &told("e2e", |index| index < 4));
    let report = json(folder.path(), &["report", "runs", "--json", "--resamples", "300"]);
    let shift = &report["shifts"][0];
    assert_eq!((shift["pairs"].as_u64(), shift["discordant"].as_array().unwrap().len()), (Some(6), 3));
    let compared =
        json(folder.path(), &["compare", "runs/state", "runs/e2e", "--json", "--resamples", "300"]);
    assert_eq!(compared["figures"]["leakage"], shift["figures"]["leakage"]);
    assert_eq!(compared["differs"][0]["field"], "mode");
    let tested = &compared["tests"][0];
    assert_eq!((tested["only_left"].as_u64(), tested["only_right"].as_u64()), (Some(0), Some(3)));
    // R: binom.test(0, 3)$p.value
    assert!((tested["p"].as_f64().unwrap() - 0.25).abs() < 1e-12);
    // The same from one folder with both, chosen on the command line.
    let chosen = json(
        folder.path(),
        &[
            "compare",
            "runs",
            "runs",
            "--left",
            "mode=state",
            "--right",
            "mode=e2e",
            "--json",
            "--resamples",
            "300",
        ],
    );
    assert_eq!((&chosen["left"], &chosen["right"]), (&Value::from("state"), &Value::from("e2e")));
    assert_eq!(chosen["figures"], compared["figures"]);
    let written = discreet(&["compare", "runs/state", "runs/e2e", "--html", "c.html"], folder.path());
    assert_eq!(written.status.code(), Some(0));
    assert!(stdout(&written).contains("Only one side leaked"));
    assert!(std::fs::read_to_string(folder.path().join("c.html")).unwrap().contains("state against e2e"));
}

#[test]
fn what_cannot_be_reported_or_compared_is_told_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("run"), &told("e2e", |_| true));
    let mut two = told("e2e", |_| true);
    two[0].agent = "another";
    write_run(&folder.path().join("two"), &two);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for (arguments, code, words) in [
        (&["report", "empty"][..], 8, "run.json"),
        (&["report", "nowhere"], 8, "run.json"),
        (&["compare", "run", "two"], 2, "--right agent=another"),
        (&["compare", "run", "run", "--left", "mode=state"], 4, "no scored episodes"),
        (&["compare", "run", "run", "--left", "mode"], 2, "field=value"),
        (&["report", "run", "--html", "nowhere/r.html", "--resamples", "100"], 6, "hint:"),
    ] {
        let output = discreet(arguments, folder.path());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn a_row_that_names_a_folder_elsewhere_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("run"), &told("e2e", |_| true));
    let results = folder.path().join("run/results.jsonl");
    let text = std::fs::read_to_string(&results).unwrap();
    std::fs::write(&results, text.replace("\"trace\":\"episodes/", "\"trace\":\"../run/episodes/")).unwrap();
    let report = json(folder.path(), &["report", "run", "--json", "--resamples", "100"]);
    assert_eq!(report["leak_steps"][0]["steps"], serde_json::json!({}));
}
