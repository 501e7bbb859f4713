//! Running a history through our assignors, and writing it down for Kafka's.

use std::fmt::Write as _;

use rollgate_core::assignor::{
    Assignment, Configured, IncrementalAssignor, Items, Java, Member, MemberId, MemberIds, Round, WireOrder,
    assign_eager, worker_order,
};
use rollgate_core::model::{ConnectorId, TaskId, Work, WorkerId, WorkerRules};
use rollgate_core::units::{Duration, SimTime};

use super::{Event, History};

/// What a history came to.
#[derive(Clone, Debug)]
pub struct Course {
    /// Names for the oracle.
    pub names: String,
    /// All rounds.
    pub steps: Vec<Step>,
}

/// One round.
#[derive(Clone, Debug)]
pub struct Step {
    /// The place of its event in the history.
    pub event: usize,
    /// The round as the oracle is asked it.
    pub question: String,
    /// Our answer.
    pub answer: String,
}

struct Process {
    assignor: IncrementalAssignor,
    delay: i32,
    owns: Items,
    last_generation: i32,
    id: MemberId,
}

struct Group<'a> {
    history: &'a History,
    rules: WorkerRules,
    work: Work,
    /// The number of each of the history's connectors in `work`, and back.
    numbers: Vec<usize>,
    configured: Configured,
    ids: MemberIds,
    processes: Vec<Process>,
    /// Processes in the group, in the coordinator's order.
    members: Vec<usize>,
    expelled: Vec<usize>,
    leader: Option<usize>,
    eager: bool,
    generation: i32,
    now: SimTime,
    java: Java,
    wire: WireOrder,
    out: Assignment,
}

/// Runs a history by the rules of one version, on Java 17.
pub fn run(history: &History, rules: &WorkerRules) -> Course {
    run_on(history, rules, Java::UpTo18)
}

/// Runs a history by the rules of one version.
pub fn run_on(history: &History, rules: &WorkerRules, java: Java) -> Course {
    follow(history, *rules, java, false)
}

/// The same, but after each round that all members receive the leader's assignor is made anew from what it
/// says it remembers.
pub fn run_from_memory(history: &History, rules: &WorkerRules) -> Course {
    follow(history, *rules, Java::default(), true)
}

fn follow(history: &History, rules: WorkerRules, java: Java, from_memory: bool) -> Course {
    let work = Work::new(history.connectors.iter().map(|(name, most, _)| (name.as_str(), *most)));
    let numbers: Vec<_> =
        history.connectors.iter().filter_map(|(name, ..)| work.connector(name)).map(ConnectorId::index).collect();
    let mut configured = Configured { tasks_of: vec![None; work.connector_count()] };
    for ((.., now), number) in history.connectors.iter().zip(&numbers) {
        configured.tasks_of[*number] = *now;
    }
    let mut group = Group {
        history,
        rules,
        work,
        numbers,
        configured,
        ids: MemberIds::default(),
        processes: Vec::new(),
        members: Vec::new(),
        expelled: Vec::new(),
        leader: None,
        eager: false,
        generation: 0,
        now: SimTime::from_millis(1_000_000),
        java,
        wire: WireOrder::of_java(java),
        out: Assignment::default(),
    };
    group.happen(&Event::Join(history.workers));
    let mut steps = Vec::new();
    for (place, event) in history.events.iter().enumerate() {
        if let Event::Round(seen) = event {
            let answered = group.round(*seen);
            if from_memory && *seen == u32::MAX && !group.eager {
                group.recall();
            }
            steps.extend(answered.map(|(question, answer)| Step { event: place, question, answer }));
        } else {
            group.happen(event);
        }
    }
    let mut names = String::from("H\n");
    for connector in group.work.connectors() {
        let _ = writeln!(names, "C {}", group.work.name(connector));
    }
    for process in 0..group.ids.len() {
        let _ = writeln!(names, "M {}", group.id_text(process));
    }
    Course { names, steps }
}

