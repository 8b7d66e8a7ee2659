//! What can be done to a workspace. Every mutation is one of these.

use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};

use super::{CalendarCommand, CodeCommand, MapsCommand, ShopCommand, TodoCommand};
use crate::scenario::model::{AttachmentKind, EventStatus, Frequency, Shipping, Visibility};

/// Where a message goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Addressee {
    /// An existing thread, by id.
    Thread(String),
    /// People, groups or channels, by contact name; a thread is made where none of exactly these
    /// exists.
    Names(Vec<String>),
}

/// One mutation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Sends a message; the thread's draft is gone then.
    SendMessage {
        /// To whom.
        to: Addressee,
        /// The text; blank only where something is attached.
        text: String,
        /// Id of the message of the thread that it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply_to: Option<String>,
        /// What to attach.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attach: Vec<Attach>,
    },
    /// Passes a message on, with its attachments.
    ForwardMessage {
        /// Message id.
        message: String,
        /// To whom.
        to: Addressee,
        /// What the user adds; may be blank.
        text: String,
    },
    /// Saves text in a thread without sending it.
    SaveDraft {
        /// To whom.
        to: Addressee,
        /// The text; blank and nothing attached discards the draft.
        text: String,
        /// Id of the message of the thread that it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply_to: Option<String>,
        /// What to attach.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attach: Vec<Attach>,
    },
    /// Keeps what is being typed in a thread, as often as it changes. Nobody notices, and no time
    /// passes. Blank text and nothing attached leave no draft.
    KeepDraft {
        /// Thread id.
        thread: String,
        /// The text.
        text: String,
        /// Id of the message of the thread that it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reply_to: Option<String>,
        /// What to attach.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attach: Vec<Attach>,
    },
    /// Pins, mutes or archives a thread, or takes that back. Only the user notices.
    SetThread {
        /// Thread id.
        thread: String,
        /// What is set.
        setting: ThreadSetting,
        /// Whether it holds from now on.
        on: bool,
    },
    /// Brings back the draft of a thread that was discarded last.
    RestoreDraft {
        /// Thread id.
        thread: String,
    },
    /// Changes a message of the user's own.
    EditMessage {
        /// Message id.
        message: String,
        /// New text; not blank.
        text: String,
    },
    /// Removes a message of the user's own.
    DeleteMessage {
        /// Message id.
        message: String,
    },
    /// Undoes the last edit or the deletion of a message.
    RestoreMessage {
        /// Message id.
        message: String,
    },
    /// Notes that the user has seen a thread. Nobody else notices, and no time passes.
    MarkRead {
        /// Thread id.
        thread: String,
    },
    /// Creates an event.
    CreateEvent(NewEvent),
    /// Changes an event of the user's own: the whole series where it repeats, unless a part of it is
    /// named, which becomes an event of its own. Answers of invitees who stay are kept.
    UpdateEvent {
        /// Event id.
        event: String,
        /// All of its fields.
        fields: NewEvent,
        /// The part of a series that is changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<SeriesPart>,
    },
    /// Removes an event, or a part of a series.
    DeleteEvent {
        /// Event id.
        event: String,
        /// The first day of the one to be left out; the whole event or series where there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<Date>,
        /// Whether those after it are left out as well.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        following: bool,
    },
    /// Undoes the last change or the deletion of an event.
    RestoreEvent {
        /// Event id.
        event: String,
    },
    /// Answers an invitation to somebody else's event.
    RespondToEvent {
        /// Event id.
        event: String,
        /// `yes`, `no` or `maybe`.
        response: String,
        /// What the organiser is told with it; may be blank.
        note: String,
    },
    /// Adds a task to a list.
    AddTask {
        /// List id.
        list: String,
        /// Title; not blank.
        title: String,
    },
    /// Marks a task as done or open.
    SetTaskDone {
        /// Task id.
        task: String,
        /// New state.
        done: bool,
    },
    /// Saves a file's content.
    SaveFile {
        /// File id, or `None` for a new file.
        file: Option<String>,
        /// Path of a new file; ignored for an existing one.
        path: String,
        /// Content.
        content: String,
    },
    /// Saves a place for oneself.
    SavePlace {
        /// Name; not blank.
        name: String,
        /// Address.
        address: String,
        /// The user's own note.
        note: String,
    },
    /// Puts a product of the catalogue or of the scenario into the cart.
    AddToCart {
        /// Product title.
        title: String,
    },
    /// Orders every selected line of the cart; the others stay there.
    PlaceOrder(NewOrder),
    /// Anything else in the calendar.
    Calendar(CalendarCommand),
    /// Anything else in the to-do app.
    Todo(TodoCommand),
    /// Anything else in the maps app.
    Maps(MapsCommand),
    /// Anything else in the code editor.
    Code(CodeCommand),
    /// Anything else in the shop.
    Shop(ShopCommand),
}

