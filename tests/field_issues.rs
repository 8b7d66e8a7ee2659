//! Faults that harnesses of this kind were reported to have, each as a page or a situation of its own.
//! The numbers are those of `docs/field-issues.md`.
#![cfg(feature = "browser")]

mod support;

use std::path::Path;
use std::time::Duration;

use axum::response::{Html, IntoResponse as _};
use discreet::action::{ActionSet, Executor, ParseOptions, Performed};
use discreet::browser::{Browser, BrowserError, Context, DialogPolicy, Settled};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Captured, FrameOffset, Observer, Options, Wishes, flatten};
use serde_json::{Value, json};

fn soon() -> Deadline {
    Deadline::after_ms(100_000)
}

/// A context that is observed and acted in, as in an episode.
struct Session {
    context: Context,
    observer: Observer,
    executor: Executor,
    seen: Option<Captured>,
}

impl Session {
    async fn open(browser: &Browser, url: &str) -> Self {
        let context = support::context(browser).await;
        let mut session =
            Self { context, observer: Observer::default(), executor: Executor::default(), seen: None };
        session.goto(url, 20_000).await;
        session.look().await;
        session
    }

    async fn goto(&self, url: &str, within_ms: u64) -> Settled {
        let page = self.context.active_page().expect("a page is open");
        page.navigate(url, Deadline::after_ms(within_ms)).await.expect("it opens")
    }

    async fn try_look(&mut self) -> Result<&Captured, BrowserError> {
        let wishes = Wishes { mode: AccessMode::Mixed, properties: true, frame_offset: FrameOffset::Exact };
        let seen = self.observer.observe(&self.context, wishes, soon()).await?;
        Ok(self.seen.insert(seen))
    }

    async fn look(&mut self) -> &Captured {
        self.try_look().await.expect("it can be observed")
    }

    /// Performs one action without looking afterwards.
    async fn perform(&mut self, text: &str) -> Performed {
        let actions = ActionSet::all().parse(text, ParseOptions::default()).expect("it reads");
        let action = actions.first().expect("one action");
        self.executor.perform(&self.context, &self.observer, action).await.expect("the browser lives")
    }

    /// Performs one action, and looks.
    async fn act(&mut self, text: &str) -> Performed {
        let performed = self.perform(text).await;
        self.look().await;
        performed
    }

    /// The only id of a node with that role and name.
    fn bid(&self, role: &str, name: &str) -> String {
        let found = self.bids(role, name);
        assert_eq!(found.len(), 1, "{role} `{name}` in:\n{}", self.text());
        found[0].clone()
    }

    fn bids(&self, role: &str, name: &str) -> Vec<String> {
        let nodes = &self.seen.as_ref().expect("it was observed").tree.nodes;
        let found = nodes.iter().filter(|node| node.role == role && node.name.as_deref() == Some(name));
        found.filter_map(|node| node.bid.clone()).collect()
    }

    fn text(&self) -> &str {
        let seen = self.seen.as_ref().expect("it was observed");
        seen.observation.axtree.as_deref().unwrap_or("(no tree)")
    }

    async fn click(&mut self, role: &str, name: &str) -> Performed {
        let bid = self.bid(role, name);
        self.act(&format!("click('{bid}')")).await
    }

    /// The title of the active page, which pages here use to tell what happened.
    async fn title(&self) -> Value {
        let page = self.context.active_page().expect("a page is open");
        page.run("() => document.title", &[], soon()).await.expect("the page answers")
    }

    async fn close(self) {
        self.context.close(soon()).await.expect("the context closes");
    }
}

/// The browser that these tests use: one is enough, because what is tested is ours.
async fn browser() -> Option<Browser> {
    let wanted = support::browsers().await.into_iter().next()?;
    Some(support::launch(&wanted).await)
}

