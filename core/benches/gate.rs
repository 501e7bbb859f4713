//! Times one look of the gate at a large cluster at rest, and the reading and writing of a gate.

use std::collections::{BTreeMap, BTreeSet};

use divan::Bencher;
use rollgate_core::gate::{Baseline, Conditions, Gate, Limits, Observation, Sight, Verdict};
use rollgate_core::snapshot::{
    Assignment, Claimed, ConnectorState, ConnectorStatus, ConnectorType, Group, GroupState, Member, Seen, Snapshot,
    Statuses, WorkItems,
};
use rollgate_core::units::{Duration, Timestamp};

fn main() {
    divan::main();
}

const SIZES: [Size; 2] = [Size(10, 500), Size(100, 5_000)];

#[divan::bench(args = SIZES)]
fn observe(bencher: Bencher<'_, '_>, size: Size) {
    let (gate, looks) = gate(size);
    bencher.with_inputs(|| gate.clone()).bench_refs(|gate| {
        let decision =
            gate.observe(at(2), Duration::from_secs(2), &Observation { snapshot: Some(&looks), foreseen: None });
        assert_eq!(decision.verdict, Verdict::NotYet);
        decision
    });
}

#[divan::bench(args = SIZES)]
fn write_and_read(bencher: Bencher<'_, '_>, size: Size) {
    let (gate, _) = gate(size);
    bencher.bench_local(|| {
        let json = serde_json::to_string(&gate).unwrap_or_default();
        serde_json::from_str::<Gate>(&json).is_ok_and(|again| again == gate)
    });
}

fn gate(size: Size) -> (Gate, Snapshot) {
    let before = snapshot(size, at(0));
    let baseline = Baseline::take(&before, &Sight::Group, &BTreeMap::new(), &BTreeSet::new());
    let baseline = baseline.unwrap_or_else(|reasons| panic!("{}", reasons[0]));
    let mut gate = Gate::new(Conditions::default(), Limits::default(), baseline, &["http://w1:8083"], at(0));
    let first = snapshot(size, at(1));
    gate.observe(at(1), Duration::from_secs(1), &Observation { snapshot: Some(&first), foreseen: None });
    (gate, snapshot(size, at(2)))
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_796_095_000_000).after(Duration::from_secs(seconds))
}

fn snapshot(Size(workers, tasks): Size, taken_at: Timestamp) -> Snapshot {
    let connectors = tasks / 25;
    let mut owned: BTreeMap<u32, WorkItems> = BTreeMap::new();
    let mut statuses = BTreeMap::new();
    for connector in 0..connectors {
        let name = format!("orders-of-region-{connector}");
        let running = |worker: u32| Claimed { state: ConnectorState::Running, worker: format!("w{worker}:8083") };
        let home = connector % workers + 1;
        owned.entry(home).or_default().connectors.push(name.clone());
        let mut claims = BTreeMap::new();
        for task in 0..25 {
            let home = (connector * 25 + task) % workers + 1;
            owned.entry(home).or_default().tasks.push((name.clone(), task));
            claims.insert(task, running(home));
        }
        statuses.insert(
            name,
            ConnectorStatus {
                kind: ConnectorType::Source,
                instance: Seen::Known(running(home)),
                tasks: claims,
                configured_tasks: Seen::Known((0..25).collect()),
                config_hash: Seen::Known("a".repeat(64)),
                consumer_group: None,
            },
        );
    }
    let member = |worker: u32| {
        let owns = owned.get(&worker).cloned().unwrap_or_default();
        Member {
            id: format!("connect-192.0.2.{worker}:8083-61da2c6c-90a7-4d7c-a17b-1f2b1ac65d{worker:03}"),
            client_id: format!("connect-192.0.2.{worker}:8083"),
            host: format!("192.0.2.{worker}"),
            url: Seen::Known(format!("http://w{worker}:8083/")),
            config_offset: Seen::Known(700),
            reported: Seen::Known(owns.clone()),
            assignment: Seen::Known(Assignment {
                error: 0,
                leader: "connect-192.0.2.1:8083-61da2c6c-90a7-4d7c-a17b-1f2b1ac65d001".to_owned(),
                leader_url: "http://w1:8083/".to_owned(),
                config_offset: 700,
                assigned: WorkItems::default(),
                revoked: WorkItems::default(),
                delay_ms: 0,
            }),
            owns: Seen::Known(owns),
        }
    };
    Snapshot {
        schema_version: Snapshot::SCHEMA_VERSION,
        taken_at,
        took_ms: 20,
        cluster_id: Seen::Known("kafka-1".to_owned()),
        group: Seen::Known(Group {
            id: "connect".to_owned(),
            state: GroupState::Stable,
            protocol: Some("sessioned".to_owned()),
            coordinator: "192.0.2.200:9092".to_owned(),
            members: (1..=workers).map(member).collect(),
        }),
        statuses: Seen::Known(Statuses { asked: "http://w2:8083".to_owned(), connectors: statuses }),
        endpoints: Vec::new(),
        sinks: Vec::new(),
    }
}

#[derive(Clone, Copy)]
struct Size(u32, u32);

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} workers, {} tasks", self.0, self.1)
    }
}
