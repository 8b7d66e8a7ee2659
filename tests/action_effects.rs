//! Plays BrowserGym's recorded actions against the pages they were recorded on, and compares what
//! became of the page, and the class of the error, with what was recorded.
//!
//! The recordings are public data outside the repository; without them the test says so and skips.
#![cfg(feature = "browser")]
#![expect(clippy::print_stderr, reason = "the table of differences is what a reader wants of this test")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use discreet::action::{Action, ActionSet, Executor, ParseOptions};
use discreet::browser::{Browser, Context, FrameRef, Page, Wanted};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Captured, Observer, Wishes};
use serde_json::{Map, Value, json};

/// Where the pages were served when the recordings were made.
const RECORDED_AT: &str = "127.0.0.1:18080";

/// BrowserGym looks half a second after an action; what a page does by itself until then is in the
/// recording, so the comparison waits as long for it.
const UPSTREAM_PAUSE: Duration = Duration::from_millis(900);

/// Rows that may differ, each with the reason. `docs/action-effects.md` tells them to readers.
const KNOWN_DIFFERENCES: &[(u64, &str)] = &[
    (265, "an element that jumps every 30 ms is seen standing still now and then, by Playwright too"),
    (
        172,
        "the page that says why an address cannot be opened is the browser's own; the headless shell's is bare",
    ),
];

/// Rows that are played at the same time.
const AT_ONCE: usize = 3;

fn soon() -> Deadline {
    Deadline::after_ms(60_000)
}

#[derive(Debug, Default)]
struct Verdict {
    /// What differs in state or error class.
    differences: Vec<String>,
    /// Steps whose accessibility tree is the recorded one, and all steps.
    trees: (usize, usize),
    tree_differences: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_have_the_recorded_effects() {
    let Some(data) = support::shared_data().map(|data| data.join("browsergym")) else { return };
    let installed = support::browsers().await;
    let Some(wanted) = installed.first() else { return };
    let text = std::fs::read_to_string(data.join("action_effects.jsonl")).expect("the recordings are there");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    // A row that names no page is one on which BrowserGym hung: there is nothing to compare with.
    let rows: Vec<Value> = rows.into_iter().filter(|row| row.get("page").is_some()).collect();
    let only: Option<BTreeSet<u64>> = std::env::var("DISCREET_TEST_CASES")
        .ok()
        .map(|cases| cases.split(',').filter_map(|case| case.parse().ok()).collect());
    let rows: Vec<Value> = rows
        .into_iter()
        .filter(|row| {
            only.as_ref().is_none_or(|only| row["case"].as_u64().is_some_and(|case| only.contains(&case)))
        })
        .collect();
    assert!(only.is_some() || rows.len() >= 100, "only {} rows to compare with", rows.len());
    let address = serve_folder(data.join("pages")).await;
    let browser = Arc::new(support::launch(wanted).await);
    let chromium = if *wanted != Wanted::Chromium && installed.contains(&Wanted::Chromium) {
        Some(support::launch(&Wanted::Chromium).await)
    } else {
        None
    };
    let (own, rows): (Vec<Value>, Vec<Value>) =
        rows.into_iter().partition(|row| chromium.is_some() && is_on_the_browsers_own_page(row));
    let started = Instant::now();
    let next = Arc::new(std::sync::Mutex::new(rows.clone().into_iter()));
    let mut players = Vec::new();
    for _ in 0..AT_ONCE {
        let (next, browser, address, data) =
            (Arc::clone(&next), Arc::clone(&browser), address.clone(), data.clone());
        players.push(tokio::spawn(async move {
            let mut verdicts = Vec::new();
            loop {
                let Some(row) = next.lock().expect("nobody panics with it").next() else { return verdicts };
                let case = row["case"].as_u64().expect("a number");
                verdicts.push((case, play(&browser, &address, &data, &row).await));
            }
        }));
    }
    let mut verdicts = BTreeMap::new();
    for player in players {
        verdicts.extend(player.await.expect("no row panics"));
    }
    for row in &own {
        let case = row["case"].as_u64().expect("a number");
        let chromium = chromium.as_ref().expect("it is started where there are such rows");
        verdicts.insert(case, play(chromium, &address, &data, row).await);
    }
    // The pages have timers of their own, and three rows at once on a loaded machine distort them:
    // what differs without a known reason is played once more, alone.
    for row in &rows {
        let case = row["case"].as_u64().expect("a number");
        if !verdicts[&case].differences.is_empty() && reason(case).is_none() {
            eprintln!("again {case}: {}", verdicts[&case].differences.join("; "));
            verdicts.insert(case, play(&browser, &address, &data, row).await);
        }
    }
    eprintln!("played {} rows in {:?}", verdicts.len(), started.elapsed());
    report(&[rows, own].concat(), &verdicts);
    if let Some(chromium) = chromium {
        chromium.close().await;
    }
    if let Ok(browser) = Arc::try_unwrap(browser) {
        browser.close().await;
    }
}

/// Why a row may differ.
fn reason(case: u64) -> Option<&'static str> {
    KNOWN_DIFFERENCES.iter().find(|(known, _)| *known == case).map(|(_, reason)| *reason)
}

