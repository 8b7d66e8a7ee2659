//! A copy of a trace that can be shared: items replaced by labels in every text, boxed out in
//! pictures, with a chain of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::digest::{BlobRef, Digest};
use super::event::{EpisodeFinished, Event, GroundTruthRecord, ItemRecord, Note, WorkspaceClosed};
use super::picture::lossless;
use super::reader::Trace;
use super::recorder::{RecordError, Recorder};
use super::redaction::Labels;
use super::score_record::{ItemKind, ScoreRecord};
use super::{BLOBS_FOLDER, TraceError, verify};
use crate::error::{Explain, Fault};

/// Which items a copy is to be without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Redact {
    /// Forbidden items.
    Forbidden,
    /// Forbidden and required items.
    All,
}

/// A trace could not be redacted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedactError {
    /// It cannot be read, or is not what was recorded.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// It has no last event, so that nobody knows what to redact.
    #[error("redact {}: the trace has no ground truth", .path.display())]
    NoGroundTruth {
        /// The episode's folder.
        path: PathBuf,
    },
    /// A blob cannot be read.
    #[error("read {}: {source}", .path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The copy cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An event with labels in it is none any more: a fault of this program.
    #[error("redact event {event}: {why}")]
    Event {
        /// Its number.
        event: u64,
        /// Why.
        why: String,
    },
}

impl Explain for RedactError {
    fn fault(&self) -> Fault {
        match self {
            Self::Trace(_) | Self::NoGroundTruth { .. } | Self::Read { .. } => Fault::Trace,
            Self::Record(error) => error.fault(),
            Self::Event { .. } => Fault::Harness,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Trace(error) => error.hint(),
            Self::NoGroundTruth { .. } => {
                Some("only complete traces say what is secret; run the episode again".to_owned())
            }
            Self::Read { .. } => Some("`discreet verify` says what is missing".to_owned()),
            Self::Record(error) => error.hint(),
            Self::Event { .. } => None,
        }
    }
}

/// What a redacted copy came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted {
    /// Root of the copy.
    pub root: Digest,
    /// Root of the original.
    pub original: Digest,
    /// Number of labels.
    pub labels: usize,
    /// Pictures that were boxed out.
    pub pictures: usize,
}

/// Writes a redacted copy of the trace in `from` to `to`, which must not hold one.
///
/// `boxes` gives, for a step and the items' wordings, the parts of the picture that show one of them,
/// `[x, y, width, height]` in pixels; `None` when that is not known, and the whole picture is boxed out
/// then. It is asked for every step on which an item may be on the page.
///
/// # Errors
/// [`RedactError`] when the trace is broken or incomplete, or the copy cannot be written.
pub fn redact(
    from: &Path,
    to: &Path,
    which: Redact,
    boxes: &mut dyn FnMut(u32) -> Option<Vec<[f64; 4]>>,
) -> Result<Redacted, RedactError> {
    let verified = verify(from)?;
    let trace = Trace::load(from)?;
    let (finished, truth) = end_of(&trace, from)?;
    let score = finished.score.as_ref();
    let labels = labels_of(truth, score, which);
    let first_exposure = finished
        .exposures
        .iter()
        .filter(|(item, _)| labels.replace(item).is_some())
        .filter_map(|(_, step)| *step)
        .min();
    let mut copy = Copy {
        from,
        labels: &labels,
        truth: names_of(truth, which),
        recorder: Recorder::create(to)?,
        texts_copied: HashMap::new(),
        pictures_copied: HashMap::new(),
        first_exposure,
        boxed: BTreeSet::new(),
        boxes,
    };
    let mut last = None;
    for recorded in &trace.events {
        match copy.event(recorded.seq, &recorded.event)? {
            Event::EpisodeFinished(finished) => last = Some(*finished),
            event => {
                copy.recorder.record_at(recorded.t_ms, &event)?;
                if recorded.seq == 1 {
                    copy.recorder.record_at(recorded.t_ms, &note(&verified.root, labels.len()))?;
                }
            }
        }
    }
    let pictures = copy.boxed.len();
    let finished = last.ok_or_else(|| RedactError::NoGroundTruth { path: from.to_owned() })?;
    let t_ms = trace.events.last().map_or(0, |last| last.t_ms);
    let root = copy.recorder.finish_at(t_ms, finished)?;
    Ok(Redacted { root, original: verified.root, labels: labels.len(), pictures })
}

