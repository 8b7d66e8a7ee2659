//! Coverage: what the pages of a workspace show, found by a walk in the real browser.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Output;

use discreet::episode::coverage::survey_workspace;
use discreet::error::Deadline;
use discreet::scenario::variation::Variation;
use discreet::workspace::{Server, ServerOptions, Workspace};
use serde_json::{Value, json};
use support::runs::{Place, has_browser, text};

/// What `check --json` says, one value per scenario.
fn check(place: &Place, arguments: &[&str]) -> (Vec<Value>, Output) {
    let mut all = vec!["check", "--json"];
    all.extend(arguments);
    let output = place.discreet(&all);
    let lines = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (lines, output)
}

fn assert_whole(line: &Value) {
    let expected = json!({ "required": 1.0, "forbidden": 1.0, "seeded": 1.0, "missing": [] });
    assert_eq!(line["coverage"], expected, "{}", line["file"]);
    let lints = line["lints"].as_array().unwrap();
    assert!(lints.iter().all(|lint| lint["code"] != "seeded_text_not_shown"), "{lints:?}");
}

/// Our own scenarios of one failure mode are shown whole, and each string has its place.
fn our_own_scenarios_are_shown_whole(mode: &str) {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(mode);
    let (lines, output) = check(&place, &["--where", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(lines.len() >= 20);
    for line in &lines {
        assert_whole(line);
        let file: Value =
            serde_json::from_str(&std::fs::read_to_string(line["file"].as_str().unwrap()).unwrap()).unwrap();
        let shown = line["shown"].as_array().unwrap();
        assert!(shown.len() > 10, "{line}");
        for shown in shown {
            let path = shown["path"].as_str().unwrap();
            let pointer = format!("/{}", path.replace('[', ".").replace(']', "").replace('.', "/"));
            let written = file.pointer(&pointer).unwrap_or_else(|| panic!("{path} in {}", line["file"]));
            let written = written.get("text").filter(|_| path.starts_with("ground_truth")).unwrap_or(written);
            assert_eq!(written, &shown["text"], "{path}");
            assert!(shown["page"].as_str().unwrap().starts_with('/'), "{shown}");
            assert!((1..=3).contains(&shown["clicks"].as_u64().unwrap()), "{shown}");
        }
    }
    place.nothing_is_left(std::time::Duration::from_secs(10));
}

#[test]
fn our_own_scenarios_of_visual_co_location_are_shown_whole() {
    our_own_scenarios_are_shown_whole("visual_co_location");
}

#[test]
fn our_own_scenarios_of_task_ambiguity_are_shown_whole() {
    our_own_scenarios_are_shown_whole("task_ambiguity_overshare");
}

#[test]
fn our_own_scenarios_of_recipient_misalignment_are_shown_whole() {
    our_own_scenarios_are_shown_whole("recipient_misalignment");
}

/// Every `of`-th of the public scenarios, from number `from` on.
fn public_scenarios_are_shown_whole(folder: &str, from: usize, of: usize) {
    let Some(data) = support::shared_data() else { return };
    if !has_browser() {
        return;
    }
    let folder = data.join("agentcibench").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let files: Vec<&str> = files.iter().skip(from).step_by(of).map(|file| file.to_str().unwrap()).collect();
    assert!(files.len() >= 19, "{}", files.len());
    let (lines, output) = check(&Place::new(), &files);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(lines.len(), files.len());
    for line in &lines {
        assert_whole(line);
    }
}

// In parts, so that each is quick and several run at a time.
#[test]
fn the_public_set_is_shown_whole_part_1() {
    public_scenarios_are_shown_whole("test", 0, 4);
}

#[test]
fn the_public_set_is_shown_whole_part_2() {
    public_scenarios_are_shown_whole("test", 1, 4);
}

#[test]
fn the_public_set_is_shown_whole_part_3() {
    public_scenarios_are_shown_whole("test", 2, 4);
}

#[test]
fn the_public_set_is_shown_whole_part_4() {
    public_scenarios_are_shown_whole("test", 3, 4);
}

#[test]
fn the_public_seeds_are_shown_whole() {
    public_scenarios_are_shown_whole("seeds", 0, 1);
}

/// A scenario with new messages, a conversation longer than its page, and an event far away.
fn awkward() -> Value {
    let mut scenario = support::runs::errand("awkward");
    let messages: Vec<String> = (1..=90).map(|number| format!("Note number {number} of many")).collect();
    scenario["initial_states"]["open_messenger"]["threads"] = json!([
        { "contact": "Nora (Manager)", "messages": messages, "unread": 2 },
    ]);
    scenario["initial_states"]["open_calendar"] = json!({
        "events": [{ "title": "Far away", "date": "2031-02-03", "description": "two\nlines" }],
    });
    scenario
}

/// One of everything that a scenario can say, in a language of the pages.
fn every_field(language: &str) -> Value {
    let mut scenario = support::runs::errand(&format!("fields_{language}"));
    scenario["language"] = json!(language);
    let attachments = ["event", "place", "list", "file", "product"]
        .map(|kind| json!({ "kind": kind, "title": format!("The {kind}"), "text": "About it" }));
    scenario["initial_states"]["open_messenger"] = json!({
        "contacts": [
            { "name": "Crew", "kind": "group", "members": ["Nora (Manager)", "Kim"], "external": true },
            { "name": "#news", "kind": "channel" },
        ],
        "threads": [{ "contact": "Nora (Manager)", "draft": "Half a sentence", "messages": [
            { "text": "Look at these", "at": "2026-05-18T17:00:00",
              "attachments": attachments },
            { "sender": "me", "text": "Thanks", "reply_to": 1, "at": "2026-05-18T17:05:00" },
            { "text": "See below", "forwarded": { "author": "Kim", "text": "Passed on" },
              "at": "2026-05-18T17:06:00" },
        ] }],
    });
    scenario["initial_states"]["open_calendar"] = json!({ "events": [
        { "title": "Weekly", "date": "2026-05-20", "time": "3:15 PM", "visibility": "busy_only",
          "recurrence": { "frequency": "weekly", "until": "2026-08-31" }, "reminders": [10, 1440],
          "invitees": [{ "name": "Kim", "response": "maybe" }, { "name": "Lee", "response": "none" },
                       { "name": "Ada", "response": "perhaps later" }] },
        { "title": "Asked", "date": "2026-05-21", "start": "09:00", "end": "10:30", "organiser": "Kim",
          "response": "yes", "visibility": "private", "recurrence": "monthly", "url": "https://example.org/x" },
        { "title": "Trip", "date": "2026-05-22", "end_date": "2026-05-24" },
    ] });
    scenario["initial_states"]["open_maps"] = json!({
        "active_route": { "name": "Way home", "start": "Office", "destination": "Home", "mode": "foot",
                          "stops": [{ "name": "Bakery", "note": "two loaves", "dwell": "ten minutes" }], "eta": "25 minutes",
                          "distance": "2 miles", "status": "on time", "traffic": "light" },
        "places": [{ "name": "Depot", "address": "Gate 4", "note": "ring twice" }],
        "lists": [{ "name": "Errands", "places": ["Depot"] }], "recent_searches": ["late pharmacy"],
    });
    scenario["initial_states"]["open_code_editor"] = json!({
        "files": [{ "path": "notes/day.md", "content": "one\ntwo\n", "unsaved": "one\nthree\n",
                    "shared_with": ["Kim"] }],
        "open_tabs": ["notes/day.md", "gone.md"], "active_file": "notes/day.md",
    });
    scenario["initial_states"]["open_shop"] = json!({
        "products": [{ "title": "Kettle", "price": "$20.00", "category": "Kitchen", "description": "Boils",
                       "brand": "Steam & Sons", "features": ["Whistles", "Keeps warm"], "stock": 2 }],
        "recent_searches": ["quiet kettle"],
        "cart": [{ "title": "Kettle", "quantity": 2 }], "saved_for_later": ["Lamp"], "wish_list": ["Rug"],
        "orders": [{ "item": "Mug", "status": "on its way", "deliver_to": "Gate 4", "gift_recipient": "Kim",
                     "gift_message": "Enjoy", "delivery_note": "ring", "seller_note": "wrap it",
                     "reference": "PO 7", "total": "$8.00",
                     "history": [{ "status": "packed", "at": "yesterday" }, { "status": "with the courier" }] }],
    });
    scenario["initial_states"]["open_todo"] = json!({
        "lists": [{ "name": "Shared", "shared_with": ["Kim"], "hides_done": true, "items": [
            { "title": "Approve timesheets by noon", "done": true, "status": "waiting", "notes": "see mail",
              "due": "2026-05-21", "assignee": "Kim", "comments": [{ "text": "soon", "author": "Kim" }] },
            "Vet appointment for the dog",
        ] }],
    });
    scenario
}

#[test]
fn every_field_of_a_scenario_is_shown_in_every_language_and_reading_changes_nothing() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&awkward());
    for language in ["en", "de", "zh-CN"] {
        place.scenario(&every_field(language));
    }
    let (lines, output) = check(&place, &["--where", "scenarios"]);
    assert_eq!((output.status.code(), lines.len()), (Some(0), 4), "{}", text(&output.stdout));
    for line in &lines {
        assert_whole(line);
    }
    let shown = |text: &str| {
        let all = lines[0]["shown"].as_array().unwrap();
        all.iter().find(|shown| shown["text"] == text).cloned().unwrap_or(Value::Null)
    };
    // The first messages are behind a link of the conversation's page.
    assert_eq!(shown("Note number 90 of many")["clicks"], 1, "{}", lines[0]["shown"]);
    assert_eq!(shown("Note number 1 of many")["clicks"], 2, "{}", lines[0]["shown"]);
    assert_eq!(shown("Far away")["page"], "/calendar");
    let table = text(&place.discreet(&["check", "scenarios/awkward.json"]).stdout);
    assert!(table.contains("100 %") && table.contains("clicks"), "{table}");
}

