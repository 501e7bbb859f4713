//! By which mechanism what was set changes what a roll costs: chosen from what differs between the
//! two clusters and from what their runs show.

use super::{Answer, Shown, Variant};
use crate::model::{Cluster, ConnectProtocol, Policy, Restart, Start, Wait, Worker, WorkerSetup};
use crate::plan::Limit;
use crate::units::Duration;

/// One mechanism, with the values on both sides.
#[derive(Clone, Debug, PartialEq)]
pub enum Mechanism {
    /// With a delay of 0 nothing waits; told with the moves on both sides.
    ZeroDelay {
        /// The other delay.
        other: Duration,
        /// Moves with the other delay.
        other_moves: f64,
        /// Moves with 0.
        moves: f64,
    },
    /// A delay of 0 on versions that lose sight of work.
    ZeroDelayBug,
    /// The delay changes with the roll itself.
    BroughtIn {
        /// The delay before the roll.
        before: Duration,
        /// The delay of restarted workers.
        after: Duration,
    },
    /// A delay that is over before a worker is back.
    DelayBelowRestart {
        /// The delay.
        delay: Duration,
        /// How long a restart takes.
        away: Duration,
    },
    /// Two delays that are both sat out.
    DelaySatOut {
        /// The delay of the first.
        from: Duration,
        /// The delay of the second.
        to: Duration,
        /// How long a restart takes.
        away: Duration,
    },
    /// Two delays that the roll ends early.
    DelayEndedEarly {
        /// How long a delay runs in the expected course of the first.
        from: Duration,
        /// In that of the second.
        to: Duration,
    },
    /// Waiting until all is settled instead of going on.
    Settled {
        /// The delay that is sat out, if one runs.
        delay: Duration,
        /// Whether the second waits.
        second: bool,
    },
    /// A pause after each return.
    Pause {
        /// How long.
        pause: Duration,
        /// Whether the second pauses.
        second: bool,
    },
    /// One of them runs the eager protocol.
    Eager {
        /// Whether the second does.
        second: bool,
    },
    /// Compatible and sessioned differ in nothing that a roll shows.
    Sessioned,
    /// Workers of another version.
    Version {
        /// What changed, with its ticket.
        what: &'static str,
    },
    /// Nothing that is modelled differs between the versions.
    SameRules,
    /// Restarts take longer or shorter.
    Restart {
        /// The usual time in the first.
        from: Duration,
        /// In the second.
        to: Duration,
    },
    /// The service manager waits longer or shorter before it kills.
    Grace,
    /// Tasks take longer or shorter to start or stop.
    TaskTimes,
    /// More or fewer workers go at once.
    AtOnce {
        /// In the first.
        from: usize,
        /// In the second.
        to: usize,
    },
    /// Restarts may or may not begin during a delay.
    DuringDelay {
        /// Whether they may in the second.
        second: bool,
    },
    /// The leader may or may not go once more.
    LeaderAgain {
        /// Whether it may in the second.
        second: bool,
    },
    /// A limit allows more or less; with what the two best rolls reach of it.
    Limited {
        /// Which.
        limit: Limit,
    },
    /// More or fewer workers.
    Workers {
        /// In the first.
        from: usize,
        /// In the second.
        to: usize,
    },
    /// More or fewer tasks.
    Tasks {
        /// In the first.
        from: usize,
        /// In the second.
        to: usize,
    },
    /// Members hear of a rebalance sooner or later.
    Heartbeat {
        /// The interval of the first.
        from: Duration,
        /// Of the second.
        to: Duration,
    },
    /// The session time-out.
    Session,
    /// The rebalance time-out.
    RebalanceTimeout,
    /// The time tasks have to stop.
    GracefulTimeout,
    /// Sources that deliver exactly once.
    ExactlyOnce,
    /// Another coordinator.
    Broker,
}

/// Whether two setups differ in one rule.
type Differs = fn(&WorkerSetup, &WorkerSetup) -> bool;

