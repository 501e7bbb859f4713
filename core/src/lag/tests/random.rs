//! Random runs, each from its own printed seed.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::super::instances::{Becomes, Instances};
use super::super::serving::Serving;
use super::super::{rules, sink_group};
use super::*;
use crate::model::{Cluster, WorkerId};
use crate::simulation::{Change, TaskChange};

const RUNS: u64 = 1_000;

struct Case {
    cluster: Cluster,
    timeline: Timeline,
    last_round: SimTime,
}

/// Tasks that stop, vanish, fail, wake, and start elsewhere, sometimes several at one instant.
fn case(seed: u64) -> Case {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let mut below = |limit: u32| chance.next_u32() % limit;
    let (workers, tasks, partitions) = (1 + below(4), 1 + below(7), below(14));
    let assignor = if below(2) == 0 { Range } else { CooperativeSticky };
    let is_sink = below(4) > 0;
    let cluster = ClusterOf::workers(workers);
    let cluster = if is_sink { cluster.sink(tasks, sink(partitions, assignor)) } else { cluster.source(tasks) };
    let arrival = f64::from(below(900));
    let capacity = arrival / f64::from(tasks) * f64::from(5 + below(20)) / 10.0;
    let stop = Duration::from_millis(i64::from(below(3)) * 700);
    let cluster = cluster
        .flow(arrival, capacity)
        .drift(DRIFT)
        .with(|connector| connector.task_stop = crate::model::Spread::Fixed(stop))
        .build();
    let mut changes: Vec<TaskChange> = Vec::new();
    let mut place: Vec<Option<u32>> = (0..tasks).map(|task| Some(task % workers)).collect();
    let mut vanished: Vec<Option<u32>> = vec![None; tasks as usize];
    let mut now = 0_i64;
    for task in 0..tasks {
        let worker = WorkerId(task % workers);
        changes.push(Change { at: SimTime::ZERO, item: TaskId(task), worker, state: TaskState::Running });
    }
    for _ in 0..below(40) {
        now += i64::from(below(3)) * i64::from(below(9_000));
        let at = SimTime::from_millis(now);
        let task = below(tasks);
        let item = TaskId(task);
        let mut push = |worker, state| changes.push(Change { at, item, worker: WorkerId(worker), state });
        match (place[task as usize], below(4)) {
            (Some(worker), 0) => {
                push(worker, TaskState::Vanished);
                place[task as usize] = None;
                vanished[task as usize] = Some(worker);
            }
            (Some(worker), 1) => {
                push(worker, TaskState::Failed);
                place[task as usize] = None;
            }
            (Some(worker), _) => {
                push(worker, TaskState::Stopped);
                place[task as usize] = None;
            }
            (None, 0) if vanished[task as usize].is_some() => {
                let worker = vanished[task as usize].take().unwrap_or(0);
                push(worker, TaskState::Running);
                place[task as usize] = Some(worker);
            }
            (None, _) => {
                let worker = below(workers);
                push(worker, TaskState::Starting);
                push(worker, TaskState::Running);
                place[task as usize] = Some(worker);
                vanished[task as usize] = vanished[task as usize].filter(|&other| other != worker);
            }
        }
    }
    let ended = SimTime::from_millis(now + i64::from(below(30_000)));
    let last_round = SimTime::from_millis(-i64::from(below(3_000)));
    Case { cluster, timeline: Timeline { tasks: changes, ended, ..Timeline::default() }, last_round }
}

#[expect(clippy::print_stdout, reason = "a failing test must say which seeds it ran")]
#[expect(clippy::disallowed_methods, reason = "a test is the edge: it may be told which seeds to run")]
fn seeds() -> impl Iterator<Item = u64> {
    let given = std::env::var("ROLLGATE_SEED").ok().and_then(|seed| seed.parse().ok());
    let first: u64 = given.unwrap_or(20_261_130);
    println!("ROLLGATE_SEED={first} and the {RUNS} after it");
    (0..RUNS).map(move |run| first.wrapping_add(run))
}

impl Case {
    fn scope(&self) -> Scope {
        Scope { without_flow: true, last_rounds: [(ConnectorId(0), self.last_round)].into() }
    }

    fn lag(&self) -> Lag {
        lag_within(&self.cluster, &self.timeline, &self.scope())
    }

    fn instances(&self) -> Instances {
        Instances::read(&self.cluster, &self.timeline, |_| true).remove(0).unwrap()
    }

    fn serving(&self, instances: &Instances) -> Serving {
        let connector = &self.cluster.connectors[0];
        let number = |instance: usize| self.cluster.work.number(instances.tasks[instance]);
        match &connector.sink {
            None => Serving::of_source(instances, connector.tasks, number),
            Some(sink) => sink_group::run(instances, &rules(&self.cluster, connector, sink), self.last_round, number),
        }
    }
}

#[test]
fn what_arrives_is_worked_off_or_left_and_no_backlog_is_negative() {
    for seed in seeds() {
        let case = case(seed);
        for lag in case.lag().connectors {
            let flow = case.cluster.connectors[0].flow.unwrap();
            let parts = case.cluster.connectors[0].sink.as_ref().map_or(1, |sink| sink.partitions);
            let (first, last) = (lag.points[0], lag.points[lag.points.len() - 1]);
            let arrived = if parts == 0 { Records(0.0) } else { flow.arrival * (last.0 - first.0) };
            let accounted = lag.worked_off + last.1;
            let scale = arrived.0.max(1.0);
            assert!((arrived - accounted).0.abs() / scale < 1e-6, "seed {seed}: {arrived:?} {accounted:?}");
            assert!(lag.points.iter().all(|point| point.1.0 >= 0.0), "seed {seed}: {:?}", lag.points);
            assert!(lag.points.windows(2).all(|pair| pair[0].0 < pair[1].0), "seed {seed}: {:?}", lag.points);
            assert!(lag.furthest_behind >= Duration::ZERO);
            if let CaughtUp::At(_) | CaughtUp::NeverBehind = lag.caught_up {
                assert_eq!(last.1, Records(0.0), "seed {seed}");
            }
        }
    }
}

