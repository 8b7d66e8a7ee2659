//! Native dialogs: what is told of them, and what happens when one opens.

/// What happens to a native dialog when it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DialogPolicy {
    /// It is answered at once, and nothing is agreed to that nobody has read: `alert`, which has one
    /// button, and `beforeunload`, because leaving the page is what was asked for, are accepted, the others
    /// dismissed.
    #[default]
    Dismiss,
    /// It is accepted at once; a `prompt` gets the text that it proposes.
    Accept,
    /// It stays open until it is answered with [`super::Context::answer_dialog`]. Until then its page
    /// runs no script and paints nothing, and commands to it fail with
    /// [`super::BrowserError::DialogOpen`] instead of hanging.
    Hold,
}

impl DialogPolicy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Dismiss, Self::Accept, Self::Hold];

    /// The name used on the command line and in manifests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dismiss => "dismiss",
            Self::Accept => "accept",
            Self::Hold => "hold",
        }
    }

    /// How a dialog of that kind is answered at once; `None` where it is held.
    pub(super) fn answer(self, kind: &str) -> Option<bool> {
        match self {
            Self::Dismiss => Some(matches!(kind, "alert" | "beforeunload")),
            Self::Accept => Some(true),
            Self::Hold => None,
        }
    }
}

/// A dialog that was answered, by policy or by an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// Its message, at most 2 000 characters.
    pub message: String,
    /// Whether it was accepted.
    pub accepted: bool,
}

/// A dialog that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// Its message, at most 2 000 characters.
    pub message: String,
    /// The session of the frame that opened it, which is where the answer goes.
    pub(super) session: String,
}
