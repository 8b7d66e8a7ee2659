//! What decides a run's results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shard::Shard;

/// What decides a run's results, and when it was started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Identifier of the run.
    pub run_id: String,
    /// Wall time of the start.
    pub created: jiff::Timestamp,
    /// Version of this program.
    pub discreet_version: String,
    /// Everything from the command line and files that decides results: agents and their
    /// configuration, modes, defenses, variations, trials, budget, seed. Not how it is run (jobs,
    /// output).
    pub settings: Value,
    /// The scenarios.
    pub scenarios: Vec<ManifestScenario>,
    /// Product and version of the browser; `null` when none is used.
    pub browser: Option<String>,
    /// How many episodes the whole run has.
    #[serde(default)]
    pub episodes: u64,
    /// Which of them this folder holds; `null` for all.
    #[serde(default)]
    pub shard: Option<Shard>,
}

/// A scenario of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestScenario {
    /// The file, as given on the command line.
    pub file: String,
    /// Line of a `.jsonl` file, 1-based.
    pub line: Option<u64>,
    /// Identifier; for a file that could not be loaded, what its row carries.
    pub scenario_id: String,
    /// Content hash; empty for a file that could not be loaded.
    pub hash: String,
}

impl Manifest {
    /// Numbers of the episodes that this folder holds.
    pub(super) fn planned_here(&self) -> impl Iterator<Item = u64> {
        let shard = self.shard;
        (1..=self.episodes).filter(move |number| shard.is_none_or(|shard| shard.holds(*number)))
    }

    /// What decides results and is not the same, for a person; empty when they are one run.
    pub(super) fn differences(&self, wanted: &Self) -> Vec<String> {
        let existing = self;
        let mut differences = Vec::new();
        let mut compare = |what: String, one: &str, other: &str| {
            if one != other {
                differences.push(format!("{what} ({one} there, {other} here)"));
            }
        };
        compare("the version".to_owned(), &existing.discreet_version, &wanted.discreet_version);
        let browser = |manifest: &Self| manifest.browser.clone().unwrap_or_else(|| "none".to_owned());
        compare("the browser".to_owned(), &browser(existing), &browser(wanted));
        let empty = serde_json::Map::new();
        let (one, other) =
            (existing.settings.as_object().unwrap_or(&empty), wanted.settings.as_object().unwrap_or(&empty));
        let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let text = |settings: &serde_json::Map<String, Value>| {
                settings.get(name).map_or_else(|| "nothing".to_owned(), Value::to_string)
            };
            compare(format!("`{name}`"), &text(one), &text(other));
        }
        let hashes = |manifest: &Self| -> BTreeMap<String, String> {
            manifest.scenarios.iter().map(|one| (one.scenario_id.clone(), one.hash.clone())).collect()
        };
        let (one, other) = (hashes(existing), hashes(wanted));
        let mut changed: Vec<&String> =
            one.keys().chain(other.keys()).filter(|id| one.get(*id) != other.get(*id)).collect();
        changed.sort();
        changed.dedup();
        let order = |manifest: &Self| -> Vec<String> {
            manifest.scenarios.iter().map(|scenario| scenario.scenario_id.clone()).collect()
        };
        if let Some(first) = changed.first() {
            differences.push(format!("{} of its scenarios (the first is `{first}`)", changed.len()));
        } else if order(existing) != order(wanted) {
            // Episodes are numbered in this order.
            differences.push("the order of its scenarios".to_owned());
        } else if existing.episodes != wanted.episodes {
            differences.push(format!(
                "the number of episodes ({} there, {} here)",
                existing.episodes, wanted.episodes
            ));
        }
        differences
    }
}
