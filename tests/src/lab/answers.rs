//! What the lab answers about itself: addresses, processes, certificates, ends and starts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

/// Where the cluster is.
#[derive(Clone, Debug, Deserialize)]
pub struct Ready {
    /// Kafka's address.
    pub bootstrap: String,
    /// The workers, `w1` first.
    pub workers: Vec<LabWorker>,
    /// The folder of its logs and data.
    pub directory: PathBuf,
    /// How to come in by other ways, if that was asked for.
    pub security: Option<Security>,
    /// Seconds from the start of the command.
    pub seconds: f64,
}

/// Certificates, users and listeners of a cluster that was started `secure` or with `https`.
#[derive(Clone, Debug, Deserialize)]
pub struct Security {
    /// Addresses by kind: `sasl`, `tls`, `mtls`, `sasl-tls`.
    pub listeners: BTreeMap<String, String>,
    /// The authority of all certificates here.
    pub ca: PathBuf,
    /// An authority that signed nothing.
    pub other_ca: PathBuf,
    /// What `mtls` asks for.
    pub client_certificate: PathBuf,
    /// Its key.
    pub client_key: PathBuf,
    /// `alice` (PLAIN), `bob` and `carol` (SCRAM) may do everything, `mallory` (PLAIN) nothing.
    pub users: BTreeMap<String, User>,
    /// A token for OAUTHBEARER.
    pub token_file: PathBuf,
}

/// Somebody whom Kafka knows.
#[derive(Clone, Debug, Deserialize)]
pub struct User {
    /// `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`.
    pub mechanism: String,
    /// The file that holds the password and nothing else.
    pub password_file: PathBuf,
}

/// A worker and its process.
#[derive(Clone, Debug, Deserialize)]
pub struct LabWorker {
    /// `w1`, `w2`, …
    pub name: String,
    /// What it advertises.
    pub url: String,
    /// Its process, if it runs.
    pub pid: Option<u32>,
}

/// The end of a process that was told to end.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Stopped {
    /// When the signal was sent.
    #[serde(rename = "at_ms")]
    pub at: i64,
    /// When the process was gone.
    #[serde(rename = "exited_ms")]
    pub exited: i64,
}

/// A worker's first round after its start.
#[derive(Clone, Debug, Deserialize)]
pub struct Member {
    /// When it had its assignment.
    #[serde(rename = "at_ms")]
    pub at: i64,
    /// Which generation that was.
    pub generation: u32,
    /// The connectors and tasks it got.
    pub owns: Vec<String>,
    /// The delay that ran.
    pub delay_ms: i64,
}

/// The answer to a REST call.
#[derive(Clone, Debug, Deserialize)]
pub struct RestAnswer {
    /// HTTP's status; none if there was no answer.
    pub status: Option<u16>,
    /// The body.
    #[serde(default)]
    pub body: Value,
    /// Why there was no answer.
    pub error: Option<String>,
}
