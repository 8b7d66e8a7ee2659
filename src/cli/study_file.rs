//! A study as written in its TOML file.

use std::fmt;
use std::path::PathBuf;
#[cfg(feature = "browser")]
use std::{io::Read as _, path::Path};

use schemars::JsonSchema;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::scenario::variation::{Factor, VariationChoice};

/// The largest file that is read, in bytes.
#[cfg(feature = "browser")]
const MAX_BYTES: u64 = 256 * 1024;

/// A study: everything that decides it, in one file. Paths are relative to that file.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "discreet study, a TOML file")]
pub(crate) struct StudyFile {
    /// What it is called: letters, digits, `-`, `_` and `.`.
    #[serde(deserialize_with = "name")]
    pub(crate) name: String,
    /// Scenario files, or folders that hold some.
    #[serde(deserialize_with = "some")]
    pub(crate) scenarios: Vec<PathBuf>,
    /// Agents as `--agent` takes them, `[NAME=]KIND[:DETAIL]`.
    #[serde(default)]
    pub(crate) agents: Vec<String>,
    /// Agents with settings of their own.
    #[serde(default)]
    pub(crate) agent: Vec<StudyAgent>,
    /// How agents meet the scenarios.
    #[serde(default = "end_to_end", deserialize_with = "some")]
    pub(crate) modes: Vec<StudyMode>,
    /// `none`, `restrictive`, `rubric`, `recipient`, or a file.
    #[serde(default = "no_defense", deserialize_with = "some")]
    pub(crate) defenses: Vec<String>,
    /// How the workspace looks and behaves: `"theme=dark,nav=hub"`, or `{ theme = "dark", nav = "hub" }`;
    /// `""` is what each scenario says.
    #[serde(default = "as_scenarios_say", deserialize_with = "some")]
    pub(crate) variations: Vec<StudyVariation>,
    /// Repeats of each episode.
    #[serde(default = "one", deserialize_with = "up_to_1000")]
    #[schemars(range(min = 1, max = 1000))]
    pub(crate) trials: u32,
    /// Seed of everything random.
    #[serde(default)]
    pub(crate) seed: u64,
    /// Step budget of an episode.
    #[serde(default = "twenty", deserialize_with = "up_to_1000")]
    #[schemars(range(min = 1, max = 1000))]
    pub(crate) max_steps: u32,
    /// What agents are given.
    #[serde(default)]
    pub(crate) observe: StudyObserve,
    /// The run's folder; default: `runs/` and the name, below the folder you call from.
    pub(crate) out: Option<PathBuf>,
    /// `chromium`, `headless-shell`, `best`, or an address.
    pub(crate) browser: Option<String>,
    /// Settings of all agents that ask a model and have none of their own: a TOML file.
    pub(crate) agent_config: Option<PathBuf>,
    /// Environment variables that processes of agents get besides the usual few.
    #[serde(default)]
    pub(crate) agent_env: Vec<String>,
    /// Where answers of models are kept and taken from.
    pub(crate) llm_cache: Option<PathBuf>,
    /// What it may take.
    #[serde(default)]
    pub(crate) limits: StudyLimits,
}

/// What a study may take. Nothing here decides results; flags of the command are stronger.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StudyLimits {
    /// Tokens that its models may use, sent and received together.
    pub(crate) max_tokens: Option<u64>,
    /// US dollars that its models may cost.
    #[serde(deserialize_with = "dollars")]
    pub(crate) max_cost: Option<f64>,
    /// Episodes at the same time; default: from cores and memory.
    #[serde(deserialize_with = "jobs")]
    #[schemars(range(min = 1, max = 256))]
    pub(crate) jobs: Option<u16>,
    /// How often an episode is acted out again that browser, provider or harness failed; default: once.
    #[schemars(range(max = 10))]
    #[serde(deserialize_with = "retries")]
    pub(crate) retries: Option<u32>,
    /// Start no further episodes after more than so many that failed.
    pub(crate) max_failures: Option<u32>,
    /// Start no further episodes after this time, such as `90m` or `8h`.
    pub(crate) stop_after: Option<String>,
    /// The longest wait for a reply of an agent, seconds.
    #[schemars(range(min = 1, max = 86400))]
    pub(crate) agent_timeout: Option<u32>,
}

/// An agent with settings of its own: a model, or a process.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StudyAgent {
    /// What rows call it.
    pub(crate) name: String,
    /// A model as behind `llm:`, such as `openai/gpt-5-mini`.
    pub(crate) model: Option<String>,
    /// A command as behind `exec:`; it starts in the folder you call from.
    pub(crate) command: Option<String>,
    /// The settings of the model: a TOML file.
    pub(crate) config: Option<PathBuf>,
}

/// How an agent meets a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StudyMode {
    /// Through the rendered apps, step by step.
    E2e,
    /// As structured text, with one reply.
    State,
}

/// What agents are given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StudyObserve {
    /// The accessibility tree.
    Axtree,
    /// The screenshot.
    Screenshot,
    /// Both.
    #[default]
    Mixed,
}

