//! How many episodes and steps a run does, and what they need of memory, beside what the browser alone
//! could do.
//!
//! ```text
//! scripts/bench throughput
//! ```
//!
//! The ceiling is measured in the same run: a click, two frames, and the commands of an observation, sent
//! raw on pages of one browser at the same time; nothing is decoded, decided or recorded. Memory is PSS of
//! this process and of everything it started. `DISCREET_BENCH_EPISODES` sets how many episodes a row is
//! made of, `DISCREET_BENCH_BROWSERS` which browsers. Where `DISCREET_BROWSERGYM` names a Python that has
//! `browsergym-core`, BrowserGym takes as many steps that do nothing.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::large_futures,
    clippy::cast_precision_loss,
    reason = "a benchmark prints, and fails where it cannot measure"
)]

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use discreet::browser::{Browser, Context, LaunchOptions, Page, Viewport, Wanted, find};
use discreet::episode::{Cancel, Listener, News, RunOptions, RunSummary, open_seat, run};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Observer, Wishes};
use discreet::scenario::{LoadedFile, load_paths};
use discreet::workspace::{ORIGIN, Server, ServerOptions, Workspace};
use futures_util::future::join_all;
use serde_json::json;

/// How long a ceiling is measured.
const CEILING: Duration = Duration::from_secs(8);

/// How long everybody waits for the slow model once all do.
const HELD: Duration = Duration::from_secs(4);

/// How long the slow model waits for all to have asked: less than an agent has to answer.
const PATIENCE: Duration = Duration::from_secs(100);

/// Steps of an episode that does the same thing again and again.
const STEPS: u32 = 20;

struct Silent;

impl Listener for Silent {
    fn news(&mut self, _: &News<'_>) {}
}

fn guard() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_discreet"))
}

fn soon() -> Deadline {
    Deadline::after_ms(60_000)
}

/// PSS of this process and all its descendants, in MB.
fn memory() -> f64 {
    let mut parents: HashMap<u32, u32> = HashMap::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        parents.insert(id, parent.unwrap_or(0));
    }
    let own = std::process::id();
    let is_ours = |mut id: u32| {
        for _ in 0..32 {
            if id == own {
                return true;
            }
            match parents.get(&id) {
                Some(parent) => id = *parent,
                None => return false,
            }
        }
        false
    };
    let kilobytes: f64 = parents
        .keys()
        .filter(|id| is_ours(**id))
        .filter_map(|id| {
            let rollup = std::fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
            let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
            line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()
        })
        .sum();
    kilobytes / 1_024.0
}

/// Looks at memory again and again until it is asked what it saw.
struct Watch {
    stop: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<Vec<f64>>,
}

impl Watch {
    fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut found = Vec::new();
            while !seen.load(Ordering::Relaxed) {
                found.push(memory());
                std::thread::sleep(Duration::from_secs(1));
            }
            found
        });
        Self { stop, thread }
    }

    /// Median and most, in MB.
    fn end(self) -> (f64, f64) {
        self.stop.store(true, Ordering::Relaxed);
        let mut found = self.thread.join().unwrap();
        found.sort_by(f64::total_cmp);
        (found[found.len() / 2], *found.last().unwrap())
    }
}

/// Scenarios of the repository, so many of them and spread over all folders.
fn files(number: usize) -> Vec<LoadedFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let all: Vec<LoadedFile> = load_paths(&[folder]).into_iter().filter(|file| file.result.is_ok()).collect();
    (0..number).map(|index| all[index * all.len() / number.min(all.len()) % all.len()].clone()).collect()
}

/// A run in a folder that is gone afterwards, and how many seconds it took.
async fn timed_run(files: Vec<LoadedFile>, options: RunOptions) -> (RunSummary, f64) {
    let folder = tempfile::tempdir().unwrap();
    let options = RunOptions {
        out: Some(folder.path().join("run")),
        guard_executable: Some(guard()),
        retries: 0,
        ..options
    };
    let started = Instant::now();
    let summary = Box::pin(run(files, options, &Cancel::default(), &mut Silent)).await.unwrap();
    (summary, started.elapsed().as_secs_f64())
}

/// What a run of an agent came to.
struct Measured {
    episodes_per_minute: f64,
    steps_per_second: f64,
    memory: f64,
    most: f64,
    /// Episodes that did not end as they should.
    others: usize,
}

