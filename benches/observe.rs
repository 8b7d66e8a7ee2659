//! What an observation, a step and an episode's set-up cost, beside what the browser alone costs.
//!
//! ```text
//! scripts/bench observe
//! ```
//!
//! The floor is measured in the same run, in turn with what it is the floor of: the same CDP calls
//! sent at once, their replies not looked at (the connection reads them as JSON in both cases).
//! Golden pages come from the folder that `DISCREET_SHARED` names. Where `DISCREET_BROWSERGYM` names
//! a Python that has `browsergym-core`, BrowserGym observes the same pages in turn, in the same browser.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::large_futures,
    reason = "a benchmark prints, and fails where it cannot measure"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use discreet::action::{Action, Button, Executor};
use discreet::browser::{
    Browser, Context, ContextOptions, LaunchOptions, Page, Viewport, Wall, Wanted, find,
};
use discreet::episode::{WarmSeat, open_seat};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Observer, Wishes};
use discreet::workspace::{ORIGIN, Registration, Server, ServerOptions, Workspace};
use serde_json::json;

/// An errand of the repository: its workspace is what the pages of the workspace are measured on.
const SCENARIO: &str = include_str!("../scenarios/recipient_misalignment/clinic_rota__manager.json");

fn soon() -> Deadline {
    Deadline::after_ms(60_000)
}

/// Median, the tenth from the top of a hundred, and the best, in milliseconds.
struct Figures(Vec<f64>);

impl Figures {
    fn at(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place"
        )]
        let place = ((sorted.len() - 1) as f64 * share).round() as usize;
        sorted[place]
    }

    fn median(&self) -> f64 {
        self.at(0.5)
    }

    fn row(&self, name: &str, floor: Option<&Self>) {
        let ratio = floor.map_or(String::new(), |floor| format!("{:.2}", self.median() / floor.median()));
        println!(
            "| {name} | {:.1} | {:.1} | {:.1} | {} | {ratio} |",
            self.median(),
            self.at(0.9),
            self.at(0.0),
            self.0.len()
        );
    }
}

async fn timed<T>(figures: &mut Figures, what: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let result = what.await;
    figures.0.push(started.elapsed().as_secs_f64() * 1_000.0);
    result
}

/// The calls of an observation, sent at once. The world of our function is a call before it, as it
/// is for an observation.
async fn floor(page: &Page, mode: AccessMode) {
    let frame = page.main_frame().unwrap();
    let styles = json!({ "computedStyles": ["visibility", "content-visibility"], "includeDOMRects": true });
    let shot = async {
        if mode != AccessMode::Axtree {
            let params = json!({ "format": "png", "optimizeForSpeed": true, "captureBeyondViewport": false });
            page.call_raw("Page.captureScreenshot", params, soon()).await.unwrap();
        }
    };
    let look = async {
        page.run_in(&frame, "() => document.documentElement.childElementCount", &[], soon()).await.unwrap();
    };
    let ((), tree, frames, snapshot, history, ()) = tokio::join!(
        shot,
        page.call_raw("Accessibility.getFullAXTree", json!({ "frameId": frame.id }), soon()),
        page.call_raw("Page.getFrameTree", json!({}), soon()),
        page.call_raw("DOMSnapshot.captureSnapshot", styles, soon()),
        page.call_raw("Page.getNavigationHistory", json!({}), soon()),
        look,
    );
    for reply in [tree, frames, snapshot, history] {
        reply.unwrap();
    }
}

