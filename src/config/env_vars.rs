//! Every environment variable that the program reads.

/// Path of the Chromium or headless shell to use instead of the installed ones.
pub const CHROMIUM: &str = "DISCREET_CHROMIUM";

/// Folder of public scenarios and vectors that tests use when it is there; default `../shared`.
pub const SHARED: &str = "DISCREET_SHARED";

/// Log filter (`discreet=debug`), in the syntax of `tracing-subscriber`; default: warnings.
pub const LOG: &str = "DISCREET_LOG";

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
