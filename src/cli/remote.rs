//! Runs that are named by URL on the command line (`s3://bucket/run`): copied here before they are read,
//! and copied there while they are written.

use std::path::{Path, PathBuf};

use super::{exit_code, output};
use crate::error::Explain as _;
use crate::report::remote::{Address, RemoteError};

/// Folders to be read, those from storage as copies that are removed with this.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) folders: Vec<PathBuf>,
    _copies: Option<tempfile::TempDir>,
}

/// Copies what is named by URL; paths of this machine stay as they are. `Err` is an exit code, and said
/// already.
pub(super) fn fetch(paths: &[PathBuf]) -> Result<Fetched, u8> {
    let addresses: Vec<Option<Address>> =
        paths.iter().map(|path| Address::parse(path).transpose()).collect::<Result<_, _>>().map_err(say)?;
    if addresses.iter().all(Option::is_none) {
        return Ok(Fetched { folders: paths.to_owned(), _copies: None });
    }
    let copies = tempfile::Builder::new()
        .prefix("discreet-s3-")
        .tempdir()
        .map_err(|source| say(RemoteError::File { doing: "write", path: std::env::temp_dir(), source }))?;
    let mut folders = Vec::new();
    for (number, (path, address)) in paths.iter().zip(addresses).enumerate() {
        folders.push(match address {
            None => path.clone(),
            Some(address) => {
                let folder = copies.path().join(format!("{}-{}", number + 1, last_part(&address)));
                download(&address, &folder).map_err(say)?;
                folder
            }
        });
    }
    Ok(Fetched { folders, _copies: Some(copies) })
}

/// Copies one run.
pub(super) fn fetch_one(path: &Path) -> Result<(PathBuf, Fetched), u8> {
    let fetched = fetch(&[path.to_owned()])?;
    Ok((fetched.folders[0].clone(), fetched))
}

/// Says what went wrong; the exit code.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands on")]
fn say(error: RemoteError) -> u8 {
    output::error(&error);
    exit_code::for_fault(error.fault())
}

/// The last part of an address, which is how a person knows a run.
fn last_part(address: &Address) -> String {
    address.to_string().rsplit('/').next().unwrap_or_default().to_owned()
}

#[cfg(not(feature = "s3"))]
mod storage {
    use super::{Address, Path, PathBuf, RemoteError, say};

    pub(super) fn download(address: &Address, _folder: &Path) -> Result<(), RemoteError> {
        Err(RemoteError::NotBuilt { address: address.clone() })
    }

    /// A place in storage that a run is copied to: there is none in this build.
    #[derive(Debug)]
    pub(in super::super) enum Destination {}

    impl Destination {
        /// As in builds with the feature; an address is an error.
        pub(in super::super) fn of(out: &mut Option<PathBuf>, _resume: bool) -> Result<Option<Self>, u8> {
            match out.as_deref().and_then(Address::parse) {
                None => Ok(None),
                Some(address) => {
                    Err(say(address.map_or_else(|error| error, |address| RemoteError::NotBuilt { address })))
                }
            }
        }

        #[cfg(feature = "browser")]
        pub(in super::super) fn open(self) -> Result<Copying, u8> {
            match self {}
        }

        pub(in super::super) fn copy(self) -> u8 {
            match self {}
        }
    }

    /// A run that is being copied.
    #[cfg(feature = "browser")]
    #[derive(Debug)]
    pub(in super::super) enum Copying {}

    #[cfg(feature = "browser")]
    impl Copying {
        pub(in super::super) fn begun(&self) {
            match *self {}
        }

        pub(in super::super) fn episode(&self, _trace: &str) {
            match *self {}
        }

        #[expect(clippy::unused_async, reason = "as in builds with the feature")]
        pub(in super::super) async fn finish(self) -> u8 {
            match self {}
        }
    }
}

#[cfg(feature = "s3")]
mod storage {
    use super::super::{exit_code, output, runtime};
    use super::{Address, Path, PathBuf, RemoteError, say};
    use crate::report::MANIFEST_FILE;
    use crate::report::remote::Store;

    /// Does one thing with storage; the outer error is an exit code, and said already.
    fn block_on<T>(doing: impl Future<Output = Result<T, RemoteError>>) -> Result<T, u8> {
        runtime::start()?.block_on(doing).map_err(say)
    }

