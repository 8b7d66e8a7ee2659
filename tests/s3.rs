//! Runs in S3-compatible storage, against a real server: moto's, started by the test. Without it on the
//! `PATH`, or named by `DISCREET_MOTO`, the tests are skipped with a message.
#![cfg(all(feature = "s3", feature = "browser"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use support::runs::{Place, errand, holds, lasting, lines, text};

const CANARY: &str = "s3-canary-41d0e7";

/// A server with a bucket named `runs`.
struct Storage {
    child: Child,
    address: String,
}

impl Storage {
    fn start() -> Option<Self> {
        let program = std::env::var("DISCREET_MOTO").unwrap_or_else(|_| "moto_server".to_owned());
        let started = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut child) = started else {
            support::skip("no moto_server (pip install 'moto[server]', or DISCREET_MOTO)");
            return None;
        };
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut address = String::new();
        let mut line = String::new();
        while address.is_empty() && said.read_line(&mut line).unwrap() > 0 {
            if let Some((_, rest)) = line.split_once("http://") {
                rest.split_whitespace().next().unwrap().trim_end_matches('/').clone_into(&mut address);
            }
            line.clear();
        }
        assert!(!address.is_empty(), "the server does not say where it is");
        // Nobody reads what it says, and a full pipe would stop it.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let storage = Self { child, address };
        assert!(storage.ask("PUT", "/runs").contains("200 OK"));
        Some(storage)
    }

    /// Asks without a signature, which this server does not mind.
    fn ask(&self, method: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        // The server asks who deletes, and believes every signature.
        let who = "AWS4-HMAC-SHA256 Credential=discreet/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0";
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: {who}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        text(&answer)
    }

    /// Names of all objects below a prefix.
    fn names(&self, prefix: &str) -> Vec<String> {
        let answer = self.ask("GET", &format!("/runs?list-type=2&prefix={prefix}"));
        let keys = answer.split("<Key>").skip(1);
        keys.map(|rest| rest.split("</Key>").next().unwrap().to_owned()).collect()
    }

    /// The binary with keys for this server.
    fn command(&self, place: &Place, arguments: &[&str]) -> Command {
        let mut command = place.command(support::binary());
        command
            .args(arguments)
            .env("AWS_ENDPOINT_URL", format!("http://{}", self.address))
            .env("AWS_ACCESS_KEY_ID", "discreet")
            .env("AWS_SECRET_ACCESS_KEY", CANARY)
            .env("AWS_REGION", "eu-central-1");
        command
    }

    fn discreet(&self, place: &Place, arguments: &[&str], code: i32) -> (String, String) {
        let output = self.command(place, arguments).output().unwrap();
        let (printed, told) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(!printed.contains(CANARY) && !told.contains(CANARY), "{arguments:?}: {told}");
        (printed, told)
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn place() -> Place {
    let place = Place::new();
    for id in ["one", "two", "three"] {
        place.scenario(&errand(id));
    }
    place
}

const AGENTS: [&str; 6] = ["--agent", "oracle,refuser", "--mode", "state", "--jobs", "2"];

fn run<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["run", "scenarios", "--out", out];
    arguments.extend(AGENTS);
    arguments.extend(more);
    arguments
}

/// The summaries of a report of runs.
fn report(storage: &Storage, place: &Place, runs: &[&str]) -> Value {
    let mut arguments = vec!["report", "--json", "--resamples", "100"];
    arguments.extend(runs);
    let (printed, _) = storage.discreet(place, &arguments, 0);
    serde_json::from_str::<Value>(&printed).unwrap()["summaries"].take()
}

