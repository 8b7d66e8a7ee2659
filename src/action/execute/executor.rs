//! From an action to what it does, and waiting for what it caused.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::clipboard::{Clipboard, may_use};
use super::failure::{Attempt, Failure};
use super::keyboard::Keyboard;
use super::pointer::Pointer;
use crate::action::Action;
use crate::browser::{BrowserError, Context, Page, Settled};
use crate::error::Deadline;
use crate::observe::Observer;

/// How long what an action caused may go on before the next observation is taken all the same.
const SETTLE_WITHIN: Duration = Duration::from_secs(5);

/// How long input events may wait for the page to take them.
pub(super) const INPUT_WITHIN: Duration = Duration::from_secs(5);

/// How long opening an address may take, as in BrowserGym.
const NAVIGATE_WITHIN: Duration = Duration::from_secs(5);

/// The longest wait that `noop` may ask for.
const LONGEST_NOOP_MS: f64 = 10_000.0;

/// How an action went.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Performed {
    /// Why it failed, `ClassName: message`; empty when it did not.
    pub error: String,
    /// An address outside the workspace that the agent tried to open.
    pub refused: Option<String>,
    /// Point of the click or hover, CSS pixels of the viewport.
    pub point: Option<(f64, f64)>,
    /// Box of the element acted on, `[x, y, width, height]` in CSS pixels of the viewport.
    pub element_box: Option<[f64; 4]>,
    /// How long settling took.
    pub settled_after: Duration,
    /// What was still going on when waiting was given up.
    pub still_busy: Option<&'static str>,
}

/// Executes actions in one context; remembers what was copied, and per page where the pointer is and what
/// is held down.
#[derive(Debug, Default)]
pub struct Executor {
    hands: HashMap<String, Hands>,
    clipboard: Clipboard,
    may_upload: bool,
    /// What settling and opening an address may take longer than usual.
    patience: Duration,
}

/// A page's keyboard and pointer, which keep their state between actions.
#[derive(Debug, Default)]
pub(super) struct Hands {
    pub(super) keyboard: Keyboard,
    pub(super) pointer: Pointer,
}

impl Executor {
    /// An executor that may choose files of this machine in a page. Others refuse to
    /// (`PermissionError`), whatever actions an agent is offered: a page could send them on.
    #[must_use]
    pub fn with_uploads() -> Self {
        Self { may_upload: true, ..Self::default() }
    }

    /// The same executor for pages whose server is slow: it waits so much longer for what an action
    /// caused.
    #[must_use]
    pub const fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Performs one action and waits for what it caused. Actions that only the episode understands
    /// (`finish`, `send_msg_to_user`, `report_infeasible`) do nothing here.
    ///
    /// # Errors
    /// [`BrowserError`] when the page crashed or hangs, or the browser is lost.
    pub async fn perform(
        &mut self,
        context: &Context,
        observer: &Observer,
        action: &Action,
    ) -> Result<Performed, BrowserError> {
        let mut performed = Performed::default();
        if let Action::Goto { url } = action
            && !context.wall().allows_navigation(url)
        {
            performed.error = format!(
                "Error: goto({}) was refused: only the workspace can be opened",
                crate::action::quote(url)
            );
            performed.refused = Some(url.chars().take(500).collect());
            return Ok(performed);
        }
        let page = context.active_page()?;
        if let Some(dialog) = context.open_dialog().filter(|_| needs_page(action)) {
            performed.error = format!(
                "Error: a dialog is open ({} {}); answer it with dialog_accept() or dialog_dismiss() first",
                dialog.kind,
                crate::action::quote(&dialog.message)
            );
            return Ok(performed);
        }
        let hands = self.hands.entry(page.target().to_owned()).or_default();
        let mut target = Target {
            context,
            page: &page,
            observer,
            hands,
            may_upload: self.may_upload,
            navigate_within: NAVIGATE_WITHIN + self.patience,
            point: None,
            element_box: None,
        };
        let attempt = target.attempt_watched(action, &mut self.clipboard).await;
        (performed.point, performed.element_box) = (target.point, target.element_box);
        match attempt {
            Ok(()) => {}
            Err(Failure::Action(class, message)) => performed.error = format!("{class}: {message}"),
            Err(Failure::Browser(error)) => match error {
                BrowserError::Expired(expired) => {
                    page.free().await?;
                    performed.error = format!(
                        "TimeoutError: the page did not react ({expired}); its script was terminated"
                    );
                }
                // The action opened a dialog, which holds the page: that is its effect.
                BrowserError::DialogOpen(_) => {}
                // The action itself may have closed the page or replaced the document.
                error if error.is_stale_document() => {}
                BrowserError::Command { message, .. } | BrowserError::Reply { message, .. } => {
                    performed.error = format!("Error: {message}");
                }
                error => return Err(error),
            },
        }
        let acted = Instant::now();
        performed.still_busy = settle(context, page.target(), SETTLE_WITHIN + self.patience).await?;
        performed.settled_after = acted.elapsed();
        Ok(performed)
    }
}

