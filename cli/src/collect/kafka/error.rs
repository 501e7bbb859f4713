//! Why the cluster did not say what it was asked: each kind with what a person can do.

use std::fmt;
use std::time::Duration;

/// Why a question has no answer. No text in it holds a secret; what a broker said is cut to
/// a line of printable signs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum KafkaError {
    /// None of the addresses can be connected to: check them, name resolution, firewalls.
    #[error("no broker can be reached: {}", list(.attempts))]
    Unreachable {
        /// Each address that was tried, in order.
        attempts: Vec<Attempt>,
    },
    /// An address is not one: write `host:port`.
    #[error("'{address}' is no address of a broker: write host:port")]
    BadAddress {
        /// As it was given.
        address: String,
    },
    /// The other side is there and does not answer in time.
    #[error("{address} did not answer within {}: {step}", seconds(*.after))]
    TimedOut {
        /// The broker.
        address: String,
        /// What was going on.
        step: String,
        /// How long the call had taken.
        after: Duration,
    },
    /// The connection ended before the answer.
    #[error("{address} closed the connection: {step}")]
    Closed {
        /// The broker.
        address: String,
        /// What was going on.
        step: String,
    },
    /// The user, password or token is wrong, or the broker cannot check it.
    #[error("{address} does not accept the {mechanism} credentials: {why}")]
    AuthenticationFailed {
        /// The broker.
        address: String,
        /// The SASL mechanism.
        mechanism: &'static str,
        /// The broker's words.
        why: String,
    },
    /// The broker could not prove that it knows the password: it is not whom it pretends to be.
    #[error("{address} cannot prove that it knows the password ({mechanism}): {why}; it may be an impostor")]
    BrokerUnproven {
        /// The broker.
        address: String,
        /// The SASL mechanism.
        mechanism: &'static str,
        /// What is wrong with its proof.
        why: String,
    },
    /// What was given cannot be sent by this mechanism.
    #[error("these credentials cannot be used with {mechanism}: {why}")]
    BadCredentials {
        /// The SASL mechanism.
        mechanism: &'static str,
        /// What is wrong with them.
        why: &'static str,
    },
    /// The broker wants another mechanism.
    #[error("{address} does not offer {mechanism}; it offers {}", words(.offered))]
    MechanismNotOffered {
        /// The broker.
        address: String,
        /// The SASL mechanism.
        mechanism: &'static str,
        /// What it offers.
        offered: Vec<String>,
    },
    /// The port wants authentication and none was configured.
    #[error("{address} asks for authentication (SASL); it offers {}", words(.offered))]
    SaslNeeded {
        /// The broker.
        address: String,
        /// What it offers.
        offered: Vec<String>,
    },
    /// The port knows no authentication and one was configured.
    #[error("{address} does not use SASL: leave user and password out, or use the port that does")]
    SaslNotUsed {
        /// The broker.
        address: String,
    },
    /// TLS was spoken to a plain text port.
    #[error("{address} is a plain text port, without TLS: leave TLS out, or use the port that has it")]
    PlainTextPort {
        /// The broker.
        address: String,
    },
    /// Plain text was spoken to a TLS port.
    #[error("{address} is a TLS port: configure TLS, or use the plain text port")]
    TlsPort {
        /// The broker.
        address: String,
    },
    /// An HTTP server is there: perhaps a worker's REST port.
    #[error("{address} is an HTTP server, no Kafka broker")]
    HttpPort {
        /// The address.
        address: String,
    },
    /// The broker's certificate is not from an authority that is trusted here, or not valid.
    #[error("the certificate of {address} is not trusted: {why}")]
    NotTrusted {
        /// The broker.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// The broker's certificate is for other names.
    #[error("the certificate of {address} is not for that name{}", of(.names))]
    WrongName {
        /// The broker.
        address: String,
        /// For which names it is, where that is known.
        names: Vec<String>,
    },
    /// The broker does not accept the client's certificate, or wants one.
    #[error("{address} refuses the client certificate: {why}")]
    CertificateRefused {
        /// The broker.
        address: String,
        /// The alert it sent.
        why: String,
    },
    /// TLS could not be agreed on.
    #[error("TLS with {address} failed: {why}")]
    TlsFailed {
        /// The broker.
        address: String,
        /// What happened.
        why: String,
    },
    /// A file with certificates or a key is of no use.
    #[error("cannot use {path}: {why}")]
    BadFile {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The asker lacks a permission.
    #[error("not authorised: this needs {0}")]
    NotAuthorised(Permission),
    /// There is no such group, or it is not of the kind that was asked for.
    #[error("there is no group '{group}'")]
    GroupNotFound {
        /// The group's id.
        group: String,
    },
    /// There is no such topic.
    #[error("there is no topic '{topic}'")]
    TopicNotFound {
        /// The topic.
        topic: String,
    },
    /// The topic has no such partition.
    #[error("topic '{topic}' has no partition {partition}")]
    PartitionNotFound {
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
    },
    /// The group's coordinator is starting, moving or gone, for the whole time-out.
    #[error("the coordinator of group '{group}' was not ready within {}: {why}", seconds(*.after))]
    CoordinatorNotReady {
        /// The group's id.
        group: String,
        /// What was said last.
        why: String,
        /// How long the call had taken.
        after: Duration,
    },
    /// No broker leads the partition.
    #[error("partition {partition} of topic '{topic}' has no leader: {why}")]
    NoLeader {
        /// The topic.
        topic: String,
        /// The partition.
        partition: i32,
        /// What was said last.
        why: String,
    },
    /// The broker is too old or too new.
    #[error("{address} and this client know no common version of {api}: {} there, {ours} here", known_there(.theirs.as_ref()))]
    NoCommonVersion {
        /// The broker.
        address: String,
        /// The kind of request.
        api: &'static str,
        /// The broker's versions; `None` if it does not know the request at all.
        theirs: Option<String>,
        /// The versions known here.
        ours: String,
    },
    /// What came cannot be an answer.
    #[error("{address} sent what cannot be understood: {step}: {why}")]
    NotUnderstood {
        /// The broker.
        address: String,
        /// What was going on.
        step: String,
        /// What is wrong, with the offset.
        why: String,
    },
    /// The broker refuses, with a code that has no kind here.
    #[error("{address} refuses {step}: {why}")]
    Refused {
        /// The broker.
        address: String,
        /// What was going on.
        step: String,
        /// Kafka's name of the error.
        why: String,
    },
}

/// An address that could not be connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// `host:port`.
    pub(crate) address: String,
    /// What happened.
    pub(crate) why: String,
}

