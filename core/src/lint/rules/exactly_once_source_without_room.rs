//! Exactly-once sources may be starting when the next worker stops.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Phase, Rule};
use crate::model::{ConnectorState, Wait};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "exactly-once-source-without-room",
    title: "an exactly-once source may be starting while the next worker stops",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "Sources that deliver exactly once, and a policy that may stop a worker before all tasks run again: \
            `wait` is not `settled`, or several workers go at once.",
    hurts: "Before it starts, each such task asks the leader for its fence. If the leader is on its way out, from \
            0.1 s after its SIGTERM until the group has another, the task ends FAILED, is not tried again, and stays \
            so until somebody restarts it. The leader itself stops later, too, because its own starts wait for it.",
    todo: "Write `wait: settled` and leave `at_once` at 1: every start is over before anybody stops. Afterwards, \
           when the group is quiet, restart what is FAILED: POST /connectors/<name>/restart with \
           includeTasks=true and onlyFailed=true.",
    wrong: "A restart of a follower alone hurts no start; whether the leader goes at the wrong moment is chance. \
            It happened in 8 of 19 tries, and in 4 of 4 when the leader stopped within a second of the starts.",
    sources: &[
        "KIP-618; ExactlyOnceWorkerSourceTask, DistributedHerder.fenceZombieSourceTasks of Kafka 4.3",
        "measured with Kafka 4.4.0 and 3.9.2: ConnectRestException, IO Error trying to forward REST request",
    ],
    settings: &["exactly.once.source.support"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    let (cluster, policy) = (&described.cluster, &described.policy);
    let running =
        |connector: &&crate::model::Connector| connector.exactly_once && connector.state == ConnectorState::Running;
    let tasks: u32 = cluster.connectors.iter().filter(running).map(|connector| connector.tasks).sum();
    if tasks == 0 || cluster.workers.len() < 2 {
        return;
    }
    if policy.at_once > 1 {
        found.add(
            context.key(&["policy", "at_once"]),
            format!(
                "{} workers may stop at once, and {tasks} exactly-once tasks ask the leader before they start",
                policy.at_once
            ),
            "leave `at_once` at 1 while sources deliver exactly once",
        );
    }
    let what = match policy.wait {
        Some(Wait::Settled) => return,
        Some(Wait::Back) => "the next worker may stop as soon as one is back",
        Some(Wait::Fixed(_)) => "the next worker stops after a fixed time",
        None => "no `wait` is given, so that the next worker may stop",
    };
    let at = match (policy.wait, context.roll(Phase::Before).first()) {
        (None, Some(worker)) => context.setting(worker, "exactly.once.source.support", "disabled"),
        _ => context.key(&["policy", "wait"]),
    };
    let finding = found.add(
        at,
        format!("{what} while some of {tasks} exactly-once tasks start: these end FAILED if it leads"),
        if policy.wait.is_none() {
            "by hand wait until all is settled; rollgate plan counts the tasks that end FAILED in each roll"
        } else {
            "write `wait: settled` under `policy`"
        },
    );
    // The search is free to wait, and takes no roll in which a task ends FAILED.
    if policy.wait.is_none() {
        finding.severity = Severity::Note;
    }
}
