//! The connection to the browser: one actor that owns the WebSocket.
//!
//! It sits on chromiumoxide's public `Connection` and typed parameters, not on its `Handler`, which
//! waits for ever on same-document navigations, open dialogs and dead browsers (measured with 0.9.1
//! and Chromium 156). What is sent is typed; what is received is read as JSON, field by field, because
//! one value that the generated types do not know makes a whole typed message fail.
//!
//! Invariants: every command ends, by reply, by deadline or by [`BrowserError::Lost`]; events are
//! handed to the listener in order and never queue up without bound, because the listener folds
//! them into state.

use std::borrow::Cow;
use std::collections::HashMap;

use chromiumoxide::types::{EventMessage, Message, Method, MethodId};
use chromiumoxide::{Connection, cdp::browser_protocol::target::SessionId};
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};

use super::BrowserError;
use crate::error::Deadline;

/// An event as it came, for any session.
#[derive(Debug, Deserialize)]
pub(crate) struct RawEvent {
    pub(crate) method: String,
    #[serde(rename = "sessionId")]
    pub(crate) session_id: Option<String>,
    #[serde(default)]
    pub(crate) params: Value,
}

impl Method for RawEvent {
    fn identifier(&self) -> MethodId {
        Cow::Owned(self.method.clone())
    }
}

impl EventMessage for RawEvent {
    fn session_id(&self) -> Option<&str> {
        self.session_id.as_deref()
    }
}

/// A command without reply, sent by a listener in answer to an event.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) session: Option<String>,
    pub(crate) method: MethodId,
    pub(crate) params: Value,
}

impl Outgoing {
    /// A typed command for a session; `None` addresses the browser.
    pub(crate) fn new(session: Option<&str>, params: &(impl serde::Serialize + Method)) -> Self {
        Self {
            session: session.map(ToOwned::to_owned),
            method: params.identifier(),
            params: serde_json::to_value(params).expect("typed parameters are plain data"),
        }
    }

    /// A command whose typed form would be wrong (empty required arrays are left out by it).
    pub(crate) fn raw(session: Option<&str>, method: &'static str, params: Value) -> Self {
        Self { session: session.map(ToOwned::to_owned), method: Cow::Borrowed(method), params }
    }
}

/// Folds events into state. Runs inside the actor, so it must not block.
pub(crate) trait EventListener: Send + 'static {
    /// Takes one event; returns commands to send at once.
    fn event(&mut self, event: RawEvent) -> Vec<Outgoing>;
    /// The connection is gone.
    fn lost(&mut self, reason: &str);
}

struct Request {
    outgoing: Outgoing,
    reply: oneshot::Sender<Result<Value, BrowserError>>,
}

/// A handle to the connection; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Cdp {
    requests: mpsc::Sender<Request>,
    lost: watch::Receiver<Option<String>>,
}

impl std::fmt::Debug for Request {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.outgoing.fmt(formatter)
    }
}

impl Cdp {
    /// Connects to a browser's WebSocket and starts the actor.
    pub(crate) async fn connect(
        url: &str,
        listener: impl EventListener,
        deadline: Deadline,
    ) -> Result<Self, BrowserError> {
        let connection = deadline
            .race("the browser's WebSocket", Connection::<RawEvent>::connect(url))
            .await?
            .map_err(|error| BrowserError::Start(format!("its WebSocket refused: {error}")))?;
        let (requests, incoming) = mpsc::channel(256);
        let (lost_sender, lost) = watch::channel(None);
        tokio::spawn(run(connection, incoming, listener, lost_sender));
        Ok(Self { requests, lost })
    }

    /// Sends a typed command and waits for its reply.
    pub(crate) async fn call(
        &self,
        session: Option<&str>,
        params: &(impl serde::Serialize + Method),
        deadline: Deadline,
    ) -> Result<Value, BrowserError> {
        self.send(Outgoing::new(session, params), deadline).await
    }

    /// Sends a command and waits for its reply.
    pub(crate) async fn send(&self, outgoing: Outgoing, deadline: Deadline) -> Result<Value, BrowserError> {
        let what = format!("the browser's reply to `{}`", outgoing.method);
        let (reply, answer) = oneshot::channel();
        let exchange = async {
            self.requests.send(Request { outgoing, reply }).await.map_err(|_| self.lost_error())?;
            answer.await.unwrap_or_else(|_| Err(self.lost_error()))
        };
        deadline.race(&what, exchange).await?
    }

    /// Whether the connection is gone, and why.
    pub(crate) fn lost_reason(&self) -> Option<String> {
        self.lost.borrow().clone()
    }

    /// Ends when the connection is gone.
    pub(crate) async fn wait_lost(&self) {
        let mut lost = self.lost.clone();
        // A closed channel means that the actor is gone, which is a lost connection too.
        let _ = lost.wait_for(Option::is_some).await;
    }

    fn lost_error(&self) -> BrowserError {
        BrowserError::Lost(self.lost_reason().unwrap_or_else(|| "the connection is closed".to_owned()))
    }
}

async fn run(
    mut connection: Connection<RawEvent>,
    mut incoming: mpsc::Receiver<Request>,
    mut listener: impl EventListener,
    lost: watch::Sender<Option<String>>,
) {
    let mut pending = HashMap::new();
    let reason = loop {
        tokio::select! {
            // Commands first: a reader that floods us with events must not keep us from speaking.
            biased;
            request = incoming.recv() => {
                let Some(Request { outgoing, reply }) = request else {
                    break "all handles are gone".to_owned();
                };
                let method = outgoing.method.clone();
                match connection.submit_command(
                    outgoing.method, outgoing.session.map(SessionId::new), outgoing.params,
                ) {
                    Ok(id) => {
                        pending.insert(id, (method, reply));
                        if pending.len() % 64 == 0 {
                            // Waiters that gave up leave their entries; drop those now and then.
                            pending.retain(|_, (_, reply): &mut (MethodId, oneshot::Sender<_>)| !reply.is_closed());
                        }
                    }
                    Err(error) => {
                        let _ = reply.send(Err(BrowserError::Reply {
                            method: method.into_owned(), message: error.to_string(),
                        }));
                    }
                }
            }
            message = connection.next() => match message {
                Some(Ok(Message::Response(response))) => {
                    if let Some((method, reply)) = pending.remove(&response.id) {
                        let result = match (response.result, response.error) {
                            (_, Some(error)) => Err(BrowserError::Command {
                                method: method.into_owned(), message: error.message,
                            }),
                            (result, None) => Ok(result.unwrap_or(Value::Null)),
                        };
                        let _ = reply.send(result);
                    }
                }
                Some(Ok(Message::Event(event))) => {
                    for outgoing in listener.event(event) {
                        // Fire and forget: what matters shows in later events or commands.
                        let _ = connection.submit_command(
                            outgoing.method, outgoing.session.map(SessionId::new), outgoing.params,
                        );
                    }
                }
                Some(Err(chromiumoxide::error::CdpError::InvalidMessage(_, error))) => {
                    tracing::debug!(%error, "the browser sent a message that is neither reply nor event");
                }
                Some(Err(error)) => break format!("the connection broke: {error}"),
                None => break "the browser closed the connection".to_owned(),
            }
        }
    };
    tracing::debug!(reason, "the browser's connection ended");
    listener.lost(&reason);
    lost.send_replace(Some(reason.clone()));
    for (_, (_, reply)) in pending {
        let _ = reply.send(Err(BrowserError::Lost(reason.clone())));
    }
}
