//! OpenAI's chat completions.

use serde_json::{Value, json};

use super::{arguments, base64_of, count};
use crate::agent::model::types::{Message, ModelReply, ModelRequest, Part, Role, ToolCall};

pub(super) fn body(request: &ModelRequest, provider: &str) -> Value {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    messages.extend(request.messages.iter().map(message));
    // OpenAI's newer models know the one name only, other servers the other.
    let limit = if provider == "openai" { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({ "model": request.model, "messages": messages, limit: request.max_output_tokens });
    if let Some(temperature) = request.temperature {
        body["temperature"] = json!(temperature);
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| json!({ "type": "function", "function": tool }));
        body["tools"] = tools.collect();
        body["tool_choice"] = json!("required");
    }
    if let Some(grammar) = &request.grammar {
        body["grammar"] = json!(grammar);
    }
    body
}

fn message(message: &Message) -> Value {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    // Servers without vision often take nothing but a string.
    if let [Part::Text(text)] = message.parts.as_slice() {
        return json!({ "role": role, "content": text });
    }
    let parts = message.parts.iter().map(|part| match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Image(png) => {
            let url = format!("data:image/png;base64,{}", base64_of(png));
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
    });
    json!({ "role": role, "content": parts.collect::<Vec<_>>() })
}

pub(super) fn tokens(body: &Value) -> Option<(u64, u64)> {
    let usage = body.get("usage")?;
    Some((count(usage, "prompt_tokens")?, count(usage, "completion_tokens").unwrap_or(0)))
}

pub(super) fn read(body: &Value) -> Result<ModelReply, String> {
    let choice = body.get("choices").and_then(Value::as_array).ok_or("the answer has no `choices`")?;
    let choice = choice.first().ok_or("the answer has no choice in `choices`")?;
    let message = choice.get("message").ok_or("the answer's choice has no `message`")?;
    let text = match message.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
        }
        Some(_) => return Err("the answer's `content` is no text".to_owned()),
    };
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    let calls = calls.map(|call| {
        let function = call.get("function").ok_or("a call in the answer has no `function`")?;
        let name = function.get("name").and_then(Value::as_str).ok_or("a call in the answer has no name")?;
        Ok(ToolCall { name: name.to_owned(), arguments: arguments(function.get("arguments"))? })
    });
    let calls = calls.collect::<Result<Vec<_>, String>>()?;
    let finish = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
    let refusal = message.get("refusal").and_then(Value::as_str);
    let withheld = (finish == "content_filter").then(|| "content_filter".to_owned());
    Ok(ModelReply {
        // A refusal is what the model says.
        text: if text.is_empty() { refusal.unwrap_or_default().to_owned() } else { text },
        calls,
        tokens: tokens(body),
        is_cut: finish == "length",
        withheld,
    })
}
