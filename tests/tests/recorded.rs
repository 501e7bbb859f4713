//! Replays against what real clusters did: every recording in `tests/scenarios/replay/recorded`.
//!
//! Ownership, revocations, leader and protocol must be equal; a delay may differ by 120 ms, the
//! instant of a round by 120 ms and 2.5 ms for each heartbeat tick since the round before, where
//! the clock is anchored at the rounds that were seen. From the events alone, without any round,
//! errors of the rounds before add up. `stalls.json` names the rounds at which the machine itself
//! was slow, with the reason.

#![expect(clippy::print_stdout, reason = "what was compared must be seen")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rollgate_core::model::{Items, Observed, Replay, WorkerId, read_replay};
use rollgate_core::simulation::{Round, Seed, Timeline, replay};
use rollgate_core::text::Files;
use rollgate_core::units::SimTime;
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    rounds: Vec<ExpectedRound>,
    task_seconds: f64,
}

#[derive(Deserialize)]
struct ExpectedRound {
    generation: i32,
    at_ms: i64,
    leader: String,
    delay_ms: i64,
    protocol: String,
    owns: BTreeMap<String, Vec<String>>,
    revoked: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    synced: Option<Vec<String>>,
}

/// How much later than usual a round came because the machine was busy, by recording and generation.
type Stalls = BTreeMap<String, BTreeMap<i32, Stall>>;

#[derive(Deserialize)]
struct Stall {
    ms: i64,
    reason: String,
}

