//! What else could be had: one change of a setting or of the policy at a time, each priced by
//! simulating the best roll under it.

use super::budget::Budget;
use super::candidates::{Executor, candidates, is_eager, one_of_each_kind};
use super::priced::{Candidate, Priced, Question, order};
use crate::assessment::Figure;
use crate::model::{Cluster, ConnectProtocol, Policy};
use crate::simulation::{Aim, Order, Schedule};
use crate::units::{Duration, Share};

/// One change, and what the best roll under it costs.
#[derive(Clone, Debug)]
pub struct Advice {
    /// What is changed.
    pub change: Change,
    /// The best roll if the change is made; for a setting, brought in by this very roll.
    pub price: Candidate,
    /// For a setting: the best roll of every later time, when all workers have it from the start.
    pub later: Option<Candidate>,
    /// Whether it loses clearly less than the plan and has no trap; else it is a comparison.
    pub advised: bool,
}

/// What can be changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// `scheduled.rebalance.max.delay.ms`.
    Delay {
        /// The longest one of now.
        from: Duration,
        /// The new one.
        to: Duration,
    },
    /// `connect.protocol` to `eager`, on all workers: only to compare with.
    Eager,
    /// `policy.at_once` to 2: a follower goes together with the leader.
    WithLeader,
    /// `policy.leader_again` to `true`.
    LeaderAgain,
    /// `policy.during_delay` to `true`.
    DuringDelay,
    /// No `policy.wait`.
    AnyWait,
    /// A larger `policy.max_share`.
    MaxShare {
        /// What is allowed now.
        from: Share,
        /// What the roll needs.
        to: Share,
    },
    /// Each stop at a chosen moment between two heartbeats of the group.
    Aimed(Aim),
}

/// Prices every change that makes sense here.
pub(super) fn advice(
    question: &Question<'_>,
    executor: Executor,
    budget: Budget,
    chosen: Option<&Candidate>,
    each: &mut dyn FnMut(),
) -> Vec<Advice> {
    if budget.advice == 0 {
        return Vec::new();
    }
    let mut asked = Asked { question, executor, budget, chosen, each };
    let mut advice = asked.settings();
    advice.extend(asked.policies());
    advice.extend(asked.aimed());
    for one in &mut advice {
        one.advised = one.change != Change::Eager && one.price.breaches.is_empty() && asked.is_better(&one.price);
    }
    // Of two delays that lose the same, one is enough: the one that protects against longer restarts.
    advice.sort_by(|a, b| (!a.advised).cmp(&!b.advised).then(order(&a.price.distribution, &b.price.distribution)));
    advice
}

pub(super) struct Asked<'a, 'e> {
    pub(super) question: &'a Question<'a>,
    pub(super) executor: Executor,
    pub(super) budget: Budget,
    pub(super) chosen: Option<&'a Candidate>,
    pub(super) each: &'e mut dyn FnMut(),
}

impl Asked<'_, '_> {
    fn settings(&mut self) -> Vec<Advice> {
        let cluster = self.question.cluster;
        let mut advice = Vec::new();
        if is_eager(cluster) || cluster.workers.len() < 2 {
            return advice;
        }
        let delays = cluster.workers.iter().map(|worker| worker.after.settings.delay);
        let from = delays.max().unwrap_or_default();
        let mut tried = Vec::new();
        if cluster.workers.iter().all(|worker| worker.after.rules.zero_delay_reassigns) {
            tried.push(Duration::ZERO);
        }
        tried.push(cluster.delay_with_room());
        for to in tried.into_iter().filter(|&to| to < from) {
            let mut by_this_roll = cluster.clone();
            for worker in &mut by_this_roll.workers {
                worker.after.settings.delay = to;
            }
            let mut later = by_this_roll.clone();
            for worker in &mut later.workers {
                worker.before = worker.after.clone();
            }
            let change = Change::Delay { from, to };
            if let Some(price) = self.best(&by_this_roll, self.question.policy, |_| true) {
                let later = self.best(&later, self.question.policy, |_| true);
                advice.push(Advice { change, price, later, advised: false });
            }
        }
        let mut eager = cluster.clone();
        for worker in &mut eager.workers {
            worker.before.settings.protocol = ConnectProtocol::Eager;
            worker.after.settings.protocol = ConnectProtocol::Eager;
        }
        let free = Policy { max_share: Share(1.0), ..self.question.policy.clone() };
        if let Some(price) = self.best(&eager, &free, |_| true) {
            advice.push(Advice { change: Change::Eager, price, later: None, advised: false });
        }
        advice
    }

