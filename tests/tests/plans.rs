//! Plans of described clusters: what is chosen, and what does not stand in the way.

use rollgate_core::assessment::Figure;
use rollgate_core::model::{Cluster, Policy, Wait, read};
use rollgate_core::plan::{Budget, Candidate, Change, Executor, Plan, plan, price};
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

/// With nothing to beat, all orders of five workers would take minutes.
#[test]
fn a_search_in_which_nothing_respects_the_policy_ends_soon() {
    let (cluster, policy) = described(
        "version: 1\nkafka: 4.3.1\nworkers: [{name: a, restart: {start: 9s}}, {name: b}, {name: c}, {name: d}, {name: e}]\n\
         settings: {scheduled.rebalance.max.delay.ms: 20000}\nconnectors: {x: 30}\npolicy: {window: 1s}\n",
    );
    let mut runs = 0_u32;
    let none = plan(&cluster, &policy, Executor::Steps, Seed(7), Budget::of(&cluster, Some(10)), &mut |_| runs += 1);
    assert!(none.is_err_and(|none| !none.binding.is_empty()));
    assert!(runs < 5_000, "{runs} runs");
}

/// Each advised change, written into the description, gives the price that was promised.
#[test]
fn what_a_plan_advises_costs_what_it_says() {
    let plain = "version: 1\nkafka: 4.3.1\nworkers: 5\nrestart: {stop: 1s, start: 5s}\nconnectors: {a: 20, b: 10}\n";
    let long = "version: 1\nkafka: 4.3.1\nworkers: 4\nrestart: {start: 20s..30s}\nconnectors: {a: 18}\n\
                policy: {leader_again: false, max_share: 30%}\n";
    let mut checked = 0;
    for text in [plain, long] {
        let found = planned(text);
        assert!(found.advice.iter().any(|advice| advice.advised), "nothing is advised for\n{text}");
        for advice in found.advice.iter().filter(|advice| advice.advised) {
            let held = advice.price.distribution.of(Figure::PeakHeld).p95;
            let written = match advice.change {
                Change::Delay { to, .. } => {
                    let setting = format!("settings: {{scheduled.rebalance.max.delay.ms: {}}}", to.as_millis());
                    let later = advice.later.as_ref().expect("a setting has a price for later rolls");
                    is_promised(&planned(&format!("{text}{setting}\n")), later, text);
                    format!("{text}roll: {{{setting}}}\n")
                }
                Change::WithLeader => with_policy(text, &format!("at_once: 2, max_share: {}%", held.max(0.01) * 100.0)),
                Change::MaxShare { to, .. } => with_policy(text, &format!("max_share: {}%", to.0 * 100.0)),
                Change::LeaderAgain => with_policy(text, "leader_again: true"),
                _ => continue,
            };
            is_promised(&planned(&written), &advice.price, &written);
            checked += 1;
        }
    }
    assert!(checked >= 5, "only {checked} changes were tried");
}

fn planned(text: &str) -> Plan {
    let (cluster, policy) = described(text);
    let budget = Budget::of(&cluster, Some(100));
    plan(&cluster, &policy, Executor::Steps, Seed(7), budget, &mut |_| {})
        .unwrap_or_else(|none| panic!("{:?}\n{text}", none.binding))
}

/// The advice is looked for briefly: a whole search may find something better, nothing dearer.
fn is_promised(plan: &Plan, price: &Candidate, text: &str) {
    let lost = |candidate: &Candidate| candidate.distribution.of(Figure::Unassigned).mean;
    assert!(lost(&plan.chosen) <= 1.05 * lost(price) + 1.0, "{} > {}: {text}", lost(&plan.chosen), lost(price));
}

/// The same with other words in its policy.
fn with_policy(text: &str, words: &str) -> String {
    let (before, old) = text.split_once("policy: {").unwrap_or((text, "}\n"));
    let named: Vec<&str> = words.split(", ").filter_map(|word| word.split(':').next()).collect();
    let kept = old.trim_end().trim_end_matches('}').split(", ").filter(|word| !word.is_empty());
    let kept = kept.filter(|word| named.iter().all(|name| !word.starts_with(name)));
    format!("{before}policy: {{{}}}\n", kept.chain([words]).collect::<Vec<&str>>().join(", "))
}

fn leader_last() -> Schedule {
    let order = Order::LeaderLast;
    let (stop, flush) = (Stop::Graceful, Flush::Never);
    Schedule { stop, flush, ..Schedule::new(order, Wait::Back) }
}
