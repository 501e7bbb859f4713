//! Workers of one group say different protocols.

use crate::finding::{Confidence, Severity};
use crate::lint::times::names;
use crate::lint::{Context, Found, Phase, Rule, Worker};
use crate::model::ConnectProtocol;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "workers-with-different-protocols",
    title: "workers of one group have different protocols",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "Workers of one group, now or after the roll, whose connect.protocol differs.",
    hurts: "The least of them counts for all, as long as its worker is a member. With one eager worker among others \
            every rebalance is eager, tasks that move run twice while it joins a running group, and its restarts \
            change the rules in the middle of the roll, twice. With one compatible worker among sessioned ones the \
            internal requests of the workers are not signed.",
    todo: "Give all workers the same protocol; leave connect.protocol out for sessioned.",
    wrong: "While a roll brings a new protocol in, both are there for a while; what counts is where it ends. From \
            eager to sessioned that is harmless, the other way round it is not.",
    sources: &[
        "KIP-415, KIP-507; ConnectProtocolCompatibility of Kafka 4.3",
        "tests/scenarios/incidents/one_eager_worker_makes_all_eager; \
         tests/scenarios/replay/recorded/follower_bounce_beside_an_eager_worker",
    ],
    settings: &["connect.protocol"],
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
    let protocols: Vec<(&Worker<'_>, ConnectProtocol)> =
        workers.iter().filter_map(|worker| Some((*worker, worker.setup?.settings.protocol))).collect();
    let Some(least) = protocols.iter().map(|(_, protocol)| *protocol).min() else { return };
    let who = |least_ones: bool| -> Vec<&str> {
        let of = protocols.iter().filter(|(_, protocol)| (*protocol == least) == least_ones);
        of.map(|(worker, _)| worker.name).collect()
    };
    let others = who(false);
    if others.is_empty() {
        return;
    }
    let (what, severity) = if least == ConnectProtocol::Eager {
        ("every rebalance is eager while it is a member", Severity::Error)
    } else {
        ("internal requests are not signed while it is a member", Severity::Warning)
    };
    let Some((worker, _)) = protocols.iter().find(|(_, protocol)| *protocol == least) else { return };
    let finding = found.add(
        context.setting(worker, "connect.protocol", "sessioned"),
        format!("connect.protocol is {least} on {} and not on {}: {what}", names(&who(true)), names(&others)),
        "give all workers of the group the same connect.protocol, or none, which means sessioned",
    );
    finding.severity = severity;
}
