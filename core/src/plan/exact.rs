//! The best written order of a small cluster: all of them, but none to its end that has already
//! lost more than the best one known.

use std::cmp::Ordering;

use super::limits::{Limit, breaches};
use super::priced::order;
use crate::assessment::{Distribution, Figure, Impact, Outcomes, assess_work};
use crate::model::{Cluster, Policy, Wait, WorkerId};
use crate::simulation::{Course, Order, Schedule, Seed, Turn};

/// What a written order may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lists {
    /// Whether the leader may be restarted once more between two steps; at the end it may in any case.
    pub leader_between: bool,
    /// Whether it may be restarted once more at all.
    pub leader_again: bool,
    /// So many steps of runs are simulated at most; what is best until then is the answer.
    pub most_steps: u64,
}

/// The best order that can be written down by names: every order of the workers, before each step
/// the wait until the one before is back or until all is settled, and at most one more restart of
/// whoever leads then.
///
/// The figures are those of the runs of `seed` from 0 to `runs` - 1, the same that
/// [`price`](super::price) takes. `bound` is the mean of the unassigned time that is to be beaten.
/// `None` if nothing beats it within the policy, or if no order respects the policy; whether all
/// orders were tried, or [`Lists::most_steps`] came first, is told beside it.
pub fn best_list(
    cluster: &Cluster,
    policy: &Policy,
    lists: Lists,
    seed: Seed,
    runs: u32,
    bound: Option<f64>,
) -> (Option<(Schedule, Distribution)>, bool) {
    let base = Schedule {
        during_delay: policy.during_delay,
        ..Schedule::new(Order::Turns(Vec::new()), policy.wait.unwrap_or(Wait::Back))
    };
    let workers: Vec<WorkerId> = (0..).map(WorkerId).take(cluster.workers.len()).collect();
    let runs = runs.max(1);
    let seeds: Vec<Seed> = (0..runs).map(|number| seed.of_run(number)).collect();
    let mut search = Search {
        cluster,
        policy,
        lists,
        base,
        seeds,
        bound: bound.map(|mean| mean * f64::from(runs)),
        best: None,
        steps: 0,
    };
    let courses = search.seeds.iter().map(|&seed| Course::begin(cluster, &search.base, seed)).collect();
    let lost = vec![0.0; search.seeds.len()];
    search.go_on(&Node { courses, lost, turns: Vec::new(), left: workers, again: false });
    let complete = search.steps < lists.most_steps;
    (search.best, complete)
}

struct Search<'a> {
    cluster: &'a Cluster,
    policy: &'a Policy,
    lists: Lists,
    base: Schedule,
    seeds: Vec<Seed>,
    /// The sum of the unassigned time over the runs that is to be beaten.
    bound: Option<f64>,
    best: Option<(Schedule, Distribution)>,
    /// Steps of runs simulated so far.
    steps: u64,
}

/// An order that is written so far, and each run of it.
struct Node<'a> {
    courses: Vec<Course<'a>>,
    /// What each run has lost so far.
    lost: Vec<f64>,
    turns: Vec<Turn>,
    left: Vec<WorkerId>,
    /// Whether the leader has been restarted once more.
    again: bool,
}

impl<'a> Search<'a> {
    fn go_on(&mut self, node: &Node<'a>) {
        if node.left.is_empty() {
            self.close(node);
        }
        let waits: Vec<Option<Wait>> = match self.policy.wait {
            _ if node.turns.is_empty() => vec![None],
            Some(wait) => vec![Some(wait)],
            None => vec![Some(Wait::Back), Some(Wait::Settled)],
        };
        // Who leads in most runs comes first: its going costs least, and a low bound early spares the rest.
        let leader = node.courses.first().and_then(Course::leader);
        let mut next = node.left.clone();
        next.sort_by_key(|&worker| Some(worker) != leader);
        for wait in waits {
            for &worker in &next {
                if let Some(node) = self.step(node, Turn::of(worker, wait)) {
                    self.go_on(&node);
                }
            }
            let between = self.lists.leader_between || node.left.is_empty();
            if self.lists.leader_again
                && between
                && !node.again
                && !node.turns.is_empty()
                && let Some(node) = self.step(node, Turn::of_leader(wait))
            {
                self.go_on(&node);
            }
        }
    }

    /// One step more, in every run; `None` once it is clear that it leads nowhere.
    fn step(&mut self, node: &Node<'a>, turn: Turn) -> Option<Node<'a>> {
        let mut lost = node.lost.clone();
        let mut broken = 0;
        let mut courses = Vec::with_capacity(node.courses.len());
        for (place, course) in node.courses.iter().enumerate() {
            if self.steps >= self.lists.most_steps {
                return None;
            }
            self.steps += 1;
            let mut course = course.clone();
            course.take(turn.clone());
            let so_far = assess_work(self.cluster, course.timeline());
            broken += usize::from(self.breaks(&so_far));
            if broken > self.seeds.len() * 5 / 100 {
                return None;
            }
            lost[place] = so_far.unassigned.0;
            if self.is_beaten(lost.iter().sum()) {
                return None;
            }
            courses.push(course);
        }
        let mut turns = node.turns.clone();
        let mut left = node.left.clone();
        left.retain(|worker| !turn.workers.contains(worker));
        let again = node.again || turn.leader;
        turns.push(turn);
        Some(Node { courses, lost, turns, left, again })
    }

    /// Whether a run that is not over yet breaks a limit for good: each only grows.
    fn breaks(&self, so_far: &Impact) -> bool {
        [(Limit::MaxShare, so_far.peak_held.0), (Limit::MaxUnassigned, so_far.longest.as_secs_f64())]
            .into_iter()
            .any(|(limit, reached)| limit.allowed(self.policy).is_some_and(|allowed| reached > allowed + 1e-6))
    }

    /// More than the best one, by more than the noise of adding up.
    fn is_beaten(&self, sum: f64) -> bool {
        self.bound.is_some_and(|bound| sum > bound * (1.0 + 1e-9) + 1e-9)
    }

    fn close(&mut self, node: &Node<'a>) {
        let mut outcomes: Option<Outcomes> = None;
        for (course, &seed) in node.courses.iter().zip(&self.seeds) {
            let timeline = course.clone().finish();
            let impact = match self.policy.max_lag {
                Some(_) => crate::assessment::assess(self.cluster, &timeline),
                None => assess_work(self.cluster, &timeline),
            };
            let restarts = timeline.steps.iter().map(|step| step.workers.len()).sum();
            match &mut outcomes {
                Some(outcomes) => outcomes.add(seed, &impact, restarts),
                None => outcomes = Some(Outcomes::new(seed, &impact, restarts)),
            }
        }
        let Some(distribution) = outcomes.map(|outcomes| outcomes.distribution()) else { return };
        let mean = distribution.of(Figure::Unassigned).mean;
        let sum = mean * f64::from(distribution.runs);
        let first = self.best.as_ref().is_none_or(|(_, best)| order(&distribution, best) == Ordering::Less);
        if self.is_beaten(sum) || !first || !breaches(self.policy, &distribution).is_empty() {
            return;
        }
        self.bound = Some(self.bound.map_or(sum, |bound| bound.min(sum)));
        let order = Order::Turns(node.turns.clone());
        self.best = Some((Schedule { order, ..self.base.clone() }, distribution));
    }
}
