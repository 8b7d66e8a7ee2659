//! The flag `--variation`, which several commands have.

use super::{exit_code, output};
use crate::error::Explain as _;
use crate::scenario::variation::VariationChoice;

/// Reads the flag; what is wrong with it is told, and the exit code given back.
pub(super) fn read(text: &str) -> Result<VariationChoice, u8> {
    text.parse().map_err(|error: crate::scenario::variation::VariationError| {
        output::error(&error);
        exit_code::for_fault(error.fault())
    })
}
