use super::*;
use crate::trace::{BlobRef, testing};
use proptest::prelude::*;

fn small() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    testing::record_small(folder.path());
    folder
}

fn lines(folder: &Path) -> Vec<String> {
    std::fs::read_to_string(folder.join(TRACE_FILE)).unwrap().lines().map(str::to_owned).collect()
}

fn write_lines(folder: &Path, lines: &[String]) {
    std::fs::write(folder.join(TRACE_FILE), lines.join("\n") + "\n").unwrap();
}

/// Changes the lines of a small trace and returns what `verify` says.
fn after(change: impl FnOnce(&mut Vec<String>)) -> TraceError {
    let folder = small();
    let mut all = lines(folder.path());
    change(&mut all);
    write_lines(folder.path(), &all);
    verify(folder.path()).unwrap_err()
}

/// Writes a line anew with a right hash, as somebody who knows the format would.
fn reseal(line: &str, change: impl FnOnce(&mut serde_json::Map<String, serde_json::Value>)) -> String {
    let serde_json::Value::Object(mut members) = serde_json::from_str(line).unwrap() else {
        panic!("{line}")
    };
    members.remove("hash");
    change(&mut members);
    let seq = members["seq"].as_u64().unwrap();
    let t_ms = members["t_ms"].as_u64().unwrap();
    let previous = Digest::try_from(members["prev"].as_str().unwrap().to_owned()).unwrap();
    let (_, line) = super::super::recorder::seal(&mut members, seq, t_ms, &previous).unwrap();
    line.trim_end().to_owned()
}

#[test]
fn a_changed_event_is_named() {
    let error = after(|lines| lines[3] = lines[3].replace("click", "clack"));
    assert_eq!((error.kind(), error.event()), ("changed", Some(4)), "{error}");
}

#[test]
fn a_line_with_white_space_is_no_longer_its_own_canonical_json() {
    let error = after(|lines| lines[4] = lines[4].replacen(':', ": ", 1));
    assert!(error.to_string().contains("event 5 (line 5) was changed: its line is not canonical"), "{error}");
}

#[test]
fn a_removed_event_is_named_wherever_it_was() {
    let count = lines(small().path()).len();
    for index in 0..count - 1 {
        let error = after(|lines| drop(lines.remove(index)));
        assert_eq!((error.kind(), error.event()), ("removed", Some(index as u64 + 1)), "{error}");
    }
    let error = after(|lines| drop(lines.pop()));
    assert_eq!(error.kind(), "incomplete", "{error}");
    let error = after(|lines| drop(lines.drain(3..6)));
    assert!(
        error.to_string().contains("event 4 (line 4) was removed: events up to 6 are missing"),
        "{error}"
    );
}

#[test]
fn a_copied_event_is_named_as_added() {
    for at in 2..lines(small().path()).len() {
        let error = after(|lines| lines.insert(at, lines[1].clone()));
        assert_eq!((error.kind(), error.event()), ("added", Some(at as u64 + 1)), "{error}");
    }
}

#[test]
fn an_invented_event_is_named_as_added_even_when_its_hash_is_right() {
    let error = after(|lines| {
        let invented = reseal(&lines[6], |members| {
            members.insert("t_ms".to_owned(), 999_999.into());
        });
        lines.insert(6, invented);
    });
    assert_eq!((error.kind(), error.event()), ("added", Some(7)), "{error}");
    let error = after(|lines| {
        let stranger = reseal(&lines[6], |members| {
            members.insert("prev".to_owned(), Digest::of(b"nowhere").as_str().into());
        });
        lines.insert(6, stranger);
    });
    assert_eq!((error.kind(), error.event()), ("added", Some(7)), "{error}");
}

#[test]
fn exchanged_events_are_named_as_moved() {
    let count = lines(small().path()).len();
    for index in 0..count - 1 {
        let error = after(|lines| lines.swap(index, index + 1));
        assert_eq!((error.kind(), error.event()), ("moved", Some(index as u64 + 1)), "{error}");
    }
}