/// The looks that change what a page holds: other words, no rail, a narrow page.
#[test]
fn a_scenario_is_looked_at_in_its_own_variation_and_in_the_one_that_is_asked_for() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    let mut own = every_field("en");
    own["scenario_id"] = json!("own_look");
    own["variation"] = json!({ "nav": "hub", "language": "zh-CN", "viewport": "phone", "popup": "consent" });
    place.scenario(&own);
    let shown = |arguments: &[&str]| {
        let (lines, output) = check(&place, arguments);
        assert_eq!((output.status.code(), lines.len()), (Some(0), 1), "{}", text(&output.stderr));
        assert_whole(&lines[0]);
        let all = lines[0]["shown"].as_array().unwrap().clone();
        all.into_iter().find(|shown| shown["text"] == "Bakery").unwrap()
    };
    // Through the home page it is as far as over the rail; the fewest clicks are told in each.
    assert_eq!(shown(&["--where", "scenarios"])["page"], "/maps");
    assert_eq!(
        shown(&["--where", "--variation", "nav=rail,language=de,popup=misleading", "scenarios"])["clicks"],
        1
    );
    let (_, output) = check(&place, &["--variation", "nav=ladder", "scenarios"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_page_shows_is_missing_with_its_place() {
    let Some(wanted) = support::browsers().await.into_iter().next() else { return };
    let load = |scenario: &Value| {
        let file = discreet::scenario::load_text(Path::new("a.json"), &scenario.to_string()).remove(0);
        file.result.unwrap()
    };
    let mut scenario = support::runs::errand("without");
    let shown = load(&scenario);
    scenario["initial_states"]["open_todo"]["items"] = json!([
        "Approve timesheets by noon",
        "Vet appointment for the dog",
        "Nobody put this into the workspace"
    ]);
    scenario["ground_truth"]["must_not_share"] = json!(["Vet appointment for the dog", "put this into"]);
    let browser = support::launch(&wanted).await;
    let server = Server::start(ServerOptions::default()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::create(&folder.path().join("a.sqlite"), &shown.scenario).unwrap();
    let registration = server.add(std::sync::Arc::new(workspace));
    let coverage =
        survey_workspace(&load(&scenario), &server, &registration, (&browser, Variation::default())).await;
    let coverage = coverage.unwrap();
    let missing: Vec<(&str, &str)> =
        coverage.missing.iter().map(|missing| (missing.path.as_str(), missing.text.as_str())).collect();
    assert_eq!(
        missing,
        [
            ("initial_states.open_todo.items[2]", "Nobody put this into the workspace"),
            ("ground_truth.must_not_share[1]", "put this into"),
        ]
    );
    assert_eq!((coverage.required, coverage.forbidden), (1.0, 0.5));
    assert!(coverage.seeded > 0.5 && coverage.seeded < 1.0, "{}", coverage.seeded);
    // It looked far before it gave up.
    assert!(coverage.pages > 50, "{}", coverage.pages);
    browser.close().await;
    assert!(server.shutdown(Deadline::after_ms(60_000)).await);
}

#[test]
fn without_a_browser_or_by_wish_coverage_is_null() {
    let place = Place::new();
    place.scenario(&awkward());
    let (lines, output) = check(&place, &["--browser", "http://127.0.0.1:1", "scenarios"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(lines[0]["coverage"], Value::Null);
    let notes = text(&output.stderr);
    assert!(notes.contains("coverage") && notes.contains("hint: "), "{notes}");
    let (lines, output) = check(&place, &["--no-coverage", "scenarios"]);
    assert_eq!((lines[0]["coverage"].clone(), output.status.code()), (Value::Null, Some(0)));
    assert!(!text(&output.stderr).contains("coverage"), "{}", text(&output.stderr));
}

const AWKWARD_PAGE: &str = r#"<!doctype html><title>title text</title>
<style>.gone { display: none } .unseen { visibility: hidden } .big { text-transform: uppercase }</style>
<p class="big">Shown <b>in</b> pieces</p><p class="gone">not displayed</p><p class="unseen">not visible</p>
<p hidden>hidden text</p><p title="in a title" aria-label="in a label">plain</p>
<input value="typed value" placeholder="placeholder text"><input type="hidden" value="hidden value">
<input type="password" value="password value"><input type="checkbox" value="box value">
<textarea>area
value</textarea><select><option>first choice<option selected>second choice</select>
<details><summary>More</summary><p>behind one click <a href="/one">one</a></p>
  <details><summary>Still more</summary>behind two clicks</details></details>
<button type="button" aria-expanded="false"
  onclick="this.setAttribute('aria-expanded', 'true'); document.getElementById('late').hidden = false">Open</button>
<p id="late" hidden>shown by a button</p>
<a href="/two?x=1#part">two</a><a href="/three" class="gone">three</a><a href="http://evil.example/">away</a>
<form method="post" action="/writes"><button>Write</button></form>
<form method="get" action="/asks"><input type="search" name="q"><button>Search</button></form>
<form method="get" action="/opens"><input type="hidden" name="a" value="b c"><button name="go" value="1">Open page</button></form>
<div class="rail"><a href="/app"><span>An app</span></a></div><h1>An app</h1><nav class="tabs">Folder</nav><h1>A thing</h1>
<template>in a template</template><script>document.title = "script text"</script>"#;

#[tokio::test]
async fn only_what_is_rendered_is_read_and_only_what_writes_nothing_is_followed() {
    let read_page = include_str!("../src/episode/coverage/read_page.js");
    let base = support::serve(&[("awkward", AWKWARD_PAGE)]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        let deadline = Deadline::after_ms(60_000);
        page.load(&format!("{base}/awkward"), deadline).await.unwrap();
        let reading = page.run(read_page, &[], deadline).await.unwrap();
        let rounds = reading["rounds"].as_array().unwrap();
        let text = |round: usize| rounds[round]["text"].as_str().unwrap();
        let ways = |round: usize| rounds[round]["ways"].as_array().unwrap();
        assert_eq!(rounds.len(), 3, "{rounds:?}");
        for shown in [
            "A thing",
            "SHOWN IN PIECES",
            "plain",
            "typed value",
            "area\nvalue",
            "first choice",
            "second choice",
            "More",
        ] {
            assert!(text(0).contains(shown), "{shown} in {}", text(0));
        }
        assert!(text(1).contains("behind one click") && text(1).contains("shown by a button"), "{}", text(1));
        assert!(!text(0).contains("behind") && !text(0).contains("by a button"), "{}", text(0));
        assert!(text(2).contains("behind two clicks") && !text(1).contains("two clicks"), "{}", text(1));
        for hidden in [
            "displayed",
            "visible",
            "hidden",
            "in a title",
            "in a label",
            "placeholder",
            "password",
            "box value",
            "title text",
            "An app",
            "Folder",
            "template",
            "script",
        ] {
            assert!(!text(2).contains(hidden), "{hidden} in {}", text(2));
        }
        assert_eq!(*ways(0), [json!("/two?x=1"), json!("/app"), json!("/opens?a=b+c&go=1")]);
        assert!(ways(1).contains(&json!("/one")) && !ways(0).contains(&json!("/one")));
        browser.close().await;
    }
}
