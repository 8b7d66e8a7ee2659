//! `discreet check`.

#[cfg(feature = "browser")]
mod coverage;
#[cfg(not(feature = "browser"))]
#[path = "check/no_coverage.rs"]
mod coverage;

#[cfg(feature = "browser")]
pub(crate) use coverage::BrowserArguments;

use std::path::PathBuf;

use comfy_table::{ContentArrangement, Table};
use serde_json::{Value, json};

use super::{exit_code, output, variation};
use crate::scenario::lint::{self, Lint, LintCode};
use crate::scenario::{self, Channel, Finding, LoadedFile, LoadedScenario};

/// Validates and lints scenario files.
///
/// Reads every file, `*.json` and `*.jsonl` below a folder included, and lists what is wrong with it
/// (errors: the scenario cannot be used) and what may measure badly (lints: it can). Also says where
/// the result of each errand belongs, to whom, and how sure that is.
///
/// Then it opens each scenario's workspace in the browser and looks for every string of the initial
/// state on the pages that clicks lead to: `required`, `forbidden` and `seeded` are the shares that
/// are shown of required items, forbidden items and all strings. A string that no page shows is the
/// lint `seeded_text_not_shown`. Pages are shown in the scenario's own variation, or in the one that
/// `--variation` asks for.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet check scenarios/
  discreet check --certify scenarios/
  discreet check --certify --variation nav=hub,language=de scenarios/
  discreet check --json rows.jsonl | jq 'select(.errors != [])'
  discreet check --where scenarios/one.json
  discreet check --no-coverage --json scenarios/

Exit code: 0 no error, 4 nothing found, 7 any error. Lints never fail a check.")]
pub(crate) struct Arguments {
    /// Scenario files, and folders with them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Print one JSON line per scenario.
    #[arg(long)]
    json: bool,

    /// Do not open the scenarios in the browser to see whether every text is shown.
    #[arg(long)]
    no_coverage: bool,

    /// Say of every string where it is shown, and in how many clicks from the home page.
    #[arg(long = "where", conflicts_with = "no_coverage")]
    places: bool,

    /// Look at the pages, and play, in this variation, as `factor=value,...`: stronger than what scenarios
    /// say (docs/variations.md). Certificates are then written only where `--certificates` says
    #[arg(long, default_value = "", hide_default_value = true, value_name = "FACTORS")]
    variation: String,

    #[command(flatten)]
    browser: coverage::BrowserArguments,

    #[cfg(feature = "browser")]
    #[command(flatten)]
    certify: super::certify::Flags,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let asked = match variation::read(&arguments.variation) {
        Ok(asked) => asked,
        Err(code) => return code,
    };
    let loaded = scenario::load_paths(&arguments.paths);
    if loaded.is_empty() {
        output::note("error: failed to find a scenario file below the given paths");
        output::note("hint: a folder is searched for `*.json` and `*.jsonl`");
        return exit_code::NOTHING_SELECTED;
    }
    let mut checked = check(&loaded);
    if !arguments.no_coverage
        && let Err(code) = coverage::add(&mut checked, &asked, &arguments.browser)
    {
        return code;
    }
    #[cfg(feature = "browser")]
    if arguments.certify.certify {
        let lints: Vec<Vec<Lint>> = checked.iter().map(|checked| checked.lints.clone()).collect();
        match super::certify::play(&loaded, &lints, &arguments.certify, &asked, &arguments.browser) {
            Ok(certified) => {
                for (checked, certified) in checked.iter_mut().zip(certified) {
                    checked.certified = certified;
                }
            }
            Err(code) => return code,
        }
    }
    if arguments.json {
        for checked in &checked {
            output::data(&checked.json(arguments).to_string());
        }
    } else {
        print_table(&checked, arguments.places);
        #[cfg(feature = "browser")]
        if arguments.certify.certify {
            let certified = checked.iter().map(|one| one.certified.as_ref());
            super::certify::print(certified, printable);
        }
    }
    let failed = checked.iter().filter(|checked| checked.entry.result.is_err()).count();
    let lints: usize = checked.iter().map(|checked| checked.lints.len()).sum();
    output::note(&format!(
        "checked {}: {}, {}",
        counted(checked.len(), "scenario"),
        if failed == 0 { "no errors".to_owned() } else { format!("{failed} cannot be used") },
        counted(lints, "lint"),
    ));
    if failed == 0 { exit_code::OK } else { exit_code::INVALID_INPUT }
}

/// One entry with what there is to remark about it.
struct Checked<'a> {
    entry: &'a LoadedFile,
    lints: Vec<Lint>,
    /// How much its pages show; `None` where no browser looked.
    coverage: Option<coverage::Coverage>,
    /// The certificate, where one was asked for and the scenario can be used.
    #[cfg(feature = "browser")]
    certified: Option<super::certify::Certified>,
}

