//! The golden pages, observed in a real browser: the tree's text, element properties and focus are
//! BrowserGym's, except where the specification marks upstream's own defects. Each departure is
//! listed here with its reason, printed, and checked.
#![cfg(feature = "browser")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use discreet::browser::{ContextOptions, Viewport, Wall, Wanted};
use discreet::error::Deadline;
use discreet::observe::{AccessMode, ElementProperties, FrameOffset, Observer, Options, Wishes, flatten};
use serde_json::Value;

/// Where the golden data was served.
const GOLDEN_BASE: &str = "http://127.0.0.1:18080";

/// Upstream gives every element attributes of its own, and Chromium then keeps elements in the
/// accessibility tree that it leaves out of the page as it is: labels of controls with their text,
/// row groups, paragraphs that are presentational or in odd places, images without a name.
const KEPT_BY_UPSTREAM: &str = "upstream's attributes keep elements in the tree that Chromium leaves out";

/// Departures by page, with the reason: what upstream gets wrong or does to the page.
const DEPARTURES: &[(&str, &str)] = &[
    ("01_login_form", KEPT_BY_UPSTREAM),
    (
        "02_all_inputs",
        "upstream's attributes give its id to the inner parts of date fields, and change two values",
    ),
    ("04_checks_radios", KEPT_BY_UPSTREAM),
    ("06_iframe_nested", "the sandboxed frame, which upstream misses, is observed as well"),
    ("08_table", KEPT_BY_UPSTREAM),
    ("10_aria", KEPT_BY_UPSTREAM),
    ("13_details_dialog", "upstream's measuring lays out the closed details element"),
    ("14_images_links", KEPT_BY_UPSTREAM),
    ("23_custom_elements", KEPT_BY_UPSTREAM),
    ("30_frameset_quirks", KEPT_BY_UPSTREAM),
];

fn soon() -> Deadline {
    Deadline::after_ms(20_000)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Lines of `got` and `wanted` that differ, at most eight.
fn difference(got: &str, wanted: &str) -> Vec<String> {
    let got: Vec<&str> = got.lines().collect();
    let wanted: Vec<&str> = wanted.lines().collect();
    let lines = got.len().max(wanted.len());
    let differs = (0..lines).filter(|line| got.get(*line) != wanted.get(*line));
    differs
        .take(8)
        .map(|line| format!("line {}: got {:?}, wanted {:?}", line + 1, got.get(line), wanted.get(line)))
        .collect()
}

/// Boxes are compared in the headless shell only: `chromium --headless=new` takes its fonts for form
/// fields from the desktop's settings.
fn compare_properties(
    got: &BTreeMap<String, ElementProperties>,
    wanted: &Value,
    with_boxes: bool,
) -> Vec<String> {
    let wanted = wanted.as_object().expect("an object");
    let mut differences = Vec::new();
    for (bid, wanted) in wanted {
        let Some(got) = got.get(bid) else {
            differences.push(format!("{bid} is missing"));
            continue;
        };
        let visibility = wanted["visibility"].as_f64().expect("a number");
        if (got.visibility - visibility).abs() > 0.02 {
            differences.push(format!("{bid}: visibility {} instead of {visibility}", got.visibility));
        }
        if got.clickable != wanted["clickable"] || got.set_of_marks != wanted["set_of_marks"] {
            differences.push(format!(
                "{bid}: clickable {} mark {} instead of {wanted}",
                got.clickable, got.set_of_marks
            ));
        }
        let wanted_box: Option<Vec<f64>> =
            wanted["bbox"].as_array().map(|sides| sides.iter().filter_map(Value::as_f64).collect());
        let fits = match (&got.bbox, &wanted_box) {
            (None, None) => true,
            (Some(got), Some(wanted)) => {
                got.iter().zip(wanted).all(|(got, wanted)| (got - wanted).abs() <= 1.0)
            }
            _ => false,
        };
        if with_boxes && !fits {
            differences.push(format!("{bid}: box {:?} instead of {wanted_box:?}", got.bbox));
        }
    }
    differences.extend(
        got.keys().filter(|bid| !wanted.contains_key(*bid)).map(|bid| format!("{bid} is not wanted")),
    );
    differences.truncate(8);
    differences
}

#[tokio::test]
async fn golden_pages_are_observed_as_browsergym_does() {
    let Some(data) = support::shared_data() else { return };
    let pages = data.join("browsergym/pages");
    let base = support::serve_folder(pages.clone()).await;
    let mut names: Vec<String> = std::fs::read_dir(&pages)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let mut unexplained = Vec::new();
        for name in &names {
            let folder = pages.join(name);
            if !folder.join("page.html").is_file() || !folder.join("axtree_flat.txt").is_file() {
                continue;
            }
            let options = ContextOptions {
                wall: Wall::Loopback,
                proxy: None,
                cookies: Vec::new(),
                viewport: Viewport::default(),
            };
            let context = browser.open_context(&options).await.unwrap();
            let page = context.active_page().unwrap();
            page.navigate(&format!("{base}/{name}/page.html"), soon()).await.unwrap();
            let wishes =
                Wishes { mode: AccessMode::Mixed, properties: true, frame_offset: FrameOffset::BrowserGym };
            let seen = Observer::default().observe(&context, wishes, soon()).await.unwrap();
            let text =
                flatten(&seen.tree, &Options::browsergym(), &seen.properties).replace(&base, GOLDEN_BASE);
            let meta: Value = serde_json::from_str(&read(&folder.join("meta.json"))).unwrap();
            let properties: Value =
                serde_json::from_str(&read(&folder.join("extra_properties.json"))).unwrap();
            let mut differences = difference(&text, &read(&folder.join("axtree_flat.txt")));
            differences.extend(compare_properties(
                &seen.properties,
                &properties,
                wanted == Wanted::HeadlessShell,
            ));
            let focused = meta["focused_element_bid"].as_str().unwrap_or_default();
            if seen.observation.focused_bid != focused {
                differences.push(format!("focus {:?} instead of {focused:?}", seen.observation.focused_bid));
            }
            let reason = DEPARTURES.iter().find(|(page, _)| page == name).map(|(_, reason)| *reason);
            match (differences.is_empty(), reason) {
                // Some departures are about boxes only.
                (true, Some(_)) if wanted != Wanted::HeadlessShell => {}
                (true, None) => eprintln!("{name}: equal"),
                (true, Some(reason)) => unexplained.push(format!("{name}: equal, though listed: {reason}")),
                (false, Some(reason)) => eprintln!("{name}: differs, {reason}: {}", differences.join("; ")),
                (false, None) => unexplained.push(format!("{name}:\n    {}", differences.join("\n    "))),
            }
            context.close(soon()).await.unwrap();
        }
        browser.close().await;
        assert!(unexplained.is_empty(), "{wanted:?}:\n{}", unexplained.join("\n"));
    }
}