/// Serves what fixed pages cannot be: a download, headers, an answer that never comes.
async fn serve_special() -> String {
    let handler = |uri: axum::http::Uri| async move {
        match uri.path() {
            "/report.csv" => (
                [
                    (axum::http::header::CONTENT_DISPOSITION, "attachment; filename=\"report.csv\""),
                    (axum::http::header::CONTENT_TYPE, "text/csv"),
                ],
                "a,b\n1,2\n",
            )
                .into_response(),
            "/download" => Html("<title>D</title><a href=/report.csv>Report</a><button>Stay</button>").into_response(),
            "/frames" => Html(
                "<title>F</title><iframe src=/never></iframe><iframe src='http://127.0.0.1:9/refused'></iframe>\
                 <iframe src=/inner></iframe><iframe src=/inner></iframe><iframe src=/inner></iframe>",
            )
            .into_response(),
            "/font" => Html(
                "<title>T</title><style>@font-face { font-family: Late; src: url(/never.woff2); } p { font-family: Late; }</style>\
                 <p>Words in a late font</p>",
            )
            .into_response(),
            "/inner" => Html("<button>Inside</button>").into_response(),
            _ => std::future::pending().await,
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(handler)).await });
    format!("http://{address}")
}

#[test]
fn a1_a_line_break_in_a_message_is_part_of_it() {
    let text = "send_msg_to_user(\"Hello\nWorld\")";
    let calls = ActionSet::all().calls(text, ParseOptions::default()).expect("it reads");
    assert_eq!(calls.len(), 1);
    assert!(format!("{:?}", calls[0]).contains("Hello\\nWorld"), "{:?}", calls[0]);
    let upstream = ParseOptions { compat: true, ..ParseOptions::default() };
    let error = ActionSet::all().calls(text, upstream).expect_err("upstream does not read it");
    assert!(error.to_string().contains("empty action"), "{error}");
}

