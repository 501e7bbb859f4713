//! A connector writes new task configs each time its instance starts.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Example, Found, Rule, Side};
use crate::model::ConnectorState;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "connectors-reconfigured-during-roll",
    title: "a connector changes its tasks' configs while the roll goes on",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "A connector with `reconfigures_after`: each start of its instance ends in new task configs. The same \
            happens when somebody edits, creates or deletes connectors while workers restart, which no file shows.",
    hurts: "New task configs stop all tasks of the connector on all workers at once, cost one more rebalance, and \
            come seconds after the restart that caused them, when the next may have begun already. Tasks whose \
            worker is away wait for the delay all the same: a change revives none. A change of a connector whose \
            instance is waiting itself takes effect only after the delay.",
    todo: "Wait until all is settled and a few seconds more before the next restart, and let nobody change \
           connectors meanwhile. If you can, make the configs the same at each start: sorted lists, no time stamps.",
    wrong: "From Kafka 3.9 on, and before where the configs come out the same, nothing is written and nothing \
            stops; then `reconfigures_after` does not belong into the description.",
    sources: &[
        "AbstractHerder.taskConfigsChanged, DistributedHerder.publishConnectorTaskConfigs (Kafka 4.3); KAFKA-9228",
        "tests/scenarios/replay/recorded/second_wave, connector_shrunk_without_its_instance",
    ],
    settings: &[],
    example: Some(Example {
        bad: Side {
            what: "new configs at each start",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 5s}\nleader: w1\n\
                          connectors: {orders: {tasks: 12, start: 3s, reconfigures_after: 2s}}\n",
            order: "leader-last",
            wait: "back",
        },
        better: Side {
            what: "the same configs each time",
            description: "version: 1\nkafka: 4.3.1\nworkers: 3\nrestart: {stop: 1s, start: 5s}\nleader: w1\n\
                          connectors: {orders: {tasks: 12, start: 3s}}\n",
            order: "leader-last",
            wait: "back",
        },
    }),
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    let Some(described) = context.described() else { return };
    for listed in described.connectors() {
        let connector = listed.connector;
        let Some(after) = &connector.reconfigures_after else { continue };
        if connector.state != ConnectorState::Running || connector.tasks == 0 {
            continue;
        }
        found.add(
            context.connector(listed, "reconfigures_after"),
            format!(
                "`{}` writes new task configs up to {} after each start of its instance, which stops {}",
                connector.name,
                after.longest(),
                whole(connector.tasks)
            ),
            "wait for settled and longer than that before the next restart, or make the configs the same each time",
        );
    }
}

fn whole(tasks: u32) -> String {
    if tasks == 1 { "its 1 task".to_owned() } else { format!("all its {tasks} tasks") }
}
