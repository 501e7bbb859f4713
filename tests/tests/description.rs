//! Descriptions as data: what each is read as, or the messages that a person gets.

use rollgate_core::model::{Assumption, Cluster, Policy, Replay, read, read_replay};
use rollgate_core::text::{DescriptionError, Files};
use rollgate_tests::{compare, files_of, scenarios};

#[test]
fn each_description_is_read_as_expected() {
    let mut wrong = Vec::new();
    for scenario in scenarios("description") {
        let files = files_of(&scenario);
        let found = if files.get("incident.yaml").is_some() {
            read_replay(&files, "incident.yaml").map(|replay| replayed(&replay))
        } else {
            read(&files, "cluster.yaml").map(|(cluster, policy)| summary(&cluster, &policy))
        };
        let found = found.unwrap_or_else(|errors| messages(&errors, &files));
        wrong.extend(compare(&scenario, &found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn messages(errors: &[DescriptionError], files: &Files) -> String {
    let shown: Vec<String> =
        errors.iter().map(|error| format!("{error}\n\n{}\n\n", error.render(files, false))).collect();
    shown.concat()
}

fn summary(cluster: &Cluster, policy: &Policy) -> String {
    format!("{policy:?}\n{}", summary_of(cluster))
}

fn summary_of(cluster: &Cluster) -> String {
    let mut lines = vec![format!("{:?}\n", cluster.broker)];
    lines.extend(cluster.workers.iter().map(|worker| format!("{worker:?}")));
    lines.extend(cluster.connectors.iter().map(|connector| format!("{connector:?}")));
    lines.extend(cluster.group_order.iter().map(|order| format!("\n{order:?}")));
    lines.extend(cluster.ownership.iter().map(|ownership| format!("\n{ownership:?}")));
    lines.push("\nassumed".to_owned());
    let assumed = |assumed: &Assumption| format!("  {} = {} ({})", assumed.key, assumed.value, assumed.reason);
    lines.extend(cluster.assumed.iter().map(assumed));
    lines.join("\n") + "\n"
}

fn replayed(replay: &Replay) -> String {
    let mut lines = vec![
        format!("generation {:?} at {:?}", replay.generation, replay.last_round),
        format!("{:?} buckets {:?}", replay.configured, replay.map_buckets),
        format!("{:?}", replay.memory),
    ];
    lines.extend(replay.members.iter().map(|member| format!("{member:?}")));
    lines.extend(replay.events.iter().map(|event| format!("{event:?}")));
    lines.extend(replay.observed.iter().map(|seen| format!("{seen:?}")));
    lines.push(summary_of(&replay.cluster));
    lines.join("\n")
}
