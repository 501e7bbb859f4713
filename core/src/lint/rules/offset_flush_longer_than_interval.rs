//! Offsets may take longer to flush than there is from one flush to the next.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "offset-flush-longer-than-interval",
    title: "offsets may take longer to flush than the interval between flushes",
    severity: Severity::Note,
    confidence: Confidence::Low,
    finds: "An offset.flush.timeout.ms above offset.flush.interval.ms; by default 5 s and 60 s.",
    hurts: "One thread of the worker flushes the offsets of its source tasks, one after another. While one of them \
            waits for its time-out the others are late, and after a crash more records are read again than the \
            interval promises.",
    todo: "Set offset.flush.timeout.ms below offset.flush.interval.ms.",
    wrong: "Where flushes take milliseconds the limit is never reached; exactly-once sources do not flush so.",
    sources: &["SourceTaskOffsetCommitter of Kafka 2.8 to 4.3: a single thread, a fixed delay after each commit"],
    settings: &[TIMEOUT, INTERVAL],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for worker in context.setups() {
        let millis = |key, default: u64| worker.text(key).map_or(Some(default), |value| value.parse().ok());
        let (Some(timeout), Some(interval)) = (millis(TIMEOUT, 5000), millis(INTERVAL, 60_000)) else { continue };
        if timeout <= interval {
            continue;
        }
        let finding = found.add(
            context.setting(worker, TIMEOUT, "5 s"),
            format!("a flush may take {timeout} ms, and the next one is due after {interval} ms"),
            "set offset.flush.timeout.ms below offset.flush.interval.ms",
        );
        finding.also.extend(worker.get(INTERVAL).map(|setting| context.of(setting)));
    }
}

const TIMEOUT: &str = "offset.flush.timeout.ms";
const INTERVAL: &str = "offset.flush.interval.ms";
