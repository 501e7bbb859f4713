//! Which address a worker gives the others is left to its machine.

use crate::finding::{Confidence, Severity};
use crate::lint::files::with_group_size;
use crate::lint::{Context, Found, Rule};
use crate::text::is_filled_in;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "no-advertised-address",
    title: "which address the workers advertise is left to their machines",
    severity: Severity::Note,
    confidence: Confidence::Low,
    finds: "Several workers of one group whose files name no host: neither rest.advertised.host.name nor a host in \
            `listeners`.",
    hurts: "A worker then advertises the address to which its own host name resolves. Where /etc/hosts says 127.0.1.1, \
            as Debian and Ubuntu write it, followers cannot reach the leader; where there are several networks, it \
            may be the wrong one.",
    todo: "Set rest.advertised.host.name to a name under which the others reach this worker, such as its own host \
           name. What counts now, a worker says as it starts: Advertised URI.",
    wrong: "In a container the own address is usually the right one, and start scripts often set the name.",
    sources: &[
        "RestServer.advertisedUrl of Kafka 2.8 to 4.3; Jetty's Server.getURI takes InetAddress.getLocalHost",
        "config/connect-distributed.properties of Kafka, which names no host",
    ],
    settings: &["rest.advertised.host.name", "listeners"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for (worker, size) in with_group_size(context) {
        // A description alone says nothing of files that may name a host.
        if size < 2 || worker.get("config.storage.topic").is_none() {
            continue;
        }
        let named = worker.text("rest.advertised.host.name").is_some_and(|name| !name.is_empty());
        let listens = worker.text("listeners").unwrap_or_default();
        let bare = listens.split(',').all(|listener| {
            let address = listener.split_once("://").map_or("", |(_, address)| address);
            address.starts_with(':') || address.is_empty()
        });
        if named || !bare || is_filled_in(listens) {
            continue;
        }
        found.add(
            context.setting(worker, "rest.advertised.host.name", "the address of the machine's own name"),
            "nothing says under which address the other workers reach this one",
            "set rest.advertised.host.name, or see in the log that `Advertised URI` is right",
        );
    }
}
