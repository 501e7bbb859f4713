//! Runs whose observation on a real cluster is known.

use super::super::tests::{an_incident, cluster};
use super::super::{Detail, Order, Schedule, Seed, replay, simulate};
use super::*;
use crate::model::{KafkaVersion, Spread, Wait, WorkerId};
use crate::snapshot::{Disagreement, GroupState as ShownState, Item, disagreements};
use crate::units::Duration;

const EPOCH: Timestamp = Timestamp::from_millis(1_796_095_038_000);

fn at(millis: i64) -> SimTime {
    SimTime::from_millis(millis)
}

/// w1 leads three workers with 12 tasks; those listed are restarted, each when all is settled.
fn rolled(order: &[u32], change: impl Fn(&mut Cluster)) -> (Cluster, Timeline) {
    let mut cluster = cluster(3, &[("alpha", 12)], Duration::from_secs(20), Duration::from_secs(5));
    cluster.workers[0].leads = true;
    change(&mut cluster);
    let order = Order::Listed(order.iter().map(|&worker| WorkerId(worker)).collect());
    let timeline = simulate(&cluster, &Schedule::new(order, Wait::Settled), Seed(1), Detail::Full);
    (cluster, timeline)
}

fn group_of(snapshot: &Snapshot) -> &Group {
    snapshot.group.known().unwrap()
}

/// What nobody owns, as its statuses have it: `alpha-1 RUNNING on w2:8083`.
fn orphans(snapshot: &Snapshot) -> Vec<String> {
    let statuses = snapshot.statuses.known().unwrap();
    let claimed = |item: &Item| {
        let status = &statuses.connectors[item.connector()];
        let claimed = item.number().map_or_else(|| status.instance.known(), |number| status.tasks.get(&number));
        format!("{item} {}", claimed.unwrap())
    };
    snapshot.unowned().known().unwrap().iter().map(claimed).collect()
}

fn said(snapshot: &Snapshot) -> Vec<String> {
    disagreements(snapshot).iter().map(ToString::to_string).collect()
}

#[test]
fn a_quiet_cluster_is_seen_as_it_is() {
    let (cluster, timeline) = rolled(&[1], |_| ());
    let snapshot = observe(&cluster, &timeline, SimTime::ZERO, EPOCH);
    let group = group_of(&snapshot);
    assert_eq!((snapshot.taken_at, &group.state), (EPOCH, &ShownState::Stable));
    assert_eq!(group.protocol.as_deref(), Some("sessioned"));
    assert_eq!(group.leader().known().unwrap().name(), "w1:8083");
    assert_eq!(group.delay(), Seen::Known(Duration::ZERO));
    assert_eq!(group.owners().known().unwrap().len(), 13);
    assert_eq!(said(&snapshot), [""; 0]);
    assert_eq!(crate::snapshot::remarks(&snapshot), []);
}

#[test]
fn the_tasks_of_a_follower_stay_running_by_their_statuses_through_the_whole_delay() {
    // Seen on a real cluster of 4.4.0: leave 1.292, round 1.815 with a delay of 20 s, back 7.155,
    // round 7.840 with 13.98 s, deadline 21.859.
    let replayed = an_incident();
    let timeline = replay(&replayed, Seed(1));
    let seen = |millis| observe(&replayed.cluster, &timeline, at(millis), EPOCH);
    assert_eq!(said(&seen(1_000)), [""; 0]);

    let gap = seen(1_400);
    assert_eq!(group_of(&gap).state, ShownState::PreparingRebalance);
    assert_eq!((group_of(&gap).members.len(), &group_of(&gap).protocol), (2, &None));
    assert!(group_of(&gap).owners().why_unknown().is_some());
    assert_eq!(
        group_of(&gap).leader().known().unwrap().id,
        "connect-127.0.0.1:18081-23c6037b-28ed-44c0-994d-0a326b24f0f7"
    );

    let away = seen(5_000);
    assert_eq!(group_of(&away).delay(), Seen::Known(Duration::from_secs(20)));
    let stale = [1, 4, 7, 10].map(|task| format!("alpha-{task} RUNNING on w2:8083"));
    assert_eq!(orphans(&away), stale);
    assert_eq!(away.endpoints[1].no_answer, Some(NoAnswer::Refused));

    for millis in [9_000, 15_000, 21_000] {
        let back = seen(millis);
        let group = group_of(&back);
        let w2 = group.members.iter().find(|member| member.name() == "w2:8083").unwrap();
        assert_eq!(w2.id, "connect-127.0.0.1:18082-61da4dbb-76c9-4b34-8a08-a09eb7e56ba2");
        assert_eq!(w2.owns.known().unwrap().count(), 0);
        // It does not count down.
        let delay = group.delay().known().unwrap().as_millis();
        assert!((delay - 13_980).abs() < 120, "{delay}");
        assert_eq!(orphans(&back), stale, "at {millis} ms");
        assert!(back.endpoints[1].version.known().is_some());
    }
    let through = seen(23_000);
    assert_eq!(group_of(&through).delay(), Seen::Known(Duration::ZERO));
    assert_eq!(said(&through), [""; 0]);
    assert_eq!(orphans(&through), [""; 0]);
}

