//! A model's server misbehaves in every protocol; each way ends in the right outcome, within its
//! deadline, with what was used counted.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::model_server::{ModelServer, Move, Protocol, answer};
use super::support::runs::{Place, episodes, errand, events_of, holds, lines, text};

const GOOD: &str = r#"{"completed": true, "shared_content": ["Approve timesheets by noon"], "recipient": "Nora (Manager)", "reasoning": "asked for"}"#;

/// Where another host would be.
type Canary = String;

type Script = fn(Protocol, usize, &Canary) -> Vec<Move>;

struct Case {
    name: &'static str,
    script: Script,
    outcome: &'static str,
    /// Requests that the server gets.
    requests: usize,
    /// What the row's error says.
    said: &'static str,
    /// Tokens sent and received that the row counts.
    tokens: Option<(u64, u64)>,
    /// The longest wait for one answer, seconds.
    request_timeout: f64,
    /// The longest wait for all.
    total_timeout: f64,
}

const CALM: Case = Case {
    name: "",
    script: |protocol, _, _| protocol.reply(GOOD, (10, 5)),
    outcome: "finished",
    requests: 1,
    said: "",
    tokens: Some((10, 5)),
    request_timeout: 60.0,
    total_timeout: 120.0,
};

const FAILS: Case = Case { outcome: "provider_error", tokens: None, ..CALM };

