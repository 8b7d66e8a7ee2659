//! The viewer in a real browser, worked by keys and links as a person does it.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;
#[path = "support/traces.rs"]
mod traces;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use discreet::action::{Action, Button, Executor};
use discreet::browser::{Browser, Context};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Node, Observer, Wishes};
use serde_json::{Value, json};
use traces::{Told, write_run, write_trace};

/// A running `discreet view`; ended with the test.
struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    fn start(path: &Path) -> Self {
        let mut child = Command::new(support::binary())
            .arg("view")
            .arg(path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        assert!(address.starts_with("http://127.0.0.1:"), "{address}");
        Self { child, address: address.trim_end().to_owned() }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page of the viewer.
struct Viewer {
    context: Context,
    observer: Observer,
    executor: Executor,
}

fn soon() -> Deadline {
    Deadline::after_ms(60_000)
}

impl Viewer {
    async fn open(browser: &Browser, address: &str) -> Self {
        let context = support::context(browser).await;
        context.active_page().unwrap().navigate(address, soon()).await.unwrap();
        let mut viewer = Self { context, observer: Observer::default(), executor: Executor::default() };
        viewer
            .until("the page is drawn", "() => Boolean(document.getElementById('main').dataset.shown)")
            .await;
        viewer
    }

    async fn run(&self, function: &str) -> Value {
        self.context.active_page().unwrap().run(function, &[], soon()).await.unwrap()
    }

    /// Waits until a function says that it is so.
    async fn until(&mut self, what: &str, function: &str) {
        let started = Instant::now();
        loop {
            if self.run(function).await == json!(true) {
                return;
            }
            let text = self
                .run("() => location.hash + ' ' + document.getElementById('main').innerText.slice(0, 1500)")
                .await;
            assert!(started.elapsed() < Duration::from_secs(60), "{what}: {text}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn shows(&mut self, text: &str) {
        let text = json!(text);
        self.until(&format!("it shows {text}"), &format!("() => document.body.innerText.includes({text})"))
            .await;
    }

    async fn is_at(&mut self, hash: &str) {
        let hash = json!(hash);
        self.until(
            &format!("it is at {hash}"),
            &format!(
                "() => location.hash === {hash} && document.getElementById('main').dataset.shown === {hash}"
            ),
        )
        .await;
    }

    async fn go(&mut self, hash: &str) {
        self.run(&format!("() => {{ location.hash = {}; }}", json!(hash))).await;
        self.is_at(hash).await;
    }

    async fn key(&mut self, key: &str) {
        let action = Action::KeyboardPress { key: key.to_owned() };
        let performed = self.executor.perform(&self.context, &self.observer, &action).await.unwrap();
        assert_eq!(performed.error, "", "{key}");
    }

    /// Moves the mouse to where a function says, and clicks there if it is to.
    async fn mouse(&mut self, place: &str, click: bool) {
        let place = self.run(place).await;
        let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
        let action = if click {
            Action::MouseClick { x, y, button: Button::Left }
        } else {
            Action::MouseMove { x, y }
        };
        let performed = self.executor.perform(&self.context, &self.observer, &action).await.unwrap();
        assert_eq!(performed.error, "", "({x}, {y})");
    }

    /// Everything with a role, as an agent or a screen reader gets it.
    async fn nodes(&mut self) -> Vec<Node> {
        let looked =
            self.observer.observe(&self.context, Wishes::of(AccessMode::Axtree), soon()).await.unwrap();
        looked.observation.tree.unwrap().nodes
    }

    /// What the page asked for and did not get; that it was opened from disk itself is no question of its.
    fn asked_for(&self) -> Vec<String> {
        let refused = self.context.take_refused();
        refused
            .into_iter()
            .filter(|url| !(url.starts_with("file:") && url.ends_with("/export.html")))
            .collect()
    }

    async fn look_at(&mut self, path: &Path) {
        let looked =
            self.observer.observe(&self.context, Wishes::of(AccessMode::Mixed), soon()).await.unwrap();
        if let Some(folder) = std::env::var_os("DISCREET_KEEP_PICTURES") {
            std::fs::write(Path::new(&folder).join(path), looked.observation.screenshot.unwrap()).unwrap();
        }
    }
}

async fn browser() -> Option<Browser> {
    let wanted = support::browsers().await.into_iter().next()?;
    Some(support::launch(&wanted).await)
}

fn sample() -> Vec<Told> {
    let mut told = vec![
        Told { scenario: "brunch__one".into(), steps: 4, ..Told::default() },
        Told { scenario: "brunch__two".into(), leaked: false, ..Told::default() },
        Told { scenario: "dinner__one".into(), agent: "oracle", leaked: false, ..Told::default() },
    ];
    told.push(Told { scenario: "brunch__one".into(), mode: "state", leaked: false, ..Told::default() });
    told
}

#[tokio::test]
async fn every_view_is_reached_by_keys_and_by_its_address() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("run"), &sample());
    let serving = Serving::start(&folder.path().join("run"));
    let mut viewer = Viewer::open(&browser, &serving.address).await;
    viewer.shows("4 of 4 episodes").await;
    viewer.look_at(Path::new("list.png")).await;

    // The list: search by key, filter and group by address.
    viewer.key("/").await;
    viewer.until("the search has focus", "() => document.activeElement.id === 'search'").await;
    for letter in ["d", "i", "n", "n", "e", "r", "Enter"] {
        viewer.key(letter).await;
    }
    viewer.shows("1 of 4 episodes").await;
    viewer.is_at("#/?q=dinner").await;
    viewer.go("#/?verdict=leaked").await;
    viewer.shows("1 of 4 episodes").await;
    viewer.go("#/?group=mode&sort=-steps").await;
    viewer.shows("mode: state").await;
    let first = viewer.run("() => document.querySelector('tbody tr th').innerText").await;
    assert_eq!(first.as_str().unwrap().trim(), "brunch__one");

    // An episode: steps, panels, leaks, neighbours.
    viewer.go("#/episode/0/1/1?tab=prompt").await;
    viewer.shows("Asked 2 times").await;
    viewer.shows("Before, 1 of 1: no action in it").await;
    viewer.go("#/episode/0/1/1?tab=did").await;
    viewer.shows("✓ verified").await;
    viewer
        .until(
            "the box is drawn",
            "() => document.querySelectorAll('.stage .box, .stage .point').length === 2",
        )
        .await;
    viewer.look_at(Path::new("episode.png")).await;
    viewer.key("j").await;
    viewer.is_at("#/episode/0/1/2").await;
    viewer.shows("fill [13] StaticText").await;
    viewer.key("2").await;
    viewer.shows("lines, 2 changed since the step before").await;
    viewer.key("4").await;
    viewer.shows("messenger: message sent").await;
    viewer.key("3").await;
    viewer.shows("Sent to the model").await;
    viewer.key("5").await;
    viewer.shows("event 5, observation").await;
    viewer.key("k").await;
    viewer.is_at("#/episode/0/1/1").await;
    viewer.key("n").await;
    viewer.is_at("#/episode/0/1/2?tab=changed").await;
    viewer.key("]").await;
    viewer.is_at("#/episode/0/4/1").await;
    viewer.shows("on the page while something else was sent").await;
    viewer.key("[").await;
    viewer.is_at("#/episode/0/1/1").await;

    // A deep link opens the step, the panel and the item.
    viewer.go("#/episode/0/1/3?tab=saw&item=vet+appointment").await;
    viewer.shows("Search in the tree").await;
    viewer
        .until(
            "the item is chosen",
            "() => document.querySelector('tr.chosen').innerText.includes('vet appointment')",
        )
        .await;
    viewer.key("/").await;
    viewer.until("the tree's search has focus", "() => document.activeElement.id === 'tree-search'").await;
    for letter in ["b", "u", "t", "t", "o", "n"] {
        viewer.key(letter).await;
    }
    viewer.shows("1 line holds “button”").await;
    viewer.key("Escape").await;

    // The other views, the help, the theme.
    viewer.key("m").await;
    viewer.is_at("#/matrix").await;
    viewer.shows("3 scenarios, 3 conditions").await;
    viewer.key("p").await;
    viewer.is_at("#/pairs").await;
    viewer.shows("1 leaks end-to-end only").await;
    viewer.shows("State-grounded against end-to-end").await;
    viewer.shows("+100 points").await;
    viewer.go("#/pairs?by=mode&left=e2e&right=state").await;
    viewer.shows("1 leaks end-to-end only").await;
    viewer.shows("−100 points").await;
    viewer.go("#/pairs?by=agent&left=careless&right=oracle").await;
    viewer.shows("Careless against oracle").await;
    viewer.shows("No scenario is on both sides.").await;
    viewer.go("#/compare/0/4/0/1/2").await;
    viewer.shows("≠ differs").await;
    viewer.key("j").await;
    viewer.is_at("#/compare/0/4/0/1/3").await;
    viewer.shows("It ended after 2 steps.").await;
    viewer.key("?").await;
    viewer.until("the help is open", "() => document.getElementById('help').open").await;
    viewer.key("Escape").await;
    viewer.until("the help is closed", "() => !document.getElementById('help').open").await;
    for theme in ["light", "dark"] {
        viewer.key("t").await;
        viewer
            .until(
                "the theme changes",
                &format!("() => document.documentElement.dataset.theme === '{theme}'"),
            )
            .await;
    }
    viewer.key("l").await;
    viewer.is_at("#/").await;
    browser.close().await;
}

#[tokio::test]
async fn the_tree_and_the_picture_point_at_each_other() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("run"), &sample());
    let serving = Serving::start(&folder.path().join("run"));
    let mut viewer = Viewer::open(&browser, &serving.address).await;
    let spot = |kind: &str, bid: &str| {
        format!("() => (document.querySelector('.stage .spot-{kind}')?.dataset.bid ?? null) === {bid}")
    };
    let line = |test: &str| {
        format!("() => document.querySelector('.tree {test}')?.innerText.includes('[12] ') === true")
    };

    // A line that is pointed at shows its box, where the element is.
    viewer.go("#/episode/0/1/1?tab=saw").await;
    viewer
        .until(
            "the lines can be chosen",
            "() => document.querySelectorAll('.tree [role=option]').length === 3",
        )
        .await;
    let place = "() => { document.querySelector('.tree').scrollIntoView({ block: 'center' }); const box = document.querySelectorAll('.tree .line')[1].getBoundingClientRect(); return [box.x + 40, box.y + 5]; }";
    viewer.mouse(place, false).await;
    viewer.until("its box is shown", &spot("hover", "'12'")).await;
    let fits = viewer
        .run("() => { const spot = document.querySelector('.spot-hover').getBoundingClientRect(); const picture = document.querySelector('.stage img').getBoundingClientRect(); const scale = picture.width / 320; return [spot.x - picture.x - 80 * scale, spot.y - picture.y - 40 * scale, spot.width - 60 * scale, spot.height - 20 * scale].every((side) => Math.abs(side) < 1.5); }")
        .await;
    assert_eq!(fits, json!(true));
    viewer.shows("button 'Send plain words', 60 × 20 at (80, 40)").await;

    // A click in the picture takes the innermost element, opens the tree at its line, and is in the address.
    viewer.go("#/episode/0/1/1?tab=did").await;
    viewer
        .until("the picture can be pointed at", "() => document.querySelector('.stage').tabIndex === 0")
        .await;
    let within = |x: u32, y: u32| {
        format!(
            "() => {{ document.querySelector('.stage').scrollIntoView({{ block: 'center' }}); const picture = document.querySelector('.stage img').getBoundingClientRect(); const scale = picture.width / 320; return [picture.x + {x} * scale, picture.y + {y} * scale]; }}"
        )
    };
    viewer.mouse(&within(100, 50), true).await;
    viewer.until("its line is chosen", &line("[aria-selected=true]")).await;
    viewer.until("its box stays", &spot("chosen", "'12'")).await;
    viewer.is_at("#/episode/0/1/1?tab=saw&bid=12").await;
    // The mouse alone: the other element's line is marked, and nothing is chosen.
    viewer.mouse(&within(200, 100), false).await;
    viewer.until("the other box is shown", &spot("hover", "'13'")).await;
    viewer
        .until(
            "the other line is marked",
            "() => document.querySelector('.tree .line-hover')?.innerText.includes('[13] ') === true",
        )
        .await;
    viewer.until("the choice stays", &line("[aria-selected=true]")).await;

    // Keys: from line to line in the tree, from element to element in the picture, and from there to the tree.
    viewer.run("() => document.getElementById('tree-lines').focus()").await;
    viewer.key("ArrowDown").await;
    viewer.until("the next line is chosen", &spot("chosen", "'13'")).await;
    viewer.key("Home").await;
    viewer.until("a line without an id has no box", &spot("chosen", "null")).await;
    viewer.is_at("#/episode/0/1/1?tab=saw").await;
    viewer.go("#/episode/0/1/1?tab=did").await;
    viewer
        .until("the picture can be pointed at", "() => document.querySelector('.stage').tabIndex === 0")
        .await;
    viewer.run("() => document.querySelector('.stage').focus()").await;
    viewer.key("End").await;
    viewer.until("the last element is chosen", &spot("chosen", "'13'")).await;
    viewer.key("ArrowUp").await;
    viewer.until("the one before", &spot("chosen", "'12'")).await;
    viewer.key("Enter").await;
    viewer.until("the tree has focus", "() => document.activeElement.id === 'tree-lines'").await;
    viewer.until("its line is chosen", &line("[aria-selected=true]")).await;
    viewer.until("and said", "() => document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.innerText.includes('[12] ') === true").await;

    // The address brings it back, whatever lines are shown; another step starts afresh.
    viewer.go("#/episode/0/1/2?tab=saw&bid=13").await;
    viewer.until("it is chosen", &spot("chosen", "'13'")).await;
    viewer.look_at(Path::new("pointed.png")).await;
    viewer.key("j").await;
    viewer.is_at("#/episode/0/1/3").await;
    viewer.until("nothing is chosen", &spot("chosen", "null")).await;
    browser.close().await;
}

