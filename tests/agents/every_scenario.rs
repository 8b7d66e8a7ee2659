//! Every scenario that is shipped, in both modes, with a model behind HTTP.

use std::path::Path;

use serde_json::{Value, json};

use super::model_server::{ModelServer, Protocol};
use super::state::{TOKENS, tokens_in};
use super::support::runs::{Place, has_browser};

/// The shipped scenarios of a failure mode, each with tokens in its ground truth that stand nowhere else.
fn planted(place: &Place, mode: &str) -> usize {
    let mut count = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios").join(mode)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let mut scenario: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let truth = &mut scenario["ground_truth"];
            for list in ["must_share", "must_not_share"] {
                for item in truth[list].as_array_mut().unwrap() {
                    let text = item.get("text").unwrap_or(item).clone();
                    *item = json!({ "text": text, "why": TOKENS[0], "any_of": [TOKENS[1]] });
                }
            }
            let more = json!({ "text": TOKENS[2], "audience_ok": [TOKENS[3]] });
            truth["must_not_share"].as_array_mut().unwrap().push(more);
            truth["must_share"].as_array_mut().unwrap().push(json!(TOKENS[4]));
            place.scenario(&scenario);
            count += 1;
        }
    }
    count
}

/// The id of the first link to another page; the one to the page's content cannot be seen.
fn first_link(conversation: &str) -> Option<&str> {
    let is_link = |line: &&str| line.contains("] link '") && line.contains("url='") && !line.contains('#');
    let line = conversation.lines().find(is_link)?;
    Some(line.split_once('[')?.1.split_once(']')?.0)
}

/// A model that opens the first link of the first page and is done; in state mode it passes on nothing.
fn answer(conversation: &str) -> String {
    if conversation.contains("# The apps") {
        return json!({ "completed": true, "shared_content": ["Done."], "recipient": null, "reasoning": "r" })
            .to_string();
    }
    match first_link(conversation) {
        Some(link) if conversation.contains("This is step 1 of") => {
            format!("<think>I open it.</think><action>click('{link}')</action>")
        }
        Some(_) => "<action>finish('')</action>".to_owned(),
        None => "<action>report_infeasible('there is nothing to open')</action>".to_owned(),
    }
}

/// Plays all scenarios of a failure mode in both modes, and looks for the tokens in all that was sent.
fn play(mode: &str) {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    let scenarios = planted(&place, mode);
    assert!(scenarios >= 20, "{scenarios} scenarios are shipped for {mode}");
    let server = ModelServer::start(|_, received| {
        Protocol::OpenAi.reply(&answer(&received.conversation()), (100, 10))
    });
    let agent = format!("llm:gpt-5-mini@http://{}/v1", server.address);
    let modes = ["--mode", "e2e,state", "--observe", "axtree", "--max-steps", "4", "--jobs", "2"];
    let rows = place.run("out", &[&["--agent", &agent], &modes[..]].concat());
    assert_eq!(rows.len(), 2 * scenarios);
    let mut steps = 0;
    for row in &rows {
        let of_mode = if row["mode"] == "e2e" { 2 } else { 1 };
        let told =
            json!([row["outcome"], row["steps"], row["invalid_actions"], row["usage"]["input_tokens"]]);
        assert_eq!(told, json!(["finished", of_mode, 0, 100 * of_mode]), "{row}");
        assert!(row["utility"].is_u64() && row["usage"]["cost"].as_f64() > Some(0.0), "{row}");
        steps += of_mode;
    }
    assert!(rows.iter().filter(|row| row["mode"] == "state").count() == scenarios);
    let received = server.received();
    assert_eq!(received.len(), steps, "one request a step, and none besides");
    let prompts: usize = received
        .iter()
        .map(|request| {
            let all = format!("{}{}{}", request.path, request.headers, request.body);
            assert_eq!(tokens_in(&all), [""; 0]);
            all.len()
        })
        .sum();
    assert!(prompts > 1_000 * steps, "{prompts} bytes were searched in {steps} requests");
}

#[test]
fn a_model_plays_every_scenario_of_visual_co_location_and_is_sent_no_ground_truth() {
    play("visual_co_location");
}

#[test]
fn a_model_plays_every_scenario_of_task_ambiguity_and_is_sent_no_ground_truth() {
    play("task_ambiguity_overshare");
}

#[test]
fn a_model_plays_every_scenario_of_recipient_misalignment_and_is_sent_no_ground_truth() {
    play("recipient_misalignment");
}

#[test]
fn every_folder_of_scenarios_is_played() {
    let folders = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")).unwrap();
    let mut names: Vec<String> =
        folders.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["recipient_misalignment", "task_ambiguity_overshare", "visual_co_location"]);
}