#[test]
fn a_run_in_storage_is_read_like_one_on_disk() {
    let Some(storage) = Storage::start() else { return };
    let place = place();
    let (_, told) = storage.discreet(&place, &run("s3://runs/nightly/a", &[]), 0);
    assert!(told.contains("copied to s3://runs/nightly/a"), "{told}");
    let local = "runs/s3-runs-nightly-a";
    let names = storage.names("nightly/a/");
    for name in ["run.json", "results.jsonl"] {
        assert!(names.contains(&format!("nightly/a/{name}")), "{names:?}");
    }
    assert_eq!(names.iter().filter(|name| name.ends_with("/trace.jsonl")).count(), 6, "{names:?}");
    let whole = report(&storage, &place, &[local]);
    assert!(whole.as_array().is_some_and(|summaries| !summaries.is_empty()), "{whole}");
    assert_eq!(report(&storage, &place, &["s3://runs/nightly/a"]), whole);
    let (printed, _) = storage.discreet(&place, &["verify", "s3://runs/nightly/a"], 0);
    assert_eq!(printed.lines().filter(|line| line.starts_with("ok ")).count(), 6, "{printed}");
    let compared =
        ["compare", "s3://runs/nightly/a", local, "--left", "agent=oracle", "--right", "agent=refuser"];
    storage.discreet(&place, &compared, 0);
    storage.discreet(&place, &["view", "s3://runs/nightly/a", "--export", "view.html"], 0);
    assert!(std::fs::metadata(place.path("view.html")).unwrap().len() > 10_000);
    // A second run does not go over the first, and an unknown one is told.
    let (_, told) = storage.discreet(&place, &run("s3://runs/nightly/a", &[]), 2);
    assert!(told.contains("it holds one already") && told.contains("--resume"), "{told}");
    let (_, told) = storage.discreet(&place, &["report", "s3://runs/nowhere"], 8);
    assert!(told.contains("there is no run"), "{told}");
    assert_eq!(holds(&place.path("."), CANARY.as_bytes()), None);
    place.nothing_is_left(Duration::ZERO);
}

#[test]
fn shards_in_storage_are_joined_in_storage() {
    let Some(storage) = Storage::start() else { return };
    let place = place();
    storage.discreet(&place, &run("whole", &[]), 0);
    for index in 1..=3 {
        let (out, shard) = (format!("s3://runs/shards/{index}"), format!("{index}/3"));
        storage.discreet(&place, &run(&out, &["--shard", &shard]), 0);
    }
    let shards = ["s3://runs/shards/3", "s3://runs/shards/1", "s3://runs/shards/2"];
    let mut arguments = vec!["merge", "--out", "s3://runs/shards/joined"];
    arguments.extend(shards);
    storage.discreet(&place, &arguments, 0);
    let joined = lines(&place.path("runs/s3-runs-shards-joined/results.jsonl"));
    assert_eq!(lasting(&joined), lasting(&place.rows("whole")));
    assert_eq!(report(&storage, &place, &["s3://runs/shards/joined"]), report(&storage, &place, &["whole"]));
    storage.discreet(&place, &["verify", "s3://runs/shards/joined"], 0);
}

#[test]
fn a_run_is_gone_on_with_on_another_machine() {
    let Some(storage) = Storage::start() else { return };
    let place = place();
    storage.discreet(&place, &run("s3://runs/moved", &[]), 0);
    let local = place.path("runs/s3-runs-moved");
    let before = lasting(&lines(&local.join("results.jsonl")));
    // The machine is gone, and with it what was not copied: here two episodes and the results.
    let names = storage.names("moved/");
    let lost = |name: &str| name.contains("/2-") || name.contains("/5-") || name.ends_with("results.jsonl");
    for name in names.iter().filter(|name| lost(name)) {
        // Of one episode the trace is missing only, as after a copy that was cut off.
        if !name.contains("/5-") || name.ends_with("trace.jsonl") {
            let answer = storage.ask("DELETE", &format!("/runs/{name}"));
            assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
        }
    }
    std::fs::remove_dir_all(&local).unwrap();
    let (_, told) = storage.discreet(&place, &run("s3://runs/moved", &["--resume"]), 0);
    assert!(told.contains("4 of 6 episodes are there already"), "{told}");
    assert_eq!(lasting(&lines(&local.join("results.jsonl"))), before);
    storage.discreet(&place, &["verify", "s3://runs/moved"], 0);
    // Gone on with once more, everything is there and stays.
    let count = storage.names("moved/").len();
    storage.discreet(&place, &run("s3://runs/moved", &["--resume"]), 0);
    assert_eq!(storage.names("moved/").len(), count);
}

