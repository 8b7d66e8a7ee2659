//! In place of coverage where this program was built without the browser.

#![expect(
    clippy::unnecessary_wraps,
    clippy::trivially_copy_pass_by_ref,
    reason = "the same signatures as with a browser"
)]

use std::convert::Infallible;

use serde_json::Value;

use super::super::output;
use super::Checked;
use crate::scenario::LoadedFile;
use crate::scenario::variation::VariationChoice;

/// There is none.
pub(super) type Coverage = Infallible;

#[derive(Debug, clap::Args)]
pub(super) struct BrowserArguments {}

pub(super) fn add(
    _checked: &mut [Checked<'_>],
    _variation: &VariationChoice,
    _arguments: &BrowserArguments,
) -> Result<(), u8> {
    output::note("warning: coverage is not known: this program was built without the browser");
    output::note("hint: `--no-coverage` checks the files only");
    Ok(())
}

pub(super) fn hint(_entry: &LoadedFile) -> String {
    String::new()
}

pub(super) fn cells(_coverage: Option<&Coverage>) -> [String; 4] {
    ["-"; 4].map(ToOwned::to_owned)
}

pub(super) fn json(coverage: &Coverage) -> Value {
    match *coverage {}
}

pub(super) fn places_json(coverage: &Coverage) -> Value {
    match *coverage {}
}

pub(super) fn places(coverage: &Coverage) -> Vec<String> {
    match *coverage {}
}
