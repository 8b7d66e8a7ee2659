//! A conversation with a model, whatever the protocol.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::provider::Provider;

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// We.
    User,
    /// The model.
    Assistant,
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(String),
    /// A PNG.
    Image(Arc<[u8]>),
}

/// What somebody says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who.
    pub role: Role,
    /// What.
    pub parts: Vec<Part>,
}

impl Message {
    /// A message of text only.
    #[must_use]
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, parts: vec![Part::Text(text.into())] }
    }
}

/// What a model is asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelRequest {
    /// Name of the model.
    pub model: String,
    /// What stands above the conversation.
    pub system: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The longest answer, in tokens.
    pub max_output_tokens: u32,
    /// The model's own where `None`.
    pub temperature: Option<f64>,
    /// Functions that the model may call: `{"name", "description", "parameters"}` each.
    pub tools: Vec<Value>,
    /// A grammar (GBNF) that the answer has to fit, for servers that take one.
    pub grammar: Option<String>,
    /// Members that are put into the request as they are.
    pub extra: Map<String, Value>,
}

/// A function that a model wants to be called.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Its name.
    pub name: String,
    /// Its arguments by name.
    pub arguments: Map<String, Value>,
}

/// What a model answers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelReply {
    /// The text.
    pub text: String,
    /// The functions it wants to be called, in order.
    pub calls: Vec<ToolCall>,
    /// Tokens sent and received, as the provider counts them.
    pub tokens: Option<(u64, u64)>,
    /// Whether the answer stops because it is as long as allowed.
    pub is_cut: bool,
    /// Why the provider withheld the answer, where it did.
    pub withheld: Option<String>,
}

/// About how many tokens a text has: a quarter of its Latin letters, half of other alphabets', one per
/// Chinese sign. No tokenizer is needed, and none would fit all models.
#[must_use]
pub fn estimate_tokens(text: &str) -> u64 {
    let mut quarters = 0_u64;
    for letter in text.chars() {
        quarters += match u32::from(letter) {
            0..=0x7f => 1,
            0x80..=0x2fff => 2,
            _ => 4,
        };
    }
    quarters.div_ceil(4)
}

impl ModelRequest {
    /// The bytes that a provider is sent.
    #[must_use]
    pub fn body(&self, provider: &Provider) -> Vec<u8> {
        provider.protocol.body(self, &provider.name).to_string().into_bytes()
    }

    /// About how many tokens the request has, pictures included.
    #[must_use]
    pub fn estimated_tokens(&self) -> u64 {
        let parts = self.messages.iter().flat_map(|message| &message.parts);
        let parts: u64 = parts
            .map(|part| match part {
                Part::Text(text) => estimate_tokens(text),
                Part::Image(png) => image_tokens(png),
            })
            .sum();
        let tools: u64 = self.tools.iter().map(|tool| estimate_tokens(&tool.to_string())).sum();
        estimate_tokens(&self.system) + parts + tools
    }
}

/// About how many tokens a picture has: one per 750 pixels, as providers of large models say.
pub(crate) fn image_tokens(png: &[u8]) -> u64 {
    let side =
        |at: usize| png.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_be_bytes);
    (u64::from(side(16)) * u64::from(side(20))).div_ceil(750).clamp(1, 100_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_follow_the_script() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens("abcdefgh"), 2);
        assert_eq!(estimate_tokens("春游安排"), 4);
        let mut png = vec![0_u8; 24];
        png[16..20].copy_from_slice(&1280_u32.to_be_bytes());
        png[20..24].copy_from_slice(&720_u32.to_be_bytes());
        assert_eq!(image_tokens(&png), 1_229);
        assert_eq!(image_tokens(b"no picture"), 1);
    }
}
