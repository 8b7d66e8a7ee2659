//! `discreet serve`: the workspace for a person, in their own browser.

use std::path::{Path, PathBuf};

use jiff::civil::date;

use super::signals::Signals;
use super::{exit_code, output, variation};
use crate::scenario::model::{Apps, TodoList};
use crate::scenario::variation::{Factor, HomePage, Language, Variation};
use crate::scenario::{Channel, Confidence, LoadedScenario, Scenario, Target, load_paths};
use crate::workspace::strings::text;
use crate::workspace::{Addresses, CONTROL_HEADER, serve};

/// Serves the workspace for a person, in their own browser.
///
/// Prints the address to open and serves until it is interrupted (exit code 130, or 143 for
/// SIGTERM). What is done there is kept in memory and a temporary file, and is gone at the end.
/// Programs read the state as JSON at `/state`, or in OpenApps' shapes (`/todo_all`,
/// `/messages_all`, …), with the token that is printed too; the workspace's pages cannot.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet serve scenarios/ --port 8080
  discreet serve one.json --variation theme=dark,language=de,popup=consent")]
pub(crate) struct Arguments {
    /// Scenario file that fills the workspace; of several scenarios, the first. Without it the
    /// apps are empty
    scenario: Option<PathBuf>,
    /// Port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// How the pages look and behave, such as `theme=dark,nav=hub,language=zh-CN`; stronger than
    /// what the scenario says (docs/variations.md)
    #[arg(long, default_value = "", hide_default_value = true, value_name = "FACTOR=VALUE,…")]
    variation: String,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let asked = match variation::read(&arguments.variation) {
        Ok(asked) => asked,
        Err(code) => return code,
    };
    if asked.has(Factor::Viewport) {
        output::note("error: failed to use `viewport`: the size of your own browser is yours to choose");
        output::note("hint: leave `viewport` out, and resize the window or use the browser's device view");
        return exit_code::USAGE;
    }
    let mut says_home = asked.has(Factor::Home);
    let (scenario, variation) = match &arguments.scenario {
        None => {
            let variation = asked.over(Variation::default());
            (empty_workspace(variation.language), variation)
        }
        Some(path) => match first_scenario(path) {
            Ok(loaded) => {
                says_home |= loaded.extras.variation.has(Factor::Home);
                let variation = loaded.variation(&asked);
                (loaded.scenario, variation)
            }
            Err(code) => return code,
        },
    };
    // A person is shown the day; agents are, where it is asked for.
    let home = if says_home { variation.home } else { HomePage::Today };
    let variation = Variation { home, ..variation };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            output::note(&format!("error: failed to start the asynchronous runtime: {error}"));
            return exit_code::INTERNAL;
        }
    };
    runtime.block_on(serve_until_signal(&scenario, variation, arguments.port))
}

async fn serve_until_signal(scenario: &Scenario, variation: Variation, port: u16) -> u8 {
    let mut signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(code) => return code,
    };
    let mut code = exit_code::OK;
    let stop = async { code = signals.first().await };
    let announce = |addresses: &Addresses| {
        output::data(&addresses.enter);
        output::note("Open this address in a browser. Press Ctrl-C to stop.");
        let Addresses { origin, control_token, .. } = addresses;
        output::note(&format!(
            "State as JSON: curl -H '{CONTROL_HEADER}: {control_token}' {origin}/state\n\
             and in OpenApps' shapes at {}.",
            Addresses::openapps_paths().join(", ")
        ));
    };
    match serve(scenario, variation, port, announce, stop).await {
        Ok(()) => code,
        Err(error) => {
            output::error(&error);
            exit_code::for_fault(crate::error::Explain::fault(&error))
        }
    }
}

/// The first usable scenario; what is wrong with those before it is told.
fn first_scenario(path: &Path) -> Result<LoadedScenario, u8> {
    let loaded = load_paths(&[path.to_owned()]);
    let count = loaded.len();
    for file in loaded {
        match file.result {
            Ok(loaded) => {
                if count > 1 {
                    let (path, id) = (path.display(), &loaded.scenario.scenario_id);
                    output::note(&format!("{path} holds {count} scenarios; this is `{id}`."));
                }
                output::note(&format!("Task: {}", output::printable(&loaded.scenario.task_prompt)));
                return Ok(*loaded);
            }
            Err(error) => output::error(&error),
        }
    }
    if count > 0 {
        return Err(exit_code::INVALID_INPUT);
    }
    output::note(&format!("error: failed to serve {}: it holds no scenario", path.display()));
    output::note("hint: name a `.json` or `.jsonl` file, or a folder with some");
    Err(exit_code::NOTHING_SELECTED)
}

/// A workspace that nothing has been put into; what the shop offers is in the language of the pages.
fn empty_workspace(language: Language) -> Scenario {
    let mut apps = Apps::default();
    apps.todo.lists.push(TodoList {
        id: "list-1".to_owned(),
        name: text(language.name(), "nav.todo", &[]),
        shared_with: Vec::new(),
        items: Vec::new(),
        details: Vec::new(),
        ..TodoList::default()
    });
    Scenario {
        scenario_id: "empty".to_owned(),
        seed_family: "empty".to_owned(),
        failure_mode: String::new(),
        task_prompt: String::new(),
        apps,
        clock: date(2026, 5, 19).at(9, 0, 0, 0),
        target: Target {
            channel: Channel::Answer,
            recipient: None,
            draft_accepted: false,
            confidence: Confidence::Low,
            reason: "no scenario was given".to_owned(),
        },
        language: language.name().to_owned(),
        content_hash: String::new(),
    }
}
