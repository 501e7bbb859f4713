//! Whether each connector and task of the baseline is where the group says, running or as it
//! was before.

use std::collections::BTreeSet;

use super::Look;
use super::foreseen::exceeds;
use crate::gate::baseline::ConnectorBefore;
use crate::gate::conditions::Waiting;
use crate::gate::memory::{Held, state_name};
use crate::gate::reason::{Rated, Reason};
use crate::gate::serial::{left, sum};
use crate::gate::view::{Owners, is_at};
use crate::gate::work::Work;
use crate::snapshot::{Claimed, ConnectorState, ConnectorStatus, ConnectorType};
use crate::units::Duration;

/// What does not run, sorted by what is the matter.
#[derive(Default)]
pub(super) struct Found {
    /// What may wait, and waits.
    waits: Work,
    /// What is with an owner and not running yet.
    pub(super) starting: Work,
    no_owner: Work,
    no_status: Work,
    not_running: (Work, BTreeSet<String>),
    elsewhere: (Work, BTreeSet<String>, BTreeSet<String>),
    stale: (Work, Duration),
    failed: (Work, bool),
    asked: (Work, BTreeSet<String>),
    strange: (Work, BTreeSet<String>),
    left_over: Work,
    gone: Vec<String>,
    second_wave: (Vec<String>, Duration),
}

/// One connector, with what is looked up for it once.
#[derive(Clone, Copy)]
struct Of<'a> {
    name: &'a str,
    before: &'a ConnectorBefore,
    /// Who has it; nothing if nobody has any of it, or the group cannot tell.
    owners: Option<&'a Owners>,
    /// What was seen of it before.
    held: Option<&'a Held>,
}

/// How a state compares with that of the baseline.
enum Fit {
    /// As it was, or better, or nothing that was to be expected.
    Good,
    /// It will run, or an owner is awaited.
    NotYet,
    /// It failed since.
    Failed,
    /// A person stopped or paused it.
    Asked,
    /// Nobody knows this state.
    Strange,
}

/// Names what an answer lacks of a connector.
pub(in crate::gate) fn incomplete(name: &str, status: &ConnectorStatus, reasons: &mut Vec<Reason>) {
    let lacks = [
        ("the state", status.instance.known().is_none()),
        ("the list of tasks", status.configured_tasks.known().is_none()),
        ("the configuration", status.config_hash.known().is_none()),
    ];
    for (what, _) in lacks.into_iter().filter(|(_, lacks)| *lacks) {
        let same = reasons.iter_mut().find_map(|reason| match reason {
            Reason::AnswerIncomplete { connectors, lacks } if lacks == what => Some(connectors),
            _ => None,
        });
        match same {
            Some(connectors) => connectors.push(name.to_owned()),
            None => {
                reasons.push(Reason::AnswerIncomplete { connectors: vec![name.to_owned()], lacks: what.to_owned() });
            }
        }
    }
}

