//! The asynchronous runtime of commands that wait for something.

use tokio::runtime::Runtime;

use super::{exit_code, output};

/// Starts it. `Err` is an exit code, and said already.
pub(super) fn start() -> Result<Runtime, u8> {
    Runtime::new().map_err(|error| {
        output::note(&format!("error: failed to start: {error}"));
        exit_code::INTERNAL
    })
}
