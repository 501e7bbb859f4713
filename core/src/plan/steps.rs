//! The steps of a plan: what to wait for, how long, and what should be seen.

use super::priced::{Candidate, Question};
use crate::assessment::{Levels, level_at, unassigned};
use crate::model::{Wait, WorkerId};
use crate::simulation::{Detail, Order, Step, Timeline, simulate};
use crate::units::{Duration, Share, SimTime};

/// One step, as it is expected to come about.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedStep {
    /// Whether the workers are known now: the share of the runs in which this step restarts these.
    pub likely: Share,
    /// What must hold before it begins.
    pub before: Before,
    /// What is waited for after it, before the next one or, for the last, before the roll is over.
    pub after: Wait,
    /// How long its workers may be away before somebody has to look.
    pub back_within: Duration,
    /// How long it may then take until all is settled, where that is waited for.
    pub settled_within: Option<Duration>,
    /// What should be seen until the next step begins.
    pub seen: Seen,
}

/// What must hold before a step. All other workers are members of a stable group in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    /// Everything of the baseline runs.
    pub all_run: bool,
    /// No delay runs.
    pub no_delay: bool,
}

/// What the group does after a step of the expected course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Seen {
    /// Completed rebalances.
    pub rounds: usize,
    /// Who leads then.
    pub leader: Option<WorkerId>,
    /// The delay that begins, if one does.
    pub delay: Option<Duration>,
    /// Tasks that wait for it when the next step begins.
    pub waiting: usize,
}

/// The steps of the chosen roll, in the order of its expected course.
pub(super) fn steps(question: &Question<'_>, chosen: &Candidate, expected: &Timeline, runs: u32) -> Vec<PlannedStep> {
    let runs: Vec<Timeline> = (0..runs.max(1))
        .map(|number| simulate(question.cluster, &chosen.schedule, question.seed.of_run(number), Detail::Figures))
        .collect();
    let nobodys = unassigned(question.cluster, expected);
    let last = expected.steps.len().saturating_sub(1);
    let of = |(place, step): (usize, &Step)| {
        let wait = |place: usize| match &chosen.schedule.order {
            Order::Turns(turns) => turns.get(place).and_then(|turn| turn.wait).unwrap_or(chosen.schedule.wait),
            _ => chosen.schedule.wait,
        };
        // What is quiet when the roll begins is settled; a delay that runs then may be gone through.
        let begins_settled = place == 0 && question.cluster.delay_left().is_none();
        let settled = begins_settled || wait(place) == Wait::Settled;
        let after = if place == last { Wait::Settled } else { wait(place + 1) };
        let away = |run: &Timeline| run.steps.get(place).and_then(|step| Some(step.back? - step.at));
        let rest = |run: &Timeline| {
            let back = run.steps.get(place)?.back?;
            let end = run.steps.get(place + 1).map(|next| next.at).or(run.settled)?;
            Some(end - back)
        };
        let longest = |of: &dyn Fn(&Timeline) -> Option<Duration>| runs.iter().chain([expected]).filter_map(of).max();
        PlannedStep {
            likely: likely(&runs, place, step),
            before: Before { all_run: settled, no_delay: settled || !chosen.schedule.during_delay },
            after,
            back_within: limit(longest(&away).unwrap_or_default()),
            settled_within: (after == Wait::Settled).then(|| limit(longest(&rest).unwrap_or_default())),
            seen: seen(expected, &nobodys, place, step),
        }
    };
    expected.steps.iter().enumerate().map(of).collect()
}

#[expect(clippy::cast_precision_loss, reason = "runs are far fewer than 2^52")]
fn likely(runs: &[Timeline], place: usize, step: &Step) -> Share {
    let sorted = |step: &Step| {
        let mut workers = step.workers.clone();
        workers.sort_unstable();
        workers
    };
    let same = |run: &&Timeline| run.steps.get(place).is_some_and(|other| sorted(other) == sorted(step));
    Share(runs.iter().filter(same).count() as f64 / runs.len() as f64)
}

fn seen(expected: &Timeline, nobodys: &Levels, place: usize, step: &Step) -> Seen {
    let until = expected.steps.get(place + 1).map_or(expected.ended, |next| next.at);
    let within = |at: SimTime| at > step.at && at <= until;
    let rounds: Vec<_> = expected.rounds.iter().filter(|round| within(round.at)).collect();
    let delay = rounds.last().map(|round| round.delay).filter(|delay| !delay.is_zero());
    Seen {
        rounds: rounds.len(),
        leader: rounds.last().map(|round| round.leader),
        delay,
        waiting: if delay.is_some() { level_at(nobodys, until) } else { 0 },
    }
}

/// Half as long again as the longest of the runs, in steps of five seconds, and never below ten:
/// of the simple bounds the one that stays honest with few samples.
fn limit(longest: Duration) -> Duration {
    let step = Duration::from_secs(5).as_micros();
    let half_again = longest.as_micros() + longest.as_micros() / 2;
    Duration::from_micros((half_again + step - 1) / step * step).max(Duration::from_secs(10))
}
