//! What the event log holds, and the pieces of text that somebody can read.

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

/// The apps that hold entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum App {
    /// Messenger.
    Messenger,
    /// Calendar.
    Calendar,
    /// To-do.
    Todo,
    /// Maps.
    Maps,
    /// Code editor.
    CodeEditor,
    /// Shop.
    Shop,
}

impl App {
    /// All six, in the order of the app rail.
    pub const ALL: [Self; 6] =
        [Self::Messenger, Self::Calendar, Self::Maps, Self::Todo, Self::CodeEditor, Self::Shop];

    /// The name used in rows, events and channels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Messenger => "messenger",
            Self::Calendar => "calendar",
            Self::Todo => "todo",
            Self::Maps => "maps",
            Self::CodeEditor => "code_editor",
            Self::Shop => "shop",
        }
    }
}

/// The readable text of one entity: the unit in which disclosure is counted. A state is turned
/// into its units by [`super::units`]; what is new or changed between two states is what was
/// disclosed, drafted or kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Which app holds it.
    pub app: App,
    /// Artifact kind: `message`, `draft`, `calendar`, `event`, `own_event` (what the user alone reads
    /// of an event whose time others know), `event_notes` (the user's own notes on one), `list`, `task`, `comment`, `file`, `commit`,
    /// `place`, `route`, `review`, `shared_route` and the like for what was shown to people,
    /// `shared_invitation` for what the invitees of an event were sent, and for
    /// an order, whose readers read different parts of it, `order` (the seller), `gift`, `delivery`
    /// and `reference`.
    pub kind: String,
    /// Entity id, such as `message-12`; a thread's own draft goes by the thread's id.
    pub entity: String,
    /// Names it was addressed to (a thread's contacts, the invitees); a group stays a group here.
    pub addressed_to: Vec<String>,
    /// Everybody who can read it besides the user, groups resolved to members; sorted.
    pub readers: Vec<String>,
    /// All of its readable fields, one per line.
    pub text: String,
}

/// One row of the append-only event log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredEvent {
    /// 1, 2, 3, …
    pub seq: u64,
    /// The agent's step that caused it; 0 before the first step or for a person's click.
    pub step: u32,
    /// Virtual clock.
    pub at: DateTime,
    /// Which app.
    pub app: App,
    /// What happened: `message_sent`, `message_forwarded`, `message_edited`,
    /// `message_deleted`, `message_restored`, `thread_read`, `thread_archived`, `draft_saved`,
    /// `draft_removed`, `event_created`, `event_updated`, `event_cancelled`, `event_day_removed`,
    /// `event_days_removed`, `series_parted`, `event_restored`, `event_answered`, `event_shared`,
    /// `calendar_shared`, `task_added`, `task_done`, `task_reopened`, `file_created`, `file_saved`,
    /// `place_saved`, `cart_filled`, `order_placed` and others; each app's commands have theirs.
    pub kind: String,
    /// The entity that was written or removed.
    pub entity: String,
    /// The command as data, for replay by a person.
    pub payload: serde_json::Value,
    /// The entity's units right after the event: one for most, one per kind of reader for an
    /// order, none when the event removed the entity or wrote nothing that can be read. Beside them
    /// the app's other units that it changed; one that went with it has no text and no readers.
    pub units: Vec<Unit>,
}
