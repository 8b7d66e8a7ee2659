//! What the harness, or a person with the control token, may read of a workspace: the state in our form
//! and in OpenApps' forms, events, artifacts.

use axum::http::{Method, StatusCode};
use axum::response::Response;

use super::super::{Workspace, canonical_json, openapps};
use super::answer;
use crate::diff;

/// Whether an address is one of those that the control token opens.
pub(super) fn is_controlled(path: &str) -> bool {
    path.starts_with("/ctl/") || path == "/state" || openapps::PATHS.contains(&path)
}

/// Answers a request for a controlled address that carried the workspace's control token.
pub(super) fn answer(
    workspace: &Workspace,
    method: &Method,
    path: &str,
    query: &[(String, String)],
) -> Response {
    if method != Method::GET {
        return answer::notice(StatusCode::METHOD_NOT_ALLOWED, "Only reading", "These addresses answer GET.");
    }
    let json = match path {
        "/state" | "/ctl/state" => canonical_json(&*workspace.snapshot()),
        "/ctl/events" => {
            let since = query.iter().find(|(name, _)| name == "since").map_or("0", |(_, value)| value);
            let Ok(since) = since.parse::<u64>() else {
                let text = "The parameter since is the number of an event.";
                return answer::notice(StatusCode::BAD_REQUEST, "Not a number", text);
            };
            canonical_json(&workspace.events_since(since))
        }
        "/ctl/artifacts" => {
            // Events first: a write in between is then at worst missing its step, never invented.
            let events = workspace.events_since(0);
            canonical_json(&diff::disclosures(&workspace.initial(), &workspace.snapshot(), &events))
        }
        _ => {
            let Some(told) = openapps::read(&workspace.snapshot(), path) else {
                let text = "There are /ctl/state, /ctl/events and /ctl/artifacts.";
                return answer::notice(StatusCode::NOT_FOUND, "Nothing is here", text);
            };
            canonical_json(&told)
        }
    };
    json.map_or_else(
        |error| {
            tracing::error!(%error, "failed to write a control answer as JSON");
            answer::notice(StatusCode::INTERNAL_SERVER_ERROR, "No answer", "The state has no JSON form.")
        },
        answer::json,
    )
}
