//! The agents of a run, by the words of the command line.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::builtin::{BuiltinError, NAMES, builtin};
use super::exec::{Exec, ExecOptions};
use super::llm::{Llm, LlmConfig, LlmError, LlmSetup};
use super::model::{Budget, Models, ModelsOptions, Spending};
use super::oracle::OracleBrief;
use super::types::Agent;
use crate::error::{Explain, Fault};
use crate::trace::Usage;

/// What agents need besides their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentOptions {
    /// The file with the settings of `llm` agents.
    pub config: Option<PathBuf>,
    /// Other files for some of them, by what was asked for.
    pub configs: BTreeMap<String, PathBuf>,
    /// Names of environment variables that `exec` agents get.
    pub environment: Vec<String>,
    /// Where answers of models are kept and taken from.
    pub cache: Option<PathBuf>,
    /// No model is asked: what the cache does not hold fails.
    pub offline: bool,
    /// Tokens that the run may use, sent and received together.
    pub max_tokens: Option<u64>,
    /// US dollars that the run may cost.
    pub max_cost: Option<f64>,
    /// Whether servers that take one get a grammar of the actions.
    pub grammar: bool,
    /// The binary that runs guards; default: this program.
    pub guard_executable: Option<PathBuf>,
}

/// Why the agents of a run cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A built-in agent.
    #[error(transparent)]
    Builtin(#[from] BuiltinError),
    /// A model.
    #[error(transparent)]
    Llm(#[from] LlmError),
    /// `exec` was asked for without a command.
    #[error("start the agent `exec` without a command")]
    NoCommand,
    /// Rows could not tell two agents apart.
    #[error("tell the agents called `{0}` apart")]
    SameName(String),
    /// A label that cannot stand in rows.
    #[error("call an agent `{0}`")]
    BadName(String),
    /// The agent has no state mode.
    #[error("put a state before the agent `{0}`: it acts in the apps only")]
    NoStateMode(String),
}

impl Explain for SetupError {
    fn fault(&self) -> Fault {
        match self {
            Self::Builtin(error) => error.fault(),
            Self::Llm(error) => error.fault(),
            _ => Fault::Usage,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Builtin(error) => error.hint(),
            Self::Llm(error) => error.hint(),
            Self::NoCommand => Some("name it after a colon: `exec:python3 my_agent.py`".to_owned()),
            Self::SameName(_) => Some(
                "name each in front of an equals sign: `mine=exec:COMMAND,yours=exec:COMMAND`".to_owned(),
            ),
            Self::BadName(_) => Some("use letters, digits, `-`, `_` and `.`, at most 64 of them".to_owned()),
            Self::NoStateMode(_) => Some("run it with `--mode e2e`".to_owned()),
        }
    }
}

#[derive(Debug)]
enum Kind {
    /// With its file, where it takes one.
    BuiltIn(String),
    Exec(ExecOptions),
    Llm(LlmSetup),
}

#[derive(Debug)]
struct Entry {
    /// As it was asked for.
    asked: String,
    /// Its name in rows.
    name: String,
    kind: Kind,
}

/// The agents of a run, ready to be made for one episode after the other.
///
/// An agent is asked for as `[NAME=]KIND[:DETAIL]`: a built-in agent by its name, `exec:COMMAND`, or
/// `llm:PROVIDER/MODEL`. `NAME` is what rows call it.
#[derive(Debug)]
pub struct Agents {
    entries: Vec<Entry>,
    models: Models,
}

impl Agents {
    /// Sets the agents up; nothing outside this process is started or asked yet.
    ///
    /// # Errors
    /// [`SetupError`]: an unknown agent, a file that cannot be used, a model without a key.
    pub fn new(asked: &[String], options: &AgentOptions) -> Result<Self, SetupError> {
        let models = Models::new(ModelsOptions {
            cache: options.cache.clone(),
            offline: options.offline,
            budget: Budget::new(options.max_tokens, options.max_cost),
        });
        let mut entries: Vec<Entry> = Vec::new();
        for asked in asked {
            let (label, agent) = split_label(asked)?;
            let (kind, detail) =
                agent.split_once(':').map_or((agent, None), |(kind, rest)| (kind, Some(rest)));
            let (name, kind) = match (kind, detail.map(str::trim)) {
                ("exec", Some(command)) if !command.is_empty() => {
                    let options = ExecOptions {
                        command: command.to_owned(),
                        environment: options.environment.clone(),
                        guard_executable: options.guard_executable.clone(),
                    };
                    ("exec", Kind::Exec(options))
                }
                ("exec", _) => return Err(SetupError::NoCommand),
                ("llm", model) => {
                    let path = options.configs.get(asked).or(options.config.as_ref());
                    let config = LlmConfig::read(path.map(PathBuf::as_path))?;
                    let setup = LlmSetup::new(model.unwrap_or_default(), &config, options.grammar, &models)?;
                    ("llm", Kind::Llm(setup))
                }
                (kind, _) => {
                    // The oracle's brief is there once there is a scenario.
                    if agent != "oracle" {
                        builtin(agent, 0, None)?;
                    }
                    (kind, Kind::BuiltIn(agent.to_owned()))
                }
            };
            let entry = Entry { asked: asked.clone(), name: label.unwrap_or(name).to_owned(), kind };
            if entries.iter().any(|other| other.name == entry.name && other.model() == entry.model()) {
                return Err(SetupError::SameName(entry.name));
            }
            entries.push(entry);
        }
        Ok(Self { entries, models })
    }

    /// Finds the agent that cannot answer in state mode, if there is one.
    ///
    /// # Errors
    /// [`SetupError::NoStateMode`].
    pub fn check_state_mode(&self) -> Result<(), SetupError> {
        let without = |entry: &&Entry| matches!(&entry.kind, Kind::BuiltIn(agent) if agent == "random" || agent.starts_with("script:"));
        match self.entries.iter().find(without) {
            Some(entry) => Err(SetupError::NoStateMode(entry.name.clone())),
            None => Ok(()),
        }
    }

    fn entry(&self, asked: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.asked == asked)
    }

    /// The agent's name in rows.
    #[must_use]
    pub fn name(&self, asked: &str) -> &str {
        self.entry(asked).map_or("", |entry| entry.name.as_str())
    }

    /// The agent's model in rows.
    #[must_use]
    pub fn model(&self, asked: &str) -> Option<&str> {
        self.entry(asked).and_then(Entry::model)
    }

    /// Makes an agent for one episode; see [`builtin`] for `seed` and `brief`.
    ///
    /// # Errors
    /// [`SetupError`], as far as it could not be found before.
    pub fn make(
        &self,
        asked: &str,
        seed: u64,
        brief: Option<OracleBrief>,
    ) -> Result<Box<dyn Agent>, SetupError> {
        let unknown = || BuiltinError::Unknown { name: asked.to_owned(), similar: None };
        let entry = self.entry(asked).ok_or_else(unknown)?;
        Ok(match &entry.kind {
            Kind::BuiltIn(agent) => builtin(agent, seed, brief)?,
            Kind::Exec(options) => Box::new(Exec::new(entry.name.clone(), options.clone())),
            Kind::Llm(setup) => {
                Box::new(Llm::new(entry.name.clone(), setup.clone(), self.models.clone(), seed))
            }
        })
    }

    /// The set-up of an agent that asks a model.
    #[must_use]
    pub fn llm(&self, asked: &str) -> Option<&LlmSetup> {
        match &self.entry(asked)?.kind {
            Kind::Llm(setup) => Some(setup),
            _ => None,
        }
    }

    /// The agents in the order of rows: by name, then by model.
    #[must_use]
    pub fn in_order(&self) -> Vec<String> {
        self.ordered().into_iter().map(|entry| entry.asked.clone()).collect()
    }

    fn ordered(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        // No two have both in common.
        entries.sort_by_key(|entry| (entry.name.as_str(), entry.model()));
        entries
    }

    /// Everything about the agents that decides results, in the order of rows. Where a model's server
    /// is does not: a run may go on when the server has another port.
    #[must_use]
    pub fn settings(&self) -> Value {
        let settings = |entry: &Entry| match &entry.kind {
            Kind::Llm(setup) => json!({ "agent": entry.name, "settings": setup.settings() }),
            _ => json!(entry.asked),
        };
        self.ordered().into_iter().map(settings).collect()
    }

    /// Why no model may be asked any more, once the run has spent what it may.
    #[must_use]
    pub fn spent(&self) -> Option<String> {
        self.models.budget().spent()
    }

    /// What the models of the run have used so far; answers from the cache and other agents cost it
    /// nothing.
    #[must_use]
    pub fn spending(&self) -> Spending {
        self.models.budget().spending()
    }

    /// Counts what was spent before, in a run that is gone on with.
    pub fn count_spending(&self, spending: Spending) {
        self.models.budget().count_spending(spending);
    }

    /// What episodes of a run have used that keeps no account: all that its models did, answers from a
    /// cache included, because rows do not tell them apart.
    #[must_use]
    pub fn spending_of<'a>(&self, used: impl Iterator<Item = (&'a str, Option<&'a Usage>)>) -> Spending {
        let mut spending = Spending::default();
        for (agent, usage) in used {
            let is_llm = |entry: &&Entry| entry.name == agent && matches!(entry.kind, Kind::Llm(_));
            if self.entries.iter().any(|entry| is_llm(&entry)) {
                spending.add(usage);
            }
        }
        spending
    }
}

