//! How to reach a cluster and as whom.

use std::path::PathBuf;
use std::time::Duration;

use super::secret::Secret;

/// Where a cluster is, and what it takes to be let in.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// Brokers to begin with, each as `host:port` (`[::1]:9092` for an IPv6 address).
    pub(crate) bootstrap: Vec<String>,
    /// Encrypted, if given; the broker's name is always checked.
    pub(crate) tls: Option<Tls>,
    /// Authenticated, if given.
    pub(crate) sasl: Option<Sasl>,
    /// How long a call may take, retries included.
    pub(crate) timeout: Duration,
}

/// Whom to trust, and the client's own certificate. All files are PEM.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tls {
    /// The certificates of the authorities to trust, and no others. Without it: the
    /// public ones that Mozilla trusts, which are compiled in.
    pub(crate) ca: Option<PathBuf>,
    /// The client's certificate with its chain, and its key, not encrypted.
    pub(crate) identity: Option<(PathBuf, PathBuf)>,
}

/// Who asks.
#[derive(Clone, Debug)]
pub(crate) struct Sasl {
    /// How that is proven.
    pub(crate) mechanism: Mechanism,
    /// The user; of no use with a token.
    pub(crate) user: String,
    /// The password, or the token.
    pub(crate) secret: Secret,
}

/// How a client proves who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mechanism {
    /// The password itself is sent: to be used with TLS.
    Plain,
    /// Both sides prove that they know the password (RFC 5802, RFC 7677).
    ScramSha256,
    /// The same with a longer digest.
    ScramSha512,
    /// A token is sent (RFC 7628): to be used with TLS.
    OauthBearer,
}

impl Mechanism {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 4] = [Self::Plain, Self::ScramSha256, Self::ScramSha512, Self::OauthBearer];

    /// Its name, as in Kafka's `sasl.mechanism`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "PLAIN",
            Self::ScramSha256 => "SCRAM-SHA-256",
            Self::ScramSha512 => "SCRAM-SHA-512",
            Self::OauthBearer => "OAUTHBEARER",
        }
    }
}
