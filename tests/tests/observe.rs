//! `rollgate observe` against scripted workers and brokers.

use rollgate_core::snapshot::{ConnectorState, GroupState, NoAnswer, Seen, Snapshot};
use rollgate_tests::scripted::{Group, Member, Port, Script, ScriptedCluster, Task, Turn};
use rollgate_tests::{Outcome, Rollgate, compare, root};
use serde_json::json;

#[test]
fn a_healthy_cluster_is_seen_whole() {
    let cluster = ScriptedCluster::start(healthy());
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert_eq!(seen.cluster_id.known().unwrap(), "scripted-cluster");
    let group = seen.group.known().unwrap();
    assert_eq!((group.id.as_str(), &group.state), ("connect", &GroupState::Stable));
    assert_eq!(cluster.named(&group.leader().known().unwrap().name()), "w1.example:8083");
    assert_eq!(group.owners().known().unwrap().len(), 11, "two connectors, six tasks and three");
    let statuses = seen.statuses.known().unwrap();
    assert_eq!(statuses.connectors["orders"].tasks[&5].state, ConnectorState::Running);
    assert_eq!(statuses.connectors["payments"].consumer_group.as_deref(), Some("connect-payments"));
    assert!(seen.endpoints.iter().all(|endpoint| endpoint.version.known().is_some()));
    assert_eq!(seen.sinks[0].lag(), Seen::Known(30));
    text_is("whole", &cluster, &[]);
}

#[test]
fn one_look_costs_the_same_few_requests_whatever_the_number_of_tasks() {
    let cost = |tasks: u32| {
        let cluster =
            ScriptedCluster::start(Script::of(&["w1", "w2", "w3"]).source("orders", tasks).sink("paid", tasks));
        let (outcome, _) = seen(&cluster, &["--group", "connect"]);
        assert_eq!(outcome.code, 0, "{outcome:?}");
        assert_eq!(cluster.log().count("GET /"), 3);
        assert_eq!(cluster.log().count("GET /connectors"), 1);
        cluster.log().all().len()
    };
    let few = cost(3);
    assert_eq!(few, cost(400));
    assert!(few <= 16, "{few} requests");
}

#[test]
fn a_delay_is_told_with_the_tasks_that_wait_and_the_statuses_that_hide_it() {
    let cluster = ScriptedCluster::start(waiting());
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert_eq!(seen.group.known().unwrap().delay().known().unwrap().to_string(), "14.0 s");
    assert_eq!(seen.endpoints[1].no_answer, Some(NoAnswer::Refused));
    text_is("waiting", &cluster, &[]);
}

#[test]
fn while_a_round_is_under_way_nobody_says_who_owns_what() {
    let cluster = ScriptedCluster::start(healthy());
    cluster.change(Script::rebalance);
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let group = seen.group.known().unwrap();
    assert_eq!((group.id.as_str(), &group.state), ("connect", &GroupState::PreparingRebalance));
    assert!(group.owners().known().is_none());
    text_is("rebalancing", &cluster, &[]);
}

#[test]
fn workers_alone_say_what_they_know_and_what_nobody_knows() {
    let cluster = ScriptedCluster::start(healthy());
    let outcome = Rollgate::new(&["observe", "--connect", &cluster.connect(), "-o", "text"]).run();
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    expect("rest-alone", &cluster, &outcome);
    assert_eq!(cluster.log().more_than_questions(), []);
}

#[test]
fn brokers_alone_need_no_worker() {
    let cluster = ScriptedCluster::start(healthy());
    let outcome = Rollgate::new(&["observe", "--bootstrap", &cluster.bootstrap()]).run();
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let seen = Snapshot::read(&outcome.stdout).unwrap();
    assert!(seen.group.known().is_some());
    assert_eq!(seen.statuses.why_unknown(), Some("no worker was named (--connect)"));
}