/// What can be set about a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThreadSetting {
    /// It stands above the others.
    Pinned,
    /// Its unread messages are not counted.
    Muted,
    /// It lies in the archive.
    Archived,
}

/// A part of a series of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesPart {
    /// The first day of the one that is meant.
    pub day: Date,
    /// Whether those after it are meant as well.
    pub following: bool,
}

/// Something to attach to a message or an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attach {
    /// What it is.
    pub kind: AttachmentKind,
    /// Id of the file, event, place, route, list or product (one that the shop offers).
    pub id: String,
}

/// The fields of a new event.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NewEvent {
    /// Title; not blank.
    pub title: String,
    /// First day.
    pub date: Date,
    /// Start; none for the whole day.
    pub start: Option<Time>,
    /// Last day.
    pub end_date: Date,
    /// End.
    pub end: Option<Time>,
    /// Place.
    pub location: String,
    /// Description, visible to invitees.
    pub description: String,
    /// Contact names or other names.
    pub invitees: Vec<String>,
    /// What invitees see of it.
    #[serde(default)]
    pub visibility: Visibility,
    /// How often it repeats.
    #[serde(default)]
    pub repeats: Option<Frequency>,
    /// Only every so many days, weeks, months or years; 0 and 1 for each.
    #[serde(default)]
    pub interval: u32,
    /// Weekdays of a weekly series, Monday being 1; empty for that of the first day.
    #[serde(default)]
    pub weekdays: Vec<i8>,
    /// Last day of the series.
    #[serde(default)]
    pub until: Option<Date>,
    /// How many there are, where no last day says so.
    #[serde(default)]
    pub count: Option<u32>,
    /// Minutes before the start at which the user alone is reminded.
    #[serde(default)]
    pub reminders: Vec<u32>,
    /// Id of the calendar; empty for the user's own one.
    #[serde(default)]
    pub calendar: String,
    /// Link; `None` leaves the one that is there.
    #[serde(default)]
    pub url: Option<String>,
    /// Notes that the user alone reads.
    #[serde(default)]
    pub own_notes: String,
    /// Whether it takes place.
    #[serde(default)]
    pub status: EventStatus,
    /// What is attached to it already, or to the event it is a copy of, and stays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keep: Vec<KeptAttachment>,
    /// What to attach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attach: Vec<Attach>,
    /// Whether the invitees are sent an invitation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub send: bool,
}

/// An attachment of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAttachment {
    /// Event id.
    pub event: String,
    /// Its number there, from 0.
    pub number: usize,
}

/// The fields of an order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewOrder {
    /// Delivery address or name.
    pub deliver_to: String,
    /// Who gets it as a gift; empty when it is no gift.
    pub gift_recipient: String,
    /// Message to that person.
    pub gift_message: String,
    /// Note the courier reads.
    pub delivery_note: String,
    /// Note the seller reads.
    pub seller_note: String,
    /// Reference for the books, which the employer reads.
    pub reference: String,
    /// Whether the gift's recipient sees prices.
    pub shows_prices: bool,
    /// How it is sent.
    #[serde(default)]
    pub shipping: Shipping,
    /// How it is paid.
    #[serde(default)]
    pub payment: String,
    /// Whether the delivery address goes into the address book.
    #[serde(default)]
    pub keeps_address: bool,
    /// Code of a coupon; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub coupon: String,
}
