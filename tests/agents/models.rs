//! Models over HTTP in whole runs: both modes, cache, budget, prompts.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::model_server::{ModelServer, Move, Protocol, Received};
use super::support::runs::{Place, episodes, errand, events_of, has_browser, text};

/// Says that a part of a test is left out.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

/// The id of the first element of a role whose name starts like this, in a prompt.
fn bid(prompt: &str, role: &str, name: &str) -> Option<String> {
    let wanted = format!("] {role} '{name}");
    let line = prompt.lines().find(|line| line.contains(&wanted))?;
    let start = line.find('[')? + 1;
    Some(line[start..line.find(']')?].to_owned())
}

/// A model that finds its way to a conversation by what is in its prompt, writes, sends and finishes;
/// in state mode it answers with the same text.
fn messenger(protocol: Protocol, received: &Received, recipient: &str, message: &str) -> Vec<Move> {
    let prompt = received.conversation();
    if prompt.contains("# The apps") {
        let answer = json!({ "completed": true, "shared_content": [message], "recipient": recipient, "reasoning": "r" });
        return protocol.reply(&format!("```json\n{answer}\n```"), (100, 10));
    }
    let quoted = message.replace('\'', "\\'");
    let written = prompt.contains("action: fill(");
    let sent = prompt.contains("I send it.");
    let action = if sent {
        "I am done.\n\nfinish()".to_owned()
    } else if written && let Some(send) = bid(&prompt, "button", "Send to") {
        format!("<think>I send it.</think><action>click('{send}')</action>")
    } else if let Some(field) = bid(&prompt, "textbox", &format!("Message to {recipient}")) {
        format!("```\nfill('{field}', '{quoted}')\n```")
    } else if let Some(thread) = bid(&prompt, "link", recipient) {
        format!("{{\"thought\": \"There is the conversation.\", \"action\": \"click('{thread}')\"}}")
    } else if let Some(app) = bid(&prompt, "link", "Messages") {
        format!("<action>click('{app}')</action>")
    } else {
        "report_infeasible('there are no messages')".to_owned()
    };
    protocol.reply(&action, (100, 10))
}

