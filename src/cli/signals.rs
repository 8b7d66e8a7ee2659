//! What commands have in common that serve until they are interrupted.

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{exit_code, output};

/// SIGINT and SIGTERM.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Listens from now on: before an address is printed, because who has read it may interrupt at once.
    /// Returns an exit code when that is not possible.
    pub(super) fn listen() -> Result<Self, u8> {
        let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
        if let (Ok(interrupt), Ok(terminate)) = signals {
            return Ok(Self { interrupt, terminate });
        }
        output::note("error: failed to listen for signals");
        Err(exit_code::INTERNAL)
    }

    /// Waits for the first of them and returns its exit code.
    pub(super) async fn first(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => exit_code::SIGINT,
            _ = self.terminate.recv() => exit_code::SIGTERM,
        }
    }
}

/// Prints the address that is served.
pub(super) fn announce(address: &str) {
    output::data(address);
    output::note("Open this address in a browser. Press Ctrl-C to stop.");
}
