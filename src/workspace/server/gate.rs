//! Every request comes through here: what form it has, which workspace it means, whether it may.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::uri::Uri;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use tokio::time::Instant;

use super::super::pages::{self, Answer, Look, Posted};
use super::super::{ApplyError, Workspace};
use super::answer::{self, Caching};
use super::registry::{Door, Entry};
use super::{CONTROL_HEADER, COOKIE, HOST, ORIGIN, control, decode};
use crate::error::Deadline;

/// Bytes of a form; the longest text that a field takes fits in, percent-encoded.
const BODY_LIMIT: usize = 2 * 1024 * 1024;
/// How long a form may take to arrive, in milliseconds.
const BODY_DEADLINE_MS: u64 = 10_000;

/// How a request reached the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As a proxy's client asks, for the workspace's own origin.
    Proxied,
    /// Straight to the loopback address.
    Direct,
}

/// Answers one request.
pub(super) async fn handle(State(door): State<Door>, request: axum::extract::Request) -> Response {
    let (parts, body) = request.into_parts();
    let token = cookie(&parts.headers, COOKIE);
    let told = token.as_deref().and_then(|token| door.registry.entry(token));
    let way = match way(&door, &parts) {
        Ok(way) => way,
        Err(reason) => return refuse(&door, &parts, told.as_ref(), reason),
    };
    // A door of one workspace leads to no other, whatever the cookie says.
    let told = match door.only() {
        Some(only) => told.filter(|entry| Arc::ptr_eq(entry, &only)),
        None => told,
    };
    let Some(path) = decode::path(parts.uri.path()) else {
        return answer::notice(StatusCode::BAD_REQUEST, "Unreadable address", "The address is not UTF-8.");
    };
    let Some(query) = decode::pairs(parts.uri.query().unwrap_or_default().as_bytes()) else {
        return answer::notice(
            StatusCode::BAD_REQUEST,
            "Unreadable address",
            "The address has too many parts.",
        );
    };
    if way == Way::Direct {
        if control::is_controlled(&path) {
            return control_answer(&door, &parts, &path, &query);
        }
        if let Some(token) = path.strip_prefix("/enter/") {
            return enter(&door, &parts.method, token);
        }
    }
    let Some(entry) = told else {
        if way == Way::Proxied {
            return refuse(&door, &parts, None, "no workspace was named by a cookie");
        }
        let text =
            "Open the address that discreet printed when it started; it holds the key to the workspace.";
        return answer::notice(StatusCode::FORBIDDEN, "Which workspace?", text);
    };
    let in_flight = entry.begin();
    let asked = Asked { way, path, query };
    // The fixed wait of the variation. The request counts as being answered meanwhile.
    let latency = Duration::from_millis(u64::from(entry.workspace.variation().latency_ms));
    let due = Instant::now() + latency;
    let response = match parts.method {
        Method::GET | Method::HEAD => read(&entry, asked).await,
        Method::POST => write(&entry, asked, &parts, body).await,
        _ => {
            let text = "Pages are read with GET and forms are sent with POST.";
            let mut response = answer::notice(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed", text);
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST"));
            response
        }
    };
    if !latency.is_zero() {
        tokio::time::sleep_until(due).await;
    }
    drop(in_flight);
    response
}

/// What of a request the pages see, and how it came.
#[derive(Debug)]
struct Asked {
    way: Way,
    path: String,
    query: Vec<(String, String)>,
}

impl Asked {
    fn request(&self, workspace: &Workspace) -> pages::Request<'_> {
        let look = Look { variation: *workspace.variation(), popup_open: workspace.is_popup_open() };
        pages::Request { path: &self.path, query: &self.query, look }
    }
}

/// Tells a proxy's request for the workspace and a direct one from everything else, which is
/// refused with the reason.
fn way(door: &Door, parts: &Parts) -> Result<Way, &'static str> {
    if parts.method == Method::CONNECT {
        return Err("a tunnel to another server");
    }
    let hosts: Vec<&HeaderValue> = parts.headers.get_all(header::HOST).iter().collect();
    let [host] = hosts.as_slice() else {
        return Err("not exactly one Host header");
    };
    let host = host.to_str().map_err(|_| "a Host header that is no text")?;
    if parts.uri.authority().is_some() {
        if !is_workspace(&parts.uri) {
            return Err("another host than the workspace's");
        }
        if !host.eq_ignore_ascii_case(HOST) && !host.eq_ignore_ascii_case(&format!("{HOST}:80")) {
            return Err("a Host header of another host");
        }
        return Ok(Way::Proxied);
    }
    let port = door.address.port();
    let loopback = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    if loopback.iter().any(|name| host.eq_ignore_ascii_case(name)) {
        Ok(Way::Direct)
    } else {
        Err("a Host header of another host")
    }
}

