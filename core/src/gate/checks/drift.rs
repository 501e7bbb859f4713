//! What differs from the baseline, and what that means for the roll.

use super::Look;
use crate::gate::reason::{Rated, Reason};
use crate::gate::view::GroupView;

impl Look<'_> {
    /// Names every difference, rated.
    pub(super) fn drift(&self, reasons: &mut Vec<Reason>) {
        self.drift_of_the_group(reasons);
        self.drift_of_connectors(reasons);
    }

    fn drift_of_the_group(&self, reasons: &mut Vec<Reason>) {
        let (Some(group), Some(before)) = (&self.view.group, &self.baseline.group) else { return };
        if let (Some(from), Some(to)) = (&before.leader, group.leader_address())
            && from != to
        {
            let (from, to) = (self.baseline.name(from), self.baseline.name(to));
            reasons.push(Reason::LeaderMoved { from, to, rated: Rated::Harmless });
        }
        let added = group.at.keys().map(String::as_str).filter(|at| !self.baseline.workers.contains_key(*at));
        let added: Vec<&str> = added.collect();
        if !added.is_empty() {
            reasons.push(Reason::WorkerAdded { workers: self.names(added), rated: Rated::PlanAgain });
        }
        if let (Some(from), Some(to)) = (&before.protocol, &group.group.protocol)
            && from != to
        {
            // One member that knows only `eager` takes the whole group there, while the others
            // do not stop what they have: tasks run twice, and no status shows it.
            let rated = if to == "eager" || to == "default" { Rated::Stop } else { Rated::PlanAgain };
            reasons.push(Reason::ProtocolChanged { from: from.clone(), to: to.clone(), rated });
        }
    }

    fn drift_of_connectors(&self, reasons: &mut Vec<Reason>) {
        let Some(statuses) = self.view.snapshot.statuses.known() else { return };
        let mut edited = Vec::new();
        for (name, before) in &self.baseline.connectors {
            let Some(status) = statuses.connectors.get(name) else { continue };
            if let (Some(from), Some(to)) = (&before.config_hash, status.config_hash.known())
                && from != to
            {
                edited.push(name.clone());
            }
            let Some(configured) = status.configured_tasks.known() else { continue };
            let same = configured.len() == before.configured.len()
                && configured.iter().all(|task| before.configured.contains(task));
            if !same {
                let (from, to) = (before.configured.len(), configured.len());
                let rated = if to == 0 { Rated::Stop } else { Rated::PlanAgain };
                reasons.push(Reason::TasksChanged { connector: name.clone(), from, to, rated });
            }
        }
        let added = statuses.connectors.keys().filter(|name| !self.baseline.connectors.contains_key(*name));
        let added: Vec<String> = added.cloned().collect();
        if !added.is_empty() {
            reasons.push(Reason::ConnectorAdded { connectors: added, rated: Rated::PlanAgain });
        }
        let from = self.baseline.group.as_ref().and_then(|group| group.config_offset);
        let to = self.view.group.as_ref().and_then(GroupView::config_offset);
        if let (Some(from), Some(to), true) = (from, to, edited.is_empty())
            && from != to
        {
            // Session keys, restart calls and pauses are written there, too.
            reasons.push(Reason::ConfigTopicMoved { from, to, rated: Rated::Harmless });
        }
        if !edited.is_empty() {
            reasons.push(Reason::ConfigEdited { connectors: edited, rated: Rated::PlanAgain });
        }
    }
}
