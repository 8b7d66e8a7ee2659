//! Commands to one page.

use std::sync::Arc;

use chromiumoxide::types::Method;
use serde_json::{Value, json};

use crate::browser::BrowserError;
use crate::browser::connection::{Cdp, Outgoing};
use crate::browser::state::{FileChooser, PageState, Shared, text};
use crate::error::Deadline;

/// Name of the world our functions run in; page scripts cannot see it.
const WORLD: &str = "discreet";

/// A frame of a page: where commands about it go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FrameRef {
    /// Session of the process it lives in; `None` for the page's own.
    session: Option<String>,
    /// The frame's id.
    pub id: String,
}

impl FrameRef {
    pub(in crate::browser) fn new(session: Option<String>, id: &str) -> Self {
        Self { session, id: id.to_owned() }
    }

    /// Whether the two live in the same process and session.
    #[must_use]
    pub fn shares_session_with(&self, other: &Self) -> bool {
        self.session == other.session
    }

    /// A frame of the same session.
    #[must_use]
    pub fn sibling(&self, id: &str) -> Self {
        Self { session: self.session.clone(), id: id.to_owned() }
    }
}

/// A handle to one page; cheap to clone, and an error once the page is gone.
#[derive(Debug, Clone)]
pub struct Page {
    pub(super) cdp: Cdp,
    pub(super) shared: Shared,
    pub(super) context: Arc<str>,
    target: Arc<str>,
}

impl Page {
    pub(crate) fn new(cdp: Cdp, shared: Shared, context: Arc<str>, target: Arc<str>) -> Self {
        Self { cdp, shared, context, target }
    }

    /// The page's target id: what distinguishes it from the other pages of its context.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Identifies the document that is shown now; another document has another.
    ///
    /// # Errors
    /// [`BrowserError`] when the page is gone or crashed.
    pub fn document(&self) -> Result<String, BrowserError> {
        self.look(|page| page.loader.clone().unwrap_or_default())
    }

    /// Reads the page's state.
    pub(super) fn look<T>(&self, read: impl FnOnce(&mut PageState) -> T) -> Result<T, BrowserError> {
        if let Some(reason) = self.cdp.lost_reason() {
            return Err(BrowserError::Lost(reason));
        }
        let mut state = self.shared.lock();
        match state.page_mut(&self.context, &self.target) {
            Some(page) if page.crashed => Err(BrowserError::PageCrashed),
            Some(page) => Ok(read(page)),
            None => Err(BrowserError::PageGone("the page was closed".into())),
        }
    }

    /// Waits until `look` finds something in the page's state; fails at once when the page crashes
    /// or goes away.
    pub(super) async fn wait<T>(
        &self,
        what: &str,
        deadline: Deadline,
        mut look: impl FnMut(&mut PageState) -> Option<T>,
    ) -> Result<T, BrowserError> {
        let found = self.shared.wait(|state| match state.page_mut(&self.context, &self.target) {
            Some(page) if page.crashed => Some(Err(BrowserError::PageCrashed)),
            Some(page) => look(page).map(Ok).or_else(|| blocked(page).map(Err)),
            None => Some(Err(BrowserError::PageGone("the page was closed".into()))),
        });
        tokio::select! {
            found = deadline.race(what, found) => found?,
            () = self.cdp.wait_lost() => {
                Err(BrowserError::Lost(self.cdp.lost_reason().unwrap_or_default()))
            }
        }
    }

    /// Sends a typed command to the page and waits for the reply.
    ///
    /// # Errors
    /// [`BrowserError`]: at once when the renderer crashes or the browser is lost, by the deadline
    /// otherwise.
    pub async fn call(
        &self,
        params: &(impl serde::Serialize + Method),
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        self.send(None, Outgoing::new(None, params), deadline).await
    }

    /// Sends a command to the session of a frame, with parameters as JSON.
    ///
    /// # Errors
    /// As [`Page::call`].
    pub async fn call_in(
        &self,
        frame: &FrameRef,
        method: &'static str,
        params: Value,
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        self.send(frame.session.as_deref(), Outgoing::raw(None, method, params), deadline).await
    }

    /// Sends a command with parameters as JSON, for those whose typed form is wrong.
    ///
    /// # Errors
    /// As [`Page::call`].
    pub async fn call_raw(
        &self,
        method: &'static str,
        params: Value,
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        self.send(None, Outgoing::raw(None, method, params), deadline).await
    }

    async fn send(
        &self,
        session: Option<&str>,
        mut outgoing: Outgoing,
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        let own = self.look(|page| page.session.clone())?;
        outgoing.session = Some(session.map_or(own, ToOwned::to_owned));
        // What the browser's own process answers works under a dialog too.
        let needs_page = !matches!(&*outgoing.method, "Page.close" | "Page.bringToFront");
        let gone = self.shared.wait(|state| match state.page_mut(&self.context, &self.target) {
            Some(page) if page.crashed => Some(BrowserError::PageCrashed),
            Some(page) => blocked(page).filter(|_| needs_page),
            None => Some(BrowserError::PageGone("the page was closed".into())),
        });
        tokio::select! {
            // A reply that is there counts, whatever happened since.
            biased;
            reply = self.cdp.send(outgoing, deadline) => reply,
            error = gone => Err(error),
        }
    }

