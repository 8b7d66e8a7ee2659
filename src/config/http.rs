//! The one way to make a client for a provider of models.

use std::time::Duration;

/// A client that never follows a redirect, so that a key goes to the host it was given for and to
/// no other, and that gives up on a connection soon. Deadlines of whole requests are the caller's.
/// A server on this machine is reached directly, whatever proxy the environment names.
///
/// # Errors
/// What `reqwest` says when the system has no usable certificates.
pub fn http_client(base_url: &str) -> reqwest::Result<reqwest::Client> {
    let builder = reqwest::Client::builder();
    let builder = if is_loopback(base_url) { builder.no_proxy() } else { builder };
    builder
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .user_agent(concat!("discreet/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Whether an address is one of this machine's own.
#[must_use]
pub fn is_loopback(url: &str) -> bool {
    let host = reqwest::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
    host.is_some_and(|host| {
        let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    })
}

/// Reads a body up to `limit` bytes; the second part says whether there was more.
///
/// # Errors
/// What `reqwest` says when the connection breaks.
pub async fn bounded_body(mut response: reqwest::Response, limit: usize) -> reqwest::Result<(Vec<u8>, bool)> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        let room = limit.saturating_sub(body.len());
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            return Ok((body, true));
        }
    }
    Ok((body, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_loopback() {
        for own in ["http://127.0.0.1:8080/v1", "http://localhost", "http://[::1]:1/"] {
            assert!(is_loopback(own), "{own}");
        }
        for other in ["https://api.example.org/v1", "http://127.0.0.1.example.org", "localhost", ""] {
            assert!(!is_loopback(other), "{other}");
        }
    }
}
