//! What a step asks before and after its restart, and when to give up.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::serial::{millis, millis_if_known};
use super::work::Work;
use crate::units::Duration;

/// What one step of a roll asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// What must hold before its workers may be stopped.
    pub before: Before,
    /// What must hold before the next step may begin.
    pub after: After,
    /// Whether the roll ends with it. Then work may wait in no case: what waits for a running
    /// delay stays nobody's for minutes after everyone has gone home.
    #[serde(default)]
    pub last: bool,
    /// Addresses of workers that are given up: they need not be there.
    #[serde(default)]
    pub without: BTreeSet<String>,
    /// How the cluster is looked at.
    pub sight: Sight,
    /// What the cluster does not say of itself.
    pub known: Known,
}

/// What must hold before the workers of a step may be stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Before {
    /// What may be without an owner, or not running yet.
    pub waiting: Waiting,
    /// Whether a delay may run.
    pub delay_may_run: bool,
    /// Addresses of workers that must own something by now.
    #[serde(default)]
    pub owning: BTreeSet<String>,
    /// Whether one of the step's workers leads, where the plan counts on it.
    #[serde(default)]
    pub leads: Option<bool>,
    /// How long all of it must hold without a break.
    #[serde(with = "millis", rename = "calm_ms")]
    pub calm: Duration,
}

/// What must hold before the next step may begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct After {
    /// How far the cluster must have come.
    pub until: Until,
    /// What may wait when being back is enough.
    #[serde(default)]
    pub waiting: Waiting,
    /// How long all of it must hold without a break.
    #[serde(with = "millis", rename = "calm_ms")]
    pub calm: Duration,
}

/// How far a cluster must have come before the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// The workers are members of a stable group again; a delay may run.
    Back,
    /// As [`Until::Back`], and this much later.
    #[serde(rename = "back-for-ms")]
    BackFor(#[serde(with = "millis")] Duration),
    /// Everything runs as before, and no delay runs.
    Settled,
}

/// What may wait: be without an owner, or handed out and not running yet.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiting {
    /// Which of the baseline's work.
    pub which: Which,
    /// How many tasks of it at most; any number if nothing is said.
    #[serde(default)]
    pub at_most: Option<usize>,
}

/// A part of the baseline's work.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    /// None of it: all must run.
    #[default]
    Nothing,
    /// These connectors and tasks.
    Only(Work),
    /// Any of it.
    Any,
}

/// How the cluster is looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sight {
    /// The group itself is asked.
    Group,
    /// There is no access to Kafka: statuses and REST ports are all there is. They say RUNNING
    /// for the whole delay, so only time tells.
    RestOnly(RestOnly),
}

/// What stands in for the group where it cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestOnly {
    /// The largest `scheduled.rebalance.max.delay.ms` of the workers, if known.
    #[serde(with = "millis_if_known", rename = "delay_ms")]
    pub delay: Option<Duration>,
    /// How long before this gate began the last worker of this cluster was stopped, if known.
    #[serde(with = "millis_if_known", rename = "since_stop_ms")]
    pub since_stop: Option<Duration>,
}

/// What the cluster does not say of itself: given, or assumed by the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// `heartbeat.interval.ms`: a member hears of a rebalance at its next heartbeat only, so
    /// nothing is calm that has not held for longer.
    #[serde(with = "millis", rename = "heartbeat_ms")]
    pub heartbeat: Duration,
    /// How long connectors and tasks take to run after they were handed out, at most. A worker
    /// that was restarted has the address it had before: until it has written a status of its
    /// own, the one of its last life stands there.
    #[serde(with = "millis", rename = "start_ms")]
    pub start: Duration,
    /// How long after the start of its instance a connector may still write other task
    /// configurations, upon which all its tasks stop once more. Measured: 0.4 to 2 s, and up
    /// to 10 s on a machine without a free core.
    #[serde(with = "millis", rename = "second_wave_ms")]
    pub second_wave: Duration,
    /// Whether `exactly.once.source.support` is `enabled`: a source task that starts while no
    /// leader answers fails and stays failed (KIP-618).
    #[serde(default)]
    pub exactly_once: bool,
    /// How old a snapshot may be, and how long the taking of one may last.
    #[serde(with = "millis", rename = "stale_after_ms")]
    pub stale_after: Duration,
    /// The longest time between two looks in which nothing can have gone unseen: some more
    /// than the interval of polling.
    #[serde(with = "millis", rename = "unwatched_ms")]
    pub unwatched: Duration,
}

