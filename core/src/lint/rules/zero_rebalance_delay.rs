//! A delay of 0.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Example, Found, Rule, Side};
use crate::model::ConnectProtocol;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "zero-rebalance-delay",
    title: "lost work is not waited for at all",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "A scheduled.rebalance.max.delay.ms of 0: an error before 3.5.2, 3.6.1 and 3.7.0, a note since.",
    hurts: "Before, a leader with a delay of 0 hands lost work to nobody: it stays without an owner, with the group \
            stable and no delay shown, until something else brings a rebalance about. Since, it goes to the others \
            at once, which is the cheapest way to restart; but then each worker that is away for a moment, or for \
            whose session one heartbeat too many is lost, has all its tasks moved out and back.",
    todo: "Upgrade before you set it to 0, or set it just above a restart. The leader's version counts: one upgraded \
           worker changes nothing until it leads.",
    wrong: "As a note it is no reproach: on these versions 0 is a good choice where tasks start quickly.",
    sources: &[
        "KAFKA-15693: fixed in 3.5.2, 3.6.1 and 3.7.0; IncrementalCooperativeAssignor",
        "tests/scenarios/incidents/no_delay_loses_tasks_for_good; \
         tests/scenarios/replay/recorded/old_workers_no_delay_follower, no_delay_follower",
    ],
    settings: &["scheduled.rebalance.max.delay.ms"],
    example: Some(Example {
        bad: Side {
            what: "Kafka 3.6.0",
            description: "version: 1\nkafka: 3.6.0\nworkers: 3\nrestart: {stop: 1s, start: 30s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 0}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "back",
        },
        better: Side {
            what: "Kafka 3.6.1",
            description: "version: 1\nkafka: 3.6.1\nworkers: 3\nrestart: {stop: 1s, start: 30s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 0}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "back",
        },
    }),
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for worker in context.setups() {
        let Some(setup) = worker.setup else { continue };
        if !setup.settings.delay.is_zero() || setup.settings.protocol == ConnectProtocol::Eager {
            continue;
        }
        let at = context.setting(worker, "scheduled.rebalance.max.delay.ms", "5 min");
        match worker.version {
            Some(version) if !version.rules().zero_delay_reassigns => {
                found.add(
                    at,
                    format!("a leader of version {version} with a delay of 0 hands lost tasks to nobody (KAFKA-15693)"),
                    "set it above the time a restart takes, or upgrade to 3.5.2, 3.6.1, 3.7.0 or later first",
                );
            }
            Some(_) => {
                let finding = found.add(
                    at,
                    "with a delay of 0 each worker that is away for a moment has all its tasks moved out and back",
                    "keep it if tasks start quickly; else set it just above the time a restart takes",
                );
                finding.severity = Severity::Note;
            }
            None => {
                let finding = found.add(
                    at,
                    "with a delay of 0 workers before 3.5.2, 3.6.1 and 3.7.0 hand lost tasks to nobody (KAFKA-15693)",
                    "make sure that the workers are newer, or set it above the time a restart takes",
                );
                (finding.severity, finding.confidence) = (Severity::Warning, Confidence::Low);
            }
        }
    }
}
