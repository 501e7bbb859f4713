//! A cooperative assignor that does nothing, because eager ones stand beside it.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "cooperative-assignor-beside-eager-ones",
    title: "sinks rebalance eagerly although a cooperative assignor is listed",
    severity: Severity::Note,
    confidence: Confidence::High,
    finds: "A consumer.partition.assignment.strategy that lists CooperativeStickyAssignor together with eager ones.",
    hurts: "A consumer rebalances the way that all assignors of its list can: eagerly. Each sink task that moves makes \
            all tasks of its connector give up all their partitions, on leaving and on coming back.",
    todo: "List CooperativeStickyAssignor alone, in a second roll: the first brings the list, the second takes the \
           eager ones out (KIP-429).",
    wrong: "Between these two rolls the list is right. Before 3.0.1 sinks must not use the cooperative assignor alone \
            (KAFKA-12487).",
    sources: &["ConsumerCoordinator of Kafka 2.8 to 4.3: the protocols that all assignors support; KIP-429"],
    settings: &["partition.assignment.strategy"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for worker in context.setups() {
        let Some(setting) = worker.get("consumer.partition.assignment.strategy") else { continue };
        let names: Vec<&str> =
            setting.value.value.split(',').map(|name| name.trim().rsplit('.').next().unwrap_or(name)).collect();
        let eager = ["RangeAssignor", "RoundRobinAssignor", "StickyAssignor"];
        let Some(other) = names.iter().find(|name| eager.contains(name)) else { continue };
        if names.contains(&"CooperativeStickyAssignor") {
            found.add(
                context.of(setting),
                format!("with {other} in the list sinks rebalance eagerly, CooperativeStickyAssignor does nothing"),
                "list CooperativeStickyAssignor alone, once all workers have the list",
            );
        }
    }
}
