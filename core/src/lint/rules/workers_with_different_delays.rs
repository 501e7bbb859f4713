//! Workers of one group say different delays.

use crate::finding::{Confidence, Severity};
use crate::lint::times::names;
use crate::lint::{Context, Found, Phase, Rule, Worker};
use crate::model::ConnectProtocol;
use crate::units::Duration;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "workers-with-different-delays",
    title: "workers of one group have different rebalance delays",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "Workers of one group, now or after the roll, whose scheduled.rebalance.max.delay.ms differs.",
    hurts: "Only the leader's value counts, and who leads changes in each roll: how long a follower's tasks wait is \
            chance, and a test of the one delay says nothing of the other.",
    todo: "Give all workers the same value.",
    wrong: "While a roll brings a new value in, both are there for a while; the files after it must agree.",
    sources: &[
        "IncrementalCooperativeAssignor of Kafka 4.3 is given the leader's own configuration",
        "tests/scenarios/replay/recorded/unequal_delays",
    ],
    settings: &["scheduled.rebalance.max.delay.ms"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for group in context.groups() {
        compare(context, &group.workers, found);
    }
    compare(context, &context.roll(Phase::After), found);
}

fn compare(context: &Context<'_>, workers: &[&Worker<'_>], found: &mut Found) {
    let cooperative = |worker: &&Worker<'_>| {
        let setup = worker.setup?;
        (setup.settings.protocol != ConnectProtocol::Eager).then_some(setup.settings.delay)
    };
    let delays: Vec<(&Worker<'_>, Duration)> =
        workers.iter().filter_map(|worker| Some((*worker, cooperative(worker)?))).collect();
    let with = |delay: Duration| delays.iter().filter(move |(_, own)| *own == delay);
    // What most have is taken for what is meant; of equally many the first.
    let Some(usual) = delays.iter().map(|(_, delay)| *delay).rev().max_by_key(|delay| with(*delay).count()) else {
        return;
    };
    let mut seen = Vec::new();
    for (odd, delay) in delays.iter().filter(|(_, delay)| *delay != usual) {
        if seen.contains(delay) {
            continue;
        }
        seen.push(*delay);
        let who: Vec<&str> = with(*delay).map(|(worker, _)| worker.name).collect();
        let others: Vec<&str> = with(usual).map(|(worker, _)| worker.name).collect();
        let finding = found.add(
            context.setting(odd, "scheduled.rebalance.max.delay.ms", "5 min"),
            format!(
                "the delay is {delay} on {} and {usual} on {}: which counts is up to who leads",
                names(&who),
                names(&others)
            ),
            "give all workers of the group the same scheduled.rebalance.max.delay.ms",
        );
        if let Some((worker, _)) = with(usual).next()
            && let Some(setting) = worker.get("scheduled.rebalance.max.delay.ms")
        {
            finding.also.push(context.of(setting).labelled(format!("{usual} here")));
        }
    }
}
