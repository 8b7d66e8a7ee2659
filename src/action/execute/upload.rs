//! Choosing files: a click that opens a file chooser, which is intercepted and answered.

use std::path::Path;
use std::time::Duration;

use super::executor::{INPUT_WITHIN, Target};
use super::failure::{Attempt, Failure};
use crate::action::quote;
use crate::action::types::Button;
use crate::browser::BrowserError;
use crate::error::Deadline;

/// How long a click may take to open a file chooser, as in BrowserGym.
const CHOOSER_WITHIN: Duration = Duration::from_secs(5);

/// The most files that can be chosen at once.
const MOST_FILES: usize = 100;

impl Target<'_> {
    /// Clicks an element that opens a file chooser, and chooses files.
    pub(super) async fn upload_at_element(&mut self, bid: &str, files: &[String]) -> Attempt {
        self.allow_upload()?;
        let element = self.element(bid)?;
        self.page.forget_file_chooser()?;
        self.guarded_click("upload_file", bid, &element, (Button::Left, &[], 1)).await?;
        self.choose("upload_file", files).await
    }

    /// Clicks at a place that opens a file chooser, and chooses files.
    pub(super) async fn upload_at(&mut self, at: (f64, f64), files: &[String]) -> Attempt {
        self.allow_upload()?;
        self.page.forget_file_chooser()?;
        self.click_at(at, Button::Left, 1).await?;
        self.choose("mouse_upload_file", files).await
    }

    fn allow_upload(&self) -> Attempt {
        if self.may_upload {
            return Ok(());
        }
        Err(Failure::Action("PermissionError", "files of this machine cannot be uploaded here".to_owned()))
    }

    /// Chooses files in the chooser that a click opened.
    async fn choose(&mut self, action: &str, files: &[String]) -> Attempt {
        let chooser = match self.page.file_chooser(Deadline::after(CHOOSER_WITHIN)).await {
            Err(BrowserError::Expired(_)) => {
                return Err(Failure::timeout(format!(
                    "Timeout {}ms exceeded while waiting for event \"filechooser\": what {action} clicked opens none",
                    CHOOSER_WITHIN.as_millis()
                )));
            }
            other => other?,
        };
        let error = |message: String| Err(Failure::error(format!("{action}: {message}")));
        if files.len() > MOST_FILES {
            return error(format!("{} files are more than {MOST_FILES}", files.len()));
        }
        if files.len() > 1 && !chooser.takes_several {
            return error("Non-multiple file input can only accept single file".to_owned());
        }
        let mut paths = Vec::with_capacity(files.len());
        for file in files {
            // Relative paths start at the working folder.
            let path = std::path::absolute(Path::new(file)).unwrap_or_else(|_| file.into());
            match std::fs::metadata(&path) {
                Ok(found) if found.is_file() => paths.push(path.to_string_lossy().into_owned()),
                Ok(_) => return error(format!("{} is not a file", quote(file))),
                Err(reason) if reason.kind() == std::io::ErrorKind::NotFound => {
                    return error(format!("ENOENT: no such file or directory, access {}", quote(file)));
                }
                Err(reason) => return error(format!("{} cannot be read: {reason}", quote(file))),
            }
        }
        self.page.choose_files(&chooser, &paths, Deadline::after(INPUT_WITHIN)).await?;
        Ok(())
    }
}
