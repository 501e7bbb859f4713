//! A cluster described as it was observed goes on as the real one did: from each recorded state
//! that is quiet but for a delay, the next round is the one that was recorded.

#![expect(clippy::print_stdout, reason = "how many states were judged belongs to the outcome")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rollgate_core::model::{
    Cluster, Items, Ownership, Policy, Replay, ReplayEvent, ReplayEventKind, Spread, Start, Wait, Work, WorkerId,
    read_replay,
};
use rollgate_core::simulation::{Detail, Order, Round, Schedule, Seed, simulate};
use rollgate_core::text::Files;
use rollgate_core::units::{Duration, SimTime};
use rollgate_tests::{scenarios, survives};
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    rounds: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    at_ms: i64,
    leader: String,
    delay_ms: i64,
    owns: BTreeMap<String, Vec<String>>,
    revoked: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    synced: Option<Vec<String>>,
}

#[test]
fn the_next_round_of_a_described_state_is_the_recorded_one() {
    let (mut left, mut over, mut during, mut wrong) = (0, 0, 0, String::new());
    for folder in scenarios("replay/recorded") {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = |file| std::fs::read_to_string(folder.join(file)).expect(file);
        let expected: Expected = serde_json::from_str(&read("expected.json")).expect("expected.json");
        let mut files = Files::default();
        files.insert("replay.yaml", read("replay.yaml"));
        let given = read_replay(&files, "replay.yaml").expect("a recording");
        for (state, next) in states(&given, &expected) {
            let what = format!("{name}, {}", state.what());
            survives(&state.cluster, &policy()).unwrap_or_else(|why| panic!("{what}: {why}"));
            let found = state.next_round();
            let differences = compare(&state.cluster, found.as_ref(), next);
            if !differences.is_empty() {
                let _ = writeln!(wrong, "{what}:\n{differences}");
            }
            during += u32::from(state.cluster.delay_left().is_some() && state.leaves.is_some());
            left += u32::from(state.leaves.is_some());
            over += u32::from(state.leaves.is_none());
        }
    }
    println!("{left} states that a worker leaves, {during} of them during a delay; {over} whose delay ends");
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(left >= 45 && during >= 7 && over >= 16, "too few states to prove anything");
}

/// A recorded state, and what comes next.
struct State {
    cluster: Cluster,
    generation: usize,
    /// Who leaves; nobody if it is the delay that ends.
    leaves: Option<WorkerId>,
}

impl State {
    fn what(&self) -> String {
        let next = self.leaves.map_or("the delay ends", |worker| self.cluster.name_of(worker));
        format!("after round {} ({next})", self.generation)
    }

    /// The first round of a roll that restarts whoever left; if nobody did, of one that waits for the delay.
    fn next_round(&self) -> Option<Round> {
        let (worker, wait) = match self.leaves {
            Some(worker) => (worker, Wait::Back),
            None => (WorkerId(0), Wait::Settled),
        };
        let schedule = Schedule::new(Order::Listed(vec![worker]), wait);
        let timeline = simulate(&self.cluster, &schedule, Seed(1), Detail::Full);
        timeline.rounds.into_iter().next()
    }
}

