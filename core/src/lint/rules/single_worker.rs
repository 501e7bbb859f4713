//! There is only one worker.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "single-worker",
    title: "there is one worker, and nothing runs while it restarts",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A cluster of one worker.",
    hurts: "No order and no wait helps: from the stop of its tasks until they run again nothing runs, and each start \
            waits for group.initial.rebalance.delay.ms, because the group is empty then.",
    todo: "Add a second worker with the same group.id for the time of the roll, or for good; or choose a time when \
           standing still harms nobody.",
    wrong: "If the connectors may stand still for that long, one worker is enough.",
    sources: &["GroupCoordinatorConfig of Kafka 4.3: group.initial.rebalance.delay.ms, 3000 by default"],
    settings: &["group.initial.rebalance.delay.ms"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    let tasks = described.cluster.work.task_count();
    if described.cluster.workers.len() != 1 || tasks == 0 {
        return;
    }
    let what = if tasks == 1 { "the 1 task stands".to_owned() } else { format!("all {tasks} tasks stand") };
    found.add(
        context.key(&["workers"]),
        format!("there is 1 worker: {what} still while it restarts"),
        "add a second worker with the same group.id, at least for the roll",
    );
}
