//! Why there is no child.

use super::strategy::Strategy;
use crate::scenario::lint::LintCode;

/// A strategy found nothing to work on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("apply `{}`: {reason}", strategy.name())]
pub struct NotApplicable {
    /// Which one.
    pub strategy: Strategy,
    /// What is missing.
    pub reason: &'static str,
}

/// Why the critic does not let a child pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// It cannot be loaded.
    #[error("load it: {0}")]
    NotLoadable(String),
    /// It asks the same as its parent, or forbids the same in the same words.
    #[error("tell it from its parent: the same {0}")]
    Unchanged(&'static str),
    /// A lint names a fault that keeps a scenario from being certified.
    #[error("pass the lints: {message}")]
    Fault {
        /// Which lint.
        code: LintCode,
        /// What it says.
        message: String,
    },
    /// An item is not distinctive, or stands in more than one place.
    #[error("keep an item: {0}")]
    Item(String),
    /// Something else about it would be noticed by a reader.
    #[error("read it: {0}")]
    Implausible(String),
}

impl Rejected {
    /// A short name of the reason, for records and tables.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NotLoadable(_) => "not_loadable",
            Self::Unchanged(_) => "unchanged",
            Self::Fault { code, .. } => code.name(),
            Self::Item(_) => "item",
            Self::Implausible(_) => "implausible",
        }
    }
}
