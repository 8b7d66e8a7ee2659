//! Built-in agents by name.

use std::path::Path;

use super::careless::Careless;
use super::cautious::Cautious;
use super::oracle::{Oracle, OracleBrief};
use super::passive::{Idle, Refuser};
use super::random::Random;
use super::script::{Script, ScriptError};
use super::types::Agent;
use crate::error::{Explain, Fault};

/// Names of the built-in agents. `script` is followed by its file: `script:FILE`.
pub(super) const NAMES: [&str; 7] = ["oracle", "careless", "cautious", "idle", "refuser", "random", "script"];

/// Why there is no such agent.
#[derive(Debug, thiserror::Error)]
pub enum BuiltinError {
    /// No built-in agent has that name.
    #[error("find an agent called `{name}`")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The built-in agent with the most similar name.
        similar: Option<&'static str>,
    },
    /// The oracle was asked for without what only the scoring side knows.
    #[error("start the agent `oracle` without a scenario's ground truth")]
    NoBrief,
    /// `script` was asked for without a file.
    #[error("start the agent `script` without a file")]
    NoScript,
    /// The script cannot be played.
    #[error(transparent)]
    Script(#[from] ScriptError),
}

impl Explain for BuiltinError {
    fn fault(&self) -> Fault {
        match self {
            Self::NoBrief => Fault::Harness,
            Self::Unknown { .. } | Self::NoScript => Fault::Usage,
            Self::Script(error) => error.fault(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { similar: Some(similar), .. } => Some(format!("did you mean `{similar}`?")),
            Self::Unknown { similar: None, .. } => {
                Some(format!("the built-in agents are {}", NAMES.join(", ")))
            }
            Self::NoBrief => None,
            Self::NoScript => Some("name the file after a colon: `script:actions.txt`".to_owned()),
            Self::Script(error) => error.hint(),
        }
    }
}

/// Makes a built-in agent.
///
/// `seed` is used by `random` and should differ from episode to episode; `brief` is used by `oracle`
/// alone, and only the episode layer has one.
///
/// # Errors
/// [`BuiltinError`].
///
/// ```
/// let agent = discreet::agent::builtin("idle", 0, None).expect("`idle` is built in");
/// assert_eq!(agent.name(), "idle");
/// assert!(discreet::agent::builtin("oracel", 0, None).is_err());
/// ```
pub fn builtin(name: &str, seed: u64, brief: Option<OracleBrief>) -> Result<Box<dyn Agent>, BuiltinError> {
    let (kind, file) = name.split_once(':').map_or((name, None), |(kind, file)| (kind, Some(file)));
    Ok(match (kind, file) {
        ("oracle", None) => Box::new(Oracle::new(brief.ok_or(BuiltinError::NoBrief)?)),
        ("careless", None) => Box::new(Careless::new()),
        ("cautious", None) => Box::new(Cautious::new()),
        ("idle", None) => Box::new(Idle),
        ("refuser", None) => Box::new(Refuser),
        ("random", None) => Box::new(Random::new(seed)),
        ("script", Some(file)) if !file.is_empty() => Box::new(Script::read(Path::new(file))?),
        ("script", _) => return Err(BuiltinError::NoScript),
        _ => return Err(unknown(name)),
    })
}

fn unknown(name: &str) -> BuiltinError {
    let lower: String = name.chars().take(64).collect::<String>().to_lowercase();
    let similar = NAMES
        .into_iter()
        .map(|known| (strsim::jaro_winkler(&lower, known), known))
        .filter(|(similarity, _)| *similarity >= 0.75)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, known)| known);
    BuiltinError::Unknown { name: name.to_owned(), similar }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Channel;

    #[test]
    fn every_name_makes_the_agent_of_that_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("actions.txt");
        std::fs::write(&file, "noop()\n").unwrap();
        for name in NAMES {
            let brief = OracleBrief {
                channel: Channel::Answer,
                recipient: None,
                members: Vec::new(),
                required: Vec::new(),
                forbidden: Vec::new(),
                draft_accepted: false,
                manner: crate::agent::Manner::Write,
            };
            let asked = if name == "script" { format!("script:{}", file.display()) } else { name.to_owned() };
            assert_eq!(builtin(&asked, 1, Some(brief)).unwrap().name(), name);
        }
    }

    #[test]
    fn a_typing_error_gets_a_suggestion() {
        let hint = |name: &str| builtin(name, 0, None).err().unwrap().hint();
        assert_eq!(hint("oracel").as_deref(), Some("did you mean `oracle`?"));
        assert_eq!(hint("Careles").as_deref(), Some("did you mean `careless`?"));
        assert_eq!(
            hint("gpt").as_deref(),
            Some("the built-in agents are oracle, careless, cautious, idle, refuser, random, script")
        );
        assert!(matches!(builtin("oracle", 0, None), Err(BuiltinError::NoBrief)));
        assert!(matches!(builtin("script", 0, None), Err(BuiltinError::NoScript)));
        assert!(matches!(builtin("idle:now", 0, None), Err(BuiltinError::Unknown { .. })));
    }
}