fn refuse(status: u16, headers: &str) -> Vec<Move> {
    answer(status, headers, r#"{"error": {"message": "not now"}}"#)
}

fn once_then_good(protocol: Protocol, number: usize, first: impl FnOnce() -> Vec<Move>) -> Vec<Move> {
    if number == 0 { first() } else { protocol.reply(GOOD, (10, 5)) }
}

#[expect(clippy::too_many_lines, reason = "one list of cases")]
fn cases() -> Vec<Case> {
    vec![
        Case { name: "calm", ..CALM },
        Case {
            name: "429_then_good",
            script: |protocol, number, _| once_then_good(protocol, number, || refuse(429, "")),
            requests: 2,
            ..CALM
        },
        Case {
            name: "429_with_a_wait_then_good",
            script: |protocol, number, _| {
                once_then_good(protocol, number, || refuse(429, "retry-after: 0.2\r\n"))
            },
            requests: 2,
            ..CALM
        },
        Case {
            name: "429_with_a_wait_past_the_deadline",
            script: |_, _, _| refuse(429, "retry-after: 3600\r\n"),
            said: "the server answers 429: not now; asked 1 times",
            ..FAILS
        },
        Case {
            name: "503_then_good",
            script: |protocol, number, _| once_then_good(protocol, number, || refuse(503, "")),
            requests: 2,
            ..CALM
        },
        Case {
            name: "529_then_good",
            script: |protocol, number, _| once_then_good(protocol, number, || refuse(529, "")),
            requests: 2,
            ..CALM
        },
        Case {
            name: "500_always",
            script: |_, _, _| refuse(500, ""),
            requests: 3,
            said: "the server answers 500: not now; asked 3 times",
            ..FAILS
        },
        Case {
            name: "400",
            script: |_, _, _| refuse(400, ""),
            said: "the server answers 400: not now",
            ..FAILS
        },
        Case {
            name: "401",
            script: |_, _, _| refuse(401, ""),
            said: "(the key comes from DISCREET_TEST_KEY)",
            ..FAILS
        },
        Case {
            name: "404",
            script: |_, _, _| answer(404, "", "no such model"),
            said: "404: no such model",
            ..FAILS
        },
        Case {
            name: "redirect_to_another_host",
            script: |_, _, canary| answer(302, &format!("location: http://{canary}/v1/elsewhere\r\n"), ""),
            said: "names another address, which is not followed",
            ..FAILS
        },
        Case {
            name: "answer_breaks_off",
            script: |_, _, _| {
                vec![Move::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{\"choices\": [".to_vec())]
            },
            requests: 3,
            said: "the answer breaks off",
            ..FAILS
        },
        Case {
            name: "truncated_json",
            script: |_, _, _| answer(200, "", "{\"choices\": [{\"mess"),
            requests: 3,
            said: "the answer is no JSON",
            ..FAILS
        },
        Case {
            name: "a_page_for_people",
            script: |_, _, _| {
                answer(200, "content-type: text/html\r\n", "<!doctype html><title>Sign in</title>")
            },
            requests: 3,
            said: "the answer is no JSON",
            ..FAILS
        },
        Case {
            name: "another_schema",
            script: |_, _, _| answer(200, "", r#"{"result": {"text": "hello"}}"#),
            requests: 3,
            said: "the answer has no",
            ..FAILS
        },
        Case {
            name: "no_answer_in_the_list",
            script: |protocol, _, _| answer(200, "", &protocol.nothing().to_string()),
            requests: 3,
            said: "asked 3 times",
            ..FAILS
        },
        Case {
            name: "no_text",
            script: |protocol, _, _| protocol.reply(" ", (3, 4)),
            requests: 3,
            said: "the answer has no text",
            tokens: Some((9, 12)),
            ..FAILS
        },
        Case {
            name: "withheld",
            script: |protocol, _, _| answer(200, "", &protocol.withholds((10, 0)).to_string()),
            said: "the provider withheld the answer",
            tokens: Some((10, 0)),
            ..FAILS
        },
        Case {
            name: "closes_without_a_word",
            script: |_, _, _| Vec::new(),
            requests: 3,
            said: "the server cannot be asked",
            ..FAILS
        },
        Case {
            name: "is_no_http",
            script: |_, _, _| vec![Move::Send(b"220 mail.example.org ESMTP\r\n".to_vec())],
            requests: 3,
            said: "the server cannot be asked",
            ..FAILS
        },
        Case {
            name: "never_answers",
            script: |_, _, _| vec![Move::Hold],
            requests: 3,
            said: "wait for the model's answer",
            request_timeout: 0.5,
            ..FAILS
        },
        Case {
            name: "stops_in_the_body",
            script: |_, _, _| {
                vec![Move::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{".to_vec()), Move::Hold]
            },
            requests: 3,
            said: "wait for the model's answer",
            request_timeout: 0.5,
            ..FAILS
        },
        Case {
            name: "drips",
            script: |_, _, _| {
                vec![
                    Move::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 50000\r\n\r\n".to_vec()),
                    Move::Repeat(b" ".to_vec(), Duration::from_millis(50)),
                ]
            },
            said: "wait for the model's answer",
            total_timeout: 1.5,
            ..FAILS
        },
        Case {
            name: "endless",
            script: |_, _, _| {
                vec![
                    Move::Send(b"HTTP/1.1 200 OK\r\n\r\n{\"x\": \"".to_vec()),
                    Move::Repeat(vec![b'x'; 1 << 20], Duration::ZERO),
                ]
            },
            said: "the answer is longer than",
            ..FAILS
        },
        Case {
            name: "not_utf8",
            script: |_, _, _| {
                vec![Move::Send(
                    b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n\xff\xfe".to_vec(),
                )]
            },
            requests: 3,
            said: "the answer is no JSON",
            ..FAILS
        },
        Case {
            name: "prose_then_good",
            script: |protocol, number, _| {
                once_then_good(protocol, number, || protocol.reply("I would rather talk.", (3, 4)))
            },
            requests: 2,
            tokens: Some((13, 9)),
            ..CALM
        },
        Case {
            name: "prose_always",
            script: |protocol, _, _| protocol.reply("I would rather talk.", (3, 4)),
            outcome: "agent_invalid",
            requests: 3,
            said: "no JSON object",
            tokens: Some((9, 12)),
            ..CALM
        },
        Case {
            name: "prose_then_down",
            script: |protocol, number, _| {
                if number == 0 { protocol.reply("I would rather talk.", (3, 4)) } else { refuse(500, "") }
            },
            requests: 4,
            said: "the server answers 500",
            tokens: Some((3, 4)),
            ..FAILS
        },
        Case {
            name: "repeats_the_key",
            script: |_, _, _| answer(403, "", "{\"error\": {\"message\": \"bad key sk-canary-99120\"}}"),
            said: "bad key ****",
            ..FAILS
        },
    ]
}

fn play(case: &Case, protocol: Protocol, canary: &str) {
    let name = format!("{} {}", protocol.name(), case.name);
    let place = Place::new();
    place.scenario(&errand("fault__one"));
    let (script, other) = (case.script, canary.to_owned());
    let server = ModelServer::start(move |number, _| script(protocol, number, &other));
    let config = format!(
        "[model]\nname = \"gpt-5-mini\"\nprotocol = \"{}\"\nbase_url = \"http://{}/v1\"\nkey_env = \"DISCREET_TEST_KEY\"\n\
         attempts = 3\nfirst_wait_s = 0.01\nrequest_timeout_s = {}\ntotal_timeout_s = {}\n",
        protocol.name(),
        server.address,
        case.request_timeout,
        case.total_timeout
    );
    place.write("agent.toml", &config);
    let output = place
        .command(super::support::binary())
        .args([
            "run",
            "scenarios",
            "--mode",
            "state",
            "--agent",
            "llm",
            "--agent-config",
            "agent.toml",
            // What is asserted is how one attempt ends, and how often it asks.
            "--retries",
            "0",
            "--out",
            "out",
        ])
        .env("DISCREET_TEST_KEY", "sk-canary-99120")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
    let row = place.rows("out").remove(0);
    assert_eq!(row["outcome"], case.outcome, "{name}: {row}");
    assert!(row["error"].as_str().unwrap_or_default().contains(case.said), "{name}: {row}");
    let received = server.received();
    assert_eq!(received.len(), case.requests, "{name}: {row}");
    for request in &received {
        assert!(request.headers.contains("sk-canary-99120"), "{name}: {}", request.headers);
        assert!(
            !request.body.to_string().contains("sk-canary") && !request.path.contains("sk-canary"),
            "{name}"
        );
    }
    let usage = case.tokens.map(|(sent, got)| (Value::from(sent), Value::from(got)));
    let counted =
        row["usage"].as_object().map(|usage| (usage["input_tokens"].clone(), usage["output_tokens"].clone()));
    assert_eq!(counted, usage, "{name}: {row}");
    if let Some((sent, got)) = case.tokens {
        let cost = (sent as f64).mul_add(0.25, got as f64 * 2.0) / 1e6;
        assert!((row["usage"]["cost"].as_f64().unwrap() - cost).abs() < 1e-12, "{name}: {row}");
    }
    // Every request and every answer is in the trace, as often as it was sent, and no key anywhere.
    let episode = episodes(&place.path("out")).remove(0);
    let reply = events_of(&episode, "reply").remove(0);
    let attempts = reply["attempts"].as_array().map_or(0, Vec::len);
    assert_eq!(attempts + 1, case.requests, "{name}: {reply}");
    assert_eq!(place.discreet(&["verify", "out"]).status.code(), Some(0), "{name}");
    assert_eq!(holds(&place.path("out"), b"sk-canary"), None, "{name}");
    assert!(
        !text(&output.stderr).contains("sk-canary") && !text(&output.stdout).contains("sk-canary"),
        "{name}"
    );
}

#[test]
fn every_fault_of_a_provider_has_its_outcome_in_time_with_what_was_used_counted() {
    let canary = ModelServer::start(|_, _| answer(200, "", "{}"));
    let work: Vec<(Protocol, Case)> = Protocol::ALL
        .into_iter()
        .flat_map(|protocol| cases().into_iter().map(move |case| (protocol, case)))
        .collect();
    assert!(work.len() >= 3 * 15);
    let next = Arc::new(AtomicUsize::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some((protocol, case)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let played = std::panic::AssertUnwindSafe(|| play(case, *protocol, &canary.address));
                    if let Err(panic) = std::panic::catch_unwind(played) {
                        let said = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                        failures.lock().unwrap().push(said);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), work.len(), failures.join("\n\n"));
    assert_eq!(canary.received().len(), 0, "no key went to another host");
}

#[test]
fn nobody_at_the_address_is_a_fault_of_the_provider() {
    let place = Place::new();
    place.scenario(&errand("fault__one"));
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    place.write("agent.toml", "[model]\nattempts = 2\nfirst_wait_s = 0.01\n");
    let agent = format!("llm:m@http://{free}/v1");
    let once = ["--agent-config", "agent.toml", "--retries", "0"];
    let rows = place.run("out", &[&["--mode", "state", "--agent", &agent], &once[..]].concat());
    assert_eq!((&rows[0]["outcome"], &rows[0]["usage"]), (&json!("provider_error"), &Value::Null));
    assert!(rows[0]["error"].as_str().unwrap().contains("cannot be asked"), "{}", rows[0]);
}

#[test]
fn a_server_without_tls_at_an_https_address_is_a_fault_of_the_provider() {
    let place = Place::new();
    place.scenario(&errand("fault__one"));
    let server = ModelServer::start(|_, _| answer(200, "", "{}"));
    place.write("agent.toml", "[model]\nattempts = 2\nfirst_wait_s = 0.01\n");
    let agent = format!("llm:m@https://{}/v1", server.address);
    let once = ["--agent-config", "agent.toml", "--retries", "0"];
    let rows = place.run("out", &[&["--mode", "state", "--agent", &agent], &once[..]].concat());
    assert_eq!(rows[0]["outcome"], "provider_error", "{}", rows[0]);
    assert!(rows[0]["error"].as_str().unwrap().contains("cannot be asked"), "{}", rows[0]);
    assert_eq!(server.received().len(), 0, "nothing is sent in the clear");
}

#[test]
fn an_episode_that_its_provider_failed_is_acted_out_again_once_unless_told_not_to() {
    let place = Place::new();
    place.scenario(&errand("fault__one"));
    place.write("agent.toml", "[model]\nattempts = 1\n");
    let fails_first =
        || ModelServer::start(|number, _| once_then_good(Protocol::OpenAi, number, || refuse(503, "")));
    let run = |out: &str, server: &ModelServer, more: &[&str]| {
        let (agent, events) = (format!("llm:m@http://{}/v1", server.address), format!("{out}.jsonl"));
        let arguments = ["run", "scenarios", "--mode", "state", "--agent-config", "agent.toml"];
        let named = ["--agent", &agent, "--out", out, "--events", &events];
        let output = place.discreet(&[&arguments[..], &named, more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let kinds = |events: &str| -> Vec<Value> {
        lines(&place.path(events)).into_iter().map(|mut event| event["type"].take()).collect()
    };

    let server = fails_first();
    let said = run("again", &server, &[]);
    assert_eq!((&place.rows("again")[0]["outcome"], server.received().len()), (&json!("finished"), 2));
    assert!(said.contains("provider_error") && said.contains("it is acted out again"), "{said}");
    assert!(said.contains("1 attempts failed by browser, provider or harness"), "{said}");
    assert!(kinds("again.jsonl").contains(&json!("episode_repeated")));
    let told: Vec<Value> =
        lines(&place.path("again/results.partial.jsonl")).iter().map(|row| row["outcome"].clone()).collect();
    assert_eq!(told, ["provider_error", "finished"], "the attempt stays on record");
    let set_aside = std::fs::read_dir(place.path("again/abandoned")).unwrap().flatten().next().unwrap();
    assert_eq!(events_of(&set_aside.path(), "episode_finished")[0]["outcome"], "provider_error");

    let server = fails_first();
    let said = run("never", &server, &["--retries", "0"]);
    assert_eq!((&place.rows("never")[0]["outcome"], server.received().len()), (&json!("provider_error"), 1));
    assert!(!said.contains("acted out again"), "{said}");
    assert!(!kinds("never.jsonl").contains(&json!("episode_repeated")));
}
