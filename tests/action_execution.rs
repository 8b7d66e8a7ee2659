//! What the recordings of other tools do not cover of performing actions in a real browser.
#![cfg(feature = "browser")]

mod support;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use discreet::action::{Action, ActionSet, Executor, ParseOptions};
use discreet::browser::Context;
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Observer, Wishes};
use serde_json::{Value, json};

/// A button that jumps away when the pointer comes near, as often as it is told to; another is then
/// where it was.
const JUMPER: &str = r#"<!doctype html><title>jumper</title>
<style>body { margin: 0 } button { position: absolute; top: 0; width: 100px; height: 40px }</style>
<button id="wanted" style="left: 0" onclick="this.textContent = 'hit'">Wanted</button>
<button id="other" style="left: 100px" onclick="this.textContent = 'hit'"
  onpointerdown="this.dataset.down = 'yes'">Other</button>
<script>
  let jumps = Number(new URL(location).searchParams.get('jumps'));
  addEventListener('mousemove', event => {
    if (event.target !== wanted || jumps-- <= 0) return;
    [wanted.style.left, other.style.left] = [other.style.left, wanted.style.left];
  });
</script>"#;

/// A box that jumps away whenever the pointer comes near, and a button elsewhere.
const SHY_BOX: &str = r#"<!doctype html><title>shy box</title>
<style>body { margin: 0 } input, button { position: absolute; width: 100px; height: 40px; margin: 0 }</style>
<input type="checkbox" id="box" aria-label="Wanted" style="left: 0px; top: 0">
<button id="calm" style="left: 300px; top: 300px" onclick="this.textContent = 'hit'">Calm</button>
<script>
  addEventListener('mousemove', event => {
    if (event.target === box) box.style.left = box.style.left === '0px' ? '150px' : '0px';
  });
</script>"#;

/// A field for text, and one that takes ten characters; the title says which told of new text.
const FIELDS: &str = r#"<!doctype html><title></title>
<textarea id="long" aria-label="Long">old</textarea>
<textarea id="short" aria-label="Short" maxlength="10">old</textarea>
<script>
  addEventListener('input', event => document.title += `${event.target.id} ${event.isTrusted},`);
</script>"#;

fn soon() -> Deadline {
    Deadline::after_ms(60_000)
}

