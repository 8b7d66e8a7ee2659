//! A browser starts, is talked to, and always ends; no call hangs, whatever the page does.
#![cfg(feature = "browser")]

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use discreet::action::{ActionSet, Executor, ParseOptions};
use discreet::browser::{Browser, BrowserError, Context, Page, Settled, Viewport};
use discreet::episode::WarmSeat;
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Observer, Wishes};
use discreet::workspace::{ORIGIN, Server, ServerOptions, Workspace};
use futures_util::future::join_all;
use serde_json::{Value, json};

fn soon() -> Deadline {
    Deadline::after_ms(60_000)
}

async fn title(page: &discreet::browser::Page) -> Value {
    page.run("() => document.title", &[], soon()).await.expect("the page answers")
}

#[tokio::test]
async fn a_page_is_opened_and_nothing_is_left_behind() {
    let base = support::serve(&[("a", "<title>A</title><p>hello</p>")]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let profile = support::profile_of(&browser);
        let context = support::context(&browser).await;
        let page = context.active_page().expect("a page is open");
        assert_eq!(page.navigate(&format!("{base}/a"), soon()).await.unwrap(), Settled::Quiet);
        assert_eq!(title(&page).await, json!("A"));
        context.close(soon()).await.unwrap();
        browser.close().await;
        assert_eq!(support::processes_naming(&profile), Vec::<String>::new(), "{wanted:?}");
        assert!(!std::path::Path::new(&profile).exists(), "{wanted:?}");
    }
}

#[tokio::test]
async fn contexts_do_not_share_cookies() {
    let base = support::serve(&[("a", "<title>A</title>")]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let (first, second) = tokio::join!(support::context(&browser), support::context(&browser));
        for context in [&first, &second] {
            context.active_page().unwrap().navigate(&format!("{base}/a"), soon()).await.unwrap();
        }
        first.active_page().unwrap().run("() => { document.cookie = 'k=v'; }", &[], soon()).await.unwrap();
        let seen = second.active_page().unwrap().run("() => document.cookie", &[], soon()).await.unwrap();
        assert_eq!(seen, json!(""));
        browser.close().await;
    }
}

/// Episodes share a browser: each of their pages has to be as if it were the only one, in front, with the
/// focus and with frames of its own.
#[tokio::test]
async fn pages_of_contexts_that_share_a_browser_are_all_in_front() {
    const PAGE: &str = "<title>A</title><style>input { caret-color: transparent }\
        input:focus { outline: 9px solid red }</style>\
        <input autofocus><p>text</p>";
    let base = support::serve(&[("a", PAGE)]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let mut contexts = Vec::new();
        for _ in 0..4 {
            contexts.push(support::context(&browser).await);
        }
        let pages: Vec<_> = contexts.iter().map(|context| context.active_page().unwrap()).collect();
        let url = format!("{base}/a");
        join_all(pages.iter().map(|page| async { page.navigate(&url, soon()).await.unwrap() })).await;
        let looks = pages.iter().map(|page| async {
            let seen = page
                .run(
                    "async () => {
                        // A page behind another one gets no frames, and this never ends.
                        for (let n = 0; n < 20; n++) await new Promise(requestAnimationFrame);
                        const input = document.querySelector('input');
                        return [document.visibilityState, document.hasFocus(), input.matches(':focus')];
                    }",
                    &[],
                    soon(),
                )
                .await
                .unwrap();
            let shot = json!({ "format": "png", "optimizeForSpeed": true });
            let shot = page.call_raw("Page.captureScreenshot", shot, soon()).await.unwrap();
            (seen, shot["data"].as_str().unwrap().to_owned())
        });
        let looks = join_all(looks).await;
        for (seen, shot) in &looks {
            assert_eq!(*seen, json!(["visible", true, true]), "{wanted:?}");
            assert!(*shot == looks[0].1, "{wanted:?}: the same page gives the same picture");
        }
        // What is typed goes into the page that it is meant for, whichever was used last.
        let texts = ["one", "two", "three", "four"];
        let typing = pages.iter().zip(texts).map(|(page, text)| async move {
            for character in text.chars() {
                let key = json!({ "type": "keyDown", "text": character, "key": character });
                page.call_raw("Input.dispatchKeyEvent", key, soon()).await.unwrap();
            }
        });
        join_all(typing).await;
        for (page, text) in pages.iter().zip(texts) {
            let value = page.run("() => document.querySelector('input').value", &[], soon()).await.unwrap();
            assert_eq!(value, json!(text), "{wanted:?}");
        }
        browser.close().await;
    }
}

