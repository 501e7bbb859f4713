//! Which worker next, from the state of the moment.

use std::cmp::Ordering;

use super::budget::Budget;
use super::candidates::is_eager;
use super::goes_now::{GoesNow, goes_now};
use super::limits::{Breach, breaches};
use super::moment::{Moment, NoMoment, moment};
use super::priced::order;
use crate::assessment::{Distribution, Impact, Outcomes, assess, assess_work};
use crate::model::{Cluster, Policy, Wait, WorkerId};
use crate::simulation::{Detail, Flush, Order, Rest, Schedule, Seed, simulate_rest};
use crate::units::Duration;

/// What to do next in a roll that was begun.
#[derive(Clone, Debug)]
pub struct Next {
    /// Workers that are still to do, those out of the group included.
    pub to_do: Vec<WorkerId>,
    /// Workers that are out of the group now.
    pub away: Vec<WorkerId>,
    /// Who leads now, and who would if it left.
    pub leader: Option<WorkerId>,
    /// The first other member in the coordinator's order, if that is known.
    pub successor: Option<WorkerId>,
    /// What is left of the delay that runs.
    pub delay_left: Option<Duration>,
    /// What to do.
    pub turn: Turned,
    /// The next best step with another worker, if there is one.
    pub other: Option<NextStep>,
    /// The seed of all runs.
    pub seed: Seed,
}

/// What to do.
#[derive(Clone, Debug)]
pub enum Turned {
    /// A worker is out of the group: see to it before another one goes.
    Away,
    /// Nobody is left, and no delay runs.
    Through,
    /// Nobody is left, but work waits for a delay: what a step would cost that ends it.
    Waits(Option<Box<NextStep>>),
    /// Restart these.
    Restart(Box<NextStep>, Result<Moment, NoMoment>),
}

/// One step, and what the roll costs from it to the end.
#[derive(Clone, Debug)]
pub struct NextStep {
    /// Who goes.
    pub workers: Vec<WorkerId>,
    /// Whether it waits for the delay to be over first.
    pub when_settled: bool,
    /// How the roll goes on after it.
    pub then: Schedule,
    /// What it costs to the end, from now on.
    pub distribution: Distribution,
    /// The limits that the p95 of the runs breaks.
    pub breaches: Vec<Breach>,
    /// What the step itself does if it goes at this instant.
    pub now: GoesNow,
}

/// Finds the next step of a roll of which the workers in `done` are through, by simulating the
/// rest of it from the present state.
pub fn next(cluster: &Cluster, policy: &Policy, done: &[WorkerId], seed: Seed, budget: Budget) -> Next {
    let all = (0..).map(WorkerId).zip(&cluster.workers);
    let to_do: Vec<WorkerId> = all.clone().map(|(id, _)| id).filter(|id| !done.contains(id)).collect();
    let away: Vec<WorkerId> = all.clone().filter(|(_, worker)| worker.unready).map(|(id, _)| id).collect();
    let leader = all.clone().find(|(_, worker)| worker.leads).map(|(id, _)| id);
    let listed = cluster.group_order.iter().flatten().copied();
    let successor = listed.filter(|_| leader.is_some()).find(|&worker| Some(worker) != leader);
    let delay_left = cluster.delay_left();
    let search = Search { cluster, policy, done, seed, budget };
    let (turn, other) = if !away.is_empty() {
        (Turned::Away, None)
    } else if to_do.is_empty() && delay_left.is_none() {
        (Turned::Through, None)
    } else if to_do.is_empty() {
        let again = leader.filter(|_| policy.leader_again).map(|leader| search.price(vec![leader], &last_rule()));
        (Turned::Waits(again.map(|again| Box::new(search.look_closely(again)))), None)
    } else {
        search.best(&to_do, leader, successor)
    };
    Next { to_do, away, leader, successor, delay_left, turn, other, seed }
}

struct Search<'a> {
    cluster: &'a Cluster,
    policy: &'a Policy,
    done: &'a [WorkerId],
    seed: Seed,
    budget: Budget,
}

/// A step that was priced.
struct Tried {
    workers: Vec<WorkerId>,
    then: Schedule,
    outcomes: Outcomes,
    distribution: Distribution,
}

