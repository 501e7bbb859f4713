//! A version with bugs that this roll meets.

use std::collections::BTreeMap;

use crate::description::WorkersWritten;
use crate::finding::{Confidence, Place, Severity};
use crate::lint::bugs::{Bug, Meets};
use crate::lint::{Context, Found, Phase, Rule, Worker};
use crate::model::{ConnectProtocol, KafkaVersion};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "kafka-version-with-rebalance-bug",
    title: "the workers' version has a bug that a roll meets",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "Described workers of a version with a known bug of rebalancing, starting or stopping that is mended in a \
            later one; one finding for each ticket, and only where what triggers it is there: the protocol, the \
            assignor of sinks, exactly-once sources, several workers.",
    hurts: "What happens differs from ticket to ticket, from a status that is wrong to tasks that run twice or not at \
            all. The simulation follows the version's assignor, so that uneven loads and lost tasks are in its \
            results; what depends on races is not.",
    todo: "Upgrade, with the roll that is planned anyway; until then do what the finding says.",
    wrong: "Vendors mend bugs in releases that keep Kafka's number. Bugs that are open in the newest version are not \
            reported, as nothing helps: KAFKA-16056, KAFKA-17049.",
    sources: &[
        "the table in core/src/lint/bugs.rs: each ticket with the releases whose tags hold its fix",
        "KAFKA-15693, delay 0, has a rule of its own: zero-rebalance-delay",
    ],
    settings: &[],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    if context.roll(Phase::Before).len() < 2 {
        return;
    }
    for phase in [Phase::Before, Phase::After] {
        let mut versions: BTreeMap<KafkaVersion, Vec<(usize, &Worker<'_>)>> = BTreeMap::new();
        for (place, worker) in context.roll(phase).into_iter().enumerate() {
            if let Some(version) = worker.version.filter(|_| worker.phase == phase) {
                versions.entry(version).or_default().push((place, worker));
            }
        }
        for (version, workers) in versions {
            let Some((place, first)) = workers.first() else { continue };
            for bug in Bug::all().iter().filter(|bug| bug.is_in(version)) {
                let mended = phase == Phase::Before
                    && context
                        .roll(Phase::After)
                        .iter()
                        .all(|after| after.version.is_some_and(|after| !bug.is_in(after)));
                let Some(fixed) = bug.fixed_after(version) else { continue };
                if !workers.iter().any(|(_, worker)| meets(worker, bug.meets)) {
                    continue;
                }
                let finding = found.add_about(
                    bug.ticket,
                    version_of(context, first, *place),
                    format!("{version} has {}: {}", bug.ticket, bug.happens),
                    if mended {
                        format!("this roll mends it; until its last restart {}", bug.until)
                    } else {
                        format!("upgrade to {fixed} or later; until then {}", bug.until)
                    },
                );
                (finding.severity, finding.confidence) = (bug.severity, bug.confidence);
            }
        }
    }
}

/// Whether a worker has what brings a bug out.
fn meets(worker: &Worker<'_>, meets: Meets) -> bool {
    let protocol = worker.setup.map(|setup| setup.settings.protocol);
    match meets {
        Meets::All | Meets::RestartOfTasks => true,
        Meets::Cooperative => protocol != Some(ConnectProtocol::Eager),
        Meets::Sessioned => protocol == Some(ConnectProtocol::Sessioned),
        Meets::NoDelay => false,
        Meets::NoClientId => worker.text("client.id").is_none(),
        Meets::CooperativeSinks => worker
            .text("consumer.partition.assignment.strategy")
            .is_some_and(|assignors| assignors.contains("CooperativeStickyAssignor")),
        Meets::ExactlyOnce => worker.text("exactly.once.source.support").is_some_and(|support| support == "enabled"),
    }
}

/// Where the version of a worker is written.
fn version_of(context: &Context<'_>, worker: &Worker<'_>, place: usize) -> Place {
    let Some(described) = context.described() else { return context.key(&["kafka"]) };
    let description = &described.description;
    let own = match &description.workers {
        WorkersWritten::List(list) => list.get(place).and_then(|worker| worker.kafka.as_ref()),
        WorkersWritten::Count(_) => None,
    };
    let roll = &description.roll;
    let changed = roll.workers.iter().find(|(name, _)| name.value == worker.name);
    let after = changed.and_then(|(_, change)| change.kafka.as_ref()).or(roll.all.kafka.as_ref());
    let written = if worker.phase == Phase::After { after.or(own) } else { own };
    context.at(written.map_or(description.kafka.span, |version| version.span))
}
