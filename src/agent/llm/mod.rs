//! The agent that asks a model.
//!
//! For: what stands in a prompt, in which order and how much of it; reading what a model answers;
//! asking again. Not for: how a server is talked to (`model`).
//!
//! Every step is one conversation of its own: system prompt (role, actions, form, examples, defense)
//! and one message with the goal, what was done so far, and what is seen now. A reply that cannot be
//! used is shown to the model with what is wrong with it, so many times. Requests and answers go into
//! the trace as they were. `docs/agents.md` has the settings.

mod agent;
mod config;
mod fit;
mod prompt;
mod reply;
mod setup;

pub use agent::Llm;
pub use config::{LlmConfig, ReplyForm};
pub use setup::{LlmError, LlmSetup};
