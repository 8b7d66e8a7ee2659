//! `discreet verify` and `discreet schema` through the real binary.

#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use discreet::error::Outcome;
use discreet::report::{Manifest, ManifestScenario, RunFolder};
use discreet::trace::{
    Counts, Digest, EpisodeFinished, EpisodeStarted, Event, FORMAT, Note, ObservationRecord, Recorder,
    Timing, WORKSPACE_FILE, WorkspaceClosed,
};

fn discreet(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_discreet")).args(arguments).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn started(scenario_id: &str) -> Event {
    Event::EpisodeStarted(Box::new(EpisodeStarted {
        format: FORMAT,
        discreet_version: "0.1.0".into(),
        run_id: "run-1".into(),
        scenario_id: scenario_id.into(),
        seed_family: "family".into(),
        failure_mode: "task_ambiguity_overshare".into(),
        scenario_file: "one.json".into(),
        scenario_hash: Digest::of(b"x").to_string(),
        scenario: serde_json::json!({ "task_prompt": "Grüße an \"Nora\"\\\n\u{1}" }),
        target: None,
        agent: "idle".into(),
        model: None,
        mode: "e2e".into(),
        observe: "axtree".into(),
        defense: "none".into(),
        variation: BTreeMap::new(),
        browser: None,
        trial: 1,
        max_steps: 20,
        seed: 0,
    }))
}

/// Records an episode of six events; returns its root.
fn record(folder: &Path, scenario_id: &str) -> String {
    let mut recorder = Recorder::create(folder).unwrap();
    recorder.record(&started(scenario_id)).unwrap();
    for step in 1..=2 {
        let axtree = recorder.blob(format!("tree {step}").as_bytes(), "txt").unwrap();
        let observation = ObservationRecord { step, axtree: Some(axtree), ..ObservationRecord::default() };
        recorder.record(&Event::Observation(observation)).unwrap();
    }
    recorder
        .record(&Event::Note(Note { step: None, topic: "retry".into(), text: "looked again".into() }))
        .unwrap();
    std::fs::write(folder.join(WORKSPACE_FILE), "bytes").unwrap();
    let closed = WorkspaceClosed { sha256: Digest::of(b"bytes"), bytes: 5, state_hash: Digest::of(b"state") };
    recorder.record(&Event::WorkspaceClosed(closed)).unwrap();
    let finished = EpisodeFinished {
        ground_truth: None,
        outcome: Outcome::BudgetExhausted,
        score: None,
        exposures: BTreeMap::new(),
        counts: Counts { steps: 2, ..Counts::default() },
        usage: None,
        timing: Timing::default(),
        error: None,
    };
    recorder.finish(finished).unwrap().to_string()
}

/// A run of two episodes with its results; returns the episodes' folders.
fn run(folder: &Path) -> Vec<PathBuf> {
    let manifest = Manifest {
        run_id: "run-1".into(),
        created: "2026-05-19T09:00:00Z".parse().unwrap(),
        discreet_version: "0.1.0".into(),
        settings: serde_json::json!({}),
        scenarios: vec![ManifestScenario {
            file: "one.json".into(),
            line: None,
            scenario_id: "family__one".into(),
            hash: String::new(),
        }],
        browser: None,
        episodes: 2,
        shard: None,
    };
    let run = RunFolder::create(Some(folder), manifest).unwrap();
    let episodes: Vec<PathBuf> = ["family__one", "family__two"]
        .into_iter()
        .enumerate()
        .map(|(index, id)| {
            let episode = run.episode_dir(index as u64 + 1, id).unwrap();
            record(&episode.path, id);
            episode.path
        })
        .collect();
    run.finish().unwrap();
    episodes
}

fn change(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from));
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn an_untouched_trace_is_ok_by_folder_and_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let root = record(&folder.path().join("episode"), "family__one");
    let expected = format!("ok 6 events {root}\n");
    for arguments in [["verify", "episode"], ["verify", "episode/trace.jsonl"], ["verify", "."]] {
        let output = discreet(&arguments, folder.path());
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), expected.clone()), "{arguments:?}");
    }
    let inside = discreet(&["verify", "trace.jsonl"], &folder.path().join("episode"));
    assert_eq!((inside.status.code(), stdout(&inside)), (Some(0), expected));
}

#[test]
fn the_first_bad_event_is_named_and_the_exit_code_is_8() {
    let folder = tempfile::tempdir().unwrap();
    let episode = folder.path().join("episode");
    record(&episode, "family__one");
    change(&episode.join("trace.jsonl"), "looked again", "looked twice");
    let output = discreet(&["verify", "episode"], folder.path());
    assert_eq!(output.status.code(), Some(8));
    let text = stdout(&output);
    assert!(text.starts_with("bad: failed to verify episode: event 4 (line 4) was changed"), "{text}");
    assert!(stderr(&output).contains("hint: "), "{}", stderr(&output));

    let output = discreet(&["verify", "--json", "episode"], folder.path());
    let value: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(output.status.code(), Some(8));
    assert_eq!(
        (&value["ok"], &value["event"], &value["kind"]),
        (&false.into(), &4.into(), &"changed".into())
    );
}

