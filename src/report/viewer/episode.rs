//! One episode as the viewer shows it: the trace's events by step, and what can be concluded from them.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde_json::{Value, json};

use super::items::{Piece, StepTexts, lanes};
use super::library::blob;
use crate::scenario::load_recorded;
use crate::scenario::text::normalise;
use crate::trace::{
    ArtifactsRead, BlobRef, EpisodeFinished, EpisodeStarted, Event, Reader, Recorded, Tail, TraceError,
    verify,
};
use crate::workspace::{WorkspaceState, units};

/// Most damaged lines that are listed.
const MAX_PROBLEMS: usize = 50;

/// The view of an episode's folder, whatever state its trace is in: what can be read is shown, what
/// cannot is listed under `problems`.
#[must_use]
pub fn episode_view(folder: &Path) -> Value {
    let mut problems: Vec<Value> = Vec::new();
    let mut problem = |error: &TraceError| {
        if problems.len() < MAX_PROBLEMS {
            problems.push(json!({ "event": error.event(), "text": error.to_string() }));
        }
    };
    let mut events: Vec<Recorded> = Vec::new();
    let mut tail = Tail::Unfinished;
    match Reader::open(folder) {
        Ok(mut reader) => {
            for read in reader.by_ref() {
                match read {
                    Ok(recorded) => events.push(recorded),
                    Err(error) => problem(&error),
                }
            }
            tail = reader.tail();
        }
        Err(error) => problem(&error),
    }
    let verified = match verify(folder) {
        Ok(verified) => json!({ "ok": true, "events": verified.events, "root": verified.root }),
        Err(error) => json!({ "ok": false, "kind": error.kind(), "text": error.to_string() }),
    };
    let started = events.iter().find_map(|recorded| match &recorded.event {
        Event::EpisodeStarted(started) => Some(started.as_ref()),
        _ => None,
    });
    let finished = events.iter().find_map(|recorded| match &recorded.event {
        Event::EpisodeFinished(finished) => Some(finished.as_ref()),
        _ => None,
    });
    let artifacts = events.iter().find_map(|recorded| match &recorded.event {
        Event::ArtifactsRead(read) => Some(read),
        _ => None,
    });
    let mut steps = Steps::new(started);
    let mut rest = Vec::new();
    for recorded in &events {
        match step_of(&recorded.event) {
            Some(step) => steps.add(step, recorded, folder),
            None => rest.push(event_json(recorded)),
        }
    }
    json!({
        "status": match tail {
            Tail::Complete => "complete",
            Tail::Unfinished => "unfinished",
            Tail::Torn => "torn",
        },
        "verified": verified,
        "problems": problems,
        "started": started,
        "finished": finished,
        "artifacts": artifacts,
        "lanes": item_lanes(finished, artifacts, &steps),
        "steps": steps.json,
        "rest": rest,
    })
}

fn item_lanes(finished: Option<&EpisodeFinished>, artifacts: Option<&ArtifactsRead>, steps: &Steps) -> Value {
    let Some((finished, truth)) = finished.and_then(|one| Some((one, one.ground_truth.as_ref()?))) else {
        return json!([]);
    };
    json!(lanes(truth, finished.score.as_ref(), &finished.exposures, artifacts, &steps.texts))
}

/// The step an event belongs to.
fn step_of(event: &Event) -> Option<u32> {
    match event {
        Event::Observation(observation) => Some(observation.step),
        Event::Reply(reply) => Some(reply.step),
        Event::ActionResult(result) => Some(result.step),
        Event::WorkspaceEvents(events) => Some(events.step),
        Event::Blocked(blocked) => Some(blocked.step),
        Event::Note(note) => note.step,
        Event::EpisodeStarted(_)
        | Event::ArtifactsRead(_)
        | Event::WorkspaceClosed(_)
        | Event::EpisodeFinished(_) => None,
    }
}

fn event_json(recorded: &Recorded) -> Value {
    let mut event = serde_json::to_value(&recorded.event).unwrap_or_default();
    json!({
        "seq": recorded.seq, "t_ms": recorded.t_ms, "type": recorded.event.name(), "what": event["what"].take(),
        "hash": recorded.hash,
    })
}

/// Events by step.
struct Steps {
    json: Vec<Value>,
    texts: Vec<StepTexts>,
    places: BTreeMap<u32, usize>,
    /// What each entity's text is by now.
    pieces: HashMap<(String, String, String), Piece>,
    /// Texts in normal form, which many steps share.
    known: HashMap<String, String>,
}

impl Steps {
    /// With the texts of the scenario's own entities, so that a change can show what was before.
    fn new(started: Option<&EpisodeStarted>) -> Self {
        let mut pieces = HashMap::new();
        if let Some(started) = started
            && let Ok(loaded) = load_recorded(&started.scenario)
        {
            for unit in units(&WorkspaceState::from_scenario(&loaded.scenario)) {
                let piece = Piece::of(&serde_json::to_value(unit).unwrap_or_default());
                pieces.insert(piece.key(), piece);
            }
        }
        Self { json: Vec::new(), texts: Vec::new(), places: BTreeMap::new(), pieces, known: HashMap::new() }
    }