/// The states of a recording from which nothing but one leave, or the end of the delay, leads to the next round.
fn states<'e>(given: &Replay, expected: &'e Expected) -> Vec<(State, &'e Recorded)> {
    let mut found = Vec::new();
    let first = (given.last_round.unwrap_or(SimTime::from_micros(i64::MIN / 4)), None);
    let rounds = expected.rounds.iter().map(|round| (SimTime::from_millis(round.at_ms), Some(round)));
    let moments: Vec<(SimTime, Option<&Recorded>)> = std::iter::once(first).chain(rounds).collect();
    for (place, pair) in moments.windows(2).enumerate() {
        let [(at, round), (until, Some(next))] = pair else { continue };
        let before: Vec<&ReplayEvent> = given.events.iter().filter(|event| event.at <= *at).collect();
        let between: Vec<&ReplayEvent> =
            given.events.iter().filter(|event| event.at > *at && event.at <= *until).collect();
        let unseen = |round: &Recorded| round.synced.is_some() || round.revoked.values().any(|items| !items.is_empty());
        // What is still under way, or not said by who owns what, is no quiet state.
        let plain = |event: &&ReplayEvent| {
            matches!(event.kind, ReplayEventKind::Leave(_) | ReplayEventKind::Join { owns: None, setup: None, .. })
        };
        if round.is_some_and(unseen) || next.synced.is_some() || !before.iter().all(plain) {
            continue;
        }
        if round.is_none() && given.memory.is_some() {
            continue;
        }
        let Some(mut cluster) = described(given, *round, &before) else { continue };
        let leaves = match between.as_slice() {
            [ReplayEvent { kind: ReplayEventKind::Leave(id), at: left }] => {
                let worker = cluster.workers.iter().position(|worker| worker.member_id.as_ref() == Some(id));
                let Some(worker) = worker else { continue };
                set_clock(&mut cluster, *left - *at, *round);
                Some(WorkerId(u32::try_from(worker).expect("few workers")))
            }
            [] if round.is_some_and(|round| round.delay_ms > 1_000) => {
                set_clock(&mut cluster, Duration::from_millis(500), *round);
                None
            }
            _ => continue,
        };
        // Under a delay that is all but over, milliseconds decide which comes first.
        if leaves.is_some() && cluster.delay_left().is_some_and(|left| left < Duration::from_secs(4)) {
            continue;
        }
        found.push((State { cluster, generation: place, leaves }, *next));
    }
    found
}

/// The cluster as it was after a round; before the first one, as the recording begins.
fn described(given: &Replay, round: Option<&Recorded>, before: &[&ReplayEvent]) -> Option<Cluster> {
    let mut cluster = given.cluster.clone();
    let mut ids: Vec<Option<String>> = vec![None; cluster.workers.len()];
    for member in &given.members {
        ids[member.worker.index()] = Some(member.id.clone());
    }
    for event in before {
        match &event.kind {
            ReplayEventKind::Leave(left) => {
                ids.iter_mut().filter(|id| id.as_ref() == Some(left)).for_each(|id| *id = None);
            }
            ReplayEventKind::Join { id, worker, .. } => ids[worker.index()] = Some(id.clone()),
            _ => {}
        }
    }
    let mut ownership = Ownership { owns: vec![Items::default(); cluster.workers.len()], ..Ownership::default() };
    let mut all = Items {
        connectors: cluster.work.connectors().collect(),
        tasks: cluster.work.connectors().flat_map(|connector| cluster.work.tasks_of(connector)).collect(),
    };
    for (place, worker) in cluster.workers.iter_mut().enumerate() {
        worker.member_id.clone_from(&ids[place]);
        if let Some(id) = &ids[place] {
            let client = &id[..id.len() - "-7dab2aa1-19fe-4974-823f-2dc6d3b3b30d".len()];
            client.clone_into(&mut worker.client_id);
            client.clone_into(&mut worker.client_id_after);
        }
        worker.unready = ids[place].is_none();
        worker.restart.start = Start::Whole(Spread::Fixed(Duration::from_secs(90)));
        let id = WorkerId(u32::try_from(place).ok()?);
        worker.leads = match round {
            Some(round) => round.leader == worker.name,
            None => given.members.iter().any(|member| member.leader && member.worker == id),
        };
        let before_all = || given.members.iter().find(|member| member.worker == id).map(|member| member.owns.clone());
        let owned = round
            .map_or_else(before_all, |round| round.owns.get(&worker.name).map(|names| items(names, &cluster.work)));
        let owns = owned.unwrap_or_default();
        all.connectors.retain(|connector| !owns.connectors.contains(connector));
        all.tasks.retain(|task| !owns.tasks.contains(task));
        ownership.owns[place] = owns;
    }
    ownership.waiting = all;
    let delayed = round.is_some_and(|round| round.delay_ms > 0);
    // A worker of another version than when the recording begins would have to be said.
    let in_group = |worker: &&rollgate_core::model::Worker| !worker.unready;
    let consistent = ownership.waiting.is_empty() || delayed;
    let order = given.members.iter().map(|member| member.worker).collect();
    (consistent && cluster.workers.iter().filter(in_group).count() > 1).then(|| Cluster {
        group_order: round.is_none().then_some(order),
        ownership: Some(ownership),
        assumed: Vec::new(),
        ..cluster
    })
}

