//! Finding a Chromium.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::BrowserError;
use crate::config::env_vars;

/// Which browser was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The headless shell where it is installed (several times faster), else Chromium.
    #[default]
    Best,
    /// `chromium --headless=new`.
    Chromium,
    /// The headless shell.
    HeadlessShell,
    /// A running browser, by the address of its DevTools (`ws://…` or `http://host:port`).
    Remote(String),
}

impl std::str::FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "best" => Ok(Self::Best),
            "chromium" => Ok(Self::Chromium),
            "headless-shell" => Ok(Self::HeadlessShell),
            _ if ["ws://", "wss://", "http://"].iter().any(|scheme| text.starts_with(scheme)) => {
                Ok(Self::Remote(text.to_owned()))
            }
            _ => Err("expected `best`, `chromium`, `headless-shell`, or a DevTools address such as `ws://127.0.0.1:9222/…`".into()),
        }
    }
}

/// A place to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The executable.
    pub path: PathBuf,
    /// Whether it is the headless shell, which takes other flags.
    pub is_headless_shell: bool,
}

/// A browser that is there and says its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where.
    pub candidate: Candidate,
    /// What `--version` printed.
    pub version: String,
}

/// Everything that is tried for `wanted`, in order. The headless shell is started without Debian's
/// wrapper, which would stand between us and the process.
#[must_use]
pub fn candidates(wanted: &Wanted) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut add = |path: PathBuf, is_headless_shell: bool| {
        found.push(Candidate { path, is_headless_shell });
    };
    if let Some(path) = std::env::var_os(env_vars::CHROMIUM).filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        let shell = path.file_name().is_some_and(|name| name.to_string_lossy().contains("headless-shell"));
        let fits = match wanted {
            Wanted::Best => true,
            Wanted::Chromium => !shell,
            Wanted::HeadlessShell => shell,
            Wanted::Remote(_) => false,
        };
        if fits {
            add(path, shell);
        }
    }
    if matches!(wanted, Wanted::Best | Wanted::HeadlessShell) {
        add("/usr/lib/chromium/chromium-headless-shell".into(), true);
        for name in ["chromium-headless-shell", "chrome-headless-shell", "headless_shell"] {
            if let Some(path) = on_path(name) {
                add(path, true);
            }
        }
    }
    if matches!(wanted, Wanted::Best | Wanted::Chromium) {
        for name in ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"] {
            if let Some(path) = on_path(name) {
                add(path, false);
            }
        }
    }
    found
}

/// The first candidate that exists and says its version within five seconds.
///
/// # Errors
/// [`BrowserError::NotFound`] with what was tried and why each did not do.
pub async fn find(wanted: &Wanted) -> Result<Found, BrowserError> {
    let mut tried = Vec::new();
    for candidate in candidates(wanted) {
        if !candidate.path.is_file() {
            tried.push(format!("{} is not there", candidate.path.display()));
            continue;
        }
        match version(&candidate.path).await {
            Ok(version) => return Ok(Found { candidate, version }),
            Err(reason) => tried.push(format!("{} {reason}", candidate.path.display())),
        }
    }
    let tried = if tried.is_empty() { "none is on the PATH".to_owned() } else { tried.join("; ") };
    Err(BrowserError::NotFound(tried))
}

async fn version(path: &Path) -> Result<String, String> {
    let mut command = tokio::process::Command::new(path);
    command.arg("--version").stdin(std::process::Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(Duration::from_secs(5), command.output())
        .await
        .map_err(|_| "did not say its version within 5 s".to_owned())?
        .map_err(|error| format!("does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("ends with {} when asked for its version", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|line| line.contains("Chrom")).map(str::trim);
    line.map(ToOwned::to_owned).ok_or_else(|| "does not call itself Chromium".to_owned())
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::Wanted;

    #[test]
    fn names_and_addresses_are_told_apart() {
        assert_eq!("headless-shell".parse(), Ok(Wanted::HeadlessShell));
        assert_eq!("ws://127.0.0.1:1/x".parse(), Ok(Wanted::Remote("ws://127.0.0.1:1/x".into())));
        assert!("firefox".parse::<Wanted>().unwrap_err().contains("headless-shell"));
    }
}
