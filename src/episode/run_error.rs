//! Why a run cannot go on.

use super::EpisodeError;
use super::warm::SeatError;
use crate::agent::SetupError;
use crate::browser::BrowserError;
use crate::error::{Explain, Fault};
use crate::report::RunFolderError;
use crate::workspace::ServerError;

/// Why a run did not start, or stopped before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No scenario was found.
    #[error("find a scenario in {0}")]
    NothingSelected(String),
    /// Every file is unusable.
    #[error("load a scenario: all {0} are unusable")]
    NoneUsable(usize),
    /// An agent cannot be made.
    #[error(transparent)]
    Agent(#[from] SetupError),
    /// What the run may spend is spent.
    #[error("go on: {0}")]
    Spent(String),
    /// The server does not start.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// No browser starts.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// The run's folder cannot be used.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// A trace cannot be written: the disk is full, or the folder gone.
    #[error(transparent)]
    Episode(#[from] EpisodeError),
}

impl From<SeatError> for RunError {
    fn from(error: SeatError) -> Self {
        match error {
            SeatError::Server(error) => error.into(),
            SeatError::Browser(error) => error.into(),
        }
    }
}

impl Explain for RunError {
    fn fault(&self) -> Fault {
        match self {
            Self::NothingSelected(_) => Fault::Usage,
            Self::NoneUsable(_) => Fault::Scenario,
            Self::Spent(_) => Fault::Provider,
            Self::Agent(error) => error.fault(),
            Self::Server(error) => error.fault(),
            Self::Browser(error) => error.fault(),
            Self::Folder(error) => error.fault(),
            Self::Episode(error) => error.fault(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NothingSelected(_) => {
                Some("name a `.json` or `.jsonl` file, or a folder that holds some".to_owned())
            }
            Self::Spent(_) => {
                Some("go on with `--resume` and a higher `--max-tokens` or `--max-cost`".to_owned())
            }
            Self::NoneUsable(_) => Some("`discreet check` says what is wrong with each".to_owned()),
            Self::Agent(error) => error.hint(),
            Self::Server(error) => error.hint(),
            Self::Browser(error) => error.hint(),
            Self::Folder(error) => error.hint(),
            Self::Episode(error) => error.hint(),
        }
    }
}
