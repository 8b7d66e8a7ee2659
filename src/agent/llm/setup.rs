//! From settings and the command line to a model that can be asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::config::{LlmConfig, ReplyForm};
use crate::action::{ActionSet, UnknownSet};
use crate::agent::model::{Called, Models, Price, Protocol, Provider, ProviderError, known_providers};
use crate::config::Retry;
use crate::error::{Explain, Fault};

/// Why an agent that asks a model cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// The settings cannot be read.
    #[error("read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The settings are wrong.
    #[error("use {}: {what}", .path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the place.
        what: String,
    },
    /// No model is named.
    #[error("find out which model to ask")]
    NoModel,
    /// The protocol is unknown.
    #[error("find the protocol `{0}`")]
    UnknownProtocol(String),
    /// The provider cannot be used.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The key is missing.
    #[error("ask {provider}: there is no key in {variable}")]
    NoKey {
        /// The provider.
        provider: String,
        /// The variable.
        variable: String,
    },
    /// The actions are unknown.
    #[error(transparent)]
    Actions(#[from] UnknownSet),
    /// The cost is limited and cannot be known.
    #[error("keep to `--max-cost`: the price of `{0}` is not known")]
    NoPrice(String),
    /// A client cannot be made.
    #[error("make a client: {0}")]
    Client(String),
}

impl Explain for LlmError {
    fn fault(&self) -> Fault {
        match self {
            Self::Client(_) => Fault::Environment,
            Self::Provider(error) => error.fault(),
            _ => Fault::Usage,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Read { .. } => "give an existing file in TOML to `--agent-config`".to_owned(),
            Self::Config { .. } => "docs/agents.md lists all settings".to_owned(),
            Self::NoModel => format!(
                "name it as `llm:PROVIDER/MODEL` (providers: {}) or `llm:MODEL@http://HOST/v1`, or in the file of `--agent-config`",
                known_providers().join(", ")
            ),
            Self::UnknownProtocol(_) => "the protocols are openai, anthropic and gemini".to_owned(),
            Self::Provider(error) => return error.hint(),
            Self::NoKey { variable, .. } => {
                format!("set {variable} in the environment; keys are read from nowhere else")
            }
            Self::Actions(error) => return error.hint(),
            Self::NoPrice(_) => {
                "set `price` in the file of `--agent-config`, or limit `--max-tokens`".to_owned()
            }
            Self::Client(_) => "check the certificates of this system".to_owned(),
        })
    }
}

/// A model that can be asked, and how. Cheap to clone.
#[derive(Debug, Clone)]
pub struct LlmSetup {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    provider: Provider,
    model: String,
    config: LlmConfig,
    extra: Map<String, Value>,
    price: Option<Price>,
    grammar: bool,
    client: reqwest::Client,
}

impl LlmSetup {
    /// Reads `[PROVIDER/]MODEL[@BASE_URL]`, with what it leaves out from the settings. A missing key is
    /// an error unless the run may not ask anybody.
    ///
    /// # Errors
    /// [`LlmError`].
    pub fn new(asked: &str, config: &LlmConfig, grammar: bool, models: &Models) -> Result<Self, LlmError> {
        let settings = &config.model;
        let (name, base_url) = match asked.split_once('@') {
            Some((name, url)) => (name, Some(url)),
            None => (asked, settings.base_url.as_deref()),
        };
        let named = name.split_once('/').filter(|(provider, _)| known_providers().contains(provider));
        let (provider, model) = match named {
            Some((provider, model)) => (Some(provider), model),
            None => (settings.provider.as_deref(), name),
        };
        let model = if model.is_empty() { settings.name.as_deref().unwrap_or_default() } else { model };
        if model.is_empty() {
            return Err(LlmError::NoModel);
        }
        let provider = match (provider, base_url) {
            (Some(provider), _) => Provider::named(provider)?,
            // Any server by its address.
            (None, Some(_)) => Provider::named("local")?,
            (None, None) => match name.split_once('/') {
                Some((unknown, _)) => return Err(ProviderError::Unknown(unknown.to_owned()).into()),
                None => return Err(LlmError::NoModel),
            },
        };
        let mut provider = match settings.key_env.as_deref() {
            Some(variable) => provider.with_key_from(variable),
            None => provider,
        };
        if let Some(protocol) = &settings.protocol {
            provider.protocol =
                Protocol::from_name(protocol).ok_or_else(|| LlmError::UnknownProtocol(protocol.clone()))?;
        }
        provider.key_header.clone_from(&settings.key_header);
        if let Some(base_url) = base_url {
            provider = provider.at(base_url)?;
            // The provider's own key is for its own address; a server of one's own needs none.
            if settings.key_env.is_none() && provider.key.is_none() {
                provider.key_variable = None;
            }
        }
        if provider.lacks_key() && !models.is_offline() {
            let variable = provider.key_variable.clone().unwrap_or_default();
            return Err(LlmError::NoKey { provider: provider.name, variable });
        }
        if let Some(allow) = &config.actions.allow {
            ActionSet::named(&allow.join(","))?;
        }
        let price = settings.price.or_else(|| Price::of(model));
        if models.budget().limits_cost() && price.is_none() {
            return Err(LlmError::NoPrice(model.to_owned()));
        }
        // Only servers of this protocol take one; to others it would be an unknown member.
        let grammar = grammar && provider.protocol == Protocol::OpenAi;
        let mut config = config.clone();
        if grammar {
            // The grammar leaves room for one action between tags and for nothing else: whatever else the
            // prompt asked for could not be answered.
            config.replies.form = ReplyForm::Tags;
            config.prompt.think = false;
            config.actions.multi = false;
        }
        let client = Models::client(&provider).map_err(LlmError::Client)?;
        let extra = match serde_json::to_value(&settings.extra) {
            Ok(Value::Object(extra)) => extra,
            _ => Map::new(),
        };
        let inner = Inner { provider, model: model.to_owned(), config, extra, price, grammar, client };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The model's name, as rows carry it.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.inner.model
    }

