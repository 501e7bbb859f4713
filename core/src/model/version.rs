//! What a Kafka version means: the one table of version differences.

use crate::units::Duration;

/// A release of Apache Kafka.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KafkaVersion {
    /// First number.
    pub major: u16,
    /// Second number.
    pub minor: u16,
    /// Third number.
    pub patch: u16,
}

/// The rebalance protocols of Connect, in the order of their strength.
///
/// The protocol of a generation is the least of its members' (KIP-415, KIP-507).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConnectProtocol {
    /// Stop everything at each rebalance (`default` on the wire, version 0).
    Eager,
    /// Incremental cooperative (KIP-415, version 1).
    Compatible,
    /// The same with signed internal requests (KIP-507, version 2).
    Sessioned,
}

/// How the leader evens out the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// 2.8 to 3.2: only for a worker without work, by the ceiling, never twice in a row.
    Ceiling,
    /// 3.3: the same, but work that two members report counts twice towards the ceiling.
    CeilingOfReported,
    /// 3.4 and later (KAFKA-12495): exact, in consecutive rounds with a back-off.
    Exact,
}

/// The order in which a worker stops on SIGTERM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// 3.4 and earlier: connectors and tasks in one batch on 8 threads, then `LeaveGroup`, then the stores.
    Batched,
    /// 3.5 and later (KAFKA-14311): connectors, then all tasks at once, stores, `LeaveGroup` last.
    AllAtOnce,
}

/// What a worker's version decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one ticket that a version has or lacks")]
pub struct WorkerRules {
    /// How a leader of this version balances.
    pub balance: Balance,
    /// Whether a delay of 0 hands lost work out at once (KAFKA-15693); before, it waits for some later round.
    pub zero_delay_reassigns: bool,
    /// What a graceful stop does in which order.
    pub shutdown: Shutdown,
    /// Whether the default client id holds the worker's address (KAFKA-15888) or is `connect-1` everywhere.
    pub client_id_has_address: bool,
    /// Whether a reader of the status topic passes over the UNASSIGNED of a task that was started in
    /// no earlier generation (KAFKA-12525).
    pub drops_late_unassigned: bool,
    /// Whether sources can deliver exactly once (KIP-618).
    pub exactly_once: bool,
    /// Whether sinks may use the cooperative consumer assignor (KAFKA-12487).
    pub cooperative_sinks: bool,
    /// The default `session.timeout.ms` of a sink's consumers (KIP-735).
    pub consumer_session_timeout: Duration,
}

/// The group coordinator of the brokers, which decides the order of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinator {
    /// The Java coordinator (KIP-848), the only one from 4.0 on.
    Java,
    /// The Scala coordinator of 3.x brokers.
    Scala,
}

/// What a version string says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedVersion {
    /// The release of Apache Kafka.
    pub version: KafkaVersion,
    /// What had to be assumed to get there, as a reason; `None` if nothing.
    pub assumed: Option<String>,
}

/// Why a version string cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VersionError {
    /// It is no version, or of a vendor that the table does not know.
    #[error("`{0}` is no version of Kafka that is known here; write Apache Kafka's own, such as {NEWEST}")]
    Unknown(String),
    /// A number that Apache Kafka has not reached but Confluent Platform has.
    #[error("there is no Apache Kafka {0}; if it is Confluent Platform, write `{0}-ccs`")]
    Confluent(String),
    /// A release of Confluent Platform that the table does not know.
    #[error("Confluent Platform {0} is not in the table of versions; write the Apache Kafka version that it contains")]
    UnknownConfluent(String),
    /// Its rebalancing differs from what is modelled.
    #[error("Kafka {0} is too old: rebalancing is modelled exactly from {OLDEST} on, and not at all before")]
    TooOld(KafkaVersion),
}

/// The rules that hold from one version on, until the next row of the table.
struct Since(KafkaVersion, fn(&mut WorkerRules));