#[tokio::test]
async fn a_trace_without_boxes_is_shown_as_ever() {
    let Some(browser) = browser().await else { return };
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/format-1");
    let serving = Serving::start(&sample);
    let mut viewer = Viewer::open(&browser, &serving.address).await;
    viewer.go("#/episode/0/1/2?tab=saw&bid=12").await;
    viewer.shows("changed since the step before").await;
    viewer
        .until("the picture is there", "() => document.querySelector('.stage img')?.naturalWidth > 0")
        .await;
    let found = viewer.run("() => [document.querySelectorAll('.spot, [role=option]').length, document.querySelector('.stage').tabIndex, document.querySelector('.pointed').hidden]").await;
    assert_eq!(found, json!([0, -1, true]));
    browser.close().await;
}

#[tokio::test]
async fn a_redacted_copy_says_what_it_is() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    write_trace(&folder.path().join("one"), &Told::default());
    let output = traces::discreet(&["redact", "one", "--out", "copy", "--no-browser"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", traces::stderr(&output));
    for (name, is_copy) in [("one", false), ("copy", true)] {
        let serving = Serving::start(&folder.path().join(name));
        let mut viewer = Viewer::open(&browser, &serving.address).await;
        viewer.shows("✓ verified").await;
        let says = viewer.run("() => document.body.innerText.includes('This is a redacted copy')").await;
        assert_eq!(says, json!(is_copy), "{name}");
    }
    browser.close().await;
}

#[tokio::test]
async fn an_episode_that_is_still_being_written_is_followed() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    write_run(&run, &sample());
    let trace = support::runs::episodes(&run)[0].join("trace.jsonl");
    let whole = std::fs::read_to_string(&trace).unwrap();
    let some: String = whole.lines().take(4).flat_map(|line| [line, "\n"]).collect();
    std::fs::write(&trace, some).unwrap();
    let serving = Serving::start(&run);
    let mut viewer = Viewer::open(&browser, &serving.address).await;
    viewer.go("#/episode/0/1/1").await;
    viewer.shows("The trace has no last event").await;
    let steps = "() => document.querySelectorAll('.film > li').length";
    assert_eq!(viewer.run(steps).await, json!(1));
    std::fs::write(&trace, whole).unwrap();
    viewer.until("the other steps come by themselves", &format!("() => ({steps})() === 4")).await;
    viewer.shows("✓ verified").await;
    viewer.is_at("#/episode/0/1/1").await;
    browser.close().await;
}

