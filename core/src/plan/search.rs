//! The search: every candidate a few times, the best of them many times.

use super::advice::{Advice, advice};
use super::budget::{Budget, Progress, SoFar};
use super::candidates::{Executor, candidates, fixed_policies, is_eager};
use super::exact::{Lists, best_list};
use super::limits::{Limit, ROUNDING};
use super::none::{NoPlan, no_plan};
use super::priced::{Candidate, Priced, Question, order};
use super::reason::{Found, Reason, reasons};
use super::steps::{PlannedStep, steps as planned_steps};
use super::unseen::{UnseenDelay, unseen_delay};
use crate::assessment::{Figure, Impact, StepImpact, assess, step_impacts};
use crate::model::{Cluster, Policy, Wait};
use crate::simulation::{Detail, Order, Schedule, Seed, Timeline, simulate};

/// The roll to choose, what to expect of it, and what else there is.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The best roll within the policy.
    pub chosen: Candidate,
    /// What carries it out.
    pub executor: Executor,
    /// Its expected course: the median run, with its seed in the distribution.
    pub expected: Timeline,
    /// The figures of that run.
    pub impact: Impact,
    /// What each step of that run costs.
    pub steps: Vec<StepImpact>,
    /// What each step waits for, and what should be seen.
    pub planned: Vec<PlannedStep>,
    /// The next best rolls within the policy, best first.
    pub others: Vec<Candidate>,
    /// The roll that would lose least but breaks a limit, if there is one.
    pub refused: Vec<Candidate>,
    /// What people commonly do, for comparison: leader last, waiting until all is settled.
    pub careful: Option<Candidate>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// What could be changed, and what that buys; the advised first, each by what it then loses.
    pub advice: Vec<Advice>,
    /// What it costs with each likely delay, if nobody could see the setting.
    pub unseen_delay: Vec<UnseenDelay>,
    /// The seed of the search.
    pub seed: Seed,
}

