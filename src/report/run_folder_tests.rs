use super::super::manifest::ManifestScenario;
use super::*;
use crate::error::Outcome;
use crate::trace::{EpisodeFinished, Event, Recorder, Timing, testing};

fn manifest() -> Manifest {
    let scenario = |file: &str, id: &str| ManifestScenario {
        file: file.into(),
        line: None,
        scenario_id: id.into(),
        hash: format!("hash of {id}"),
    };
    Manifest {
        run_id: "run-1".into(),
        created: "2026-05-19T09:00:00Z".parse().unwrap(),
        discreet_version: "0.1.0".into(),
        settings: serde_json::json!({ "agents": ["oracle"], "max_steps": 20 }),
        scenarios: vec![scenario("b/first.json", "family__two"), scenario("a/second.json", "family__one")],
        browser: Some("chromium 156".into()),
        episodes: 3,
        shard: None,
    }
}

fn record(episode: &Episode, scenario_id: &str, agent: &str) -> Row {
    let Event::EpisodeStarted(mut started) = testing::started() else { panic!() };
    started.scenario_id = scenario_id.into();
    started.agent = agent.into();
    let mut recorder = Recorder::create(&episode.path).unwrap();
    recorder.record(&Event::EpisodeStarted(started)).unwrap();
    recorder.finish(testing::finished()).unwrap();
    Row::from_trace(&episode.path, &episode.relative).unwrap()
}

#[test]
fn results_are_written_from_the_traces_in_the_documented_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(Some(folder.path()), manifest()).unwrap();
    for (number, (id, agent)) in
        [("family__two", "oracle"), ("family__one", "oracle"), ("family__one", "careless")]
            .into_iter()
            .enumerate()
    {
        let episode = run.episode_dir(number as u64 + 1, &format!("{id}/{agent}")).unwrap();
        let row = record(&episode, id, agent);
        run.append_partial(&row).unwrap();
    }
    let rows = run.finish().unwrap();
    let order: Vec<_> = rows.iter().map(|row| (row.scenario_id.as_str(), row.agent.as_str())).collect();
    assert_eq!(
        order,
        [("family__one", "careless"), ("family__one", "oracle"), ("family__two", "oracle")],
        "by file, then agent"
    );
    assert_eq!(rows[0].trace, "episodes/3-family__one-careless");
    assert_eq!(RunFolder::read(folder.path()).unwrap(), (manifest(), rows));
    assert!(verify_run(folder.path()).unwrap().iter().all(|(_, verified)| verified.is_ok()));
}

#[test]
fn an_episode_without_a_whole_trace_keeps_its_partial_row() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(Some(folder.path()), manifest()).unwrap();
    let Event::EpisodeStarted(started) = testing::started() else { panic!() };
    let finished = EpisodeFinished { outcome: Outcome::HarnessError, ..testing::finished() };
    let row = Row::of(&started, &finished);
    run.append_partial(&row).unwrap();
    let episode = run.episode_dir(1, "cut").unwrap();
    Recorder::create(&episode.path).unwrap().record(&testing::started()).unwrap();
    assert_eq!(run.finished_episodes().unwrap(), []);
    assert_eq!(run.finish().unwrap(), [row]);
}

#[test]
fn a_second_writer_is_refused_with_the_first_ones_process() {
    let folder = tempfile::tempdir().unwrap();
    let first = RunFolder::create(Some(folder.path()), manifest()).unwrap();
    let error = RunFolder::resume(Some(folder.path()), manifest()).unwrap_err();
    assert!(error.to_string().contains(&format!("(process {})", std::process::id())), "{error}");
    assert_eq!(error.fault(), Fault::Environment);
    drop(first);
    assert!(RunFolder::resume(Some(folder.path()), manifest()).is_ok());
}

