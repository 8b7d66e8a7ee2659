//! Reads a trace event by event, whatever state it is in.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::TRACE_FILE;
use super::canonical::check_canonical;
use super::digest::Digest;
use super::error::{Fault, TraceError};
use super::event::{EpisodeFinished, EpisodeStarted, Event, FORMAT, OLDEST_FORMAT};

/// Longest line, bytes, newline included. The largest event is the first, with the scenario in it,
/// and scenario files are bounded to a quarter of this.
pub const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// How a trace ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// With its last event.
    Complete,
    /// After a whole event that is not the last one.
    Unfinished,
    /// In the middle of a line.
    Torn,
}

/// An event with what its line adds to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// 1-based number.
    pub seq: u64,
    /// Milliseconds since the recorder was made.
    pub t_ms: u64,
    /// Hash of the event before.
    pub prev: Digest,
    /// Its own hash, as written.
    pub hash: Digest,
    /// What happened.
    pub event: Event,
}

/// Reads the events of one trace in order. It checks each line for itself; whether the lines belong
/// together is [`super::verify()`]'s to say. A line that is no event is an error, and the next call
/// goes on with the line after it, so that a viewer can show the rest.
#[derive(Debug)]
pub struct Reader {
    folder: PathBuf,
    lines: BufReader<File>,
    line: u64,
    tail: Tail,
    ended: bool,
}

impl Reader {
    /// Opens the trace of an episode's folder.
    ///
    /// # Errors
    /// [`TraceError::NotATrace`] when there is none, [`TraceError::Read`] when it cannot be opened.
    pub fn open(folder: &Path) -> Result<Self, TraceError> {
        let path = folder.join(TRACE_FILE);
        let read = |source| TraceError::Read { path: path.clone(), source };
        // Asked before opening: opening a named pipe would wait for ever.
        let about = match std::fs::symlink_metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(TraceError::NotATrace { path: folder.to_owned() });
            }
            Err(error) => return Err(read(error)),
        };
        if !about.is_file() {
            return Err(TraceError::NotATrace { path: folder.to_owned() });
        }
        let file = File::open(&path).map_err(read)?;
        Ok(Self {
            folder: folder.to_owned(),
            lines: BufReader::with_capacity(64 * 1024, file),
            line: 0,
            tail: Tail::Unfinished,
            ended: false,
        })
    }

    /// How the trace ends; final once the iterator is exhausted.
    #[must_use]
    pub fn tail(&self) -> Tail {
        self.tail
    }

    fn broken(&self, fault: Fault) -> TraceError {
        TraceError::Broken { path: self.folder.clone(), seq: self.line, line: self.line, fault }
    }

    fn read_error(&mut self, source: std::io::Error) -> TraceError {
        self.ended = true;
        TraceError::Read { path: self.folder.join(TRACE_FILE), source }
    }

    /// The next line without its newline; `None` at the end, whose kind is in `tail` then.
    fn next_line(&mut self) -> Option<Result<Vec<u8>, TraceError>> {
        let mut bytes = Vec::new();
        let limit = MAX_LINE_BYTES as u64;
        match (&mut self.lines).take(limit).read_until(b'\n', &mut bytes) {
            Err(source) => return Some(Err(self.read_error(source))),
            Ok(0) => return None,
            Ok(_) => {}
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
            self.line += 1;
            return Some(Ok(bytes));
        }
        if bytes.len() < MAX_LINE_BYTES {
            self.tail = Tail::Torn;
            return None;
        }
        self.line += 1;
        if let Err(source) = skip_line(&mut self.lines) {
            return Some(Err(self.read_error(source)));
        }
        Some(Err(self.broken(Fault::NotCanonical(format!("longer than {MAX_LINE_BYTES} bytes")))))
    }
}

/// Reads past the next newline without keeping anything.
fn skip_line(lines: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = lines.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        if let Some(place) = buffer.iter().position(|byte| *byte == b'\n') {
            lines.consume(place + 1);
            return Ok(());
        }
        let length = buffer.len();
        lines.consume(length);
    }
}

