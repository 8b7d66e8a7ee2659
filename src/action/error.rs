//! What is wrong with an action text.

use crate::error::{Explain, Fault};

/// What is wrong with an action text, or with its arguments. It is data for the agent that wrote the
/// text (it reads it as `last_action_error`), hence the Python class names agents know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{class}: {message}")]
pub struct ActionError {
    /// Class name: `ParseException`, `ValueError`, `NameError`, `TypeError`, `SyntaxError`, …
    pub class: &'static str,
    /// What is wrong, as a sentence or fragment.
    pub message: String,
}

impl ActionError {
    pub(crate) fn new(class: &'static str, message: impl Into<String>) -> Self {
        Self { class, message: message.into() }
    }

    pub(crate) fn value(message: impl Into<String>) -> Self {
        Self::new("ValueError", message)
    }

    pub(crate) fn type_error(message: impl Into<String>) -> Self {
        Self::new("TypeError", message)
    }
}

impl Explain for ActionError {
    fn fault(&self) -> Fault {
        Fault::Agent
    }

    fn hint(&self) -> Option<String> {
        Some("`discreet action list` shows every action with its arguments".to_owned())
    }
}
