//! Asking a model: cache, budget, rate limit, retries, all under one deadline.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::budget::Budget;
use super::limiter::Limiter;
use super::prices::Price;
use super::provider::Provider;
use super::types::{ModelReply, ModelRequest, estimate_tokens};
use crate::agent::exchange::Exchange;
use crate::agent::types::AgentError;
use crate::config::{AnswerKey, Answers, Retry, bounded_body, http_client, retry_after_of};
use crate::error::Deadline;
use crate::trace::Usage;

/// The largest answer that is read, in bytes.
const MAX_BODY: usize = 8 * 1024 * 1024;

/// What all models of a run share.
#[derive(Debug, Clone, Default)]
pub struct ModelsOptions {
    /// Where answers are kept and taken from.
    pub cache: Option<PathBuf>,
    /// Nothing is asked: what the cache does not hold fails.
    pub offline: bool,
    /// What the run may spend.
    pub budget: Budget,
}

/// The way to all models of a run. Cheap to clone; clones share budget, cache and rate limits.
#[derive(Debug, Clone)]
pub struct Models {
    cache: Option<Answers>,
    offline: bool,
    budget: Budget,
    limiter: Limiter,
}

/// How one model is asked.
#[derive(Debug, Clone)]
pub struct Called<'a> {
    /// Where.
    pub provider: &'a Provider,
    /// The client for it.
    pub client: &'a reqwest::Client,
    /// What its tokens cost.
    pub price: Option<Price>,
    /// When to ask again.
    pub retry: Retry,
    /// The longest wait for one answer.
    pub request_within: Duration,
    /// At most so many requests a minute.
    pub per_minute: Option<u32>,
    /// Seed of the episode, for the cache.
    pub seed: u64,
    /// How often the episode has sent the same before, for the cache.
    pub occurrence: u32,
}

/// Why one request gave no reply.
enum Failure {
    /// It may work the next time, at the earliest after a while.
    Passing(String, Option<Duration>),
    /// It will not.
    Lasting(String),
}

impl Failure {
    fn text(&self) -> &str {
        match self {
            Self::Passing(text, _) | Self::Lasting(text) => text,
        }
    }
}

impl Models {
    /// The way to models under these conditions.
    #[must_use]
    pub fn new(options: ModelsOptions) -> Self {
        Self {
            cache: options.cache.as_deref().map(Answers::new),
            offline: options.offline,
            budget: options.budget,
            limiter: Limiter::default(),
        }
    }

    /// Whether nobody may be asked.
    #[must_use]
    pub const fn is_offline(&self) -> bool {
        self.offline
    }

    /// What the run may spend.
    #[must_use]
    pub const fn budget(&self) -> &Budget {
        &self.budget
    }

    /// A client for a provider.
    ///
    /// # Errors
    /// What the system says when it has no usable certificates.
    pub fn client(provider: &Provider) -> Result<reqwest::Client, String> {
        http_client(&provider.base_url).map_err(|error| error.to_string())
    }

