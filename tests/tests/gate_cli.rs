//! `rollgate gate` as people and playbooks call it, against scripted workers and brokers.

use std::fs::{self, File};
use std::path::PathBuf;

use rollgate_tests::scripted::{Port, Script, ScriptedCluster};
use rollgate_tests::{Outcome, Rollgate};
use serde_json::Value;

#[test]
fn a_step_is_asked_before_and_after_and_is_then_through() {
    let roll = Roll::begin("through");
    let first = roll.step(0);
    let before = roll.gate("before", &first, &[]);
    assert_eq!(before.code, 0, "{before:?}");
    assert!(before.stdout.contains("proceed: ") && before.stdout.contains("may be stopped now"), "{before:?}");

    roll.leaves(&first);
    let away = roll.gate("after", &first, &["--wait-timeout", "1s"]);
    assert_eq!(away.code, 3, "{away:?}");
    assert!(away.stdout.contains("not yet: ") && away.stdout.contains("is not back in the group"), "{away:?}");
    assert!(away.stdout.contains("Nothing is lost"), "{away:?}");

    roll.returns(&first);
    let after = roll.gate("after", &first, &[]);
    assert_eq!(after.code, 0, "{after:?}");

    let again = roll.gate("before", &first, &[]);
    assert_eq!(again.code, 2, "{again:?}");
    assert!(again.stderr.contains("is through since"), "{again:?}");
}

#[test]
fn a_worker_that_is_away_closes_the_gate_for_the_others() {
    let roll = Roll::begin("away");
    let (first, second) = (roll.step(0), roll.step(1));
    assert_eq!(roll.gate("before", &first, &[]).code, 0);
    roll.leaves(&first);
    let other = roll.gate("before", &second, &["--wait-timeout", "1s"]);
    assert_eq!(other.code, 2, "{other:?}");
    assert!(other.stderr.contains("is under way") && other.stderr.contains("gate after"), "{other:?}");
}

#[test]
fn what_failed_since_closes_the_gate_until_a_person_overrules_it() {
    let roll = Roll::begin("failed");
    let first = roll.step(0);
    let baseline = roll.gate("before", &first, &["--wait-timeout", "0s"]);
    assert_eq!(baseline.code, 3, "calm has not lasted: {baseline:?}");
    roll.cluster.change(|script| {
        let orders = script.connectors.get_mut("orders").expect("the source");
        orders.tasks.get_mut(&2).expect("its task").state = "FAILED".to_owned();
    });
    let failed = roll.gate("before", &first, &["--wait-timeout", "1s", "-o", "json"]);
    let answer: Value = serde_json::from_str(&failed.stdout).expect("JSON");
    assert_ne!(failed.code, 0);
    assert_eq!(answer["exit_code"], failed.code);
    assert_eq!(answer["reasons"][0]["kind"], "failed", "{answer}");
    let overruled = roll.gate("before", &first, &["--accept", "failed", "--because", "known since noon"]);
    assert_eq!(overruled.code, 0, "{overruled:?}");
    assert!(overruled.stdout.contains("overruled (failed)"), "{overruled:?}");
    assert!(roll.journal().contains("known since noon"));
    let never = roll.gate("before", &first, &["--accept", "group-other", "--because", "no"]);
    assert_eq!(never.code, 2, "{never:?}");
}

#[test]
fn a_roll_belongs_to_one_person_and_one_call_at_a_time() {
    let roll = Roll::begin("owner");
    let first = roll.step(0);
    assert_eq!(roll.gate("before", &first, &["--owner", "ann@ops"]).code, 0);
    let other = roll.gate("after", &first, &["--owner", "ben@ops"]);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("this roll is ann@ops's"), "{other:?}");
    let taken = roll.gate("after", &first, &["--owner", "ben@ops", "--take-over", "--wait-timeout", "0s"]);
    assert_eq!(taken.code, 3, "{taken:?}");

    let lock = File::create(roll.folder.join("roll.jsonl.lock")).expect("a lock");
    lock.lock().expect("nobody else has it");
    let held = roll.gate("after", &first, &["--owner", "ben@ops"]);
    assert_eq!(held.code, 2);
    assert!(held.stderr.contains("is in use") && held.stderr.contains("--break-lock"), "{held:?}");
    let broken = roll.gate("after", &first, &["--owner", "ben@ops", "--break-lock", "--wait-timeout", "0s"]);
    assert_eq!(broken.code, 3, "{broken:?}");
}