#[tokio::test]
async fn every_control_has_a_role_and_a_name_and_nothing_needs_200_percent_width() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("run"), &sample());
    let serving = Serving::start(&folder.path().join("run"));
    let mut viewer = Viewer::open(&browser, &serving.address).await;
    for hash in ["#/", "#/matrix", "#/pairs", "#/episode/0/1/2", "#/compare/0/4/0/1/2"] {
        viewer.go(hash).await;
        let controls =
            ["button", "link", "textbox", "searchbox", "combobox", "checkbox", "tab", "region", "img"];
        // What is decoration says so; every other picture has a name.
        let unnamed = "() => document.querySelectorAll('img:not([alt])').length";
        assert_eq!(viewer.run(unnamed).await, json!(0), "{hash}");
        for node in viewer.nodes().await {
            let named = node.name.as_deref().is_some_and(|name| !name.trim().is_empty());
            assert!(
                named || !controls.contains(&node.role.as_str()),
                "{hash}: a {} without a name ({:?})",
                node.role,
                node.bid
            );
        }
        // At twice the size on half the width nothing but regions made for it scrolls sideways.
        let wide = viewer
            .run("() => { document.documentElement.style.zoom = '2'; const over = document.documentElement.scrollWidth > document.documentElement.clientWidth + 1; document.documentElement.style.zoom = ''; return over; }")
            .await;
        assert_eq!(wide, json!(false), "{hash} is wider than the window at 200 %");
    }
    browser.close().await;
}

