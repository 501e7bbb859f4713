//! What an observer sees of a replay against what real clusters did: every recording in
//! `tests/scenarios/replay/recorded`, whose owners come from the workers' own logs.

#![expect(clippy::print_stdout, reason = "what was compared must be seen")]
#![expect(clippy::unwrap_used, reason = "a recording that cannot be read fails its test")]

use std::collections::{BTreeMap, BTreeSet};

use rollgate_core::model::{Observed, Replay, WorkerId, read_replay};
use rollgate_core::protocol::GroupState as State;
use rollgate_core::simulation::{Seed, Timeline, observe, replay};
use rollgate_core::snapshot::{Group, GroupState, Member, Snapshot, disagreements};
use rollgate_core::text::Files;
use rollgate_core::units::{SimTime, Timestamp};
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    rounds: Vec<ExpectedRound>,
    #[serde(default)]
    failed: serde_json::Value,
}

#[derive(Deserialize)]
struct ExpectedRound {
    generation: i32,
    at_ms: i64,
    leader: String,
    owns: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    synced: Option<Vec<String>>,
    #[serde(default)]
    members: Option<serde_json::Value>,
}

#[test]
fn the_group_that_is_seen_after_a_round_owns_what_the_workers_really_owned() {
    let mut compared = 0;
    for (name, given, expected) in recordings() {
        let timeline = replay(&given, Seed(1));
        for (round, real) in timeline.rounds.iter().zip(&expected.rounds) {
            // What a worker never heard of stands in the group all the same.
            if real.synced.is_some() || real.members.is_some() {
                continue;
            }
            let stable = |change: &&rollgate_core::simulation::GroupChange| {
                change.state == State::Stable && change.generation == round.generation
            };
            let change = timeline.group.changes.iter().find(stable);
            let change = change.unwrap_or_else(|| panic!("{name}: generation {} is never stable", real.generation));
            let snapshot = observe(&given.cluster, &timeline, change.at, Timestamp::from_millis(0));
            let group = snapshot.group.known().unwrap();
            let about = format!("{name}, generation {}", real.generation);
            assert_eq!(group.state, GroupState::Stable, "{about}");
            assert_eq!(worker(&group.leader().known().unwrap().name()), real.leader, "{about}");
            assert_eq!(group.delay().known().unwrap().as_millis(), round.delay.as_millis(), "{about}");
            let real: BTreeMap<_, BTreeSet<_>> =
                real.owns.iter().map(|(worker, items)| (worker.clone(), items.iter().cloned().collect())).collect();
            assert_eq!(owned(group), real, "{about}");
            compared += 1;
        }
    }
    println!("{compared} rounds");
    assert!(compared > 150, "only {compared} rounds were compared");
}

#[test]
fn when_all_is_settled_statuses_and_group_agree() {
    let mut compared = 0;
    for (name, given, expected) in recordings() {
        let timeline = replay(&given, Seed(1));
        if timeline.settled.is_none() || expected.failed.as_array().is_some_and(|failed| !failed.is_empty()) {
            continue;
        }
        let snapshot = observe(&given.cluster, &timeline, timeline.ended, Timestamp::from_millis(0));
        let said: Vec<String> = disagreements(&snapshot).iter().map(ToString::to_string).collect();
        assert_eq!(said, [""; 0], "{name}");
        compared += 1;
    }
    println!("{compared} recordings");
    assert!(compared > 40, "only {compared} recordings were compared");
}

/// A process that was killed or stands still is a member until its session ends, and all its
/// statuses say RUNNING: then only its port tells.
#[test]
fn a_task_that_nobody_runs_is_never_taken_to_be_settled() {
    let (mut looks, mut calm) = (0, 0);
    for (name, given, _) in recordings() {
        let timeline = replay(&given, Seed(1));
        for at in instants(&timeline) {
            let snapshot = observe(&given.cluster, &timeline, at, Timestamp::from_millis(0));
            if settled(&snapshot) {
                let down = not_running(&given, &timeline, at);
                assert!(down.is_empty(), "{name} at {at:?}: {down:?} do not run");
                calm += 1;
            }
            looks += 1;
        }
    }
    println!("{looks} looks, {calm} of them at a settled cluster");
    assert!(calm > 300 && looks > calm + 300, "{looks} looks, {calm} of them at a settled cluster");
}

