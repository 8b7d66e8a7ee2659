//! Spans of a run arrive at an OpenTelemetry collector, and hold nothing of what was seen or said.
#![cfg(all(feature = "otel", feature = "browser"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "agents/model_server.rs"]
#[allow(dead_code, reason = "a model's server can do more than a collector")]
mod model_server;
mod support;

use std::collections::BTreeMap;

use model_server::{ModelServer, answer};
use serde_json::Value;
use support::runs::{Place, errand, text};

/// All spans of all requests.
fn spans(requests: &[model_server::Received]) -> Vec<Value> {
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let resources = requests.iter().flat_map(|request| list(&request.body, "resourceSpans"));
    let scopes = resources.flat_map(|resource| list(&resource, "scopeSpans"));
    scopes.flat_map(|scope| list(&scope, "spans")).collect()
}

fn attributes(span: &Value) -> BTreeMap<String, String> {
    let list = span["attributes"].as_array().cloned().unwrap_or_default();
    let pair = |attribute: Value| {
        let value = attribute["value"].as_object().unwrap().values().next().unwrap().clone();
        (
            attribute["key"].as_str().unwrap().to_owned(),
            value.as_str().map_or(value.to_string(), str::to_owned),
        )
    };
    list.into_iter().map(pair).collect()
}

#[test]
fn a_collector_gets_run_episodes_and_replies_and_no_content() {
    let collector = ModelServer::start(|_, _| answer(200, "content-type: application/json\r\n", "{}"));
    let place = Place::new();
    place.scenario(&errand("first__one"));
    place.scenario(&errand("second__one"));
    let output = place
        .command(support::binary())
        .args(["run", "scenarios", "--agent", "oracle", "--mode", "state", "--out", "out"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{}", collector.address))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let requests = collector.received();
    assert!(requests.iter().all(|request| request.path == "/v1/traces"), "{:?}", requests[0].path);
    let spans = spans(&requests);
    let named = |name: &str| -> Vec<&Value> { spans.iter().filter(|span| span["name"] == name).collect() };
    let (runs, episodes, replies) = (named("run"), named("episode"), named("reply"));
    assert_eq!((runs.len(), episodes.len(), replies.len()), (1, 2, 2), "{spans:#?}");
    for episode in &episodes {
        assert_eq!(episode["parentSpanId"], runs[0]["spanId"], "{episode:#}");
        let attributes = attributes(episode);
        assert_eq!(attributes["agent"], "oracle");
        assert_eq!(attributes["outcome"], "finished");
        assert!(attributes["scenario"].ends_with("__one"), "{attributes:?}");
    }
    let parents: Vec<&Value> = episodes.iter().map(|episode| &episode["spanId"]).collect();
    assert!(replies.iter().all(|reply| parents.contains(&&reply["parentSpanId"])), "{replies:#?}");
    let sent: String = requests.iter().map(|request| request.body.to_string()).collect();
    for content in ["Vet appointment", "Approve timesheets", "What is left"] {
        assert!(!sent.contains(content), "{content}");
    }
}

#[test]
fn a_collector_that_is_away_is_told_and_costs_nothing_else() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let place = Place::new();
    place.scenario(&errand("only__one"));
    let output = place
        .command(support::binary())
        .args(["run", "scenarios", "--agent", "oracle", "--mode", "state", "--out", "out"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{free}"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(place.rows("out")[0]["outcome"], "finished");
}
