//! Agents from outside: models over HTTP, processes over JSON Lines, and state mode.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod commands;
mod every_scenario;
mod exec;
mod faults;
mod generate;
mod model_server;
mod models;
mod state;
