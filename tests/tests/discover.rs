//! Running clusters as descriptions: what is written can be read, says what was seen, and means
//! the same roll; what cannot be told truly is refused.
//!
//! `ROLLGATE_SEED` repeats a run.

#![expect(clippy::print_stdout, reason = "how many were tried belongs to the outcome")]

use std::collections::BTreeMap;

use rollgate_core::assessment::assess_work;
use rollgate_core::discovery::{find, with_seen};
use rollgate_core::model::{Cluster, Items, Ownership, Wait, Worker, WorkerId, read};
use rollgate_core::report::Format;
use rollgate_core::simulation::{Chance, Detail, Order, Round, Schedule, Seed, TaskState, observe, simulate};
use rollgate_core::snapshot::{Seen, Snapshot};
use rollgate_core::text::Files;
use rollgate_core::units::{Duration, SimTime, Timestamp};
use rollgate_core::verbs::{DiscoverOptions, Observed, Refusal, discover, discover_seen};
use rollgate_tests::oracle::seed_of_run;
use rollgate_tests::{as_seen, compare, drawn_cluster, files_of, scenarios};

#[test]
fn each_snapshot_is_described_or_refused_as_expected() {
    let mut wrong = Vec::new();
    for scenario in scenarios("discover") {
        let files = files_of(&scenario);
        let settings_from = files.get("worker.properties").map(|_| "worker.properties".to_owned());
        let options = DiscoverOptions { settings_from };
        let found = match discover(&files, "snapshot.json", &options, Format::Yaml) {
            Ok(answer) => {
                can_be_read(&answer.report).unwrap_or_else(|why| panic!("{}: {why}", scenario.display()));
                answer.report
            }
            Err(refusal) => refusal.render(&files, false),
        };
        wrong.extend(compare(&scenario, &found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_is_described_of_a_random_cluster_is_what_was_seen() {
    let seed = seed_of_run();
    for number in 0..cases() {
        let chance = &mut Chance::new(Seed(seed).of_run(number));
        let (cluster, _) = drawn_cluster(chance);
        let repeat = format!("ROLLGATE_SEED={seed}, cluster {number}");
        let snapshot = as_seen(&cluster);
        let written = described(&snapshot).unwrap_or_else(|why| panic!("{why}\n{repeat}"));
        assert_eq!(written, described(&snapshot).unwrap_or_default(), "twice the same: {repeat}");
        let again = can_be_read(&written).unwrap_or_else(|why| panic!("{why}\n{written}\n{repeat}"));
        assert_eq!(state_of(&again), state_of(&cluster), "{repeat}\n{written}");
        // A description with what was seen of it is that very cluster.
        let found = find(&snapshot, None).unwrap_or_else(|why| panic!("{why}\n{repeat}"));
        let updated = with_seen(&cluster, &found).unwrap_or_else(|why| panic!("{why}\n{repeat}"));
        let unseen = |cluster: Cluster| Cluster { assumed: Vec::new(), ..cluster };
        assert_eq!(unseen(updated), unseen(cluster), "{repeat}");
    }
}

#[test]
fn a_roll_of_what_was_discovered_costs_what_it_costs_as_described() {
    let seed = seed_of_run();
    for number in 0..cases() / 10 {
        let chance = &mut Chance::new(Seed(seed).of_run(number));
        let (mut described, _) = drawn_cluster(chance);
        // What a group that starts together is given, as the simulator has it.
        described.ownership = None;
        let roll = Schedule::new(Order::PresentLeader, Wait::Back);
        let run = simulate(&described, &roll, Seed(11), Detail::Full);
        let mut owns = vec![Items::default(); described.workers.len()];
        let begun = |at: SimTime| at == SimTime::ZERO;
        for change in run.tasks.iter().filter(|change| begun(change.at) && change.state == TaskState::Running) {
            owns[change.worker.index()].tasks.push(change.item);
        }
        for change in run.connectors.iter().filter(|change| begun(change.at) && change.state == TaskState::Running) {
            owns[change.worker.index()].connectors.push(change.item);
        }
        let running = Cluster { ownership: Some(Ownership { owns, ..Ownership::default() }), ..described.clone() };
        let found = find(&as_seen(&running), None).expect("a quiet cluster");
        let discovered = with_seen(&described, &found).expect("the same cluster");
        let cost = |cluster: &Cluster| assess_work(cluster, &simulate(cluster, &roll, Seed(11), Detail::Full));
        assert_eq!(cost(&discovered), cost(&described), "ROLLGATE_SEED={seed}, cluster {number}");
    }
}

#[test]
fn a_run_that_is_seen_in_the_middle_of_a_delay_goes_on_as_it_did() {
    let seed = seed_of_run();
    let mut judged = 0;
    for number in 0..cases() / 3 {
        let chance = &mut Chance::new(Seed(seed).of_run(number));
        let (mut cluster, _) = drawn_cluster(chance);
        cluster.ownership = None;
        cluster.workers.iter_mut().for_each(|worker| worker.url = None);
        let follows = |worker: &Worker| !worker.leads && !worker.unready;
        let Some(follower) = cluster.workers.iter().position(follows) else { continue };
        let follower = WorkerId(u32::try_from(follower).expect("few workers"));
        let roll = Schedule::new(Order::Listed(vec![follower]), Wait::Back);
        let run = simulate(&cluster, &roll, Seed(5), Detail::Full);
        let mid_delay = run
            .rounds
            .windows(2)
            .find(|two| two[0].delay > Duration::from_secs(2) && two[1].at - two[0].at > Duration::from_secs(60));
        let Some([round, next]) = mid_delay else { continue };
        let at = round.at + Duration::from_secs(30);
        let repeat = format!("ROLLGATE_SEED={seed}, cluster {number}");
        let snapshot = observe(&cluster, &run, at, Timestamp::from_millis(1_796_095_038_123));
        let found = find(&snapshot, Some(at - round.at)).unwrap_or_else(|why| panic!("{why}\n{repeat}"));
        let middle = with_seen(&cluster, &found).unwrap_or_else(|why| panic!("{why}\n{repeat}"));
        let idle = middle.ownership.iter().flat_map(|ownership| &ownership.owns).filter(|owns| owns.is_empty());
        let away = middle.workers.iter().filter(|worker| worker.unready).count();
        if idle.count() > away + 1 {
            // In which order several came to be without work nobody can see.
            continue;
        }
        let waits = Schedule::new(Order::Listed(vec![follower]), Wait::Settled);
        let again = simulate(&middle, &waits, Seed(5), Detail::Full);
        let first = again.rounds.first().unwrap_or_else(|| panic!("no round: {repeat}"));
        let owners = |round: &Round| -> BTreeMap<WorkerId, Items> {
            round.members.iter().map(|part| (part.worker, part.owns.clone())).collect()
        };
        assert_eq!(owners(first), owners(next), "{repeat}");
        assert_eq!((first.leader, first.delay.is_zero()), (next.leader, next.delay.is_zero()), "{repeat}");
        let late = (first.at - SimTime::ZERO) - (next.at - at);
        assert!(late.as_millis().abs() < 200, "{} ms late: {repeat}", late.as_millis());
        judged += 1;
    }
    println!("{judged} runs");
    assert!(judged > 10, "too few runs to prove anything: {judged}");
}

#[test]
fn a_snapshot_with_holes_is_described_so_that_it_reads_or_is_refused() {
    let seed = seed_of_run();
    let (mut told, mut refused) = (0, 0);
    for number in 0..cases() {
        let chance = &mut Chance::new(Seed(seed).of_run(number));
        let (cluster, _) = drawn_cluster(chance);
        let mut json = serde_json::to_value(as_seen(&cluster)).expect("a snapshot");
        for _ in 0..=chance.below(2) {
            dig(&mut json, chance);
        }
        let Ok(snapshot) = Snapshot::read(&json.to_string()) else { continue };
        let repeat = format!("ROLLGATE_SEED={seed}, snapshot {number}: {json}");
        match discover_seen(&snapshot, &Files::default(), &DiscoverOptions::default(), Format::Yaml) {
            Ok(answer) => {
                told += 1;
                can_be_read(&answer.report).unwrap_or_else(|why| panic!("{why}\n{}\n{repeat}", answer.report));
            }
            Err(Refusal::Unclear(unclear)) => {
                refused += 1;
                assert!(!unclear.seen.is_empty() && !unclear.advice.is_empty(), "{repeat}");
            }
            Err(other) => panic!("{other}\n{repeat}"),
        }
    }
    println!("{told} told, {refused} refused");
    assert!(told > 0 && refused > 0, "too little to prove anything: {told} told, {refused} refused");
}

#[test]
fn a_delay_is_what_is_left_since_the_round_that_was_seen() {
    let files =
        files_of(&scenarios("discover").into_iter().find(|folder| folder.ends_with("a_delay_runs")).expect("it"));
    let snapshot = Snapshot::read(files.get("snapshot.json").unwrap_or_default()).expect("a snapshot");
    let age = Duration::from_secs(41);
    let seen = Observed::read(&snapshot, &files, None, Some(age)).expect("a cluster");
    assert_eq!(seen.cluster.delay_left(), Some(Duration::from_millis(200_383)));
    assert_eq!(seen.cluster.ownership.and_then(|ownership| ownership.last_round), Some(age));
}

fn described(snapshot: &Snapshot) -> Result<String, String> {
    discover_seen(snapshot, &Files::default(), &DiscoverOptions::default(), Format::Yaml)
        .map(|answer| answer.report)
        .map_err(|refusal| refusal.to_string())
}

fn can_be_read(text: &str) -> Result<Cluster, String> {
    let mut files = Files::default();
    files.insert("cluster.yaml", text);
    read(&files, "cluster.yaml")
        .map(|(cluster, _)| cluster)
        .map_err(|errors| errors.iter().map(|error| error.render(&files, false)).collect::<Vec<_>>().join("\n"))
}

/// What a snapshot can tell of a cluster, by the workers' addresses.
fn state_of(cluster: &Cluster) -> String {
    let name = |worker: &WorkerId| cluster.workers[worker.index()].url.clone().unwrap_or_default();
    let ownership = cluster.ownership.clone().unwrap_or_default();
    let named = |items: &Items| -> Vec<String> {
        let connectors = items.connectors.iter().map(|&id| cluster.work.name(id).to_owned());
        connectors.chain(items.tasks.iter().map(|&id| cluster.work.task_name(id))).collect()
    };
    let workers: BTreeMap<String, _> = (0..)
        .map(WorkerId)
        .zip(&cluster.workers)
        .map(|(id, worker)| {
            let version = worker.before.version;
            let protocol = worker.before.settings.protocol;
            let owns = named(&ownership.owns[id.index()]);
            (name(&id), format!("{version} {protocol} {:?} {} {owns:?}", worker.member_id, worker.leads))
        })
        .collect();
    let connectors: Vec<_> = cluster
        .connectors
        .iter()
        .map(|connector| {
            (&connector.name, connector.tasks, connector.state, connector.sink.as_ref().map(|sink| sink.partitions))
        })
        .collect();
    let order: Option<Vec<String>> = cluster.group_order.as_ref().map(|order| order.iter().map(name).collect());
    let mut waiting = named(&ownership.waiting);
    waiting.sort();
    format!("{workers:#?}\n{connectors:#?}\n{order:?}\n{waiting:?}\n{:?}", ownership.delay_left)
}

/// Makes something unknown, empties it, or takes it out.
fn dig(json: &mut serde_json::Value, chance: &mut Chance) {
    use serde_json::Value;
    let mut at = json;
    loop {
        let children = match at {
            Value::Object(map) => map.len(),
            Value::Array(list) => list.len(),
            _ => 0,
        };
        let deeper = children > 0 && chance.below(4) > 0;
        if !deeper {
            break;
        }
        let drawn = chance.below(u32::try_from(children).unwrap_or(1)) as usize;
        at = match at {
            Value::Object(map) => map.values_mut().nth(drawn).expect("a child"),
            Value::Array(list) => &mut list[drawn],
            other => other,
        };
    }
    *at = match (chance.below(3), &*at) {
        (0, Value::Array(_)) => Value::Array(Vec::new()),
        (1, Value::String(text)) => Value::String(format!("{text}x")),
        (1, Value::Number(_)) => 7.into(),
        _ => serde_json::to_value(Seen::<()>::unknown("nobody answers")).expect("a reason"),
    };
}

fn cases() -> u32 {
    if std::env::var_os("ROLLGATE_FULL").is_some() { 5_000 } else { 300 }
}
