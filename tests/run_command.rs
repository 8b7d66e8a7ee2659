//! `discreet run` through the real binary: rows, traces, exit codes.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::runs::{Place, errand, has_browser, text};

/// A check of a value's JSON type.
type Check = fn(&Value) -> bool;

fn texts(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
}

fn hash(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn flag_or_null(value: &Value) -> bool {
    value.is_boolean() || value.is_null()
}

fn text_or_null(value: &Value) -> bool {
    value.is_string() || value.is_null()
}

fn disclosures(value: &Value) -> bool {
    value.as_array().is_some_and(|all| {
        all.iter().all(|one| {
            has_exactly(
                one,
                &[
                    ("app", Value::is_string),
                    ("kind", Value::is_string),
                    ("audience", texts),
                    ("text", Value::is_string),
                    ("step", Value::is_u64),
                    ("task_artifact", Value::is_boolean),
                ],
            )
        })
    })
}

fn reference(value: &Value) -> bool {
    value.is_null()
        || has_exactly(
            value,
            &[
                ("utility", Value::is_number),
                ("ci_violation", Value::is_number),
                ("reward", Value::is_number),
                ("leaked_items", texts),
            ],
        )
}

fn timing(value: &Value) -> bool {
    let milliseconds = |value: &Value| value.as_array().is_some_and(|all| all.iter().all(Value::is_u64));
    has_exactly(value, &[("setup_ms", Value::is_u64), ("total_ms", Value::is_u64), ("steps_ms", |_| true)])
        && milliseconds(&value["steps_ms"])
}

fn has_exactly(value: &Value, fields: &[(&str, Check)]) -> bool {
    value.as_object().is_some_and(|object| {
        object.len() == fields.len()
            && fields.iter().all(|(name, check)| object.get(*name).is_some_and(check))
    })
}

/// Every field of a row and what it may hold.
const FIELDS: &[(&str, Check)] = &[
    ("run_id", Value::is_string),
    ("scenario_id", Value::is_string),
    ("seed_family", Value::is_string),
    ("failure_mode", Value::is_string),
    ("agent", Value::is_string),
    ("mode", Value::is_string),
    ("observe", Value::is_string),
    ("defense", Value::is_string),
    ("browser", Value::is_string),
    ("model", text_or_null),
    ("variation", |value| {
        let factors = [
            "theme",
            "font",
            "density",
            "nav",
            "language",
            "viewport",
            "latency_ms",
            "popup",
            "content",
            "home",
        ];
        value.as_object().is_some_and(|object| {
            object.len() == factors.len() && factors.iter().all(|name| object.contains_key(*name))
        })
    }),
    ("trial", Value::is_u64),
    ("steps", Value::is_u64),
    ("invalid_actions", Value::is_u64),
    ("repeated_actions", Value::is_u64),
    ("outcome", Value::is_string),
    ("utility", |value| value.is_null() || matches!(value.as_u64(), Some(0 | 1))),
    ("completed", flag_or_null),
    ("refused", flag_or_null),
    ("leaked", flag_or_null),
    ("leaked_items", texts),
    ("partial_items", texts),
    ("matched_required", texts),
    ("missing_required", texts),
    ("misdirected", texts),
    ("transient", texts),
    ("drafts", texts),
    ("severity", |value| value.is_null() || matches!(value.as_u64(), Some(1..=5))),
    ("reference", reference),
    ("disclosures", disclosures),
    ("exposures", |value| {
        value.as_object().is_some_and(|items| items.values().all(|step| step.is_u64() || step.is_null()))
    }),
    ("state_hash", |value| value.is_null() || hash(value)),
    ("trace", Value::is_string),
    ("trace_root", hash),
    ("usage", |value| value.is_null() || value.is_object()),
    ("timing", timing),
    ("error", text_or_null),
];

fn check_fields(row: &Value) {
    let object = row.as_object().unwrap();
    for (name, check) in FIELDS {
        let value = object.get(*name).unwrap_or_else(|| panic!("a row without `{name}`: {row}"));
        assert!(check(value), "`{name}` is {value}");
    }
    let known: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
    assert!(object.keys().all(|name| known.contains(&name.as_str())), "{row}");
}

/// What has to be the same whenever and beside what an episode runs.
fn lasting(rows: &[Value]) -> Vec<Value> {
    rows.iter()
        .cloned()
        .map(|mut row| {
            for name in ["run_id", "trace_root", "timing"] {
                row.as_object_mut().unwrap().remove(name);
            }
            row
        })
        .collect()
}

#[test]
fn a_run_gives_a_row_and_a_trace_per_episode_in_order_whatever_the_parallelism() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("zebra__one"));
    place.scenario(&errand("apple__one"));
    place.write("scenarios/middle.json", "{ \"scenario_id\": \"middle\" ");
    let arguments = ["run", "scenarios", "--agent", "refuser,oracle,idle", "--max-steps", "6"];
    let one = place.discreet(&[&arguments[..], &["--out", "one", "--jobs", "1"]].concat());
    let (printed, said) = (text(&one.stdout), text(&one.stderr));
    assert_eq!(one.status.code(), Some(0), "{said}");
    for agent in ["idle", "oracle", "refuser"] {
        assert!(printed.contains(agent), "the closing table names {agent}: {printed}");
    }
    assert!(said.contains("failed to load `scenarios/middle.json`"), "{said}");
    assert!(said.contains("9/9"), "progress is told: {said}");

    let rows = place.rows("one");
    rows.iter().for_each(check_fields);
    let order: Vec<(&str, &str, &str)> = rows
        .iter()
        .map(|row| (row["scenario_id"].as_str(), row["agent"].as_str(), row["outcome"].as_str()))
        .map(|(scenario, agent, outcome)| (scenario.unwrap(), agent.unwrap(), outcome.unwrap()))
        .collect();
    let expected = [
        ("apple__one", "idle", "budget_exhausted"),
        ("apple__one", "oracle", "finished"),
        ("apple__one", "refuser", "agent_stopped"),
        ("middle", "idle", "scenario_error"),
        ("middle", "oracle", "scenario_error"),
        ("middle", "refuser", "scenario_error"),
        ("zebra__one", "idle", "budget_exhausted"),
        ("zebra__one", "oracle", "finished"),
        ("zebra__one", "refuser", "agent_stopped"),
    ];
    assert_eq!(order, expected);
    check_what_each_agent_did(&rows);

    // Rows name their traces, traces hold together, and the roots are those of the rows.
    let verified = place.discreet(&["verify", "one"]);
    let roots: Vec<String> =
        text(&verified.stdout).lines().map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect();
    assert_eq!((verified.status.code(), roots.len()), (Some(0), 9), "{}", text(&verified.stderr));
    for (row, root) in rows.iter().zip(roots) {
        assert_eq!(row["trace_root"], root.as_str());
        assert!(place.path("one").join(row["trace"].as_str().unwrap()).join("trace.jsonl").is_file());
    }
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(place.path("one/run.json")).unwrap()).unwrap();
    assert!(rows.iter().all(|row| row["run_id"] == manifest["run_id"]));
    assert_eq!(support::runs::lines(&place.path("one/results.partial.jsonl")).len(), 9);

    let three = place.discreet(&[&arguments[..], &["--out", "three", "--jobs", "3", "--json"]].concat());
    assert_eq!(three.status.code(), Some(0), "{}", text(&three.stderr));
    let printed: Value = serde_json::from_str(&text(&three.stdout)).expect("stdout is JSON and nothing else");
    let groups: Vec<&Value> = printed.as_array().unwrap().iter().map(|one| &one["group"]["agent"]).collect();
    assert_eq!(groups, ["idle", "oracle", "refuser"]);
    assert_eq!(lasting(&place.rows("three")), lasting(&rows));
    place.nothing_is_left(std::time::Duration::ZERO);
}

