use serde_json::{Value, json};

use super::Protocol;
use crate::agent::model::types::{Message, ModelRequest, Part, Role};

const ALL: [Protocol; 3] = [Protocol::OpenAi, Protocol::Anthropic, Protocol::Gemini];

fn request() -> ModelRequest {
    ModelRequest {
        model: "m/1".into(),
        system: "be good".into(),
        messages: vec![
            Message {
                role: Role::User,
                parts: vec![Part::Text("look".into()), Part::Image((*b"png").into())],
            },
            Message::text(Role::Assistant, "what?"),
            Message::text(Role::User, "again"),
        ],
        max_output_tokens: 99,
        temperature: Some(0.5),
        tools: vec![
            json!({ "name": "click", "description": "d", "parameters": { "type": "object", "additionalProperties": false } }),
        ],
        ..ModelRequest::default()
    }
}

#[test]
fn every_protocol_carries_all_of_a_request() {
    for protocol in ALL {
        let body = protocol.body(&request(), "x").to_string();
        for part in ["be good", "look", "cG5n", "what?", "again", "99", "0.5", "click"] {
            assert!(body.contains(part), "{}: {part} is not in {body}", protocol.name());
        }
    }
    assert_eq!(Protocol::Gemini.path("m/1"), "/models/m%2F1:generateContent");
    assert!(!Protocol::Gemini.body(&request(), "x").to_string().contains("additionalProperties"));
    let plain = Protocol::OpenAi.body(&request(), "local");
    assert_eq!(plain["messages"][2], json!({ "role": "assistant", "content": "what?" }), "text is a string");
    assert_eq!((&plain["max_tokens"], &plain["max_completion_tokens"]), (&json!(99), &Value::Null));
    assert_eq!(Protocol::OpenAi.body(&request(), "openai")["max_completion_tokens"], 99);
}

#[test]
fn every_protocol_reads_text_calls_and_tokens() {
    let answers = [
        json!({ "choices": [{ "finish_reason": "length", "message": { "content": "hi",
                "tool_calls": [{ "function": { "name": "click", "arguments": "{\"bid\": \"7\"}" } }] } }],
                "usage": { "prompt_tokens": 11, "completion_tokens": 3 } }),
        json!({ "content": [{ "type": "thinking", "thinking": "no" }, { "type": "text", "text": "hi" },
                { "type": "tool_use", "name": "click", "input": { "bid": "7" } }], "stop_reason": "max_tokens",
                "usage": { "input_tokens": 6, "cache_read_input_tokens": 5, "output_tokens": 3 } }),
        json!({ "candidates": [{ "finishReason": "MAX_TOKENS", "content": { "parts": [
                { "text": "no", "thought": true }, { "text": "hi" },
                { "functionCall": { "name": "click", "args": { "bid": "7" } } }] } }],
                "usageMetadata": { "promptTokenCount": 11, "candidatesTokenCount": 1, "thoughtsTokenCount": 2 } }),
    ];
    for (protocol, answer) in ALL.into_iter().zip(answers) {
        let reply = protocol.read(&answer).unwrap();
        assert_eq!((reply.text.as_str(), reply.tokens, reply.is_cut), ("hi", Some((11, 3)), true));
        assert_eq!((reply.calls[0].name.as_str(), &reply.calls[0].arguments["bid"]), ("click", &json!("7")));
    }
}

#[test]
fn an_answer_that_is_withheld_or_lacks_something_is_told_apart() {
    let withheld = [
        json!({ "choices": [{ "finish_reason": "content_filter", "message": {} }] }),
        json!({ "content": [], "stop_reason": "refusal" }),
        json!({ "promptFeedback": { "blockReason": "SAFETY" } }),
    ];
    for (protocol, answer) in ALL.into_iter().zip(withheld) {
        assert!(protocol.read(&answer).unwrap().withheld.is_some(), "{answer}");
    }
    let empty = |stop: Value, finish: Value| {
        [
            json!({ "choices": [{ "finish_reason": stop, "message": { "content": "" } }] }),
            json!({ "content": [{ "type": "text", "text": "\n" }], "stop_reason": stop }),
            json!({ "candidates": [{ "finishReason": finish, "content": { "parts": [{ "text": "" }] } }] }),
        ]
    };
    for (protocol, answer) in ALL.into_iter().zip(empty(json!("stop"), json!("STOP"))) {
        assert_eq!(protocol.read(&answer).unwrap_err(), "the answer has no text", "{answer}");
    }
    // What thinks until it is cut has said nothing, and that is the model's doing.
    let cut = [&empty(json!("length"), json!(null))[0], &empty(json!("max_tokens"), json!(null))[1]];
    for (protocol, answer) in ALL.into_iter().zip(cut) {
        assert!(protocol.read(answer).unwrap().is_cut, "{answer}");
    }
    for protocol in ALL {
        for answer in [
            json!({}),
            json!([]),
            json!(null),
            json!({ "choices": [], "content": [], "candidates": [] }),
            json!({ "choices": [{}], "content": 1, "candidates": [{}] }),
            json!({ "choices": [{ "message": { "content": 3 } }], "content": "x", "candidates": [7] }),
        ] {
            assert!(protocol.read(&answer).is_err(), "{}: {answer}", protocol.name());
        }
    }
}
