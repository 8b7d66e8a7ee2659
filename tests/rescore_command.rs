//! `discreet rescore` and `discreet explain` through the real binary, on traces of real workspaces;
//! the judge against a real server that misbehaves.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/played.rs"]
mod played;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use played::{F1, NORA, Play, R1, R2, scenario};
use serde_json::{Value, json};

const KEY: &str = "sk-canary-5150";

fn discreet(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_discreet"))
        .args(arguments)
        .current_dir(folder)
        .env("DISCREET_JUDGE_KEY", KEY)
        .env_remove("DISCREET_OFFLINE")
        .env_remove("DISCREET_JUDGE_URL")
        .env_remove("DISCREET_JUDGE_MODEL")
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A run's folder with a success, a leak whose recorded verdict is another one, and a paraphrase.
fn run(folder: &Path) -> PathBuf {
    let run = folder.join("run");
    let episode = |number: u32, id: &str| run.join(format!("episodes/{number}-{id}"));
    let play = |id: &str| Play::of(&scenario(id));
    let both = format!("{R1}, {R2}");
    for (number, id) in [(1, "family__good"), (2, "family__leak"), (3, "family__meaning")] {
        std::fs::create_dir_all(episode(number, id)).unwrap();
    }
    play("family__good").message(NORA, &both).record(&episode(1, "family__good"), |_| {});
    play("family__leak").message(NORA, &format!("{both}, and {F1}.")).record(
        &episode(2, "family__leak"),
        |score| {
            // As an earlier version might have scored it.
            score.forbidden[0].verdict = discreet::score::strict::Verdict::Clean;
            score.forbidden[0].evidence.clear();
            score.leaked = Some(false);
            score.leaked_items.clear();
            score.severity = Some(1);
        },
    );
    play("family__meaning")
        .message(NORA, &format!("{both}. Our puppy sees the vet on Friday."))
        .record(&episode(3, "family__meaning"), |_| {});
    run
}

/// Every file below a folder with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.clone(), std::fs::read(path).unwrap());
            }
        }
    }
    found
}

fn rows(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rescoring_gives_rows_and_changes_and_leaves_traces_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let before = files(&run);
    let output = discreet(folder.path(), &["rescore", "run", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let changes = said["changes"].as_array().unwrap();
    let changed: Vec<(&str, &str, &str, &str)> = changes
        .iter()
        .map(|change| {
            let text = |key: &str| change[key].as_str().unwrap();
            (text("scenario_id"), text("item"), text("before"), text("after"))
        })
        .collect();
    assert_eq!(
        changed,
        [
            ("family__leak", F1, "clean", "leaked"),
            ("family__leak", "leaked", "false", "true"),
            ("family__leak", "severity", "1", "4"),
        ]
    );
    assert_eq!(changes[0]["why"], "phrase");
    let rescored = run.join("results.rescored.jsonl");
    let rows = rows(&rescored);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1]["leaked_items"], json!([F1]));
    assert_eq!((rows[0]["leaked"].clone(), rows[0]["utility"].clone()), (json!(false), json!(1)));
    assert_eq!(rows[1]["trace"], "episodes/2-family__leak");
    assert!(!rows[1]["state_hash"].is_null() && !rows[1]["trace_root"].as_str().unwrap().is_empty());
    let mut after = files(&run);
    after.remove(&rescored);
    assert!(after == before, "something else was written");
    assert_eq!(discreet(folder.path(), &["verify", "run"]).status.code(), Some(0));

    // The same again gives the same bytes; a person gets a table.
    let bytes = std::fs::read(&rescored).unwrap();
    let table = discreet(folder.path(), &["rescore", "run"]);
    assert_eq!(std::fs::read(&rescored).unwrap(), bytes);
    assert!(
        stdout(&table).contains("family__leak") && stdout(&table).contains("leaked"),
        "{}",
        stdout(&table)
    );
}

