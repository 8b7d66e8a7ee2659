//! How long it takes to list a run of 1 000 episodes, to open an episode of 20 steps, and to record a
//! step, and what a picture takes; `cargo bench --bench report`. Each figure has a budget, and one that is
//! broken fails the run.

#[path = "../tests/support/traces.rs"]
mod traces;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use discreet::report::viewer::{Library, episode_view};
use discreet::report::{Cases, Report, episode_folders, report_html};
use discreet::stats::Bootstrap;
use discreet::trace::{Event, KeptPicture, ObservationRecord, Recorder, ReplyRecord, keep_picture};
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

/// Screenshots of the workspace, as Chromium wrote them.
fn screenshots() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/traces/format-1/blobs");
    let entries = std::fs::read_dir(folder).expect("the sample is there").flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "png"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a screenshot")).collect()
}

/// Records observation and reply of 20 steps with a tree and a picture of usual size, made small before, as
/// it is beside a step; returns the time a step waits.
fn record(folder: &Path, kept: &KeptPicture) -> Duration {
    let started = traces::first_event(&Told::default());
    let mut recorder = Recorder::create(&folder.join("trace")).expect("a new trace");
    recorder.record(&started).expect("recorded");
    let started = Instant::now();
    for step in 1..=20_u32 {
        let lines: Vec<String> =
            (0..120).map(|line| format!("\t[{line}] link 'Message {step} of {line}'\n")).collect();
        let tree = lines.concat();
        let axtree = recorder.blob(tree.as_bytes(), "txt").expect("a blob");
        // Another one at every step: a byte more does not matter to the recorder.
        let picture = [kept.bytes.as_slice(), &step.to_le_bytes()].concat();
        let screenshot = recorder.blob(&picture, kept.extension).expect("a blob");
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
    let screenshots = screenshots();
    let kept: Vec<KeptPicture> = screenshots.iter().map(|png| keep_picture(png)).collect();
    let small = median(5, || {
        for png in &screenshots {
            assert!(!keep_picture(png).bytes.is_empty());
        }
    });
    let pictures = u32::try_from(screenshots.len()).expect("few");
    let small = small / pictures;
    let mean = |bytes: usize| bytes / screenshots.len();
    let (as_given, as_kept) = (
        mean(screenshots.iter().map(Vec::len).sum()),
        mean(kept.iter().map(|picture| picture.bytes.len()).sum()),
    );
    let step = record(folder.path(), &kept[0]);
    let mut code = ExitCode::SUCCESS;
    for (what, took, budget) in [
        ("list 1 000 episodes", list, Duration::from_secs(1)),
        ("open an episode of 20 steps", open, Duration::from_millis(300)),
        ("report 1 000 episodes as HTML", report, Duration::from_secs(10)),
        ("record a step", step, Duration::from_millis(5)),
        ("make a picture small, beside the step", small, Duration::from_millis(100)),
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
    // What 20 steps of pictures may take of the 1 MB of an episode.
    let verdict = if as_kept <= 32_000 { "ok" } else { "over" };
    if as_kept > 32_000 {
        code = ExitCode::FAILURE;
    }
    #[expect(clippy::print_stdout, reason = "a benchmark prints")]
    {
        println!("{verdict:>4}  a picture: {as_given} bytes as given, {as_kept} as kept (budget 32000)");
    }
    code
}