#[tokio::test]
async fn ids_and_frames() {
    let base = support::serve(&[
        (
            "clone",
            "<title>-</title><ul id=list><li><button onclick=\"document.title += this.closest('li').dataset.n || 'first'\">Go</button></li></ul>\
             <button onclick=\"const copy = list.firstElementChild.cloneNode(true); copy.dataset.n = 'copy'; list.append(copy)\">Clone</button>",
        ),
        (
            "odd",
            "<title>O</title><iframe></iframe><iframe src='about:blank'></iframe><object></object>\
             <object data='data:text/plain,x' type='text/plain'></object><embed type='application/pdf' src='data:application/pdf,x'>\
             <iframe sandbox srcdoc='<button>Boxed</button>'></iframe><button>Outside</button>",
        ),
        (
            "dropdown",
            "<title>-</title><style>.option { cursor: pointer; width: 90px }</style><div onclick=\"document.title = 'open'\">Choose</div>\
             <div class=option onclick=\"document.title = 'red'\">Red</div><div class=option id=blue>Blue</div><span id=plus>+</span>\
             <div id=minus>-</div><script>blue.addEventListener('click', () => document.title = 'blue');\
             plus.addEventListener('click', () => document.title = 'plus'); minus.addEventListener('mousedown', () => document.title = 'minus')</script>",
        ),
        (
            "stable",
            "<title>S</title><div id=top></div><button onclick=\"top_.insertAdjacentHTML('afterbegin', '<p>new <b>line</b></p>')\">Insert</button>\
             <input aria-label=Keep><script>window.top_ = document.getElementById('top')</script>",
        ),
        (
            "many",
            "<title>M</title><p>end</p><script>for (let n = 0; n < 60; n++) { const frame = document.createElement('iframe'); frame.width = 90; frame.height = 40; \
             frame.srcdoc = `<button onclick=\"parent.document.title = 'frame ${n}'\">Button ${n}</button>`; document.body.append(frame); }</script>",
        ),
    ])
    .await;
    let Some(browser) = browser().await else { return };

    // A2: a clone is an element of its own.
    let mut session = Session::open(&browser, &format!("{base}/clone")).await;
    session.click("button", "Clone").await;
    let both = session.bids("button", "Go");
    assert_eq!(both.len(), 2, "A2");
    assert_ne!(both[0], both[1], "A2");
    for bid in &both {
        assert_eq!(session.act(&format!("click('{bid}')")).await.error, "", "A2");
    }
    assert_eq!(session.title().await, json!("-firstcopy"), "A2");
    session.close().await;

    // A3: more frames than there are letters.
    let mut session = Session::open(&browser, &format!("{base}/many")).await;
    assert_eq!(session.click("button", "Button 40").await.error, "", "A3");
    assert_eq!(session.title().await, json!("frame 40"), "A3");
    let ids: std::collections::BTreeSet<String> =
        (0..60).map(|number| session.bid("button", &format!("Button {number}"))).collect();
    assert_eq!(ids.len(), 60, "A3");
    session.close().await;

    // A5: frames and objects with nothing in them.
    let mut session = Session::open(&browser, &format!("{base}/odd")).await;
    assert_eq!(session.click("button", "Outside").await.error, "", "A5");
    session.bid("button", "Boxed");
    session.close().await;

    // A6, A7: controls made of `div` and `span`, whatever way they listen.
    let mut session = Session::open(&browser, &format!("{base}/dropdown")).await;
    for (name, title) in [("Red", "red"), ("Blue", "blue"), ("+", "plus"), ("-", "minus")] {
        let seen = session.seen.as_ref().expect("it was observed");
        let options = Options { with_clickable: true, skip_generic: false, ..Options::default() };
        let text = flatten(&seen.tree, &options, &seen.properties);
        let parent = seen.tree.nodes.iter().find(|node| {
            node.bid.is_some()
                && node.children.iter().any(|child| seen.tree.nodes[*child].name.as_deref() == Some(name))
        });
        let bid = parent.and_then(|node| node.bid.clone()).unwrap_or_else(|| panic!("A6 {name}: {text}"));
        assert!(seen.properties[&bid].clickable, "A7 {name}: {text}");
        assert!(text.contains(&format!("[{bid}] generic, clickable")), "A6 {name}: {text}");
        assert_eq!(session.act(&format!("click('{bid}')")).await.error, "", "A7");
        assert_eq!(session.title().await, json!(title), "A7");
    }
    session.close().await;

    // A14: ids stay while the page grows above them.
    let mut session = Session::open(&browser, &format!("{base}/stable")).await;
    let (button, field) = (session.bid("button", "Insert"), session.bid("textbox", "Keep"));
    for _ in 0..20 {
        session.act(&format!("click('{button}')")).await;
        assert_eq!(session.bid("button", "Insert"), button, "A14");
        assert_eq!(session.bid("textbox", "Keep"), field, "A14");
    }
    session.close().await;

    // A21: a frame of another site.
    let other = base.replace("127.0.0.1", "localhost");
    let holder = serve_text(format!(
        "<title>-</title><iframe src='{other}/stable' width=300 height=90 style='margin: 30px'></iframe>"
    ))
    .await;
    let mut session = Session::open(&browser, &holder).await;
    let button = session.bid("button", "Insert");
    let bbox = session.seen.as_ref().expect("it was observed").properties[&button].bbox.expect("a box");
    // The margin of the body, the frame's own, its border, and the margin of the inner body.
    assert!((bbox[0] - (8.0 + 30.0 + 2.0 + 8.0)).abs() <= 1.0, "A21: {bbox:?}");
    assert_eq!(session.act(&format!("click('{button}')")).await.error, "", "A21");
    assert!(session.text().contains("'line'"), "A21: {}", session.text());
    session.close().await;
    browser.close().await;
}

