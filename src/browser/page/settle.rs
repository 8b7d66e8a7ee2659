//! Navigation, and waiting for what an action caused. No fixed sleep anywhere.

use chromiumoxide::cdp::browser_protocol::page::NavigateParams;
use serde_json::{Value, json};

use super::Page;
use crate::browser::BrowserError;
use crate::browser::state::text;
use crate::error::Deadline;

/// Ends after two frames: what a script or a style change did before is on the screen then.
const TWO_FRAMES: &str =
    "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";

/// What may still go on when waiting is given up.
const STILL_LOADING: &str = "the page was still loading";
pub(crate) const DIALOG_OPEN: &str = "a dialog is open";

/// How long after the event `load` it is waited for that the frame is said not to load any more.
const LOADED_TOLD_WITHIN_MS: u64 = 100;

/// How waiting for a page ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// Nothing is loading, and two frames have passed.
    Quiet,
    /// The deadline passed first; what was still going on.
    StillBusy(&'static str),
}

impl Page {
    /// Opens an address and waits until its document is loaded, or until the navigation turns out
    /// to be within the same document.
    ///
    /// # Errors
    /// [`BrowserError::Command`] with Chromium's own error name (`net::ERR_…`) when it cannot be
    /// opened. A document that does not finish loading in time is no error: what is there is there.
    pub async fn navigate(&self, url: &str, deadline: Deadline) -> Result<Settled, BrowserError> {
        match self.arrive(url, deadline).await? {
            Settled::Quiet => self.settle(deadline).await,
            busy @ Settled::StillBusy(_) => Ok(busy),
        }
    }

    /// Opens an address to be observed next: as [`Page::navigate`], but where nothing is under way any
    /// more once the document is loaded, it is not awaited that two frames pass. An observation asks for
    /// frames of its own.
    ///
    /// # Errors
    /// As [`Page::navigate`].
    pub async fn open(&self, url: &str, deadline: Deadline) -> Result<Settled, BrowserError> {
        match self.arrive(url, deadline).await? {
            Settled::Quiet => {}
            busy @ Settled::StillBusy(_) => return Ok(busy),
        }
        // That the frame is not loading any more is told a moment after the event `load`.
        let loaded =
            self.wait("the page to load", deadline.min(Deadline::after_ms(LOADED_TOLD_WITHIN_MS)), |page| {
                (!page.is_loading()).then_some(())
            });
        match loaded.await {
            Ok(()) if !self.look(|page| page.has_requests())? => Ok(Settled::Quiet),
            Ok(()) | Err(BrowserError::Expired(_) | BrowserError::DialogOpen(_)) => {
                self.settle(deadline).await
            }
            Err(error) => Err(error),
        }
    }

    /// Opens an address and waits until its document is loaded and its scripts have run, and not
    /// until it has been painted: for readers of text, who are served at once.
    ///
    /// # Errors
    /// As [`Page::navigate`]; [`BrowserError::PageHung`] when the document is not loaded in time.
    pub async fn load(&self, url: &str, deadline: Deadline) -> Result<(), BrowserError> {
        match self.arrive(url, deadline).await? {
            Settled::Quiet => Ok(()),
            Settled::StillBusy(why) => Err(BrowserError::PageHung(format!("{why} at {url}"))),
        }
    }

    async fn arrive(&self, url: &str, deadline: Deadline) -> Result<Settled, BrowserError> {
        let reply = self.call(&NavigateParams::new(url), deadline).await?;
        let error = text(&reply, "errorText");
        if !error.is_empty() {
            return Err(BrowserError::Command {
                method: "Page.navigate".into(),
                message: format!("{error} at {url}"),
            });
        }
        let Some(loader) = reply.get("loaderId").and_then(Value::as_str) else {
            return Ok(Settled::Quiet);
        };
        let arrived = self.wait("the page to load", deadline, |page| {
            let here = page.loader.as_deref() == Some(loader);
            (here && page.lifecycle.contains("load")).then_some(())
        });
        match arrived.await {
            Ok(()) => Ok(Settled::Quiet),
            Err(BrowserError::Expired(_)) => Ok(Settled::StillBusy(STILL_LOADING)),
            Err(BrowserError::DialogOpen(_)) => Ok(Settled::StillBusy(DIALOG_OPEN)),
            Err(error) => Err(error),
        }
    }

    /// Goes back (`-1`) or forward (`1`) in the history; without such an entry nothing happens.
    ///
    /// # Errors
    /// [`BrowserError`].
    pub async fn go_in_history(&self, by: i64, deadline: Deadline) -> Result<Settled, BrowserError> {
        let history = self.call_raw("Page.getNavigationHistory", json!({}), deadline).await?;
        let current = history.get("currentIndex").and_then(Value::as_i64).unwrap_or(0);
        let entry = usize::try_from(current + by)
            .ok()
            .and_then(|index| history.pointer(&format!("/entries/{index}/id")))
            .and_then(Value::as_i64);
        if let Some(entry) = entry {
            self.look(|page| page.navigating = true)?;
            self.call_raw("Page.navigateToHistoryEntry", json!({ "entryId": entry }), deadline).await?;
        }
        self.settle(deadline).await
    }

    /// Waits until what an action caused is done: navigation, requests, two frames.
    ///
    /// # Errors
    /// [`BrowserError`] when the page crashed, is gone, or hangs and cannot be freed.
    pub async fn settle(&self, deadline: Deadline) -> Result<Settled, BrowserError> {
        loop {
            match self.run(TWO_FRAMES, &[], deadline.min(Deadline::after_ms(1_000))).await {
                Ok(_) => {}
                Err(BrowserError::DialogOpen(_)) => return Ok(Settled::StillBusy(DIALOG_OPEN)),
                // The document was replaced meanwhile: look again.
                Err(error) if error.is_stale_document() && !matches!(error, BrowserError::PageGone(_)) => {}
                Err(BrowserError::Expired(_)) => {
                    // No frame within a second: either nothing paints, or the main thread is busy.
                    self.answers_or_is_freed().await?;
                }
                Err(error) => return Err(error),
            }
            let (loading, requests) = self.look(|page| (page.is_loading(), page.has_requests()))?;
            if !loading && !requests {
                return Ok(Settled::Quiet);
            }
            if deadline.has_passed() {
                return Ok(Settled::StillBusy(if loading {
                    STILL_LOADING
                } else {
                    "requests were under way"
                }));
            }
            let quiet = self.wait("the page to settle", deadline, |page| {
                (!page.is_loading() && !page.has_requests()).then_some(())
            });
            match quiet.await {
                Ok(()) | Err(BrowserError::Expired(_) | BrowserError::DialogOpen(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }

    async fn answers_or_is_freed(&self) -> Result<(), BrowserError> {
        let probe =
            self.call_raw("Runtime.evaluate", json!({ "expression": "1" }), Deadline::after_ms(2_000));
        match probe.await {
            Err(BrowserError::Expired(_)) => self.free().await,
            // The next look says so.
            Err(BrowserError::DialogOpen(_)) => Ok(()),
            Err(error) if error.is_stale_document() && !matches!(error, BrowserError::PageGone(_)) => Ok(()),
            other => other.map(|_| ()),
        }
    }
}
