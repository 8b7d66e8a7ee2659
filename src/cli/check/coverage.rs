//! The part of `discreet check` that needs a browser.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use super::super::signals::Signals;
use super::super::{output, runtime};
use super::Checked;
use crate::browser::{LaunchOptions, Wanted};
pub(super) use crate::episode::coverage::Coverage;
use crate::episode::coverage::{CoverageError, Surveyed, survey};
use crate::episode::default_jobs;
use crate::error::Explain as _;
use crate::scenario::lint::{Lint, LintCode};
use crate::scenario::variation::VariationChoice;
use crate::scenario::{LoadedFile, LoadedScenario};

/// Characters of a text that a line for a person shows.
const TEXT_LIMIT: usize = 80;

/// Which browser looks, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct BrowserArguments {
    /// `chromium`, `headless-shell`, `best` of those that are installed, or the address of a running
    /// browser (`ws://…`, `http://host:port`)
    #[arg(long, default_value = "best", value_name = "BROWSER")]
    pub(crate) browser: Wanted,

    /// Scenarios that are looked at, and episodes that are played, at the same time [default: two per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: Option<u16>,
}

/// Looks at the pages of every usable scenario and adds what it finds. Without a browser nothing is
/// added, and a note says so.
pub(super) fn add(
    checked: &mut [Checked<'_>],
    variation: &VariationChoice,
    arguments: &BrowserArguments,
) -> Result<(), u8> {
    let usable: Vec<&LoadedScenario> = checked.iter().filter_map(Checked::scenario).collect();
    if usable.is_empty() {
        return Ok(());
    }
    let runtime = runtime::start()?;
    let surveyed = match runtime.block_on(look_until_signal(&usable, variation, arguments)) {
        Looked::Done(surveyed) => surveyed,
        Looked::Impossible(error) => {
            untold("any scenario", &error);
            return Ok(());
        }
        Looked::Stopped(code) => return Err(code),
    };
    let usable = checked.iter_mut().filter(|checked| checked.scenario().is_some());
    for (checked, surveyed) in usable.zip(surveyed) {
        match surveyed {
            Ok(coverage) => {
                checked.lints.extend(lints(&coverage));
                checked.coverage = Some(coverage);
            }
            Err(error) => untold(&format!("`{}`", checked.scenario_id().unwrap_or_default()), &error),
        }
    }
    Ok(())
}

fn untold(of: &str, error: &CoverageError) {
    output::note(&format!("warning: the coverage of {of} is not known: failed to {error}"));
    let hint = error.hint().unwrap_or_else(|| "`--no-coverage` checks the files only".to_owned());
    output::note(&format!("hint: {hint}"));
}

enum Looked {
    Done(Vec<Surveyed>),
    Impossible(CoverageError),
    Stopped(u8),
}

async fn look_until_signal(
    scenarios: &[&LoadedScenario],
    variation: &VariationChoice,
    arguments: &BrowserArguments,
) -> Looked {
    let launch = LaunchOptions { wanted: arguments.browser.clone(), ..LaunchOptions::default() };
    // A page waits for the browser as often as the browser computes.
    let jobs = arguments.jobs.map_or_else(|| default_jobs(None), usize::from);
    let bar = progress_bar(scenarios.len());
    let done = || bar.inc(1);
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(code) => return Looked::Stopped(code),
    };
    let looked = tokio::select! {
        surveyed = survey(scenarios, variation, &launch, jobs, &done) => match surveyed {
            Ok(surveyed) => Looked::Done(surveyed),
            Err(error) => Looked::Impossible(error),
        },
        // What is dropped ends the browser and removes the folder.
        code = signals.first() => Looked::Stopped(code),
    };
    bar.finish_and_clear();
    looked
}

/// A bar on a terminal, nothing otherwise.
fn progress_bar(scenarios: usize) -> ProgressBar {
    if !std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(scenarios as u64), ProgressDrawTarget::stderr());
    let template = "{bar:30} {pos}/{len} scenarios looked at in the browser, {elapsed} elapsed, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

fn lints(coverage: &Coverage) -> impl Iterator<Item = Lint> {
    let pages = super::counted(coverage.pages, "page");
    coverage.missing.iter().map(move |missing| Lint {
        code: LintCode::SeededTextNotShown,
        message: format!("`{}` is on none of the {pages} that clicks lead to", shortened(&missing.text)),
        path: missing.path.clone(),
    })
}

