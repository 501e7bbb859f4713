//! Numbers as people say them.

use super::{Duration, Records, Share};

/// `1 task`, `4 tasks`, `1,200 tasks`.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn count(number: usize, one: &str) -> String {
    format!("{} {one}{}", Records(number as f64), if number == 1 { "" } else { "s" })
}

/// How many of a whole a share is.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn part_of(share: Share, whole: usize) -> String {
    Records(share.0 * whole as f64).to_string()
}

/// Seconds of tasks: `4.2`, `96`, `1,806`.
pub fn task_seconds(sum: f64) -> String {
    if sum.abs() < 9.95 { format!("{sum:.1}") } else { Records(sum).to_string() }
}

/// Seconds of a figure: `4.2 s`; `never` if they never end.
pub fn seconds(value: f64) -> String {
    if value.is_finite() { Duration::from_secs_f64(value).to_string() } else { "never".to_owned() }
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
    fn small_sums_keep_a_tenth() {
        assert_eq!(task_seconds(4.21), "4.2");
        assert_eq!(task_seconds(95.6), "96");
        assert_eq!(task_seconds(1_806.0), "1,806");
    }
}