/// Finds the roll that respects the policy and leaves the least work unassigned; of equals the shortest.
///
/// # Errors
/// When no candidate respects the policy: the limits that bind, and the best values that can be reached.
pub fn plan(
    cluster: &Cluster,
    policy: &Policy,
    executor: Executor,
    seed: Seed,
    budget: Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<Plan, Box<NoPlan>> {
    let question = Question { cluster, policy, seed };
    let mut search = Search::new(question, budget, progress);
    let mut field = search.screen(candidates(cluster, policy, executor));
    let fixed = search.fixed(executor);
    let careful = (cluster.workers.len() > 1).then(|| search.price(careful()));
    search.write_down(&mut field, executor);
    let mut within = search.look_closely(&mut field, careful.as_ref());
    search.outdo(&mut within, fixed);
    let allowed = |careful: &&Candidate| {
        let asked = policy.wait.is_none_or(|wait| wait == careful.schedule.wait);
        let serial = executor == Executor::Serial;
        asked && !serial && careful.breaches.is_empty() && within.iter().all(|other| other.schedule != careful.schedule)
    };
    if let Some(careful) = careful.as_ref().filter(allowed) {
        within.push(careful.clone());
    }
    within.sort_by(|a, b| order(&a.distribution, &b.distribution));
    shortest_of_equals_first(&mut within);
    let all: Vec<Candidate> = field.into_iter().map(|priced| priced.candidate).collect();
    if within.is_empty() {
        let advice = search.advise(executor, None);
        return Err(Box::new(no_plan(policy, all, advice, seed)));
    }
    let chosen = within.remove(0);
    within.truncate(budget.finalists);
    let refused = cheapest_refused(&all, &chosen)
        .map(|candidate| search.price(candidate.schedule.clone()))
        .filter(|close| !close.breaches.is_empty());
    let expected = simulate(cluster, &chosen.schedule, chosen.distribution.median_seed, Detail::Full);
    let impact = assess(cluster, &expected);
    let steps = step_impacts(cluster, &expected);
    let planned = planned_steps(&search.question, &chosen, &expected, budget.screening.max(budget.advice));
    within.retain(|other| careful.as_ref().is_none_or(|careful| careful.schedule != other.schedule));
    within.dedup_by(|a, b| alike(a, b));
    within.retain(|other| !alike(other, &chosen));
    let refused: Vec<Candidate> = refused.into_iter().collect();
    let found = Found { chosen: &chosen, expected: &expected, refused: &refused, careful: careful.as_ref() };
    let reasons = reasons(cluster, policy, &found, search.all_orders);
    let advice = search.advise(executor, Some(&chosen));
    let unseen_delay = search.unseen_delay(executor, &chosen);
    Ok(Plan {
        chosen,
        executor,
        expected,
        impact,
        steps,
        planned,
        others: within,
        refused,
        careful,
        reasons,
        advice,
        unseen_delay,
        seed,
    })
}

/// What the folklore says: followers first, leader last, each when all is settled.
fn careful() -> Schedule {
    Schedule::new(Order::LeaderLast, Wait::Settled)
}

struct Search<'a, 'p> {
    question: Question<'a>,
    budget: Budget,
    done: u32,
    total: u32,
    best: Option<SoFar>,
    /// Whether every order by names was tried.
    all_orders: bool,
    progress: &'p mut dyn FnMut(Progress),
}

impl<'a, 'p> Search<'a, 'p> {
    fn new(question: Question<'a>, budget: Budget, progress: &'p mut dyn FnMut(Progress)) -> Self {
        Self { question, budget, done: 0, total: 0, best: None, all_orders: false, progress }
    }

    /// Looks at every candidate for a few runs, and at those that are not far from the best for some more.
    fn screen(&mut self, mut schedules: Vec<Schedule>) -> Vec<Priced> {
        schedules.truncate(self.budget.candidates);
        let all = u32::try_from(schedules.len()).unwrap_or(u32::MAX);
        let finalists = u32::try_from(self.budget.finalists).unwrap_or(u32::MAX);
        // The finalists, what people commonly do, and the best of the refused.
        self.total = all * self.budget.screening + (finalists + 2) * self.budget.runs;
        let mut field: Vec<Priced> = Vec::with_capacity(schedules.len());
        for schedule in schedules {
            let priced = self.begin(schedule, self.budget.glance);
            self.note(&priced.candidate);
            field.push(priced);
        }
        let least = field.iter().map(|priced| priced.candidate.lost()).min_by(f64::total_cmp).unwrap_or_default();
        for priced in &mut field {
            if priced.candidate.lost() <= least * FAR + 1.0 {
                self.extend(priced, self.budget.screening);
            } else {
                self.total -= self.budget.screening.saturating_sub(self.budget.glance);
            }
        }
        field.sort_by(|a, b| order(&a.candidate.distribution, &b.candidate.distribution));
        field
    }

    /// Small clusters whose succession is known, or whose workers differ: the best order by names.
    fn write_down(&mut self, field: &mut Vec<Priced>, executor: Executor) {
        let Question { cluster, policy, seed } = self.question;
        let workers = &cluster.workers;
        let known = workers.iter().any(|worker| worker.member_id.is_some());
        let differ = workers.windows(2).any(|two| {
            (&two[0].restart, &two[0].before, &two[0].after) != (&two[1].restart, &two[1].before, &two[1].after)
        });
        let small = (2..=SMALL).contains(&workers.len()) && cluster.work.task_count() <= FEW_TASKS;
        let unready = workers.iter().any(|worker| worker.unready);
        if !small || unready || !(known || differ) || is_eager(cluster) || matches!(policy.wait, Some(Wait::Fixed(_))) {
            return;
        }
        let lists = Lists {
            leader_between: executor == Executor::Steps,
            leader_again: policy.leader_again && policy.during_delay,
            most_steps: STEPS_WITHOUT_BOUND,
        };
        let held = |priced: &&Priced| priced.candidate.breaches.is_empty() && is_sure(policy, &priced.candidate);
        let bound = field.iter().filter(held).map(|priced| priced.candidate.lost() * EQUAL).min_by(f64::total_cmp);
        let most_steps = if bound.is_some() { STEPS_WITH_BOUND } else { STEPS_WITHOUT_BOUND };
        let lists = Lists { most_steps, ..lists };
        let (best, complete) = best_list(cluster, policy, lists, seed, self.budget.screening, bound);
        self.all_orders = complete;
        if let Some((schedule, _)) = best {
            let priced = self.begin(schedule, self.budget.screening);
            field.insert(0, priced);
        }
    }

    /// The best of those that respect the policy, each with all its runs.
    fn look_closely(&mut self, field: &mut [Priced], careful: Option<&Candidate>) -> Vec<Candidate> {
        let mut within: Vec<Candidate> = Vec::new();
        let mut looked_at: Vec<(Candidate, Candidate)> = Vec::new();
        let mut near_misses = 0;
        for priced in field.iter_mut() {
            if within.len() >= self.budget.finalists {
                break;
            }
            let screened = priced.candidate.clone();
            if !is_sure(self.question.policy, &screened) {
                continue;
            }
            // The p95 of a few runs is their worst: only the median tells what is out of reach.
            if !screened.breaches.is_empty()
                && (near_misses >= NEAR_MISSES || !hopeful(self.question.policy, &screened))
            {
                continue;
            }
            near_misses += usize::from(!screened.breaches.is_empty());
            if let Some((_, close)) = looked_at.iter().find(|(other, _)| same_course(&screened, other)) {
                priced.candidate.distribution = close.distribution.clone();
                priced.candidate.breaches.clone_from(&close.breaches);
                continue;
            }
            match careful {
                Some(careful) if careful.schedule == screened.schedule => priced.candidate = careful.clone(),
                _ => self.extend(priced, self.budget.runs),
            }
            self.note(&priced.candidate);
            looked_at.push((screened, priced.candidate.clone()));
            // What breaks a limit only in many runs breaks it all the same.
            if priced.candidate.breaches.is_empty() {
                within.push(priced.candidate.clone());
            }
        }
        within
    }

    /// What people do without a plan, where the executor can do it at all.
    fn fixed(&self, executor: Executor) -> Vec<Schedule> {
        let static_order = |schedule: &Schedule| matches!(schedule.order, Order::Listed(_) | Order::LeaderFirst);
        let mut fixed = fixed_policies(self.question.cluster, self.question.policy);
        fixed.retain(|schedule| executor == Executor::Steps || static_order(schedule));
        fixed
    }

    /// Lets what people do without a plan run against the best one, so that the plan is never worse.
    fn outdo(&mut self, within: &mut Vec<Candidate>, fixed: Vec<Schedule>) {
        let runs = self.budget.runs;
        for schedule in fixed {
            let best = within.iter().map(|known| known.lost() * EQUAL).min_by(f64::total_cmp).unwrap_or(f64::INFINITY);
            if within.iter().any(|known| known.schedule == schedule) {
                continue;
            }
            let mut priced = self.begin(schedule, 1);
            let mut count = counter(&mut self.done, self.total, self.best, self.progress);
            let arrived = priced.race(&self.question, runs, best, &mut count);
            let sure = is_sure(self.question.policy, &priced.candidate);
            if arrived && sure && priced.candidate.breaches.is_empty() {
                within.push(priced.candidate);
            }
        }
    }

    fn advise(&mut self, executor: Executor, chosen: Option<&Candidate>) -> Vec<Advice> {
        let mut count = counter(&mut self.done, self.total, self.best, self.progress);
        advice(&self.question, executor, self.budget, chosen, &mut count)
    }

    fn unseen_delay(&mut self, executor: Executor, chosen: &Candidate) -> Vec<UnseenDelay> {
        let mut count = counter(&mut self.done, self.total, self.best, self.progress);
        unseen_delay(&self.question, executor, self.budget, chosen, &mut count)
    }

    fn price(&mut self, schedule: Schedule) -> Candidate {
        self.begin(schedule, self.budget.runs).candidate
    }

    fn begin(&mut self, schedule: Schedule, runs: u32) -> Priced {
        let mut count = counter(&mut self.done, self.total, self.best, self.progress);
        Priced::begin(&self.question, schedule, runs, &mut count)
    }

    fn extend(&mut self, priced: &mut Priced, runs: u32) {
        let mut count = counter(&mut self.done, self.total, self.best, self.progress);
        priced.extend(&self.question, runs, &mut count);
    }

    /// Remembers the best so far, for whoever watches.
    fn note(&mut self, candidate: &Candidate) {
        let of = |figure| candidate.distribution.of(figure).mean;
        let better = self
            .best
            .is_none_or(|best| of(Figure::Unassigned) < best.unassigned || candidate.distribution.runs > best.runs);
        if candidate.breaches.is_empty() && better {
            self.best = Some(SoFar {
                runs: candidate.distribution.runs,
                unassigned: of(Figure::Unassigned),
                peak_held: of(Figure::PeakHeld),
                duration: of(Figure::Duration),
            });
        }
        (self.progress)(Progress { done: self.done.min(self.total), total: self.total, best: self.best });
    }
}

fn counter<'c>(
    done: &'c mut u32,
    total: u32,
    best: Option<SoFar>,
    progress: &'c mut dyn FnMut(Progress),
) -> impl FnMut() + 'c {
    move || {
        *done += 1;
        progress(Progress { done: (*done).min(total), total, best });
    }
}