/// A15: 50 000 elements and twice as many nodes.
#[tokio::test]
async fn a15_a_huge_page_is_observed_and_its_text_cut() {
    let base = support::serve(&[
        (
            "huge",
            "<title>H</title><button>First</button><script>const part = []; for (let n = 0; n < 25000; n++) part.push(`<p>row ${n} <i>${n}</i></p>`); \
             document.body.insertAdjacentHTML('beforeend', part.join(''))</script>",
        ),
    ])
    .await;
    let Some(browser) = browser().await else { return };
    let mut session = Session::open(&browser, &format!("{base}/huge")).await;
    let text = session.text();
    assert!(text.chars().count() <= 1_001_000, "A15: {}", text.len());
    assert!(text.contains("'First'"), "A15");
    let seen = session.seen.as_ref().expect("it was observed");
    let short =
        flatten(&seen.tree, &Options { max_characters: Some(5_000), ..Options::default() }, &seen.properties);
    let last = short.lines().last().unwrap_or_default();
    assert!(last.starts_with("(truncated: ") && last.ends_with(" more nodes)"), "A15: {last}");
    assert!(short.len() < 6_000, "A15");
    assert_eq!(session.click("button", "First").await.error, "", "A15");
    session.close().await;

    browser.close().await;
}

async fn serve_text(html: String) -> String {
    let handler = move || {
        let html = html.clone();
        async move { Html(html) }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(handler)).await });
    format!("http://{address}")
}

/// A4: the page changes its frames under each of them.
#[tokio::test]
async fn a4_three_hundred_observations_of_changing_frames_succeed() {
    let base = support::serve(&[(
        "a",
        "<title>C</title><button>Still</button><div id=place></div><script>let n = 0; setInterval(() => { n++; \
         if (n % 2) { const frame = document.createElement('iframe'); frame.srcdoc = `<p>frame ${n}<button>b</button>`; place.append(frame); } \
         else place.replaceChildren(); }, 20)</script>",
    )])
    .await;
    let Some(browser) = browser().await else { return };
    let mut session = Session::open(&browser, &format!("{base}/a")).await;
    session.seen = None;
    for number in 1..=300 {
        let wishes = Wishes { properties: number % 10 == 0, ..Wishes::of(AccessMode::Axtree) };
        let seen = session.observer.observe(&session.context, wishes, soon()).await;
        let seen = seen.unwrap_or_else(|error| panic!("observation {number}: {error}"));
        let text = seen.observation.axtree.unwrap_or_default();
        assert!(text.contains("button 'Still'"), "observation {number}: {text}");
    }
    session.close().await;
    browser.close().await;
}

