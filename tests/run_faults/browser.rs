//! The browser or its page fails.

use std::collections::BTreeSet;
use std::time::Duration;

use nix::sys::signal::Signal;
use serde_json::json;

use super::support::runs::{
    Place, browser_names, episodes, errand, events, events_of, has_browser, lines, send, wait_for_step,
};
use super::{ENDS_WITHIN, NOTICED_WITHIN, last_event, outcomes, place, start, verify};
use crate::support::eventually;

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
    let (last, took) = last_event(&episode, NOTICED_WITHIN);
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
fn an_episode_whose_headless_shell_is_killed_is_lost_at_once_and_the_next_one_runs() {
    a_killed_browser("headless-shell");
}

#[test]
fn an_episode_whose_chromium_is_killed_is_lost_at_once_and_the_next_one_runs() {
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
    let (last, took) = last_event(&episode, NOTICED_WITHIN);
    assert_eq!(last["outcome"], "page_crashed", "after {took:?}: {last}");
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    let rows = place.rows("out");
    assert_eq!(outcomes(&rows), ["page_crashed", "finished"]);
    assert!(rows[0]["state_hash"].is_string(), "what was persisted is read back: {}", rows[0]);
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
    let (last, _) = last_event(&episode, ENDS_WITHIN);
    assert_eq!(last["outcome"], "page_hung", "{last}");
    wait_for_step(&place.path("out"), 2, 1);
    assert!(!run.browsers().contains(&stopped[0]), "the browser that stood still is gone");
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    assert_eq!(outcomes(&place.rows("out")), ["page_hung", "finished"]);
    place.nothing_is_left(Duration::ZERO);
}

/// A browser may die while an address opens, in the middle of a click or of typing, and while the next
/// observation with its picture is taken.
#[test]
fn a_browser_killed_in_the_middle_of_any_action_or_observation_is_lost() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("first__one"));
    // What the oracle does for the errand is the script, so that its actions do something.
    place.run("first", &["--agent", "oracle", "--observe", "axtree"]);
    let replies = events_of(&episodes(&place.path("first"))[0], "reply");
    let actions: Vec<String> =
        replies.iter().map(|reply| reply["action"].as_str().unwrap().to_owned()).collect();
    let actions: Vec<String> = actions.into_iter().filter(|action| !action.starts_with("finish")).collect();
    place.write("script", &(actions.join("\n") + "\nnoop(5000)\n"));
    // The first action of each kind, and the observations after two of them.
    let mut moments = vec![("action_result".to_owned(), 1), ("action_result".to_owned(), actions.len())];
    let mut kinds = BTreeSet::new();
    for (number, action) in actions.iter().enumerate() {
        if kinds.insert(action.split('(').next().unwrap().to_owned()) {
            moments.push(("reply".to_owned(), number + 1));
        }
    }
    assert!(kinds.len() >= 2, "{actions:?}");
    for (kind, step) in moments {
        let what = format!("{kind} {step} of {actions:?}");
        let out = format!("{kind}-{step}");
        let mut run = place.start(&[
            "run",
            "scenarios",
            "--agent",
            "script:script",
            "--jobs",
            "1",
            "--retries",
            "0",
            "--observe",
            "mixed",
            "--out",
            &out,
        ]);
        let episode = wait_for_step(&place.path(&out), 1, 1);
        eventually(&what, ENDS_WITHIN, || {
            events(&episode).iter().any(|(of, event)| *of == kind && event["step"] == step)
        });
        for browser in run.browsers() {
            send(browser, Signal::SIGKILL);
        }
        let (last, took) = last_event(&episode, NOTICED_WITHIN);
        assert_eq!(last["outcome"], "browser_lost", "{what} after {took:?}: {last}");
        assert_eq!(run.end(ENDS_WITHIN), Some(0));
        assert_eq!(place.rows(&out)[0]["utility"], json!(null), "{what}");
        assert_eq!(place.discreet(&["verify", &out]).status.code(), Some(0), "{what}");
        place.nothing_is_left(Duration::ZERO);
    }
}

/// Several episodes share a browser: its end is theirs and nobody else's, and each is acted out again.
#[test]
fn a_browser_that_dies_takes_the_episodes_in_it_along_and_no_other() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("first__one"));
    place.scenario(&errand("second__one"));
    // An agent that waits for a file, and then does something and ends.
    let go = place.path("go");
    let agent = format!(
        "while read -r line; do case \"$line\" in *'\"type\":\"observe\"'*)
        while [ ! -e {} ]; do sleep 0.05; done
        if [ -z \"$done\" ]; then echo '{{\"action\": \"noop()\"}}'; else echo '{{\"action\": \"finish()\"}}'; fi
        done=1;; esac; done",
        go.display()
    );
    let agent = format!("exec:sh {}", place.write("agent.sh", &agent).display());
    let mut run = place.start(&[
        "run",
        "scenarios",
        "--agent",
        &agent,
        "--trials",
        "2",
        "--jobs",
        "4",
        "--jobs-per-browser",
        "2",
        "--observe",
        "axtree",
        "--out",
        "out",
    ]);
    for number in 1..=4 {
        wait_for_step(&place.path("out"), number, 1);
    }
    let browsers = run.browsers();
    assert_eq!(browsers.len(), 2, "four episodes, two to a browser: {browsers:?}");
    send(browsers[0], Signal::SIGKILL);
    std::fs::write(&go, "").unwrap();
    assert_eq!(run.end(ENDS_WITHIN), Some(0));
    assert_eq!(outcomes(&place.rows("out")), ["finished"; 4]);
    let attempts = lines(&place.path("out/results.partial.jsonl"));
    let lost: BTreeSet<String> = attempts
        .iter()
        .filter(|row| row["outcome"] == "browser_lost")
        .map(|row| format!("{} {}", row["scenario_id"], row["trial"]))
        .collect();
    assert_eq!((attempts.len(), lost.len()), (6, 2), "two were lost, one time each: {attempts:#?}");
    assert_eq!(verify(&place).0, Some(0), "{}", verify(&place).1);
    place.nothing_is_left(Duration::ZERO);
}
