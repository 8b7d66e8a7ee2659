//! The part that talks to storage.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as Key;
use object_store::{BackoffConfig, ClientOptions, ObjectStore as _, ObjectStoreExt as _, RetryConfig};

use super::{Address, RemoteError};
use crate::config::env_vars;
use crate::config::{Secret, is_loopback};
use crate::error::Deadline;
use crate::report::run_folder::SPENDING_FILE;
use crate::report::{EPISODES_FOLDER, MANIFEST_FILE, RESULTS_FILE};
use crate::trace::TRACE_FILE;

/// How long one file may take, trying again included.
const FILE_WITHIN: Duration = Duration::from_secs(180);

/// How long listing may take.
const LIST_WITHIN: Duration = Duration::from_secs(300);

/// Files that are copied at the same time.
const AT_A_TIME: usize = 8;

/// The largest file that is read; a picture of a page is far smaller.
const LARGEST_FILE: u64 = 512 * 1024 * 1024;

/// The most files that are read: those of a hundred thousand episodes.
const MOST_FILES: usize = 10_000_000;

/// An open place in storage.
#[derive(Debug)]
pub struct Store {
    address: Address,
    storage: AmazonS3,
    secrets: Vec<Secret>,
}

impl Store {
    /// Opens a place with the keys of the environment. Nothing is asked yet.
    ///
    /// # Errors
    /// [`RemoteError::Settings`] when a variable is missing or not usable.
    pub fn open(address: &Address) -> Result<Self, RemoteError> {
        let settings = |reason: String| RemoteError::Settings { address: address.clone(), reason };
        let secret =
            |name: &str| Secret::from_env(name).ok_or_else(|| settings(format!("`{name}` is not set")));
        let key = secret(env_vars::S3_KEY)?;
        let key_secret = secret(env_vars::S3_SECRET)?;
        let token = Secret::from_env(env_vars::S3_TOKEN);
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        let region = variable(env_vars::S3_REGION).or_else(|| variable(env_vars::S3_DEFAULT_REGION));
        let endpoint = variable(env_vars::S3_ENDPOINT_OF_S3).or_else(|| variable(env_vars::S3_ENDPOINT));
        let mut client = ClientOptions::new()
            .with_timeout(Duration::from_secs(60))
            .with_connect_timeout(Duration::from_secs(10));
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(&address.bucket)
            .with_access_key_id(key.expose())
            .with_secret_access_key(key_secret.expose())
            .with_region(region.unwrap_or_else(|| "us-east-1".to_owned()))
            .with_retry(RetryConfig {
                backoff: BackoffConfig { max_backoff: Duration::from_secs(4), ..BackoffConfig::default() },
                max_retries: 5,
                retry_timeout: Duration::from_secs(90),
            });
        if let Some(token) = &token {
            builder = builder.with_token(token.expose());
        }
        if let Some(endpoint) = endpoint {
            // What agents saw does not travel in the clear.
            if endpoint.starts_with("http://") {
                if !is_loopback(&endpoint) {
                    return Err(settings(format!("`{endpoint}` is no https address")));
                }
                client = client.with_allow_http(true);
            }
            builder = builder.with_endpoint(endpoint);
        }
        let storage =
            builder.with_client_options(client).build().map_err(|error| settings(error.to_string()))?;
        let secrets = [Some(key), Some(key_secret), token].into_iter().flatten().collect();
        Ok(Self { address: address.clone(), storage, secrets })
    }

