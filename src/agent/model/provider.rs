//! Where a model is asked.

use reqwest::header::HeaderValue;

use super::protocol::Protocol;
use crate::config::{BadAddress, Secret, base_address, env_vars, without_password};
use crate::error::{Explain, Fault};

/// A server that answers for models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Its name on the command line.
    pub name: String,
    /// How it is talked to.
    pub protocol: Protocol,
    /// What every address starts with; no slash at the end.
    pub base_url: String,
    /// The variable its key comes from; `None` where it needs none.
    pub key_variable: Option<String>,
    /// The key, where it is set.
    pub key: Option<Secret>,
    /// The header that carries the key; the protocol's own where `None`.
    pub key_header: Option<String>,
}

/// The providers that are known by name: name, protocol, address, variable of the key.
const KNOWN: [(&str, Protocol, &str, Option<&str>); 6] = [
    ("openai", Protocol::OpenAi, "https://api.openai.com/v1", Some(env_vars::OPENAI_KEY)),
    ("anthropic", Protocol::Anthropic, "https://api.anthropic.com/v1", Some(env_vars::ANTHROPIC_KEY)),
    (
        "gemini",
        Protocol::Gemini,
        "https://generativelanguage.googleapis.com/v1beta",
        Some(env_vars::GEMINI_KEY),
    ),
    ("openrouter", Protocol::OpenAi, "https://openrouter.ai/api/v1", Some(env_vars::OPENROUTER_KEY)),
    ("ollama", Protocol::OpenAi, "http://127.0.0.1:11434/v1", None),
    ("local", Protocol::OpenAi, "http://127.0.0.1:8080/v1", None),
];

/// Why there is no such provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The name is unknown.
    #[error("find the provider `{0}`")]
    Unknown(String),
    /// The address is none, or a key would travel in the clear.
    #[error("use the address `{url}`: {why}")]
    BadUrl {
        /// The address, without what could be a password.
        url: String,
        /// What is wrong.
        why: BadAddress,
    },
}

impl Explain for ProviderError {
    fn fault(&self) -> Fault {
        Fault::Usage
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Unknown(_) => {
                let names: Vec<&str> = KNOWN.iter().map(|(name, ..)| *name).collect();
                format!(
                    "the providers are {}; any other server by `llm:MODEL@http://HOST/v1`",
                    names.join(", ")
                )
            }
            Self::BadUrl { .. } => {
                "an address is like `http://127.0.0.1:8080/v1` or `https://host/v1`".to_owned()
            }
        })
    }
}

/// The names of the known providers.
#[must_use]
pub fn known_providers() -> Vec<&'static str> {
    KNOWN.iter().map(|(name, ..)| *name).collect()
}

impl Provider {
    /// The provider of that name, with its key from the environment.
    ///
    /// # Errors
    /// [`ProviderError::Unknown`].
    pub fn named(name: &str) -> Result<Self, ProviderError> {
        let known = KNOWN.iter().find(|(known, ..)| *known == name);
        let (name, protocol, base_url, key) = known.ok_or_else(|| ProviderError::Unknown(name.to_owned()))?;
        Ok(Self {
            name: (*name).to_owned(),
            protocol: *protocol,
            base_url: (*base_url).to_owned(),
            key_variable: key.map(str::to_owned),
            key: key.and_then(Secret::from_env),
            key_header: None,
        })
    }

    /// The same provider at another address.
    ///
    /// # Errors
    /// [`ProviderError::BadUrl`] when it is no `http` or `https` address, holds a name and password, or
    /// would carry a key unencrypted to another machine.
    pub fn at(mut self, base_url: &str) -> Result<Self, ProviderError> {
        self.base_url = base_address(base_url, self.key.is_some())
            .map_err(|why| ProviderError::BadUrl { url: without_password(base_url), why })?;
        Ok(self)
    }

    /// Another variable for the key.
    #[must_use]
    pub fn with_key_from(mut self, variable: &str) -> Self {
        self.key = Secret::from_env(variable);
        self.key_variable = Some(variable.to_owned());
        self
    }

    /// The headers of a request, the key's among them, which is marked so that nothing prints it.
    #[must_use]
    pub fn headers(&self) -> Vec<(String, HeaderValue)> {
        let mut headers: Vec<(String, HeaderValue)> = self
            .protocol
            .headers()
            .iter()
            .map(|(name, value)| ((*name).to_owned(), HeaderValue::from_static(value)))
            .collect();
        let (name, prefix) = match &self.key_header {
            Some(name) => (name.as_str(), ""),
            None => self.protocol.key_header(),
        };
        if let Some(key) = &self.key
            && let Ok(mut value) = HeaderValue::from_str(&format!("{prefix}{}", key.expose()))
        {
            value.set_sensitive(true);
            headers.push((name.to_owned(), value));
        }
        headers
    }

    /// Whether a key is needed and not there.
    #[must_use]
    pub const fn lacks_key(&self) -> bool {
        self.key_variable.is_some() && self.key.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_checked_before_a_key_goes_there() {
        let openai =
            || Provider { key: Some(Secret::new("sk-canary")), ..Provider::named("openai").unwrap() };
        assert_eq!(openai().at("http://127.0.0.1:8080/v1/").unwrap().base_url, "http://127.0.0.1:8080/v1");
        assert!(openai().at("https://eu.example.org/v1").is_ok());
        for bad in ["http://eu.example.org/v1", "ftp://x/", "https://me:hunter2@host/v1"] {
            let error = openai().at(bad).unwrap_err().to_string();
            assert!(error.starts_with("use the address") && !error.contains("hunter2"), "{error}");
        }
        assert!(
            Provider::named("local").unwrap().at("http://lan-host:8080/v1").is_ok(),
            "without a key it may"
        );
        assert!(matches!(Provider::named("opnai"), Err(ProviderError::Unknown(_))));
        assert!(!format!("{:?}", openai()).contains("sk-canary"));
    }
}
