//! The way to the disk of everything that records, as a trait: so that a test can make the n-th write
//! fail, for every n, and see what is left behind.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

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
