//! The delay lasts far longer than a restart.

use crate::finding::{Confidence, Place, Severity};
use crate::lint::{Context, Example, Found, Group, Phase, Rule, Side, Worker};
use crate::model::{ConnectProtocol, Wait, with_room};
use crate::units::Duration;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "long-delay-with-quick-restarts",
    title: "the rebalance delay is far longer than a restart",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "A scheduled.rebalance.max.delay.ms, 300000 by default, of at least three times a restart and half a \
            minute more. Of worker files alone, where no restart time is known, one of five minutes or more.",
    hurts: "A follower that is back after seconds does not get its tasks back: they stay without an owner until the \
            whole delay has passed. One restart of 4 s, of a worker with 4 tasks, cost 1,205 task-seconds by the \
            default. Who waits for settled pays that for each follower.",
    todo: "Set the delay just above a restart as you measure it, or to 0 on versions that hand lost work out at once \
           (3.5.2, 3.6.1, 3.7.0 and later). The leader's value counts, so that a roll brings it in with the first \
           changed worker that leads. Without a change: the order that `rollgate plan` finds.",
    wrong: "The delay is there for workers that stay away for minutes, such as hosts that are patched: if those are \
            the restarts you do, it is right, and the description should say so in `restart`.",
    sources: &[
        "KIP-415; DistributedConfig, IncrementalCooperativeAssignor of Kafka 4.3",
        "measured with Kafka 4.4.0 and its defaults: away for 4.3 s, tasks for 301.4 s each",
        "tests/scenarios/incidents/follower_stop_waits_for_the_delay; tests/scenarios/known/five_workers_settled",
    ],
    settings: &["scheduled.rebalance.max.delay.ms"],
    example: Some(Example {
        bad: Side {
            what: "a delay of 300 s",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 5s}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "settled",
        },
        better: Side {
            what: "a delay of 20 s",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 5s}\n\
                          settings: {scheduled.rebalance.max.delay.ms: 20000}\n\
                          connectors: {orders: 12}\nleader: w1\n",
            order: "leader-last",
            wait: "settled",
        },
    }),
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for group in context.groups() {
        if group.workers.iter().any(|worker| worker.described.is_some()) {
            described(context, found);
        } else {
            alone(context, &group, found);
        }
    }
}

fn described(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    let workers = context.roll(Phase::Before);
    if workers.len() < 2 {
        return;
    }
    let Some((worker, delay)) = longest(&workers) else { return };
    let restart =
        described.cluster.workers.iter().map(|worker| worker.restart.usually_away()).max().unwrap_or_default();
    if delay < restart * 3 || delay < restart + SPARE {
        return;
    }
    let brought_down = longest(&context.roll(Phase::After)).is_some_and(|(_, after)| after < delay);
    let knows = described.knows_starts();
    let assumed = if knows { "" } else { " (assumed)" };
    let mut evidence =
        format!("a follower is back after {restart}{assumed}, and its tasks wait for a delay of {delay}");
    let mut also: Option<Place> = None;
    if described.policy.wait == Some(Wait::Settled) {
        evidence.push_str(", each follower's in turn");
        also = Some(context.key(&["policy", "wait"]).labelled("the roll waits it out"));
    } else if !described.policy.during_delay {
        evidence.push_str(", each follower's in turn");
        also = Some(context.key(&["policy", "during_delay"]).labelled("the roll waits it out"));
    }
    let finding = found.add(
        context.setting(worker, "scheduled.rebalance.max.delay.ms", "5 min"),
        evidence,
        if brought_down {
            "this roll brings a shorter one, which counts from the moment a restarted worker leads; until then roll \
             in the order that rollgate plan gives"
                .to_owned()
        } else {
            format!(
                "set scheduled.rebalance.max.delay.ms to {}, or roll in the order that rollgate plan gives",
                with_room(restart).as_millis()
            )
        },
    );
    if brought_down {
        finding.severity = Severity::Note;
    }
    finding.also.extend(also);
    if !knows {
        finding.confidence = Confidence::Medium;
    }
}

/// Of worker files the restart is not known.
fn alone(context: &Context<'_>, group: &Group<'_, '_>, found: &mut Found) {
    let Some((worker, delay)) = longest(&group.workers) else { return };
    if delay < DEFAULT {
        return;
    }
    let finding = found.add(
        context.setting(worker, "scheduled.rebalance.max.delay.ms", "5 min"),
        format!("a restarted follower's tasks wait for a delay of {delay}, however soon it is back"),
        "set scheduled.rebalance.max.delay.ms just above the time a restart takes",
    );
    (finding.severity, finding.confidence) = (Severity::Note, Confidence::Low);
}

/// The longest delay of cooperative workers, and who has it.
fn longest<'w, 'i>(workers: &[&'w Worker<'i>]) -> Option<(&'w Worker<'i>, Duration)> {
    let delays = workers.iter().filter_map(|worker| Some((*worker, worker.setup?)));
    if delays.clone().any(|(_, setup)| setup.settings.protocol == ConnectProtocol::Eager) {
        return None;
    }
    let delays = delays.map(|(worker, setup)| (worker, setup.settings.delay));
    // Of equal ones the first.
    delays.fold(None, |best: Option<(&Worker<'_>, Duration)>, next| match best {
        Some(best) if best.1 >= next.1 => Some(best),
        _ => Some(next),
    })
}

/// What is waited for nothing, to be worth a word.
const SPARE: Duration = Duration::from_secs(30);

/// scheduled.rebalance.max.delay.ms.
const DEFAULT: Duration = Duration::from_secs(300);