/// A variant and what of it matters here.
struct Side<'v> {
    cluster: &'v Cluster,
    policy: &'v Policy,
    answer: &'v Answer,
    /// The delay before the roll and after it.
    delay: (Duration, Duration),
    eager: bool,
    /// The wait of the roll that was found.
    wait: Option<Wait>,
    away: Duration,
}

impl<'v> Side<'v> {
    fn of(variant: &'v Variant) -> Self {
        let cluster = &variant.input.cluster;
        let delay = |setup: fn(&Worker) -> &WorkerSetup| {
            cluster.workers.iter().map(|worker| setup(worker).settings.delay).max().unwrap_or_default()
        };
        let least = cluster.workers.iter().map(|worker| worker.before.settings.protocol).min();
        let schedule = variant.answer.candidate.as_ref().map(|candidate| &candidate.schedule);
        Self {
            cluster,
            policy: &variant.input.policy,
            answer: &variant.answer,
            delay: (delay(|worker| &worker.before), delay(|worker| &worker.after)),
            eager: least == Some(ConnectProtocol::Eager),
            wait: schedule.map(|schedule| schedule.wait),
            away: away(cluster),
        }
    }

    fn at_once(&self) -> usize {
        self.answer.candidate.as_ref().map_or(1, |candidate| candidate.schedule.at_once)
    }

    /// Whether some task waits for a whole delay in 1 of 20 runs.
    fn sits_out(&self) -> bool {
        let longest = Shown::Longest.of(self.answer).unwrap_or_default();
        longest >= self.delay.0.as_secs_f64()
    }

    fn moves(&self) -> f64 {
        Shown::Moves.of(self.answer).unwrap_or_default()
    }
}

/// All mechanisms by which the second differs from the first; those that usually decide come first.
pub(super) fn between(one: &Variant, other: &Variant) -> Vec<Mechanism> {
    let (one, other) = (Side::of(one), Side::of(other));
    let mut found = Vec::new();
    if one.eager != other.eager {
        found.push(Mechanism::Eager { second: other.eager });
    } else if protocols(&one) != protocols(&other) && !one.eager {
        found.push(Mechanism::Sessioned);
    }
    if !one.eager && !other.eager {
        delays(&one, &other, &mut found);
    }
    versions(&one, &other, &mut found);
    if one.away != other.away {
        found.push(Mechanism::Restart { from: one.away, to: other.away });
    }
    let grace = |side: &Side<'_>| -> Vec<_> { side.cluster.workers.iter().map(|of| of.restart.grace).collect() };
    if one.cluster.workers.len() == other.cluster.workers.len() && grace(&one) != grace(&other) {
        found.push(Mechanism::Grace);
    }
    waits(&one, &other, &mut found);
    if one.at_once() != other.at_once() {
        found.push(Mechanism::AtOnce { from: one.at_once(), to: other.at_once() });
    }
    policies(&one, &other, &mut found);
    clusters(&one, &other, &mut found);
    found
}

fn delays(one: &Side<'_>, other: &Side<'_>, found: &mut Vec<Mechanism>) {
    if one.delay == other.delay {
        return;
    }
    for side in [one, other] {
        if side.delay.0 != side.delay.1 {
            found.push(Mechanism::BroughtIn { before: side.delay.0, after: side.delay.1 });
        }
    }
    let is_zero = |side: &Side<'_>| side.delay.0.is_zero() || side.delay.1.is_zero();
    match (is_zero(one), is_zero(other)) {
        (true, true) => {}
        (false, false) => {
            let (from, to) = (one.delay.0, other.delay.0);
            let least = from.min(to);
            let away = other.away;
            if least < away && from.max(to) >= away {
                found.push(Mechanism::DelayBelowRestart { delay: least, away });
            } else if one.sits_out() || other.sits_out() {
                found.push(Mechanism::DelaySatOut { from, to, away });
            } else {
                found.push(Mechanism::DelayEndedEarly { from: one.answer.delayed, to: other.answer.delayed });
            }
        }
        (first, _) => {
            let (zero, long) = if first { (one, other) } else { (other, one) };
            let after = zero.delay.0.is_zero().then_some(|worker: &Worker| worker.before.rules.zero_delay_reassigns);
            let fixed = |worker: &Worker| after.map_or(worker.after.rules.zero_delay_reassigns, |of| of(worker));
            if !zero.cluster.workers.iter().all(fixed) {
                found.push(Mechanism::ZeroDelayBug);
            }
            found.push(Mechanism::ZeroDelay { other: long.delay.0, other_moves: long.moves(), moves: zero.moves() });
        }
    }
}

