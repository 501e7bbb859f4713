//! Where a roll is: which step a question is about.

use std::collections::BTreeSet;

use super::journal::{Ask, Began, Journal};
use super::plan_file::{PlanFile, Step};
use super::refusal::Refusal;
use crate::gate::{Verdict, Work};
use crate::model::Wait;

/// The step before whose restart it is asked: the first of these workers that is not through.
pub(super) fn before_which<'a>(plan: &'a PlanFile, journal: &Journal, workers: &[String]) -> Result<&'a Step, Refusal> {
    let step = next_of(plan, journal, workers)?;
    let other = plan.steps.iter().find(|other| other.number != step.number && journal.is_under_way(other.number));
    let own = journal.last_of(step.number).is_some_and(|last| last.ask == Ask::After);
    match other.or(own.then_some(step)) {
        Some(under_way) => Err(under_way_is(plan, under_way)),
        None => Ok(step),
    }
}

/// The step after whose restart it is asked: the one under way, else the last that was answered,
/// else the first of these workers, restarted without being asked about.
pub(super) fn after_which<'a>(plan: &'a PlanFile, journal: &Journal, workers: &[String]) -> Result<&'a Step, Refusal> {
    let is_asked = |step: &&Step| same(plan, step, workers);
    let under_way = plan.steps.iter().filter(is_asked).find(|step| journal.is_under_way(step.number));
    let through = plan.steps.iter().rev().filter(is_asked).find(|step| journal.is_through(step.number));
    if let Some(step) = under_way.or(through) {
        return Ok(step);
    }
    if journal.began().is_none() {
        return Err(Refusal::NotBegun { workers: workers.join(",") });
    }
    next_of(plan, journal, workers)
}

/// The names of a step's workers.
pub(super) fn names(plan: &PlanFile, step: &Step) -> Vec<String> {
    step.workers.iter().map(|worker| plan.cluster.name_of(*worker).to_owned()).collect()
}

fn next_of<'a>(plan: &'a PlanFile, journal: &Journal, workers: &[String]) -> Result<&'a Step, Refusal> {
    let has = |step: &&Step| {
        let its = names(plan, step);
        workers.iter().any(|worker| its.contains(worker))
    };
    let left = plan.steps.iter().filter(|step| !journal.is_through(step.number)).find(has);
    match left {
        Some(step) if same(plan, step, workers) => Ok(step),
        Some(step) => Err(Refusal::Together { step: step.number, together: names(plan, step).join(",") }),
        None => {
            let done = plan.steps.iter().rev().find(has);
            let step = done.map_or(0, |step| step.number);
            let since = journal.last_of(step).map(|last| last.at).or(journal.last_at());
            Err(match since {
                Some(since) => Refusal::Through { workers: workers.join(","), since, step },
                None => Refusal::NotBegun { workers: workers.join(",") },
            })
        }
    }
}

fn same(plan: &PlanFile, step: &Step, workers: &[String]) -> bool {
    let its: BTreeSet<String> = names(plan, step).into_iter().collect();
    its == workers.iter().cloned().collect()
}

fn under_way_is(plan: &PlanFile, step: &Step) -> Refusal {
    let names = names(plan, step);
    let first = names.join(",");
    Refusal::UnderWay { step: step.number, workers: names.join(" and "), first }
}

impl Journal {
    /// Whether a step's workers may be stopped or are being restarted: the gate said so, and did
    /// not yet let the next one go.
    pub fn is_under_way(&self, step: usize) -> bool {
        self.last_of(step).is_some_and(|last| match last.ask {
            Ask::Before => last.verdict == Verdict::Proceed,
            Ask::After => last.verdict != Verdict::Proceed,
        })
    }

    /// What the workers had that were stopped since everything last ran: only that may wait.
    pub fn waiting(&self, plan: &PlanFile) -> Work {
        let mut work = Work::default();
        for answered in self.answers() {
            let settled = plan.steps.iter().any(|step| step.number == answered.step && step.after == Wait::Settled);
            if answered.ask == Ask::After && answered.verdict == Verdict::Proceed && settled {
                work = Work::default();
            }
            for items in answered.owned.values().filter(|_| answered.verdict == Verdict::Proceed) {
                items.connectors.iter().for_each(|connector| work.add(connector, None));
                items.tasks.iter().for_each(|(connector, task)| work.add(connector, Some(*task)));
            }
        }
        work
    }
}

impl Began {
    /// The address of a worker of the plan; its name if there is none.
    pub(super) fn url_of(&self, name: &str) -> String {
        self.urls.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// The member id that a worker had before the roll.
    pub(super) fn member_at(&self, url: &str) -> Option<&str> {
        let at = crate::snapshot::Address::of_url(url).to_string();
        self.baseline.workers.get(&at).and_then(|worker| worker.member.as_deref())
    }
}