/// A second after each change of a task, as far as nothing else happens within it.
fn instants(timeline: &Timeline) -> Vec<SimTime> {
    let second = rollgate_core::units::Duration::from_secs(1);
    let changes: Vec<SimTime> = timeline.tasks.iter().map(|change| change.at).collect();
    let quiet = |at: &&SimTime| !changes.iter().any(|other| other > *at && *other <= **at + second);
    changes.iter().filter(quiet).map(|&at| at + second).collect()
}

/// Stable, no delay, everything has one owner, the statuses agree, and every port answers.
fn settled(snapshot: &Snapshot) -> bool {
    let Some(group) = snapshot.group.known() else { return false };
    group.state == GroupState::Stable
        && group.delay().known().is_some_and(|delay| delay.is_zero())
        && snapshot.unowned().known().is_some_and(Vec::is_empty)
        && group.owned_twice().known().is_some_and(BTreeMap::is_empty)
        && disagreements(snapshot).is_empty()
        && snapshot.endpoints.iter().all(|endpoint| endpoint.version.known().is_some())
}

/// Configured tasks without an instance that runs, by the timeline.
fn not_running(given: &Replay, timeline: &Timeline, at: SimTime) -> BTreeSet<String> {
    use rollgate_core::simulation::TaskState;
    let mut tasks = timeline.group.configured.clone();
    for change in timeline.configs.iter().filter(|change| change.at <= at) {
        tasks[change.connector.index()] = change.tasks;
    }
    let work = &given.cluster.work;
    let mut down: BTreeSet<_> = work
        .connectors()
        .flat_map(|connector| {
            let wanted = tasks[connector.index()].unwrap_or(0);
            work.tasks_of(connector).filter(move |&task| work.number(task) < wanted)
        })
        .collect();
    let mut running = BTreeSet::new();
    for change in timeline.tasks.iter().filter(|change| change.at <= at) {
        if change.state == TaskState::Running {
            running.insert((change.item, change.worker));
        } else {
            running.remove(&(change.item, change.worker));
        }
    }
    down.retain(|task| !running.iter().any(|(item, _)| item == task));
    down.into_iter().map(|task| work.task_name(task)).collect()
}

fn recordings() -> Vec<(String, Replay, Expected)> {
    let read = |folder: &std::path::PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
        let expected: Expected = serde_json::from_str(&expected).unwrap();
        let mut files = Files::default();
        files.insert("replay.yaml", std::fs::read_to_string(folder.join("replay.yaml")).unwrap());
        let given = read_replay(&files, "replay.yaml").unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
        let observed = seen(&given, &expected);
        (name, Replay { observed, ..given }, expected)
    };
    rollgate_tests::scenarios("replay/recorded").iter().map(read).collect()
}

/// The rounds as they were seen, so that no error of one adds to the next.
fn seen(given: &Replay, expected: &Expected) -> Vec<Observed> {
    let worker = |name: &String| {
        let place = given.cluster.workers.iter().position(|worker| worker.name == *name).unwrap();
        WorkerId(u32::try_from(place).unwrap())
    };
    let observed = |round: &ExpectedRound| Observed {
        at: SimTime::from_millis(round.at_ms),
        generation: round.generation,
        synced: round.synced.as_ref().map(|names| names.iter().map(worker).collect()),
    };
    expected.rounds.iter().map(observed).collect()
}

/// `w2` of `w2:8083`.
fn worker(name: &str) -> String {
    name.split(':').next().unwrap_or(name).to_owned()
}

/// What each worker owns. The order on the wire is not that in which a worker lists its work.
fn owned(group: &Group) -> BTreeMap<String, BTreeSet<String>> {
    let of = |member: &Member| {
        let items = member.owns.known().unwrap().items();
        (worker(&member.name()), items.map(|item| item.to_string()).collect())
    };
    group.members.iter().map(of).collect()
}