fn waits(one: &Side<'_>, other: &Side<'_>, found: &mut Vec<Mechanism>) {
    let (Some(from), Some(to)) = (one.wait, other.wait) else { return };
    if from == to {
        return;
    }
    let delay = |side: &Side<'_>| if side.eager { Duration::ZERO } else { side.delay.0 };
    match (from, to) {
        (_, Wait::Settled) => found.push(Mechanism::Settled { delay: delay(other), second: true }),
        (Wait::Settled, _) => found.push(Mechanism::Settled { delay: delay(one), second: false }),
        (_, Wait::Fixed(pause)) => found.push(Mechanism::Pause { pause, second: true }),
        (Wait::Fixed(pause), _) => found.push(Mechanism::Pause { pause, second: false }),
        (Wait::Back, Wait::Back) => {}
    }
}

fn versions(one: &Side<'_>, other: &Side<'_>, found: &mut Vec<Mechanism>) {
    let versions = |side: &Side<'_>| -> Vec<_> {
        side.cluster.workers.iter().map(|worker| (worker.before.version, worker.after.version)).collect()
    };
    if one.cluster.workers.len() != other.cluster.workers.len() || versions(one) == versions(other) {
        return;
    }
    let before = found.len();
    let differs = |differ: Differs| {
        let mut pairs = one.cluster.workers.iter().zip(&other.cluster.workers);
        pairs.any(|(a, b)| differ(&a.before, &b.before) || differ(&a.after, &b.after))
    };
    let rules: [(Differs, &'static str); 5] = [
        (|a, b| a.rules.balance != b.rules.balance, BALANCE),
        (|a, b| a.rules.zero_delay_reassigns != b.rules.zero_delay_reassigns, ZERO_DELAY),
        (|a, b| a.rules.shutdown != b.rules.shutdown, SHUTDOWN),
        (|a, b| a.rules.client_id_has_address != b.rules.client_id_has_address, CLIENT_ID),
        (|a, b| a.rules.consumer_session_timeout != b.rules.consumer_session_timeout, CONSUMER_SESSION),
    ];
    // What counts only with a delay of 0, or for sinks, is told only where there are some.
    let zero = [one, other].iter().any(|side| side.delay.0.is_zero() || side.delay.1.is_zero());
    let sinks = one.cluster.connectors.iter().any(|connector| connector.sink.is_some());
    let counts = |what: &str| (what != ZERO_DELAY || zero) && (what != CONSUMER_SESSION || sinks);
    let rules = rules.into_iter().filter(|(_, what)| counts(what));
    found.extend(rules.filter(|(rule, _)| differs(*rule)).map(|(_, what)| Mechanism::Version { what }));
    if found.len() == before {
        found.push(Mechanism::SameRules);
    }
}

fn policies(one: &Side<'_>, other: &Side<'_>, found: &mut Vec<Mechanism>) {
    let (a, b) = (one.policy, other.policy);
    if a.during_delay != b.during_delay {
        found.push(Mechanism::DuringDelay { second: b.during_delay });
    }
    if a.leader_again != b.leader_again {
        found.push(Mechanism::LeaderAgain { second: b.leader_again });
    }
    // The share that is allowed follows from the cluster, unless it is given.
    let given = |limit: &Limit| *limit != Limit::MaxShare || a.max_share_given || b.max_share_given;
    let limits = Limit::ALL.into_iter().filter(|limit| limit.allowed(a) != limit.allowed(b)).filter(given);
    found.extend(limits.map(|limit| Mechanism::Limited { limit }));
}

