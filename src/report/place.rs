//! What a path that was given stands for: an episode, a run, or whatever lies below it.

use std::path::{Path, PathBuf};

use super::run_folder::{episode_folders, is_episode, is_run};
use crate::trace::TRACE_FILE;

/// How far below a given folder runs and episodes are looked for.
const MAX_DEPTH: usize = 6;

/// Something that was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An episode's folder.
    Episode(PathBuf),
    /// A run's folder.
    Run(PathBuf),
}

/// The episode's folder that a path names: the folder itself, or the `trace.jsonl` in it.
#[must_use]
pub fn episode_at(path: &Path) -> Option<PathBuf> {
    if path.file_name().is_some_and(|name| name == TRACE_FILE) && !path.is_dir() {
        // A bare `trace.jsonl` has an empty parent, which is the current folder.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        return Some(parent.unwrap_or_else(|| Path::new(".")).to_owned());
    }
    is_episode(path).then(|| path.to_owned())
}

/// The episodes and runs that a path stands for, in order of their paths.
#[must_use]
pub fn places_at(path: &Path) -> Vec<Place> {
    let mut found = Vec::new();
    collect(path, 0, &mut found);
    found
}

/// The folders of all episodes that a path stands for, those of a run by number.
#[must_use]
pub fn episodes_at(path: &Path) -> Vec<PathBuf> {
    let places = places_at(path).into_iter();
    places
        .flat_map(|place| match place {
            Place::Episode(folder) => vec![folder],
            Place::Run(folder) => episode_folders(&folder),
        })
        .collect()
}

/// The runs at or below a folder, in order of their paths.
#[must_use]
pub fn runs_below(folder: &Path) -> Vec<PathBuf> {
    let places = places_at(folder).into_iter();
    places
        .filter_map(|place| match place {
            Place::Run(folder) => Some(folder),
            Place::Episode(_) => None,
        })
        .collect()
}

fn collect(path: &Path, depth: usize, found: &mut Vec<Place>) {
    if let Some(folder) = episode_at(path) {
        found.push(Place::Episode(folder));
    } else if is_run(path) {
        found.push(Place::Run(path.to_owned()));
    } else if depth < MAX_DEPTH {
        for folder in folders_in(path) {
            collect(&folder, depth + 1, found);
        }
    }
}

/// The folders in a folder, by name. A link is not followed, so that walking them ends; what cannot be
/// listed holds nothing that could be read.
fn folders_in(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stands_for_an_episode_a_run_or_what_lies_below() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for episode in ["b/run/episodes/2-two", "b/run/episodes/10-ten", "a/alone", "elsewhere/deep/er"] {
            std::fs::create_dir_all(at(episode)).unwrap();
            std::fs::write(at(episode).join(TRACE_FILE), "").unwrap();
        }
        let alone = Some(at("a/alone"));
        assert_eq!(
            (episode_at(&at("a/alone")), episode_at(&at("a/alone/trace.jsonl"))),
            (alone.clone(), alone)
        );
        assert_eq!(episode_at(Path::new("trace.jsonl")), Some(".".into()));
        assert_eq!(episode_at(&at("a")), None);
        let expected =
            [Place::Episode(at("a/alone")), Place::Run(at("b/run")), Place::Episode(at("elsewhere/deep/er"))];
        assert_eq!(places_at(place.path()), expected);
        assert_eq!(runs_below(place.path()), [at("b/run")]);
        let episodes = ["b/run/episodes/2-two", "b/run/episodes/10-ten"].map(at);
        assert_eq!(episodes_at(&at("b")), episodes);
        std::os::unix::fs::symlink(place.path(), at("a/loop")).unwrap();
        assert_eq!(episodes_at(&at("a")), [at("a/alone")]);
        assert_eq!(episodes_at(&at("nowhere")), Vec::<PathBuf>::new());
    }
}
