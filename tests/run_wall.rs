//! The network wall: neither an agent nor a page reaches anything but the workspace.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::net::{TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use discreet::browser::{Browser, ContextOptions, LaunchOptions, Viewport, Wall};
use discreet::error::Deadline;
use discreet::workspace::{COOKIE, ORIGIN, Server, ServerOptions, Workspace};
use serde_json::json;
use support::runs::{Place, episodes, errand, events_of, has_browser};

/// A server of somebody else's: it counts who comes.
struct Canary {
    port: u16,
    hits: Arc<AtomicUsize>,
}

impl Canary {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let hits = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&hits);
        std::thread::spawn(move || {
            while listener.accept().is_ok() {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, hits }
    }

    fn hits(&self) -> usize {
        self.hits.load(Ordering::SeqCst)
    }
}

#[test]
fn an_agent_that_wants_to_leave_is_refused_told_and_recorded() {
    if !has_browser() {
        return;
    }
    let canary = Canary::new();
    let place = Place::new();
    place.scenario(&errand("leaver__one"));
    let targets = [
        format!("http://127.0.0.1:{}/x", canary.port),
        format!("http://localhost:{}/x", canary.port),
        format!("http://openapps.test@127.0.0.1:{}/x", canary.port),
        "http://openapps.test.evil.example/".to_owned(),
        "https://openapps.test/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "chrome://version".to_owned(),
        "data:text/html,<title>out</title>".to_owned(),
        "javascript:document.title='out'".to_owned(),
        "view-source:http://openapps.test/".to_owned(),
    ];
    let mut script = String::new();
    for target in &targets {
        script.extend(["goto(", &json!(target).to_string(), ")\n"]);
    }
    script.push_str("goto('http://openapps.test/todo')\nfinish('back')\n");
    place.write("script", &script);
    let rows = place.run("out", &["--agent", "script:script", "--observe", "axtree"]);
    assert_eq!(canary.hits(), 0, "nobody came");
    assert_eq!(rows[0]["outcome"], "finished", "the episode goes on: {}", rows[0]);
    assert_eq!(rows[0]["invalid_actions"], targets.len());
    let episode = &episodes(&place.path("out"))[0];
    let blocked = events_of(episode, "blocked");
    let told: Vec<(&str, &str)> = blocked
        .iter()
        .map(|what| (what["target"].as_str().unwrap(), what["how"].as_str().unwrap()))
        .collect();
    let expected: Vec<(&str, &str)> =
        targets.iter().map(|target| (target.as_str(), "action_layer")).collect();
    assert_eq!(told, expected);
    for (number, observation) in events_of(episode, "observation").iter().enumerate() {
        let address = observation["url"].as_str().unwrap();
        assert!(address == ORIGIN || address.starts_with("http://openapps.test/"), "{address}");
        let error = observation["last_action_error"].as_str().unwrap();
        let was_refused = (1..=targets.len()).contains(&number);
        assert_eq!(error.contains("was refused: only the workspace"), was_refused, "{number}: {error}");
    }
}

/// Everything a page can try, each caught so that the next one is tried too. `PORT` and `UDP` are
/// the canaries' ports.
const ATTEMPTS: &str = r"async (port, udp) => {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `0.0.0.0:${port}`];
  const tried = [];
  const attempt = async (name, what) => { try { await what(); } catch (error) {} tried.push(name); };
  const add = (name, fields) => {
    const element = Object.assign(document.createElement(name), fields);
    document.documentElement.append(element);
    return element;
  };
  for (const host of hosts) {
    await attempt('fetch', () => fetch(`http://${host}/fetch`, { mode: 'no-cors' }));
    await attempt('post', () => fetch(`http://${host}/post`, { method: 'POST', mode: 'no-cors', body: 'x' }));
    await attempt('tls', () => fetch(`https://${host}/tls`, { mode: 'no-cors' }));
    await attempt('beacon', () => navigator.sendBeacon(`http://${host}/beacon`, 'x'));
    await attempt('socket', () => new WebSocket(`ws://${host}/socket`));
    await attempt('events', () => new EventSource(`http://${host}/events`));
    await attempt('image', () => add('img', { src: `http://${host}/image` }));
    await attempt('script', () => add('script', { src: `http://${host}/script` }));
    await attempt('style', () => add('link', { rel: 'stylesheet', href: `http://${host}/style` }));
    await attempt('prefetch', () => add('link', { rel: 'prefetch', href: `http://${host}/prefetch` }));
    await attempt('preconnect', () => add('link', { rel: 'preconnect', href: `http://${host}/` }));
    await attempt('frame', () => add('iframe', { src: `http://${host}/frame` }));
    await attempt('popup', () => window.open(`http://${host}/popup`));
    await attempt('form', () => add('form', { action: `http://${host}/form`, method: 'post', target: '_blank' }).submit());
    await attempt('ping', () => add('a', { href: '#x', ping: `http://${host}/ping`, textContent: 'x' }).click());
  }
  await attempt('file', () => add('iframe', { src: 'file:///etc/passwd' }));
  await attempt('file popup', () => window.open('file:///etc/passwd'));
  await attempt('rtc', async () => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls: `stun:127.0.0.1:${udp}` }] });
    connection.createDataChannel('x');
    await connection.setLocalDescription(await connection.createOffer());
  });
  await new Promise(done => setTimeout(done, 700));
  return tried.length;
}";

