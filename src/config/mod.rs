//! Defaults, environment variables, and what everything that talks to a provider shares: masked
//! keys, which addresses are used, when to try again, how a client is set up, and kept answers; and
//! how what a guard's child leaves behind is ended.

pub mod env_vars;

mod answers;
mod http;
mod processes;
mod retry;
mod secret;

pub use answers::{AnswerKey, Answers};
pub use http::{BadAddress, base_address, bounded_body, http_client, is_loopback, without_password};
pub(crate) use processes::kill_where;
pub use retry::{Retry, retry_after, retry_after_of};
pub use secret::Secret;