/// Strings that would act if they were taken for markup, script, style or an address.
const EVIL: &str = "\"'><img src=/pwned onerror=\"document.documentElement.dataset.pwned=1\"><script>document.documentElement.dataset.pwned=1;alert(1)</script><a href=\"javascript:alert(1)\">x</a></script></style></title><!--end--><iframe src=http://127.0.0.1:9/></iframe>{{7*7}}${7*7}\u{202e}\u{0}";

#[tokio::test]
async fn hostile_strings_in_every_field_stay_text_when_served_and_when_exported() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let evil: Vec<Told> = ["state", "e2e"]
        .map(|mode| Told {
            scenario: EVIL.to_owned(),
            words: EVIL.to_owned(),
            mode,
            steps: 4,
            ..Told::default()
        })
        .to_vec();
    write_run(&folder.path().join("run"), &evil);
    let serving = Serving::start(&folder.path().join("run"));
    let export = folder.path().join("export.html");
    let output = Command::new(support::binary())
        .args(["view", "run", "--export", "export.html"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let served = support::serve_folder(folder.path().to_owned()).await;
    for address in
        [serving.address.clone(), format!("{served}/export.html"), format!("file://{}", export.display())]
    {
        let mut viewer = Viewer::open(&browser, &address).await;
        for hash in [
            "#/",
            "#/matrix",
            "#/pairs",
            "#/episode/0/1/2?tab=changed",
            "#/episode/0/1/3?tab=saw",
            "#/episode/0/1/3?tab=prompt",
            "#/episode/0/1/2?tab=raw",
            "#/episode/0/1/2?tab=did",
            "#/compare/0/1/0/2/2",
        ] {
            viewer.go(hash).await;
            viewer.shows("onerror").await;
            let found = viewer
                .run("() => ({ pwned: document.documentElement.dataset.pwned || null, scripts: [...document.scripts].filter((s) => s.type !== 'application/json').length, frames: document.querySelectorAll('iframe, object, embed').length, links: [...document.links].filter((a) => a.protocol === 'javascript:').length, images: [...document.images].filter((i) => i.src.includes('pwned')).length, styles: document.querySelectorAll('style, link[rel=stylesheet]').length })")
                .await;
            assert_eq!(
                found,
                json!({ "pwned": null, "scripts": 1, "frames": 0, "links": 0, "images": 0, "styles": 1 }),
                "{address} {hash}"
            );
        }
        assert_eq!(viewer.asked_for(), Vec::<String>::new(), "{address} asked for something");
        assert!(viewer.context.take_dialogs().is_empty(), "{address} opened a dialog");
    }
    browser.close().await;
}

#[tokio::test]
async fn an_exported_run_works_from_disk_with_its_pictures_and_asks_for_nothing() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("run"), &sample());
    let export = folder.path().join("export.html");
    let output = Command::new(support::binary())
        .arg("view")
        .arg(folder.path().join("run"))
        .arg("--export")
        .arg(&export)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    // Whatever lay beside it is gone.
    std::fs::remove_dir_all(folder.path().join("run")).unwrap();
    let mut viewer = Viewer::open(&browser, &format!("file://{}", export.display())).await;
    viewer.shows("4 of 4 episodes").await;
    viewer.go("#/episode/0/1/2?tab=saw").await;
    viewer.shows("StaticText").await;
    viewer.until("all pictures are there", "() => [...document.images].length >= 5 && [...document.images].every((image) => image.complete && image.naturalWidth === 320)").await;
    assert_eq!(viewer.asked_for(), Vec::<String>::new());
    browser.close().await;
}

