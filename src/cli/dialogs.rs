//! What happens to a page's dialogs, as a flag.

use crate::browser::DialogPolicy;

/// What happens to the dialogs of a page (`alert`, `confirm`, `prompt`, `beforeunload`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Dialogs {
    /// Answered at once and told; nothing is agreed to
    Dismiss,
    /// Accepted at once and told; a prompt gets the text it proposes
    Accept,
    /// Held until they are answered with `dialog_accept()` or `dialog_dismiss()`
    Hold,
}

impl From<Dialogs> for DialogPolicy {
    fn from(dialogs: Dialogs) -> Self {
        match dialogs {
            Dialogs::Dismiss => Self::Dismiss,
            Dialogs::Accept => Self::Accept,
            Dialogs::Hold => Self::Hold,
        }
    }
}
