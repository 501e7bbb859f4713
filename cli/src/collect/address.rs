//! Where a worker's REST port is.

use std::fmt;

use ureq::http::Uri;

/// The address of a worker's REST port, such as `http://w1:8083` or `https://w1/connect`:
/// no user, no query, no slash at the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Address {
    text: String,
    host_port: String,
}

impl Address {
    /// Reads `http://w1:8083`; without a scheme it is http.
    ///
    /// # Errors
    /// What is wrong with it. If it holds a user or a password, neither is repeated.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        // Before anything else, so that no other message repeats a password.
        if let Some((_, host)) = text.rsplit_once('@') {
            return Err(format!(
                "--connect …@{host}: leave the user and the password out of the address, where others can see them; \
                 give --connect-user NAME --connect-password-from file:PATH (or env:NAME, or stdin)"
            ));
        }
        let full = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let wrong = || format!("--connect {text}: this is no address such as http://w1:8083");
        let uri: Uri = full.parse().map_err(|_| wrong())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(wrong()) };
        let default_port = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(format!("--connect {text}: workers are asked by http or https, not by {scheme}")),
        };
        if authority.host().is_empty() || uri.query().is_some() || full.contains('#') {
            return Err(wrong());
        }
        // `w1:` has no port, and `w1:x` and `w1:99999` have none that can be asked.
        let port = match authority.as_str().strip_prefix(authority.host()) {
            Some("") => default_port,
            _ => authority.port_u16().filter(|port| *port > 0).ok_or_else(wrong)?,
        };
        let path = uri.path().trim_end_matches('/');
        let host = authority.host().to_ascii_lowercase();
        Ok(Self { text: format!("{scheme}://{authority}{path}"), host_port: format!("{host}:{port}") })
    }

    /// The address of one of its resources; `path` begins with a slash.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.text)
    }

    /// As it was given.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Host and port, as statuses name a worker.
    pub(crate) fn host_port(&self) -> &str {
        &self.host_port
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, String) {
        let address = Address::read(text).unwrap();
        (address.at("/connectors"), address.host_port().to_owned())
    }

    #[test]
    fn addresses_are_read_with_their_base_path() {
        for (text, resource, host_port) in [
            ("http://w1:8083", "http://w1:8083/connectors", "w1:8083"),
            (" http://W1:8083/ ", "http://W1:8083/connectors", "w1:8083"),
            ("w1:8083", "http://w1:8083/connectors", "w1:8083"),
            ("https://connect.example/a/b/", "https://connect.example/a/b/connectors", "connect.example:443"),
            ("http://[::1]:8083", "http://[::1]:8083/connectors", "[::1]:8083"),
            ("http://192.0.2.1", "http://192.0.2.1/connectors", "192.0.2.1:80"),
        ] {
            assert_eq!(read(text), (resource.to_owned(), host_port.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "http://", "ftp://w1", "http://w1:99999", "http://w1:x", "http://w 1", "http://w1?a=b", "w1#x"]
        {
            let error = Address::read(text).unwrap_err();
            assert!(error.starts_with("--connect "), "{text}: {error}");
        }
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_repeated() {
        for text in ["http://admin:hunter2@w1:8083", "admin:hunter2@w1:8083", "http://admin:hunter2@w1:x"] {
            let error = Address::read(text).unwrap_err();
            assert!(!error.contains("hunter2") && !error.contains("admin"), "{error}");
            assert!(error.contains("--connect-password-from file:PATH"), "{error}");
        }
    }
}