#[test]
fn partitions_are_served_by_running_tasks_only_and_by_all_of_them_in_the_end() {
    for seed in seeds() {
        let case = case(seed);
        let instances = case.instances();
        let serving = case.serving(&instances);
        let mut runs = vec![false; instances.tasks.len()];
        instances.initial.iter().for_each(|&instance| runs[instance] = true);
        let mut owner = serving.initial.clone();
        let mut turns = instances.turns.iter().peekable();
        let mut changes = serving.changes.iter().peekable();
        while turns.peek().is_some() || changes.peek().is_some() {
            let next = |at: Option<SimTime>| at.unwrap_or(SimTime::NEVER);
            let now = next(turns.peek().map(|turn| turn.at)).min(next(changes.peek().map(|change| change.at)));
            while let Some(turn) = turns.next_if(|turn| turn.at <= now) {
                runs[turn.instance] = matches!(turn.becomes, Becomes::Working | Becomes::Awake);
            }
            while let Some(change) = changes.next_if(|change| change.at <= now) {
                owner[change.part] = change.to;
            }
            assert!(owner.iter().flatten().all(|&instance| runs[instance]), "seed {seed}, {now:?}: {owner:?}");
        }
        let running = runs.iter().filter(|&&runs| runs).count();
        if case.cluster.connectors[0].sink.is_none() || running == 0 {
            continue;
        }
        assert!(owner.iter().all(Option::is_some), "seed {seed}: {owner:?}");
        let mut counts = vec![0_usize; runs.len()];
        owner.iter().flatten().for_each(|&instance| counts[instance] += 1);
        let least = owner.len() / running;
        let fair = (0..runs.len()).filter(|&instance| runs[instance]);
        assert!(fair.clone().all(|instance| counts[instance].abs_diff(least) <= 1), "seed {seed}: {counts:?}");
        let service = &case.lag().sinks[0];
        assert_eq!(service.unserved, 0, "seed {seed}");
    }
}

#[test]
fn counts_of_served_partitions_never_exceed_all_and_pauses_add_up() {
    for seed in seeds() {
        let case = case(seed);
        for service in case.lag().sinks {
            let mut counts = vec![0_u32; case.cluster.work.task_count()];
            service.initial.iter().for_each(|&(task, count)| counts[task.index()] = count);
            let mut missing = Duration::ZERO;
            let mut since = case.timeline.began;
            for batch in service.changes.chunk_by(|one, other| one.at == other.at) {
                let active: u32 = counts.iter().sum();
                missing += (batch[0].at - since) * i64::from(service.partitions - active);
                since = batch[0].at;
                for change in batch {
                    counts[change.task.index()] = change.partitions;
                }
                assert!(counts.iter().sum::<u32>() <= service.partitions, "seed {seed}");
            }
            let active: u32 = counts.iter().sum();
            let end = case.timeline.ended.max(since);
            missing += (end - since) * i64::from(service.partitions - active);
            assert_eq!(missing, service.paused, "seed {seed}");
            assert!(service.standstill * i64::from(service.partitions) <= service.paused, "seed {seed}");
        }
    }
}

/// The backlog of each part in steps of 10 ms, by the same rules but without any formula of time.
#[test]
fn backlogs_agree_with_small_steps() {
    const STEP: f64 = 0.01;
    for seed in seeds().step_by(20) {
        let case = case(seed);
        let (Some(flow), Some(lag)) = (case.cluster.connectors[0].flow, case.lag().connectors.first().cloned()) else {
            continue;
        };
        let instances = case.instances();
        let serving = case.serving(&instances);
        let parts = serving.initial.len();
        let share = flow.arrival.0 / f64::from(u32::try_from(parts.max(1)).unwrap());
        let (mut owner, mut left) = (serving.initial.clone(), vec![0.0_f64; parts]);
        let mut changes = serving.changes.iter().peekable();
        let mut points = lag.points.iter().skip(1).peekable();
        let mut step = 0_i64;
        while let Some(&&(until, expected)) = points.peek() {
            let now = SimTime::from_millis(step * 10);
            if now >= until {
                let total: f64 = left.iter().sum();
                // Each change of owner may come a step late, and so may the point.
                let slack = flow.arrival.0 * STEP * f64::from(4 + u32::try_from(serving.changes.len()).unwrap());
                assert!((total - expected.0).abs() <= slack, "seed {seed}, {until:?}: {total} {expected:?}");
                points.next();
                continue;
            }
            while let Some(change) = changes.next_if(|change| change.at <= now) {
                owner[change.part] = change.to;
            }
            for part in (0..parts).filter(|&part| owner[part].is_none()) {
                left[part] += share * STEP;
            }
            for instance in 0..instances.tasks.len() {
                let own: Vec<usize> = (0..parts).filter(|&part| owner[part] == Some(instance)).collect();
                let count = f64::from(u32::try_from(own.len()).unwrap());
                let total: f64 = own.iter().map(|&part| left[part]).sum();
                let change = (share * count - flow.capacity_per_task.0) * STEP;
                for part in own {
                    if change > 0.0 {
                        left[part] += change / count;
                    } else if total > 0.0 {
                        left[part] += change.max(-total) * left[part] / total;
                    }
                }
            }
            step += 1;
        }
    }
}
