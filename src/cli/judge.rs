//! Flags of commands that may ask a judge.

use std::path::PathBuf;

use crate::config::{Secret, env_vars};
use crate::judge::{Judge, JudgeError, JudgeOptions};

/// How a judge is reached; without `--judge` none is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct JudgeArguments {
    /// Asks a model about items that rules do not find: base address of an OpenAI-compatible API. The
    /// key is read from `DISCREET_JUDGE_KEY`, else `OPENAI_API_KEY`.
    #[arg(long, value_name = "URL", requires = "judge_model", env = env_vars::JUDGE_URL, hide_env_values = true)]
    judge: Option<String>,

    /// The judge's model.
    #[arg(long, value_name = "MODEL", env = env_vars::JUDGE_MODEL)]
    judge_model: Option<String>,

    /// Keeps the judge's answers in a folder and uses those that are there: scoring again costs
    /// nothing and gives the same.
    #[arg(long, value_name = "DIR")]
    judge_cache: Option<PathBuf>,
}

impl JudgeArguments {
    /// The judge that is asked for, with its model's name.
    pub(crate) fn judge(&self) -> Result<Option<(Judge, String)>, JudgeError> {
        let (Some(url), Some(model)) = (&self.judge, &self.judge_model) else { return Ok(None) };
        let options = JudgeOptions {
            key: Secret::from_env(env_vars::JUDGE_KEY).or_else(|| Secret::from_env(env_vars::OPENAI_KEY)),
            cache: self.judge_cache.clone(),
            offline: env_vars::is_offline(),
            ..JudgeOptions::new(url, model)
        };
        Ok(Some((Judge::new(options)?, model.clone())))
    }
}
