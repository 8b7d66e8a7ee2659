//! What an episode has copied. The browser has one clipboard for all its pages, which episodes share: one
//! must not paste what another one copied. So each has a clipboard of its own here, and the browser's is
//! never pasted.

use serde_json::Value;

use super::executor::INPUT_WITHIN;
use crate::action::Action;
use crate::browser::{BrowserError, Page};
use crate::error::Deadline;

const WATCH: &str = include_str!("../../browser/page/clipboard.js");
const END: &str = include_str!("../../browser/page/clipboard_end.js");

/// The text that an episode copied last.
#[derive(Debug, Default)]
pub(super) struct Clipboard {
    text: String,
}

/// Whether an action may copy or paste: by a key, by the page's own button, or by the middle button of the
/// mouse.
pub(super) const fn may_use(action: &Action) -> bool {
    matches!(
        action,
        Action::Click { .. }
            | Action::Dblclick { .. }
            | Action::MouseClick { .. }
            | Action::MouseDblclick { .. }
            | Action::MouseDown { .. }
            | Action::MouseUp { .. }
            | Action::Press { .. }
            | Action::KeyboardPress { .. }
            | Action::KeyboardDown { .. }
            | Action::KeyboardType { .. }
    )
}

impl Clipboard {
    /// Before an action: from now on the page pastes nothing by itself.
    ///
    /// # Errors
    /// [`BrowserError`] when the page does not answer.
    pub(super) async fn watch(page: &Page) -> Result<(), BrowserError> {
        match page.run(WATCH, &[], Deadline::after(INPUT_WITHIN)).await {
            // The document was replaced meanwhile: the one that came is watched.
            Err(error) if error.is_stale_document() => {
                page.run(WATCH, &[], Deadline::after(INPUT_WITHIN)).await.map(drop)
            }
            other => other.map(drop),
        }
    }

    /// After it: keeps what was copied; returns what is to be pasted.
    ///
    /// # Errors
    /// [`BrowserError`] when the page does not answer.
    pub(super) async fn end(&mut self, page: &Page) -> Result<Option<&str>, BrowserError> {
        let seen = page.run(END, &[], Deadline::after(INPUT_WITHIN)).await?;
        if let Some(copied) = seen.get("copied").and_then(Value::as_str) {
            copied.clone_into(&mut self.text);
        }
        let is_pasted = seen.get("pasted").and_then(Value::as_bool) == Some(true);
        Ok(Some(self.text.as_str()).filter(|text| is_pasted && !text.is_empty()))
    }
}