/// What to do about a text that is not shown.
pub(super) fn hint(entry: &LoadedFile) -> String {
    format!(
        "look for what is not shown with `discreet serve {}`; where no page shows it, that is a fault of discreet",
        entry.file.display()
    )
}

/// The table's cells: shares of required, forbidden and seeded strings, and the most clicks.
pub(super) fn cells(coverage: Option<&Coverage>) -> [String; 4] {
    let Some(coverage) = coverage else { return ["-"; 4].map(ToOwned::to_owned) };
    let clicks = coverage.shown.iter().map(|shown| shown.clicks).max();
    [
        percent(coverage.required),
        percent(coverage.forbidden),
        percent(coverage.seeded),
        clicks.map_or_else(|| "-".to_owned(), |clicks| clicks.to_string()),
    ]
}

/// Rounded down: what is not whole is never 100 %.
fn percent(share: f64) -> String {
    format!("{:.0} %", (share * 100.0).floor())
}

/// Coverage as the contract has it.
pub(super) fn json(coverage: &Coverage) -> Value {
    let missing: Vec<Value> = coverage
        .missing
        .iter()
        .map(|missing| json!({ "path": missing.path, "text": missing.text }))
        .collect();
    json!({
        "required": coverage.required,
        "forbidden": coverage.forbidden,
        "seeded": coverage.seeded,
        "missing": missing,
    })
}

/// Where every string is shown.
pub(super) fn places_json(coverage: &Coverage) -> Value {
    let shown = coverage.shown.iter().map(
        |shown| json!({ "path": shown.path, "text": shown.text, "page": shown.page, "clicks": shown.clicks }),
    );
    Value::Array(shown.collect())
}

/// The same for a person, one line per string.
pub(super) fn places(coverage: &Coverage) -> Vec<String> {
    let line = |shown: &crate::episode::coverage::Shown| {
        let clicks = super::counted(shown.clicks as usize, "click");
        format!("{clicks}: {}: `{}` is `{}`", shown.page, shown.path, shortened(&shown.text))
    };
    coverage.shown.iter().map(line).collect()
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= TEXT_LIMIT {
        return text.to_owned();
    }
    text.chars().take(TEXT_LIMIT - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::coverage::{Missing, Shown};

    fn coverage() -> Coverage {
        let text = "x".repeat(200);
        Coverage {
            required: 1.0,
            forbidden: 0.999,
            seeded: 0.5,
            shown: vec![Shown {
                path: "initial_states.open_todo.items[0]".to_owned(),
                text: "Buy milk".to_owned(),
                page: "/todo".to_owned(),
                clicks: 1,
            }],
            missing: vec![Missing { path: "initial_states.open_todo.items[1]".to_owned(), text }],
            pages: 12,
        }
    }

    #[test]
    fn what_is_missing_is_a_lint_with_its_place() {
        let lints: Vec<Lint> = lints(&coverage()).collect();
        assert_eq!(lints.len(), 1);
        assert_eq!(lints[0].code.name(), "seeded_text_not_shown");
        assert_eq!(lints[0].path, "initial_states.open_todo.items[1]");
        assert!(lints[0].message.contains("xxx…` is on none of the 12 pages"), "{}", lints[0].message);
        assert!(lints[0].message.chars().count() < 200);
    }

    #[test]
    fn the_contract_and_the_table_tell_the_same() {
        let told = json(&coverage());
        assert_eq!((&told["required"], &told["seeded"]), (&json!(1.0), &json!(0.5)));
        assert_eq!(told["missing"][0]["text"].as_str().map(str::len), Some(200), "whole");
        assert_eq!(told.as_object().map(serde_json::Map::len), Some(4));
        assert_eq!(cells(Some(&coverage())), ["100 %", "99 %", "50 %", "1"].map(ToOwned::to_owned));
        assert_eq!(cells(None), ["-"; 4].map(ToOwned::to_owned));
        let place = "1 click: /todo: `initial_states.open_todo.items[0]` is `Buy milk`";
        assert_eq!(places(&coverage()), [place]);
        assert_eq!(places_json(&coverage())[0]["page"], "/todo");
    }
}
