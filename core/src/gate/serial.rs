//! How times stand in JSON: whole milliseconds, and the unit in the key.

/// A time as milliseconds.
pub(super) mod millis {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::units::Duration;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over by reference")]
    pub(in super::super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(time.as_millis())
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        i64::deserialize(deserializer).map(super::bounded)
    }
}

/// A time that may be missing, as milliseconds or `null`.
pub(super) mod millis_if_known {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::units::Duration;

    #[expect(clippy::ref_option, reason = "serde hands fields over by reference")]
    pub(in super::super) fn serialize<S: Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        time.map(Duration::as_millis).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<i64>::deserialize(from)?.map(super::bounded))
    }
}

use crate::units::Duration;

/// Milliseconds from outside as a time that can be added to others without running over.
pub(super) fn bounded(millis: i64) -> Duration {
    Duration::from_millis(millis).clamp(Duration::MAX * -1, Duration::MAX)
}

/// The sum of two times, at most [`Duration::MAX`].
pub(super) fn sum(one: Duration, other: Duration) -> Duration {
    Duration::from_micros(one.as_micros().saturating_add(other.as_micros())).min(Duration::MAX)
}

/// What is left of a time after another; never below nothing.
pub(super) fn left(of: Duration, after: Duration) -> Duration {
    Duration::from_micros(of.as_micros().saturating_sub(after.as_micros())).clamp(Duration::ZERO, Duration::MAX)
}
