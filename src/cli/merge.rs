//! `discreet merge`.

use std::path::PathBuf;

use super::{exit_code, output, remote};
use crate::error::Explain as _;
use crate::report::{Grouping, closing_json, closing_table, merge, summarise};
use crate::stats::Bootstrap;

/// Joins the shards of a run into one run.
///
/// All folders that `discreet run --shard I/N` wrote have to be given, each whole. They stay as they
/// are; the joined run is what one machine would have written, apart from times.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet merge runs/shard-1 runs/shard-2 runs/shard-3 --out runs/whole
  discreet merge s3://bucket/run/1 s3://bucket/run/2 --out s3://bucket/run/whole

Exit codes: 0 done; 2 the folders are no shards of one run, or one is given twice; 5 a shard is missing
or has not ended; 6 the disk is full; 8 a folder is no run.")]
pub(crate) struct Arguments {
    /// The shards' folders, or their `s3://` addresses
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// The joined run's folder, or `s3://` address; it must be empty or not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print the closing table as JSON to stdout
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let shards = match remote::fetch(&arguments.shards) {
        Ok(shards) => shards,
        Err(code) => return code,
    };
    let mut out = Some(arguments.out.clone());
    let destination = match remote::Destination::of(&mut out, false) {
        Ok(destination) => destination,
        Err(code) => return code,
    };
    let out = out.unwrap_or_else(|| arguments.out.clone());
    let rows = match merge(&shards.folders, &out) {
        Ok(rows) => rows,
        Err(error) => {
            output::error(&error);
            return exit_code::for_fault(error.fault());
        }
    };
    let summaries = summarise(&rows, &Grouping::for_closing_table(&rows), Bootstrap::default());
    if arguments.json {
        output::data(&closing_json(&summaries).to_string());
    } else {
        output::data(&closing_table(&summaries, output::width()));
    }
    output::note(&format!(
        "{} episodes of {} shards; rows in {}",
        rows.len(),
        arguments.shards.len(),
        out.join(crate::report::RESULTS_FILE).display()
    ));
    destination.map_or(exit_code::OK, remote::Destination::copy)
}
