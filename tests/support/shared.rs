//! Public data that is no part of this repository.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::{Path, PathBuf};

/// A file or folder of it, below the folder `data` that lies where `DISCREET_SHARED` says; `None`, said
/// on stderr, where it is not there.
pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("DISCREET_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from)
        .join("data")
        .join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there (set DISCREET_SHARED to the folder of public data)", path.display());
    None
}
