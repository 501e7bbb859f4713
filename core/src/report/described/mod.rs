//! A cluster and its policy written back as a description: everything is said, nothing is
//! left to assume, and no other file is needed. Reading it gives the same cluster and policy.
//!
//! What most workers have in common is said once, and that a source delivers exactly once by the
//! workers' `exactly.once.source.support`. Only settings that the model knows are
//! written; nothing of a worker's file that could be a secret is among them.
//!
//! # Leaves out
//! - who leads, where nobody said it: it is drawn in each run
//! - how much later than configured a heartbeat comes, and the small times of a healthy
//!   cluster: they belong to the model, not to the cluster
//! - names of settings that led to a client id: it is said itself

mod tree;
mod values;
mod workers;
mod yaml;

use crate::model::{Broker, Cluster, Connector, ConnectorState, ConsumerAssignor, Coordinator, KafkaVersion, Policy};
use crate::model::{Sink, Wait};

pub use tree::Described;
pub(super) use values::time;
use values::{millis, rate, share, spread};

/// The description of a cluster and of what its roll must respect, in version 1 of the format.
pub fn description(cluster: &Cluster, policy: &Policy) -> Described {
    let described = Described::map().with("version", 1_u32);
    let unseen: Vec<Described> = cluster.unseen.iter().map(|key| Described::from(key.as_str())).collect();
    let described = described.with_some("assumed", Described::List(unseen).unless_empty());
    let described = workers::add(described, cluster, broker(&cluster.broker));
    let connectors = cluster.connectors.iter().map(|of| (of.name.clone(), connector(of))).collect();
    described.with("connectors", Described::Map(connectors)).with("policy", self::policy(policy))
}

fn broker(broker: &Broker) -> Described {
    let from_3_7 = broker.version >= KafkaVersion::new(3, 7, 0) && broker.version < KafkaVersion::new(4, 0, 0);
    let protocols = match broker.coordinator {
        Coordinator::Java => "classic,consumer",
        Coordinator::Scala => "classic",
    };
    let settings = Described::map()
        .with_some("group.coordinator.rebalance.protocols", from_3_7.then_some(protocols))
        .with("group.initial.rebalance.delay.ms", millis(broker.initial_rebalance_delay))
        .with("group.max.session.timeout.ms", millis(broker.max_session_timeout))
        .with("group.min.session.timeout.ms", millis(broker.min_session_timeout));
    Described::map().with("kafka", broker.version.to_string()).with("settings", settings)
}

fn connector(connector: &Connector) -> Described {
    let state = match connector.state {
        ConnectorState::Running => None,
        ConnectorState::Paused => Some("paused"),
        ConnectorState::Stopped => Some("stopped"),
    };
    Described::map()
        .with("kind", if connector.sink.is_some() { "sink" } else { "source" })
        .with("tasks", connector.tasks)
        .with_some("tasks_max", connector.tasks_max)
        .with_some("state", state)
        .with_some("rate", connector.flow.map(|flow| rate(flow.arrival)))
        .with_some("capacity", connector.flow.map(|flow| rate(flow.capacity_per_task)))
        .with("start", spread(&connector.task_start))
        .with("stop", spread(&connector.task_stop))
        .with_some("reconfigures_after", connector.reconfigures_after.as_ref().map(spread))
        .with_some("partitions", connector.sink.as_ref().map(|sink| sink.partitions))
        .with_some("consumer", connector.sink.as_ref().map(consumer))
}

fn consumer(sink: &Sink) -> Described {
    let assignor = match sink.assignor {
        ConsumerAssignor::Range => "range",
        ConsumerAssignor::CooperativeSticky => "cooperative-sticky",
    };
    Described::map()
        .with("assignor", assignor)
        .with("session.timeout.ms", millis(sink.session_timeout))
        .with("heartbeat.interval.ms", millis(sink.heartbeat_interval))
}

fn policy(policy: &Policy) -> Described {
    let wait = policy.wait.map(|wait| match wait {
        Wait::Back => "back".to_owned(),
        Wait::Settled => "settled".to_owned(),
        Wait::Fixed(pause) => time(pause),
    });
    #[expect(clippy::cast_possible_truncation, reason = "a limit in records is a whole number below 2^32")]
    let max_lag = policy.max_lag.map(|records| records.0 as i64);
    Described::map()
        .with("max_share", if policy.max_share_given { share(policy.max_share) } else { ONE_WORKER.to_owned() })
        .with_some("max_unassigned", policy.max_unassigned.map(time))
        .with_some("max_lag", max_lag)
        .with_some("window", policy.window.map(time))
        .with("at_once", i64::try_from(policy.at_once).unwrap_or(i64::MAX))
        .with_some("wait", wait)
        .with("during_delay", policy.during_delay)
        .with("leader_again", policy.leader_again)
}

/// The share of the worker that has most.
const ONE_WORKER: &str = "one-worker";