    /// Where it is asked.
    #[must_use]
    pub fn provider(&self) -> &Provider {
        &self.inner.provider
    }

    /// All settings, as far as a grammar allows them.
    #[must_use]
    pub fn config(&self) -> &LlmConfig {
        &self.inner.config
    }

    /// What its tokens cost.
    #[must_use]
    pub fn price(&self) -> Option<Price> {
        self.inner.price
    }

    /// Members of each request.
    #[must_use]
    pub fn extra(&self) -> &Map<String, Value> {
        &self.inner.extra
    }

    /// Whether the server gets a grammar.
    #[must_use]
    pub fn sends_grammar(&self) -> bool {
        self.inner.grammar
    }

    /// Whether functions are offered instead of a form.
    #[must_use]
    pub fn uses_tools(&self) -> bool {
        self.inner.config.replies.form == ReplyForm::Tools
    }

    /// How its model is asked. `seed` and `occurrence`, how often the same was sent before, tell one answer
    /// in the cache from another.
    #[must_use]
    pub fn called(&self, seed: u64, occurrence: u32) -> Called<'_> {
        let inner = &*self.inner;
        let model = &inner.config.model;
        Called {
            provider: &inner.provider,
            client: &inner.client,
            price: inner.price,
            retry: Retry {
                attempts: model.attempts,
                first_wait: seconds(model.first_wait_s),
                ..Retry::default()
            },
            request_within: seconds(model.request_timeout_s),
            per_minute: model.requests_per_minute,
            seed,
            occurrence,
        }
    }

    /// The longest wait for a reply.
    #[must_use]
    pub fn total_within(&self) -> Duration {
        seconds(self.inner.config.model.total_timeout_s)
    }

    /// Everything that decides results, for a run's manifest. Where the server is does not.
    #[must_use]
    pub fn settings(&self) -> Value {
        let mut config = serde_json::to_value(self.config()).unwrap_or_default();
        if let Some(model) = config.get_mut("model").and_then(Value::as_object_mut) {
            for place in ["base_url", "key_env", "key_header", "provider", "name", "requests_per_minute"] {
                model.remove(place);
            }
        }
        json!({
            "model": self.model(),
            "protocol": self.provider().protocol.name(),
            "grammar": self.sends_grammar(),
            "config": config,
        })
    }
}

/// Settings are checked to be finite and positive when they are read.
fn seconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::model::{Budget, ModelsOptions};

    fn setup(asked: &str, config: &LlmConfig) -> Result<LlmSetup, LlmError> {
        LlmSetup::new(asked, config, false, &Models::new(ModelsOptions::default()))
    }

    #[test]
    fn provider_model_and_address_are_read_from_one_word() {
        let config = LlmConfig::default();
        let local = setup("gemma@http://127.0.0.1:9/v1/", &config).unwrap();
        assert_eq!((local.model(), local.provider().base_url.as_str()), ("gemma", "http://127.0.0.1:9/v1"));
        let local = setup("ollama/library/qwen3", &config).unwrap();
        assert_eq!((local.model(), local.provider().name.as_str()), ("library/qwen3", "ollama"));
        let mut config = config;
        config.model.provider = Some("local".into());
        config.model.name = Some("m".into());
        assert_eq!(setup("", &config).unwrap().model(), "m");
        assert_eq!(setup("vendor/x", &config).unwrap().model(), "vendor/x");
    }

    #[test]
    fn with_a_grammar_nothing_is_asked_for_that_it_forbids() {
        let mut config = LlmConfig::default();
        config.actions.multi = true;
        config.replies.form = ReplyForm::Tools;
        let models = Models::new(ModelsOptions { offline: true, ..ModelsOptions::default() });
        let setup = |asked: &str| LlmSetup::new(asked, &config, true, &models).unwrap();
        let local = setup("local/m");
        assert!(local.sends_grammar() && !local.uses_tools());
        assert_eq!(local.config().replies.form, ReplyForm::Tags);
        assert!(!local.config().prompt.think && !local.config().actions.multi);
        // Another protocol has no place for one, and keeps to its settings.
        let other = setup("anthropic/m");
        assert!(!other.sends_grammar() && other.uses_tools());
        assert_eq!(other.config(), &config);
        assert_eq!(other.settings()["grammar"], false);
    }

    #[test]
    fn what_is_missing_is_named() {
        let config = LlmConfig::default();
        assert!(matches!(setup("", &config), Err(LlmError::NoModel)));
        assert!(matches!(setup("gpt-5", &config), Err(LlmError::NoModel)));
        assert!(matches!(setup("opnai/gpt-5", &config), Err(LlmError::Provider(ProviderError::Unknown(_)))));
        let mut config = config;
        config.model.key_env = Some("DISCREET_NO_SUCH_KEY".into());
        let error = setup("local/m", &config).unwrap_err();
        assert!(error.hint().unwrap().contains("set DISCREET_NO_SUCH_KEY"), "{error}");
        let limited =
            Models::new(ModelsOptions { budget: Budget::new(None, Some(1.0)), ..ModelsOptions::default() });
        let error = LlmSetup::new("local/unheard-of", &LlmConfig::default(), false, &limited).unwrap_err();
        assert!(matches!(error, LlmError::NoPrice(_)), "an unknown price is no price of zero");
    }
}
