//! A sink with one task has nobody to stand in for it.

use crate::finding::{Confidence, Severity};
use crate::lint::times::counted;
use crate::lint::{Context, Found, Rule};
use crate::model::ConnectorState;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "single-task-sink",
    title: "a sink has one task, and nobody reads while it is away",
    severity: Severity::Note,
    confidence: Confidence::High,
    finds: "A running sink with a single task, in a cluster of several workers.",
    hurts: "The tasks of a sink share its partitions as consumers of one group, so that the others read on for one \
            that is away, also during the delay. A single task has no others: nothing of the connector is read until \
            it runs again, and each of its starts waits for group.initial.rebalance.delay.ms, 3 s by default, \
            because its consumer group is empty then.",
    todo: "Give it two tasks or more, if it reads two partitions or more; or restart its worker while it leads, \
           when nothing waits for the delay.",
    wrong: "If all records must be written in one order, or there is one partition only, one task is right.",
    sources: &[
        "WorkerSinkTask, Worker.consumerConfigs of Kafka 4.3: the group connect-<connector>",
        "GroupCoordinatorConfig of Kafka 4.3: group.initial.rebalance.delay.ms",
    ],
    settings: &["group.initial.rebalance.delay.ms"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    if described.cluster.workers.len() < 2 {
        return;
    }
    for listed in described.connectors() {
        let connector = listed.connector;
        let Some(sink) = &connector.sink else { continue };
        if connector.tasks != 1 || connector.state != ConnectorState::Running || sink.partitions < 2 {
            continue;
        }
        let partitions = counted(sink.partitions, "partition");
        found.add(
            context.connector(listed, "tasks"),
            format!("`{}` has 1 task: while it waits or moves, nobody reads its {partitions}", connector.name),
            "give it 2 tasks or more, so that others read on",
        );
    }
}
