//! The three protocols: a request as path, headers and body; an answer as text, calls and tokens.
//!
//! Translations are total: an answer of any shape gives a reply or says what it lacks.

mod anthropic;
mod gemini;
mod openai;

use base64::Engine as _;
use serde_json::{Map, Value};

use super::types::{ModelReply, ModelRequest};

/// How a server is talked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's chat completions, which most servers speak.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Google's `generateContent`.
    Gemini,
}

impl Protocol {
    /// The protocol of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::OpenAi, Self::Anthropic, Self::Gemini].into_iter().find(|protocol| protocol.name() == name)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The path behind the base address.
    pub(super) fn path(self, model: &str) -> String {
        match self {
            Self::OpenAi => "/chat/completions".to_owned(),
            Self::Anthropic => "/messages".to_owned(),
            Self::Gemini => format!("/models/{}:generateContent", path_segment(model)),
        }
    }

    /// The header that carries the key, and what stands before the key in it.
    pub(super) const fn key_header(self) -> (&'static str, &'static str) {
        match self {
            Self::OpenAi => ("authorization", "Bearer "),
            Self::Anthropic => ("x-api-key", ""),
            Self::Gemini => ("x-goog-api-key", ""),
        }
    }

    /// Headers besides.
    pub(super) const fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Anthropic => &[("anthropic-version", "2023-06-01")],
            Self::OpenAi | Self::Gemini => &[],
        }
    }

    /// The body of a request; `provider` decides between names of the same thing.
    pub(super) fn body(self, request: &ModelRequest, provider: &str) -> Value {
        let mut body = match self {
            Self::OpenAi => openai::body(request, provider),
            Self::Anthropic => anthropic::body(request),
            Self::Gemini => gemini::body(request),
        };
        if let Some(members) = body.as_object_mut() {
            members.extend(request.extra.clone());
        }
        body
    }

    /// Reads the body of an answer.
    ///
    /// # Errors
    /// What it lacks.
    pub(super) fn read(self, body: &Value) -> Result<ModelReply, String> {
        let reply = match self {
            Self::OpenAi => openai::read(body),
            Self::Anthropic => anthropic::read(body),
            Self::Gemini => gemini::read(body),
        }?;
        // One that was cut or withheld says why it is empty; of another one nothing can be made.
        let says_why = reply.is_cut || reply.withheld.is_some();
        if reply.text.trim().is_empty() && reply.calls.is_empty() && !says_why {
            return Err("the answer has no text".to_owned());
        }
        Ok(reply)
    }

    /// Tokens in an answer, also in one that cannot be read otherwise.
    pub(super) fn tokens(self, body: &Value) -> Option<(u64, u64)> {
        match self {
            Self::OpenAi => openai::tokens(body),
            Self::Anthropic => anthropic::tokens(body),
            Self::Gemini => gemini::tokens(body),
        }
    }
}

fn base64_of(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn path_segment(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%2D", "-")
        .replace("%2E", ".")
        .replace("%5F", "_")
}

/// A count in an answer; a negative or broken number is none.
fn count(value: &Value, name: &str) -> Option<u64> {
    value.get(name).and_then(Value::as_u64)
}

/// Arguments of a call that come as an object, or as the text of one.
fn arguments(value: Option<&Value>) -> Result<Map<String, Value>, String> {
    match value {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(arguments)) => Ok(arguments.clone()),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Map::new()),
        Some(Value::String(text)) => serde_json::from_str(text)
            .map_err(|error| format!("the arguments of a call are no JSON: {error}")),
        Some(_) => Err("the arguments of a call are no object".to_owned()),
    }
}

#[cfg(test)]
mod tests;
