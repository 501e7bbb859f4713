//! The roll brings the eager protocol into a cooperative group.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Phase, Rule};
use crate::model::ConnectProtocol;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "roll-to-eager",
    title: "the roll brings the eager protocol into a running group",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "A roll after which a worker says `connect.protocol=eager`, while workers before it do not.",
    hurts: "With the first eager worker in the group all rebalance eagerly, and nobody is told to give anything up: \
            tasks that move go on running where they were, too, and write everything twice; the status shows each \
            once. When such a task comes back to the worker that still runs it, it ends FAILED: Task already exists \
            in this worker.",
    todo: "Stay with sessioned or compatible. If the group must become eager, stop all workers, and start them with \
           the new setting.",
    wrong: "If nothing runs during the roll, all connectors being stopped, no task can run twice.",
    sources: &[
        "KIP-415; ConnectProtocolCompatibility, WorkerCoordinator, Worker.startTask of Kafka 4.3",
        "tests/scenarios/incidents/eager_worker_joins_a_running_group; \
         tests/scenarios/replay/recorded/eager_worker_joins_and_leaves, follower_bounce_beside_an_eager_worker",
    ],
    settings: &["connect.protocol"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let protocol = |worker: &crate::lint::Worker<'_>| worker.setup.map(|setup| setup.settings.protocol);
    let before = context.roll(Phase::Before);
    if before.iter().any(|worker| protocol(worker) == Some(ConnectProtocol::Eager)) {
        return;
    }
    let cooperative = before.len();
    for worker in context.roll(Phase::After) {
        if protocol(worker) == Some(ConnectProtocol::Eager) {
            let rest =
                if cooperative == 1 { String::new() } else { format!(" beside {} that are not", cooperative - 1) };
            found.add(
                context.setting(worker, "connect.protocol", "sessioned"),
                format!("{} comes back eager{rest}: tasks run twice, and some end FAILED", worker.name),
                "leave connect.protocol as it is, or stop all workers for the change",
            );
        }
    }
}
