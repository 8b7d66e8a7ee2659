//! Runs whose browser, page, disk or owner fails: what is recorded, how soon, and what is left.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::Value;
use support::eventually;
use support::runs::{
    Place, Running, browser_names, episodes, errand, events_of, has_browser, send, text, wait_for_step,
};

/// A run has ended after so long, whatever happened to it.
const ENDS_WITHIN: Duration = Duration::from_secs(60);

/// When we end, and whatever ends us, the browser is gone after so long.
const GONE_WITHIN: Duration = Duration::from_secs(5);

/// A place with two errands and a script that takes some seconds for each.
fn place() -> Place {
    let place = Place::new();
    place.scenario(&errand("first__one"));
    place.scenario(&errand("second__one"));
    place.write("script", &("noop(300)\n".repeat(6) + "finish('')\n"));
    place
}

fn start(place: &Place, more: &[&str]) -> Running {
    // What is asserted is how an episode ended that nobody acts out again.
    let mut arguments =
        vec!["run", "scenarios", "--agent", "script:script", "--out", "out", "--retries", "0"];
    arguments.extend(more);
    place.start(&arguments)
}

/// The last event of an episode, once it is there; how long that took.
fn last_event(episode: &Path, limit: Duration) -> (Value, Duration) {
    let mut last = None;
    let took = eventually("the last event", limit, || {
        last = events_of(episode, "episode_finished").pop();
        last.is_some()
    });
    (last.unwrap(), took)
}

fn outcomes(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["outcome"].as_str().unwrap()).collect()
}

fn verify(place: &Place) -> (Option<i32>, String) {
    let output = place.discreet(&["verify", "out"]);
    (output.status.code(), text(&output.stdout))
}

fn a_killed_browser(browser: &str) {
    if !browser_names().contains(&browser) {
        return;
    }
    let place = place();
    let mut run = start(&place, &["--jobs", "1", "--browser", browser]);
    let episode = wait_for_step(&place.path("out"), 1, 3);
    let browsers = run.browsers();
    assert_eq!(browsers.len(), 1, "{browsers:?}");
    send(browsers[0], Signal::SIGKILL);
    let (last, took) = last_event(&episode, Duration::from_secs(2));
    assert_eq!(last["outcome"], "browser_lost", "after {took:?}: {last}");
    assert!(last["error"].as_str().unwrap().starts_with("failed to reach the browser"), "{last}");
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    let rows = place.rows("out");
    assert_eq!(outcomes(&rows), ["browser_lost", "finished"]);
    for name in ["utility", "completed", "refused", "leaked", "severity"] {
        assert!(rows[0][name].is_null(), "what the agent did not do is not scored: {name}");
        assert!(!rows[1][name].is_null(), "{name}");
    }
    // What was persisted is read back all the same.
    assert!(rows[0]["state_hash"].is_string());
    assert_eq!(verify(&place).0, Some(0), "{}", verify(&place).1);
    place.nothing_is_left(Duration::ZERO);
}

#[test]
fn an_episode_whose_headless_shell_is_killed_is_lost_within_two_seconds_and_the_next_one_runs() {
    a_killed_browser("headless-shell");
}

#[test]
fn an_episode_whose_chromium_is_killed_is_lost_within_two_seconds_and_the_next_one_runs() {
    a_killed_browser("chromium");
}

#[test]
fn a_killed_renderer_is_a_crashed_page_and_the_next_episode_runs() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut run = start(&place, &["--jobs", "1"]);
    let episode = wait_for_step(&place.path("out"), 1, 3);
    let renderers = run.renderers();
    assert!(!renderers.is_empty());
    for renderer in renderers {
        send(renderer, Signal::SIGKILL);
    }
    let (last, took) = last_event(&episode, Duration::from_secs(2));
    assert_eq!(last["outcome"], "page_crashed", "after {took:?}: {last}");
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    assert_eq!(outcomes(&place.rows("out")), ["page_crashed", "finished"]);
    assert_eq!(verify(&place).0, Some(0));
    place.nothing_is_left(Duration::ZERO);
}

#[test]
fn a_browser_that_stands_still_is_given_up_and_replaced() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut run = start(&place, &["--jobs", "1"]);
    let episode = wait_for_step(&place.path("out"), 1, 3);
    let stopped = run.browsers();
    assert_eq!(stopped.len(), 1);
    send(stopped[0], Signal::SIGSTOP);
    let (last, _) = last_event(&episode, Duration::from_secs(20));
    assert_eq!(last["outcome"], "page_hung", "{last}");
    wait_for_step(&place.path("out"), 2, 1);
    assert!(!run.browsers().contains(&stopped[0]), "the browser that stood still is gone");
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    assert_eq!(outcomes(&place.rows("out")), ["page_hung", "finished"]);
    place.nothing_is_left(Duration::ZERO);
}

#[test]
fn a_killed_run_leaves_no_browser_and_traces_that_can_be_read() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut run = start(&place, &["--jobs", "2"]);
    for episode in [1, 2] {
        wait_for_step(&place.path("out"), episode, 2);
    }
    assert_eq!(run.browsers().len(), 2);
    run.signal(Signal::SIGKILL);
    assert_eq!(run.end(ENDS_WITHIN), None);
    place.nothing_is_left(GONE_WITHIN);
    let (code, told) = verify(&place);
    assert_eq!((code, told.lines().count()), (Some(8), 2), "{told}");
    assert!(told.lines().all(|line| line.contains("incomplete")), "{told}");
    for episode in episodes(&place.path("out")) {
        let kept = discreet::trace::Trace::load(&episode).unwrap();
        assert!(kept.events.len() >= 4, "{} events", kept.events.len());
        assert_eq!(kept.started().unwrap().max_steps, 20);
    }
    assert!(!place.path("out/results.jsonl").exists(), "a run that did not end has no results");
}

