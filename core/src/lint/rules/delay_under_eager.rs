//! A delay that an eager group does not know.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "delay-under-eager",
    title: "a delay is set that the eager protocol does not know",
    severity: Severity::Note,
    confidence: Confidence::High,
    finds: "A worker with `connect.protocol=eager` and a scheduled.rebalance.max.delay.ms of its own.",
    hurts: "Under eager nothing waits: all tasks stop when a worker leaves, and start again, spread over the others, at \
            once. The delay protects nothing, and somebody believed that it does.",
    todo: "Take one of the two lines out.",
    wrong: "The line does no harm, and counts again when eager goes.",
    sources: &["EagerAssignor of Kafka 2.8 to 4.4, which knows no delay; KIP-415"],
    settings: &["scheduled.rebalance.max.delay.ms", "connect.protocol"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for worker in context.setups() {
        let Some(delay) = worker.get("scheduled.rebalance.max.delay.ms") else { continue };
        let Some(protocol) = worker.get("connect.protocol") else { continue };
        if !protocol.value.value.trim().eq_ignore_ascii_case("eager") {
            continue;
        }
        let finding = found.add(
            context.of(delay),
            "the delay does nothing: under the eager protocol no work waits for its worker",
            "take the delay out, or connect.protocol=eager",
        );
        finding.also.push(context.of(protocol));
    }
}