async fn measure(files: Vec<LoadedFile>, options: RunOptions, outcome: &str) -> Measured {
    let watch = Watch::start();
    let (summary, seconds) = timed_run(files, options).await;
    let (memory, most) = watch.end();
    let steps: u32 = summary.rows.iter().map(|row| row.steps).sum();
    Measured {
        episodes_per_minute: summary.rows.len() as f64 * 60.0 / seconds,
        steps_per_second: f64::from(steps) / seconds,
        memory,
        most,
        others: summary.rows.iter().filter(|row| row.outcome.name() != outcome).count(),
    }
}

/// A step as raw commands: a click, two frames, and what an observation asks for. Where `(x, y)` is a link
/// it opens a page, and the step waits for that.
async fn raw_step(page: &Page, (x, y): (f64, f64), opens: bool) {
    let click = |kind: &str| json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
    let [moved, pressed, released] = ["mouseMoved", "mousePressed", "mouseReleased"]
        .map(|kind| page.call_raw("Input.dispatchMouseEvent", click(kind), soon()));
    let (moved, pressed, released) = tokio::join!(moved, pressed, released);
    for reply in [moved, pressed, released] {
        reply.unwrap();
    }
    if opens {
        page.settle(soon()).await.unwrap();
    } else {
        let frames = "async () => { for (let n = 0; n < 2; n++) await new Promise(requestAnimationFrame); }";
        page.run(frames, &[], soon()).await.unwrap();
    }
    let frame = page.main_frame().unwrap();
    let styles = ["visibility", "content-visibility", "overflow-x", "overflow-y", "position"];
    let styles = json!({ "computedStyles": styles, "includeDOMRects": true });
    let shot = json!({ "format": "png", "optimizeForSpeed": true, "captureBeyondViewport": false });
    let (shot, tree, frames, snapshot, history) = tokio::join!(
        page.call_raw("Page.captureScreenshot", shot, soon()),
        page.call_raw("Accessibility.getFullAXTree", json!({ "frameId": frame.id }), soon()),
        page.call_raw("Page.getFrameTree", json!({}), soon()),
        page.call_raw("DOMSnapshot.captureSnapshot", styles, soon()),
        page.call_raw("Page.getNavigationHistory", json!({}), soon()),
    );
    for reply in [shot, tree, frames, snapshot, history] {
        reply.unwrap();
    }
}

/// What stands over the workspace's first page: a click on it does nothing.
async fn heading(context: &Context) -> String {
    let wishes = Wishes::of(AccessMode::Axtree);
    let seen = Observer::default().observe(context, wishes, soon()).await.unwrap();
    let mut nodes = seen.tree.nodes.iter().filter(|node| node.role == "heading");
    nodes.find_map(|node| node.bid.clone()).expect("the page has a heading")
}

/// Steps a second on so many pages of one browser: clicks that do nothing, and clicks that open a page; and
/// the id of what to click on for nothing.
async fn ceilings(wanted: &Wanted, pages: usize) -> (f64, f64, String) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(ServerOptions::default()).await.unwrap();
    let options =
        LaunchOptions { wanted: wanted.clone(), guard_executable: Some(guard()), ..LaunchOptions::default() };
    let browser = Browser::launch(&options).await.unwrap();
    let mut contexts = Vec::new();
    for (number, file) in files(pages).iter().enumerate() {
        let scenario = &file.result.as_ref().unwrap().scenario;
        let file = folder.path().join(format!("{number}.sqlite"));
        let token = server.add(Arc::new(Workspace::create(&file, scenario).unwrap())).token;
        let context = open_seat(&server, &browser, &token, Viewport::default()).await.unwrap();
        context.active_page().unwrap().open(&format!("{ORIGIN}/"), soon()).await.unwrap();
        contexts.push(context);
    }
    let still = heading(&contexts[0]).await;
    let mut rates = Vec::new();
    for opens in [false, true] {
        let count = AtomicU64::new(0);
        let until = Instant::now() + CEILING;
        join_all(contexts.iter().map(|context| async {
            let page = context.active_page().unwrap();
            // The way to another app stands in the same place on every page.
            let links = "() => [...document.querySelectorAll('.rail-nav a')].slice(0, 2).map(link => {
                const box = link.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })";
            let links: Vec<(f64, f64)> =
                serde_json::from_value(page.run(links, &[], soon()).await.unwrap()).unwrap();
            for turn in 0.. {
                let place = if opens { links[turn % 2] } else { (640.0, 700.0) };
                raw_step(&page, place, opens).await;
                if Instant::now() >= until {
                    break;
                }
                count.fetch_add(1, Ordering::Relaxed);
            }
        }))
        .await;
        rates.push(count.load(Ordering::Relaxed) as f64 / CEILING.as_secs_f64());
    }
    browser.close().await;
    (rates[0], rates[1], still)
}

