//! Whose fault an error is, and what a reader can do about it.

/// Who has to act for an error to go away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The command line was wrong.
    Usage,
    /// A scenario file is not usable.
    Scenario,
    /// The agent, or its process, misbehaved.
    Agent,
    /// The model's provider failed.
    Provider,
    /// The browser failed.
    Browser,
    /// The workspace failed.
    Workspace,
    /// A trace could not be read or its chain is broken.
    Trace,
    /// The machine lacks something (no browser, port in use, disk full).
    Environment,
    /// A fault of this program.
    Harness,
    /// Nobody's: something has not been done to its end.
    Incomplete,
}

/// What every error of the library can say beyond its text.
pub trait Explain: std::error::Error {
    /// Whose fault it is.
    fn fault(&self) -> Fault;

    /// The next thing to do, as a sentence fragment without a full stop, or `None` where nothing
    /// helpful can be said.
    fn hint(&self) -> Option<String> {
        None
    }
}
