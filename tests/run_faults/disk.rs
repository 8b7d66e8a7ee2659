//! A disk that is full, or cannot be written.

use std::time::Duration;

use super::support::runs::{Place, browser_names, episodes, errand, text};
use super::{outcomes, place, verify};
use crate::support;

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

/// Runs the binary with its output folder `out` on a disk of so many kilobytes, and copies what is on
/// it to `copy`; `None` where no such disk can be had here.
fn on_a_small_disk(place: &Place, kilobytes: u32, arguments: &[&str]) -> Option<(Option<i32>, String)> {
    let script = "mkdir -p disk && mount -t tmpfs -o \"size=${1}k\" tmpfs disk || exit 99; \
                  rm -rf copy; shift; \"$@\"; code=$?; cp -r disk/out copy; exit $code";
    let output = place
        .command("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", &kilobytes.to_string()])
        .arg(support::binary())
        .args(arguments)
        .output()
        .ok()?;
    let said = text(&output.stderr);
    let is_possible = output.status.code() != Some(99) && !said.starts_with("unshare:");
    if !is_possible {
        support::skip(&format!("no small disk can be had here: {said}"));
    }
    is_possible.then(|| (output.status.code(), said))
}

/// Plays on disks of growing size until everything fits; returns how many were too small.
fn until_it_fits(
    place: &Place,
    sizes: impl Iterator<Item = u32>,
    more: &[&str],
    expected: [&str; 2],
) -> Option<usize> {
    let mut arguments = vec!["run", "scenarios", "--jobs", "1", "--out", "disk/out"];
    arguments.extend(more);
    for (too_small, kilobytes) in sizes.enumerate() {
        let (code, said) = on_a_small_disk(place, kilobytes, &arguments)?;
        place.nothing_is_left(super::GONE_WITHIN);
        if code == Some(0) {
            assert_eq!(outcomes(&place.rows("copy")), expected, "{kilobytes} kB");
            return Some(too_small);
        }
        assert_eq!(code, Some(6), "{kilobytes} kB: {said}");
        assert!(said.contains("error: failed to "), "{kilobytes} kB: {said}");
        assert!(
            said.contains("hint: check free space") && !said.contains("panicked"),
            "{kilobytes} kB: {said}"
        );
        // What was recorded before verifies, the rest is called incomplete.
        if place.path("copy/episodes").is_dir() {
            let told = text(&place.discreet(&["verify", "copy"]).stdout);
            assert!(
                told.lines().all(|line| line.starts_with("ok ") || line.contains("incomplete")),
                "{kilobytes} kB: {told}"
            );
        }
        // With room again it is gone on with.
        if place.path("copy").is_dir() {
            arguments[5] = "copy";
            arguments.push("--resume");
            let resumed = place.discreet(&arguments);
            assert_eq!(resumed.status.code(), Some(0), "{kilobytes} kB: {}", text(&resumed.stderr));
            assert_eq!(outcomes(&place.rows("copy")), expected, "{kilobytes} kB");
            arguments.pop();
            arguments[5] = "disk/out";
        }
    }
    panic!("it fits on none of these disks");
}

#[test]
fn a_run_on_a_disk_of_any_size_says_what_did_not_fit_and_can_be_gone_on_with() {
    let place = Place::new();
    place.scenario(&errand("only__one"));
    // A page of memory more each time.
    let sizes = (4..=400).step_by(4);
    let too_small =
        until_it_fits(&place, sizes, &["--agent", "oracle,refuser", "--mode", "state"], ["finished"; 2]);
    assert!(too_small.is_none_or(|count| count >= 5), "only {too_small:?} disks were too small");
}

#[test]
fn an_episode_in_the_browser_on_disks_of_several_sizes_says_what_did_not_fit() {
    if browser_names().is_empty() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("only__one"));
    let sizes = [24, 72, 104, 152, 4_000].into_iter();
    let too_small = until_it_fits(
        &place,
        sizes,
        &["--agent", "oracle,refuser", "--observe", "axtree"],
        ["finished", "agent_stopped"],
    );
    assert!(too_small.is_none_or(|count| count >= 3), "only {too_small:?} disks were too small");
}

#[test]
fn an_output_folder_that_cannot_be_written_is_told_before_anything_starts() {
    let place = Place::new();
    place.scenario(&errand("only__one"));
    place.write("file", "");
    let long = "a".repeat(300);
    for (out, said) in [
        ("file/out", "Not a directory"),
        (long.as_str(), "File name too long"),
        ("/proc/discreet", "/proc/discreet"),
    ] {
        let output =
            place.discreet(&["run", "scenarios", "--mode", "state", "--agent", "oracle", "--out", out]);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{out}: {told}");
        assert!(told.contains("error: failed to ") && told.contains(said), "{out}: {told}");
        assert!(told.contains("hint: check free space and permissions"), "{out}: {told}");
        assert_eq!(told.matches("os error").count(), 1, "the cause is said once: {told}");
        place.nothing_is_left(Duration::ZERO);
    }
}