async fn nothing_leaves(wanted: &discreet::browser::Wanted) {
    let canary = Canary::new();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let udp_port = udp.local_addr().unwrap().port();
    let place = Place::new();
    let file = place.scenario(&errand("prisoner__one"));
    let loaded = discreet::scenario::load_paths(&[file]).remove(0).result.unwrap();
    let server = Server::start(ServerOptions::default()).await.unwrap();
    let workspace = Arc::new(Workspace::create(&place.path("workspace.sqlite"), &loaded.scenario).unwrap());
    let registration = server.add(workspace);
    let proxy = format!("http://{}", server.address());
    let launch = LaunchOptions {
        wanted: wanted.clone(),
        proxy: Some(proxy.clone()),
        guard_executable: Some(support::binary()),
        ..LaunchOptions::default()
    };
    let browser = Browser::launch(&launch).await.unwrap();
    let options = ContextOptions {
        wall: Wall::Origin(ORIGIN.to_owned()),
        proxy: Some(proxy),
        cookies: vec![(ORIGIN.to_owned(), COOKIE.to_owned(), registration.token.clone())],
        viewport: Viewport::default(),
    };
    let context = browser.open_context(&options).await.unwrap();
    let page = context.active_page().unwrap();
    let deadline = || Deadline::after_ms(60_000);
    // From a page of the workspace, whose own policy forbids most of it already, and from a blank
    // one, which has no policy: there the wall stands alone.
    for address in ["http://openapps.test/todo", "about:blank"] {
        page.navigate(address, deadline()).await.unwrap();
        let tried = page.run(ATTEMPTS, &[json!(canary.port), json!(udp_port)], deadline()).await.unwrap();
        assert_eq!(tried, json!(48), "every attempt was made");
        assert_eq!(canary.hits(), 0, "somebody came from {address} of {wanted:?}");
    }
    udp.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    assert!(udp.recv_from(&mut [0; 64]).is_err(), "a packet came past the proxy");
    // It is known what was tried: by the browser, and by the server that stands in the way.
    let refused = context.take_refused();
    let at_the_wall = server.blocked_since(None, 0);
    for what in ["/fetch", "/image", "/popup"] {
        let known = refused.iter().any(|target| target.contains(what))
            || at_the_wall.iter().any(|request| request.target.contains(what));
        assert!(known, "{what} is in neither {refused:?} nor {at_the_wall:?}");
    }
    browser.close().await;
}

#[tokio::test]
async fn nothing_that_a_page_tries_in_the_headless_shell_leaves_the_workspace() {
    if support::browsers().await.contains(&discreet::browser::Wanted::HeadlessShell) {
        nothing_leaves(&discreet::browser::Wanted::HeadlessShell).await;
    }
}

#[tokio::test]
async fn nothing_that_a_page_tries_in_chromium_leaves_the_workspace() {
    if support::browsers().await.contains(&discreet::browser::Wanted::Chromium) {
        nothing_leaves(&discreet::browser::Wanted::Chromium).await;
    }
}

/// The attempts above do reach a server where there is no wall: the test can fail.
#[tokio::test]
async fn without_the_wall_the_same_attempts_arrive() {
    let Some(wanted) = support::browsers().await.first().cloned() else { return };
    let canary = Canary::new();
    let browser = support::launch(&wanted).await;
    let context = support::context(&browser).await;
    let page = context.active_page().unwrap();
    // The canary accepts and says nothing, so what waits for an answer is left waiting.
    let attempts = ATTEMPTS.replace("await what()", "what()?.catch?.(() => {})");
    let arguments = [json!(canary.port), json!(canary.port)];
    page.run(&attempts, &arguments, Deadline::after_ms(60_000)).await.unwrap();
    assert!(canary.hits() >= 5, "{} arrived", canary.hits());
    browser.close().await;
}
