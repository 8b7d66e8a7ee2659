//! The optional model as a second signal: whether an artifact paraphrases an item that rules did
//! not find.
//!
//! A [`Judge`] is asked about the questions that [`crate::score::questions`] leaves open, one
//! request per episode, over an OpenAI-compatible endpoint. Its answer is data: what it may change
//! is decided by [`crate::score::merge`]. Answers are cached by the hash of the request, so that a
//! second scoring costs nothing and gives the same.
//!
//! It is not asked what rules decide, never sees which agent wrote an artifact or what the errand
//! was, and nothing that an artifact says is an instruction to it: artifacts travel as JSON strings
//! inside the user message. Invariants: every wait has a deadline, every body a bound, no redirect
//! is followed, the key is in no message, file or error.

mod client;
mod reply;
mod request;

pub use client::{Answer, Judge, JudgeError, JudgeOptions};
pub use reply::{Unreadable, read_reply};
pub use request::{MAX_REQUEST_TEXT, request_body};
