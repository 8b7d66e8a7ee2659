//! Asks the model, within a deadline and bounds, or its cache.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use reqwest::StatusCode;

use super::reply::{Unreadable, read_reply};
use super::request::request_body;
use crate::config::{
    AnswerKey, Answers, BadAddress, Retry, Secret, base_address, bounded_body, http_client, retry_after_of,
    without_password,
};
use crate::error::{Explain, Fault};
use crate::score::{Claim, Disclosure, Question};

/// Longest body that is read.
const MAX_BODY_BYTES: usize = 4 << 20;

/// How the model is reached.
#[derive(Debug, Clone)]
pub struct JudgeOptions {
    /// Base address of an OpenAI-compatible API (`https://host/v1`).
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// The key; none for servers that want none.
    pub key: Option<Secret>,
    /// Folder that keeps answers.
    pub cache: Option<PathBuf>,
    /// Whether only the cache may answer.
    pub offline: bool,
    /// When to try again.
    pub retry: Retry,
    /// How long one request may take, its answer included.
    pub request_limit: Duration,
    /// How long one episode's questions may take, repetitions included.
    pub total_limit: Duration,
}

impl JudgeOptions {
    /// Options with the default limits.
    #[must_use]
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            model: model.into(),
            key: None,
            cache: None,
            offline: false,
            retry: Retry::default(),
            request_limit: Duration::from_secs(120),
            total_limit: Duration::from_secs(300),
        }
    }
}

/// Why the judge gave no answer that could be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The address is none.
    #[error("use `{url}` as the judge's address: {reason}")]
    Address {
        /// The address.
        url: String,
        /// What is wrong with it.
        reason: BadAddress,
    },
    /// No client could be made.
    #[error("make a client for the judge")]
    Client(#[source] reqwest::Error),
    /// The texts are too long for one request.
    #[error("ask the judge: the texts are too long")]
    TooLong,
    /// Only the cache may answer, and it does not.
    #[error("ask the judge: it is not to be reached, and the cache has no answer")]
    NotCached,
    /// The provider refused, after all repetitions.
    #[error("ask the judge: it answered with status {status}: {message}")]
    Status {
        /// The status.
        status: u16,
        /// The start of the body, the key masked.
        message: String,
    },
    /// It could not be reached, after all repetitions.
    #[error("ask the judge: {0}")]
    Connection(String),
    /// Its answer is longer than is read.
    #[error("ask the judge: its answer is longer than {MAX_BODY_BYTES} bytes")]
    LongAnswer,
    /// Its answer could not be read.
    #[error("read the judge's answer: {0}")]
    Unreadable(#[from] Unreadable),
}

impl JudgeError {
    /// Whether the provider failed, rather than the model's answer or the question.
    #[must_use]
    pub const fn is_provider(&self) -> bool {
        matches!(self, Self::Status { .. } | Self::Connection(_) | Self::LongAnswer | Self::NotCached)
    }
}

impl Explain for JudgeError {
    fn fault(&self) -> Fault {
        match self {
            Self::Address { .. } => Fault::Usage,
            Self::Client(_) => Fault::Environment,
            _ => Fault::Provider,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Address { .. } => "give the base address, such as `https://api.openai.com/v1`".to_owned(),
            Self::Status { status: 401 | 403, .. } => {
                "set the key in the environment; `--help` says in which variable".to_owned()
            }
            Self::Status { status: 404, .. } => "check the address and the model's name".to_owned(),
            Self::NotCached => "score once with access to the model, and keep the cache's folder".to_owned(),
            _ => return None,
        })
    }
}

/// What the judge says about an episode's questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Items that it says are there.
    pub claims: Vec<Claim>,
    /// Questions that it left out, by their place.
    pub unanswered: Vec<usize>,
    /// Whether the answer was in the cache.
    pub from_cache: bool,
}

/// A model that is asked.
#[derive(Debug)]
pub struct Judge {
    options: JudgeOptions,
    endpoint: String,
    client: reqwest::Client,
    cache: Option<Answers>,
}

impl Judge {
    /// Makes a judge; nothing is sent yet.
    ///
    /// # Errors
    /// [`JudgeError::Address`] or [`JudgeError::Client`].
    pub fn new(options: JudgeOptions) -> Result<Self, JudgeError> {
        let base = base_address(&options.base_url, options.key.is_some())
            .map_err(|reason| JudgeError::Address { url: without_password(&options.base_url), reason })?;
        let endpoint = format!("{base}/chat/completions");
        let client = http_client(&options.base_url).map_err(JudgeError::Client)?;
        let cache = options.cache.as_deref().map(Answers::new);
        Ok(Self { options, endpoint, client, cache })
    }

