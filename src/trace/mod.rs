//! The record of an episode: events, blobs, hash chain, reader, and the check of all of it.
//!
//! # What is on disk
//!
//! ```text
//! <episode>/trace.jsonl                one event per line, each its own canonical JSON
//! <episode>/blobs/<sha256>.<extension> screenshots, trees, prompts: each content once
//! <episode>/workspace.sqlite           the workspace's file, hashed by an event before the last
//! ```
//!
//! A line is `{"hash":H,"prev":P,"seq":N,"t_ms":T,"type":NAME,"what":{…}}`. `seq` counts from 1 and
//! is the line number; `t_ms` is monotonic time since the recorder was made; `prev` is the hash of
//! the line before (64 zeros in the first); `hash` is the SHA-256 of the line without its `hash`
//! member. Keys are sorted, so `hash` always stands first and a line can be checked with `sed` and
//! `sha256sum` alone. `docs/trace.md` is the specification.
//!
//! # What holds at every moment
//!
//! * A blob is there before the event that names it.
//! * An event is one `write` of a whole line, so a killed process leaves whole lines and at most
//!   one torn tail.
//! * The last event is `episode_finished`, and only it carries the ground truth. A trace without it
//!   is *incomplete*: readable up to where it ends, never silently taken for a result.
//! * After a failed write the recorder refuses everything else: a trace that could not be written
//!   makes the episode invalid.
//!
//! # What is refused here
//!
//! No scoring and no reading of SQLite: [`verify`] compares bytes only. The types of this module
//! are wire types; the domain types above it are converted into them.
//!
//! # Decisions
//!
//! * *Unknown fields and event types are errors* (`deny_unknown_fields`). Every change of an event
//!   raises [`FORMAT`]; a reader that meets a higher number says so instead of guessing. Tolerance
//!   would let an added member pass unseen by schema and viewer.
//! * *No `fsync` per step.* A written line survives the death of this process, which is the
//!   fault that happens; `fsync` costs 1 to 30 ms and would only help against a power cut.
//!   [`Recorder::finish`] syncs the event file once. After a power cut [`verify`] names the first
//!   event whose line or blob did not reach the disk, and the episode is run again.

mod canonical;
mod digest;
mod disk;
mod error;
mod event;
mod picture;
mod reader;
mod recorder;
mod redact;
mod redaction;
mod score_record;
#[cfg(test)]
pub(crate) mod testing;
mod verify;

pub use canonical::{CanonicalError, canonical_json, check_canonical};
pub use digest::{BadBlob, BadDigest, BlobRef, Digest};
pub use disk::{Disk, RealDisk};
pub(crate) use disk::{write_whole, write_whole_among_others};
pub use error::{Fault as TraceFault, TraceError};
pub use event::{
    ActionResult, ArtifactRecord, ArtifactsRead, AttemptRecord, Blocked, BrowserRecord, Counts, DialogRecord,
    EpisodeFinished, EpisodeStarted, Event, FORMAT, GroundTruthRecord, ItemRecord, Note, OLDEST_FORMAT,
    ObservationRecord, PageRecord, ReplyRecord, SettleRecord, TargetRecord, Timing, Usage, WorkspaceClosed,
    WorkspaceEvents, schema,
};
pub use picture::{KeptPicture, is_same_picture, keep_picture, picture_type};
pub use reader::{MAX_LINE_BYTES, Reader, Recorded, Tail, Trace};
pub use recorder::{MAX_BLOB_BYTES, RecordError, Recorder};
pub use redact::{Redact, RedactError, Redacted, redact, secrets};
pub use redaction::Labels;
pub use score_record::{
    DisclosureRecord, EvidenceRecord, ItemKind, ReferenceRecord, ScoreRecord, VerdictKind, VerdictRecord,
};
pub use verify::{Verified, verify};

/// Name of the file that holds the events.
pub const TRACE_FILE: &str = "trace.jsonl";
/// Name of the folder that holds the blobs.
pub const BLOBS_FOLDER: &str = "blobs";
/// Name of the workspace's file.
pub const WORKSPACE_FILE: &str = "workspace.sqlite";
