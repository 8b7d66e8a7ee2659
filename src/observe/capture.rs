//! Takes an observation of the active page over CDP, without touching the page.
//!
//! Screenshot, accessibility tree, document snapshot and history are asked for at the same time.
//! When the document changes under them, all is asked for again; the last try settles for less (no
//! screenshot), and says so.

use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use chromiumoxide::cdp::browser_protocol::page::{CaptureScreenshotFormat, CaptureScreenshotParams};
use serde_json::{Value, json};

use super::ids::DocumentIds;
use super::{DialogSeen, Observation, OpenPage, Options, Properties, Tree, flatten};
use crate::browser::{BrowserError, Context, Page};
use crate::error::Deadline;

/// Which parts of an observation an agent gets; a part that is not asked for is not paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessMode {
    /// The accessibility tree.
    Axtree,
    /// The screenshot.
    Screenshot,
    /// Both.
    Mixed,
}

impl AccessMode {
    /// The name used on the command line and in rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Axtree => "axtree",
            Self::Screenshot => "screenshot",
            Self::Mixed => "mixed",
        }
    }

    const fn has_screenshot(self) -> bool {
        matches!(self, Self::Screenshot | Self::Mixed)
    }
}

/// How often a changing document is looked at again.
const TRIES: u32 = 6;

/// How long a screenshot may take; it needs three frames, and one that stalls (a font that never
/// comes) must not stop the episode.
const SCREENSHOT_WITHIN_MS: u64 = 4_000;

/// Takes observations of one context and remembers the ids it gave out.
#[derive(Debug, Default)]
pub struct Observer {
    /// Per target: the document the ids belong to, and the ids.
    documents: HashMap<String, (String, DocumentIds)>,
}

/// An observation as it came off the page, with what has to be told about how.
#[derive(Debug)]
pub struct Captured {
    /// What the agent gets, apart from what the episode adds (step, last action).
    pub observation: Observation,
    /// Names and values of everything in the accessibility tree, one per line, whatever the access
    /// mode: what was on the page.
    pub page_text: String,
    /// What was unusual, for the trace: looked again, no screenshot.
    pub notes: Vec<String>,
}

impl Observer {
    /// The backend node id behind an id of the active page's current document.
    #[must_use]
    pub fn node(&self, page: &Page, bid: &str) -> Option<i64> {
        let (document, ids) = self.documents.get(page.target())?;
        (page.document().ok()? == *document).then(|| ids.node(bid)).flatten()
    }

    /// Observes the active page.
    ///
    /// # Errors
    /// [`BrowserError`] when the page crashed, hangs, or the browser is lost.
    pub async fn observe(
        &mut self,
        context: &Context,
        mode: AccessMode,
        deadline: Deadline,
    ) -> Result<Captured, BrowserError> {
        let mut notes = Vec::new();
        for attempt in 1..=TRIES {
            let page = context.active_page()?;
            match self.look(&page, mode, deadline, &mut notes).await {
                Ok(looked) => {
                    let page_text = page_text(&looked.tree);
                    let observation = finish(context, looked);
                    return Ok(Captured { observation, page_text, notes });
                }
                Err(error) if error.is_stale_document() && attempt < TRIES => {
                    notes.push(format!("the document changed while it was observed: {error}"));
                    page.settle(deadline.min(Deadline::after_ms(1_000))).await.or_else(|error| {
                        if error.is_stale_document() {
                            Ok(crate::browser::Settled::StillBusy(""))
                        } else {
                            Err(error)
                        }
                    })?;
                }
                Err(BrowserError::Expired(expired)) if attempt < TRIES && !deadline.has_passed() => {
                    notes.push(format!("observed again: {expired}"));
                    page.free().await?;
                }
                Err(error) => return Err(error),
            }
        }
        Err(BrowserError::PageHung(format!("it changed under each of {TRIES} observations")))
    }

