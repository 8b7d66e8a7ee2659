//! Says whether a trace is what was recorded, and if not, which event is the first that is not.
//!
//! What this shows: every byte of the folder is covered by the root (the last event's hash), so
//! whoever knows the root knows the trace. What it cannot show: somebody who rewrites a trace from
//! some event to its end gets a trace that holds together, with another root. Results carry the
//! roots, and `verify` of a run's folder compares them.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

use super::digest::Digest;
use super::error::{Fault, TraceError};
use super::event::Event;
use super::reader::{Reader, Tail};
use super::{BLOBS_FOLDER, TRACE_FILE, WORKSPACE_FILE};

/// A trace that is what was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Number of events.
    pub events: u64,
    /// Hash of the last event, which stands for the whole trace.
    pub root: Digest,
}

/// What the chain needs to know of an event, so that a trace of any length is checked in little
/// memory.
struct Link {
    seq: u64,
    prev: Digest,
    hash: Digest,
}

/// A file that an event names.
struct Named {
    seq: u64,
    sha256: Digest,
    bytes: u64,
}

/// Checks an episode's folder: every line, the chain, every file, and that nothing else lies there.
///
/// # Errors
/// [`TraceError::Broken`] names the first event that was changed, removed, added or moved, or that
/// names a file which is missing or altered; [`TraceError::Stray`] a file that no event names;
/// [`TraceError::Incomplete`] a trace without its last event that is whole up to there.
pub fn verify(folder: &Path) -> Result<Verified, TraceError> {
    let mut reader = Reader::open(folder)?;
    let mut links = Vec::new();
    let mut files = BTreeMap::new();
    let mut ends = Vec::new();
    let mut first_error = None;
    for event in reader.by_ref() {
        match event {
            Ok(recorded) => {
                note_files(&recorded.event, recorded.seq, &mut files);
                if matches!(recorded.event, Event::EpisodeFinished(_)) {
                    ends.push(links.len());
                }
                let starts = matches!(recorded.event, Event::EpisodeStarted(_));
                if starts != links.is_empty() && first_error.is_none() {
                    let why = "`episode_started` is the first event, and only that";
                    let line = links.len() as u64 + 1;
                    let fault = Fault::NotAnEvent(why.to_owned());
                    first_error =
                        Some(TraceError::Broken { path: folder.to_owned(), seq: line, line, fault });
                }
                links.push(Link { seq: recorded.seq, prev: recorded.prev, hash: recorded.hash });
            }
            // Later lines cannot be the first bad event, so the rest needs no reading.
            Err(error) => {
                if first_error.is_none() || !matches!(error, TraceError::Broken { .. }) {
                    first_error = Some(error);
                }
                break;
            }
        }
    }
    check_chain(folder, &links)?;
    if let Some(error) = first_error {
        return Err(error);
    }
    if let Some(end) = ends.first()
        && end + 1 < links.len()
    {
        let line = *end as u64 + 2;
        return Err(TraceError::Broken { path: folder.to_owned(), seq: line, line, fault: Fault::AfterEnd });
    }
    let events = links.len() as u64;
    let incomplete = |why| Err(TraceError::Incomplete { path: folder.to_owned(), events, why });
    match (reader.tail(), links.pop()) {
        (Tail::Torn, _) => incomplete("the last line is torn"),
        (_, None) => incomplete("there is no event"),
        (Tail::Unfinished, _) => incomplete("the last event is missing"),
        (Tail::Complete, Some(last)) => {
            check_files(folder, &files)?;
            check_strays(folder, &files)?;
            Ok(Verified { events, root: last.hash })
        }
    }
}

/// Collects the files that an event names, each under the first event that does.
fn note_files(event: &Event, seq: u64, files: &mut BTreeMap<String, Named>) {
    for blob in event.blobs() {
        let name = format!("{BLOBS_FOLDER}/{}", blob.file_name());
        let named = Named { seq, sha256: blob.sha256().clone(), bytes: blob.bytes() };
        files.entry(name).or_insert(named);
    }
    if let Event::WorkspaceClosed(closed) = event {
        let named = Named { seq, sha256: closed.sha256.clone(), bytes: closed.bytes };
        files.insert(WORKSPACE_FILE.to_owned(), named);
    }
}

