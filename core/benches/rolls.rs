//! Whole rolls at named sizes: one roll, and the many runs of a plan.

use divan::Bencher;
use rollgate_core::assessment::assess;
use rollgate_core::model::{Cluster, Wait, WorkerId, read};
use rollgate_core::plan::goes_now;
use rollgate_core::simulation::{Detail, Flush, Order, Schedule, Seed, simulate};
use rollgate_core::text::Files;

fn main() {
    divan::main();
}

fn cluster(workers: u32, connectors: u32, tasks: u32, delay_ms: u32) -> Cluster {
    let text = format!(
        "version: 1\nkafka: 4.3.1\nworkers: {workers}\nsettings: {{scheduled.rebalance.max.delay.ms: {delay_ms}}}\n\
         restart: {{stop: 1s, start: 4s..9s}}\n\
         connectors:\n  - {{name: 'source-{{n}}', count: {connectors}, kind: source, tasks: {tasks}, start: 1s}}\n"
    );
    let mut files = Files::default();
    files.insert("cluster.yaml", text);
    match read(&files, "cluster.yaml") {
        Ok((cluster, _)) => cluster,
        Err(errors) => panic!("{}", errors[0]),
    }
}

fn schedule(order: Order, wait: Wait, flush: Flush) -> Schedule {
    Schedule { flush, ..Schedule::new(order, wait) }
}

fn rolls(bencher: Bencher<'_, '_>, cluster: &Cluster, schedule: &Schedule, runs: u64) {
    bencher.bench(|| {
        (0..runs)
            .map(|seed| assess(cluster, &simulate(cluster, schedule, Seed(seed), Detail::Figures)).unassigned.0)
            .sum::<f64>()
    });
}

#[divan::bench]
fn thousand_rolls_of_12_workers_200_tasks(bencher: Bencher<'_, '_>) {
    let cluster = cluster(12, 10, 20, 300_000);
    rolls(bencher, &cluster, &schedule(Order::LeaderFirst, Wait::Back, Flush::AfterFollowers(1)), 1_000);
}

#[divan::bench]
fn one_roll_of_100_workers_5000_tasks_leader_last(bencher: Bencher<'_, '_>) {
    let cluster = cluster(100, 100, 50, 300_000);
    rolls(bencher, &cluster, &schedule(Order::LeaderLast, Wait::Back, Flush::Never), 1);
}

#[divan::bench]
fn one_of_100_workers_5000_tasks_goes_now_5_runs(bencher: Bencher<'_, '_>) {
    let cluster = cluster(100, 100, 50, 300_000);
    bencher.bench(|| goes_now(&cluster, &[WorkerId(7)], Seed(3), 5).unassigned.mean);
}

#[divan::bench]
fn one_roll_of_100_workers_5000_tasks_settled(bencher: Bencher<'_, '_>) {
    let cluster = cluster(100, 100, 50, 300_000);
    rolls(bencher, &cluster, &schedule(Order::LeaderLast, Wait::Settled, Flush::Never), 1);
}

#[divan::bench]
fn one_roll_of_100_workers_5000_tasks_flushing(bencher: Bencher<'_, '_>) {
    let cluster = cluster(100, 100, 50, 300_000);
    rolls(bencher, &cluster, &schedule(Order::PresentLeader, Wait::Back, Flush::AfterFollowers(1)), 1);
}

#[divan::bench]
fn one_roll_of_100_workers_5000_tasks_delay_0(bencher: Bencher<'_, '_>) {
    let cluster = cluster(100, 100, 50, 0);
    rolls(bencher, &cluster, &schedule(Order::LeaderLast, Wait::Settled, Flush::Never), 1);
}

#[divan::bench]
fn one_roll_of_200_workers_5000_tasks_flushing(bencher: Bencher<'_, '_>) {
    let cluster = cluster(200, 100, 50, 300_000);
    rolls(bencher, &cluster, &schedule(Order::PresentLeader, Wait::Back, Flush::AfterFollowers(1)), 1);
}
