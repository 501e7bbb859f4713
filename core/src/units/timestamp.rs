//! A moment by the wall clock.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

use super::Duration;

/// A moment by the wall clock, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Written and read as `2026-12-01T03:17:18.123Z` (RFC 3339, UTC). Wall clocks jump: what
/// must not go backwards takes a reading of a steady clock beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// A moment from milliseconds since 1970.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// From `earlier` to this; negative if the clock went back.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }

    /// That much later.
    #[must_use]
    pub const fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time.as_millis()))
    }

    /// Reads `2026-12-01T03:17:18.123Z`, with any offset.
    ///
    /// # Errors
    /// Says what is wrong if `text` is no RFC 3339 time.
    pub fn parse(text: &str) -> Result<Self, String> {
        let moment = OffsetDateTime::parse(text, &Rfc3339)
            .map_err(|error| format!("`{text}` is no time such as 2026-12-01T03:17:18Z: {error}"))?;
        Ok(Self(i64::try_from(moment.unix_timestamp_nanos().div_euclid(1_000_000)).unwrap_or(i64::MAX)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
        let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000);
        match moment.ok().and_then(|moment| moment.format(&format).ok()) {
            Some(text) => f.write_str(&text),
            None => write!(f, "{} ms since 1970", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_reads_as_it_was_written() {
        let moment = Timestamp::from_millis(1_796_095_038_123);
        assert_eq!(moment.to_string(), "2026-12-01T03:17:18.123Z");
        assert_eq!(Timestamp::parse("2026-12-01T03:17:18.123Z"), Ok(moment));
        assert_eq!(Timestamp::parse("2026-12-01T05:17:18.123+02:00"), Ok(moment));
        assert_eq!(Timestamp::parse("1969-12-31T23:59:59.999Z"), Ok(Timestamp::from_millis(-1)));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", "yesterday", "2026-12-01", "2026-13-01T00:00:00Z"] {
            assert!(Timestamp::parse(text).is_err(), "{text}");
        }
    }
}
