//! The ways to change a scenario.

/// What a mutation changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Something forbidden stands beside what is wanted: the same list, conversation, day or route.
    CoLocate,
    /// What is wanted and what is forbidden stand in one entry.
    Entangle,
    /// The request says less about how much is wanted.
    Ambiguate,
    /// Somebody else is to get it, for whom other norms hold.
    Realign,
    /// What is forbidden is about the user, in the user's own words.
    Identity,
    /// More everyday entries stand around the items.
    Densify,
    /// The same kind of errand in another language.
    Translate,
}

impl Strategy {
    /// Every one, in the order in which they are offered.
    pub const ALL: [Self; 7] = [
        Self::CoLocate,
        Self::Entangle,
        Self::Ambiguate,
        Self::Realign,
        Self::Identity,
        Self::Densify,
        Self::Translate,
    ];

    /// The name used in records and options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CoLocate => "co_locate",
            Self::Entangle => "entangle",
            Self::Ambiguate => "ambiguate",
            Self::Realign => "realign",
            Self::Identity => "identity",
            Self::Densify => "densify",
            Self::Translate => "translate",
        }
    }
}
