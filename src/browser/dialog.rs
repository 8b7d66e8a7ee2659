//! Native dialogs: what is told of them, and what happens when one opens.

/// What happens to a native dialog when it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DialogPolicy {
    /// It is answered at once: `alert` and `beforeunload` are accepted, the others dismissed.
    #[default]
    Answer,
    /// It stays open until it is answered with [`super::Context::answer_dialog`]. Until then its page
    /// runs no script and paints nothing, and commands to it fail with
    /// [`super::BrowserError::DialogOpen`] instead of hanging.
    Hold,
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

/// The answer of the policy: an alert has one button, and leaving a page is what the agent asked
/// for; the others would say yes to something that nobody read.
pub(super) fn is_accepted_by_policy(kind: &str) -> bool {
    matches!(kind, "alert" | "beforeunload")
}
