//! The policy, its defaults resolved.

use super::Build;
use crate::description::{MaxShareWritten, PolicyWritten};
use crate::model::{Cluster, Connector, ConnectorState, Policy, Wait};
use crate::units::{Records, Share};

impl Build {
    /// What a roll of so many workers and tasks must respect.
    pub(super) fn policy(&mut self, written: &PolicyWritten, cluster: &Cluster) -> Policy {
        let (workers, tasks) = (cluster.workers.len(), cluster.work.task_count());
        // Only what runs can be missed; one worker's share may be all of it.
        let runs = |connector: &&Connector| connector.state == ConnectorState::Running;
        let counted: usize = cluster.connectors.iter().filter(runs).map(|connector| connector.tasks as usize).sum();
        self.lag_is_known(written, cluster);
        if let Some(at_once) = written.at_once.as_ref().filter(|at_once| at_once.value as usize > workers) {
            let message = format!("`at_once` is {}, and there are {workers} workers", at_once.value);
            self.errors.add_with_help(at_once.span, message, format!("write at most {workers}"));
        }
        if let Some(window) = written.window.as_ref().filter(|window| window.value.is_zero()) {
            self.errors.add(window.span, "no roll fits into a window of 0 s");
        }
        let wait = written.wait.as_ref().map(|wait| match wait.value.as_str() {
            "back" => Wait::Back,
            "settled" => Wait::Settled,
            time => Wait::Fixed(crate::description::time(time).unwrap_or_default()),
        });
        let largest = Share::of(tasks.div_ceil(workers.max(1)).min(counted), counted);
        let part = match written.max_share {
            Some(MaxShareWritten::Part(part)) => Some(Share(part)),
            Some(MaxShareWritten::OneWorker) | None => None,
        };
        if written.max_share.is_none() {
            self.assume("policy.max_share", largest.to_string(), "the largest single worker's share");
        }
        let defaults = [
            ("policy.at_once", "1", written.at_once.is_none()),
            ("policy.during_delay", "true", written.during_delay.is_none()),
            ("policy.leader_again", "true", written.leader_again.is_none()),
        ];
        for (key, value, _) in defaults.into_iter().filter(|(_, _, missing)| *missing) {
            self.assume(key, value, "the policy's default");
        }
        Policy {
            max_share: part.unwrap_or(largest),
            max_share_given: part.is_some(),
            max_unassigned: written.max_unassigned,
            max_lag: written.max_lag.as_ref().map(|records| Records(f64::from(records.value))),
            window: written.window.as_ref().map(|window| window.value),
            at_once: written.at_once.as_ref().map_or(1, |at_once| at_once.value as usize),
            wait,
            during_delay: written.during_delay.unwrap_or(true),
            leader_again: written.leader_again.unwrap_or(true),
        }
    }

    /// A limit on what nobody knows cannot be respected.
    fn lag_is_known(&mut self, written: &PolicyWritten, cluster: &Cluster) {
        let Some(limit) = &written.max_lag else { return };
        let runs = |connector: &&Connector| connector.state == ConnectorState::Running && connector.tasks > 0;
        let unknown: Vec<&str> = cluster
            .connectors
            .iter()
            .filter(runs)
            .filter(|connector| connector.flow.is_none())
            .map(|connector| connector.name.as_str())
            .collect();
        let running = cluster.connectors.iter().filter(runs).count();
        if running > 0 && unknown.len() == running {
            let message = "`max_lag` is set, and no connector says its rate: its backlog cannot be known";
            self.errors.add_with_help(limit.span, message, "give the connectors a `rate`, such as `rate: 8000/s`");
        } else if !unknown.is_empty() {
            let reason = "these connectors say no rate: their backlog is unknown";
            self.assume("policy.max_lag", format!("not held against {}", unknown.join(", ")), reason);
        }
    }
}
