//! Does the actions of a trace again, in a fresh workspace, and compares what comes of them.
//!
//! The recorded replies are played by an agent of its own through the very loop that recorded them,
//! into a temporary trace; the two traces are then compared event by event. What may differ is left
//! out: times, notes, how long the page took to come to rest, requests that the network wall
//! refused (a browser asks when it likes), and the layout of the database file, whose content is in
//! the state's hash.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use image::GenericImageView as _;
use serde_json::Value;

use super::act::{Cast, EpisodeError, Stage, act_out};
use super::asking::DIALOGS;
use super::cancel::Cancel;
use super::plan::RunOptions;
use super::warm::{SeatError, WarmSeat, Wish};
use crate::action::ActionSet;
use crate::agent::{Agent, AgentError, Reply, Task, Wants};
use crate::browser::{Browser, BrowserError, DialogPolicy, LaunchOptions, Wanted};
use crate::error::{Deadline, Explain, Fault};
use crate::observe::{AccessMode, Observation};
use crate::scenario::variation::Variation;
use crate::scenario::{LoadedScenario, Scenario, load_recorded};
use crate::trace::{
    BLOBS_FOLDER, BlobRef, EpisodeStarted, Event, ObservationRecord, Tail, Trace, TraceError, verify,
};
use crate::workspace::{Server, ServerError, ServerOptions};

/// A trace could not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read, or is not what was recorded.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// It has no actions that could be done again.
    #[error("replay {}: {why}", .path.display())]
    Nothing {
        /// The episode's folder.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// No workspace can be served.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// No browser starts.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// The replay itself could not be recorded.
    #[error(transparent)]
    Episode(#[from] EpisodeError),
    /// There is no place for it.
    #[error("create a temporary folder")]
    Folder(#[source] std::io::Error),
}

impl From<SeatError> for ReplayError {
    fn from(error: SeatError) -> Self {
        match error {
            SeatError::Server(error) => error.into(),
            SeatError::Browser(error) => error.into(),
        }
    }
}

impl Explain for ReplayError {
    fn fault(&self) -> Fault {
        match self {
            Self::Trace(_) | Self::Nothing { .. } => Fault::Trace,
            Self::Server(error) => error.fault(),
            Self::Browser(error) => error.fault(),
            Self::Episode(error) => error.fault(),
            Self::Folder(_) => Fault::Environment,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Trace(error) => error.hint(),
            Self::Nothing { .. } => Some("only end-to-end episodes have actions to do again".to_owned()),
            Self::Server(error) => error.hint(),
            Self::Browser(error) => error.hint(),
            Self::Episode(error) => error.hint(),
            Self::Folder(_) => Some("check the free space of the temporary folder".to_owned()),
        }
    }
}

/// The first thing that was not the same again.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Divergence {
    /// Number of the event in the recorded trace.
    pub event: u64,
    /// The step; 0 for what came after the steps.
    pub step: u32,
    /// `screenshot`, `tree`, `page`, `action`, `state`, `artifacts`, or `end`.
    pub what: &'static str,
    /// How it differs, for a person.
    pub how: String,
}

/// What a replay came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Steps that were done again.
    pub steps: u32,
    /// Events that were compared.
    pub compared: u64,
    /// The first difference; `None` when there is none.
    pub divergence: Option<Divergence>,
    /// What the reader should know, such as another version of the browser.
    pub notes: Vec<String>,
}

/// What replays share: a server and a browser.
#[derive(Debug)]
pub struct Replayer {
    pub(super) server: Server,
    pub(super) browser: Browser,
}

impl Replayer {
    /// Starts a server and a browser.
    ///
    /// # Errors
    /// [`ReplayError::Server`], [`ReplayError::Browser`].
    pub async fn start(wanted: Wanted, guard_executable: Option<PathBuf>) -> Result<Self, ReplayError> {
        let server = Server::start(ServerOptions::default()).await?;
        let launch = LaunchOptions {
            wanted,
            proxy: Some(format!("http://{}", server.address())),
            guard_executable,
            ..LaunchOptions::default()
        };
        let browser = Browser::launch(&launch).await?;
        Ok(Self { server, browser })
    }

    /// Ends both.
    pub async fn close(self) {
        self.browser.close().await;
        self.server.shutdown(Deadline::after_ms(1_000)).await;
    }

