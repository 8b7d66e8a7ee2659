//! What the browser's events add up to: contexts, their pages, and what each page is doing.
//!
//! Events are folded into plain state as they arrive and never queued, so a page that floods us
//! costs time and no memory. Waiting means looking at the state again whenever it changed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chromiumoxide::cdp::browser_protocol::{emulation, inspector, network, page};
use chromiumoxide::cdp::js_protocol::runtime;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::connection::{EventListener, Outgoing, RawEvent};
use super::context::Viewport;
use super::dialog::{Dialog, DialogPolicy, OpenDialog};
use super::page::FrameRef;
use super::wall::Wall;

/// How many refused requests or dialogs are kept per context; the rest is only counted.
const KEPT: usize = 200;

/// State shared between the actor, which writes it, and everybody who waits.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    state: Arc<Mutex<BrowserState>>,
    changed: watch::Sender<u64>,
}

/// All contexts of one browser.
#[derive(Debug, Default)]
pub(crate) struct BrowserState {
    pub(crate) contexts: HashMap<String, ContextState>,
    /// Session id -> (context id, target id).
    sessions: HashMap<String, (String, String)>,
}

/// One context: an episode's cookies, storage and pages.
#[derive(Debug)]
pub(crate) struct ContextState {
    pub(crate) wall: Wall,
    pub(crate) viewport: Viewport,
    /// In order of creation.
    pub(crate) pages: Vec<PageState>,
    /// Targets in order of activation, the active one last.
    pub(crate) activation: Vec<String>,
    pub(crate) dialog_policy: DialogPolicy,
    pub(crate) dialogs: Vec<Dialog>,
    /// Names of files that pages offered for download; none is ever written.
    pub(crate) downloads: Vec<String>,
    /// Addresses outside the workspace that pages asked for.
    pub(crate) refused: Vec<String>,
}

impl ContextState {
    pub(crate) fn new(wall: Wall, viewport: Viewport) -> Self {
        Self {
            wall,
            viewport,
            pages: Vec::new(),
            activation: Vec::new(),
            dialog_policy: DialogPolicy::default(),
            dialogs: Vec::new(),
            downloads: Vec::new(),
            refused: Vec::new(),
        }
    }
}

/// One page (tab).
#[derive(Debug, Default)]
pub(crate) struct PageState {
    pub(crate) target: String,
    pub(crate) session: String,
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) main_frame: Option<String>,
    /// The document in the main frame.
    pub(crate) loader: Option<String>,
    /// Lifecycle events of the current document.
    pub(crate) lifecycle: HashSet<String>,
    /// A navigation of the main frame was asked for and has not ended.
    pub(crate) navigating: bool,
    loading_frames: HashSet<String>,
    requests: HashSet<String>,
    pub(crate) crashed: bool,
    /// Frames that live in a process of their own, in order of attachment.
    pub(crate) remote_frames: Vec<RemoteFrame>,
    /// The dialog that is open, where dialogs are held.
    pub(crate) dialog: Option<OpenDialog>,
    /// The file chooser that opened last and was not taken yet.
    pub(crate) file_chooser: Option<FileChooser>,
}

/// A file chooser that a page opened; it is never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChooser {
    /// The frame that the input is in.
    pub(super) frame: FrameRef,
    /// Backend node id of the file input there.
    pub(super) node: i64,
    /// Whether several files may be chosen.
    pub takes_several: bool,
}

/// A frame of another site: it has a session of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemoteFrame {
    pub(crate) session: String,
    /// The frame's id, which is its target's id as well.
    pub(crate) frame: String,
    /// Session of the frame that embeds it.
    pub(crate) parent_session: String,
}

impl PageState {
    /// Whether a document or frame is being loaded.
    pub(crate) fn is_loading(&self) -> bool {
        self.navigating || !self.loading_frames.is_empty()
    }

    /// Whether requests are under way.
    pub(crate) fn has_requests(&self) -> bool {
        !self.requests.is_empty()
    }

    fn is_main(&self, frame: &str) -> bool {
        self.main_frame.as_deref() == Some(frame)
    }

