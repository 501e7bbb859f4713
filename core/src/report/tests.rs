//! Whole reports of simulated rolls.

use std::collections::BTreeSet;

use super::width::width;
use super::{Incident, Page, Run, markdown, text, v1};
use crate::assessment::assess;
use crate::model::{Cluster, Flow, Policy, Wait};
use crate::plan::{Budget, Executor, plan};
use crate::simulation::{Detail, Order, Schedule, Seed, Timeline, simulate, tests};
use crate::units::{Duration, RecordsPerSec, Share};

/// Workers that restart in seven seconds under the default delay; the first leads.
fn cluster(workers: u32, connectors: &[(&str, u32)]) -> Cluster {
    let mut cluster = tests::cluster(workers, connectors, Duration::from_secs(300), Duration::from_secs(6));
    cluster.workers[0].leads = true;
    for connector in &mut cluster.connectors {
        connector.flow = Some(Flow { arrival: RecordsPerSec(8_000.0), capacity_per_task: RecordsPerSec(3_000.0) });
    }
    cluster
}

fn roll(cluster: &Cluster) -> Timeline {
    let schedule = Schedule::new(Order::LeaderLast, Wait::Back);
    simulate(cluster, &schedule, Seed(7), Detail::Full)
}

fn inputs(cluster: &Cluster) -> v1::InputsV1 {
    v1::InputsV1::new(&crate::text::Files::default(), "cluster.yaml", cluster, &policy(0.2))
}

/// All three reports of a roll of the cluster.
fn reports(cluster: &Cluster, page: Page) -> (String, String, serde_json::Value) {
    let timeline = roll(cluster);
    let impact = assess(cluster, &timeline);
    let run = Run { cluster, timeline: &timeline, impact: &impact, distribution: None, seed: Seed(7) };
    let json = serde_json::to_value(v1::SimulateV1::new(&run)).unwrap();
    (text::simulate(&run, &page), markdown::simulate(&run), json)
}

#[test]
fn a_roll_fits_80_columns_whatever_the_names() {
    let long = "a-connector-with-a-name-that-is-longer-than-any-terminal-".repeat(4);
    for (workers, connectors) in
        [(3, vec![("alpha", 12)]), (12, vec![(&*long, 90), ("日本", 2)]), (45, vec![("b", 300)])]
    {
        let mut cluster = cluster(workers, &connectors);
        cluster.workers[1].name = "worker-with-a-long-name.in-a-long-domain.example.net".into();
        let (text, _, _) = reports(&cluster, Page::default());
        for line in text.lines() {
            assert!(width(line) <= 80, "{} columns: {line}\n{text}", width(line));
        }
    }
}

#[test]
fn colour_adds_escapes_and_nothing_else() {
    let cluster = cluster(3, &[("alpha", 12)]);
    let (plain, _, _) = reports(&cluster, Page::default());
    let (colored, _, _) = reports(&cluster, Page { color: true, columns: 80 });
    assert!(colored.contains('\u{1b}'));
    let mut stripped = String::new();
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        stripped.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    stripped.push_str(rest);
    assert_eq!(stripped, plain);
}

#[test]
fn a_wider_page_gets_longer_bars_and_the_same_sentences() {
    let cluster = cluster(3, &[("alpha", 12)]);
    let (narrow, _, _) = reports(&cluster, Page::default());
    let (wide, _, _) = reports(&cluster, Page { color: false, columns: 120 });
    assert_eq!(narrow.lines().next(), wide.lines().next());
    assert_eq!(wide.lines().map(width).max(), Some(120));
}

#[test]
fn every_round_says_who_leads_and_who_owns_what() {
    let cluster = cluster(3, &[("alpha", 12)]);
    let (_, markdown, json) = reports(&cluster, Page::default());
    assert_eq!(json["schema_version"], 1);
    let rounds = json["rounds"].as_array().unwrap();
    assert!(!rounds.is_empty());
    for round in rounds {
        for key in ["generation", "at_ms", "leader", "delay_ms", "protocol", "owns", "revoked", "cause"] {
            assert!(round.get(key).is_some(), "{key} is missing in {round}");
        }
        assert_eq!(round["protocol"], "sessioned");
    }
    let first = rounds[0]["owns"].as_object().unwrap();
    let tasks: usize = first.values().map(|owned| owned.as_array().unwrap().len()).sum();
    assert_eq!(first.len(), 2, "w2 has left: {first:?}");
    assert!(tasks < 13, "what w2 owned waits for the delay: {first:?}");
    assert!(markdown.contains("| w1 |"), "{markdown}");
}

