//! `discreet doctor`: what this machine has and lacks.

use serde::Serialize;

use super::{exit_code, output};

/// Says what this machine has and lacks: browsers, fonts, memory, disk.
///
/// Every browser that is found is started once and takes a screenshot. Exit code 6 when none works.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  discreet doctor --json | jq '.[] | select(.ok | not)'")]
pub(crate) struct Arguments {
    /// Print one JSON array instead of lines for a person
    #[arg(long)]
    json: bool,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    /// Short name in `snake_case`.
    check: String,
    /// Whether it is as it should be.
    ok: bool,
    /// Whether a run is impossible without it.
    required: bool,
    /// What was found.
    found: String,
    /// What to do about it.
    hint: Option<String>,
}

impl Finding {
    fn new(check: &str, ok: bool, found: impl Into<String>) -> Self {
        Self { check: check.into(), ok, required: false, found: found.into(), hint: None }
    }

    fn hint(mut self, hint: &str) -> Self {
        if !self.ok {
            self.hint = Some(hint.to_owned());
        }
        self
    }
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let mut findings = browsers();
    findings.extend(fonts());
    findings.extend(machine());
    if arguments.json {
        match serde_json::to_string(&findings) {
            Ok(json) => output::data(&json),
            Err(error) => {
                output::note(&format!("error: failed to write JSON: {error}"));
                return exit_code::INTERNAL;
            }
        }
    } else {
        for finding in &findings {
            let mark = match (finding.ok, finding.required) {
                (true, _) => "ok     ",
                (false, true) => "MISSING",
                (false, false) => "warning",
            };
            output::data(&format!("{mark} {:<22} {}", finding.check, finding.found));
            if let Some(hint) = &finding.hint {
                output::data(&format!("        hint: {hint}"));
            }
        }
    }
    if findings.iter().any(|finding| finding.required && !finding.ok) {
        exit_code::ENVIRONMENT
    } else {
        exit_code::OK
    }
}

#[cfg(not(feature = "browser"))]
fn browsers() -> Vec<Finding> {
    let mut finding = Finding::new("browser", false, "this build has no browser support");
    finding.required = true;
    vec![finding.hint("build with the feature `browser`, which is on by default")]
}

#[cfg(feature = "browser")]
fn browsers() -> Vec<Finding> {
    use crate::browser::Wanted;

    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return vec![Finding::new("browser", false, format!("no async runtime: {error}"))],
    };
    let mut findings = Vec::new();
    for (name, wanted) in [("chromium_headless_shell", Wanted::HeadlessShell), ("chromium", Wanted::Chromium)]
    {
        let tried = runtime.block_on(try_browser(&wanted));
        let ok = tried.is_ok();
        let found = tried.unwrap_or_else(|error| format!("failed to {error}"));
        findings.push(Finding::new(name, ok, found).hint(if name == "chromium" {
            "install Debian's package `chromium`, or set DISCREET_CHROMIUM to an executable"
        } else {
            "install Debian's package `chromium-headless-shell`; episodes are several times faster with it"
        }));
    }
    let any = findings.iter().any(|finding| finding.ok);
    let mut usable = Finding::new("usable_browser", any, if any { "yes" } else { "no browser starts" });
    usable.required = true;
    findings.push(
        usable.hint("run scripts/setup as root, or install Debian's package `chromium-headless-shell`"),
    );
    findings
}

/// Starts a browser, opens a page, takes a screenshot, ends it.
#[cfg(feature = "browser")]
async fn try_browser(wanted: &crate::browser::Wanted) -> Result<String, crate::browser::BrowserError> {
    use std::time::Instant;

    use crate::browser::{Browser, ContextOptions, LaunchOptions, Viewport, Wall, find};
    use crate::error::Deadline;
    use crate::observe::{AccessMode, Observer, Wishes};

    let found = find(wanted).await?;
    let started = Instant::now();
    let browser =
        Browser::launch(&LaunchOptions { wanted: wanted.clone(), ..LaunchOptions::default() }).await?;
    let options = ContextOptions {
        wall: Wall::Loopback,
        proxy: None,
        cookies: Vec::new(),
        viewport: Viewport::default(),
    };
    let looked = async {
        let context = browser.open_context(&options).await?;
        Observer::default().observe(&context, Wishes::of(AccessMode::Mixed), Deadline::after_ms(10_000)).await
    };
    let looked = looked.await;
    let took = started.elapsed().as_millis();
    browser.close().await;
    let sandbox =
        if nix::unistd::geteuid().is_root() { "; without its sandbox, because this is root" } else { "" };
    looked.map(|_| {
        format!(
            "{} at {}, first screenshot after {took} ms{sandbox}",
            found.version,
            found.candidate.path.display()
        )
    })
}

fn fonts() -> Vec<Finding> {
    let listed = std::process::Command::new("fc-list")
        .args([":", "family"])
        .stdin(std::process::Stdio::null())
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let Ok(listed) = listed else {
        return vec![
            Finding::new("fonts", false, "`fc-list` is not installed, so fonts cannot be listed")
                .hint("install Debian's package `fontconfig`"),
        ];
    };
    let font = |check: &str, family: &str, package: &str| {
        let ok = listed.lines().any(|line| line.split(',').any(|name| name.trim() == family));
        let found = if ok { format!("{family} is installed") } else { format!("{family} is missing") };
        Finding::new(check, ok, found).hint(&format!(
            "install Debian's package `{package}`; screenshots differ, or show boxes, without it"
        ))
    };
    vec![
        font("font_latin", "Noto Sans", "fonts-noto-core"),
        font("font_chinese", "Noto Sans CJK SC", "fonts-noto-cjk"),
    ]
}

fn machine() -> Vec<Finding> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut findings = vec![Finding::new("cores", true, cores.to_string())];
    if let Some(megabytes) = available_memory() {
        findings.push(
            Finding::new("memory", megabytes >= 1_000, format!("{megabytes} MB available"))
                .hint("a browser needs about 400 MB, each episode at a time 30 to 80 MB more"),
        );
    }
    let folder = std::env::temp_dir();
    let writable = tempfile::Builder::new().prefix("discreet-doctor-").tempdir();
    let found = match &writable {
        Ok(_) => format!("{} can be written", folder.display()),
        Err(error) => format!("{} cannot be written: {error}", folder.display()),
    };
    let mut temporary = Finding::new("temporary_folder", writable.is_ok(), found);
    temporary.required = true;
    findings.push(temporary.hint("set TMPDIR to a folder that can be written"));
    findings
}

/// Memory that can be used without swapping, in megabytes.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}