#[test]
fn an_incomplete_trace_is_called_that() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "family__one");
    let path = folder.path().join("trace.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 10]).unwrap();
    let output = discreet(&["verify", "."], folder.path());
    assert_eq!(output.status.code(), Some(8));
    assert!(
        stdout(&output).contains("incomplete: the last line is torn after 5 events"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_run_is_checked_with_the_roots_in_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = folder.path().join("run");
    let episodes = run(&run_folder);
    let output = discreet(&["verify", "run"], folder.path());
    assert_eq!((output.status.code(), stdout(&output).lines().count()), (Some(0), 2), "{}", stdout(&output));

    std::fs::remove_dir_all(&episodes[0]).unwrap();
    record(&episodes[0], "family__other");
    std::fs::write(episodes[1].join("stray.txt"), "x").unwrap();
    let output = discreet(&["verify", "run"], folder.path());
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((output.status.code(), lines.len()), (Some(8), 2));
    assert!(lines[0].contains("its root is not the one in results.jsonl"), "{text}");
    assert!(lines[1].contains("`stray.txt` lies in the folder"), "{text}");
    assert!(stderr(&output).contains("2 of 2 traces"), "{}", stderr(&output));
}

#[test]
fn what_is_no_trace_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    for path in [".", "nowhere", "nowhere/trace.jsonl"] {
        let output = discreet(&["verify", path], folder.path());
        assert_eq!(output.status.code(), Some(8), "{path}");
        assert!(stdout(&output).contains("failed to find a trace at"), "{}", stdout(&output));
    }
    assert_eq!(discreet(&["verify"], folder.path()).status.code(), Some(2));
}

/// The recipe of `docs/trace.md` and the program agree.
#[cfg(unix)]
#[test]
fn the_recipe_for_other_tools_finds_what_the_program_finds() {
    let docs = include_str!("../docs/trace.md");
    let recipe = docs.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let root = record(folder.path(), "family__one");
    let shell = || {
        let output = Command::new("sh").args(["-c", recipe]).current_dir(folder.path()).output().unwrap();
        (output.status.success(), stdout(&output).trim().to_owned())
    };
    let tools =
        Command::new("sh").args(["-c", "command -v sha256sum && command -v cut && command -v sed"]).output();
    if !tools.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no shell with sha256sum here");
        return;
    }
    assert_eq!(shell(), (true, format!("ok 6 events {root}")));
    let path = folder.path().join("trace.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    std::fs::write(&path, whole.replace("looked again", "looked twice")).unwrap();
    assert_eq!(shell(), (false, "event 4 was changed".to_owned()));
    std::fs::write(&path, [lines[0], lines[2]].join("\n") + "\n").unwrap();
    assert_eq!(shell(), (false, "event 2 does not follow the event before it".to_owned()));
    std::fs::write(&path, lines[..5].join("\n") + "\n").unwrap();
    assert_eq!(shell(), (false, "incomplete after 5 events".to_owned()));
}

#[test]
fn every_schema_is_printed_and_describes_its_format() {
    let folder = tempfile::tempdir().unwrap();
    let schema = |name: &str| -> serde_json::Value {
        let output = discreet(&["schema", name], folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let row = schema("row");
    assert_eq!(row["additionalProperties"], false);
    let required = row["required"].as_array().unwrap();
    for name in ["run_id", "outcome", "trace_root", "timing"] {
        assert!(required.contains(&name.into()), "{name}");
    }
    let trace = schema("trace");
    assert_eq!(trace["unevaluatedProperties"], false);
    let trace = trace.to_string();
    for name in ["episode_started", "episode_finished", "\"hash\"", "\"what\"", "^[0-9a-f]{64}$"] {
        assert!(trace.contains(name), "{name} is not in {trace}");
    }
    assert_eq!(discreet(&["schema", "nonsense"], folder.path()).status.code(), Some(2));
}

/// Samples of every format that was ever written, with their roots and numbers of events. They stay.
const SAMPLES: [(&str, u64, &str); 2] = [
    ("format-1", 17, "a7aa045a48e011d7b006fc3db8aeea099089c6ed0da787fde17b43454444545b"),
    ("format-2", 18, "3fdc35a93a15c06ee2fd558b4163e3849a901b8abe1e82f940182c429f449317"),
];

#[test]
fn traces_of_every_past_format_stay_readable() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces");
    let names: Vec<String> = std::fs::read_dir(&traces)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), SAMPLES.len(), "{names:?}");
    for (name, events, root) in SAMPLES {
        let folder = traces.join(name);
        let output = discreet(&["verify", folder.to_str().unwrap()], &traces);
        assert_eq!(stdout(&output), format!("ok {events} events {root}\n"), "{}", stderr(&output));
        let row = discreet::report::Row::from_trace(&folder, "").unwrap();
        assert_eq!((row.utility, row.leaked, row.steps), (Some(1), Some(true), 4));
        assert_eq!(row.leaked_items, ["Vet appointment for the dog"]);
        let view = discreet::report::viewer::episode_view(&folder);
        assert_eq!((&view["status"], &view["problems"]), (&"complete".into(), &serde_json::json!([])));
        assert_eq!(view["steps"].as_array().unwrap().len(), 4);
        // Where elements are in the picture came with the second format.
        let has_boxes = view["steps"][0]["events"][0]["what"]["boxes"].is_object();
        assert_eq!(has_boxes, name != "format-1");
        let lane = view["lanes"].as_array().unwrap().iter().find(|lane| lane["kind"] == "forbidden").unwrap();
        assert_eq!(lane["verdict"], "leaked");
    }
}
