//! Overrides in trees: where they land, what they replace, what is wrong with them.

use super::{Axis, SET};
use crate::description::{Description, WorkersWritten};
use crate::text::{Errors, Files};

/// A description with these overrides, one value each: what was read, the notes, what is wrong.
fn read(text: &str, typed: &[&str]) -> (Option<Description>, Vec<String>, Vec<String>) {
    let typed: Vec<String> = typed.iter().map(|line| (*line).to_owned()).collect();
    let mut errors = Errors::new(vec![SET.to_owned()]);
    let axes = Axis::parse(&typed, &mut errors);
    let said = |errors: Errors| errors.finish(Some(())).err().unwrap_or_default();
    let mut wrong = said(errors);
    let sets: Vec<_> = axes.iter().map(|axis| &axis.values[0]).collect();
    let files: Files = [("c.yaml", text)].into_iter().collect();
    let mut notes = Vec::new();
    let (read, errors) = Description::read_with(&files, "c.yaml", &sets, &mut notes);
    wrong.extend(said(errors));
    (read, notes, wrong.iter().map(ToString::to_string).collect())
}

const BASE: &str = "\
version: 1
kafka: 4.3.1
broker: 3.9.2
protocol: compatible
workers:
  - {name: a.example, kafka: 4.0.0, restart: {start: 60s, stop: 2s}, settings: {session.timeout.ms: 20000}}
  - {host: b, protocol: eager, leader: true}
connectors: {orders: 12, orders.eu: {tasks: 3}}
";

fn values(typed: &str) -> (Vec<String>, Vec<String>) {
    let mut errors = Errors::new(vec![SET.to_owned()]);
    let axes = Axis::parse(&[typed.to_owned()], &mut errors);
    let wrong = errors.finish(Some(())).err().unwrap_or_default();
    let values = axes.into_iter().flat_map(|axis| axis.values).map(|value| value.value);
    (values.collect(), wrong.iter().map(ToString::to_string).collect())
}

#[test]
fn commas_part_values_except_within_brackets_and_quotes() {
    assert_eq!(values("restart.start=[4s, 5s],9s, 4s..9s").0, ["[4s, 5s]", "9s", "4s..9s"]);
    assert_eq!(values("leader='a,b',c").0, ["'a,b'", "c"]);
    assert_eq!(values("restart.start={from: 4s, to: 9s}").0.len(), 1);
    assert_eq!(values("policy.wait=back,back").0, ["back"]);
}

#[test]
fn what_cannot_be_parted_is_shown_in_its_place() {
    assert_eq!(values("restart.start=[4s").1, ["--set:1:15: nothing closes this `[`"]);
    assert_eq!(values("policy.wait").1, ["--set:1:1: `policy.wait` has no value"]);
    assert_eq!(values("=3").1, ["--set:1:1: the key is missing"]);
    let (_, _, wrong) = read(BASE, &["kafka=4.0.0", "kafka=4.1.0"]);
    assert_eq!(wrong, ["--set:2:1: `kafka` is set twice"]);
}

#[test]
fn what_is_set_for_all_is_stronger_than_what_one_worker_says() {
    let typed = ["session.timeout.ms=30s", "kafka=3.9.0", "restart.start=5s", "protocol=sessioned", "leader=a.example"];
    let (description, notes, wrong) = read(BASE, &typed);
    assert_eq!(wrong, [""; 0]);
    let description = description.unwrap();
    assert_eq!(description.settings.inline["session.timeout.ms"].value.value, "30000");
    assert_eq!(description.settings.inline["connect.protocol"].value.value, "sessioned");
    let WorkersWritten::List(workers) = &description.workers else { panic!("a list") };
    assert!(workers.iter().all(|worker| worker.settings.inline.is_empty() && worker.kafka.is_none()));
    assert!(workers[0].restart.start.is_none() && workers[0].restart.stop.is_some());
    assert!(workers[1].leader.is_none());
    assert_eq!(notes.len(), 5);
    assert!(notes[0].starts_with("session.timeout.ms is set for all") && notes[0].ends_with("a.example."), "{notes:?}");
}

#[test]
fn names_with_dots_lead_to_their_worker_or_connector() {
    let typed = [
        "workers.a.example.restart.stop=9s",
        "workers.b.connect.protocol=sessioned",
        "connectors.orders.eu=7",
        "connectors.orders.start=2s",
    ];
    let (description, notes, wrong) = read(BASE, &typed);
    assert_eq!((wrong.as_slice(), notes.as_slice()), (&[][..], &[][..]));
    let description = description.unwrap();
    let WorkersWritten::List(workers) = &description.workers else { panic!("a list") };
    assert!(workers[0].restart.stop.is_some());
    assert_eq!(workers[1].settings.inline["connect.protocol"].value.value, "sessioned");
    let tasks: Vec<u32> = description.connectors.iter().map(|of| of.tasks.as_ref().unwrap().value).collect();
    assert_eq!(tasks, [12, 7]);
    assert!(description.connectors[0].start.is_some());
}

