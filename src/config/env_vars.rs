//! Every environment variable that the program reads.

/// Path of the Chromium or headless shell to use instead of the installed ones.
pub const CHROMIUM: &str = "DISCREET_CHROMIUM";

/// Folder of public scenarios and vectors that tests use when it is there; default `../shared`.
pub const SHARED: &str = "DISCREET_SHARED";

/// Log filter (`discreet=debug`), in the syntax of `tracing-subscriber`; default: warnings.
pub const LOG: &str = "DISCREET_LOG";
