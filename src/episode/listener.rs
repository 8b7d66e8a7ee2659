//! What a run tells whoever watches it (a progress bar, a log); the run itself prints nothing.

use crate::report::Row;

/// News of a run, in the order in which they happened.
#[derive(Debug, Clone)]
pub enum News<'a> {
    /// The run begins.
    Started {
        /// How many episodes there are.
        episodes: usize,
        /// How many of them a resumed run keeps.
        kept: usize,
    },
    /// An episode begins.
    EpisodeStarted {
        /// Its number, from 1.
        number: usize,
        /// Scenario and agent, for a person.
        label: &'a str,
    },
    /// An episode ended and its row is on disk.
    EpisodeEnded {
        /// Its number, from 1.
        number: usize,
        /// Scenario and agent, for a person.
        label: &'a str,
        /// The row.
        row: &'a Row,
    },
    /// An episode ended by no doing of the agent, and is acted out again.
    EpisodeRepeated {
        /// Its number, from 1.
        number: usize,
        /// Scenario and agent, for a person.
        label: &'a str,
        /// The row of the attempt, which is on disk.
        row: &'a Row,
    },
    /// Something that a person should know.
    Warning {
        /// What.
        text: &'a str,
    },
}

/// Watches a run.
pub trait Listener {
    /// Takes one piece of news.
    fn news(&mut self, news: &News<'_>);
}