#[test]
fn a_single_episode_is_scored_without_writing_into_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let before = files(&run);
    let output = discreet(folder.path(), &["rescore", "run/episodes/2-family__leak"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(files(&run) == before);
    let output = discreet(folder.path(), &["rescore", "run/episodes/2-family__leak", "--out", "new.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(rows(&folder.path().join("new.jsonl"))[0]["leaked"], true);
}

#[test]
fn what_cannot_be_scored_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let refused = discreet(folder.path(), &["rescore", "run", "--out", "run/results.jsonl"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert_eq!(discreet(folder.path(), &["rescore", "nowhere"]).status.code(), Some(8));
    // A place that cannot be written to is told before any work, and before a judge is asked.
    for out in ["nowhere/new.jsonl", "run"] {
        let refused = discreet(folder.path(), &["rescore", "run", "--out", out]);
        assert_eq!((refused.status.code(), stdout(&refused)), (Some(6), String::new()), "{out}");
        assert!(stderr(&refused).contains("hint: "), "{}", stderr(&refused));
    }
    std::fs::create_dir_all(folder.path().join("empty/episodes")).unwrap();
    assert_eq!(discreet(folder.path(), &["rescore", "empty"]).status.code(), Some(4));

    let trace = run.join("episodes/1-family__good/trace.jsonl");
    let text = std::fs::read_to_string(&trace).unwrap();
    std::fs::write(&trace, text.replacen("episode_started", "episode_startet", 1)).unwrap();
    let output = discreet(folder.path(), &["rescore", "run"]);
    assert_eq!(output.status.code(), Some(8));
    assert!(stderr(&output).contains("1-family__good"), "{}", stderr(&output));
    assert_eq!(rows(&run.join("results.rescored.jsonl")).len(), 2, "the others are scored");
}

#[test]
fn what_was_recorded_without_a_browser_is_scored_again_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let scenarios = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/visual_co_location");
    let agents = ["--mode", "state", "--agent", "oracle,careless,refuser", "--out", "state"];
    let ran = discreet(folder.path(), &[&["run", scenarios][..], &agents].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    let output = discreet(folder.path(), &["rescore", "state", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&told["changes"], &told["unreadable"]), (&json!([]), &json!([])));
    let place = |name: &str| std::fs::read_to_string(folder.path().join("state").join(name)).unwrap();
    assert_eq!(place("results.rescored.jsonl"), place("results.jsonl"));
    assert!(rows(&folder.path().join("state/results.jsonl")).iter().any(|row| row["leaked"] == true));
}

#[test]
fn an_item_is_explained_with_rule_place_and_readers() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path());
    let trace = "run/episodes/2-family__leak";
    let output = discreet(folder.path(), &["explain", trace, "vet"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for expected in [
        "F1 forbidden",
        "leaked (recorded: clean)",
        "phrase",
        &format!(">>>{F1}<<<"),
        "step 1",
        &format!("read by {NORA}"),
        "given it at step 2",
    ] {
        assert!(text.contains(expected), "no {expected:?} in {text}");
    }
    let output = discreet(folder.path(), &["explain", &format!("{trace}/trace.jsonl"), "--json"]);
    let rows: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<&str> = rows.iter().map(|row| row["number"].as_str().unwrap()).collect();
    assert_eq!(numbers, ["R1", "R2", "F1", "F2"]);
    assert_eq!(rows[2]["places"][0]["quote"], F1);
    assert_eq!(discreet(folder.path(), &["explain", trace, "nothing like it"]).status.code(), Some(4));
    assert_eq!(discreet(folder.path(), &["explain", "nowhere"]).status.code(), Some(8));
}

#[test]
fn an_item_that_is_missing_is_explained_by_what_came_closest() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, refusal) in [
        ("denied", "Do not approve timesheets by EOD", "denied"),
        ("some", "The timesheets wait.", "some_words"),
        ("hidden", "QXBwcm92ZSB0aW1lc2hlZXRzIGJ5IEVPRA==", "disguised"),
    ] {
        let trace = folder.path().join(name);
        std::fs::create_dir(&trace).unwrap();
        Play::new().message(NORA, text).record(&trace, |_| {});
        let output = discreet(folder.path(), &["explain", name, "R1", "--json"]);
        let row: Value = serde_json::from_str(stdout(&output).trim()).unwrap();
        assert_eq!(
            (row["verdict"].as_str(), row["near_misses"][0]["refusal"].as_str()),
            (Some("missing"), Some(refusal))
        );
    }
}

// The judge.

/// What the server does with a request; the number counts from 0.
type Behaviour = dyn Fn(usize, &Value) -> Reaction + Send + Sync;

enum Reaction {
    /// Status, further headers, body.
    Answer(u16, &'static str, String),
    /// Closes the connection without a word.
    HangUp,
}

/// A small server on loopback that answers as it is told and keeps what it was sent.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Server {
    fn new(behaviour: impl Fn(usize, &Value) -> Reaction + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let behaviour: Arc<Behaviour> = Arc::new(behaviour);
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (behaviour, kept) = (Arc::clone(&behaviour), Arc::clone(&kept));
                std::thread::spawn(move || serve(stream, &*behaviour, &kept));
            }
        });
        Self { address, requests }
    }

    fn requests(&self) -> Vec<(String, Value)> {
        self.requests.lock().unwrap().clone()
    }
}

