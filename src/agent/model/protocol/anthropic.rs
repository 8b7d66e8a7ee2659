//! Anthropic's messages.

use serde_json::{Value, json};

use super::{arguments, base64_of, count};
use crate::agent::model::types::{ModelReply, ModelRequest, Part, Role, ToolCall};

pub(super) fn body(request: &ModelRequest) -> Value {
    let messages = request.messages.iter().map(|message| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let parts = message.parts.iter().map(|part| match part {
            Part::Text(text) => json!({ "type": "text", "text": text }),
            Part::Image(png) => json!({
                "type": "image",
                "source": { "type": "base64", "media_type": "image/png", "data": base64_of(png) },
            }),
        });
        json!({ "role": role, "content": parts.collect::<Vec<_>>() })
    });
    let mut body = json!({
        "model": request.model,
        "max_tokens": request.max_output_tokens,
        "messages": messages.collect::<Vec<_>>(),
    });
    if !request.system.is_empty() {
        body["system"] = json!(request.system);
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = json!(temperature);
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({ "name": tool["name"], "description": tool["description"], "input_schema": tool["parameters"] })
        });
        body["tools"] = tools.collect();
        body["tool_choice"] = json!({ "type": "any" });
    }
    body
}

pub(super) fn tokens(body: &Value) -> Option<(u64, u64)> {
    let usage = body.get("usage")?;
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached: u64 = cached.into_iter().filter_map(|name| count(usage, name)).sum();
    Some((count(usage, "input_tokens")?.saturating_add(cached), count(usage, "output_tokens").unwrap_or(0)))
}

pub(super) fn read(body: &Value) -> Result<ModelReply, String> {
    let content = body.get("content").and_then(Value::as_array).ok_or("the answer has no `content`")?;
    let stop = body.get("stop_reason").and_then(Value::as_str).unwrap_or_default();
    if content.is_empty() && stop != "refusal" {
        return Err("the answer's `content` is empty".to_owned());
    }
    let mut reply = ModelReply {
        tokens: tokens(body),
        is_cut: stop == "max_tokens",
        withheld: (stop == "refusal").then(|| "refusal".to_owned()),
        ..ModelReply::default()
    };
    for block in content {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                reply.text.push_str(block.get("text").and_then(Value::as_str).unwrap_or_default());
            }
            Some("tool_use") => {
                let name =
                    block.get("name").and_then(Value::as_str).ok_or("a call in the answer has no name")?;
                reply
                    .calls
                    .push(ToolCall { name: name.to_owned(), arguments: arguments(block.get("input"))? });
            }
            // Thinking and what comes later is not the answer.
            _ => {}
        }
    }
    Ok(reply)
}
