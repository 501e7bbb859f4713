//! A cluster that exists only on 127.0.0.1: REST ports of workers and brokers of Kafka that
//! answer from one [`Script`], which can change while they run.
//!
//! The servers speak the real protocols, so that the compiled command can be run against
//! them; what they say is what the script says, however wrong. Each request is written down:
//! a test can count them, and sees whether one was more than a question.

mod answers;
mod broker;
mod connect;
mod http;
mod log;
mod script;
mod tls;
mod work;

use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

pub use log::{Asked, Log};
pub use script::{Committed, Connector, Consumer, Group, Member, Port, Script, Task, Tls, Turn, Worker};
pub use tls::certificate;

/// A running script. Its ports close when it is dropped.
#[derive(Debug)]
pub struct ScriptedCluster {
    shared: Shared,
    threads: Vec<JoinHandle<()>>,
}

/// What the servers and the test have in common.
#[derive(Clone, Debug, Default)]
struct Shared {
    script: Arc<Mutex<Script>>,
    log: Log,
    over: Arc<std::sync::atomic::AtomicBool>,
}

impl ScriptedCluster {
    /// Opens the ports of all workers and brokers of a script.
    ///
    /// # Panics
    /// If there is no free port on 127.0.0.1.
    pub fn start(mut script: Script) -> Self {
        let mut listeners = Vec::new();
        let mut open = || {
            let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
            let port = listener.local_addr().expect("the port is bound").port();
            listeners.push(listener);
            port
        };
        for worker in &mut script.workers {
            worker.port = open();
        }
        script.brokers = script.brokers.iter().map(|_| open()).collect();
        let workers = script.workers.len();
        let shared = Shared { script: Arc::new(Mutex::new(script)), ..Shared::default() };
        let threads = listeners.into_iter().enumerate().map(|(place, listener)| {
            let shared = shared.clone();
            std::thread::spawn(move || match place.checked_sub(workers) {
                None => http::serve(&shared, place, listener),
                Some(broker) => broker::serve(&shared, broker, &listener),
            })
        });
        let threads = threads.collect();
        Self { shared, threads }
    }

    /// Changes what the servers say from now on.
    pub fn change<T>(&self, change: impl FnOnce(&mut Script) -> T) -> T {
        change(&mut self.shared.script())
    }

    /// For `--connect`: the addresses of all workers.
    pub fn connect(&self) -> String {
        self.shared.script().addresses().join(",")
    }

    /// For `--bootstrap`: the addresses of all brokers.
    pub fn bootstrap(&self) -> String {
        let script = self.shared.script();
        let addresses: Vec<String> = script.brokers.iter().map(|port| format!("127.0.0.1:{port}")).collect();
        addresses.join(",")
    }

    /// A text with names where it has ports: `w1.example:8083` for the worker w1 and
    /// `b1.example:9092` for the first broker, which are as long, so that tables stay even.
    pub fn named(&self, text: &str) -> String {
        let script = self.shared.script();
        let mut named = text.to_owned();
        for worker in &script.workers {
            named = named.replace(&format!("127.0.0.1:{}", worker.port), &format!("{}.example:8083", worker.name));
        }
        for (place, port) in script.brokers.iter().enumerate() {
            named = named.replace(&format!("127.0.0.1:{port}"), &format!("b{}.example:9092", place + 1));
        }
        named
    }

    /// What has been asked so far.
    pub fn log(&self) -> &Log {
        &self.shared.log
    }
}

impl Drop for ScriptedCluster {
    fn drop(&mut self) {
        self.shared.over.store(true, std::sync::atomic::Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A server that failed has said so on standard error; the test fails by its answers.
            drop(thread.join());
        }
    }
}

impl Shared {
    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.over.load(std::sync::atomic::Ordering::Relaxed)
    }
}
