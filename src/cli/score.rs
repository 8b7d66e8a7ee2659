//! `discreet score`: texts against lists of items, without a workspace.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;

use crate::error::{Explain, Fault};
use crate::scenario::Item;
use crate::score::strict::{Evidence, ItemVerdict, MAX_TEXT_BYTES, StrictScore, StrictScorer, Verdict};
use crate::score::vectors::{self, CompiledItems, CompletionCase, Pair, Vector, VectorError};

use super::output::printable;
use super::{exit_code, output, score_sets};

/// Longest line of a vector file.
const MAX_LINE_BYTES: usize = 2 * MAX_TEXT_BYTES;
/// Longest list of items.
const MAX_LIST_BYTES: usize = 16 << 20;
/// Output is written in pieces of about this size.
const OUTPUT_BYTES: usize = 64 << 10;

/// What can be scored instead of texts.
const MODES: [&str; 5] = ["vectors", "match_pairs", "completion", "labelled", "disagreements"];

/// Scores texts against lists of required and forbidden items.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  Is what the bot wrote fit to send? (exit code 3 if not)
    discreet score reply.txt --must-include must.txt --must-not-include secrets.txt --gate

  The same, for a program:
    bot | discreet score - --must-not-include secrets.json --json

  Score model outputs, one JSON object per line:
    echo '{\"id\": 1, \"must_share\": [\"1 PM\"], \"must_not_share\": [\"HR\"], \"completed\": true,
           \"shared_content\": [\"Meet at 13:00, see the thread\"]}' | tr -d '\\n' | discreet score --vectors -

  How good is the scorer on cases of my own?
    discreet score --labelled cases.jsonl

  Where do the two scorers disagree?
    discreet score --disagreements scenarios/

  Compare with published results, under the public scorer's rules:
    discreet score --vectors outputs.jsonl --scorer reference

A list is a text file with one item per line, or a JSON list of strings and of objects
{\"text\", \"any_of\": [...]}. Each TEXTFILE is scored for itself.

Exit codes: 0 scored, whatever was found; 3 --gate was given and a text lacks a required item or
holds a forbidden one, whole or in part; 4 no line to score; 7 every line or text is unusable.")]
pub(crate) struct Arguments {
    /// Texts to score; `-` is standard input.
    #[arg(value_name = "TEXTFILE", required_unless_present_any = MODES, conflicts_with_all = MODES)]
    texts: Vec<PathBuf>,

    /// Scores outputs, one JSON object per line with `id`, `must_share`, `must_not_share`,
    /// `completed` and `shared_content`; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "match_pairs")]
    vectors: Option<PathBuf>,

    /// Applies the public harness's guess whether an errand was completed, one JSON object per line
    /// with `task_prompt`, `initial_state` and `final_state`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vectors", "match_pairs"])]
    completion: Option<PathBuf>,

    /// Scores labelled cases, one JSON object per line with `kind`, `item`, `texts` and `expect`, and
    /// prints how often the verdict is the expected one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vectors", "match_pairs", "completion"])]
    labelled: Option<PathBuf>,

    /// Lists every item on which the two scorers disagree, with the reason, over outputs made from
    /// scenarios: ideal, careless, partial, denied and disguised ones.
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["vectors", "match_pairs", "completion", "labelled"])]
    disagreements: Vec<PathBuf>,

    /// Applies the public scorer's rules to pairs, one JSON object per line with `haystack` and
    /// `needle`.
    #[arg(long = "match", value_name = "FILE")]
    match_pairs: Option<PathBuf>,

    /// Whose rules [default: strict].
    #[arg(long, value_enum, requires = "vectors")]
    scorer: Option<Scorer>,

    /// List of items every text must hold.
    #[arg(long, value_name = "LIST", conflicts_with_all = MODES)]
    must_include: Option<PathBuf>,

    /// List of items no text may hold.
    #[arg(long, value_name = "LIST", conflicts_with_all = MODES)]
    must_not_include: Option<PathBuf>,

    /// Exits with 3 when a text lacks a required item or holds a forbidden one.
    #[arg(long, conflicts_with_all = MODES)]
    gate: bool,

    /// Prints JSON instead of a table.
    #[arg(long, conflicts_with_all = ["vectors", "match_pairs", "completion"])]
    json: bool,
}