/// Whether an action reaches into the page, which an open dialog blocks.
fn needs_page(action: &Action) -> bool {
    !matches!(
        action,
        Action::DialogAccept { .. }
            | Action::DialogDismiss {}
            | Action::Noop { .. }
            | Action::SendMsgToUser { .. }
            | Action::ReportInfeasible { .. }
            | Action::Finish { .. }
            | Action::NewTab {}
            | Action::TabFocus { .. }
    )
}

/// Settles the page that is active after the action, which may be a new one.
async fn settle(
    context: &Context,
    acted_in: &str,
    within: Duration,
) -> Result<Option<&'static str>, BrowserError> {
    let deadline = Deadline::after(within);
    let mut in_front = acted_in.to_owned();
    loop {
        let page = match context.active_page() {
            // The action closed the last page: there is always one to look at.
            Err(BrowserError::PageGone(_)) => context.new_page(deadline).await?,
            other => other?,
        };
        let settled = match bring_to_front(&page, &mut in_front, deadline).await {
            Ok(()) => page.settle(deadline).await,
            Err(error) => Err(error),
        };
        let busy = match settled {
            Ok(Settled::Quiet) => None,
            Ok(Settled::StillBusy(what)) => Some(what),
            Err(BrowserError::PageGone(_)) if !deadline.has_passed() => continue,
            Err(error) => return Err(error),
        };
        // A tab that opened meanwhile is the one that will be looked at.
        let is_still_active = context.active_page().is_ok_and(|active| active.target() == page.target());
        if is_still_active || deadline.has_passed() {
            return Ok(busy);
        }
    }
}

/// Brings a page to the front that was not: a tab opened in the background paints nothing.
async fn bring_to_front(page: &Page, in_front: &mut String, deadline: Deadline) -> Result<(), BrowserError> {
    if page.target() == in_front {
        return Ok(());
    }
    page.target().clone_into(in_front);
    match page.bring_to_front(deadline).await {
        // Without it the page may still be observed; what cannot be seen is told then.
        Err(BrowserError::Expired(_) | BrowserError::Command { .. }) => Ok(()),
        other => other,
    }
}

/// What an attempt works with.
pub(super) struct Target<'a> {
    pub(super) context: &'a Context,
    pub(super) page: &'a Page,
    pub(super) observer: &'a Observer,
    pub(super) hands: &'a mut Hands,
    pub(super) may_upload: bool,
    pub(super) navigate_within: Duration,
    pub(super) point: Option<(f64, f64)>,
    pub(super) element_box: Option<[f64; 4]>,
}

