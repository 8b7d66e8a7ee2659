//! Which addresses a page may reach.
//!
//! The wall proper is the proxy: the browser sends every request to the workspace server, which
//! answers for the workspace's origin and refuses the rest. This type is the same rule for two
//! other places: the action layer, which must not let an agent open `file:` or `chrome:` (those
//! need no network), and the listener, which records what pages tried.

/// The origins that may be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wall {
    /// One origin, such as `http://openapps.test`, and nothing else.
    Origin(String),
    /// Any loopback host over http; for `discreet observe`, which looks at pages under development.
    Loopback,
}

impl Wall {
    /// Whether a page may ask for `url`. `about:blank` and `about:srcdoc` are empty documents;
    /// `data:` and `blob:` need no network, and are allowed for subresources only (an agent's `goto`
    /// goes through [`Wall::allows_navigation`]).
    #[must_use]
    pub fn allows(&self, url: &str) -> bool {
        let lower = url.trim_start().to_ascii_lowercase();
        lower.starts_with("data:") || lower.starts_with("blob:") || self.allows_navigation(url)
    }

    /// Whether an agent may open `url`.
    #[must_use]
    pub fn allows_navigation(&self, url: &str) -> bool {
        if matches!(url, "about:blank" | "about:srcdoc") {
            return true;
        }
        match self {
            Self::Origin(origin) => url
                .strip_prefix(origin.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#'])),
            // A `data:` page needs no network; for a page under development it is as good as another.
            Self::Loopback if url.starts_with("data:") => true,
            Self::Loopback => url.strip_prefix("http://").is_some_and(|rest| {
                let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
                let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
                !authority.contains('@')
                    && (host == "localhost"
                        || host == "[::1]"
                        || host.parse::<std::net::Ipv4Addr>().is_ok_and(|ip| ip.is_loopback()))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wall;

    #[test]
    fn only_the_origin_passes() {
        let wall = Wall::Origin("http://openapps.test".into());
        for url in ["http://openapps.test", "http://openapps.test/x", "http://openapps.test?q", "about:blank"]
        {
            assert!(wall.allows_navigation(url), "{url}");
        }
        for url in [
            "http://openapps.test.evil.example/",
            "http://openapps.test@evil.example/",
            "http://openapps.test:81/",
            "https://openapps.test/",
            "file:///etc/passwd",
            "chrome://version",
            "view-source:http://openapps.test/",
            "javascript:alert(1)",
            "data:text/html,x",
            " http://openapps.test/",
            "http://127.0.0.1/",
            "",
        ] {
            assert!(!wall.allows_navigation(url), "{url}");
        }
    }

    #[test]
    fn loopback_hosts_are_told_from_look_alikes() {
        for url in [
            "http://127.0.0.1:8080/a",
            "http://localhost/",
            "http://127.9.9.9/",
            "http://[::1]:9/",
            "data:text/html,x",
        ] {
            assert!(Wall::Loopback.allows_navigation(url), "{url}");
        }
        for url in [
            "http://127.0.0.1.evil.example/",
            "http://localhost@evil.example/",
            "http://10.0.0.1/",
            "http://evil.example\\@localhost/",
        ] {
            assert!(!Wall::Loopback.allows_navigation(url), "{url}");
        }
    }
}
