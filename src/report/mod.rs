//! Rows, run folders, metrics, tables, reports and the viewer: everything that is said about episodes is
//! computed from their traces, so any of it can be computed again.

mod analysis;
mod cases;
mod compare;
mod export;
mod html;
mod manifest;
mod merge;
mod metrics;
mod place;
mod plots;
mod recorded;
pub mod remote;
mod rescore;
mod row;
mod run_folder;
mod shard;
mod style;
mod svg;
mod table;
mod text;
pub mod viewer;

pub use analysis::{
    Behaviour, Breakdown, Disagreement, Funnel, Group, LeakSteps, Missing, Repeats, Report, Stability,
};
pub use cases::{Case, Cases, Dimension, Source};
pub use compare::{CompareError, Comparison, Difference, DiscordantPair, PairedTest, Side, compare};
pub use export::{comparison_json, report_csv, report_json, report_junit};
pub use html::{HtmlError, comparison_html, report_html};
pub use manifest::{Manifest, ManifestScenario};
pub use merge::{MergeError, merge};
pub use metrics::{Figure, Grouping, Method, Metric, Summary, summarise};
pub use place::{Place, episode_at, episodes_at, places_at, runs_below};
pub use recorded::{
    RecordedEpisode, RescoreError, STRICT_VERSION, artifacts_read, disclosures, score_record, verdict_kind,
};
pub use rescore::{Change, RESCORED_FILE, Rescored, find_episodes, order_of_results, rescore};
#[cfg(feature = "browser")]
pub(crate) use row::variation_text;
pub use row::{EpisodeKey, Row, RowError, rows_from_jsonl, schema as row_schema};
pub use run_folder::{
    CheckedTrace, EPISODES_FOLDER, Episode, MANIFEST_FILE, RESULTS_FILE, RunFolder, RunFolderError,
    RunTraceError, episode_folders, is_episode, is_run, verify_run,
};
#[cfg(feature = "browser")]
pub(crate) use run_folder::{SPENDING_FILE, lock as lock_folder, spending_in};
pub use shard::{Shard, ShardError};
pub use table::{closing_json, closing_table, plain_table, printable};
pub use text::{comparison_text, report_text};