#[test]
fn a_run_is_not_started_over_another_one_or_over_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    drop(RunFolder::create(Some(folder.path()), manifest()).unwrap());
    let error = RunFolder::create(Some(folder.path()), manifest()).unwrap_err();
    assert!(error.hint().unwrap().contains("--resume"), "{error}");
    let foreign = tempfile::tempdir().unwrap();
    std::fs::write(foreign.path().join("thesis.tex"), "x").unwrap();
    assert!(matches!(
        RunFolder::resume(Some(foreign.path()), manifest()),
        Err(RunFolderError::NotEmpty { .. })
    ));
}

#[test]
fn resume_works_where_there_is_nothing_and_where_a_killed_process_left_its_lock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/run");
    drop(RunFolder::resume(Some(&path), manifest()).unwrap());
    let killed = folder.path().join("killed");
    std::fs::create_dir(&killed).unwrap();
    std::fs::write(killed.join("lock"), "4194305\n").unwrap();
    assert!(RunFolder::resume(Some(&killed), manifest()).is_ok());
}

#[test]
fn a_resumed_run_keeps_what_verifies_cuts_a_torn_row_and_sets_aside_what_is_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunFolder::create(Some(folder.path()), manifest()).unwrap();
    let whole = run.episode_dir(1, "whole").unwrap();
    let row = record(&whole, "family__one", "oracle");
    run.append_partial(&row).unwrap();
    let cut = run.episode_dir(2, "cut").unwrap();
    Recorder::create(&cut.path).unwrap().record(&testing::started()).unwrap();
    run.partial.write_all(b"{\"run_id\":\"run-1\",\"scen").unwrap();
    drop(run);

    let later =
        Manifest { run_id: "run-2".into(), created: "2026-05-20T09:00:00Z".parse().unwrap(), ..manifest() };
    let mut run = RunFolder::resume(Some(folder.path()), later).unwrap();
    assert_eq!(run.manifest().run_id, "run-1");
    assert_eq!(run.finished_episodes().unwrap(), [(whole, row.clone())]);
    let again = run.episode_dir(2, "cut").unwrap();
    assert_eq!(again, cut);
    assert!(!again.path.exists() && folder.path().join("abandoned/2-cut.1/trace.jsonl").exists());
    let second = record(&again, "family__two", "oracle");
    run.append_partial(&second).unwrap();
    assert_eq!(run.finish().unwrap(), [row, second]);
    assert!(verify_run(folder.path()).unwrap().iter().all(|(_, verified)| verified.is_ok()));
}

#[test]
fn another_run_is_not_resumed_and_every_difference_is_named() {
    let folder = tempfile::tempdir().unwrap();
    drop(RunFolder::create(Some(folder.path()), manifest()).unwrap());
    let mut other = manifest();
    other.settings = serde_json::json!({ "agents": ["oracle"], "max_steps": 10, "seed": 1 });
    other.scenarios[1].hash = "changed".into();
    other.browser = None;
    let error = RunFolder::resume(Some(folder.path()), other).unwrap_err();
    let text = error.to_string();
    for part in
        ["`max_steps` (20 there, 10 here)", "`seed` (nothing there, 1 here)", "family__one", "none here"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("agents"), "{text}");
}

#[test]
fn an_exchanged_or_missing_trace_is_found_by_the_roots_in_the_results() {
    let folder = tempfile::tempdir().unwrap();
    let run = RunFolder::create(Some(folder.path()), manifest()).unwrap();
    let first = run.episode_dir(1, "one").unwrap();
    record(&first, "family__one", "oracle");
    let second = run.episode_dir(2, "two").unwrap();
    record(&second, "family__two", "oracle");
    run.finish().unwrap();
    std::fs::remove_dir_all(&first.path).unwrap();
    record(&first, "family__one", "another");
    std::fs::remove_dir_all(&second.path).unwrap();
    let checked = verify_run(folder.path()).unwrap();
    let kinds: Vec<_> = checked.iter().map(|(_, verified)| verified.as_ref().unwrap_err().kind()).collect();
    assert_eq!(kinds, ["other_root", "not_a_trace"]);
}

