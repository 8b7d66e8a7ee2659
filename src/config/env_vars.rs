//! Every environment variable that the program reads.

/// Path of the Chromium or headless shell to use instead of the installed ones.
pub const CHROMIUM: &str = "DISCREET_CHROMIUM";

/// Folder of public scenarios and vectors that tests use when it is there; default `../shared`.
pub const SHARED: &str = "DISCREET_SHARED";

/// Log filter (`discreet=debug`), in the syntax of `tracing-subscriber`; default: warnings. Only this
/// program's own logs are told.
pub const LOG: &str = "DISCREET_LOG";

/// `json` for logs as JSON Lines; text otherwise.
pub const LOG_FORMAT: &str = "DISCREET_LOG_FORMAT";

/// How many shards a run has where the scheduler does not say (Kubernetes names the index only).
pub const SHARDS: &str = "DISCREET_SHARDS";

/// Slurm: number of this task in its array.
pub const SLURM_TASK: &str = "SLURM_ARRAY_TASK_ID";
/// Slurm: how many tasks the array has.
pub const SLURM_TASKS: &str = "SLURM_ARRAY_TASK_COUNT";
/// Slurm: the lowest number in the array.
pub const SLURM_FIRST: &str = "SLURM_ARRAY_TASK_MIN";
/// Slurm: the distance between numbers in the array.
pub const SLURM_STEP: &str = "SLURM_ARRAY_TASK_STEP";

/// Kubernetes: number of this pod in its Indexed Job, from 0.
pub const KUBERNETES_INDEX: &str = "JOB_COMPLETION_INDEX";
/// Set to anything but `0` or nothing: no model is asked; what `--llm-cache` does not hold fails.
pub const OFFLINE: &str = "DISCREET_OFFLINE";

/// Keys of model providers. They are read from the environment only.
pub const OPENAI_KEY: &str = "OPENAI_API_KEY";
/// Anthropic's.
pub const ANTHROPIC_KEY: &str = "ANTHROPIC_API_KEY";
/// Google's, for Gemini.
pub const GEMINI_KEY: &str = "GEMINI_API_KEY";
/// `OpenRouter`'s.
pub const OPENROUTER_KEY: &str = "OPENROUTER_API_KEY";

/// S3-compatible storage: the key's name.
pub const S3_KEY: &str = "AWS_ACCESS_KEY_ID";
/// The key itself.
pub const S3_SECRET: &str = "AWS_SECRET_ACCESS_KEY";
/// The token of a key that lasts for a while only.
pub const S3_TOKEN: &str = "AWS_SESSION_TOKEN";
/// The region; `us-east-1` where neither this nor the next is set.
pub const S3_REGION: &str = "AWS_REGION";
/// The region, as other tools call it.
pub const S3_DEFAULT_REGION: &str = "AWS_DEFAULT_REGION";
/// Address of a server that is not Amazon's.
pub const S3_ENDPOINT: &str = "AWS_ENDPOINT_URL";
/// The same for this one service; stronger.
pub const S3_ENDPOINT_OF_S3: &str = "AWS_ENDPOINT_URL_S3";

/// Whether [`OFFLINE`] is set.
#[must_use]
pub fn is_offline() -> bool {
    std::env::var_os(OFFLINE).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Base address of the judge's API, as `--judge`.
pub const JUDGE_URL: &str = "DISCREET_JUDGE_URL";

/// The judge's model, as `--judge-model`.
pub const JUDGE_MODEL: &str = "DISCREET_JUDGE_MODEL";

/// The judge's key; where it is not set, [`OPENAI_KEY`] is used.
pub const JUDGE_KEY: &str = "DISCREET_JUDGE_KEY";
