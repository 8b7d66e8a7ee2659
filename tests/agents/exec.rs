//! A stranger's process as an agent: what it may do wrong, and what comes of it.

use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::support::runs::{Place, episodes, errand, events_of, has_browser, text};
use super::support::{eventually, processes_naming};

/// A shell script that answers like a well-behaved agent: `finish` to every observation.
const POLITE: &str = r#"while read -r line; do case "$line" in
*'"type":"observe"'*) echo '{"action": "finish()", "thought": "done", "usage": {"input_tokens": 7, "output_tokens": 2, "cost": 0.5}}';;
*'"type":"decide"'*) echo '{"completed": true, "shared_content": ["Approve timesheets by noon"]}';;
esac; done"#;

/// Runs one episode in state mode, which needs no browser, and returns its row.
fn state_row(place: &Place, name: &str, script: &str, more: &[&str]) -> Value {
    let file = place.write(&format!("{name}.sh"), script);
    let agent = format!("exec:sh {}", file.display());
    place.run(name, &[&["--agent", &agent, "--mode", "state"], more].concat()).remove(0)
}

#[test]
fn a_polite_process_plays_both_modes() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("exec__one"));
    let file = place.write("polite.sh", POLITE);
    let agent = format!("mine=exec:sh {}", file.display());
    let rows = place.run("out", &["--agent", &agent, "--mode", "e2e,state"]);
    assert_eq!(rows[0]["agent"], "mine");
    assert_eq!((&rows[0]["outcome"], &rows[0]["steps"]), (&json!("finished"), &json!(1)));
    assert_eq!(rows[0]["usage"], json!({ "input_tokens": 7, "output_tokens": 2, "cost": 0.5 }));
    assert_eq!((&rows[1]["outcome"], &rows[1]["utility"]), (&json!("finished"), &json!(1)));
    let reply = &events_of(&episodes(&place.path("out"))[0], "reply")[0];
    assert_eq!((&reply["action"], &reply["thought"]), (&json!("finish()"), &json!("done")));
    assert_eq!(place.discreet(&["verify", "out"]).status.code(), Some(0));
    place.nothing_is_left(Duration::from_secs(5));
}

#[test]
fn garbage_costs_a_step_and_five_in_a_row_end_the_episode() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("exec__one"));
    let script = r#"n=0; while read -r line; do case "$line" in *'"type":"observe"'*)
n=$((n+1)); echo "$line" | grep -o '"last_action_error":"[^"]*"' >> errors
case $n in 1) echo 'not json';; 2) printf '\377\376\n';; 3) echo '{"action": 5}';; *) echo '{"action": "finish()"}';; esac;; esac; done"#;
    let file = place.write("garbage.sh", script);
    let agent = format!("exec:sh {}", file.display());
    let row = place.run("some", &["--agent", &agent, "--observe", "axtree"]).remove(0);
    assert_eq!(
        (&row["outcome"], &row["steps"], &row["invalid_actions"]),
        (&json!("finished"), &json!(4), &json!(3)),
        "{row}"
    );
    let told = std::fs::read_to_string(place.path("errors")).unwrap();
    for said in ["no JSON object", "not UTF-8", "invalid type"] {
        assert!(told.contains(said), "the agent is told: {told}");
    }
    let file = place
        .write("always.sh", "while read -r line; do case \"$line\" in *observe*) echo nonsense;; esac; done");
    let agent = format!("exec:sh {}", file.display());
    let row = place.run("all", &["--agent", &agent, "--observe", "axtree"]).remove(0);
    assert_eq!((&row["outcome"], &row["invalid_actions"]), (&json!("agent_invalid"), &json!(5)));
    place.nothing_is_left(Duration::from_secs(5));
}

/// A name, a script, the outcome, and what the error says.
type Wrong = (&'static str, &'static str, &'static str, &'static str);

/// Plays what goes wrong, one after the other, and looks for what is left.
fn play_wrong(cases: &[Wrong], timeout: &str) {
    let place = Place::new();
    place.scenario(&errand("exec__one"));
    let mark = place.path("tmp").display().to_string();
    for (name, script, outcome, said) in cases {
        // The folder's name on the command line of what sleeps, to find it if it is left.
        let script = script.replace("sleep 1000", &format!("sh -c 'sleep 1000; : {mark}'"));
        let row = state_row(&place, name, &script, &["--agent-timeout", timeout]);
        assert_eq!(row["outcome"], *outcome, "{name}: {row}");
        let error = row["error"].as_str().unwrap_or_default();
        assert!(error.contains(said), "{name}: {error}");
        place.nothing_is_left(Duration::from_secs(10));
    }
}

