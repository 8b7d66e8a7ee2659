//! A browser context: one episode's cookies, storage and pages, apart from all others.

use std::sync::Arc;

use chromiumoxide::cdp::browser_protocol::browser::BrowserContextId;
use chromiumoxide::cdp::browser_protocol::target;
use serde_json::{Value, json};

use super::connection::{Cdp, Outgoing};
use super::dialog::{Dialog, DialogPolicy, OpenDialog};
use super::page::Page;
use super::state::{ContextState, Shared, text};
use super::{BrowserError, wall::Wall};
use crate::error::Deadline;
use crate::scenario::variation::Screen;

/// Size of the page in CSS pixels, at one device pixel each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Whether the page is a telephone's: touched, and laid out for its narrow screen.
    pub touch: bool,
}

impl From<Screen> for Viewport {
    fn from(screen: Screen) -> Self {
        let (width, height) = screen.size();
        Self { width, height, touch: screen.has_touch() }
    }
}

impl Default for Viewport {
    fn default() -> Self {
        Screen::default().into()
    }
}

/// What a context needs to know.
#[derive(Debug, Clone)]
pub struct ContextOptions {
    /// What its pages may reach.
    pub wall: Wall,
    /// The proxy, `http://127.0.0.1:PORT`, that stands for the workspace; `None` connects directly.
    pub proxy: Option<String>,
    /// Cookies: `(origin, name, value)`; not readable by scripts.
    pub cookies: Vec<(String, String, String)>,
    /// Page size.
    pub viewport: Viewport,
}

/// A browser context. Dropping it leaves it to the browser's end; [`Context::close`] ends it now.
#[derive(Debug)]
pub struct Context {
    cdp: Cdp,
    shared: Shared,
    id: Arc<str>,
}

impl Context {
    /// Creates a context with one blank page.
    pub(crate) async fn open(
        cdp: Cdp,
        shared: Shared,
        options: &ContextOptions,
        deadline: Deadline,
    ) -> Result<Self, BrowserError> {
        let mut create = target::CreateBrowserContextParams::builder().dispose_on_detach(true);
        if let Some(proxy) = &options.proxy {
            // `<-loopback>` takes away the exception that loopback addresses have by default.
            create = create.proxy_server(proxy.clone()).proxy_bypass_list("<-loopback>");
        }
        let reply = cdp.call(None, &create.build(), deadline).await?;
        let id: Arc<str> = Arc::from(text(&reply, "browserContextId"));
        if id.is_empty() {
            return Err(BrowserError::Reply {
                method: "Target.createBrowserContext".into(),
                message: "no context id".into(),
            });
        }
        shared
            .lock()
            .contexts
            .insert(id.to_string(), ContextState::new(options.wall.clone(), options.viewport));
        let context = Self { cdp, shared, id };
        context.prepare(options, deadline).await?;
        context.new_page(deadline).await?;
        Ok(context)
    }

    async fn prepare(&self, options: &ContextOptions, deadline: Deadline) -> Result<(), BrowserError> {
        if !options.cookies.is_empty() {
            self.set_cookies(&options.cookies, deadline).await?;
        }
        let params = json!({ "behavior": "deny", "browserContextId": *self.id });
        self.cdp.send(Outgoing::raw(None, "Browser.setDownloadBehavior", params), deadline).await?;
        Ok(())
    }

    /// Sets cookies: `(origin, name, value)`; not readable by scripts.
    ///
    /// # Errors
    /// [`BrowserError`] when the browser does not take them in time.
    pub async fn set_cookies(
        &self,
        cookies: &[(String, String, String)],
        deadline: Deadline,
    ) -> Result<(), BrowserError> {
        let cookies: Vec<Value> = cookies
            .iter()
            .map(|(origin, name, value)| {
                json!({ "name": name, "value": value, "url": origin, "httpOnly": true, "sameSite": "Strict" })
            })
            .collect();
        let params = json!({ "cookies": cookies, "browserContextId": *self.id });
        self.cdp.send(Outgoing::raw(None, "Storage.setCookies", params), deadline).await?;
        Ok(())
    }

