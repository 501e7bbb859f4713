//! A real Kafka Connect cluster on this machine, driven by a test: `tests/lab/up --control`.
//!
//! What happened there is told by the tasks' own starts and stops and by the logs of workers and
//! broker, never by what the cluster answers when it is asked. All times are in milliseconds since
//! 1970, all durations in milliseconds unless the name says otherwise.

mod answers;
mod observed;
mod options;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::root;

pub use answers::{LabWorker, Member, Ready, RestAnswer, Security, Stopped, User};
pub use observed::{Act, AtOnce, Events, Figures, GroupAct, Round, RoundMember, TaskAct, TaskEvent};
pub use options::LabOptions;

/// A cluster that runs, and that is gone with this value. One at a time in a test program.
#[derive(Debug)]
pub struct Lab {
    process: Mutex<Child>,
    input: Mutex<Option<ChildStdin>>,
    waiting: Waiting,
    events: Mutex<Receiver<Value>>,
    ready: Ready,
    _alone: MutexGuard<'static, ()>,
}

type Waiting = Arc<Mutex<BTreeMap<u64, Sender<Value>>>>;

impl Lab {
    /// Starts a cluster and waits until it is settled.
    ///
    /// # Panics
    /// If it does not come up; the message is the command's own.
    pub fn start(options: &LabOptions) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut command = Command::new(root().join("tests/lab/up"));
        command.arg("--control").args(&options.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("tests/lab/up starts");
        let input = process.stdin.take();
        let output = process.stdout.take().expect("its output is a pipe");
        let waiting = Waiting::default();
        let (tell, events) = channel();
        let answers = Arc::clone(&waiting);
        thread::spawn(move || take_lines(BufReader::new(output), &answers, &tell));
        let ready = loop {
            let event = events.recv_timeout(START).expect("the cluster is there within its time");
            match event["event"].as_str() {
                Some("ready") => break serde_json::from_value(event).expect("the cluster says where it is"),
                Some("failed") => panic!("the cluster does not start: {}", event["error"].as_str().unwrap_or_default()),
                _ => {}
            }
        };
        let input = Mutex::new(input);
        Self { process: Mutex::new(process), input, waiting, events: Mutex::new(events), ready, _alone: alone }
    }

    /// Where it is.
    pub fn ready(&self) -> &Ready {
        &self.ready
    }

    /// The workers' addresses, as `--connect` takes them.
    pub fn connect(&self) -> String {
        self.ready.workers.iter().map(|worker| worker.url.as_str()).collect::<Vec<_>>().join(",")
    }

    /// The address of one worker.
    ///
    /// # Panics
    /// If there is none of that name.
    pub fn url(&self, worker: &str) -> &str {
        let found = self.ready.workers.iter().find(|each| each.name == worker);
        &found.unwrap_or_else(|| panic!("there is no '{worker}'")).url
    }

    /// SIGTERM, and the wait for the end of the process. `broker` is a process too.
    pub fn stop(&self, worker: &str) -> Stopped {
        self.ask("stop", json!({"worker": worker}))
    }

    /// Starts it again; gives the moment of it.
    pub fn start_again(&self, worker: &str) -> i64 {
        self.at("start", json!({"worker": worker}))
    }

    /// Stops it and starts it again at once.
    pub fn restart(&self, worker: &str) -> Stopped {
        self.ask("restart", json!({"worker": worker}))
    }

    /// SIGKILL, and the wait for the end.
    pub fn kill(&self, worker: &str) -> Stopped {
        self.ask("kill", json!({"worker": worker}))
    }

    /// SIGSTOP: it stands still, its connections stay open.
    pub fn freeze(&self, worker: &str) -> i64 {
        self.at("freeze", json!({"worker": worker}))
    }

    /// SIGCONT.
    pub fn thaw(&self, worker: &str) -> i64 {
        self.at("thaw", json!({"worker": worker}))
    }

    /// Creates or changes a source.
    pub fn create(&self, connector: &str, tasks: u32, settings: &Value) -> i64 {
        self.at("create", json!({"connector": connector, "tasks": tasks, "settings": settings}))
    }

    /// Creates a sink, its topic and the source that fills that.
    pub fn sink(&self, connector: &str, tasks: u32, partitions: u32) -> i64 {
        self.at("sink", json!({"connector": connector, "tasks": tasks, "partitions": partitions}))
    }

    /// Deletes a connector.
    pub fn delete(&self, connector: &str) -> i64 {
        self.at("delete", json!({"connector": connector}))
    }

    /// One REST call, tried once.
    pub fn rest(&self, worker: &str, method: &str, path: &str) -> RestAnswer {
        self.ask("rest", json!({"worker": worker, "method": method, "path": path}))
    }

