//! What holds of every roll: random clusters under random schedules.
//!
//! `ROLLGATE_SEED` repeats a run. What fails is cut down and printed as a description, a
//! schedule and a seed.

#![expect(clippy::print_stdout, reason = "how many rolls were tried belongs to the outcome")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rollgate_core::assessment::{Figure, assess, outages};
use rollgate_core::model::{Balance, Cluster, ConnectProtocol, Policy, Wait, WorkerId, WorkerSetup, read};
use rollgate_core::plan::{Budget, Executor, Limit, plan};
use rollgate_core::simulation::{
    Aim, Chance, Detail, Flush, Order, Process, Round, Schedule, Seed, Stop, TaskState, Timeline, simulate,
};
use rollgate_core::text::Files;
use rollgate_core::units::{Duration, SimTime};
use rollgate_tests::oracle::seed_of_run;

/// A cluster and a roll, small enough to be cut down.
#[derive(Clone, Debug)]
struct Case {
    kafka: &'static str,
    broker: &'static str,
    delay: u32,
    workers: Vec<WorkerDrawn>,
    connectors: Vec<ConnectorDrawn>,
    /// Milliseconds: stop, down, start, each at least and at most.
    restart: [(u32, u32); 3],
    grace: Option<u32>,
    exactly_once: bool,
    schedule: ScheduleDrawn,
    seed: Seed,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct WorkerDrawn {
    kafka: Option<&'static str>,
    after: Option<&'static str>,
    protocol: Option<&'static str>,
    protocol_after: Option<&'static str>,
    delay: Option<u32>,
    rack: Option<&'static str>,
    unready: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct ConnectorDrawn {
    tasks: u32,
    sink: bool,
    paused: bool,
    start: u32,
    stop: u32,
    reconfigures: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct ScheduleDrawn {
    order: u32,
    listed: Vec<u32>,
    wait: u32,
    at_once: u32,
    kill: bool,
    flush: u32,
    during_delay: bool,
    aim: u32,
}

#[test]
fn random_rolls_keep_every_promise() {
    let seed = seed_of_run();
    let mut settled = 0;
    for number in 0..cases() {
        let case = Case::draw(Seed(seed).of_run(number));
        match case.broken() {
            Ok(settles) => settled += u32::from(settles),
            Err(broken) => {
                let smallest = case.shrunk(broken.promise);
                let why = smallest.broken().err().map_or(broken.why, |broken| broken.why);
                panic!("ROLLGATE_SEED={seed}, roll {number}: {}: {why}\n{}", broken.promise, smallest.text());
            }
        }
    }
    println!("{} rolls, {settled} of them settled", cases());
    assert!(settled > cases() / 2, "hardly any roll settles: the clusters do not try what they should");
}

#[test]
fn plans_respect_their_policy_and_repeat() {
    let seed = seed_of_run();
    let mut found = 0;
    for number in 0..PLANS {
        let mut case = Case::draw(Seed(seed).of_run(number));
        case.workers.truncate(5);
        case.connectors.truncate(3);
        let (cluster, policy) = case.read();
        let budget = Budget { screening: 2, finalists: 2, ..Budget::of(&cluster, Some(10)) };
        let one = plan(&cluster, &policy, Executor::Steps, case.seed, budget, &mut |_| {});
        let other = plan(&cluster, &policy, Executor::Steps, case.seed, budget, &mut |_| {});
        let repeat = format!("ROLLGATE_SEED={seed}, plan {number}:\n{}", case.text());
        assert!(format!("{one:?}") == format!("{other:?}"), "two plans differ; {repeat}");
        match one {
            Ok(plan) => {
                found += 1;
                for limit in Limit::ALL {
                    let Some(allowed) = limit.allowed(&policy) else { continue };
                    for candidate in std::iter::once(&plan.chosen).chain(&plan.others) {
                        let reached = candidate.distribution.of(limit.figure()).p95;
                        assert!(reached <= allowed + 1e-9, "{limit:?}: {reached} of {allowed}; {repeat}");
                    }
                }
                let expected = assess(&cluster, &plan.expected).unassigned.0;
                let median = plan.chosen.distribution.of(Figure::Unassigned).median;
                assert!((expected - median).abs() < 1e-6, "the expected course is not the median run; {repeat}");
            }
            Err(none) => assert!(!none.binding.is_empty(), "no plan, and nothing stands in the way; {repeat}"),
        }
    }
    println!("{PLANS} searches, {found} plans");
    assert!(found > 0, "no search finds a plan");
}

#[test]
fn search_whose_best_rolls_fail_a_closer_look_names_what_binds() {
    let mut refused = 0;
    for number in 0..20 {
        let mut files = Files::default();
        files.insert("cluster.yaml", NARROW);
        let (cluster, policy) = read(&files, "cluster.yaml").unwrap_or_else(|errors| panic!("{}", errors[0]));
        let budget = Budget { glance: 1, screening: 1, finalists: 2, ..Budget::of(&cluster, Some(20)) };
        if let Err(none) = plan(&cluster, &policy, Executor::Steps, Seed(number), budget, &mut |_| {}) {
            assert!(!none.binding.is_empty(), "no plan, and nothing stands in the way; seed {number}");
            refused += 1;
        }
    }
    assert!(refused > 0, "every search finds a plan: none tries what it should");
}

/// A promise that was broken.
struct Broken {
    promise: &'static str,
    why: String,
}

fn check(holds: bool, promise: &'static str, why: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken { promise, why: why() }) }
}

impl Case {
    fn draw(seed: Seed) -> Self {
        let mut chance = Chance::new(seed.of_run(1));
        let seed = seed.of_run(2);
        let exactly_once = chance.below(5) == 0;
        let versions: &[&str] = if exactly_once { &VERSIONS[1..] } else { &VERSIONS };
        let mixed = chance.below(2) == 0;
        let upgrades = chance.below(3) == 0;
        let eager = chance.below(4);
        let kafka = one_of(&mut chance, versions);
        let after = upgrades.then(|| one_of(&mut chance, versions));
        let count = 1 + chance.below(8);
        let workers = (0..count)
            .map(|_| WorkerDrawn {
                kafka: (mixed && chance.below(2) == 0).then(|| one_of(&mut chance, versions)),
                after: after.filter(|_| chance.below(4) > 0),
                protocol: match eager {
                    0 if chance.below(3) == 0 => Some("eager"),
                    1 => Some("eager"),
                    2 if chance.below(3) == 0 => Some("compatible"),
                    _ => None,
                },
                protocol_after: (eager < 2 && chance.below(4) == 0)
                    .then(|| one_of(&mut chance, &["eager", "sessioned"])),
                delay: (chance.below(6) == 0).then(|| one_of(&mut chance, &[0, 40, 8_000, 30_000])),
                rack: (chance.below(4) == 0).then(|| one_of(&mut chance, &["a", "b"])),
                unready: chance.below(25) == 0,
            })
            .collect();
        let connectors = (0..=chance.below(5))
            .map(|_| ConnectorDrawn {
                tasks: chance.below(13),
                sink: chance.below(3) == 0,
                paused: chance.below(10) == 0,
                start: one_of(&mut chance, &[0, 100, 100, 5_000]),
                stop: one_of(&mut chance, &[0, 100, 100, 2_000, 7_000]),
                reconfigures: chance.below(if eager < 2 { 40 } else { 6 }) == 0,
            })
            .collect();
        let range = |chance: &mut Chance, most: u32| {
            let (one, other) = (chance.below(most), chance.below(most));
            (one.min(other), one.max(other))
        };
        let slow = one_of(&mut chance, &[1_000, 6_000, 70_000]);
        let restart = [range(&mut chance, 3_000), range(&mut chance, 2_000), range(&mut chance, slow)];
        let mut listed: Vec<u32> = (0..count).collect();
        for place in (1..count).rev() {
            listed.swap(place as usize, chance.below(place + 1) as usize);
        }
        if chance.below(3) == 0 {
            listed.truncate(1 + chance.below(count) as usize);
        }
        let schedule = ScheduleDrawn {
            order: chance.below(8),
            listed,
            wait: chance.below(3),
            at_once: if chance.below(3) == 0 { 1 + chance.below(count) } else { 1 },
            kill: chance.below(5) == 0,
            flush: chance.below(5),
            during_delay: chance.below(4) > 0,
            aim: chance.below(6),
        };
        let delay = one_of(&mut chance, &[0, 20, 5_000, 20_000, 60_000, 300_000]);
        let broker = one_of(&mut chance, &["3.9.1", "4.3.1"]);
        let grace = (chance.below(5) == 0).then(|| one_of(&mut chance, &[50, 1_000, 4_000, 30_000]));
        Self { kafka, broker, delay, workers, connectors, restart, grace, exactly_once, schedule, seed }
    }

    fn description(&self) -> String {
        let mut text = format!("version: 1\nkafka: {}\nbroker: {}\nsettings:\n", self.kafka, self.broker);
        let _ = writeln!(text, "  scheduled.rebalance.max.delay.ms: {}", self.delay);
        if self.exactly_once {
            text.push_str("  exactly.once.source.support: enabled\n");
        }
        let [stop, down, start] = self.restart;
        let range = |(least, most): (u32, u32)| format!("{least}ms..{most}ms");
        let grace = self.grace.map(|grace| format!(", grace: {grace}ms")).unwrap_or_default();
        let [stop, down, start] = [range(stop), range(down), range(start)];
        let _ = writeln!(text, "restart: {{stop: {stop}, down: {down}, start: {start}{grace}}}");
        text.push_str("workers:\n");
        for (place, worker) in self.workers.iter().enumerate() {
            let _ = write!(text, "  - {{name: w{}", place + 1);
            let mut key = |name: &str, value: Option<String>| {
                if let Some(value) = value {
                    let _ = write!(text, ", {name}: {value}");
                }
            };
            key("kafka", worker.kafka.map(str::to_owned));
            key("protocol", worker.protocol.map(str::to_owned));
            key("settings", worker.delay.map(|delay| format!("{{scheduled.rebalance.max.delay.ms: {delay}}}")));
            key("rack", worker.rack.map(str::to_owned));
            key("unready", (worker.unready && place > 0).then(|| "true".to_owned()));
            text.push_str("}\n");
        }
        let mut changes = String::new();
        for (place, worker) in self.workers.iter().enumerate() {
            let mut change = Vec::new();
            change.extend(worker.after.map(|version| format!("kafka: {version}")));
            change.extend(worker.protocol_after.map(|protocol| format!("protocol: {protocol}")));
            if !change.is_empty() {
                let _ = writeln!(changes, "    w{}: {{{}}}", place + 1, change.join(", "));
            }
        }
        if !changes.is_empty() {
            let _ = write!(text, "roll:\n  workers:\n{changes}");
        }
        text.push_str("connectors:\n");
        for (place, connector) in self.connectors.iter().enumerate() {
            let _ = write!(
                text,
                "  c{place}: {{kind: {}, tasks: {}, start: {}ms, stop: {}ms",
                if connector.sink { "sink" } else { "source" },
                connector.tasks,
                connector.start,
                connector.stop
            );
            if connector.paused {
                text.push_str(", state: paused");
            }
            if connector.reconfigures {
                text.push_str(", reconfigures_after: 400ms..2s");
            }
            text.push_str("}\n");
        }
        text
    }

    fn read(&self) -> (Cluster, Policy) {
        let text = self.description();
        let mut files = Files::default();
        files.insert("cluster.yaml", text.clone());
        match read(&files, "cluster.yaml") {
            Ok(read) => read,
            Err(errors) => panic!("a drawn description is refused: {}\n{text}", errors[0]),
        }
    }

    fn schedule(&self) -> Schedule {
        let drawn = &self.schedule;
        let count = u32::try_from(self.workers.len()).unwrap_or(1);
        let listed = || drawn.listed.iter().copied().filter(|&worker| worker < count).map(WorkerId).collect();
        Schedule {
            order: match drawn.order {
                0 => Order::LeaderLast,
                1 => Order::LeaderFirst,
                2 => Order::LeaderAfter(1),
                3 => Order::PresentLeader,
                4 => Order::Succession,
                5 => Order::WithLeader,
                _ => Order::Listed(listed()),
            },
            wait: match drawn.wait {
                0 => Wait::Back,
                1 => Wait::Settled,
                _ => Wait::Fixed(Duration::from_secs(7)),
            },
            at_once: drawn.at_once.min(count) as usize,
            stop: if drawn.kill { Stop::Kill } else { Stop::Graceful },
            flush: match drawn.flush {
                0 => Flush::AtEnd,
                1 => Flush::AfterFollowers(1),
                2 => Flush::AfterFollowers(2),
                _ => Flush::Never,
            },
            during_delay: drawn.during_delay,
            aim: match drawn.aim {
                0 => Aim::JustAfter,
                1 => Aim::JustBefore,
                _ => Aim::Any,
            },
        }
    }

    /// Runs it; whether it settled, or the first promise that it breaks.
    fn broken(&self) -> Result<bool, Broken> {
        let judged = std::panic::catch_unwind(|| self.judge());
        judged.unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Broken { promise: "the simulation does not panic", why: said.unwrap_or_default() })
        })
    }