/// Prints the table of differences and fails where one has no reason.
fn report(rows: &[Value], verdicts: &BTreeMap<u64, Verdict>) {
    let mut unexplained = Vec::new();
    for row in rows {
        let case = row["case"].as_u64().unwrap_or_default();
        let verdict = &verdicts[&case];
        let name = format!("{case} {} {}", row["page"], row["templates"]);
        if std::env::var_os("DISCREET_TEST_TREES").is_some() {
            for difference in &verdict.tree_differences {
                eprintln!("tree {name}: {difference}");
            }
        }
        if verdict.differences.is_empty() {
            continue;
        }
        let reason = reason(case);
        eprintln!(
            "differs {name}: {} [{}]",
            verdict.differences.join("; "),
            reason.unwrap_or("no reason known")
        );
        if reason.is_none() {
            unexplained.push(case);
        }
    }
    let same = verdicts.values().filter(|verdict| verdict.differences.is_empty()).count();
    let (trees, steps) = verdicts
        .values()
        .fold((0, 0), |(trees, steps), verdict| (trees + verdict.trees.0, steps + verdict.trees.1));
    eprintln!(
        "same state and error class: {same} of {} rows; same tree: {trees} of {steps} steps",
        verdicts.len()
    );
    assert_eq!(unexplained, Vec::<u64>::new(), "rows differ without a reason");
    assert!(same * 100 >= verdicts.len() * 97, "{same} of {} rows", verdicts.len());
}

/// What the player of a row knows.
struct Player<'a> {
    context: Context,
    observer: Observer,
    executor: Executor,
    address: &'a str,
    /// Ids that selectors stood for at an earlier step.
    known: BTreeMap<String, String>,
    chat: Vec<Value>,
}

