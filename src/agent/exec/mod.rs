//! An agent in a process of its own, in any language: JSON Lines over stdin and stdout.
//!
//! `docs/agents.md` describes the protocol. Whatever the process does, the episode goes on or ends
//! with a named outcome: lines are bounded, replies have a deadline, garbage costs a step, a death or
//! an endless line ends the episode as `agent_invalid`. The process sees a cleaned environment and
//! lives in a group of its own behind a guard ([`run_guard`]), which ends it and everything it started
//! when we are gone.

mod agent;
mod guard;
mod lines;
mod protocol;

pub use agent::{Exec, ExecOptions};
pub use guard::{COMMAND as GUARD_COMMAND, run as run_guard};
