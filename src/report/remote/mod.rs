//! Runs in S3-compatible storage, named by URL: `s3://bucket/prefix`.
//!
//! A run always lives in a folder of this machine; storage holds a copy of it. `run.json` is copied when
//! the run starts, an episode when it ends (its trace last, so that an episode is there when its trace
//! is), `results.jsonl` when the run does: what is there at any moment reads as a run that was stopped at
//! that moment. Reading copies everything into a temporary folder first.
//!
//! Keys come from the environment only. The part that talks to storage needs the feature `s3`.

#[cfg(feature = "s3")]
mod store;

#[cfg(feature = "s3")]
pub use store::Store;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::{Expired, Explain, Fault};

/// What every address starts with.
const SCHEME: &str = "s3://";

/// A place in storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    bucket: String,
    prefix: String,
}

impl Address {
    /// Reads an address; `None` where a path is one of this machine's.
    ///
    /// # Errors
    /// [`RemoteError::Address`] when it names no bucket and prefix.
    #[must_use]
    pub fn parse(path: &Path) -> Option<Result<Self, RemoteError>> {
        let text = path.to_str()?;
        let rest = text.strip_prefix(SCHEME)?;
        let wrong = |reason| RemoteError::Address { address: text.to_owned(), reason };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
        Some(if bucket.is_empty() || !bucket.chars().all(is_name) {
            Err(wrong("it names no bucket"))
        } else if prefix.is_empty() {
            Err(wrong("it names no run in the bucket"))
        } else if prefix.split('/').any(|part| matches!(part, "" | "." | "..") || !part.chars().all(is_name))
        {
            Err(wrong("its parts may hold letters, digits, `.`, `_` and `-`"))
        } else {
            Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
        })
    }

    /// The folder of this machine that a run with this address is written in.
    #[must_use]
    pub fn local_folder(&self) -> PathBuf {
        Path::new("runs").join(format!("s3-{}-{}", self.bucket, self.prefix.replace('/', "-")))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{SCHEME}{}/{}", self.bucket, self.prefix)
    }
}

/// Storage could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The address is none.
    #[error("use `{address}`: {reason}")]
    Address {
        /// As given.
        address: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// This program was built without it.
    #[error("use {address}: this build has no S3 support")]
    NotBuilt {
        /// The address.
        address: Address,
    },
    /// A variable that is needed is not set, or not usable.
    #[error("use {address}: {reason}")]
    Settings {
        /// The address.
        address: Address,
        /// Which variable, and what is wrong with it.
        reason: String,
    },
    /// There is a run already.
    #[error("start a run in {address}: it holds one already")]
    Exists {
        /// The address.
        address: Address,
    },
    /// There is no run.
    #[error("read {address}: there is no run")]
    NoRun {
        /// The address.
        address: Address,
    },
    /// Something there is no part of a run's folder, or too large.
    #[error("read {address}: {reason}")]
    Foreign {
        /// The address.
        address: Address,
        /// What it is.
        reason: String,
    },
    /// Storage did not do what it was asked for.
    #[error("{doing} {address}: {reason}")]
    Storage {
        /// `read` or `write`.
        doing: &'static str,
        /// The address.
        address: Address,
        /// What it said, keys masked.
        reason: String,
    },
    /// Storage did not answer in time.
    #[error("{doing} {address}: {source}")]
    Late {
        /// `read` or `write`.
        doing: &'static str,
        /// The address.
        address: Address,
        /// How long it was waited for.
        source: Expired,
    },
    /// A file of this machine could not be read or written.
    #[error("{doing} {}: {source}", .path.display())]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Explain for RemoteError {
    fn fault(&self) -> Fault {
        match self {
            Self::Address { .. } | Self::NotBuilt { .. } | Self::Settings { .. } | Self::Exists { .. } => {
                Fault::Usage
            }
            Self::NoRun { .. } | Self::Foreign { .. } => Fault::Trace,
            Self::Storage { .. } | Self::Late { .. } | Self::File { .. } => Fault::Environment,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(
            match self {
                Self::Address { .. } => "write `s3://bucket/some/run`",
                Self::NotBuilt { .. } => "build with `cargo build --release --features s3`",
                Self::Settings { .. } => "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and AWS_ENDPOINT_URL for a server other than Amazon's (docs/scale.md)",
                Self::Exists { .. } => "give another address, or go on with that run by `--resume`",
                Self::NoRun { .. } => "check the address: its folder holds `run.json`",
                Self::Foreign { .. } => "give the address of one run, with nothing else below it",
                Self::Storage { .. } | Self::Late { .. } => "check address, keys and network; the run's folder on this machine holds everything, and `--resume` copies what is missing",
                Self::File { .. } => "check free space and permissions",
            }
            .to_owned(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Result<String, String>> {
        let parsed = Address::parse(Path::new(text))?;
        Some(parsed.map(|address| address.to_string()).map_err(|error| error.to_string()))
    }

    #[test]
    fn addresses_are_told_from_paths_and_from_mistakes() {
        assert_eq!(parse("runs/s3"), None);
        assert_eq!(parse("/s3://x"), None);
        assert_eq!(parse("s3://bucket/a/run-1/"), Some(Ok("s3://bucket/a/run-1".to_owned())));
        for wrong in
            ["s3://", "s3:///x", "s3://bucket", "s3://bucket/", "s3://b/../x", "s3://b/a//c", "s3://b/a b"]
        {
            assert!(matches!(parse(wrong), Some(Err(_))), "{wrong}");
        }
        let address = Address::parse(Path::new("s3://bucket/a/run")).expect("one").expect("a good one");
        assert_eq!(address.local_folder(), Path::new("runs/s3-bucket-a-run"));
    }
}