/// When a step is given up, and what is too much. Nothing that is left out is limited.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// For the whole step, from its first look.
    #[serde(with = "millis_if_known", rename = "deadline_ms")]
    pub deadline: Option<Duration>,
    /// From the stop of a worker until it is a member again.
    #[serde(with = "millis_if_known", rename = "back_within_ms")]
    pub back_within: Option<Duration>,
    /// From then until the step is through.
    #[serde(with = "millis_if_known", rename = "settled_within_ms")]
    pub settled_within: Option<Duration>,
    /// Which share of the baseline's tasks may wait at once, by what is seen and by what the
    /// next stop would do; 0 to 1.
    pub share: Option<f64>,
    /// How long a task may be without an owner by the next stop.
    #[serde(with = "millis_if_known", rename = "longest_ms")]
    pub longest: Option<Duration>,
    /// Whether the next stop may take all tasks of a connector at once.
    pub whole_connectors: Option<bool>,
    /// How many records a sink may be behind before a worker is stopped.
    pub lag_records: Option<i64>,
    /// How many records more than in the baseline a sink may be behind to be back in its band.
    pub lag_band_records: Option<i64>,
}

/// What would happen if the step's workers were stopped now, as somebody computed it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Foreseen {
    /// How many tasks would be without an owner at once, those that wait already included.
    pub tasks: usize,
    /// Of how many.
    pub of: usize,
    /// The longest that one of them would be.
    #[serde(with = "millis", rename = "longest_ms")]
    pub longest: Duration,
    /// Connectors none of whose tasks would run for some time.
    #[serde(default)]
    pub whole_connectors: Vec<String>,
    /// Whether one of the workers leads the group.
    pub leads: bool,
    /// What it would cost in all.
    pub task_seconds: f64,
}

impl Waiting {
    /// Nothing may wait.
    pub const NOTHING: Self = Self { which: Which::Nothing, at_most: None };
    /// Anything may.
    pub const ANY: Self = Self { which: Which::Any, at_most: None };

    /// Whether a task, or with no number the connector's instance, may wait.
    pub fn allows(&self, connector: &str, task: Option<u32>) -> bool {
        match &self.which {
            Which::Nothing => false,
            Which::Only(work) => work.has(connector, task),
            Which::Any => true,
        }
    }
}

impl Conditions {
    /// Whether anything may wait before the stop.
    pub(super) fn waits_before(&self) -> bool {
        self.before.waiting.which != Which::Nothing
    }

    /// Whether everything must run after the restart.
    pub(super) fn settles(&self) -> bool {
        self.last || self.after.until == Until::Settled
    }

    /// How long all must hold before the stop. Where all must run that is never less than a
    /// heartbeat: only then has every member heard of a rebalance that has begun.
    pub(super) fn calm_before(&self) -> Duration {
        if self.waits_before() { self.before.calm } else { self.before.calm.max(self.known.heartbeat) }
    }

    /// How long all must hold after the restart.
    pub(super) fn calm_after(&self) -> Duration {
        if self.settles() { self.after.calm.max(self.known.heartbeat) } else { self.after.calm }
    }
}

/// Kafka's defaults for heartbeats, and times that hold for connectors which start quickly.
impl Default for Known {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(3),
            start: Duration::from_secs(5),
            second_wave: Duration::from_secs(5),
            exactly_once: false,
            stale_after: Duration::from_secs(10),
            unwatched: Duration::from_secs(10),
        }
    }
}

/// A step before and after which everything runs, for ten seconds.
impl Default for Conditions {
    fn default() -> Self {
        let calm = Duration::from_secs(10);
        Self {
            before: Before {
                waiting: Waiting::NOTHING,
                delay_may_run: false,
                owning: BTreeSet::new(),
                leads: None,
                calm,
            },
            after: After { until: Until::Settled, waiting: Waiting::NOTHING, calm },
            last: false,
            without: BTreeSet::new(),
            sight: Sight::Group,
            known: Known::default(),
        }
    }
}
