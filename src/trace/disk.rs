//! The way to the disk of everything that records, as a trait: so that a test can make the n-th write
//! fail, for every n, and see what is left behind.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Every operation by which a trace or a run's folder changes the disk.
pub trait Disk: Send + std::fmt::Debug {
    /// Makes a folder; no error when it is there.
    ///
    /// # Errors
    /// What the system says.
    fn create_folder(&mut self, path: &Path) -> io::Result<()>;

    /// Opens a new file for appending; an error when there is one.
    ///
    /// # Errors
    /// What the system says.
    fn create_file(&mut self, path: &Path) -> io::Result<File>;

    /// Opens a file for writing from its start; what was in it is gone.
    ///
    /// # Errors
    /// What the system says.
    fn replace_file(&mut self, path: &Path) -> io::Result<File>;

    /// Opens a file for appending, and makes it where it is not there.
    ///
    /// # Errors
    /// What the system says.
    fn open_file(&mut self, path: &Path) -> io::Result<File>;

    /// Appends to a file and hands it to the system.
    ///
    /// # Errors
    /// What the system says; a part of the bytes may have been written.
    fn append(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()>;

    /// Gives a file its final name.
    ///
    /// # Errors
    /// What the system says.
    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()>;

    /// Waits until the file's content is on the device.
    ///
    /// # Errors
    /// What the system says.
    fn sync(&mut self, file: &File) -> io::Result<()>;
}

/// The real disk.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn create_folder(&mut self, path: &Path) -> io::Result<()> {
        std::fs::create_dir_all(path)
    }

    fn create_file(&mut self, path: &Path) -> io::Result<File> {
        OpenOptions::new().append(true).create_new(true).open(path)
    }

    fn replace_file(&mut self, path: &Path) -> io::Result<File> {
        File::create(path)
    }

    fn open_file(&mut self, path: &Path) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).open(path)
    }

    fn append(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }
}

/// Writes a file so that it is there whole or not at all, by way of `PATH.partial`: for whoever holds a
/// lock, so that a killed process leaves no more than that behind, which the next one replaces.
///
/// # Errors
/// What the system says.
pub(crate) fn write_whole(disk: &mut dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(disk, &with_ending(path, ".partial"), path, bytes)
}

/// The same where no lock keeps others from writing the same file; makes the folders on its way.
///
/// # Errors
/// What the system says.
pub(crate) fn write_whole_among_others(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Process ids and counters repeat in containers that share a folder.
    let own = std::hash::RandomState::new().build_hasher().finish();
    if let Some(folder) = path.parent() {
        RealDisk.create_folder(folder)?;
    }
    write_by(&mut RealDisk, &with_ending(path, &format!(".{own:016x}.partial")), path, bytes)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn write_by(disk: &mut dyn Disk, temporary: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut write = || -> io::Result<()> {
        let mut file = disk.replace_file(temporary)?;
        disk.append(&mut file, bytes)?;
        disk.sync(&file)?;
        disk.rename(temporary, path)
    };
    write().inspect_err(|_| {
        // Best effort: the cause is the error to report.
        let _ = std::fs::remove_file(temporary);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all_and_is_like_any_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/one.cert");
        write_whole_among_others(&path, b"first").unwrap();
        write_whole_among_others(&path, b"second").unwrap();
        write_whole(&mut RealDisk, &folder.path().join("new/two"), b"third").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        let other = folder.path().join("other");
        std::fs::write(&other, b"x").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions();
        assert_eq!(mode(&path), mode(&other));
        assert_eq!(mode(&folder.path().join("new/two")), mode(&other));
        // A folder is in the way.
        let taken = folder.path().join("new");
        assert!(write_whole_among_others(&taken, b"x").is_err());
        assert!(write_whole(&mut RealDisk, &taken, b"x").is_err());
        let names = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
        assert_eq!((names(folder.path()), names(&taken)), (2, 2), "nothing else is left");
    }
}