#[test]
fn a_model_does_errands_in_both_modes_over_every_protocol() {
    if !has_browser() {
        return;
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let shipped: Vec<_> = discreet::scenario::load_paths(&[own])
        .into_iter()
        .filter_map(|file| file.result.ok().map(|loaded| (file.file, loaded)))
        .filter(|(_, loaded)| {
            loaded.scenario.target.channel.name() == "messenger" && loaded.scenario.language == "en"
        })
        .take(3)
        .collect();
    assert_eq!(shipped.len(), 3, "there are shipped scenarios about messages");
    for ((file, loaded), protocol) in shipped.iter().zip(Protocol::ALL) {
        let place = Place::new();
        let recipient = loaded.scenario.target.recipient.clone().unwrap();
        let message = loaded
            .ground_truth
            .must_share
            .iter()
            .map(|item| item.text.as_str())
            .collect::<Vec<_>>()
            .join("; ");
        let server = ModelServer::start({
            let recipient = recipient.clone();
            move |_, received| messenger(protocol, received, &recipient, &message)
        });
        place.write("agent.toml", &format!("[model]\nprotocol = \"{}\"\n", protocol.name()));
        let agent = format!("llm:gpt-5-mini@http://{}/v1", server.address);
        let file = file.display().to_string();
        let arguments = [
            "run",
            &file,
            "--agent",
            &agent,
            "--agent-config",
            "agent.toml",
            "--mode",
            "e2e,state",
            "--out",
            "out",
        ];
        let output = place.discreet(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let rows = place.rows("out");
        assert_eq!(rows.len(), 2);
        for row in &rows {
            assert_eq!((&row["outcome"], &row["utility"]), (&json!("finished"), &json!(1)), "{row}");
            assert_eq!((&row["agent"], &row["model"]), (&json!("llm"), &json!("gpt-5-mini")));
            let steps = row["steps"].as_u64().unwrap();
            assert_eq!(row["usage"]["input_tokens"], 100 * steps, "{row}");
            assert!(row["usage"]["cost"].as_f64() > Some(0.0));
        }
        assert_eq!(rows[0]["disclosures"][0]["audience"], json!([recipient]), "{}", rows[0]);
        // The trace holds what was sent and answered, byte for byte.
        let e2e = &episodes(&place.path("out"))[0];
        let replies = events_of(e2e, "reply");
        let in_the_apps = |request: &Received| !request.conversation().contains("# The apps");
        let received: Vec<Received> = server.received().into_iter().filter(in_the_apps).collect();
        assert_eq!(received.len(), replies.len());
        for (reply, request) in replies.iter().zip(&received) {
            let name = format!("{}.json", reply["prompt"]["sha256"].as_str().unwrap());
            let sent: Value =
                serde_json::from_slice(&std::fs::read(e2e.join("blobs").join(name)).unwrap()).unwrap();
            assert_eq!(sent, request.body);
            assert!(reply["response"]["sha256"].is_string(), "{reply}");
        }
        assert!(replies.iter().any(|reply| reply["thought"] == "I send it."), "{replies:?}");
        assert_eq!(place.discreet(&["verify", "out"]).status.code(), Some(0));
    }
}

#[test]
fn a_screenshot_model_gets_pictures_and_places_and_no_tree() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("picture__one"));
    let server = ModelServer::start(|number, _| {
        let action = ["<action>mouse_click(640, 360)</action>", "<action>finish()</action>"][number.min(1)];
        Protocol::Anthropic.reply(action, (1, 1))
    });
    place.write("agent.toml", "[model]\nprotocol = \"anthropic\"\n[prompt]\nmarks = true\n");
    let agent = format!("llm:m@http://{}/v1", server.address);
    let rows =
        place.run("out", &["--agent", &agent, "--agent-config", "agent.toml", "--observe", "screenshot"]);
    assert_eq!(
        (&rows[0]["outcome"], &rows[0]["invalid_actions"]),
        (&json!("finished"), &json!(0)),
        "{}",
        rows[0]
    );
    assert_eq!(rows[0]["usage"]["cost"], Value::Null, "an unknown price is unknown, not zero");
    for request in server.received() {
        let content = request.body["messages"][0]["content"].as_array().unwrap();
        assert_eq!(content[1]["source"]["media_type"], "image/png");
        assert!(content[1]["source"]["data"].as_str().unwrap().len() > 1_000);
        assert!(!content[0]["text"].as_str().unwrap().contains("accessibility tree"));
        let system = request.body["system"].as_str().unwrap();
        assert!(system.contains("mouse_click(") && !system.contains("\nclick("), "{system}");
    }
}

