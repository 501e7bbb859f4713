//! A restart takes longer than the delay waits.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Example, Found, Phase, Rule, Side};
use crate::model::{ConnectProtocol, with_room};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "rebalance-delay-shorter-than-restart",
    title: "a worker is away for longer than the rebalance delay waits",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A worker that is out of the group, from LeaveGroup to JoinGroup, for longer (p95) than \
            scheduled.rebalance.max.delay.ms, unless that is 0.",
    hurts: "The tasks wait for the whole delay, go to the other workers then, and are taken from them again when the \
            worker is back: they stop twice and have waited for nothing. The workers that are left carry them \
            meanwhile.",
    todo: "Set the delay above the longest restart, make the restart shorter, or set the delay to 0 on versions that \
           hand lost work out at once (3.5.2, 3.6.1, 3.7.0 and later), where nothing waits.",
    wrong: "If what arrives must not wait longer than the delay, a short one is right: it is then the longest time \
            that a task may be away.",
    sources: &[
        "KIP-415; IncrementalCooperativeAssignor.handleLostAssignments of Kafka 4.3",
        "tests/scenarios/replay/recorded/follower_away_longer_than_the_delay",
    ],
    settings: &["scheduled.rebalance.max.delay.ms"],
    example: Some(Example {
        bad: Side {
            what: "a delay of 20 s",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 40s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 20000}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "settled",
        },
        better: Side {
            what: "a delay of 0",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 40s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 0}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "settled",
        },
    }),
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    for phase in [Phase::Before, Phase::After] {
        let workers = context.roll(phase);
        let setups = || workers.iter().filter_map(|worker| Some((*worker, worker.setup?)));
        if workers.len() < 2 || setups().any(|(_, setup)| setup.settings.protocol == ConnectProtocol::Eager) {
            continue;
        }
        // The leader's delay counts, and anybody may lead.
        let waiting = setups().filter(|(_, setup)| !setup.settings.delay.is_zero());
        let Some((shortest, setup)) = waiting.min_by_key(|(_, setup)| setup.settings.delay) else { continue };
        let delay = setup.settings.delay;
        let restarts = described.cluster.workers.iter().map(|worker| (worker, worker.restart.usually_away()));
        let slow: Vec<_> = restarts.filter(|(_, away)| *away > delay).collect();
        let Some((slowest, longest)) = slow.iter().rev().max_by_key(|(_, away)| *away) else { continue };
        let (whose, them) = match slow.len() {
            1 => (slowest.name.clone(), "its tasks wait, move, and move back"),
            2 => (format!("{} and another", slowest.name), "their tasks wait, move, and move back"),
            more => (format!("{} and {} others", slowest.name, more - 1), "their tasks wait, move, and move back"),
        };
        let is = if slow.len() == 1 { "is" } else { "are" };
        let knows = described.knows_starts();
        let assumed = if knows { "" } else { " (assumed)" };
        let finding = found.add(
            context.setting(shortest, "scheduled.rebalance.max.delay.ms", "5 min"),
            format!("{whose} {is} away for up to {longest}{assumed}, longer than the delay of {delay}: {them}"),
            format!(
                "set scheduled.rebalance.max.delay.ms to {}, or to 0 where that hands work out at once",
                with_room(*longest).as_millis()
            ),
        );
        if !knows {
            finding.confidence = Confidence::Medium;
        }
    }
}