/// The roll that would lose least of those that break a limit, if that is less than the chosen one.
fn cheapest_refused<'a>(all: &'a [Candidate], chosen: &Candidate) -> Option<&'a Candidate> {
    all.iter()
        .filter(|candidate| !candidate.breaches.is_empty() && candidate.lost() < chosen.lost())
        .min_by(|a, b| a.lost().total_cmp(&b.lost()))
}

/// Where milliseconds decide, nothing is promised; unless this wait is asked for.
fn is_sure(policy: &Policy, candidate: &Candidate) -> bool {
    candidate.median(Figure::Races) == 0.0 || policy.wait.is_some()
}

/// Whether the usual run of a roll respects every limit.
fn hopeful(policy: &Policy, candidate: &Candidate) -> bool {
    Limit::ALL.into_iter().all(|limit| {
        let usual = candidate.median(limit.figure());
        limit.allowed(policy).is_none_or(|allowed| usual <= allowed + ROUNDING)
    })
}

/// Two rules that come to the same course in each of several runs need not both be looked at.
fn same_course(candidate: &Candidate, other: &Candidate) -> bool {
    candidate.distribution.runs >= SEVERAL && candidate.distribution.is_same(&other.distribution)
}

/// Nobody would see a difference between the two.
fn alike(one: &Candidate, other: &Candidate) -> bool {
    let same = |figure: Figure| {
        let (one, other) = (one.distribution.of(figure), other.distribution.of(figure));
        let close = |one: f64, other: f64| (one - other).abs() <= 0.005 * one.abs().max(other.abs());
        close(one.median, other.median) && close(one.p95, other.p95)
    };
    [Figure::Unassigned, Figure::Longest, Figure::PeakHeld, Figure::Duration].into_iter().all(same)
}

