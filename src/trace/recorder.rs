//! Writes a trace: blobs first, then the event that names them, the final event last.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Map, Value};

use super::canonical::{CanonicalError, canonical_json};
use super::digest::{BadBlob, BlobRef, Digest};
use super::disk::{Disk, RealDisk};
use super::event::{EpisodeFinished, Event, FORMAT};
use super::reader::MAX_LINE_BYTES;
use super::{BLOBS_FOLDER, TRACE_FILE};
use crate::error::{Explain, Fault};

/// Largest blob, bytes. A full-page screenshot at 4K is about a tenth of it.
pub const MAX_BLOB_BYTES: usize = 64 * 1024 * 1024;

/// A trace could not be written; the episode is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The disk refused.
    #[error("write {}: {source}", .path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// An event cannot be written as one line.
    #[error("record the event `{event}`: {source}")]
    Unwritable {
        /// The event's name.
        event: &'static str,
        /// Why.
        source: CanonicalError,
    },
    /// An event cannot be turned into JSON.
    #[error("record the event `{event}`: {source}")]
    Serialize {
        /// The event's name.
        event: &'static str,
        /// Why.
        source: serde_json::Error,
    },
    /// An event or a blob is too large.
    #[error("record {what}: {bytes} bytes are more than {limit}")]
    TooLarge {
        /// What.
        what: String,
        /// Its size.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// A blob's extension is not usable.
    #[error("{0}")]
    BadBlob(#[from] BadBlob),
    /// Events came in an order that no reader accepts.
    #[error("record the event `{event}`: {why}")]
    OutOfOrder {
        /// The event's name.
        event: &'static str,
        /// Why not here.
        why: &'static str,
    },
    /// A write failed before; the trace ends there.
    #[error("record anything more: a write to this trace failed before")]
    Poisoned,
}

impl Explain for RecordError {
    fn fault(&self) -> Fault {
        match self {
            Self::Write { .. } => Fault::Environment,
            _ => Fault::Harness,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Write { source, .. } if source.kind() == std::io::ErrorKind::AlreadyExists => {
                Some("give a folder that holds no trace yet".to_owned())
            }
            Self::Write { .. } => Some(
                "check free space and permissions of the output folder; what was recorded before is readable"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

/// Writes one trace.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    disk: Box<dyn Disk>,
    file: File,
    started: Instant,
    next_seq: u64,
    previous: Digest,
    blobs: BTreeSet<String>,
    poisoned: bool,
}

impl Recorder {
    /// Starts a trace in a folder, which is made if it is not there. Other files may lie in it (the
    /// workspace's), but no trace.
    ///
    /// # Errors
    /// [`RecordError::Write`] when the folder cannot be used or holds a trace.
    pub fn create(folder: &Path) -> Result<Self, RecordError> {
        Self::create_on(folder, Box::new(RealDisk))
    }

    /// As [`Recorder::create`], over a disk of the caller's.
    ///
    /// # Errors
    /// [`RecordError::Write`] when the folder cannot be used or holds a trace.
    pub fn create_on(folder: &Path, mut disk: Box<dyn Disk>) -> Result<Self, RecordError> {
        let failed = |path: &Path, source| RecordError::Write { path: path.to_owned(), source };
        disk.create_folder(folder).map_err(|source| failed(folder, source))?;
        let path = folder.join(TRACE_FILE);
        let file = disk.create_file(&path).map_err(|source| failed(&path, source))?;
        Ok(Self {
            folder: folder.to_owned(),
            disk,
            file,
            started: Instant::now(),
            next_seq: 1,
            previous: Digest::zero(),
            blobs: BTreeSet::new(),
            poisoned: false,
        })
    }

    /// The episode's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Number of events written.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.next_seq - 1
    }

    /// Stores bytes, once per content, and returns the name under which an event can refer to them.
    ///
    /// # Errors
    /// [`RecordError`]; after a failed write nothing more can be recorded.
    pub fn blob(&mut self, bytes: &[u8], extension: &str) -> Result<BlobRef, RecordError> {
        self.check_usable()?;
        if bytes.len() > MAX_BLOB_BYTES {
            let what = format!("a blob of kind `{extension}`");
            return Err(RecordError::TooLarge { what, bytes: bytes.len(), limit: MAX_BLOB_BYTES });
        }
        let blob = BlobRef::new(Digest::of(bytes), extension, bytes.len() as u64)?;
        let name = blob.file_name();
        if self.blobs.contains(&name) {
            return Ok(blob);
        }
        let blobs = self.folder.join(BLOBS_FOLDER);
        let path = blobs.join(&name);
        let temporary = blobs.join(format!("{name}.partial"));
        if let Err(source) = self.write_blob(&blobs, &temporary, &path, bytes) {
            self.poisoned = true;
            // Best effort: the trace is incomplete anyway, and the cause is the error to report.
            let _ = std::fs::remove_file(&temporary);
            return Err(RecordError::Write { path, source });
        }
        self.blobs.insert(name);
        Ok(blob)
    }

    fn write_blob(
        &mut self,
        blobs: &Path,
        temporary: &Path,
        path: &Path,
        bytes: &[u8],
    ) -> std::io::Result<()> {
        if self.blobs.is_empty() {
            self.disk.create_folder(blobs)?;
        }
        let mut file = self.disk.create_file(temporary)?;
        self.disk.append(&mut file, bytes)?;
        drop(file);
        self.disk.rename(temporary, path)
    }

    /// Appends an event and hands it to the system before it returns.
    ///
    /// # Errors
    /// [`RecordError`]; after a failed write nothing more can be recorded.
    pub fn record(&mut self, event: &Event) -> Result<(), RecordError> {
        let t_ms = self.elapsed();
        self.record_at(t_ms, event)
    }

    /// As [`Recorder::record`], with the time at which the event happened: for copies, and for events that
    /// had to wait.
    pub(crate) fn record_at(&mut self, t_ms: u64, event: &Event) -> Result<(), RecordError> {
        match (event, self.next_seq) {
            (Event::EpisodeFinished(_), _) => {
                return Err(RecordError::OutOfOrder {
                    event: event.name(),
                    why: "the last event is written by `finish`",
                });
            }
            (Event::EpisodeStarted(started), 1) if started.format == FORMAT => {}
            (Event::EpisodeStarted(_), 1) => {
                return Err(RecordError::OutOfOrder {
                    event: event.name(),
                    why: "its format is not this one",
                });
            }
            (Event::EpisodeStarted(_), _) => {
                return Err(RecordError::OutOfOrder {
                    event: event.name(),
                    why: "it is the first event only",
                });
            }
            (_, 1) => {
                return Err(RecordError::OutOfOrder {
                    event: event.name(),
                    why: "the first event is `episode_started`",
                });
            }
            _ => {}
        }
        self.append(t_ms, event)
    }

    /// Milliseconds since the recording began.
    pub(crate) fn elapsed(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Appends the last event, waits until the file is on the device, and returns the root: the
    /// hash that stands for the whole trace.
    ///
    /// # Errors
    /// [`RecordError`]; the trace is incomplete then.
    pub fn finish(self, finished: EpisodeFinished) -> Result<Digest, RecordError> {
        let t_ms = self.elapsed();
        self.finish_at(t_ms, finished)
    }

    /// As [`Recorder::finish`], with the time of an event that was recorded before: for copies.
    pub(super) fn finish_at(mut self, t_ms: u64, finished: EpisodeFinished) -> Result<Digest, RecordError> {
        let event = Event::EpisodeFinished(Box::new(finished));
        if self.next_seq == 1 {
            let why = "the first event is `episode_started`";
            return Err(RecordError::OutOfOrder { event: event.name(), why });
        }
        self.append(t_ms, &event)?;
        self.disk
            .sync(&self.file)
            .map_err(|source| RecordError::Write { path: self.folder.join(TRACE_FILE), source })?;
        Ok(self.previous)
    }

    fn check_usable(&self) -> Result<(), RecordError> {
        if self.poisoned { Err(RecordError::Poisoned) } else { Ok(()) }
    }

    fn append(&mut self, t_ms: u64, event: &Event) -> Result<(), RecordError> {
        self.check_usable()?;
        let name = event.name();
        for blob in event.blobs() {
            if !self.blobs.contains(&blob.file_name()) {
                let why = "it names a blob that this recorder has not stored";
                return Err(RecordError::OutOfOrder { event: name, why });
            }
        }
        let value =
            serde_json::to_value(event).map_err(|source| RecordError::Serialize { event: name, source })?;
        let Value::Object(mut members) = value else {
            unreachable!("an adjacently tagged enum is an object");
        };
        let (hash, line) = seal(&mut members, self.next_seq, t_ms, &self.previous)
            .map_err(|source| RecordError::Unwritable { event: name, source })?;
        if line.len() > MAX_LINE_BYTES {
            let what = format!("the event `{name}`");
            return Err(RecordError::TooLarge { what, bytes: line.len(), limit: MAX_LINE_BYTES });
        }
        if let Err(source) = self.disk.append(&mut self.file, line.as_bytes()) {
            self.poisoned = true;
            return Err(RecordError::Write { path: self.folder.join(TRACE_FILE), source });
        }
        self.previous = hash;
        self.next_seq += 1;
        Ok(())
    }
}

/// Completes an event's members to a line, newline included, and gives its hash.
pub(super) fn seal(
    members: &mut Map<String, Value>,
    seq: u64,
    t_ms: u64,
    previous: &Digest,
) -> Result<(Digest, String), CanonicalError> {
    members.insert("prev".to_owned(), Value::from(previous.as_str()));
    members.insert("seq".to_owned(), Value::from(seq));
    members.insert("t_ms".to_owned(), Value::from(t_ms));
    // One level of nesting is spent on the line's own object, which `canonical_json` counts.
    let content = canonical_json(&Value::Object(std::mem::take(members)))?;
    let hash = Digest::of(content.as_bytes());
    // `hash` sorts before every other member of a line, so it can be put in front as text.
    let line = format!("{{\"hash\":\"{hash}\",{}\n", &content[1..]);
    Ok((hash, line))
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::trace::{Note, Tail, Trace, TraceError, verify};

    #[test]
    fn a_trace_reads_back_as_it_was_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let root = testing::record_small(folder.path());
        let trace = Trace::load(folder.path()).unwrap();
        assert_eq!(trace.tail, Tail::Complete);
        assert_eq!(trace.events.last().unwrap().hash, root);
        assert_eq!(trace.events[0].event, testing::started());
        assert_eq!(trace.started().unwrap().scenario_id, "family__one");
        assert_eq!(*trace.finished().unwrap(), testing::finished());
        let verified = verify(folder.path()).unwrap();
        assert_eq!((verified.events, verified.root), (trace.events.len() as u64, root));
    }

    #[test]
    fn events_are_refused_in_any_order_that_no_reader_accepts() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::create(folder.path()).unwrap();
        let note = Event::Note(Note { step: None, topic: "x".into(), text: "y".into() });
        assert!(matches!(recorder.record(&note), Err(RecordError::OutOfOrder { .. })));
        recorder.record(&testing::started()).unwrap();
        assert!(matches!(recorder.record(&testing::started()), Err(RecordError::OutOfOrder { .. })));
        let finished = Event::EpisodeFinished(Box::new(testing::finished()));
        assert!(matches!(recorder.record(&finished), Err(RecordError::OutOfOrder { .. })));
        let unknown = testing::observation(1, Some(BlobRef::new(Digest::of(b"x"), "png", 1).unwrap()));
        assert!(matches!(recorder.record(&unknown), Err(RecordError::OutOfOrder { .. })));
        recorder.record(&note).unwrap();
        assert_eq!(recorder.events(), 2);
        assert!(matches!(verify(folder.path()), Err(TraceError::Incomplete { events: 2, .. })));
    }

    #[test]
    fn a_folder_that_holds_a_trace_is_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let error = Recorder::create(folder.path()).unwrap_err();
        assert!(error.hint().unwrap().contains("no trace yet"), "{error}");
    }

    #[test]
    fn equal_content_is_stored_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::create(folder.path()).unwrap();
        let first = recorder.blob(b"same", "txt").unwrap();
        assert_eq!(recorder.blob(b"same", "txt").unwrap(), first);
        assert_eq!(std::fs::read_dir(folder.path().join(BLOBS_FOLDER)).unwrap().count(), 1);
        assert!(matches!(recorder.blob(b"same", "../txt"), Err(RecordError::BadBlob(_))));
    }

    #[test]
    fn the_nth_write_fails_for_every_n_and_what_was_recorded_stays_readable() {
        let whole = tempfile::tempdir().unwrap();
        let operations = testing::FailingDisk::never();
        testing::try_record_small(whole.path(), Box::new(operations.clone())).unwrap();
        let total = operations.count();
        assert!(total > 20, "{total} operations are too few to mean anything");
        let all = Trace::load(whole.path()).unwrap().events;
        for nth in 1..=total {
            let folder = tempfile::tempdir().unwrap();
            let disk = testing::FailingDisk::at(nth);
            let error = testing::try_record_small(folder.path(), Box::new(disk.clone()))
                .expect_err("a write that failed must not pass silently");
            assert!(matches!(error, RecordError::Write { .. }), "operation {nth}: {error}");
            assert_eq!(error.fault(), Fault::Environment);
            assert_eq!(disk.count(), nth, "nothing is written after the failure");
            if !folder.path().join(TRACE_FILE).exists() {
                continue;
            }
            let trace = Trace::load(folder.path()).unwrap();
            let kept: Vec<_> = trace.events.iter().map(|recorded| &recorded.event).collect();
            let expected: Vec<_> = all[..kept.len()].iter().map(|recorded| &recorded.event).collect();
            assert_eq!(kept, expected, "operation {nth}");
            match verify(folder.path()) {
                Err(TraceError::Incomplete { .. }) => {}
                // The last operation is the sync: all bytes are there, and the caller knows that
                // they may not be on the device.
                Ok(_) if nth == total => {}
                other => panic!("operation {nth}: {other:?}"),
            }
        }
    }

    #[test]
    fn after_a_failed_write_nothing_more_is_recorded() {
        let folder = tempfile::tempdir().unwrap();
        // Folder, file, first event: the fourth operation is the second event.
        let mut recorder = Recorder::create_on(folder.path(), Box::new(testing::FailingDisk::at(4))).unwrap();
        recorder.record(&testing::started()).unwrap();
        let note = Event::Note(Note { step: None, topic: "x".into(), text: "y".into() });
        assert!(matches!(recorder.record(&note), Err(RecordError::Write { .. })));
        assert!(matches!(recorder.record(&note), Err(RecordError::Poisoned)));
        assert!(matches!(recorder.blob(b"x", "txt"), Err(RecordError::Poisoned)));
        assert!(matches!(recorder.finish(testing::finished()), Err(RecordError::Poisoned)));
    }
}
