//! A description that says everything means the same as the one it was made of: that of every
//! file in the repository, and of random ones.
//!
//! `ROLLGATE_SEED` repeats a run.

#![expect(clippy::print_stdout, reason = "how many were tried belongs to the outcome")]

use std::fmt::Write as _;
use std::path::Path;

use rollgate_core::description::Description;
use rollgate_core::model::read;
use rollgate_core::simulation::{Chance, Seed};
use rollgate_core::text::Files;
use rollgate_tests::oracle::seed_of_run;
use rollgate_tests::{observe, root, survives, tracked_files};

#[test]
fn every_description_of_the_repository_survives() {
    let mut count = 0;
    for path in tracked_files().into_iter().filter(|path| is_yaml(path)) {
        let text = rollgate_tests::read(&path);
        let folder = root().join(&path);
        let mut files = Files::default();
        for name in Description::referenced_files(&text) {
            if let Ok(text) = std::fs::read_to_string(folder.with_file_name(&name)) {
                files.insert(name, text);
            }
        }
        files.insert("main", text);
        let Ok((cluster, policy)) = read(&files, "main") else { continue };
        count += 1;
        survives(&cluster, &policy).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
    println!("{count} descriptions");
    assert!(count > 40, "too few descriptions to prove anything: {count}");
}

#[test]
fn random_descriptions_survive() {
    let seed = seed_of_run();
    let mut taken = 0;
    for number in 0..cases() {
        let text = drawn(&mut Chance::new(Seed(seed).of_run(number)));
        let mut files = Files::default();
        files.insert("worker.properties", PROPERTIES);
        files.insert("drawn", text.as_str());
        // Some clash: two members alike, a session outside the limits. Those mean nothing.
        let Ok((mut cluster, policy)) = read(&files, "drawn") else { continue };
        taken += 1;
        observe(&mut cluster, &mut Chance::new(Seed(seed).of_run(number + cases())));
        let repeat = || format!("ROLLGATE_SEED={seed}, description {number}:\n{text}");
        survives(&cluster, &policy).unwrap_or_else(|why| panic!("{why}\n{}", repeat()));
    }
    println!("{taken} of {} descriptions", cases());
    assert!(taken > cases() / 3, "hardly any description is taken: {taken} of {}", cases());
}

fn is_yaml(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "yaml")
}

/// A description with whatever a description can say.
fn drawn(chance: &mut Chance) -> String {
    let mut text = format!("version: 1\nkafka: {}\n", one_of(chance, &VERSIONS));
    if one_in(chance, 2) {
        let broker = one_of(chance, &["3.6.2", "3.8.0", "3.9.1", "4.1.0", "7.7.0-ccs"]);
        let protocols = one_of(chance, &["classic", "\"classic,consumer\""]);
        let _ = writeln!(
            text,
            "broker: {{kafka: {broker}, settings: {{group.initial.rebalance.delay.ms: {}, \
             group.coordinator.rebalance.protocols: {protocols}, group.max.session.timeout.ms: {}}}}}",
            chance.below(5_000),
            one_of(chance, &["60000", "1800000"])
        );
    }
    if one_in(chance, 3) {
        text.push_str("settings_from: worker.properties\n");
    }
    let _ = writeln!(text, "settings: {{{}}}", settings(chance));
    let _ = writeln!(text, "restart: {{{}}}", restart(chance));
    let count = 1 + chance.below(6);
    text.push_str("workers:\n");
    let leader = chance.below(2 * count);
    for place in 0..count {
        let mut keys = vec![format!("name: \"{}\"", name(chance, place))];
        keys.extend(maybe(chance, 3, |chance| format!("host: \"10.0.0.{}\"", chance.below(200))));
        keys.extend(maybe(chance, 3, |chance| format!("rack: \"{}\"", one_of(chance, &["a", "no", "1:30", "ä b"]))));
        keys.extend(maybe(chance, 4, |chance| format!("kafka: {}", one_of(chance, &VERSIONS))));
        keys.extend(maybe(chance, 3, |chance| format!("settings: {{{}}}", settings(chance))));
        keys.extend(maybe(chance, 4, |chance| {
            let client = one_of(chance, &["connect-1", "connect-10.0.0.1:8083", "mine"]);
            format!("member: {client}-{}", chance.uuid())
        }));
        keys.extend((leader == place).then(|| "leader: true".to_owned()));
        keys.extend((place > 0 && one_in(chance, 8)).then(|| "unready: true".to_owned()));
        keys.extend(maybe(chance, 4, |chance| format!("restart: {{{}}}", restart(chance))));
        let _ = writeln!(text, "  - {{{}}}", keys.join(", "));
    }
    connectors(chance, &mut text);
    if one_in(chance, 2) {
        let mut roll = Vec::new();
        roll.extend(maybe(chance, 2, |chance| format!("kafka: {}", one_of(chance, &VERSIONS))));
        roll.extend(maybe(chance, 2, |chance| format!("settings: {{{}}}", settings(chance))));
        roll.extend(maybe(chance, 4, |_| "settings_from: worker.properties".to_owned()));
        let _ = writeln!(text, "roll: {{{}}}", roll.join(", "));
    }
    let _ = writeln!(text, "policy: {{{}}}", policy(chance, count));
    text
}