#[test]
fn a_process_that_dies_or_babbles_has_a_named_outcome_and_leaves_nothing() {
    play_wrong(
        &[
            ("death", "read -r a; echo oh no >&2; exit 3", "agent_invalid", "(exit code 3); it said: oh no"),
            ("silent_death", "exit 0", "agent_invalid", "ended"),
            ("killed", "kill -9 $$", "agent_invalid", "exit code 137"),
            ("no_command", "exec no-such-command-here", "agent_invalid", "no such command"),
            (
                "endless_line",
                "while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
                "agent_invalid",
                "more than 1048576 bytes",
            ),
            ("endless_lines", "while :; do echo '[]'; done", "agent_invalid", "no JSON object"),
            ("zeros", "head -c 3000000 /dev/zero; sleep 1000", "agent_invalid", "more than 1048576 bytes"),
            ("not_utf8", "read -r a; printf '\\377\\n'; sleep 1000", "agent_invalid", "not UTF-8"),
            (
                "leaves_child",
                "sleep 1000 & read -r a; read -r b; echo '{\"completed\": false}'",
                "finished",
                "",
            ),
        ],
        "100",
    );
}

#[test]
fn a_process_that_hangs_is_ended_with_all_it_started() {
    play_wrong(
        &[
            ("hang", "sleep 1000", "agent_timeout", "gave up after"),
            ("deaf", "exec 0</dev/null; sleep 1000", "agent_timeout", "gave up after"),
            ("endless_errors", "while :; do echo complaint >&2; done", "agent_timeout", "gave up after"),
            (
                "stubborn",
                "trap '' TERM; sleep 1000 & sleep 1000; sleep 1000",
                "agent_timeout",
                "gave up after",
            ),
            (
                "run_away",
                "setsid sleep 1000 & setsid sleep 1000 & sleep 1000",
                "agent_timeout",
                "gave up after",
            ),
        ],
        "1",
    );
}

#[test]
fn a_process_ends_with_us_however_we_end() {
    let place = Place::new();
    place.scenario(&errand("exec__one"));
    let mark = place.path("tmp").display().to_string();
    let script =
        format!("setsid sh -c 'sleep 1000; : {mark}' & echo > started; sh -c 'sleep 1000; : {mark}'");
    let file = place.write("slow.sh", &script);
    let agent = format!("exec:sh {}", file.display());
    for signal in [Signal::SIGKILL, Signal::SIGINT] {
        let _ = std::fs::remove_file(place.path("started"));
        let mut running = place.start(&[
            "run",
            "scenarios",
            "--agent",
            &agent,
            "--mode",
            "state",
            "--out",
            signal.as_str(),
        ]);
        eventually("the process starts", Duration::from_secs(60), || {
            place.path("started").exists() && processes_naming(&mark).len() >= 2
        });
        running.signal(signal);
        running.end(Duration::from_secs(60));
        place.nothing_is_left(Duration::from_secs(20));
    }
    assert_eq!(place.rows("SIGINT")[0]["outcome"], "interrupted");
}

#[test]
fn a_process_sees_a_cleaned_environment() {
    let place = Place::new();
    place.scenario(&errand("exec__one"));
    let file = place.write("env.sh", "env > seen; read -r a; read -r b; echo '{\"completed\": false}'");
    let agent = format!("exec:sh {}", file.display());
    let mut command = place.command(super::support::binary());
    command
        .args([
            "run",
            "scenarios",
            "--mode",
            "state",
            "--out",
            "out",
            "--agent-env",
            "WANTED",
            "--agent",
            &agent,
        ])
        .env("OPENAI_API_KEY", "sk-canary-5518")
        .env("WANTED", "yes-please");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let seen = std::fs::read_to_string(place.path("seen")).unwrap();
    assert!(seen.contains("WANTED=yes-please") && seen.contains("PATH="), "{seen}");
    assert!(!seen.contains("sk-canary-5518"), "{seen}");
}

#[test]
fn the_examples_play_both_modes() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("exec__one"));
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = format!("python=exec:python3 {}", root.join("examples/agent.py").display());
    let mut agents = vec![python];
    // Built with the tests when all of them are built.
    let rust = super::support::binary().parent().unwrap().join("examples/agent");
    if rust.exists() {
        agents.push(format!("rust=exec:{}", rust.display()));
    } else {
        assert!(std::env::var_os("CI").is_none(), "the Rust example is required in CI");
        super::models::skip("the Rust example is not built");
    }
    for agent in agents {
        let name = agent.split('=').next().unwrap().to_owned();
        let rows = place.run(&name, &["--agent", &agent, "--mode", "e2e,state"]);
        for row in &rows {
            assert_eq!(row["outcome"], "finished", "{row}");
            assert_eq!(row["invalid_actions"], 0, "{row}");
        }
        assert!(rows[0]["steps"].as_u64() > Some(1), "{}", rows[0]);
    }
    place.nothing_is_left(Duration::from_secs(5));
}