/// Of rolls that lose equally much the shortest comes first.
fn shortest_of_equals_first(within: &mut [Candidate]) {
    let Some(best) = within.first().map(Candidate::lost) else { return };
    let equals = within.iter().take_while(|other| other.lost() <= best * EQUAL).count();
    within[..equals].sort_by(|a, b| a.median(Figure::Duration).total_cmp(&b.median(Figure::Duration)));
}

/// What has lost so many times as much as the best after a glance is not looked at again.
const FAR: f64 = 3.0;

/// A difference below 2 % is none, and the shorter roll is the better one: what is searched for must
/// not be sooner given up.
const EQUAL: f64 = 1.02;

/// Fewer runs than these can be alike by chance.
const SEVERAL: u32 = 5;

/// So many rolls are looked at closely although one of their few runs broke a limit.
const NEAR_MISSES: usize = 8;

/// So many workers can still be put in every order.
const SMALL: usize = 5;

/// What is known to be beaten spares most orders; where that is not enough, some seconds are.
const STEPS_WITH_BOUND: u64 = 100_000;

/// Where nothing is known that could be beaten, all orders would take minutes.
const STEPS_WITHOUT_BOUND: u64 = 20_000;

/// With more tasks each order takes too long.
const FEW_TASKS: usize = 500;
