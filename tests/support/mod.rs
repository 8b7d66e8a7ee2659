//! What the tests share: the real binary, real browsers, and a small web server for awkward pages.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

#[cfg(feature = "browser")]
pub(crate) mod apps;
pub(crate) mod reader;
pub(crate) mod runs;
pub(crate) mod shared;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use discreet::browser::{Browser, Context, ContextOptions, LaunchOptions, Viewport, Wall, Wanted};

/// The real binary.
pub(crate) fn binary() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_discreet"))
}

/// The folder of public data, or `None` with a visible message.
pub(crate) fn shared_data() -> Option<PathBuf> {
    shared::data("")
}

/// Says why a test shows nothing here.
pub(crate) fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

/// A number from the environment, by which a test becomes longer than what runs with every change.
pub(crate) fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(otherwise)
}

/// The browsers to test with: both kinds where both are installed. Where none is, the test is
/// skipped with a message, except where `CI` is set: there a browser is required.
pub(crate) async fn browsers() -> Vec<Wanted> {
    let mut found = Vec::new();
    for wanted in [Wanted::HeadlessShell, Wanted::Chromium] {
        match discreet::browser::find(&wanted).await {
            Ok(_) => found.push(wanted),
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "a browser is required in CI: {error}");
                eprintln!("skipped for {wanted:?}: {error}");
            }
        }
    }
    found
}

/// Starts a browser with the real binary as its guard.
pub(crate) async fn launch(wanted: &Wanted) -> Browser {
    let options = LaunchOptions {
        wanted: wanted.clone(),
        guard_executable: Some(binary()),
        ..LaunchOptions::default()
    };
    Browser::launch(&options).await.expect("the browser starts")
}

/// A context that may reach loopback servers.
pub(crate) async fn context(browser: &Browser) -> Context {
    let options = ContextOptions {
        wall: Wall::Loopback,
        proxy: None,
        cookies: Vec::new(),
        viewport: Viewport::default(),
    };
    browser.open_context(&options).await.expect("a context opens")
}

/// Serves fixed pages on loopback: path without the slash -> HTML. A page named `slow` never ends.
pub(crate) async fn serve(pages: &'static [(&'static str, &'static str)]) -> String {
    use axum::response::{Html, IntoResponse as _};
    let pages: Arc<[(&str, &str)]> = Arc::from(pages);
    let handler = move |uri: axum::http::Uri| {
        let pages = Arc::clone(&pages);
        async move {
            let path = uri.path().trim_start_matches('/').to_owned();
            if path == "never" {
                std::future::pending::<()>().await;
            }
            match pages.iter().find(|(name, _)| *name == path) {
                Some((_, html)) => Html(*html).into_response(),
                None => axum::http::StatusCode::NOT_FOUND.into_response(),
            }
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(handler)).await });
    format!("http://{address}")
}

/// Command lines of running processes that name `needle`.
pub(crate) fn processes_naming(needle: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(needle))
        .collect()
}

/// The profile folder of a running browser, read off its command line.
pub(crate) fn profile_of(browser: &Browser) -> String {
    let id = browser.process_id().expect("a local browser");
    let line = std::fs::read(format!("/proc/{id}/cmdline")).expect("it runs");
    let line = String::from_utf8_lossy(&line).into_owned();
    let flag = line.split('\0').find_map(|word| word.strip_prefix("--user-data-dir="));
    flag.expect("it has a profile").to_owned()
}

/// Waits until `condition` holds, at most `limit`; panics with `what` otherwise.
pub(crate) fn eventually(what: &str, limit: Duration, mut condition: impl FnMut() -> bool) -> Duration {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < limit, "{what} within {limit:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
    started.elapsed()
}

/// Serves the files of a folder on loopback.
pub(crate) async fn serve_folder(folder: PathBuf) -> String {
    use axum::http::header::CONTENT_TYPE;
    use axum::response::IntoResponse as _;
    let handler = move |uri: axum::http::Uri| {
        let folder = folder.clone();
        async move {
            let path = folder.join(uri.path().trim_start_matches('/'));
            let kind = match path.extension().and_then(|extension| extension.to_str()) {
                Some("html") => "text/html; charset=utf-8",
                Some("js") => "text/javascript",
                Some("css") => "text/css",
                Some("svg") => "image/svg+xml",
                Some("png") => "image/png",
                _ => "text/plain",
            };
            match std::fs::read(path) {
                Ok(bytes) => ([(CONTENT_TYPE, kind)], bytes).into_response(),
                Err(_) => axum::http::StatusCode::NOT_FOUND.into_response(),
            }
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(handler)).await });
    format!("http://{address}")
}