    /// Waits until the worker's present process is a member.
    pub fn await_member(&self, worker: &str) -> Member {
        self.ask("member", json!({"worker": worker}))
    }

    /// Waits until no delay runs, every task runs once and nothing has moved for longer than a
    /// heartbeat interval; gives the moment.
    pub fn await_settled(&self) -> i64 {
        self.at("settled", json!({}))
    }

    /// Everything observed from that moment on.
    pub fn events(&self, since: i64) -> Events {
        self.ask("events", json!({"since": since}))
    }

    /// What it cost from that moment on.
    pub fn figures(&self, since: i64) -> Figures {
        self.ask("figures", json!({"since": since}))
    }

    /// Carries out a command of the lab; an error is what the lab says.
    ///
    /// # Errors
    /// If the lab refuses it.
    ///
    /// # Panics
    /// If the lab is gone or does not answer within ten minutes.
    pub fn attempt(&self, what: &str, arguments: Value) -> Result<Value, String> {
        let (tell, answer) = channel();
        let id = {
            let mut waiting = self.waiting.lock().expect("no thread failed");
            let id = waiting.last_key_value().map_or(1, |(last, _)| last + 1);
            waiting.insert(id, tell);
            id
        };
        let mut line = if let Value::Object(given) = arguments { given } else { Map::new() };
        line.insert("do".to_owned(), what.into());
        line.insert("id".to_owned(), id.into());
        {
            let mut input = self.input.lock().expect("no thread failed");
            let input = input.as_mut().expect("its input is open");
            writeln!(input, "{}", Value::Object(line)).expect("the lab reads");
        }
        let answer = answer.recv_timeout(ANSWER).unwrap_or_else(|_| panic!("the lab does not answer to '{what}'"));
        self.waiting.lock().expect("no thread failed").remove(&id);
        if answer["ok"] == true { Ok(answer) } else { Err(answer["error"].as_str().unwrap_or_default().to_owned()) }
    }

    /// Processes that ended unasked since the last call.
    ///
    /// # Panics
    /// If another thread failed in it.
    pub fn ended_unasked(&self) -> Vec<String> {
        let events = self.events.lock().expect("no thread failed");
        let names = events.try_iter().filter(|event| event["event"] == "exited");
        names.filter_map(|event| event["worker"].as_str().map(str::to_owned)).collect()
    }

    /// `kill -9` of the lab itself.
    ///
    /// # Panics
    /// If it is gone already.
    pub fn kill_lab(&self) {
        let mut process = self.process.lock().expect("no thread failed");
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
    }

    /// Ends its input, which ends the lab.
    ///
    /// # Panics
    /// If it does not end.
    pub fn end_input(&self) -> ExitStatus {
        drop(self.input.lock().expect("no thread failed").take());
        self.process.lock().expect("no thread failed").wait().expect("it ends")
    }

    fn at(&self, what: &str, arguments: Value) -> i64 {
        #[derive(Deserialize)]
        struct Done {
            at_ms: i64,
        }
        self.ask::<Done>(what, arguments).at_ms
    }

    fn ask<T: DeserializeOwned>(&self, what: &str, arguments: Value) -> T {
        let answer = self.attempt(what, arguments).unwrap_or_else(|error| panic!("the lab refuses '{what}': {error}"));
        serde_json::from_value(answer).unwrap_or_else(|error| panic!("the lab's answer to '{what}': {error}"))
    }
}

impl Drop for Lab {
    /// The kernel ends the cluster's processes with this one; its directory goes a moment later.
    fn drop(&mut self) {
        let process = self.process.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(process.kill());
        drop(process.wait());
    }
}

/// The processes whose command line names this folder.
pub fn processes_of(directory: &Path) -> Vec<String> {
    let wanted = directory.to_string_lossy().into_owned();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(&wanted)).collect()
}

/// Hands each answer to who waits for it, and everything else on as an event.
fn take_lines(output: impl BufRead, waiting: &Waiting, events: &Sender<Value>) {
    for line in output.lines().map_while(Result::ok) {
        let Ok(value) = serde_json::from_str::<Value>(&line) else { continue };
        let asked = value["id"].as_u64();
        let waits = asked.and_then(|id| waiting.lock().ok()?.get(&id).cloned());
        // Who no longer waits needs no answer.
        drop(waits.unwrap_or_else(|| events.clone()).send(value));
    }
    // Nobody shall wait for a lab that is gone.
    if let Ok(mut waiting) = waiting.lock() {
        waiting.clear();
    }
}

/// Several clusters at once would only slow one another down.
static ALONE: Mutex<()> = Mutex::new(());
/// Kafka's jars may have to be fetched first.
const START: Duration = Duration::from_secs(300);
/// Longer than the lab itself waits for anything.
const ANSWER: Duration = Duration::from_secs(600);
