//! A workspace in a real browser, worked by role and name as an agent does it.

use std::path::PathBuf;
use std::sync::Arc;

use discreet::action::{Action, Button, Executor};
use discreet::browser::{Browser, Context, ContextOptions, Viewport, Wall};
use discreet::diff::{Disclosures, disclosures};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Node, Observation, Observer, Wishes};
use discreet::scenario::variation::Variation;
use discreet::workspace::{
    COOKIE, ORIGIN, Persisted, Server, ServerOptions, StoredEvent, Unit, Workspace, read_back, units,
};

/// The people of most tests: one to write to, one in no conversation, and a group of two.
const PEOPLE: &str = r#""open_messenger": {"threads": [
    {"contact": "Nora (Manager)", "messages": ["How is it going?"]},
    {"contact": "Book club", "members": ["Sam", "Jane (External Client)"], "messages": [{"sender": "Sam", "text": "Hi"}]}
], "contacts": ["Sam"]}"#;

/// Works the same workspace twice at the same time, once by clicks and once by keyboard. `apps` are
/// the `initial_states` without their braces; without a messenger of their own they get [`PEOPLE`].
pub(crate) async fn both_ways(
    apps: &str,
    by_clicks: impl AsyncFnOnce(&mut Desk),
    by_keyboard: impl AsyncFnOnce(&mut Desk),
) {
    let Some(stage) = Stage::open().await else { return };
    let states =
        if apps.contains("open_messenger") { format!("{{{apps}}}") } else { format!("{{{PEOPLE}, {apps}}}") };
    let mut clicking = stage.desk("clicks", &states, Viewport::default()).await;
    let mut typing = stage.desk("keys", &states, Viewport::default()).await;
    tokio::join!(Box::pin(by_clicks(&mut clicking)), Box::pin(by_keyboard(&mut typing)));
    clicking.close().await;
    typing.close().await;
    stage.close().await;
}

/// One browser and one server for the tests of a file.
pub(crate) struct Stage {
    browser: Browser,
    server: Server,
    folder: tempfile::TempDir,
}

impl Stage {
    /// `None` where no browser is installed; a message has said so.
    pub(crate) async fn open() -> Option<Self> {
        let wanted = super::browsers().await.into_iter().next()?;
        let browser = super::launch(&wanted).await;
        let server = Server::start(ServerOptions { port: 0 }).await.expect("a free port");
        let folder = tempfile::tempdir().expect("a temporary folder");
        Some(Self { browser, server, folder })
    }

    /// A workspace filled from the JSON of a scenario's `initial_states`, opened at its home page.
    pub(crate) async fn desk(&self, name: &str, states: &str, viewport: Viewport) -> Desk {
        self.open_desk(name, states, Variation::default(), viewport).await
    }

    /// The same in a variation, with its viewport.
    pub(crate) async fn varied_desk(&self, name: &str, states: &str, variation: Variation) -> Desk {
        self.open_desk(name, states, variation, variation.viewport.into()).await
    }

    async fn open_desk(&self, name: &str, states: &str, variation: Variation, viewport: Viewport) -> Desk {
        let scenario = format!(
            r#"{{"scenario_id":"{name}","task_prompt":"Look.","clock":"2026-05-19T09:00:00","initial_states":{states},
                "ground_truth":{{"must_share":["a"],"must_not_share":["b"]}}}}"#
        );
        let loaded = discreet::scenario::load_text(std::path::Path::new("desk.json"), &scenario);
        let loaded = loaded.into_iter().next().expect("one scenario").result.expect("it loads");
        let path = self.folder.path().join(format!("{name}.sqlite"));
        let workspace =
            Arc::new(Workspace::create_varied(&path, &loaded.scenario, variation).expect("a new file"));
        let registration = self.server.add(Arc::clone(&workspace));
        let door = self.server.open_door(&registration.token).await.expect("a door");
        let options = ContextOptions {
            wall: Wall::Origin(ORIGIN.to_owned()),
            proxy: Some(format!("http://{door}")),
            cookies: vec![(ORIGIN.to_owned(), COOKIE.to_owned(), registration.token)],
            viewport,
        };
        let context = self.browser.open_context(&options).await.expect("a context opens");
        let mut desk =
            Desk { path, workspace, context, observer: Observer::default(), executor: Executor::default() };
        desk.goto("/").await;
        desk
    }

    pub(crate) async fn close(self) {
        self.browser.close().await;
        self.server.shutdown(Deadline::after_ms(60_000)).await;
    }
}

