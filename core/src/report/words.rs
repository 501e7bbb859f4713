//! Numbers and events as people say them.

use crate::model::{Cluster, ConnectProtocol, WorkerId};
use crate::simulation::Cause;
use crate::units::{Duration, Records, Share, SimTime};

/// `1 task`, `4 tasks`, `1,200 tasks`.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn count(number: usize, one: &str) -> String {
    format!("{} {one}{}", Records(number as f64), if number == 1 { "" } else { "s" })
}

/// How many of a whole a share is.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(super) fn part_of(share: Share, whole: usize) -> String {
    Records(share.0 * whole as f64).to_string()
}

/// Seconds of tasks: `4.2`, `96`, `1,806`.
pub(super) fn task_seconds(sum: f64) -> String {
    if sum.abs() < 9.95 { format!("{sum:.1}") } else { Records(sum).to_string() }
}

/// Seconds of a figure: `4.2 s`; `never` if they never end.
pub(super) fn seconds(value: f64) -> String {
    if value.is_finite() { Duration::from_secs_f64(value).to_string() } else { "never".to_owned() }
}

/// A time since time 0.
pub(super) fn clock(at: SimTime) -> String {
    (at - SimTime::ZERO).to_string()
}

/// The name of a worker.
pub(super) fn worker(cluster: &Cluster, worker: WorkerId) -> &str {
    cluster.workers.get(worker.index()).map_or("?", |worker| &worker.name)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_noun() {
        assert_eq!(count(1, "task"), "1 task");
        assert_eq!(count(1_200, "task"), "1,200 tasks");
        assert_eq!(count(0, "task"), "0 tasks");
    }

    #[test]
    fn sentences_begin_with_a_capital_but_keys_do_not() {
        assert_eq!(begun("a follower is back"), "A follower is back");
        assert_eq!(begun("policy.at_once is 2"), "policy.at_once is 2");
        assert_eq!(begun(""), "");
    }

    #[test]
    fn small_sums_keep_a_tenth() {
        assert_eq!(task_seconds(4.21), "4.2");
        assert_eq!(task_seconds(95.6), "96");
        assert_eq!(task_seconds(1_806.0), "1,806");
    }
}
