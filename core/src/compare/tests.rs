//! Variants whose difference is known.

use super::*;
use crate::model::Wait;
use crate::plan::Executor;
use crate::plan::tests::policy;
use crate::simulation::tests::cluster;
use crate::simulation::{Order, Seed};
use crate::units::Duration;

fn input(choice: usize, delay: i64, change: impl FnOnce(&mut Input)) -> Input {
    let cluster = cluster(3, &[("alpha", 12)], Duration::from_secs(delay), Duration::from_secs(6));
    let policy = policy(0.34);
    let mut input = Input { choices: Some(vec![choice]), cluster, policy, roll: None };
    change(&mut input);
    input
}

/// A comparison along one axis; the last is as described.
fn compared(inputs: Vec<Input>) -> Comparison {
    let values = (0..inputs.len()).map(|value| value.to_string()).collect();
    let axes = vec![Axis { key: "k".into(), values }];
    let described = inputs.last().cloned();
    let asked = Asked { executor: Executor::Steps, seed: Seed(7), runs: Some(8) };
    compare(axes, inputs, described.as_ref(), asked, &mut |_| ())
}

fn order(comparison: &Comparison) -> Vec<usize> {
    comparison.variants.iter().map(|variant| variant.input.choices.as_ref().unwrap()[0]).collect()
}

#[test]
fn variants_come_in_the_order_of_what_they_lose_and_those_without_a_roll_last() {
    let settled = |input: &mut Input| input.roll = Some(Schedule::new(Order::LeaderLast, Wait::Settled));
    let short = |input: &mut Input| {
        settled(input);
        input.policy.max_unassigned = Some(Duration::from_secs(1));
    };
    let comparison =
        compared(vec![input(0, 30, short), input(1, 0, settled), input(2, 60, settled), input(3, 30, settled)]);
    assert_eq!(order(&comparison), [1, 3, 2, 0]);
    assert_eq!(comparison.base().unwrap().name, "B");
    assert!(comparison.variants[1].as_described && !comparison.variants[3].answer.feasible());
    assert_eq!(comparison.best().unwrap().name, "A");
    let names: String = comparison.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, "ABCD");
}

#[test]
fn nothing_is_explained_away_between_variants_that_are_equal() {
    let comparison = compared(vec![input(0, 60, |_| ()), input(1, 60, |_| ())]);
    assert!(comparison.variants.iter().all(|variant| variant.as_described));
    let [difference] = comparison.differences.as_slice() else { panic!("{:?}", comparison.differences) };
    assert!(!difference.unassigned && difference.figures.is_empty() && difference.because.is_empty());
    assert!(Shown::ALL.iter().all(|shown| !comparison.is_best_in(&comparison.variants[0], *shown)));
}

#[test]
fn the_best_of_each_figure_is_marked_among_those_that_respect_their_policy() {
    let settled = |input: &mut Input| input.roll = Some(Schedule::new(Order::LeaderLast, Wait::Settled));
    let refused = |input: &mut Input| {
        settled(input);
        input.policy.window = Some(Duration::from_secs(1));
    };
    let comparison = compared(vec![input(0, 0, refused), input(1, 60, settled), input(2, 30, settled)]);
    let marks = |shown| -> String {
        let marked = comparison.variants.iter().filter(|variant| comparison.is_best_in(variant, shown));
        marked.map(|variant| variant.name.as_str()).collect()
    };
    assert_eq!(order(&comparison), [2, 1, 0]);
    assert_eq!((marks(Shown::Mean), marks(Shown::Takes)), ("A".into(), "A".into()));
    // Both move as many tasks, so neither is the better one in it.
    assert_eq!(marks(Shown::Moves), "");
}

#[test]
fn what_differs_from_the_best_by_less_than_the_noise_is_marked_too() {
    let settled = |input: &mut Input| input.roll = Some(Schedule::new(Order::LeaderLast, Wait::Settled));
    let comparison = compared(vec![input(0, 300, settled), input(1, 301, settled), input(2, 600, settled)]);
    let marked = |shown| -> Vec<usize> {
        let of = comparison.variants.iter().filter(|variant| comparison.is_best_in(variant, shown));
        of.map(|variant| variant.input.choices.as_ref().unwrap()[0]).collect()
    };
    assert_eq!((marked(Shown::Mean), marked(Shown::Takes)), (vec![0, 1], vec![0, 1]));
}