/// A model that answers nobody before so many have asked, and then lets all wait some more.
struct SlowModel {
    address: String,
    waiting: Arc<(Mutex<usize>, Condvar)>,
}

impl SlowModel {
    fn start(all: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let waiting = Arc::new((Mutex::new(0), Condvar::new()));
        let asked = Arc::clone(&waiting);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let waiting = Arc::clone(&asked);
                std::thread::spawn(move || answer(stream, &waiting, all));
            }
        });
        Self { address, waiting }
    }

    /// Waits until all wait; whether that came about before the first was answered.
    fn wait(&self, all: usize) -> bool {
        let (count, changed) = &*self.waiting;
        let waited = changed.wait_timeout_while(count.lock().unwrap(), PATIENCE, |count| *count < all);
        !waited.unwrap().1.timed_out()
    }
}

fn answer(mut stream: TcpStream, waiting: &(Mutex<usize>, Condvar), all: usize) {
    let mut bytes = Vec::new();
    let mut chunk = vec![0_u8; 65_536];
    // To the end of the body: its length stands in the head.
    loop {
        let read = stream.read(&mut chunk).unwrap_or(0);
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes);
        let is_whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse::<usize>().ok()
            });
            body.len() >= length.unwrap_or(0)
        });
        if is_whole || read == 0 {
            break;
        }
    }
    let (count, changed) = waiting;
    let mut count = count.lock().unwrap();
    *count += 1;
    changed.notify_all();
    drop(changed.wait_timeout_while(count, PATIENCE, |count| *count < all).unwrap());
    std::thread::sleep(HELD);
    let body = json!({
        "choices": [{ "message": { "content": "<action>report_infeasible('no')</action>" } }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1 },
    })
    .to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ";
    // A client that is gone needs no answer.
    let _ = write!(stream, "{head}{}\r\n\r\n{body}", body.len());
}

/// So many episodes on a slow model at once: MB while all wait, how long until they did, how many ended as
/// they should.
async fn waiting(wanted: &Wanted, jobs: usize) -> (f64, f64, usize) {
    let model = SlowModel::start(jobs);
    let options = RunOptions {
        agents: vec![format!("llm:slow@http://{}/v1", model.address)],
        jobs,
        browser: wanted.clone(),
        ..RunOptions::default()
    };
    let started = Instant::now();
    let looking = tokio::task::spawn_blocking(move || {
        assert!(model.wait(jobs), "{jobs} episodes waited at once within {PATIENCE:?}");
        let took = started.elapsed().as_secs_f64();
        // Past the last picture: the model holds them.
        std::thread::sleep(HELD / 2);
        (memory(), took)
    });
    let (summary, _) = timed_run(files(jobs), options).await;
    let (memory, took) = looking.await.unwrap();
    let stopped = summary.rows.iter().filter(|row| row.outcome.name() == "agent_stopped").count();
    (memory, took, stopped)
}

