//! Records an episode without letting it wait for its pictures.
//!
//! A screenshot is made small on a thread of its own while the agent thinks and acts. The observation is
//! recorded as soon as its picture is stored; what happens until then waits behind it, so that events stand
//! in the order in which they happened, with the times at which they did. Before the next observation is
//! recorded, and before the episode ends, everything is on disk. A picture that was there before is not made
//! small again: many a step changes nothing that can be seen.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::trace::{
    BlobRef, Digest, EpisodeFinished, Event, KeptPicture, ObservationRecord, RecordError, Recorder,
    keep_picture,
};

/// An observation whose picture is not stored yet, and what happened since.
#[derive(Debug)]
struct Waiting {
    picture: JoinHandle<KeptPicture>,
    /// Chromium's own file, should making it small fail.
    png: Arc<[u8]>,
    t_ms: u64,
    record: ObservationRecord,
    since: Vec<(u64, Event)>,
}

/// Writes an episode's trace.
#[derive(Debug)]
pub(super) struct Log {
    recorder: Recorder,
    waiting: Option<Waiting>,
    /// The pictures stored so far, by Chromium's own file.
    stored: HashMap<Digest, BlobRef>,
}

impl Log {
    /// Starts a trace in a folder that holds none.
    pub(super) fn create(folder: &Path) -> Result<Self, RecordError> {
        Ok(Self { recorder: Recorder::create(folder)?, waiting: None, stored: HashMap::new() })
    }

    /// Stores bytes and names them, as [`Recorder::blob`] does.
    pub(super) fn blob(&mut self, bytes: &[u8], extension: &str) -> Result<BlobRef, RecordError> {
        self.recorder.blob(bytes, extension)
    }

    /// Records an event, or lets it wait behind an observation whose picture is not stored yet.
    pub(super) fn record(&mut self, event: Event) -> Result<(), RecordError> {
        let t_ms = self.recorder.elapsed();
        match &mut self.waiting {
            Some(waiting) => {
                waiting.since.push((t_ms, event));
                Ok(())
            }
            None => self.recorder.record_at(t_ms, &event),
        }
    }

    /// Records an observation with its picture, once that is stored. What waited before is recorded first.
    pub(super) async fn record_seen(
        &mut self,
        mut record: ObservationRecord,
        picture: Option<Arc<[u8]>>,
    ) -> Result<(), RecordError> {
        let t_ms = self.recorder.elapsed();
        self.settle().await?;
        let Some(png) = picture else {
            return self.recorder.record_at(t_ms, &Event::Observation(record));
        };
        if let Some(blob) = self.stored.get(&Digest::of(&png)) {
            record.screenshot = Some(blob.clone());
            return self.recorder.record_at(t_ms, &Event::Observation(record));
        }
        let own = Arc::clone(&png);
        let picture = tokio::task::spawn_blocking(move || keep_picture(&own));
        self.waiting = Some(Waiting { picture, png, t_ms, record, since: Vec::new() });
        Ok(())
    }

    /// Waits until everything that happened is recorded. May be given up and called again.
    pub(super) async fn settle(&mut self) -> Result<(), RecordError> {
        let Some(waiting) = &mut self.waiting else { return Ok(()) };
        let kept = (&mut waiting.picture).await;
        // From here on nothing waits, so that nothing is lost when this is given up.
        let Some(Waiting { png, t_ms, mut record, since, .. }) = self.waiting.take() else { return Ok(()) };
        let blob = match kept {
            Ok(kept) => self.recorder.blob(&kept.bytes, kept.extension)?,
            Err(error) => {
                tracing::warn!(%error, "a picture was not made small");
                self.recorder.blob(&png, "png")?
            }
        };
        self.stored.insert(Digest::of(&png), blob.clone());
        record.screenshot = Some(blob);
        self.recorder.record_at(t_ms, &Event::Observation(record))?;
        since.iter().try_for_each(|(t_ms, event)| self.recorder.record_at(*t_ms, event))
    }

    /// Writes the last event. Everything before it has been settled.
    pub(super) fn finish(self, finished: EpisodeFinished) -> Result<Digest, RecordError> {
        debug_assert!(self.waiting.is_none(), "what waits would be lost");
        self.recorder.finish(finished)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Note, Tail, Trace, testing};

