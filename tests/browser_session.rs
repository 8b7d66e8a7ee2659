//! A browser starts, is talked to, and always ends; no call hangs, whatever the page does.
#![cfg(feature = "browser")]

mod support;

use std::time::{Duration, Instant};

use discreet::browser::{BrowserError, Settled};
use discreet::error::Deadline;
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
