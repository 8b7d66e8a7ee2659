//! Defaults and environment variables.

pub mod env_vars;
