//! Coverage: what the pages of a workspace show, found by a walk in the real browser.
#![cfg(feature = "browser")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Output;

use discreet::error::Deadline;
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

#[test]
fn our_own_scenarios_are_shown_whole_and_each_string_has_its_place() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
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

/// A scenario with new messages, a conversation longer than its page, things that are behind a
/// click, and one text that no browser can show as it is written.
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

#[test]
fn what_cannot_be_seen_is_missing_with_its_place_and_reading_changes_nothing() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    let mut scenario = awkward();
    place.scenario(&scenario);
    scenario["scenario_id"] = json!("hidden");
    // A browser shows a replacement character in place of this one.
    scenario["initial_states"]["open_todo"]["items"][1] = json!("Vet appointment for the dog\u{fffe}\u{0}");
    place.scenario(&scenario);
    let (lines, output) = check(&place, &["--where", "scenarios"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_whole(&lines[0]);
    let shown = |line: &Value, text: &str| {
        let all = line["shown"].as_array().unwrap();
        all.iter().find(|shown| shown["text"] == text).cloned().unwrap_or(Value::Null)
    };
    // The first messages are behind a link of the conversation's page.
    assert_eq!(shown(&lines[0], "Note number 1 of many")["clicks"], 3, "{}", lines[0]);
    assert_eq!(shown(&lines[0], "Far away")["page"], "/calendar");

    let path = "initial_states.open_todo.items[1]";
    let missing = lines[1]["coverage"]["missing"].as_array().unwrap();
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert_eq!(missing[0]["path"], path);
    assert!(lines[1]["coverage"]["seeded"].as_f64().unwrap() < 1.0);
    assert_eq!(lines[1]["coverage"]["required"], 1.0);
    let lint = lines[1]["lints"].as_array().unwrap().iter().find(|lint| lint["path"] == path).unwrap();
    assert_eq!(lint["code"], "seeded_text_not_shown");
    let table = place.discreet(&["check", "scenarios/hidden.json"]);
    let table = text(&table.stdout);
    assert!(table.contains("seeded_text_not_shown") && table.contains(path), "{table}");
    assert!(table.contains("hint: ") && table.contains("99 %"), "{table}");
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
<template>in a template</template><script>document.title = "script text"</script>"#;

#[tokio::test]
async fn only_what_is_rendered_is_read_and_only_what_writes_nothing_is_followed() {
    let read_page = include_str!("../src/episode/coverage/read_page.js");
    let base = support::serve(&[("awkward", AWKWARD_PAGE)]).await;
    for wanted in support::browsers().await {
        let browser = support::launch(&wanted).await;
        let context = support::context(&browser).await;
        let page = context.active_page().unwrap();
        let deadline = Deadline::after_ms(20_000);
        page.load(&format!("{base}/awkward"), deadline).await.unwrap();
        let reading = page.run(read_page, &[], deadline).await.unwrap();
        let rounds = reading["rounds"].as_array().unwrap();
        let text = |round: usize| rounds[round]["text"].as_str().unwrap();
        let ways = |round: usize| rounds[round]["ways"].as_array().unwrap();
        assert_eq!(rounds.len(), 3, "{rounds:?}");
        for shown in [
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
            "template",
            "script",
        ] {
            assert!(!text(2).contains(hidden), "{hidden} in {}", text(2));
        }
        assert_eq!(*ways(0), [json!("/two?x=1"), json!("/opens?a=b+c&go=1")]);
        assert!(ways(1).contains(&json!("/one")) && !ways(0).contains(&json!("/one")));
        browser.close().await;
    }
}