    fn judge(&self) -> Result<bool, Broken> {
        let (cluster, _) = self.read();
        let schedule = self.schedule();
        let timeline = simulate(&cluster, &schedule, self.seed, Detail::Full);
        let again = simulate(&cluster, &schedule, self.seed, Detail::Full);
        let same = format!("{timeline:?}") == format!("{again:?}");
        check(same, "one seed gives one timeline", || "two runs differ".to_owned())?;
        let impact = assess(&cluster, &timeline);
        let figures = assess(&cluster, &simulate(&cluster, &schedule, self.seed, Detail::Figures));
        check(impact == figures, "a run without detail has the same figures", || format!("{impact:?}\n{figures:?}"))?;
        let sum: f64 =
            outages(&cluster, &timeline).iter().map(|outage| (outage.until - outage.from).as_secs_f64()).sum();
        check((sum - impact.unassigned.0).abs() < 1e-6, "the sum is that of the outages", || {
            format!("{sum} and {}", impact.unassigned.0)
        })?;
        rounds_hold(&cluster, &timeline)?;
        let run = Run { cluster: &cluster, timeline: &timeline };
        let protocols: BTreeSet<bool> =
            run.setups().map(|setup| setup.settings.protocol == ConnectProtocol::Eager).collect();
        // KAFKA-15693: what such a leader misses waits for some other rebalance.
        let loses = |round: &Round| {
            let leader = run.setup(round.leader, round.at);
            leader.settings.delay.is_zero() && !leader.rules.zero_delay_reassigns
        };
        let zero = run.misses_something() && timeline.rounds.iter().any(loses);
        let failed = !timeline.failures.is_empty();
        // Each eager round starts the instance again, and each start of it brings the next round.
        let endless = timeline.rounds.len() > 1_000
            && protocols.contains(&true)
            && self.connectors.iter().any(|connector| connector.reconfigures);
        if protocols.len() == 1 {
            check(impact.doubled.0 == 0.0, "no task runs twice", || format!("{} task-seconds", impact.doubled.0))?;
        }
        if timeline.settled.is_none() {
            check(zero || endless, "a roll settles", || format!("it ended at {:?}", timeline.ended))?;
            return Ok(false);
        }
        if protocols.len() == 1 && !failed {
            run.everything_runs_once()?;
            run.load_is_even()?;
        }
        Ok(true)
    }