    /// Opens a blank page and makes it the active one.
    ///
    /// # Errors
    /// [`BrowserError`] when the browser does not open it in time.
    pub async fn new_page(&self, deadline: Deadline) -> Result<Page, BrowserError> {
        let params = target::CreateTargetParams::builder()
            .url("about:blank")
            .browser_context_id(BrowserContextId::new(self.id.to_string()))
            .build()
            .map_err(|message| BrowserError::Reply { method: "Target.createTarget".into(), message })?;
        let reply = self.cdp.call(None, &params, deadline).await?;
        let target = text(&reply, "targetId").to_owned();
        let ready = self.shared.wait(|state| {
            let page = state.page_mut(&self.id, &target)?;
            (!page.session.is_empty()).then_some(())
        });
        tokio::select! {
            result = deadline.race("a new page", ready) => result?,
            () = self.cdp.wait_lost() => return Err(self.lost()),
        }
        let page = self.page(&target);
        // The frame is known from a command rather than an event: a blank page navigates nowhere.
        page.learn_frame(deadline).await?;
        Ok(page)
    }

    /// The page that actions go to: the one activated last that is still open.
    ///
    /// # Errors
    /// [`BrowserError::PageGone`] when no page is open, [`BrowserError::PageCrashed`] when its
    /// renderer is gone, [`BrowserError::Lost`].
    pub fn active_page(&self) -> Result<Page, BrowserError> {
        if self.cdp.lost_reason().is_some() {
            return Err(self.lost());
        }
        let state = self.shared.lock();
        let context = state.contexts.get(&*self.id);
        let active = context.and_then(|context| {
            context
                .activation
                .last()
                .and_then(|target| context.pages.iter().find(|page| page.target == *target))
        });
        match active {
            Some(page) if page.crashed => Err(BrowserError::PageCrashed),
            Some(page) => Ok(self.page(&page.target)),
            None => Err(BrowserError::PageGone("no page is open".into())),
        }
    }

    /// Address and title of every open page in order of creation, and the index of the active one.
    #[must_use]
    pub fn open_pages(&self) -> (Vec<(String, String)>, usize) {
        let state = self.shared.lock();
        let Some(context) = state.contexts.get(&*self.id) else { return (Vec::new(), 0) };
        let pages = context.pages.iter().map(|page| (page.url.clone(), page.title.clone())).collect();
        let active = context
            .activation
            .last()
            .and_then(|target| context.pages.iter().position(|page| page.target == *target))
            .unwrap_or(0);
        (pages, active)
    }

    /// Makes an open page the active one.
    pub fn activate_page(&self, page: &Page) {
        let mut state = self.shared.lock();
        let Some(context) = state.contexts.get_mut(&*self.id) else { return };
        if context.pages.iter().any(|open| open.target == page.target()) {
            context.activation.retain(|active| active != page.target());
            context.activation.push(page.target().to_owned());
        }
    }

    /// Makes an open page the active one, by its place in order of creation; negative numbers count
    /// from the end. `false` when there is no such page.
    #[must_use]
    pub fn activate(&self, index: i64) -> bool {
        let mut state = self.shared.lock();
        let Some(context) = state.contexts.get_mut(&*self.id) else { return false };
        let pages = i64::try_from(context.pages.len()).unwrap_or(i64::MAX);
        let place = usize::try_from(if index < 0 { index + pages } else { index }).ok();
        let Some(target) = place.and_then(|place| context.pages.get(place)).map(|page| page.target.clone())
        else {
            return false;
        };
        context.activation.retain(|active| *active != target);
        context.activation.push(target);
        true
    }