    fn new_document(&mut self, frame: &Value) {
        self.main_frame = frame.get("id").and_then(Value::as_str).map(ToOwned::to_owned);
        self.loader = frame.get("loaderId").and_then(Value::as_str).map(ToOwned::to_owned);
        text(frame, "url").clone_into(&mut self.url);
        self.title.clear();
        self.lifecycle.clear();
        self.navigating = false;
        self.requests.clear();
        let main = self.main_frame.clone();
        self.loading_frames.retain(|frame| Some(frame) == main.as_ref());
    }
}

impl ContextState {
    /// Keeps an answered dialog until somebody takes it.
    pub(crate) fn tell_dialog(&mut self, dialog: Dialog) {
        if self.dialogs.len() < KEPT {
            self.dialogs.push(dialog);
        }
    }
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self { state: Arc::new(Mutex::new(BrowserState::default())), changed: watch::Sender::new(0) }
    }

    /// The state, locked. Nothing that holds it waits or panics, so a poisoned lock is still sound.
    pub(crate) fn lock(&self) -> MutexGuard<'_, BrowserState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `look` now and after every change until it returns a value.
    pub(crate) async fn wait<T>(&self, mut look: impl FnMut(&mut BrowserState) -> Option<T>) -> T {
        let mut changes = self.changed.subscribe();
        loop {
            changes.borrow_and_update();
            let found = look(&mut self.lock());
            if let Some(found) = found {
                return found;
            }
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    fn notify(&self) {
        self.changed.send_modify(|version| *version = version.wrapping_add(1));
    }
}

impl BrowserState {
    /// The page of that target.
    pub(crate) fn page_mut(&mut self, context: &str, target: &str) -> Option<&mut PageState> {
        self.contexts.get_mut(context)?.pages.iter_mut().find(|page| page.target == target)
    }

    fn remove_session(&mut self, session: &str) {
        let Some((context, target)) = self.sessions.remove(session) else { return };
        let Some(context) = self.contexts.get_mut(&context) else { return };
        let Some(page) = context.pages.iter_mut().find(|page| page.target == target) else { return };
        if page.session == session {
            context.pages.retain(|page| page.target != target);
            context.activation.retain(|active| *active != target);
        } else {
            page.remote_frames.retain(|frame| frame.session != session);
        }
    }

    /// A target was attached: for a page of ours, everything it needs before its first script runs.
    fn attached(&mut self, parent: Option<&str>, params: &Value) -> Vec<Outgoing> {
        let session = text(params, "sessionId").to_owned();
        let info = params.get("targetInfo").unwrap_or(&Value::Null);
        let run = runtime::RunIfWaitingForDebuggerParams::default();
        let context = text(info, "browserContextId").to_owned();
        let mut outgoing = Vec::new();
        if text(info, "type") == "page"
            && let Some(state) = self.contexts.get_mut(&context)
        {
            let target = text(info, "targetId").to_owned();
            outgoing = page_setup(&session, state.viewport);
            state.pages.push(PageState {
                target: target.clone(),
                session: session.clone(),
                url: text(info, "url").to_owned(),
                title: text(info, "title").to_owned(),
                ..PageState::default()
            });
            // A popup comes to the front, as in a person's browser.
            state.activation.push(target.clone());
            self.sessions.insert(session.clone(), (context, target));
        } else if text(info, "type") == "iframe"
            && let Some(parent) = parent
            && let Some((context, target)) = self.sessions.get(parent).cloned()
            && let Some(page) = self.page_mut(&context, &target)
        {
            page.remote_frames.push(RemoteFrame {
                session: session.clone(),
                frame: text(info, "targetId").to_owned(),
                parent_session: parent.to_owned(),
            });
            self.sessions.insert(session.clone(), (context, target));
            outgoing = frame_setup(&session);
        }
        outgoing.push(Outgoing::new(Some(&session), &run));
        outgoing
    }

    fn page_event(&mut self, session: &str, method: &str, params: &Value) -> Vec<Outgoing> {
        let Some((context, target)) = self.sessions.get(session) else { return Vec::new() };
        let Some(context) = self.contexts.get_mut(context) else { return Vec::new() };
        let Some(index) = context.pages.iter().position(|page| page.target == *target) else {
            return Vec::new();
        };
        let page = &mut context.pages[index];
        let frame = text(params, "frameId");
        match method {
            "Page.frameNavigated" if page.session == session => {
                let frame = params.get("frame").unwrap_or(&Value::Null);
                if frame.get("parentId").is_none() {
                    page.new_document(frame);
                }
            }
            "Page.navigatedWithinDocument" if page.is_main(frame) => {
                text(params, "url").clone_into(&mut page.url);
                page.navigating = false;
            }
            "Page.lifecycleEvent"
                if page.is_main(frame) && page.loader.as_deref() == Some(text(params, "loaderId")) =>
            {
                page.lifecycle.insert(text(params, "name").to_owned());
            }
            "Page.frameRequestedNavigation" | "Page.frameStartedNavigating" if page.is_main(frame) => {
                let same_document = text(params, "navigationType").contains("SameDocument")
                    || text(params, "disposition") == "newTab";
                if !same_document {
                    page.navigating = true;
                }
            }
            "Page.frameStartedLoading" => {
                page.loading_frames.insert(frame.to_owned());
            }
            "Page.frameStoppedLoading" => {
                page.loading_frames.remove(frame);
                if page.is_main(frame) {
                    page.navigating = false;
                }
            }
            "Page.frameDetached" => {
                page.loading_frames.remove(frame);
            }
            "Network.requestWillBeSent" => {
                let url = params.pointer("/request/url").and_then(Value::as_str).unwrap_or_default();
                if page.requests.len() < 10_000 {
                    page.requests.insert(text(params, "requestId").to_owned());
                }
                if !context.wall.allows(url) && context.refused.len() < KEPT {
                    context.refused.push(url.chars().take(500).collect());
                }
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                page.requests.remove(text(params, "requestId"));
            }
            // A frame's own process may crash and leave the page alive; the frame is detached then.
            "Inspector.targetCrashed" if page.session == session => page.crashed = true,
            "Page.javascriptDialogOpening" => {
                let kind = text(params, "type").to_owned();
                let message: String = text(params, "message").chars().take(2_000).collect();
                let Some(accepted) = context.dialog_policy.answer(&kind) else {
                    page.dialog = Some(OpenDialog { kind, message, session: session.to_owned() });
                    return Vec::new();
                };
                context.tell_dialog(Dialog { kind, message, accepted });
                // Where a prompt is dismissed, or the dialog is none, the text goes nowhere.
                let proposed = text(params, "defaultPrompt");
                let answer = json!({ "accept": accepted, "promptText": proposed });
                return vec![Outgoing::raw(Some(session), "Page.handleJavaScriptDialog", answer)];
            }
            "Page.javascriptDialogClosed" => page.dialog = None,
            "Page.fileChooserOpened" => {
                page.file_chooser = params.get("backendNodeId").and_then(Value::as_i64).map(|node| {
                    let takes_several = text(params, "mode") == "selectMultiple";
                    let session = (page.session != session).then(|| session.to_owned());
                    FileChooser { frame: FrameRef::new(session, frame), node, takes_several }
                });
            }
            "Page.downloadWillBegin" if context.downloads.len() < KEPT => {
                context.downloads.push(text(params, "suggestedFilename").chars().take(200).collect());
            }
            _ => {}
        }
        Vec::new()
    }
}

impl EventListener for Shared {
    fn event(&mut self, event: RawEvent) -> Vec<Outgoing> {
        let mut state = self.lock();
        let outgoing = match (event.method.as_str(), event.session_id.as_deref()) {
            ("Target.attachedToTarget", parent) => state.attached(parent, &event.params),
            ("Target.detachedFromTarget", _) => {
                state.remove_session(text(&event.params, "sessionId"));
                Vec::new()
            }
            ("Target.targetInfoChanged", _) => {
                let info = event.params.get("targetInfo").unwrap_or(&Value::Null);
                if let Some(page) = state.page_mut(text(info, "browserContextId"), text(info, "targetId")) {
                    text(info, "title").clone_into(&mut page.title);
                    // The page that says why an address cannot be opened is announced under that
                    // address.
                    if !page.url.starts_with("chrome-error:") {
                        text(info, "url").clone_into(&mut page.url);
                    }
                }
                Vec::new()
            }
            ("Target.targetCrashed", _) => {
                let target = text(&event.params, "targetId").to_owned();
                let pages = state.contexts.values_mut().flat_map(|context| context.pages.iter_mut());
                pages.filter(|page| page.target == target).for_each(|page| page.crashed = true);
                Vec::new()
            }
            (method, Some(session)) => state.page_event(session, method, &event.params),
            _ => Vec::new(),
        };
        drop(state);
        self.notify();
        outgoing
    }

    fn lost(&mut self, _reason: &str) {
        self.notify();
    }
}

/// What a page gets before its first script runs. Sent in one go: the browser works through it in
/// order, and the page is only let go after it.
fn page_setup(session: &str, viewport: Viewport) -> Vec<Outgoing> {
    let metrics = emulation::SetDeviceMetricsOverrideParams::new(
        i64::from(viewport.width),
        i64::from(viewport.height),
        1.0,
        viewport.touch,
    );
    let mut commands = frame_setup(session);
    commands.extend([
        Outgoing::new(Some(session), &page::SetLifecycleEventsEnabledParams::new(true)),
        Outgoing::new(Some(session), &inspector::EnableParams::default()),
        Outgoing::new(Some(session), &metrics),
        // Without it a tab behind another one gets no frames, and its screenshots never come.
        Outgoing::new(Some(session), &emulation::SetFocusEmulationEnabledParams::new(true)),
        Outgoing::raw(
            Some(session),
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] }),
        ),
        Outgoing::raw(Some(session), "Emulation.setTimezoneOverride", json!({ "timezoneId": "UTC" })),
    ]);
    if viewport.touch {
        let touch = json!({ "enabled": true, "maxTouchPoints": 5 });
        commands.push(Outgoing::raw(Some(session), "Emulation.setTouchEmulationEnabled", touch));
        // A phone's scrollbars lie over the page and fade away after a scroll: a screenshot would show
        // how much time went by.
        let hidden = json!({ "hidden": true });
        commands.push(Outgoing::raw(Some(session), "Emulation.setScrollbarsHidden", hidden));
    }
    commands
}

