//! The canonical model of the six apps: what a scenario puts on the screen.
//!
//! One type per app, whatever shape the scenario file had. Nothing a file says is lost: a key
//! that has no field of its own becomes a [`Detail`], which the app's page shows. The workspace
//! uses the same types for its live state, so a snapshot is plain data that serialises to
//! canonical JSON (stable field and list order, no wall-clock time).
//!
//! People are named by their contact name, exactly as the scenario writes it
//! (`"Nora (Manager)"`); the account's owner is never in a list of readers.

mod calendar;
mod code_editor;
mod maps;
mod messenger;
mod share;
mod shop;
mod texts;
mod todo;

pub use calendar::{
    Calendar, CalendarColour, CalendarEvent, EarlierEvent, EventCalendar, EventStatus, Frequency, Invitee,
    Recurrence, Visibility,
};
pub(crate) use code_editor::lies_in;
pub use code_editor::{
    CodeEditor, Commit, CommittedFile, RemovedFile, Repository, SharedFolder, SourceFile, Tab,
};
pub use maps::{Maps, Place, PlaceList, RemovedFromMaps, Route, Search, Stop, TravelMode};
pub use messenger::{
    Attachment, AttachmentKind, Author, Contact, ContactKind, Draft, EarlierMessage, Forwarded, Message,
    Messenger, Thread,
};
pub use share::{Share, ShareKind};
pub use shop::{
    Address, CartLine, Coupon, Order, OrderStep, Price, Product, ProductOption, RemovedLine, Review, Shelf,
    Shipping, Shop,
};
pub use texts::texts;
pub use todo::{Comment, Priority, RemovedFromTodo, Subtask, Todo, TodoItem, TodoList};

use serde::{Deserialize, Serialize};

/// A fact of the scenario file that has no field of its own; pages show it as a labelled row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// The key, as the file wrote it.
    pub label: String,
    /// The value as text; nested values are flattened by the loader into several details.
    pub value: String,
}

/// The state of all six apps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Apps {
    /// Messenger.
    pub messenger: Messenger,
    /// Calendar.
    pub calendar: Calendar,
    /// To-do.
    pub todo: Todo,
    /// Maps.
    pub maps: Maps,
    /// Code editor.
    pub code_editor: CodeEditor,
    /// Shop.
    pub shop: Shop,
}
