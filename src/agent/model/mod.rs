//! Models behind an HTTP API: three protocols, one client.
//!
//! For: turning a conversation into a request, sending it, and reading the answer, with retries under
//! a deadline, a rate limit per server, a budget per run and a cache by request hash. Not for: what
//! stands in a prompt (`llm`).
//!
//! Decision (2026-11): no client crate. What has to be exact here is just what such crates hide: the
//! bytes of request and answer go into the trace and are the key of the cache; bodies are bounded; no
//! redirect carries a key; `Retry-After`, a total deadline and a shared pause decide when to ask again;
//! servers get fields no crate knows (`grammar`). `genai` was looked at; it does not retry and would
//! add 24 crates for the three small translations in `protocol`.
//!
//! Invariants: a key is only ever put into a header; every wait has a deadline; an answer that cannot
//! be read is an error, never an empty reply; what was used is counted also where the answer was not.

mod budget;
mod client;
mod limiter;
mod prices;
mod protocol;
mod provider;
mod types;

pub use budget::{Budget, Spending};
pub use client::{Called, Models, ModelsOptions};
pub use prices::Price;
pub use protocol::Protocol;
pub use provider::{Provider, ProviderError, known_providers};
pub(crate) use types::image_tokens;
pub use types::{Message, ModelReply, ModelRequest, Part, Role, ToolCall, estimate_tokens};