/// The last event, with its ground truth.
fn end_of<'a>(
    trace: &'a Trace,
    from: &Path,
) -> Result<(&'a EpisodeFinished, &'a GroundTruthRecord), RedactError> {
    let finished = trace.finished();
    let truth = finished.and_then(|finished| finished.ground_truth.as_ref());
    finished.zip(truth).ok_or_else(|| RedactError::NoGroundTruth { path: from.to_owned() })
}

/// The texts that a redacted copy is to be without: every wording of the chosen items, and what the
/// scorer found of them in disguise.
///
/// # Errors
/// [`RedactError`] when the trace cannot be read or has no ground truth.
pub fn secrets(from: &Path, which: Redact) -> Result<Vec<String>, RedactError> {
    let trace = Trace::load(from)?;
    let (finished, truth) = end_of(&trace, from)?;
    let score = finished.score.as_ref();
    Ok(wordings(truth, score, which).into_iter().map(|(text, _)| text).collect())
}

fn note(original: &Digest, labels: usize) -> Event {
    Event::Note(Note {
        step: None,
        topic: "redacted".to_owned(),
        text: format!(
            "This is a redacted copy with a chain of its own. {labels} items are replaced by labels such as [S1], \
             forbidden ones, or [R1], required ones, in every text, and boxed out in pictures. Items told in other \
             words are not found. The workspace's file is left out; hashes of scenario and state are the original's, \
             whose root is {original}."
        ),
    })
}

/// Labels in the order of the scenario: S1, S2, … for forbidden items, R1, … for required ones. All
/// wordings of an item, and what the scorer found of it in disguise, have the same label.
fn labels_of(truth: &GroundTruthRecord, score: Option<&ScoreRecord>, which: Redact) -> Labels {
    let mut labels = Labels::default();
    for (text, label) in wordings(truth, score, which) {
        labels.add(&text, &label);
    }
    labels
}

/// Every text to be replaced, with its label.
fn wordings(truth: &GroundTruthRecord, score: Option<&ScoreRecord>, which: Redact) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (kind, number, item) in chosen(truth, which) {
        let label = label(kind, number);
        found.push((item.text.clone(), label.clone()));
        found.extend(item.any_of.iter().map(|wording| (wording.clone(), label.clone())));
        let verdicts = score.into_iter().flat_map(|score| score.verdicts.iter().map(move |one| (score, one)));
        for (score, verdict) in verdicts.filter(|(_, one)| one.kind == kind && one.item == item.text) {
            for evidence in &verdict.evidence {
                let text =
                    score.disclosures.get(evidence.artifact).map(|disclosure| disclosure.text.as_str());
                if let Some(part) = text.and_then(|text| text.get(evidence.span[0]..evidence.span[1])) {
                    found.push((part.to_owned(), label.clone()));
                }
            }
        }
    }
    found
}

fn label(kind: ItemKind, number: usize) -> String {
    format!("{}{number}", if kind == ItemKind::Forbidden { 'S' } else { 'R' })
}

fn chosen(truth: &GroundTruthRecord, which: Redact) -> Vec<(ItemKind, usize, &ItemRecord)> {
    let numbered = |kind, items| (1..).zip(items).map(move |(number, item)| (kind, number, item));
    let forbidden = numbered(ItemKind::Forbidden, &truth.must_not_share);
    let required = numbered(ItemKind::Required, &truth.must_share);
    match which {
        Redact::Forbidden => forbidden.collect(),
        Redact::All => forbidden.chain(required).collect(),
    }
}

/// What each chosen item is called in the copy.
fn names_of(truth: &GroundTruthRecord, which: Redact) -> BTreeMap<String, String> {
    chosen(truth, which)
        .into_iter()
        .map(|(kind, number, item)| (item.text.clone(), format!("[{}]", label(kind, number))))
        .collect()
}

/// Whether a text is a hash, which holds nothing but digits by chance.
fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