    /// Does the actions of an episode's folder again.
    ///
    /// # Errors
    /// [`ReplayError`] when the trace is broken, has no actions, or the replay cannot be made. A trace
    /// without its last event is replayed up to where it ends.
    pub async fn replay(&self, folder: &Path, cancel: &Cancel) -> Result<Replayed, ReplayError> {
        match verify(folder) {
            Ok(_) | Err(TraceError::Incomplete { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let recorded = Trace::load(folder)?;
        let nothing = |why: &str| ReplayError::Nothing { path: folder.to_owned(), why: why.to_owned() };
        let started = recorded.started().ok_or_else(|| nothing("it has no first event"))?;
        if started.mode != "e2e" {
            return Err(nothing("it was recorded without a browser"));
        }
        let loaded = scenario_of(started).map_err(|why| nothing(&why))?;
        let mut notes = Vec::new();
        let own = self.browser.identity();
        if let Some(browser) = &started.browser
            && (browser.product != own.product || browser.kind != own.kind)
        {
            notes.push(format!(
                "recorded with {} {}, replayed with {} {}",
                browser.kind, browser.product, own.kind, own.product
            ));
        }
        let place =
            tempfile::Builder::new().prefix("discreet-replay-").tempdir().map_err(ReplayError::Folder)?;
        let again = place.path().join("episode");
        let options = RunOptions { dialogs: dialogs_of(&recorded), ..options_of(started) };
        // One episode needs no next one.
        let (seat, wish) = (WarmSeat::default(), Wish::default());
        let stage = Stage {
            server: &self.server,
            browser: &self.browser,
            options: &options,
            cancel,
            seat: &seat,
            wish: &wish,
        };
        let cast = Cast {
            started: started.in_present_format(),
            scenario: &loaded.scenario,
            variation: Variation::recorded(&started.variation)
                .map_err(|error| nothing(&error.to_string()))?,
            ground_truth: &loaded.ground_truth,
            agent: Box::new(Recorded::of(&recorded)),
            // What the agent was told is no concern of a recording.
            defense: "",
        };
        Box::pin(act_out(&stage, cast, &again)).await?;
        let replayed = Trace::load(&again)?;
        let sides = Sides { recorded: Steps::of(&recorded, folder), replayed: Steps::of(&replayed, &again) };
        let (compared, divergence) = sides.compare(is_whole(&recorded));
        Ok(Replayed { steps: steps_of(&recorded), compared, divergence, notes })
    }
}

/// Whether the recorded end was the agent's doing, so that what was left behind has to be the same.
fn is_whole(trace: &Trace) -> bool {
    trace.tail == Tail::Complete && trace.finished().is_some_and(|finished| finished.outcome.is_scored())
}

fn steps_of(trace: &Trace) -> u32 {
    let steps = trace.events.iter().map(|recorded| match &recorded.event {
        Event::Reply(reply) => reply.step,
        _ => 0,
    });
    steps.max().unwrap_or(0)
}

/// The options that decide how an episode goes, as the first event names them.
fn options_of(started: &EpisodeStarted) -> RunOptions {
    RunOptions {
        observe: match started.observe.as_str() {
            "axtree" => AccessMode::Axtree,
            "screenshot" => AccessMode::Screenshot,
            _ => AccessMode::Mixed,
        },
        max_steps: started.max_steps,
        ..RunOptions::default()
    }
}

/// What happened to native dialogs, as the note behind the first event names it.
fn dialogs_of(trace: &Trace) -> DialogPolicy {
    let named = trace.events.iter().find_map(|recorded| match &recorded.event {
        Event::Note(note) if note.topic == DIALOGS => Some(note.text.as_str()),
        _ => None,
    });
    let known = DialogPolicy::ALL.into_iter().find(|policy| Some(policy.name()) == named);
    known.unwrap_or_default()
}

/// The scenario of a trace.
fn scenario_of(started: &EpisodeStarted) -> Result<Box<LoadedScenario>, String> {
    let loaded = load_recorded(&started.scenario)?;
    if loaded.scenario.content_hash != started.scenario_hash {
        return Err("its scenario does not give the hash it was recorded with".to_owned());
    }
    Ok(loaded)
}

/// What of a trace is needed to walk through it again.
pub(super) struct Walk {
    pub(super) scenario: Scenario,
    pub(super) variation: Variation,
    /// What happened to native dialogs.
    pub(super) dialogs: DialogPolicy,
    /// The action text of each step.
    pub(super) replies: BTreeMap<u32, String>,
    /// Each step's picture.
    pub(super) pictures: BTreeMap<u32, Vec<u8>>,
}

impl Walk {
    /// Reads it from an episode's folder.
    pub(super) fn of(folder: &Path) -> Result<Self, ReplayError> {
        let nothing = |why: String| ReplayError::Nothing { path: folder.to_owned(), why };
        let trace = Trace::load(folder)?;
        let started = trace.started().ok_or_else(|| nothing("it has no first event".to_owned()))?;
        if started.mode != "e2e" {
            return Err(nothing("it was recorded without a browser".to_owned()));
        }
        let mut walk = Self {
            scenario: scenario_of(started).map_err(nothing)?.scenario,
            variation: Variation::recorded(&started.variation).map_err(|error| nothing(error.to_string()))?,
            dialogs: dialogs_of(&trace),
            replies: BTreeMap::new(),
            pictures: BTreeMap::new(),
        };
        for recorded in &trace.events {
            match &recorded.event {
                Event::Reply(reply) => drop(walk.replies.insert(reply.step, reply.action.clone())),
                Event::Observation(ObservationRecord { step, screenshot: Some(picture), .. }) => {
                    let read = std::fs::read(folder.join(BLOBS_FOLDER).join(picture.file_name()));
                    // One that is missing is not the same as any.
                    walk.pictures.extend(read.ok().map(|bytes| (*step, bytes)));
                }
                _ => {}
            }
        }
        Ok(walk)
    }
}

/// Plays recorded replies.
struct Recorded {
    replies: VecDeque<Reply>,
    /// Whether a reply held several actions.
    multi: bool,
    /// The set of the access mode, and behind it what was recorded besides: who writes an unknown action is
    /// told the known ones, in this order.
    action_set: String,
}

impl Recorded {
    fn of(trace: &Trace) -> Self {
        let replies = trace.events.iter().filter_map(|recorded| match &recorded.event {
            Event::Reply(reply) => Some(Reply {
                action: reply.action.clone(),
                thought: reply.thought.clone(),
                // What was no usable reply at all holds no action; its reason is told to the agent again.
                malformed: reply
                    .parse_error
                    .as_deref()
                    .filter(|_| reply.parsed.is_empty())
                    .and_then(|error| error.strip_prefix("ValueError: "))
                    .map(ToOwned::to_owned),
            }),
            _ => None,
        });
        let parsed = trace.events.iter().filter_map(|recorded| match &recorded.event {
            Event::Reply(reply) => Some(&reply.parsed),
            _ => None,
        });
        let multi = parsed.clone().any(|actions| actions.len() > 1);
        let is_by_sight = trace.started().is_some_and(|started| started.observe == "screenshot");
        let mut action_set = if is_by_sight { "screenshot" } else { "workspace" }.to_owned();
        let holds_dialogs = dialogs_of(trace) == DialogPolicy::Hold;
        for name in parsed.flatten().filter_map(|action| action.get("name")?.as_str()) {
            let is_in = |set: &str| ActionSet::named(set).is_ok_and(|set| set.contains(name));
            // Answers to held dialogs are added where they are held.
            if !(is_in(&action_set) || holds_dialogs && is_in("dialog")) {
                action_set.extend([",", name]);
            }
        }
        Self { replies: replies.collect(), multi, action_set }
    }
}

impl Agent for Recorded {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn wants(&self) -> Wants {
        Wants { action_set: Some(self.action_set.clone()), multi: self.multi, ..Wants::default() }
    }

    fn reset(&mut self, _task: &Task) {}

    fn act<'a>(&'a mut self, _observation: &'a Observation) -> BoxFuture<'a, Result<Reply, AgentError>> {
        let next = self.replies.pop_front();
        let ended = || AgentError::Invalid("the recording ends here".to_owned());
        Box::pin(std::future::ready(next.ok_or_else(ended)))
    }
}

/// The events of a trace that have to be the same again.
struct Steps<'a> {
    folder: &'a Path,
    events: Vec<(u64, &'a Event)>,
}

impl<'a> Steps<'a> {
    fn of(trace: &'a Trace, folder: &'a Path) -> Self {
        let lasting = |event: &Event| match event {
            Event::Observation(_)
            | Event::ActionResult(_)
            | Event::WorkspaceEvents(_)
            | Event::ArtifactsRead(_)
            | Event::WorkspaceClosed(_) => true,
            Event::Blocked(blocked) => blocked.how == "action_layer",
            Event::EpisodeStarted(_) | Event::Reply(_) | Event::Note(_) | Event::EpisodeFinished(_) => false,
        };
        let events = trace.events.iter().filter(|recorded| lasting(&recorded.event));
        Self { folder, events: events.map(|recorded| (recorded.seq, &recorded.event)).collect() }
    }

    fn blob(&self, blob: &BlobRef) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(BLOBS_FOLDER).join(blob.file_name())).ok()
    }
}

struct Sides<'a> {
    recorded: Steps<'a>,
    replayed: Steps<'a>,
}

