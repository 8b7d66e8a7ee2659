//! `discreet agents`: what can act, and whether it is ready.

use std::time::Duration;

use serde::Serialize;

use super::{exit_code, output};
use crate::agent::model::{Provider, known_providers};
use crate::agent::{Defense, kinds};
use crate::config::{env_vars, http_client, is_loopback};
use crate::error::Deadline;

/// Lists the agents, the providers of models and the defenses, and says which are ready.
///
/// A provider is ready when its key is in the environment; one on this machine when its server answers.
/// With `--ask`, providers elsewhere are asked as well (for their list of models, which costs nothing).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet agents
  discreet agents --ask --json | jq '.[] | select(.ready)'")]
pub(crate) struct Arguments {
    /// Ask providers elsewhere whether they answer and take the key
    #[arg(long)]
    ask: bool,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// How long a server may take to say that it is there.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug, Serialize)]
struct Line {
    /// `agent`, `provider` or `defense`.
    kind: &'static str,
    name: String,
    /// `null` where that cannot be said beforehand.
    ready: Option<bool>,
    /// What it is, or what it lacks.
    note: String,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let mut lines: Vec<Line> = kinds().into_iter().map(agent).collect();
    match providers(arguments.ask) {
        Ok(providers) => lines.extend(providers),
        Err(error) => {
            output::note(&format!("error: failed to start: {error}"));
            return exit_code::INTERNAL;
        }
    }
    lines.extend(Defense::names().into_iter().map(|name| Line {
        kind: "defense",
        name: name.to_owned(),
        ready: Some(true),
        note: about_defense(name).to_owned(),
    }));
    if arguments.json {
        return match serde_json::to_string(&lines) {
            Ok(json) => {
                output::data(&json);
                exit_code::OK
            }
            Err(error) => {
                output::note(&format!("error: failed to write JSON: {error}"));
                exit_code::INTERNAL
            }
        };
    }
    for line in &lines {
        let ready = match line.ready {
            Some(true) => "ready",
            Some(false) => "-",
            None => "?",
        };
        output::data(&format!("{:<9} {:<12} {ready:<6} {}", line.kind, line.name, line.note));
    }
    exit_code::OK
}

fn agent(name: &str) -> Line {
    let (ready, note) = match name {
        "oracle" => (Some(true), "knows the ground truth and passes on exactly what is required"),
        "careless" => (Some(true), "passes on everything it reads"),
        "cautious" => (Some(true), "passes on what bears no sign of being private"),
        "idle" => (Some(true), "does nothing"),
        "refuser" => (Some(true), "declines at once"),
        "random" => (Some(true), "chooses actions by chance; in the apps only"),
        "script" => (None, "plays actions from a file: script:FILE; in the apps only"),
        "exec" => (None, "a process of your own: exec:COMMAND"),
        _ => (None, "asks a model: llm:PROVIDER/MODEL, or llm:MODEL@http://HOST/v1"),
    };
    Line { kind: "agent", name: name.to_owned(), ready, note: note.to_owned() }
}

fn about_defense(name: &str) -> &'static str {
    match name {
        "none" => "adds nothing",
        "restrictive" => "asks to pass on as little as possible",
        "rubric" => "asks five questions about every piece of information",
        _ => "asks to think of who will read it",
    }
}

fn providers(ask: bool) -> std::io::Result<Vec<Line>> {
    let runtime = tokio::runtime::Runtime::new()?;
    let providers = known_providers().into_iter().filter_map(|name| Provider::named(name).ok());
    let looked = providers.map(|provider| look_at(provider, ask));
    Ok(runtime.block_on(futures_util::future::join_all(looked)))
}

async fn look_at(provider: Provider, ask: bool) -> Line {
    let line = |ready, note| Line { kind: "provider", name: provider.name.clone(), ready, note };
    if provider.lacks_key() {
        let variable = provider.key_variable.as_deref().unwrap_or_default();
        return line(Some(false), format!("set {variable}"));
    }
    let is_here = is_loopback(&provider.base_url);
    if env_vars::is_offline() || !(ask || is_here) {
        let key = provider.key_variable.as_deref().unwrap_or_default();
        let note =
            if is_here { "not asked".to_owned() } else { format!("{key} is set; not asked (--ask asks)") };
        return line(if is_here { None } else { Some(true) }, note);
    }
    match answers(&provider).await {
        Ok(()) => line(Some(true), format!("{} answers", provider.base_url)),
        Err(error) => line(Some(false), format!("{}: {error}", provider.base_url)),
    }
}

async fn answers(provider: &Provider) -> Result<(), String> {
    let client = http_client(&provider.base_url).map_err(|error| error.to_string())?;
    let mut request = client.get(format!("{}/models", provider.base_url));
    for (name, value) in provider.headers() {
        request = request.header(name, value);
    }
    let answer = Deadline::after(ANSWER_WITHIN).race("its answer", request.send()).await;
    match answer {
        Err(expired) => Err(expired.to_string()),
        Ok(Err(_)) => Err("no server answers".to_owned()),
        Ok(Ok(response)) if response.status().is_success() => Ok(()),
        Ok(Ok(response)) => Err(format!("it answers {}", response.status().as_u16())),
    }
}
