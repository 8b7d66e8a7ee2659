//! The questions to the browser that an observation is made of, and joining the answers of frames.

use std::sync::Arc;

use base64::Engine as _;
use chromiumoxide::cdp::browser_protocol::page::{CaptureScreenshotFormat, CaptureScreenshotParams};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::capture::{AccessMode, Wishes};
use super::ids::{FrameKey, TAGS};
use super::kept::with_kept_elements;
use super::snapshot::Snapshot;
use crate::browser::{BrowserError, FrameRef, Page};
use crate::error::Deadline;

const LOOK: &str = include_str!("../browser/page/look.js");

/// Asks for the box of every element.
const LAY_OUT: &str = "() => { const roots = [document]; for (const root of roots) for (const element of root.querySelectorAll('*')) { \
    element.getBoundingClientRect(); if (element.shadowRoot) roots.push(element.shadowRoot); } }";

/// What is asked of every element's style; places in this list are used where a snapshot is read.
const STYLES: [&str; 5] = ["visibility", "content-visibility", "overflow-x", "overflow-y", "position"];

/// How long a screenshot may take; it needs three frames, and one that stalls (a font that never
/// comes) must not stop the episode.
const SCREENSHOT_WITHIN_MS: u64 = 4_000;

/// A process's frames, and its snapshot.
pub(super) struct ProcessSeen {
    /// Frames, the root first, parents before children: frame and loader.
    pub(super) frames: Vec<(FrameRef, String)>,
    pub(super) snapshot: Snapshot,
    /// For a process of its own: the place of the process that embeds it, and the embedding element.
    pub(super) owner: Option<(usize, i64)>,
}

/// One frame, joined from all answers.
pub(super) struct FrameSeen {
    pub(super) frame: FrameRef,
    pub(super) process: usize,
    pub(super) document: usize,
    /// The frame that embeds it, by place, and the embedding element.
    pub(super) owner: Option<(usize, i64)>,
    pub(super) key: FrameKey,
    pub(super) nodes: Vec<Value>,
    pub(super) look: Value,
}

