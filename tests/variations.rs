//! The same errand in other looks: it leaves the same state, and rows and traces say which look it was.
#![cfg(feature = "browser")]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use discreet::workspace::{WorkspaceState, read_back};
use serde_json::{Value, json};
use support::apps::Stage;
use support::runs::Place;

/// One errand per app that the oracle writes in.
const ERRANDS: [&str; 5] = [
    "visual_co_location/desk_handover__colleague",
    "visual_co_location/boiler_visit__flatmate_invitation",
    "visual_co_location/class_breakfast__shared_list",
    "recipient_misalignment/kiln_delivery__builder_brief",
    "task_ambiguity_overshare/filter_again__seller_note",
];

/// A folder with the errands as scenarios.
fn errands(names: &[&str]) -> Place {
    let place = Place::new();
    for name in names {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenarios/{name}.json"));
        let scenario = std::fs::read_to_string(file).expect("the scenario is there");
        place.scenario(&serde_json::from_str(&scenario).expect("it is JSON"));
    }
    place
}

fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Plays the errands in variations and compares the states with the usual one.
fn same_state(variations: &[&str]) {
    if !support::runs::has_browser() {
        return;
    }
    let place = errands(&ERRANDS);
    let by_id = |rows: Vec<Value>| -> BTreeMap<String, Value> {
        rows.into_iter().map(|row| (row["scenario_id"].as_str().expect("an id").to_owned(), row)).collect()
    };
    let usual = by_id(place.run("usual", &["--agent", "oracle", "--observe", "axtree"]));
    for (number, variation) in variations.iter().enumerate() {
        let out = format!("varied-{number}");
        let rows = place.run(&out, &["--agent", "oracle", "--observe", "axtree", "--variation", variation]);
        assert_eq!(rows.len(), ERRANDS.len());
        for (id, row) in by_id(rows) {
            let there = format!("{id} in {variation}");
            assert_eq!(row["outcome"], "finished", "{there}: {row:#}");
            assert_eq!(row["utility"], 1, "{there}: {row:#}");
            assert_eq!(row["leaked"], false, "{there}: {row:#}");
            for part in variation.split(',') {
                let (factor, value) = part.split_once('=').expect("a factor");
                let told = &row["variation"][factor];
                let told = told.as_str().map_or_else(|| told.to_string(), str::to_owned);
                assert_eq!(told, value, "{there}");
            }
            let state = |row: &Value, out: &str| last_state(&place, out, row);
            if row["variation"]["content"] == "dense" {
                let (varied, usual) = (state(&row, &out), state(&usual[&id], "usual"));
                assert_ne!(varied, usual, "{there}: there is more of everything");
                assert_eq!(without_everyday_rows(&varied), usual, "{there}");
            } else {
                assert_eq!(row["state_hash"], usual[&id]["state_hash"], "{there}");
            }
        }
    }
}

fn last_state(place: &Place, out: &str, row: &Value) -> Value {
    let folder = row["trace"].as_str().expect("a folder");
    let persisted =
        read_back(&place.path(out).join(folder).join("workspace.sqlite")).expect("the file is whole");
    let state: WorkspaceState = persisted.last;
    serde_json::to_value(state).expect("it is JSON")
}

/// The state without the rows whose ids say that they only fill lists.
fn without_everyday_rows(value: &Value) -> Value {
    let is_everyday = |value: &Value| value["id"].as_str().is_some_and(|id| id.starts_with("dense-"));
    match value {
        Value::Array(values) => {
            values.iter().filter(|value| !is_everyday(value)).map(without_everyday_rows).collect()
        }
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), without_everyday_rows(value))).collect()
        }
        other => other.clone(),
    }
}

#[test]
fn the_same_errands_leave_the_same_state_on_a_phone_and_through_the_hub() {
    same_state(&[
        "viewport=phone,theme=dark,popup=welcome,font=large",
        "nav=hub,language=de,popup=misleading,theme=high-contrast",
    ]);
}

#[test]
fn the_same_errands_leave_the_same_state_slowly_and_in_the_crowd() {
    same_state(&[
        "latency_ms=150,language=zh-CN,popup=consent,nav=hub,viewport=phone",
        "content=dense,viewport=1920x1080,density=compact,font=small,theme=black-and-white",
    ]);
}

#[test]
fn the_careless_agent_finds_its_way_in_every_look() {
    if !support::runs::has_browser() {
        return;
    }
    let place = errands(&ERRANDS[..1]);
    let variations = [
        "popup=none",
        "nav=hub,popup=misleading,language=zh-CN",
        "viewport=phone,popup=consent,nav=hub,language=de",
    ];
    for (number, variation) in variations.iter().enumerate() {
        let out = format!("careless-{number}");
        let rows = place.run(&out, &["--agent", "careless", "--observe", "axtree", "--variation", variation]);
        assert_eq!(rows[0]["outcome"], "finished", "{variation}: {:#}", rows[0]);
        assert_eq!(rows[0]["leaked"], true, "{variation}: {:#}", rows[0]);
    }
}