#[test]
fn a_replay_does_what_the_real_cluster_did() {
    let mut wrong = String::new();
    let mut judged = (0, 0);
    let stalls = rollgate_tests::read("tests/scenarios/replay/recorded/stalls.json");
    let stalls: Stalls = serde_json::from_str(&stalls).expect("stalls.json");
    assert!(stalls.values().flat_map(BTreeMap::values).all(|stall| !stall.reason.is_empty()));
    for folder in rollgate_tests::scenarios("replay/recorded") {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let expected = std::fs::read_to_string(folder.join("expected.json")).expect("expected.json");
        let expected: Expected = serde_json::from_str(&expected).expect("expected.json");
        let text = std::fs::read_to_string(folder.join("replay.yaml")).expect("replay.yaml");
        let mut files = Files::default();
        files.insert("replay.yaml", text);
        let given = match read_replay(&files, "replay.yaml") {
            Ok(given) => given,
            Err(errors) => panic!("{name}: {}", errors[0]),
        };
        // A round that was lost by a race of milliseconds cannot be told from the events.
        let lost = expected.rounds.iter().any(|round| round.synced.is_some());
        let stalled = |round: &ExpectedRound| {
            stalls.get(&name).and_then(|rounds| rounds.get(&round.generation)).map_or(0, |stall| stall.ms)
        };
        let mut drift = 0;
        if !lost {
            let alone = replay(&given, Seed(1));
            let differences = compare(&given, &alone, &expected, &mut |round| {
                drift += 120 + stalled(round);
                drift
            });
            if !differences.is_empty() {
                let _ = writeln!(wrong, "{name}, from the events alone:\n{differences}");
            }
        }
        let anchored = Replay { observed: seen(&given, &expected), ..given };
        let timeline = replay(&anchored, Seed(1));
        let differences = compare(&anchored, &timeline, &expected, &mut |round| 120 + stalled(round));
        let impact = rollgate_core::assessment::assess(&anchored.cluster, &timeline);
        println!(
            "{name}: {} rounds, {:.1} task-seconds, really {:.1}",
            timeline.rounds.len(),
            impact.unassigned.0,
            expected.task_seconds
        );
        judged.0 += 1;
        judged.1 += timeline.rounds.len();
        if !differences.is_empty() {
            let _ = writeln!(wrong, "{name}, anchored at the rounds seen:\n{differences}");
        }
    }
    println!("{} recordings, {} rounds", judged.0, judged.1);
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn seen(given: &Replay, expected: &Expected) -> Vec<Observed> {
    let worker = |name: &String| {
        let place = given.cluster.workers.iter().position(|worker| worker.name == *name).expect("a known worker");
        WorkerId(u32::try_from(place).expect("few workers"))
    };
    let observed = |round: &ExpectedRound| Observed {
        at: SimTime::from_millis(round.at_ms),
        generation: round.generation,
        synced: round.synced.as_ref().map(|names| names.iter().map(worker).collect()),
    };
    expected.rounds.iter().map(observed).collect()
}

fn compare(
    given: &Replay,
    timeline: &Timeline,
    expected: &Expected,
    allowed: &mut dyn FnMut(&ExpectedRound) -> i64,
) -> String {
    let mut wrong = String::new();
    if timeline.rounds.len() != expected.rounds.len() {
        let _ = writeln!(wrong, "  {} rounds, really {}", timeline.rounds.len(), expected.rounds.len());
    }
    let intervals = given.cluster.workers.iter().map(|worker| worker.before.settings.heartbeat_interval.as_millis());
    let interval = intervals.min().unwrap_or(3_000).max(1);
    let mut before = given.last_round.map_or(0, SimTime::as_millis);
    let first = expected.rounds.first().map_or(0, |round| round.generation)
        - timeline.rounds.first().map_or(0, |round| round.generation);
    for (round, real) in timeline.rounds.iter().zip(&expected.rounds) {
        let mut say = |what: &str, ours: &str, theirs: &str| {
            let _ = writeln!(
                wrong,
                "  generation {} ({:?}), {what}: {ours}, really {theirs}",
                real.generation, round.causes
            );
        };
        if round.generation + first != real.generation {
            say("generation", &(round.generation + first).to_string(), &real.generation.to_string());
        }
        let leader = &given.cluster.workers[round.leader.index()].name;
        if *leader != real.leader {
            say("leader", leader, &real.leader);
        }
        let protocol = format!("{:?}", round.protocol).to_lowercase();
        if protocol != real.protocol {
            say("protocol", &protocol, &real.protocol);
        }
        let allowed = allowed(real);
        if (round.delay.as_millis() - real.delay_ms).abs() > allowed {
            say("delay", &round.delay.as_millis().to_string(), &real.delay_ms.to_string());
        }
        let ticks = (real.at_ms - before).abs() / interval;
        if (round.at.as_millis() - real.at_ms).abs() > allowed + ticks * 5 / 2 {
            say("at", &round.at.as_millis().to_string(), &real.at_ms.to_string());
        }
        before = real.at_ms;
        let owns = lists(given, round, |part| &part.owns);
        if owns != real.owns {
            say("owns", &format!("{owns:?}"), &format!("{:?}", real.owns));
        }
        let sets = |lists: &BTreeMap<String, Vec<String>>| -> BTreeMap<String, BTreeSet<String>> {
            let full = lists.iter().filter(|(_, list)| !list.is_empty());
            full.map(|(worker, list)| (worker.clone(), list.iter().cloned().collect())).collect()
        };
        let revoked = sets(&lists(given, round, |part| &part.revoked));
        if revoked != sets(&real.revoked) {
            say("revoked", &format!("{revoked:?}"), &format!("{:?}", real.revoked));
        }
    }
    wrong
}

fn lists(
    given: &Replay,
    round: &Round,
    of: impl Fn(&rollgate_core::simulation::RoundMember) -> &Items,
) -> BTreeMap<String, Vec<String>> {
    let work = &given.cluster.work;
    let named = |items: &Items| {
        let tasks = items.tasks.iter().map(|&task| work.task_name(task));
        tasks.chain(items.connectors.iter().map(|&connector| work.name(connector).to_owned())).collect()
    };
    round
        .members
        .iter()
        .map(|part| (given.cluster.workers[part.worker.index()].name.clone(), named(of(part))))
        .collect()
}