/// So much later: the last round is so long ago, and so much less is left of the delay.
fn set_clock(cluster: &mut Cluster, later: Duration, round: Option<&Recorded>) {
    let stop = cluster.workers[0].restart.stop.middle();
    let Some(ownership) = &mut cluster.ownership else { return };
    // The roll begins with the order to stop, and the leave comes after that.
    let later = if later > stop { later - stop } else { Duration::ZERO };
    ownership.last_round = Some(later);
    let delay = round.map(|round| Duration::from_millis(round.delay_ms)).filter(|delay| !delay.is_zero());
    ownership.delay_left = delay.map(|delay| delay - later);
}

fn items(names: &[String], work: &Work) -> Items {
    let connectors = names.iter().filter_map(|name| work.connector(name)).collect();
    Items { connectors, tasks: names.iter().filter_map(|name| work.task_named(name)).collect() }
}

fn compare(cluster: &Cluster, found: Option<&Round>, next: &Recorded) -> String {
    let Some(found) = found else { return "  no round\n".to_owned() };
    let mut wrong = String::new();
    let mut say = |what: &str, ours: &dyn std::fmt::Debug, theirs: &dyn std::fmt::Debug| {
        let _ = writeln!(wrong, "  {what}: {ours:?}, really {theirs:?}");
    };
    let leader = cluster.name_of(found.leader);
    if leader != next.leader {
        say("leader", &leader, &next.leader);
    }
    if (found.delay.as_millis() - next.delay_ms).abs() > 4_000 {
        say("delay", &found.delay.as_millis(), &next.delay_ms);
    }
    let named = |items: &Items| -> Vec<String> {
        let tasks = items.tasks.iter().map(|&task| cluster.work.task_name(task));
        tasks.chain(items.connectors.iter().map(|&id| cluster.work.name(id).to_owned())).collect()
    };
    let owns: BTreeMap<String, Vec<String>> =
        found.members.iter().map(|part| (cluster.name_of(part.worker).to_owned(), named(&part.owns))).collect();
    // Nothing tells in which order several members came to be without work: either may be first.
    let idle = |name: &&String| {
        cluster.ownership.as_ref().is_some_and(|ownership| {
            let place = cluster.workers.iter().position(|worker| worker.name == **name);
            place.is_some_and(|place| ownership.owns[place].is_empty())
        })
    };
    let as_dealt = |owns: &BTreeMap<String, Vec<String>>| {
        let mut dealt: Vec<Vec<String>> =
            owns.iter().filter(|(name, _)| idle(name)).map(|(_, of)| of.clone()).collect();
        dealt.sort();
        let others: Vec<_> = owns.iter().filter(|(name, _)| !idle(name)).map(|(n, o)| (n.clone(), o.clone())).collect();
        (dealt, others)
    };
    if as_dealt(&owns) != as_dealt(&next.owns) {
        say("owns", &owns, &next.owns);
    }
    let sorted = |mut items: Vec<String>| {
        items.sort();
        items
    };
    let revoked: BTreeMap<String, Vec<String>> = found
        .members
        .iter()
        .map(|part| (cluster.name_of(part.worker).to_owned(), sorted(named(&part.revoked))))
        .filter(|(_, items)| !items.is_empty())
        .collect();
    let really: BTreeMap<String, Vec<String>> = next
        .revoked
        .iter()
        .map(|(worker, items)| (worker.clone(), sorted(items.clone())))
        .filter(|(_, items)| !items.is_empty())
        .collect();
    if revoked != really {
        say("revoked", &revoked, &really);
    }
    wrong
}

fn policy() -> Policy {
    let mut files = Files::default();
    files.insert("main", "version: 1\nkafka: 4.4.0\nworkers: 2\nconnectors: {a: 1}\npolicy: {max_share: 100%}\n");
    rollgate_core::model::read(&files, "main").expect("a cluster").1
}
