//! `chart`: one picture of a roll, or of what it would cost otherwise.

use super::chart_options::{ChartOptions, Figure};
use super::simulate::{self, Simulated};
use super::{Answer, OptionError, PlanOptions, Refusal};
use crate::assessment::{Figure as Cost, Impact, TaskSeconds, assess};
use crate::chart::{self, DelayPoint, Delays, Look, Variant};
use crate::model::{Cluster, Policy, read};
use crate::plan::{Budget, Candidate, NoPlan, Plan, Progress, absences, plan, present_delays, price_delays};
use crate::report::{alternatives, rule};
use crate::simulation::{Detail, Seed, Timeline, simulate as run_roll};
use crate::text::Files;

/// Draws a figure of the cluster that the file `main` describes, as an SVG document; `progress`
/// is told now and then how far it is. The answer is no if what is drawn respects no policy:
/// then it is the roll that comes nearest.
///
/// # Errors
/// Everything that is wrong with the files, or the first option that cannot be taken; also if
/// nothing is known of what is to be drawn.
pub fn chart(
    files: &Files,
    main: &str,
    options: &ChartOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Answer, Refusal> {
    let (cluster, policy) = read(files, main)?;
    let (figure, look) = (options.figure()?, options.look()?);
    let plan_options = PlanOptions { executor: options.executor, seed: options.seed, runs: options.runs };
    let budget = Budget::of(&cluster, plan_options.runs()?);
    let seed = Seed(options.seed);
    match (figure, options.given()) {
        (Figure::Delay, given) => {
            let given = given.map(|given| given.schedule(&cluster)).transpose()?;
            let svg = delay(look, &cluster, &policy, given.as_ref(), seed, budget, progress)?;
            Ok(Answer { report: svg, yes: true })
        }
        (Figure::Variants, Some(_)) => {
            let said = "the figure `variants` compares the rolls of the plan: leave out order, wait, at-once, stop and \
                        leader-again";
            Err(OptionError(said.to_owned()).into())
        }
        (Figure::Variants, None) => {
            let found = plan(&cluster, &policy, plan_options.executor(), seed, budget, progress);
            let (list, yes) = match &found {
                Ok(plan) => (alternatives(plan), true),
                Err(none) => (none.nearest.iter().map(|nearest| ("nearest", nearest)).collect(), false),
            };
            Ok(Answer { report: variants(look, &cluster, &list, seed, yes), yes })
        }
        (figure, Some(given)) => {
            let simulated = simulate::run(&cluster, &policy, &given)?;
            let report = drawn(look, &cluster, &policy, figure, &Shown::simulated(&cluster, &simulated))?;
            Ok(Answer { report, yes: true })
        }
        (figure, None) => {
            let found = plan(&cluster, &policy, plan_options.executor(), seed, budget, progress);
            let shown = match &found {
                Ok(plan) => Shown::planned(&cluster, plan),
                Err(none) => Shown::nearest(&cluster, none)?,
            };
            Ok(Answer { report: drawn(look, &cluster, &policy, figure, &shown)?, yes: found.is_ok() })
        }
    }
}

/// The run that is drawn, and what it is.
pub(super) struct Shown {
    timeline: Timeline,
    impact: Impact,
    about: String,
}

impl Shown {
    /// The expected course of a plan.
    pub(super) fn planned(cluster: &Cluster, plan: &Plan) -> Self {
        let about = format!("The plan: {}. {}", rule(cluster, &plan.chosen.schedule), median(&plan.chosen, plan.seed));
        Self { timeline: plan.expected.clone(), impact: plan.impact.clone(), about }
    }

    /// A roll somebody asked for.
    pub(super) fn simulated(cluster: &Cluster, simulated: &Simulated) -> Self {
        let rule = capital(&rule(cluster, &simulated.schedule));
        let runs = simulated.distribution.as_ref().map_or(1, |distribution| distribution.runs);
        let drawn = if runs > 1 { format!("The median of {runs} runs") } else { "One run".to_owned() };
        let about = format!("{rule}. {drawn}, seed {}.", simulated.asked.0);
        Self { timeline: simulated.timeline.clone(), impact: simulated.impact.clone(), about }
    }

    /// What comes nearest to a plan where there is none.
    pub(super) fn nearest(cluster: &Cluster, none: &NoPlan) -> Result<Self, OptionError> {
        let Some(nearest) = &none.nearest else {
            return Err(OptionError("no roll can be drawn: the policy allows none".to_owned()));
        };
        let timeline = run_roll(cluster, &nearest.schedule, nearest.distribution.median_seed, Detail::Full);
        let impact = assess(cluster, &timeline);
        let rule = rule(cluster, &nearest.schedule);
        let about =
            format!("No roll respects the policy; this one comes nearest: {rule}. {}", median(nearest, none.seed));
        Ok(Self { timeline, impact, about })
    }
}

/// A picture of one run.
pub(super) fn drawn(
    look: Look,
    cluster: &Cluster,
    policy: &Policy,
    figure: Figure,
    shown: &Shown,
) -> Result<String, OptionError> {
    let run = chart::Run { cluster, policy, timeline: &shown.timeline, impact: &shown.impact, about: &shown.about };
    match figure {
        Figure::Unassigned => Ok(chart::unassigned(look, &run)),
        Figure::Lag => chart::lag(look, &run).ok_or_else(|| {
            OptionError(
                "there is no lag to draw: the description gives no flow; give `rate` of a running connector, such as \
                 `rate: 8000/s`, and `capacity` of its tasks"
                    .to_owned(),
            )
        }),
        _ => Ok(chart::roll(look, &run)),
    }
}

fn delay(
    look: Look,
    cluster: &Cluster,
    policy: &Policy,
    given: Option<&crate::simulation::Schedule>,
    seed: Seed,
    budget: Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<String, OptionError> {
    let prices = price_delays(cluster, policy, given, seed, budget, progress);
    let points: Vec<DelayPoint<'_>> =
        prices.iter().map(|price| DelayPoint { delay: price.delay, runs: &price.roll.distribution }).collect();
    let rolls = given.map_or_else(
        || "With each delay the best of a few rolls".to_owned(),
        |given| format!("With each delay the same roll: {}", rule(cluster, given)),
    );
    let runs = points.first().map_or(0, |point| point.runs.runs);
    let about = format!(
        "{rolls}; the delay is that of all workers, before and after their restart. {runs} runs of each, seed {}.",
        seed.0
    );
    let (present, restarts) = (present_delays(cluster), absences(cluster));
    let delays =
        Delays { points: &points, present: &present, restarts: &restarts, limit: policy.max_share, about: &about };
    chart::delay(look, &delays).ok_or_else(|| OptionError("no delay could be priced: no roll is allowed".to_owned()))
}

fn variants(look: Look, cluster: &Cluster, list: &[(&str, &Candidate)], seed: Seed, yes: bool) -> String {
    let named = |(kind, roll): &(&str, &Candidate)| {
        let rule = rule(cluster, &roll.schedule);
        if kind.is_empty() { capital(&rule) } else { format!("{}: {rule}", capital(kind)) }
    };
    let all: Vec<Variant<'_>> =
        list.iter().map(|entry| Variant { name: named(entry), runs: &entry.1.distribution }).collect();
    let title = match list {
        [] => "No roll is allowed".to_owned(),
        [_] if yes => "One roll respects the policy".to_owned(),
        [_] => "No roll respects the policy; this one comes nearest".to_owned(),
        [(_, plan), others @ ..] => {
            let cost = |roll: &Candidate| TaskSeconds(roll.distribution.of(Cost::Unassigned).median);
            match others.iter().find(|(kind, _)| *kind == COMMON) {
                Some((_, common)) => format!(
                    "The plan leaves {} task-seconds without an owner, common practice {}",
                    cost(plan),
                    cost(common)
                ),
                None => format!("The plan leaves {} task-seconds without an owner", cost(plan)),
            }
        }
    };
    let runs = all.first().map_or(0, |variant| variant.runs.runs);
    chart::variants(look, &title, &format!("{runs} runs of each, seed {}.", seed.0), &all)
}

fn median(candidate: &Candidate, seed: Seed) -> String {
    format!("The median of {} runs, seed {}.", candidate.distribution.runs, seed.0)
}

fn capital(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
}

/// What the report calls the roll that most people do.
const COMMON: &str = "common practice";