#[tokio::test]
async fn an_export_can_be_without_pictures_and_of_some_episodes() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    write_run(&folder.path().join("run"), &sample());
    let export = |more: &[&str]| {
        let mut arguments = vec!["view", "run", "--export", "export.html"];
        arguments.extend(more);
        Command::new(support::binary()).args(arguments).current_dir(folder.path()).output().unwrap()
    };
    let whole = export(&[]);
    let told = String::from_utf8_lossy(&whole.stderr).into_owned();
    assert!(told.contains("for 4 episodes") && told.find(" MB for") < told.find("wrote "), "{told}");
    let size = || std::fs::metadata(folder.path().join("export.html")).unwrap().len();
    let with_pictures = size();
    let output = export(&["--without-pictures", "--episodes", "1-2"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(size() < with_pictures);
    let mut viewer = Viewer::open(&browser, &format!("file://{}/export.html", folder.path().display())).await;
    viewer.shows("2 of 2 episodes").await;
    viewer.go("#/episode/0/1/2?tab=saw").await;
    viewer.shows("StaticText").await;
    viewer.shows("Pictures were left out of this file.").await;
    viewer.go("#/episode/0/4/1").await;
    viewer.shows("This episode cannot be shown").await;
    browser.close().await;
    assert_eq!(export(&["--episodes", "99"]).status.code(), Some(4));
    assert_eq!(export(&["--episodes", "2-1"]).status.code(), Some(2));
}

#[tokio::test]
async fn broken_traces_are_shown_as_far_as_they_go() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    write_run(&run, &sample());
    let episodes = support::runs::episodes(&run);
    let trace = |index: usize| episodes[index].join("trace.jsonl");
    // Cut off in the middle; a line exchanged; a picture gone; no trace at all.
    let bytes = std::fs::read(trace(0)).unwrap();
    std::fs::write(trace(0), &bytes[..bytes.len() / 2]).unwrap();
    let text = std::fs::read_to_string(trace(1)).unwrap();
    std::fs::write(trace(1), text.replace("click('12')", "click('66')")).unwrap();
    for entry in std::fs::read_dir(episodes[2].join("blobs")).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    std::fs::remove_file(trace(3)).unwrap();
    let serving = Serving::start(&run);
    let mut viewer = Viewer::open(&browser, &serving.address).await;
    viewer.shows("4 of 4 episodes").await;
    for (hash, told) in [
        ("#/episode/0/1/1", "The trace ends in the middle of a line"),
        ("#/episode/0/2/2", "was changed"),
        ("#/episode/0/3/1?tab=saw", "The tree is missing."),
        ("#/episode/0/4/1", "No step was recorded."),
        ("#/episode/0/99/1", "This episode cannot be shown"),
        ("#/episode/x/y/z", "This episode cannot be shown"),
        ("#/nowhere", "4 of 4 episodes"),
    ] {
        viewer.go(hash).await;
        viewer.shows(told).await;
    }
    viewer.go("#/episode/0/3/1").await;
    viewer.shows("The picture is missing or damaged.").await;
    browser.close().await;
}