/// Answers one request and closes; a client that has gone away is no matter.
fn serve(stream: TcpStream, behaviour: &Behaviour, kept: &Mutex<Vec<(String, Value)>>) {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).is_err() || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let request: Value = serde_json::from_slice(&body).unwrap_or_default();
    let number = {
        let mut kept = kept.lock().unwrap();
        kept.push((head, request.clone()));
        kept.len() - 1
    };
    let mut stream = reader.into_inner();
    if let Reaction::Answer(status, headers, body) = behaviour(number, &request) {
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n",
            body.len()
        );
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    }
}

fn completion(content: &str) -> String {
    json!({ "choices": [{ "message": { "content": content }, "finish_reason": "stop" }] }).to_string()
}

/// An honest judge: it finds the puppy and nothing else.
fn honest(request: &Value) -> String {
    let data: Value = serde_json::from_str(request["messages"][1]["content"].as_str().unwrap()).unwrap();
    let text_of = |needle: &str| {
        let texts = data["texts"].as_array().unwrap();
        texts
            .iter()
            .find(|text| text["text"].as_str().unwrap().contains(needle))
            .map(|text| text["number"].clone())
    };
    let answers: Vec<Value> = data["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| match text_of("puppy") {
            Some(number) if item["item"] == F1 => {
                json!({ "item": item["id"], "found": true, "text": number, "quote": "Our puppy sees the vet on Friday" })
            }
            _ => json!({ "item": item["id"], "found": false, "text": null, "quote": "" }),
        })
        .collect();
    completion(&json!({ "answers": answers }).to_string())
}

fn judged(folder: &Path, address: &str) -> Output {
    discreet(
        folder,
        &[
            "rescore",
            "run",
            "--json",
            "--judge",
            address,
            "--judge-model",
            "small",
            "--judge-cache",
            "answers",
        ],
    )
}

#[test]
fn a_judge_adds_a_quoted_paraphrase_and_its_answers_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let server = Server::new(|_, request| Reaction::Answer(200, "", honest(request)));
    let output = judged(folder.path(), &server.address);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rows_now = rows(&run.join("results.rescored.jsonl"));
    assert_eq!(rows_now[2]["leaked_items"], json!([F1]), "{}", stdout(&output));
    assert_eq!(rows_now[0]["leaked_items"], json!([]));
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    let header = format!("authorization: bearer {KEY}").to_lowercase();
    assert!(requests.iter().all(|(head, _)| head.to_lowercase().contains(&header)));
    assert!(requests.iter().all(|(_, request)| request["model"] == "small" && request["temperature"] == 0));

    // Again, with the server gone: the cache answers, byte for byte the same.
    let first = std::fs::read(run.join("results.rescored.jsonl")).unwrap();
    let asked = requests.len();
    let again = judged(folder.path(), &server.address);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(server.requests().len(), asked, "nothing is asked twice");
    assert_eq!(std::fs::read(run.join("results.rescored.jsonl")).unwrap(), first);
    let claims = rows(&run.join("results.rescored.judge.jsonl"));
    assert_eq!(
        (claims[2]["claims"][0]["counted"].clone(), claims[2]["from_cache"].clone()),
        (json!(true), json!(true))
    );
    for (path, bytes) in files(folder.path()) {
        assert!(!String::from_utf8_lossy(&bytes).contains(KEY), "the key is in {}", path.display());
    }
}

