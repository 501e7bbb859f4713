//! From what was written to what it means: every default is listed, every clash is named.

mod connectors;
mod items;
mod ownership;
mod policy;
mod replay;
mod settings;
mod unseen;
mod workers;

use std::collections::{BTreeMap, BTreeSet};

pub use self::replay::read_replay;
pub(crate) use self::settings::{Layers, default_client_id};
use super::{Assumption, Broker, Cluster, Coordinator, KafkaVersion, Policy, Work, WorkerId, WorkerSetup};
use crate::description::overrides::Override;
use crate::description::{BrokerWritten, Description, Setting};
use crate::text::{DescriptionError, Errors, Files, Span, Spanned};
use crate::units::Duration;

/// Reads the description `main` and what it names: the cluster and what its roll must respect.
///
/// # Errors
/// Everything that is wrong in any of the files, each with its place.
pub fn read(files: &Files, main: &str) -> Result<(Cluster, Policy), Vec<DescriptionError>> {
    read_with(files, main, &[], &mut Vec::new())
}

/// The same with overrides in the place of what the file says; `notes` are told where they
/// replace more than the key they name.
///
/// # Errors
/// Everything that is wrong in any of the files or in what is set, each with its place.
pub fn read_with(
    files: &Files,
    main: &str,
    sets: &[&Override],
    notes: &mut Vec<String>,
) -> Result<(Cluster, Policy), Vec<DescriptionError>> {
    let (description, errors) = Description::read_with(files, main, sets, notes);
    let Some(description) = description else { return errors.finish(None) };
    let mut build = Build::new(errors);
    let cluster = build.cluster(&description);
    let policy = build.policy(&description.policy, &cluster);
    build.finish(cluster, |cluster| (cluster, policy))
}

/// The same, with the description itself: what was written, and where.
///
/// # Errors
/// Everything that is wrong in any of the files, each with its place.
pub(crate) fn read_with_places(
    files: &Files,
    main: &str,
) -> Result<(Description, Cluster, Policy), Vec<DescriptionError>> {
    let (description, errors) = Description::read(files, main);
    let Some(description) = description else { return errors.finish(None) };
    let mut build = Build::new(errors);
    let cluster = build.cluster(&description);
    let policy = build.policy(&description.policy, &cluster);
    build.finish(cluster, |cluster| (description, cluster, policy))
}

/// What the settings of a worker file mean by themselves; `None` if a value is wrong, which is added.
///
/// Of the brokers nothing is known here, so that any session time-out is taken; a worker of
/// unknown version may do what the newest can.
pub(crate) fn read_worker(
    settings: &BTreeMap<String, Setting>,
    version: KafkaVersion,
    errors: &mut Errors,
) -> Option<WorkerSetup> {
    let before = errors.len();
    let mut build = Build::new(std::mem::take(errors));
    let limits = SessionLimits { least: (Duration::ZERO, None), most: (Duration::MAX, None) };
    let setup = build.setup(&Layers(vec![settings]), version, limits);
    *errors = build.errors;
    (errors.len() == before).then_some(setup)
}

/// The settings of a worker of a cluster, before its restart and, if the roll changes any, after it.
pub(crate) fn layers_of<'d>(description: &'d Description, cluster: &Cluster, worker: WorkerId) -> WorkerLayers<'d> {
    let name = cluster.workers.get(worker.index()).map_or("", |worker| &worker.name);
    let (before, after) = workers::layers_of(description, worker.index(), name);
    WorkerLayers { before, after }
}

/// What says how a worker runs.
pub(crate) struct WorkerLayers<'d> {
    /// Before its restart.
    pub(crate) before: Layers<'d>,
    /// After it, if the roll changes any settings.
    pub(crate) after: Option<Layers<'d>>,
}

impl Cluster {
    /// Decides what a description means.
    ///
    /// # Errors
    /// Everything that cannot be or contradicts itself, each with its place.
    pub fn build(description: &Description) -> Result<Self, Vec<DescriptionError>> {
        let mut build = Build::new(Errors::new(description.files.clone()));
        let cluster = build.cluster(description);
        build.finish(cluster, |cluster| cluster)
    }
}

impl Policy {
    /// Decides what a description demands of a roll of `cluster`.
    ///
    /// # Errors
    /// Everything that cannot be, each with its place.
    pub fn build(description: &Description, cluster: &Cluster) -> Result<Self, Vec<DescriptionError>> {
        let mut build = Build::new(Errors::new(description.files.clone()));
        let policy = build.policy(&description.policy, cluster);
        build.errors.finish(Some(policy))
    }
}

