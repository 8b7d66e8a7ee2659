//! The events of format 1. They are wire types: plain, closed (`deny_unknown_fields`), and apart
//! from the domain types they are made of.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::digest::{BlobRef, Digest};
use super::score_record::ScoreRecord;
use crate::error::Outcome;
use crate::scenario::{Channel, Confidence, GroundTruth, Item, Target};

/// The format this program writes, and the highest it reads.
pub const FORMAT: u32 = 2;

/// The oldest format that is read. What was recorded in an older one than [`FORMAT`] lacks what came later.
pub const OLDEST_FORMAT: u32 = 1;

/// Something that happened in an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "what", rename_all = "snake_case")]
pub enum Event {
    /// Always the first.
    EpisodeStarted(Box<EpisodeStarted>),
    /// What the agent was given.
    Observation(ObservationRecord),
    /// What it answered.
    Reply(ReplyRecord),
    /// What came of one action.
    ActionResult(ActionResult),
    /// What the workspace's log holds since the last such event.
    WorkspaceEvents(WorkspaceEvents),
    /// The agent or a page tried to leave the workspace.
    Blocked(Blocked),
    /// Something worth knowing that has no event of its own.
    Note(Note),
    /// What was persisted, and who can read it: the scorer's whole input besides the ground truth.
    ArtifactsRead(ArtifactsRead),
    /// The workspace's file was checkpointed and closed.
    WorkspaceClosed(WorkspaceClosed),
    /// Always the last, and the only one with the ground truth.
    EpisodeFinished(Box<EpisodeFinished>),
}

impl Event {
    /// The name in `type`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::EpisodeStarted(_) => "episode_started",
            Self::Observation(_) => "observation",
            Self::Reply(_) => "reply",
            Self::ActionResult(_) => "action_result",
            Self::WorkspaceEvents(_) => "workspace_events",
            Self::Blocked(_) => "blocked",
            Self::Note(_) => "note",
            Self::ArtifactsRead(_) => "artifacts_read",
            Self::WorkspaceClosed(_) => "workspace_closed",
            Self::EpisodeFinished(_) => "episode_finished",
        }
    }

    /// The blobs it names.
    pub fn blobs(&self) -> impl Iterator<Item = &BlobRef> {
        let named: [&Option<BlobRef>; 4] = match self {
            Self::Observation(ObservationRecord { axtree, screenshot, boxes, state, .. }) => {
                [axtree, screenshot, boxes, state]
            }
            Self::Reply(reply) => [&reply.prompt, &reply.response, &None, &None],
            _ => [&None; 4],
        };
        let attempts: &[AttemptRecord] = match self {
            Self::Reply(reply) => &reply.attempts,
            _ => &[],
        };
        let of_attempts =
            attempts.iter().flat_map(|attempt| std::iter::once(&attempt.prompt).chain(&attempt.response));
        named.into_iter().flatten().chain(of_attempts)
    }
}

/// The first event: everything that decides how the episode goes, without the ground truth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EpisodeStarted {
    /// Format of the trace.
    pub format: u32,
    /// Version of this program.
    pub discreet_version: String,
    /// The run it belongs to.
    pub run_id: String,
    /// Identifier of the scenario.
    pub scenario_id: String,
    /// Cluster for statistics.
    pub seed_family: String,
    /// What kind of leak the scenario is about.
    pub failure_mode: String,
    /// The file it was loaded from, as given on the command line.
    pub scenario_file: String,
    /// SHA-256 of `scenario`'s content as the loader defines it; empty when it could not be loaded.
    pub scenario_hash: String,
    /// The scenario as written, without its ground truth; `null` when it could not be loaded.
    pub scenario: Value,
    /// Where the result belongs; `null` when the scenario could not be loaded.
    pub target: Option<TargetRecord>,
    /// Name of the agent.
    pub agent: String,
    /// The agent's model.
    pub model: Option<String>,
    /// `e2e` or `state`.
    pub mode: String,
    /// `axtree`, `screenshot` or `mixed`; in state mode `state`.
    pub observe: String,
    /// Name of the defense; `none` for none.
    pub defense: String,
    /// The factors in force, by name; values are strings, numbers or booleans.
    pub variation: BTreeMap<String, Value>,
    /// The browser; `null` in state mode.
    pub browser: Option<BrowserRecord>,
    /// 1-based number among the repeats of the same episode.
    pub trial: u32,
    /// Step budget.
    pub max_steps: u32,
    /// Seed of everything random in the episode.
    pub seed: u64,
}

impl EpisodeStarted {
    /// The same for a trace of the present format: what older ones lack may be left out of it.
    #[must_use]
    pub fn in_present_format(&self) -> Self {
        Self { format: FORMAT, ..self.clone() }
    }
}

/// The browser as it reported itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BrowserRecord {
    /// `chromium`, `headless-shell` or `remote`.
    pub kind: String,
    /// Product and version, as the browser gives it.
    pub product: String,
    /// Flags of the running process, without those that name a path or a port.
    pub flags: Vec<String>,
}

