//! Times that several rules compare with settings.

use crate::model::{Restart, Start};
use crate::units::Duration;

/// From `LeaveGroup` to the `JoinGroup` of the new process, not exceeded by about 95 of 100
/// restarts: the sum of the phases' p95, which is no less than the p95 of the sum.
pub(super) fn away(restart: &Restart) -> Duration {
    let start = match &restart.start {
        Start::Whole(whole) => whole.p95(),
        Start::Parts { jvm, plugin_scan, topics } => jvm.p95() + plugin_scan.p95() + topics.p95(),
    };
    restart.down.p95() + start
}

/// A setting in milliseconds that leaves half as much to spare, in whole tens of seconds.
pub(super) fn with_room(time: Duration) -> i64 {
    (time.as_millis() * 3 / 2).div_euclid(10_000) * 10_000 + 10_000
}

/// `w1`, `w1 and w2`, `w1, w2 and 3 more`.
pub(super) fn names(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, other] => format!("{one} and {other}"),
        [one, other, third] => format!("{one}, {other} and {third}"),
        [one, other, rest @ ..] => format!("{one}, {other} and {} more", rest.len()),
    }
}

/// `1 task`, `12 tasks`.
pub(super) fn counted(number: u32, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}
