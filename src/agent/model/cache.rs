//! Answers of models, kept by the hash of their request.
//!
//! A run that finds all its answers here is repeated byte for byte and needs no network. The address
//! of the server is no part of the hash; protocol, path, body, the episode's seed and how often the
//! episode has sent the same before are, so that repeats of an episode stay independent.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The largest entry that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// A folder of answers.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The request, for a person who looks.
    request: String,
    response: String,
}

/// What a request is known by.
pub(super) fn key(protocol: &str, path: &str, body: &[u8], seed: u64, occurrence: u32) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("1\0{protocol}\0{path}\0{seed}\0{occurrence}\0"));
    hash.update(body);
    hex::encode(hash.finalize())
}

impl Cache {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(&key[..2]).join(format!("{key}.json"))
    }

    /// The answer to a request; `None` where there is none. An entry that cannot be read, or belongs to
    /// another request, counts as none and is said so in the log.
    pub(super) fn get(&self, key: &str, request: &[u8]) -> Option<Vec<u8>> {
        let file = self.file(key);
        let size = std::fs::metadata(&file).ok()?.len();
        if size > MAX_BYTES {
            tracing::warn!(file = %file.display(), size, "a cached answer is too large to be read");
            return None;
        }
        let bytes = std::fs::read(&file).ok()?;
        match serde_json::from_slice::<Entry>(&bytes) {
            Ok(entry) if entry.request.as_bytes() == request => Some(entry.response.into_bytes()),
            Ok(_) => {
                tracing::warn!(file = %file.display(), "a cached answer belongs to another request");
                None
            }
            Err(error) => {
                tracing::warn!(file = %file.display(), %error, "a cached answer cannot be read");
                None
            }
        }
    }

    /// Keeps an answer. It is there whole or not at all.
    pub(super) fn put(&self, key: &str, request: &[u8], response: &[u8]) -> std::io::Result<()> {
        let file = self.file(key);
        let folder = file.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder)?;
        let entry = Entry {
            request: String::from_utf8_lossy(request).into_owned(),
            response: String::from_utf8_lossy(response).into_owned(),
        };
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        temporary.write_all(&serde_json::to_vec(&entry)?)?;
        temporary.persist(&file).map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back_as_it_was_and_only_for_its_request() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path());
        let key = key("openai", "/x", b"ask", 7, 0);
        assert_eq!(cache.get(&key, b"ask"), None);
        cache.put(&key, b"ask", b"{\"a\": \"\\u00fc\" }\n").unwrap();
        assert_eq!(cache.get(&key, b"ask").unwrap(), b"{\"a\": \"\\u00fc\" }\n");
        assert_eq!(cache.get(&key, b"asked"), None);
        std::fs::write(cache.file(&key), "broken").unwrap();
        assert_eq!(cache.get(&key, b"ask"), None);
    }

    #[test]
    fn whatever_decides_an_answer_decides_the_key() {
        let keys = [
            key("openai", "/x", b"ask", 7, 0),
            key("gemini", "/x", b"ask", 7, 0),
            key("openai", "/y", b"ask", 7, 0),
            key("openai", "/x", b"asks", 7, 0),
            key("openai", "/x", b"ask", 8, 0),
            key("openai", "/x", b"ask", 7, 1),
        ];
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}
