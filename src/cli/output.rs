//! The only place that prints. Data goes to stdout, everything else to stderr.

use std::io::Write as _;

use crate::error::Explain;
pub(crate) use crate::report::printable;

/// Writes one line of data to stdout. A closed pipe (`| head`) is no error: the rest is not wanted.
pub(crate) fn data(line: &str) {
    let mut stdout = std::io::stdout().lock();
    if stdout.write_all(line.as_bytes()).and_then(|()| stdout.write_all(b"\n")).is_err() {
        // Nobody reads any more; the exit code still tells what happened.
    }
}

/// Writes one line for a person to stderr.
pub(crate) fn note(line: &str) {
    let mut stderr = std::io::stderr().lock();
    if writeln!(stderr, "{line}").is_err() {
        // Nowhere left to say it.
    }
}

/// Where logs go.
pub(crate) fn log_stream() -> std::io::Stderr {
    std::io::stderr()
}

/// Columns of the terminal that stdout goes to; `None` when it goes to a file or pipe.
pub(crate) fn width() -> Option<u16> {
    use std::io::IsTerminal as _;
    std::io::stdout().is_terminal().then(|| console_width().max(60))
}

fn console_width() -> u16 {
    let from_environment = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    from_environment.unwrap_or(120)
}

/// Reports an error: what failed, its causes, and a hint on a line of its own.
pub(crate) fn error(error: &dyn Explain) {
    let mut said = error.to_string();
    note(&format!("error: failed to {said}"));
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let text = inner.to_string();
        // Many an error says its cause itself.
        if !said.ends_with(&text) {
            note(&format!("  caused by: {text}"));
            said = text;
        }
        cause = inner.source();
    }
    if let Some(hint) = error.hint() {
        note(&format!("hint: {hint}"));
    }
}

/// Tells that a trace could not be dealt with, on one line of the data; the exit code.
pub(crate) fn bad_trace(trace: &str, error: &impl Explain, as_json: bool) -> u8 {
    data(&if as_json {
        serde_json::json!({ "trace": trace, "ok": false, "message": error.to_string() }).to_string()
    } else {
        format!("bad: failed to {error}")
    });
    if let Some(hint) = error.hint() {
        note(&format!("hint: {hint}"));
    }
    super::exit_code::for_fault(error.fault())
}