/// BrowserGym on the workspace, in a process of its own: episodes of steps that do nothing, each after a
/// reset. Its fixed pause of half a second is left out, and it gets the browser that we use.
fn browsergym(python: &Path, executable: &Path, url: &str, episodes: usize) -> f64 {
    const PROGRAM: &str = concat!(
        include_str!("browsergym.py"),
        "episodes, steps = map(int, more)
started = time.perf_counter()
for episode in range(episodes):
    env = environment()
    env.reset(seed=1)
    for step in range(steps):
        env.step('noop(0)')
    env.close()
print('took', time.perf_counter() - started, flush=True)
"
    );
    let output = Command::new(python)
        .args(["-c", PROGRAM, url])
        .arg(executable)
        .args([episodes.to_string(), STEPS.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let took = said.lines().find_map(|line| line.strip_prefix("took ")?.parse::<f64>().ok());
    took.expect("BrowserGym runs: its errors stand above")
}

/// The same number of steps that do nothing, in the same number of episodes, here and there.
async fn against_browsergym(python: &Path, wanted: &Wanted) {
    const EPISODES: usize = 3;
    let folder = tempfile::tempdir().unwrap();
    let ours = steps_of(wanted, folder.path(), 1, EPISODES, &"noop(0)\n".repeat(STEPS as usize)).await;
    let server = Server::start(ServerOptions::default()).await.unwrap();
    let scenario = files(1).remove(0).result.unwrap().scenario;
    let workspace = Workspace::create(&folder.path().join("theirs.sqlite"), &scenario).unwrap();
    let token = server.add(Arc::new(workspace)).token;
    let url = format!("http://{}/enter/{token}", server.address());
    let executable = find(wanted).await.unwrap().candidate.path;
    let python = python.to_owned();
    let took = tokio::task::spawn_blocking(move || browsergym(&python, &executable, &url, EPISODES));
    let theirs = EPISODES as f64 * f64::from(STEPS) / took.await.unwrap();
    println!(
        "\nSteps `noop(0)` with their observation a second, one at a time, {EPISODES} episodes of {STEPS}, set-up included: ours \
         {:.1}, BrowserGym's without its pause {theirs:.1}, ratio {:.1}.",
        ours.steps_per_second,
        ours.steps_per_second / theirs
    );
}

/// Episodes of a script.
async fn steps_of(wanted: &Wanted, folder: &Path, jobs: usize, episodes: usize, script: &str) -> Measured {
    let path = folder.join(format!("script-{jobs}"));
    std::fs::write(&path, script).unwrap();
    let options = RunOptions {
        agents: vec![format!("script:{}", path.display())],
        observe: AccessMode::Mixed,
        max_steps: STEPS,
        trials: u32::try_from(episodes).unwrap(),
        jobs,
        browser: wanted.clone(),
        ..RunOptions::default()
    };
    // One scenario: its first page has the same ids in every episode.
    measure(files(1), options, "budget_exhausted").await
}

fn row(what: &str, measured: &Measured, ceiling: f64) {
    println!(
        "| {what} | {:.1} | {:.1} | {:.0} % | {:.0} | {:.0} | {} |",
        measured.episodes_per_minute,
        measured.steps_per_second,
        measured.steps_per_second / ceiling * 100.0,
        measured.memory,
        measured.most,
        measured.others
    );
}

async fn bench(wanted: &Wanted, episodes: usize) {
    println!("\n### {wanted:?}\n");
    println!(
        "| pages in one browser | clicks that do nothing, a second | clicks that open a page, a second |"
    );
    println!("| --- | --- | --- |");
    let (mut still, mut opening, mut bid) = (0.0_f64, 0.0_f64, String::new());
    for pages in [2, 3, 4] {
        let (nothing, opens, found) = ceilings(wanted, pages).await;
        bid = found;
        println!("| {pages} | {nothing:.1} | {opens:.1} |");
        (still, opening) = (still.max(nothing), opening.max(opens));
    }
    println!(
        "\n| what | episodes/min | steps/s | to the ceiling | MB (median) | MB (most) | not as they should |\n\
         | --- | --- | --- | --- | --- | --- | --- |"
    );
    let folder = tempfile::tempdir().unwrap();
    let script = format!("click('{bid}')\n").repeat(STEPS as usize);
    for jobs in [1, 2, 4, 8] {
        let measured = steps_of(wanted, folder.path(), jobs, (jobs * 3).max(8), &script).await;
        row(&format!("clicks that do nothing, --jobs {jobs}"), &measured, still);
    }
    for jobs in [1, 2, 4, 8] {
        let options = RunOptions {
            agents: vec!["oracle".to_owned()],
            observe: AccessMode::Mixed,
            jobs,
            browser: wanted.clone(),
            ..RunOptions::default()
        };
        let measured = measure(files(episodes.max(jobs * 2)), options, "finished").await;
        row(&format!("oracle, --jobs {jobs} (ceiling: clicks that open a page)"), &measured, opening);
    }
    println!(
        "\n| episodes that wait for a slow model at once | MB | MB per further one | seconds until all wait |"
    );
    println!("| --- | --- | --- | --- |");
    let mut least: Option<(usize, f64)> = None;
    for jobs in [1, 2, 4, 8, 60] {
        let (memory, took, stopped) = waiting(wanted, jobs).await;
        let (few, first) = *least.get_or_insert((jobs, memory));
        let further = if jobs > few { (memory - first) / (jobs - few) as f64 } else { f64::NAN };
        println!("| {stopped} of {jobs} | {memory:.0} | {further:.0} | {took:.1} |");
    }
    if let Some(python) = std::env::var_os("DISCREET_BROWSERGYM") {
        against_browsergym(Path::new(&python), wanted).await;
    }
}

fn main() {
    let episodes = std::env::var("DISCREET_BENCH_EPISODES").ok().and_then(|text| text.parse().ok());
    let browsers =
        std::env::var("DISCREET_BENCH_BROWSERS").unwrap_or_else(|_| "headless-shell,chromium".into());
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        for name in browsers.split(',') {
            let wanted: Wanted = name.parse().unwrap();
            match find(&wanted).await {
                Ok(_) => bench(&wanted, episodes.unwrap_or(32)).await,
                Err(error) => eprintln!("bench: no {name}: {error}"),
            }
        }
    });
}
