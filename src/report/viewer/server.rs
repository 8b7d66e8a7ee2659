//! The viewer over HTTP, on loopback, behind a token.
//!
//! The token is the first part of every path, so links work without cookies, and a page of another
//! origin can neither guess nor read it. Requests for another host than loopback are refused, which
//! keeps a name that was pointed at 127.0.0.1 out.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use rand::Rng as _;

use super::episode::episode_view;
use super::library::{Library, blob};
use super::page::{SERVED_POLICY, script, served, style};
use super::search::scenario;
use crate::error::{Explain, Fault};

/// The viewer cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The port is taken or not allowed.
    #[error("listen on port {port}: {}", if source.kind() == std::io::ErrorKind::AddrInUse { "it is in use".to_owned() } else { source.to_string() })]
    Listen {
        /// Which.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Explain for ViewError {
    fn fault(&self) -> Fault {
        Fault::Environment
    }

    fn hint(&self) -> Option<String> {
        Some("choose another port, or 0 for any free one".to_owned())
    }
}

struct Shared {
    library: Library,
    token: String,
}

/// Serves the viewer on a port of 127.0.0.1 (0 for any free one) until `stop` ends. `announce` is given
/// the address to open.
///
/// # Errors
/// [`ViewError::Listen`].
pub async fn view(
    library: Library,
    port: u16,
    announce: impl FnOnce(&str),
    stop: impl Future<Output = ()>,
) -> Result<(), ViewError> {
    let failed = |source| ViewError::Listen { port, source };
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let mut random = [0_u8; 16];
    rand::rng().fill_bytes(&mut random);
    let token = hex::encode(random);
    let shared = Arc::new(Shared { library, token: token.clone() });
    announce(&format!("http://{address}/{token}/"));
    let serving = axum::serve(listener, router(shared));
    // Open requests are small files: ending without waiting for them loses nothing.
    tokio::select! {
        _ = serving.into_future() => {}
        () = stop => {}
    }
    Ok(())
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/{token}/", get(|| async { typed("text/html; charset=utf-8", served()) }))
        .route("/{token}/viewer.css", get(|| async { typed("text/css; charset=utf-8", style()) }))
        .route("/{token}/viewer.js", get(|| async { typed("text/javascript; charset=utf-8", script()) }))
        .route("/{token}/list.json", get(list))
        .route("/{token}/episode/{run}/{number}", get(episode))
        .route("/{token}/scenario/{id}", get(one_scenario))
        .route("/{token}/blob/{run}/{number}/{name}", get(one_blob))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

/// Lets only requests through that know the token and ask for loopback; sets the headers of all answers.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let given = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let mut response = if !is_loopback(request.headers()) {
        (StatusCode::MISDIRECTED_REQUEST, "this address is not served here\n").into_response()
    } else if !same(given.as_bytes(), shared.token.as_bytes()) {
        (StatusCode::FORBIDDEN, "open the address that `discreet view` printed\n").into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, SERVED_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

/// Whether a request names loopback as its host.
fn is_loopback(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "127.0.0.1" | "localhost")
}

/// Compares without telling by its duration where the difference is.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |sum, (one, other)| sum | (one ^ other)) == 0
}

fn typed(kind: &'static str, body: impl Into<axum::body::Body>) -> Response {
    ([(header::CONTENT_TYPE, kind)], body.into()).into_response()
}

fn json(value: &serde_json::Value) -> Response {
    typed("application/json", value.to_string())
}

/// Reads files where that holds no other request up.
async fn read<T: Send + 'static>(
    shared: Arc<Shared>,
    read: impl FnOnce(&Library) -> T + Send + 'static,
) -> Result<T, StatusCode> {
    tokio::task::spawn_blocking(move || read(&shared.library))
        .await
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}

async fn list(State(shared): State<Arc<Shared>>) -> Result<Response, StatusCode> {
    Ok(json(&read(shared, Library::list).await?))
}

async fn episode(
    State(shared): State<Arc<Shared>>,
    Path((_, run, number)): Path<(String, usize, u64)>,
) -> Result<Response, StatusCode> {
    let view =
        read(shared, move |library| library.episode(run, number).map(|folder| episode_view(&folder))).await?;
    view.map(|view| json(&view)).ok_or(StatusCode::NOT_FOUND)
}

async fn one_scenario(
    State(shared): State<Arc<Shared>>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, StatusCode> {
    let found = read(shared, move |library| scenario(library.search()?, &id)).await?;
    found.map(|scenario| json(&scenario)).ok_or(StatusCode::NOT_FOUND)
}

async fn one_blob(
    State(shared): State<Arc<Shared>>,
    Path((_, run, number, name)): Path<(String, usize, u64, String)>,
) -> Result<Response, StatusCode> {
    let found = read(shared, move |library| blob(&library.episode(run, number)?, &name)).await?;
    let (bytes, kind) = found.ok_or(StatusCode::NOT_FOUND)?;
    Ok(typed(kind, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_answered() {
        let host = |name: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_str(name).unwrap());
            is_loopback(&headers)
        };
        assert!(host("127.0.0.1:4000") && host("localhost:80"));
        assert!(!host("evil.example:4000") && !host("127.0.0.1.evil.example") && !host(""));
        assert!(!is_loopback(&HeaderMap::new()));
        assert!(same(b"abc", b"abc") && !same(b"abc", b"abd") && !same(b"abc", b"abcd"));
    }
}
