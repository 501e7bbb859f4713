//! The lab: a real cluster comes up, says what happens in it, and leaves nothing behind.
//!
//! Needs Java, Maven and Python; `tests/run lab` sees to them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rollgate_tests::lab::{Events, Lab, LabOptions, TaskAct, processes_of};
use serde_json::json;

#[test]
fn a_bounce_is_observed_and_a_killed_lab_leaves_nothing_behind() {
    let options = LabOptions::default().workers(2).delay("10s").connector("alpha", 4).leader("w1");
    let lab = Lab::start(&options);
    let before = lab.events(0);
    let first = before.rounds.last().expect("a settled cluster had a round");
    assert_eq!(first.leader.as_deref(), Some("w1"));
    assert_eq!(first.owns.values().map(Vec::len).sum::<usize>(), 5, "four tasks and their connector: {first:?}");

    let stopped = lab.stop("w2");
    lab.start_again("w2");
    let member = lab.await_member("w2");
    lab.await_settled();
    let seen = lab.events(stopped.at);

    let owned = &first.owns["w2"];
    let tasks: BTreeSet<&String> = owned.iter().filter(|item| item.starts_with("alpha-")).collect();
    for task in &tasks {
        let own: Vec<(TaskAct, &str)> = seen
            .tasks
            .iter()
            .filter(|each| each.task == **task)
            .map(|each| (each.what, each.worker.as_str()))
            .collect();
        let course = [TaskAct::StopCalled, TaskAct::StopReturned, TaskAct::StartCalled, TaskAct::StartReturned];
        assert_eq!(own, course.map(|what| (what, "w2")), "{task} goes back to the worker that was away");
    }
    assert_eq!(seen.tasks.len(), 4 * tasks.len(), "nobody else's task moves: {:?}", seen.tasks);
    let group: Vec<&str> =
        seen.group.iter().filter(|act| act.worker.as_deref() == Some("w2")).map(|act| act.kind.as_str()).collect();
    assert_eq!(group.iter().filter(|kind| ["join", "leave"].contains(*kind)).collect::<Vec<_>>(), [&"leave", &"join"]);
    let last = seen.rounds.last().expect("leave and return make rounds");
    assert_eq!(seen.rounds[0].delay, 10_000, "the first round waits for the lost tasks' worker");
    assert_eq!((last.delay, sorted(&last.owns)), (0, sorted(&first.owns)));
    let back = seen.rounds.iter().find(|round| round.synced.iter().any(|worker| worker == "w2")).expect("w2 is back");
    assert_eq!(member.generation, back.generation);
    assert!(seen.rounds.iter().all(|round| round.members.is_some()), "the order of members is known");

    let figures = lab.figures(stopped.at);
    assert!((figures.task_seconds - task_seconds(&seen)).abs() < 0.06, "{figures:?} against {seen:?}");
    assert!(figures.longest_s > 10.0, "tasks wait for the whole delay: {figures:?}");
    assert_eq!((figures.at_once.peak, figures.at_once.held_5s, figures.moves), (2, 2, 0));

    assert_eq!(
        lab.attempt("stop", json!({"worker": "w9"})),
        Err("there is no 'w9' here: one of w1, w2, broker".into())
    );
    let directory = lab.ready().directory.clone();
    assert!(processes_of(&directory).len() >= 3, "a broker and two workers run");
    lab.kill_lab();
    assert_gone(&directory);
}

#[test]
fn sinks_and_crashes_are_observed_and_the_end_of_the_input_ends_the_lab() {
    let options = LabOptions::default()
        .kafka("3.9.2")
        .secure()
        .https()
        .workers(2)
        .delay("0")
        .connector("alpha", 2)
        .sink("clicks", 2, 4);
    let lab = Lab::start(&options);
    let read: BTreeSet<String> = lab
        .events(0)
        .tasks
        .into_iter()
        .filter(|each| each.what == TaskAct::Opened)
        .flat_map(|each| each.partitions)
        .collect();
    assert_eq!(read, ["clicks-0", "clicks-1", "clicks-2", "clicks-3"].map(str::to_owned).into());

    let pid = lab.ready().workers[0].pid.expect("it runs");
    let killed = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill starts");
    assert!(killed.success());
    let end = Instant::now() + Duration::from_secs(20);
    while lab.ended_unasked() != ["w1"] {
        assert!(Instant::now() < end, "nobody says that w1 has ended");
        sleep(Duration::from_millis(100));
    }
    let rest = lab.rest("w1", "GET", "/");
    assert_eq!((rest.status, rest.error.is_some()), (None, true), "a dead worker does not answer");
    assert_eq!(lab.rest("w2", "GET", "/connectors").status, Some(200));

    let security = lab.ready().security.as_ref().expect("it was asked for");
    assert_eq!(security.listeners.keys().collect::<Vec<_>>(), ["mtls", "sasl", "sasl-tls", "tls"]);
    assert!(lab.url("w2").starts_with("https://"));

    let directory = lab.ready().directory.clone();
    assert!(lab.end_input().success());
    assert_gone(&directory);
}

/// The sum of the pauses of all tasks that stopped and started again.
fn task_seconds(seen: &Events) -> f64 {
    let mut down = BTreeMap::new();
    let mut sum = 0;
    for each in &seen.tasks {
        match each.what {
            TaskAct::StopCalled => drop(down.insert(&each.task, each.t)),
            TaskAct::StartReturned => sum += each.t - down.remove(&each.task).expect("it had stopped"),
            _ => {}
        }
    }
    Duration::from_millis(sum.unsigned_abs()).as_secs_f64()
}

fn sorted(owns: &BTreeMap<String, Vec<String>>) -> BTreeMap<&String, BTreeSet<&String>> {
    owns.iter().map(|(worker, items)| (worker, items.iter().collect())).collect()
}

fn assert_gone(directory: &Path) {
    let end = Instant::now() + Duration::from_secs(20);
    while directory.exists() || !processes_of(directory).is_empty() {
        assert!(Instant::now() < end, "left behind: {} {:?}", directory.display(), processes_of(directory));
        sleep(Duration::from_millis(100));
    }
}
