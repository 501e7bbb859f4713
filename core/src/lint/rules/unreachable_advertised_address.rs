//! The other workers cannot reach this one under the address it gives them.

use crate::finding::{Confidence, Place, Severity};
use crate::lint::files::with_group_size;
use crate::lint::{Context, Found, Rule, Worker};
use crate::model::KafkaVersion;
use crate::text::is_filled_in;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "unreachable-advertised-address",
    title: "a worker tells the others an address that leads to themselves",
    severity: Severity::Error,
    confidence: Confidence::High,
    finds: "A worker that advertises localhost, 127.x, 0.0.0.0 or ::1: by rest.advertised.host.name or, without it, \
            by the host in `listeners`.",
    hurts: "A follower hands the leader what only the leader may do: task configurations of its connectors, changes \
            over REST, the fencing of exactly-once tasks. With such an address the call reaches the follower itself \
            or nobody. As long as one worker leads and runs the connectors all seems well; after a roll, when they \
            have moved, connectors stay without tasks, or with old ones.",
    todo: "Set rest.advertised.host.name to a name under which the others reach this worker. To bind to all \
           addresses leave the host out: `listeners=http://:8083`.",
    wrong: "Several workers on one machine reach each other by localhost, as in a trial; and something may fill \
            the address in as the worker starts.",
    sources: &[
        "RestServer.advertisedUrl of Kafka 2.8 to 4.3: the advertised host, else the listener's, else the machine's own address",
        "DistributedHerder, HerderRequestHandler: forwarding to the leader's url",
    ],
    settings: &["rest.advertised.host.name", "rest.advertised.listener", "listeners", "rest.host.name"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for (worker, size) in with_group_size(context) {
        let Some((host, at)) = advertised(context, worker).filter(|(host, _)| leads_home(host)) else { continue };
        if worker.described.is_some() && size < 2 {
            continue;
        }
        let finding = found.add(
            at,
            format!("this worker tells the others to reach it at {host}, which leads each to itself"),
            "set rest.advertised.host.name to a name that the other workers resolve to this one",
        );
        if size < 2 {
            // Of a second worker nothing is known here.
            (finding.severity, finding.confidence) = (Severity::Warning, Confidence::Medium);
        }
    }
}

/// The host a worker advertises because of its settings; `None` if that is the machine's own address.
fn advertised<'i>(context: &Context<'_>, worker: &Worker<'i>) -> Option<(&'i str, Place)> {
    let said = |key: &str| {
        let setting = worker.get(key)?;
        let host = setting.value.value.trim();
        (!host.is_empty()).then(|| (host, context.of(setting)))
    };
    if let Some(name) = said("rest.advertised.host.name") {
        return Some(name);
    }
    if let Some((listeners, at)) = said("listeners") {
        return Some((host_of(listeners, worker.text("rest.advertised.listener"))?, at));
    }
    // Nobody reads it any more from 3.0 on.
    let old = worker.version.is_some_and(|version| version < KafkaVersion::new(3, 0, 0));
    said("rest.host.name").filter(|_| old)
}

/// The host of the listener that is advertised: that of the protocol asked for, else of http, else of https.
fn host_of<'l>(listeners: &'l str, protocol: Option<&str>) -> Option<&'l str> {
    let of = |wanted: &str| {
        listeners.split(',').map(str::trim).find_map(|listener| {
            let (protocol, address) = listener.split_once("://")?;
            protocol.eq_ignore_ascii_case(wanted).then_some(address)
        })
    };
    let address = match protocol.filter(|protocol| !protocol.is_empty()) {
        Some(protocol) => of(protocol)?,
        None => of("http").or_else(|| of("https"))?,
    };
    let address = address.split('/').next().unwrap_or_default();
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.rsplit('@').next().unwrap_or(host);
    (!host.is_empty()).then_some(host)
}

/// Whether an address leads whoever asks to himself.
fn leads_home(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
    let number = host.strip_prefix("127.").is_some_and(|rest| rest.split('.').all(|part| part.parse::<u8>().is_ok()));
    let name =
        matches!(host.as_str(), "localhost" | "localhost.localdomain" | "ip6-localhost" | "0.0.0.0" | "::1" | "::");
    !is_filled_in(&host) && (number || name || host.ends_with(".localhost"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listener_that_is_advertised_gives_the_host() {
        assert_eq!(host_of("https://a:1, http://b:2/", None), Some("b"));
        assert_eq!(host_of("HTTP://b:2,https://[::1]:1", Some("https")), Some("[::1]"));
        assert_eq!(host_of("http://u:p@localhost:1", None), Some("localhost"));
        assert_eq!(host_of("http://:8083", None), None);
    }

    #[test]
    fn only_addresses_that_are_the_same_everywhere_lead_home() {
        for home in ["localhost", "127.0.1.1", "0.0.0.0", "[::1]", "w1.localhost", "LocalHost"] {
            assert!(leads_home(home), "{home}");
        }
        for away in ["w1.example.org", "192.0.2.7", "127.example.org", "${env:POD_IP}", "localhost.example.org"] {
            assert!(!leads_home(away), "{away}");
        }
    }
}