impl Iterator for Reader {
    type Item = Result<Recorded, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let bytes = match self.next_line() {
            None => {
                self.ended = true;
                return None;
            }
            Some(Err(error)) => return Some(Err(error)),
            Some(Ok(bytes)) => bytes,
        };
        match parse_line(&bytes) {
            Ok(recorded) => {
                let last = matches!(recorded.event, Event::EpisodeFinished(_));
                self.tail = if last { Tail::Complete } else { Tail::Unfinished };
                Some(Ok(recorded))
            }
            Err(LineError::UnknownFormat(format)) => {
                self.ended = true;
                Some(Err(TraceError::UnknownFormat { path: self.folder.clone(), format }))
            }
            Err(LineError::Fault(fault)) => Some(Err(self.broken(fault))),
        }
    }
}

enum LineError {
    UnknownFormat(u64),
    Fault(Fault),
}

/// Members of a line beside the event's own two.
const ENVELOPE: [&str; 4] = ["hash", "prev", "seq", "t_ms"];
/// What stands before the hash's digits.
const HASH_PREFIX: &str = "{\"hash\":\"";

/// Parses a line, checks that it is its own canonical JSON, and that its content gives its hash.
fn parse_line(bytes: &[u8]) -> Result<Recorded, LineError> {
    let not_canonical = |why: String| LineError::Fault(Fault::NotCanonical(why));
    let not_an_event = |why: String| LineError::Fault(Fault::NotAnEvent(why));
    let text = std::str::from_utf8(bytes).map_err(|error| not_canonical(error.to_string()))?;
    check_canonical(text).map_err(|error| not_canonical(error.to_string()))?;
    let value: Value = serde_json::from_str(text).map_err(|error| not_an_event(error.to_string()))?;
    let Value::Object(mut members) = value else {
        return Err(not_an_event("a line is an object".to_owned()));
    };
    let mut take = |name: &'static str| {
        members.remove(name).ok_or_else(|| not_an_event(format!("the member `{name}` is missing")))
    };
    let [hash, prev, seq, t_ms] = ENVELOPE.map(&mut take);
    let digest =
        |value: Value| serde_json::from_value(value).map_err(|error| not_an_event(error.to_string()));
    let number = |value: Value| {
        value.as_u64().ok_or_else(|| not_an_event("`seq` and `t_ms` are whole numbers".to_owned()))
    };
    let (hash, prev): (Digest, Digest) = (digest(hash?)?, digest(prev?)?);
    let (seq, t_ms) = (number(seq?)?, number(t_ms?)?);

    // The text is canonical and has the member `hash`; only an unknown member could sort before it.
    let content_start = HASH_PREFIX.len() + hash.as_str().len() + "\",".len();
    let content = text.get(content_start..).filter(|_| text.starts_with(HASH_PREFIX));
    let content = content.ok_or_else(|| not_an_event("a member stands before `hash`".to_owned()))?;
    if Digest::of(format!("{{{content}").as_bytes()) != hash {
        return Err(LineError::Fault(Fault::Changed));
    }

    // Before the event is read by this format's rules: a trace of a later one is not broken.
    if let Some(format) = members.get("what").and_then(|what| what.get("format")).and_then(Value::as_u64)
        && members.get("type").and_then(Value::as_str) == Some("episode_started")
        && !(u64::from(OLDEST_FORMAT)..=u64::from(FORMAT)).contains(&format)
    {
        return Err(LineError::UnknownFormat(format));
    }
    if let Some(unknown) = members.keys().find(|name| !matches!(name.as_str(), "type" | "what")) {
        return Err(not_an_event(format!("unknown member `{unknown}`")));
    }
    let event = serde_path_to_error::deserialize(Value::Object(members))
        .map_err(|error| not_an_event(format!("at {}: {}", error.path(), error.inner())))?;
    Ok(Recorded { seq, t_ms, prev, hash, event })
}

/// A whole trace in memory: all events that can be read.
#[derive(Debug)]
pub struct Trace {
    /// The events, in the order of their lines.
    pub events: Vec<Recorded>,
    /// How it ends.
    pub tail: Tail,
}