/// Factors of appearance and content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StudyVariation(pub(crate) VariationChoice);

impl<'de> Deserialize<'de> for StudyVariation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = StudyVariation;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("`\"theme=dark,nav=hub\"` or `{ theme = \"dark\", nav = \"hub\" }`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<StudyVariation, E> {
                text.parse().map(StudyVariation).map_err(|error| E::custom(told(&error)))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StudyVariation, A::Error> {
                let mut choice = VariationChoice::default();
                while let Some(name) = map.next_key::<String>()? {
                    let value = match map.next_value::<toml::Value>()? {
                        toml::Value::String(text) => text,
                        toml::Value::Integer(number) => number.to_string(),
                        other => format!("{other:?}"),
                    };
                    let Some(factor) = Factor::from_name(&name) else {
                        let known = Factor::ALL.map(|factor| format!("`{}`", factor.name())).join(", ");
                        return Err(A::Error::custom(format!(
                            "there is no factor `{name}`; the factors are {known}"
                        )));
                    };
                    choice.set(factor, &value).map_err(|error| A::Error::custom(told(&error)))?;
                }
                Ok(StudyVariation(choice))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// What is wrong, and what would be right.
fn told(error: &crate::scenario::variation::VariationError) -> String {
    let hint = crate::error::Explain::hint(error).unwrap_or_default();
    format!("failed to {error}; {hint}")
}

impl JsonSchema for StudyVariation {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Variation".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let factors: serde_json::Map<String, serde_json::Value> = Factor::ALL
            .iter()
            .map(|factor| {
                let kind = if *factor == Factor::LatencyMs { "integer" } else { "string" };
                let told = serde_json::json!({ "type": kind, "description": factor.allowed() });
                (factor.name().to_owned(), told)
            })
            .collect();
        schemars::json_schema!({
            "oneOf": [
                { "type": "string", "description": "factors as `theme=dark,nav=hub`; empty: what each scenario says" },
                { "type": "object", "properties": factors, "additionalProperties": false },
            ]
        })
    }
}

fn end_to_end() -> Vec<StudyMode> {
    vec![StudyMode::E2e]
}

fn no_defense() -> Vec<String> {
    vec!["none".to_owned()]
}

fn as_scenarios_say() -> Vec<StudyVariation> {
    vec![StudyVariation::default()]
}

const fn one() -> u32 {
    1
}

const fn twenty() -> u32 {
    20
}

/// A list that must not be empty.
fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let list = Vec::deserialize(deserializer)?;
    if list.is_empty() { Err(D::Error::custom("the list is empty")) } else { Ok(list) }
}

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    // It names a folder.
    if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.chars().all(fits) {
        return Err(D::Error::custom("a name has letters, digits, `-`, `_` and `.`, at most 64 of them"));
    }
    Ok(name)
}

fn up_to_1000<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if (1..=1_000).contains(&number) {
        Ok(number)
    } else {
        Err(D::Error::custom("a number from 1 to 1000 is needed"))
    }
}

fn jobs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    match u16::deserialize(deserializer)? {
        number @ 1..=256 => Ok(Some(number)),
        _ => Err(D::Error::custom("a number from 1 to 256 is needed")),
    }
}

fn retries<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    match u32::deserialize(deserializer)? {
        number @ 0..=10 => Ok(Some(number)),
        _ => Err(D::Error::custom("a number from 0 to 10 is needed")),
    }
}

fn dollars<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let amount = f64::deserialize(deserializer)?;
    if amount.is_finite() && amount > 0.0 {
        Ok(Some(amount))
    } else {
        Err(D::Error::custom("an amount above 0 is needed"))
    }
}

/// A study file that cannot be used.
#[cfg(feature = "browser")]
#[derive(Debug, thiserror::Error)]
pub(crate) enum StudyFileError {
    /// It cannot be read.
    #[error("read the study {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It says something that is no study.
    #[error("use the study {}{}: {what}", .path.display(), place(*.line))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// 1-based, where it is one line.
        line: Option<usize>,
        /// What is wrong.
        what: String,
    },
}

#[cfg(feature = "browser")]
fn place(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

#[cfg(feature = "browser")]
impl crate::error::Explain for StudyFileError {
    fn fault(&self) -> crate::error::Fault {
        crate::error::Fault::Usage
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } => {
                Some("give an existing file in TOML, such as examples/transfer-study.toml".to_owned())
            }
            Self::Wrong { what, .. } => {
                let similar = similar_key(what).map(|key| format!("did you mean `{key}`? "));
                Some(similar.unwrap_or_default() + "`discreet schema study` lists all keys")
            }
        }
    }
}

/// The key that a message about an unknown one lists and that is most like it.
#[cfg(feature = "browser")]
fn similar_key(message: &str) -> Option<String> {
    let mut words = message.strip_prefix("unknown field ")?.split('`').skip(1).step_by(2);
    let unknown = words.next()?;
    words
        .map(|known| (strsim::damerau_levenshtein(unknown, known), known))
        .min()
        .filter(|(distance, known)| *distance <= known.len().div_ceil(3))
        .map(|(_, known)| known.to_owned())
}