#[tokio::test]
async fn a_trace_by_itself_opens_at_once_and_strangers_are_turned_away() {
    let folder = tempfile::tempdir().unwrap();
    let episode = folder.path().join("one");
    write_trace(&episode, &Told::default());
    let serving = Serving::start(&episode);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let origin = serving.address.trim_end_matches('/').rsplit_once('/').unwrap().0.to_owned();
    let answer = client.get(&serving.address).send().await.unwrap();
    let policy = answer.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(answer.status() == 200 && policy.starts_with("default-src 'none'"), "{policy}");
    for (address, host, code) in [
        (format!("{origin}/"), None, 403),
        (format!("{origin}/{}/list.json", "0".repeat(32)), None, 403),
        (serving.address.clone(), Some("evil.example"), 421),
        (format!("{}blob/0/1/..%2Ftrace.jsonl", serving.address), None, 404),
        (format!("{}episode/0/2", serving.address), None, 404),
        (format!("{}list.json", serving.address), None, 200),
    ] {
        let mut request = client.get(&address);
        if let Some(host) = host {
            request = request.header("host", host);
        }
        assert_eq!(request.send().await.unwrap().status().as_u16(), code, "{address} {host:?}");
    }
    let Some(browser) = browser().await else { return };
    let mut viewer = Viewer::open(&browser, &serving.address).await;
    viewer.is_at("#/episode/0/1/1").await;
    browser.close().await;
}