#[test]
fn a_name_never_leaves_its_folder() {
    for (name, expected) in
        [("../../x", "_..-..-x"), ("", "_"), (".", "_."), ("a b/ü", "a-b--"), ("ok-1.2_3", "ok-1.2_3")]
    {
        assert_eq!(slug(name), expected);
    }
    assert_eq!(slug(&"x".repeat(500)).len(), 80);
}

#[test]
fn a_folder_that_holds_something_else_is_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("letter.txt"), "mine").unwrap();
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    for attempt in [RunFolder::create, RunFolder::resume] {
        let error = attempt(Some(folder.path()), manifest()).unwrap_err();
        assert!(matches!(error, RunFolderError::NotEmpty { .. }), "{error}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before, "no lock lies there");
}

/// Does a run of two episodes on a disk; goes on with it where one is there already.
fn whole_run(
    run: Result<RunFolder, RunFolderError>,
    disk: &testing::FailingDisk,
) -> Result<Vec<Row>, String> {
    let mut run = run.map_err(|error| error.to_string())?;
    let kept = run.finished_episodes().map_err(|error| error.to_string())?;
    for number in [1, 2] {
        if kept.iter().any(|(episode, _)| episode.number == number) {
            continue;
        }
        let episode = run.episode_dir(number, "family__one-script").map_err(|error| error.to_string())?;
        testing::try_record_trial(&episode.path, u32::try_from(number).unwrap(), Box::new(disk.clone()))
            .map_err(|error| error.to_string())?;
        let row = Row::from_trace(&episode.path, &episode.relative).map_err(|error| error.to_string())?;
        run.append_partial(&row).map_err(|error| error.to_string())?;
    }
    run.finish().map_err(|error| error.to_string())
}

/// What a run came to, without what differs from one time to the next.
fn lasting(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter().map(|row| Row { trace_root: String::new(), timing: Timing::default(), ..row }).collect()
}

#[test]
fn the_nth_write_of_a_run_fails_for_every_n_and_the_run_can_be_gone_on_with() {
    let create = |folder: &Path, disk: &testing::FailingDisk| {
        RunFolder::create_on(Some(folder), manifest(), Box::new(disk.clone()))
    };
    let never = testing::FailingDisk::never();
    let folder = tempfile::tempdir().unwrap();
    let whole = lasting(whole_run(create(folder.path(), &never), &never).unwrap());
    assert_eq!(whole.len(), 2);
    let total = never.count();
    assert!(total > 50, "{total} operations are too few to mean anything");
    for nth in 1..=total {
        let folder = tempfile::tempdir().unwrap();
        let disk = testing::FailingDisk::at(nth);
        let error = whole_run(create(folder.path(), &disk), &disk)
            .expect_err("a write that failed must not pass silently");
        assert!(error.starts_with("write ") && error.contains("no space left"), "operation {nth}: {error}");
        assert_eq!(disk.count(), nth, "nothing is written after the failure");
        // What was recorded before verifies, the rest is called incomplete.
        let checked = if folder.path().join(EPISODES_FOLDER).is_dir() {
            verify_run(folder.path()).unwrap()
        } else {
            Vec::new()
        };
        for (place, verified) in checked {
            let is_cut_off = matches!(
                verified,
                Err(RunTraceError::Trace(TraceError::Incomplete { .. } | TraceError::NotATrace { .. }))
            );
            assert!(verified.is_ok() || is_cut_off, "operation {nth}: {place:?}: {verified:?}");
        }
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert!(
            left.iter().all(|entry| !entry.file_name().to_string_lossy().ends_with(".json.partial")),
            "operation {nth}: {left:?}"
        );
        // With room again the run is gone on with, to the same rows.
        let resumed = whole_run(RunFolder::resume(Some(folder.path()), manifest()), &never).unwrap();
        assert_eq!(lasting(resumed), whole, "operation {nth}");
        assert!(verify_run(folder.path()).unwrap().iter().all(|(_, verified)| verified.is_ok()));
    }
}
