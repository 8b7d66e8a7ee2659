//! How long it takes to list a run of 1 000 episodes, to open an episode of 20 steps, and to record a
//! step; `cargo bench --bench report`. Each figure has a budget, and one that is broken fails the run.

#[path = "../tests/support/traces.rs"]
mod traces;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use discreet::report::viewer::{Library, episode_view};
use discreet::report::{Cases, Report, episode_folders, report_html};
use discreet::stats::Bootstrap;
use discreet::trace::{Event, ObservationRecord, Recorder, ReplyRecord};
use traces::{Told, write_run};

/// The median of some runs.
fn median(times: usize, mut run: impl FnMut()) -> Duration {
    let mut taken: Vec<Duration> = (0..times)
        .map(|_| {
            let started = Instant::now();
            run();
            started.elapsed()
        })
        .collect();
    taken.sort_unstable();
    taken[taken.len() / 2]
}

/// Records observation and reply of 20 steps with a tree and a picture of usual size; returns the time a
/// step takes.
fn record(folder: &Path) -> Duration {
    let started = traces::first_event(&Told::default());
    let mut recorder = Recorder::create(&folder.join("trace")).expect("a new trace");
    recorder.record(&started).expect("recorded");
    let started = Instant::now();
    for step in 1..=20_u32 {
        let lines: Vec<String> =
            (0..120).map(|line| format!("\t[{line}] link 'Message {step} of {line}'\n")).collect();
        let tree = lines.concat();
        let axtree = recorder.blob(tree.as_bytes(), "txt").expect("a blob");
        // As large as a screenshot of the workspace; its content does not matter here.
        let png: Vec<u8> =
            (0..90_000_u32).map(|byte| (byte.wrapping_mul(step) >> 3).to_le_bytes()[0]).collect();
        let screenshot = recorder.blob(&png, "png").expect("a blob");
        let observation = ObservationRecord {
            step,
            axtree: Some(axtree),
            screenshot: Some(screenshot),
            ..ObservationRecord::default()
        };
        recorder.record(&Event::Observation(observation)).expect("recorded");
        recorder.record(&Event::Reply(ReplyRecord { step, ..ReplyRecord::default() })).expect("recorded");
    }
    started.elapsed() / 20
}

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let episodes: Vec<Told> = (0..1000)
        .map(|index| Told {
            scenario: format!("family-{}__{index}", index % 36),
            leaked: index % 3 == 0,
            words: "words ".repeat(40),
            steps: if index == 0 { 20 } else { 2 },
            ..Told::default()
        })
        .collect();
    write_run(&run, &episodes);
    let list = median(5, || {
        let library = Library::open(&run).expect("a run");
        assert!(library.list().to_string().len() > 100_000);
    });
    let first = episode_folders(&run).remove(0);
    let open = median(9, || assert!(episode_view(&first)["verified"]["ok"] == true));
    let report = median(3, || {
        let cases = Cases::load(std::slice::from_ref(&run)).expect("a run");
        let html = report_html(&cases, &Report::of(&cases, Bootstrap::default())).expect("a page");
        assert!(html.len() > 10_000);
    });
    let step = record(folder.path());
    let mut code = ExitCode::SUCCESS;
    for (what, took, budget) in [
        ("list 1 000 episodes", list, Duration::from_secs(1)),
        ("open an episode of 20 steps", open, Duration::from_millis(300)),
        ("report 1 000 episodes as HTML", report, Duration::from_secs(10)),
        ("record a step", step, Duration::from_millis(5)),
    ] {
        let verdict = if took <= budget { "ok" } else { "over" };
        if took > budget {
            code = ExitCode::FAILURE;
        }
        #[expect(clippy::print_stdout, reason = "a benchmark prints")]
        {
            println!("{verdict:>4}  {what}: {took:.1?} (budget {budget:?})");
        }
    }
    code
}
