//! What holds of every gate: random clusters, random restarts, random faults of the looks.
//!
//! `ROLLGATE_SEED` repeats a run.

#[path = "gate_random/checker.rs"]
mod checker;
#[path = "gate_random/world.rs"]
mod world;

use std::collections::{BTreeMap, BTreeSet};

use rand_core::SeedableRng as _;
use rand_pcg::Pcg32;
use rollgate_core::gate::{
    Baseline, Conditions, Gate, Known, Limits, Observation, Sight, State, Until, Verdict, Waiting, Which, Work,
};
use rollgate_core::snapshot::{ConnectorState, Item, Seen, Snapshot};
use rollgate_core::units::{Duration, Timestamp};
use world::{World, draw};

/// How long a start takes at most, in milliseconds, and how long all must hold.
const START: u32 = 4_000;
const CALM: i64 = 8_000;
const UNWATCHED: i64 = 4_000;

#[test]
fn a_gate_proceeds_only_when_a_second_opinion_agrees() {
    let mut proceeded = [0; 4];
    for seed in seeds() {
        let run = Run::of(seed);
        proceeded[usize::from(run.settles) * 2] += usize::from(run.opened);
        proceeded[usize::from(run.settles) * 2 + 1] += usize::from(run.passed);
    }
    // A gate that never opens would be right, too.
    assert!(proceeded.iter().all(|often| *often > 20), "opened and passed: {proceeded:?}");
}

fn seeds() -> Vec<u64> {
    match std::env::var("ROLLGATE_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => (0..400).collect(),
    }
}

/// A look that was taken, and when.
struct Taken {
    at: i64,
    snapshot: Option<Snapshot>,
}

struct Run {
    settles: bool,
    opened: bool,
    passed: bool,
}

impl Run {
    fn of(seed: u64) -> Self {
        let mut chance = Pcg32::seed_from_u64(seed);
        let begin = Timestamp::from_millis(1_796_095_000_000);
        let mut world = World::new(&mut chance);
        let settles = draw(&mut chance, 2) == 0;
        let conditions = conditions(settles, &world, &mut chance);
        let before = world.snapshot(begin, "w1");
        let expected = checker::expected(&before);
        let baseline = Baseline::take(&before, &Sight::Group, &BTreeMap::new(), &BTreeSet::new());
        let baseline = baseline.unwrap_or_else(|reasons| panic!("seed {seed}: no baseline: {reasons:?}"));
        let target = world.workers[draw(&mut chance, u32::try_from(world.workers.len()).unwrap_or(1)) as usize].clone();
        let url = format!("http://{target}:8083");
        let mut gate = Gate::new(conditions.clone(), Limits::default(), baseline, &[&url], begin);
        let mut run = Self { settles, opened: false, passed: false };
        let mut taken: Vec<Taken> = Vec::new();
        let mut old_id = None;
        for _ in 0..80 {
            let pause = if draw(&mut chance, 40) == 0 { UNWATCHED } else { 0 };
            world.pass(pause + 500 + 100 * i64::from(draw(&mut chance, 20)), START, &mut chance);
            disturb(&mut world, &target, &mut chance);
            let looked = look(&world, begin, &target, &mut chance);
            let (now, steady) = (begin.after(Duration::from_millis(world.now)), Duration::from_millis(world.now));
            let json = serde_json::to_string(&gate).expect("a gate is data");
            let observation = Observation { snapshot: looked.as_ref(), foreseen: None };
            let decision = gate.observe(now, steady, &observation);
            let mut again: Gate = serde_json::from_str(&json).expect("a gate reads as it was written");
            assert_eq!(again.observe(now, steady, &observation), decision, "seed {seed}");
            assert!(again == gate, "seed {seed}");
            taken.push(Taken { at: world.now, snapshot: looked });
            if decision.verdict == Verdict::Proceed {
                let wrong = objections(&taken, &conditions, &expected, &world, gate.state());
                assert!(wrong.is_empty(), "seed {seed}, after {} ms: {wrong:?}\n{decision:#?}", world.now);
                if gate.state() == State::Passed {
                    assert_ne!(member_of(&taken, &target), old_id, "seed {seed}: back under a new id");
                    run.passed = true;
                    return run;
                }
                run.opened = true;
                if draw(&mut chance, 2) == 0 {
                    old_id = member_of(&taken, &target);
                    gate.restart_began(now, steady).unwrap_or_else(|illegal| panic!("seed {seed}: {illegal}"));
                    let down = 1_000 + 100 * i64::from(draw(&mut chance, 120));
                    if draw(&mut chance, 3) == 0 {
                        world.kill(&target, down);
                    } else {
                        world.stop(&target, down, &mut chance);
                    }
                }
            }
        }
        run
    }
}

fn conditions(settles: bool, world: &World, chance: &mut Pcg32) -> Conditions {
    let mut conditions = Conditions {
        known: Known {
            start: Duration::from_millis(i64::from(START)),
            second_wave: Duration::ZERO,
            unwatched: Duration::from_millis(UNWATCHED),
            ..Known::default()
        },
        ..Conditions::default()
    };
    conditions.before.calm = Duration::from_millis(CALM);
    conditions.after.calm = Duration::from_millis(CALM);
    if !settles {
        let mut some = Work::default();
        for (connector, task) in &world.items {
            if draw(chance, 4) > 0 {
                some.add(connector, *task);
            }
        }
        let which = if draw(chance, 2) == 0 { Which::Any } else { Which::Only(some) };
        let waiting = Waiting { which, at_most: Some(draw(chance, 8) as usize) };
        conditions.before.waiting = waiting.clone();
        conditions.before.delay_may_run = draw(chance, 2) == 0;
        conditions.before.calm = Duration::ZERO;
        conditions.after.waiting = waiting;
        conditions.after.until = Until::Back;
        conditions.after.calm = Duration::ZERO;
        conditions.last = draw(chance, 4) == 0;
    }
    conditions
}

