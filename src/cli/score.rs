//! `discreet score`.

/// Scores texts against lists of required and forbidden items.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments) -> u8 {
    super::output::note("error: failed to run this command: it is not built yet");
    super::exit_code::INTERNAL
}
