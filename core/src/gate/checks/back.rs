//! Whether the worker that was restarted is back.

use super::Look;
use crate::gate::conditions::{Sight, Until};
use crate::gate::machine::Worker;
use crate::gate::reason::Reason;
use crate::gate::view::address;
use crate::snapshot::NoAnswer;
use crate::units::Duration;

impl Look<'_> {
    /// Whether somebody else's process is gone or hangs while the group still names it: after a
    /// kill that lasts until its session ends, and its tasks run nowhere.
    pub(super) fn ports_of_others(&self, reasons: &mut Vec<Reason>) {
        let Some(group) = &self.view.group else { return };
        let others = self.baseline.workers.iter().filter(|(at, _)| self.workers.iter().all(|own| own.at != **at));
        for (at, worker) in others.filter(|(at, _)| group.ids_at(at).next().is_some()) {
            let endpoint = self.view.snapshot.endpoints.iter().find(|endpoint| address(&endpoint.url) == **at);
            let how = endpoint.and_then(|endpoint| endpoint.no_answer);
            if matches!(how, Some(NoAnswer::Refused | NoAnswer::TimedOut)) {
                reasons.push(Reason::NoRestPort { worker: worker.name.clone(), how });
            }
        }
    }

    /// The workers of the step that are not back, or only half.
    pub(super) fn away(&self, stopped_for: Duration, back_for: Option<Duration>, reasons: &mut Vec<Reason>) {
        let (mut away, mut still) = (Vec::new(), Vec::new());
        for worker in self.workers {
            if self.still_member(worker) {
                still.push(worker.at.as_str());
            } else if !self.is_back(worker) {
                away.push(worker.at.as_str());
            } else {
                self.rest_port(worker, reasons);
            }
        }
        let which = |of: &[&str], answers: bool| {
            self.names(of.iter().copied().filter(|at| self.view.answers(at) == Some(answers)))
        };
        if !still.is_empty() {
            let port_closed = which(&still, false);
            reasons.push(Reason::StillMember { workers: self.names(still), for_now: stopped_for, port_closed });
        }
        if !away.is_empty() {
            let answering = which(&away, true);
            reasons.push(Reason::WorkerAway { workers: self.names(away), for_now: stopped_for, answering });
        }
        if let (Until::BackFor(asked), Some(passed)) = (self.conditions.after.until, back_for)
            && passed < asked
        {
            reasons.push(Reason::BackFor { passed, asked });
        }
    }

    /// Whether a worker is a member under another id than before its stop.
    pub(in crate::gate) fn is_back(&self, worker: &Worker) -> bool {
        match (&self.view.group, &self.conditions.sight) {
            (Some(group), _) => {
                let mut ids = group.ids_at(&worker.at).peekable();
                ids.peek().is_some() && ids.all(|id| Some(id) != worker.member.as_deref())
            }
            (None, Sight::RestOnly(_)) => self.view.answers(&worker.at) == Some(true),
            (None, Sight::Group) => false,
        }
    }

    /// Whether the member of before the stop is there still. Its id tells that also while a
    /// rebalance is under way and addresses are not known.
    fn still_member(&self, worker: &Worker) -> bool {
        let members = self.view.snapshot.group.known().into_iter().flat_map(|group| &group.members);
        members.into_iter().any(|member| Some(member.id.as_str()) == worker.member.as_deref())
    }

    /// A worker whose REST part failed at its start stays in the group and owns work that
    /// nobody can look after.
    fn rest_port(&self, worker: &Worker, reasons: &mut Vec<Reason>) {
        let at = worker.at.as_str();
        let asked = self.view.snapshot.endpoints.iter().find(|endpoint| address(&endpoint.url) == at);
        if let Some(silent) = asked.filter(|endpoint| endpoint.version.known().is_none()) {
            reasons.push(Reason::NoRestPort { worker: worker.name.clone(), how: silent.no_answer });
        }
    }
}