/// What an access control list has to allow: the operation `Describe` on this.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Permission {
    /// A group.
    Group(String),
    /// A topic.
    Topic(String),
    /// The cluster.
    Cluster,
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(group) => write!(f, "Describe on Group {group}"),
            Self::Topic(topic) => write!(f, "Describe on Topic {topic}"),
            Self::Cluster => f.write_str("Describe on Cluster"),
        }
    }
}

impl KafkaError {
    /// Whether another broker may do better: this one cannot be talked to at all. What is
    /// wrong with the credentials or a certificate would be wrong there too, and trying it
    /// everywhere may lock a user out.
    pub(super) fn is_of_one_broker(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::TimedOut { .. } | Self::Closed { .. })
    }
}

/// Kafka's name of an error code (`org.apache.kafka.common.protocol.Errors`).
pub(super) fn code_name(code: i16) -> String {
    let name = match code {
        -1 => "UNKNOWN_SERVER_ERROR",
        code::UNKNOWN_TOPIC_OR_PARTITION => "UNKNOWN_TOPIC_OR_PARTITION",
        code::LEADER_NOT_AVAILABLE => "LEADER_NOT_AVAILABLE",
        code::NOT_LEADER_OR_FOLLOWER => "NOT_LEADER_OR_FOLLOWER",
        7 => "REQUEST_TIMED_OUT",
        8 => "BROKER_NOT_AVAILABLE",
        9 => "REPLICA_NOT_AVAILABLE",
        code::COORDINATOR_LOAD_IN_PROGRESS => "COORDINATOR_LOAD_IN_PROGRESS",
        code::COORDINATOR_NOT_AVAILABLE => "COORDINATOR_NOT_AVAILABLE",
        code::NOT_COORDINATOR => "NOT_COORDINATOR",
        17 => "INVALID_TOPIC_EXCEPTION",
        24 => "INVALID_GROUP_ID",
        code::TOPIC_AUTHORIZATION_FAILED => "TOPIC_AUTHORIZATION_FAILED",
        code::GROUP_AUTHORIZATION_FAILED => "GROUP_AUTHORIZATION_FAILED",
        code::CLUSTER_AUTHORIZATION_FAILED => "CLUSTER_AUTHORIZATION_FAILED",
        code::UNSUPPORTED_SASL_MECHANISM => "UNSUPPORTED_SASL_MECHANISM",
        code::ILLEGAL_SASL_STATE => "ILLEGAL_SASL_STATE",
        code::UNSUPPORTED_VERSION => "UNSUPPORTED_VERSION",
        42 => "INVALID_REQUEST",
        56 => "KAFKA_STORAGE_ERROR",
        code::SASL_AUTHENTICATION_FAILED => "SASL_AUTHENTICATION_FAILED",
        code::GROUP_ID_NOT_FOUND => "GROUP_ID_NOT_FOUND",
        74 => "FENCED_LEADER_EPOCH",
        75 => "UNKNOWN_LEADER_EPOCH",
        78 => "OFFSET_NOT_AVAILABLE",
        89 => "THROTTLING_QUOTA_EXCEEDED",
        _ => return format!("error {code}"),
    };
    name.to_owned()
}