#[test]
fn an_event_rewritten_with_a_right_hash_is_named() {
    let error = after(|lines| {
        lines[5] = reseal(&lines[5], |members| {
            members.insert("t_ms".to_owned(), 999_999.into());
        });
    });
    assert_eq!((error.kind(), error.event()), ("changed", Some(6)), "{error}");
}

#[test]
fn nothing_may_stand_after_the_last_event() {
    let error = after(|lines| {
        let last = lines.last().unwrap().clone();
        let hash = serde_json::from_str::<serde_json::Value>(&last).unwrap()["hash"].clone();
        let seq = lines.len() as u64 + 1;
        lines.push(reseal(&lines[1], |members| {
            members.insert("prev".to_owned(), hash);
            members.insert("seq".to_owned(), seq.into());
        }));
    });
    assert!(error.to_string().contains("stands after the last event"), "{error}");
    let error = after(|lines| lines.push(String::new()));
    assert_eq!(error.kind(), "changed", "{error}");
}

#[test]
fn a_torn_tail_is_incomplete_and_not_broken() {
    let folder = small();
    let path = folder.path().join(TRACE_FILE);
    let bytes = std::fs::read(&path).unwrap();
    for cut in [1, 2, 40, bytes.len() / 2, bytes.len()] {
        std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
        let error = verify(folder.path()).unwrap_err();
        assert!(matches!(error, TraceError::Incomplete { .. }), "cut {cut}: {error}");
    }
}

#[test]
fn blobs_are_checked_in_the_order_of_their_events() {
    let folder = small();
    let blob = |content: &str, extension: &str| {
        let digest = Digest::of(content.as_bytes());
        let reference = BlobRef::new(digest, extension, content.len() as u64).unwrap();
        folder.path().join(BLOBS_FOLDER).join(reference.file_name())
    };
    let (first, second) = (blob("png 1", "png"), blob("png 2", "png"));
    std::fs::remove_file(&second).unwrap();
    let error = verify(folder.path()).unwrap_err();
    assert_eq!((error.kind(), error.event()), ("file_missing", Some(6)), "{error}");
    std::fs::write(&first, "png 3").unwrap();
    let error = verify(folder.path()).unwrap_err();
    assert_eq!((error.kind(), error.event()), ("file_changed", Some(2)), "{error}");
    std::fs::remove_file(&first).unwrap();
    std::fs::create_dir(&first).unwrap();
    let error = verify(folder.path()).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
}

#[test]
fn the_workspace_file_is_compared_as_bytes() {
    let folder = small();
    std::fs::write(folder.path().join(WORKSPACE_FILE), "SQLite format 4").unwrap();
    let error = verify(folder.path()).unwrap_err();
    assert!(error.to_string().contains("`workspace.sqlite`, whose content was changed"), "{error}");
    std::fs::remove_file(folder.path().join(WORKSPACE_FILE)).unwrap();
    assert_eq!(verify(folder.path()).unwrap_err().kind(), "file_missing");
}

#[test]
fn whatever_no_event_names_is_a_stray() {
    let folder = small();
    for name in ["notes.txt", "workspace.sqlite-wal", ".hidden", "blobs/extra.png", "blobs/x.partial"] {
        let path = folder.path().join(name);
        std::fs::write(&path, "x").unwrap();
        match verify(folder.path()).unwrap_err() {
            TraceError::Stray { name: named, .. } => assert_eq!(named, name),
            other => panic!("{name}: {other}"),
        }
        std::fs::remove_file(&path).unwrap();
    }
    let inside = folder.path().join("more");
    std::fs::create_dir(&inside).unwrap();
    assert_eq!(verify(folder.path()).unwrap_err().kind(), "stray_file");
    std::fs::remove_dir(inside).unwrap();
    assert!(verify(folder.path()).is_ok());
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_file_is_not_followed() {
    let folder = small();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("copy.sqlite");
    std::fs::rename(folder.path().join(WORKSPACE_FILE), &target).unwrap();
    std::os::unix::fs::symlink(&target, folder.path().join(WORKSPACE_FILE)).unwrap();
    assert!(verify(folder.path()).unwrap_err().to_string().contains("not a regular file"));
}

#[test]
fn a_folder_without_a_trace_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(verify(folder.path()), Err(TraceError::NotATrace { .. })));
}