/// The middle of the delay in which the tasks of the last stopped worker wait.
fn in_the_last_delay(timeline: &Timeline) -> SimTime {
    let round = timeline.rounds.iter().rev().find(|round| !round.delay.is_zero()).unwrap();
    round.at + round.delay / 2
}

#[test]
fn tasks_started_in_an_older_generation_are_unassigned_during_the_delay() {
    // w3's tasks were started before the rounds that w2's restart brought about.
    let (cluster, timeline) = rolled(&[1, 2], |_| ());
    let snapshot = observe(&cluster, &timeline, in_the_last_delay(&timeline), EPOCH);
    assert_eq!(orphans(&snapshot), [2, 5, 8, 11].map(|task| format!("alpha-{task} UNASSIGNED on w3:8083")));
    assert_eq!(said(&snapshot), [""; 0]);
}

#[test]
fn a_worker_bounced_twice_leaves_running_behind_again() {
    let (cluster, timeline) = rolled(&[2, 1, 1], |_| ());
    let snapshot = observe(&cluster, &timeline, in_the_last_delay(&timeline), EPOCH);
    let orphans = orphans(&snapshot);
    assert_eq!(orphans.len(), 4);
    assert!(orphans.iter().all(|orphan| orphan.ends_with("RUNNING on w2:8083")), "{orphans:?}");
}

#[test]
fn readers_before_3_6_see_every_orderly_stop() {
    let (cluster, timeline) = rolled(&[1], |cluster| {
        for worker in &mut cluster.workers {
            let version = KafkaVersion::new(3, 5, 2);
            worker.before.version = version;
            worker.before.rules = version.rules();
            worker.after = worker.before.clone();
        }
    });
    let snapshot = observe(&cluster, &timeline, in_the_last_delay(&timeline), EPOCH);
    assert_eq!(orphans(&snapshot), [1, 4, 7, 10].map(|task| format!("alpha-{task} UNASSIGNED on w2:8083")));
}

#[test]
fn what_a_killed_worker_ran_stays_running_and_its_ghost_is_listed() {
    let (cluster, timeline) = rolled(&[2, 1], |cluster| {
        cluster.workers[1].restart.grace = Some(Duration::from_millis(1));
        cluster.workers[1].restart.start = crate::model::Start::Whole(Spread::Fixed(Duration::from_secs(2)));
    });
    let killed = timeline.processes.iter().rev().find(|change| change.process == Process::Down).unwrap().at;
    let ghost = observe(&cluster, &timeline, killed + Duration::from_secs(5), EPOCH);
    let group = group_of(&ghost);
    assert_eq!((&group.state, group.members.len()), (&ShownState::PreparingRebalance, 4));
    let newcomer: Vec<_> = group.members.iter().filter_map(|member| member.assignment.why_unknown()).collect();
    assert_eq!(newcomer, ["it has joined and has no assignment yet"]);
    let waiting = observe(&cluster, &timeline, in_the_last_delay(&timeline), EPOCH);
    assert_eq!(group_of(&waiting).members.len(), 3);
    assert_eq!(orphans(&waiting), [1, 4, 7, 10].map(|task| format!("alpha-{task} RUNNING on w2:8083")));
}