    /// Asks about an episode's questions; without questions nothing is asked.
    ///
    /// # Errors
    /// [`JudgeError`]: then the items that were asked about are unknown.
    pub async fn ask(
        &self,
        questions: &[Question],
        disclosures: &[Disclosure],
    ) -> Result<Answer, JudgeError> {
        if questions.is_empty() {
            return Ok(Answer { claims: Vec::new(), unanswered: Vec::new(), from_cache: true });
        }
        let request = request_body(&self.options.model, questions, disclosures).ok_or(JudgeError::TooLong)?;
        // Members of a `Value` are sorted, so its text is one for equal requests.
        let request = request.to_string().into_bytes();
        let cache =
            self.cache.as_ref().map(|cache| (cache, AnswerKey::of(&["judge 1", &self.endpoint], &request)));
        if let Some(body) = cache.as_ref().and_then(|(cache, key)| cache.get(key, &request)) {
            let (claims, unanswered) = read_reply(&body, questions)?;
            return Ok(Answer { claims, unanswered, from_cache: true });
        }
        if self.options.offline {
            return Err(JudgeError::NotCached);
        }
        let body = self.send(&request).await?;
        // What cannot be read is not kept: it would be read again for ever.
        let (claims, unanswered) = read_reply(&body, questions)?;
        if let Some((cache, key)) = &cache
            && let Err(error) = cache.put(key, &request, &body)
        {
            tracing::warn!("the judge's answer could not be kept: {error}");
        }
        Ok(Answer { claims, unanswered, from_cache: false })
    }

    /// Sends until there is an answer, a refusal, or no more time.
    async fn send(&self, request: &[u8]) -> Result<Vec<u8>, JudgeError> {
        let until = Instant::now() + self.options.total_limit;
        let mut attempt = 1;
        loop {
            let (error, wait) = match self.send_once(request, until).await {
                Ok(body) => return Ok(body),
                Err(failure) => failure,
            };
            attempt += 1;
            let Some(asked_for) = wait.filter(|_| attempt <= self.options.retry.attempts) else {
                return Err(error);
            };
            let wait = self.options.retry.wait_before(attempt, asked_for, rand::random());
            if Instant::now() + wait >= until {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
        }
    }

    /// One request. The second part of a failure says whether to try again, and how long the
    /// provider asks to wait.
    async fn send_once(
        &self,
        request: &[u8],
        until: Instant,
    ) -> Result<Vec<u8>, (JudgeError, Option<Option<Duration>>)> {
        let limit = self.options.request_limit.min(until.saturating_duration_since(Instant::now()));
        let mut call = self
            .client
            .post(&self.endpoint)
            .header(reqwest::header::CONTENT_TYPE, "application/json")
            .body(request.to_vec());
        if let Some(key) = &self.options.key {
            call = call.bearer_auth(key.expose());
        }
        let exchange = async {
            let response = call.send().await?;
            let status = response.status();
            let asked_for = retry_after_of(response.headers());
            let (body, is_longer) = bounded_body(response, MAX_BODY_BYTES).await?;
            let body = match &self.options.key {
                Some(key) => key.mask_in_bytes(body),
                None => body,
            };
            Ok::<_, reqwest::Error>((status, asked_for, body, is_longer))
        };
        let (status, asked_for, body, is_longer) = match tokio::time::timeout(limit, exchange).await {
            Err(_) => {
                let message = format!("no answer within {:.0} s", limit.as_secs_f64());
                return Err((JudgeError::Connection(message), Some(None)));
            }
            Ok(Err(error)) => {
                return Err((JudgeError::Connection(self.mask(&causes(&error))), Some(None)));
            }
            Ok(Ok(exchange)) => exchange,
        };
        if status != StatusCode::OK {
            let message: String = String::from_utf8_lossy(&body).chars().take(300).collect();
            let error = JudgeError::Status { status: status.as_u16(), message: self.mask(&message) };
            return Err((error, Retry::is_worthwhile(status.as_u16()).then_some(asked_for)));
        }
        if is_longer {
            return Err((JudgeError::LongAnswer, None));
        }
        Ok(body)
    }

    fn mask(&self, text: &str) -> String {
        let one_line: String =
            text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
        self.options.key.as_ref().map_or(one_line.clone(), |key| key.mask_in(&one_line))
    }
}

/// An error with its causes, without the address, which the caller knows.
fn causes(error: &reqwest::Error) -> String {
    let mut text = match error {
        _ if error.is_connect() => "no connection".to_owned(),
        _ if error.is_timeout() => "no answer in time".to_owned(),
        _ => "the connection broke".to_owned(),
    };
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_none_are_refused_without_showing_a_password() {
        for (url, expected) in [
            ("not an address", "it is no address"),
            ("ftp://host/v1", "neither http nor https"),
            ("https://me:hunter2@host/v1", "a name or password"),
            ("https://host/v1?key=1", "a query"),
        ] {
            let error = Judge::new(JudgeOptions::new(url, "m")).unwrap_err().to_string();
            assert!(error.contains(expected) && !error.contains("hunter2"), "{error}");
        }
        let judge = Judge::new(JudgeOptions::new("http://127.0.0.1:9/v1/", "m")).unwrap();
        assert_eq!(judge.endpoint, "http://127.0.0.1:9/v1/chat/completions");
    }
}
