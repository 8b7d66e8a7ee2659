//! The settings of an `llm` agent, as written in a TOML file. Everything has a default, so that no
//! file is needed.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::setup::LlmError;
use crate::agent::model::Price;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024;

/// All settings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LlmConfig {
    /// The model and its server.
    pub model: ModelConfig,
    /// What the model is shown.
    pub prompt: PromptConfig,
    /// What it may do.
    pub actions: ActionsConfig,
    /// How its replies are read.
    pub replies: RepliesConfig,
}

/// The model and its server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelConfig {
    /// Name of a known provider.
    pub provider: Option<String>,
    /// Name of the model.
    pub name: Option<String>,
    /// Another address of the provider.
    pub base_url: Option<String>,
    /// `openai`, `anthropic` or `gemini`; that of the provider where it is left out.
    pub protocol: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// The header that carries the key, such as Azure's `api-key`.
    pub key_header: Option<String>,
    /// The model's own where it is left out.
    pub temperature: Option<f64>,
    /// The longest answer, in tokens.
    pub max_output_tokens: u32,
    /// The longest wait for one answer, seconds.
    pub request_timeout_s: f64,
    /// The longest wait for a reply with everything that is asked again, seconds.
    pub total_timeout_s: f64,
    /// Requests to a server in all until it is given up.
    pub attempts: u32,
    /// The wait before the second, seconds; it doubles from there.
    pub first_wait_s: f64,
    /// At most so many requests a minute, from all episodes together.
    pub requests_per_minute: Option<u32>,
    /// US dollars per million tokens, for a model that is not in the table.
    pub price: Option<Price>,
    /// Members that are put into each request as they are.
    pub extra: toml::Table,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self {
            provider: None,
            name: None,
            base_url: None,
            protocol: None,
            key_env: None,
            key_header: None,
            temperature: None,
            max_output_tokens: 2_048,
            request_timeout_s: 120.0,
            total_timeout_s: 300.0,
            attempts: 5,
            first_wait_s: 0.5,
            requests_per_minute: None,
            price: None,
            extra: toml::Table::new(),
        }
    }
}

/// What the model is shown. What the access mode does not give is not shown, whatever stands here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own in a settings file")]
pub struct PromptConfig {
    /// The accessibility tree.
    pub tree: bool,
    /// The screenshot.
    pub screenshot: bool,
    /// The screenshot with a mark on every element that can be used, instead of the plain one.
    pub marks: bool,
    /// The page as HTML.
    pub dom: bool,
    /// Open pages and the address.
    pub tabs: bool,
    /// The focused element.
    pub focused: bool,
    /// Why the last action failed.
    pub error: bool,
    /// What was done so far.
    pub actions: bool,
    /// What the model thought at each step.
    pub thoughts: bool,
    /// The pages of earlier steps, in short.
    pub pages: bool,
    /// The most earlier steps that are shown.
    pub history: u32,
    /// Examples of a reply.
    pub examples: bool,
    /// Whether the model is asked to think in writing first.
    pub think: bool,
    /// Tokens that the prompt may have, by estimate; what is longer is cut, and says so.
    pub token_budget: u64,
}

impl Default for PromptConfig {
    fn default() -> Self {
        Self {
            tree: true,
            screenshot: true,
            marks: false,
            dom: false,
            tabs: true,
            focused: true,
            error: true,
            actions: true,
            thoughts: true,
            pages: false,
            history: 50,
            examples: true,
            think: true,
            token_budget: 40_000,
        }
    }
}

/// What the model may do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ActionsConfig {
    /// Names of action sets and actions; the access mode's set where it is left out.
    pub allow: Option<Vec<String>>,
    /// Whether several actions may be given at once.
    pub multi: bool,
}

/// How a reply is to be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplyForm {
    /// `<think>...</think>` and `<action>...</action>`.
    #[default]
    Tags,
    /// A JSON object `{"thought": ..., "action": ...}`.
    Json,
    /// A call of a function, by the provider's own means.
    Tools,
}

/// How replies are read. Whatever form is asked for, every habit is understood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RepliesConfig {
    /// The form that is asked for.
    pub form: ReplyForm,
    /// How often a reply that cannot be used is asked for again.
    pub ask_again: u32,
}

