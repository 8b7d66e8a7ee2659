//! Runs among faults: browser, page, disk, machine or owner fails. What is recorded, how soon, and what
//! is left. `docs/faults.md` is the list; `matrix` checks that each of its tests is there.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod browser;
mod disk;
mod kill;
mod machine;
mod matrix;
mod signals;

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use support::eventually;
use support::runs::{Place, Running, errand, events_of, text};

/// A run has ended after so long, whatever happened to it. Bounds are for telling a hang: a machine may
/// be slow and loaded.
const ENDS_WITHIN: Duration = Duration::from_secs(90);

/// When we end, and whatever ends us, the browser is gone after so long.
const GONE_WITHIN: Duration = Duration::from_secs(30);

/// What is noticed by itself is on record after so long; what is not waits for the deadline of a step,
/// which is 30 seconds.
const NOTICED_WITHIN: Duration = Duration::from_secs(15);

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