#[test]
fn each_way_of_not_answering_has_its_kind_and_its_words() {
    let html = "<html><body><h2>HTTP ERROR 404 Not Found</h2></body></html>";
    for (does, kind, words) in [
        (Port::Closed, NoAnswer::Refused, "nobody listens there"),
        (Port::Hangs, NoAnswer::TimedOut, "no whole answer came within 500 ms"),
        (Port::Half, NoAnswer::TimedOut, "no whole answer came within 500 ms"),
        (Port::Cuts, NoAnswer::Broken, "the connection was cut before the end of its answer"),
        (Port::Drops, NoAnswer::Broken, "the connection was cut before the end of its answer"),
        (Port::Says(404, html.to_owned()), NoAnswer::Status(404), "the worker is still starting, or the path is wrong"),
        (Port::Says(401, String::new()), NoAnswer::Forbidden, "it wants a user and a password that it knows"),
        (Port::Says(403, String::new()), NoAnswer::Forbidden, "the user may not ask it this"),
        (Port::Says(302, String::new()), NoAnswer::Status(302), "it points elsewhere, where nobody is asked"),
        (Port::Says(409, "{}".to_owned()), NoAnswer::Status(409), "HTTP status 409"),
        (Port::Says(500, "{}".to_owned()), NoAnswer::Status(500), "HTTP status 500"),
        (Port::Says(503, String::new()), NoAnswer::Status(503), "HTTP status 503"),
        (Port::Says(200, html.to_owned()), NoAnswer::Unreadable, "something else than JSON"),
        (
            Port::Json(json!({"name": "es-1", "version": {"number": "8.1"}})),
            NoAnswer::Unreadable,
            "not that of a Connect worker",
        ),
    ] {
        let cluster = ScriptedCluster::start(healthy());
        cluster.change(|script| script.worker("w2").does = does.clone());
        let (outcome, seen) = seen(&cluster, &["--timeout", "500ms"]);
        assert_eq!(outcome.code, 0, "{does:?}: the others answer: {outcome:?}");
        let endpoint = &seen.endpoints[1];
        assert_eq!(endpoint.no_answer, Some(kind), "{does:?}: {endpoint:?}");
        let why = endpoint.version.why_unknown().unwrap();
        assert!(why.contains(words), "{does:?}: {why}");
        assert!(seen.endpoints[0].version.known().is_some() && seen.endpoints[2].version.known().is_some());
    }
}

#[test]
fn a_name_that_nobody_knows_is_unreachable() {
    let outcome = Rollgate::new(&["observe", "--connect", "http://w1.invalid:8083", "--timeout", "5s"]).run();
    assert_eq!(outcome.code, 4, "{outcome:?}");
    let seen = Snapshot::read(&outcome.stdout).unwrap();
    assert_eq!(seen.endpoints[0].no_answer, Some(NoAnswer::Unreachable), "{seen:?}");
    assert_eq!(outcome.stderr, "rollgate: the statuses are not known: no worker answers\n");
}

#[test]
fn a_worker_that_has_read_nothing_yet_hides_no_connector() {
    let cluster = ScriptedCluster::start(healthy());
    cluster.change(|script| says_of_connectors(script, "w1", json!({})));
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let statuses = seen.statuses.known().unwrap();
    assert_eq!(statuses.connectors.len(), 2);
    assert_eq!(statuses.asked, seen.endpoints[1].url);
    assert_eq!(cluster.log().asked("GET /connectors"), ["w1", "w2"]);
}

#[test]
fn where_all_leave_a_connector_out_the_answer_with_most_counts() {
    let cluster = ScriptedCluster::start(healthy());
    cluster.change(|script| {
        script.connectors.remove("payments");
        says_of_connectors(script, "w1", json!({}));
    });
    let (_, seen) = seen(&cluster, &["--group", "connect"]);
    assert_eq!(seen.statuses.known().unwrap().connectors.len(), 1);
    assert_eq!(cluster.log().asked("GET /connectors"), ["w1", "w2", "w3"]);
}

#[test]
fn a_worker_outside_the_group_is_asked_last() {
    let cluster = ScriptedCluster::start(healthy());
    cluster.change(|script| script.group().members.retain(|member| member.worker != "w1"));
    seen(&cluster, &[]);
    assert_eq!(cluster.log().asked("GET /connectors").first().unwrap(), "w2");
}

#[test]
fn an_empty_cluster_is_empty_and_costs_no_more() {
    let cluster = ScriptedCluster::start(Script::of(&["w1", "w2"]));
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert!(seen.statuses.known().unwrap().connectors.is_empty() && seen.sinks.is_empty());
    assert_eq!(cluster.log().count("GET /connectors"), 1);
}

