//! A connector has fewer tasks than there are workers.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};
use crate::model::ConnectorState;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "tasks-max-below-workers",
    title: "tasks.max keeps a connector on fewer workers than there are",
    severity: Severity::Note,
    confidence: Confidence::Medium,
    finds: "A running connector of two tasks or more that has as many as its `tasks_max` allows, and fewer than \
            there are workers.",
    hurts: "Each restart of a worker that has one of them stops a larger part of the connector than of the cluster: \
            of two tasks, half. And if all connectors together have fewer tasks than there are workers, some worker \
            is idle, which Kafka takes for one that came back: lost tasks may go to it.",
    todo: "Raise tasks.max to the number of workers or a multiple of it, if the source or the partitions can be \
           shared by so many.",
    wrong: "If the connector cannot be split further, or one of its tasks does with ease what arrives.",
    sources: &["IncrementalCooperativeAssignor.pickCandidateWorkerForReassignment of Kafka 4.3: a worker without work"],
    settings: &[],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    let workers = described.cluster.workers.len();
    for listed in described.connectors() {
        let connector = listed.connector;
        let Some(most) = connector.tasks_max else { continue };
        let binds = connector.tasks == most && most >= 2 && (most as usize) < workers;
        if !binds || connector.state != ConnectorState::Running {
            continue;
        }
        let part = 100 / most;
        found.add(
            context.connector(listed, "tasks_max"),
            format!(
                "`{}` has {most} tasks, its tasks_max, on {workers} workers: one restart stops {part} % of it",
                connector.name
            ),
            format!("raise tasks.max to {workers}, if its work can be shared by so many"),
        );
    }
}
