//! What a workspace costs: to create and fill, to serve, and to hold sixty-four at a time.
//!
//! Prints a table of figures with their targets. `scripts/bench` runs it as a release build.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::print_stdout, reason = "figures are its output")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use discreet::error::Deadline;
use discreet::scenario::{Scenario, load_paths};
use discreet::workspace::{COOKIE, ORIGIN, Server, ServerOptions, Workspace};

/// Times that each scenario is created.
const ROUNDS: usize = 15;
/// Times that each page is asked for.
const REQUESTS: usize = 200;
/// Workspaces that are held at a time.
const HELD: usize = 64;
const PAGES: [(&str, &str); 7] = [
    ("home", "/"),
    ("messages", "/messages"),
    ("calendar", "/calendar"),
    ("maps", "/maps"),
    ("to-do", "/todo"),
    ("code editor", "/code"),
    ("shop", "/shop"),
];

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let scenarios: Vec<Scenario> =
        load_paths(&[folder]).into_iter().map(|file| file.result.unwrap().scenario).collect();
    assert!(!scenarios.is_empty(), "there are no scenarios to measure with");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        println!("{:<44} {:>9} {:>9} {:>9} {:>9}", "", "median", "p95", "target", "of target");
        create(&scenarios);
        serve(&scenarios).await;
        hold(&scenarios).await;
    });
}

/// A new file with the scenario's state in it.
fn create(scenarios: &[Scenario]) {
    let folder = tempfile::tempdir().unwrap();
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        for (number, scenario) in scenarios.iter().enumerate() {
            let path = folder.path().join(format!("{round}-{number}.sqlite"));
            let started = Instant::now();
            let workspace = Workspace::create(&path, scenario).unwrap();
            times.push(started.elapsed());
            drop(workspace);
            std::fs::remove_file(path).unwrap();
        }
    }
    figure(&format!("workspace created and filled, ms (n={})", times.len()), times, 20.0);
}

/// A page over HTTP, through the proxy's door as a browser comes.
async fn serve(scenarios: &[Scenario]) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(ServerOptions::default()).await.unwrap();
    let visitors: Vec<Visitor> = scenarios
        .iter()
        .enumerate()
        .map(|(number, scenario)| Visitor::new(&server, folder.path(), number, scenario))
        .collect();
    for (name, path) in PAGES {
        let mut times = Vec::new();
        for number in 0..REQUESTS {
            let visitor = &visitors[number % visitors.len()];
            let started = Instant::now();
            visitor.get(path).await;
            times.push(started.elapsed());
        }
        figure(&format!("page served: {name}, ms (n={REQUESTS})"), times, 5.0);
    }
    drop(visitors);
    server.shutdown(Deadline::after_ms(1_000)).await;
}

/// Sixty-four workspaces at a time, each of whose first pages has been looked at.
async fn hold(scenarios: &[Scenario]) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(ServerOptions::default()).await.unwrap();
    let before = resident_megabytes();
    let mut visitors = Vec::new();
    for number in 0..HELD {
        let visitor = Visitor::new(&server, folder.path(), number, &scenarios[number % scenarios.len()]);
        for (_, path) in PAGES {
            visitor.get(path).await;
        }
        visitors.push(visitor);
    }
    match (before, resident_megabytes()) {
        (Some(before), Some(after)) => {
            row(&format!("{HELD} workspaces more than none, MB (PSS)"), after - before, None, 200.0);
        }
        _ => println!("{HELD} workspaces more than none: this system does not tell its PSS"),
    }
    drop(visitors);
    server.shutdown(Deadline::after_ms(1_000)).await;
}

struct Visitor {
    client: reqwest::Client,
    _workspace: Arc<Workspace>,
}

impl Visitor {
    fn new(server: &Server, folder: &Path, number: usize, scenario: &Scenario) -> Self {
        let path = folder.join(format!("{number}.sqlite"));
        let workspace = Arc::new(Workspace::create(&path, scenario).unwrap());
        let token = server.add(Arc::clone(&workspace)).token;
        let cookie = reqwest::header::HeaderValue::from_str(&format!("{COOKIE}={token}")).unwrap();
        let client = reqwest::Client::builder()
            .proxy(reqwest::Proxy::http(format!("http://{}", server.address())).unwrap())
            .default_headers([(reqwest::header::COOKIE, cookie)].into_iter().collect())
            .timeout(Duration::from_secs(30))
            .build()
            .unwrap();
        Self { client, _workspace: workspace }
    }

    async fn get(&self, path: &str) {
        let response = self.client.get(format!("{ORIGIN}{path}")).send().await.unwrap();
        assert!(response.status().is_success(), "{path}: {}", response.status());
        assert!(!response.bytes().await.unwrap().is_empty());
    }
}

fn figure(name: &str, mut times: Vec<Duration>, target: f64) {
    times.sort();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    row(name, at(50), Some(at(95)), target);
}

/// One line: the figure, and what part of its target it is.
fn row(name: &str, median: f64, high: Option<f64>, target: f64) {
    let high = high.map_or_else(|| "-".to_owned(), |high| format!("{high:.2}"));
    println!("{name:<44} {median:>9.2} {high:>9} {target:>9.0} {:>7.0} %", median / target * 100.0);
}

/// This process's proportional share of memory; `None` where the system does not tell.
fn resident_megabytes() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
