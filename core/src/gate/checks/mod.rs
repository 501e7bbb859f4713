//! What is looked at, each aspect in its file. A check adds reasons; it decides nothing.

mod back;
mod drift;
mod foreseen;
mod group;
mod items;
mod seen;
mod sinks;

use super::baseline::Baseline;
use super::conditions::{Conditions, Foreseen, Limits, Waiting};
use super::machine::Worker;
use super::memory::Memory;
use super::reason::Reason;
use super::view::{View, address};
use crate::units::Duration;

pub(super) use items::incomplete;
pub(super) use seen::{fresh, seen};
pub(super) use sinks::{lag, sink_unknown};

/// One look, with all that it is held against.
pub(super) struct Look<'a> {
    /// What was seen.
    pub(super) view: &'a View<'a>,
    /// How it was before the roll.
    pub(super) baseline: &'a Baseline,
    /// What the step asks.
    pub(super) conditions: &'a Conditions,
    /// What is too much.
    pub(super) limits: &'a Limits,
    /// What was seen before.
    pub(super) memory: &'a Memory,
    /// The workers of the step.
    pub(super) workers: &'a [Worker],
    /// What stopping them now would do.
    pub(super) foreseen: Option<&'a Foreseen>,
    /// The gate's time.
    pub(super) now: Duration,
    /// When, by that, the step began.
    pub(super) begun: Duration,
}

impl Look<'_> {
    /// Everything the step asks before its workers are stopped.
    pub(super) fn before(&self, reasons: &mut Vec<Reason>) {
        seen(self.view, &self.conditions.sight, reasons);
        self.identity(reasons);
        self.members(reasons, true);
        self.ports_of_others(reasons);
        self.delay(reasons, !self.conditions.before.delay_may_run);
        self.plan_expects(reasons);
        let strict = !self.conditions.waits_before();
        let found = self.items(&self.conditions.before.waiting, strict, reasons);
        self.exactly_once(&found, reasons);
        self.foreseen(reasons);
        if strict {
            self.sinks_read(reasons);
        }
        self.lag_within(reasons);
        self.drift(reasons);
        self.only_rest(reasons);
    }

    /// Everything the step asks before the next one.
    pub(super) fn after(&self, stopped_for: Duration, back_for: Option<Duration>, reasons: &mut Vec<Reason>) {
        seen(self.view, &self.conditions.sight, reasons);
        self.identity(reasons);
        self.statuses_of_another(reasons);
        self.members(reasons, false);
        self.away(stopped_for, back_for, reasons);
        let settles = self.conditions.settles();
        self.delay(reasons, settles);
        let waiting = if settles { &Waiting::NOTHING } else { &self.conditions.after.waiting };
        self.items(waiting, settles, reasons);
        if settles {
            self.sinks_read(reasons);
            self.lag_back(reasons);
        }
        self.drift(reasons);
        self.only_rest(reasons);
    }

    /// Whether a worker belongs to the step.
    fn in_step(&self, at: &str) -> bool {
        self.workers.iter().any(|worker| worker.at == at)
    }

    /// Whether a worker was given up.
    fn given_up(&self, at: &str) -> bool {
        self.conditions.without.iter().any(|url| address(url) == at)
    }

    fn names<'b>(&self, addresses: impl IntoIterator<Item = &'b str>) -> Vec<String> {
        addresses.into_iter().map(|at| self.baseline.name(at)).collect()
    }
}