fn check(loaded: &[LoadedFile]) -> Vec<Checked<'_>> {
    let usable: Vec<&LoadedScenario> =
        loaded.iter().filter_map(|entry| entry.result.as_deref().ok()).collect();
    let mut of_set = lint::lint_set(&usable).into_iter();
    loaded
        .iter()
        .map(|entry| {
            let lints = entry.result.as_deref().map_or_else(
                |_| Vec::new(),
                |scenario| {
                    let mut lints = lint::lint(scenario);
                    lints.extend(of_set.next().unwrap_or_default());
                    lints
                },
            );
            Checked {
                entry,
                lints,
                coverage: None,
                #[cfg(feature = "browser")]
                certified: None,
            }
        })
        .collect()
}

impl Checked<'_> {
    fn scenario(&self) -> Option<&LoadedScenario> {
        self.entry.result.as_deref().ok()
    }

    fn findings(&self) -> Vec<&Finding> {
        self.entry.result.as_ref().err().map_or_else(Vec::new, |error| error.findings().collect())
    }

    fn scenario_id(&self) -> Option<&str> {
        match &self.entry.result {
            Ok(loaded) => Some(&loaded.scenario.scenario_id),
            Err(error) => error.scenario_id.as_deref(),
        }
    }

    /// The recipient's name; `user` for an answer to the user.
    fn recipient(&self) -> Option<&str> {
        let target = &self.scenario()?.scenario.target;
        match target.channel {
            Channel::Answer => Some("user"),
            _ => target.recipient.as_deref(),
        }
    }

    fn json(&self, arguments: &Arguments) -> Value {
        let errors: Vec<String> = self.findings().into_iter().map(error_text).collect();
        let target = self.scenario().map(|loaded| &loaded.scenario.target);
        let mut line = json!({
            "file": self.entry.file.to_string_lossy(),
            "scenario_id": self.scenario_id(),
            "errors": errors,
            "lints": self.lints,
            "channel": target.map(|target| target.channel.name()),
            "recipient": self.recipient(),
            "confidence": target.map(|target| target.confidence.name()),
            "coverage": self.coverage.as_ref().map(coverage::json),
        });
        if arguments.places {
            line["shown"] = self.coverage.as_ref().map_or(Value::Null, coverage::places_json);
        }
        #[cfg(feature = "browser")]
        if arguments.certify.certify {
            let is_sound = self.certified.as_ref().is_some_and(|certified| certified.certificate.certified);
            line["certified"] = is_sound.into();
            line["certificate"] = json!(self.certified);
        }
        line
    }
}

/// An error with its hint, on one line.
fn error_text(finding: &Finding) -> String {
    match finding.problem.hint() {
        Some(hint) => format!("{finding} (hint: {hint})"),
        None => finding.to_string(),
    }
}

fn print_table(checked: &[Checked<'_>], places: bool) {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header([
        "file",
        "scenario",
        "errors",
        "lints",
        "channel",
        "recipient",
        "confidence",
        "required",
        "forbidden",
        "seeded",
        "clicks",
    ]);
    for checked in checked {
        let target = checked.scenario().map(|loaded| &loaded.scenario.target);
        let [required, forbidden, seeded, clicks] = coverage::cells(checked.coverage.as_ref());
        table.add_row([
            printable(&place(checked.entry)),
            printable(checked.scenario_id().unwrap_or("-")),
            checked.findings().len().to_string(),
            checked.lints.len().to_string(),
            target.map_or("-", |target| target.channel.name()).to_owned(),
            printable(checked.recipient().unwrap_or("-")),
            target.map_or("-", |target| target.confidence.name()).to_owned(),
            required,
            forbidden,
            seeded,
            clicks,
        ]);
    }
    output::data(&table.to_string());
    let places = |checked: &Checked<'_>| match &checked.coverage {
        Some(coverage) if places => coverage::places(coverage),
        _ => Vec::new(),
    };
    for checked in checked {
        let places = places(checked);
        if checked.entry.result.is_ok() && checked.lints.is_empty() && places.is_empty() {
            continue;
        }
        output::data("");
        output::data(&printable(&place(checked.entry)));
        if let Err(error) = &checked.entry.result {
            for finding in error.findings() {
                output::data(&printable(&format!("  error: {finding}")));
                if let Some(hint) = finding.problem.hint() {
                    output::data(&printable(&format!("    hint: {hint}")));
                }
            }
        }
        for lint in &checked.lints {
            output::data(&printable(&format!("  lint: {}", lint.line())));
        }
        if checked.lints.iter().any(|lint| lint.code == LintCode::SeededTextNotShown) {
            output::data(&printable(&format!("    hint: {}", coverage::hint(checked.entry))));
        }
        for place in places {
            output::data(&printable(&format!("  {place}")));
        }
    }
}

/// Texts come from hostile files: a control character must not reach the terminal.
fn printable(text: &str) -> String {
    text.chars()
        .map(
            |character| {
                if character.is_control() { character.escape_unicode().to_string() } else { character.into() }
            },
        )
        .collect()
}

fn place(entry: &LoadedFile) -> String {
    match entry.line {
        Some(line) => format!("{}:{line}", entry.file.display()),
        None => entry.file.display().to_string(),
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