    fn policies(&mut self) -> Vec<Advice> {
        let (cluster, policy) = (self.question.cluster, self.question.policy);
        let mut changes = Vec::new();
        if !policy.leader_again && !is_eager(cluster) && self.executor == Executor::Steps {
            changes.push((Change::LeaderAgain, Policy { leader_again: true, ..policy.clone() }));
        }
        if !policy.during_delay && !is_eager(cluster) {
            changes.push((Change::DuringDelay, Policy { during_delay: true, ..policy.clone() }));
        }
        if policy.wait.is_some() {
            changes.push((Change::AnyWait, Policy { wait: None, ..policy.clone() }));
        }
        let free = Share(1.0);
        if policy.max_share.0 < free.0 {
            let change = Change::MaxShare { from: policy.max_share, to: free };
            changes.push((change, Policy { max_share: free, ..policy.clone() }));
        }
        let never_eager =
            cluster.workers.iter().all(|worker| worker.before.settings.protocol != ConnectProtocol::Eager);
        if policy.at_once < 2 && never_eager {
            changes.push((Change::WithLeader, Policy { at_once: 2, max_share: free, ..policy.clone() }));
        }
        let mut advice = Vec::new();
        for (mut change, policy) in changes {
            let fits = |schedule: &Schedule| change != Change::WithLeader || schedule.order == Order::WithLeader;
            let Some(price) = self.best(cluster, &policy, fits) else { continue };
            if let Change::MaxShare { from, .. } = change {
                let to = Share(price.distribution.of(Figure::PeakHeld).p95);
                if to.0 <= from.0 {
                    continue;
                }
                change = Change::MaxShare { from, to };
            }
            advice.push(Advice { change, price, later: None, advised: false });
        }
        advice
    }

    /// The plan's own roll, with each stop aimed at the heartbeats.
    fn aimed(&mut self) -> Option<Advice> {
        let chosen = self.chosen?;
        let cluster = self.question.cluster;
        let away = cluster.workers.iter().map(|worker| worker.restart.away()).max().unwrap_or_default();
        let heartbeat = cluster.workers.iter().map(|worker| worker.before.settings.heartbeat_interval).min();
        let aim = if away < heartbeat.unwrap_or_default() { Aim::JustAfter } else { Aim::JustBefore };
        let schedule = Schedule { aim, ..chosen.schedule.clone() };
        let price = Priced::begin(self.question, schedule, self.budget.advice, self.each).candidate;
        Some(Advice { change: Change::Aimed(aim), price, later: None, advised: false })
    }

    /// The best roll under changed circumstances, looked for more briefly than the plan itself;
    /// if none respects the policy, the one that loses least.
    pub(super) fn best(
        &mut self,
        cluster: &Cluster,
        policy: &Policy,
        fits: impl Fn(&Schedule) -> bool,
    ) -> Option<Candidate> {
        let question = Question { cluster, policy, seed: self.question.seed };
        let mut tried = candidates(cluster, policy, self.executor);
        tried.retain(&fits);
        let mut field: Vec<Priced> = one_of_each_kind(tried)
            .into_iter()
            .take(KINDS)
            .map(|schedule| Priced::begin(&question, schedule, self.budget.glance, self.each))
            .collect();
        if let Some(chosen) = self.chosen.filter(|chosen| fits(&chosen.schedule)) {
            let known = field.iter().any(|priced| priced.candidate.schedule == chosen.schedule);
            if !known {
                field.push(Priced::begin(&question, chosen.schedule.clone(), self.budget.glance, self.each));
            }
        }
        let rank = |priced: &Priced| !priced.candidate.breaches.is_empty();
        let sort = |field: &mut Vec<Priced>| {
            field.sort_by(|a, b| {
                rank(a).cmp(&rank(b)).then(order(&a.candidate.distribution, &b.candidate.distribution))
            });
        };
        sort(&mut field);
        field.truncate(2);
        for priced in &mut field {
            priced.extend(&question, self.budget.advice, self.each);
        }
        sort(&mut field);
        field.into_iter().next().map(|priced| priced.candidate)
    }

    fn is_better(&self, price: &Candidate) -> bool {
        let Some(chosen) = self.chosen else { return true };
        let median = |of: &Candidate| of.median(Figure::Unassigned);
        price.lost() < chosen.lost() * 0.95 - 1.0 && median(price) < median(chosen)
    }
}

/// So many kinds of rolls are tried under a change.
const KINDS: usize = 8;
