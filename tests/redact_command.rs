//! `discreet redact` through the real binary: what is shared holds no secret, in texts and in pictures.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};

use support::runs::{Place, episodes, errand, events_of, text};

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// Pixels of a step's picture that are covered, and all of them.
fn covered(episode: &Path, step: usize) -> (usize, usize) {
    let observation = &events_of(episode, "observation")[step - 1];
    let part = |name: &str| observation["screenshot"][name].as_str().unwrap();
    let name = format!("{}.{}", part("sha256"), part("extension"));
    let picture = image::open(episode.join("blobs").join(name)).unwrap().to_rgb8();
    (picture.pixels().filter(|pixel| pixel.0 == [32, 36, 44]).count(), picture.pixels().count())
}

#[test]
fn a_shared_run_holds_no_secret_and_shows_what_is_none() {
    if !support::runs::has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("shared__one"));
    place.run("run", &["--agent", "careless", "--max-steps", "12"]);
    let output = place.discreet(&["redact", "run", "--out", "shared"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).starts_with("ok 1 labels "), "{}", text(&output.stdout));
    for file in files(&place.path("shared")) {
        let bytes = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).to_lowercase();
        assert!(!bytes.contains("vet appointment"), "{}", file.display());
    }
    let verified = place.discreet(&["verify", "shared"]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stdout));
    let copy = &episodes(&place.path("shared"))[0];
    let notes = events_of(copy, "note");
    assert_eq!(notes[0]["topic"], "redacted");
    let row = &place.rows("shared")[0];
    assert_eq!(row["leaked_items"], serde_json::json!(["[S1]"]));

    // Where the item stands is known: a part of the picture is covered, and not all of it.
    let trees = events_of(copy, "observation");
    let holding: Vec<usize> = (1..=trees.len())
        .filter(|step| {
            let name = format!("{}.txt", trees[step - 1]["axtree"]["sha256"].as_str().unwrap());
            std::fs::read_to_string(copy.join("blobs").join(name)).unwrap().contains("[S1]")
        })
        .collect();
    assert!(!holding.is_empty());
    let parts: Vec<(usize, usize)> = holding.iter().map(|step| covered(copy, *step)).collect();
    assert!(parts.iter().any(|(cover, all)| *cover > 500 && *cover < all / 4), "{parts:?}");
    assert_eq!(covered(copy, 1).0, 0, "nothing of it on the first page");

    // Without a browser nobody knows where: all of the picture is covered.
    let output = place.discreet(&["redact", "run", "--out", "blind", "--no-browser", "--items", "all"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (cover, all) = covered(&episodes(&place.path("blind"))[0], holding[0]);
    assert_eq!(cover, all);

    // Nothing is written over, and the report and the viewer take the copy.
    let again = place.discreet(&["redact", "run", "--out", "shared"]);
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(place.discreet(&["report", "shared", "--resamples", "100"]).status.code(), Some(0));
    assert_eq!(place.discreet(&["view", "shared", "--export", "shared.html"]).status.code(), Some(0));
    place.nothing_is_left(std::time::Duration::from_secs(10));
}
