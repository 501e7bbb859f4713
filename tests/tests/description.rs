//! Descriptions as data: what each is read as, or the messages that a person gets.

use rollgate_core::model::{Assumption, Cluster, Policy, read};
use rollgate_core::text::{DescriptionError, Files};
use rollgate_tests::{compare, files_of, scenarios};

#[test]
fn each_description_is_read_as_expected() {
    let mut wrong = Vec::new();
    for scenario in scenarios("description") {
        let files = files_of(&scenario);
        let found = match read(&files, "cluster.yaml") {
            Ok((cluster, policy)) => summary(&cluster, &policy),
            Err(errors) => messages(&errors, &files),
        };
        wrong.extend(compare(&scenario, &found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn messages(errors: &[DescriptionError], files: &Files) -> String {
    errors.iter().map(|error| format!("{error}\n\n{}\n\n", error.render(files, false))).collect()
}

fn summary(cluster: &Cluster, policy: &Policy) -> String {
    let mut lines = vec![format!("{:?}\n{policy:?}\n", cluster.broker)];
    lines.extend(cluster.workers.iter().map(|worker| format!("{worker:?}")));
    lines.extend(cluster.connectors.iter().map(|connector| format!("{connector:?}")));
    lines.push("\nassumed".to_owned());
    let assumed = |assumed: &Assumption| format!("  {} = {} ({})", assumed.key, assumed.value, assumed.reason);
    lines.extend(cluster.assumed.iter().map(assumed));
    lines.join("\n") + "\n"
}