#[test]
fn a_trace_that_does_not_start_at_its_start_is_broken() {
    let folder = tempfile::tempdir().unwrap();
    let note = serde_json::json!({ "step": null, "topic": "x", "text": "y" });
    testing::write_raw(folder.path(), &[("note", note)]);
    let error = verify(folder.path()).unwrap_err();
    assert_eq!((error.kind(), error.event()), ("changed", Some(1)), "{error}");
}

/// All files of a trace's folder with their bytes, trace first.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths = vec![folder.join(TRACE_FILE), folder.join(WORKSPACE_FILE)];
    paths.extend(std::fs::read_dir(folder.join(BLOBS_FOLDER)).unwrap().map(|entry| entry.unwrap().path()));
    paths.sort_by_key(|path| path.file_name() != Some(std::ffi::OsStr::new(TRACE_FILE)));
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn every_single_bit_of_every_file_matters() {
    let folder = small();
    for (path, bytes) in files(folder.path()) {
        // One bit per byte keeps this fast; the property below takes any byte for any other.
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 8);
            std::fs::write(&path, &changed).unwrap();
            assert!(verify(folder.path()).is_err(), "{} at {place}", path.display());
        }
        std::fs::write(&path, &bytes).unwrap();
    }
    assert!(verify(folder.path()).is_ok());
}

#[derive(Debug, Clone)]
enum Change {
    Set(u8),
    Remove(usize),
    Insert(Vec<u8>),
    Truncate,
    Exchange(usize),
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        any::<u8>().prop_map(Change::Set),
        (1_usize..200).prop_map(Change::Remove),
        prop::collection::vec(any::<u8>(), 1..20).prop_map(Change::Insert),
        Just(Change::Truncate),
        (1_usize..200).prop_map(Change::Exchange),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn any_change_of_any_file_is_found(
        file in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        change in any_change(),
    ) {
        let folder = small();
        let all = files(folder.path());
        // The events are most of it, so they get most of the tries.
        let (path, before) = if file.index(2) == 0 { &all[0] } else { &all[file.index(all.len())] };
        let place = place.index(before.len());
        let mut bytes = before.clone();
        match change {
            Change::Set(byte) => bytes[place] = byte,
            Change::Remove(count) => drop(bytes.drain(place..(place + count).min(before.len()))),
            Change::Insert(new) => drop(bytes.splice(place..place, new)),
            Change::Truncate => bytes.truncate(place),
            Change::Exchange(distance) => bytes.swap(place, (place + distance) % before.len()),
        }
        prop_assume!(bytes != *before);
        std::fs::write(path, &bytes).unwrap();
        prop_assert!(verify(folder.path()).is_err());
    }

    #[test]
    fn any_other_order_of_the_lines_is_found(order in Just((0..12).collect::<Vec<usize>>()).prop_shuffle()) {
        let folder = small();
        let all = lines(folder.path());
        prop_assert_eq!(all.len(), order.len(), "the small trace has another length now");
        prop_assume!(order.iter().enumerate().any(|(index, place)| index != *place));
        let shuffled: Vec<String> = order.iter().map(|place| all[*place].clone()).collect();
        write_lines(folder.path(), &shuffled);
        let first = order.iter().enumerate().position(|(index, place)| index != *place).unwrap();
        let error = verify(folder.path()).unwrap_err();
        prop_assert_eq!((error.kind(), error.event()), ("moved", Some(first as u64 + 1)), "{}", error);
    }

    #[test]
    fn the_reader_is_total(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(TRACE_FILE), bytes).unwrap();
        prop_assert!(verify(folder.path()).is_err());
    }
}