fn clusters(one: &Side<'_>, other: &Side<'_>, found: &mut Vec<Mechanism>) {
    let (a, b) = (one.cluster, other.cluster);
    if a.workers.len() != b.workers.len() {
        found.push(Mechanism::Workers { from: a.workers.len(), to: b.workers.len() });
    }
    let tasks = (a.work.task_count(), b.work.task_count());
    if tasks.0 != tasks.1 {
        found.push(Mechanism::Tasks { from: tasks.0, to: tasks.1 });
    }
    let times = |cluster: &Cluster| -> Vec<_> {
        cluster.connectors.iter().map(|of| (of.task_start.clone(), of.task_stop.clone())).collect()
    };
    if tasks.0 == tasks.1 && times(a) != times(b) {
        found.push(Mechanism::TaskTimes);
    }
    let most = |cluster: &Cluster, of: fn(&WorkerSetup) -> Duration| {
        cluster.workers.iter().flat_map(|worker| [of(&worker.before), of(&worker.after)]).max().unwrap_or_default()
    };
    let differs = |of: fn(&WorkerSetup) -> Duration| most(a, of) != most(b, of);
    let heartbeat: fn(&WorkerSetup) -> Duration = |setup| setup.settings.heartbeat_interval;
    if differs(heartbeat) {
        found.push(Mechanism::Heartbeat { from: most(a, heartbeat), to: most(b, heartbeat) });
    }
    if differs(|setup| setup.settings.session_timeout) {
        found.push(Mechanism::Session);
    }
    if differs(|setup| setup.settings.rebalance_timeout) {
        found.push(Mechanism::RebalanceTimeout);
    }
    if differs(|setup| setup.settings.graceful_timeout) {
        found.push(Mechanism::GracefulTimeout);
    }
    let exactly_once = |cluster: &Cluster| cluster.connectors.iter().any(|connector| connector.exactly_once);
    if exactly_once(a) != exactly_once(b) {
        found.push(Mechanism::ExactlyOnce);
    }
    let broker = |cluster: &Cluster| (cluster.broker.coordinator, cluster.broker.initial_rebalance_delay);
    if broker(a) != broker(b) {
        found.push(Mechanism::Broker);
    }
}

fn protocols(side: &Side<'_>) -> Vec<(ConnectProtocol, ConnectProtocol)> {
    let of = |worker: &Worker| (worker.before.settings.protocol, worker.after.settings.protocol);
    let mut all: Vec<_> = side.cluster.workers.iter().map(of).collect();
    // How many workers there are is another difference.
    all.sort_unstable();
    all.dedup();
    all
}

/// From SIGTERM to the first `JoinGroup`, the longest of the workers' usual times.
fn away(cluster: &Cluster) -> Duration {
    let of = |Restart { stop, down, start, grace: _ }: &Restart| {
        let start = match start {
            Start::Whole(whole) => whole.middle(),
            Start::Parts { jvm, plugin_scan, topics } => jvm.middle() + plugin_scan.middle() + topics.middle(),
        };
        stop.middle() + down.middle() + start
    };
    cluster.workers.iter().map(|worker| of(&worker.restart)).max().unwrap_or_default()
}

const BALANCE: &str = "Leaders from 3.4 on even out exactly, in consecutive rounds (KAFKA-12495); those before only to \
                       the next whole number, and not twice in a row.";
const ZERO_DELAY: &str =
    "Fixed versions hand lost tasks out at once with a delay of 0 (KAFKA-15693: 3.5.2, 3.6.1 and 3.7.0).";
const SHUTDOWN: &str = "Workers from 3.5 on stop all tasks at once (KAFKA-14311), those before on 8 threads.";
const CLIENT_ID: &str = "Member ids from 3.7 on begin with the worker's address (KAFKA-15888), which changes who \
                         succeeds a leader.";
const CONSUMER_SESSION: &str = "The consumers of sinks time out after 45 s from 3.0 on, after 10 s before (KIP-735).";