/// What one episode copies is none of another one's business, at the same time or later: by keys, by a
/// button of the page, by what is selected and the middle button of the mouse.
#[tokio::test]
async fn what_is_copied_in_one_context_is_pasted_in_no_other() {
    const PAGE: &str = "<title>A</title><style>input { display: block; width: 300px; height: 30px }</style>\
        <input autofocus value=secret><p>words</p><button>copy</button><script>\
        document.querySelector('button').onclick = () => {\
          getSelection().selectAllChildren(document.querySelector('p')); document.execCommand('copy'); }</script>";
    let base = support::serve(&[("a", PAGE), ("b", "<title>B</title><input autofocus>")]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let (mut from, mut to) = (Desk::open(&browser).await, Desk::open(&browser).await);
        from.act(&format!("goto('{base}/a')")).await;
        to.act(&format!("goto('{base}/a')")).await;
        for key in ["Control+a", "Control+c", "End", "Control+v"] {
            from.act(&format!("keyboard_press('{key}')")).await;
        }
        assert_eq!(from.value().await, json!("secretsecret"), "{wanted:?}: what it copied it pastes");
        for key in ["End", "Control+v", "Shift+Insert"] {
            to.act(&format!("keyboard_press('{key}')")).await;
        }
        to.act("mouse_click(30, 20, 'middle')").await;
        assert_eq!(to.value().await, json!("secret"), "{wanted:?}");

        // In a page that comes later, and what a button of the page copied.
        from.act(&format!("goto('{base}/b')")).await;
        from.act("keyboard_press('Control+v')").await;
        assert_eq!(from.value().await, json!("secret"), "{wanted:?}");
        from.act("go_back()").await;
        let place = from.page().run(PLACE_OF_BUTTON, &[], soon()).await.unwrap();
        from.act(&format!("mouse_click({}, {})", place[0], place[1])).await;
        from.act(&format!("goto('{base}/b')")).await;
        from.act("keyboard_press('Control+v')").await;
        assert_eq!(from.value().await, json!("words"), "{wanted:?}");
        to.act("keyboard_press('Control+v')").await;
        assert_eq!(to.value().await, json!("secret"), "{wanted:?}");

        // What is cut is copied.
        for key in ["Control+a", "Control+x", "Control+v", "Control+v"] {
            to.act(&format!("keyboard_press('{key}')")).await;
        }
        assert_eq!(to.value().await, json!("secretsecret"), "{wanted:?}");
        browser.close().await;
    }
}

const PLACE_OF_BUTTON: &str = "() => { const box = document.querySelector('button').getBoundingClientRect(); \
    return [box.x + box.width / 2, box.y + box.height / 2]; }";

/// A context in which actions are carried out, as an episode does it.
struct Desk {
    context: Context,
    executor: Executor,
    observer: Observer,
}

impl Desk {
    async fn open(browser: &Browser) -> Self {
        let context = support::context(browser).await;
        Self { context, executor: Executor::default(), observer: Observer::default() }
    }

    fn page(&self) -> Page {
        self.context.active_page().expect("it answers")
    }

    async fn act(&mut self, action: &str) {
        let actions = ActionSet::all().parse(action, ParseOptions::default()).expect("it answers");
        let performed =
            self.executor.perform(&self.context, &self.observer, &actions[0]).await.expect("it answers");
        assert_eq!(performed.error, "", "{action}");
    }

    async fn value(&self) -> Value {
        let value = "() => document.querySelector('input').value";
        self.page().run(value, &[], soon()).await.expect("it answers")
    }
}

