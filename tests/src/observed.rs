//! Random clusters as they might run, and what would be seen of one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rollgate_core::model::{Cluster, ConnectProtocol, ConnectorState, Items, Ownership, Policy, WorkerId, read};
use rollgate_core::simulation::Chance;
use rollgate_core::snapshot::{
    Assignment, Claimed, ConnectorStatus, ConnectorType, Consumer, Endpoint, Group, GroupState, Member, NoAnswer,
    Partition, Seen, SinkGroup, Snapshot, Statuses, Version, WorkItems,
};
use rollgate_core::text::Files;
use rollgate_core::units::{Duration, Timestamp};

/// A cluster of which everything is known: ids, leader, order, and who owns what, in a delay or not.
///
/// # Panics
/// If it cannot be read: a fault of the drawing.
pub fn drawn_cluster(chance: &mut Chance) -> (Cluster, Policy) {
    let count = 1 + chance.below(7);
    let present = count - u32::from(count > 2 && chance.below(4) == 0);
    let protocol = ["sessioned", "sessioned", "compatible", "eager"][chance.below(4) as usize];
    let kafka = ["4.3.1", "3.9.2", "3.3.2", "7.6.0-ccs", "2.8.2"][chance.below(5) as usize];
    let style = chance.below(3);
    let mut text = format!("version: 1\nkafka: {kafka}\nprotocol: {protocol}\nworkers:\n");
    for place in 0..count {
        let url = match style {
            0 => format!("http://connect-{place}.example.com:8083/"),
            1 => format!("https://10.0.0.{place}:8443"),
            _ => format!("http://127.0.0.1:{}/", 18_080 + place),
        };
        let newer = if place + 1 == present && present > 2 && chance.below(3) == 0 { ", kafka: 4.4.0" } else { "" };
        let member = if place < present {
            format!("member: \"connect-{place}-{}\"", chance.uuid())
        } else {
            "unready: true".to_owned()
        };
        let _ = writeln!(text, "  - {{name: w{place}, url: \"{url}\", {member}{newer}}}");
    }
    let _ = writeln!(text, "leader: w{}\nconnectors:", chance.below(present));
    for place in 0..=chance.below(4) {
        let name = ["a", "a-0", "no 1", "ü:b", "0x1"][place as usize];
        let tasks = chance.below(9);
        let state = ["running", "running", "paused", "stopped"][chance.below(4) as usize];
        let kind = match chance.below(3) {
            0 => format!("kind: sink, partitions: {}", 1 + chance.below(20)),
            _ => "kind: source".to_owned(),
        };
        let _ = writeln!(text, "  \"{name}\": {{{kind}, tasks: {tasks}, state: {state}}}");
    }
    let mut files = Files::default();
    files.insert("drawn", text.as_str());
    let (mut cluster, policy) = match read(&files, "drawn") {
        Ok(read) => read,
        Err(errors) => panic!("{}\n{text}", errors[0]),
    };
    observe(&mut cluster, chance);
    (cluster, policy)
}

/// Gives each work unit to some worker in the group, or lets it wait for a delay; lists the members in some order.
pub fn observe(cluster: &mut Cluster, chance: &mut Chance) {
    let present: Vec<usize> = (0..cluster.workers.len()).filter(|&place| !cluster.workers[place].unready).collect();
    if present.iter().all(|&place| cluster.workers[place].member_id.is_some()) {
        let mut order: Vec<usize> = present.clone();
        let turn = chance.below(u32::try_from(order.len()).unwrap_or(1)) as usize;
        order.rotate_left(turn);
        let ids = order.into_iter().filter_map(|place| u32::try_from(place).ok());
        cluster.group_order = Some(ids.map(WorkerId).collect());
    }
    let eager = |place: &usize| cluster.workers[*place].before.settings.protocol == ConnectProtocol::Eager;
    let delay = chance.below(2) == 0 && !present.iter().any(eager);
    let mut ownership = Ownership { owns: vec![Items::default(); cluster.workers.len()], ..Ownership::default() };
    ownership.delay_left = delay.then(|| Duration::from_millis(1 + i64::from(chance.below(500_000))));
    let mut owner = || {
        let drawn = chance.below(u32::try_from(present.len() + usize::from(delay)).unwrap_or(1)) as usize;
        present.get(drawn).copied()
    };
    for connector in cluster.work.connectors() {
        let items = owner().map_or(&mut ownership.waiting, |place| &mut ownership.owns[place]);
        items.connectors.push(connector);
        for task in cluster.work.tasks_of(connector) {
            let items = owner().map_or(&mut ownership.waiting, |place| &mut ownership.owns[place]);
            items.tasks.insert(0, task);
        }
    }
    ownership.waiting.tasks.sort_unstable();
    cluster.ownership = Some(ownership);
}

