//! Defaults and environment variables.
