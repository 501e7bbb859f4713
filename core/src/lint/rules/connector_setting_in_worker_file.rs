//! A connector's setting in a worker's file.

use crate::description::{KnownSetting, Owner};
use crate::finding::{Confidence, Severity};
use crate::lint::files::{key_of, worker_files};
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "connector-setting-in-worker-file",
    title: "a worker's file holds what only a connector's configuration can say",
    severity: Severity::Warning,
    confidence: Confidence::High,
    finds: "Settings of connectors, such as errors.tolerance or tasks.max, and overrides of their clients, \
            `producer.override.`, `consumer.override.` and `admin.override.`, in the file of a worker.",
    hurts: "They do nothing there: the worker hands `consumer.override.max.poll.records` to its consumers as a setting \
            called `override.max.poll.records`. Who relies on them, for a longer session or a smaller batch, has the \
            default.",
    todo: "For all connectors of the worker write `consumer.max.poll.records`, without `override.`; for one connector \
           put it into its configuration.",
    wrong: "A plug-in of the worker may read a setting of the same name.",
    sources: &[
        "KIP-458: overrides by a connector",
        "Worker.baseProducerConfigs, baseConsumerConfigs, adminConfigs of Kafka 2.8 to 4.3: the prefix is taken off, \
         nothing else",
        "ConnectorConfig, SourceConnectorConfig, SinkConnectorConfig of Kafka 4.4",
    ],
    settings: &["connector.client.config.override.policy"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        for key in file.settings.keys() {
            let over = PREFIXES.iter().find_map(|(prefix, of)| Some((key.strip_prefix(prefix)?, *of)));
            if let Some((name, client)) = over {
                found.add(
                    key_of(context, file, key),
                    format!("{key} does nothing here: only a connector's configuration can override"),
                    format!("write `{client}.{name}` for all connectors, or put it into the connector's configuration"),
                );
            } else if KnownSetting::of(key).is_some_and(|known| known.owner == Owner::Connector) {
                found.add(
                    key_of(context, file, key),
                    format!("{key} does nothing here: it is a setting of connectors"),
                    "put it into the configuration of the connector",
                );
            }
        }
    }
}

const PREFIXES: [(&str, &str); 3] =
    [("admin.override.", "admin"), ("consumer.override.", "consumer"), ("producer.override.", "producer")];
