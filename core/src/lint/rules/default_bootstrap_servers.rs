//! The brokers are looked for on the worker's own machine.

use crate::finding::{Confidence, Severity};
use crate::lint::files::worker_files;
use crate::lint::{Context, Found, Rule};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "default-bootstrap-servers",
    title: "the brokers are looked for on the worker's own machine",
    severity: Severity::Note,
    confidence: Confidence::Medium,
    finds: "A worker file without bootstrap.servers, or with localhost only.",
    hurts: "Without it workers up to 4.1 ask localhost:9092, and from 4.2 on they do not start. A worker that comes \
            back with the wrong file stays out of the group, and its tasks wait for the whole delay.",
    todo: "Name two or three brokers, so that a worker can start while one of them is away.",
    wrong: "On a single machine localhost is right, and start scripts often add the setting.",
    sources: &["WorkerConfig of Kafka 2.8 to 4.4: default localhost:9092 until 4.1, required since 4.2"],
    settings: &["bootstrap.servers"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for file in worker_files(context) {
        // A file of a few lines is a part of another.
        if file.get("config.storage.topic").is_none() {
            continue;
        }
        let advice = "name two or three brokers";
        match file.get("bootstrap.servers") {
            None => {
                found.add(
                    context.beginning(file.file).labelled("nothing says bootstrap.servers"),
                    "the file names no broker: up to 4.1 that means localhost:9092, from 4.2 on no start",
                    advice,
                );
            }
            Some(setting) => {
                let home = |server: &str| {
                    let server = server.rsplit_once("://").map_or(server, |(_, address)| address);
                    server.starts_with("localhost:") || server.starts_with("127.0.0.1:")
                };
                let servers = setting.value.value.trim();
                if servers.split(',').map(str::trim).all(home) {
                    let finding = found.add(
                        context.of(setting),
                        format!("this worker looks for the brokers on its own machine, at {servers}"),
                        advice,
                    );
                    finding.confidence = Confidence::Low;
                }
            }
        }
    }
}
