//! Starting the browser's process behind its guard, and ending it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStdin, Command};

use super::find::Candidate;
use super::{BrowserError, guard};
use crate::error::Deadline;

/// Prefix of everything we leave on the machine while we run.
const PROFILE_PREFIX: &str = "discreet-profile-";

/// Flags that every browser gets. The safety flags among them are read back from the running
/// process, because a browser silently ignores a flag that it does not understand.
const FLAGS: &[&str] = &[
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-background-networking",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
    "--disable-background-timer-throttling",
    "--disable-client-side-phishing-detection",
    // Going back loads the page again, whatever is still in memory: the same actions, the same page.
    "--disable-back-forward-cache",
    // A turn of the wheel or a key moves the page at once, not over several frames.
    "--disable-smooth-scrolling",
    // Scroll bars show and take their space, as they do for a person. A frame is used again for the next page
    // of the same site (`RenderDocument` off): a new one for each costs a quarter of what opening a page takes.
    "--disable-features=OverlayScrollbars,ExtendedOverlayScrollbars,Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,RenderDocument",
    // WebRTC would send UDP past the proxy. The headless shell knows the first name of the flag,
    // Chromium the second, and each ignores the other.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    // A tile that is drawn again in part differs by a shade at rounded corners from one drawn whole,
    // and what is drawn in part depends on timing.
    "--disable-partial-raster",
    "--disable-skia-runtime-opts",
    "--password-store=basic",
    "--mute-audio",
    "--lang=en-US",
    "--window-size=1280,720",
];

/// A browser process and its guard.
#[derive(Debug)]
pub(crate) struct Process {
    guard: Child,
    /// Closing it makes the guard end the browser.
    pipe: Option<ChildStdin>,
    /// Process id of what the guard started.
    pub(crate) id: u32,
    /// All flags, the profile left out.
    pub(crate) flags: Vec<String>,
    profile: PathBuf,
}

/// Starts a browser and returns it with the address of its WebSocket.
pub(crate) async fn start(
    candidate: &Candidate,
    guard_executable: &Path,
    proxy: Option<&str>,
    deadline: Deadline,
) -> Result<(Process, String), BrowserError> {
    let profile = tempfile::Builder::new()
        .prefix(&format!("{PROFILE_PREFIX}{}-", std::process::id()))
        .tempdir()
        .map_err(|error| BrowserError::Start(format!("no profile folder: {error}")))?;
    let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
    if !candidate.is_headless_shell {
        flags.push("--headless=new".into());
    }
    if nix::unistd::geteuid().is_root() {
        // Chromium refuses its sandbox to root; anybody else keeps it.
        flags.push("--no-sandbox".into());
    }
    if let Some(proxy) = proxy {
        flags.push(format!("--proxy-server={proxy}"));
        flags.push("--proxy-bypass-list=<-loopback>".into());
    }
    let profile = profile.keep();
    let mut command = Command::new(guard_executable);
    command
        .arg(guard::COMMAND)
        .arg(&profile)
        .arg(&candidate.path)
        .args(&flags)
        .arg(profile_flag(&profile))
        .arg("about:blank")
        .env_clear()
        .envs(guard::needed_environment())
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut guard = command.spawn().map_err(|error| {
        guard::remove(&profile);
        BrowserError::Start(format!("the guard does not start: {error}"))
    })?;
    let pipe = guard.stdin.take();
    let stdout = guard.stdout.take().map(BufReader::new);
    let stderr = guard.stderr.take().map(BufReader::new);
    let mut process = Process { guard, pipe, id: 0, flags, profile };
    let started = async {
        let id = match stdout {
            Some(mut lines) => line_with(&mut lines, guard::STARTED).await.ok(),
            None => None,
        };
        let Some(mut lines) = stderr else { return Err("no error output".to_owned()) };
        let address = line_with(&mut lines, "DevTools listening on ").await?;
        // Nobody else reads what the browser says, and a full pipe would stop it.
        tokio::spawn(async move {
            while let Ok(Some(line)) = next_line(&mut lines).await {
                tracing::trace!(line, "browser");
            }
        });
        Ok((id.and_then(|id| id.parse::<u32>().ok()), address))
    };
    let (id, address) = match deadline.race("the browser to start", started).await {
        Ok(Ok(started)) => started,
        Ok(Err(said)) => {
            process.end().await;
            return Err(BrowserError::Start(said));
        }
        Err(expired) => {
            process.end().await;
            return Err(BrowserError::Start(expired.to_string()));
        }
    };
    process.id = id.unwrap_or(0);
    if let Err(error) = process.check_flags() {
        process.end().await;
        return Err(error);
    }
    Ok((process, address))
}

impl Process {
    /// Reads the flags back from the running process: each has to be there, as it was given.
    fn check_flags(&self) -> Result<(), BrowserError> {
        let line = std::fs::read(format!("/proc/{}/cmdline", self.id))
            .map_err(|error| BrowserError::Start(format!("its command line cannot be read: {error}")))?;
        let given: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
        match self.flags.iter().find(|flag| !given.contains(&flag.as_bytes())) {
            Some(missing) => Err(BrowserError::Start(format!("it runs without its flag `{missing}`"))),
            None => Ok(()),
        }
    }

    /// Ends the browser and waits until the process, its helpers and its profile are gone.
    pub(crate) async fn end(&mut self) {
        self.pipe = None;
        let deadline = Deadline::after_ms(5_000);
        if deadline.race("the browser's guard", self.guard.wait()).await.is_err() {
            tracing::warn!(guard = self.guard.id(), "the browser's guard did not end; killing it");
            let _ = self.guard.kill().await;
        }
        if self.profile.exists() {
            guard::remove(&self.profile);
        }
    }
}

fn profile_flag(profile: &Path) -> OsString {
    let mut flag = OsString::from("--user-data-dir=");
    flag.push(profile);
    flag
}

/// Reads lines until one starts with `prefix`; returns what follows it, or else what was said.
async fn line_with(lines: &mut (impl AsyncBufRead + Unpin + Send), prefix: &str) -> Result<String, String> {
    let mut said = String::new();
    while let Ok(Some(line)) = next_line(lines).await {
        if let Some(rest) = line.strip_prefix(prefix) {
            return Ok(rest.trim().to_owned());
        }
        if said.len() < 2_000 && !line.trim().is_empty() {
            said.push_str(line.trim());
            said.push_str("; ");
        }
    }
    Err(if said.is_empty() {
        "it ended without a word".into()
    } else {
        format!("it said: {}", said.trim_end_matches("; "))
    })
}

/// The next line, cut after 64 KiB.
async fn next_line(lines: &mut (impl AsyncBufRead + Unpin + Send)) -> std::io::Result<Option<String>> {
    let mut buffer = Vec::new();
    let read = (&mut *lines as &mut (dyn AsyncBufRead + Unpin + Send))
        .take(64 * 1024)
        .read_until(b'\n', &mut buffer)
        .await?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&buffer).trim_end().to_owned()))
}

/// Removes profile folders that a killed guard left behind: those whose owner no longer runs.
pub fn remove_stale_profiles() {
    let entries = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix(PROFILE_PREFIX))
            .and_then(|rest| rest.split('-').next())
            .and_then(|owner| owner.parse::<u32>().ok());
        if let Some(owner) = owner
            && !Path::new(&format!("/proc/{owner}")).exists()
        {
            guard::remove(&entry.path());
        }
    }
}
