//! Stories of restarts, as a gate sees them, with the answer that is right at each look.
//!
//! `story.yaml` says which answer a person expects; the words in which it comes are in
//! `expected.txt`, which `UPDATE` writes.

#[path = "gate/story.rs"]
mod story;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use rollgate_core::gate::{Baseline, Conditions, Decision, Gate, Limits, Observation, Reason, Sight, State, Verdict};
use rollgate_core::units::{Duration, Timestamp};
use rollgate_tests::{compare, scenarios};
use story::{Change, Cluster, Look, Story, millis};

#[test]
fn each_story_is_told_right() {
    let mut wrong = Vec::new();
    for scenario in scenarios("gate") {
        let (found, faults) = tell(&scenario);
        wrong.extend(faults.into_iter().map(|fault| format!("{}: {fault}", scenario.display())));
        wrong.extend(compare(&scenario, &found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn patience_that_ends_keeps_the_state_and_the_answer() {
    let (mut gate, mut cluster) = three_workers(Limits::default());
    assert_eq!(gate.patience_over(at(0)).verdict, Verdict::CannotTell, "nobody has looked");
    cluster.change(&Change { delay: Some(20.0), ..Change::default() });
    assert_eq!(answer(&mut gate, &cluster, 1), Verdict::NotYet);
    assert_eq!(gate.patience_over(at(2)).verdict.exit_code(), 3);
    cluster.change(&Change { unknown: Some(vec!["group".to_owned()]), ..Change::default() });
    assert_eq!(answer(&mut gate, &cluster, 3), Verdict::CannotTell);
    assert_eq!(gate.patience_over(at(4)).verdict.exit_code(), 4);
    assert_eq!(gate.state(), State::Settling);
}

#[test]
fn the_driver_is_told_when_something_happens_by_itself() {
    let limits = Limits { deadline: Some(Duration::from_secs(60)), ..Limits::default() };
    let (mut gate, cluster) = three_workers(limits);
    assert_eq!(gate.deadline(), Some(at(60)));
    assert_eq!(answer(&mut gate, &cluster, 5), Verdict::NotYet);
    assert_eq!(gate.deadline(), Some(at(15)), "when it is calm");
    assert_eq!(answer(&mut gate, &cluster, 15), Verdict::Proceed);
    assert_eq!(gate.deadline(), Some(at(60)));
    gate.restart_began(at(16), Duration::from_secs(16)).unwrap();
    for second in (20..=60).step_by(5) {
        assert_eq!(answer(&mut gate, &cluster, second), Verdict::NotYet);
    }
    assert_eq!(answer(&mut gate, &cluster, 61), Verdict::Stop);
    assert_eq!((gate.state(), gate.deadline()), (State::Halted, None));
}

#[test]
fn a_following_gate_remembers_owners_and_forgets_what_was_accepted() {
    let (mut gate, mut cluster) = three_workers(Limits::default());
    gate.accept(&["failed"]).unwrap();
    let refused = gate.accept(&["failed", "cluster-other", "nonsense"]).unwrap_err();
    assert_eq!(refused.kinds, ["cluster-other", "nonsense"]);
    answer(&mut gate, &cluster, 1);
    // A round gives w3's task to w2, whose status is of a life before: a start has to pass.
    let members = ["w1 orders orders-0", "w2#2 orders-1 +orders-2", "w3"].map(str::to_owned);
    cluster.change(&Change { members: Some(members.to_vec()), ..Change::default() });
    answer(&mut gate, &cluster, 2);
    let mut next = gate.following(Conditions::default(), Limits::default(), &["http://w3:8083"]);
    cluster.change(&Change {
        write: [("orders-2", "RUNNING@w2"), ("orders-0", "FAILED@w1")].map(|(a, b)| (a.into(), b.into())).into(),
        ..Change::default()
    });
    let kinds = |gate: &Gate| -> Vec<&str> {
        gate.last().into_iter().flat_map(|last| &last.reasons).map(Reason::kind).collect()
    };
    answer(&mut next, &cluster, 3);
    assert_eq!(kinds(&next), ["failed", "may-be-stale"]);
    assert_eq!(next.workers()[0].member.as_deref(), Some("connect-w3"));
    answer(&mut next, &cluster, 9);
    assert_eq!(kinds(&next), ["failed"]);
}

#[test]
fn a_restart_that_is_under_way_is_taken_up_by_its_facts() {
    let (gate, mut cluster) = three_workers(Limits::default());
    let workers = [("http://w2:8083", Some("connect-w2"))];
    let baseline = baseline(&cluster);
    let mut gate_of_before = gate;
    let mut gate = Gate::underway(Conditions::default(), Limits::default(), baseline, &workers, at(0));
    assert_eq!(answer(&mut gate, &cluster, 1), Verdict::NotYet);
    assert_eq!(gate.state(), State::Away, "it is there under its old id");
    let members = ["w1 orders orders-0", "w2#2 orders-1", "w3 orders-2"].map(str::to_owned);
    cluster.change(&Change { members: Some(members.to_vec()), ..Change::default() });
    for second in [2, 7, 12] {
        assert_eq!(answer(&mut gate, &cluster, second), Verdict::NotYet);
    }
    assert_eq!(answer(&mut gate, &cluster, 17), Verdict::Proceed);
    assert_eq!(gate.state(), State::Passed);
    assert!(gate_of_before.restart_began(at(18), Duration::from_secs(18)).is_err());
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_millis(1_796_095_000_000).after(Duration::from_secs(second))
}

fn baseline(cluster: &Cluster) -> Baseline {
    let taken = Baseline::take(&cluster.snapshot(at(-60)), &Sight::Group, &BTreeMap::new(), &BTreeSet::new());
    taken.unwrap_or_else(|reasons| panic!("no baseline: {reasons:?}"))
}

/// A gate for w2 of three workers at rest.
fn three_workers(limits: Limits) -> (Gate, Cluster) {
    let members = ["w1 orders orders-0", "w2 orders-1", "w3 orders-2"].map(str::to_owned);
    let cluster = Cluster::of(&Change { members: Some(members.to_vec()), ..Change::default() });
    let gate = Gate::new(Conditions::default(), limits, baseline(&cluster), &["http://w2:8083"], at(0));
    (gate, cluster)
}

fn answer(gate: &mut Gate, cluster: &Cluster, second: i64) -> Verdict {
    let snapshot = cluster.snapshot(at(second));
    let observation = Observation { snapshot: Some(&snapshot), foreseen: None };
    gate.observe(at(second), Duration::from_secs(second), &observation).verdict
}

/// What the gate says to a story, and where that is not what the story expects.
fn tell(scenario: &Path) -> (String, Vec<String>) {
    let path = scenario.join("story.yaml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
    let story: Story = Story::read(&text).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
    assert!(!story.about.is_empty(), "{}: says not what it shows", path.display());
    let begin = Timestamp::from_millis(1_796_095_000_000);
    let mut cluster = Cluster::of(&story.baseline);
    let conditions = story.conditions();
    let names: BTreeMap<String, String> =
        (1..=9).map(|number| (format!("http://w{number}:8083"), format!("w{number}"))).collect();
    let accept = story.accept.list();
    let accepted: BTreeSet<String> = accept.iter().map(|kind| (*kind).to_owned()).collect();
    let taken_at = begin.after(Duration::from_secs(-60));
    let baseline = Baseline::take(&cluster.snapshot(taken_at), &conditions.sight, &names, &accepted);
    let mut text = String::new();
    let mut faults = Vec::new();
    let Ok(baseline) = baseline.map_err(|reasons| {
        text = format!("no baseline\n{}", listed("", &reasons));
        let kinds: Vec<&str> = reasons.iter().map(Reason::kind).collect();
        let found = format!("no-baseline {}", kinds.join(" "));
        let expected = story.looks.first().map(|look| look.is.clone()).unwrap_or_default();
        faults.extend((found != expected).then(|| format!("expected `{expected}`, found `{found}`")));
    }) else {
        return (text, faults);
    };
    let workers: Vec<String> = story.restarts.list().iter().map(|name| format!("http://{name}:8083")).collect();
    let workers: Vec<&str> = workers.iter().map(String::as_str).collect();
    let mut gate = Gate::new(conditions, story.limits.clone(), baseline, &workers, begin);
    gate.accept(&accept).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
    for look in &story.looks {
        cluster.change(&look.change);
        for at in look.at.list() {
            let (decision, said) = see(&mut gate, &cluster, look, begin, at);
            text.push_str(&said);
            let kinds: Vec<&str> = decision.reasons.iter().map(Reason::kind).collect();
            let found = format!("{} {}", decision.verdict, kinds.join(" ")).trim_end().to_owned();
            if found != look.is {
                faults.push(format!("at {at} s expected `{}`, found `{found}`", look.is));
            }
        }
    }
    (text, faults)
}

fn see(gate: &mut Gate, cluster: &Cluster, look: &Look, begin: Timestamp, at: f64) -> (Decision, String) {
    let now = begin.after(Duration::from_millis(millis(at)));
    let steady = Duration::from_millis(millis(look.steady.unwrap_or(at)));
    let mut text = String::new();
    if look.resume {
        gate.resume();
    }
    if look.begin {
        match gate.restart_began(now, steady) {
            Ok(()) => text.push_str("       the restart begins\n"),
            Err(illegal) => _ = writeln!(text, "       refused: {illegal}"),
        }
    }
    // What is written to a file in between is the same gate.
    let json = serde_json::to_string(gate).expect("a gate is data");
    let mut other: Gate = serde_json::from_str(&json).expect("a gate reads as it was written");
    assert_eq!(&other, gate);
    let snapshot = cluster.snapshot(now.after(Duration::from_millis(-millis(look.age))));
    let snapshot = (!look.missed).then_some(&snapshot);
    let observation = Observation { snapshot, foreseen: look.foreseen.as_ref() };
    let decision = gate.observe(now, steady, &observation);
    assert_eq!(other.observe(now, steady, &observation), decision);
    let (sign, at) = (if at < 0.0 { "-" } else { "" }, millis(at).abs() / 1_000);
    _ = writeln!(text, "{sign}{:02}:{:02}  {}, {}", at / 60, at % 60, decision.verdict, decision.state);
    text.push_str(&listed("", &decision.reasons));
    text.push_str(&listed("accepted: ", &decision.accepted));
    text.push_str(&listed("note: ", &decision.notes));
    (decision, text)
}

fn listed(mark: &str, reasons: &[Reason]) -> String {
    let mut text = String::new();
    for reason in reasons {
        _ = writeln!(text, "       {mark}{}: {reason}", reason.kind());
    }
    text
}