/// Where the task's own artifact belongs and who it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TargetRecord {
    /// The app, or the answer.
    pub channel: Channel,
    /// Exact contact name; `null` where nobody but the user reads it.
    pub recipient: Option<String>,
    /// Whether a saved draft counts.
    pub draft_accepted: bool,
    /// How sure that is.
    pub confidence: Confidence,
    /// The rule that concluded it.
    pub reason: String,
}

impl From<&Target> for TargetRecord {
    fn from(target: &Target) -> Self {
        Self {
            channel: target.channel,
            recipient: target.recipient.clone(),
            draft_accepted: target.draft_accepted,
            confidence: target.confidence,
            reason: target.reason.clone(),
        }
    }
}

/// What the agent was given at a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservationRecord {
    /// 1-based.
    pub step: u32,
    /// Address of the active page; empty in state mode.
    pub url: String,
    /// All open pages.
    pub open_pages: Vec<PageRecord>,
    /// Index into `open_pages`.
    pub active_page: usize,
    /// Id of the focused element; empty if none has focus.
    pub focused_bid: String,
    /// The accessibility tree's text.
    pub axtree: Option<BlobRef>,
    /// The viewport as PNG.
    pub screenshot: Option<BlobRef>,
    /// Where the tree's elements are in the picture: `{id: [x, y, width, height]}` in pixels. Since format 2.
    pub boxes: Option<BlobRef>,
    /// State mode: the state as the agent got it.
    pub state: Option<BlobRef>,
    /// Native dialogs since the last observation.
    pub dialogs: Vec<DialogRecord>,
    /// Why the last action failed; empty if it did not.
    pub last_action_error: String,
}

/// An open page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRecord {
    /// Address.
    pub url: String,
    /// Title.
    pub title: String,
}

/// A native dialog and how it was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DialogRecord {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// Its message.
    pub message: String,
    /// Whether it was accepted.
    pub accepted: bool,
}

/// What the agent answered at a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplyRecord {
    /// 1-based.
    pub step: u32,
    /// The action text as the agent wrote it.
    pub action: String,
    /// Its reasoning, if it gave any.
    pub thought: Option<String>,
    /// The actions it was parsed into; empty when it could not be parsed.
    pub parsed: Vec<Value>,
    /// Why it could not be parsed, `ClassName: message`.
    pub parse_error: Option<String>,
    /// The exact text or request that was sent to a model.
    pub prompt: Option<BlobRef>,
    /// The exact answer of a model, where `action` is only a part of it.
    pub response: Option<BlobRef>,
    /// What it cost, earlier attempts included.
    pub usage: Option<Usage>,
    /// Time until the reply was there, milliseconds.
    pub latency_ms: u64,
    /// Exchanges with the model at this step before the last one: a failed request that was repeated,
    /// an answer that was asked for again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptRecord>,
}

/// An exchange with a model whose answer was not used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttemptRecord {
    /// The exact request.
    pub prompt: BlobRef,
    /// The exact answer; `null` when none came.
    pub response: Option<BlobRef>,
    /// What it cost, where that is known.
    pub usage: Option<Usage>,
    /// Why the answer was not used.
    pub error: String,
    /// Time until the answer was there, milliseconds.
    pub latency_ms: u64,
}

/// Tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// US dollars; `null` where the price is not known, which is not 0.
    pub cost: Option<f64>,
}

/// What came of one action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionResult {
    /// 1-based.
    pub step: u32,
    /// Zero-based place among the actions of the reply.
    pub index: u32,
    /// The action, as parsed.
    pub action: Value,
    /// Why it failed, `ClassName: message`; `null` when it did not.
    pub error: Option<String>,
    /// Point of the click in CSS pixels of the viewport.
    pub point: Option<[f64; 2]>,
    /// Box of the element, `[x, y, width, height]` in CSS pixels of the viewport.
    pub element_box: Option<[f64; 4]>,
    /// How the page came to rest afterwards; `null` when nothing was awaited.
    pub settle: Option<SettleRecord>,
    /// Time of the action with settling, milliseconds.
    pub duration_ms: u64,
}

/// How the page came to rest after an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettleRecord {
    /// Milliseconds waited.
    pub waited_ms: u64,
    /// Whether it came to rest before the deadline.
    pub settled: bool,
    /// What was awaited last (`navigation`, `requests`, `frame`).
    pub waited_for: String,
}

/// New entries of the workspace's event log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceEvents {
    /// The step that caused them.
    pub step: u32,
    /// Entries as the workspace stores them.
    pub events: Vec<Value>,
}

/// An attempt to leave the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blocked {
    /// The step during which it happened.
    pub step: u32,
    /// What was to be reached.
    pub target: String,
    /// What refused it: `action_layer` or `network_wall`.
    pub how: String,
}

/// Something worth knowing: a retry, an observation without its image, a truncated text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The step, if it belongs to one.
    pub step: Option<u32>,
    /// Short name in `snake_case`, for filters.
    pub topic: String,
    /// What happened, for a person.
    pub text: String,
}

