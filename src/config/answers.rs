//! Answers of providers, kept by the hash of their request: a folder that anybody may delete.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The largest entry that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// A folder of answers.
#[derive(Debug, Clone)]
pub struct Answers {
    folder: PathBuf,
}

/// An answer as it is kept. Keys and other headers are no part of it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// The request: an entry counts for no other one, and a person can look.
    request: String,
    response: String,
}

/// The name that an answer is known by: a hash of the request and of what else decides the answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnswerKey(String);

impl AnswerKey {
    /// The key of a request under these conditions, none of which holds a zero byte.
    #[must_use]
    pub fn of(conditions: &[&str], request: &[u8]) -> Self {
        let mut hash = Sha256::new();
        for condition in conditions {
            hash.update(condition);
            hash.update([0]);
        }
        hash.update(request);
        Self(hex::encode(hash.finalize()))
    }
}

impl Answers {
    /// The answers of a folder, which need not be there yet.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    fn file(&self, AnswerKey(key): &AnswerKey) -> PathBuf {
        self.folder.join(&key[..2]).join(format!("{key}.json"))
    }

    /// The answer to a request; `None` where there is none. An entry that cannot be read, or belongs to
    /// another request, counts as none and is said so in the log.
    #[must_use]
    pub fn get(&self, key: &AnswerKey, request: &[u8]) -> Option<Vec<u8>> {
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

    /// Keeps an answer. It is there whole or not at all; two that write the same at once do not disturb
    /// each other.
    ///
    /// # Errors
    /// What the system says.
    pub fn put(&self, key: &AnswerKey, request: &[u8], response: &[u8]) -> std::io::Result<()> {
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
        let answers = Answers::new(&folder.path().join("new"));
        let key = AnswerKey::of(&["openai", "/x"], b"ask");
        assert_eq!(answers.get(&key, b"ask"), None);
        answers.put(&key, b"ask", b"{\"a\": \"\\u00fc\" }\n").unwrap();
        assert_eq!(answers.get(&key, b"ask").unwrap(), b"{\"a\": \"\\u00fc\" }\n");
        assert_eq!(answers.get(&key, b"asked"), None);
        assert_eq!(answers.get(&AnswerKey::of(&["openai", "/y"], b"ask"), b"ask"), None);
        std::fs::write(answers.file(&key), "broken").unwrap();
        assert_eq!(answers.get(&key, b"ask"), None);
    }

    #[test]
    fn whatever_decides_an_answer_decides_the_key() {
        let keys = [
            AnswerKey::of(&["a", "b"], b"c"),
            AnswerKey::of(&["a", "bc"], b""),
            AnswerKey::of(&["ab"], b"c"),
            AnswerKey::of(&["a"], b"bc"),
            AnswerKey::of(&[], b"abc"),
        ];
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }
}
