//! Numbers and events as people say them.

use super::width::fitted;
use crate::model::{Cluster, ConnectProtocol, WorkerId};
use crate::simulation::Cause;
use crate::units::{SimTime, told_apart};
pub(super) use crate::units::{count, part_of, seconds, task_seconds};

/// The name of a worker.
pub(super) fn worker(cluster: &Cluster, worker: WorkerId) -> &str {
    cluster.name_of(worker)
}

/// The workers' names for tables, long ones shortened so that they can still be told apart.
pub(super) fn labels(cluster: &Cluster) -> Vec<String> {
    let names: Vec<&str> = cluster.workers.iter().map(|worker| worker.name.as_str()).collect();
    told_apart(&names, |name| fitted(name, NAME))
}

/// A time since time 0.
pub(super) fn clock(at: SimTime) -> String {
    (at - SimTime::ZERO).to_string()
}

/// A sentence with its first letter as a sentence begins; a key or a name stays as it is.
pub(super) fn begun(sentence: &str) -> String {
    let first = sentence.split(' ').next().unwrap_or_default();
    let word = first.chars().all(|letter| letter.is_ascii_lowercase());
    match sentence.chars().next() {
        Some(letter) if word => format!("{}{}", letter.to_uppercase(), &sentence[letter.len_utf8()..]),
        _ => sentence.to_owned(),
    }
}

/// What brought a round about: `w2 left`, `w2 joined, the delay is over`.
pub(super) fn causes(cluster: &Cluster, causes: &[Cause]) -> String {
    let said: Vec<String> = causes
        .iter()
        .map(|cause| match cause {
            Cause::Left(left) => format!("{} left", worker(cluster, *left)),
            Cause::Expired(gone) => format!("the session of {} ran out", worker(cluster, *gone)),
            Cause::Joined(joined) => format!("{} joined", worker(cluster, *joined)),
            Cause::DelayOver => "the delay is over".to_owned(),
            Cause::Revoked => "revoked work is handed out".to_owned(),
            Cause::ConfigChanged => "configs changed".to_owned(),
            Cause::AssignmentLost => "an assignment was lost".to_owned(),
            Cause::CoordinatorBack => "the coordinator is back".to_owned(),
        })
        .collect();
    said.join(", ")
}

/// As `connect.protocol` is written.
pub(super) const fn protocol(protocol: ConnectProtocol) -> &'static str {
    match protocol {
        ConnectProtocol::Eager => "eager",
        ConnectProtocol::Compatible => "compatible",
        ConnectProtocol::Sessioned => "sessioned",
    }
}

/// Columns of a name in a table.
const NAME: usize = 14;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_begin_with_a_capital_but_keys_do_not() {
        assert_eq!(begun("a follower is back"), "A follower is back");
        assert_eq!(begun("policy.at_once is 2"), "policy.at_once is 2");
        assert_eq!(begun(""), "");
    }
}