/// What would be seen of a cluster whose members, leader, order and owners are known.
pub fn as_seen(cluster: &Cluster) -> Snapshot {
    let ownership = cluster.ownership.clone().unwrap_or_default();
    let delay_ms = ownership.delay_left.map_or(0, Duration::as_millis);
    let leader = cluster.workers.iter().find(|worker| worker.leads);
    let (leader_id, leader_url) = leader.map_or_else(Default::default, |leader| {
        (leader.member_id.clone().unwrap_or_default(), leader.url.clone().unwrap_or_default())
    });
    let member = |place: usize| {
        let worker = &cluster.workers[place];
        let owns = named(cluster, &ownership.owns[place]);
        Member {
            id: worker.member_id.clone().unwrap_or_default(),
            client_id: worker.client_id.clone(),
            host: "/192.0.2.1".to_owned(),
            url: Seen::Known(worker.url.clone().unwrap_or_default()),
            config_offset: Seen::Known(9),
            reported: Seen::Known(owns.clone()),
            assignment: Seen::Known(Assignment {
                error: 0,
                leader: leader_id.clone(),
                leader_url: leader_url.clone(),
                config_offset: 9,
                assigned: WorkItems::default(),
                revoked: WorkItems::default(),
                delay_ms,
            }),
            owns: Seen::Known(owns),
        }
    };
    let order = cluster.group_order.clone().unwrap_or_default();
    let protocol = cluster.workers.iter().filter(|worker| !worker.unready);
    let protocol = protocol.map(|worker| worker.before.settings.protocol).min();
    Snapshot {
        schema_version: Snapshot::SCHEMA_VERSION,
        taken_at: Timestamp::from_millis(1_796_095_038_123),
        took_ms: 12,
        cluster_id: Seen::Known("kafka-1".to_owned()),
        group: Seen::Known(Group {
            id: "connect".to_owned(),
            state: GroupState::Stable,
            protocol: protocol.map(|protocol| protocol.to_string()),
            coordinator: "192.0.2.9:9092".to_owned(),
            members: order.iter().map(|worker| member(worker.index())).collect(),
        }),
        statuses: Seen::Known(Statuses { asked: leader_url.clone(), connectors: statuses(cluster) }),
        endpoints: cluster.workers.iter().map(endpoint).collect(),
        sinks: sinks(cluster),
    }
}

fn named(cluster: &Cluster, items: &Items) -> WorkItems {
    let work = &cluster.work;
    WorkItems {
        connectors: items.connectors.iter().map(|&connector| work.name(connector).to_owned()).collect(),
        tasks: items
            .tasks
            .iter()
            .map(|&task| (work.name(work.connector_of(task)).to_owned(), work.number(task)))
            .collect(),
    }
}

fn endpoint(worker: &rollgate_core::model::Worker) -> Endpoint {
    let version = Version {
        version: worker.before.version.to_string(),
        commit: "a1".to_owned(),
        kafka_cluster_id: "kafka-1".to_owned(),
    };
    Endpoint {
        url: worker.url.clone().unwrap_or_default(),
        version: if worker.unready { Seen::unknown("nobody listens there") } else { Seen::Known(version) },
        no_answer: worker.unready.then_some(NoAnswer::Refused),
    }
}

fn statuses(cluster: &Cluster) -> BTreeMap<String, ConnectorStatus> {
    use rollgate_core::snapshot::ConnectorState as State;
    let of = |connector: &rollgate_core::model::Connector| {
        let state = match connector.state {
            ConnectorState::Running => State::Running,
            ConnectorState::Paused => State::Paused,
            ConnectorState::Stopped => State::Stopped,
        };
        let claimed = Claimed { state, worker: "w0:8083".to_owned() };
        let status = ConnectorStatus {
            kind: if connector.sink.is_some() { ConnectorType::Sink } else { ConnectorType::Source },
            instance: Seen::Known(claimed.clone()),
            tasks: (0..connector.tasks).map(|number| (number, claimed.clone())).collect(),
            configured_tasks: Seen::Known((0..connector.tasks).collect()),
            config_hash: Seen::Known("00".to_owned()),
            consumer_group: connector.sink.as_ref().map(|_| format!("connect-{}", connector.name)),
        };
        (connector.name.clone(), status)
    };
    cluster.connectors.iter().map(of).collect()
}

fn sinks(cluster: &Cluster) -> Vec<SinkGroup> {
    let of = |connector: &rollgate_core::model::Connector| {
        let partitions = i32::try_from(connector.sink.as_ref()?.partitions).ok()?;
        let partition = |partition| Partition {
            topic: "records".to_owned(),
            partition,
            committed: Seen::Known(Some(1)),
            end: Seen::Known(2),
        };
        Some(SinkGroup {
            connector: connector.name.clone(),
            group: format!("connect-{}", connector.name),
            state: Seen::Known(GroupState::Stable),
            consumers: Seen::Known(vec![Consumer {
                client_id: format!("connector-consumer-{}-0", connector.name),
                partitions: vec![("records".to_owned(), 0)],
            }]),
            partitions: Seen::Known((0..partitions).map(partition).collect()),
        })
    };
    cluster.connectors.iter().filter_map(of).collect()
}