#[tokio::test]
async fn faults_of_a_page() {
    let base = support::serve(&[
        ("loop", "<title>L</title><button onclick='for (;;);'>Spin</button><button onclick=\"document.title = 'alive'\">Other</button>"),
        ("alert", "<head><script>alert('at the head')</script><title>A</title></head><p>after"),
        (
            "confirm",
            "<title>-</title><button onclick=\"document.title = String(confirm('Delete all?'))\">Delete</button>\
             <button onclick=\"document.title = String(prompt('Name?'))\">Ask</button>\
             <button onclick=\"document.title = String(prompt('Name?', 'Sam'))\">Propose</button>",
        ),
        (
            "tabs",
            "<title>opener</title><a href=/second target=_blank>Link</a><button onclick=\"window.open('/second')\">Window</button>",
        ),
        ("second", "<title>second</title><button onclick=\"document.title = 'clicked'\">Here</button>"),
        (
            "cover",
            "<title>C</title><button>Under</button><div id=cover style='position:fixed;inset:0;background:#0003'></div>",
        ),
        (
            "tracker",
            "<title>-</title><input id=field aria-label=Field><script>const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');\
             let known = ''; Object.defineProperty(field, 'value', { get() { return own.get.call(this); }, set(v) { known = v; own.set.call(this, v); } });\
             field.addEventListener('input', () => { const now = own.get.call(field); if (now !== known) { known = now; document.title = 'state:' + now; } });</script>",
        ),
        ("plain", "<title>P</title><button onclick=\"document.title = 'yes'\">Go</button>"),
    ])
    .await;
    let special = serve_special().await;
    let Some(browser) = browser().await else { return };

    // A8: an endless script is ended and told, and the page can be used again.
    let mut session = Session::open(&browser, &format!("{base}/loop")).await;
    let spun = session.click("button", "Spin").await;
    assert!(spun.error.starts_with("TimeoutError: the page did not react"), "A8: {}", spun.error);
    assert_eq!(session.click("button", "Other").await.error, "", "A8");
    assert_eq!(session.title().await, json!("alive"), "A8");
    session.close().await;

    // A10: an alert while the page loads.
    let mut session = Session::open(&browser, &format!("{base}/plain")).await;
    session.act(&format!("goto('{base}/alert')")).await;
    let dialogs = &session.seen.as_ref().expect("it was observed").observation.dialogs;
    assert_eq!(dialogs.len(), 1, "A10: {dialogs:?}");
    assert!(dialogs[0].message == "at the head" && !dialogs[0].is_open, "A10: {dialogs:?}");
    // The same where dialogs are held: it is shown as open, and can be answered.
    session.context.set_dialog_policy(DialogPolicy::Hold);
    session.act(&format!("goto('{base}/alert')")).await;
    let dialogs = &session.seen.as_ref().expect("it was observed").observation.dialogs;
    assert!(dialogs.len() == 1 && dialogs[0].is_open, "A10: {dialogs:?}");
    assert_eq!(session.act("dialog_accept()").await.error, "", "A10");
    assert!(session.text().contains("'after'"), "A10: {}", session.text());
    session.close().await;

    // A11: a dialog that blocks is told apart from a slow page, and answered by an action.
    let mut session = Session::open(&browser, &format!("{base}/confirm")).await;
    session.context.set_dialog_policy(DialogPolicy::Hold);
    session.click("button", "Delete").await;
    let observation = &session.seen.as_ref().expect("it was observed").observation;
    let open = observation.dialogs.last().expect("A11: a dialog");
    assert_eq!((open.kind.as_str(), open.message.as_str(), open.is_open), ("confirm", "Delete all?", true));
    assert!(observation.url.ends_with("/confirm") && observation.axtree.is_none(), "A11");
    let blocked = session.perform("click('5')").await.error;
    assert!(blocked.contains("a dialog is open") && blocked.contains("dialog_dismiss"), "A11: {blocked}");
    assert_eq!(session.act("dialog_accept()").await.error, "", "A11");
    assert_eq!(session.title().await, json!("true"), "A11");
    session.click("button", "Ask").await;
    assert_eq!(session.act("dialog_accept('Nora')").await.error, "", "A11");
    assert_eq!(session.title().await, json!("Nora"), "A11");
    session.click("button", "Delete").await;
    assert_eq!(session.act("dialog_dismiss()").await.error, "", "A11");
    assert_eq!(session.title().await, json!("false"), "A11");
    assert!(!session.act("dialog_dismiss()").await.error.is_empty(), "A11: none is open");
    // Where dialogs are accepted, a prompt gets what it proposes.
    session.context.set_dialog_policy(DialogPolicy::Accept);
    session.click("button", "Delete").await;
    assert_eq!(session.title().await, json!("true"), "A11");
    session.click("button", "Propose").await;
    assert_eq!(session.title().await, json!("Sam"), "A11");
    session.close().await;

    // A12: what opens in a new tab is what is looked at and acted in.
    for (role, name) in [("link", "Link"), ("button", "Window")] {
        let mut session = Session::open(&browser, &format!("{base}/tabs")).await;
        session.click(role, name).await;
        let observation = &session.seen.as_ref().expect("it was observed").observation;
        assert_eq!((observation.open_pages.len(), observation.active_page), (2, 1), "A12 {name}");
        assert!(observation.url.ends_with("/second"), "A12 {name}: {}", observation.url);
        session.click("button", "Here").await;
        assert_eq!(session.title().await, json!("clicked"), "A12 {name}");
        session.act("tab_close()").await;
        let observation = &session.seen.as_ref().expect("it was observed").observation;
        assert_eq!((observation.open_pages.len(), observation.active_page), (1, 0), "A12 {name}");
        session.bid(role, name);
        session.close().await;
    }

    // A13: a download is refused, told by name, and the session goes on.
    let mut session = Session::open(&browser, &format!("{special}/download")).await;
    session.perform(&format!("click('{}')", session.bid("link", "Report"))).await;
    let mut told = Vec::new();
    let mut looked = 0;
    while !told.iter().any(|note: &String| note.contains("a download was refused: report.csv")) {
        told.extend(session.look().await.notes.clone());
        looked += 1;
        assert!(looked < 100, "A13: {told:?}");
    }
    assert_eq!(session.click("button", "Stay").await.error, "", "A13");
    session.close().await;

    // A16: what covers an element is named.
    let mut session = Session::open(&browser, &format!("{base}/cover")).await;
    let error = session.click("button", "Under").await.error;
    assert!(error.starts_with("TimeoutError") && error.contains("<div id=\"cover\""), "A16: {error}");
    assert!(error.contains("intercepts pointer events"), "A16: {error}");
    session.close().await;

    // A19, A20: frames that are slow or refused, and a server that never answers, end at the deadline.
    let session = Session::open(&browser, &format!("{base}/plain")).await;
    let settled = session.goto(&format!("{special}/frames"), 1_500).await;
    assert!(matches!(settled, Settled::StillBusy(_)), "A19: {settled:?}");
    session.close().await;
    let mut session = Session::open(&browser, &format!("{special}/inner")).await;
    let page = session.context.active_page().expect("a page");
    let waiting = page.navigate(&format!("{special}/never"), Deadline::after_ms(500)).await;
    assert!(!matches!(waiting, Ok(Settled::Quiet)), "A20: {waiting:?}");
    // The page that was there is still there, and another one can be opened.
    assert_eq!(session.act(&format!("goto('{base}/plain')")).await.error, "", "A20");
    assert_eq!(session.click("button", "Go").await.error, "", "A20");
    session.close().await;

    // A25: a font that never comes does not stop the picture.
    let mut session = Session::open(&browser, &format!("{base}/plain")).await;
    session.goto(&format!("{special}/font"), 1_500).await;
    let seen = session.look().await;
    let is_told = seen.notes.iter().any(|note| note.contains("without a screenshot"));
    assert!(seen.observation.screenshot.is_some() || is_told, "A25: {:?}", seen.notes);
    assert!(session.text().contains("late font"), "A25");
    session.close().await;

    // A26: one observation that fails does not spoil the next.
    let mut session = Session::open(&browser, &format!("{base}/plain")).await;
    let wishes = Wishes::of(AccessMode::Mixed);
    let failed = session.observer.observe(&session.context, wishes, Deadline::after_ms(0)).await;
    assert!(failed.is_err(), "A26");
    session.look().await;
    assert_eq!(session.click("button", "Go").await.error, "", "A26");
    assert_eq!(session.title().await, json!("yes"), "A26");
    session.close().await;

    // A27: a page that tracks the values of its fields learns of `fill`.
    let mut session = Session::open(&browser, &format!("{base}/tracker")).await;
    let field = session.bid("textbox", "Field");
    assert_eq!(session.act(&format!("fill('{field}', 'Nora')")).await.error, "", "A27");
    assert_eq!(session.title().await, json!("state:Nora"), "A27");
    session.close().await;

    // A crashed renderer has a name, and other contexts live on.
    let mut session = Session::open(&browser, &format!("{base}/plain")).await;
    let mut other = Session::open(&browser, &format!("{base}/plain")).await;
    let page = session.context.active_page().expect("a page");
    page.call_raw("Page.crash", json!({}), soon()).await.expect_err("it crashes");
    assert!(matches!(session.try_look().await, Err(BrowserError::PageCrashed)));
    assert_eq!(other.click("button", "Go").await.error, "");
    other.close().await;
    session.close().await;

    // A23: two pages that hang at the same time, and a third that does not notice.
    let mut hanging = [
        Session::open(&browser, &format!("{base}/loop")).await,
        Session::open(&browser, &format!("{base}/loop")).await,
    ];
    let mut other = Session::open(&browser, &format!("{base}/plain")).await;
    let [first, second] = &mut hanging;
    let (_, _, clicked) = tokio::join!(
        first.click("button", "Spin"),
        second.click("button", "Spin"),
        other.click("button", "Go")
    );
    assert_eq!(clicked.error, "", "A23");
    for session in hanging {
        assert_eq!(session.title().await, json!("L"), "A23");
        session.close().await;
    }
    other.close().await;
    browser.close().await;
}

