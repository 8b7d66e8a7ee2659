//! Rows, run folders, metrics and tables: everything that is said about episodes is computed from
//! their traces, so any of it can be computed again.

mod manifest;
mod merge;
mod metrics;
mod recorded;
mod rescore;
mod row;
mod run_folder;
mod shard;
mod table;

pub use manifest::{Manifest, ManifestScenario};
pub use merge::{MergeError, merge};
pub use metrics::{Figure, Grouping, Method, Metric, Summary, summarise};
pub use recorded::{
    RecordedEpisode, RescoreError, STRICT_VERSION, artifacts_read, disclosures, score_record, verdict_kind,
};
pub use rescore::{Change, RESCORED_FILE, Rescored, find_episodes, order_of_results, rescore};
pub use row::{EpisodeKey, Row, RowError, rows_from_jsonl, schema as row_schema};
pub use run_folder::{
    CheckedTrace, EPISODES_FOLDER, Episode, MANIFEST_FILE, RESULTS_FILE, RunFolder, RunFolderError,
    RunTraceError, is_episode, is_run, verify_run,
};
pub use shard::{Shard, ShardError};
pub use table::{closing_json, closing_table};
