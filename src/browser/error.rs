//! What can go wrong with the browser.

use crate::error::{Expired, Explain, Fault, Outcome};

/// A failure of the browser, or of one of its pages.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BrowserError {
    /// No usable Chromium was found.
    #[error("find a Chromium: {0}")]
    NotFound(String),
    /// It was found and did not start.
    #[error("start the browser: {0}")]
    Start(String),
    /// The process ended or the connection broke.
    #[error("reach the browser: {0}")]
    Lost(String),
    /// The page's renderer crashed.
    #[error("reach the page: its renderer crashed")]
    PageCrashed,
    /// The page did not answer within the deadline.
    #[error("get an answer from the page: {0}")]
    PageHung(String),
    /// The page, or its document, went away meanwhile.
    #[error("reach the page: {0}")]
    PageGone(String),
    /// The browser answered a command with an error.
    #[error("run `{method}` in the browser: {message}")]
    Command {
        /// CDP method.
        method: String,
        /// The browser's own words.
        message: String,
    },
    /// A reply lacked what it must have.
    #[error("understand the browser's reply to `{method}`: {message}")]
    Reply {
        /// CDP method.
        method: String,
        /// What was missing.
        message: String,
    },
    /// A native dialog is open and blocks the page.
    #[error("reach the page: {0}")]
    DialogOpen(String),
    /// A command did not end in time although the browser lives.
    #[error("{0}")]
    Expired(#[from] Expired),
}

impl BrowserError {
    /// How an episode ends that met this error.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match self {
            Self::NotFound(_) | Self::Start(_) | Self::Lost(_) => Outcome::BrowserLost,
            Self::PageCrashed => Outcome::PageCrashed,
            Self::PageHung(_) | Self::Expired(_) => Outcome::PageHung,
            Self::PageGone(_) | Self::DialogOpen(_) | Self::Command { .. } | Self::Reply { .. } => {
                Outcome::HarnessError
            }
        }
    }

    /// Whether the document changed under a command, so that looking again is the right answer.
    #[must_use]
    pub fn is_stale_document(&self) -> bool {
        match self {
            Self::PageGone(_) => true,
            Self::Command { message, .. } => [
                "Cannot find context",
                "context was destroyed",
                "Cannot find execution context",
                "Frame with the given",
                "navigated or closed",
                "Inspected target",
                "Document needs to be requested first",
                "uniqueContextId not found",
                "Promise was collected",
                "No frame for given id",
                "Invalid frameId",
            ]
            .iter()
            .any(|sign| message.contains(sign)),
            _ => false,
        }
    }
}

impl Explain for BrowserError {
    fn fault(&self) -> Fault {
        match self {
            Self::NotFound(_) | Self::Start(_) => Fault::Environment,
            _ => Fault::Browser,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound(_) => Some(
                "install Debian's `chromium-headless-shell` or `chromium`, or set DISCREET_CHROMIUM to an executable; \
                 `discreet doctor` says what was tried"
                    .to_owned(),
            ),
            Self::Start(_) => Some("run `discreet doctor` to see what the browser says".to_owned()),
            _ => None,
        }
    }
}
