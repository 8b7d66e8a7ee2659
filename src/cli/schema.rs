//! `discreet schema`.

use super::{exit_code, output};

/// Prints the JSON Schema of a format.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  discreet schema row > row.schema.json")]
pub(crate) struct Arguments {
    /// Which format.
    format: Format,
}

/// The formats that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One line of an episode's `trace.jsonl`.
    Trace,
    /// One line of a run's `results.jsonl`.
    Row,
    /// A scenario file.
    Scenario,
    /// A study file, as JSON Schema of what its TOML says.
    Study,
}

impl Format {
    fn schema(self) -> serde_json::Value {
        match self {
            Self::Trace => crate::trace::schema(),
            Self::Row => crate::report::row_schema(),
            Self::Scenario => crate::scenario::schema(),
            Self::Study => schemars::schema_for!(super::study_file::StudyFile).to_value(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    match serde_json::to_string_pretty(&arguments.format.schema()) {
        Ok(text) => {
            output::data(&text);
            exit_code::OK
        }
        Err(error) => {
            output::note(&format!("error: failed to write the schema: {error}"));
            exit_code::INTERNAL
        }
    }
}
