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

/// Whether whoever started us wants a signal to be ignored, as `nohup` does with SIGHUP. Unknown is no.
#[cfg(feature = "browser")]
pub(super) fn is_ignored(kind: SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignored(&status) & (1 << (kind.as_raw_value() - 1)) != 0
}

/// The set of ignored signals in a process's status; bit 0 stands for signal 1.
#[cfg(feature = "browser")]
fn ignored(status: &str) -> u64 {
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or(0)
}

/// Prints the address that is served.
pub(super) fn announce(address: &str) {
    output::data(address);
    output::note("Open this address in a browser. Press Ctrl-C to stop.");
}

#[cfg(all(test, feature = "browser"))]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_status() {
        assert_eq!(ignored("Name:\tx\nSigBlk:\t0000000000000002\nSigIgn:\t0000000000001001\n"), 0x1001);
        assert_eq!(ignored("SigIgn:\tnone\n"), 0);
        assert_eq!(ignored(""), 0);
        assert!(!is_ignored(SignalKind::terminate()));
    }
}
