//! Where the default mode of the parser reads an action text differently from BrowserGym 0.14.3.

/// One way in which the default mode departs from BrowserGym. `ParseOptions::compat` switches all of
/// them off. The list is complete: a test checks that every recorded BrowserGym result that the
/// default mode does not reproduce carries one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Improvement {
    /// A TAB stays a TAB; BrowserGym expands it to spaces, also inside a string.
    TabKept,
    /// A line break inside a string in single or double quotes belongs to the string; BrowserGym
    /// finds no call ("Received an empty action.").
    LineBreakInString,
    /// A backslash before a line break joins the lines in a triple-quoted string too, and before
    /// `\r\n`; BrowserGym finds no call.
    LineContinuation,
    /// A call that cannot be read is an error that says what is wrong and where; BrowserGym drops it
    /// and runs the calls around it, or one nested in it.
    BrokenCallNamed,
    /// An unknown action's error names the closest action and lists what is allowed.
    NamesListed,
}

impl Improvement {
    /// All of them, in the order of `docs/actions.md`.
    pub const ALL: [Self; 5] = [
        Self::TabKept,
        Self::LineBreakInString,
        Self::LineContinuation,
        Self::BrokenCallNamed,
        Self::NamesListed,
    ];

    /// The name used in `docs/actions.md`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TabKept => "tab-kept",
            Self::LineBreakInString => "line-break-in-string",
            Self::LineContinuation => "line-continuation",
            Self::BrokenCallNamed => "broken-call-named",
            Self::NamesListed => "names-listed",
        }
    }
}