#[test]
fn a_plan_that_was_changed_or_is_another_is_not_followed() {
    let roll = Roll::begin("changed");
    let first = roll.step(0);
    assert_eq!(roll.gate("before", &first, &["--wait-timeout", "0s"]).code, 3);
    let plan = fs::read_to_string(roll.folder.join("plan.json")).expect("the plan");
    fs::write(roll.folder.join("plan.json"), plan.replacen("\"seed\": 7", "\"seed\": 8", 1)).expect("written");
    let changed = roll.gate("before", &first, &[]);
    assert_eq!(changed.code, 2);
    assert!(changed.stderr.contains("changed after it was made"), "{changed:?}");
    roll.plan(&["--seed", "8"]);
    let other = roll.gate("before", &first, &[]);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("follows another plan"), "{other:?}");
    let nobody = roll.gate("before", "w9", &[]);
    assert!(nobody.code == 2 && nobody.stderr.contains("is no worker of the plan"), "{nobody:?}");
}

#[test]
fn brokers_that_do_not_answer_are_no_yes() {
    let roll = Roll::begin("blind");
    let first = roll.step(0);
    roll.cluster.change(|script| script.refused.insert("DescribeGroups".to_owned(), 30));
    let blind = roll.gate("before", &first, &["--wait-timeout", "1s"]);
    assert_eq!(blind.code, 4, "{blind:?}");
    assert!(blind.stdout.contains("cannot tell: "), "{blind:?}");
    assert!(blind.stdout.contains("Describe"), "the permission is named: {blind:?}");
}

#[test]
fn what_is_accepted_before_a_roll_has_begun_leaves_no_journal_behind() {
    let roll = Roll::begin("unbegun");
    let first = roll.step(0);
    roll.cluster.change(|script| script.refused.insert("DescribeGroups".to_owned(), 30));
    let blind = roll.gate("before", &first, &["--accept", "failed", "--because", "known", "--wait-timeout", "0s"]);
    assert_eq!(blind.code, 4, "{blind:?}");
    assert_eq!(roll.journal(), "");
    roll.cluster.change(|script| script.refused.clear());
    let seen = roll.gate("before", &first, &[]);
    assert_eq!(seen.code, 0, "{seen:?}");
}

#[test]
fn a_roll_that_was_halted_stays_so_however_it_is_asked() {
    let roll = Roll::begin("halted");
    let first = roll.step(0);
    // No calm window is shorter than a heartbeat of 3 s.
    let halted = roll.gate("before", &first, &["--deadline", "1s"]);
    assert_eq!(halted.code, 1, "{halted:?}");
    let again = roll.gate("before", &first, &[]);
    assert_eq!(again.code, 1, "{again:?}");
    assert!(again.stdout.contains("stop: "), "{again:?}");
}

#[test]
fn without_kafka_only_time_and_a_known_delay_open_the_gate() {
    let roll = Roll::begin("rest");
    let first = roll.step(0);
    let unknown = roll.gate_alone(&first, &["--wait-timeout", "1s"]);
    assert_eq!(unknown.code, 4, "{unknown:?}");
    let soon = roll.gate_alone(&first, &["--wait-timeout", "1s", "--max-delay", "5m", "--since-stop", "10s"]);
    assert_eq!(soon.code, 3, "{soon:?}");
    let late = roll.gate_alone(&first, &["--max-delay", "5m", "--since-stop", "1h"]);
    assert_eq!(late.code, 0, "{late:?}");
}

/// A roll of a scripted cluster in a folder of its own.
struct Roll {
    cluster: ScriptedCluster,
    folder: PathBuf,
    steps: Vec<(String, String)>,
}