fn policy(share: f64) -> Policy {
    Policy {
        max_share: Share(share),
        max_share_given: true,
        max_unassigned: None,
        max_lag: None,
        window: None,
        at_once: 1,
        wait: None,
        during_delay: true,
        leader_again: true,
    }
}

#[test]
fn a_plan_says_what_to_do_and_why() {
    let cluster = cluster(5, &[("alpha", 20), ("beta", 10)]);
    let budget = Budget::of(&cluster, Some(20));
    let found = plan(&cluster, &policy(0.2), Executor::Steps, Seed(7), budget, &mut |_| {}).unwrap();
    let text = text::plan(&cluster, &found, &[], &Page::default());
    assert!(text.starts_with("Restart 5 workers"), "{text}");
    for part in ["\nWhy\n- ", "\nInstead\n", "step", "w1 ", "Seed 7"] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    for line in text.lines().chain(markdown::plan(&cluster, &found, &[]).lines().filter(|line| !line.starts_with('|')))
    {
        assert!(width(line) <= 80, "{} columns: {line}\n{text}", width(line));
    }
    let json = serde_json::to_value(v1::PlanV1::new(inputs(&cluster), &cluster, &policy(0.2), &found, &[])).unwrap();
    assert_eq!((&json["feasible"], &json["schema_version"]), (&true.into(), &1.into()));
    let restarted: BTreeSet<&str> = json["steps"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|step| step["workers"].as_array().unwrap())
        .map(|worker| worker.as_str().unwrap())
        .collect();
    assert_eq!(restarted.len(), 5);
}

#[test]
fn no_plan_says_which_limit_binds_and_what_can_be_reached() {
    let cluster = cluster(3, &[("alpha", 12)]);
    let none = plan(&cluster, &policy(0.05), Executor::Steps, Seed(7), Budget::of(&cluster, Some(5)), &mut |_| {})
        .unwrap_err();
    let text = text::no_plan(&cluster, &none, &Page::default());
    assert!(text.starts_with("No order and no wait respects the policy.\n  max_share: 5 % allowed, "), "{text}");
    let json = serde_json::to_value(v1::NoPlanV1::new(inputs(&cluster), &cluster, &policy(0.05), &none)).unwrap();
    assert_eq!((&json["feasible"], &json["binding"][0]["limit"]), (&false.into(), &"max_share".into()));
}

#[test]
fn a_replay_says_who_owns_what_and_what_nobody_owns() {
    let replayed = tests::an_incident();
    let timeline = crate::simulation::replay(&replayed, Seed(1));
    let impact = assess(&replayed.cluster, &timeline);
    let incident = Incident { replay: &replayed, timeline: &timeline, impact: &impact, seed: Seed(1) };
    let text = text::replay(&incident, &Page::default());
    assert!(text.starts_with("3 rebalances; "), "{text}");
    assert!(text.contains("w2 left; w1 leads, a delay of 20.0 s runs"), "{text}");
    assert!(text.contains("nobody  4 tasks: alpha-1, alpha-4, alpha-7, alpha-10"), "{text}");
    let json = serde_json::to_value(v1::ReplayV1::new(&incident)).unwrap();
    let rounds = json["rounds"].as_array().unwrap();
    let last = &rounds[2];
    assert_eq!(last["owns"]["w2"], serde_json::json!(["alpha-1", "alpha-4", "alpha-7", "alpha-10"]));
    assert_eq!(rounds[0]["owns"]["w1"].as_array().unwrap().last().unwrap(), "alpha");
    assert_eq!((&rounds[0]["delay_ms"], &last["delay_ms"]), (&20_000.into(), &0.into()));
}
