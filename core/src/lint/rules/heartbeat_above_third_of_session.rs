//! Too few heartbeats fit into a session.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};
use crate::units::Duration;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "heartbeat-above-third-of-session",
    title: "fewer than three heartbeats fit into a session",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "A `heartbeat.interval.ms` of more than a third of `session.timeout.ms`.",
    hurts: "One heartbeat that is lost or late, by a collection of garbage or a busy network, and the broker takes \
            the worker for dead. Its tasks are lost then, the delay begins, and a worker that never stopped joins \
            again. Longer intervals also make each round of a roll longer: a member learns of a rebalance by its \
            next heartbeat.",
    todo: "Set heartbeat.interval.ms to a third of session.timeout.ms or less; the defaults are 3 s and 10 s.",
    wrong: "On a quiet network with short pauses two heartbeats a session are enough.",
    sources: &[
        "DistributedConfig of Kafka 4.3, heartbeat.interval.ms: typically no higher than 1/3 of session.timeout.ms",
        "tests/scenarios/replay/recorded/short_heartbeats, follower_frozen",
    ],
    settings: &["heartbeat.interval.ms", "session.timeout.ms"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for worker in context.setups() {
        let Some(setup) = worker.setup else { continue };
        let (heartbeat, session) = (setup.settings.heartbeat_interval, setup.settings.session_timeout);
        if heartbeat * 3 <= session {
            continue;
        }
        let given = worker.get("heartbeat.interval.ms").is_some();
        let at = if given {
            context.setting(worker, "heartbeat.interval.ms", "3.0 s")
        } else {
            context.setting(worker, "session.timeout.ms", "10.0 s")
        };
        let third = Duration::from_millis(session.as_millis() / 3);
        let said = if given { "" } else { ", the default," };
        let finding = found.add(
            at,
            format!("heartbeat.interval.ms ({heartbeat}){said} is more than a third of session.timeout.ms ({session})"),
            format!(
                "set heartbeat.interval.ms to {} or less, or session.timeout.ms to {} or more",
                third.as_millis(),
                (heartbeat * 3).as_millis()
            ),
        );
        if given && let Some(other) = worker.get("session.timeout.ms") {
            finding.also.push(context.of(other).labelled(format!("a third of it is {third}")));
        }
    }
}