async fn play(browser: &Browser, address: &str, data: &Path, row: &Value) -> Verdict {
    let context = support::context(browser).await;
    let mut player = Player {
        context,
        observer: Observer::default(),
        executor: Executor::with_uploads(),
        address,
        known: BTreeMap::new(),
        chat: Vec::new(),
    };
    let url = format!("http://{address}/{}/page.html", row["page"].as_str().expect("a name"));
    player.context.active_page().expect("a page").navigate(&url, soon()).await.expect("it opens");
    let mut captured = player.look().await;
    let mut verdict = Verdict::default();
    let states = std::iter::once(&row["before"])
        .chain(row["steps"].as_array().into_iter().flatten().map(|step| &step["state"]));
    let keys = Keys::of(states);
    let before = player.state(&captured, &keys).await;
    // BrowserGym takes its emulated size off after each screenshot, and the window of the recording was
    // lower by the browser's tool bars: from the first observation on a page had 633 pixels.
    player.set_height(633).await;
    verdict
        .differences
        .extend(different(&row["before"], &before).into_iter().map(|text| format!("before: {text}")));
    for (index, step) in row["steps"].as_array().into_iter().flatten().enumerate() {
        let template = row["templates"][index].as_str().expect("a template");
        let action = player.fill_in(template, &captured, data, step).await;
        let error = player.act(&action).await;
        let class = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
        let expected_error = step["last_action_error"].as_str().unwrap_or_default();
        if class(&error) != class(expected_error) {
            verdict.differences.push(format!(
                "step {index}: error `{}`, recorded `{}`",
                error,
                expected_error.lines().next().unwrap_or_default()
            ));
        }
        let looked = Instant::now();
        let differences = loop {
            captured = player.look().await;
            let mut differences = different(&step["state"], &player.state(&captured, &keys).await);
            differences.extend(player.different_around(step, &captured));
            if differences.is_empty() || looked.elapsed() > UPSTREAM_PAUSE {
                break differences;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        verdict.differences.extend(differences.into_iter().map(|text| format!("step {index}: {text}")));
        let tree = captured.observation.axtree.clone().unwrap_or_default().replace(address, RECORDED_AT);
        verdict.trees.1 += 1;
        match first_difference(step["axtree"].as_str().unwrap_or_default(), &tree) {
            None => verdict.trees.0 += 1,
            Some(difference) => verdict.tree_differences.push(difference),
        }
    }
    let _ = player.context.close(soon()).await;
    verdict
}

fn first_difference(expected: &str, got: &str) -> Option<String> {
    if expected == got {
        return None;
    }
    let (mut expected, mut got) = (expected.lines(), got.lines());
    loop {
        match (expected.next(), got.next()) {
            (None, None) => return Some("line ends".into()),
            (left, right) if left == right => {}
            (left, right) => return Some(format!("{right:?}, recorded {left:?}")),
        }
    }
}

impl Player<'_> {
    async fn look(&mut self) -> Captured {
        let wishes = Wishes::of(AccessMode::Axtree);
        self.observer.observe(&self.context, wishes, soon()).await.expect("it can be observed")
    }

    /// Sets the height of the active page.
    async fn set_height(&self, height: u32) {
        let size = json!({ "width": 1280, "height": height, "deviceScaleFactor": 1, "mobile": false });
        let page = self.context.active_page().expect("a page");
        page.call_raw("Emulation.setDeviceMetricsOverride", size, soon()).await.expect("it is set");
    }

    /// Performs the calls of an action text one by one, each bound just before it; the first error.
    async fn act(&mut self, text: &str) -> String {
        let set = ActionSet::all();
        self.chat.clear();
        let calls = match set.calls(text, ParseOptions::default()) {
            Ok(calls) => calls,
            Err(error) => return error.to_string(),
        };
        for call in &calls {
            let action = match set.bind(call) {
                Ok(action) => action,
                Err(error) => return error.to_string(),
            };
            match &action {
                Action::SendMsgToUser { text } => {
                    self.chat.push(json!({ "role": "assistant", "message": text }));
                }
                Action::ReportInfeasible { reason } => {
                    self.chat.push(json!({ "role": "infeasible", "message": reason }));
                }
                _ => {}
            }
            let performed = self.executor.perform(&self.context, &self.observer, &action).await;
            let error = performed.map_or_else(|error| format!("Lost: {error}"), |performed| performed.error);
            if !error.is_empty() {
                return error;
            }
        }
        String::new()
    }

    /// Puts ids in the place of selectors, and our addresses in the place of the recorded ones.
    async fn fill_in(&mut self, template: &str, captured: &Captured, data: &Path, step: &Value) -> String {
        let _ = captured;
        let upload = data.join("upload");
        let template = template
            .replace("{upload}", &upload.display().to_string())
            .replace(RECORDED_AT, self.address)
            .replace("localhost:18080", &self.address.replace("127.0.0.1", "localhost"));
        let mut text = String::new();
        let mut rest = template.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (selector, after) = after.split_once('}').expect("a selector ends");
            text.push_str(before);
            if let Some(bid) = self.bid(selector).await {
                self.known.insert(selector.to_owned(), bid);
            }
            match self.known.get(selector) {
                Some(bid) => text.extend(["'", bid, "'"]),
                None => return step["action"].as_str().unwrap_or_default().to_owned(),
            }
            rest = after;
        }
        text + rest
    }

    /// The id of the element that a selector finds; `>>` goes into a frame.
    async fn bid(&self, selector: &str) -> Option<String> {
        const FIND: &str = "css => { const roots = [document]; for (const root of roots) { const found = root.querySelector(css); \
            if (found) return found; for (const host of root.querySelectorAll('*')) if (host.shadowRoot) roots.push(host.shadowRoot); } return null; }";
        let page = self.context.active_page().ok()?;
        let mut frame = page.main_frame().ok()?;
        let mut parts = selector.split(">>").map(str::trim).peekable();
        while let Some(part) = parts.next() {
            let node = page.find_in(&frame, FIND, &[json!(part)], soon()).await.ok().flatten()?;
            if parts.peek().is_none() {
                return self.observer.bid_in(&page, &frame, node).map(ToOwned::to_owned);
            }
            frame = self.observer.frame_inside(&page, &frame, node)?;
        }
        None
    }

    /// The state of the active page, in the recording's form, as far as the recording looks.
    async fn state(&self, captured: &Captured, keys: &Keys) -> Value {
        let _ = captured;
        let mut state = Map::new();
        let Ok(page) = self.context.active_page() else { return json!({}) };
        let Ok(main) = page.main_frame() else { return json!({}) };
        let mut ambiguous = BTreeSet::new();
        for frame in frames(&page, &main).await {
            let Ok(seen) = page.run_in(&frame, LOOK, &[json!(keys.0)], soon()).await else { continue };
            let name = if frame == main {
                "main".to_owned()
            } else {
                format!(
                    "frame:{}",
                    seen["url"].as_str().unwrap_or_default().replace(&format!("http://{}", self.address), "")
                )
            };
            if state.insert(name.clone(), seen["state"].clone()).is_some() {
                ambiguous.insert(name);
            }
        }
        state.retain(|name, _| !ambiguous.contains(name));
        Value::Object(state)
    }

    /// Differences in tabs, focus and chat.
    fn different_around(&self, step: &Value, captured: &Captured) -> Vec<String> {
        let mut differences = Vec::new();
        let here = |url: &str| url.replace(self.address, RECORDED_AT);
        let observation = &captured.observation;
        let urls: Vec<String> = observation.open_pages.iter().map(|page| here(&page.url)).collect();
        let mut compare = |what: &str, got: Value, recorded: &Value| {
            if got != *recorded {
                differences.push(format!("{what} {got}, recorded {recorded}"));
            }
        };
        compare("url", json!(here(&observation.url)), &step["url"]);
        compare("open pages", json!(urls), &step["open_pages_urls"]);
        compare("active page", json!(observation.active_page), &step["active_page_index"]);
        compare("focus", json!(observation.focused_bid), &step["focused_element_bid"]);
        compare("chat", json!(self.chat), &step["new_chat"]);
        differences
    }
}