/// A PNG of the viewport; `None` when the mode has none.
pub(super) async fn screenshot(
    page: &Page,
    mode: AccessMode,
    deadline: Deadline,
) -> Result<Option<Arc<[u8]>>, BrowserError> {
    if mode == AccessMode::Axtree {
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

/// Frame tree and snapshot of the process that a frame is the root of.
pub(super) async fn process(
    page: &Page,
    root: FrameRef,
    deadline: Deadline,
) -> Result<ProcessSeen, BrowserError> {
    let wanted = json!({ "computedStyles": STYLES, "includeDOMRects": true, "includePaintOrder": false });
    let (tree, snapshot) = tokio::join!(
        page.call_in(&root, "Page.getFrameTree", json!({}), deadline),
        page.call_in(&root, "DOMSnapshot.captureSnapshot", wanted, deadline),
    );
    let (tree, snapshot) = (tree?, snapshot?);
    let snapshot = Snapshot::from_cdp(&snapshot).map_err(|error| BrowserError::Reply {
        method: "DOMSnapshot.captureSnapshot".into(),
        message: error.to_string(),
    })?;
    Ok(ProcessSeen { frames: frames_of(&root, &tree), snapshot, owner: None })
}

/// The frames of a frame tree, parents before children, each with its loader.
fn frames_of(root: &FrameRef, tree: &Value) -> Vec<(FrameRef, String)> {
    let mut frames = Vec::new();
    let mut waiting = vec![tree.get("frameTree").cloned().unwrap_or_default()];
    while let Some(node) = waiting.pop() {
        let text = |key: &str| node.pointer(key).and_then(Value::as_str).unwrap_or_default();
        frames.push((root.sibling(text("/frame/id")), text("/frame/loaderId").to_owned()));
        let children = node.get("childFrames").and_then(Value::as_array);
        waiting.extend(children.into_iter().flatten().rev().cloned());
    }
    frames
}

/// Has Chromium lay out what it skips (a closed `details` element), as BrowserGym's measuring does:
/// what is not laid out has no box. Frames that went away meanwhile do not matter.
pub(super) async fn lay_out(page: &Page, deadline: Deadline) -> Result<(), BrowserError> {
    let mut roots = vec![page.main_frame()?];
    roots.extend(page.remote_frames()?.into_iter().map(|(frame, _)| frame));
    for root in roots {
        let Ok(tree) = page.call_in(&root, "Page.getFrameTree", json!({}), deadline).await else { continue };
        let frames = frames_of(&root, &tree);
        let mut asked = Vec::new();
        for (frame, _) in &frames {
            asked.push(page.run_in(frame, LAY_OUT, &[], deadline));
        }
        join_all(asked).await;
    }
    Ok(())
}

/// Adds the frames that live in processes of their own. One that goes away meanwhile is left out.
pub(super) async fn remote_processes(
    page: &Page,
    processes: &mut Vec<ProcessSeen>,
    deadline: Deadline,
) -> Result<(), BrowserError> {
    let remote = page.remote_frames()?;
    // Loops instead of closures: a closure over borrowed items makes the future not `Send`.
    let mut asked = Vec::new();
    for (frame, parent) in &remote {
        asked.push(async move {
            let owner = page.call_in(parent, "DOM.getFrameOwner", json!({ "frameId": frame.id }), deadline);
            tokio::join!(process(page, frame.clone(), deadline), owner)
        });
    }
    let answers = join_all(asked).await;
    for ((_, parent), answer) in remote.iter().zip(answers) {
        let (Ok(mut process), Ok(owner)) = answer else { continue };
        let Some(node) = owner.get("backendNodeId").and_then(Value::as_i64) else { continue };
        // The parent's process was added before: targets attach from the outside in.
        let outer = processes.iter().position(|outer| {
            outer.frames.first().is_some_and(|(frame, _)| frame.shares_session_with(parent))
        });
        if let Some(outer) = outer {
            process.owner = Some((outer, node));
            processes.push(process);
        }
    }
    Ok(())
}

/// Accessibility nodes of a frame, and what our function saw in it.
pub(super) async fn frame_contents(
    page: &Page,
    frame: &FrameRef,
    wishes: Wishes,
    deadline: Deadline,
) -> Result<(Vec<Value>, Value), BrowserError> {
    let arguments = [json!(wishes.properties), json!(TAGS)];
    let (nodes, look) = tokio::join!(
        page.call_in(frame, "Accessibility.getFullAXTree", json!({ "frameId": frame.id }), deadline),
        page.run_in(frame, LOOK, &arguments, deadline),
    );
    let nodes = match nodes?.get_mut("nodes").map(Value::take) {
        Some(Value::Array(nodes)) => nodes,
        _ => Vec::new(),
    };
    // A frame that runs no scripts cannot be looked into; its tree can be read all the same.
    let look = match look {
        Ok(look) => look,
        Err(error @ (BrowserError::PageCrashed | BrowserError::Lost(_) | BrowserError::Expired(_))) => {
            return Err(error);
        }
        Err(_) => Value::Null,
    };
    Ok((nodes, look))
}

/// Joins all frames, parents before children. Frames that went away meanwhile are left out.
pub(super) async fn frames(
    page: &Page,
    processes: &[ProcessSeen],
    first: (Vec<Value>, Value),
    wishes: Wishes,
    deadline: Deadline,
) -> Vec<FrameSeen> {
    let mut all = Vec::new();
    for (process, seen) in processes.iter().enumerate() {
        for (frame, loader) in &seen.frames {
            all.push((process, frame, loader));
        }
    }
    let mut asked = Vec::new();
    for (_, frame, _) in all.iter().skip(1) {
        asked.push(frame_contents(page, frame, wishes, deadline));
    }
    let contents = join_all(asked).await;
    let contents = std::iter::once(Ok(first)).chain(contents);
    let mut frames: Vec<FrameSeen> = Vec::new();
    for ((process, frame, loader), contents) in all.into_iter().zip(contents) {
        let Ok((nodes, look)) = contents else { continue };
        let snapshot = &processes[process].snapshot;
        let is_first = frames.is_empty();
        let document = snapshot.document_of(&frame.id).or_else(|| is_first.then_some(0));
        let Some(document) = document else { continue };
        // The embedding element: in this process, or for a process's root in another one.
        let embedded = match snapshot.owner_of(document) {
            Some((outer, node)) => Some((process, outer, node)),
            None => processes[process].owner.and_then(|(outer, node)| {
                Some((outer, processes[outer].snapshot.document_with(node)?, node))
            }),
        };
        let owner = embedded.and_then(|(process, document, node)| {
            let place =
                frames.iter().position(|seen| seen.process == process && seen.document == document)?;
            Some((place, node))
        });
        if owner.is_none() && !is_first {
            continue;
        }
        let name = if process == 0 { String::new() } else { processes[process].frames[0].0.id.clone() };
        let key = FrameKey { process: name, frame: frame.id.clone(), loader: loader.clone() };
        let nodes = with_kept_elements(nodes, snapshot, document);
        frames.push(FrameSeen { frame: frame.clone(), process, document, owner, key, nodes, look });
    }
    frames
}