/// What the frames of a session need: a page's own, or a frame of another site.
fn frame_setup(session: &str) -> Vec<Outgoing> {
    let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
    vec![
        Outgoing::new(Some(session), &page::EnableParams::default()),
        Outgoing::new(Some(session), &page::SetInterceptFileChooserDialogParams::new(true)),
        Outgoing::new(Some(session), &network::EnableParams::default()),
        // Frames of other sites come as targets of their own.
        Outgoing::raw(Some(session), "Target.setAutoAttach", attach),
    ]
}

/// A string member, or the empty string: events are read member by member and never fail as a whole.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(frame: &str) -> RawEvent {
        serde_json::from_str(frame).expect("an event is a method and anything else")
    }

    /// Field issue A18: newer browsers send methods, members and values that nobody here knows.
    #[test]
    fn what_a_newer_browser_sends_is_passed_over_and_the_rest_still_counts() {
        let mut shared = Shared::new();
        let context = ContextState::new(Wall::Loopback, Viewport::default());
        shared.lock().contexts.insert("C".into(), context);
        for frame in [
            r#"{"method":"Target.attachedToTarget","params":{"sessionId":"S","targetInfo":{"targetId":"T","type":"page",
                "url":"http://127.0.0.1/","title":"","browserContextId":"C","subtype":"prerender-2","newMember":{"a":[1]}},
                "waitingForDebugger":true,"kind":7},"extra":null}"#,
            r#"{"method":"Network.requestWillBeSentExtraSuper","params":{"x":{}},"sessionId":"S"}"#,
            r#"{"method":"Network.requestWillBeSent","sessionId":"S","params":{"requestId":"1","type":"QuantumFetch",
                "request":{"url":"http://127.0.0.1/a","initialPriority":"Whenever"},"initiator":{"type":"dream"}}}"#,
            r#"{"method":"Page.frameNavigated","sessionId":"S","params":{"type":"Teleport","frame":{"id":"F","loaderId":"L",
                "url":"http://127.0.0.1/b","secureContextType":"Unheard","adFrameStatus":3}}}"#,
            r#"{"method":"Page.lifecycleEvent","sessionId":"S","params":{"frameId":"F","loaderId":"L","name":"load","timestamp":"now"}}"#,
            r#"{"method":"Page.lifecycleEvent","sessionId":"S","params":null}"#,
            r#"{"method":"Page.frameNavigated","sessionId":"unknown","params":[1,2]}"#,
        ] {
            shared.event(event(frame));
        }
        let mut state = shared.lock();
        let page = state.page_mut("C", "T").expect("the page was attached");
        assert_eq!(page.url, "http://127.0.0.1/b");
        assert!(page.lifecycle.contains("load") && !page.crashed);
    }
}