    /// Whether a run is there.
    ///
    /// # Errors
    /// [`RemoteError`] when storage does not answer.
    pub async fn holds_run(&self) -> Result<bool, RemoteError> {
        match self.within("read", self.storage.head(&self.key(MANIFEST_FILE))).await? {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.storage_error("read", &error)),
        }
    }

    /// Copies the run that is there into a folder, and returns how many files it consists of.
    ///
    /// # Errors
    /// [`RemoteError`] when there is none, or it cannot be read or written.
    pub async fn download(&self, folder: &Path) -> Result<usize, RemoteError> {
        let files = self.list("").await?;
        if !files.contains_key(MANIFEST_FILE) {
            return Err(RemoteError::NoRun { address: self.address.clone() });
        }
        let copies: Vec<_> = files.keys().map(|name| self.fetch(name, folder)).collect();
        futures_util::stream::iter(copies).buffer_unordered(AT_A_TIME).try_collect::<Vec<()>>().await?;
        Ok(files.len())
    }

    /// Copies one file of a run's folder.
    ///
    /// # Errors
    /// [`RemoteError`] when it cannot be read or storage does not take it.
    pub async fn upload(&self, folder: &Path, name: &str) -> Result<(), RemoteError> {
        let path = folder.join(name);
        let bytes = tokio::fs::read(&path).await.map_err(|source| RemoteError::File {
            doing: "read",
            path: path.clone(),
            source,
        })?;
        let put = self.within("write", self.storage.put(&self.key(name), bytes.into())).await?;
        put.map(drop).map_err(|error| self.storage_error("write", &error))
    }

    /// Copies an episode, unless it is there already. What an earlier attempt left there goes first: a
    /// trace's folder holds what its trace names and nothing else.
    ///
    /// # Errors
    /// [`RemoteError`] as with [`Store::upload`].
    pub async fn upload_episode(&self, folder: &Path, episode: &str) -> Result<(), RemoteError> {
        let trace = format!("{episode}/{TRACE_FILE}");
        let there = self.list(episode).await?;
        if there.contains_key(&trace) && self.is_same(folder, &trace).await? {
            return Ok(());
        }
        // The trace first, so that no half-removed episode looks like one.
        let others = there.keys().filter(|name| **name != trace);
        for name in there.contains_key(&trace).then_some(&trace).into_iter().chain(others) {
            let removed = self.within("write", self.storage.delete(&self.key(name))).await?;
            removed.map_err(|error| self.storage_error("write", &error))?;
        }
        let mut files = Vec::new();
        list_files(&folder.join(episode), episode, &mut files)?;
        files.retain(|name| *name != trace);
        let copies: Vec<_> = files.iter().map(|name| self.upload(folder, name)).collect();
        futures_util::stream::iter(copies).buffer_unordered(AT_A_TIME).try_collect::<Vec<()>>().await?;
        self.upload(folder, &trace).await
    }

    /// Copies everything of a run's folder that is not there yet, its results last. `done` are the
    /// episodes that are known to be there.
    ///
    /// # Errors
    /// [`RemoteError`] as with [`Store::upload`].
    pub async fn upload_rest(&self, folder: &Path, done: &[String]) -> Result<(), RemoteError> {
        self.upload(folder, MANIFEST_FILE).await?;
        for episode in crate::report::episode_folders(folder) {
            let name = episode.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let relative = format!("{EPISODES_FOLDER}/{name}");
            // One that was cut off is acted out again; it is nothing to keep.
            if !done.contains(&relative) && crate::trace::verify(&episode).is_ok() {
                self.upload_episode(folder, &relative).await?;
            }
        }
        if folder.join(SPENDING_FILE).exists() {
            self.upload(folder, SPENDING_FILE).await?;
        }
        if folder.join(RESULTS_FILE).exists() { self.upload(folder, RESULTS_FILE).await } else { Ok(()) }
    }

    /// Whether a file there has the bytes of the one here.
    async fn is_same(&self, folder: &Path, name: &str) -> Result<bool, RemoteError> {
        let here = tokio::fs::read(folder.join(name)).await.unwrap_or_default();
        let there = self.bytes(name).await?;
        Ok(*here == *there)
    }

    async fn bytes(&self, name: &str) -> Result<Vec<u8>, RemoteError> {
        let get = async { self.storage.get(&self.key(name)).await?.bytes().await };
        let bytes = self.within("read", get).await?.map_err(|error| self.storage_error("read", &error))?;
        Ok(bytes.into())
    }

    async fn fetch(&self, name: &str, folder: &Path) -> Result<(), RemoteError> {
        let bytes = self.bytes(name).await?;
        let path = folder.join(name);
        let write = async {
            if let Some(parent) = path.parent() {
                tokio::fs::create_dir_all(parent).await?;
            }
            tokio::fs::write(&path, bytes).await
        };
        write.await.map_err(|source| RemoteError::File { doing: "write", path: path.clone(), source })
    }

    /// The files below a part of the run, by name relative to it, with their sizes.
    async fn list(&self, part: &str) -> Result<BTreeMap<String, u64>, RemoteError> {
        let prefix = self.key(part);
        let listing = self.storage.list(Some(&prefix)).take(MOST_FILES + 1).try_collect::<Vec<_>>();
        let listed = Deadline::after(LIST_WITHIN).race("the list of files", listing).await;
        let listed = listed
            .map_err(|source| RemoteError::Late { doing: "read", address: self.address.clone(), source })?
            .map_err(|error| self.storage_error("read", &error))?;
        let foreign = |reason: String| RemoteError::Foreign { address: self.address.clone(), reason };
        if listed.len() > MOST_FILES {
            return Err(foreign(format!("there are more than {MOST_FILES} files")));
        }
        let start = format!("{}/", self.address.prefix);
        let mut files = BTreeMap::new();
        for object in listed {
            let key = object.location.as_ref();
            let name = key.strip_prefix(&start).unwrap_or(key);
            if !is_part_of_a_run(name) {
                return Err(foreign(format!("`{}` is no part of a run", name.escape_debug())));
            }
            if object.size > LARGEST_FILE {
                return Err(foreign(format!("`{name}` has {} bytes", object.size)));
            }
            files.insert(name.to_owned(), object.size);
        }
        Ok(files)
    }

    fn key(&self, name: &str) -> Key {
        Key::from(format!("{}/{name}", self.address.prefix))
    }

    async fn within<T>(&self, doing: &'static str, asked: impl Future<Output = T>) -> Result<T, RemoteError> {
        Deadline::after(FILE_WITHIN).race("storage", asked).await.map_err(|source| RemoteError::Late {
            doing,
            address: self.address.clone(),
            source,
        })
    }

    fn storage_error(&self, doing: &'static str, error: &object_store::Error) -> RemoteError {
        let reason = self.secrets.iter().fold(error.to_string(), |text, secret| secret.mask_in(&text));
        // One line, and no more than a person reads.
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(600).collect();
        RemoteError::Storage { doing, address: self.address.clone(), reason }
    }
}

/// A name that a run's folder may hold: whoever can write to storage decides about names there.
fn is_part_of_a_run(name: &str) -> bool {
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let parts: Vec<&str> = name.split('/').collect();
    parts.len() <= 4
        && parts.iter().all(|part| {
            !part.is_empty() && !part.starts_with('.') && part.len() <= 255 && part.chars().all(is_safe)
        })
}

/// The files below a folder, by name relative to the run's.
fn list_files(folder: &Path, name: &str, found: &mut Vec<String>) -> Result<(), RemoteError> {
    let failed = |source| RemoteError::File { doing: "read", path: PathBuf::from(folder), source };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let inside = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(failed)?.is_dir() {
            list_files(&entry.path(), &inside, found)?;
        } else {
            found.push(inside);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_storage_never_leave_the_folder() {
        for good in ["run.json", "episodes/1-one/trace.jsonl", "episodes/1-one/blobs/ab.png"] {
            assert!(is_part_of_a_run(good), "{good}");
        }
        for bad in
            ["", "../x", "a/../b", "/etc/passwd", "a//b", "a/.hidden", "a/b/c/d/e", "a\0b", "C:\\x", "a b"]
        {
            assert!(!is_part_of_a_run(bad), "{bad}");
        }
    }
}