/// A machine under load is no fault of the agent: a page whose frames take long gets the attempts that
/// it would have got in time.
#[tokio::test]
async fn what_load_takes_is_not_charged_to_the_checks() {
    let base = support::serve(&[(
        "a",
        "<title>-</title><button disabled onclick=\"document.title = 'yes'\">Late</button><script>let ticks = 0; let left = 0; \
         addEventListener('mousemove', () => { left = 7; }); function tick() { if (left) { const end = performance.now() + 120; \
         while (performance.now() < end); if (!--left) document.querySelector('button').disabled = false; } setTimeout(tick, 0); } tick()</script>",
    )])
    .await;
    let Some(browser) = browser().await else { return };
    let mut session = Session::open(&browser, &format!("{base}/a")).await;
    let button = session.bid("button", "Late");
    // The page starts to be busy with the pointer's first move, and is so when the click is checked.
    session.executor = Executor::default();
    let page = session.context.active_page().expect("a page");
    page.call_raw("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": 5, "y": 300 }), soon())
        .await
        .expect("it moves");
    assert_eq!(session.act(&format!("click('{button}')")).await.error, "");
    assert_eq!(session.title().await, json!("yes"));
    session.close().await;
    browser.close().await;
}

/// A9: a browser that stands still when an episode ends is ended all the same.
#[tokio::test]
async fn a9_a_browser_that_stands_still_is_ended() {
    let Some(browser) = browser().await else { return };
    let profile = support::profile_of(&browser);
    let context = support::context(&browser).await;
    let id = i32::try_from(browser.process_id().expect("a local browser")).expect("a process id");
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGSTOP)
        .expect("it runs");
    let error = context.close(Deadline::after_ms(500)).await.expect_err("nobody answers");
    assert!(matches!(error, BrowserError::Expired(_)), "{error}");
    browser.close().await;
    assert_eq!(support::processes_naming(&profile), Vec::<String>::new());
    assert!(!Path::new(&profile).exists());
}