#[test]
fn a_bounced_leader_leaves_no_orphans_but_late_statuses() {
    let (cluster, timeline) = rolled(&[1, 0], |_| ());
    let stopped = timeline.steps[1].at;
    let new_leader = timeline.rounds.iter().find(|round| round.at > stopped).unwrap();
    assert_eq!(new_leader.delay, Duration::ZERO);
    // Its tasks are of an older generation: UNASSIGNED before it has even left the group.
    let leaving = observe(&cluster, &timeline, stopped + Duration::from_millis(500), EPOCH);
    assert_eq!(leaving.endpoints[0].no_answer, Some(NoAnswer::Refused));
    let unassigned = |one: &Disagreement| matches!(one, Disagreement::UnassignedButOwned { .. });
    assert_eq!(disagreements(&leaving).iter().filter(|one| unassigned(one)).count(), 5);
    let taken_over = observe(&cluster, &timeline, new_leader.at + Duration::from_secs(1), EPOCH);
    assert_eq!(orphans(&taken_over), [""; 0]);
    assert_eq!(said(&taken_over), [""; 0]);
    // What is revoked for balance was started in the generation before: RUNNING at its old owner.
    let balancing = timeline.rounds.iter().find(|round| round.at > new_leader.at).unwrap();
    let between = observe(&cluster, &timeline, balancing.at + Duration::from_secs(1), EPOCH);
    assert_eq!(group_of(&between).state, ShownState::PreparingRebalance);
    let revoked: Vec<_> = balancing.members.iter().flat_map(|part| part.revoked.tasks.clone()).collect();
    assert_eq!(revoked.len(), 4);
    let statuses = between.statuses.known().unwrap();
    for task in revoked {
        let claimed = &statuses.connectors["alpha"].tasks[&cluster.work.number(task)];
        assert_eq!(claimed.state, crate::snapshot::ConnectorState::Running);
        assert_ne!(claimed.worker, "w1:8083");
    }
}

#[test]
fn a_task_whose_stop_takes_too_long_is_left_running() {
    let (cluster, timeline) = rolled(&[2, 1], |cluster| {
        cluster.connectors[0].task_stop = Spread::Fixed(Duration::from_secs(60));
    });
    let snapshot = observe(&cluster, &timeline, in_the_last_delay(&timeline), EPOCH);
    assert_eq!(orphans(&snapshot), [1, 4, 7, 10].map(|task| format!("alpha-{task} RUNNING on w2:8083")));
}

#[test]
fn the_port_of_a_starting_worker_answers_404() {
    let (cluster, timeline) = rolled(&[1], |_| ());
    let began = timeline.processes.iter().find(|change| change.process == Process::Starting).unwrap().at;
    let joined = timeline.processes.iter().find(|change| change.process == Process::Joining).unwrap().at;
    let port = |at| observe(&cluster, &timeline, at, EPOCH).endpoints[1].clone();
    assert_eq!(port(began + Duration::from_secs(1)).no_answer, Some(NoAnswer::Status(404)));
    assert_eq!(port(joined).version.known().unwrap().version, "4.4.0");
    let asked = observe(&cluster, &timeline, joined, EPOCH).statuses.known().unwrap().asked.clone();
    assert_eq!(asked, "http://w1:8083/");
}

#[test]
fn a_run_kept_for_its_figures_shows_no_group() {
    let (cluster, _) = rolled(&[], |_| ());
    let schedule = Schedule::new(Order::Listed(vec![WorkerId(1)]), Wait::Settled);
    let timeline = simulate(&cluster, &schedule, Seed(1), Detail::Figures);
    let snapshot = observe(&cluster, &timeline, SimTime::ZERO, EPOCH);
    assert_eq!(snapshot.group.why_unknown(), Some("the run was kept without the changes of its group"));
}
