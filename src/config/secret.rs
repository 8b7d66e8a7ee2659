//! A key that cannot be printed by accident.

use std::fmt;

/// A secret from the environment. `Debug` and `Display` give a mask, it cannot be serialised, and
/// the text leaves it in one place only, [`Secret::expose`].
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// What stands where a secret would.
const MASK: &str = "****";

impl Secret {
    /// Wraps a secret.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The value of an environment variable, white space around it left out; `None` when it is not
    /// set, empty, or no text.
    #[must_use]
    pub fn from_env(name: &str) -> Option<Self> {
        let value = std::env::var(name).ok()?;
        let value = value.trim();
        (!value.is_empty()).then(|| Self(value.to_owned()))
    }

    /// The text itself, for the header of a request and nothing else.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// `text` with the secret masked wherever it stands in it, for what comes from outside and may
    /// repeat what it was sent.
    #[must_use]
    pub fn mask_in(&self, text: &str) -> String {
        if self.0.len() < 4 { text.to_owned() } else { text.replace(&self.0, MASK) }
    }

    /// The same for what need not be text: where the secret stands in bytes that are no UTF-8, what
    /// is none in them is replaced as well.
    #[must_use]
    pub fn mask_in_bytes(&self, bytes: Vec<u8>) -> Vec<u8> {
        match String::from_utf8(bytes) {
            Ok(text) => self.mask_in(&text).into_bytes(),
            Err(error) => self.mask_in(&String::from_utf8_lossy(error.as_bytes())).into_bytes(),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_masked_in_what_is_no_text() {
        let secret = Secret::new("sk-secret-key");
        let mut bytes = b"you sent sk-secret-key".to_vec();
        bytes.push(0xC3);
        let masked = secret.mask_in_bytes(bytes);
        assert!(!String::from_utf8_lossy(&masked).contains("sk-secret"), "{masked:?}");
    }

    #[test]
    fn a_secret_is_never_printed() {
        let secret = Secret::new("sk-canary-1234");
        assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "**** **** Some(****)");
        assert_eq!(secret.mask_in("bad key sk-canary-1234!"), "bad key ****!");
        assert_eq!(secret.expose(), "sk-canary-1234");
        assert_eq!(Secret::from_env("DISCREET_NO_SUCH_VARIABLE"), None);
    }
}