impl KafkaVersion {
    /// A release.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self { major, minor, patch }
    }

    /// Reads a version of Apache Kafka or of a vendor.
    ///
    /// Vendors, each with what their string holds:
    /// - Confluent Platform `7.6.0-ccs`, `7.6.0-ce`: its own numbers ([versions and
    ///   interoperability](https://docs.confluent.io/platform/current/installation/versions-interoperability.html)).
    /// - Red Hat `3.7.0.redhat-00007`, Amazon MSK `2.8.2.tiered`, `3.7.x` and `3.7.x.kraft`, Cloudera
    ///   `3.4.1.7.1.9.0-387`, Confluent's packages `3.6.1-cp1`: Kafka's number first.
    /// - images: Confluent `confluentinc/cp-kafka-connect:7.6.0`, Strimzi `0.45.0-kafka-3.9.0`, Bitnami `3.9.0-debian-12-r1`; builds with
    ///   Scala's number first `2.13-3.9.0`.
    ///
    /// # Errors
    /// What is unknown, or older than what is modelled.
    pub fn parse(text: &str) -> Result<ParsedVersion, VersionError> {
        let parsed = read(text.trim())?;
        if parsed.version < OLDEST { Err(VersionError::TooOld(parsed.version)) } else { Ok(parsed) }
    }

    /// What a worker of this version does.
    pub fn rules(self) -> WorkerRules {
        let mut rules = OLDEST_RULES;
        for Since(version, change) in SINCE {
            if self >= *version {
                change(&mut rules);
            }
        }
        // The one fix that came to three branches (KAFKA-15693).
        rules.zero_delay_reassigns = match (self.major, self.minor) {
            (3, 5) => self.patch >= 2,
            (3, 6) => self.patch >= 1,
            _ => rules.zero_delay_reassigns,
        };
        // And one that came to two (KAFKA-12487).
        rules.cooperative_sinks &= self != Self::new(3, 0, 0);
        rules
    }
}

impl Coordinator {
    /// The coordinator that brokers of a version run (KAFKA-14048: Java is the default from 4.0 on).
    pub fn of(version: KafkaVersion) -> Self {
        if version >= KafkaVersion::new(4, 0, 0) { Self::Java } else { Self::Scala }
    }

    /// The same where `group.coordinator.rebalance.protocols` is set: from 3.7 on, `consumer`
    /// in it starts the Java coordinator, for groups of workers too (KIP-848, `KafkaConfig` of 3.7).
    pub fn with_protocols(version: KafkaVersion, protocols: &str) -> Self {
        let consumer = protocols.split(',').any(|protocol| protocol.trim().eq_ignore_ascii_case("consumer"));
        if consumer && version >= KafkaVersion::new(3, 7, 0) { Self::Java } else { Self::of(version) }
    }
}

/// As `connect.protocol` is written.
impl std::fmt::Display for ConnectProtocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Eager => "eager",
            Self::Compatible => "compatible",
            Self::Sessioned => "sessioned",
        })
    }
}

impl std::fmt::Display for KafkaVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

fn read(text: &str) -> Result<ParsedVersion, VersionError> {
    let unknown = || VersionError::Unknown(text.to_owned());
    if let Some((_, tag)) = text.rsplit_once(':').filter(|(image, _)| image.contains("confluentinc/")) {
        return read(&format!("{tag}-ccs"));
    }
    let image = text.rsplit_once("-kafka-").map_or(text, |(_, version)| version);
    let bare = ["2.11-", "2.12-", "2.13-"].iter().find_map(|scala| image.strip_prefix(scala)).unwrap_or(image);
    let bare = bare.strip_prefix('v').unwrap_or(bare);
    let (number, suffix) = bare.split_at(bare.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(bare.len()));
    let number = number.trim_end_matches('.');
    let mut parts = number.split('.').map(str::parse::<u16>);
    let mut next = || parts.next().transpose().map_err(|_| unknown());
    let (major, minor, patch) = (next()?.ok_or_else(unknown)?, next()?.ok_or_else(unknown)?, next()?);
    let more = parts.count();
    let version = KafkaVersion::new(major, minor, patch.unwrap_or(0));
    let vendor = suffix.trim_start_matches(['-', '.']).to_ascii_lowercase();
    let starts = |names: &[&str]| names.iter().any(|name| vendor.starts_with(name));
    if matches!(vendor.as_str(), "ccs" | "ce") || starts(&["ccs-", "ce-", "ccs.", "ce."]) {
        return confluent(text, version);
    }
    let known = vendor.is_empty() && more == 0
        || vendor.is_empty() && more == 1 && major < 4
        || more == 4 && vendor.bytes().all(|byte| byte.is_ascii_digit())
        || more == 0 && starts(&["redhat", "tiered", "kraft", "x", "cp", "debian-", "snapshot", "rc", "amzn"]);
    if !known {
        return Err(unknown());
    }
    if (5..=8).contains(&major) {
        return Err(VersionError::Confluent(number.to_owned()));
    }
    if major > 8 {
        return Err(unknown());
    }
    let newer = (version.major, version.minor) > (NEWEST.major, NEWEST.minor);
    let assumed = if newer {
        Some(format!("newer than {NEWEST}, the newest version known here, and taken to behave like it"))
    } else if patch.is_none() && differs_by_patch(version) {
        Some(format!("`{text}` names no patch release; {version} is taken"))
    } else {
        None
    };
    Ok(ParsedVersion { version, assumed })
}

