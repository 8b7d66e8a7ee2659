//! What an agent sees: text form, ids, marks (pure); capture over CDP (feature `browser`).
//!
//! The pure half takes what the browser answers, as JSON, and gives the text forms and element
//! properties agents are used to from BrowserGym. It neither asks the browser nor knows how ids are
//! kept: both come in as arguments.

#[cfg(feature = "browser")]
mod ask;
mod axtree;
#[cfg(feature = "browser")]
mod capture;
mod dom;
mod ids;
#[cfg(feature = "browser")]
mod kept;
#[cfg(feature = "browser")]
mod overlay;
mod properties;
#[cfg(feature = "browser")]
mod seen_boxes;
mod snapshot;
mod text_options;
mod types;

pub use axtree::{FrameNodes, flatten};
#[cfg(feature = "browser")]
pub use capture::{AccessMode, Captured, Element, Observer, Wishes};
pub use dom::{flatten_dom, prune_dom};
pub use ids::{DocumentIds, FrameKey, marked_tags};
#[cfg(feature = "browser")]
pub use overlay::overlay_marks;
pub use properties::{FrameOffset, Mark};
pub use snapshot::{Snapshot, SnapshotError};
pub use text_options::Options;
pub use types::{DialogSeen, ElementProperties, Node, Observation, OpenPage, Properties, Tree};