async fn serve() -> String {
    let app = Router::new()
        .route("/jumper", get(|| async { Html(JUMPER) }))
        .route("/shy-box", get(|| async { Html(SHY_BOX) }))
        .route("/fields", get(|| async { Html(FIELDS) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it has one");
    tokio::spawn(async move { axum::serve(listener, app).await.expect("it serves") });
    format!("http://{address}")
}

/// Clicks the button named `Wanted`; the error and what the page's buttons say then.
async fn click_wanted(context: &Context, url: &str) -> (String, Value) {
    let page = context.active_page().expect("a page");
    page.navigate(url, soon()).await.expect("it opens");
    let mut observer = Observer::default();
    let seen = observer.observe(context, Wishes::of(AccessMode::Axtree), soon()).await.expect("it is seen");
    let tree = seen.observation.axtree.expect("a tree");
    let line = tree.lines().find(|line| line.contains("button 'Wanted'")).expect("the button");
    let bid = line.trim().trim_start_matches('[').split(']').next().expect("an id").to_owned();
    let calls =
        ActionSet::all().calls(&format!("click('{bid}')"), ParseOptions::default()).expect("it parses");
    let action: Action = ActionSet::all().bind(&calls[0]).expect("it binds");
    let performed = Executor::default().perform(context, &observer, &action).await.expect("the page lives");
    let says = "() => [wanted.textContent, other.textContent, other.dataset.down || null]";
    (performed.error, page.run(says, &[], soon()).await.expect("it answers"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_click_reaches_its_element_or_nothing() {
    let address = serve().await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;

        let (error, says) = click_wanted(&context, &format!("{address}/jumper?jumps=1")).await;
        assert_eq!((error.as_str(), &says), ("", &json!(["hit", "Other", null])), "it jumped once");

        let (error, says) = click_wanted(&context, &format!("{address}/jumper?jumps=1000")).await;
        assert_eq!(says, json!(["Wanted", "Other", null]), "it jumps whenever it is to be clicked");
        assert!(error.starts_with("TimeoutError: click("), "{error}");
        assert!(
            error.contains(r#"<button id="other""#) && error.contains("intercepts pointer events"),
            "{error}"
        );

        context.close(soon()).await.expect("it closes");
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_box_that_could_not_be_ticked_keeps_no_later_click_from_the_page() {
    let address = serve().await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().expect("a page");
        page.navigate(&format!("{address}/shy-box"), soon()).await.expect("it opens");
        let mut observer = Observer::default();
        let seen =
            observer.observe(&context, Wishes::of(AccessMode::Axtree), soon()).await.expect("it is seen");
        let tree = seen.observation.axtree.expect("a tree");
        let line = tree.lines().find(|line| line.contains("checkbox 'Wanted'")).expect("the box");
        let bid = line.trim().trim_start_matches('[').split(']').next().expect("an id");
        let mut executor = Executor::default();
        let mut errors = Vec::new();
        for text in [format!("check('{bid}')"), "mouse_click(350, 320)".to_owned()] {
            let actions = ActionSet::all().parse(&text, ParseOptions::default()).expect("it parses");
            let performed = executor.perform(&context, &observer, &actions[0]).await.expect("the page lives");
            errors.push(performed.error);
        }
        assert!(errors[0].starts_with("TimeoutError: check("), "{errors:?}");
        assert_eq!(errors[1], "");
        let says = page.run("() => [box.checked, calm.textContent]", &[], soon()).await.expect("it answers");
        assert_eq!(says, json!([false, "hit"]));
        context.close(soon()).await.expect("it closes");
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_lines_are_filled_in_as_few_are() {
    let address = serve().await;
    let browser = support::launch(&support::browsers().await[0]).await;
    let context = support::context(&browser).await;
    let page = context.active_page().expect("a page");
    for lines in [1, 30, 31, 300] {
        let plain =
            (0..lines).map(|line| format!("Zeile {line}, \u{4f60}\u{597d}")).collect::<Vec<_>>().join("\n");
        for text in [plain.clone(), format!("{plain}\n\n"), format!("\n\n{plain}")] {
            page.navigate(&format!("{address}/fields"), soon()).await.expect("it opens");
            let mut observer = Observer::default();
            let seen =
                observer.observe(&context, Wishes::of(AccessMode::Axtree), soon()).await.expect("it is seen");
            for (name, id, limit) in [("Long", "long", usize::MAX), ("Short", "short", 10)] {
                let node = seen
                    .tree
                    .nodes
                    .iter()
                    .find(|node| node.role == "textbox" && node.name.as_deref() == Some(name));
                let bid = node.and_then(|node| node.bid.clone()).expect("it has an id");
                let action = Action::Fill { bid, value: text.clone(), enable_autocomplete_menu: false };
                let performed = Executor::default().perform(&context, &observer, &action).await;
                assert_eq!(performed.expect("the page lives").error, "");
                let value = "id => document.getElementById(id).value";
                let value = page.run(value, &[json!(id)], soon()).await.expect("it answers");
                let expected: String = text.chars().take(limit).collect();
                assert_eq!(value, json!(expected), "{lines} lines, {name}");
            }
            let told = page.run("() => document.title", &[], soon()).await.expect("it answers");
            let told = told.as_str().expect("a title");
            assert!(
                told.contains("long true") && told.contains("short true") && !told.contains("false"),
                "{told}"
            );
        }
    }
    context.close(soon()).await.expect("it closes");
    browser.close().await;
}