impl Roll {
    fn begin(name: &str) -> Self {
        let cluster = ScriptedCluster::start(Script::of(&["w1", "w2", "w3"]).source("orders", 6));
        let folder = std::env::temp_dir().join(format!("rollgate-gate-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let mut roll = Self { cluster, folder, steps: Vec::new() };
        let plan = roll.plan(&[]);
        let workers = plan["inputs"]["description"]["workers"].as_array().expect("workers");
        let url_of = |name: &str| workers.iter().find(|worker| worker["name"] == name).expect("it")["url"].to_string();
        let steps = plan["steps"].as_array().expect("steps").iter();
        roll.steps = steps
            .map(|step| step["workers"][0].as_str().expect("a name").to_owned())
            .map(|name| (name.clone(), url_of(&name)))
            .collect();
        roll
    }

    /// Plans from the cluster as it is.
    fn plan(&self, more: &[&str]) -> Value {
        let (connect, bootstrap) = (self.cluster.connect(), self.cluster.bootstrap());
        let mut arguments = vec!["plan", "--live", "--connect", &connect, "--bootstrap", &bootstrap];
        arguments.extend(["--executor", "serial", "--runs", "5", "-o", "json"]);
        arguments.extend(more);
        let outcome = Rollgate::new(&arguments).run();
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        fs::write(self.folder.join("plan.json"), &outcome.stdout).expect("written");
        serde_json::from_str(&outcome.stdout).expect("JSON")
    }

    /// The worker of a step by its name in the plan.
    fn step(&self, place: usize) -> String {
        self.steps[place].0.clone()
    }

    fn gate(&self, ask: &str, worker: &str, more: &[&str]) -> Outcome {
        let bootstrap = self.cluster.bootstrap();
        let mut all = vec!["--bootstrap", bootstrap.as_str()];
        all.extend(more);
        self.gate_with(ask, worker, &all)
    }

    fn gate_alone(&self, worker: &str, more: &[&str]) -> Outcome {
        self.gate_with("before", worker, more)
    }

    fn gate_with(&self, ask: &str, worker: &str, more: &[&str]) -> Outcome {
        let connect = self.cluster.connect();
        let path = |name: &str| self.folder.join(name).display().to_string();
        let (plan, journal) = (path("plan.json"), path("roll.jsonl"));
        let mut arguments = vec!["gate", ask, worker, "--plan", &plan, "--journal", &journal, "--connect", &connect];
        arguments.extend(["--calm", "1s", "--poll", "100ms"]);
        if !more.contains(&"--wait-timeout") {
            arguments.extend(["--wait-timeout", "30s"]);
        }
        arguments.extend(more);
        Rollgate::new(&arguments).run()
    }

    fn journal(&self) -> String {
        fs::read_to_string(self.folder.join("roll.jsonl")).expect("the journal")
    }

    /// The worker's name in the script.
    fn scripted(&self, worker: &str) -> String {
        let url = &self.steps.iter().find(|(name, _)| name == worker).expect("a step").1;
        self.cluster.change(|script| {
            let of = |port: u16| url.contains(&format!(":{port}"));
            script.workers.iter().find(|worker| of(worker.port)).expect("its port").name.clone()
        })
    }

    /// Its process ends in an orderly way: what it had is with nobody.
    fn leaves(&self, worker: &str) {
        let name = self.scripted(worker);
        self.cluster.change(|script| {
            script.worker(&name).does = Port::Closed;
            script.group().members.retain(|member| member.worker != name);
        });
    }

    /// A new process is a member under a new id; everything has an owner and runs.
    fn returns(&self, worker: &str) {
        let name = self.scripted(worker);
        self.cluster.change(|script| {
            let ports: Vec<u16> = script.workers.iter().map(|worker| worker.port).collect();
            let fresh = Script::of(&["w1", "w2", "w3"]).source("orders", 6);
            let (groups, connectors) = (fresh.groups, fresh.connectors);
            (script.groups, script.connectors) = (groups, connectors);
            for (worker, port) in script.workers.iter_mut().zip(ports) {
                worker.port = port;
                worker.does = Port::Answers;
            }
            for member in &mut script.group().members {
                if member.worker == name {
                    member.id = member.id.replacen("-0000-", "-1111-", 1);
                }
            }
            let leader = script.group().members[0].id.clone();
            for member in &mut script.group().members {
                member.leader.clone_from(&leader);
            }
        });
    }
}

impl Drop for Roll {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}