impl Default for RepliesConfig {
    fn default() -> Self {
        Self { form: ReplyForm::Tags, ask_again: 2 }
    }
}

impl LlmConfig {
    /// Reads a file; without one, everything is as by default.
    ///
    /// # Errors
    /// [`LlmError::Read`] or [`LlmError::Config`].
    pub fn read(path: Option<&Path>) -> Result<Self, LlmError> {
        use std::io::Read as _;

        let Some(path) = path else { return Ok(Self::default()) };
        let failed = |source| LlmError::Read { path: path.to_owned(), source };
        let mut text = String::new();
        std::fs::File::open(path)
            .map_err(failed)?
            .take(MAX_BYTES + 1)
            .read_to_string(&mut text)
            .map_err(failed)?;
        if text.len() as u64 > MAX_BYTES {
            let what = format!("it is longer than {MAX_BYTES} bytes");
            return Err(LlmError::Config { path: path.to_owned(), what });
        }
        let config = toml::from_str::<Self>(&text).map_err(|error| error.to_string());
        let config = config.and_then(|config| config.check().map(|()| config));
        config.map_err(|what| LlmError::Config { path: path.to_owned(), what: what.trim_end().to_owned() })
    }

    /// Values that no part could work with.
    fn check(&self) -> Result<(), String> {
        let seconds = |name: &str, value: f64| {
            if value.is_finite() && (0.0..=86_400.0).contains(&value) {
                Ok(())
            } else {
                Err(format!("`model.{name}` is no number of seconds: {value}"))
            }
        };
        seconds("request_timeout_s", self.model.request_timeout_s)?;
        seconds("total_timeout_s", self.model.total_timeout_s)?;
        seconds("first_wait_s", self.model.first_wait_s)?;
        if self.model.attempts == 0 || self.model.attempts > 100 {
            return Err("`model.attempts` is a number from 1 to 100".to_owned());
        }
        if self.model.max_output_tokens == 0 {
            return Err("`model.max_output_tokens` is a number from 1".to_owned());
        }
        let prices = self.model.price.iter().flat_map(|price| [price.input, price.output]);
        if prices.into_iter().any(|price| !price.is_finite() || price < 0.0) {
            return Err("`model.price` is an amount of dollars".to_owned());
        }
        if self.replies.ask_again > 20 {
            return Err("`replies.ask_again` is a number up to 20".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<LlmConfig, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("agent.toml");
        std::fs::write(&file, text).unwrap();
        LlmConfig::read(Some(&file)).map_err(|error| error.to_string())
    }

    #[test]
    fn an_empty_file_is_the_default_and_each_setting_stands_alone() {
        assert_eq!(read("").unwrap(), LlmConfig::default());
        let config = read(
            "[model]\nname = \"m\"\ntemperature = 0\nprice = { input = 1, output = 2.5 }\nextra = { top_p = 0.9 }\n\
             [prompt]\ndom = true\n[actions]\nallow = [\"workspace\", \"go_back\"]\n[replies]\nform = \"json\"\n",
        );
        let config = config.unwrap();
        assert_eq!(config.model.price, Some(Price { input: 1.0, output: 2.5 }));
        assert_eq!(
            (config.model.temperature, config.prompt.dom, config.prompt.tree),
            (Some(0.0), true, true)
        );
        assert_eq!(config.replies, RepliesConfig { form: ReplyForm::Json, ask_again: 2 });
        assert_eq!(config.model.extra["top_p"].as_float(), Some(0.9));
    }

    #[test]
    fn a_file_that_is_too_long_is_refused_and_not_cut() {
        let comment = |bytes: u64| "#".repeat(usize::try_from(bytes).unwrap());
        assert!(read(&comment(MAX_BYTES)).is_ok());
        assert!(read(&comment(MAX_BYTES + 1)).unwrap_err().contains("longer than"));
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        for (text, said) in [
            ("[prompt]\ntre = true\n", "unknown field `tre`"),
            ("[replies]\nform = \"xml\"\n", "unknown variant `xml`"),
            ("[model]\nattempts = 0\n", "`model.attempts`"),
            ("[model]\ntotal_timeout_s = nan\n", "`model.total_timeout_s`"),
            ("[model]\nprice = { input = -1, output = 2 }\n", "`model.price`"),
            ("model", "line 1"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
