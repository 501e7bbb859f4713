//! What a port is, when it does not behave as the access says: asked a second time, so that
//! the error can name the cause instead of a broken connection.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use rustls::ClientConfig;

use super::connection::{Connection, fault};
use super::deadline::Deadline;
use super::error::{KafkaError, code};
use super::messages::SaslHandshake;
use super::tls::is_no_tls;

/// Why TLS did not come about: perhaps the port speaks plain text.
pub(super) fn why_no_tls(address: &str, error: &io::Error, deadline: Deadline) -> KafkaError {
    let broken = matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe);
    if broken || is_no_tls(error) {
        match Connection::open_unauthenticated(address, None, deadline) {
            Ok(_) => return KafkaError::PlainTextPort { address: address.to_owned() },
            Err(http @ KafkaError::HttpPort { .. }) => return http,
            Err(_) => {}
        }
    }
    fault(address, "TLS handshake", error, deadline)
}

/// Why a connection without authentication was closed: perhaps the port asks for it.
pub(super) fn sasl_needed(address: &str, tls: Option<&Arc<ClientConfig>>, deadline: Deadline) -> Option<KafkaError> {
    let mut connection = Connection::open_unauthenticated(address, tls, deadline).ok()?;
    // No mechanism has this name: the answer lists those that there are.
    let (error, offered) = connection.ask(&SaslHandshake { mechanism: "NONE" }, deadline).ok()?;
    (error == code::UNSUPPORTED_SASL_MECHANISM).then(|| KafkaError::SaslNeeded { address: address.to_owned(), offered })
}
