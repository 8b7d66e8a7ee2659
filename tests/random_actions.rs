//! Random actions over the golden pages: nothing panics, hangs or leaves a process behind.
//!
//! A sample of what `scripts/long` does; `DISCREET_TEST_ACTIONS` says how many, `DISCREET_TEST_SEED`
//! which.
#![cfg(feature = "browser")]

mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use discreet::action::{ActionSet, Executor, ParseOptions};
use discreet::browser::{BrowserError, DialogPolicy};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, Observer, Wishes};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// How many actions the sample has.
const SAMPLE: u64 = 120;

/// Actions on one page before the next page comes.
const PER_PAGE: u64 = 12;

/// Longer than any deadline of ours: what takes this long hangs.
const HANGS_AFTER: Duration = Duration::from_secs(100);

/// One action text; `{bid}` and numbers are filled in.
const TEMPLATES: &[&str] = &[
    "click('{bid}')",
    "click('{bid}', button='right')",
    "click('{bid}', modifiers=['Shift'])",
    "dblclick('{bid}')",
    "hover('{bid}')",
    "focus('{bid}')",
    "fill('{bid}', '{text}')",
    "fill('{bid}', '{text}', True)",
    "clear('{bid}')",
    "check('{bid}')",
    "uncheck('{bid}')",
    "select_option('{bid}', '{text}')",
    "press('{bid}', '{key}')",
    "drag_and_drop('{bid}', '{bid}')",
    "upload_file('{bid}', 'none.txt')",
    "scroll({number}, {number})",
    "scroll_at({number}, {number}, {number}, {number})",
    "mouse_click({number}, {number})",
    "mouse_dblclick({number}, {number})",
    "mouse_move({number}, {number})",
    "mouse_down({number}, {number})",
    "mouse_up({number}, {number})",
    "mouse_drag_and_drop({number}, {number}, {number}, {number})",
    "keyboard_press('{key}')",
    "keyboard_down('{key}')",
    "keyboard_up('{key}')",
    "keyboard_type('{text}')",
    "keyboard_insert_text('{text}')",
    "go_back()",
    "go_forward()",
    "new_tab()",
    "tab_close()",
    "tab_focus({index})",
    "goto('about:blank')",
    "goto('javascript:alert(1)')",
    "dialog_accept('{text}')",
    "dialog_dismiss()",
    "noop(1)",
    "send_msg_to_user('{text}')",
];

const TEXTS: &[&str] =
    &["", "Nora", "2024-02-29", "13:45", "#00ff00", "-1e5", "é 漢字 🙂", "<b>&amp;", "a\\nb\\tc"];
const KEYS: &[&str] =
    &["Enter", "Tab", "Escape", "ArrowDown", "Control+a", "Shift+Tab", "F5", "é", "Delete", " ", "Alt"];

fn fill_in(template: &str, bids: &[String], random: &mut ChaCha8Rng) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').expect("a name ends");
        text.push_str(before);
        match name {
            "bid" if bids.is_empty() || random.random_range(0..20) == 0 => text.push_str("a99999"),
            "bid" => text.push_str(&bids[random.random_range(0..bids.len())]),
            "text" => text.push_str(TEXTS[random.random_range(0..TEXTS.len())]),
            "key" => text.push_str(KEYS[random.random_range(0..KEYS.len())]),
            "index" => text.push_str(&random.random_range(-2_i32..3).to_string()),
            _ => text.push_str(&random.random_range(-50_i32..1_400).to_string()),
        }
        rest = after;
    }
    text + rest
}

#[tokio::test]
async fn random_actions_neither_hang_nor_leave_anything() {
    let Some(data) = support::shared_data() else { return };
    let Some(wanted) = support::browsers().await.into_iter().next() else { return };
    let pages = data.join("browsergym/pages");
    let base = support::serve_folder(pages.clone()).await;
    let mut names: Vec<String> = std::fs::read_dir(&pages)
        .expect("the pages are there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        // A page of 3 000 elements takes a second each time, and shows nothing that others do not.
        .filter(|name| !name.starts_with("91"))
        .collect();
    names.sort();
    let actions = support::setting("DISCREET_TEST_ACTIONS", SAMPLE);
    let seed = support::setting("DISCREET_TEST_SEED", 1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let browser = support::launch(&wanted).await;
    let profile = support::profile_of(&browser);
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    let mut done = 0;
    while done < actions {
        let name = &names[random.random_range(0..names.len())];
        let context = support::context(&browser).await;
        if random.random_range(0..2) == 0 {
            context.set_dialog_policy(DialogPolicy::Hold);
        }
        let page = context.active_page().expect("a page is open");
        page.navigate(&format!("{base}/{name}/page.html"), Deadline::after_ms(60_000))
            .await
            .expect("it opens");
        let (mut observer, mut executor) = (Observer::default(), Executor::default());
        for _ in 0..PER_PAGE {
            let step = async {
                let mode = if done % 10 == 0 { AccessMode::Mixed } else { AccessMode::Axtree };
                let wishes = Wishes { properties: done % 5 == 0, ..Wishes::of(mode) };
                let seen = observer.observe(&context, wishes, Deadline::after_ms(60_000)).await?;
                let bids: Vec<String> = seen.tree.nodes.iter().filter_map(|node| node.bid.clone()).collect();
                let template = TEMPLATES[random.random_range(0..TEMPLATES.len())];
                let text = fill_in(template, &bids, &mut random);
                match ActionSet::all().parse(&text, ParseOptions::default()) {
                    Ok(actions) => {
                        let action = actions.first().expect("one action");
                        let performed = executor.perform(&context, &observer, action).await?;
                        Ok(performed.error.split(':').next().unwrap_or_default().to_owned())
                    }
                    Err(error) => Ok(error.to_string().split(':').next().unwrap_or_default().to_owned()),
                }
            };
            let outcome: Result<String, BrowserError> = tokio::time::timeout(HANGS_AFTER, step)
                .await
                .unwrap_or_else(|_| panic!("action {done} of seed {seed} on {name} hangs"));
            done += 1;
            match outcome {
                Ok(class) => {
                    *outcomes.entry(if class.is_empty() { "done".into() } else { class }).or_default() += 1;
                }
                Err(error) => {
                    assert!(
                        !matches!(error, BrowserError::Lost(_)),
                        "action {done} of seed {seed} on {name} lost the browser: {error}"
                    );
                    *outcomes.entry(format!("page given up: {:?}", error.outcome())).or_default() += 1;
                    break;
                }
            }
        }
        context.close(Deadline::after_ms(60_000)).await.expect("the context closes");
    }
    browser.close().await;
    eprintln!("{done} actions of seed {seed}: {outcomes:?}");
    assert!(outcomes.get("done").is_some_and(|count| *count * 4 > done), "{outcomes:?}");
    assert_eq!(support::processes_naming(&profile), Vec::<String>::new());
    assert!(!std::path::Path::new(&profile).exists());
}