#[cfg(feature = "browser")]
impl StudyFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`StudyFileError`], with the line where there is one.
    pub(crate) fn read(path: &Path) -> Result<Self, StudyFileError> {
        let failed = |source| StudyFileError::Read { path: path.to_owned(), source };
        let mut text = String::new();
        std::fs::File::open(path)
            .map_err(failed)?
            .take(MAX_BYTES + 1)
            .read_to_string(&mut text)
            .map_err(failed)?;
        let wrong = |line, what| StudyFileError::Wrong { path: path.to_owned(), line, what };
        if text.len() as u64 > MAX_BYTES {
            return Err(wrong(None, format!("it is longer than {MAX_BYTES} bytes")));
        }
        let study: Self = toml::from_str(&text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            wrong(line, error.message().trim_end().replace('\n', "; "))
        })?;
        if study.agents.is_empty() && study.agent.is_empty() {
            return Err(wrong(None, "it names no agent: `agents = [\"oracle\"]`, or `[[agent]]`".to_owned()));
        }
        for agent in &study.agent {
            let name = &agent.name;
            let what = match (&agent.model, &agent.command, &agent.config) {
                (Some(_), None, _) | (None, Some(_), None) => continue,
                (None, Some(_), Some(_)) => format!("the agent `{name}` has a `config` and no `model`"),
                _ => format!("the agent `{name}` needs either a `model` or a `command`"),
            };
            return Err(wrong(None, what));
        }
        Ok(study)
    }
}

#[cfg(all(test, feature = "browser"))]
mod tests {
    use super::*;
    use crate::error::Explain as _;

    fn read(text: &str) -> Result<StudyFile, (String, String)> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("study.toml");
        std::fs::write(&file, text).expect("it can be written");
        StudyFile::read(&file).map_err(|error| (error.to_string(), error.hint().unwrap_or_default()))
    }

    const LEAST: &str = "name = \"a\"\nscenarios = [\"s\"]\nagents = [\"idle\"]\n";

    #[test]
    fn what_is_left_out_is_as_for_a_run() {
        let study = read(LEAST).unwrap();
        assert_eq!((study.trials, study.max_steps, study.seed), (1, 20, 0));
        assert_eq!((study.modes, study.observe), (vec![StudyMode::E2e], StudyObserve::Mixed));
        assert_eq!(study.variations, [StudyVariation::default()]);
        assert_eq!((study.defenses, study.limits), (vec!["none".to_owned()], StudyLimits::default()));
    }

    #[test]
    fn a_variation_is_a_text_or_a_table() {
        let text = format!(
            "{LEAST}variations = [\"\", \"theme=dark,latency_ms=20\", {{ theme = \"dark\", latency_ms = 20 }}]\n"
        );
        let variations = read(&text).unwrap().variations;
        assert_eq!(variations[0], StudyVariation::default());
        assert_eq!(variations[1], variations[2]);
        assert_eq!(variations[1].0.to_string(), "latency_ms=20,theme=dark");
    }

    #[test]
    fn a_mistake_is_named_with_line_and_hint() {
        for (more, line, said, hint) in [
            ("trails = 3\n", 4, "unknown field `trails`", "did you mean `trials`?"),
            ("trials = 0\n", 4, "from 1 to 1000", ""),
            ("modes = [\"e2e\", \"stat\"]\n", 4, "unknown variant `stat`", ""),
            ("\nmodes = []\n", 5, "the list is empty", ""),
            ("variations = [\"theme=dark\",\n \"theme=red\"]\n", 5, "`theme` cannot be `red`", ""),
            ("variations = [{ colour = 1 }]\n", 4, "no factor `colour`", ""),
            ("[limits]\nmax_tokens = -1\n", 5, "", ""),
            ("[limits]\njob = 3\n", 5, "unknown field `job`", "did you mean `jobs`?"),
            ("[[agent]]\nmodel = \"x/y\"\n", 4, "missing field `name`", ""),
            ("seed = \n", 4, "", "discreet schema study"),
        ] {
            let (error, told) = read(&format!("{LEAST}{more}")).unwrap_err();
            assert!(error.contains(&format!("line {line}: ")) && error.contains(said), "{more}: {error}");
            assert!(told.contains(hint), "{more}: {told}");
        }
        for (text, said) in [
            (LEAST.replace("\"a\"", "\"../a\""), "a name has letters"),
            (LEAST.replace("agents = [\"idle\"]\n", ""), "names no agent"),
            (format!("{LEAST}[[agent]]\nname = \"x\"\n"), "either a `model` or a `command`"),
            (format!("{LEAST}[[agent]]\nname = \"x\"\ncommand = \"y\"\nconfig = \"z\"\n"), "no `model`"),
        ] {
            let (error, _) = read(&text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