impl Group<'_> {
    fn id_text(&self, number: usize) -> String {
        self.history.ids.get(number).cloned().unwrap_or_else(|| format!("m{number}"))
    }

    fn new_id(&mut self) -> MemberId {
        let text = self.id_text(self.ids.len());
        self.ids.add(text, WorkerId(0))
    }

    /// The place in the group that a number picks.
    fn pick(&self, number: u32) -> Option<usize> {
        (!self.members.is_empty()).then(|| number as usize % self.members.len())
    }

    fn happen(&mut self, event: &Event) {
        match *event {
            Event::Wait(micros) => self.now += Duration::from_micros(i64::from(micros)),
            Event::UntilDue(millis) => {
                let due = self.leader.and_then(|leader| self.processes[leader].assignor.due());
                self.now = due.map_or(self.now, |due| self.now.max(due + Duration::from_millis(i64::from(millis))));
            }
            Event::Join(count) => (0..count).for_each(|_| self.join()),
            Event::Leave(number) => {
                if let Some(place) = self.pick(number) {
                    self.remove(place);
                }
            }
            Event::LeaderLeaves => {
                if let Some(place) = self.members.iter().position(|member| Some(*member) == self.leader) {
                    self.remove(place);
                }
            }
            Event::Expel(number) => {
                if let Some(place) = self.pick(number) {
                    let process = self.remove(place);
                    self.expelled.push(process);
                }
            }
            Event::Return(number) => {
                if !self.expelled.is_empty() {
                    let process = self.expelled.remove(number as usize % self.expelled.len());
                    self.processes[process].id = self.new_id();
                    self.members.push(process);
                }
            }
            Event::Stops(number) => {
                if let Some(place) = self.pick(number) {
                    self.processes[self.members[place]].owns.clear();
                }
            }
            Event::Copies(to, from, count) => self.copy(to, from, count as usize),
            Event::Lead(number) => self.leader = self.pick(number).map(|place| self.members[place]),
            Event::Rotate(by) => {
                if let Some(place) = self.pick(by) {
                    self.members.rotate_left(place);
                }
            }
            Event::Configure(connector, tasks) => {
                let connector = self.numbers[connector as usize % self.numbers.len()];
                self.configured.tasks_of[connector] = tasks;
            }
            Event::Eager(eager) => self.eager = eager,
            Event::Mismatch => {
                self.generation += 1;
                for member in &self.members {
                    self.processes[*member].last_generation = self.generation;
                }
            }
            Event::Round(_) => {}
        }
    }

    fn join(&mut self) {
        if self.members.len() >= MOST_MEMBERS {
            return;
        }
        let delay = self.history.delays[self.processes.len() % self.history.delays.len()];
        let id = self.new_id();
        self.members.push(self.processes.len());
        self.processes.push(Process {
            assignor: IncrementalAssignor::of_java(self.java),
            delay,
            owns: Items::default(),
            last_generation: -1,
            id,
        });
    }

    fn remove(&mut self, place: usize) -> usize {
        let process = self.members.remove(place);
        if self.leader == Some(process) {
            self.leader = None;
        }
        process
    }

    fn copy(&mut self, to: u32, from: u32, count: usize) {
        if let (Some(to), Some(from)) = (self.pick(to), self.pick(from)) {
            let copied = self.processes[self.members[from]].owns.clone();
            let owns = &mut self.processes[self.members[to]].owns;
            let connectors = copied.connectors.iter().take(count);
            let connectors: Vec<_> = connectors.filter(|item| !owns.connectors.contains(item)).copied().collect();
            let tasks = copied.tasks.iter().take(count);
            let tasks: Vec<_> = tasks.filter(|item| !owns.tasks.contains(item)).copied().collect();
            owns.connectors.extend(connectors);
            owns.tasks.extend(tasks);
        }
    }

    /// A round, and what Kafka is asked and we answer.
    fn round(&mut self, seen: u32) -> Option<(String, String)> {
        let leader = *self.leader.get_or_insert(*self.members.first()?);
        self.generation += 1;
        let question = self.question(leader);
        let reported: Vec<_> = self
            .members
            .iter()
            .map(|member| {
                let mut owns = self.processes[*member].owns.clone();
                self.wire.regroup(&self.work, &mut owns);
                owns
            })
            .collect();
        let ids: Vec<_> = self.members.iter().map(|member| self.processes[*member].id).collect();
        let order = worker_order(&ids, &self.ids);
        let members: Vec<_> = order.iter().map(|place| Member { id: ids[*place], owns: &reported[*place] }).collect();
        let process = &mut self.processes[leader];
        let round = Round {
            now: self.now,
            last_generation: process.last_generation,
            generation: self.generation,
            members: &members,
            ids: &self.ids,
            configured: &self.configured,
            work: &self.work,
        };
        if self.eager {
            assign_eager(&round, &mut self.out);
        } else {
            let delay = Duration::from_millis(i64::from(process.delay));
            process.assignor.assign(&self.rules, delay, &round, &mut self.out);
        }
        for given in &mut self.out.given {
            self.wire.regroup(&self.work, &mut given.assigned);
            self.wire.regroup_revoked(&self.work, &mut given.revoked);
        }
        let answer = self.answer(&order);
        for (at, place) in order.iter().enumerate() {
            if seen >> (place % 32) & 1 != 0 {
                self.receive(self.members[*place], at);
            }
        }
        Some((question, answer))
    }

    fn recall(&mut self) {
        let mut owned = Items::default();
        let mut ids = Vec::new();
        for member in &self.members {
            let process = &self.processes[*member];
            owned.connectors.extend(&process.owns.connectors);
            owned.tasks.extend(&process.owns.tasks);
            ids.push(process.id);
        }
        if let Some(leader) = self.leader {
            let assignor = &mut self.processes[leader].assignor;
            let memory = assignor.memory();
            *assignor = IncrementalAssignor::with_memory(&owned, &memory, self.generation, &ids, &self.work);
        }
    }

    /// What the worker does with its part of the outcome: the newest work first.
    fn receive(&mut self, process: usize, at: usize) {
        let given = &self.out.given[at];
        let process = &mut self.processes[process];
        let before = std::mem::replace(&mut process.owns, given.assigned.clone());
        if !self.eager {
            let kept = before.connectors.iter().filter(|item| !given.revoked.connectors.contains(item));
            process.owns.connectors.extend(kept);
            process.owns.tasks.extend(before.tasks.iter().filter(|item| !given.revoked.tasks.contains(item)));
        }
        process.last_generation = self.generation;
    }

    fn question(&self, leader: usize) -> String {
        let process = &self.processes[leader];
        let mut text = format!(
            "R {leader} {} {} {} {} {} {} ",
            process.delay,
            self.now.as_micros().div_euclid(1_000),
            process.last_generation,
            self.generation,
            if self.eager { 0 } else { 1 + self.generation % 2 },
            process.id.0,
        );
        let config = self.configured.tasks_of.iter().enumerate();
        let config = config.filter_map(|(connector, tasks)| tasks.map(|tasks| format!("{connector}:{tasks}")));
        text += &list(config);
        for (place, member) in self.members.iter().enumerate() {
            let process = &self.processes[*member];
            let _ =
                write!(text, "{}{}/{}", if place == 0 { " " } else { ";" }, process.id.0, self.items(&process.owns));
        }
        text
    }

    fn answer(&self, order: &[usize]) -> String {
        let mut parts = vec![String::new(); order.len()];
        for (place, given) in order.iter().zip(&self.out.given) {
            let id = self.processes[self.members[*place]].id.0;
            parts[*place] = format!("{id}/{}/{}", self.items(&given.assigned), self.items(&given.revoked));
        }
        format!("{} {}", self.out.delay.as_millis(), parts.join(";"))
    }

    fn items(&self, items: &Items) -> String {
        let task = |task: &TaskId| format!("{}.{}", self.work.connector_of(*task).0, self.work.number(*task));
        let connectors = list(items.connectors.iter().map(|connector| connector.0.to_string()));
        format!("{connectors}/{}", list(items.tasks.iter().map(task)))
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    if items.is_empty() { "-".to_owned() } else { items.join(",") }
}

/// Histories do not grow beyond this.
const MOST_MEMBERS: usize = 100;