/// Others come and go, and tasks fail.
fn disturb(world: &mut World, target: &str, chance: &mut Pcg32) {
    match draw(chance, 60) {
        0 => {
            let place = draw(chance, u32::try_from(world.workers.len()).unwrap_or(1)) as usize;
            let name = world.workers[place].clone();
            if name != target {
                let down = 1_000 + 100 * i64::from(draw(chance, 100));
                world.stop(&name, down, chance);
            }
        }
        1 if draw(chance, 3) == 0 => {
            let place = draw(chance, 64);
            world.fail(place);
        }
        _ => {}
    }
}

/// A look, as well as it succeeds.
fn look(world: &World, begin: Timestamp, target: &str, chance: &mut Pcg32) -> Option<Snapshot> {
    let other = world.workers.iter().find(|name| *name != target).map_or("w1", String::as_str);
    let mut seen = world.snapshot(begin, other);
    match draw(chance, 80) {
        0 => return None,
        1 => seen.group = Seen::unknown("the broker does not answer"),
        2 => seen.statuses = Seen::unknown("no worker answers"),
        3 => seen.taken_at = begin.after(Duration::from_millis(world.now - 30_000)),
        4 => seen.cluster_id = Seen::unknown("the broker does not answer"),
        5 => {
            if let Seen::Known(group) = &mut seen.group
                && let Some(member) = group.members.first_mut()
            {
                member.owns = Seen::unknown("its bytes cannot be read");
            }
        }
        6 => {
            if let Seen::Known(statuses) = &mut seen.statuses {
                statuses.connectors.clear();
            }
        }
        7 => {
            if let Seen::Known(statuses) = &mut seen.statuses
                && let Some(status) = statuses.connectors.values_mut().next()
            {
                status.configured_tasks = Seen::unknown("the answer held no info");
            }
        }
        _ => {}
    }
    Some(seen)
}

/// Everything that speaks against going on now.
fn objections(
    taken: &[Taken],
    conditions: &Conditions,
    expected: &[(Item, ConnectorState)],
    world: &World,
    state: State,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let (waiting, delay_may_run, calm) = match state {
        State::Open => (&conditions.before.waiting, conditions.before.delay_may_run, conditions.before.calm),
        _ if conditions.last => (&Waiting::NOTHING, false, conditions.known.heartbeat),
        _ => (&conditions.after.waiting, conditions.after.until != Until::Settled, conditions.after.calm),
    };
    let mut from = world.now - calm.as_millis();
    let mut later = world.now;
    for look in taken.iter().rev() {
        if later - look.at > UNWATCHED {
            wrong.push(format!("from {} to {later} nobody looked", look.at));
        }
        later = look.at;
        let Some(seen) = &look.snapshot else {
            wrong.push(format!("at {} nobody looked", look.at));
            break;
        };
        let down = checker::down(expected, seen);
        let tasks = down.iter().filter(|item| item.number().is_some()).count();
        if let Some(item) = down.iter().find(|item| !waiting.allows(item.connector(), item.number())) {
            wrong.push(format!("at {} {item} does not run", look.at));
        }
        if waiting.at_most.is_some_and(|most| waiting.which != Which::Nothing && tasks > most) {
            wrong.push(format!("at {} {tasks} tasks do not run", look.at));
        }
        if !checker::at_rest(seen, &world.workers) {
            wrong.push(format!("at {} the group is not at rest", look.at));
        }
        if !delay_may_run && !checker::no_delay(seen) {
            wrong.push(format!("at {} a delay runs", look.at));
        }
        if seen.cluster_id.known().is_none() {
            wrong.push(format!("at {} it may be any cluster", look.at));
        }
        if look.at <= from {
            from = i64::MIN;
            break;
        }
    }
    if from != i64::MIN {
        wrong.push("it was not watched for the whole window".to_owned());
    }
    // The world knows what really runs.
    let really = |item: &Item| world.running.contains_key(&(item.connector().to_owned(), item.number()));
    let idle: Vec<&Item> = expected.iter().map(|(item, _)| item).filter(|item| !really(item)).collect();
    if let Some(item) = idle.iter().find(|item| !waiting.allows(item.connector(), item.number())) {
        wrong.push(format!("{item} does not really run"));
    }
    let tasks = idle.iter().filter(|item| item.number().is_some()).count();
    if waiting.at_most.is_some_and(|most| waiting.which != Which::Nothing && tasks > most) {
        wrong.push(format!("{tasks} tasks do not really run"));
    }
    wrong
}

/// The member id of a worker in the last look.
fn member_of(taken: &[Taken], worker: &str) -> Option<String> {
    let group = taken.last()?.snapshot.as_ref()?.group.known()?;
    let at = format!("{worker}:8083");
    let is = |url: &String| rollgate_core::snapshot::same_worker(url, &at);
    group.members.iter().find(|member| member.url.known().is_some_and(is)).map(|member| member.id.clone())
}
