//! Takes an observation of the active page over CDP, without touching the page.
//!
//! Screenshot, accessibility trees, document snapshots and history are asked for at the same time,
//! frames in processes of their own included. When the document changes under them, all is asked
//! for again; the last try settles for less (no screenshot, no marks), and says so.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::{Value, json};

use super::ask::{
    FrameSeen, ProcessSeen, frame_contents, frames, lay_out, process, remote_processes, screenshot,
};
use super::ids::{DocumentIds, FrameKey};
use super::{
    DialogSeen, FrameNodes, FrameOffset, Mark, Observation, OpenPage, Options, Properties, Snapshot, Tree,
    flatten,
};
use crate::browser::{BrowserError, Context, Dialog, FrameRef, OpenDialog, Page, Settled};
use crate::error::Deadline;

/// How often a changing document is looked at again.
const TRIES: u32 = 6;

/// The try from which on marks that do not fit the snapshot are left out.
const LENIENT_FROM: u32 = 4;

/// What the address of a page starts with that says why another could not be opened.
const ERROR_PAGE: &str = "chrome-error:";

/// How long each other question may take at first; twice as long after each time that was not enough, so that
/// a page that hangs is found out soon, and a huge one on a crowded machine is observed all the same.
const ANSWER_WITHIN_MS: u64 = 8_000;

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
}

/// What an observation is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wishes {
    /// What the agent gets.
    pub mode: AccessMode,
    /// Whether element properties (box, visibility, marks) are measured as well.
    pub properties: bool,
    /// How boxes inside frames are placed.
    pub frame_offset: FrameOffset,
}

impl Wishes {
    /// An observation without element properties.
    #[must_use]
    pub const fn of(mode: AccessMode) -> Self {
        Self { mode, properties: false, frame_offset: FrameOffset::Exact }
    }
}

/// Takes observations of one context and remembers the ids it gave out.
#[derive(Debug, Default)]
pub struct Observer {
    /// Per target: the ids of its documents.
    ids: HashMap<String, HashMap<FrameKey, DocumentIds>>,
    /// Per target: the document that was observed last, and where its elements are.
    elements: HashMap<String, (String, HashMap<String, Element>)>,
}

/// An element that an id stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The frame it is in.
    pub frame: FrameRef,
    /// Its backend node id there.
    pub node: i64,
    /// The frame elements around it, from the innermost to the outermost.
    pub owners: Vec<(FrameRef, i64)>,
}

/// An observation as it came off the page, with what has to be told about how.
#[derive(Debug)]
pub struct Captured {
    /// What the agent gets, apart from what the episode adds (step, last action).
    pub observation: Observation,
    /// Names and values of everything in the accessibility tree, one per line, whatever the access
    /// mode: what was on the page.
    pub page_text: String,
    /// The accessibility tree, whatever the access mode.
    pub tree: Tree,
    /// Properties of the elements, if they were asked for.
    pub properties: Properties,
    /// Where elements can be seen, `[x, y, width, height]` in CSS pixels from the viewport's corner, by id; of
    /// an observation with tree and picture only, for whoever wants to find one in the other.
    pub boxes: BTreeMap<String, [f64; 4]>,
    /// Snapshot of the page's own process, for the DOM text.
    pub snapshot: Snapshot,
    /// What was unusual, for the trace: looked again, no screenshot.
    pub notes: Vec<String>,
}

impl Observer {
    /// The element behind an id of the active page's current document.
    #[must_use]
    pub fn element(&self, page: &Page, bid: &str) -> Option<&Element> {
        let (document, elements) = self.elements.get(page.target())?;
        (page.document().ok()? == *document).then(|| elements.get(bid)).flatten()
    }

    /// The id of an element of the page's main frame, by backend node id.
    #[must_use]
    pub fn bid(&self, page: &Page, node: i64) -> Option<&str> {
        let ids = self.ids.get(page.target())?;
        ids.iter().filter(|(key, _)| key.process.is_empty()).find_map(|(_, ids)| ids.bid(node))
    }

    /// The id of an element of any frame of the page, by frame and backend node id.
    #[must_use]
    pub fn bid_in(&self, page: &Page, frame: &FrameRef, node: i64) -> Option<&str> {
        let (_, elements) = self.elements.get(page.target())?;
        // Backend node ids are unique within a process.
        let is_it = |element: &Element| element.node == node && element.frame.shares_session_with(frame);
        elements.iter().find(|(_, element)| is_it(element)).map(|(bid, _)| bid.as_str())
    }