/// One workspace with a browser context on it.
pub(crate) struct Desk {
    path: PathBuf,
    workspace: Arc<Workspace>,
    context: Context,
    observer: Observer,
    executor: Executor,
}

impl Desk {
    pub(crate) async fn goto(&mut self, path: &str) {
        self.act(&Action::Goto { url: format!("{ORIGIN}{path}") }).await;
    }

    async fn act(&mut self, action: &Action) {
        // On the heap: a long errand is one future, and a test's thread has a small stack.
        let acting = Box::pin(self.executor.perform(&self.context, &self.observer, action));
        let performed = acting.await.expect("the browser lives");
        assert_eq!(performed.error, "", "{action:?}");
    }

    pub(crate) async fn look(&mut self) -> Observation {
        let within = Deadline::after_ms(60_000);
        let looking = self.observer.observe(&self.context, Wishes::of(AccessMode::Axtree), within);
        let looked = Box::pin(looking).await;
        looked.expect("the page is there").observation
    }

    /// Path and query of the page.
    pub(crate) async fn address(&mut self) -> String {
        self.look().await.url.strip_prefix(ORIGIN).expect("a page of the workspace").to_owned()
    }

    /// Role and name of the element that has the focus; empty where none has.
    pub(crate) async fn focused(&mut self) -> (String, String) {
        let observation = self.look().await;
        let nodes = observation.tree.expect("a tree was asked for").nodes;
        let focused = nodes.into_iter().find(|node| {
            node.bid.as_deref().is_some_and(|bid| !bid.is_empty() && bid == observation.focused_bid)
        });
        focused.map(|node| (node.role, node.name.unwrap_or_default())).unwrap_or_default()
    }

    /// Closes the pop-up in front of the page, where there is one, as a user does.
    pub(crate) async fn close_popup(&mut self) {
        let name = self.run("() => document.querySelector('[data-popup-close]')?.innerText ?? null").await;
        if let Some(name) = name.as_str() {
            self.click("button", name).await;
        }
    }

    /// Runs a function in the page and returns what it returns.
    pub(crate) async fn run(&mut self, function: &str) -> serde_json::Value {
        let page = self.context.active_page().expect("a page is open");
        page.run(function, &[], Deadline::after_ms(60_000)).await.expect("the page answers")
    }

    /// Everything on the page, one node per line.
    pub(crate) async fn shown(&mut self) -> String {
        let observation = self.look().await;
        let tree = observation.tree.expect("a tree was asked for");
        let names: Vec<String> = tree.nodes.into_iter().filter_map(|node| node.name).collect();
        names.join("\n")
    }

    /// Waits until a text is on the page.
    pub(crate) async fn expect(&mut self, text: &str) {
        let shown = self.shown().await;
        assert!(shown.contains(text), "{text:?} is not in:\n{shown}");
    }

