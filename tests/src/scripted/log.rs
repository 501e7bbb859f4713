//! What the scripted servers were asked.

use std::sync::{Arc, Mutex, PoisonError};

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The worker's name, or `b1` for the first broker.
    pub of: String,
    /// `GET /` or `DescribeGroups`.
    pub what: String,
}

/// All requests, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Log {
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Log {
    pub(super) fn write(&self, of: &str, what: &str) {
        self.lock().push(Asked { of: of.to_owned(), what: what.to_owned() });
    }

    /// All of them so far.
    pub fn all(&self) -> Vec<Asked> {
        self.lock().clone()
    }

    /// How many said this.
    pub fn count(&self, what: &str) -> usize {
        self.lock().iter().filter(|asked| asked.what == what).count()
    }

    /// Which workers or brokers were asked this, in order.
    pub fn asked(&self, what: &str) -> Vec<String> {
        self.lock().iter().filter(|asked| asked.what == what).map(|asked| asked.of.clone()).collect()
    }

    /// Those that do more than read.
    pub fn more_than_questions(&self) -> Vec<Asked> {
        let reads = |what: &str| what.starts_with("GET ") || READS.contains(&what);
        self.lock().iter().filter(|asked| !reads(&asked.what)).cloned().collect()
    }

    /// Forgets them.
    pub fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Kafka's requests that change nothing.
const READS: [&str; 8] = [
    "ApiVersions",
    "Metadata",
    "FindCoordinator",
    "ListGroups",
    "DescribeGroups",
    "ConsumerGroupDescribe",
    "OffsetFetch",
    "ListOffsets",
];