fn is_workspace(uri: &Uri) -> bool {
    let port = uri.port_u16().unwrap_or(80);
    let no_user = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
    let host = uri.host().is_some_and(|host| host.eq_ignore_ascii_case(HOST));
    uri.scheme_str() == Some("http") && host && port == 80 && no_user
}

fn refuse(door: &Door, parts: &Parts, told: Option<&Arc<Entry>>, reason: &str) -> Response {
    let only = door.only();
    door.registry.note_blocked(only.as_ref().or(told), parts.method.as_str(), &parts.uri.to_string(), reason);
    let text = "This address is not part of the workspace, and nothing else can be reached from here.";
    answer::notice(StatusCode::FORBIDDEN, "Not reachable", text)
}

fn control_answer(door: &Door, parts: &Parts, path: &str, query: &[(String, String)]) -> Response {
    let token = parts.headers.get(CONTROL_HEADER).and_then(|value| value.to_str().ok());
    let entry = token.and_then(|token| door.registry.controlled_entry(token));
    let entry = match door.only() {
        Some(only) => entry.filter(|entry| Arc::ptr_eq(entry, &only)),
        None => entry,
    };
    let Some(entry) = entry else {
        let text = "These addresses are for the harness that holds the control token.";
        return answer::notice(StatusCode::FORBIDDEN, "Not for pages", text);
    };
    control::answer(&entry.workspace, &parts.method, path, query)
}

/// Sets the cookie for a person's browser and leads to the first page.
fn enter(door: &Door, method: &Method, token: &str) -> Response {
    let entry = door.registry.entry(token).filter(|_| method == Method::GET);
    let cookie = entry.and_then(|entry| {
        let value = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", entry.token());
        HeaderValue::from_str(&value).ok()
    });
    let (Some(cookie), Some(mut response)) = (cookie, answer::redirect("/")) else {
        let text = "This key opens no workspace of this server. Open the address that discreet printed last.";
        return answer::notice(StatusCode::FORBIDDEN, "Which workspace?", text);
    };
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response
}

async fn read(entry: &Arc<Entry>, asked: Asked) -> Response {
    let way = asked.way;
    let workspace = Arc::clone(&entry.workspace);
    let answered = render(&workspace, move |workspace| {
        let request = asked.request(workspace);
        if let Some(command) = pages::visit(&workspace.snapshot(), &request)
            && let Err(error) = workspace.apply(&command)
        {
            // Two looks at once: the second finds nothing to note. A failed write stops the workspace.
            tracing::debug!(%error, "a visit was not noted");
        }
        pages::get(&workspace.snapshot(), &request)
    })
    .await;
    match answered {
        Some(Answer::Page { status, html }) => {
            answer::page(StatusCode::from_u16(status).unwrap_or(StatusCode::OK), html)
        }
        Some(Answer::Asset { content_type, bytes }) => {
            let caching = if way == Way::Proxied { Caching::Immutable } else { Caching::Ask };
            answer::respond(StatusCode::OK, content_type, caching, bytes.into_owned())
        }
        Some(Answer::Redirect(target)) => redirect(&workspace, &target),
        Some(Answer::NotFound(html)) => answer::page(StatusCode::NOT_FOUND, html),
        None => failed(),
    }
}