#[test]
fn a_storage_that_is_away_costs_no_episode() {
    let Some(storage) = Storage::start() else { return };
    let place = place();
    // Nobody is there while the run starts: nothing is begun.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut away = storage.command(&place, &run("s3://runs/late", &[]));
    let output = away.env("AWS_ENDPOINT_URL", format!("http://{free}")).output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{told}");
    assert!(told.contains("hint: check address, keys and network") && !told.contains(CANARY), "{told}");
    assert!(!Path::new(&place.path("runs")).exists());
    // It goes away while the run goes on: the run is whole here, and is copied when asked again.
    let file = place.write(
        "go.sh",
        "while [ ! -e go ]; do /bin/sleep 0.05; done; read -r a; read -r b; echo '{\"completed\": false}'",
    );
    let agent = format!("exec:sh {}", file.display());
    let arguments =
        ["run", "scenarios", "--out", "s3://runs/late", "--agent", &agent, "--mode", "state", "--jobs", "1"];
    let mut going = storage.command(&place, &arguments).spawn().unwrap();
    support::eventually("the run has begun", Duration::from_secs(60), || {
        place.path("runs/s3-runs-late/run.json").exists()
    });
    let Storage { address, .. } = &storage;
    let address = address.clone();
    drop(storage);
    place.write("go", "");
    let status = going.wait().unwrap();
    assert_eq!(status.code(), Some(6), "it says that it could not copy");
    assert_eq!(lines(&place.path("runs/s3-runs-late/results.jsonl")).len(), 3);
    assert_eq!(place.discreet(&["verify", "runs/s3-runs-late"]).status.code(), Some(0));
    let Some(storage) = Storage::start() else { return };
    assert_ne!(storage.address, address);
    let mut again = arguments.to_vec();
    again.push("--resume");
    storage.discreet(&place, &again, 0);
    storage.discreet(&place, &["verify", "s3://runs/late"], 0);
    assert_eq!(storage.names("late/").iter().filter(|name| name.ends_with("/trace.jsonl")).count(), 3);
}

#[test]
fn what_is_no_address_or_lacks_a_key_is_a_wrong_command_line() {
    let place = place();
    for out in ["s3://", "s3://bucket", "s3://bucket/../x"] {
        let output = place.discreet(&run(out, &[]));
        assert_eq!(output.status.code(), Some(2), "{out}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("hint: write `s3://bucket/some/run`"), "{out}");
    }
    let ask = |variables: &[(&str, &str)]| {
        let mut command = place.command(support::binary());
        for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"]
        {
            command.env_remove(name);
        }
        let output = command.args(run("s3://runs/x", &[])).envs(variables.to_vec()).output().unwrap();
        (output.status.code(), text(&output.stderr))
    };
    let (code, told) = ask(&[("AWS_ACCESS_KEY_ID", "discreet")]);
    assert!(code == Some(2) && told.contains("`AWS_SECRET_ACCESS_KEY` is not set"), "{told}");
    let keys = [("AWS_ACCESS_KEY_ID", "discreet"), ("AWS_SECRET_ACCESS_KEY", CANARY)];
    let (code, told) = ask(&[keys[0], keys[1], ("AWS_ENDPOINT_URL", "http://storage.example.org")]);
    assert!(code == Some(2) && told.contains("is no https address") && !told.contains(CANARY), "{told}");
    assert!(!place.path("runs").exists());
}