async fn observations(name: &str, context: &Context, rounds: usize) {
    for mode in [AccessMode::Mixed, AccessMode::Axtree, AccessMode::Screenshot] {
        let page = context.active_page().unwrap();
        let mut observer = Observer::default();
        let (mut least, mut ours) = (Figures(Vec::new()), Figures(Vec::new()));
        for round in 0..rounds + 3 {
            let (least, ours) = if round < 3 {
                (&mut Figures(Vec::new()), &mut Figures(Vec::new()))
            } else {
                (&mut least, &mut ours)
            };
            timed(least, floor(&page, mode)).await;
            timed(ours, observer.observe(context, Wishes::of(mode), soon())).await.unwrap();
        }
        least.row(&format!("{name}, {}: floor", mode.name()), None);
        ours.row(&format!("{name}, {}", mode.name()), Some(&least));
        println!(
            "| {name}, {}: beyond the floor | {:.1} | | | {rounds} | |",
            mode.name(),
            ours.median() - least.median()
        );
    }
}

/// Steps: the action, settling, and the observation after it.
async fn steps(name: &str, context: &Context, button: (&str, &str), field: (&str, &str), rounds: usize) {
    let mut observer = Observer::default();
    let mut executor = Executor::default();
    for kind in ["noop(0)", "click", "fill"] {
        let mut figures = Figures(Vec::new());
        for round in 0..rounds {
            let seen = observer.observe(context, Wishes::of(AccessMode::Mixed), soon()).await.unwrap();
            let bid = |(role, name): (&str, &str)| {
                let mut nodes = seen.tree.nodes.iter();
                let found = nodes.find(|node| {
                    node.role == role
                        && node.bid.is_some()
                        && node.name.as_deref().is_some_and(|own| own.starts_with(name))
                });
                found.and_then(|node| node.bid.clone()).unwrap_or_else(|| panic!("no {role} {name}"))
            };
            let action = match kind {
                "click" => Action::Click { bid: bid(button), button: Button::Left, modifiers: Vec::new() },
                "fill" => Action::Fill {
                    bid: bid(field),
                    value: format!("text {round}"),
                    enable_autocomplete_menu: false,
                },
                _ => Action::Noop { wait_ms: 0.0 },
            };
            timed(&mut figures, async {
                let performed = executor.perform(context, &observer, &action).await.unwrap();
                assert_eq!(performed.error, "", "{kind}");
            })
            .await;
            let last = figures.0.len() - 1;
            let mut looked = Figures(Vec::new());
            timed(&mut looked, observer.observe(context, Wishes::of(AccessMode::Mixed), soon()))
                .await
                .unwrap();
            figures.0[last] += looked.0[0];
        }
        figures.row(&format!("{name}, step {kind}"), None);
    }
}

struct Desk {
    server: Server,
    folder: tempfile::TempDir,
    scenario: discreet::scenario::Scenario,
}

impl Desk {
    async fn open() -> Self {
        let loaded = discreet::scenario::load_text(Path::new("bench.json"), SCENARIO);
        let scenario = loaded.into_iter().next().unwrap().result.unwrap().scenario;
        let server = Server::start(ServerOptions { port: 0 }).await.unwrap();
        Self { server, folder: tempfile::tempdir().unwrap(), scenario }
    }

    /// A workspace of its own.
    fn workspace(&self, number: usize) -> Registration {
        let file = self.folder.path().join(format!("{number}.sqlite"));
        self.server.add(Arc::new(Workspace::create(&file, &self.scenario).unwrap()))
    }

    /// A workspace and a context on it, opened at its first page.
    async fn seat(&self, browser: &Browser, number: usize) -> Context {
        let token = self.workspace(number).token;
        let context = open_seat(&self.server, browser, &token, Viewport::default()).await.unwrap();
        context.active_page().unwrap().navigate(&format!("{ORIGIN}/"), soon()).await.unwrap();
        context
    }
}

