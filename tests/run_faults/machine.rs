//! The machine lacks something, is slow, or is set up in another way; and what it must not be told.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::Value;

use super::support::runs::{
    Place, episodes, errand, events_of, has_browser, holds, lasting, send, text, wait_for_step,
};
use super::{ENDS_WITHIN, GONE_WITHIN, outcomes, place, start};
use crate::support;

/// A place with an empty folder to be the `PATH`, so that no other browser is found.
fn bare_place() -> Place {
    let place = Place::new();
    place.scenario(&errand("only__one"));
    place.write("empty/file", "");
    place
}

#[test]
fn a_browser_that_is_none_is_told_with_what_it_did() {
    let place = bare_place();
    // Each with what it does when asked for its version, and when started.
    let browsers: [(&str, &[u8], &str); 6] = [
        ("ends", b"#!/bin/sh\necho broken >&2\nexit 1\n", "ends with exit status: 1 when asked for its version"),
        ("babbles", b"#!/bin/sh\necho hello\n", "does not call itself Chromium"),
        ("hangs", b"#!/bin/sh\nexec /bin/sleep 1000\n", "did not say its version within 5 s"),
        ("other-machine", b"\x7fELF\x02\x01\x01 for another machine", "does not start"),
        (
            "too-old",
            b"#!/bin/sh\ncase \"$*\" in --version) echo Chromium 60.0.1;; *) echo 'unknown flag: --headless=new' >&2; exit 1;; esac\n",
            "it said: unknown flag: --headless=new",
        ),
        (
            "no-sandbox-for-root",
            b"#!/bin/sh\ncase \"$*\" in --version) echo Chromium 156.0.1;; *) exit 133;; esac\n",
            "it ended without a word",
        ),
    ];
    for (name, content, said) in browsers {
        let path = place.path(name);
        std::fs::write(&path, content).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        let output = place
            .command(support::binary())
            .args(["run", "scenarios", "--agent", "idle", "--out", name, "--browser", "chromium"])
            .env("DISCREET_CHROMIUM", &path)
            .env("PATH", place.path("empty"))
            .output()
            .unwrap();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{name}: {told}");
        assert!(told.contains("error: failed to ") && told.contains(said), "{name}: {told}");
        assert!(told.contains("hint: ") && !told.contains("panicked"), "{name}: {told}");
        assert!(!place.path(name).join("run.json").exists(), "{name}: no run was begun");
        place.nothing_is_left(GONE_WITHIN);
    }
}

#[test]
fn a_browser_that_is_not_there_is_told_by_run_and_doctor() {
    let place = bare_place();
    let ask = |arguments: &[&str]| {
        let mut command = place.command(support::binary());
        command
            .args(arguments)
            .env("DISCREET_CHROMIUM", "/nowhere/chromium")
            .env("PATH", place.path("empty"));
        command.output().unwrap()
    };
    let output = ask(&["run", "scenarios", "--agent", "idle", "--out", "out", "--browser", "chromium"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{told}");
    assert!(told.contains("/nowhere/chromium is not there") && told.contains("hint: "), "{told}");
    assert!(!place.path("out").exists());
    let output = ask(&["doctor", "--json"]);
    let findings: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let of = |check: &str| findings.iter().find(|finding| finding["check"] == check).unwrap();
    assert_eq!(of("chromium")["ok"], false, "{findings:?}");
    assert!(of("chromium")["found"].as_str().unwrap().contains("is not there"), "{findings:?}");
    assert!(of("chromium")["hint"].as_str().unwrap().contains("install"), "{findings:?}");
    assert!(findings.iter().any(|finding| finding["check"] == "font_latin" || finding["check"] == "fonts"));
    place.nothing_is_left(GONE_WITHIN);
}

#[test]
fn a_machine_without_loopback_is_told_and_nothing_is_left() {
    if !has_browser() {
        return;
    }
    let place = bare_place();
    let output = place
        .command("unshare")
        .args(["--user", "--map-root-user", "--net"])
        .arg(support::binary())
        .args(["run", "scenarios", "--agent", "idle", "--max-steps", "1", "--out", "out"])
        .output();
    let Ok(output) = output else { return support::skip("no `unshare`") };
    let told = text(&output.stderr);
    if told.starts_with("unshare:") {
        support::skip(&format!("no network of its own can be had here: {told}"));
        return;
    }
    assert_eq!(output.status.code(), Some(6), "{told}");
    assert!(told.contains("error: failed to ") && told.contains("hint: "), "{told}");
    assert!(!told.contains("panicked"), "{told}");
    place.nothing_is_left(Duration::ZERO);
}

#[test]
fn two_runs_in_one_folder_do_not_mix() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut first = start(&place, &["--jobs", "1"]);
    wait_for_step(&place.path("out"), 1, 2);
    for more in [&[][..], &["--resume"]] {
        let mut arguments =
            vec!["run", "scenarios", "--agent", "script:script", "--out", "out", "--jobs", "1"];
        arguments.extend(more);
        let second = place.discreet(&arguments);
        let told = text(&second.stderr);
        assert_eq!(second.status.code(), Some(6), "{told}");
        let holder = format!("another discreet (process {}) is writing to it", first.id());
        assert!(told.contains(&holder) && told.contains("hint: wait until it ends"), "{told}");
    }
    assert_eq!(first.end(ENDS_WITHIN), Some(0));
    assert_eq!(outcomes(&place.rows("out")), ["finished", "finished"]);
    assert_eq!(episodes(&place.path("out")).len(), 2);
    place.nothing_is_left(Duration::ZERO);
}

#[test]
fn what_a_killed_guard_left_is_removed_at_the_next_start() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut run = start(&place, &["--jobs", "1"]);
    wait_for_step(&place.path("out"), 1, 2);
    // Everything at once, as when a machine is switched off: nobody is left to clear up.
    let mut family = run.descendants();
    family.push(run.id());
    for process in &family {
        send(*process, Signal::SIGSTOP);
    }
    for process in family {
        send(process, Signal::SIGKILL);
    }
    assert_eq!(run.end(ENDS_WITHIN), None);
    let left = || std::fs::read_dir(place.path("tmp")).unwrap().count();
    assert!(left() > 0, "a profile is left, or this shows nothing");
    let resumed = place.discreet(&[
        "run",
        "scenarios",
        "--agent",
        "script:script",
        "--out",
        "out",
        "--jobs",
        "1",
        "--resume",
    ]);
    assert_eq!(resumed.status.code(), Some(0), "{}", text(&resumed.stderr));
    assert_eq!(outcomes(&place.rows("out")), ["finished", "finished"]);
    place.nothing_is_left(Duration::ZERO);
}