    fn picture(shade: u8) -> Arc<[u8]> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = image::RgbImage::from_fn(64, 48, |x, _| image::Rgb([shade, x.to_le_bytes()[0], 9]));
        picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        bytes.into_inner().into()
    }

    fn note(text: &str) -> Event {
        Event::Note(Note { step: Some(1), topic: "order".into(), text: text.into() })
    }

    #[tokio::test]
    async fn events_stand_in_the_order_in_which_they_happened_however_long_a_picture_takes() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::create(folder.path()).unwrap();
        log.record(testing::started()).unwrap();
        for step in 1..=3_u8 {
            let record = ObservationRecord { step: step.into(), ..ObservationRecord::default() };
            log.record_seen(record, Some(picture(step))).await.unwrap();
            log.record(note(&format!("after {step}"))).unwrap();
            if step == 2 {
                log.settle().await.unwrap();
                log.record(note("settled")).unwrap();
            }
        }
        log.record_seen(ObservationRecord { step: 4, ..ObservationRecord::default() }, None).await.unwrap();
        log.finish(testing::finished()).unwrap();
        let trace = Trace::load(folder.path()).unwrap();
        assert_eq!(trace.tail, Tail::Complete);
        let told: Vec<String> = trace
            .events
            .iter()
            .filter_map(|recorded| match &recorded.event {
                Event::Observation(seen) => {
                    let kind = seen.screenshot.as_ref().map_or("none", BlobRef::extension);
                    Some(format!("seen {} {kind}", seen.step))
                }
                Event::Note(note) => Some(note.text.clone()),
                _ => None,
            })
            .collect();
        let expected = [
            "seen 1 webp",
            "after 1",
            "seen 2 webp",
            "after 2",
            "settled",
            "seen 3 webp",
            "after 3",
            "seen 4 none",
        ];
        assert_eq!(told, expected);
        assert!(trace.events.is_sorted_by_key(|recorded| recorded.t_ms));
    }

    #[tokio::test]
    async fn a_picture_that_was_there_before_is_stored_once_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::create(folder.path()).unwrap();
        log.record(testing::started()).unwrap();
        for (step, shade) in [(1, 1), (2, 1), (3, 2), (4, 1)] {
            let record = ObservationRecord { step, ..ObservationRecord::default() };
            log.record_seen(record, Some(picture(shade))).await.unwrap();
            assert_eq!(log.waiting.is_some(), [1, 3].contains(&step), "{step}");
        }
        log.finish(testing::finished()).unwrap();
        let trace = Trace::load(folder.path()).unwrap();
        let seen = trace.events.iter().filter_map(|recorded| match &recorded.event {
            Event::Observation(seen) => Some((seen.step, seen.screenshot.clone().unwrap())),
            _ => None,
        });
        let seen: HashMap<u32, BlobRef> = seen.collect();
        assert_eq!(seen.len(), 4);
        assert!(seen[&1] == seen[&2] && seen[&1] == seen[&4] && seen[&1] != seen[&3]);
    }

    #[tokio::test]
    async fn giving_up_waiting_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::create(folder.path()).unwrap();
        log.record(testing::started()).unwrap();
        let record = ObservationRecord { step: 1, ..ObservationRecord::default() };
        log.record_seen(record, Some(picture(1))).await.unwrap();
        log.record(note("behind it")).unwrap();
        // Polled once and dropped.
        let _ = futures_util::FutureExt::now_or_never(log.settle());
        log.settle().await.unwrap();
        log.settle().await.unwrap();
        let names: Vec<_> =
            Trace::load(folder.path()).unwrap().events.iter().map(|one| one.event.name()).collect();
        assert_eq!(names, ["episode_started", "observation", "note"]);
    }

    #[tokio::test]
    async fn what_is_no_picture_is_recorded_as_it_came() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::create(folder.path()).unwrap();
        log.record(testing::started()).unwrap();
        log.record_seen(ObservationRecord::default(), Some(Arc::from(&b"none"[..]))).await.unwrap();
        log.settle().await.unwrap();
        let trace = Trace::load(folder.path()).unwrap();
        let Event::Observation(seen) = &trace.events[1].event else { panic!("{:?}", trace.events) };
        let blob = seen.screenshot.as_ref().unwrap();
        assert_eq!((blob.extension(), blob.sha256()), ("png", &Digest::of(b"none")));
    }
}