#[tokio::test]
async fn a_killed_browser_fails_pending_and_later_calls_at_once() {
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let profile = support::profile_of(&browser);
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        let id = i32::try_from(browser.process_id().unwrap()).unwrap();
        let hanging = tokio::spawn(async move {
            page.run("() => new Promise(() => {})", &[], Deadline::after_ms(60_000)).await
        });
        tokio::time::sleep(Duration::from_millis(100)).await;
        let killed = Instant::now();
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGKILL).unwrap();
        let error = hanging.await.unwrap().unwrap_err();
        assert!(matches!(error, BrowserError::Lost(_) | BrowserError::PageGone(_)), "{error}");
        context.wait_lost().await;
        assert!(matches!(context.active_page().unwrap_err(), BrowserError::Lost(_)));
        // The call itself had a minute.
        assert!(killed.elapsed() < Duration::from_secs(20), "{:?}", killed.elapsed());
        browser.close().await;
        assert_eq!(support::processes_naming(&profile), Vec::<String>::new());
        assert!(!std::path::Path::new(&profile).exists());
    }
}

#[tokio::test]
async fn a_crashed_renderer_is_noticed_at_once_and_the_browser_lives_on() {
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        // Not at the deadline: that would be another error.
        let error = page.call_raw("Page.crash", json!({}), Deadline::after_ms(60_000)).await.unwrap_err();
        assert!(matches!(error, BrowserError::PageCrashed), "{error}");
        assert!(matches!(context.active_page().unwrap_err(), BrowserError::PageCrashed));
        let other = support::context(&browser).await;
        other.active_page().unwrap().run("() => 1", &[], soon()).await.unwrap();
        browser.close().await;
    }
}

#[tokio::test]
async fn dialogs_are_answered_and_told() {
    let base = support::serve(&[(
        "a",
        "<title>A</title><script>alert('at load')</script><script>document.title = String(confirm('sure?'))</script>",
    )])
    .await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        page.navigate(&format!("{base}/a"), soon()).await.unwrap();
        assert_eq!(title(&page).await, json!("false"));
        let dialogs = context.take_dialogs();
        let told: Vec<_> = dialogs
            .iter()
            .map(|dialog| (dialog.kind.as_str(), dialog.message.as_str(), dialog.accepted))
            .collect();
        assert_eq!(told, [("alert", "at load", true), ("confirm", "sure?", false)]);
        browser.close().await;
    }
}

/// Every kind of dialog, one after the other, in a chain that is longer than anybody reads, and in a
/// popup: each is answered by the policy, those that are told are bounded, and the page goes on.
#[tokio::test]
async fn a_long_chain_of_dialogs_of_every_kind_is_answered_and_cut() {
    const CHAIN: &str = "let answers = []; for (let n = 0; n < 1000; n++) { alert(n); } \
        answers.push(confirm('c'), prompt('p', 'x')); document.title = JSON.stringify(answers);";
    let base = support::serve(&[
        ("a", "<title>A</title><button>b</button>"),
        ("guarded", "<title>G</title><script>onbeforeunload = event => event.preventDefault()</script>"),
        ("popup", "<title>P</title><script>alert('from the popup')</script>"),
    ])
    .await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        let long = || Deadline::after_ms(60_000);
        page.navigate(&format!("{base}/a"), soon()).await.unwrap();
        let chain = json!({ "expression": CHAIN });
        page.call_raw("Runtime.evaluate", chain, long()).await.unwrap();
        assert_eq!(title(&page).await, json!("[false,null]"), "{wanted:?}");
        let told = context.take_dialogs();
        assert_eq!((told.len(), told[0].message.as_str()), (200, "0"), "what is told is bounded");

        // Leaving a page that asks whether one really wants to is what was asked for.
        page.navigate(&format!("{base}/guarded"), soon()).await.unwrap();
        // Only a page that was used may ask.
        let press = |kind: &str| json!({ "type": kind, "x": 9, "y": 9, "button": "left", "clickCount": 1 });
        page.call_raw("Input.dispatchMouseEvent", press("mousePressed"), soon()).await.unwrap();
        page.call_raw("Input.dispatchMouseEvent", press("mouseReleased"), soon()).await.unwrap();
        page.navigate(&format!("{base}/a"), soon()).await.unwrap();
        assert_eq!(title(&page).await, json!("A"), "{wanted:?}");
        let told = context.take_dialogs();
        assert!(told.iter().all(|dialog| dialog.kind == "beforeunload" && dialog.accepted), "{told:?}");
        assert!(!told.is_empty(), "{wanted:?}");

        let open = json!({ "expression": "void open('/popup')", "userGesture": true });
        page.call_raw("Runtime.evaluate", open, soon()).await.unwrap();
        let popup = context.active_page().unwrap();
        assert_ne!(popup.target(), page.target());
        popup.settle(soon()).await.unwrap();
        let told = context.take_dialogs();
        assert_eq!(told.first().map(|dialog| dialog.message.as_str()), Some("from the popup"), "{told:?}");
        browser.close().await;
    }
}

