//! What a test wants of a cluster: options of `tests/lab/up`.

/// What kind of cluster a test wants. Without more: three workers of the newest Kafka, sources
/// `alpha` with eight tasks and `beta` with four.
#[derive(Clone, Debug, Default)]
pub struct LabOptions {
    pub(super) arguments: Vec<String>,
}

impl LabOptions {
    /// With so many workers.
    #[must_use]
    pub fn workers(self, count: usize) -> Self {
        self.with("--workers", count.to_string())
    }

    /// With workers of this version of Kafka.
    #[must_use]
    pub fn kafka(self, version: &str) -> Self {
        self.with("--kafka", version)
    }

    /// With a broker of this version.
    #[must_use]
    pub fn broker(self, version: &str) -> Self {
        self.with("--broker", version)
    }

    /// With this `scheduled.rebalance.max.delay.ms`, written as `30s`.
    #[must_use]
    pub fn delay(self, delay: &str) -> Self {
        self.with("--delay", delay)
    }

    /// With this `connect.protocol`.
    #[must_use]
    pub fn protocol(self, protocol: &str) -> Self {
        self.with("--protocol", protocol)
    }

    /// With this setting of every worker.
    #[must_use]
    pub fn setting(self, key: &str, value: &str) -> Self {
        self.with("--setting", format!("{key}={value}"))
    }

    /// With this source, and no others but those named so.
    #[must_use]
    pub fn connector(self, name: &str, tasks: u32) -> Self {
        self.with("--connector", format!("{name}={tasks}"))
    }

    /// With this sink on a topic of its own, filled by a source `NAME-feed` of one task.
    #[must_use]
    pub fn sink(self, name: &str, tasks: u32, partitions: u32) -> Self {
        self.with("--sink", format!("{name}={tasks}/{partitions}"))
    }

    /// With this worker started first, so that it leads.
    #[must_use]
    pub fn leader(self, worker: &str) -> Self {
        self.with("--leader", worker)
    }

    /// With Kafka also over SASL, TLS, both, and client certificates.
    #[must_use]
    pub fn secure(mut self) -> Self {
        self.arguments.push("--secure".to_owned());
        self
    }

    /// With REST over https.
    #[must_use]
    pub fn https(mut self) -> Self {
        self.arguments.push("--https".to_owned());
        self
    }

    fn with(mut self, option: &str, value: impl Into<String>) -> Self {
        self.arguments.extend([option.to_owned(), value.into()]);
        self
    }
}
