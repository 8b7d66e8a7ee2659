//! `discreet new`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{exit_code, output};
use crate::scenario::variation::Language;
use crate::scenario::{FailureMode, load_text, skeleton};

/// Makes a scenario to start from.
///
/// It is small, whole and sound: `discreet check --certify` certifies it as it is. Put your own
/// people, texts and errand in; `docs/scenario-guide.md` says in what order.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet new garden__neighbour --mode task_ambiguity_overshare --out scenarios
  discreet new --mode recipient_misalignment --language de > mein.json

Exit codes: 0 made; 2 the id is none, or a file of that name is there.")]
pub(crate) struct Arguments {
    /// The scenario's id: a family, two underscores, a variant
    #[arg(default_value = "my_family__first", value_name = "ID")]
    id: String,
    /// What goes wrong in it
    #[arg(long, value_parser = modes())]
    mode: FailureMode,
    /// Language of texts and workspace
    #[arg(long, value_parser = languages(), default_value = "en")]
    language: Language,
    /// A file to write, or a folder in which to write `ID.json` [default: print it]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

fn modes() -> impl TypedValueParser<Value = FailureMode> {
    let named = |name: String| FailureMode::ALL.into_iter().find(|mode| mode.name() == name);
    let names = FailureMode::ALL.map(FailureMode::name);
    PossibleValuesParser::new(names).try_map(move |name| named(name).ok_or("no such failure mode"))
}

fn languages() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::NAMES)
        .try_map(|name| Language::from_name(&name).ok_or("no such language"))
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let text = skeleton(arguments.mode, arguments.language, &arguments.id);
    let name = format!("{}.json", arguments.id);
    if let Some(Err(error)) = load_text(Path::new(&name), &text).first().map(|loaded| &loaded.result) {
        output::error(error);
        return exit_code::USAGE;
    }
    let Some(out) = &arguments.out else {
        output::data(text.trim_end());
        return exit_code::OK;
    };
    let path = if out.extension().is_some_and(|extension| extension == "json") && !out.is_dir() {
        out.clone()
    } else {
        out.join(name)
    };
    match write(&path, &text) {
        Ok(()) => {
            output::data(&path.display().to_string());
            output::note(&format!("next: edit it, then run `discreet check --certify {}`", path.display()));
            exit_code::OK
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            output::note(&format!("error: failed to write {}: there is one already", path.display()));
            output::note("hint: choose another id, or another `--out`");
            exit_code::USAGE
        }
        Err(error) => {
            output::note(&format!("error: failed to write {}: {error}", path.display()));
            exit_code::ENVIRONMENT
        }
    }
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::File::create_new(path)?.write_all(text.as_bytes())
}