#[test]
fn a_star_stands_for_every_connector() {
    let (description, _, _) = read(BASE, &["connectors.*.start=3s"]);
    assert!(description.unwrap().connectors.iter().all(|connector| connector.start.is_some()));
}

#[test]
fn a_number_of_workers_becomes_a_list_where_one_is_named() {
    let text = "version: 1\nkafka: 4.3.1\nworkers: 3\nconnectors: {a: 1}\n";
    let (description, _, wrong) = read(text, &["workers.w2.restart.start=60s"]);
    assert_eq!(wrong, [""; 0]);
    let WorkersWritten::List(workers) = description.unwrap().workers else { panic!("a list") };
    let slow: Vec<bool> = workers.iter().map(|worker| worker.restart.start.is_some()).collect();
    assert_eq!(slow, [false, true, false]);
    let (description, _, _) = read(text, &["workers=7"]);
    assert!(matches!(description.unwrap().workers, WorkersWritten::Count(count) if count.value == 7));
}

#[test]
fn single_values_that_stand_for_a_key_keep_it() {
    let (description, _, wrong) = read(BASE, &["broker.group.initial.rebalance.delay.ms=0"]);
    assert_eq!(wrong, [""; 0]);
    let broker = description.unwrap().broker;
    assert_eq!(broker.kafka.unwrap().value, "3.9.2");
    assert_eq!(broker.settings["group.initial.rebalance.delay.ms"].value.value, "0");
}

#[test]
fn a_roll_brings_settings_in_for_all() {
    let text = format!("{BASE}roll: {{workers: {{b: {{kafka: 4.1.0, settings: {{session.timeout.ms: 1}}}}}}}}\n");
    let (description, notes, wrong) = read(&text, &["roll.session.timeout.ms=40s", "roll.kafka=4.3.0"]);
    assert_eq!(wrong, [""; 0]);
    let roll = description.unwrap().roll;
    assert_eq!(roll.all.settings.inline["session.timeout.ms"].value.value, "40000");
    assert!(roll.workers[0].1.kafka.is_none() && roll.workers[0].1.settings.inline.is_empty());
    assert_eq!(notes.len(), 2);
}

#[test]
fn unknown_keys_are_answered_with_the_nearest() {
    let (_, _, wrong) =
        read(BASE, &["policy.wiat=back", "workers.c.kafka=4.0.0", "sesion.timeout.ms=1", "restart.stop.x=1s"]);
    assert_eq!(
        wrong,
        [
            "--set:1:8: `policy` has no key `wiat`",
            "--set:2:9: no worker is called `c`",
            "--set:3:1: `sesion.timeout.ms` is no key of a description and no setting of a Connect worker",
            "--set:4:14: `stop` has no key `x`",
        ]
    );
}

#[test]
fn another_word_for_a_key_is_answered_with_its_place() {
    let help = |typed: &str| {
        let mut errors = Errors::new(vec![SET.to_owned()]);
        let axes = Axis::parse(&[typed.to_owned()], &mut errors);
        let files: Files = [("c.yaml", BASE)].into_iter().collect();
        let (_, errors) = Description::read_with(&files, "c.yaml", &[&axes[0].values[0]], &mut Vec::new());
        errors.finish(Some(())).unwrap_err().remove(0).help.unwrap_or_default()
    };
    let helps = ["max_duration=1h", "policy.serial=2", "at_once=2"].map(help);
    let meant = ["policy.window", "at_once", "policy.at_once"];
    assert_eq!(helps, meant.map(|key| format!("did you mean `{key}`?")));
}

#[test]
fn values_are_checked_as_if_they_had_been_written() {
    let (_, _, wrong) = read(BASE, &["restart.stop=5", "policy.max_share=0.2", "workers=0"]);
    assert_eq!(
        wrong,
        [
            "--set:1:14: `stop`: `5` has no unit",
            "--set:2:18: `max_share`: `0.2` has no unit",
            "--set:3:9: `workers`: `0` is less than 1",
        ]
    );
    let (_, _, wrong) = read(BASE, &["kafka="]);
    assert_eq!(wrong, ["--set:1:7: `kafka` wants a version such as 4.3.1, and it has no value"]);
}