#[test]
fn a_cached_run_is_repeated_byte_for_byte_without_a_network() {
    let place = Place::new();
    place.scenario(&errand("cache__one"));
    place.scenario(&errand("cache__two"));
    // Each answer differs, so that an answer of another request would be noticed.
    let server = ModelServer::start(|number, _| {
        let answer =
            json!({ "completed": true, "shared_content": [format!("answer {number}")], "recipient": null });
        Protocol::OpenAi.reply(&answer.to_string(), (7, 3))
    });
    let run = |out: &str, address: &str, offline: &str| {
        let agent = format!("llm:gpt-5-mini@http://{address}/v1");
        let output = place
            .command(super::support::binary())
            .args([
                "run",
                "scenarios",
                "--mode",
                "state",
                "--trials",
                "2",
                "--jobs",
                "1",
                "--llm-cache",
                "cache",
            ])
            .args(["--agent", &agent, "--out", out])
            .env("DISCREET_OFFLINE", offline)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        place.rows(out)
    };
    let lasting = |rows: &[Value]| -> Vec<Value> {
        let mut rows = rows.to_vec();
        for row in &mut rows {
            for name in ["run_id", "trace_root", "timing"] {
                row.as_object_mut().unwrap().remove(name);
            }
        }
        rows
    };
    let first = run("first", &server.address, "0");
    assert_eq!(server.received().len(), 4, "each trial asks for itself");
    let texts: std::collections::BTreeSet<&str> =
        first.iter().map(|row| row["disclosures"][0]["text"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), 4);
    // Nobody listens at the other address.
    let again = run("again", "127.0.0.1:9", "1");
    assert_eq!(lasting(&first), lasting(&again));
    assert_eq!(server.received().len(), 4);
    let blobs = |out: &str| {
        let mut names: Vec<String> = episodes(&place.path(out))
            .iter()
            .flat_map(|episode| std::fs::read_dir(episode.join("blobs")).unwrap().flatten())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(blobs("first"), blobs("again"), "what was sent and answered is the same by hash");
    // What was never asked cannot be answered.
    place.scenario(&errand("cache__three"));
    let more = run("more", "127.0.0.1:9", "1");
    let unanswered: Vec<&Value> = more.iter().filter(|row| row["outcome"] == "provider_error").collect();
    assert_eq!(unanswered.len(), 2);
    assert!(unanswered[0]["error"].as_str().unwrap().contains("no cached answer"), "{}", unanswered[0]);
}

#[test]
fn a_spent_budget_ends_the_run_cleanly_and_it_can_be_gone_on_with() {
    let place = Place::new();
    for name in ["a", "b", "c", "d"] {
        place.scenario(&errand(&format!("budget__{name}")));
    }
    let server = ModelServer::start(|_, _| Protocol::OpenAi.reply(r#"{"completed": false}"#, (40, 10)));
    let agent = format!("llm:gpt-5-mini@http://{}/v1", server.address);
    let run = |limit: &[&str]| {
        let arguments = [
            "run",
            "scenarios",
            "--mode",
            "state",
            "--jobs",
            "1",
            "--retries",
            "2",
            "--agent",
            &agent,
            "--out",
            "out",
        ];
        place.discreet(&[&arguments[..], limit].concat())
    };
    let output = run(&["--max-tokens", "100"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains("the run has used 100 of the 100 tokens it may"), "{said}");
    assert!(said.contains("hint: go on with `--resume`"), "{said}");
    let whole = |rows: &[Value]| rows.iter().filter(|row| row["outcome"] == "finished").count();
    assert_eq!((whole(&place.rows("out")), server.received().len()), (2, 2));
    // What was used before counts.
    let output = run(&["--resume", "--max-tokens", "100"]);
    assert_eq!((output.status.code(), server.received().len()), (Some(5), 2), "{}", text(&output.stderr));
    let output = run(&["--resume", "--max-cost", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!((whole(&place.rows("out")), server.received().len()), (4, 4), "nothing is asked twice");
    assert_eq!(place.discreet(&["verify", "out"]).status.code(), Some(0));
    let ids: std::collections::BTreeSet<String> =
        place.rows("out").iter().map(|row| row["run_id"].to_string()).collect();
    assert_eq!(ids.len(), 1);
}

#[test]
fn a_run_goes_on_at_another_port_and_counts_only_what_it_has_spent() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.scenario(&errand(&format!("budget__{name}")));
    }
    let start = || ModelServer::start(|_, _| Protocol::OpenAi.reply(r#"{"completed": false}"#, (40, 10)));
    let run = |out: &str, server: &ModelServer, more: &[&str]| {
        let agent = format!("llm:gpt-5-mini@http://{}/v1", server.address);
        let fixed = ["run", "scenarios", "--mode", "state", "--jobs", "1", "--llm-cache", "cache"];
        place.discreet(&[&fixed[..], &["--agent", &agent, "--out", out], more].concat())
    };
    let first = start();
    // One episode is asked for, and the next two are cut off.
    assert_eq!(run("out", &first, &["--max-tokens", "50"]).status.code(), Some(5));
    assert_eq!(first.received().len(), 1);
    let second = start();
    let output = run("out", &second, &["--resume", "--max-tokens", "100"]);
    let said = text(&output.stderr);
    assert!(said.contains("the run has used 100 of the 100 tokens it may"), "{said}");
    assert_eq!((first.received().len(), second.received().len()), (1, 1));
    // What is in the cache costs nothing, and neither does it when the run is gone on with.
    let output = run("again", &second, &["--max-tokens", "60"]);
    assert_eq!((output.status.code(), second.received().len()), (Some(0), 2), "{}", text(&output.stderr));
    std::fs::remove_dir_all(&episodes(&place.path("again"))[0]).unwrap();
    let output = run("again", &second, &["--resume", "--max-tokens", "60"]);
    assert_eq!((output.status.code(), second.received().len()), (Some(0), 2), "{}", text(&output.stderr));
    let rows = place.rows("again");
    assert!(rows.iter().all(|row| row["usage"]["input_tokens"] == 40), "rows are as they were: {rows:?}");
}

#[test]
fn a_step_that_cannot_be_asked_any_more_is_no_behaviour_of_the_agent() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("budget__steps"));
    let server = ModelServer::start(|_, _| Protocol::OpenAi.reply("<action>noop(0)</action>", (40, 10)));
    let agent = format!("llm:gpt-5-mini@http://{}/v1", server.address);
    let output = place.discreet(&[
        "run",
        "scenarios",
        "--agent",
        &agent,
        "--out",
        "out",
        "--max-tokens",
        "120",
        "--observe",
        "axtree",
    ]);
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    let row = place.rows("out").remove(0);
    assert_eq!(
        (&row["outcome"], &row["steps"], &row["utility"]),
        (&json!("interrupted"), &json!(4), &Value::Null),
        "{row}"
    );
    assert_eq!(row["usage"]["input_tokens"], 120, "{row}");
    let output = place.discreet(&[
        "run",
        "scenarios",
        "--agent",
        &agent,
        "--out",
        "out",
        "--resume",
        "--observe",
        "axtree",
        "--max-steps",
        "20",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(place.rows("out")[0]["outcome"], "budget_exhausted", "it is done again from the start");
}

#[test]
fn a_defense_adds_to_the_system_prompt_and_is_named_in_rows() {
    let place = Place::new();
    place.scenario(&errand("defense__one"));
    let server = ModelServer::start(|_, _| Protocol::OpenAi.reply(r#"{"completed": false}"#, (1, 1)));
    place.write("agent.toml", "[model]\nrequests_per_minute = 6000\n");
    place.write("mine.txt", "Never mention dogs.");
    let agent = format!("llm:m@http://{}/v1", server.address);
    let defenses = ["--defense", "none,recipient,mine.txt", "--agent-config", "agent.toml"];
    let rows =
        place.run("out", &[&["--mode", "state", "--jobs", "4", "--agent", &agent], &defenses[..]].concat());
    let defenses: Vec<&Value> = rows.iter().map(|row| &row["defense"]).collect();
    assert_eq!(defenses, ["mine", "none", "recipient"]);
    let systems: Vec<String> = server
        .received()
        .iter()
        .map(|one| one.body["messages"][0]["content"].as_str().unwrap().to_owned())
        .collect();
    let plain = systems.iter().min_by_key(|system| system.len()).unwrap();
    assert!(systems.iter().all(|system| system.starts_with(plain.as_str())), "a defense takes nothing away");
    assert!(systems.iter().any(|system| system.ends_with("Never mention dogs.\n")));
}

#[test]
fn several_actions_tools_and_a_grammar_are_what_the_settings_say() {
    if !has_browser() {
        return;
    }
    let place = Place::new();
    place.scenario(&errand("forms__one"));
    let asked = AtomicUsize::new(0);
    let server = ModelServer::start(move |_, received| {
        let tools = received.body.get("tools").and_then(Value::as_array);
        asked.fetch_add(1, Ordering::Relaxed);
        match tools {
            Some(tools) => {
                assert!(tools.iter().any(|tool| tool["function"]["name"] == "finish"));
                let mut body = Protocol::OpenAi.says("", (1, 1));
                body["choices"][0]["message"]["tool_calls"] = json!([{ "id": "1", "type": "function", "function": { "name": "finish", "arguments": "{}" } }]);
                super::model_server::answer(200, "", &body.to_string())
            }
            None if received.body["grammar"].is_string() => {
                Protocol::OpenAi.reply("<action>finish()</action>", (1, 1))
            }
            None => Protocol::OpenAi.reply("<action>noop(0)\nscroll(0, 10)\nfinish()</action>", (1, 1)),
        }
    });
    let agent = format!("llm:m@http://{}/v1", server.address);
    let run = |name: &str, config: &str, more: &[&str]| {
        let file = place.write(&format!("{name}.toml"), config);
        let arguments = ["--agent", &agent, "--observe", "axtree", "--agent-config", file.to_str().unwrap()];
        place.run(name, &[&arguments[..], more].concat()).remove(0)
    };
    let row = run("tools", "[replies]\nform = \"tools\"\n", &[]);
    assert_eq!((&row["outcome"], &row["steps"]), (&json!("finished"), &json!(1)), "{row}");
    let row = run("multi", "[actions]\nmulti = true\n[prompt]\ndom = true\n", &[]);
    assert_eq!((&row["outcome"], &row["steps"]), (&json!("finished"), &json!(1)), "{row}");
    let last = server.received().pop().unwrap();
    assert!(last.conversation().contains("The page now, as HTML") && last.conversation().contains("bid=\""));
    assert_eq!(events_of(&episodes(&place.path("multi"))[0], "action_result").len(), 3);
    // What a grammar leaves no room for is not asked for.
    let row = run("grammar", "[actions]\nmulti = true\n[replies]\nform = \"json\"\n", &["--grammar"]);
    assert_eq!((&row["outcome"], &row["steps"]), (&json!("finished"), &json!(1)), "{row}");
    let last = server.received().pop().unwrap();
    assert!(last.body["grammar"].as_str().unwrap().starts_with("root ::= "));
    let said = last.conversation();
    assert!(said.contains("<action>click('a51')</action>") && said.contains("give one action."), "{said}");
    assert!(!said.contains("<think>") && !said.contains("JSON object"), "{said}");
    let row = run(
        "few",
        "[actions]\nallow = [\"finish\", \"click\"]\n[replies]\nask_again = 0\n",
        &["--max-steps", "5"],
    );
    assert_eq!((&row["outcome"], &row["invalid_actions"]), (&json!("agent_invalid"), &json!(5)), "{row}");
}

#[test]
fn sixty_episodes_wait_for_a_model_at_once() {
    let place = Place::new();
    place.scenario(&errand("one"));
    // It answers nobody before all ask: fifty-nine at a time would wait for ever.
    let all = std::sync::Barrier::new(60);
    let server = ModelServer::start(move |_, _| {
        all.wait();
        let answer = json!({ "completed": false, "shared_content": [], "recipient": "", "reasoning": "r" });
        Protocol::OpenAi.reply(&answer.to_string(), (10, 5))
    });
    let agent = format!("llm:small@http://{}/v1", server.address);
    let rows = place.run("out", &["--agent", &agent, "--mode", "state", "--trials", "60", "--jobs", "60"]);
    assert_eq!(rows.len(), 60);
    assert!(rows.iter().all(|row| row["outcome"] == "finished"), "{rows:#?}");
}