#[test]
fn a_delay_of_0_is_explained_with_its_price() {
    let settled = |input: &mut Input| input.roll = Some(Schedule::new(Order::LeaderLast, Wait::Settled));
    let comparison = compared(vec![input(0, 0, settled), input(1, 300, settled)]);
    let first = &comparison.differences[0];
    assert!(first.unassigned);
    let [Mechanism::ZeroDelay { other, moves, other_moves }] = first.because.as_slice() else {
        panic!("{:?}", first.because)
    };
    assert!(*other == Duration::from_secs(300) && moves > other_moves);
    let old = |input: &mut Input| {
        settled(input);
        for worker in &mut input.cluster.workers {
            worker.before.version = crate::model::KafkaVersion::new(3, 4, 0);
            worker.before.rules = worker.before.version.rules();
            worker.after = worker.before.clone();
        }
    };
    let comparison = compared(vec![input(0, 0, old), input(1, 300, old)]);
    assert!(comparison.differences[0].because.contains(&Mechanism::ZeroDelayBug));
}

#[test]
fn two_delays_are_told_by_what_the_runs_show_of_them() {
    let roll = |order: Order, wait| move |input: &mut Input| input.roll = Some(Schedule::new(order, wait));
    let because = |comparison: &Comparison| comparison.differences[0].because.clone();
    let settled = || roll(Order::LeaderLast, Wait::Settled);
    let sat_out = compared(vec![input(0, 60, settled()), input(1, 300, settled())]);
    assert!(matches!(because(&sat_out)[..], [Mechanism::DelaySatOut { .. }]), "{:?}", because(&sat_out));
    let below = compared(vec![input(0, 2, settled()), input(1, 300, settled())]);
    assert!(matches!(because(&below)[..], [Mechanism::DelayBelowRestart { .. }]), "{:?}", because(&below));
    // Restarting the leader after each follower ends its delay, however long.
    let again = || {
        |input: &mut Input| {
            let flush = crate::simulation::Flush::AfterFollowers(1);
            input.roll = Some(Schedule { flush, ..Schedule::new(Order::PresentLeader, Wait::Back) });
        }
    };
    let early = compared(vec![input(0, 60, again()), input(1, 300, again())]);
    assert!(!early.differences[0].unassigned);
    assert!(matches!(because(&early)[..], [Mechanism::DelayEndedEarly { .. }]), "{:?}", because(&early));
}

#[test]
fn only_one_axis_changes_between_neighbours() {
    let settled = |input: &mut Input| input.roll = Some(Schedule::new(Order::LeaderLast, Wait::Settled));
    let at = |delay: usize, start: usize| {
        let mut of = input(0, [0, 30, 60][delay], settled);
        of.choices = Some(vec![delay, start]);
        for worker in &mut of.cluster.workers {
            worker.restart.down = crate::units::Spread::Fixed(Duration::from_secs([0, 9][start]));
        }
        of
    };
    let inputs: Vec<Input> = (0..3).flat_map(|delay| [at(delay, 0), at(delay, 1)]).collect();
    let described = inputs[5].clone();
    let axis =
        |key: &str, count: usize| Axis { key: key.into(), values: (0..count).map(|of| of.to_string()).collect() };
    let asked = Asked { executor: Executor::Steps, seed: Seed(7), runs: Some(4) };
    let comparison = compare(vec![axis("delay", 3), axis("start", 2)], inputs, Some(&described), asked, &mut |_| ());
    let choices = |place: usize| comparison.variants[place].input.choices.clone().unwrap();
    assert!(comparison.differences[0].axis.is_none());
    for neighbours in &comparison.differences[1..] {
        let (from, to) = (choices(neighbours.from), choices(neighbours.to));
        let differ: Vec<usize> = (0..2).filter(|&axis| from[axis] != to[axis]).collect();
        assert_eq!(differ, [neighbours.axis.unwrap()]);
    }
    assert_eq!(comparison.differences.len(), 4);
}
