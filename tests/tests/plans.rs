//! Plans of described clusters: what is chosen, and what does not stand in the way.

use rollgate_core::assessment::Figure;
use rollgate_core::model::{Cluster, Policy, Wait, read};
use rollgate_core::plan::{Budget, Executor, plan, price};
use rollgate_core::simulation::{Flush, Order, Schedule, Seed, Stop};
use rollgate_core::text::Files;

fn described(text: &str) -> (Cluster, Policy) {
    let mut files = Files::default();
    files.insert("cluster.yaml", text);
    read(&files, "cluster.yaml").unwrap_or_else(|errors| panic!("{}", errors[0]))
}

#[test]
fn paused_tasks_do_not_make_the_default_plan_impossible() {
    for paused in [1, 5, 20] {
        let text = format!(
            "version: 1\nkafka: 4.3.1\nworkers: 3\n\
             connectors: {{a: 40, b: {{tasks: {paused}, state: paused}}, c: 12}}\n"
        );
        let (cluster, policy) = described(&text);
        let budget = Budget { screening: 5, finalists: 1, ..Budget::of(&cluster, Some(40)) };
        assert!(
            plan(&cluster, &policy, Executor::Steps, Seed(7), budget, &mut |_| {}).is_ok(),
            "{paused} paused tasks"
        );
    }
}

#[test]
fn a_roll_that_sometimes_sits_out_the_delay_is_not_chosen_for_its_median() {
    let (cluster, policy) = described("version: 1\nkafka: 4.3.1\nworkers: 3\nconnectors: {a: 9}\n");
    for seed in 1..6 {
        let found = plan(&cluster, &policy, Executor::Steps, Seed(seed), Budget::of(&cluster, None), &mut |_| {})
            .unwrap_or_else(|none| panic!("{:?}", none.binding));
        let longest = found.chosen.distribution.of(Figure::Longest);
        assert!(longest.p95 < 60.0, "seed {seed}: {longest:?}");
    }
}

#[test]
fn a_worst_run_of_few_does_not_rule_a_roll_out() {
    let text = "version: 1\nkafka: 4.3.1\nworkers: 5\nrestart: {stop: 1s, start: 18s..25s}\n\
                connectors: {a: 30}\npolicy: {max_share: 100%, leader_again: false, window: 136s}\n";
    let (cluster, policy) = described(text);
    let ours = price(&cluster, &policy, &leader_last(), Seed(3), 200, || ());
    assert!(ours.breaches.is_empty(), "{:?}", ours.breaches);
    assert!(plan(&cluster, &policy, Executor::Steps, Seed(3), Budget::of(&cluster, None), &mut |_| {}).is_ok());
}

fn leader_last() -> Schedule {
    let order = Order::LeaderLast;
    let (stop, flush) = (Stop::Graceful, Flush::Never);
    Schedule { stop, flush, ..Schedule::new(order, Wait::Back) }
}