    /// Forgets a file chooser that opened before, so that [`Page::file_chooser`] finds a new one.
    ///
    /// # Errors
    /// [`BrowserError`] when the page is gone or crashed.
    pub fn forget_file_chooser(&self) -> Result<(), BrowserError> {
        self.look(|page| page.file_chooser = None)
    }

    /// Waits for a file chooser to open; it is intercepted and never shown.
    ///
    /// # Errors
    /// [`BrowserError::Expired`] when none opens in time.
    pub async fn file_chooser(&self, deadline: Deadline) -> Result<FileChooser, BrowserError> {
        self.wait("a file chooser", deadline, |page| page.file_chooser.take()).await
    }

    /// Chooses files for the input that opened a chooser; none clears the choice.
    ///
    /// # Errors
    /// [`BrowserError`].
    pub async fn choose_files(
        &self,
        chooser: &FileChooser,
        files: &[String],
        deadline: Deadline,
    ) -> Result<(), BrowserError> {
        if files.is_empty() {
            // The command ignores an empty list.
            let none = "function () { this.files = new DataTransfer().files; \
                        this.dispatchEvent(new Event('input', { bubbles: true, composed: true })); \
                        this.dispatchEvent(new Event('change', { bubbles: true })); }";
            return self.run_on_element(&chooser.frame, chooser.node, none, &[], deadline).await.map(|_| ());
        }
        let params = json!({ "files": files, "backendNodeId": chooser.node });
        self.call_in(&chooser.frame, "DOM.setFileInputFiles", params, deadline).await.map(|_| ())
    }

    /// Brings the page to the front: a tab that was opened in the background paints nothing.
    ///
    /// # Errors
    /// [`BrowserError`].
    pub async fn bring_to_front(&self, deadline: Deadline) -> Result<(), BrowserError> {
        self.call_raw("Page.bringToFront", json!({}), deadline).await.map(|_| ())
    }

    /// Learns the main frame of a page that has not navigated yet.
    pub(crate) async fn learn_frame(&self, deadline: Deadline) -> Result<(), BrowserError> {
        let tree = self.call_raw("Page.getFrameTree", json!({}), deadline).await?;
        let frame = tree.pointer("/frameTree/frame").cloned().unwrap_or_default();
        self.look(|page| {
            if page.main_frame.is_none() {
                page.main_frame = Some(text(&frame, "id").to_owned());
                page.loader = Some(text(&frame, "loaderId").to_owned());
            }
        })
    }

    /// The main frame.
    ///
    /// # Errors
    /// [`BrowserError`] when the page is gone or crashed.
    pub fn main_frame(&self) -> Result<FrameRef, BrowserError> {
        let id = self.look(|page| page.main_frame.clone().unwrap_or_default())?;
        Ok(FrameRef { session: None, id })
    }

    /// Frames that live in processes of their own, each with the frame of the session that embeds it
    /// (any frame of that session; which one exactly is for `DOM.getFrameOwner` to tell).
    ///
    /// # Errors
    /// [`BrowserError`] when the page is gone or crashed.
    pub fn remote_frames(&self) -> Result<Vec<(FrameRef, FrameRef)>, BrowserError> {
        self.look(|page| {
            let own = page.session.clone();
            let session = |session: &str| (session != own).then(|| session.to_owned());
            let frames = page.remote_frames.iter().map(|remote| {
                let frame = FrameRef { session: session(&remote.session), id: remote.frame.clone() };
                let parent = FrameRef { session: session(&remote.parent_session), id: String::new() };
                (frame, parent)
            });
            frames.collect()
        })
    }

    /// The execution context of our own world in a frame. The browser keeps one per document and
    /// name, so asking again is cheap and needs no cache that could be stale.
    ///
    /// # Errors
    /// [`BrowserError`].
    pub async fn world(&self, frame: &FrameRef, deadline: Deadline) -> Result<i64, BrowserError> {
        let params = json!({ "frameId": frame.id, "worldName": WORLD });
        let reply = self.call_in(frame, "Page.createIsolatedWorld", params, deadline).await?;
        reply.get("executionContextId").and_then(Value::as_i64).ok_or_else(|| BrowserError::Reply {
            method: "Page.createIsolatedWorld".into(),
            message: "no context id".into(),
        })
    }

    /// Runs a function of ours in our own world of the main frame with JSON arguments and returns
    /// its JSON result; a promise is awaited.
    ///
    /// # Errors
    /// [`BrowserError`]; an exception in the function is a [`BrowserError::Reply`].
    pub async fn run(
        &self,
        function: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        self.run_in(&self.main_frame()?, function, arguments, deadline).await
    }