/// What would open a window of the system's: nothing waits for it, and the page goes on.
#[tokio::test]
async fn printing_full_screen_and_choosing_files_stop_nothing() {
    let base = support::serve(&[("a", "<title>A</title><input type=file multiple><p>text</p>")]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        page.navigate(&format!("{base}/a"), soon()).await.unwrap();
        for what in [
            "print()",
            "document.querySelector('input').click()",
            "document.querySelector('input').showPicker()",
            "document.documentElement.requestFullscreen()",
            "navigator.mediaDevices?.getUserMedia({ video: true })",
            "Notification?.requestPermission()",
        ] {
            let expression = format!("try {{ void {what} }} catch (error) {{}} document.title += '.'; 1");
            let ask = json!({ "expression": expression, "userGesture": true });
            page.call_raw("Runtime.evaluate", ask, soon())
                .await
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            page.settle(soon()).await.unwrap_or_else(|error| panic!("{what}: {error}"));
        }
        assert_eq!(title(&page).await, json!("A......"), "{wanted:?}");
        assert_eq!(context.open_pages().0.len(), 1, "{wanted:?}");
        browser.close().await;
    }
}

#[tokio::test]
async fn navigation_within_a_document_ends() {
    let base = support::serve(&[("a", "<title>A</title><p id=x>x</p>")]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        page.navigate(&format!("{base}/a"), soon()).await.unwrap();
        // Where the load that does not come is waited for, it is still busy at the deadline.
        assert_eq!(page.navigate(&format!("{base}/a#x"), soon()).await.unwrap(), Settled::Quiet);
        assert_eq!(context.open_pages().0[0].0, format!("{base}/a#x"));
        page.go_in_history(-1, soon()).await.unwrap();
        assert_eq!(context.open_pages().0[0].0, format!("{base}/a"));
        browser.close().await;
    }
}

#[tokio::test]
async fn a_page_that_never_loads_is_given_up_at_the_deadline() {
    let base = support::serve(&[("a", "<title>A</title><img src=/never><p>here</p>")]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        let started = Instant::now();
        let settled = page.navigate(&format!("{base}/a"), Deadline::after_ms(700)).await.unwrap();
        assert!(matches!(settled, Settled::StillBusy(_)));
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
        assert_eq!(title(&page).await, json!("A"));
        browser.close().await;
    }
}

#[tokio::test]
async fn an_endless_script_is_terminated_and_the_page_usable_again() {
    let base = support::serve(&[("a", "<title>A</title>")]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        page.navigate(&format!("{base}/a"), soon()).await.unwrap();
        page.call_raw(
            "Runtime.evaluate",
            json!({ "expression": "setTimeout(() => { for (;;); }, 0)" }),
            soon(),
        )
        .await
        .unwrap();
        page.settle(Deadline::after_ms(8_000)).await.unwrap();
        assert_eq!(title(&page).await, json!("A"));
        browser.close().await;
    }
}

#[tokio::test]
async fn a_popup_becomes_the_active_page() {
    let base = support::serve(&[
        ("a", "<title>A</title><script>function go() { window.open('/b'); }</script>"),
        ("b", "<title>B</title>"),
    ])
    .await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        page.navigate(&format!("{base}/a"), soon()).await.unwrap();
        page.call_raw("Runtime.evaluate", json!({ "expression": "go()", "userGesture": true }), soon())
            .await
            .unwrap();
        let popup = context.active_page().unwrap();
        assert_ne!(popup.target(), page.target());
        popup.settle(soon()).await.unwrap();
        assert_eq!(title(&popup).await, json!("B"));
        assert_eq!(context.open_pages().1, 1);
        // The opener still gets frames behind the popup.
        page.settle(soon()).await.unwrap();
        browser.close().await;
    }
}

