//! A running browser.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::connection::{Cdp, Outgoing};
use super::find::{Found, Wanted, find};
use super::process::{Process, start};
use super::state::{Shared, text};
use super::{BrowserError, Context, ContextOptions};
use crate::error::Deadline;

/// How to start a browser.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// Which one.
    pub wanted: Wanted,
    /// The proxy for everything, `http://127.0.0.1:PORT`; contexts set theirs as well.
    pub proxy: Option<String>,
    /// The binary that runs the guard; default: this program. A test names the real binary here.
    pub guard_executable: Option<PathBuf>,
    /// How long starting may take.
    pub start_within: Duration,
    /// How long one command may take.
    pub patience: Duration,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            wanted: Wanted::Best,
            proxy: None,
            guard_executable: None,
            start_within: Duration::from_secs(30),
            patience: Duration::from_secs(10),
        }
    }
}

/// What the trace says about a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// `headless-shell`, `chromium` or `remote`.
    pub kind: &'static str,
    /// Product and version, as the browser says (`HeadlessChrome/156.0.8078.114`).
    pub product: String,
    /// Flags it runs with; the profile's path is left out.
    pub flags: Vec<String>,
}

/// A running browser. It ends when this is closed or dropped, and when this process is killed.
#[derive(Debug)]
pub struct Browser {
    cdp: Cdp,
    shared: Shared,
    process: Option<Process>,
    identity: Identity,
    patience: Duration,
}

impl Browser {
    /// Starts a browser, or connects to a running one.
    ///
    /// # Errors
    /// [`BrowserError::NotFound`] and [`BrowserError::Start`].
    pub async fn launch(options: &LaunchOptions) -> Result<Self, BrowserError> {
        let deadline = Deadline::after(options.start_within);
        let (mut process, address, kind) = match &options.wanted {
            Wanted::Remote(address) => (None, websocket(address, deadline).await?, "remote"),
            wanted => {
                super::remove_stale_profiles();
                let Found { candidate, .. } = find(wanted).await?;
                let guard = match &options.guard_executable {
                    Some(path) => path.clone(),
                    None => std::env::current_exe().map_err(|error| {
                        BrowserError::Start(format!("our own binary is not known: {error}"))
                    })?,
                };
                let kind = if candidate.is_headless_shell { "headless-shell" } else { "chromium" };
                let (process, address) =
                    start(&candidate, &guard, options.proxy.as_deref(), deadline).await?;
                (Some(process), address, kind)
            }
        };
        let shared = Shared::new();
        let (cdp, product) = match greet(&address, &shared, deadline).await {
            Ok(greeted) => greeted,
            Err(error) => {
                // Whoever is told of the error may look at once for what is left.
                if let Some(process) = &mut process {
                    process.end().await;
                }
                return Err(error);
            }
        };
        let identity = Identity {
            kind,
            product,
            flags: process.as_ref().map(|process| process.flags.clone()).unwrap_or_default(),
        };
        Ok(Self { cdp, shared, process, identity, patience: options.patience })
    }

    /// What the trace says about it.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Process id of the browser; `None` for a remote one.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(|process| process.id)
    }

    /// Whether it is gone.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.cdp.lost_reason().is_some()
    }

    /// Creates a context with one blank page.
    ///
    /// # Errors
    /// [`BrowserError`].
    pub async fn open_context(&self, options: &ContextOptions) -> Result<Context, BrowserError> {
        let deadline = Deadline::after(self.patience * 3);
        Context::open(self.cdp.clone(), self.shared.clone(), options, deadline).await
    }

    /// Ends the browser, its helpers and its profile folder, and waits for that.
    pub async fn close(mut self) {
        if let Some(process) = &mut self.process {
            process.end().await;
        }
    }
}

/// Connects to a browser and asks it for its targets; returns its product and version too.
async fn greet(address: &str, shared: &Shared, deadline: Deadline) -> Result<(Cdp, String), BrowserError> {
    let cdp = Cdp::connect(address, shared.clone(), deadline).await?;
    let version = cdp.send(Outgoing::raw(None, "Browser.getVersion", json!({})), deadline).await?;
    let attach = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
    cdp.send(Outgoing::raw(None, "Target.setAutoAttach", attach), deadline).await?;
    let discover = json!({ "discover": true });
    cdp.send(Outgoing::raw(None, "Target.setDiscoverTargets", discover), deadline).await?;
    Ok((cdp, text(&version, "product").to_owned()))
}

/// The WebSocket address of a running browser: as given, or asked for over HTTP.
async fn websocket(address: &str, deadline: Deadline) -> Result<String, BrowserError> {
    if address.starts_with("ws") {
        return Ok(address.to_owned());
    }
    let url = format!("{}/json/version", address.trim_end_matches('/'));
    let ask = async {
        let client =
            reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build()?;
        client.get(&url).send().await?.json::<Value>().await
    };
    let reply = deadline
        .race("the remote browser's address", ask)
        .await?
        .map_err(|error| BrowserError::Start(format!("{url} does not answer: {error}")))?;
    match text(&reply, "webSocketDebuggerUrl") {
        "" => Err(BrowserError::Start(format!("{url} names no WebSocket"))),
        found => Ok(found.to_owned()),
    }
}