impl Target<'_> {
    /// Keeps what the action copies, and pastes what this episode copied where the action pastes.
    async fn attempt_watched(&mut self, action: &Action, clipboard: &mut Clipboard) -> Attempt {
        if !may_use(action) {
            return self.attempt(action).await;
        }
        Clipboard::watch(self.page).await?;
        let attempt = self.attempt(action).await;
        // A page that is gone or does not answer is found out by what comes next.
        if matches!(attempt, Ok(()) | Err(Failure::Action(..)))
            && let Ok(Some(text)) = clipboard.end(self.page).await
        {
            self.insert_text(text).await?;
        }
        attempt
    }

    async fn attempt(&mut self, action: &Action) -> Attempt {
        match action {
            Action::Noop { wait_ms } => {
                let wait = wait_ms.clamp(0.0, LONGEST_NOOP_MS);
                tokio::time::sleep(Duration::from_secs_f64(wait / 1_000.0)).await;
                Ok(())
            }
            Action::SendMsgToUser { .. } | Action::ReportInfeasible { .. } | Action::Finish { .. } => Ok(()),
            Action::Click { bid, button, modifiers } => self.click(bid, *button, modifiers, 1).await,
            Action::Dblclick { bid, button, modifiers } => self.click(bid, *button, modifiers, 2).await,
            Action::Hover { bid } => self.hover(bid).await,
            Action::Fill { bid, value, enable_autocomplete_menu } => {
                self.fill("fill", bid, value, *enable_autocomplete_menu).await
            }
            Action::Clear { bid } => self.fill("clear", bid, "", false).await,
            Action::Check { bid } => self.set_checked("check", bid, true).await,
            Action::Uncheck { bid } => self.set_checked("uncheck", bid, false).await,
            Action::DragAndDrop { from_bid, to_bid } => self.drag_element(from_bid, to_bid).await,
            Action::SelectOption { bid, options } => self.select(bid, options).await,
            Action::Focus { bid } => self.focus(bid, false).await,
            Action::Press { bid, key_comb } => self.press_in(bid, key_comb).await,
            Action::Scroll { delta_x, delta_y } => self.wheel((*delta_x, *delta_y)).await,
            Action::ScrollAt { x, y, delta_x, delta_y } => {
                self.move_to((*x, *y)).await?;
                self.wheel((*delta_x, *delta_y)).await
            }
            Action::MouseMove { x, y } => self.move_to((*x, *y)).await,
            Action::MouseDown { x, y, button } => {
                self.move_to((*x, *y)).await?;
                self.button(*button, true).await
            }
            Action::MouseUp { x, y, button } => {
                self.move_to((*x, *y)).await?;
                self.button(*button, false).await
            }
            Action::MouseClick { x, y, button } => self.click_at((*x, *y), *button, 1).await,
            Action::MouseDblclick { x, y, button } => self.click_at((*x, *y), *button, 2).await,
            Action::MouseDragAndDrop { from_x, from_y, to_x, to_y } => {
                self.drag((*from_x, *from_y), (*to_x, *to_y)).await
            }
            Action::KeyboardPress { key } => self.press(key).await,
            Action::KeyboardDown { key } => self.key(key, true).await,
            Action::KeyboardUp { key } => self.key(key, false).await,
            Action::KeyboardType { text } => self.type_text(text).await,
            Action::KeyboardInsertText { text } => self.insert_text(text).await,
            Action::Goto { url } => self.open(url).await,
            Action::GoBack {} => {
                self.page.go_in_history(-1, Deadline::after(self.navigate_within)).await?;
                Ok(())
            }
            Action::GoForward {} => {
                self.page.go_in_history(1, Deadline::after(self.navigate_within)).await?;
                Ok(())
            }
            Action::NewTab {} => {
                self.context.new_page(Deadline::after(NAVIGATE_WITHIN)).await?;
                Ok(())
            }
            Action::TabClose {} => {
                self.page.close(Deadline::after(NAVIGATE_WITHIN)).await?;
                // The last tab of the list, as in BrowserGym; none is left where this was the only one.
                let _ = self.context.activate(-1);
                Ok(())
            }
            Action::TabFocus { index } => {
                if self.context.activate(*index) {
                    return Ok(());
                }
                let (pages, _) = self.context.open_pages();
                Err(Failure::Action(
                    "IndexError",
                    format!("list index out of range: there is no tab {index} among {}", pages.len()),
                ))
            }
            Action::DialogAccept { text } => self.answer_dialog(true, text).await,
            Action::DialogDismiss {} => self.answer_dialog(false, "").await,
            Action::UploadFile { bid, files } => self.upload_at_element(bid, files).await,
            Action::MouseUploadFile { x, y, files } => self.upload_at((*x, *y), files).await,
        }
    }

    async fn open(&mut self, url: &str) -> Attempt {
        match self.page.navigate(url, Deadline::after(self.navigate_within)).await? {
            Settled::StillBusy(what) if what != crate::browser::DIALOG_OPEN => {
                Err(Failure::timeout(format!(
                    "goto({}): gave up after {} ms: {what}",
                    crate::action::quote(url),
                    self.navigate_within.as_millis()
                )))
            }
            _ => Ok(()),
        }
    }

    async fn answer_dialog(&mut self, accepted: bool, text: &str) -> Attempt {
        if self.context.answer_dialog(accepted, text, Deadline::after(INPUT_WITHIN)).await? {
            return Ok(());
        }
        Err(Failure::error("no dialog is open"))
    }
}
