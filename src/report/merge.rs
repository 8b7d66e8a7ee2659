//! Joining the shares of a run into the run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::row::Row;
use super::run_folder::{RunFolder, RunFolderError, copy_episode, finished, lock, read_manifest};
use super::shard::Shard;
use crate::error::{Explain, Fault};

/// Shares do not make up a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A folder could not be read or written.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// A folder is no share of a run.
    #[error("merge {}: it is a whole run, not a shard", .0.display())]
    Whole(PathBuf),
    /// Two folders belong to different runs.
    #[error("merge {} with {}: they differ in {}", .one.display(), .other.display(), .differences.join(", "))]
    Different {
        /// The first folder.
        one: PathBuf,
        /// The one that differs.
        other: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// The same share twice.
    #[error("merge {} with {}: both are shard {shard}", .one.display(), .other.display())]
    Double {
        /// One folder.
        one: PathBuf,
        /// The other.
        other: PathBuf,
        /// Which share.
        shard: Shard,
    },
    /// Shares that nobody gave.
    #[error("merge the shards: {} of {count} missing ({})", .missing.len(), numbers(.missing))]
    Missing {
        /// Their indices.
        missing: Vec<u32>,
        /// How many there are.
        count: u32,
    },
    /// A share that has not ended.
    #[error("merge {}: {missing} of its {planned} episodes are not there (the first is number {first})", .path.display())]
    Unfinished {
        /// The folder.
        path: PathBuf,
        /// How many episodes have no trace that verifies.
        missing: usize,
        /// How many the share consists of.
        planned: usize,
        /// Number of the first one.
        first: u64,
    },
}

fn numbers(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

impl Explain for MergeError {
    fn fault(&self) -> Fault {
        match self {
            Self::Folder(error) => error.fault(),
            Self::Whole(_) | Self::Different { .. } | Self::Double { .. } => Fault::Usage,
            Self::Missing { .. } | Self::Unfinished { .. } => Fault::Incomplete,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Folder(error) => return error.hint(),
            Self::Whole(_) => "give folders that `discreet run --shard I/N` wrote".to_owned(),
            Self::Different { .. } => {
                "run all shards with one command line, one version and one browser".to_owned()
            }
            Self::Double { .. } => "leave one of the two out".to_owned(),
            Self::Missing { .. } => "give the folders of all shards at once".to_owned(),
            Self::Unfinished { .. } => "go on with it: the same command line with `--resume`".to_owned(),
        })
    }
}

/// Joins all shares of a run in a folder of its own, which must be empty or not there, and returns
/// its rows. The shares stay as they are; traces are linked where the file system allows, else copied.
///
/// # Errors
/// [`MergeError`] when the folders are not all the shares of one run, each of them whole.
pub fn merge(shards: &[PathBuf], out: &Path) -> Result<Vec<Row>, MergeError> {
    let mut parts: BTreeMap<u32, (PathBuf, Manifest)> = BTreeMap::new();
    let mut first: Option<(PathBuf, Manifest, Shard)> = None;
    for path in shards {
        let manifest = read_manifest(path)?;
        let Some(shard) = manifest.shard else { return Err(MergeError::Whole(path.clone())) };
        let (of, wanted, of_shard) = first.get_or_insert_with(|| (path.clone(), manifest.clone(), shard));
        let mut differences = wanted.differences(&manifest);
        if of_shard.count() != shard.count() {
            differences.push(format!("the number of shards ({} and {})", of_shard.count(), shard.count()));
        }
        if !differences.is_empty() {
            return Err(MergeError::Different { one: of.clone(), other: path.clone(), differences });
        }
        if let Some((one, _)) = parts.get(&shard.index()) {
            return Err(MergeError::Double { one: one.clone(), other: path.clone(), shard });
        }
        parts.insert(shard.index(), (path.clone(), manifest));
    }
    let Some((_, _, shard)) = first else { return Err(MergeError::Missing { missing: vec![1], count: 1 }) };
    let missing: Vec<u32> = (1..=shard.count()).filter(|index| !parts.contains_key(index)).collect();
    if !missing.is_empty() {
        return Err(MergeError::Missing { missing, count: shard.count() });
    }
    let mut locks = Vec::new();
    let mut episodes = Vec::new();
    for (path, manifest) in parts.values() {
        // Nobody writes to a share while it is read.
        locks.push(lock(path)?);
        let whole = finished(path)?;
        let planned: Vec<u64> = manifest.planned_here().collect();
        let absent: Vec<u64> = planned
            .iter()
            .copied()
            .filter(|number| !whole.iter().any(|(episode, _)| episode.number == *number))
            .collect();
        if let Some(number) = absent.first() {
            return Err(MergeError::Unfinished {
                path: path.to_owned(),
                missing: absent.len(),
                planned: planned.len(),
                first: *number,
            });
        }
        episodes.extend(whole.into_iter().map(|(episode, _)| episode));
    }
    let created = parts.values().map(|(_, manifest)| manifest.created).min();
    let (_, manifest) = parts.into_values().next().expect("there is at least one share");
    let manifest = Manifest { shard: None, created: created.unwrap_or(manifest.created), ..manifest };
    let run = RunFolder::create(Some(out), manifest)?;
    for episode in episodes {
        copy_episode(&episode, run.path())?;
    }
    Ok(run.finish()?)
}
