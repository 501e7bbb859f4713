//! A worker that dies stays unnoticed for long.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};
use crate::units::Duration;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "long-session-timeout",
    title: "a worker that dies stays unnoticed for more than a minute",
    severity: Severity::Note,
    confidence: Confidence::Medium,
    finds: "A `session.timeout.ms` of the workers of more than one minute.",
    hurts: "A stop by SIGTERM is told to the group, a death is not: until the session has run out its tasks belong \
            to nobody who runs them, and only then does the delay begin. A worker that was killed and is back before \
            that has to wait as well, and with it every other rebalance: the round ends when the dead member expires.",
    todo: "Stay with the default of 10 s, or as long as the longest pause that you have seen, with some room.",
    wrong: "If pauses of the workers, by garbage collection or by frozen virtual machines, really last that long, a \
            shorter session costs more than it saves.",
    sources: &[
        "AbstractCoordinator, GroupMetadataManager.onDynamicMemberSessionExpired of Kafka 4.3",
        "tests/scenarios/replay/recorded/follower_killed",
    ],
    settings: &["session.timeout.ms"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for worker in context.setups() {
        let Some(session) = worker.setup.map(|setup| setup.settings.session_timeout) else { continue };
        if session > LONG {
            found.add(
                context.setting(worker, "session.timeout.ms", "10.0 s"),
                format!("session.timeout.ms is {session}: so long a dead worker's tasks wait before anybody notices"),
                "set it to the longest pause that you have seen, with some room; the default is 10 s",
            );
        }
    }
}

/// Six times the default; what people set against pauses seldom exceeds it.
const LONG: Duration = Duration::from_secs(60);