fn check_what_each_agent_did(rows: &[Value]) {
    for row in rows {
        let (agent, id) = (row["agent"].as_str().unwrap(), row["scenario_id"].as_str().unwrap());
        if id == "middle" {
            for name in ["utility", "completed", "refused", "leaked", "severity", "reference", "state_hash"] {
                assert!(row[name].is_null(), "{name}: {row}");
            }
            assert!(row["error"].as_str().unwrap().contains("middle.json"), "{row}");
            continue;
        }
        assert_eq!(row["seed_family"], id.split("__").next().unwrap());
        assert_eq!(row["leaked"], false, "{row}");
        assert_eq!(row["utility"], u64::from(agent == "oracle"), "{row}");
        assert_eq!(row["refused"], agent != "oracle", "{row}");
        assert!(row["error"].is_null(), "{row}");
        if agent == "oracle" {
            assert_eq!(row["disclosures"][0]["audience"], serde_json::json!(["Nora (Manager)"]), "{row}");
            assert_eq!(row["matched_required"], serde_json::json!(["Approve timesheets by noon"]));
        } else {
            assert_eq!(row["disclosures"], serde_json::json!([]));
        }
        if agent == "idle" {
            assert_eq!((&row["steps"], &row["repeated_actions"]), (&6.into(), &5.into()));
        }
        assert_eq!(
            row["timing"]["steps_ms"].as_array().unwrap().len() as u64,
            row["steps"].as_u64().unwrap()
        );
    }
}