    fn add(&mut self, step: u32, recorded: &Recorded, folder: &Path) {
        let place = *self.places.entry(step).or_insert_with(|| {
            self.json.push(json!({ "step": step, "events": [], "changes": [] }));
            self.texts.push(StepTexts { step, ..StepTexts::default() });
            self.json.len() - 1
        });
        if let Some(events) = self.json[place]["events"].as_array_mut() {
            events.push(event_json(recorded));
        }
        match &recorded.event {
            Event::Observation(observation) => {
                // The origin is the same for all.
                let url = observation.url.as_str();
                let path = url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
                path.unwrap_or(url).clone_into(&mut self.texts[place].page);
                for blob in [&observation.axtree, &observation.state].into_iter().flatten() {
                    let text = self.normal_text(folder, blob);
                    self.texts[place].given.extend(text);
                }
            }
            Event::Reply(reply) => {
                self.texts[place].typed.push(normalise(&reply.action));
                let parsed: Vec<String> = reply.parsed.iter().flat_map(strings).collect();
                self.texts[place].typed.extend(parsed.iter().map(|text| normalise(text)));
            }
            Event::WorkspaceEvents(events) => {
                for event in &events.events {
                    self.add_change(place, event);
                }
            }
            _ => {}
        }
    }

    fn normal_text(&mut self, folder: &Path, blob_ref: &BlobRef) -> Option<String> {
        let name = blob_ref.file_name();
        if let Some(known) = self.known.get(&name) {
            return Some(known.clone());
        }
        let (bytes, _) = blob(folder, &name)?;
        let text = normalise(&String::from_utf8_lossy(&bytes));
        self.known.insert(name, text.clone());
        Some(text)
    }

    /// One entry of the workspace's log: what it wrote, beside what was there before.
    fn add_change(&mut self, place: usize, event: &Value) {
        let units = event.get("units").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut written = Vec::new();
        for unit in &units {
            let after = Piece::of(unit);
            let before = self.pieces.insert(after.key(), after.clone());
            written.push((before, after));
        }
        // An entity that is there no more has no unit.
        let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
        let (app, entity) = (text("app"), text("entity"));
        let gone: Vec<_> = self
            .pieces
            .keys()
            .filter(|(own, kind, id)| {
                own == app && id == entity && !units.iter().any(|unit| Piece::of(unit).kind == *kind)
            })
            .cloned()
            .collect();
        for key in gone {
            if let Some(before) = self.pieces.remove(&key) {
                let after = Piece { readers: Vec::new(), text: String::new(), ..before.clone() };
                written.push((Some(before), after));
            }
        }
        let pieces: Vec<Value> = written
            .iter()
            .map(|(before, after)| json!({ "before": before.as_ref().map(|one| &one.text), "after": after }))
            .collect();
        let change =
            json!({ "app": app, "kind": text("kind"), "entity": entity, "at": text("at"), "pieces": pieces });
        if let Some(changes) = self.json[place]["changes"].as_array_mut() {
            changes.push(change);
        }
        self.texts[place].written.extend(written);
    }
}

/// All texts in a value, in order.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(members) => members.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{TRACE_FILE, testing};

    #[test]
    fn an_episode_is_shown_by_step_with_its_items() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let view = episode_view(folder.path());
        assert_eq!((&view["status"], &view["verified"]["ok"]), (&json!("complete"), &json!(true)));
        assert_eq!(view["steps"].as_array().unwrap().len(), 2);
        assert_eq!(view["steps"][0]["events"].as_array().unwrap().len(), 4);
        assert_eq!(view["lanes"].as_array().unwrap().len(), 2);
        assert_eq!(view["problems"], json!([]));
        assert_eq!(view["rest"].as_array().unwrap().len(), 4);
    }

    #[test]
    fn a_broken_trace_is_shown_as_far_as_it_can_be_read_and_says_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        testing::record_small(folder.path());
        let path = folder.path().join(TRACE_FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines[2] = "{}";
        lines.pop();
        std::fs::write(&path, lines.join("\n")).unwrap();
        let view = episode_view(folder.path());
        assert_eq!((&view["status"], &view["verified"]["ok"]), (&json!("torn"), &json!(false)));
        assert_eq!(view["problems"][0]["event"], 3);
        assert_eq!(view["finished"], Value::Null);
        assert!(view["steps"].as_array().unwrap().len() == 2 && view["started"].is_object());
        std::fs::remove_file(&path).unwrap();
        assert_eq!(episode_view(folder.path())["started"], Value::Null);
    }
}
