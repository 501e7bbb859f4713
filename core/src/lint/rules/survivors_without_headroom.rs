//! The other workers cannot carry a connector while one is away.

use crate::finding::{Confidence, Severity};
use crate::lag::headroom;
use crate::lint::{Context, Found, Rule};
use crate::units::RecordsPerSec;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "survivors-without-headroom",
    title: "the other workers cannot carry a connector while one is away",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "A connector whose `rate` is more than the `capacity` of its tasks can work off while the worker with \
            most of them is away, or once its backlog has to be made good.",
    hurts: "What arrives meanwhile piles up. A connector that is at its limit with all tasks running never works \
            that off: each restart of the roll adds to the backlog of the one before, until records are deleted by \
            retention or an alarm goes off.",
    todo: "Give the connector more tasks or partitions, roll when less arrives, or leave time between restarts for \
           the backlog to go down: `rollgate simulate` shows when it is caught up.",
    wrong: "Capacity is taken per task; what a worker's processor and network allow is not known here and may be \
            less. And tasks are taken to be spread evenly.",
    sources: &["the room `lag` of rollgate: backlog is arrival less capacity, over the parts of a connector"],
    settings: &[],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    if described.cluster.workers.len() < 2 {
        return;
    }
    let rooms = headroom(&described.cluster);
    for listed in described.connectors() {
        // An assumed capacity says nothing.
        if listed.written.capacity.is_none() {
            continue;
        }
        let name = &listed.connector.name;
        let id_of = |room: &&crate::lag::Headroom| {
            described.cluster.connectors.get(room.connector.index()).is_some_and(|connector| connector.name == *name)
        };
        let Some(room) = rooms.iter().find(id_of) else { continue };
        let (evidence, severity) = if !room.catches_up {
            let all = rate(room.capacity_all);
            let what = "it never works off what a restart leaves";
            (
                format!("`{name}` gets {} and can take {all}, with all tasks running: {what}", rate(room.arrival)),
                Severity::Error,
            )
        } else if !room.carries {
            let left = rate(room.capacity_without_largest_worker);
            let what = "with one worker away it falls behind";
            (format!("`{name}` gets {} and can take {left} then: {what}", rate(room.arrival)), Severity::Warning)
        } else {
            continue;
        };
        let finding = found.add(
            context.connector(listed, "capacity"),
            evidence,
            "give it more tasks, or leave time between restarts to catch up",
        );
        finding.severity = severity;
    }
}

/// `8,000/s`.
fn rate(rate: RecordsPerSec) -> String {
    format!("{}/s", crate::units::Records(rate.0))
}
