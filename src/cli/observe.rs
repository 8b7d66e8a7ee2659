//! `discreet observe`: what an agent would be given.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};

use super::dialogs::Dialogs;
use super::{exit_code, output, runtime, variation};
use crate::action::{ActionSet, Executor, ParseOptions};
use crate::browser::{Browser, BrowserError, Context, ContextOptions, LaunchOptions, Viewport, Wall, Wanted};
use crate::error::{Deadline, Explain as _};
use crate::observe::{
    AccessMode, Captured, FrameOffset, Observer, Options, Wishes, flatten, flatten_dom, overlay_marks,
    prune_dom,
};
use crate::scenario::variation::{Factor, Variation};

/// How long opening the page, each action and the observation may take.
const WITHIN_MS: u64 = 30_000;

/// Prints what an agent would be given of a page: for people who debug prompts and pages.
///
/// A file is served from its folder on loopback, so that the pages and pictures beside it work. All
/// loopback addresses may be reached; nothing else.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  discreet observe page.html
  discreet observe http://127.0.0.1:8000/ --format props
  discreet observe page.html --do \"fill('12', 'Nora')\" --do \"click('14')\"
  discreet observe page.html --dialogs hold --do \"click('9')\" --do \"dialog_accept()\"
  discreet observe page.html --format som > marks.png")]