    pub(super) fn download(address: &Address, folder: &Path) -> Result<(), RemoteError> {
        let store = Store::open(address)?;
        let runtime = tokio::runtime::Runtime::new().map_err(|source| RemoteError::File {
            doing: "start reading into",
            path: folder.to_owned(),
            source,
        })?;
        output::note(&format!("reading {address}"));
        runtime.block_on(store.download(folder)).map(drop)
    }

    /// A place in storage that a run is copied to.
    #[derive(Debug)]
    pub(in super::super) struct Destination {
        address: Address,
        folder: PathBuf,
    }

    impl Destination {
        /// Where `out` names one, `out` becomes the folder of this machine that is copied. A run that is
        /// to be gone on with and is not here is copied from there first; one that is there and is not
        /// to be gone on with is an error. `Err` is an exit code, and said already.
        pub(in super::super) fn of(out: &mut Option<PathBuf>, resume: bool) -> Result<Option<Self>, u8> {
            let Some(address) = out.as_deref().and_then(Address::parse) else { return Ok(None) };
            let address = address.map_err(say)?;
            let folder = address.local_folder();
            let store = Store::open(&address).map_err(say)?;
            let holds_run = block_on(store.holds_run())?;
            if holds_run && !resume {
                return Err(say(RemoteError::Exists { address }));
            }
            if holds_run && !folder.join(MANIFEST_FILE).exists() {
                download(&address, &folder).map_err(say)?;
            }
            output::note(&format!("the run is written in {} and copied to {address}", folder.display()));
            *out = Some(folder.clone());
            Ok(Some(Self { address, folder }))
        }

        /// Copies everything at once: a run that is whole.
        pub(in super::super) fn copy(self) -> u8 {
            let copied = Store::open(&self.address)
                .map_err(say)
                .and_then(|store| block_on(store.upload_rest(&self.folder, &[])));
            copied.map_or_else(|code| code, |()| exit_code::OK)
        }

        /// Starts to copy what it is told of, beside the run.
        #[cfg(feature = "browser")]
        pub(in super::super) fn open(self) -> Result<Copying, u8> {
            let store = Store::open(&self.address).map_err(say)?;
            let (sender, mut incoming) = tokio::sync::mpsc::unbounded_channel::<Option<String>>();
            let task = tokio::spawn(async move {
                let mut done = Vec::new();
                while let Some(what) = incoming.recv().await {
                    let copied = match &what {
                        None => store.upload(&self.folder, MANIFEST_FILE).await,
                        Some(episode) => store.upload_episode(&self.folder, episode).await,
                    };
                    match (copied, what) {
                        (Ok(()), Some(episode)) => done.push(episode),
                        (Ok(()), None) => {}
                        // Whatever is missing at the end is tried once more.
                        (Err(error), _) => output::note(&format!("warning: failed to {error}")),
                    }
                }
                store.upload_rest(&self.folder, &done).await
            });
            Ok(Copying { sender, task })
        }
    }

    /// A run that is being copied.
    #[cfg(feature = "browser")]
    #[derive(Debug)]
    pub(in super::super) struct Copying {
        /// An episode by its folder, or the manifest.
        sender: tokio::sync::mpsc::UnboundedSender<Option<String>>,
        task: tokio::task::JoinHandle<Result<(), RemoteError>>,
    }

    #[cfg(feature = "browser")]
    impl Copying {
        /// The run's folder is there.
        pub(in super::super) fn begun(&self) {
            // A receiver that is gone has failed, which `finish` says.
            let _ = self.sender.send(None);
        }

        /// An episode has ended.
        pub(in super::super) fn episode(&self, trace: &str) {
            let _ = self.sender.send(Some(trace.to_owned()));
        }

        /// Copies the rest, the results last, and waits for it.
        pub(in super::super) async fn finish(self) -> u8 {
            drop(self.sender);
            match self.task.await {
                Ok(Ok(())) => exit_code::OK,
                Ok(Err(error)) => say(error),
                Err(error) => {
                    output::note(&format!("error: failed to copy the run: {error}"));
                    exit_code::INTERNAL
                }
            }
        }
    }
}

#[cfg(feature = "browser")]
pub(super) use storage::Copying;
pub(super) use storage::Destination;
use storage::download;
