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

/// Why the base address of a provider is not used. It reads behind a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// It cannot be read.
    #[error("it is no address")]
    NoAddress,
    /// It leads to no server over HTTP.
    #[error("it is neither http nor https")]
    Scheme,
    /// It holds a name or a password.
    #[error("a name or password does not belong there")]
    Password,
    /// It holds more than a host and a path.
    #[error("it has a query or fragment")]
    Query,
    /// A key would be sent to another machine for everybody on the way to read.
    #[error("the key would travel unencrypted to another machine")]
    Unencrypted,
}

/// Checks the base address of a provider, and returns it without a slash at the end.
///
/// # Errors
/// [`BadAddress`].
pub fn base_address(url: &str, has_key: bool) -> Result<String, BadAddress> {
    let url = url.trim();
    let parsed = reqwest::Url::parse(url).map_err(|_| BadAddress::NoAddress)?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(BadAddress::Scheme);
    }
    if parsed.host_str().is_none() {
        return Err(BadAddress::NoAddress);
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(BadAddress::Password);
    }
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err(BadAddress::Query);
    }
    if has_key && parsed.scheme() == "http" && !is_loopback(url) {
        return Err(BadAddress::Unencrypted);
    }
    Ok(url.trim_end_matches('/').to_owned())
}

/// An address as it may be shown: what stands before an `@` could be a password.
#[must_use]
pub fn without_password(url: &str) -> String {
    match url.rsplit_once('@') {
        Some((_, host)) => format!("…@{host}"),
        None => url.to_owned(),
    }
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
    fn an_address_is_checked_before_a_key_goes_there() {
        for (url, has_key, expected) in [
            ("http://127.0.0.1:8080/v1/", true, Ok("http://127.0.0.1:8080/v1")),
            (" https://eu.example.org/v1 ", true, Ok("https://eu.example.org/v1")),
            ("http://lan-host:8080/v1", false, Ok("http://lan-host:8080/v1")),
            ("http://lan-host:8080/v1", true, Err(BadAddress::Unencrypted)),
            ("not an address", false, Err(BadAddress::NoAddress)),
            ("ftp://host/v1", false, Err(BadAddress::Scheme)),
            ("https://me:hunter2@host/v1", false, Err(BadAddress::Password)),
            ("https://me@host/v1", false, Err(BadAddress::Password)),
            ("https://host/v1?key=1", false, Err(BadAddress::Query)),
            ("https://host/v1#key", false, Err(BadAddress::Query)),
        ] {
            assert_eq!(base_address(url, has_key).as_deref(), expected.as_ref().copied(), "{url}");
        }
        assert_eq!(without_password("https://me:hunter2@host/v1"), "…@host/v1");
        assert_eq!(without_password("https://host/v1"), "https://host/v1");
    }

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