/// From the scenario to the first observation, as a run does it: the context was made ready beside the
/// episode before. The first row is what a run's first episode takes, for which none is ready.
async fn set_up(desk: &Desk, browser: &Browser, rounds: usize) {
    let viewport = Viewport::default();
    for is_warm in [false, true] {
        let (mut whole, mut seated, mut opened, mut looked) =
            (Figures(Vec::new()), Figures(Vec::new()), Figures(Vec::new()), Figures(Vec::new()));
        for number in 0..rounds {
            let seat = WarmSeat::default();
            if is_warm {
                seat.make_ready(&desk.server, browser, viewport, AccessMode::Mixed).await;
            }
            let number = if is_warm { 2_000 + number } else { 1_000 + number };
            let (context, registration) = timed(&mut whole, async {
                let registration = timed(&mut seated, async { desk.workspace(number) }).await;
                let context = seat.open(&desk.server, browser, &registration.token, viewport).await.unwrap();
                let url = format!("{ORIGIN}/");
                timed(&mut opened, context.active_page().unwrap().open(&url, soon())).await.unwrap();
                let mut observer = Observer::default();
                let look = observer.observe(&context, Wishes::of(AccessMode::Mixed), soon());
                timed(&mut looked, look).await.unwrap();
                (context, registration)
            })
            .await;
            context.close(soon()).await.unwrap();
            desk.server.remove(&registration.token);
        }
        let name = if is_warm { "a context is ready" } else { "no context is ready" };
        whole.row(&format!("set-up, scenario to first observation, {name}"), None);
        seated.row("of it: the workspace", None);
        opened.row("of it: opening the first page", None);
        looked.row("of it: the observation", None);
    }
}

/// Serves the golden pages.
async fn serve(folder: PathBuf) -> String {
    let handler = move |uri: axum::http::Uri| {
        let folder = folder.clone();
        async move {
            let path = folder.join(uri.path().trim_start_matches('/'));
            axum::response::Html(std::fs::read(path).unwrap_or_default())
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(handler)).await });
    format!("http://{address}")
}

/// BrowserGym on a page, in a process of its own that lives as long as the page is measured.
struct BrowserGym {
    child: std::process::Child,
    answers: std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
}

impl BrowserGym {
    /// Answers each line on its input by how long that took, in milliseconds and by its own clock: an
    /// observation, a step that does nothing, or a whole reset. Its fixed pause of half a second is left
    /// out, and it gets the browser that we use: its own is not needed.
    const PROGRAM: &str = concat!(
        include_str!("browsergym.py"),
        "env = environment()
deeds = {
    'reset': lambda: env.reset(seed=1),
    'observe': lambda: env._get_obs(),
    'noop': lambda: env.step('noop(0)'),
}
for line in sys.stdin:
    started = time.perf_counter()
    deeds[line.strip()]()
    print('took', (time.perf_counter() - started) * 1000, flush=True)
env.close()
"
    );