    /// What this context's pages may reach.
    #[must_use]
    pub fn wall(&self) -> Wall {
        let state = self.shared.lock();
        // A context that is gone reaches nothing.
        state
            .contexts
            .get(&*self.id)
            .map_or_else(|| Wall::Origin("closed:".into()), |context| context.wall.clone())
    }

    /// Decides what happens to native dialogs from now on.
    pub fn set_dialog_policy(&self, policy: DialogPolicy) {
        if let Some(context) = self.shared.lock().contexts.get_mut(&*self.id) {
            context.dialog_policy = policy;
        }
    }

    /// The dialog that blocks the active page, where dialogs are held.
    #[must_use]
    pub fn open_dialog(&self) -> Option<OpenDialog> {
        let target = self.active_page().ok()?.target().to_owned();
        self.shared.lock().page_mut(&self.id, &target)?.dialog.clone()
    }

    /// Answers the dialog that blocks the active page; `text` is typed into a prompt first. `false`
    /// when none is open.
    ///
    /// # Errors
    /// [`BrowserError`] when the page does not take the answer in time.
    pub async fn answer_dialog(
        &self,
        accepted: bool,
        text: &str,
        deadline: Deadline,
    ) -> Result<bool, BrowserError> {
        let page = self.active_page()?;
        let Some(dialog) = self.open_dialog() else { return Ok(false) };
        let params = json!({ "accept": accepted, "promptText": text });
        let answer = Outgoing::raw(Some(&dialog.session), "Page.handleJavaScriptDialog", params);
        // Gone before the answer is sent: the page may open the next dialog before the reply comes.
        if let Some(page) = self.shared.lock().page_mut(&self.id, page.target()) {
            page.dialog = None;
        }
        self.cdp.send(answer, deadline).await?;
        let mut state = self.shared.lock();
        if let Some(context) = state.contexts.get_mut(&*self.id) {
            context.tell_dialog(Dialog { kind: dialog.kind, message: dialog.message, accepted });
        }
        Ok(true)
    }

    /// Names of files that pages offered for download since the last call. Downloads are refused:
    /// a page writes nothing on this machine.
    #[must_use]
    pub fn take_downloads(&self) -> Vec<String> {
        let mut state = self.shared.lock();
        state
            .contexts
            .get_mut(&*self.id)
            .map(|context| std::mem::take(&mut context.downloads))
            .unwrap_or_default()
    }

    /// Dialogs that were answered since the last call.
    #[must_use]
    pub fn take_dialogs(&self) -> Vec<Dialog> {
        let mut state = self.shared.lock();
        state
            .contexts
            .get_mut(&*self.id)
            .map(|context| std::mem::take(&mut context.dialogs))
            .unwrap_or_default()
    }

    /// Addresses outside the workspace that pages asked for since the last call.
    #[must_use]
    pub fn take_refused(&self) -> Vec<String> {
        let mut state = self.shared.lock();
        state
            .contexts
            .get_mut(&*self.id)
            .map(|context| std::mem::take(&mut context.refused))
            .unwrap_or_default()
    }

    /// Ends when the browser is lost.
    pub async fn wait_lost(&self) -> BrowserError {
        self.cdp.wait_lost().await;
        self.lost()
    }

    /// Closes all pages and forgets all cookies and storage.
    ///
    /// # Errors
    /// [`BrowserError`] when the browser does not do it in time.
    pub async fn close(self, deadline: Deadline) -> Result<(), BrowserError> {
        let params = target::DisposeBrowserContextParams::new(BrowserContextId::new(self.id.to_string()));
        let result = self.cdp.call(None, &params, deadline).await;
        self.shared.lock().contexts.remove(&*self.id);
        result.map(|_| ())
    }

    fn page(&self, target: &str) -> Page {
        Page::new(self.cdp.clone(), self.shared.clone(), Arc::clone(&self.id), target.into())
    }

    fn lost(&self) -> BrowserError {
        BrowserError::Lost(self.cdp.lost_reason().unwrap_or_else(|| "the connection is closed".into()))
    }
}
