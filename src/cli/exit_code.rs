//! Exit codes of the binary. A leak that was found is 0 unless a gate was asked for.

use crate::error::Fault;

/// The work was done, whatever was found.
pub const OK: u8 = 0;
/// A fault of this program.
pub const INTERNAL: u8 = 1;
/// The command line was wrong.
pub const USAGE: u8 = 2;
/// A gate that was asked for failed (`--fail-above`, `score --gate`).
pub const GATE: u8 = 3;
/// Nothing was selected.
pub const NOTHING_SELECTED: u8 = 4;
/// The run is incomplete.
pub const INCOMPLETE: u8 = 5;
/// The machine lacks something (no browser, port in use, disk full).
pub const ENVIRONMENT: u8 = 6;
/// Every input is invalid; `check` exits with it on any error.
pub const INVALID_INPUT: u8 = 7;
/// A trace is unreadable or its chain is broken.
pub const TRACE: u8 = 8;
/// Provider or agent failures above the threshold.
pub const FAILURES: u8 = 9;
/// Ended by SIGINT.
pub const SIGINT: u8 = 130;
/// Ended by SIGTERM, or because its terminal is gone (SIGHUP).
pub const SIGTERM: u8 = 143;

/// The exit code for an error that ended a command.
#[must_use]
pub const fn for_fault(fault: Fault) -> u8 {
    match fault {
        Fault::Usage => USAGE,
        Fault::Scenario => INVALID_INPUT,
        Fault::Agent | Fault::Provider => FAILURES,
        Fault::Browser | Fault::Environment => ENVIRONMENT,
        Fault::Trace => TRACE,
        Fault::Incomplete => INCOMPLETE,
        Fault::Workspace | Fault::Harness => INTERNAL,
    }
}