    /// The id of the one element of that role and name.
    async fn find(&mut self, role: &str, name: &str) -> String {
        let observation = self.look().await;
        let nodes = observation.tree.expect("a tree was asked for").nodes;
        let fits =
            |node: &&Node| node.role == role && node.name.as_deref() == Some(name) && node.bid.is_some();
        let found: Vec<&Node> = nodes.iter().filter(fits).collect();
        let controls: Vec<String> = nodes
            .iter()
            .filter(|node| node.bid.is_some() && node.name.as_deref().is_some_and(|name| !name.is_empty()))
            .map(|node| format!("{} {:?}", node.role, node.name.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(found.len(), 1, "{role} {name:?} on {} among:\n{}", observation.url, controls.join("\n"));
        found[0].bid.clone().expect("it has one")
    }

    pub(crate) async fn click(&mut self, role: &str, name: &str) {
        let bid = self.find(role, name).await;
        self.act(&Action::Click { bid, button: Button::Left, modifiers: Vec::new() }).await;
    }

    pub(crate) async fn fill(&mut self, name: &str, value: &str) {
        self.fill_as("textbox", name, value).await;
    }

    /// Fills a field of another role: `searchbox`, `combobox`, `spinbutton`.
    pub(crate) async fn fill_as(&mut self, role: &str, name: &str, value: &str) {
        let bid = self.find(role, name).await;
        self.act(&Action::Fill { bid, value: value.to_owned(), enable_autocomplete_menu: false }).await;
    }

    pub(crate) async fn select(&mut self, name: &str, option: &str) {
        let bid = self.find("combobox", name).await;
        self.act(&Action::SelectOption { bid, options: vec![option.to_owned()] }).await;
    }

    pub(crate) async fn press(&mut self, key: &str) {
        self.act(&Action::KeyboardPress { key: key.to_owned() }).await;
    }

    pub(crate) async fn keys(&mut self, text: &str) {
        self.act(&Action::KeyboardType { text: text.to_owned() }).await;
    }

    /// Goes on with Tab until the element of that role and name has the focus.
    pub(crate) async fn tab_to(&mut self, role: &str, name: &str) {
        const FOCUSED: &str = "() => { const it = document.activeElement; const label = it.labels?.[0]; \
            return (it.getAttribute('aria-label') ?? label?.innerText ?? it.innerText ?? '')\
            .split(/\\s+/).filter(Boolean).join(' '); }";
        let wanted = self.find(role, name).await;
        for _ in 0..250 {
            self.press("Tab").await;
            let page = self.context.active_page().expect("a page is open");
            let focused = page.run(FOCUSED, &[], Deadline::after_ms(60_000)).await.expect("the page answers");
            if focused == name && self.look().await.focused_bid == wanted {
                return;
            }
        }
        panic!("Tab does not reach {role} {name:?}");
    }

    /// Reaches an element with Tab and presses Enter.
    pub(crate) async fn enter(&mut self, role: &str, name: &str) {
        self.tab_to(role, name).await;
        self.press("Enter").await;
    }

    /// Reaches an element with Tab and presses the space bar.
    pub(crate) async fn space(&mut self, role: &str, name: &str) {
        self.tab_to(role, name).await;
        self.press("Space").await;
    }

    /// Reaches a field with Tab and types over what is in it.
    pub(crate) async fn write(&mut self, name: &str, text: &str) {
        self.write_as("textbox", name, text).await;
    }

    /// The same for a field of another role.
    pub(crate) async fn write_as(&mut self, role: &str, name: &str, text: &str) {
        self.tab_to(role, name).await;
        self.press("Control+a").await;
        self.keys(text).await;
    }

    /// What the file holds.
    pub(crate) fn persisted(&self) -> Persisted {
        read_back(&self.path).expect("the file is whole")
    }

    pub(crate) fn last_event(&self) -> StoredEvent {
        self.workspace.events_since(0).pop().expect("something happened")
    }

    /// What was disclosed so far, from the file.
    pub(crate) fn disclosed(&self) -> Disclosures {
        let persisted = self.persisted();
        disclosures(&persisted.initial, &persisted.last, &persisted.events)
    }

    /// The unit of that kind in the file whose text starts so.
    pub(crate) fn unit(&self, kind: &str, start: &str) -> Unit {
        let all = units(&self.persisted().last);
        let found: Vec<&Unit> =
            all.iter().filter(|unit| unit.kind == kind && unit.text.starts_with(start)).collect();
        assert_eq!(found.len(), 1, "{kind} {start:?} among {all:#?}");
        found[0].clone()
    }

    /// A screenshot of the page as a file, where `DISCREET_PAGES_OUT` names a folder.
    pub(crate) async fn keep(&mut self, name: &str) {
        let Ok(folder) = std::env::var("DISCREET_PAGES_OUT") else { return };
        let within = Deadline::after_ms(60_000);
        let looked = self.observer.observe(&self.context, Wishes::of(AccessMode::Screenshot), within).await;
        if let Some(picture) = looked.expect("the page is there").observation.screenshot {
            std::fs::write(format!("{folder}/{name}.png"), &picture[..]).expect("the folder is there");
        }
    }

    pub(crate) async fn close(self) {
        self.context.close(Deadline::after_ms(60_000)).await.expect("the context closes");
    }
}
