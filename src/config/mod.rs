//! Defaults, environment variables, and what everything that talks to a provider shares: masked
//! keys, when to try again, and how a client is set up.

pub mod env_vars;

mod http;
mod retry;
mod secret;

pub use http::{bounded_body, http_client, is_loopback};
pub use retry::{Retry, retry_after};
pub use secret::Secret;