impl Trace {
    /// Reads all events of an episode's folder; a torn tail is left out. It does not check that
    /// the events belong together, see [`super::verify()`].
    ///
    /// # Errors
    /// [`TraceError`] for the first line that is no event.
    pub fn load(folder: &Path) -> Result<Self, TraceError> {
        let mut reader = Reader::open(folder)?;
        let events = reader.by_ref().collect::<Result<Vec<_>, _>>()?;
        Ok(Self { events, tail: reader.tail() })
    }

    /// The first event's content, if it is what a first event is.
    #[must_use]
    pub fn started(&self) -> Option<&EpisodeStarted> {
        match self.events.first().map(|recorded| &recorded.event) {
            Some(Event::EpisodeStarted(started)) => Some(started),
            _ => None,
        }
    }

    /// The last event's content, if the trace is complete.
    #[must_use]
    pub fn finished(&self) -> Option<&EpisodeFinished> {
        match self.events.last().map(|recorded| &recorded.event) {
            Some(Event::EpisodeFinished(finished)) if self.tail == Tail::Complete => Some(finished),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn truncated_at_any_byte_it_stays_readable_up_to_there() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let path = folder.path().join(TRACE_FILE);
        let bytes = std::fs::read(&path).unwrap();
        let all = Trace::load(folder.path()).unwrap().events;
        // Every place in the first kilobyte and around the line ends, and one in eleven of the rest: reading
        // from the start for each of them is quadratic.
        let near_line_end =
            |length: usize| (length.saturating_sub(1)..=length + 1).any(|at| bytes.get(at) == Some(&b'\n'));
        for length in
            (0..bytes.len()).filter(|length| *length < 1024 || length % 11 == 0 || near_line_end(*length))
        {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let trace = Trace::load(folder.path()).unwrap();
            let whole = bytes[..length].split(|byte| *byte == b'\n').count() - 1;
            assert_eq!(trace.events, all[..whole], "cut after {length} bytes");
            let torn = length > 0 && bytes[length - 1] != b'\n';
            assert_eq!(trace.tail, if torn { Tail::Torn } else { Tail::Unfinished });
            assert!(trace.finished().is_none());
        }
    }

    #[test]
    fn a_damaged_line_does_not_hide_the_lines_after_it() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let path = folder.path().join(TRACE_FILE);
        let mut lines: Vec<String> =
            std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
        lines[1] = "not json".to_owned();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let read: Vec<_> = Reader::open(folder.path()).unwrap().collect();
        assert_eq!(read.len(), lines.len());
        assert_eq!(read.iter().filter(|event| event.is_err()).count(), 1);
        assert!(read[1].as_ref().unwrap_err().to_string().contains("event 2 (line 2) was changed"));
    }

    #[test]
    fn a_line_without_end_is_not_read_into_memory() {
        let folder = tempfile::tempdir().unwrap();
        let file = File::create(folder.path().join(TRACE_FILE)).unwrap();
        // A sparse file: it takes no room on the disk.
        file.set_len(3 * MAX_LINE_BYTES as u64).unwrap();
        let read: Vec<_> = Reader::open(folder.path()).unwrap().collect();
        assert_eq!(read.len(), 1);
        let error = read[0].as_ref().unwrap_err().to_string();
        assert!(error.contains("event 1 (line 1)") && error.contains("longer than"), "{error}");
    }

    #[test]
    fn a_later_format_is_named_and_not_called_broken() {
        let folder = tempfile::tempdir().unwrap();
        let what = serde_json::json!({ "format": FORMAT + 1, "something": "new" });
        testing::write_raw(folder.path(), &[("episode_started", what)]);
        let error = Trace::load(folder.path()).unwrap_err();
        assert!(
            matches!(error, TraceError::UnknownFormat { format, .. } if format == u64::from(FORMAT) + 1),
            "{error}"
        );
    }

    #[test]
    fn unknown_members_are_errors_with_their_place() {
        let folder = tempfile::tempdir().unwrap();
        let note = serde_json::json!({ "step": null, "topic": "x", "text": "y", "more": 1 });
        let started = serde_json::to_value(testing::started()).unwrap()["what"].clone();
        testing::write_raw(folder.path(), &[("episode_started", started), ("note", note)]);
        let error = Trace::load(folder.path()).unwrap_err().to_string();
        assert!(error.contains("event 2") && error.contains("unknown field `more`"), "{error}");
    }
}
