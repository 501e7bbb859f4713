//! The settings that decide what happens in a roll.

/// A setting.
#[derive(Debug)]
pub struct SettingDoc {
    /// Kafka's name.
    pub name: &'static str,
    /// Whose it is.
    pub of: Side,
    /// What it does in a roll, in sentences.
    pub meaning: &'static str,
    /// Kafka's default.
    pub default: &'static str,
    /// The version that brought it, and what has changed since.
    pub since: &'static str,
    /// Where that stands.
    pub source: &'static str,
}

/// Whose setting it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A Connect worker's.
    Worker,
    /// A broker's.
    Broker,
}

impl Side {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Worker => "a setting of the workers",
            Self::Broker => "a setting of the brokers",
        }
    }
}

/// All settings, in the order of their names.
pub static SETTINGS: &[SettingDoc] = &[
    SettingDoc {
        name: "connect.protocol",
        of: Side::Worker,
        meaning: "How the workers rebalance: `eager` stops everything each time, `compatible` and `sessioned` only \
                  what moves. The least that any member says counts for the whole group.",
        default: "sessioned",
        since: "2.3 (compatible by default); sessioned, the default, from 2.4 on",
        source: "KIP-415, KIP-507; DistributedConfig",
    },
    SettingDoc {
        name: "exactly.once.source.support",
        of: Side::Worker,
        meaning: "Whether sources deliver exactly once. `enabled` makes each source task ask the leader for its \
                  fence before it starts; if the leader is on its way out just then, the task ends FAILED. It is \
                  brought in by two rolls: first `preparing`, then `enabled`.",
        default: "disabled",
        since: "3.3",
        source: "KIP-618; DistributedConfig",
    },
    SettingDoc {
        name: "group.coordinator.rebalance.protocols",
        of: Side::Broker,
        meaning: "Which protocols of groups the broker serves. With `consumer` in it a broker of 3.7 to 3.9 runs the \
                  Java coordinator, which orders members in another way and so decides who succeeds the leader.",
        default: "classic",
        since: "3.7; the Java coordinator is the only one from 4.0 on",
        source: "KIP-848; GroupCoordinatorConfig",
    },
    SettingDoc {
        name: "group.initial.rebalance.delay.ms",
        of: Side::Broker,
        meaning: "How long an empty group waits for more members before its first round. It counts after all workers \
                  were away at once, with a single worker, and for the consumer group of a sink with one task.",
        default: "3000",
        since: "0.11; the server.properties that Kafka ships says 0",
        source: "KIP-134; GroupCoordinatorConfig",
    },
    SettingDoc {
        name: "group.max.session.timeout.ms",
        of: Side::Broker,
        meaning: "The largest session.timeout.ms that a member may ask for; the broker refuses more.",
        default: "1800000",
        since: "0.9; 300000 until 2.2",
        source: "GroupCoordinatorConfig",
    },
    SettingDoc {
        name: "group.min.session.timeout.ms",
        of: Side::Broker,
        meaning: "The smallest session.timeout.ms that a member may ask for; the broker refuses less.",
        default: "6000",
        since: "0.9",
        source: "GroupCoordinatorConfig",
    },
    SettingDoc {
        name: "heartbeat.interval.ms",
        of: Side::Worker,
        meaning: "How often a worker says that it lives. A follower learns of a rebalance by the answer, so that a \
                  round takes up to one interval and a hand-over two. At most a third of session.timeout.ms.",
        default: "3000",
        since: "0.9",
        source: "DistributedConfig",
    },
    SettingDoc {
        name: "rebalance.timeout.ms",
        of: Side::Worker,
        meaning: "How long a round waits for its members, the largest value of all members counting; who has not \
                  joined by then is put out. A worker that is busy for longer between two polls leaves by itself.",
        default: "60000",
        since: "0.10.1",
        source: "DistributedConfig",
    },
    SettingDoc {
        name: "scheduled.rebalance.max.delay.ms",
        of: Side::Worker,
        meaning: "How long lost work waits for its worker to return. The leader's value counts. The work waits for \
                  the whole of it, also when the worker is back before: just above the time a restart takes is \
                  long enough.",
        default: "300000",
        since: "2.3; with 0 lost work is handed out at once from 3.5.2, 3.6.1 and 3.7.0 on (KAFKA-15693)",
        source: "KIP-415; DistributedConfig",
    },
    SettingDoc {
        name: "session.timeout.ms",
        of: Side::Worker,
        meaning: "How long the broker waits for a heartbeat before it takes a worker for dead. A graceful stop does \
                  not need it, because the worker says that it leaves; a killed worker is noticed only by it.",
        default: "10000",
        since: "0.9; the 45 s of KIP-735 are those of consumers, not of workers",
        source: "DistributedConfig",
    },
    SettingDoc {
        name: "task.shutdown.graceful.timeout.ms",
        of: Side::Worker,
        meaning: "How long a stop waits for all tasks together; a task that is late is left behind. It ends in a \
                  stop of the worker that takes as long, and in records that are written twice if the task had not \
                  committed.",
        default: "5000",
        since: "0.9",
        source: "WorkerConfig",
    },
    SettingDoc {
        name: "worker.sync.timeout.ms",
        of: Side::Worker,
        meaning: "How long a worker may take to read the config topic to its end after a rebalance; then it leaves \
                  the group and tries again later.",
        default: "3000",
        since: "0.9",
        source: "DistributedConfig, DistributedHerder",
    },
    SettingDoc {
        name: "worker.unsync.backoff.ms",
        of: Side::Worker,
        meaning: "How long a worker stays out of the group after it could not read the config topic in time. Only \
                  eager workers wait so long; the others take steps of the rebalance delay.",
        default: "300000",
        since: "0.9",
        source: "DistributedConfig, DistributedHerder",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Description;

    #[test]
    fn the_settings_of_descriptions_are_all_here_with_the_same_defaults() {
        for (name, doc) in Description::setting_docs() {
            let setting = SETTINGS.iter().find(|setting| setting.name == name);
            let setting = setting.unwrap_or_else(|| panic!("{name} is not explained"));
            assert!(doc.ends_with(&format!("Default: {}.", setting.default)), "{name}: {doc}");
        }
    }
}
