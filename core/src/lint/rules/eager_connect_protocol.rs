//! The workers rebalance eagerly.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Example, Found, Phase, Rule, Side};
use crate::model::ConnectProtocol;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "eager-connect-protocol",
    title: "all workers use the eager protocol",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "Workers that all say `connect.protocol=eager`.",
    hurts: "Every rebalance stops all tasks of all workers and starts them again, two for each restart. What that \
            costs grows with the start of a task: quick tasks are away for seconds, slow ones for as long as they \
            take to start, each time.",
    todo: "Take `connect.protocol` out of the files, which means sessioned, in a roll of its own: while one eager \
           worker is in the group, all rebalance eagerly, and the last restart ends that.",
    wrong: "With tasks that start within a fraction of a second a roll under eager loses no more than a lucky one \
            under the incremental protocol, because eager knows no delay: 212 to 275 task-seconds against 173 to \
            532, measured on five workers. Compare both with your own start times.",
    sources: &[
        "KIP-415; EagerAssignor, DistributedHerder of Kafka 4.3",
        "tests/scenarios/known/five_workers_eager, slow_tasks_eager; tests/scenarios/replay/recorded/eager_follower",
    ],
    settings: &["connect.protocol"],
    example: Some(Example {
        bad: Side {
            what: "eager",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 5s}\nleader: w1\n\
                          protocol: eager\nconnectors: {orders: {tasks: 12, start: 10s}}\n",
            order: "leader-last",
            wait: "back",
        },
        better: Side {
            what: "sessioned",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 5s}\nleader: w1\n\
                          connectors: {orders: {tasks: 12, start: 10s}}\n",
            order: "leader-last",
            wait: "back",
        },
    }),
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for group in context.groups() {
        let eager = |worker: &&&crate::lint::Worker<'_>| {
            worker.setup.is_some_and(|setup| setup.settings.protocol == ConnectProtocol::Eager)
        };
        // Where only some are eager, another rule speaks.
        if group.workers.iter().filter(eager).count() < group.workers.len() {
            continue;
        }
        let Some(first) = group.workers.first() else { continue };
        let after = context.roll(Phase::After);
        let mended = first.described.is_some() && !after.is_empty() && !after.iter().any(|worker| eager(&worker));
        let finding = found.add(
            context.setting(first, "connect.protocol", "sessioned"),
            "connect.protocol is eager: each restart stops all tasks of all workers, twice",
            if mended {
                "this roll brings the cooperative protocol in: with its last restart the group is no longer eager"
            } else {
                "leave connect.protocol out, which means sessioned; a roll brings it in, its last restart ends eager"
            },
        );
        if mended {
            finding.severity = Severity::Note;
        }
    }
}