#[test]
fn two_groups_at_the_same_addresses_have_to_be_told_apart() {
    let mut script = healthy();
    let mut other = Group::new("connect-b", "connect", "sessioned");
    other.members = vec![Member { id: "b".into(), worker: "w2".into(), leader: "b".into(), ..Member::default() }];
    script.groups.push(other);
    let cluster = ScriptedCluster::start(script);
    let outcome = observe(&cluster, &[]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    let words =
        "rollgate: the groups connect and connect-b have members at these addresses: say which one with --group\n";
    assert_eq!(outcome.stderr, words);
    let (outcome, seen) = seen(&cluster, &["--group", "connect-b"]);
    assert_eq!((outcome.code, seen.group.known().unwrap().id.as_str()), (0, "connect-b"));
}

#[test]
fn where_no_group_fits_what_there_is_is_told() {
    let cluster = ScriptedCluster::start(healthy());
    cluster.change(|script| {
        for member in &mut script.group().members {
            member.worker = format!("http://{}.elsewhere:8083/", member.worker);
        }
    });
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!(outcome.code, 4);
    let why = seen.group.why_unknown().unwrap();
    assert!(why.contains("there is connect (http://w1.elsewhere:8083/, http://w2.elsewhere:8083/, http"), "{why}");
    assert!(outcome.stderr.contains("the group of workers is not known: there is no group"), "{}", outcome.stderr);
    let why = |group: &str| {
        let (outcome, seen) = self::seen(&cluster, &["--group", group]);
        assert_eq!(outcome.code, 4);
        seen.group.why_unknown().unwrap_or_default().to_owned()
    };
    assert_eq!(why("conect"), "there is no group conect; of type connect this user may see connect");
}

#[test]
fn groups_of_other_programs_are_refused_by_name() {
    let mut script = healthy();
    let mut mirror = Group::new("A-mm2", "connect", "sessioned");
    mirror.members = vec![Member { id: "m".into(), worker: "NOTUSED".into(), leader: "m".into(), ..Member::default() }];
    script.groups.push(mirror);
    let cluster = ScriptedCluster::start(script);
    for (group, words) in [
        ("A-mm2", "the group A-mm2 is one of a dedicated MirrorMaker 2"),
        ("connect-payments", "the group connect-payments is of type `consumer`, not `connect`"),
    ] {
        let outcome = observe(&cluster, &["--group", group]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{group}");
        assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
    }
    // It is no choice either where the group is to be found.
    assert_eq!(observe(&cluster, &[]).code, 0);
}

#[test]
fn a_refusal_of_the_cluster_names_the_permission() {
    for (request, code, words) in [
        ("DescribeGroups", 30, "Describe on Group connect"),
        ("OffsetFetch", 30, "Describe on Group connect-payments"),
        ("ListOffsets", 29, "Describe on Topic payments"),
        ("ListGroups", 31, "Describe on Cluster"),
    ] {
        let cluster = ScriptedCluster::start(healthy());
        cluster.change(|script| script.refused.insert(request.to_owned(), code));
        let group = ["--group", "connect"];
        let (outcome, seen) = seen(&cluster, if request == "ListGroups" { &[] } else { &group });
        assert_eq!(outcome.code, 4, "{request}: {outcome:?}");
        assert!(outcome.stderr.contains(words), "{request}: {}", outcome.stderr);
        assert!(seen.statuses.known().is_some(), "{request}: the workers answer all the same");
        let lags = seen.sinks.iter().filter(|sink| sink.lag().known().is_some()).count();
        assert_eq!(lags, usize::from(request == "ListGroups"), "{request}: no lag is made up");
    }
}

#[test]
fn brokers_that_are_gone_or_hang_end_in_time_and_leave_the_rest() {
    for hang in [false, true] {
        let cluster = ScriptedCluster::start(healthy());
        cluster.change(|script| script.brokers_hang = hang);
        let bootstrap = if hang { cluster.bootstrap() } else { "127.0.0.1:1".to_owned() };
        let began = std::time::Instant::now();
        let call = ["observe", "--connect", &cluster.connect(), "--bootstrap", &bootstrap, "--timeout", "500ms"];
        let outcome = Rollgate::new(&call).run();
        assert_eq!(outcome.code, 4, "{outcome:?}");
        assert!(began.elapsed().as_secs() < 5, "it took {:?}", began.elapsed());
        let seen = Snapshot::read(&outcome.stdout).unwrap();
        assert!(seen.group.known().is_none() && seen.statuses.known().is_some());
        assert!(outcome.stderr.starts_with("rollgate: the group of workers is not known: "), "{}", outcome.stderr);
    }
}

#[test]
fn a_group_and_partitions_of_other_brokers_are_found() {
    let mut script = healthy();
    script.brokers = vec![0, 0, 0];
    script.group().coordinator = 2;
    script.groups[1].coordinator = 1;
    let cluster = ScriptedCluster::start(script);
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!(
        (outcome.code, cluster.named(&seen.group.known().unwrap().coordinator).as_str()),
        (0, "b3.example:9092")
    );
    assert_eq!(seen.sinks[0].lag(), Seen::Known(30));
}

#[test]
fn bytes_of_a_member_that_cannot_be_read_are_unknown_and_the_others_known() {
    let cluster = ScriptedCluster::start(healthy());
    cluster.change(|script| script.member("w3").bytes = Some((vec![0, 2, 0, 99], vec![0, 1])));
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let members = &seen.group.known().unwrap().members;
    assert!(members[0].owns.known().is_some() && members[2].owns.known().is_none());
    assert!(members[2].url.why_unknown().unwrap().contains("byte 4"), "{:?}", members[2].url);
}

#[test]
fn a_sink_whose_consumers_never_joined_has_none() {
    let cluster = ScriptedCluster::start(healthy());
    cluster.change(|script| script.groups.retain(|group| group.kind == "connect"));
    let (outcome, seen) = seen(&cluster, &[]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert_eq!(seen.sinks[0].state, Seen::Known(GroupState::Dead));
    assert_eq!(seen.sinks[0].consumers, Seen::Known(Vec::new()));
}

#[test]
fn a_snapshot_that_was_written_down_gives_the_same_report() {
    let cluster = ScriptedCluster::start(waiting());
    let written = observe(&cluster, &[]).stdout;
    let read = |form: &str| Rollgate::new(&["observe", "--snapshot", "-", "-o", form]).input(written.as_str()).run();
    assert_eq!((read("json").code, read("json").stdout), (0, written.clone()));
    assert!(read("yaml").stdout.starts_with("schema_version: 1\n"), "{}", read("yaml").stdout);
    assert!(read("md").stdout.contains("| worker |  | version | tasks |"), "{}", read("md").stdout);
    expect("waiting", &cluster, &read("text"));
    let outcome = Rollgate::new(&["observe", "--snapshot", "-"]).input("{}").run();
    assert_eq!(outcome.code, 2);
    assert_eq!(outcome.stderr, "rollgate: (standard input): it is no snapshot: `schema_version` is missing\n");
}

#[test]
fn a_call_without_anybody_to_ask_is_a_mistake() {
    for (call, words) in [
        (&["observe"][..], "name workers with --connect, brokers with --bootstrap, or both"),
        (&["observe", "--connect", "http://w1:8083", "--tls"], "name them with --bootstrap"),
        (&["observe", "--connect", "http://w1:8083", "--timeout", "soon"], "this is no time such as 10s"),
        (&["observe", "--bootstrap", "kafka"], "write host:port"),
        (&["observe", "--snapshot", "no.json"], "cannot read no.json"),
    ] {
        let outcome = Rollgate::new(call).run();
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{call:?}");
        assert!(outcome.stderr.contains(words), "{call:?}: {}", outcome.stderr);
    }
}

/// Three workers, all is well.
fn healthy() -> Script {
    Script::of(&["w1", "w2", "w3"]).source("orders", 6).sink("payments", 3)
}

/// w2 has left and is not back: its tasks wait, and two of them still say RUNNING.
fn waiting() -> Script {
    let mut script = healthy();
    script.worker("w2").does = Port::Closed;
    script.group().members.retain(|member| member.worker != "w2");
    for member in &mut script.group().members {
        member.reported = std::mem::take(&mut member.assigned);
        member.delay_ms = 14_000;
    }
    let orders = script.connectors.get_mut("orders").expect("the source");
    orders.tasks.insert(3, Task { state: "UNASSIGNED".to_owned(), worker: "w2".to_owned() });
    orders.tasks.insert(5, Task { state: "FAILED".to_owned(), worker: "w1".to_owned() });
    script.groups[1].consumers.pop();
    script
}

/// A worker answers this for its connectors, and what is so for the rest.
fn says_of_connectors(script: &mut Script, worker: &str, says: serde_json::Value) {
    let turn = Turn { path: "/connectors".to_owned(), calls: 0..usize::MAX, does: Port::Json(says) };
    script.worker(worker).turns.push(turn);
}

/// Asks workers and brokers. Whatever comes of it: nothing but questions was asked.
fn observe(cluster: &ScriptedCluster, more: &[&str]) -> Outcome {
    let (connect, bootstrap) = (cluster.connect(), cluster.bootstrap());
    let call = ["observe", "--connect", &connect, "--bootstrap", &bootstrap];
    let outcome = Rollgate::new(&[&call[..], more].concat()).run();
    assert_eq!(cluster.log().more_than_questions(), []);
    outcome
}

/// The same with the snapshot.
fn seen(cluster: &ScriptedCluster, more: &[&str]) -> (Outcome, Snapshot) {
    let outcome = observe(cluster, more);
    let seen = Snapshot::read(&outcome.stdout).unwrap_or_else(|error| panic!("{error:?}: {outcome:?}"));
    (outcome, seen)
}

/// The text for people is that of a scenario.
fn text_is(scenario: &str, cluster: &ScriptedCluster, more: &[&str]) {
    expect(scenario, cluster, &observe(cluster, &[&["-o", "text"], more].concat()));
}

fn expect(scenario: &str, cluster: &ScriptedCluster, outcome: &Outcome) {
    let text = cluster.named(&outcome.stdout);
    let moment = |line: &str| match line.strip_prefix("Seen at ") {
        Some(_) => "Seen at (a moment), within (a time).\n".to_owned(),
        None => format!("{line}\n"),
    };
    let text: String = text.lines().map(moment).collect();
    let folder = root().join("tests/scenarios/observe").join(scenario);
    compare(&folder, &text).unwrap_or_else(|wrong| panic!("{wrong}\n{outcome:?}"));
}
