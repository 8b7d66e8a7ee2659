//! Studies: one file, one run, one report, whatever path leads to it.
#![cfg(feature = "browser")]

mod support;

use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use support::runs::{Place, errand, has_browser, report, text, wait_for_step};

const STUDY: &str = r#"
name = "small"
scenarios = ["../scenarios"]
agents = ["oracle", "careless"]
modes = ["state", "e2e"]
variations = ["", { theme = "dark", nav = "hub" }]
observe = "axtree"

[limits]
jobs = 8
"#;

/// A place with a scenario and a study of it in a folder of its own.
fn place() -> Place {
    let place = Place::new();
    place.scenario(&errand("one"));
    place.write("studies/small.toml", STUDY);
    place
}

fn succeeds(place: &Place, arguments: &[&str]) -> (String, String) {
    let output = place.discreet(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    (text(&output.stdout), said)
}

#[test]
fn a_study_is_one_run_with_one_report_and_every_path_to_it_gives_the_same() {
    if !has_browser() {
        return;
    }
    let place = place();
    let (printed, said) = succeeds(&place, &["study", "studies/small.toml"]);
    assert!(
        said.contains("1 scenarios x 2 agents x 2 modes x 1 defenses x 2 variations x 1 trials"),
        "{said}"
    );
    assert!(said.contains("8 episodes, at most 20 steps each, 8 at a time"), "{said}");
    assert!(said.contains("expected: about") && said.contains("no tokens"), "{said}");
    // The transfer comparison is part of it, paired over the variations.
    assert!(printed.contains("careless, state against careless, e2e, paired by scenario"), "{printed}");
    assert!(printed.contains("2 pairs of 1 seed families"), "{printed}");
    let rows = place.rows("runs/small");
    let order: Vec<(&str, &str, &str)> = rows
        .iter()
        .map(|row| (&row["agent"], &row["mode"], &row["variation"]["theme"]))
        .map(|(agent, mode, theme)| {
            (agent.as_str().unwrap(), mode.as_str().unwrap(), theme.as_str().unwrap())
        })
        .collect();
    let mut expected = Vec::new();
    for agent in ["careless", "oracle"] {
        for mode in ["e2e", "state"] {
            // Sorted by the variations as text: `nav=hub` stands before `nav=rail`.
            expected.extend([(agent, mode, "dark"), (agent, mode, "default")]);
        }
    }
    assert_eq!(order, expected);
    assert!(rows.iter().all(|row| row["leaked"] == json!(row["agent"] == "careless")), "{rows:#?}");
    let html = std::fs::read_to_string(place.path("runs/small/report.html")).unwrap();
    assert!(html.contains("From state-grounded to end-to-end") && html.contains("careless, state"));
    let written: Value =
        serde_json::from_slice(&std::fs::read(place.path("runs/small/report.json")).unwrap()).unwrap();
    assert_eq!(written["shifts"].as_array().map(Vec::len), Some(2));
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(place.path("runs/small/run.json")).unwrap()).unwrap();
    assert_eq!(manifest["settings"]["study"], "small");
    assert_eq!(manifest["settings"]["variations"], json!([{}, { "nav": "hub", "theme": "dark" }]));
    let whole = report(&place, "runs/small");

    // Not begun anew over what is there.
    let again = place.discreet(&["study", "studies/small.toml"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("it holds one already"), "{}", text(&again.stderr));

    // Killed in the second episode, then gone on with.
    let mut running = place.start(&["study", "studies/small.toml", "--out", "killed", "--jobs", "1"]);
    wait_for_step(&place.path("killed"), 2, 1);
    running.signal(Signal::SIGKILL);
    running.end(Duration::from_secs(20));
    assert!(!place.path("killed/report.html").exists(), "it has not ended");
    let resume = ["study", "studies/small.toml", "--out", "killed", "--resume"];
    let (_, said) = succeeds(&place, &resume);
    assert!(said.contains("7 episodes, besides 1 that are there") && said.contains("(mean of 1)"), "{said}");
    assert_eq!(report(&place, "killed"), whole);
    assert!(place.path("killed/report.html").exists());

    // In three shards, each in a folder of its own, and joined.
    for shard in ["1/3", "2/3", "3/3"] {
        succeeds(&place, &["study", "studies/small.toml", "--shard", shard]);
    }
    let shards = ["runs/small-shard-1-of-3", "runs/small-shard-2-of-3", "runs/small-shard-3-of-3"];
    succeeds(&place, &[&["merge"][..], &shards[..], &["--out", "joined"]].concat());
    assert_eq!(report(&place, "joined"), whole);
    assert_eq!(place.discreet(&["verify", "joined"]).status.code(), Some(0));
    place.nothing_is_left(Duration::from_secs(5));
}

#[test]
fn a_study_says_what_to_expect_before_anything_is_spent() {
    let place = Place::new();
    for id in ["one", "two", "three"] {
        place.scenario(&errand(id));
    }
    place.write("mini.toml", "[model]\nprice = { input = 1.0, output = 2.0 }\n");
    place.write(
        "study.toml",
        r#"
name = "models"
scenarios = ["scenarios"]
agents = ["oracle"]
modes = ["state"]
defenses = ["none", "recipient", "mine.txt"]
variations = ["", "theme=dark"]
trials = 5

[[agent]]
name = "mini"
model = "small@http://127.0.0.1:9/v1"
config = "mini.toml"

[[agent]]
name = "own"
command = "python3 agent.py"
"#,
    );
    place.write("mine.txt", "Take care.");
    let output = place.discreet(&["study", "study.toml", "--dry-run", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected: Value = serde_json::from_slice(&output.stdout).unwrap();
    // 3 scenarios, 3 agents, 3 defenses, 2 variations, 5 trials.
    assert_eq!((&expected["episodes"], &expected["kept"]), (&json!(270), &json!(0)));
    let parts = expected["parts"].as_array().unwrap();
    let mini = parts.iter().find(|part| part["agent"] == "mini").unwrap();
    let prompt = mini["prompt_tokens"].as_u64().unwrap();
    assert!(prompt > 100, "{mini}");
    assert_eq!(mini["input_tokens"], json!(prompt * 90));
    let cost = (prompt * 90) as f64 / 1e6 + mini["output_tokens"].as_f64().unwrap() * 2.0 / 1e6;
    assert!((mini["cost"].as_f64().unwrap() - cost).abs() < 1e-9, "{mini}");
    assert_eq!(expected["cost"], mini["cost"]);
    assert!(parts.iter().filter(|part| part["agent"] != "mini").all(|part| part["input_tokens"].is_null()));
    assert!(expected["seconds"].as_f64().unwrap() > 0.0);

    let output = place.discreet(&["study", "study.toml", "--dry-run", "--shard", "1/9"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(said.contains("30 episodes of shard 1/9"), "{said}");
    assert!(said.contains("tokens a prompt") && said.contains("assumed: "), "{said}");
    assert!(!place.path("runs").exists(), "nothing is begun");

    let schema = place.discreet(&["schema", "study"]);
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(schema["properties"]["variations"].is_object() && schema["additionalProperties"] == json!(false));
}

#[test]
fn a_study_that_is_wrong_is_refused_with_line_and_hint() {
    let place = place();
    place.write("scenarios/mine.txt", "no scenario");
    let lines =
        |more: &str| format!("name = \"x\"\nscenarios = [\"scenarios\"]\nagents = [\"oracle\"]\n{more}");
    for (study, code, said, hint) in [
        (
            lines("trails = 2\n"),
            2,
            "failed to use the study x.toml, line 4: unknown field `trails`",
            "`trials`",
        ),
        (lines("variations = [\"theme=red\"]\n"), 2, "line 4", "discreet schema study"),
        (lines("defenses = [\"nowhere.txt\"]\n"), 2, "failed to read the defense `nowhere.txt`", "recipient"),
        (lines("browser = \"firefox\"\n"), 2, "`browser` cannot be `firefox`", "headless-shell"),
        (lines("[limits]\nstop_after = \"soon\"\n"), 2, "`stop_after`", "90m"),
        (lines("").replace("oracle", "oracel"), 2, "an agent called `oracel`", "did you mean `oracle`?"),
        (lines("").replace("\"scenarios\"]", "\"studies\"]"), 4, "failed to find a scenario there", ".json"),
        (lines("modes = [\"state\"]\n").replace("oracle", "random"), 2, "acts in the apps only", "e2e"),
    ] {
        place.write("x.toml", &study);
        let output = place.discreet(&["study", "x.toml"]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{study}: {error}");
        assert!(error.contains(said), "{study}: {error}");
        let line = error.lines().find(|line| line.starts_with("hint: ")).unwrap_or_default();
        assert!(line.contains(hint), "{study}: {error}");
        assert!(!place.path("runs").exists(), "{study}");
    }
    let output = place.discreet(&["study", "nowhere.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("hint: give an existing file"), "{}", text(&output.stderr));
}

#[test]
fn a_run_in_several_variations_keeps_each_once() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    let mut german = errand("german");
    german["language"] = json!("de");
    place.scenario(&german);
    place.scenario(&errand("plain"));
    let arguments =
        ["--agent", "refuser", "--observe", "axtree", "--variation", "language=de", "--variation", ""];
    let rows = place.run("out", &arguments);
    let found: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| (row["scenario_id"].as_str().unwrap(), row["variation"]["language"].as_str().unwrap()))
        .collect();
    // The German scenario is shown in German either way.
    assert_eq!(found, [("german", "de"), ("plain", "de"), ("plain", "en")]);
}
