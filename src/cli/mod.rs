//! The command line: one file per subcommand, each a `clap` argument struct and a `run` that
//! returns an exit code. `output` is the only place that prints.

pub mod exit_code;
pub(crate) mod output;

mod action;
mod agents;
#[cfg(feature = "browser")]
mod certify;
mod check;
mod compare;
#[cfg(feature = "browser")]
mod dialogs;
mod doctor;
#[cfg(feature = "browser")]
mod events;
mod explain;
mod export;
#[cfg(feature = "browser")]
mod generate;
mod judge;
mod logging;
mod merge;
mod new;
#[cfg(feature = "browser")]
mod observe;
#[cfg(feature = "browser")]
mod prompts;
mod redact;
mod remote;
#[cfg(feature = "browser")]
mod replay;
mod report;
mod rescore;
#[cfg(feature = "browser")]
mod run;
#[cfg(feature = "browser")]
mod run_agents;
#[cfg(any(feature = "browser", feature = "s3"))]
mod runtime;
#[cfg(feature = "browser")]
mod scheduling;
mod schema;
mod score;
mod score_sets;
mod serve;
mod signals;
#[cfg(feature = "browser")]
mod study;
mod study_file;
mod variation;
mod verify;
mod view;

use clap::{Parser, Subcommand};

/// Tells whether a computer-use agent says things to people who should not hear them.
#[derive(Debug, Parser)]
#[command(name = "discreet", version, about, arg_required_else_help = true, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Debug, Subcommand)]
enum Commands {
    Check(check::Arguments),
    New(new::Arguments),
    #[cfg(feature = "browser")]
    Generate(Box<generate::Arguments>),
    Export(export::ExportArguments),
    Import(export::ImportArguments),
    Score(score::Arguments),
    Rescore(rescore::Arguments),
    Explain(explain::Arguments),
    Action(action::Arguments),
    #[cfg(feature = "browser")]
    Replay(replay::Arguments),
    Report(report::Arguments),
    Compare(compare::Arguments),
    View(view::Arguments),
    Redact(redact::Arguments),
    Verify(verify::Arguments),
    Merge(merge::Arguments),
    Schema(schema::Arguments),
    #[cfg(feature = "browser")]
    Run(Box<run::Arguments>),
    #[cfg(feature = "browser")]
    Study(Box<study::Arguments>),
    #[cfg(feature = "browser")]
    Observe(observe::Arguments),
    Agents(agents::Arguments),
    Serve(serve::Arguments),
    Doctor(doctor::Arguments),
}

/// Parses the command line, runs the command, and returns the exit code.
#[must_use]
pub fn main() -> std::process::ExitCode {
    {
        let mut words = std::env::args_os().skip(1);
        if words.next().is_some_and(|word| word == crate::agent::exec::GUARD_COMMAND) {
            return std::process::ExitCode::from(crate::agent::exec::run_guard(&words.collect::<Vec<_>>()));
        }
    }
    // The guard takes a browser's command line, which is not ours to parse.
    #[cfg(feature = "browser")]
    {
        let mut words = std::env::args_os().skip(1);
        if words.next().is_some_and(|word| word == crate::browser::GUARD_COMMAND) {
            return std::process::ExitCode::from(crate::browser::run_guard(&words.collect::<Vec<_>>()));
        }
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // clap's own exit code for a wrong command line is 2 as well; help and version are 0.
            let code = if error.use_stderr() { exit_code::USAGE } else { exit_code::OK };
            let _ = error.print();
            return std::process::ExitCode::from(code);
        }
    };
    let logging = logging::Logging::start();
    let code = match arguments.command {
        Commands::Check(arguments) => check::run(&arguments),
        Commands::New(arguments) => new::run(&arguments),
        #[cfg(feature = "browser")]
        Commands::Generate(arguments) => generate::run(&arguments),
        Commands::Export(arguments) => export::export(&arguments),
        Commands::Import(arguments) => export::import(&arguments),
        Commands::Score(arguments) => score::run(&arguments),
        Commands::Rescore(arguments) => rescore::run(&arguments),
        Commands::Explain(arguments) => explain::run(&arguments),
        Commands::Action(arguments) => action::run(&arguments),
        #[cfg(feature = "browser")]
        Commands::Replay(arguments) => replay::run(&arguments),
        Commands::Report(arguments) => report::run(&arguments),
        Commands::Compare(arguments) => compare::run(&arguments),
        Commands::Redact(arguments) => redact::run(&arguments),
        Commands::View(arguments) => view::run(&arguments),
        Commands::Verify(arguments) => verify::run(&arguments),
        Commands::Merge(arguments) => merge::run(&arguments),
        Commands::Schema(arguments) => schema::run(&arguments),
        #[cfg(feature = "browser")]
        Commands::Run(arguments) => run::run(&arguments),
        #[cfg(feature = "browser")]
        Commands::Study(arguments) => study::run(&arguments),
        #[cfg(feature = "browser")]
        Commands::Observe(arguments) => observe::run(&arguments),
        Commands::Agents(arguments) => agents::run(&arguments),
        Commands::Serve(arguments) => serve::run(&arguments),
        Commands::Doctor(arguments) => doctor::run(&arguments),
    };
    logging.finish();
    std::process::ExitCode::from(code)
}
