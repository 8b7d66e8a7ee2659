//! What an agent is given at a step.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A page that is open in the episode's browser context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPage {
    /// Address.
    pub url: String,
    /// Title.
    pub title: String,
}

/// A node of the accessibility tree, reduced to what text form and agents need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The element's id for actions (BrowserGym's *bid*); `None` for text and for elements that
    /// have none.
    pub bid: Option<String>,
    /// ARIA role as Chromium names it (`button`, `StaticText`, `RootWebArea`).
    pub role: String,
    /// Accessible name; `None` when the node is ignored for accessibility.
    pub name: Option<String>,
    /// Value, as CDP's JSON gives it.
    pub value: Option<serde_json::Value>,
    /// Properties in CDP's order, those that carry a value.
    pub properties: Vec<(String, serde_json::Value)>,
    /// Indices into [`Tree::nodes`].
    pub children: Vec<usize>,
}

/// An accessibility tree; the root is the first node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// All nodes, parents before their children.
    pub nodes: Vec<Node>,
}

/// Where an element is and what it seems to be, as agents and set-of-marks screenshots use it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ElementProperties {
    /// Share of the element's box that is inside the viewport and all clipping ancestors, 0 to 1, to
    /// two places. Covering elements and opacity do not count.
    pub visibility: f64,
    /// `[x, y, width, height]` in CSS pixels from the viewport's corner; `None` without a box.
    pub bbox: Option<[f64; 4]>,
    /// Whether the element listens to clicks or is clickable by nature.
    pub clickable: bool,
    /// Whether the element gets a mark in a set-of-marks screenshot.
    pub set_of_marks: bool,
}

impl ElementProperties {
    /// Whether text forms call the element visible: at least half of it is.
    #[must_use]
    pub fn is_visible(&self) -> bool {
        self.visibility >= 0.5
    }
}

/// The properties of elements by their id.
pub type Properties = BTreeMap<String, ElementProperties>;

/// A native dialog: one that was open during the last action and how it was answered, or one that is
/// open still.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialogSeen {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// Its message.
    pub message: String,
    /// Whether it was accepted; by policy `alert` and `beforeunload` are, the others are not.
    pub accepted: bool,
    /// Whether it is open and waits for `dialog_accept` or `dialog_dismiss`. Until then the page can
    /// be neither seen nor used, so the observation has no tree and no screenshot.
    #[serde(default)]
    pub is_open: bool,
}

/// What an agent is given at a step. Which parts a model sees depends on the access mode.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// 1-based number of the step this observation opens.
    pub step: u32,
    /// Address of the active page.
    pub url: String,
    /// All open pages, in order of creation.
    pub open_pages: Vec<OpenPage>,
    /// Index of the active page in `open_pages`.
    pub active_page: usize,
    /// Accessibility tree of the active page; `None` when the access mode has none.
    pub tree: Option<Tree>,
    /// The tree in BrowserGym's text form; `None` when the access mode has none.
    pub axtree: Option<String>,
    /// PNG of the viewport; `None` when the access mode has none.
    pub screenshot: Option<Arc<[u8]>>,
    /// Id of the focused element; empty if none has focus.
    pub focused_bid: String,
    /// The last action as the agent wrote it; empty before the first.
    pub last_action: String,
    /// Why the last action failed, `ClassName: message`; empty if it did not.
    pub last_action_error: String,
    /// Native dialogs since the last observation.
    pub dialogs: Vec<DialogSeen>,
    /// The page as indented HTML; only for an agent that asks for it.
    pub dom: Option<String>,
    /// The screenshot with a mark on every element that can be used; only for an agent that asks for
    /// it.
    pub marked: Option<Arc<[u8]>>,
}
