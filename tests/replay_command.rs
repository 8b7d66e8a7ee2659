//! `discreet replay` through the real binary: what was recorded happens again, and what was not is
//! named.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use discreet::trace::{Event, Recorder, TRACE_FILE, Trace};
use serde_json::Value;
use support::runs::{Place, episodes, errand, text};

/// Records a trace anew with another content: it holds together, and is not what happened.
fn forge(from: &Path, to: &Path, change: impl Fn(&mut Event)) {
    let trace = Trace::load(from).unwrap();
    let mut recorder = Recorder::create(to).unwrap();
    for recorded in trace.events {
        let mut event = recorded.event;
        for blob in event.blobs() {
            let name = blob.file_name();
            let bytes = std::fs::read(from.join("blobs").join(&name)).unwrap();
            recorder.blob(&bytes, name.rsplit_once('.').unwrap().1).unwrap();
        }
        change(&mut event);
        match event {
            Event::EpisodeFinished(finished) => {
                std::fs::copy(from.join("workspace.sqlite"), to.join("workspace.sqlite")).unwrap();
                recorder.finish(*finished).unwrap();
                return;
            }
            event => recorder.record(&event).unwrap(),
        }
    }
}

#[test]
fn every_episode_of_a_run_happens_again_and_a_forged_one_does_not() {
    if !support::runs::has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("again__one"));
    place.run("run", &["--agent", "oracle,careless,random,idle", "--max-steps", "6"]);
    let output = place.discreet(&["replay", "run"]);
    assert_eq!(output.status.code(), Some(0), "{}\n{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().filter(|line| line.starts_with("ok ")).count(), 4);

    // In the variation it was recorded in.
    place.run(
        "varied",
        &["--agent", "oracle", "--variation", "theme=dark,nav=hub,viewport=phone,content=dense"],
    );
    let output = place.discreet(&["replay", "varied"]);
    assert_eq!(output.status.code(), Some(0), "{}\n{}", text(&output.stdout), text(&output.stderr));

    // Another first reply: from the second step on all is different.
    let careless = episodes(&place.path("run")).remove(0);
    forge(&careless, &place.path("forged"), |event| {
        if let Event::Reply(reply) = event
            && reply.step == 1
        {
            reply.action = "goto('http://openapps.test/shop')".to_owned();
        }
    });
    let verified = place.discreet(&["verify", "forged"]);
    assert_eq!(verified.status.code(), Some(0), "it holds together: {}", text(&verified.stdout));
    let output = place.discreet(&["replay", "forged", "--json"]);
    assert_eq!(output.status.code(), Some(8), "{}", text(&output.stderr));
    let told: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
    assert_eq!((&told["ok"], &told["divergence"]["step"]), (&Value::from(false), &Value::from(1)));
    assert_eq!(told["divergence"]["what"], "action", "{told}");

    // Other words were sent than the log says.
    let oracle = episodes(&place.path("run")).remove(2);
    forge(&oracle, &place.path("words"), |event| {
        if let Event::WorkspaceEvents(written) = event {
            for stored in &mut written.events {
                stored["payload"]["text"] = "something else".into();
            }
        }
    });
    let output = place.discreet(&["replay", "words"]);
    assert_eq!(output.status.code(), Some(8));
    assert!(text(&output.stdout).contains("state: at [0].payload"), "{}", text(&output.stdout));

    // A trace that was cut off is replayed up to there; a broken one is not replayed at all.
    let path = oracle.join(TRACE_FILE);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let output = place.discreet(&["replay", oracle.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    std::fs::write(&path, [&bytes[..200], b"x", &bytes[201..]].concat()).unwrap();
    let output = place.discreet(&["replay", oracle.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(8));
    assert!(text(&output.stdout).starts_with("bad: "), "{}", text(&output.stdout));
    place.nothing_is_left(std::time::Duration::from_secs(10));
}

#[test]
fn a_folder_without_a_trace_is_told() {
    let place = Place::new();
    let output = place.discreet(&["replay", "tmp"]);
    assert_eq!(output.status.code(), Some(8));
    assert!(text(&output.stderr).contains("hint:"), "{}", text(&output.stderr));
}