/// Confluent Platform by its own numbers.
fn confluent(text: &str, platform: KafkaVersion) -> Result<ParsedVersion, VersionError> {
    let KafkaVersion { major, minor, .. } = platform;
    let (_, kafka) = CONFLUENT
        .iter()
        .find(|(known, _)| *known == (major, minor))
        .ok_or_else(|| VersionError::UnknownConfluent(text.to_owned()))?;
    let version = KafkaVersion::new(kafka.0, kafka.1, kafka.2);
    let assumed = differs_by_patch(version)
        .then(|| format!("`{text}` contains some {}.{} release; {version} is taken", kafka.0, kafka.1));
    Ok(ParsedVersion { version, assumed })
}

/// Whether releases of one minor version behave differently.
fn differs_by_patch(version: KafkaVersion) -> bool {
    let last = KafkaVersion { patch: u16::MAX, ..version };
    KafkaVersion { patch: 0, ..version }.rules() != last.rules()
}

/// The first version whose rebalancing is modelled.
const OLDEST: KafkaVersion = KafkaVersion::new(2, 8, 0);

/// The newest version whose rebalancing was compared with the model.
pub const NEWEST: KafkaVersion = KafkaVersion::new(4, 4, 0);

const OLDEST_RULES: WorkerRules = WorkerRules {
    balance: Balance::Ceiling,
    zero_delay_reassigns: false,
    shutdown: Shutdown::Batched,
    client_id_has_address: false,
    drops_late_unassigned: false,
    exactly_once: false,
    cooperative_sinks: false,
    consumer_session_timeout: Duration::from_secs(10),
};

/// What changed, oldest first; each row holds until the end.
const SINCE: &[Since] = &[
    // KIP-735; KAFKA-12487 in 3.0.1 and 3.1.0.
    Since(KafkaVersion::new(3, 0, 0), |rules| {
        rules.consumer_session_timeout = Duration::from_secs(45);
        rules.cooperative_sinks = true;
    }),
    // KIP-618; the ceiling counts reports, as the oracle found (IncrementalCooperativeAssignor of 3.3.2).
    Since(KafkaVersion::new(3, 3, 0), |rules| {
        rules.exactly_once = true;
        rules.balance = Balance::CeilingOfReported;
    }),
    // KAFKA-12495.
    Since(KafkaVersion::new(3, 4, 0), |rules| rules.balance = Balance::Exact),
    // KAFKA-14311.
    Since(KafkaVersion::new(3, 5, 0), |rules| rules.shutdown = Shutdown::AllAtOnce),
    // KAFKA-12525.
    Since(KafkaVersion::new(3, 6, 0), |rules| rules.drops_late_unassigned = true),
    // KAFKA-15693 in 3.5.2, 3.6.1 and 3.7.0; KAFKA-15888.
    Since(KafkaVersion::new(3, 7, 0), |rules| {
        rules.zero_delay_reassigns = true;
        rules.client_id_has_address = true;
    }),
];

/// Major and minor version of Confluent Platform.
type Platform = (u16, u16);