    /// The smallest case found that breaks the same promise.
    fn shrunk(&self, promise: &str) -> Self {
        let mut smallest = self.clone();
        let mut tries = 0;
        loop {
            let found = smallest.smaller().into_iter().find(|case| {
                tries += 1;
                tries < MOST_TRIES && case.broken().err().is_some_and(|broken| broken.promise == promise)
            });
            match found {
                Some(found) => smallest = found,
                None => return smallest,
            }
        }
    }

    /// Cases that are a little simpler.
    fn smaller(&self) -> Vec<Self> {
        let mut cases = Vec::new();
        let mut add = |change: &dyn Fn(&mut Self)| {
            let mut case = self.clone();
            change(&mut case);
            if format!("{case:?}") != format!("{self:?}") {
                cases.push(case);
            }
        };
        for place in 0..self.workers.len() {
            if self.workers.len() > 1 {
                add(&|case| {
                    case.workers.remove(place);
                    case.schedule.listed.retain(|&worker| (worker as usize) < case.workers.len());
                });
            }
            add(&|case| case.workers[place] = WorkerDrawn::default());
        }
        for place in 0..self.connectors.len() {
            if self.connectors.len() > 1 {
                add(&|case| {
                    case.connectors.remove(place);
                });
            }
            add(&|case| case.connectors[place].tasks /= 2);
            add(&|case| case.connectors[place].tasks = case.connectors[place].tasks.saturating_sub(1));
            let plain = ConnectorDrawn {
                sink: false,
                paused: false,
                start: 100,
                stop: 100,
                reconfigures: false,
                ..self.connectors[place]
            };
            add(&|case| case.connectors[place] = plain.clone());
            add(&|case| case.connectors[place].reconfigures = false);
        }
        add(&|case| case.kafka = "4.3.1");
        add(&|case| case.broker = "4.3.1");
        add(&|case| case.exactly_once = false);
        add(&|case| case.delay = 20_000);
        add(&|case| case.restart = [(1_000, 1_000), (0, 0), (5_000, 5_000)]);
        add(&|case| case.grace = None);
        add(&|case| case.schedule.at_once = 1);
        add(&|case| case.schedule.flush = 4);
        add(&|case| case.schedule.kill = false);
        add(&|case| case.schedule.wait = 0);
        add(&|case| case.schedule.during_delay = true);
        add(&|case| case.schedule.order = 0);
        add(&|case| case.schedule.aim = 2);
        add(&|case| case.schedule.listed.truncate(1));
        cases
    }

