//! A worker is to be a static member, which workers cannot be.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "static-membership-of-a-worker",
    title: "a worker is given a group.instance.id, which workers do not use",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A group.instance.id in a worker's file, for the worker itself or for all consumers of its tasks.",
    hurts: "Workers are always dynamic members: each restart brings a new member id, a rebalance as it leaves and one \
            as it comes back, and the delay. With the prefix consumer. all sink tasks of the worker have one instance \
            id: of several in a group all but the last are fenced and fail.",
    todo: "Take it out; what spares tasks a short restart is scheduled.rebalance.max.delay.ms.",
    wrong: "With `consumer.` and a single sink task on the worker nothing is fenced.",
    sources: &[
        "GroupRebalanceConfig of Kafka 2.8 to 4.3: no instance id for the protocol type connect",
        "KIP-345; consumers with one instance id fence each other",
    ],
    settings: &["scheduled.rebalance.max.delay.ms"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        if let Some(setting) = file.get("group.instance.id") {
            found.add(
                context.at(setting.key),
                "group.instance.id does nothing here: workers are dynamic members, each restart makes them leave",
                "take it out; scheduled.rebalance.max.delay.ms is what waits for a worker",
            );
        }
        if let Some(setting) = file.get("consumer.group.instance.id") {
            found.add(
                context.at(setting.key),
                "all sink tasks of this worker get one instance id and fence each other",
                "take it out",
            );
        }
    }
}
