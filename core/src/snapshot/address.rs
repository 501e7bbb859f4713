//! Whether two addresses mean the same worker.

use std::fmt;
use std::net::Ipv6Addr;

/// Host and port of a worker's REST address, such that two spellings of the same are equal.
///
/// Names are compared without regard to case, IPv6 addresses by their value. What a name
/// resolves to is not asked: `w1` and `w1.example.com` differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// In lower case, an IPv6 address in brackets.
    host: String,
    port: Option<u16>,
}

impl Address {
    /// The address in a URL such as `https://W1:8083/`; where it says no port, that of its scheme.
    pub fn of_url(url: &str) -> Self {
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        let mut address = Self::of(authority.rsplit_once('@').map_or(authority, |(_, host)| host));
        address.port = address.port.or_else(|| default_port(scheme));
        address
    }

    /// The address in a status's `worker_id`, such as `w1:8083`.
    pub fn of(host_port: &str) -> Self {
        let bracket = host_port.rfind(']').map_or(0, |place| place + 1);
        let colon = host_port.get(bracket..).and_then(|rest| rest.rfind(':')).map(|place| bracket + place);
        let port = colon.and_then(|place| host_port.get(place + 1..)).and_then(|port| port.parse().ok());
        let host = match (colon, port) {
            (Some(place), Some(_)) => host_port.get(..place).unwrap_or(host_port),
            _ => host_port,
        };
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let host = match bare.parse::<Ipv6Addr>() {
            Ok(address) => format!("[{address}]"),
            Err(_) => host.trim_end_matches('.').to_lowercase(),
        };
        Self { host, port }
    }

    /// The host, in lower case, an IPv6 address in brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// With that port, if it has none.
    #[must_use]
    pub fn or_port(self, port: u16) -> Self {
        Self { port: self.port.or(Some(port)), ..self }
    }

    /// Whether the `worker_id` of a status means this address. Without a port it means that of
    /// `http` or `https`.
    pub fn is_worker(&self, host_port: &str) -> bool {
        let other = Self::of(host_port);
        let same_port = match other.port {
            Some(_) => self.port == other.port,
            None => matches!(self.port, None | Some(80 | 443)),
        };
        self.host == other.host && same_port
    }
}

/// Whether a worker's URL, as it advertises it, and the `worker_id` of a status mean one worker.
pub fn same_worker(url: &str, host_port: &str) -> bool {
    Address::of_url(url).is_worker(host_port)
}

/// As `host:port`.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.host),
            None => f.write_str(&self.host),
        }
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    if scheme.eq_ignore_ascii_case("http") {
        Some(80)
    } else if scheme.eq_ignore_ascii_case("https") {
        Some(443)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_worker_are_the_same() {
        for (url, worker) in [
            ("http://w1:8083/", "w1:8083"),
            ("https://W1:8083", "w1:8083"),
            ("HTTP://w1.Example.com.:8083/connect?x=1", "W1.example.COM:8083"),
            ("http://user@w1:8083/", "w1:8083"),
            ("http://w1/", "w1:80"),
            ("https://w1", "w1:443"),
            ("https://w1/", "w1"),
            ("http://[::1]:8083/", "[::1]:8083"),
            ("http://[0:0:0:0:0:0:0:1]:8083/", "[::1]:8083"),
            ("http://[2001:DB8::7]:8083/", "2001:db8::7:8083"),
            ("http://[2001:db8::7]/", "[2001:db8::7]:80"),
            ("http://192.0.2.7:8083/", "192.0.2.7:8083"),
        ] {
            assert!(same_worker(url, worker), "{url} {worker}");
        }
    }

    #[test]
    fn other_workers_are_others() {
        for (url, worker) in [
            ("http://w1:8083/", "w2:8083"),
            ("http://w1:8083/", "w1:8084"),
            ("http://w1/", "w1:443"),
            ("http://w1:8083/", "w1"),
            ("http://w1:8083/", "w1.example.com:8083"),
            ("http://[::1]:8083/", "[::2]:8083"),
            ("http://w1:8083/", ""),
            ("", "w1:8083"),
        ] {
            assert!(!same_worker(url, worker), "{url} {worker}");
        }
    }

    #[test]
    fn an_address_reads_as_host_and_port() {
        assert_eq!(Address::of_url("https://W1/").to_string(), "w1:443");
        assert_eq!(Address::of("[::1]:8083").to_string(), "[::1]:8083");
        assert_eq!(Address::of("w1").to_string(), "w1");
    }
}