    fn text(&self) -> String {
        format!("{}\n{:?}\nseed {}", self.description(), self.schedule(), self.seed.0)
    }
}

/// Generations, delays, protocols and leaders.
fn rounds_hold(cluster: &Cluster, timeline: &Timeline) -> Result<(), Broken> {
    let run = Run { cluster, timeline };
    let mut before: Option<&Round> = None;
    for round in &timeline.rounds {
        let leader = run.setup(round.leader, round.at);
        check(round.delay <= leader.settings.delay, "a delay is at most the leader's", || {
            format!("generation {}: {:?} of {:?}", round.generation, round.delay, leader.settings.delay)
        })?;
        let weakest = round.members.iter().map(|part| run.setup(part.worker, round.at).settings.protocol).min();
        check(weakest.is_none_or(|weakest| weakest == round.protocol), "the weakest protocol is used", || {
            format!("generation {}: {:?} and not {weakest:?}", round.generation, round.protocol)
        })?;
        if let Some(before) = before {
            let step = round.generation - before.generation;
            let empty = run.all_were_gone(before.at, round.at);
            check(step == 1 || (empty && step > 0), "generations rise by one", || {
                format!("{} after {}", round.generation, before.generation)
            })?;
            let stays = round.leader == before.leader || run.went(before.leader, before.at, round.at);
            check(stays, "a leader leads until it goes", || {
                format!("generation {}: {:?} after {:?}", round.generation, round.leader, before.leader)
            })?;
        }
        before = Some(round);
    }
    Ok(())
}

