//! A model's server that does what a test says: the three protocols, and every way to misbehave that
//! can be done with bytes.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) headers: String,
    pub(crate) body: Value,
}

impl Received {
    /// All text of the conversation, the system prompt left out.
    pub(crate) fn conversation(&self) -> String {
        let places = ["messages", "contents"];
        places.into_iter().filter_map(|place| self.body.get(place)).map(strings).collect()
    }
}

/// All strings in a value, in order.
fn strings(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(strings).collect(),
        Value::Object(members) => members.values().map(strings).collect(),
        _ => String::new(),
    }
}

/// What the server does with a connection.
pub(crate) enum Move {
    Send(Vec<u8>),
    /// Sends the same again and again, with a pause, until the other side has had enough.
    Repeat(Vec<u8>, Duration),
    /// Does nothing until the other side has gone.
    Hold,
}

type Script = dyn Fn(usize, &Received) -> Vec<Move> + Send + Sync;

pub(crate) struct ModelServer {
    pub(crate) address: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl ModelServer {
    /// Starts a server; the script gets the number of the request, from 0, and the request.
    pub(crate) fn start(script: impl Fn(usize, &Received) -> Vec<Move> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let received = Arc::new(Mutex::new(Vec::new()));
        let (script, into): (Arc<Script>, _) = (Arc::new(script), Arc::clone(&received));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, into) = (Arc::clone(&script), Arc::clone(&into));
                std::thread::spawn(move || {
                    // A client that goes away is part of the play.
                    let _ = serve(stream, script.as_ref(), &into);
                });
            }
        });
        Self { address, received }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, script: &Script, into: &Mutex<Vec<Received>>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let mut bytes = Vec::new();
    let mut chunk = vec![0_u8; 64 * 1024];
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        let read = stream.read(&mut chunk)?;
        if read == 0 {
            return Ok(());
        }
        bytes.extend_from_slice(&chunk[..read]);
    };
    let headers = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let length: usize = headers
        .lines()
        .find_map(|line| {
            line.to_ascii_lowercase().strip_prefix("content-length:").map(|n| n.trim().parse().unwrap())
        })
        .unwrap_or(0);
    while bytes.len() < head + length {
        let read = stream.read(&mut chunk)?;
        if read == 0 {
            return Ok(());
        }
        bytes.extend_from_slice(&chunk[..read]);
    }
    let received = Received {
        path: headers.split(' ').nth(1).unwrap_or_default().to_owned(),
        body: serde_json::from_slice(&bytes[head..]).unwrap_or_default(),
        headers,
    };
    let number = {
        let mut all = into.lock().unwrap();
        all.push(received.clone());
        all.len() - 1
    };
    for next in script(number, &received) {
        match next {
            Move::Send(bytes) => stream.write_all(&bytes)?,
            Move::Repeat(bytes, pause) => loop {
                stream.write_all(&bytes)?;
                std::thread::sleep(pause);
            },
            Move::Hold => while stream.read(&mut chunk)? > 0 {},
        }
    }
    stream.flush()
}

/// A whole answer.
pub(crate) fn answer(status: u16, headers: &str, body: &str) -> Vec<Move> {
    let length = body.len();
    vec![Move::Send(
        format!(
            "HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n{body}"
        )
        .into_bytes(),
    )]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    OpenAi,
    Anthropic,
    Gemini,
}

impl Protocol {
    pub(crate) const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Gemini];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The body in which a model says something and has used so many tokens.
    pub(crate) fn says(self, text: &str, (sent, got): (u64, u64)) -> Value {
        match self {
            Self::OpenAi => json!({
                "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "content": text } }],
                "usage": { "prompt_tokens": sent, "completion_tokens": got },
            }),
            Self::Anthropic => json!({
                "content": [{ "type": "text", "text": text }], "stop_reason": "end_turn",
                "usage": { "input_tokens": sent, "output_tokens": got },
            }),
            Self::Gemini => json!({
                "candidates": [{ "finishReason": "STOP", "content": { "parts": [{ "text": text }] } }],
                "usageMetadata": { "promptTokenCount": sent, "candidatesTokenCount": got },
            }),
        }
    }

    /// The body in which the provider withholds an answer.
    pub(crate) fn withholds(self, (sent, got): (u64, u64)) -> Value {
        let mut body = self.says("", (sent, got));
        match self {
            Self::OpenAi => body["choices"][0]["finish_reason"] = json!("content_filter"),
            Self::Anthropic => body["stop_reason"] = json!("refusal"),
            Self::Gemini => body["candidates"][0]["finishReason"] = json!("SAFETY"),
        }
        body
    }

    /// The body with an empty list of answers.
    pub(crate) fn nothing(self) -> Value {
        match self {
            Self::OpenAi => json!({ "choices": [] }),
            Self::Anthropic => json!({ "content": [], "stop_reason": "end_turn" }),
            Self::Gemini => json!({ "candidates": [] }),
        }
    }

    /// Says something, as a whole answer.
    pub(crate) fn reply(self, text: &str, tokens: (u64, u64)) -> Vec<Move> {
        answer(200, "content-type: application/json\r\n", &self.says(text, tokens).to_string())
    }
}