    async fn look(
        &mut self,
        page: &Page,
        mode: AccessMode,
        deadline: Deadline,
        notes: &mut Vec<String>,
    ) -> Result<Looked, BrowserError> {
        let document = page.document()?;
        let each = deadline.min(Deadline::after_ms(8_000));
        let snapshot = json!({ "computedStyles": [], "includeDOMRects": true, "includePaintOrder": true });
        let (screenshot, tree, snapshot, history) = tokio::join!(
            screenshot(page, mode, deadline),
            page.call_raw("Accessibility.getFullAXTree", json!({}), each),
            page.call_raw("DOMSnapshot.captureSnapshot", snapshot, each),
            page.call_raw("Page.getNavigationHistory", json!({}), each),
        );
        let (tree, snapshot, history) = (tree?, snapshot?, history?);
        if page.document()? != document {
            return Err(BrowserError::PageGone("another document was loaded meanwhile".into()));
        }
        let screenshot = match screenshot {
            Ok(screenshot) => screenshot,
            Err(BrowserError::Expired(expired)) => {
                notes.push(format!("observed without a screenshot: {expired}"));
                None
            }
            Err(error) => return Err(error),
        };
        let entry = self.documents.entry(page.target().to_owned()).or_default();
        if entry.0 != document {
            *entry = (document, DocumentIds::default());
        }
        let ids = &mut entry.1;
        ids.mark(elements(&snapshot).iter().map(|(node, tag)| (*node, tag.as_str())));
        let nodes = tree.get("nodes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let tree = Tree::from_cdp(nodes, |node| ids.bid(node).map(ToOwned::to_owned));
        let current = history.get("currentIndex").and_then(Value::as_u64).unwrap_or(0);
        let entry = history.pointer(&format!("/entries/{current}")).cloned().unwrap_or_default();
        Ok(Looked {
            tree,
            screenshot,
            mode,
            url: entry.get("url").and_then(Value::as_str).unwrap_or_default().to_owned(),
            title: entry.get("title").and_then(Value::as_str).unwrap_or_default().to_owned(),
        })
    }
}

struct Looked {
    tree: Tree,
    screenshot: Option<Arc<[u8]>>,
    mode: AccessMode,
    url: String,
    title: String,
}

fn finish(context: &Context, looked: Looked) -> Observation {
    let (pages, active_page) = context.open_pages();
    let mut open_pages: Vec<OpenPage> =
        pages.into_iter().map(|(url, title)| OpenPage { url, title }).collect();
    if let Some(active) = open_pages.get_mut(active_page) {
        // The history is exact; the events that fill the list may lag behind it.
        active.url.clone_from(&looked.url);
        active.title.clone_from(&looked.title);
    }
    let focused_bid = focused(&looked.tree);
    let has_tree = looked.mode != AccessMode::Screenshot;
    Observation {
        step: 0,
        url: looked.url,
        open_pages,
        active_page,
        axtree: has_tree.then(|| flatten(&looked.tree, &Options::default(), &Properties::default())),
        tree: has_tree.then_some(looked.tree),
        screenshot: looked.screenshot,
        focused_bid,
        last_action: String::new(),
        last_action_error: String::new(),
        dialogs: context
            .take_dialogs()
            .into_iter()
            .map(|dialog| DialogSeen {
                kind: dialog.kind,
                message: dialog.message,
                accepted: dialog.accepted,
            })
            .collect(),
    }
}

fn page_text(tree: &Tree) -> String {
    let mut text = String::new();
    for node in &tree.nodes {
        let value = node.value.as_ref().and_then(Value::as_str).unwrap_or_default();
        for part in [node.name.as_deref().unwrap_or_default(), value] {
            if !part.is_empty() {
                text.push_str(part);
                text.push('\n');
            }
        }
    }
    text
}

/// A PNG of the viewport; `None` when the mode has none.
async fn screenshot(
    page: &Page,
    mode: AccessMode,
    deadline: Deadline,
) -> Result<Option<Arc<[u8]>>, BrowserError> {
    if !mode.has_screenshot() {
        return Ok(None);
    }
    let params = CaptureScreenshotParams::builder()
        .format(CaptureScreenshotFormat::Png)
        .optimize_for_speed(true)
        .capture_beyond_viewport(false)
        .build();
    let reply = page.call(&params, deadline.min(Deadline::after_ms(SCREENSHOT_WITHIN_MS))).await?;
    let data = reply.get("data").and_then(Value::as_str).unwrap_or_default();
    let bytes = base64::engine::general_purpose::STANDARD.decode(data).map_err(|error| {
        BrowserError::Reply { method: "Page.captureScreenshot".into(), message: error.to_string() }
    })?;
    Ok(Some(Arc::from(bytes)))
}

/// The elements of the main document in document order: backend node id and tag.
fn elements(snapshot: &Value) -> Vec<(i64, String)> {
    let empty = Vec::new();
    let strings = snapshot.get("strings").and_then(Value::as_array).unwrap_or(&empty);
    let column = |name: &str| {
        snapshot.pointer(&format!("/documents/0/nodes/{name}")).and_then(Value::as_array).unwrap_or(&empty)
    };
    let (types, names, nodes) = (column("nodeType"), column("nodeName"), column("backendNodeId"));
    types
        .iter()
        .zip(names)
        .zip(nodes)
        .filter(|((kind, _), _)| kind.as_i64() == Some(1))
        .filter_map(|((_, name), node)| {
            let name = strings.get(usize::try_from(name.as_i64()?).ok()?)?.as_str()?;
            Some((node.as_i64()?, name.to_owned()))
        })
        .collect()
}

/// The id of the focused element: the last node with the property, because the document itself has
/// it as well; the body's when nothing has focus; empty when there is no body.
fn focused(tree: &Tree) -> String {
    let has_focus = |node: &&super::Node| {
        node.role != "RootWebArea"
            && node.properties.iter().any(|(name, value)| name == "focused" && value.as_bool() == Some(true))
    };
    tree.nodes.iter().rev().find(has_focus).and_then(|node| node.bid.clone()).unwrap_or_default()
}