/// The folder of a generation: two seeds, a child and a grandchild, one try that came to nothing. Every
/// free text is `text`.
fn write_generation(folder: &Path, text: &str) {
    let line = |number: u64, parent: &str, child: &str, fate: &str| {
        let is_node = fate != "rejected";
        json!({
            "iteration": number, "round": 1, "round_size": 3, "wanted": "visual_co_location",
            "parent": parent, "strategy": "densify", "child": child, "depth": 1, "note": text,
            "hash": is_node.then(|| "0".repeat(64)),
            "facets": is_node.then(|| json!({"mode": "visual_co_location", "family": "a", "language": "en",
                "sink": "direct message", "sources": ["todo"]})),
            "answers": if is_node { json!([{"agent": "careless", "outcome": "finished", "utility": 1,
                "severity": 5, "reward": 5.0, "leaked": [text]}]) } else { json!([]) },
            "reward": is_node.then_some(5.0), "value": 1.0, "novelty": 0.5, "tokens": 0, "cost": null,
            "fate": fate, "why": text,
        })
    };
    let lines = [
        line(1, "a__1", "a__g1_00001", "low_reward"),
        line(2, "a__1", "a__g1_00002", "rejected"),
        line(3, "a__g1_00001", "a__g1_00003", "kept"),
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    std::fs::create_dir_all(folder.join("nodes")).unwrap();
    let seeds = json!([{"scenario_id": "a__1", "hash": ""}, {"scenario_id": "b__1", "hash": ""}]);
    std::fs::write(folder.join("generate.json"), json!({"seeds": seeds}).to_string()).unwrap();
    std::fs::write(folder.join("search.jsonl"), lines.join("\n") + "\n").unwrap();
    for id in ["a__1", "b__1", "a__g1_00001", "a__g1_00003"] {
        let scenario = json!({"scenario_id": id, "task_prompt": format!("Do it. {text}"), "initial_states": {},
            "ground_truth": {"must_share": ["bring two chairs"], "must_not_share": [{"text": "the flat is sold", "why": text}]}});
        std::fs::write(folder.join("nodes").join(format!("{id}.json")), scenario.to_string()).unwrap();
    }
}

#[tokio::test]
async fn the_tree_of_a_generation_is_opened_branch_by_branch_served_and_from_disk() {
    let Some(browser) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let generation = folder.path().join("more");
    write_generation(&generation, EVIL);
    let serving = Serving::start(&generation);
    let export = folder.path().join("export.html");
    let exported = Command::new(support::binary())
        .args(["view", generation.to_str().unwrap(), "--export", export.to_str().unwrap()])
        .status();
    assert!(exported.unwrap().success());
    for address in [serving.address.clone(), format!("file://{}", export.display())] {
        let mut viewer = Viewer::open(&browser, &address).await;
        viewer.shows("3 iterations, 2 played, 1 kept, from 2 seeds.").await;
        // The seed with something kept stands first; a branch is made when it is opened.
        let first = viewer.run("() => document.querySelector('details.node > summary').innerText").await;
        assert!(first.as_str().unwrap().starts_with("a__1"), "{first}");
        viewer
            .until(
                "every branch is open",
                "() => { const all = [...document.querySelectorAll('details.node')]; all.forEach((one) => { one.open = true; }); return all.length === 4 && all.every((one) => one.querySelector('.branch').childNodes.length > 0); }",
            )
            .await;
        viewer.shows("1 try that came to nothing").await;
        viewer.look_at(Path::new("search_tree.png")).await;
        let named = |node: &Node| node.name.as_deref().is_some_and(|name| !name.trim().is_empty());
        let controls = ["link", "searchbox", "combobox", "region", "button"];
        for node in viewer.nodes().await {
            assert!(
                named(&node) || !controls.contains(&node.role.as_str()),
                "a {} without a name",
                node.role
            );
        }
        viewer.go("#/search?fate=kept").await;
        viewer.shows("1 scenario fits").await;
        viewer.until("the other seed is not shown", "() => !document.body.innerText.includes('b__1')").await;
        viewer.go("#/search?strategy=translate").await;
        viewer.shows("Nothing fits.").await;
        viewer.go("#/scenario/a__g1_00003").await;
        viewer.shows("the flat is sold").await;
        viewer.shows("careless").await;
        viewer.look_at(Path::new("search_scenario.png")).await;
        viewer.go("#/scenario/nobody").await;
        viewer.shows("there is no such scenario in the tree").await;
        let pwned = viewer.run("() => document.documentElement.dataset.pwned || ''").await;
        assert_eq!(pwned, json!(""));
    }
    browser.close().await;
}