impl Look<'_> {
    /// Looks at each connector and task. `strict` asks besides that no second wave can come.
    pub(super) fn items(&self, waiting: &Waiting, strict: bool, reasons: &mut Vec<Reason>) -> Found {
        let mut found = Found::default();
        let Some(statuses) = self.view.snapshot.statuses.known() else { return found };
        for (name, before) in &self.baseline.connectors {
            let Some(status) = statuses.connectors.get(name) else {
                self.without_status(name, before, &mut found);
                continue;
            };
            incomplete(name, status, reasons);
            let Some(instance) = status.instance.known() else { continue };
            let of = Of {
                name,
                before,
                owners: self.view.group.as_ref().and_then(|group| group.owners.get(name.as_str())),
                held: self.memory.of(name),
            };
            self.item(&of, None, Some(instance), waiting, &mut found);
            let configured = status.configured_tasks.known();
            // Tasks that are new since are a matter of drift.
            for task in configured.into_iter().flatten().filter(|task| before.configured.contains(task)) {
                self.item(&of, Some(*task), status.tasks.get(task), waiting, &mut found);
            }
            let left_over = |task: &&u32| configured.is_some_and(|all| !all.contains(task));
            status.tasks.keys().filter(left_over).for_each(|task| found.left_over.add(name, Some(*task)));
            if strict {
                self.second_wave(&of, &mut found);
            }
        }
        self.report(&mut found, waiting, reasons);
        found
    }

    fn without_status(&self, name: &str, before: &ConnectorBefore, found: &mut Found) {
        let known = match &self.view.group {
            Some(group) => group.owners.contains_key(name) || group.delay > Duration::ZERO || !group.revoked.is_empty(),
            None => true,
        };
        if known {
            let items = std::iter::once(None).chain(before.configured.iter().map(|task| Some(*task)));
            items.for_each(|task| found.no_status.add(name, task));
        } else {
            found.gone.push(name.to_owned());
        }
    }

    fn item(&self, of: &Of<'_>, task: Option<u32>, claimed: Option<&Claimed>, waiting: &Waiting, found: &mut Found) {
        let Of { name, before, owners, held } = *of;
        let broken = !matches!(
            before.state(task),
            Some(ConnectorState::Running | ConnectorState::Paused | ConnectorState::Stopped)
        );
        let owner = owners.and_then(|owners| owners.of(task));
        let home = self.view.group.as_ref().zip(owner).map(|(group, owner)| group.address(owner.member));
        let nobodys = self.view.group.is_some() && owner.is_none();
        let in_between = self.view.group.as_ref().is_some_and(|group| group.revoked.has(name, task));
        let fit = claimed.map(|claimed| fit(before.state(task), &claimed.state));
        match (&fit, claimed) {
            (Some(Fit::Failed), _) => {
                found.failed.0.add(name, task);
                found.failed.1 |= self.conditions.known.exactly_once && before.kind == ConnectorType::Source;
                return;
            }
            (Some(Fit::Asked), Some(claimed)) => {
                found.asked.0.add(name, task);
                found.asked.1.insert(state_name(&claimed.state).to_owned());
                return;
            }
            (Some(Fit::Strange), Some(claimed)) => {
                found.strange.0.add(name, task);
                found.strange.1.insert(state_name(&claimed.state).to_owned());
                return;
            }
            _ => {}
        }
        // What was revoked is named apart, and blocks whatever may wait.
        if nobodys && (in_between || before.unowned.has(name, task)) {
            return;
        }
        let claims = claimed.map(|claimed| claimed.worker.as_str());
        let elsewhere = claims.zip(home).filter(|(claims, home)| !is_at(claims, home));
        let doubt = held.and_then(|held| held.doubt(task, self.now, self.conditions.known.start));
        let runs = !nobodys && matches!(fit, Some(Fit::Good)) && elsewhere.is_none() && doubt.is_none();
        if runs || broken && !nobodys {
            return;
        }
        if !nobodys {
            found.starting.add(name, task);
        }
        if waiting.allows(name, task) {
            found.waits.add(name, task);
        } else if nobodys {
            found.no_owner.add(name, task);
        } else if let (Some(Fit::NotYet), Some(claimed)) = (&fit, claimed) {
            found.not_running.0.add(name, task);
            found.not_running.1.insert(state_name(&claimed.state).to_owned());
        } else if let Some((claims, owner)) = elsewhere {
            found.elsewhere.0.add(name, task);
            found.elsewhere.1.insert(self.baseline.name(claims));
            found.elsewhere.2.insert(self.baseline.name(owner));
        } else if let Some(left) = doubt {
            found.stale.0.add(name, task);
            found.stale.1 = found.stale.1.max(left);
        } else {
            found.no_status.add(name, task);
        }
    }

    fn second_wave(&self, of: &Of<'_>, found: &mut Found) {
        let Of { name, before, held, .. } = *of;
        let runs = before.instance == Some(ConnectorState::Running) && !before.configured.is_empty();
        let known = &self.conditions.known;
        let Some(handed) = held.and_then(|held| held.handed(self.now)).filter(|_| runs) else { return };
        if handed < known.second_wave {
            found.second_wave.0.push(name.to_owned());
            found.second_wave.1 = found.second_wave.1.max(left(known.second_wave, handed));
        }
    }

    fn report(&self, found: &mut Found, waiting: &Waiting, reasons: &mut Vec<Reason>) {
        let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>();
        let group = self.view.group.as_ref();
        let delay_runs = group.is_some_and(|group| group.delay > Duration::ZERO);
        let known = &self.conditions.known;
        let at_rest = self.memory.quiet(self.now);
        let quiet = group.is_some_and(|group| group.revoked.is_empty()) && !delay_runs && at_rest > known.heartbeat;
        let overdue = quiet && at_rest > sum(known.heartbeat, known.start);
        // Where a delay is a reason, what waits for it stands there.
        let told = reasons.iter().any(|reason| matches!(reason, Reason::DelayRunning { .. }));
        let mut add = |work: &Work, reason: &dyn Fn(Work) -> Reason| {
            if !work.is_empty() {
                reasons.push(reason(work.clone()));
            }
        };
        let (failed, exactly_once) = &found.failed;
        add(failed, &|work| Reason::Failed { work, quiet, exactly_once: *exactly_once });
        add(&found.asked.0, &|work| Reason::StateAsked { work, states: list(&found.asked.1) });
        add(&found.strange.0, &|work| Reason::StateUnknown { work, states: list(&found.strange.1) });
        if !told {
            add(&found.no_owner, &|work| Reason::NoOwner { work, delay_runs });
        }
        add(&found.no_status, &|work| Reason::NoStatus { work });
        add(&found.not_running.0, &|work| Reason::NotRunning { work, states: list(&found.not_running.1), overdue });
        let (elsewhere, claimed, owners) = &found.elsewhere;
        add(elsewhere, &|work| Reason::Disagreement { work, claimed: list(claimed), owners: list(owners) });
        add(&found.stale.0, &|work| Reason::MayBeStale { work, left: found.stale.1 });
        add(&found.left_over, &|work| Reason::LeftOverStatus { work });
        if !found.second_wave.0.is_empty() {
            let (connectors, left) = found.second_wave.clone();
            reasons.push(Reason::SecondWave { connectors, left });
        }
        if !found.gone.is_empty() {
            reasons.push(Reason::ConnectorGone { connectors: found.gone.clone(), rated: Rated::Stop });
        }
        let tasks = found.waits.tasks();
        if let Some(allowed) = waiting.at_most.filter(|allowed| tasks > *allowed) {
            reasons.push(Reason::TooManyWaiting { tasks, allowed, work: found.waits.clone() });
        }
        let of = self.baseline.tasks();
        if let Some(allowed) = self.limits.share.filter(|allowed| tasks > 0 && exceeds(tasks, of, *allowed)) {
            reasons.push(Reason::ShareWaiting { tasks, of, allowed });
        }
    }

    /// Before the leader goes, every start of an exactly-once source must be over: it asks the
    /// leader to fence its predecessor, and fails for good if none answers.
    pub(super) fn exactly_once(&self, found: &Found, reasons: &mut Vec<Reason>) {
        let Some(group) = self.view.group.as_ref().filter(|_| self.conditions.known.exactly_once) else { return };
        if !group.leader_address().is_some_and(|at| self.in_step(at)) {
            return;
        }
        let mut work = Work::default();
        for (name, part) in found.starting.parts() {
            let before = self.baseline.connectors.get(name);
            if before.is_some_and(|connector| connector.kind == ConnectorType::Source) {
                part.tasks.iter().for_each(|task| work.add(name, Some(*task)));
            }
        }
        if !work.is_empty() {
            reasons.push(Reason::ExactlyOnceStarting { work });
        }
    }
}

fn fit(before: Option<&ConnectorState>, now: &ConnectorState) -> Fit {
    use ConnectorState::{Failed, Other, Paused, Restarting, Running, Stopped, Unassigned};
    match (before, now) {
        (None | Some(Failed | Unassigned | Restarting | Other(_)), _)
        | (_, Running)
        | (Some(Paused | Stopped), Paused)
        | (Some(Stopped), Stopped) => Fit::Good,
        (_, Failed) => Fit::Failed,
        (_, Paused | Stopped) => Fit::Asked,
        (_, Unassigned | Restarting) => Fit::NotYet,
        (_, Other(_)) => Fit::Strange,
    }
}