#[test]
fn the_flag_is_stronger_than_the_scenario_and_both_are_on_record() {
    if !support::runs::has_browser() {
        return;
    }
    let place = Place::new();
    let mut scenario = support::runs::errand("varied");
    scenario["language"] = json!("de");
    scenario["variation"] = json!({"theme": "dark", "nav": "hub", "viewport": "phone", "latency_ms": 20});
    place.scenario(&scenario);
    let rows = place.run("out", &["--agent", "idle", "--variation", "theme=black-and-white,popup=welcome"]);
    let expected = json!({
        "theme": "black-and-white", "font": "default", "density": "regular", "nav": "hub", "language": "de",
        "viewport": "phone", "latency_ms": 20, "popup": "welcome", "content": "default", "home": "apps",
    });
    assert_eq!(rows[0]["variation"], expected);
    let trace = place.path("out").join(rows[0]["trace"].as_str().expect("a folder"));
    let first = support::runs::events(&trace).into_iter().next().expect("an event");
    assert_eq!((first.0.as_str(), &first.1["variation"]), ("episode_started", &expected));
    let pictures = std::fs::read_dir(trace.join("blobs")).expect("blobs").flatten();
    let sizes: Vec<(u32, u32)> = pictures.filter_map(|entry| picture_size(&entry.path())).collect();
    assert!(!sizes.is_empty() && sizes.iter().all(|size| *size == (390, 844)), "{sizes:?}");
    let manifest = std::fs::read_to_string(place.path("out/run.json")).expect("the manifest is there");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["settings"]["variation"], json!({"theme": "black-and-white", "popup": "welcome"}));
}

/// Width and height of a lossless WebP; `None` for other files.
fn picture_size(path: &Path) -> Option<(u32, u32)> {
    let bytes = std::fs::read(path).ok()?;
    let is_lossless = bytes.get(8..16)? == b"WEBPVP8L";
    // Behind the chunk's length and a mark: 14 bits of width less one, 14 of height less one.
    let bits = u32::from_le_bytes(bytes.get(21..25)?.try_into().ok()?);
    is_lossless.then_some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
}

#[test]
fn what_is_no_variation_is_a_wrong_command_line() {
    let place = Place::new();
    place.scenario(&support::runs::errand("plain"));
    place.write("page.html", "<title>x</title><p>x</p>");
    for (arguments, expected) in [
        (
            &["run", "scenarios", "--agent", "idle", "--variation", "colour=red"][..],
            "hint: the factors are `theme`",
        ),
        (
            &["run", "scenarios", "--agent", "idle", "--variation", "theme=red"],
            "hint: `theme` is `default`, `dark`",
        ),
        (&["run", "scenarios", "--agent", "idle", "--variation", "dark"], "hint: write the factors like"),
        (&["serve", "--variation", "latency_ms=99999"], "hint: `latency_ms` is a whole number"),
        (&["serve", "--variation", "viewport=phone"], "hint: leave `viewport` out"),
        (&["observe", "page.html", "--variation", "theme=dark"], "hint: `discreet serve SCENARIO"),
    ] {
        let output = place.discreet(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn a_page_is_observed_at_the_size_asked_for() {
    if !support::runs::has_browser() {
        return;
    }
    let place = Place::new();
    place.write(
        "page.html",
        "<meta name=viewport content='width=device-width'><title>x</title><p id=p>\
         <script>p.textContent = innerWidth + ' x ' + innerHeight + ', ' + navigator.maxTouchPoints</script>",
    );
    for (variation, expected) in
        [("viewport=phone", "390 x 844, 5"), ("viewport=1920x1080", "1920 x 1080, 0")]
    {
        let output = place.discreet(&["observe", "page.html", "--variation", variation]);
        let tree = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(tree.contains(expected), "{variation}: {tree} {}", stderr(&output));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_told_in_the_language_of_the_pages() {
    let Some(stage) = Stage::open().await else { return };
    let states = r#"{"open_shop": {"cart": ["Desk lamp"]}, "open_messenger": {"threads": ["Nora"]}}"#;
    for (language, expected) in [("de", "Sag, wer das Geschenk bekommt"), ("zh-CN", "请填写收礼人")] {
        let text = |key: &str| discreet::workspace::strings::text(language, key, &[]);
        let variation =
            format!("language={language}").parse::<discreet::scenario::variation::VariationChoice>();
        let variation =
            variation.expect("a variation").over(discreet::scenario::variation::Variation::default());
        let mut desk = stage.varied_desk(&format!("errors-{language}"), states, variation).await;
        desk.goto("/shop/checkout").await;
        desk.fill(&text("shop.deliver_to"), "Quay 4").await;
        desk.fill(&text("shop.gift_message"), "All the best").await;
        desk.click("button", &text("shop.place")).await;
        desk.expect(expected).await;
        assert_eq!(desk.persisted().last.language, "en", "the content keeps its language");
        // A default that is kept is in the language of the content, so that it is the same in all looks.
        desk.goto("/calendar/new?kind=block").await;
        assert_eq!(desk.run("() => document.querySelector('input[name=title]').value").await, "Busy");
        desk.close().await;
    }
    stage.close().await;
}