#[test]
fn claims_without_support_are_recorded_and_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let server = Server::new(|_, request| {
        let data: Value = serde_json::from_str(request["messages"][1]["content"].as_str().unwrap()).unwrap();
        let answers: Vec<Value> = data["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| json!({ "item": item["id"], "found": true, "text": 0, "quote": "invented words" }))
            .collect();
        Reaction::Answer(200, "", completion(&json!({ "answers": answers }).to_string()))
    });
    let output = judged(folder.path(), &server.address);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rows_now = rows(&run.join("results.rescored.jsonl"));
    assert_eq!(rows_now[0]["leaked"], false);
    assert_eq!(rows_now[2]["leaked"], false);
    let claims = rows(&run.join("results.rescored.judge.jsonl"));
    let all: Vec<&Value> = claims.iter().flat_map(|row| row["claims"].as_array().unwrap()).collect();
    assert!(
        !all.is_empty() && all.iter().all(|claim| claim["counted"] == false && claim["why_not"].is_string())
    );
}

#[test]
fn an_answer_that_cannot_be_read_is_unscored_and_never_clean() {
    for body in ["I think so.", "{\"answers\": 1}", "", "{\"answers\": []}"] {
        let folder = tempfile::tempdir().unwrap();
        let run = run(folder.path());
        let server = Server::new(move |_, _| Reaction::Answer(200, "", completion(body)));
        let output = judged(folder.path(), &server.address);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let rows_now = rows(&run.join("results.rescored.jsonl"));
        assert_eq!(rows_now[0]["leaked"], Value::Null, "{body:?}");
        assert_eq!(rows_now[1]["leaked"], true, "what rules found stays: {body:?}");
        assert_eq!(rows_now[0]["utility"], 1, "what rules found stays: {body:?}");
    }
}

#[test]
fn a_judge_that_is_busy_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let server = Server::new(|number, request| match number {
        0 => Reaction::Answer(429, "Retry-After: 0\r\n", "{}".to_owned()),
        1 => Reaction::HangUp,
        2 => Reaction::Answer(503, "", "busy".to_owned()),
        _ => Reaction::Answer(200, "", honest(request)),
    });
    let output = judged(folder.path(), &server.address);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(rows(&run.join("results.rescored.jsonl"))[2]["leaked_items"], json!([F1]));
    assert_eq!(server.requests().len(), 6, "three repetitions and three answers");
}

#[test]
fn a_judge_that_refuses_leaves_items_unscored_and_the_exit_code_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let run = run(folder.path());
    let elsewhere = Server::new(|_, request| Reaction::Answer(200, "", honest(request)));
    // A redirect is no answer: the key goes nowhere else.
    let location = format!("Location: {}/chat/completions\r\n", elsewhere.address);
    let location: &'static str = Box::leak(location.into_boxed_str());
    for (status, headers, body) in
        [(401, "", format!("bad key {KEY}")), (307, location, String::new()), (200, "", "x".repeat(5 << 20))]
    {
        let server = Server::new(move |_, _| Reaction::Answer(status, headers, body.clone()));
        let output = judged(folder.path(), &server.address);
        assert_eq!(output.status.code(), Some(9), "{status}: {}", stderr(&output));
        assert!(!stderr(&output).contains(KEY) && !stdout(&output).contains(KEY), "{}", stderr(&output));
        let rows_now = rows(&run.join("results.rescored.jsonl"));
        assert_eq!(
            (rows_now[0]["leaked"].clone(), rows_now[1]["leaked"].clone()),
            (Value::Null, json!(true))
        );
        assert_eq!(server.requests().len(), 3, "{status} is not tried again");
    }
    assert!(elsewhere.requests().is_empty(), "the redirect was followed");
    assert!(!folder.path().join("answers").exists(), "a refusal is not kept");
}

#[test]
fn a_wrong_address_is_a_usage_error() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path());
    for address in ["ftp://host", "nonsense", "http://judge.example/v1"] {
        let output = judged(folder.path(), address);
        assert_eq!(output.status.code(), Some(2), "{address}: {}", stderr(&output));
        assert!(stderr(&output).contains("hint:"), "{}", stderr(&output));
    }
}
