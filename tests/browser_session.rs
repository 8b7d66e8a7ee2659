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
async fn a_killed_browser_fails_pending_and_later_calls_within_a_second() {
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
        assert!(killed.elapsed() < Duration::from_secs(1), "{:?}", killed.elapsed());
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
        let started = Instant::now();
        let error = page.call_raw("Page.crash", json!({}), soon()).await.unwrap_err();
        assert!(matches!(error, BrowserError::PageCrashed), "{error}");
        assert!(started.elapsed() < Duration::from_secs(2));
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

#[tokio::test]
async fn navigation_within_a_document_ends() {
    let base = support::serve(&[("a", "<title>A</title><p id=x>x</p>")]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        page.navigate(&format!("{base}/a"), soon()).await.unwrap();
        let started = Instant::now();
        page.navigate(&format!("{base}/a#x"), soon()).await.unwrap();
        assert!(started.elapsed() < Duration::from_secs(5));
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
        assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
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
        support::eventually("the browser runs", Duration::from_secs(20), || {
            // The guard, and the browser it started.
            support::processes_naming(&format!("--user-data-dir={name}")).len() >= 2
        });
        drop(guard.stdin.take());
        support::eventually("everything is gone", Duration::from_secs(5), || {
            support::processes_naming(&name).is_empty() && !profile.exists()
        });
        guard.wait().unwrap();
    }
}