/// Looks at a frame as the recording did: values, texts and attributes of named elements.
const LOOK: &str = "keys => {
    const roots = [document];
    for (const root of roots) for (const host of root.querySelectorAll('*')) if (host.shadowRoot) roots.push(host.shadowRoot);
    const find = id => { for (const root of roots) { const found = root.getElementById(id); if (found) return found; } return null; };
    const value = element => element.type === 'checkbox' || element.type === 'radio' ? element.checked
        : element.type === 'file' ? [...element.files].map(file => file.name)
        : element.multiple ? [...element.selectedOptions].map(option => option.value) : element.value;
    const attribute = element => element.localName === 'details' || element.localName === 'dialog' ? element.open
        : element.getAttribute('aria-checked') ?? element.getAttribute('aria-pressed') ?? element.getAttribute('aria-expanded');
    const collect = (ids, read) => Object.fromEntries(ids.map(id => [id, find(id)]).filter(pair => pair[1]).map(([id, element]) => [id, read(element)]));
    const active = document.activeElement;
    return { url: location.href, state: {
        values: collect(keys.values, value), texts: collect(keys.texts, element => element.textContent),
        attrs: collect(keys.attrs, attribute), scroll: [Math.round(scrollX), Math.round(scrollY)],
        active: active ? active.id || active.tagName : null } };
}";

