//! A fixed time is taken for settled.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Example, Found, Phase, Rule, Side};
use crate::model::{ConnectProtocol, Wait};
use crate::units::Duration;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "fixed-wait-between-restarts",
    title: "a fixed time between restarts stands for settled",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A policy whose `wait` is a time, shorter than the rebalance delay.",
    hurts: "A worker that is up, answers its REST port and is back in the group has no tasks yet: those of a \
            restarted follower wait for the rest of the delay. When the next goes after a fixed time, the tasks of \
            several workers wait together, and each of them waits that time longer for each restart still to come. \
            Nothing is gained by it: what ends the waiting is the end of the delay, or the leader's restart.",
    todo: "Write `wait: back` with the leader last, which waits for no one, or `wait: settled`, which never has \
           more than one worker's tasks away; or let the plan choose, without a `wait`.",
    wrong: "If the fixed time is there for something that rollgate does not see, such as caches to fill, it has its \
            reason; then write it into the restart, as `start`.",
    sources: &[
        "KIP-415; IncrementalCooperativeAssignor of Kafka 4.3: the delay counts from the first loss",
        "measured on 5 workers with 30 tasks and 30 s between restarts, Kafka 4.4.0: 891 to 5,148 task-seconds, \
         12 to 22 of 30 tasks away at once; without waiting, leader last, 481 to 1,694",
    ],
    settings: &["scheduled.rebalance.max.delay.ms"],
    example: Some(Example {
        bad: Side {
            what: "30 s after each is back",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 5s}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "30s",
        },
        better: Side {
            what: "as soon as each is back",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 5s}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "back",
        },
    }),
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    let Some(Wait::Fixed(wait)) = described.policy.wait else { return };
    let setups = context.roll(Phase::Before).into_iter().filter_map(|worker| worker.setup);
    let delays = setups.filter(|setup| setup.settings.protocol != ConnectProtocol::Eager);
    let delay = delays.map(|setup| setup.settings.delay).max().unwrap_or(Duration::ZERO);
    if described.cluster.workers.len() < 2 || delay <= wait {
        return;
    }
    found.add(
        context.key(&["policy", "wait"]),
        format!("the next worker goes {wait} after one is back, whose tasks may wait for a delay of {delay} then"),
        "write `wait: back` or `wait: settled`, or leave it to the plan",
    );
}