async fn write(entry: &Arc<Entry>, asked: Asked, parts: &Parts, body: Body) -> Response {
    if !is_same_origin(asked.way, &parts.headers) {
        let method = parts.method.as_str();
        entry.note_blocked(method, &parts.uri.to_string(), "a form sent by another site");
        let text = "This form was sent by another site.";
        return answer::notice(StatusCode::FORBIDDEN, "Not accepted", text);
    }
    let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        let text = "Forms are sent as application/x-www-form-urlencoded.";
        return answer::notice(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Not a form", text);
    }
    let arriving = to_bytes(body, BODY_LIMIT);
    let bytes = match Deadline::after_ms(BODY_DEADLINE_MS).race("a form to arrive", arriving).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            let text = "A form holds at most 2 MB. Go back and shorten it.";
            return answer::notice(StatusCode::PAYLOAD_TOO_LARGE, "Too long", text);
        }
        Err(_) => {
            let text = "The form did not arrive in time.";
            return answer::notice(StatusCode::REQUEST_TIMEOUT, "Too slow", text);
        }
    };
    let Some(form) = decode::pairs(&bytes) else {
        return answer::notice(StatusCode::BAD_REQUEST, "Unreadable form", "The form has too many fields.");
    };
    let workspace = Arc::clone(&entry.workspace);
    let written = render(&workspace, move |workspace| submit(workspace, &asked, &form)).await;
    match written {
        Some(Written::Then(target)) => redirect(&workspace, &target),
        Some(Written::Again(html)) => answer::page(StatusCode::UNPROCESSABLE_ENTITY, html),
        Some(Written::Nowhere(html)) => answer::page(StatusCode::NOT_FOUND, html),
        Some(Written::Failed) | None => failed(),
    }
}

/// What became of a form.
#[derive(Debug)]
enum Written {
    /// Done; go there.
    Then(String),
    /// The form again, with what is wrong.
    Again(String),
    /// Nothing takes forms there.
    Nowhere(String),
    /// The store failed.
    Failed,
}

fn submit(workspace: &Workspace, asked: &Asked, form: &[(String, String)]) -> Written {
    let state = workspace.snapshot();
    let request = asked.request(workspace);
    match pages::post(&state, &request, form) {
        Posted::Command { command, then } => match workspace.apply(&command) {
            Ok(applied) => Written::Then(then.replace("{entity}", &applied.entity)),
            Err(ApplyError::Rejected(error)) => {
                let language = workspace.variation().language.name();
                Written::Again(pages::rejected(&state, &request, form, &error.message_in(language)))
            }
            Err(ApplyError::Failed(error)) => {
                tracing::error!(%error, "failed to record a command");
                Written::Failed
            }
        },
        Posted::PopupClosed { then } => {
            workspace.close_popup();
            Written::Then(then)
        }
        Posted::Invalid { html } => Written::Again(html),
        Posted::NotFound(html) => Written::Nowhere(html),
    }
}

/// Runs page code away from the threads that serve connections. `None` when it panicked, which is
/// noted as the workspace's failure.
async fn render<T: Send + 'static>(
    workspace: &Arc<Workspace>,
    work: impl FnOnce(&Workspace) -> T + Send + 'static,
) -> Option<T> {
    let shared = Arc::clone(workspace);
    match tokio::task::spawn_blocking(move || work(&shared)).await {
        Ok(done) => Some(done),
        Err(error) => {
            workspace.note_failure(&format!("answer a request: a page failed ({error})"));
            None
        }
    }
}

fn redirect(workspace: &Workspace, target: &str) -> Response {
    answer::redirect(target).unwrap_or_else(|| {
        workspace.note_failure("answer a request: a page leads to an address that cannot be sent");
        failed()
    })
}

fn failed() -> Response {
    let text = "The workspace could not do that. What was saved before is kept.";
    answer::notice(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong", text)
}

/// Whether a form was sent by a page of the workspace: `Origin` says so, else `Referer`, else the
/// browser's own `Sec-Fetch-Site`.
fn is_same_origin(way: Way, headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default());
    let own = match way {
        Way::Proxied => ORIGIN.to_owned(),
        Way::Direct => format!("http://{}", text(header::HOST).unwrap_or_default()),
    };
    if let Some(origin) = text(header::ORIGIN) {
        return origin.eq_ignore_ascii_case(&own);
    }
    if let Some(referer) = text(header::REFERER) {
        let rest = referer.get(..own.len()).filter(|start| start.eq_ignore_ascii_case(&own));
        return rest.is_some()
            && matches!(referer.as_bytes().get(own.len()), None | Some(b'/' | b'?' | b'#'));
    }
    headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin")
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.to_owned())
}
