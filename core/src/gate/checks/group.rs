//! What the group says of its members, its rounds and its delay.

use super::Look;
use crate::gate::conditions::{RestOnly, Sight};
use crate::gate::reason::Reason;
use crate::gate::serial::{left, sum};
use crate::gate::view::address;
use crate::gate::work::Work;
use crate::units::Duration;

impl Look<'_> {
    /// Whether all workers but those given up are members, each once. After a stop the step's
    /// own are looked at elsewhere.
    pub(super) fn members(&self, reasons: &mut Vec<Reason>, with_own: bool) {
        let expected: Vec<&str> = self
            .baseline
            .workers
            .keys()
            .map(String::as_str)
            .filter(|at| !self.given_up(at) && (with_own || !self.in_step(at)))
            .collect();
        let Some(group) = &self.view.group else {
            // Without the group, a port that does not answer is all that can be said.
            let silent = expected.into_iter().filter(|at| self.view.answers(at) == Some(false));
            let silent: Vec<&str> = silent.collect();
            if matches!(self.conditions.sight, Sight::RestOnly(_)) && !silent.is_empty() {
                reasons.push(Reason::WorkerMissing { workers: self.names(silent), answering: Vec::new() });
            }
            return;
        };
        let missing: Vec<&str> = expected.into_iter().filter(|at| !group.at.contains_key(*at)).collect();
        if !missing.is_empty() {
            let answering = missing.iter().copied().filter(|at| self.view.answers(at) == Some(true));
            let answering = self.names(answering);
            reasons.push(Reason::WorkerMissing { workers: self.names(missing), answering });
        }
        let twice = group.at.iter().filter(|(_, members)| members.len() > 1).map(|(at, _)| at.as_str());
        let twice: Vec<&str> = twice.collect();
        if !twice.is_empty() {
            reasons.push(Reason::WorkerTwice { workers: self.names(twice) });
        }
        if !group.without_assignment.is_empty() {
            let workers = self.names(group.without_assignment.iter().map(|place| group.address(*place)));
            reasons.push(Reason::AssignmentFailed { workers });
        }
        if !group.revoked.is_empty() {
            reasons.push(Reason::BetweenRounds { work: group.revoked.clone() });
        }
        if !group.twice.0.is_empty() {
            let workers = self.names(group.twice.1.iter().map(|place| group.address(*place)));
            reasons.push(Reason::OwnedTwice { work: group.twice.0.clone(), workers });
        }
    }

    /// Whether a delay runs, where none may.
    pub(super) fn delay(&self, reasons: &mut Vec<Reason>, none_may: bool) {
        let Some(group) = self.view.group.as_ref().filter(|group| none_may && group.delay > Duration::ZERO) else {
            return;
        };
        let (left_at_most, exact) = match &self.memory.delay {
            Some(seen) => (left(group.delay, left(self.now, seen.at)), seen.exact),
            None => (group.delay, false),
        };
        let mut waiting = Work::default();
        for (name, connector) in &self.baseline.connectors {
            let items = std::iter::once(None).chain(connector.configured.iter().map(|task| Some(*task)));
            let nobodys =
                |task: &Option<u32>| group.owner(name, *task).is_none() && !connector.unowned.has(name, *task);
            items.filter(nobodys).for_each(|task| waiting.add(name, task));
        }
        let leader = group.leader_address().map(|at| self.baseline.name(at)).unwrap_or_default();
        reasons.push(Reason::DelayRunning { left_at_most, exact, value: group.delay, waiting, leader });
    }

    /// Whether those own something, and those lead, of whom the plan expects it.
    pub(super) fn plan_expects(&self, reasons: &mut Vec<Reason>) {
        let Some(group) = &self.view.group else { return };
        let before = &self.conditions.before;
        let idle = before.owning.iter().filter(|url| group.owned_by(&address(url)) == 0);
        let idle: Vec<&str> = idle.map(String::as_str).collect();
        if !idle.is_empty() {
            reasons.push(Reason::OwnsNothing { workers: self.names(idle) });
        }
        let leader = group.leader_address();
        let leads = leader.is_some_and(|at| self.in_step(at));
        if let (Some(expected), Some(leader)) = (before.leads, leader)
            && expected != leads
        {
            reasons.push(Reason::LeaderUnexpected {
                workers: self.workers.iter().map(|worker| worker.name.clone()).collect(),
                leader: self.baseline.name(leader),
                expected,
            });
        }
    }

    /// Without the group: whether so much time has passed that nothing can be waiting.
    pub(super) fn only_rest(&self, reasons: &mut Vec<Reason>) {
        let Sight::RestOnly(RestOnly { delay, since_stop }) = &self.conditions.sight else { return };
        if self.view.group.is_some() {
            return;
        }
        let Some(delay) = delay else {
            reasons.push(Reason::DelayUnknown {});
            return;
        };
        let needed = sum(*delay, self.conditions.known.start);
        let stopped = self.workers.iter().filter_map(|worker| worker.stopped_at).max();
        let passed = match stopped {
            Some(stopped) => left(self.now, stopped),
            None => sum(left(self.now, self.begun), since_stop.unwrap_or_default()),
        };
        if passed <= needed {
            reasons.push(Reason::TooSoon { passed, needed });
        }
        // While the port was never seen closed, this may be the process of before.
        let unseen = self.workers.iter().filter(|worker| worker.stopped_at.is_some() && !worker.seen_away);
        let unseen: Vec<&str> = unseen.map(|worker| worker.at.as_str()).collect();
        if !unseen.is_empty() {
            reasons.push(Reason::RestartUnseen { workers: self.names(unseen) });
        }
    }
}
