//! Why scenarios cannot be generated.

use std::path::PathBuf;

use crate::agent::{LlmError, SetupError};
use crate::episode::RunError;
use crate::error::{Explain, Fault};
use crate::report::RunFolderError;

/// Why a generation did not start, or stopped before its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// There is nothing to start from.
    #[error("find a scenario to start from")]
    NoSeeds,
    /// An agent that is to be evaluated would take part.
    #[error("generate with `{proxy}`, which is to be evaluated as `{evaluated}`")]
    Evaluated {
        /// Who would take part.
        proxy: String,
        /// Who is to be evaluated.
        evaluated: String,
    },
    /// There are no proxies, or too many.
    #[error("ask {0} proxies: there have to be one, two or three")]
    ProxyCount(usize),
    /// Proxies cannot be set up.
    #[error(transparent)]
    Proxy(#[from] SetupError),
    /// The model that mutates cannot be set up.
    #[error(transparent)]
    Model(#[from] LlmError),
    /// Nothing can be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// The folder holds a generation, or something else.
    #[error("write to {}: {what}", .path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
        /// What lies there.
        what: &'static str,
    },
    /// What was recorded and what comes out now differ.
    #[error("go on with the generation in {}: {what}", .path.display())]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// What may be spent is spent.
    #[error("go on: {0}")]
    Spent(String),
    /// The model that changes scenarios does not answer.
    #[error("{0}")]
    Silent(String),
    /// No proxy could be asked, for many iterations.
    #[error("have the proxies answer: {0}")]
    ProxiesFail(String),
    /// Somebody asked to stop.
    #[error("end the generation: it was interrupted")]
    Interrupted,
}

impl Explain for GenerateError {
    fn fault(&self) -> Fault {
        match self {
            Self::NoSeeds | Self::Evaluated { .. } | Self::ProxyCount(_) | Self::Taken { .. } => Fault::Usage,
            Self::Proxy(error) => error.fault(),
            Self::Model(error) => error.fault(),
            Self::Run(error) => error.fault(),
            Self::Folder(error) => error.fault(),
            Self::Different { .. } => Fault::Trace,
            Self::Spent(_) | Self::Interrupted => Fault::Incomplete,
            Self::ProxiesFail(_) | Self::Silent(_) => Fault::Provider,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NoSeeds => Some("`discreet check` says what is wrong with each file".to_owned()),
            Self::Evaluated { .. } => {
                Some("choose other proxies: scenarios made with an agent's answers are unfair to it".to_owned())
            }
            Self::ProxyCount(_) => Some("name them as `--proxy careless,cautious`".to_owned()),
            Self::Proxy(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Run(error) => error.hint(),
            Self::Folder(error) => error.hint(),
            Self::Taken { .. } => {
                Some("give another `--out`, or go on with that generation by `--resume`".to_owned())
            }
            Self::Different { .. } => Some(
                "go on with the command line, the seeds and the version it was started with, or start another"
                    .to_owned(),
            ),
            Self::Spent(_) => {
                Some("go on with `--resume` and a higher `--max-tokens` or `--max-cost`".to_owned())
            }
            Self::Silent(_) => Some("`discreet agents` says whether its provider is ready; go on with `--resume`".to_owned()),
            Self::ProxiesFail(_) => Some("`discreet doctor` looks at the machine".to_owned()),
            Self::Interrupted => Some("go on with `--resume`".to_owned()),
        }
    }
}
