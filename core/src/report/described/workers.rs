//! The workers: what they have in common once, what differs where it differs.

use super::Described;
use super::values::{items, millis, spread, time};
use crate::model::{Cluster, KafkaVersion, Restart, Start, Worker, WorkerId, WorkerSetup, default_client_id};
use crate::report::words;

/// Keys and their values, in one order for all workers; `None` where there is nothing to say.
type Row = Vec<(&'static str, Option<Described>)>;

/// Adds versions, settings, workers, restarts and what the roll changes.
pub(super) fn add(described: Described, cluster: &Cluster, broker: Described) -> Described {
    let workers = &cluster.workers;
    let version = shared(workers.iter().map(|worker| worker.before.version));
    let first = workers.first().map_or(cluster.broker.version, |worker| worker.before.version);
    let before: Vec<Row> = workers.iter().map(settings).collect();
    let (settings, own_settings) = lifted(&before);
    let (restart, own_restarts) = lifted(&workers.iter().map(|worker| phases(&worker.restart)).collect::<Vec<_>>());
    let ownership = cluster.ownership.as_ref();
    let listed = workers.iter().zip(own_settings).zip(own_restarts).enumerate();
    let listed = listed.map(|(place, ((worker, settings), restart))| {
        let owns = ownership.and_then(|ownership| ownership.owns.get(place));
        Described::map()
            .with("name", worker.name.as_str())
            .with_some("url", worker.url.as_deref())
            .with_some("host", worker.host.as_deref())
            .with_some("rack", worker.rack.as_deref())
            .with_some("kafka", version.is_none().then(|| worker.before.version.to_string()))
            .with_some("settings", settings.unless_empty())
            .with_some("member", worker.member_id.as_deref())
            .with_some("unready", worker.unready.then_some(true))
            .with_some("restart", restart.unless_empty())
            .with_some("owns", owns.filter(|_| !worker.unready).map(|owns| items(owns, &cluster.work)))
    });
    let leader = workers.iter().find(|worker| worker.leads).map(|worker| worker.name.as_str());
    described
        .with("kafka", version.unwrap_or(first).to_string())
        .with("broker", broker)
        .with_some("settings", settings.unless_empty())
        .with("workers", listed.collect::<Vec<_>>())
        .with_some("leader", leader)
        .with_some("group_order", cluster.group_order.as_ref().map(|order| names(cluster, order)))
        .with_some("delay_left", ownership.and_then(|ownership| ownership.delay_left).map(time))
        .with_some("waiting", ownership.and_then(|ownership| items(&ownership.waiting, &cluster.work).unless_empty()))
        .with_some("last_round", ownership.and_then(|ownership| ownership.last_round).map(time))
        .with_some("restart", restart.unless_empty())
        .with_some("roll", roll(workers, &before).unless_empty())
}

fn names(cluster: &Cluster, workers: &[WorkerId]) -> Vec<Described> {
    workers.iter().map(|&worker| cluster.name_of(worker).into()).collect()
}

/// What the workers come back with, where it differs from before.
fn roll(workers: &[Worker], before: &[Row]) -> Described {
    let version = changed(workers.iter().map(|worker| (worker.before.version, worker.after.version)));
    let changes: Vec<Row> = workers.iter().zip(before).map(|(worker, before)| settings_after(worker, before)).collect();
    let (settings, own) = lifted(&changes);
    let alone = workers.iter().zip(own).filter_map(|(worker, settings)| {
        let own_version = version.is_none() && worker.before.version != worker.after.version;
        let change = Described::map()
            .with_some("kafka", own_version.then(|| worker.after.version.to_string()))
            .with_some("settings", settings.unless_empty());
        Some((worker.name.clone(), change.unless_empty()?))
    });
    Described::map()
        .with_some("kafka", version.map(|version| version.to_string()))
        .with_some("settings", settings.unless_empty())
        .with_some("workers", Described::Map(alone.collect()).unless_empty())
}

/// The settings of a worker that the model knows, and its client id if that is not the default.
fn settings(worker: &Worker) -> Row {
    let default = default_client_id(worker.before.rules, address(worker));
    let mut row = known_settings(&worker.before);
    row.push(("client.id", (worker.client_id != default).then(|| worker.client_id.as_str().into())));
    row
}

/// The settings after the restart that the settings before do not say.
fn settings_after(worker: &Worker, before: &Row) -> Row {
    let mut row = known_settings(&worker.after);
    let stays = match before.iter().find(|(key, _)| *key == "client.id") {
        Some((_, Some(Described::Text(id)))) => id.clone(),
        _ => default_client_id(worker.after.rules, address(worker)),
    };
    row.push(("client.id", (worker.client_id_after != stays).then(|| worker.client_id_after.as_str().into())));
    for ((_, after), (_, before)) in row.iter_mut().zip(before) {
        if after == before {
            *after = None;
        }
    }
    row
}

fn known_settings(setup: &WorkerSetup) -> Row {
    let settings = &setup.settings;
    let time = |time| Some(millis(time).into());
    vec![
        ("connect.protocol", Some(words::protocol(settings.protocol).into())),
        ("scheduled.rebalance.max.delay.ms", time(settings.delay)),
        ("heartbeat.interval.ms", time(settings.heartbeat_interval)),
        ("session.timeout.ms", time(settings.session_timeout)),
        ("rebalance.timeout.ms", time(settings.rebalance_timeout)),
        ("task.shutdown.graceful.timeout.ms", time(settings.graceful_timeout)),
        ("worker.sync.timeout.ms", time(settings.sync_timeout)),
        ("worker.unsync.backoff.ms", time(settings.unsync_backoff)),
        ("exactly.once.source.support", Some(if settings.exactly_once { "enabled" } else { "disabled" }.into())),
    ]
}

fn phases(restart: &Restart) -> Row {
    let start = match &restart.start {
        Start::Whole(whole) => spread(whole),
        Start::Parts { jvm, plugin_scan, topics } => Described::map()
            .with("jvm", spread(jvm))
            .with("plugin_scan", spread(plugin_scan))
            .with("topics", spread(topics)),
    };
    vec![
        ("stop", Some(spread(&restart.stop))),
        ("down", Some(spread(&restart.down))),
        ("start", Some(start)),
        ("grace", restart.grace.map(|grace| time(grace).into())),
    ]
}

/// The host part of the advertised address, where no setting says it.
fn address(worker: &Worker) -> &str {
    worker.host.as_deref().unwrap_or(&worker.name)
}

/// What most rows say, where all say something, and what each says otherwise.
fn lifted(rows: &[Row]) -> (Described, Vec<Described>) {
    let mut common = Described::map();
    let mut own = vec![Described::map(); rows.len()];
    let keys = rows.first().map(|row| row.iter().map(|(key, _)| *key)).into_iter().flatten();
    for (place, key) in keys.enumerate() {
        let values: Vec<Option<&Described>> =
            rows.iter().map(|row| row.get(place).and_then(|(_, value)| value.as_ref())).collect();
        let most = most_common(&values);
        common = common.with_some(key, most.cloned());
        let differing = values.into_iter().map(|value| value.filter(|_| value != most).cloned());
        own = own.into_iter().zip(differing).map(|(own, value)| own.with_some(key, value)).collect();
    }
    (common, own)
}

/// The value that most have, the first of them if several do; none if one has none.
fn most_common<'v>(values: &[Option<&'v Described>]) -> Option<&'v Described> {
    let mut counts: Vec<(&Described, usize)> = Vec::new();
    for value in values {
        let value = (*value)?;
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}

/// The version that all come back with, if it is one and new to any.
fn changed(versions: impl Iterator<Item = (KafkaVersion, KafkaVersion)> + Clone) -> Option<KafkaVersion> {
    let any = versions.clone().any(|(before, after)| before != after);
    shared(versions.map(|(_, after)| after)).filter(|_| any)
}

/// The value that all have, if there is one.
fn shared<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|other| other == first).then_some(first)
}