#[test]
fn careless_leaks_and_trials_are_rows_of_their_own() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("leaky__one"));
    let rows = place.run("out", &["--agent", "careless", "--trials", "2", "--observe", "axtree"]);
    let trials: Vec<&Value> = rows.iter().map(|row| &row["trial"]).collect();
    assert_eq!(trials, [1, 2]);
    for row in &rows {
        check_fields(row);
        assert_eq!(row["observe"], "axtree");
        assert_eq!(row["leaked_items"], serde_json::json!(["Vet appointment for the dog"]), "{row}");
        assert_eq!(row["leaked"], true);
        assert!(row["severity"].as_u64() > Some(1), "{row}");
        assert!(row["exposures"]["Vet appointment for the dog"].as_u64() > Some(1), "{row}");
        assert_eq!(row["reference"]["leaked_items"], row["leaked_items"]);
    }
    assert_eq!(rows[0]["state_hash"], rows[1]["state_hash"]);
    let images = support::runs::episodes(&place.path("out"))
        .iter()
        .flat_map(|episode| std::fs::read_dir(episode.join("blobs")).unwrap())
        .filter(|entry| entry.as_ref().unwrap().path().extension().unwrap() != "txt")
        .count();
    assert_eq!(images, 0, "an agent that reads the tree is given no image");
}

/// How many elements were acted on where the observation before has them.
fn acted_on_in_place(episode: &std::path::Path) -> usize {
    let observations = support::runs::events_of(episode, "observation");
    let box_of = |step: &Value, bid: &str| -> Option<Vec<f64>> {
        let seen = observations.iter().find(|seen| seen["step"] == *step)?;
        let name = format!("{}.json", seen["boxes"]["sha256"].as_str()?);
        let boxes = std::fs::read(episode.join("blobs").join(name)).unwrap();
        let boxes: Value = serde_json::from_slice(&boxes).unwrap();
        boxes[bid].as_array()?.iter().map(Value::as_f64).collect()
    };
    let acted = support::runs::events_of(episode, "action_result").into_iter().filter(|result| {
        let found = result["action"]["bid"].as_str().and_then(|bid| box_of(&result["step"], bid));
        let own: Option<Vec<f64>> =
            result["element_box"].as_array().and_then(|sides| sides.iter().map(Value::as_f64).collect());
        found.zip(own).is_some_and(|(found, own)| {
            found.len() == 4 && found.iter().zip(&own).all(|(one, other)| (one - other).abs() <= 1.0)
        })
    });
    acted.count()
}

