//! A running cluster as a description: first only what was seen of it, then everything, with what
//! nobody could see marked.

use super::Described;
use super::described::time;
use super::width::broken;
use crate::discovery::{Found, FoundConnector};
use crate::model::{Cluster, ConnectorState, Policy};
use crate::snapshot::Item;

/// Only what was seen, so that what reads it lists every default it takes.
pub fn seen(found: &Found, settings_from: Option<&str>) -> Described {
    let names = |places: &[usize]| -> Vec<Described> {
        places.iter().filter_map(|&place| Some(found.workers.get(place)?.name.as_str().into())).collect()
    };
    let workers = found.workers.iter().map(|worker| {
        Described::map()
            .with("name", worker.name.as_str())
            .with("url", worker.url.as_str())
            .with("host", worker.host.as_str())
            .with_some("kafka", worker.kafka.as_deref())
            .with_some("member", worker.member.as_deref())
            .with_some("unready", worker.member.is_none().then_some(true))
            .with_some("owns", worker.member.is_some().then(|| items(&worker.owns)))
    });
    let delay = found.max_delay.map(|delay| Described::map().with(DELAY, delay.as_millis()));
    let connectors = found.connectors.iter().map(|(name, of)| (name.clone(), connector(of)));
    Described::map()
        .with("version", 1_u32)
        .with("kafka", found.kafka.as_str())
        .with("protocol", found.protocol.as_str())
        .with_some("settings", delay)
        .with_some("settings_from", settings_from)
        .with("workers", workers.collect::<Vec<_>>())
        .with_some("leader", found.workers.get(found.leader).map(|leader| leader.name.as_str()))
        .with("group_order", names(&found.order))
        .with_some("delay_left", found.delay_left.map(time))
        .with_some("waiting", Some(items(&found.waiting)).filter(|_| !found.waiting.is_empty()))
        .with_some("last_round", found.last_round.map(time))
        .with("connectors", Described::Map(connectors.collect()))
}

/// Everything, as it was read: ready for a plan, each part with what to know of it.
pub fn discovered(found: &Found, cluster: &Cluster, policy: &Policy) -> Described {
    let Described::Map(entries) = super::description(cluster, policy) else { return Described::map() };
    let mut described = Described::map();
    for (key, value) in entries {
        match key.as_str() {
            // What a roll must respect nobody can see: it is the reader's to say.
            "policy" => {}
            // The vendor's own version, from which Kafka's is taken again.
            "kafka" => {
                described = described.with(key, found.kafka.as_str()).with_some("assumed", assumed(cluster));
            }
            _ => described = described.with(key, value),
        }
    }
    described
}

/// The same as YAML, with comments that say how it was made.
pub fn discovered_yaml(found: &Found, cluster: &Cluster, policy: &Policy) -> String {
    let mut text = String::new();
    let comment = |text: &mut String, sentence: &str| {
        for (place, line) in broken(sentence, COLUMNS).into_iter().enumerate() {
            text.push_str(if place == 0 { "# " } else { "#   " });
            text.push_str(&line);
            text.push('\n');
        }
    };
    let of = found.cluster_id.as_ref().map_or_else(String::new, |id| format!(" of Kafka cluster {id}"));
    comment(&mut text, &format!("Group {}{of}, as rollgate discover saw it at {}.", found.group, found.taken_at));
    comment(&mut text, READ_FIRST);
    for remark in &found.remarks {
        comment(&mut text, &format!("- {remark}"));
    }
    let Described::Map(entries) = discovered(found, cluster, policy) else { return text };
    for (key, value) in entries {
        if let Some((_, said)) = COMMENTS.iter().find(|(of, _)| *of == key) {
            text.push('\n');
            comment(&mut text, said);
        }
        text.push_str(&Described::map().with(key, value).yaml());
    }
    text
}

/// The keys that nobody could see, so that values stand for them.
fn assumed(cluster: &Cluster) -> Option<Described> {
    let sections = ["broker", "settings", "restart", "connectors"];
    let keys = cluster.assumed.iter().map(|assumption| assumption.key.as_str());
    let keys: Vec<Described> = keys
        .filter(|key| sections.contains(&key.split('.').next().unwrap_or_default()) && !key.contains(": "))
        .map(Described::from)
        .collect();
    Described::List(keys).unless_empty()
}

fn connector(of: &FoundConnector) -> Described {
    let state = match of.state {
        ConnectorState::Running => None,
        ConnectorState::Paused => Some("paused"),
        ConnectorState::Stopped => Some("stopped"),
    };
    let kind = of.sink.map(|sink| if sink { "sink" } else { "source" });
    Described::map()
        .with_some("kind", kind)
        .with("tasks", of.tasks)
        .with_some("state", state)
        .with_some("partitions", of.partitions.filter(|_| of.sink == Some(true)))
}

/// In two lists, so that no name can mean two things.
fn items(items: &[Item]) -> Described {
    let (mut connectors, mut tasks) = (Vec::new(), Vec::new());
    for item in items {
        let list = if item.number().is_some() { &mut tasks } else { &mut connectors };
        list.push(Described::from(item.to_string()));
    }
    Described::map()
        .with_some("connectors", Described::List(connectors).unless_empty())
        .with_some("tasks", Described::List(tasks).unless_empty())
        .unless_empty()
        .unwrap_or(Described::List(Vec::new()))
}

/// What stands above a part of the description.
const COMMENTS: [(&str, &str); 6] = [
    ("assumed", "Nobody could see these: what stands below for them is a default. Correct it, then take the key out."),
    ("settings", "What all workers have: the protocol was seen; --settings-from FILE tells the rest."),
    ("workers", "Members with what they owned when they were seen, newest first."),
    ("leader", "Who led, and the order in which the coordinator listed the members: the first other one succeeds."),
    ("restart", "How long a restart takes: measure some, and give the times as a list."),
    ("connectors", "What a source's records come to cannot be seen: with `rate` a plan tells how far it falls behind."),
];

const READ_FIRST: &str =
    "Member ids and owners hold until the next rebalance: plan soon, or discover again before the roll.";

const DELAY: &str = "scheduled.rebalance.max.delay.ms";

/// Where a comment's line ends, its mark not counted.
const COLUMNS: usize = 76;