fn a_signal_ends_a_run_cleanly(signal: Signal, code: i32) {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut run = start(&place, &["--jobs", "1"]);
    let episode = wait_for_step(&place.path("out"), 1, 3);
    let sent = Instant::now();
    run.signal(signal);
    assert_eq!(run.end(GONE_WITHIN), Some(code));
    let took = sent.elapsed();
    place.nothing_is_left(Duration::ZERO);
    assert!(took < Duration::from_secs(3), "{took:?}");
    let (last, _) = last_event(&episode, Duration::ZERO);
    assert_eq!(last["outcome"], "interrupted", "{last}");
    let rows = place.rows("out");
    assert_eq!(outcomes(&rows), ["interrupted"], "no other episode was begun");
    assert!(rows[0]["utility"].is_null() && rows[0]["leaked"].is_null());
    assert!(rows[0]["steps"].as_u64() >= Some(3));
    assert_eq!(verify(&place).0, Some(0), "{}", verify(&place).1);
    let said = std::fs::read_to_string(place.path("stderr")).unwrap();
    assert!(said.contains("once more ends at once") && said.contains("1 of 2 episodes"), "{said}");
}

#[test]
fn an_interrupt_ends_a_run_cleanly() {
    a_signal_ends_a_run_cleanly(Signal::SIGINT, 130);
}

#[test]
fn a_request_to_end_ends_a_run_cleanly() {
    a_signal_ends_a_run_cleanly(Signal::SIGTERM, 143);
}

#[test]
fn a_second_interrupt_ends_a_run_at_once() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut run = start(&place, &["--jobs", "1"]);
    wait_for_step(&place.path("out"), 1, 2);
    // A browser that stands still makes a clean end take its time.
    send(run.browsers()[0], Signal::SIGSTOP);
    run.signal(Signal::SIGINT);
    eventually("the first signal is told", Duration::from_secs(5), || {
        std::fs::read_to_string(place.path("stderr")).unwrap().contains("once more ends at once")
    });
    let sent = Instant::now();
    run.signal(Signal::SIGINT);
    assert_eq!(run.end(ENDS_WITHIN), Some(130));
    assert!(sent.elapsed() < Duration::from_millis(500), "{:?}", sent.elapsed());
    place.nothing_is_left(GONE_WITHIN);
}

#[test]
fn a_signal_at_any_moment_leaves_nothing_behind() {
    if !has_browser() {
        return;
    }
    for delay in [0, 20, 60, 120, 250, 500] {
        let place = place();
        let mut run = start(&place, &["--jobs", "2"]);
        std::thread::sleep(Duration::from_millis(delay));
        run.signal(Signal::SIGTERM);
        // Before the first instruction of ours a signal kills.
        let code = run.end(ENDS_WITHIN);
        assert!(matches!(code, Some(143) | None), "after {delay} ms: {code:?}");
        place.nothing_is_left(GONE_WITHIN);
        if code.is_some() && place.path("out/run.json").exists() {
            let (code, told) = verify(&place);
            assert!(code == Some(0) || told.is_empty(), "after {delay} ms: {told}");
        }
    }
}

#[test]
fn a_full_disk_stops_the_run_and_what_was_recorded_is_readable() {
    if !browser_names().contains(&"headless-shell") {
        eprintln!("skipped: needs the headless shell");
        return;
    }
    let place = place();
    // Every step thinks for 20 000 characters, so that the trace grows past what a file may hold.
    let thought = "x".repeat(20_000);
    let line = serde_json::json!({ "action": "noop(0)", "thought": thought }).to_string() + "\n";
    place.write("script", &line.repeat(12));
    // The limit stands for a full disk. The browser gets its own back: it is not what is tested.
    let shell = discreet::browser::candidates(&discreet::browser::Wanted::HeadlessShell)
        .into_iter()
        .find(|candidate| candidate.path.is_file())
        .unwrap();
    let wrapper = place.write(
        "headless-shell",
        &format!("#!/bin/sh\nulimit -S -f unlimited\nexec '{}' \"$@\"\n", shell.path.display()),
    );
    std::fs::set_permissions(&wrapper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let output = place
        .command("sh")
        // 200 blocks of 512 bytes, or of 1 024 where `sh` is bash.
        .args(["-c", "trap '' XFSZ; ulimit -S -f 200; exec \"$@\"", "sh"])
        .arg(support::binary())
        .args(["run", "scenarios", "--agent", "refuser,script:script", "--observe", "axtree", "--jobs", "1"])
        .args(["--out", "out", "--browser", "headless-shell"])
        .env("DISCREET_CHROMIUM", &wrapper)
        .output()
        .unwrap();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{error}");
    assert!(error.contains("error: failed to record the episode"), "{error}");
    assert!(error.contains("trace.jsonl") && error.contains("File too large"), "{error}");
    assert!(error.contains("hint: check free space"), "{error}");
    place.nothing_is_left(Duration::ZERO);
    let rows = place.rows("out");
    let agents: Vec<&str> = rows.iter().map(|row| row["agent"].as_str().unwrap()).collect();
    assert_eq!(agents, ["refuser"], "the episode that could not be recorded has no row");
    let (code, told) = verify(&place);
    let told: Vec<&str> = told.lines().collect();
    assert_eq!((code, told.len()), (Some(8), 2), "{told:?}");
    assert!(told[0].starts_with("ok ") && told[1].contains("incomplete"), "{told:?}");
    let kept = discreet::trace::Trace::load(&episodes(&place.path("out"))[1]).unwrap();
    assert!(kept.events.len() > 8, "{} events", kept.events.len());
}
