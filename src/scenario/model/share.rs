//! What was shown to somebody at one moment.

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

/// What a share shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShareKind {
    /// A to-do list; its readers see it as it is at any time, so the share holds only the message.
    List,
    /// A file, likewise.
    File,
    /// A folder with its files, likewise.
    Folder,
    /// A route with some of its stops.
    Route,
    /// When somebody arrives where.
    Eta,
    /// One place.
    Place,
    /// A list of places.
    Places,
    /// The cart.
    Cart,
    /// The wish list.
    WishList,
    /// An event.
    Event,
    /// A calendar; its readers see it as it is at any time, so the share holds only the message.
    Calendar,
    /// An order.
    Order,
    /// An event as its invitees were told of it. What was sent stays sent.
    Invitation,
}

impl ShareKind {
    /// The name used in units, events and strings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::File => "file",
            Self::Folder => "folder",
            Self::Route => "route",
            Self::Eta => "eta",
            Self::Place => "place",
            Self::Places => "places",
            Self::Cart => "cart",
            Self::WishList => "wish_list",
            Self::Event => "event",
            Self::Calendar => "calendar",
            Self::Order => "order",
            Self::Invitation => "invitation",
        }
    }
}

/// Something that was shown to people, as they see it. What changes afterwards does not change it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// `share-1`, …
    pub id: String,
    /// What it shows.
    pub kind: ShareKind,
    /// Id of the entity it was made from; empty for cart and wish list.
    pub subject: String,
    /// What the entity is called.
    pub title: String,
    /// Contact names or free names of those who read it.
    pub to: Vec<String>,
    /// What they see, line by line.
    pub lines: Vec<String>,
    /// What was written to them beside it; may be empty.
    pub message: String,
    /// When.
    pub at: DateTime,
}