    /// Asks a model, as often as it takes, until the deadline. Every exchange is pushed to `exchanges`,
    /// the one whose answer is returned last; what it used is counted either way.
    ///
    /// # Errors
    /// [`AgentError::Provider`] when no answer came; [`AgentError::Spent`] when the budget is used up.
    pub async fn ask(
        &self,
        called: &Called<'_>,
        request: &ModelRequest,
        deadline: Deadline,
        exchanges: &mut Vec<Exchange>,
    ) -> Result<ModelReply, AgentError> {
        let provider = called.provider;
        let path = provider.protocol.path(&request.model);
        let body = Arc::new(request.body(provider));
        let cache = self.cache.as_ref().map(|cache| (cache, key_of(called, &path, &body)));
        if let Some(response) = cache.as_ref().and_then(|(cache, key)| cache.get(key, &body)) {
            return from_cache(called, &body, response, exchanges);
        }
        if self.offline {
            let error = "there is no cached answer to this request, and no model may be asked".to_owned();
            exchanges.push(Exchange {
                request: body.to_vec(),
                error: Some(error.clone()),
                ..Exchange::default()
            });
            return Err(AgentError::Provider(error));
        }
        for attempt in 1..=called.retry.attempts.max(1) {
            if let Some(spent) = self.budget.spent() {
                return Err(AgentError::Spent(spent));
            }
            let taken = self.limiter.take(&provider.base_url, called.per_minute, deadline.remaining());
            if let Err(wait) = taken {
                let last = exchanges.last().and_then(|exchange| exchange.error.clone()).unwrap_or_default();
                let error = format!("the next request would be {} s from now; {last}", wait.as_secs());
                return Err(AgentError::Provider(error.trim_end_matches("; ").to_owned()));
            }
            tokio::time::sleep(taken.unwrap_or_default()).await;
            let started = Instant::now();
            // Pushed before it is awaited: a wait that is given up leaves its trace as well.
            exchanges.push(Exchange {
                request: body.to_vec(),
                error: Some("no answer was awaited to the end".to_owned()),
                ..Exchange::default()
            });
            let within = deadline.min(Deadline::after(called.request_within));
            let sent = send(called, &path, Arc::clone(&body));
            let outcome = match within.race("the model's answer", sent).await {
                Ok(outcome) => outcome,
                Err(expired) => Outcome {
                    failure: Some(Failure::Passing(expired.to_string(), None)),
                    ..Outcome::default()
                },
            };
            let usage = usage_of(called, &outcome, &body);
            self.budget.count(usage.counted.as_ref());
            if let Some(exchange) = exchanges.last_mut() {
                exchange.response = outcome.body;
                exchange.usage = usage.known;
                exchange.latency = started.elapsed();
                exchange.error = outcome.failure.as_ref().map(|failure| failure.text().to_owned());
            }
            let asked_for = match (outcome.failure, outcome.reply) {
                (None, Some(reply)) => {
                    if let (Some((cache, key)), Some(exchange)) = (&cache, exchanges.last_mut())
                        && let Err(error) =
                            cache.put(key, &body, exchange.response.as_deref().unwrap_or_default())
                    {
                        exchange.notes.push(format!("the answer could not be kept in the cache: {error}"));
                    }
                    return Ok(reply);
                }
                (Some(Failure::Lasting(error)), _) => return Err(AgentError::Provider(error)),
                (Some(Failure::Passing(error, _)), _) if attempt >= called.retry.attempts => {
                    return Err(AgentError::Provider(format!("{error}; asked {attempt} times")));
                }
                (Some(Failure::Passing(_, asked_for)), _) => asked_for,
                (None, None) => return Err(AgentError::Provider("the answer is empty".to_owned())),
            };
            if let Some(asked_for) = asked_for {
                self.limiter.pause(&provider.base_url, asked_for);
            }
            let wait = called.retry.wait_before(attempt + 1, asked_for, rand::random::<f64>());
            if wait >= deadline.remaining() {
                let last = exchanges.last().and_then(|exchange| exchange.error.clone()).unwrap_or_default();
                return Err(AgentError::Provider(format!(
                    "{last}; asked {attempt} times, and the time for this reply is over"
                )));
            }
            tokio::time::sleep(wait).await;
        }
        Err(AgentError::Provider("it was not asked".to_owned()))
    }
}

/// What an answer is kept under. The server's address is no part of it: a run whose answers are all there
/// is repeated whichever port the server had.
fn key_of(called: &Called<'_>, path: &str, body: &[u8]) -> AnswerKey {
    let (seed, occurrence) = (called.seed.to_string(), called.occurrence.to_string());
    AnswerKey::of(&["1", called.provider.protocol.name(), path, &seed, &occurrence], body)
}

fn from_cache(
    called: &Called<'_>,
    request: &[u8],
    response: Vec<u8>,
    exchanges: &mut Vec<Exchange>,
) -> Result<ModelReply, AgentError> {
    let json: Value = serde_json::from_slice(&response).unwrap_or_default();
    let read = called.provider.protocol.read(&json);
    exchanges.push(Exchange {
        request: request.to_vec(),
        response: Some(response),
        // As it was when it was asked: a repeated run has the same rows. Nothing is counted as spent.
        usage: known_usage(called, called.provider.protocol.tokens(&json)),
        error: read.as_ref().err().cloned(),
        ..Exchange::default()
    });
    read.map_err(|error| AgentError::Provider(format!("the cached answer cannot be used: {error}")))
}

/// What came of one request.
#[derive(Default)]
struct Outcome {
    body: Option<Vec<u8>>,
    tokens: Option<(u64, u64)>,
    reply: Option<ModelReply>,
    failure: Option<Failure>,
}