/// Finds the first place where an event does not follow the one before it, and says how that came.
fn check_chain(folder: &Path, links: &[Link]) -> Result<(), TraceError> {
    let zero = Digest::zero();
    let mut previous = &zero;
    for (index, link) in links.iter().enumerate() {
        let expected = index as u64 + 1;
        if link.prev != *previous || link.seq != expected {
            let (seq, fault) = diagnose(links, index);
            return Err(TraceError::Broken { path: folder.to_owned(), seq, line: expected, fault });
        }
        previous = &link.hash;
    }
    Ok(())
}

/// Says what happened at the first line that does not follow the line before it.
fn diagnose(links: &[Link], index: usize) -> (u64, Fault) {
    let expected = index as u64 + 1;
    let link = &links[index];
    let places: HashMap<&Digest, usize> =
        links.iter().enumerate().rev().map(|(place, link)| (&link.hash, place)).collect();
    if places.get(&link.hash).is_some_and(|first| *first < index) {
        return (expected, Fault::Added);
    }
    let zero = Digest::zero();
    let before = if index == 0 { &zero } else { &links[index - 1].hash };
    if link.prev == *before {
        // Right predecessor, wrong number: the line was written anew by somebody.
        return (expected, Fault::Changed);
    }
    let predecessor = if link.prev == zero { Some(None) } else { places.get(&link.prev).copied().map(Some) };
    if links[index + 1..].iter().any(|later| later.prev == *before) {
        // The event that belongs here comes later. One whose own predecessor is in the file as well
        // stands at a wrong place; one without was never part of this trace.
        let fault = if predecessor.is_some() { Fault::Moved(link.seq) } else { Fault::Added };
        return (expected, fault);
    }
    match predecessor {
        // It follows an event further up, so what stands between the two was put there.
        Some(None) => (1, Fault::Added),
        Some(Some(place)) if place < index => (place as u64 + 2, Fault::Added),
        _ if link.seq > expected => (expected, Fault::Removed(link.seq - 1)),
        _ if link.seq == expected && index > 0 => (expected - 1, Fault::Replaced),
        _ => (expected, Fault::Added),
    }
}

fn check_files(folder: &Path, files: &BTreeMap<String, Named>) -> Result<(), TraceError> {
    let mut in_order: Vec<_> = files.iter().collect();
    in_order.sort_by_key(|(_, named)| named.seq);
    for (name, named) in in_order {
        let broken =
            |fault| TraceError::Broken { path: folder.to_owned(), seq: named.seq, line: named.seq, fault };
        let path = folder.join(name);
        let read = |source| TraceError::Read { path: path.clone(), source };
        let about = match std::fs::symlink_metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(broken(Fault::FileMissing(name.clone())));
            }
            Err(error) => return Err(read(error)),
        };
        if !about.is_file() {
            return Err(broken(Fault::NotAFile(name.clone())));
        }
        // The length first: it is free, and it bounds what is read.
        if about.len() != named.bytes {
            return Err(broken(Fault::FileChanged(name.clone())));
        }
        let (sha256, _) = File::open(&path).and_then(Digest::of_reader).map_err(read)?;
        if sha256 != named.sha256 {
            return Err(broken(Fault::FileChanged(name.clone())));
        }
    }
    Ok(())
}

/// Everything in the folder has to be the trace, the folder of blobs, or a file that an event
/// names.
fn check_strays(folder: &Path, files: &BTreeMap<String, Named>) -> Result<(), TraceError> {
    let mut names = list(folder)?;
    if names.iter().any(|name| name == BLOBS_FOLDER) {
        let blobs = folder.join(BLOBS_FOLDER);
        let about = std::fs::symlink_metadata(&blobs)
            .map_err(|source| TraceError::Read { path: blobs.clone(), source })?;
        if about.is_dir() {
            let inside = list(&blobs)?;
            // An empty folder is no file, but nothing that was recorded leaves one behind.
            if !inside.is_empty() {
                names.retain(|name| name != BLOBS_FOLDER);
            }
            names.extend(inside.into_iter().map(|name| format!("{BLOBS_FOLDER}/{name}")));
        }
    }
    names.sort();
    match names.into_iter().find(|name| name != TRACE_FILE && !files.contains_key(name)) {
        Some(name) => Err(TraceError::Stray { path: folder.to_owned(), name }),
        None => Ok(()),
    }
}

fn list(folder: &Path) -> Result<Vec<String>, TraceError> {
    let read = |source| TraceError::Read { path: PathBuf::from(folder), source };
    std::fs::read_dir(folder)
        .map_err(read)?
        // A name that is not UTF-8 is none of ours; its lossy form names it well enough.
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()).map_err(read))
        .collect()
}

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
