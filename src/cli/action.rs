//! `discreet action`: for people who debug prompts, what the parser makes of an agent's text, and
//! what an agent may write.

use std::io::{BufRead, Read as _};

use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};

use crate::action::{ActionError, ActionSet, Call, ParseOptions, grammar};

use super::{exit_code, output};

/// The longest input line that is read, in bytes. A text of the longest length with every character
/// escaped as `\u0000` fits.
const MAX_LINE_BYTES: u64 = 8 * grammar::MAX_CHARACTERS as u64;

/// Reads action texts, and lists the actions there are.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Debug, Subcommand)]
enum Commands {
    Parse(ParseArguments),
    List(ListArguments),
}

/// Reads action texts, one JSON string per line, and prints the calls in each.
///
/// Prints a line of JSON per line of input: `{"calls": [{"name", "args", "kwargs"}]}`, or
/// `{"error": "ValueError", "message": "…"}`. A line that is no JSON string gives the error
/// `InputError`, and the next line is read.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  echo '\"noop(500)\"' | discreet action parse\n  {\"calls\":[{\"args\":[500],\"kwargs\":{},\"name\":\"noop\"}]}"
)]
struct ParseArguments {
    /// The whole text must be calls; otherwise calls are looked for anywhere in it
    #[arg(long)]
    strict: bool,
    /// More than one call is an error
    #[arg(long)]
    single: bool,
    /// Exactly as BrowserGym 0.14.3 reads it, without the improvements of docs/actions.md
    #[arg(long)]
    compat: bool,
    /// Also check names and arguments against this set of actions; see `discreet action list`
    #[arg(long, value_name = "NAME")]
    set: Option<String>,
}

/// Lists the actions with their arguments, or the text or tools an agent is given for them.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  discreet action list --set workspace\n  discreet action list --set chat,bid,nav --prompt\n  discreet action list --json"
)]
struct ListArguments {
    /// The set of actions; several joined by commas give their union
    #[arg(long, value_name = "NAME", default_value = "all")]
    set: String,
    /// Print function tools with JSON schemas, one per line
    #[arg(long, conflicts_with = "prompt")]
    json: bool,
    /// Print the text that prompts hold
    #[arg(long)]
    prompt: bool,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    match &arguments.command {
        Commands::Parse(arguments) => parse(arguments),
        Commands::List(arguments) => list(arguments),
    }
}

fn parse(arguments: &ParseArguments) -> u8 {
    let set = match arguments.set.as_deref().map(ActionSet::named).transpose() {
        Ok(set) => set,
        Err(error) => {
            output::error(&error);
            return exit_code::USAGE;
        }
    };
    let options =
        ParseOptions { strict: arguments.strict, multi: !arguments.single, compat: arguments.compat };
    let mut input = std::io::stdin().lock();
    loop {
        match read_line(&mut input) {
            Ok(None) => return exit_code::OK,
            Ok(Some(line)) => output::data(&answer(&line, options, set.as_ref()).to_string()),
            Err(error) => {
                output::note(&format!("error: failed to read stdin: {error}"));
                return exit_code::INTERNAL;
            }
        }
    }
}

/// A line of input, as far as it is read.
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// The next line without its line break, or `None` at the end. Of a line that is too long the rest is
/// passed over.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(Line::Whole(line)));
    }
    if line.len() as u64 <= MAX_LINE_BYTES {
        return Ok(Some(Line::Whole(line)));
    }
    input.skip_until(b'\n')?;
    Ok(Some(Line::TooLong))
}

fn answer(line: &Line, options: ParseOptions, set: Option<&ActionSet>) -> Json {
    let failure = |error: &ActionError| json!({"error": error.class, "message": error.message});
    let line = match line {
        Line::Whole(line) => line,
        Line::TooLong => {
            let message = format!("the line has more than {MAX_LINE_BYTES} bytes");
            return failure(&ActionError { class: "InputError", message });
        }
    };
    let text: String = match serde_json::from_slice(line) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("the line is no JSON string: {error}");
            return failure(&ActionError { class: "InputError", message });
        }
    };
    match calls(&text, options, set) {
        Ok(calls) => json!({"calls": calls.iter().map(Call::to_json).collect::<Vec<_>>()}),
        Err(error) => failure(&error),
    }
}

/// Without a set the compatible mode takes any name, as BrowserGym's parser does; the default mode
/// takes the name of any action.
fn calls(text: &str, options: ParseOptions, set: Option<&ActionSet>) -> Result<Vec<Call>, ActionError> {
    match set {
        Some(set) => {
            let calls = set.calls(text, options)?;
            calls.iter().try_for_each(|call| set.bind(call).map(|_| ()))?;
            Ok(calls)
        }
        None if options.compat => grammar::calls(text, options),
        None => {
            let calls = grammar::calls(text, options)?;
            ActionSet::all().check_names(&calls, options)?;
            Ok(calls)
        }
    }
}

fn list(arguments: &ListArguments) -> u8 {
    let set = match ActionSet::named(&arguments.set) {
        Ok(set) => set,
        Err(error) => {
            output::error(&error);
            return exit_code::USAGE;
        }
    };
    if arguments.json {
        set.tools().iter().for_each(|tool| output::data(&tool.to_string()));
    } else if arguments.prompt {
        output::data(set.describe(true).trim_end());
    } else {
        output::data(&set.summary());
        output::note(&format!("sets: {}", ActionSet::names().join(", ")));
    }
    exit_code::OK
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &[u8]) -> Vec<Json> {
        let mut input = input;
        let mut out = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            out.push(answer(&line, ParseOptions::default(), None));
        }
        out
    }

    #[test]
    fn every_line_of_input_gives_one_line_of_output() {
        let out = answers(b"\"click('1')\"\nnot json\n17\n\n\"\\ud800\"\n\"\xff\"\n\"noop(1.5)\"");
        assert_eq!(out.len(), 7);
        assert_eq!(out[0], json!({"calls": [{"name": "click", "args": ["1"], "kwargs": {}}]}));
        for bad in &out[1..6] {
            assert_eq!(bad["error"], "InputError", "{bad}");
        }
        assert_eq!(out[6]["calls"][0]["args"], json!([{"float": "1.5"}]));
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let mut input = vec![b'"'; usize::try_from(MAX_LINE_BYTES).unwrap() + 5];
        input.extend(b"\n\"noop()\"\n");
        let out = answers(&input);
        assert_eq!(out.len(), 2);
        assert_eq!(out[0]["error"], "InputError");
        assert_eq!(out[1]["calls"][0]["name"], "noop");
    }

    #[test]
    fn names_are_checked_except_in_compatible_mode() {
        let compat = ParseOptions { compat: true, ..ParseOptions::default() };
        assert!(calls("clik('1')", compat, None).is_ok());
        let error = calls("clik('1')", ParseOptions::default(), None).unwrap_err();
        assert!(
            error.message.starts_with("Invalid action type 'clik'. Did you mean 'click'? Allowed: noop, ")
        );
        let set = ActionSet::named("chat").unwrap();
        assert_eq!(calls("click('1')", ParseOptions::default(), Some(&set)).unwrap_err().class, "NameError");
        assert_eq!(calls("noop(1, 2)", ParseOptions::default(), Some(&set)).unwrap_err().class, "TypeError");
    }
}
