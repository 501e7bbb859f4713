//! What the core must not ask for itself: the time, sleep, and who is asking.

use std::time::{SystemTime, UNIX_EPOCH};

use rollgate_core::units::{Duration, Timestamp};

/// The wall clock.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Waits that long.
pub(crate) fn sleep(time: Duration) {
    std::thread::sleep(std::time::Duration::from_micros(u64::try_from(time.as_micros()).unwrap_or_default()));
}

/// Who is asking, as `user@host`.
pub(crate) fn owner() -> String {
    let user = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let host = std::env::var("HOSTNAME").ok().or_else(|| std::fs::read_to_string("/etc/hostname").ok());
    let host = host.map(|host| host.trim().to_owned()).filter(|host| !host.is_empty());
    format!("{}@{}", user.as_deref().unwrap_or("somebody"), host.as_deref().unwrap_or("this machine"))
}