#[test]
fn the_browser_ends_when_its_owner_is_killed() {
    // `discreet __guard` is what stands between us and the browser: closing its pipe is what a
    // SIGKILL of the owner does.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for wanted in runtime.block_on(support::browsers()) {
        let found = runtime.block_on(discreet::browser::find(&wanted)).unwrap();
        // The name says whose it is: other tests remove profiles whose owner no longer runs.
        let prefix = format!("discreet-profile-{}-", std::process::id());
        let profile = tempfile::Builder::new().prefix(&prefix).tempdir().unwrap().keep();
        let mut guard = std::process::Command::new(support::binary())
            .arg("__guard")
            .arg(&profile)
            .arg(&found.candidate.path)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let name = profile.display().to_string();
        support::eventually("the browser runs", Duration::from_secs(60), || {
            // The guard, and the browser it started.
            support::processes_naming(&format!("--user-data-dir={name}")).len() >= 2
        });
        drop(guard.stdin.take());
        support::eventually("everything is gone", Duration::from_secs(30), || {
            support::processes_naming(&name).is_empty() && !profile.exists()
        });
        guard.wait().unwrap();
    }
}

/// What a page could tell of what was before it, and what the harness sees of it.
async fn what_can_be_told(context: &discreet::browser::Context) -> Value {
    let page = context.active_page().expect("it answers");
    let before = page.call_raw("Page.getNavigationHistory", json!({}), soon()).await.expect("it answers");
    page.open(&format!("{ORIGIN}/todo"), soon()).await.expect("it answers");
    let looking = Observer::default().observe(context, Wishes::of(AccessMode::Mixed), soon()).await;
    let seen = looking.expect("it answers").observation;
    let script = "() => [location.href, history.length, document.referrer, document.cookie, document.title,
        localStorage.length, sessionStorage.length, performance.getEntriesByType('navigation')[0].type,
        navigator.userActivation.hasBeenActive, document.hasFocus(), scrollY]";
    let told = page.run(script, &[], soon()).await.expect("it answers");
    let after = page.call_raw("Page.getNavigationHistory", json!({}), soon()).await.expect("it answers");
    let addresses = |history: &Value| -> Vec<Value> {
        history["entries"].as_array().expect("it answers").iter().map(|entry| entry["url"].clone()).collect()
    };
    page.go_in_history(-1, soon()).await.expect("it answers");
    let back = page.run("() => location.href", &[], soon()).await.expect("it answers");
    json!({
        "before": addresses(&before), "told": told, "after": addresses(&after), "back": back,
        "screenshot": seen.screenshot.as_deref(), "tree": format!("{:?}", seen.tree),
    })
}

#[tokio::test]
async fn a_context_made_ready_ahead_is_as_a_new_one() {
    let text = r#"{"scenario_id":"seat","task_prompt":"Look.","clock":"2026-05-19T09:00:00",
        "initial_states":{"open_todo":{"lists":[{"name":"Launch","items":["Book the venue"]}]}},
        "ground_truth":{"must_share":["a"],"must_not_share":["b"]}}"#;
    let loaded = discreet::scenario::load_text(std::path::Path::new("seat.json"), text);
    let scenario = loaded.into_iter().next().unwrap().result.unwrap().scenario;
    let folder = tempfile::tempdir().unwrap();
    for (round, wanted) in support::browsers().await.into_iter().enumerate() {
        let browser = support::launch(&wanted).await;
        let server = Server::start(ServerOptions { port: 0 }).await.unwrap();
        let mut told = Vec::new();
        for is_ready in [false, true] {
            let file = folder.path().join(format!("{round}-{is_ready}.sqlite"));
            let registration = server.add(Arc::new(Workspace::create(&file, &scenario).unwrap()));
            let seat = WarmSeat::default();
            if is_ready {
                seat.make_ready(&server, &browser, Viewport::default(), AccessMode::Mixed).await;
            }
            let doors = server.blocked_since(None, 0).len();
            let opened =
                seat.open(&server, &browser, &registration.token, Viewport::default()).await.unwrap();
            told.push(what_can_be_told(&opened).await);
            assert_eq!(server.blocked_since(None, 0).len(), doors);
            assert_eq!(server.blocked_since(Some(&registration.token), 0), []);
            opened.close(soon()).await.unwrap();
            server.remove(&registration.token).unwrap();
        }
        assert!(told[0]["tree"].to_string().contains("Book the venue"), "{}", told[0]["tree"]);
        assert_eq!(told[0], told[1], "{wanted:?}");
        browser.close().await;
    }
}