impl Sides<'_> {
    /// Number of events that were compared, and the first that differs.
    fn compare(&self, is_whole: bool) -> (u64, Option<Divergence>) {
        let left_behind =
            |event: &Event| matches!(event, Event::ArtifactsRead(_) | Event::WorkspaceClosed(_));
        let mut compared = 0;
        let mut others = self.replayed.events.iter();
        for (seq, event) in &self.recorded.events {
            // What was left behind when something broke an episode off is no doing of its actions.
            if !is_whole && left_behind(event) {
                continue;
            }
            let Some((_, other)) = others.next() else {
                let how = format!("the replay ended before `{}`", event.name());
                return (compared, Some(divergence(*seq, event, "end", how)));
            };
            compared += 1;
            if let Some((what, how)) = self.differ(event, other) {
                return (compared, Some(divergence(*seq, event, what, how)));
            }
        }
        (compared, None)
    }

    /// What differs between two events, and how.
    fn differ(&self, recorded: &Event, replayed: &Event) -> Option<(&'static str, String)> {
        match (recorded, replayed) {
            (Event::Observation(one), Event::Observation(other)) => self.observations(one, other),
            (Event::ActionResult(one), Event::ActionResult(other)) => {
                let told = |error: &Option<String>| error.clone().unwrap_or_else(|| "no error".to_owned());
                if one.error != other.error {
                    return Some(("action", unlike(&told(&one.error), &told(&other.error))));
                }
                let place =
                    |point: &Option<[f64; 2]>, area: &Option<[f64; 4]>| format!("{point:?} in {area:?}");
                let (own, again) =
                    (place(&one.point, &one.element_box), place(&other.point, &other.element_box));
                (own != again).then(|| ("action", unlike(&own, &again)))
            }
            (Event::WorkspaceEvents(one), Event::WorkspaceEvents(other)) => {
                values("state", &serde_json::json!(one.events), &serde_json::json!(other.events))
            }
            (Event::ArtifactsRead(one), Event::ArtifactsRead(other)) => {
                let json = |record| serde_json::to_value(record).unwrap_or_default();
                values("artifacts", &json(one), &json(other))
            }
            (Event::WorkspaceClosed(one), Event::WorkspaceClosed(other)) => (one.state_hash
                != other.state_hash)
                .then(|| ("state", unlike(one.state_hash.as_str(), other.state_hash.as_str()))),
            (one, other) if one == other => None,
            (one, other) => {
                Some(("end", format!("`{}` was recorded, `{}` came again", one.name(), other.name())))
            }
        }
    }

    fn observations(
        &self,
        one: &ObservationRecord,
        other: &ObservationRecord,
    ) -> Option<(&'static str, String)> {
        if one.url != other.url {
            return Some(("page", unlike(&one.url, &other.url)));
        }
        // Each may lack where looking took too long; what is not there cannot be compared.
        if let (Some(own), Some(again)) = (&one.axtree, &other.axtree)
            && own.sha256() != again.sha256()
        {
            let text = |steps: &Steps<'_>, blob| {
                steps.blob(blob).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
            };
            return Some(("tree", lines(&text(&self.recorded, own), &text(&self.replayed, again))));
        }
        if let (Some(own), Some(again)) = (&one.screenshot, &other.screenshot)
            && own.sha256() != again.sha256()
            && let Some(how) = pixels(self.recorded.blob(own), self.replayed.blob(again))
        {
            return Some(("screenshot", how));
        }
        let rest = |record: &ObservationRecord| {
            // Boxes are where tree and picture have them, and older traces hold none.
            let bare = ObservationRecord { axtree: None, screenshot: None, boxes: None, ..record.clone() };
            serde_json::to_value(bare).unwrap_or_default()
        };
        values("page", &rest(one), &rest(other))
    }
}

