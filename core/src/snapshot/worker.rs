//! What the REST ports of the workers answered (`GET /`).

use serde::{Deserialize, Serialize};

use super::Seen;

/// One REST port that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// Its address as it was given, without credentials.
    pub url: String,
    /// What it said of itself, or why there is no answer.
    pub version: Seen<Version>,
    /// How there was no answer, where there was none: it tells a closed port from a worker that hangs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_answer: Option<NoAnswer>,
}

/// What a worker says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Its Kafka version, such as `4.3.1` or `7.6.0-ccs`.
    pub version: String,
    /// The commit of that build.
    pub commit: String,
    /// The id of the Kafka cluster that it works with.
    pub kafka_cluster_id: String,
}

/// How a REST port did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoAnswer {
    /// Nobody listens there.
    Refused,
    /// The name is not known, or there is no way there.
    Unreachable,
    /// Nothing, or not everything, came in time.
    TimedOut,
    /// The connection was cut within the answer.
    Broken,
    /// It did not let us in: 401 or 403.
    Forbidden,
    /// Another HTTP status than 200; its page is there before the worker is (404).
    Status(u16),
    /// An answer that is no answer of a worker.
    Unreadable,
    /// No trust: a certificate that does not fit.
    Certificate,
}
