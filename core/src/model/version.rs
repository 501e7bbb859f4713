//! What a Kafka version means: the one table of version differences.

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
pub struct WorkerRules {
    /// How a leader of this version balances.
    pub balance: Balance,
    /// Whether a delay of 0 hands lost work out at once (KAFKA-15693); before, it waits for some later round.
    pub zero_delay_reassigns: bool,
    /// What a graceful stop does in which order.
    pub shutdown: Shutdown,
    /// Whether the default client id holds the worker's address (KAFKA-15888) or is `connect-1` everywhere.
    pub client_id_has_address: bool,
}

/// The group coordinator of the brokers, which decides the order of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinator {
    /// The Java coordinator (KIP-848), the only one from 4.0 on.
    Java,
    /// The Scala coordinator of 3.x brokers.
    Scala,
}

impl std::fmt::Display for KafkaVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
