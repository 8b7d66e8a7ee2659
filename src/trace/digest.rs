//! SHA-256 values and the names of blobs, as checked types: neither can carry a path.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 value as 64 lowercase hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(!try_from, !into, transparent)]
pub struct Digest(#[schemars(regex(pattern = "^[0-9a-f]{64}$"))] String);

/// A text is no SHA-256 value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read a hash: expected 64 lowercase hexadecimal digits")]
pub struct BadDigest;

impl Digest {
    /// The hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(hex::encode(Sha256::digest(bytes)))
    }

    /// The hash of a stream, read in pieces.
    ///
    /// # Errors
    /// What the reader reports.
    pub fn of_reader(mut reader: impl std::io::Read) -> std::io::Result<(Self, u64)> {
        let mut hasher = Sha256::new();
        let mut buffer = vec![0_u8; 64 * 1024];
        let mut length = 0_u64;
        loop {
            let count = match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hasher.update(&buffer[..count]);
            length += count as u64;
        }
        Ok((Self(hex::encode(hasher.finalize())), length))
    }

    /// 64 zeros: what the first event names as its predecessor.
    #[must_use]
    pub fn zero() -> Self {
        Self("0".repeat(64))
    }

    /// The 64 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Digest {
    type Error = BadDigest;

    fn try_from(text: String) -> Result<Self, BadDigest> {
        let fits = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if fits { Ok(Self(text)) } else { Err(BadDigest) }
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Names a blob of the same trace: `blobs/<sha256>.<extension>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "WrittenBlobRef")]
#[schemars(!try_from, deny_unknown_fields)]
pub struct BlobRef {
    /// Length in bytes.
    bytes: u64,
    /// File name extension, 1 to 8 of `a-z0-9`.
    #[schemars(regex(pattern = "^[a-z0-9]{1,8}$"))]
    extension: String,
    /// SHA-256 of the content.
    sha256: Digest,
}

/// A blob's name is not usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("name a blob: the extension `{extension}` is not 1 to 8 of a-z and 0-9")]
pub struct BadBlob {
    /// What was given.
    pub extension: String,
}

/// As read, before the check.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBlobRef {
    bytes: u64,
    extension: String,
    sha256: Digest,
}

impl TryFrom<WrittenBlobRef> for BlobRef {
    type Error = BadBlob;

    fn try_from(written: WrittenBlobRef) -> Result<Self, BadBlob> {
        Self::new(written.sha256, &written.extension, written.bytes)
    }
}

impl BlobRef {
    /// Names a blob by its hash, extension and length.
    ///
    /// # Errors
    /// [`BadBlob`] when the extension is not 1 to 8 of `a-z0-9`.
    pub fn new(sha256: Digest, extension: &str, bytes: u64) -> Result<Self, BadBlob> {
        let fits = (1..=8).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if fits {
            Ok(Self { bytes, extension: extension.to_owned(), sha256 })
        } else {
            Err(BadBlob { extension: extension.chars().take(32).collect() })
        }
    }

    /// SHA-256 of the content.
    #[must_use]
    pub fn sha256(&self) -> &Digest {
        &self.sha256
    }

    /// Length in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// File name extension.
    #[must_use]
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// File name inside the folder of blobs.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.sha256, self.extension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_abc_is_the_published_one() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Digest::of(b"abc").as_str(), expected);
        let (digest, length) = Digest::of_reader(&b"abc"[..]).unwrap();
        assert_eq!((digest.as_str(), length), (expected, 3));
    }

    #[test]
    fn a_digest_is_64_lowercase_digits_and_nothing_else() {
        for bad in ["", "abc", &"A".repeat(64), &"0".repeat(63), &"0".repeat(65), &"/".repeat(64)] {
            assert_eq!(Digest::try_from(bad.to_owned()), Err(BadDigest), "{bad}");
        }
        assert!(Digest::try_from("0f".repeat(32)).is_ok());
    }

    #[test]
    fn a_blob_name_never_leaves_its_folder() {
        for bad in ["", "../x", "png/..", "PNG", "verylongone", "p.g", "é"] {
            assert!(BlobRef::new(Digest::zero(), bad, 0).is_err(), "{bad}");
            let json = serde_json::json!({ "sha256": Digest::zero(), "extension": bad, "bytes": 1 });
            assert!(serde_json::from_value::<BlobRef>(json).is_err(), "{bad}");
        }
    }
}