fn divergence(event: u64, at: &Event, what: &'static str, how: String) -> Divergence {
    let step = match at {
        Event::Observation(observation) => observation.step,
        Event::ActionResult(result) => result.step,
        Event::WorkspaceEvents(events) => events.step,
        Event::Blocked(blocked) => blocked.step,
        _ => 0,
    };
    Divergence { event, step, what, how }
}

fn short(text: &str) -> String {
    let mut short: String = text.chars().take(160).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn unlike(recorded: &str, replayed: &str) -> String {
    format!("recorded {}, now {}", short(recorded), short(replayed))
}

/// The first place where two values differ.
fn values(what: &'static str, one: &Value, other: &Value) -> Option<(&'static str, String)> {
    if one == other {
        return None;
    }
    let (place, one, other) = first_difference(String::new(), one, other);
    Some((what, format!("at {}: {}", if place.is_empty() { "." } else { &place }, unlike(&one, &other))))
}

fn first_difference(place: String, one: &Value, other: &Value) -> (String, String, String) {
    match (one, other) {
        (Value::Object(own), Value::Object(again)) => {
            let names = own.keys().chain(again.keys());
            for name in names {
                let pair = (own.get(name).unwrap_or(&Value::Null), again.get(name).unwrap_or(&Value::Null));
                if pair.0 != pair.1 {
                    return first_difference(format!("{place}.{name}"), pair.0, pair.1);
                }
            }
        }
        (Value::Array(own), Value::Array(again)) => {
            for index in 0..own.len().max(again.len()) {
                let pair = (own.get(index).unwrap_or(&Value::Null), again.get(index).unwrap_or(&Value::Null));
                if pair.0 != pair.1 {
                    return first_difference(format!("{place}[{index}]"), pair.0, pair.1);
                }
            }
        }
        _ => {}
    }
    (place, one.to_string(), other.to_string())
}

/// The first line in which two texts differ.
fn lines(one: &str, other: &str) -> String {
    let mut pairs = one.lines().zip(other.lines()).enumerate();
    match pairs.find(|(_, (own, again))| own != again) {
        Some((index, (own, again))) => {
            format!("line {}: {}", index + 1, unlike(own.trim(), again.trim()))
        }
        None => format!("{} lines were recorded, now {}", one.lines().count(), other.lines().count()),
    }
}

/// How many pixels of two pictures differ, and where; `None` when none does, although the files do.
fn pixels(one: Option<Vec<u8>>, other: Option<Vec<u8>>) -> Option<String> {
    let decode = |bytes: Option<Vec<u8>>| bytes.and_then(|bytes| image::load_from_memory(&bytes).ok());
    let (Some(one), Some(other)) = (decode(one), decode(other)) else {
        return Some("one of them is no picture".to_owned());
    };
    if one.dimensions() != other.dimensions() {
        return Some(format!("recorded {:?} pixels, now {:?}", one.dimensions(), other.dimensions()));
    }
    let (one, other) = (one.to_rgba8(), other.to_rgba8());
    let mut count = 0_u64;
    let (mut left, mut top, mut right, mut bottom) = (u32::MAX, u32::MAX, 0, 0);
    for ((x, y, own), again) in one.enumerate_pixels().zip(other.pixels()) {
        if own != again {
            count += 1;
            (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
        }
    }
    (count > 0).then(|| format!("{count} pixels differ, between ({left}, {top}) and ({right}, {bottom})"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named_with_its_place() {
        let (what, how) =
            values("state", &json!([{"a": [1, 2], "b": 3}]), &json!([{"a": [1, 4], "b": 9}])).unwrap();
        assert_eq!((what, how.as_str()), ("state", "at [0].a[1]: recorded 2, now 4"));
        assert_eq!(values("state", &json!({"a": 1}), &json!({"a": 1})), None);
        let (_, how) = values("state", &json!([1]), &json!([1, {"more": 2}])).unwrap();
        assert_eq!(how, "at [1]: recorded null, now {\"more\":2}");
    }

    #[test]
    fn lines_and_pixels_are_counted() {
        assert_eq!(lines("a\nb\nc", "a\nx\nc"), "line 2: recorded b, now x");
        assert_eq!(lines("a", "a\nb"), "1 lines were recorded, now 2");
        let picture = |at: u32| {
            let mut picture = image::RgbaImage::new(4, 3);
            picture.put_pixel(at, 1, image::Rgba([255, 0, 0, 255]));
            let mut bytes = std::io::Cursor::new(Vec::new());
            picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
            Some(bytes.into_inner())
        };
        assert_eq!(pixels(picture(1), picture(1)), None);
        assert_eq!(pixels(picture(0), picture(3)).unwrap(), "2 pixels differ, between (0, 1) and (3, 1)");
        assert!(pixels(picture(0), None).is_some());
    }
}