/// Confluent Platform's minor versions and the Apache Kafka in them.
///
/// Source: docs.confluent.io, "Supported Versions and Interoperability for Confluent Platform".
const CONFLUENT: &[(Platform, (u16, u16, u16))] = &[
    ((5, 0), (2, 0, 0)),
    ((5, 1), (2, 1, 0)),
    ((5, 2), (2, 2, 0)),
    ((5, 3), (2, 3, 0)),
    ((5, 4), (2, 4, 0)),
    ((5, 5), (2, 5, 0)),
    ((6, 0), (2, 6, 0)),
    ((6, 1), (2, 7, 0)),
    ((6, 2), (2, 8, 0)),
    ((7, 0), (3, 0, 0)),
    ((7, 1), (3, 1, 0)),
    ((7, 2), (3, 2, 0)),
    ((7, 3), (3, 3, 0)),
    ((7, 4), (3, 4, 0)),
    ((7, 5), (3, 5, 0)),
    ((7, 6), (3, 6, 0)),
    ((7, 7), (3, 7, 0)),
    ((7, 8), (3, 8, 0)),
    ((7, 9), (3, 9, 0)),
    ((8, 0), (4, 0, 0)),
    ((8, 1), (4, 1, 0)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vendors_versions_come_from_one_table() {
        let says = |text: &str| KafkaVersion::parse(text).map(|parsed| parsed.version.to_string());
        for (text, kafka) in [
            ("4.3.1", "4.3.1"),
            ("4.3", "4.3.0"),
            ("7.6.0-ccs", "3.6.0"),
            ("7.6.1-ce", "3.6.0"),
            ("8.0.0-ccs", "4.0.0"),
            ("3.7.0.redhat-00007", "3.7.0"),
            ("3.6.1-cp1", "3.6.1"),
            ("3.7.x", "3.7.0"),
            ("3.7.x.kraft", "3.7.0"),
            ("2.8.2.tiered", "2.8.2"),
            ("3.4.1.7.1.9.0-387", "3.4.1"),
            ("0.45.0-kafka-3.9.0", "3.9.0"),
            ("quay.io/strimzi/kafka:0.45.0-kafka-3.9.0", "3.9.0"),
            ("confluentinc/cp-kafka-connect:7.6.0", "3.6.0"),
            ("2.13-3.9.1", "3.9.1"),
            ("3.9.0-debian-12-r1", "3.9.0"),
            ("4.4.0-SNAPSHOT", "4.4.0"),
            ("4.9.0", "4.9.0"),
        ] {
            assert_eq!(says(text).as_deref(), Ok(kafka), "{text}");
        }
        for text in
            ["", "four", "4", "4.x", "7.6.0", "9.9.0-ccs", "3.6.0-acme", "2.7.2", "6.1.0-ccs", "12.1.0", "4.3.1.2"]
        {
            assert!(says(text).is_err(), "{text}: {:?}", says(text));
        }
        assert!(KafkaVersion::parse("4.9.0").unwrap().assumed.is_some());
        assert!(KafkaVersion::parse("7.6.0-ccs").unwrap().assumed.is_some());
        assert_eq!(KafkaVersion::parse("3.6.1").unwrap().assumed, None);
    }

    #[test]
    fn fixes_that_came_to_several_branches_count_in_each() {
        let zero = |major, minor, patch| KafkaVersion::new(major, minor, patch).rules().zero_delay_reassigns;
        assert_eq!([zero(3, 5, 1), zero(3, 5, 2), zero(3, 6, 0), zero(3, 6, 1)], [false, true, false, true]);
        assert!(!zero(3, 4, 9) && zero(3, 7, 0) && zero(4, 9, 0));
        let sinks = |major, minor, patch| KafkaVersion::new(major, minor, patch).rules().cooperative_sinks;
        assert_eq!([sinks(2, 8, 2), sinks(3, 0, 0), sinks(3, 0, 1), sinks(3, 1, 0)], [false, false, true, true]);
    }

    #[test]
    fn rules_of_a_version_are_those_of_its_last_change() {
        let rules = KafkaVersion::new(3, 4, 1).rules();
        assert_eq!((rules.balance, rules.shutdown), (Balance::Exact, Shutdown::Batched));
        assert_eq!(rules.consumer_session_timeout, Duration::from_secs(45));
        assert_eq!(KafkaVersion::new(2, 8, 0).rules(), OLDEST_RULES);
        assert_eq!(Coordinator::of(KafkaVersion::new(3, 9, 2)), Coordinator::Scala);
        assert_eq!(Coordinator::of(KafkaVersion::new(4, 0, 0)), Coordinator::Java);
        let with = |minor, protocols| Coordinator::with_protocols(KafkaVersion::new(3, minor, 0), protocols);
        assert_eq!(with(7, "classic, Consumer"), Coordinator::Java);
        assert_eq!([with(7, "classic"), with(6, "classic,consumer")], [Coordinator::Scala; 2]);
    }
}
