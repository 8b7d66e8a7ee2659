//! The `discreet` binary: parse, dispatch, map the result to an exit code; nothing else.

fn main() -> std::process::ExitCode {
    discreet::cli::main()
}
