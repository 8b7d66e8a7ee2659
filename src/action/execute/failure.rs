//! Why an action did not do what it was meant to.

use crate::browser::BrowserError;

/// Why an action did not do what it was meant to.
pub(super) enum Failure {
    /// The agent's business: error class and message.
    Action(&'static str, String),
    /// Ours.
    Browser(BrowserError),
}

impl Failure {
    /// A check or wait that was given up.
    pub(super) fn timeout(message: impl Into<String>) -> Self {
        Self::Action("TimeoutError", message.into())
    }

    /// What Playwright calls a plain error.
    pub(super) fn error(message: impl Into<String>) -> Self {
        Self::Action("Error", message.into())
    }

    /// No element has that id now.
    pub(super) fn not_found(bid: &str) -> Self {
        Self::Action("ValueError", format!("Could not find element with bid \"{bid}\""))
    }
}

impl From<BrowserError> for Failure {
    fn from(error: BrowserError) -> Self {
        Self::Browser(error)
    }
}

pub(super) type Attempt<T = ()> = Result<T, Failure>;