/// A22: sessions that end leave neither processes nor folders, dead ones included.
#[tokio::test]
async fn a22_ended_sessions_leave_nothing() {
    for _ in 0..5 {
        let Some(browser) = browser().await else { return };
        let profile = support::profile_of(&browser);
        browser.close().await;
        assert_eq!(support::processes_naming(&profile), Vec::<String>::new());
        assert!(!Path::new(&profile).exists());
    }
    let own = std::process::id().to_string();
    let is_dead_child = |entry: &std::fs::DirEntry| {
        let status = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let mut words = status.rsplit(')').next().unwrap_or_default().split_whitespace();
        words.next() == Some("Z") && words.next() == Some(own.as_str())
    };
    support::eventually("no dead children are left", Duration::from_secs(10), || {
        !std::fs::read_dir("/proc").into_iter().flatten().flatten().any(|entry| is_dead_child(&entry))
    });
}

/// A24: a temporary folder with a very long name.
#[test]
fn a24_a_long_temporary_folder_is_no_obstacle() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = folder.path().join("a".repeat(120)).join("b".repeat(60));
    std::fs::create_dir_all(&long).expect("it is made");
    std::fs::write(folder.path().join("page.html"), "<title>L</title><button>Here</button>")
        .expect("it is written");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    if runtime.block_on(support::browsers()).is_empty() {
        return;
    }
    let output = std::process::Command::new(support::binary())
        .args(["observe", "page.html"])
        .current_dir(folder.path())
        .env("TMPDIR", &long)
        .output()
        .expect("it runs");
    let (text, told) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("button 'Here'"), "{text}{told}");
    support::eventually("nothing is left in it", Duration::from_secs(10), || {
        std::fs::read_dir(&long).is_ok_and(|mut left| left.next().is_none())
    });
}
