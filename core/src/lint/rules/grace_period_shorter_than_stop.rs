//! The service manager kills a worker before it has stopped.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Example, Found, Rule, Side};
use crate::model::{Cluster, ConnectorState, Worker};
use crate::units::Duration;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "grace-period-shorter-than-stop",
    title: "a worker is killed before it has stopped",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "A `grace` period that is shorter than the stop of a worker (p95): what is given as `stop`, or the \
            slowest task's stop, as far as task.shutdown.graceful.timeout.ms lets it go on, and two seconds more if \
            tasks are left behind.",
    hurts: "The worker tells the group that it leaves as the last act of its stop. Killed before that, it counts as \
            dead: it is missed only when its session has run out, its delay begins only then, and if it is back \
            before, every rebalance waits for that. Sources write once more what they had not committed, and the \
            partitions of its sinks stay with dead consumers until their sessions end, 45 s by default.",
    todo: "Give it longer: TimeoutStopSec of systemd, terminationGracePeriodSeconds of Kubernetes. At least the stop \
           as you measure it and some room; a stop in order takes 23 s at most, and longer only while its REST \
           server waits for requests.",
    wrong: "If most stops are quick and only few are cut off, the finding is about these few.",
    sources: &[
        "DistributedHerder.stop, AbstractCoordinator.close of Kafka 4.3: LeaveGroup comes last (KAFKA-14311, 3.5)",
        "measured with Kafka 4.4.0: tasks that take 8 s to stop end in a stop of 6.9 to 7.5 s",
        "tests/scenarios/replay/recorded/follower_killed, slow_stops_cancelled",
    ],
    settings: &["task.shutdown.graceful.timeout.ms", "session.timeout.ms"],
    example: Some(Example {
        bad: Side {
            what: "killed after 5 s",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 8s, start: 5s, grace: 5s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 20000}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "settled",
        },
        better: Side {
            what: "killed after 30 s",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 8s, start: 5s, grace: 30s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 20000}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "settled",
        },
    }),
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    for (place, worker) in described.cluster.workers.iter().enumerate() {
        let Some(grace) = worker.restart.grace else { continue };
        let stop = stop(worker, &described.cluster);
        if stop <= grace {
            continue;
        }
        let own = context.key(&["workers", &place.to_string(), "restart", "grace"]);
        let at = if own.label.is_none() { own } else { context.key(&["restart", "grace"]) };
        let session = worker.before.settings.session_timeout;
        found.add(
            at,
            format!(
                "{} takes up to {stop} to stop and is killed after {grace}: the group notices only after {session}",
                worker.name
            ),
            format!("set the grace period to {} or more", stop + ROOM),
        );
    }
}

/// From SIGTERM to `LeaveGroup`, slow tasks included.
fn stop(worker: &Worker, cluster: &Cluster) -> Duration {
    let runs = cluster.connectors.iter().filter(|one| one.state == ConnectorState::Running && one.tasks > 0);
    let slowest = runs.map(|connector| connector.task_stop.p95()).max().unwrap_or_default();
    let most = worker.before.settings.graceful_timeout;
    let tasks = if slowest > most { most + LEFT_BEHIND } else { slowest };
    worker.restart.stop.p95().max(tasks)
}

/// What a stop takes longer when tasks are left behind: 1.9 to 2.5 s as measured.
const LEFT_BEHIND: Duration = Duration::from_secs(2);

/// For a day on which all is slower.
const ROOM: Duration = Duration::from_secs(10);