async fn send(called: &Called<'_>, path: &str, body: Arc<Vec<u8>>) -> Outcome {
    let provider = called.provider;
    let failed = |failure| Outcome { failure: Some(failure), ..Outcome::default() };
    let mut request = called
        .client
        .post(format!("{}{path}", provider.base_url))
        .header("content-type", "application/json")
        .body(body.to_vec());
    for (name, value) in provider.headers() {
        request = request.header(name, value);
    }
    let response = match request.send().await {
        Ok(response) => response,
        Err(error) => return failed(transport_failure(error)),
    };
    let status = response.status().as_u16();
    let wait = retry_after_of(response.headers());
    let (bytes, is_more) = match bounded_body(response, MAX_BODY).await {
        Ok(read) => read,
        Err(error) => {
            return failed(Failure::Passing(format!("the answer breaks off: {}", cause(error)), None));
        }
    };
    // A server may repeat what it was sent; whatever is kept goes through here.
    let bytes = match &provider.key {
        Some(key) => key.mask_in_bytes(bytes),
        None => bytes,
    };
    let json = serde_json::from_slice::<Value>(&bytes);
    let tokens = json.as_ref().ok().and_then(|json| provider.protocol.tokens(json));
    let mut outcome = Outcome { tokens, ..Outcome::default() };
    outcome.failure = if is_more {
        Some(Failure::Lasting(format!("the answer is longer than {MAX_BODY} bytes")))
    } else if (300..400).contains(&status) {
        Some(Failure::Lasting(format!(
            "the server answers {status} and names another address, which is not followed"
        )))
    } else if !(200..300).contains(&status) {
        Some(refused(called, status, &bytes, json.as_ref().ok(), wait))
    } else {
        match json {
            Err(error) => {
                Some(Failure::Passing(format!("the answer is no JSON: {error}: {}", excerpt(&bytes)), None))
            }
            Ok(json) => match provider.protocol.read(&json) {
                Err(lack) => Some(Failure::Passing(format!("{lack}: {}", excerpt(&bytes)), None)),
                Ok(ModelReply { withheld: Some(reason), .. }) => {
                    Some(Failure::Lasting(format!("the provider withheld the answer ({reason})")))
                }
                Ok(reply) => {
                    outcome.reply = Some(reply);
                    None
                }
            },
        }
    };
    outcome.body = Some(bytes);
    outcome
}

/// What a status other than success means.
fn refused(
    called: &Called<'_>,
    status: u16,
    bytes: &[u8],
    json: Option<&Value>,
    wait: Option<Duration>,
) -> Failure {
    let said = json
        .and_then(|json| {
            json.pointer("/error/message").or_else(|| json.get("message")).or_else(|| json.get("error"))
        })
        .and_then(Value::as_str)
        .map_or_else(|| excerpt(bytes), |message| excerpt(message.as_bytes()));
    let text = format!("the server answers {status}: {said}");
    if Retry::is_worthwhile(status) {
        return Failure::Passing(text, wait);
    }
    let key = match (&called.provider.key_variable, status) {
        (Some(variable), 401 | 403) => format!(" (the key comes from {variable})"),
        _ => String::new(),
    };
    Failure::Lasting(format!("{text}{key}"))
}

fn transport_failure(error: reqwest::Error) -> Failure {
    let is_lasting = error.is_builder();
    let text = format!("the server cannot be asked: {}", cause(error));
    if is_lasting { Failure::Lasting(text) } else { Failure::Passing(text, None) }
}

/// The innermost cause of an error, without the address.
fn cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(inner) = innermost.source() {
        innermost = inner;
    }
    innermost.to_string()
}

fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(2_000)]);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(200).collect()
}

struct Used {
    /// As the provider says.
    known: Option<Usage>,
    /// What the budget counts: an estimate where the provider says nothing.
    counted: Option<Usage>,
}

fn usage_of(called: &Called<'_>, outcome: &Outcome, request: &[u8]) -> Used {
    let known = known_usage(called, outcome.tokens);
    let counted = known.or_else(|| {
        let reply = outcome.reply.as_ref()?;
        // Pictures make the bytes many more than the tokens are; an upper estimate is the safe one.
        let sent = estimate_tokens(&String::from_utf8_lossy(request));
        known_usage(called, Some((sent, estimate_tokens(&reply.text))))
    });
    Used { known, counted }
}

fn known_usage(called: &Called<'_>, tokens: Option<(u64, u64)>) -> Option<Usage> {
    let (input_tokens, output_tokens) = tokens?;
    let cost = called.price.map(|price| price.cost(input_tokens, output_tokens));
    Some(Usage { input_tokens, output_tokens, cost })
}
