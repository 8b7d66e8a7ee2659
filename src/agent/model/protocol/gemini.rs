//! Google's `generateContent`.

use serde_json::{Map, Value, json};

use super::{arguments, base64_of, count};
use crate::agent::model::types::{ModelReply, ModelRequest, Part, Role, ToolCall};

pub(super) fn body(request: &ModelRequest) -> Value {
    let contents = request.messages.iter().map(|message| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "model",
        };
        let parts = message.parts.iter().map(|part| match part {
            Part::Text(text) => json!({ "text": text }),
            Part::Image(png) => json!({ "inlineData": { "mimeType": "image/png", "data": base64_of(png) } }),
        });
        json!({ "role": role, "parts": parts.collect::<Vec<_>>() })
    });
    let mut generation = json!({ "maxOutputTokens": request.max_output_tokens });
    if let Some(temperature) = request.temperature {
        generation["temperature"] = json!(temperature);
    }
    let mut body = json!({ "contents": contents.collect::<Vec<_>>(), "generationConfig": generation });
    if !request.system.is_empty() {
        body["systemInstruction"] = json!({ "parts": [{ "text": request.system }] });
    }
    if !request.tools.is_empty() {
        let tools: Vec<Value> = request.tools.iter().map(plain_schema).collect();
        body["tools"] = json!([{ "functionDeclarations": tools }]);
        body["toolConfig"] = json!({ "functionCallingConfig": { "mode": "ANY" } });
    }
    body
}

/// A schema without what this provider does not know.
fn plain_schema(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| *name != "additionalProperties");
            Value::Object(
                kept.map(|(name, value)| (name.clone(), plain_schema(value))).collect::<Map<_, _>>(),
            )
        }
        Value::Array(items) => items.iter().map(plain_schema).collect(),
        other => other.clone(),
    }
}

pub(super) fn tokens(body: &Value) -> Option<(u64, u64)> {
    let usage = body.get("usageMetadata")?;
    let received = ["candidatesTokenCount", "thoughtsTokenCount"];
    let received = received.into_iter().filter_map(|name| count(usage, name)).sum();
    Some((count(usage, "promptTokenCount")?, received))
}

pub(super) fn read(body: &Value) -> Result<ModelReply, String> {
    let blocked = body.pointer("/promptFeedback/blockReason").and_then(Value::as_str);
    if let Some(reason) = blocked {
        return Ok(ModelReply {
            tokens: tokens(body),
            withheld: Some(reason.to_owned()),
            ..ModelReply::default()
        });
    }
    let candidates =
        body.get("candidates").and_then(Value::as_array).ok_or("the answer has no `candidates`")?;
    let candidate = candidates.first().ok_or("the answer has no candidate in `candidates`")?;
    let finish = candidate.get("finishReason").and_then(Value::as_str).unwrap_or_default();
    let is_withheld = matches!(finish, "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII");
    let mut reply = ModelReply {
        tokens: tokens(body),
        is_cut: finish == "MAX_TOKENS",
        withheld: is_withheld.then(|| finish.to_owned()),
        ..ModelReply::default()
    };
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    if parts.is_none() && !is_withheld && !reply.is_cut {
        return Err("the answer's candidate has no `content`".to_owned());
    }
    for part in parts.into_iter().flatten() {
        if part.get("thought").and_then(Value::as_bool) == Some(true) {
            continue;
        }
        if let Some(text) = part.get("text").and_then(Value::as_str) {
            reply.text.push_str(text);
        }
        if let Some(call) = part.get("functionCall") {
            let name = call.get("name").and_then(Value::as_str).ok_or("a call in the answer has no name")?;
            reply.calls.push(ToolCall { name: name.to_owned(), arguments: arguments(call.get("args"))? });
        }
    }
    Ok(reply)
}