/// What a builder collects on its way.
pub(super) struct Build {
    pub(super) errors: Errors,
    pub(super) assumed: Vec<Assumption>,
    /// The keys in `assumed`: what is assumed for all workers is said once.
    said: BTreeSet<String>,
    /// Whose settings are read: the key under which defaults are listed.
    scope: &'static str,
}

/// The limits that brokers set to session time-outs, each with its place if it is given.
#[derive(Clone, Copy)]
struct SessionLimits {
    least: (Duration, Option<Span>),
    most: (Duration, Option<Span>),
}

impl Build {
    /// A builder that adds to what was found before.
    pub(super) fn new(errors: Errors) -> Self {
        Self { errors, assumed: Vec::new(), said: BTreeSet::new(), scope: "settings" }
    }

    /// The value, with all assumptions, or all errors.
    fn finish<T>(self, mut cluster: Cluster, give: impl FnOnce(Cluster) -> T) -> Result<T, Vec<DescriptionError>> {
        cluster.assumed = self.assumed;
        self.errors.finish(Some(give(cluster)))
    }

    /// Lists a value that nobody gave.
    pub(super) fn assume(&mut self, key: impl Into<String>, value: impl Into<String>, reason: impl Into<String>) {
        let key = key.into();
        if self.said.insert(key.clone()) {
            self.assumed.push(Assumption { key, value: value.into(), reason: reason.into() });
        }
    }

    /// A version, or the newest after an error.
    pub(super) fn version(&mut self, key: &str, text: &Spanned<String>) -> KafkaVersion {
        match KafkaVersion::parse(&text.value) {
            Ok(parsed) => {
                if let Some(reason) = parsed.assumed {
                    self.assume(key, parsed.version.to_string(), reason);
                }
                parsed.version
            }
            Err(wrong) => {
                self.errors.add(text.span, wrong.to_string());
                KafkaVersion::new(4, 0, 0)
            }
        }
    }

    fn cluster(&mut self, description: &Description) -> Cluster {
        let kafka = self.version("kafka", &description.kafka);
        let (broker, limits) = self.broker(&description.broker, kafka);
        let workers = self.workers(description, kafka, limits);
        let connectors = self.connectors(description, &workers, limits);
        let work = Work::new(connectors.iter().map(|connector| (connector.name.as_str(), connector.tasks)));
        let ownership = self.ownership(description, &workers, &work);
        let group_order = self.group_order(description, &workers);
        Cluster {
            broker,
            workers,
            connectors,
            work,
            group_order,
            ownership,
            heartbeat_drift: HEARTBEAT_DRIFT,
            unseen: self.unseen(description),
            assumed: Vec::new(),
        }
    }

    fn broker(&mut self, written: &BrokerWritten, kafka: KafkaVersion) -> (Broker, SessionLimits) {
        let version = written.kafka.as_ref().map(|version| self.version("broker", version));
        if version.is_none() {
            self.assume("broker", kafka.to_string(), "the workers' version");
        }
        let version = version.unwrap_or(kafka);
        let layers = Layers(vec![&written.settings]);
        let mut millis = |key: &str, default: i64| {
            let given = self.millis(&layers, key, (0, i64::from(i32::MAX)));
            given.map_or((Duration::from_millis(default), None), |given| (given.value, Some(given.span)))
        };
        let (initial_rebalance_delay, _) = millis("group.initial.rebalance.delay.ms", 3_000);
        let limits = SessionLimits {
            least: millis("group.min.session.timeout.ms", 6_000),
            most: millis("group.max.session.timeout.ms", 1_800_000),
        };
        if !written.settings.contains_key("group.initial.rebalance.delay.ms") {
            let reason = "Kafka's default; the server.properties it ships says 0";
            self.assume(
                "broker.settings.group.initial.rebalance.delay.ms",
                initial_rebalance_delay.to_string(),
                reason,
            );
        }
        let protocols = layers.text("group.coordinator.rebalance.protocols").unwrap_or_default();
        let coordinator = Coordinator::with_protocols(version, protocols);
        let broker = Broker {
            version,
            coordinator,
            initial_rebalance_delay,
            min_session_timeout: limits.least.0,
            max_session_timeout: limits.most.0,
        };
        (broker, limits)
    }
}

/// A worker's real heartbeat interval is 2 to 3 ms longer than configured, as measured on 3.9.1.
pub(super) const HEARTBEAT_DRIFT: Duration = Duration::from_millis(2);