struct Copy<'a> {
    from: &'a Path,
    labels: &'a Labels,
    /// Items as the ground truth writes them, and their labels.
    truth: BTreeMap<String, String>,
    recorder: Recorder,
    /// Texts of the original by name: what stands for them in the copy, and whether they held an item.
    texts_copied: HashMap<String, (BlobRef, bool)>,
    /// Pictures of the original by name and what is covered, and what stands for them in the copy.
    pictures_copied: HashMap<(String, String), BlobRef>,
    first_exposure: Option<u32>,
    boxed: BTreeSet<u32>,
    boxes: &'a mut dyn FnMut(u32) -> Option<Vec<[f64; 4]>>,
}

impl Copy<'_> {
    /// The event as the copy has it.
    fn event(&mut self, seq: u64, event: &Event) -> Result<Event, RedactError> {
        let mut event = event.clone();
        match &mut event {
            Event::EpisodeStarted(started) => **started = started.in_present_format(),
            Event::Observation(observation) => {
                let mut holds = false;
                for blob in [&mut observation.axtree, &mut observation.state].into_iter().flatten() {
                    holds |= self.text_blob(blob)?;
                }
                if let Some(blob) = &mut observation.boxes {
                    self.text_blob(blob)?;
                }
                // Without a tree nobody knows what the picture shows: from the first exposure on it
                // may be the item.
                let knows = observation.axtree.is_some();
                let may_hold =
                    holds || (!knows && self.first_exposure.is_some_and(|first| observation.step >= first));
                if let Some(blob) = &mut observation.screenshot {
                    self.picture(observation.step, blob, may_hold)?;
                }
            }
            Event::Reply(reply) => {
                let own = [&mut reply.prompt, &mut reply.response].into_iter().flatten();
                let earlier = reply.attempts.iter_mut();
                let earlier = earlier
                    .flat_map(|attempt| std::iter::once(&mut attempt.prompt).chain(&mut attempt.response));
                for blob in own.chain(earlier) {
                    self.text_blob(blob)?;
                }
            }
            // The workspace's file holds everything, and is left out of the copy: an empty file stands
            // for it.
            Event::WorkspaceClosed(closed) => {
                let path = self.recorder.folder().join(super::WORKSPACE_FILE);
                std::fs::write(&path, b"").map_err(|source| RecordError::Write { path, source })?;
                *closed = WorkspaceClosed { sha256: Digest::of(b""), bytes: 0, ..closed.clone() };
            }
            Event::EpisodeFinished(finished) => {
                // Why something is secret tells what it is.
                for item in finished
                    .ground_truth
                    .iter_mut()
                    .flat_map(|truth| truth.must_share.iter_mut().chain(&mut truth.must_not_share))
                {
                    if self.truth.contains_key(&item.text) {
                        item.why = None;
                        item.any_of.clear();
                    }
                }
                if let Some(score) = &mut finished.score {
                    self.shift_spans(score);
                }
            }
            _ => {}
        }
        self.texts(seq, &event)
    }

    /// Replaces items in every text of an event, member names included.
    fn texts(&self, seq: u64, event: &Event) -> Result<Event, RedactError> {
        let failed = |why: serde_json::Error| RedactError::Event { event: seq, why: why.to_string() };
        let mut value = serde_json::to_value(event).map_err(failed)?;
        let kind = value["type"].take();
        self.value(&mut value, false);
        value["type"] = kind;
        serde_json::from_value(value).map_err(failed)
    }

    /// Replaces items in a value. `plain` says that it is data of its own, in which numbers may be items
    /// too; elsewhere they are counts and places.
    fn value(&self, value: &mut Value, plain: bool) {
        match value {
            Value::String(text) => {
                if !is_hash(text)
                    && let Some(replaced) = self.text(text)
                {
                    *text = replaced;
                }
            }
            Value::Number(number) if plain => {
                let text = number.to_string();
                if text.len() >= 3
                    && let Some(replaced) = self.text(&text)
                {
                    *value = Value::String(replaced);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item, plain)),
            Value::Object(members) => {
                let old = std::mem::take(members);
                for (name, mut member) in old {
                    let plain = plain || matches!(name.as_str(), "scenario" | "events" | "parsed" | "action");
                    self.value(&mut member, plain);
                    members.insert(self.text(&name).unwrap_or(name), member);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&self, text: &str) -> Option<String> {
        self.truth.get(text).cloned().or_else(|| self.labels.replace(text))
    }

    /// Evidence names byte ranges of texts that are about to change: each then covers its label, or
    /// what stands at its place.
    fn shift_spans(&self, score: &mut ScoreRecord) {
        for verdict in &mut score.verdicts {
            for evidence in &mut verdict.evidence {
                let Some(disclosure) = score.disclosures.get(evidence.artifact) else { continue };
                let place = |at: usize| {
                    let before = disclosure.text.get(..at)?;
                    Some(self.labels.replace(before).map_or(before.len(), |replaced| replaced.len()))
                };
                let [start, end] = evidence.span;
                if let (Some(new_start), Some(found)) = (place(start), disclosure.text.get(start..end)) {
                    let length = self.labels.replace(found).map_or(found.len(), |replaced| replaced.len());
                    evidence.span = [new_start, new_start + length];
                }
            }
        }
    }

    fn read(&self, blob: &BlobRef) -> Result<Vec<u8>, RedactError> {
        let path = self.from.join(BLOBS_FOLDER).join(blob.file_name());
        std::fs::read(&path).map_err(|source| RedactError::Read { path, source })
    }

    /// Replaces items in a text blob; says whether there were any.
    fn text_blob(&mut self, blob: &mut BlobRef) -> Result<bool, RedactError> {
        let name = blob.file_name();
        if let Some((known, holds)) = self.texts_copied.get(&name) {
            *blob = known.clone();
            return Ok(*holds);
        }
        let bytes = self.read(blob)?;
        let replaced = self.labels.replace(&String::from_utf8_lossy(&bytes));
        let holds = replaced.is_some();
        let bytes = replaced.map_or(bytes, String::into_bytes);
        *blob = self.recorder.blob(&bytes, blob.extension())?;
        self.texts_copied.insert(name, (blob.clone(), holds));
        Ok(holds)
    }

    /// Boxes items out in a picture, where it may show one.
    fn picture(&mut self, step: u32, blob: &mut BlobRef, may_hold: bool) -> Result<(), RedactError> {
        // What is covered; `None` where nothing is.
        let covered = may_hold.then(|| (self.boxes)(step));
        if covered.is_some() {
            self.boxed.insert(step);
        }
        let key = (blob.file_name(), format!("{covered:?}"));
        if let Some(known) = self.pictures_copied.get(&key) {
            *blob = known.clone();
            return Ok(());
        }
        let bytes = self.read(blob)?;
        *blob = match covered {
            None => self.recorder.blob(&bytes, blob.extension())?,
            Some(boxes) => {
                let (bytes, extension) = boxed_out(&bytes, boxes.as_deref());
                self.recorder.blob(&bytes, extension)?
            }
        };
        self.pictures_copied.insert(key, blob.clone());
        Ok(())
    }
}

/// A picture with parts of it covered; all of it when the parts are not known, or when it is none.
fn boxed_out(bytes: &[u8], boxes: Option<&[[f64; 4]]>) -> (Vec<u8>, &'static str) {
    const COVER: image::Rgb<u8> = image::Rgb([32, 36, 44]);
    let decoded = image::load_from_memory(bytes).map(|picture| picture.to_rgb8());
    let mut picture = decoded.unwrap_or_else(|_| image::RgbImage::from_pixel(8, 8, COVER));
    let (width, height) = picture.dimensions();
    let whole = [[0.0, 0.0, f64::from(width), f64::from(height)]];
    for [x, y, across, down] in boxes.unwrap_or(&whole) {
        // A little more than the text, whose edges are soft.
        let clamp = |value: f64, most: u32| -> u32 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to the picture"
            )]
            let place = value.clamp(0.0, f64::from(most)) as u32;
            place
        };
        let (left, right) = (clamp(x - 3.0, width), clamp((x + across + 3.0).ceil(), width));
        let (top, bottom) = (clamp(y - 3.0, height), clamp((y + down + 3.0).ceil(), height));
        for row in top..bottom {
            for column in left..right {
                picture.put_pixel(column, row, COVER);
            }
        }
    }
    let picture = image::DynamicImage::ImageRgb8(picture);
    if let Some(bytes) = lossless(&picture) {
        return (bytes, "webp");
    }
    let mut written = std::io::Cursor::new(Vec::new());
    match picture.write_to(&mut written, image::ImageFormat::Png) {
        Ok(()) => (written.into_inner(), "png"),
        // A picture in memory can always be written; what cannot be is not shared.
        Err(_) => (Vec::new(), "png"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn all_bytes(folder: &Path) -> Vec<u8> {
        let mut bytes = std::fs::read(folder.join("trace.jsonl")).unwrap();
        for entry in std::fs::read_dir(folder.join(BLOBS_FOLDER)).unwrap() {
            bytes.extend(std::fs::read(entry.unwrap().path()).unwrap());
        }
        bytes
    }

    #[test]
    fn a_copy_verifies_and_holds_no_forbidden_item() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        let root = testing::record_small(&from);
        let redacted = redact(&from, &to, Redact::Forbidden, &mut |_| None).unwrap();
        let verified = verify(&to).unwrap();
        assert_eq!((&verified.root, &redacted.original), (&redacted.root, &root));
        let text = String::from_utf8_lossy(&all_bytes(&to)).to_lowercase();
        assert!(!text.contains("vet appointment") && text.contains("[s1]"), "{text}");
        assert!(text.contains("the plan"), "required items stay");
        assert!(text.contains("redacted copy"));
        let trace = Trace::load(&to).unwrap();
        let finished = trace.finished().unwrap();
        assert_eq!(finished.score.as_ref().unwrap().leaked_items, ["[S1]"]);
        assert_eq!(finished.exposures["[S1]"], Some(1));
        let original = Trace::load(&from).unwrap();
        assert_eq!(trace.events.last().unwrap().t_ms, original.events.last().unwrap().t_ms);
        let both = redact(&from, &folder.path().join("all"), Redact::All, &mut |_| None).unwrap();
        assert_eq!(both.labels, 2);
        assert!(!String::from_utf8_lossy(&all_bytes(&folder.path().join("all"))).contains("the plan"));
    }

    #[test]
    fn evidence_points_at_the_label() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        testing::record_small(&from);
        redact(&from, &to, Redact::All, &mut |_| None).unwrap();
        let trace = Trace::load(&to).unwrap();
        let score = trace.finished().unwrap().score.clone().unwrap();
        for verdict in &score.verdicts {
            for evidence in &verdict.evidence {
                let text = &score.disclosures[evidence.artifact].text;
                assert_eq!(text[evidence.span[0]..evidence.span[1]], verdict.item, "{text}");
            }
        }
    }

    #[test]
    fn parts_or_all_of_a_picture_are_covered() {
        let plain = image::RgbImage::from_pixel(40, 30, image::Rgb([255, 255, 255]));
        let mut bytes = std::io::Cursor::new(Vec::new());
        plain.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        let covered = |boxes: Option<&[[f64; 4]]>| {
            let picture = image::load_from_memory(&boxed_out(bytes.get_ref(), boxes).0).unwrap().to_rgb8();
            picture.pixels().filter(|pixel| pixel.0 != [255, 255, 255]).count()
        };
        assert_eq!(covered(Some(&[])), 0);
        assert_eq!(covered(Some(&[[10.0, 10.0, 4.0, 4.0]])), 100);
        assert_eq!(covered(Some(&[[-50.0, 10.0, 1e9, 2.0]])), 40 * 8);
        assert_eq!(covered(None), 1200);
        assert!(!boxed_out(b"no picture", None).0.is_empty());
    }

    #[test]
    fn what_is_incomplete_or_broken_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let from = folder.path().join("from");
        testing::record_small(&from);
        let path = from.join("trace.jsonl");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 20]).unwrap();
        let error = redact(&from, &folder.path().join("to"), Redact::Forbidden, &mut |_| None).unwrap_err();
        assert!(matches!(error, RedactError::Trace(TraceError::Incomplete { .. })), "{error}");
        assert!(!folder.path().join("to").exists());
    }
}