impl Entry {
    fn model(&self) -> Option<&str> {
        match &self.kind {
            Kind::Llm(setup) => Some(setup.model()),
            _ => None,
        }
    }
}

/// The name in front of the first equals sign, where one stands before the kind, and the rest.
pub(crate) fn split_label(asked: &str) -> Result<(Option<&str>, &str), SetupError> {
    let Some((label, agent)) = asked.split_once('=') else { return Ok((None, asked)) };
    // `script:a=b.txt`: the sign is part of the detail.
    if label.contains(':') {
        return Ok((None, asked));
    }
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if label.is_empty() || label.len() > 64 || !label.chars().all(fits) {
        return Err(SetupError::BadName(label.to_owned()));
    }
    Ok((Some(label), agent))
}

/// The agents of a command line: separated by commas, except that everything behind `exec:` up to the
/// end of its argument is the command.
///
/// ```
/// let agents = discreet::agent::split_agents(&["oracle,idle", "exec:sort -k 1,2"]);
/// assert_eq!(agents, ["oracle", "idle", "exec:sort -k 1,2"]);
/// ```
#[must_use]
pub fn split_agents(arguments: &[impl AsRef<str>]) -> Vec<String> {
    let mut agents = Vec::new();
    for argument in arguments {
        let mut rest = argument.as_ref();
        while !rest.is_empty() {
            let is_exec = split_label(rest).is_ok_and(|(_, agent)| agent.starts_with("exec:"));
            let end = if is_exec { rest.len() } else { rest.find(',').unwrap_or(rest.len()) };
            agents.push(rest[..end].trim().to_owned());
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }
    agents.retain(|agent| !agent.is_empty());
    agents
}

/// Names of all kinds of agents.
#[must_use]
pub fn kinds() -> Vec<&'static str> {
    NAMES.into_iter().chain(["exec", "llm"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents(asked: &[&str]) -> Result<Agents, SetupError> {
        let asked: Vec<String> = asked.iter().map(|&one| one.to_owned()).collect();
        Agents::new(&asked, &AgentOptions::default())
    }

    #[test]
    fn a_name_of_ones_own_stands_in_rows() {
        let agents = agents(&["idle", "mine=exec:python3 a.py --x=1", "yours=exec:b"]).unwrap();
        assert_eq!(agents.name("idle"), "idle");
        assert_eq!(agents.name("mine=exec:python3 a.py --x=1"), "mine");
        assert_eq!(agents.make("yours=exec:b", 0, None).unwrap().name(), "yours");
        assert_eq!(agents.model("idle"), None);
        agents.check_state_mode().unwrap();
    }

    #[test]
    fn what_rows_could_not_tell_apart_is_refused() {
        assert!(matches!(agents(&["exec:a", "exec:b"]), Err(SetupError::SameName(name)) if name == "exec"));
        assert!(matches!(agents(&["idle", "idle"]), Err(SetupError::SameName(_))));
        assert!(matches!(agents(&["../x=idle"]), Err(SetupError::BadName(_))));
        assert!(matches!(agents(&["exec"]), Err(SetupError::NoCommand)));
        assert!(matches!(agents(&["nobody"]), Err(SetupError::Builtin(BuiltinError::Unknown { .. }))));
        let random = agents(&["random", "idle"]).unwrap();
        assert!(matches!(random.check_state_mode(), Err(SetupError::NoStateMode(name)) if name == "random"));
    }

    #[test]
    fn where_a_model_is_served_decides_no_result() {
        let at = |port: u16, other: &str| {
            agents(&["idle", &format!("llm:m@http://127.0.0.1:{port}/v1"), other]).unwrap()
        };
        let (one, other) = (at(8_080, "exec:x"), at(9_191, "exec:x"));
        assert_eq!(one.settings(), other.settings());
        assert!(!one.settings().to_string().contains("8080"), "{}", one.settings());
        assert_eq!(one.in_order()[0], "exec:x");
        assert_ne!(one.settings(), at(8_080, "exec:y").settings());
        let model = |name: &str| agents(&[&format!("llm:{name}@http://127.0.0.1:1/v1")]).unwrap().settings();
        assert_ne!(model("m"), model("n"));
    }

    #[test]
    fn only_models_spend() {
        let agents = agents(&["mine=exec:x", "llm:m@http://127.0.0.1:1/v1"]).unwrap();
        let usage = Usage { input_tokens: 7, output_tokens: 1, cost: Some(0.5) };
        let used = [("mine", Some(&usage)), ("llm", Some(&usage)), ("llm", None)];
        let spent = agents.spending_of(used.into_iter());
        assert_eq!(spent, Spending { tokens: 8, cost: 0.5 });
        agents.count_spending(spent);
        assert_eq!(agents.spending(), spent);
    }

    #[test]
    fn commas_belong_to_a_command_and_separate_everything_else() {
        assert_eq!(split_agents(&["a, b,,c"]), ["a", "b", "c"]);
        assert_eq!(split_agents(&["a,me=exec:x -f 1,2", "b"]), ["a", "me=exec:x -f 1,2", "b"]);
        assert_eq!(split_agents(&["", ","]), [""; 0]);
    }
}
