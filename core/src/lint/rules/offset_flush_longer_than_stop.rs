//! Offsets may take longer to flush than a task has to stop.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule, Worker};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "offset-flush-longer-than-stop",
    title: "offsets may take longer to flush than a task has to stop",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "An offset.flush.timeout.ms above task.shutdown.graceful.timeout.ms; by default both are 5 s.",
    hurts: "A source task flushes its offsets as the last thing before it ends. A worker that stops waits for all its \
            tasks together no longer than task.shutdown.graceful.timeout.ms, then cancels those that are late: their \
            last offsets are not committed, and the next owner reads these records once more.",
    todo: "Set task.shutdown.graceful.timeout.ms above offset.flush.timeout.ms, and the grace period of the service \
           or pod above both.",
    wrong: "Where flushes take milliseconds, neither limit is ever reached; sinks and exactly-once sources do not \
            flush so.",
    sources: &[
        "WorkerConfig of Kafka 4.4: both default to 5000; Worker.stopAndAwaitTasks, WorkerSourceTask.commitOffsets of \
         Kafka 4.3",
    ],
    settings: &[FLUSH, STOP],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for worker in context.setups() {
        let (flush, stop) = (millis(worker, FLUSH), millis(worker, STOP));
        let (Some(flush), Some(stop)) = (flush, stop) else { continue };
        if flush <= stop {
            continue;
        }
        let finding = found.add(
            context.setting(worker, FLUSH, "5 s"),
            format!("a flush may take {flush} ms, but a stopping worker waits {stop} ms for its tasks"),
            "set task.shutdown.graceful.timeout.ms above offset.flush.timeout.ms",
        );
        finding.also.extend(worker.get(STOP).map(|setting| context.of(setting)));
    }
}

/// A setting in milliseconds, 5 s by default; `None` if its value is filled in later.
fn millis(worker: &Worker<'_>, key: &str) -> Option<u64> {
    worker.text(key).map_or(Some(5000), |value| value.parse().ok())
}

const FLUSH: &str = "offset.flush.timeout.ms";
const STOP: &str = "task.shutdown.graceful.timeout.ms";