/// A run and what is asked of it.
struct Run<'a> {
    cluster: &'a Cluster,
    timeline: &'a Timeline,
}

impl<'a> Run<'a> {
    fn setups(&self) -> impl Iterator<Item = &'a WorkerSetup> {
        self.cluster.workers.iter().flat_map(|worker| [&worker.before, &worker.after])
    }

    /// How the worker's process of that time runs, as the group has it: the member of the process
    /// before is there until its leave is read, which can be after the new process has begun.
    fn setup(&self, worker: WorkerId, at: SimTime) -> &'a WorkerSetup {
        let reborn = self
            .timeline
            .processes
            .iter()
            .any(|change| change.worker == worker && change.process == Process::Joining && change.at <= at);
        let described = &self.cluster.workers[worker.index()];
        if reborn { &described.after } else { &described.before }
    }

    /// Whether the worker's process ended since `from`, or was ending then.
    fn went(&self, worker: WorkerId, from: SimTime, until: SimTime) -> bool {
        let ends = |change: &&rollgate_core::simulation::ProcessChange| {
            change.worker == worker && change.process == Process::Down && change.at <= until
        };
        let last = self.timeline.processes.iter().filter(ends).map(|change| change.at).max();
        // Its member may outlive the process until the leave is read or the session ends.
        last.is_some_and(|at| at + SESSION >= from)
    }

    /// Whether at some instant between the two no worker was a member.
    fn all_were_gone(&self, from: SimTime, until: SimTime) -> bool {
        let mut inside: Vec<bool> = self.cluster.workers.iter().map(|worker| !worker.unready).collect();
        let mut gone = false;
        for change in self.timeline.processes.iter().filter(|change| change.at <= until) {
            match change.process {
                Process::Member => inside[change.worker.index()] = true,
                Process::Down => inside[change.worker.index()] = false,
                _ => {}
            }
            gone |= change.at + SESSION >= from && !inside.contains(&true);
        }
        gone
    }

    /// Whether a connector or a task runs nowhere in the end.
    fn misses_something(&self) -> bool {
        let ends = |state| matches!(state, TaskState::Stopped | TaskState::Vanished | TaskState::Failed);
        let mut connectors = vec![0; self.cluster.connectors.len()];
        for change in &self.timeline.connectors {
            connectors[change.item.index()] +=
                i32::from(change.state == TaskState::Running) - i32::from(ends(change.state));
        }
        let mut tasks = vec![0; self.cluster.work.task_count()];
        for change in &self.timeline.tasks {
            tasks[change.item.index()] += i32::from(change.state == TaskState::Running) - i32::from(ends(change.state));
        }
        connectors.iter().chain(&tasks).any(|&count| count < 1)
    }

    /// When all is settled each configured task runs once, where the last round says.
    fn everything_runs_once(&self) -> Result<(), Broken> {
        let mut running: BTreeMap<_, Vec<WorkerId>> = BTreeMap::new();
        for change in &self.timeline.tasks {
            let on = running.entry(change.item).or_default();
            match change.state {
                TaskState::Starting => {}
                TaskState::Running => on.push(change.worker),
                TaskState::Stopped | TaskState::Vanished | TaskState::Failed => {
                    on.retain(|worker| *worker != change.worker);
                }
            }
        }
        let work = &self.cluster.work;
        let tasks: Vec<_> = work.connectors().flat_map(|connector| work.tasks_of(connector)).collect();
        let last = self.timeline.rounds.last();
        for task in tasks {
            let on = running.get(&task).cloned().unwrap_or_default();
            check(on.len() == 1, "everything runs once", || format!("{} on {on:?}", work.task_name(task)))?;
            let owner = last.and_then(|round| round.members.iter().find(|part| part.owns.tasks.contains(&task)));
            check(last.is_none() || owner.is_some_and(|part| part.worker == on[0]), "owners run their tasks", || {
                format!("{} runs on {:?}, owned by {:?}", work.task_name(task), on, owner.map(|part| part.worker))
            })?;
        }
        Ok(())
    }

    /// The load is as even as the rule of the last leader makes it.
    fn load_is_even(&self) -> Result<(), Broken> {
        let Some(last) = self.timeline.rounds.last() else { return Ok(()) };
        let rules = self.setup(last.leader, last.at).rules;
        let spread =
            |counts: Vec<usize>| counts.iter().max().copied().unwrap_or(0) - counts.iter().min().copied().unwrap_or(0);
        let all = spread(last.members.iter().map(|part| part.owns.tasks.len() + part.owns.connectors.len()).collect());
        let tasks = spread(last.members.iter().map(|part| part.owns.tasks.len()).collect());
        let connectors = spread(last.members.iter().map(|part| part.owns.connectors.len()).collect());
        let even = match (last.protocol, rules.balance) {
            (ConnectProtocol::Eager, _) => all <= 1,
            (_, Balance::Exact) => tasks <= 1 && connectors <= 1,
            // An older leader evens out only for a worker without work, and never in two rounds in a row:
            // whoever joins in between stays as it is (KAFKA-12495).
            (_, Balance::Ceiling | Balance::CeilingOfReported) => true,
        };
        check(even, "the load is even", || {
            let counts: Vec<_> = last
                .members
                .iter()
                .map(|part| (part.worker.0, part.owns.connectors.len(), part.owns.tasks.len()))
                .collect();
            format!("{counts:?}")
        })
    }
}

/// How many rolls are drawn.
fn cases() -> u32 {
    if std::env::var_os("ROLLGATE_FULL").is_some() { 5_000 } else { 300 }
}

fn one_of<T: Copy>(chance: &mut Chance, values: &[T]) -> T {
    values[chance.below(u32::try_from(values.len()).unwrap_or(1)) as usize]
}

const PLANS: u32 = 4;
const MOST_TRIES: u32 = 600;
/// The session of every worker here, and a little more.
const SESSION: Duration = Duration::from_secs(11);
const VERSIONS: [&str; 8] = ["2.8.2", "3.3.2", "3.4.1", "3.5.1", "3.6.0", "3.6.1", "3.9.1", "4.3.1"];
/// Whether the window is kept depends on the draw of the restarts.
const NARROW: &str = "
version: 1
kafka: 4.3.1
workers: 2
restart: {stop: 1s, down: 0s, start: 1s..21s}
connectors: {alpha: 4}
policy: {window: 30s, max_share: 100%}
";