fn name(chance: &mut Chance, place: u32) -> String {
    format!("{}{place}", one_of(chance, &["w", "", "w.", "no ", "ä", "4.3."]))
}

fn settings(chance: &mut Chance) -> String {
    let mut all = Vec::new();
    let millis = [
        "scheduled.rebalance.max.delay.ms",
        "rebalance.timeout.ms",
        "task.shutdown.graceful.timeout.ms",
        "worker.sync.timeout.ms",
        "worker.unsync.backoff.ms",
    ];
    for key in millis {
        all.extend(maybe(chance, 4, |chance| format!("{key}: {}", 1 + chance.below(100_000))));
    }
    all.extend(maybe(chance, 4, |chance| format!("session.timeout.ms: {}", 7_000 + chance.below(50_000))));
    all.extend(maybe(chance, 4, |chance| format!("heartbeat.interval.ms: {}", 1 + chance.below(6_000))));
    all.extend(maybe(chance, 4, |chance| {
        format!("connect.protocol: {}", one_of(chance, &["eager", "compatible", "sessioned"]))
    }));
    all.extend(maybe(chance, 8, |chance| {
        format!("exactly.once.source.support: {}", one_of(chance, &["disabled", "preparing", "enabled"]))
    }));
    all.extend(maybe(chance, 8, |chance| format!("client.id: {}", one_of(chance, &["mine", "connect-1"]))));
    all.extend(maybe(chance, 8, |chance| format!("rest.advertised.port: {}", 1 + chance.below(60_000))));
    all.join(", ")
}

fn restart(chance: &mut Chance) -> String {
    let mut all = Vec::new();
    all.extend(maybe(chance, 2, |chance| format!("stop: {}", spread(chance))));
    all.extend(maybe(chance, 2, |chance| format!("down: {}", spread(chance))));
    all.extend(maybe(chance, 3, |chance| format!("start: {}", spread(chance))));
    if all.iter().all(|key| !key.starts_with("start")) {
        all.extend(maybe(chance, 3, |chance| {
            format!("start: {{jvm: {}, topics: {}}}", spread(chance), spread(chance))
        }));
    }
    all.extend(maybe(chance, 3, |chance| format!("grace: {}", time(chance, 1))));
    all.join(", ")
}

