//! What the harness may read of a workspace: state, events, artifacts.

use axum::http::{Method, StatusCode};
use axum::response::Response;

use super::super::{Workspace, canonical_json};
use super::answer;
use crate::diff;

/// Answers a request below `/ctl/` that carried the workspace's control token.
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
        "/ctl/state" => canonical_json(&*workspace.snapshot()),
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
            let text = "There are /ctl/state, /ctl/events and /ctl/artifacts.";
            return answer::notice(StatusCode::NOT_FOUND, "Nothing is here", text);
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