/// What the episode left behind, in terms of who can read what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactsRead {
    /// In the final state, in order of writing.
    pub artifacts: Vec<ArtifactRecord>,
    /// Read by somebody for a while, gone from the final state.
    pub transient: Vec<ArtifactRecord>,
    /// Saved as a draft and not sent.
    pub drafts: Vec<ArtifactRecord>,
}

/// A piece of text that the agent wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRecord {
    /// App, or `answer`.
    pub app: String,
    /// `message`, `event`, `task`, `file`, `place`, `order`, `draft` or `answer`.
    pub kind: String,
    /// Entity id; empty for an answer.
    pub entity: String,
    /// Names it was addressed to; a group stays a group here.
    pub addressed_to: Vec<String>,
    /// Everybody who can read it besides the user; `["user"]` for an answer.
    pub readers: Vec<String>,
    /// What the agent added.
    pub text: String,
    /// The step that made it; 0 when no step did.
    pub step: u32,
}

/// The workspace's file, after its last byte was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceClosed {
    /// SHA-256 of `workspace.sqlite`.
    pub sha256: Digest,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of the final state in canonical JSON, without ports, tokens and wall times.
    pub state_hash: Digest,
}

/// The last event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EpisodeFinished {
    /// What must and must not reach somebody; `null` when the scenario could not be loaded.
    pub ground_truth: Option<GroundTruthRecord>,
    /// How the episode ended.
    pub outcome: Outcome,
    /// The score; `null` when the outcome is not scored.
    pub score: Option<ScoreRecord>,
    /// Per item the first step at which it was in what the agent was given; `null` for never.
    pub exposures: BTreeMap<String, Option<u32>>,
    /// Steps and what kind they were.
    pub counts: Counts,
    /// Sum over the replies; `null` when the agent reports none.
    pub usage: Option<Usage>,
    /// Where the time went.
    pub timing: Timing,
    /// What went wrong, for a person; `null` when nothing did.
    pub error: Option<String>,
}

/// Steps and what kind they were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Steps taken.
    pub steps: u32,
    /// Steps whose action could not be parsed or failed.
    pub invalid_actions: u32,
    /// Steps that repeat the step before: same action, same observation.
    pub repeated_actions: u32,
}

/// Where the time went, milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Until the first observation.
    pub setup_ms: u64,
    /// Per step: observation, reply and action.
    pub steps_ms: Vec<u64>,
    /// From start to score.
    pub total_ms: u64,
}

/// The ground truth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundTruthRecord {
    /// Required items.
    pub must_share: Vec<ItemRecord>,
    /// Forbidden items.
    pub must_not_share: Vec<ItemRecord>,
}

/// One item with what refines it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemRecord {
    /// The item.
    pub text: String,
    /// Other wordings.
    pub any_of: Vec<String>,
    /// Which norm it would breach.
    pub why: Option<String>,
    /// Readers for whom it is no leak.
    pub audience_ok: Vec<String>,
}

impl From<&GroundTruth> for GroundTruthRecord {
    fn from(truth: &GroundTruth) -> Self {
        let records = |items: &[Item]| items.iter().map(ItemRecord::from).collect();
        Self { must_share: records(&truth.must_share), must_not_share: records(&truth.must_not_share) }
    }
}

impl From<&Item> for ItemRecord {
    fn from(item: &Item) -> Self {
        Self {
            text: item.text.clone(),
            any_of: item.any_of.clone(),
            why: item.why.clone(),
            audience_ok: item.audience_ok.clone(),
        }
    }
}

impl From<&GroundTruthRecord> for GroundTruth {
    fn from(record: &GroundTruthRecord) -> Self {
        let items = |records: &[ItemRecord]| {
            let item = |record: &ItemRecord| Item {
                any_of: record.any_of.clone(),
                why: record.why.clone(),
                audience_ok: record.audience_ok.clone(),
                ..Item::plain(record.text.clone())
            };
            records.iter().map(item).collect()
        };
        Self { must_share: items(&record.must_share), must_not_share: items(&record.must_not_share) }
    }
}

/// A whole line, for the published schema only: reading goes through the reader, which checks the
/// text before it looks at members.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "its members are read by the schema generator")]
#[schemars(
    title = "discreet trace, one line of trace.jsonl, format 1",
    extend("unevaluatedProperties" = false)
)]
struct Line {
    /// SHA-256 of the line without this member.
    hash: Digest,
    /// `hash` of the line before; 64 zeros in the first.
    prev: Digest,
    /// 1-based line number.
    #[schemars(range(min = 1))]
    seq: u64,
    /// Monotonic milliseconds since the recorder was made.
    t_ms: u64,
    #[schemars(flatten)]
    event: Event,
}

/// The JSON Schema of one line of `trace.jsonl`.
#[must_use]
pub fn schema() -> Value {
    schemars::schema_for!(Line).to_value()
}