pub(crate) struct Arguments {
    /// An address on loopback, or an HTML file
    #[arg(value_name = "URL|FILE")]
    page: String,
    /// What to print
    #[arg(long, value_enum, default_value = "axtree")]
    format: Format,
    /// An action to carry out first; may be repeated, in order
    #[arg(long = "do", value_name = "ACTION")]
    actions: Vec<String>,
    /// What happens to dialogs of the page
    #[arg(long, value_enum, default_value = "dismiss")]
    dialogs: Dialogs,
    /// Show per element as well, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    with: Vec<With>,
    /// Page size: `viewport=1280x720`, `viewport=1920x1080` or `viewport=phone`
    #[arg(long, default_value = "", hide_default_value = true, value_name = "viewport=SIZE")]
    variation: String,
    /// BrowserGym's own defaults: with `InlineTextBox` lines, and boxes in frames at its offset
    #[arg(long)]
    compat: bool,
    /// `chromium`, `headless-shell`, `best`, or the address of a running browser
    #[arg(long, default_value = "best")]
    browser: Wanted,
    /// Write to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The accessibility tree as text, exactly as an agent gets it
    Axtree,
    /// The DOM as text
    Dom,
    /// The DOM as text, without what says little
    DomPruned,
    /// Element properties as JSON, by id
    Props,
    /// The viewport as PNG
    Screenshot,
    /// The viewport with marks as PNG
    Som,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum With {
    /// Whether it is in view
    Visible,
    /// Whether it reacts to clicks
    Clickable,
    /// Its centre
    Center,
    /// Its box
    Box,
    /// Whether it has a mark
    Som,
}

pub(crate) fn run(arguments: &Arguments) -> u8 {
    let runtime = match runtime::start() {
        Ok(runtime) => runtime,
        Err(code) => return code,
    };
    match runtime.block_on(observe(arguments)) {
        Ok(bytes) => write(arguments, &bytes),
        Err(code) => code,
    }
}

async fn observe(arguments: &Arguments) -> Result<Vec<u8>, u8> {
    let viewport = viewport(arguments)?;
    let url = address(&arguments.page).await?;
    let launch = LaunchOptions { wanted: arguments.browser.clone(), ..LaunchOptions::default() };
    let browser = Browser::launch(&launch).await.map_err(|error| browser_failed(&error))?;
    let looked = look(&browser, arguments, &url, viewport).await;
    browser.close().await;
    looked
}

/// The page size asked for. The other factors are of the workspace's own pages, and this page is
/// somebody's.
fn viewport(arguments: &Arguments) -> Result<Viewport, u8> {
    let asked = variation::read(&arguments.variation)?;
    if let Some(factor) = asked.named().find(|factor| *factor != Factor::Viewport) {
        output::note(&format!(
            "error: failed to use `{}`: only `viewport` can be chosen here",
            factor.name()
        ));
        output::note("hint: `discreet serve SCENARIO --variation …` serves the workspace in any variation");
        return Err(exit_code::USAGE);
    }
    Ok(asked.over(Variation::default()).viewport.into())
}

async fn look(
    browser: &Browser,
    arguments: &Arguments,
    url: &str,
    viewport: Viewport,
) -> Result<Vec<u8>, u8> {
    let options = ContextOptions { wall: Wall::Loopback, proxy: None, cookies: Vec::new(), viewport };
    let context = browser.open_context(&options).await.map_err(|error| browser_failed(&error))?;
    context.set_dialog_policy(arguments.dialogs.into());
    let opened = async { context.active_page()?.navigate(url, Deadline::after_ms(WITHIN_MS)).await };
    opened.await.map_err(|error| browser_failed(&error))?;
    let wishes = Wishes {
        mode: if matches!(arguments.format, Format::Screenshot | Format::Som) {
            AccessMode::Mixed
        } else {
            AccessMode::Axtree
        },
        properties: !matches!(arguments.format, Format::Screenshot) || !arguments.with.is_empty(),
        frame_offset: if arguments.compat { FrameOffset::BrowserGym } else { FrameOffset::Exact },
    };
    let mut observer = Observer::default();
    let mut executor = Executor::default();
    for action in &arguments.actions {
        // Ids come from an observation, as for an agent.
        let before =
            observer.observe(&context, Wishes::of(AccessMode::Axtree), Deadline::after_ms(WITHIN_MS)).await;
        tell_dialogs(&before.map_err(|error| browser_failed(&error))?);
        act(&context, &observer, &mut executor, action).await?;
    }
    let captured = observer.observe(&context, wishes, Deadline::after_ms(WITHIN_MS)).await;
    let captured = captured.map_err(|error| browser_failed(&error))?;
    tell_dialogs(&captured);
    for note in &captured.notes {
        output::note(&format!("note: {note}"));
    }
    let page = context.active_page().map_err(|error| browser_failed(&error))?;
    let bid_of = |node: i64| observer.bid(&page, node).map(ToOwned::to_owned);
    let options = text_options(arguments);
    let Captured { tree, properties, snapshot, observation, .. } = &captured;
    Ok(match arguments.format {
        Format::Axtree => flatten(tree, &options, properties).into_bytes(),
        Format::Dom => flatten_dom(snapshot, &options, properties, bid_of).into_bytes(),
        Format::DomPruned => prune_dom(snapshot, &options, properties, bid_of).into_bytes(),
        Format::Props => serde_json::to_vec(properties).map_err(|error| {
            output::note(&format!("error: failed to write JSON: {error}"));
            exit_code::INTERNAL
        })?,
        Format::Screenshot => picture(observation.screenshot.as_deref())?.to_vec(),
        Format::Som => {
            let plain = picture(observation.screenshot.as_deref())?;
            let drawn = overlay_marks(&context, plain, properties, Deadline::after_ms(WITHIN_MS)).await;
            drawn.map_err(|error| browser_failed(&error))?
        }
    })
}

/// Says which dialogs there were: an agent is told them beside the page.
fn tell_dialogs(captured: &Captured) {
    for dialog in &captured.observation.dialogs {
        let what = match (dialog.is_open, dialog.accepted) {
            (true, _) => "is open",
            (false, true) => "was accepted",
            (false, false) => "was dismissed",
        };
        let message = crate::action::quote(&dialog.message);
        output::note(&format!("note: a dialog ({} {message}) {what}", dialog.kind));
    }
}

fn picture(screenshot: Option<&[u8]>) -> Result<&[u8], u8> {
    screenshot.ok_or_else(|| {
        output::note("error: failed to take a screenshot in time");
        output::note("hint: a font or animation may keep the page from being drawn");
        exit_code::ENVIRONMENT
    })
}

/// Carries out one action text; what goes wrong is told as an agent is told, and ends the command.
async fn act(context: &Context, observer: &Observer, executor: &mut Executor, text: &str) -> Result<(), u8> {
    let failed = |error: &str| {
        output::note(&format!("error: failed to carry out {}: {error}", crate::action::quote(text)));
        exit_code::USAGE
    };
    let actions =
        ActionSet::all().parse(text, ParseOptions::default()).map_err(|error| failed(&error.to_string()))?;
    for action in &actions {
        let performed =
            executor.perform(context, observer, action).await.map_err(|error| browser_failed(&error))?;
        if !performed.error.is_empty() {
            return Err(failed(&performed.error));
        }
    }
    Ok(())
}

fn text_options(arguments: &Arguments) -> Options {
    let mut options = if arguments.compat { Options::browsergym() } else { Options::default() };
    for with in &arguments.with {
        match with {
            With::Visible => options.with_visible = true,
            With::Clickable => options.with_clickable = true,
            With::Center => options.with_center_coords = true,
            With::Box => options.with_bounding_box_coords = true,
            With::Som => options.with_som = true,
        }
    }
    options
}

fn browser_failed(error: &BrowserError) -> u8 {
    output::error(error);
    exit_code::for_fault(error.fault())
}

fn write(arguments: &Arguments, bytes: &[u8]) -> u8 {
    let is_text = !matches!(arguments.format, Format::Screenshot | Format::Som);
    let written = match &arguments.out {
        Some(path) => std::fs::write(path, bytes),
        None if is_text => {
            output::data(&String::from_utf8_lossy(bytes));
            Ok(())
        }
        None if std::io::IsTerminal::is_terminal(&std::io::stdout()) => {
            output::note("error: failed to print a picture on a terminal");
            output::note("hint: give `--out FILE.png`, or redirect stdout");
            return exit_code::USAGE;
        }
        None => std::io::stdout().lock().write_all(bytes),
    };
    match written {
        Ok(()) => exit_code::OK,
        Err(error) => {
            output::note(&format!("error: failed to write the observation: {error}"));
            exit_code::ENVIRONMENT
        }
    }
}

/// The address to open: as given, or that of a server for the file's folder.
async fn address(page: &str) -> Result<String, u8> {
    if page.contains("://") || page == "about:blank" {
        if Wall::Loopback.allows_navigation(page) {
            return Ok(page.to_owned());
        }
        output::note(&format!("error: failed to open {page}: it is not on loopback"));
        output::note("hint: give an `http://127.0.0.1:…` address or a file");
        return Err(exit_code::USAGE);
    }
    let path = Path::new(page);
    let (Some(name), true) = (path.file_name().and_then(|name| name.to_str()), path.is_file()) else {
        output::note(&format!("error: failed to open {page}: there is no such file"));
        return Err(exit_code::USAGE);
    };
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let address = serve_folder(folder.to_owned()).await.map_err(|error| {
        output::note(&format!("error: failed to serve {}: {error}", folder.display()));
        exit_code::ENVIRONMENT
    })?;
    let name = percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC);
    Ok(format!("http://{address}/{name}"))
}

/// Serves the files of a folder on loopback as long as this process lives.
async fn serve_folder(folder: PathBuf) -> std::io::Result<SocketAddr> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let handler = move |uri: Uri| {
        let folder = folder.clone();
        async move { file(&folder, uri.path()).await }
    };
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(handler)).await });
    Ok(address)
}

async fn file(folder: &Path, path: &str) -> Response {
    let decoded =
        percent_encoding::percent_decode_str(path.trim_start_matches('/')).decode_utf8_lossy().into_owned();
    let relative = Path::new(&decoded);
    // Nothing outside of the folder: no `..`, no root.
    if !relative.components().all(|component| matches!(component, Component::Normal(_))) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match tokio::fs::read(folder.join(relative)).await {
        Ok(bytes) => ([(header::CONTENT_TYPE, media_type(relative))], bytes).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