    fn start(python: &Path, executable: &Path, url: &str) -> Self {
        use std::io::BufRead as _;
        let mut child = std::process::Command::new(python)
            .args(["-c", Self::PROGRAM, url])
            .arg(executable)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let answers = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, answers }
    }

    fn does(&mut self, deed: &str, figures: &mut Figures) {
        use std::io::Write as _;
        writeln!(self.child.stdin.as_mut().unwrap(), "{deed}").unwrap();
        let took = self.answers.by_ref().map(|line| line.expect("BrowserGym answers")).find_map(|line| {
            line.strip_prefix("took ").map(|text| text.parse::<f64>().expect("a number of milliseconds"))
        });
        figures.0.push(took.expect("BrowserGym runs: its errors stand above"));
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

/// Observations and steps that do nothing, ours and BrowserGym's in turn on the same page.
async fn against_browsergym(python: &Path, name: &str, context: &Context, url: &str, rounds: usize) {
    let executable = find(&Wanted::Best).await.unwrap().candidate.path;
    let mut theirs = BrowserGym::start(python, &executable, url);
    theirs.does("reset", &mut Figures(Vec::new()));
    let (mut observer, mut executor) = (Observer::default(), Executor::default());
    // BrowserGym always measures elements, so ours does here as well.
    let wishes = Wishes { properties: true, ..Wishes::of(AccessMode::Mixed) };
    let noop = Action::Noop { wait_ms: 0.0 };
    let [mut our_looks, mut their_looks, mut our_steps, mut their_steps] =
        [(); 4].map(|()| Figures(Vec::new()));
    for _ in 0..rounds {
        timed(&mut our_looks, observer.observe(context, wishes, soon())).await.unwrap();
        theirs.does("observe", &mut their_looks);
        timed(&mut our_steps, async {
            assert_eq!(executor.perform(context, &observer, &noop).await.unwrap().error, "");
            observer.observe(context, wishes, soon()).await.unwrap();
        })
        .await;
        theirs.does("noop", &mut their_steps);
    }
    our_looks.row(&format!("{name}, mixed with properties"), None);
    their_looks.row(&format!("{name}, BrowserGym's observation (ratio: to ours)"), Some(&our_looks));
    our_steps.row(&format!("{name}, step noop(0) with properties"), None);
    their_steps
        .row(&format!("{name}, BrowserGym's step noop(0), no pause (ratio: to ours)"), Some(&our_steps));
    if name == "login form" {
        let mut resets = Figures(Vec::new());
        for _ in 0..rounds.min(5) {
            theirs.does("reset", &mut resets);
        }
        resets.row("BrowserGym's reset", None);
    }
    theirs.end();
}

async fn bench() {
    let rounds = std::env::var("DISCREET_BENCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(30);
    let options = LaunchOptions {
        wanted: Wanted::Best,
        guard_executable: Some(PathBuf::from(env!("CARGO_BIN_EXE_discreet"))),
        ..LaunchOptions::default()
    };
    let started = Instant::now();
    let browser = Browser::launch(&options).await.unwrap();
    let identity = browser.identity();
    println!(
        "{} {}, started in {:.0} ms\n",
        identity.kind,
        identity.product,
        started.elapsed().as_secs_f64() * 1_000.0
    );
    println!("| what | median ms | p90 | best | n | to the floor |\n| --- | --- | --- | --- | --- | --- |");

    let desk = Desk::open().await;
    set_up(&desk, &browser, rounds).await;
    let context = desk.seat(&browser, 0).await;
    for (name, path) in
        [("workspace home", "/"), ("workspace messages", "/messages"), ("workspace to-do", "/todo")]
    {
        context.active_page().unwrap().navigate(&format!("{ORIGIN}{path}"), soon()).await.unwrap();
        observations(name, &context, rounds).await;
    }
    context.close(soon()).await.unwrap();

    let shared = std::env::var_os("DISCREET_SHARED").map(PathBuf::from);
    let pages = shared.map(|shared| shared.join("data/browsergym/pages")).filter(|pages| pages.is_dir());
    if let Some(pages) = pages {
        let base = serve(pages).await;
        let python = std::env::var_os("DISCREET_BROWSERGYM").map(PathBuf::from);
        for (name, path, rounds) in [
            ("login form", "01_login_form", rounds),
            ("300 controls", "90_mid300", rounds),
            ("3000 controls", "91_large3000", rounds.min(12)),
        ] {
            let options = ContextOptions {
                wall: Wall::Loopback,
                proxy: None,
                cookies: Vec::new(),
                viewport: Viewport::default(),
            };
            let context = browser.open_context(&options).await.unwrap();
            let url = format!("{base}/{path}/page.html");
            context.active_page().unwrap().navigate(&url, soon()).await.unwrap();
            observations(name, &context, rounds).await;
            if path == "01_login_form" {
                steps(name, &context, ("checkbox", "Remember me"), ("textbox", "User name"), rounds).await;
            }
            if let Some(python) = &python {
                against_browsergym(python, name, &context, &url, rounds).await;
            }
            context.close(soon()).await.unwrap();
        }
    } else {
        eprintln!("bench: no golden pages (set DISCREET_SHARED to the folder of public data)");
    }
    browser.close().await;
    desk.server.shutdown(Deadline::after(Duration::from_secs(2))).await;
}

fn main() {
    tokio::runtime::Runtime::new().unwrap().block_on(bench());
}
