//! Flags of `discreet run` that say which agents act, how, and what they may spend.

use std::path::PathBuf;
use std::time::Duration;

use super::{exit_code, output};
use crate::agent::{AgentOptions, Defense, split_agents};
use crate::config::env_vars;
use crate::episode::{Mode, RunOptions};
use crate::error::Explain;

/// Which agents act, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct AgentFlags {
    /// Agents as `[NAME=]KIND[:DETAIL]`, separated by commas; behind `exec:` a comma is part of the
    /// command
    #[arg(long, required = true, value_name = "AGENT")]
    agent: Vec<String>,
    /// How agents meet a scenario: through the apps, or as structured text with one reply
    #[arg(long, value_enum, value_delimiter = ',', default_value = "e2e")]
    mode: Vec<ModeArgument>,
    /// What is added to the system prompt: `none`, `restrictive`, `rubric`, `recipient`, or a file
    #[arg(long, value_delimiter = ',', default_value = "none", value_name = "DEFENSE")]
    defense: Vec<String>,
    /// Settings of `llm` agents, in TOML
    #[arg(long, value_name = "FILE")]
    agent_config: Option<PathBuf>,
    /// Environment variables that `exec` agents get besides the usual few
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    agent_env: Vec<String>,
    /// The longest wait for a reply of an agent, seconds
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=86_400), value_name = "SECONDS")]
    agent_timeout: u64,
    /// Keep answers of models here, and take them from here; with `DISCREET_OFFLINE=1` from nowhere else
    #[arg(long, value_name = "DIR")]
    llm_cache: Option<PathBuf>,
    /// End the run when its models have used this many tokens, sent and received together
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
    /// End the run when its models have cost this many US dollars
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_cost: Option<f64>,
    /// Send a grammar of the actions, for servers of the OpenAI protocol that take one (llama.cpp); each
    /// reply is then one action and nothing else
    #[arg(long)]
    grammar: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ModeArgument {
    /// Through the rendered apps, step by step
    E2e,
    /// As structured text, with one reply
    State,
}

impl From<ModeArgument> for Mode {
    fn from(mode: ModeArgument) -> Self {
        match mode {
            ModeArgument::E2e => Self::EndToEnd,
            ModeArgument::State => Self::State,
        }
    }
}

pub(super) fn dollars(text: &str) -> Result<f64, String> {
    let amount = text.parse::<f64>().map_err(|error| error.to_string())?;
    if amount.is_finite() && amount > 0.0 {
        Ok(amount)
    } else {
        Err("an amount above 0 is needed".to_owned())
    }
}

impl AgentFlags {
    /// The options of a run with what these flags say.
    ///
    /// # Errors
    /// The exit code, after it was said why.
    pub(super) fn apply(&self, options: RunOptions) -> Result<RunOptions, u8> {
        let defenses: Result<Vec<Defense>, _> =
            self.defense.iter().map(|name| Defense::resolve(name.trim())).collect();
        let defenses = defenses.map_err(|error| {
            output::error(&error);
            exit_code::for_fault(error.fault())
        })?;
        let defenses = Defense::tell_apart(defenses).map_err(|name| {
            output::note(&format!("error: failed to tell two defenses called `{name}` apart"));
            output::note("hint: rows call a defense by the name of its file without the ending");
            exit_code::USAGE
        })?;
        let mut modes: Vec<Mode> = self.mode.iter().copied().map(Mode::from).collect();
        modes.sort();
        modes.dedup();
        Ok(RunOptions {
            agents: split_agents(&self.agent),
            agent_options: AgentOptions {
                config: self.agent_config.clone(),
                environment: self.agent_env.clone(),
                cache: self.llm_cache.clone(),
                offline: env_vars::is_offline(),
                max_tokens: self.max_tokens,
                max_cost: self.max_cost,
                grammar: self.grammar,
                ..AgentOptions::default()
            },
            modes,
            defenses,
            agent_within: Duration::from_secs(self.agent_timeout),
            ..options
        })
    }
}