    /// Runs a function of ours in our own world of a frame.
    ///
    /// # Errors
    /// As [`Page::run`].
    pub async fn run_in(
        &self,
        frame: &FrameRef,
        function: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        let world = self.world(frame, deadline).await?;
        self.run_on(frame, json!({ "executionContextId": world }), function, arguments, deadline).await
    }

    /// Runs a function of ours with `this` bound to the element of that backend node id.
    ///
    /// # Errors
    /// As [`Page::run`]; [`BrowserError::Command`] when no such node exists.
    pub async fn run_on_element(
        &self,
        frame: &FrameRef,
        backend_node: i64,
        function: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        let world = self.world(frame, deadline).await?;
        let params =
            json!({ "backendNodeId": backend_node, "executionContextId": world, "objectGroup": WORLD });
        let reply = self.call_in(frame, "DOM.resolveNode", params, deadline).await?;
        // A node whose document was replaced a moment ago is resolved to nothing.
        let Some(object) = reply.pointer("/object/objectId").filter(|id| id.is_string()) else {
            return Err(BrowserError::Command {
                method: "DOM.resolveNode".into(),
                message: "the node's document is gone".into(),
            });
        };
        self.run_on(frame, json!({ "objectId": object }), function, arguments, deadline).await
    }

    /// Runs a function of ours in our own world of a frame that returns an element or null, and
    /// gives the backend node id of that element.
    ///
    /// # Errors
    /// As [`Page::run`].
    pub async fn find_in(
        &self,
        frame: &FrameRef,
        function: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Result<Option<i64>, BrowserError> {
        let world = self.world(frame, deadline).await?;
        let arguments: Vec<Value> = arguments.iter().map(|value| json!({ "value": value })).collect();
        let params = json!({
            "executionContextId": world, "functionDeclaration": function, "arguments": arguments,
            "awaitPromise": true, "objectGroup": WORLD,
        });
        let reply = self.call_in(frame, "Runtime.callFunctionOn", params, deadline).await?;
        let Some(object) = reply.pointer("/result/objectId") else { return Ok(None) };
        let reply = self.call_in(frame, "DOM.describeNode", json!({ "objectId": object }), deadline).await?;
        Ok(reply.pointer("/node/backendNodeId").and_then(Value::as_i64))
    }

    async fn run_on(
        &self,
        frame: &FrameRef,
        mut params: Value,
        function: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        let arguments: Vec<Value> = arguments.iter().map(|value| json!({ "value": value })).collect();
        params["functionDeclaration"] = function.into();
        params["arguments"] = arguments.into();
        params["returnByValue"] = true.into();
        params["awaitPromise"] = true.into();
        let reply = self.call_in(frame, "Runtime.callFunctionOn", params, deadline).await?;
        if let Some(details) = reply.get("exceptionDetails") {
            let message = details.pointer("/exception/description").and_then(Value::as_str);
            return Err(BrowserError::Reply {
                method: "Runtime.callFunctionOn".into(),
                message: message.unwrap_or("the function threw").to_owned(),
            });
        }
        Ok(reply.pointer("/result/value").cloned().unwrap_or(Value::Null))
    }

    /// Closes the page and waits until it is gone.
    ///
    /// # Errors
    /// [`BrowserError`] when it does not close in time.
    pub async fn close(&self, deadline: Deadline) -> Result<(), BrowserError> {
        let asked = self.call_raw("Page.close", json!({}), deadline).await;
        match self.wait("the page to close", deadline, |_| None::<()>).await {
            Err(BrowserError::PageGone(_)) | Ok(()) => Ok(()),
            Err(error) => asked.and(Err(error)),
        }
    }

    /// Frees a page whose main thread runs for ever: terminates the script and sees whether the page
    /// answers again.
    ///
    /// # Errors
    /// [`BrowserError::PageHung`] when it does not.
    pub async fn free(&self) -> Result<(), BrowserError> {
        let deadline = Deadline::after_ms(2_000);
        let _ = self.call_raw("Runtime.terminateExecution", json!({}), deadline).await;
        match self.call_raw("Runtime.evaluate", json!({ "expression": "1" }), Deadline::after_ms(2_000)).await
        {
            Ok(_) => Ok(()),
            Err(error @ (BrowserError::Lost(_) | BrowserError::PageCrashed | BrowserError::PageGone(_))) => {
                Err(error)
            }
            Err(error) => Err(BrowserError::PageHung(error.to_string())),
        }
    }
}

/// The error of commands to a page that a dialog blocks.
fn blocked(page: &PageState) -> Option<BrowserError> {
    let dialog = page.dialog.as_ref()?;
    Some(BrowserError::DialogOpen(format!("its `{}` dialog is open: {}", dialog.kind, dialog.message)))
}