/// Ids of the elements that a recording looks at, by what it looks at.
struct Keys(BTreeMap<&'static str, BTreeSet<String>>);

impl Keys {
    fn of<'a>(states: impl Iterator<Item = &'a Value>) -> Self {
        let mut keys: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
        for frame in states.filter_map(Value::as_object).flat_map(Map::values) {
            for group in ["values", "texts", "attrs"] {
                let ids = frame[group].as_object().into_iter().flat_map(Map::keys).cloned();
                keys.entry(group).or_default().extend(ids);
            }
        }
        Self(keys)
    }
}

/// What differs between a recorded state and ours. A recorded frame that shows nothing is not
/// looked for: several have the same address, and the recording kept one of them.
fn different(recorded: &Value, got: &Value) -> Vec<String> {
    let mut differences = Vec::new();
    for (name, recorded) in recorded.as_object().into_iter().flatten() {
        let shows_nothing = ["values", "texts", "attrs"].iter().all(|group| recorded[group] == json!({}));
        let Some(got) = got.get(name) else {
            if name == "main" || !shows_nothing {
                differences.push(format!("{name} is not there"));
            }
            continue;
        };
        if name != "main" && shows_nothing {
            continue;
        }
        for (group, recorded) in recorded.as_object().into_iter().flatten() {
            if got[group] != *recorded {
                differences.push(format!("{name} {group} {}, recorded {recorded}", got[group]));
            }
        }
    }
    differences
}

/// All frames of a page, the main one first.
async fn frames(page: &Page, main: &FrameRef) -> Vec<FrameRef> {
    let mut frames = vec![main.clone()];
    let tree = page.call_raw("Page.getFrameTree", json!({}), soon()).await.unwrap_or_default();
    let mut waiting = vec![&tree["frameTree"]];
    while let Some(node) = waiting.pop() {
        for child in node["childFrames"].as_array().into_iter().flatten() {
            frames.push(main.sibling(child["frame"]["id"].as_str().unwrap_or_default()));
            waiting.push(child);
        }
    }
    frames.extend(page.remote_frames().unwrap_or_default().into_iter().map(|(frame, _)| frame));
    frames
}

/// Whether a row's state is that of a page which the browser makes itself, to say why an address cannot be
/// opened. The headless shell's holds next to nothing; the recordings were made with Chromium's.
fn is_on_the_browsers_own_page(row: &Value) -> bool {
    let mut steps = row["steps"].as_array().into_iter().flatten();
    steps.any(|step| step["url"].as_str().is_some_and(|url| url.starts_with("chrome-error:")))
}

/// Serves a folder on loopback; returns the address.
async fn serve_folder(folder: PathBuf) -> String {
    use axum::response::IntoResponse as _;
    let handler = move |uri: axum::http::Uri| {
        let folder = folder.clone();
        async move {
            let path = uri.path().trim_start_matches('/');
            if path.split('/').any(|part| part == "..") {
                return axum::http::StatusCode::NOT_FOUND.into_response();
            }
            let kind = match path.rsplit('.').next() {
                Some("html") => "text/html; charset=utf-8",
                Some("css") => "text/css",
                Some("js") => "text/javascript",
                Some("svg") => "image/svg+xml",
                _ => "application/octet-stream",
            };
            match tokio::fs::read(folder.join(path)).await {
                Ok(bytes) => ([(axum::http::header::CONTENT_TYPE, kind)], bytes).into_response(),
                Err(_) => axum::http::StatusCode::NOT_FOUND.into_response(),
            }
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
    let address = listener.local_addr().expect("it is bound").to_string();
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(handler)).await });
    address
}