/// The error codes that are acted upon.
pub(super) mod code {
    pub(in super::super) const NONE: i16 = 0;
    pub(in super::super) const UNKNOWN_TOPIC_OR_PARTITION: i16 = 3;
    pub(in super::super) const LEADER_NOT_AVAILABLE: i16 = 5;
    pub(in super::super) const NOT_LEADER_OR_FOLLOWER: i16 = 6;
    pub(in super::super) const COORDINATOR_LOAD_IN_PROGRESS: i16 = 14;
    pub(in super::super) const COORDINATOR_NOT_AVAILABLE: i16 = 15;
    pub(in super::super) const NOT_COORDINATOR: i16 = 16;
    pub(in super::super) const TOPIC_AUTHORIZATION_FAILED: i16 = 29;
    pub(in super::super) const GROUP_AUTHORIZATION_FAILED: i16 = 30;
    pub(in super::super) const CLUSTER_AUTHORIZATION_FAILED: i16 = 31;
    pub(in super::super) const UNSUPPORTED_SASL_MECHANISM: i16 = 33;
    pub(in super::super) const ILLEGAL_SASL_STATE: i16 = 34;
    pub(in super::super) const UNSUPPORTED_VERSION: i16 = 35;
    pub(in super::super) const SASL_AUTHENTICATION_FAILED: i16 = 58;
    pub(in super::super) const GROUP_ID_NOT_FOUND: i16 = 69;
}

/// A text of the other side as part of a sentence: one line, printable, not endless.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 200;
    let clean: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).take(LONGEST).collect();
    clean.trim().to_owned()
}

fn list(attempts: &[Attempt]) -> String {
    let attempts: Vec<String> = attempts.iter().map(|Attempt { address, why }| format!("{address} ({why})")).collect();
    attempts.join(", ")
}

fn words(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn of(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" but for {}", names.join(", ")) }
}

fn known_there(versions: Option<&String>) -> &str {
    versions.map_or("none", String::as_str)
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
