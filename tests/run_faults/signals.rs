//! Signals, and an owner that is gone.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::json;

use super::support::runs::{Place, episodes, errand, has_browser, send, wait_for_step};
use super::{ENDS_WITHIN, GONE_WITHIN, last_event, outcomes, place, start, verify};
use crate::support::eventually;

#[test]
fn a_killed_run_leaves_no_browser_and_traces_that_can_be_read() {
    if !has_browser() {
        return;
    }
    let place = place();
    let mut run = start(&place, &["--jobs", "2", "--jobs-per-browser", "1"]);
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
    run.signal(signal);
    assert_eq!(run.end(GONE_WITHIN), Some(code));
    place.nothing_is_left(Duration::ZERO);
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
fn a_closed_terminal_ends_a_run_cleanly() {
    a_signal_ends_a_run_cleanly(Signal::SIGHUP, 143);
}

/// An agent that says that it was asked, and answers when it is told to: what is done meanwhile is done while
/// the run goes on.
fn agent_that_waits(place: &Place) -> String {
    let agent = place.write(
        "agent.sh",
        "touch asked; while [ ! -e go ]; do /bin/sleep 0.05; done; read -r a; read -r b; echo '{\"completed\": false}'",
    );
    format!("exec:sh {}", agent.display())
}

#[test]
fn a_closed_terminal_does_not_end_a_run_that_is_to_outlive_it() {
    let place = Place::new();
    place.scenario(&errand("only__one"));
    let agent = agent_that_waits(&place);
    let arguments = ["run", "scenarios", "--mode", "state", "--agent", &agent, "--out", "out"];
    let mut command = place.command("nohup");
    command.arg(crate::support::binary()).args(arguments);
    let mut run = place.start_command(command);
    eventually("the agent is asked", ENDS_WITHIN, || place.path("asked").exists());
    run.signal(Signal::SIGHUP);
    place.write("go", "");
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    assert_eq!(outcomes(&place.rows("out")), ["finished"]);
    place.nothing_is_left(GONE_WITHIN);
}

#[test]
fn a_second_interrupt_ends_a_run_at_once() {
    if !has_browser() {
        return;
    }
    // A clean end takes as long as closing a page of a browser that stands still, which is two seconds.
    // Where this machine lets more time pass between the two signals, it is tried again.
    for _ in 0..5 {
        let place = place();
        let mut run = start(&place, &["--jobs", "1"]);
        wait_for_step(&place.path("out"), 1, 2);
        send(run.browsers()[0], Signal::SIGSTOP);
        let told = || std::fs::read_to_string(place.path("stderr")).unwrap();
        let first = Instant::now();
        run.signal(Signal::SIGINT);
        eventually("the first signal is told", ENDS_WITHIN, || told().contains("once more ends at once"));
        let apart = first.elapsed();
        run.signal(Signal::SIGINT);
        assert_eq!(run.end(ENDS_WITHIN), Some(130));
        place.nothing_is_left(GONE_WITHIN);
        if apart < Duration::from_secs(1) {
            assert!(!told().contains("of 2 episodes"), "it did not wait for a clean end: {}", told());
            assert_eq!(verify(&place).0, Some(8), "the episode was cut off");
            return;
        }
    }
    panic!("this machine never delivered two signals within a second");
}

#[test]
fn a_run_that_is_stopped_and_goes_on_has_lost_no_time() {
    let place = Place::new();
    place.scenario(&errand("only__one"));
    let agent = agent_that_waits(&place);
    let mut run = place.start(&[
        "run",
        "scenarios",
        "--mode",
        "state",
        "--agent",
        &agent,
        "--agent-timeout",
        "5",
        "--out",
        "out",
    ]);
    eventually("the agent is asked", ENDS_WITHIN, || place.path("asked").exists());
    run.signal(Signal::SIGSTOP);
    // Longer than the agent may take: a pause has a length and nothing to wait for.
    std::thread::sleep(Duration::from_secs(7));
    run.signal(Signal::SIGCONT);
    place.write("go", "");
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    let rows = place.rows("out");
    assert_eq!(rows[0]["outcome"], json!("finished"), "{}", rows[0]);
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