fn connectors(chance: &mut Chance, text: &mut String) {
    text.push_str("connectors:\n");
    for place in 0..=chance.below(4) {
        let tasks = chance.below(9);
        let mut keys = vec![format!("tasks: {tasks}")];
        keys.extend(maybe(chance, 3, |chance| format!("tasks_max: {}", tasks + chance.below(9))));
        keys.extend(maybe(chance, 4, |chance| format!("state: {}", one_of(chance, &["running", "paused", "stopped"]))));
        keys.extend(maybe(chance, 3, |chance| format!("start: {}", spread(chance))));
        keys.extend(maybe(chance, 3, |chance| format!("stop: {}", spread(chance))));
        keys.extend(maybe(chance, 5, |chance| format!("reconfigures_after: {}", spread(chance))));
        if one_in(chance, 2) {
            keys.push(format!("rate: {}", rate(chance)));
            keys.extend(maybe(chance, 2, |chance| format!("capacity: {}", rate(chance))));
        }
        if one_in(chance, 2) {
            keys.push("kind: sink".to_owned());
            keys.extend(maybe(chance, 2, |chance| format!("partitions: {}", 1 + chance.below(50))));
            keys.extend(maybe(chance, 2, |chance| {
                format!("consumer: {{session.timeout.ms: {}}}", 6_000 + chance.below(50_000))
            }));
        }
        let name = one_of(chance, &["orders-", "", "no ", "a:b ", "\\\""]);
        let _ = writeln!(text, "  \"{name}{place}\": {{{}}}", keys.join(", "));
    }
}

fn policy(chance: &mut Chance, workers: u32) -> String {
    let mut all = Vec::new();
    all.extend(maybe(chance, 2, |chance| {
        let hundredths = chance.below(10_001);
        format!("max_share: {}.{:02}%", hundredths / 100, hundredths % 100)
    }));
    all.extend(maybe(chance, 3, |chance| format!("max_unassigned: {}", time(chance, 0))));
    all.extend(maybe(chance, 6, |chance| format!("max_lag: {}", chance.below(u32::MAX))));
    all.extend(maybe(chance, 3, |chance| format!("window: {}", time(chance, 1))));
    all.extend(maybe(chance, 3, |chance| format!("at_once: {}", 1 + chance.below(workers))));
    all.extend(maybe(chance, 2, |chance| {
        let pause = time(chance, 0);
        format!("wait: {}", one_of(chance, &["back", "settled", &pause]))
    }));
    all.extend(maybe(chance, 3, |chance| format!("during_delay: {}", one_in(chance, 2))));
    all.extend(maybe(chance, 3, |chance| format!("leader_again: {}", one_in(chance, 2))));
    all.join(", ")
}

fn spread(chance: &mut Chance) -> String {
    match chance.below(3) {
        0 => time(chance, 0),
        1 => {
            let least = chance.below(9_000);
            format!("{least}ms..{}ms", least + chance.below(9_000))
        }
        _ => format!("[{}, {}]", time(chance, 0), time(chance, 0)),
    }
}

fn time(chance: &mut Chance, least: u32) -> String {
    let unit = one_of(chance, &["us", "ms", "s", "min", "h"]);
    let tenth = one_of(chance, &["", ".5"]);
    format!("{}{tenth}{unit}", least + chance.below(300))
}

fn rate(chance: &mut Chance) -> String {
    let unit = one_of(chance, &["us", "ms", "s", "min", "h", "d"]);
    let tenth = one_of(chance, &["", ".3", ".07"]);
    format!("{}{tenth}/{unit}", chance.below(90_000))
}

fn maybe<T>(chance: &mut Chance, many: u32, draw: impl FnOnce(&mut Chance) -> T) -> Option<T> {
    one_in(chance, many).then(|| draw(chance))
}

fn one_in(chance: &mut Chance, many: u32) -> bool {
    chance.below(many) == 0
}

fn one_of<'v>(chance: &mut Chance, values: &[&'v str]) -> &'v str {
    values[chance.below(u32::try_from(values.len()).unwrap_or(1)) as usize]
}

/// How many descriptions are drawn.
fn cases() -> u32 {
    if std::env::var_os("ROLLGATE_FULL").is_some() { 20_000 } else { 600 }
}

const VERSIONS: [&str; 8] = ["2.8.2", "3.3.2", "3.6.1", "3.7.x", "7.6.0-ccs", "4.3.1", "\"4.4\"", "4.9.0"];
/// A worker's file with a secret and settings that lead to a client id.
const PROPERTIES: &str = "group.id=c\nsession.timeout.ms=21000\nlisteners=http://worker:8084\n\
    sasl.jaas.config=x password=\"hush\"\nconsumer.heartbeat.interval.ms=1000\n";
