//! The policy lets all workers be stopped at once.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Example, Found, Rule, Side};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "all-workers-at-once",
    title: "the policy lets all workers be away at once",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "A policy whose `at_once` is as large as the cluster, where there is more than one worker.",
    hurts: "Nothing runs from the first stop until the workers are back, not one task of any connector. \
            And the group is empty then: the first that is back waits group.initial.rebalance.delay.ms for others \
            before it gets anything.",
    todo: "Leave `at_once` at 1, or set it to what the others can carry; with racks, to the size of a rack.",
    wrong: "Where the whole cluster has to stop anyway, because of its storage or its network, one stop of all is \
            the shortest way; then the finding says what you know.",
    sources: &[
        "GroupCoordinatorConfig of Kafka 4.3: group.initial.rebalance.delay.ms, 3000 by default",
        "measured on 5 workers with 30 tasks, Kafka 4.4.0, starts of 24 and 32 s: all 30 tasks away for 29 and 38 s",
        "tests/scenarios/known/five_workers_all_at_once",
    ],
    settings: &["group.initial.rebalance.delay.ms"],
    example: Some(Example {
        bad: Side {
            what: "all three at once",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 15s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 0}\n\
                          connectors: {orders: 12}\nleader: w1\npolicy: {at_once: 3}\n",
            order: "listed",
            wait: "back",
        },
        better: Side {
            what: "one at a time",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 15s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 0}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "settled",
        },
    }),
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    let (workers, at_once) = (described.cluster.workers.len(), described.policy.at_once);
    if workers < 2 || at_once < workers {
        return;
    }
    found.add(
        context.key(&["policy", "at_once"]),
        format!("at_once is {at_once}, and there are {workers} workers: nothing runs while they restart"),
        "write `at_once: 1`, or as many as the other workers can do without",
    );
}
