//! Killed at random points and gone on with: nothing that was finished is lost, nothing is done twice.
//!
//! A sample of what `scripts/long kill` does; `DISCREET_TEST_KILLS` says how often, `DISCREET_TEST_EPISODES`
//! how long the run is, `DISCREET_TEST_SEED` when.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use discreet::trace::{TraceError, verify};
use nix::sys::signal::Signal;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::support::runs::{Place, episodes, errand, has_browser, lasting, lines, report};
use super::{ENDS_WITHIN, GONE_WITHIN};
use crate::support::setting;

/// How long a whole run may take that was gone on with.
const WHOLE_WITHIN: Duration = Duration::from_secs(600);

/// The whole episodes of a run by folder, with their roots; all others are cut off, not broken.
fn whole_episodes(run: &Path) -> BTreeMap<String, String> {
    let mut whole = BTreeMap::new();
    for episode in episodes(run) {
        match verify(&episode) {
            Ok(verified) => {
                let name = episode.file_name().unwrap().to_string_lossy().into_owned();
                whole.insert(name, verified.root.to_string());
            }
            Err(TraceError::Incomplete { .. } | TraceError::NotATrace { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    whole
}

#[test]
fn a_run_killed_at_random_points_and_gone_on_with_gives_the_same_rows_and_report() {
    if !has_browser() {
        return;
    }
    let kills = setting("DISCREET_TEST_KILLS", 3);
    let planned = usize::try_from(setting("DISCREET_TEST_EPISODES", 4)).unwrap();
    let seed = setting("DISCREET_TEST_SEED", 1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let place = Place::new();
    for number in 0..planned.div_ceil(2) {
        place.scenario(&errand(&format!("family_{}__{number}", number % 5)));
    }
    let flags = ["--agent", "oracle,idle", "--observe", "axtree", "--max-steps", "8", "--jobs", "2"];
    let started = Instant::now();
    let whole = lasting(&place.run("whole", &flags));
    let took = started.elapsed();
    let told = report(&place, "whole");
    assert!(told["summaries"].as_array().is_some_and(|summaries| !summaries.is_empty()), "{told}");

    let (mut killed, mut round) = (0, 0);
    let mut moments = Vec::new();
    while killed < kills {
        round += 1;
        let out = format!("round-{round}");
        let mut arguments = vec!["run", "scenarios", "--resume", "--out", &out];
        arguments.extend(flags);
        let mut kept = BTreeMap::new();
        loop {
            // Late enough for some to end an episode, early enough for some to hit the start.
            let longest = took / u32::try_from(planned).unwrap() * 4 + Duration::from_millis(1_500);
            let moment = longest.mul_f64(random.random_range(0.0..1.0));
            let mut run = place.start(&arguments);
            let started = Instant::now();
            let mut ended = None;
            while ended.is_none() && (killed == kills || started.elapsed() < moment) {
                ended = run.ended();
                assert!(started.elapsed() < WHOLE_WITHIN, "the run does not end");
                std::thread::sleep(Duration::from_millis(2));
            }
            if let Some(status) = ended {
                let said = std::fs::read_to_string(place.path("stderr")).unwrap();
                assert_eq!(status.code(), Some(0), "seed {seed}, after {killed} kills: {said}");
                break;
            }
            run.signal(Signal::SIGKILL);
            assert_eq!(run.end(ENDS_WITHIN), None);
            killed += 1;
            place.nothing_is_left(GONE_WITHIN);
            let now = whole_episodes(&place.path(&out));
            moments.push(format!("{}:{}", moment.as_millis(), now.len()));
            for (episode, root) in &kept {
                assert_eq!(now.get(episode), Some(root), "seed {seed}, kill {killed}: {episode} was whole");
            }
            kept = now;
        }
        let rows = place.rows(&out);
        assert_eq!(lasting(&rows), whole, "seed {seed}, round {round}");
        let now = whole_episodes(&place.path(&out));
        assert_eq!((now.len(), rows.len()), (whole.len(), whole.len()), "none is lost, none is there twice");
        for (episode, root) in &kept {
            assert_eq!(now.get(episode), Some(root), "seed {seed}: {episode} was whole and is done again");
        }
        // What was whole has one row for ever: only what was cut off is told of again.
        let told_rows = lines(&place.path(&out).join("results.partial.jsonl"));
        for (episode, root) in &kept {
            let rows = told_rows.iter().filter(|row| {
                row["trace"].as_str().is_some_and(|trace| trace.ends_with(episode.as_str()))
                    && row["trace_root"] == root.as_str()
            });
            assert!(rows.count() <= 1, "seed {seed}: {episode} is told of twice");
        }
        assert_eq!(report(&place, &out), told, "seed {seed}, round {round}");
        assert_eq!(place.discreet(&["verify", &out]).status.code(), Some(0));
        place.nothing_is_left(GONE_WITHIN);
    }
    eprintln!(
        "{killed} kills of seed {seed} in {round} runs of {} episodes, equal rows and report; ms:whole {}",
        whole.len(),
        moments.join(" ")
    );
}