impl Search<'_> {
    /// The best step, and the best one with another worker.
    fn best(
        &self,
        to_do: &[WorkerId],
        leader: Option<WorkerId>,
        successor: Option<WorkerId>,
    ) -> (Turned, Option<NextStep>) {
        let mut field: Vec<Tried> = Vec::new();
        for first in self.steps(to_do, leader, successor) {
            let rules = self.rules();
            let tried = rules.iter().map(|rule| self.price(first.clone(), rule));
            field.extend(tried.min_by(|a, b| self.rank(a, b)));
        }
        field.sort_by(|a, b| self.rank(a, b));
        field.truncate(self.budget.finalists.max(2));
        for tried in &mut field {
            self.extend(tried, self.budget.screening);
        }
        field.sort_by(|a, b| self.rank(a, b));
        let mut found = field.into_iter().map(|tried| self.look_closely(tried));
        let Some(best) = found.next() else { return (Turned::Through, None) };
        let other = found.next();
        let best = match (best, other) {
            (best, None) => (best, None),
            // What is alike after a few runs may be the other way round after many.
            (best, Some(other)) if is_better(&other, &best) => (other, Some(best)),
            (best, Some(other)) => (best, Some(other)),
        };
        let (best, other) = best;
        let moment = if is_eager(self.cluster) || best.when_settled {
            Err(NoMoment::NoGain)
        } else {
            moment(self.cluster, &best.workers, self.seed, MOMENT_RUNS)
        };
        (Turned::Restart(Box::new(best), moment), other)
    }

    /// Who may go first: of many workers those of whom each kind is one.
    fn steps(&self, to_do: &[WorkerId], leader: Option<WorkerId>, successor: Option<WorkerId>) -> Vec<Vec<WorkerId>> {
        let mut steps: Vec<Vec<WorkerId>> = Vec::new();
        let followers = to_do.iter().copied().filter(|&worker| Some(worker) != leader && Some(worker) != successor);
        let many = to_do.len() > FEW_WORKERS;
        let mut kinds: Vec<(usize, &crate::model::Restart)> = Vec::new();
        let is_new = |&worker: &WorkerId| {
            let owned = self.cluster.ownership.as_ref().and_then(|ownership| ownership.owns.get(worker.index()));
            let kind = (owned.map_or(0, |owned| owned.tasks.len()), &self.cluster.workers[worker.index()].restart);
            let new = !many || !kinds.contains(&kind);
            kinds.push(kind);
            new
        };
        let named = [leader, successor].into_iter().flatten().filter(|worker| to_do.contains(worker));
        steps.extend(named.chain(followers.filter(is_new).take(MOST_FOLLOWERS)).map(|worker| vec![worker]));
        let again = self.policy.leader_again && self.policy.during_delay && self.cluster.delay_left().is_some();
        // The leader that is through, once more: it ends the delay that runs.
        steps.extend(leader.filter(|leader| again && !to_do.contains(leader)).map(|leader| vec![leader]));
        if self.policy.at_once > 1 {
            let beside = to_do.iter().find(|&&worker| Some(worker) != leader && Some(worker) != successor);
            let rack = |worker: WorkerId| self.cluster.workers[worker.index()].rack.as_deref();
            let pair = leader.zip(beside.copied()).filter(|&(leader, beside)| rack(leader) == rack(beside));
            let fenced = self.cluster.connectors.iter().any(|connector| connector.exactly_once);
            steps.extend(pair.filter(|_| !fenced).map(|(leader, beside)| vec![beside, leader]));
        }
        steps
    }

    /// How the roll may go on after the step.
    fn rules(&self) -> Vec<Schedule> {
        let policy = self.policy;
        let waits = match policy.wait {
            Some(wait) => vec![wait],
            None => vec![Wait::Back, Wait::Settled],
        };
        let again = policy.leader_again && policy.during_delay;
        let mut rules = Vec::new();
        for wait in waits {
            for (order, flush) in [
                (Order::Succession, Flush::AfterFollowers(1)),
                (Order::PresentLeader, Flush::AtEnd),
                (Order::LeaderLast, Flush::Never),
            ] {
                let flush = if again && wait != Wait::Settled { flush } else { Flush::Never };
                rules.push(Schedule { flush, during_delay: policy.during_delay, ..Schedule::new(order, wait) });
            }
        }
        rules.dedup();
        rules
    }

    fn price(&self, workers: Vec<WorkerId>, then: &Schedule) -> Tried {
        let (seed, impact, restarts) = self.run(&workers, then, 0);
        let outcomes = Outcomes::new(seed, &impact, restarts);
        let mut tried = Tried { workers, then: then.clone(), distribution: outcomes.distribution(), outcomes };
        self.extend(&mut tried, self.budget.glance);
        tried
    }

    fn extend(&self, tried: &mut Tried, runs: u32) {
        for number in tried.outcomes.count()..runs {
            let (seed, impact, restarts) = self.run(&tried.workers, &tried.then, number);
            tried.outcomes.add(seed, &impact, restarts);
        }
        tried.distribution = tried.outcomes.distribution();
    }

    fn run(&self, workers: &[WorkerId], then: &Schedule, number: u32) -> (Seed, Impact, usize) {
        let seed = self.seed.of_run(number);
        let rest = Rest { done: self.done.to_vec(), first: workers.to_vec() };
        let timeline = simulate_rest(self.cluster, then, &rest, seed, Detail::Figures);
        let assess = if self.policy.max_lag.is_some() { assess } else { assess_work };
        let restarts = timeline.steps.iter().map(|step| step.workers.len()).sum();
        (seed, assess(self.cluster, &timeline), restarts)
    }

    /// Fewer broken limits, then less unassigned time, then the shorter roll.
    fn rank(&self, a: &Tried, b: &Tried) -> Ordering {
        let broken = |tried: &Tried| breaches(self.policy, &tried.distribution).len();
        broken(a).cmp(&broken(b)).then(order(&a.distribution, &b.distribution))
    }

    fn look_closely(&self, mut tried: Tried) -> NextStep {
        self.extend(&mut tried, self.budget.runs);
        let Tried { workers, then, distribution, .. } = tried;
        NextStep {
            when_settled: self.cluster.delay_left().is_some() && (then.wait == Wait::Settled || !then.during_delay),
            breaches: breaches(self.policy, &distribution),
            now: goes_now(self.cluster, &workers, self.seed, self.budget.glance),
            workers,
            then,
            distribution,
        }
    }
}

/// The rule where nothing is left to choose.
fn last_rule() -> Schedule {
    Schedule::new(Order::LeaderLast, Wait::Back)
}

fn is_better(one: &NextStep, other: &NextStep) -> bool {
    let by_limits = one.breaches.len().cmp(&other.breaches.len());
    by_limits.then(order(&one.distribution, &other.distribution)) == Ordering::Less
}

/// Of more workers only one of each kind is tried.
const FEW_WORKERS: usize = 8;

/// So many followers are tried at most.
const MOST_FOLLOWERS: usize = 8;

/// Runs for each moment that is compared.
const MOMENT_RUNS: u32 = 3;
