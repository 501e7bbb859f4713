//! Which worker next, and what happens if one goes now: on snapshots, and held against the simulator.

use rollgate_core::model::{Cluster, Policy, WorkerId, read};
use rollgate_core::plan::{Budget, GoesNow, NoMoment, Side, Turned, goes_now, next};
use rollgate_core::report::{Format, Page};
use rollgate_core::simulation::Seed;
use rollgate_core::text::Files;
use rollgate_core::units::Duration;
use rollgate_core::verbs::{self, NextOptions};
use rollgate_tests::{compare, files_of, scenarios};

#[test]
fn each_snapshot_has_its_next_step() {
    let mut wrong = Vec::new();
    for scenario in scenarios("next") {
        let files = files_of(&scenario);
        let options: NextOptions = serde_json::from_str(files.get("options.json").unwrap_or("{}")).expect("options");
        let found = match verbs::next(&files, "snapshot.json", &options, Format::Text(Page::default())) {
            Ok(answer) => format!("{}yes: {}\n", answer.report, answer.yes),
            Err(refusal) => refusal.render(&files, false),
        };
        wrong.extend(compare(&scenario, &found).err());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_leader_that_goes_hands_over_at_once_and_a_follower_waits() {
    let (cluster, _) = described("restart: {start: 5s}\n");
    let leader = goes(&cluster, 0);
    assert!(leader.leads && leader.delay.is_none() && leader.longest.worst < 9.0, "{leader:?}");
    assert_eq!(leader.then_leads, Some(WorkerId(1)), "the first other in the group's order");
    let follower = goes(&cluster, 1);
    assert!(!follower.leads && follower.longest.median > 60.0, "{follower:?}");
    assert_eq!(follower.delay, Some(Duration::from_secs(60)));
    assert_eq!((follower.tasks, follower.waiting, follower.all), (3, 0, 7));
    assert_eq!(follower.unassigned_at_once(), 3);
    // One task is all that `single` has, and it runs there; the tasks of `sink` are on all workers.
    let named = |connectors: &[_]| connectors.iter().map(|&id| cluster.work.name(id)).collect::<Vec<_>>();
    assert_eq!(named(&follower.connectors_down), ["single"]);
    assert_eq!(named(&follower.sinks_paused), ["sink"]);
    assert!(leader.connectors_down.is_empty());
}

#[test]
fn what_waits_already_is_told_apart_from_what_a_stop_adds() {
    let (cluster, _) = described("restart: {start: 5s}\ndelay_left: 40s\n");
    let leader = goes(&cluster, 0);
    assert_eq!(leader.waiting, 1);
    assert!((leader.unassigned_anyway - 40.1).abs() < 0.5, "{}", leader.unassigned_anyway);
    assert_eq!(leader.delay, None, "the leader takes the delay with it");
    assert!(leader.unassigned.worst < leader.unassigned_anyway, "and what waits with it: {leader:?}");
    let follower = goes(&cluster, 2);
    assert!(follower.delay.is_some_and(|delay| delay < Duration::from_secs(40)), "{:?}", follower.delay);
    assert!(follower.unassigned.median > 2.0 * 38.0, "both tasks wait for one delay: {follower:?}");
}

#[test]
fn the_second_that_is_named_is_the_cheapest_of_its_interval() {
    for start in ["1200ms", "20s"] {
        let (mut cluster, policy) = described(&format!("restart: {{start: {start}}}\nlast_round: 40s\n"));
        let found = next(&cluster, &policy, &[], Seed(3), Budget::of(&cluster, Some(5)));
        let Turned::Restart(step, Ok(moment)) = found.turn else { panic!("{start}: {:?}", found.turn) };
        assert_eq!(step.workers, [WorkerId(0)], "{start}");
        let mut at = |later: Duration| {
            if let Some(ownership) = &mut cluster.ownership {
                ownership.last_round = Some(Duration::from_secs(40) + later);
            }
            goes(&cluster, 0)
        };
        let best = at(moment.after);
        for tenth in 0..10 {
            let other = at(Duration::from_micros(moment.every.as_micros() * tenth / 10));
            let (named, other) = (best.unassigned.mean, other.unassigned.mean);
            // Within the margin that keeps the leave on its side of the heartbeat.
            assert!(named <= other * 1.35 + 1.0, "{start}, {tenth}: {named} and {other}");
        }
        assert_eq!(moment.side == Side::JustBefore, start == "20s", "{moment:?}");
        if moment.side != Side::JustBefore {
            assert!((best.rounds.worst - 1.0).abs() < 1e-9, "it leaves and returns in one round: {best:?}");
        }
    }
}

#[test]
fn no_second_is_named_where_none_can_be_known() {
    let why = |more: &str| {
        let (cluster, policy) = described(more);
        match next(&cluster, &policy, &[], Seed(3), Budget::of(&cluster, Some(2))).turn {
            Turned::Restart(_, Err(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(why(""), NoMoment::NotSeen);
    assert_eq!(why("last_round: 301s\n"), NoMoment::TooLongAgo(Duration::from_secs(301)));
    assert_eq!(why("last_round: 5s\nrestart: {stop: 1s..4s}\n"), NoMoment::StopVaries(Duration::from_secs(3)));
}

#[test]
fn the_same_state_has_the_same_next_step() {
    let (cluster, policy) = described("last_round: 9s\n");
    let budget = Budget::of(&cluster, Some(8));
    let of = || format!("{:?}", next(&cluster, &policy, &[WorkerId(2)], Seed(9), budget));
    assert_eq!(of(), of());
}

fn goes(cluster: &Cluster, worker: u32) -> GoesNow {
    goes_now(cluster, &[WorkerId(worker)], Seed(3), 5)
}

/// Three workers, of which w1 leads and w2 would succeed; with `delay_left` a task of w3's waits.
fn described(more: &str) -> (Cluster, Policy) {
    let delayed = more.contains("delay_left");
    let (w3, waiting) = if delayed { ("sink-2", "waiting: [\"orders-2\"]\n") } else { ("orders-2, sink-2", "") };
    let id = |name: &str, uuid: &str| format!("name: {name}, member: \"connect-{name}:8083-{uuid}\"");
    let text = format!(
        "version: 1\nkafka: 4.4.0\nsettings: {{scheduled.rebalance.max.delay.ms: 60000}}\nleader: w1\n\
         group_order: [w2, w1, w3]\n{waiting}{more}policy: {{max_share: 100%}}\nworkers:\n  \
         - {{{}, owns: [orders, orders-0, sink-0]}}\n  - {{{}, owns: [single, single-0, orders-1, sink-1]}}\n  \
         - {{{}, owns: [sink, {w3}]}}\nconnectors: {{orders: 3, single: 1, sink: {{kind: sink, tasks: 3}}, spare: 0}}\n",
        id("w1", "7dab2aa1-19fe-4974-823f-2dc6d3b3b30d"),
        id("w2", "6fa459ea-ee8a-4ca4-894e-db77e160355e"),
        id("w3", "16fd2706-8baf-433b-82eb-8c7fada847da"),
    );
    let text = text.replace("owns: [sink,", "owns: [sink, spare,");
    let mut files = Files::default();
    files.insert("main", text.as_str());
    read(&files, "main").unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]))
}