/// The longest errand of ours for an agent that opens everything it sees.
#[test]
fn an_episode_with_pictures_takes_less_than_a_megabyte() {
    if !support::runs::has_browser() {
        return;
    }
    let place = Place::new();
    let errand =
        concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/visual_co_location/retro_notes__shared_file.json");
    let output =
        place.discreet(&["run", errand, "--agent", "careless", "--observe", "mixed", "--out", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let episode = support::runs::episodes(&place.path("out")).remove(0);
    let steps = support::runs::events_of(&episode, "observation");
    assert!(steps.len() > 10, "{} steps are too few to mean anything", steps.len());
    assert!(steps.iter().all(|step| step["screenshot"]["extension"] == "webp"), "{steps:?}");
    let bytes = |folder: &std::path::Path| -> u64 {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap());
        entries.filter(std::fs::Metadata::is_file).map(|about| about.len()).sum()
    };
    let all = bytes(&episode) + bytes(&episode.join("blobs"));
    let per_step = all / steps.len() as u64;
    assert!(all < 1_000_000 && per_step * 20 < 1_000_000, "{all} bytes in {} steps", steps.len());
    assert!(steps.iter().all(|step| step["boxes"]["extension"] == "json"), "{steps:?}");
    let in_place = acted_on_in_place(&episode);
    assert!(in_place >= 5, "{in_place} of {} actions", steps.len());
}

#[test]
fn a_wrong_command_line_is_told_with_a_hint_and_leaves_nothing() {
    let place = Place::new();
    place.scenario(&errand("good__one"));
    place.write("bad/one.json", "[1, 2");
    place.write("bad/two.json", "{\"scenario_id\": \"two\"}");
    std::fs::create_dir(place.path("empty")).unwrap();
    place.write("letters/mine.txt", "mine");
    place.write("broken-script", "{\"akshun\": 1}\n");
    let cases: &[(&[&str], i32, &str, &str)] = &[
        (
            &["scenarios", "--agent", "oracel"],
            2,
            "failed to find an agent called `oracel`",
            "did you mean `oracle`?",
        ),
        (&["scenarios", "--agent", "script"], 2, "without a file", "script:"),
        (&["scenarios", "--agent", "script:nowhere"], 2, "failed to read the script `nowhere`", "one action"),
        (&["scenarios", "--agent", "script:broken-script"], 2, "line 1 of the script", "one action"),
        (&["empty", "--agent", "idle"], 4, "failed to find a scenario", "`.json`"),
        (&["bad", "--agent", "idle"], 7, "every file is unusable", ""),
        (&["nowhere", "--agent", "idle"], 7, "failed to load `nowhere`", "check the path"),
        (&["scenarios", "--agent", "idle", "--max-steps", "0"], 2, "--max-steps", ""),
        (&["scenarios", "--agent", "idle", "--browser", "firefox"], 2, "headless-shell", ""),
        (&["scenarios"], 2, "--agent", ""),
        (&["scenarios", "--agent", "oracel", "--dry-run"], 2, "failed to find an agent", "did you mean"),
    ];
    for (arguments, code, said, hint) in cases {
        let output = place.discreet(&[&["run"], *arguments, &["--out", "out"]].concat());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {error}");
        assert!(error.contains(said), "{arguments:?}: {error}");
        if !hint.is_empty() {
            let line = error.lines().find(|line| line.starts_with("hint: ")).unwrap_or_default();
            assert!(line.contains(hint), "{arguments:?}: {error}");
        }
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert!(!place.path("out").exists(), "{arguments:?}");
    }
    place.nothing_is_left(std::time::Duration::ZERO);
}

#[test]
fn a_folder_that_is_not_empty_is_refused_and_left_as_it_is() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("good__one"));
    place.write("letters/mine.txt", "mine");
    let output = place.discreet(&["run", "scenarios", "--agent", "refuser", "--out", "letters"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("failed to start a run in letters: the folder is not empty"), "{error}");
    assert!(error.contains("hint: give a folder that is empty or not there yet"), "{error}");
    let names: Vec<_> = std::fs::read_dir(place.path("letters")).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");

    place.run("out", &["--agent", "refuser"]);
    let output = place.discreet(&["run", "scenarios", "--agent", "refuser", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("it holds one already"), "{}", text(&output.stderr));
    assert_eq!(place.discreet(&["verify", "out"]).status.code(), Some(0), "the run there is untouched");
    place.nothing_is_left(std::time::Duration::ZERO);
}

#[test]
fn a_dry_run_says_what_would_be_done_and_does_nothing() {
    let place = Place::new();
    place.scenario(&errand("good__one"));
    let arguments =
        ["run", "scenarios", "--agent", "oracle,idle", "--trials", "3", "--dry-run", "--out", "out"];
    let output = place.discreet(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "good__one  messenger -> Nora (Manager)\n");
    assert!(text(&output.stderr).contains("6 episodes"), "{}", text(&output.stderr));
    assert!(!place.path("out").exists());
}

#[test]
fn held_dialogs_are_the_agents_to_answer_and_stand_in_the_manifest() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("dialogs__one"));
    place.write("answers.txt", "dialog_dismiss()\nfinish('done')\n");
    // The workspace's own pages open no dialog: held or not decides what is said to the answer.
    for (dialogs, said) in
        [("hold", "Error: no dialog is open"), ("dismiss", "NameError: Invalid action type 'dialog_dismiss'")]
    {
        place.run(dialogs, &["--agent", "script:answers.txt", "--dialogs", dialogs, "--observe", "axtree"]);
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(place.path(dialogs).join("run.json")).unwrap()).unwrap();
        assert_eq!(manifest["settings"]["dialogs"], dialogs);
        let episode = support::runs::episodes(&place.path(dialogs)).remove(0);
        let second = support::runs::events_of(&episode, "observation").remove(1);
        let error = second["last_action_error"].as_str().unwrap();
        assert!(error.starts_with(said), "{dialogs}: {error}");
        // Also where an action is not allowed: what is said then lists those that are, in their order.
        let again = place.discreet(&["replay", episode.to_str().unwrap()]);
        assert_eq!(again.status.code(), Some(0), "{}{}", text(&again.stdout), text(&again.stderr));
    }
    // A page under development shows what an agent would see of one.
    place.write(
        "page.html",
        "<title>-</title><button onclick=\"document.title = confirm('Sure?')\">Ask</button>",
    );
    let tree = text(&place.discreet(&["observe", "page.html"]).stdout);
    let bid = tree.split('[').nth(1).and_then(|rest| rest.split(']').next()).expect("the button has an id");
    let click = format!("click('{bid}')");
    for (more, title, note) in [
        (&[][..], "RootWebArea 'false'", "a dialog (confirm 'Sure?') was dismissed"),
        (&["--dialogs", "accept"], "RootWebArea 'true'", "a dialog (confirm 'Sure?') was accepted"),
        (&["--dialogs", "hold"], "", "a dialog (confirm 'Sure?') is open"),
        (&["--dialogs", "hold", "--do", "dialog_accept()"], "RootWebArea 'true'", "was accepted"),
        (&["--dialogs", "hold", "--do", "dialog_dismiss()"], "RootWebArea 'false'", "was dismissed"),
    ] {
        let output = place.discreet(&[&["observe", "page.html", "--do", &click], more].concat());
        let (page, told) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{more:?}: {told}");
        assert!(page.starts_with(title) && told.contains(note), "{more:?}: {page}{told}");
        assert_eq!(page.trim().is_empty(), title.is_empty(), "{more:?}: {page}");
    }
}
