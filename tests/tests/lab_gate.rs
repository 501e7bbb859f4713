//! A real cluster, seen, described, planned and rolled by the command alone; the tasks' own log
//! is the judge.
//!
//! Needs Java, Maven and Python; `tests/run lab` sees to them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rollgate_core::snapshot::Snapshot;
use rollgate_tests::lab::{Lab, LabOptions, TaskAct};
use rollgate_tests::{Outcome, Rollgate};
use serde_json::Value;

#[test]
fn a_roll_by_the_gate_ends_whole_and_a_killed_worker_halts_it() {
    let lab = Lab::start(&LabOptions::default().workers(3).delay("20s").connector("alpha", 6));
    let folder = std::env::temp_dir().join(format!("rollgate-lab-gate-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let roll = Roll { lab: &lab, folder: &folder };

    let seen = Snapshot::read(&roll.call(&["observe", "-o", "json"]).stdout).expect("a snapshot");
    let group = seen.group.known().expect("the group is seen");
    assert_eq!(group.owners().known().map(BTreeMap::len), Some(7), "six tasks and their connector");
    let rounds = lab.events(0).rounds;
    let last = rounds.last().expect("a settled cluster had a round");
    let leads = group.leader().known().expect("somebody leads").name();
    let led = last.leader.as_deref().expect("the log names the leader");
    assert!(lab.url(led).contains(&leads), "{leads} leads by the group, {led} by the log");

    let names = roll.describe();
    let plan = roll.plan();
    let steps: Vec<String> =
        plan["steps"].as_array().expect("steps").iter().map(|step| text(&step["workers"][0])).collect();
    let began = lab.events(0).acts.last().map_or(0, |act| act.t);
    for (place, worker) in steps.iter().enumerate() {
        let before = roll.gate("before", worker);
        assert_eq!(before.code, 0, "step {place}: {before:?}");
        lab.restart(names(worker).as_str());
        let after = roll.gate("after", worker);
        assert_eq!(after.code, 0, "step {place}: {after:?}");
    }
    // The last answer says that everything runs; so say the tasks, at that moment.
    let figures = lab.figures(began);
    let events = lab.events(0);
    let mut running = BTreeSet::new();
    for event in &events.tasks {
        match event.what {
            TaskAct::StartReturned => _ = running.insert(event.task.clone()),
            TaskAct::StopCalled => _ = running.remove(&event.task),
            _ => {}
        }
    }
    assert_eq!(running.len(), 6, "all run when the gate says so: {figures:?}");

    // One is killed while another is to go: the gate does not open, and says what to do.
    let killed = steps.first().expect("a step");
    let again = roll.plan();
    let other = again["steps"].as_array().expect("steps").iter().map(|step| text(&step["workers"][0]));
    let other = other.into_iter().find(|worker| worker != killed).expect("another worker");
    fs::remove_file(folder.join("roll.jsonl")).expect("the journal of the first roll");
    lab.kill(names(killed).as_str());
    let closed = roll.gate_for("before", &other, "20s");
    assert!(closed.code == 3 || closed.code == 1 || closed.code == 4, "{closed:?}");
    fs::remove_dir_all(&folder).expect("the folder goes");
}

struct Roll<'a> {
    lab: &'a Lab,
    folder: &'a Path,
}

impl Roll<'_> {
    fn call(&self, arguments: &[&str]) -> Outcome {
        let (connect, bootstrap) = (self.lab.connect(), self.lab.ready().bootstrap.clone());
        let mut all = arguments.to_vec();
        all.extend(["--connect", &connect, "--bootstrap", &bootstrap]);
        Rollgate::new(&all).run()
    }

    fn path(&self, name: &str) -> String {
        PathBuf::from(self.folder).join(name).display().to_string()
    }

    /// Describes the cluster, with what only its owner knows: the delay, and restarts on a machine
    /// that may be busy. Gives the laboratory's name of a worker of the description.
    fn describe(&self) -> impl Fn(&str) -> String + use<> {
        let found = self.call(&["discover"]);
        assert_eq!(found.code, 0, "{found:?}");
        let told = found
            .stdout
            .replace("scheduled.rebalance.max.delay.ms: 300000", "scheduled.rebalance.max.delay.ms: 20000")
            .replace("restart: {stop: 1s, down: 0s, start: 5s}", "restart: {stop: 1s..4s, down: 0s, start: 3s..60s}");
        assert_ne!(told, found.stdout);
        fs::write(self.path("cluster.yaml"), &told).expect("written");
        let described: Value = serde_yaml::from_str(&told).expect("YAML");
        let of = |worker: &Value| {
            let url = text(&worker["url"]);
            let its =
                |one: &&rollgate_tests::lab::LabWorker| url.trim_end_matches('/') == one.url.trim_end_matches('/');
            let lab = self.lab.ready().workers.iter().find(its).expect("one of the laboratory's").name.clone();
            (text(&worker["name"]), lab)
        };
        let pairs: Vec<(String, String)> = described["workers"].as_array().expect("workers").iter().map(of).collect();
        move |name| pairs.iter().find(|(described, _)| described == name).expect("described").1.clone()
    }

    fn plan(&self) -> Value {
        let cluster = self.path("cluster.yaml");
        let plan = self.call(&["plan", "--live", &cluster, "--executor", "serial", "--runs", "10", "-o", "json"]);
        assert_eq!(plan.code, 0, "{plan:?}");
        fs::write(self.path("plan.json"), &plan.stdout).expect("written");
        serde_json::from_str(&plan.stdout).expect("JSON")
    }

    fn gate(&self, ask: &str, worker: &str) -> Outcome {
        self.gate_for(ask, worker, "150s")
    }

    fn gate_for(&self, ask: &str, worker: &str, patience: &str) -> Outcome {
        let (plan, journal) = (self.path("plan.json"), self.path("roll.jsonl"));
        self.call(&[
            "gate",
            ask,
            worker,
            "--plan",
            &plan,
            "--journal",
            &journal,
            "--calm",
            "4s",
            "--wait-timeout",
            patience,
        ])
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
