//! Answers by the hash of their request: a folder of files that anybody may delete.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Largest file that is read.
const MAX_FILE_BYTES: u64 = 8 << 20;

/// One answer as it is kept. The key and other headers are no part of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Where it was asked.
    endpoint: String,
    /// What was asked.
    request: Value,
    /// The body of the answer.
    body: String,
}

/// A folder of answers.
#[derive(Debug, Clone)]
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    fn file(&self, endpoint: &str, request: &Value) -> PathBuf {
        // Members of a `Value` are sorted, so its text is one for equal requests.
        let hash = Sha256::digest(format!("{endpoint}\n{request}").as_bytes());
        self.folder.join(format!("{}.json", hex::encode(hash)))
    }

    /// The answer to a request; `None` where there is none, or a file that is no answer to it.
    pub(super) fn get(&self, endpoint: &str, request: &Value) -> Option<Vec<u8>> {
        let file = std::fs::File::open(self.file(endpoint, request)).ok()?;
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).ok()?;
        let entry: Entry = serde_json::from_slice(&bytes).ok()?;
        (entry.endpoint == endpoint && entry.request == *request).then(|| entry.body.into_bytes())
    }

    /// Keeps an answer, whole or not at all. Two that write the same at once do not disturb each
    /// other.
    pub(super) fn put(&self, endpoint: &str, request: &Value, body: &[u8]) -> std::io::Result<()> {
        let Ok(body) = std::str::from_utf8(body) else { return Ok(()) };
        std::fs::create_dir_all(&self.folder)?;
        let entry = Entry { endpoint: endpoint.to_owned(), request: request.clone(), body: body.to_owned() };
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(&serde_json::to_vec(&entry)?)?;
        file.persist(self.file(endpoint, request)).map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_found_again_and_only_for_its_request() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(&folder.path().join("new"));
        let request = json!({ "model": "m", "a": 1 });
        assert_eq!(cache.get("http://x", &request), None);
        cache.put("http://x", &request, b"body").unwrap();
        assert_eq!(cache.get("http://x", &request).as_deref(), Some(&b"body"[..]));
        assert_eq!(cache.get("http://y", &request), None);
        assert_eq!(cache.get("http://x", &json!({ "model": "m", "a": 2 })), None);
        std::fs::write(cache.file("http://x", &request), "torn").unwrap();
        assert_eq!(cache.get("http://x", &request), None);
    }
}