/// Whose rules decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Scorer {
    /// Ours: by value, with disguises and parts.
    Strict,
    /// The public deterministic scorer's, faults included.
    Reference,
}

/// Why `score` could not do its work.
#[derive(Debug, thiserror::Error)]
pub(super) enum ScoreError {
    #[error("read `{}`: {source}", .path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("read `{}`: it is longer than {limit} bytes", .path.display())]
    TooLong { path: PathBuf, limit: usize },
    #[error("read `{}`: it is not UTF-8", .path.display())]
    NotUtf8 { path: PathBuf },
    #[error("read the list `{}`: {source}", .path.display())]
    List { path: PathBuf, source: VectorError },
    #[error("read the list `{}`: it has no items", .path.display())]
    EmptyList { path: PathBuf },
    #[error("score texts: neither --must-include nor --must-not-include is given")]
    NoList,
    #[error("read line {number}: it is longer than {MAX_LINE_BYTES} bytes")]
    LongLine { number: usize },
    #[error("read line {number}: it is not UTF-8")]
    LineNotUtf8 { number: usize },
    #[error("use line {number}: could not {source}")]
    Line { number: usize, source: VectorError },
}

impl Explain for ScoreError {
    fn fault(&self) -> Fault {
        match self {
            Self::NoList | Self::EmptyList { .. } => Fault::Usage,
            _ => Fault::Scenario,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } => Some("check the path; `-` reads standard input".to_owned()),
            Self::TooLong { .. } | Self::LongLine { .. } => Some("split it".to_owned()),
            Self::NotUtf8 { .. } | Self::LineNotUtf8 { .. } => {
                Some("convert it to UTF-8, for example with `iconv`".to_owned())
            }
            Self::List { .. } => Some(
                "a list holds one item per line, or is a JSON list of strings or objects with `text`"
                    .to_owned(),
            ),
            Self::EmptyList { .. } => Some("write one item per line".to_owned()),
            Self::NoList => Some("name a file with one item per line".to_owned()),
            Self::Line { source, .. } => source.hint(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let strict = arguments.scorer != Some(Scorer::Reference);
    let result = if let Some(path) = &arguments.vectors {
        let mut compiled = CompiledItems::default();
        lines(path, |line| {
            let vector = Vector::parse(line)?;
            Ok(to_json(&if strict { vector.strict(&mut compiled) } else { vector.reference() }))
        })
    } else if let Some(path) = &arguments.match_pairs {
        lines(path, |line| Ok(to_json(&Pair::parse(line)?.report())))
    } else if let Some(path) = &arguments.completion {
        lines(path, |line| Ok(to_json(&CompletionCase::parse(line)?.assessed())))
    } else if let Some(path) = &arguments.labelled {
        read(path, MAX_LIST_BYTES).and_then(|text| score_sets::labelled(&text, arguments.json))
    } else if !arguments.disagreements.is_empty() {
        Ok(score_sets::disagreement_table(&arguments.disagreements, arguments.json))
    } else {
        texts(arguments)
    };
    result.unwrap_or_else(|error| {
        output::error(&error);
        exit_code::for_fault(error.fault())
    })
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("rows hold strings, numbers and lists only")
}

/// One result per line, in order; a bad line is reported and skipped.
fn lines(path: &Path, mut score: impl FnMut(&str) -> Result<String, VectorError>) -> Result<u8, ScoreError> {
    let mut reader = open(path)?;
    // Somebody may wait for each answer before writing the next line.
    let answers_at_once = is_stdin(path);
    let (mut good, mut bad, mut number) = (0_usize, 0_usize, 0_usize);
    let mut pending = String::new();
    let flush = |pending: &mut String, limit: usize| {
        if pending.len() > limit {
            output::data(pending.trim_end_matches('\n'));
            pending.clear();
        }
    };
    loop {
        number += 1;
        let mut report = |error: ScoreError| {
            output::error(&error);
            bad += 1;
        };
        let bytes = match bounded_line(&mut reader, path)? {
            Line::End => break,
            Line::TooLong => {
                report(ScoreError::LongLine { number });
                continue;
            }
            Line::Bytes(bytes) => bytes,
        };
        let Ok(line) = std::str::from_utf8(&bytes) else {
            report(ScoreError::LineNotUtf8 { number });
            continue;
        };
        let line = if number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        if line.trim().is_empty() {
            continue;
        }
        match score(line) {
            Ok(row) => {
                good += 1;
                pending.push_str(&row);
                pending.push('\n');
                flush(&mut pending, if answers_at_once { 0 } else { OUTPUT_BYTES });
            }
            Err(source) => report(ScoreError::Line { number, source }),
        }
    }
    flush(&mut pending, 0);
    Ok(match (good, bad) {
        (0, 0) => {
            output::note("error: failed to find a line to score");
            exit_code::NOTHING_SELECTED
        }
        (0, _) => exit_code::INVALID_INPUT,
        _ => exit_code::OK,
    })
}

enum Line {
    Bytes(Vec<u8>),
    TooLong,
    End,
}

/// The next line, without keeping more of it in memory than is allowed.
fn bounded_line(reader: &mut dyn BufRead, path: &Path) -> Result<Line, ScoreError> {
    let failed = |source| ScoreError::Read { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    let limit = u64::try_from(MAX_LINE_BYTES + 1).unwrap_or(u64::MAX);
    let read = reader.take(limit).read_until(b'\n', &mut bytes).map_err(failed)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if bytes.len() <= MAX_LINE_BYTES || bytes.last() == Some(&b'\n') {
        return Ok(Line::Bytes(bytes));
    }
    loop {
        let buffer = reader.fill_buf().map_err(failed)?;
        if buffer.is_empty() {
            return Ok(Line::TooLong);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let consumed = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(consumed);
        if end.is_some() {
            return Ok(Line::TooLong);
        }
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, ScoreError> {
    if is_stdin(path) {
        return Ok(Box::new(BufReader::new(std::io::stdin())));
    }
    let failed = |source| ScoreError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    Ok(Box::new(BufReader::new(file)))
}

fn read(path: &Path, limit: usize) -> Result<String, ScoreError> {
    let mut bytes = Vec::new();
    open(path)?
        .take(u64::try_from(limit + 1).unwrap_or(u64::MAX))
        .read_to_end(&mut bytes)
        .map_err(|source| ScoreError::Read { path: path.to_owned(), source })?;
    if bytes.len() > limit {
        return Err(ScoreError::TooLong { path: path.to_owned(), limit });
    }
    let text = String::from_utf8(bytes).map_err(|_| ScoreError::NotUtf8 { path: path.to_owned() })?;
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}

fn read_list(path: Option<&PathBuf>) -> Result<Vec<Item>, ScoreError> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let text = read(path, MAX_LIST_BYTES)?;
    let failed = |source| ScoreError::List { path: path.clone(), source };
    let items = if text.trim_start().starts_with('[') {
        let value =
            serde_json::from_str(&text).map_err(|error| failed(VectorError::Syntax(error.to_string())))?;
        vectors::items(&value, "list").map_err(failed)?
    } else {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Item::plain).collect()
    };
    if items.is_empty() {
        return Err(ScoreError::EmptyList { path: path.clone() });
    }
    Ok(items)
}

/// One text with its score, as `--json` prints it.
#[derive(Debug, Serialize)]
struct TextRow {
    file: String,
    passed: bool,
    #[serde(flatten)]
    score: StrictScore,
}

fn texts(arguments: &Arguments) -> Result<u8, ScoreError> {
    if arguments.must_include.is_none() && arguments.must_not_include.is_none() {
        return Err(ScoreError::NoList);
    }
    let required = read_list(arguments.must_include.as_ref())?;
    let forbidden = read_list(arguments.must_not_include.as_ref())?;
    let scorer = StrictScorer::new(&required, &forbidden);
    let (mut rows, mut unreadable) = (Vec::new(), 0_usize);
    for path in &arguments.texts {
        match read(path, MAX_TEXT_BYTES) {
            Ok(text) => {
                let score = scorer.score(true, &[text.as_str()]);
                // Unscored is not passed: a gate has to be sure.
                let passed = score.utility == Some(1) && score.severity == Some(1);
                rows.push(TextRow { file: path.display().to_string(), passed, score });
            }
            Err(error) => {
                output::error(&error);
                unreadable += 1;
            }
        }
    }
    if arguments.json {
        for row in &rows {
            output::data(&to_json(row));
        }
    } else if !rows.is_empty() {
        output::data(&table(&rows));
        let failed = rows.iter().filter(|row| !row.passed).count();
        output::note(&format!("{} of {} texts passed", rows.len() - failed, rows.len()));
    }
    if rows.is_empty() {
        return Ok(exit_code::INVALID_INPUT);
    }
    let holds = unreadable == 0 && rows.iter().all(|row| row.passed);
    Ok(if arguments.gate && !holds { exit_code::GATE } else { exit_code::OK })
}

fn table(rows: &[TextRow]) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["text", "item", "verdict", "rule", "found"]);
    for row in rows {
        let verdicts = row.score.required.iter().map(|verdict| ("must include", verdict));
        let verdicts =
            verdicts.chain(row.score.forbidden.iter().map(|verdict| ("must not include", verdict)));
        for (list, verdict) in verdicts {
            table.add_row([
                printable(&row.file),
                format!("{}\n({list})", printable(&verdict.item)),
                verdict_name(verdict),
                verdict.evidence.first().map_or_else(String::new, rule_name),
                verdict.evidence.first().map_or_else(
                    || verdict.reason.clone().unwrap_or_default(),
                    |evidence| format!("{} (byte {})", printable(&evidence.quote), evidence.start),
                ),
            ]);
        }
    }
    table.to_string()
}

fn verdict_name(verdict: &ItemVerdict) -> String {
    match verdict.verdict {
        Verdict::Matched => "included",
        Verdict::Missing => "MISSING",
        Verdict::Leaked => "LEAKED",
        Verdict::Partial => "LEAKED IN PART",
        Verdict::Clean => "clean",
        Verdict::Unscored => "UNSCORED",
    }
    .to_owned()
}

fn rule_name(evidence: &Evidence) -> String {
    let mut name = evidence.rule.name().replace('_', " ");
    if let Some(disguise) = evidence.disguise {
        name.push_str(", ");
        name.push_str(&disguise.name().replace('_', " "));
    }
    if evidence.negated {
        name.push_str(", denied");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_skipped_whole() {
        let text = [vec![b'x'; MAX_LINE_BYTES + 5], b"\nnext\n".to_vec()].concat();
        let mut reader = BufReader::new(text.as_slice());
        let path = Path::new("lines");
        assert!(matches!(bounded_line(&mut reader, path).unwrap(), Line::TooLong));
        assert!(matches!(bounded_line(&mut reader, path).unwrap(), Line::Bytes(bytes) if bytes == b"next\n"));
        assert!(matches!(bounded_line(&mut reader, path).unwrap(), Line::End));
    }

    #[test]
    fn what_is_printed_cannot_steer_a_terminal() {
        assert_eq!(printable("a\u{1b}[2J\nb"), "a [2J b");
    }
}
