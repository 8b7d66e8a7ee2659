//! Responses, and the headers every one of them carries.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

/// Nothing but the workspace's own styles, scripts and images; no inline script, no frame, no
/// plug-in, no other origin.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
     img-src 'self' data:; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; \
     connect-src 'self'";

/// How long a browser may keep an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caching {
    /// Not at all: a page of a state that changes.
    Never,
    /// For good: a file of this program, for a browser that lives no longer than the program.
    Immutable,
    /// It has to ask each time: a file of this program, for a person's browser, which will see
    /// later versions of it.
    Ask,
}

/// A response with the headers every response carries.
pub(super) fn respond(
    status: StatusCode,
    content_type: &'static str,
    caching: Caching,
    body: impl Into<Body>,
) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let caching = match caching {
        Caching::Never => "no-store",
        Caching::Immutable => "public, max-age=31536000, immutable",
        Caching::Ask => "no-cache",
    };
    let fields: [(HeaderName, &'static str); 7] = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fields {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A page.
pub(super) fn page(status: StatusCode, html: String) -> Response {
    respond(status, "text/html; charset=utf-8", Caching::Never, html)
}

/// See-other to an address of the workspace; an address that cannot stand in a header is a fault
/// of the page that made it.
pub(super) fn redirect(target: &str) -> Option<Response> {
    let target = HeaderValue::from_str(target).ok()?;
    let mut response = page(StatusCode::SEE_OTHER, String::new());
    response.headers_mut().insert(header::LOCATION, target);
    Some(response)
}

/// JSON for the harness.
pub(super) fn json(text: String) -> Response {
    respond(StatusCode::OK, "application/json", Caching::Never, text)
}

/// A plain page of the server's own: what is wrong and what to do, both without markup.
pub(super) fn notice(status: StatusCode, title: &str, text: &str) -> Response {
    page(
        status,
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
             <body><main><h1>{title}</h1><p>{text}</p></main></body>\n</html>\n"
        ),
    )
}