/// What an episode's agent was given, and what came of it.
fn seen(place: &Place, out: &str) -> Vec<Vec<Value>> {
    episodes(&place.path(out)).iter().map(|episode| events_of(episode, "observation")).collect()
}

#[test]
fn time_zone_and_language_of_the_machine_change_nothing() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("only__one"));
    let run = |out: &str, zone: &str, language: &str| {
        let output = place
            .command(support::binary())
            .args(["run", "scenarios", "--agent", "oracle", "--out", out])
            .envs([("TZ", zone), ("LANG", language), ("LC_ALL", language), ("LANGUAGE", language)])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        (lasting(&place.rows(out)), seen(&place, out))
    };
    let (rows, seen) = run("here", "UTC", "C.UTF-8");
    assert!(seen[0].len() > 2, "{seen:?}");
    let elsewhere =
        [("ahead", "Pacific/Kiritimati", "de_DE.UTF-8"), ("behind", "America/St_Johns", "zh_CN.UTF-8")];
    for (out, zone, language) in elsewhere {
        assert_eq!(run(out, zone, language), (rows.clone(), seen.clone()), "{zone} {language}");
    }
}

#[test]
fn eight_episodes_at_a_time_on_one_core_end_as_one_at_a_time_do() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    for number in 0..4 {
        place.scenario(&errand(&format!("family_{number}__one")));
    }
    let flags = ["--agent", "oracle,refuser", "--observe", "axtree"];
    let calm = lasting(&place.run("calm", &[&flags[..], &["--jobs", "1"]].concat()));
    let output = place
        .command("nice")
        .args(["-n", "10", "taskset", "-c", "0"])
        .arg(support::binary())
        .args(["run", "scenarios", "--out", "crowded", "--jobs", "8"])
        .args(flags)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(lasting(&place.rows("crowded")), calm);
    place.nothing_is_left(Duration::ZERO);
}

#[test]
fn no_key_is_in_any_child_or_in_anything_that_is_written() {
    const CANARY: &str = "sk-canary-7Yq2LxW9";
    if !has_browser() {
        return;
    }
    let keys = [
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "OPENROUTER_API_KEY",
        "DISCREET_JUDGE_KEY",
        "AWS_SECRET_ACCESS_KEY",
    ];
    let place = place();
    let mut command = place.command(support::binary());
    command
        .args(["run", "scenarios", "--agent", "script:script", "--out", "out", "--jobs", "1"])
        .args(["--events", "events.jsonl"])
        .env("DISCREET_LOG", "trace")
        .envs(keys.map(|key| (key, CANARY)));
    let mut run = place.start_command(command);
    wait_for_step(&place.path("out"), 1, 2);
    let children = run.descendants();
    assert!(children.len() >= 3, "a guard, a browser and its helpers: {children:?}");
    let mut looked_at = 0;
    for child in children {
        for file in ["environ", "cmdline"] {
            // A helper may have ended.
            let Ok(bytes) = std::fs::read(format!("/proc/{child}/{file}")) else { continue };
            let said = text(&bytes);
            assert!(!said.contains(CANARY), "{file} of {child}: {said}");
            looked_at += usize::from(!bytes.is_empty());
        }
    }
    assert!(looked_at >= 4, "{looked_at} files could be read");
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    // Logs were told, of everything that is ours.
    let told = std::fs::read_to_string(place.path("stderr")).unwrap();
    assert!(told.contains("the episode ended") && told.contains("episode{"), "{told}");
    for arguments in
        [&["report", "out", "--html", "report.html"][..], &["view", "out", "--export", "view.html"]]
    {
        let mut command = place.command(support::binary());
        let output = command.args(arguments).envs(keys.map(|key| (key, CANARY))).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        place.write(&format!("printed-{}", arguments[0]), &(text(&output.stdout) + &text(&output.stderr)));
    }
    assert!(place.path("events.jsonl").exists() && place.path("view.html").exists());
    assert_eq!(holds(&place.path("."), CANARY.as_bytes()), None);
    place.nothing_is_left(GONE_WITHIN);
}