    /// The frame that a frame element shows.
    #[must_use]
    pub fn frame_inside(&self, page: &Page, frame: &FrameRef, node: i64) -> Option<FrameRef> {
        let (_, elements) = self.elements.get(page.target())?;
        let is_around = |(outer, owner): &(FrameRef, i64)| *owner == node && outer.shares_session_with(frame);
        let inside = elements.values().find(|element| element.owners.first().is_some_and(is_around))?;
        Some(inside.frame.clone())
    }

    /// Observes the active page.
    ///
    /// # Errors
    /// [`BrowserError`] when the page crashed, hangs, or the browser is lost.
    pub async fn observe(
        &mut self,
        context: &Context,
        wishes: Wishes,
        deadline: Deadline,
    ) -> Result<Captured, BrowserError> {
        let mut notes = Vec::new();
        let mut answer_within_ms = ANSWER_WITHIN_MS;
        for attempt in 1..=TRIES {
            let page = context.active_page()?;
            if let Some(dialog) = context.open_dialog() {
                return Ok(behind_dialog(context, dialog, notes));
            }
            let each = deadline.min(Deadline::after_ms(answer_within_ms));
            match self.look(&page, wishes, attempt >= LENIENT_FROM, (each, deadline), &mut notes).await {
                Ok(looked) => return Ok(finish(context, looked, wishes.mode, notes)),
                // It opened meanwhile: the next try tells it.
                Err(BrowserError::DialogOpen(_)) if attempt < TRIES => {}
                Err(error) if error.is_stale_document() && attempt < TRIES => {
                    notes.push(format!("the document changed while it was observed: {error}"));
                    match page.settle(deadline.min(Deadline::after_ms(1_000))).await {
                        Ok(Settled::Quiet | Settled::StillBusy(_)) => {}
                        Err(error) if error.is_stale_document() => {}
                        Err(error) => return Err(error),
                    }
                }
                Err(BrowserError::Expired(expired)) if attempt < TRIES && !deadline.has_passed() => {
                    notes.push(format!("observed again: {expired}"));
                    answer_within_ms *= 2;
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
        wishes: Wishes,
        is_lenient: bool,
        (each, deadline): (Deadline, Deadline),
        notes: &mut Vec<String>,
    ) -> Result<Looked, BrowserError> {
        let document = page.document()?;
        let main = page.main_frame()?;
        if wishes.properties {
            lay_out(page, each).await?;
        }
        let (screenshot, first, process, history) = tokio::join!(
            screenshot(page, wishes.mode, deadline),
            frame_contents(page, &main, wishes, each),
            process(page, main.clone(), each),
            page.call_raw("Page.getNavigationHistory", json!({}), each),
        );
        let (first, process, history) = (first?, process?, history?);
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
        let mut processes = vec![process];
        remote_processes(page, &mut processes, each).await?;
        let frames = frames(page, &processes, first, wishes, each).await;
        // Walking a large document takes a while: once for all that ask for it.
        let rows: Vec<Rows<'_>> =
            frames.iter().map(|frame| processes[frame.process].snapshot.elements(frame.document)).collect();
        let seen = self.give_ids(page, &document, &frames, &rows);
        let tree = Tree::from_frames(
            &frames
                .iter()
                .map(|frame| FrameNodes { nodes: &frame.nodes, owner: frame.owner })
                .collect::<Vec<_>>(),
            |frame, node| seen.get(frame)?.bid(node).map(ToOwned::to_owned),
        );
        let properties = if wishes.properties {
            match properties(&processes, &frames, &rows, &seen, wishes.frame_offset) {
                Some(properties) => properties,
                None if is_lenient => {
                    notes.push("observed without element properties: the document kept changing".into());
                    Properties::new()
                }
                None => return Err(BrowserError::PageGone("elements came or went meanwhile".into())),
            }
        } else {
            Properties::new()
        };
        let boxes = if wishes.mode == AccessMode::Mixed {
            boxes(&processes, &frames, &rows, &seen)
        } else {
            BTreeMap::new()
        };
        let focused_bid = focused(&frames, &rows, &seen);
        let current = history.get("currentIndex").and_then(Value::as_u64).unwrap_or(0);
        let entry = history.pointer(&format!("/entries/{current}")).cloned().unwrap_or_default();
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        drop(rows);
        let snapshot = processes.swap_remove(0).snapshot;
        Ok(Looked {
            tree,
            screenshot,
            properties,
            boxes,
            snapshot,
            focused_bid,
            url: text("url"),
            title: text("title"),
        })
    }

    /// Gives ids to the elements of all frames, parents first, and remembers where they are.
    fn give_ids(
        &mut self,
        page: &Page,
        document: &str,
        frames: &[FrameSeen],
        rows: &[Rows<'_>],
    ) -> Vec<DocumentIds> {
        let known = self.ids.entry(page.target().to_owned()).or_default();
        let mut seen: Vec<DocumentIds> = Vec::with_capacity(frames.len());
        let mut elements = HashMap::new();
        let mut owners: Vec<Vec<(FrameRef, i64)>> = Vec::with_capacity(frames.len());
        for (frame, rows) in frames.iter().zip(rows) {
            let prefix = frame.owner.and_then(|(outer, node)| seen.get(outer)?.bid(node)).unwrap_or_default();
            let mut ids = known.remove(&frame.key).unwrap_or_else(|| DocumentIds::inside(prefix));
            let around = match frame.owner {
                Some((outer, node)) => {
                    let mut around = vec![(frames[outer].frame.clone(), node)];
                    around.extend(owners[outer].iter().cloned());
                    around
                }
                None => Vec::new(),
            };
            ids.mark(rows.iter().copied());
            for (node, _) in rows {
                if let Some(bid) = ids.bid(*node) {
                    let element = Element { frame: frame.frame.clone(), node: *node, owners: around.clone() };
                    elements.insert(bid.to_owned(), element);
                }
            }
            owners.push(around);
            seen.push(ids);
        }
        // Documents that are gone take their ids along.
        *known = frames.iter().map(|frame| frame.key.clone()).zip(seen.iter().cloned()).collect();
        self.elements.insert(page.target().to_owned(), (document.to_owned(), elements));
        seen
    }
}

/// The elements of a frame: backend node id and tag.
type Rows<'a> = Vec<(i64, &'a str)>;

struct Looked {
    tree: Tree,
    screenshot: Option<Arc<[u8]>>,
    properties: Properties,
    boxes: BTreeMap<String, [f64; 4]>,
    snapshot: Snapshot,
    focused_bid: String,
    url: String,
    title: String,
}

fn finish(context: &Context, mut looked: Looked, mode: AccessMode, mut notes: Vec<String>) -> Captured {
    let (pages, active_page) = context.open_pages();
    let mut open_pages: Vec<OpenPage> =
        pages.into_iter().map(|(url, title)| OpenPage { url, title }).collect();
    if let Some(active) = open_pages.get_mut(active_page) {
        // The history is exact, and the events that fill the list may lag behind it; but where an
        // address could not be opened, it names that address and not the page that is shown.
        if active.url.starts_with(ERROR_PAGE) {
            looked.url.clone_from(&active.url);
        }
        active.url.clone_from(&looked.url);
        active.title.clone_from(&looked.title);
    }
    let has_tree = mode != AccessMode::Screenshot;
    let observation = Observation {
        step: 0,
        url: looked.url,
        open_pages,
        active_page,
        axtree: has_tree.then(|| flatten(&looked.tree, &Options::default(), &looked.properties)),
        tree: has_tree.then(|| looked.tree.clone()),
        screenshot: looked.screenshot,
        focused_bid: looked.focused_bid,
        last_action: String::new(),
        last_action_error: String::new(),
        dialogs: answered_dialogs(context),
        dom: None,
        marked: None,
    };
    notes.extend(refused_downloads(context));
    Captured {
        observation,
        page_text: page_text(&looked.tree),
        tree: looked.tree,
        properties: looked.properties,
        boxes: looked.boxes,
        snapshot: looked.snapshot,
        notes,
    }
}

/// What can be told of a page that a dialog blocks: that, and where it is.
fn behind_dialog(context: &Context, dialog: OpenDialog, mut notes: Vec<String>) -> Captured {
    let (pages, active_page) = context.open_pages();
    let open_pages: Vec<OpenPage> = pages.into_iter().map(|(url, title)| OpenPage { url, title }).collect();
    let mut dialogs = answered_dialogs(context);
    dialogs.push(DialogSeen { kind: dialog.kind, message: dialog.message, accepted: false, is_open: true });
    notes.push("a dialog is open: the page was not looked at".into());
    notes.extend(refused_downloads(context));
    Captured {
        observation: Observation {
            step: 0,
            url: open_pages.get(active_page).map(|page| page.url.clone()).unwrap_or_default(),
            open_pages,
            active_page,
            axtree: None,
            tree: None,
            screenshot: None,
            focused_bid: String::new(),
            last_action: String::new(),
            last_action_error: String::new(),
            dialogs,
            dom: None,
            marked: None,
        },
        page_text: String::new(),
        tree: Tree::default(),
        properties: Properties::new(),
        boxes: BTreeMap::new(),
        snapshot: Snapshot::empty(),
        notes,
    }
}

fn answered_dialogs(context: &Context) -> Vec<DialogSeen> {
    let seen = |dialog: Dialog| DialogSeen {
        kind: dialog.kind,
        message: dialog.message,
        accepted: dialog.accepted,
        is_open: false,
    };
    context.take_dialogs().into_iter().map(seen).collect()
}

fn refused_downloads(context: &Context) -> impl Iterator<Item = String> {
    context.take_downloads().into_iter().map(|name| format!("a download was refused: {name}"))
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

/// Properties of all elements; `None` when what was seen in a frame does not fit its snapshot.
fn properties(
    processes: &[ProcessSeen],
    frames: &[FrameSeen],
    rows: &[Rows<'_>],
    ids: &[DocumentIds],
    offset: FrameOffset,
) -> Option<Properties> {
    let mut all = Properties::new();
    for (process, origin) in origins(processes).into_iter().enumerate() {
        let mut marks: HashMap<i64, Mark> = HashMap::new();
        for (frame, rows, ids) in in_process(process, frames, rows, ids) {
            let Some(measured) = frame.look.get("marks").and_then(Value::as_array) else { continue };
            if measured.len() != rows.len() {
                return None;
            }
            for ((node, _), measured) in rows.iter().zip(measured) {
                let (Some(bid), Some(visibility)) = (ids.bid(*node), measured.get(0).and_then(Value::as_f64))
                else {
                    continue;
                };
                let set_of_marks = measured.get(1).and_then(Value::as_bool).unwrap_or(false);
                marks.insert(*node, Mark { bid: bid.to_owned(), visibility, set_of_marks });
            }
        }
        let snapshot = &processes[process].snapshot;
        all.extend(snapshot.properties(origin, offset, |node| marks.get(&node).cloned()));
    }
    Some(all)
}

/// Boxes of all elements that can be seen, as far as they are not cut off.
fn boxes(
    processes: &[ProcessSeen],
    frames: &[FrameSeen],
    rows: &[Rows<'_>],
    ids: &[DocumentIds],
) -> BTreeMap<String, [f64; 4]> {
    let mut all = BTreeMap::new();
    for (process, origin) in origins(processes).into_iter().enumerate() {
        let mut bids: HashMap<i64, &str> = HashMap::new();
        for (_, rows, ids) in in_process(process, frames, rows, ids) {
            bids.extend(rows.iter().filter_map(|(node, _)| Some((*node, ids.bid(*node)?))));
        }
        all.extend(processes[process].snapshot.seen_boxes(origin, |node| bids.get(&node).copied()));
    }
    all
}

/// Where the content of each process starts in the viewport; outer processes come first.
fn origins(processes: &[ProcessSeen]) -> Vec<(f64, f64)> {
    let mut origins: Vec<(f64, f64)> = Vec::with_capacity(processes.len());
    for seen in processes {
        let content = seen
            .owner
            .and_then(|(outer, node)| processes[outer].snapshot.content_origin(node, *origins.get(outer)?));
        origins.push(content.unwrap_or_default());
    }
    origins
}

/// The frames of a process, each with its elements and their ids.
fn in_process<'a, 'r>(
    process: usize,
    frames: &'a [FrameSeen],
    rows: &'a [Rows<'r>],
    ids: &'a [DocumentIds],
) -> impl Iterator<Item = (&'a FrameSeen, &'a Rows<'r>, &'a DocumentIds)> {
    let all = frames.iter().zip(rows).zip(ids).map(|((frame, rows), ids)| (frame, rows, ids));
    all.filter(move |(frame, ..)| frame.process == process)
}

/// The id of the focused element, followed into frames; the body's when nothing has focus.
fn focused(frames: &[FrameSeen], rows: &[Rows<'_>], ids: &[DocumentIds]) -> String {
    let mut place = 0;
    loop {
        let (Some(frame), Some(rows), Some(ids)) = (frames.get(place), rows.get(place), ids.get(place))
        else {
            return String::new();
        };
        let index =
            frame.look.get("focused").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let fits = frame.look.get("count").and_then(Value::as_u64) == Some(rows.len() as u64);
        let node = index.filter(|_| fits).and_then(|index| rows.get(index)).map(|(node, _)| *node);
        let node = node.or_else(|| focused_in_tree(&frame.nodes));
        let Some(node) = node else { return String::new() };
        match frames.iter().position(|inner| inner.owner == Some((place, node))) {
            Some(inner) => place = inner,
            None => return ids.bid(node).unwrap_or_default().to_owned(),
        }
    }
}

/// The focused element by the accessibility tree: the last one, because the document has the
/// property as well.
fn focused_in_tree(nodes: &[Value]) -> Option<i64> {
    let has_focus = |node: &&Value| {
        let properties = node.get("properties").and_then(Value::as_array);
        properties.into_iter().flatten().any(|property| {
            property.get("name").and_then(Value::as_str) == Some("focused")
                && property.pointer("/value/value").and_then(Value::as_bool) == Some(true)
        })
    };
    nodes.iter().rev().find(has_focus)?.get("backendDOMNodeId")?.as_i64()
}
