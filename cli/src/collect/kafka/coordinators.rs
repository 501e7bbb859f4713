//! Asking the coordinators of groups, wherever they are now.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::client::{Kafka, address};
use super::deadline::Deadline;
use super::error::{KafkaError, Permission, code, code_name};
use super::messages::{FindCoordinator, FoundCoordinator};

/// What a coordinator said about a group.
pub(super) struct Said<T> {
    pub(super) group: String,
    pub(super) error: i16,
    pub(super) value: T,
}

/// What came out for a group: the address of its coordinator with what that said.
pub(super) type Outcome<T> = Result<(String, T), KafkaError>;

impl Kafka {
    /// Asks the coordinators of groups: one call of `ask` for each broker and the groups it
    /// coordinates. As long as one is not ready, or not the coordinator any more, it is looked
    /// up anew and asked again.
    ///
    /// # Errors
    /// Nobody could be asked where the coordinators are. What is wrong with one group stands in
    /// its place.
    pub(super) fn ask_coordinators<T>(
        &mut self,
        groups: &[&str],
        step: &'static str,
        mut ask: impl FnMut(&mut Self, &str, Vec<String>, Deadline) -> Result<Vec<Said<T>>, KafkaError>,
    ) -> Result<BTreeMap<String, Outcome<T>>, KafkaError> {
        let deadline = self.deadline();
        let mut asked = Asked::new(groups, deadline);
        let mut pause = FIRST_PAUSE;
        let mut found = self.find_coordinators(&mut asked, deadline);
        // Later on a lost way there is one more reason to wait.
        found.clone()?;
        loop {
            if found.is_ok() {
                for (address, groups) in self.by_coordinator(&asked) {
                    match ask(self, &address, groups.clone(), deadline) {
                        Ok(answers) => self.take(&address, step, answers, &mut asked),
                        Err(error) => self.take_error(&groups, &error, &mut asked),
                    }
                }
            }
            if asked.open.is_empty() || !deadline.pause(pause) {
                return Ok(asked.outcomes());
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
            found = self.find_coordinators(&mut asked, deadline);
        }
    }

    fn take<T>(&mut self, address: &str, step: &'static str, answers: Vec<Said<T>>, asked: &mut Asked<T>) {
        for Said { group, error, value } in answers {
            match error {
                code::NONE => asked.settle(&group, Ok((address.to_owned(), value))),
                code::COORDINATOR_LOAD_IN_PROGRESS => asked.not_ready(&group, error),
                code::COORDINATOR_NOT_AVAILABLE | code::NOT_COORDINATOR => {
                    self.coordinators.remove(&group);
                    asked.not_ready(&group, error);
                }
                other => asked.settle(&group, Err(refusal(address, step, &group, other))),
            }
        }
    }

    fn take_error<T>(&mut self, groups: &[String], error: &KafkaError, asked: &mut Asked<T>) {
        for group in groups {
            if error.is_of_one_broker() {
                // Perhaps it is down, and another takes over.
                self.coordinators.remove(group);
                asked.again(group, error.clone());
            } else {
                asked.settle(group, Err(error.clone()));
            }
        }
    }

    /// The open groups whose coordinator is known, by its address.
    fn by_coordinator<T>(&self, asked: &Asked<T>) -> BTreeMap<String, Vec<String>> {
        let mut by_address: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for group in asked.open.keys() {
            if let Some(address) = self.coordinators.get(group) {
                by_address.entry(address.clone()).or_default().push(group.clone());
            }
        }
        by_address
    }

    /// Looks up the coordinators that are not known: one request for all of them (one for each
    /// before Kafka 3.0).
    fn find_coordinators<T>(&mut self, asked: &mut Asked<T>, deadline: Deadline) -> Result<(), KafkaError> {
        let mut missing: Vec<String> =
            asked.open.keys().filter(|group| !self.coordinators.contains_key(*group)).cloned().collect();
        if !missing.is_empty() && !self.groups_exist(deadline)? {
            for group in missing {
                asked.settle(&group, Err(KafkaError::GroupNotFound { group: group.clone() }));
            }
            return Ok(());
        }
        while !missing.is_empty() {
            let found = self.ask_any(&FindCoordinator { groups: missing.clone() }, deadline)?;
            for FoundCoordinator { group, broker, error } in found {
                let group = if group.is_empty() { missing[0].clone() } else { group };
                missing.retain(|other| *other != group);
                match error {
                    code::NONE => {
                        self.coordinators.insert(group, address(&broker));
                    }
                    code::COORDINATOR_NOT_AVAILABLE | code::COORDINATOR_LOAD_IN_PROGRESS => {
                        asked.not_ready(&group, error);
                    }
                    other => asked.settle(&group, Err(refusal("the cluster", "FindCoordinator", &group, other))),
                }
            }
        }
        Ok(())
    }

    /// Whether the cluster has the topic in which groups are kept. A broker that is asked for a
    /// coordinator creates that topic; who only reads does not make it.
    fn groups_exist(&mut self, deadline: Deadline) -> Result<bool, KafkaError> {
        const KEPT_IN: &str = "__consumer_offsets";
        if !self.has_groups {
            let topics = self.metadata(&BTreeSet::from([KEPT_IN.to_owned()]), deadline)?.topics;
            // To whom it is not shown (TOPIC_AUTHORIZATION_FAILED) it may be there.
            self.has_groups = topics.iter().all(|topic| topic.error != code::UNKNOWN_TOPIC_OR_PARTITION);
        }
        Ok(self.has_groups)
    }
}

/// The groups of one call: those without an outcome, each with the last reason, and the others.
struct Asked<T> {
    open: BTreeMap<String, Option<KafkaError>>,
    done: BTreeMap<String, Outcome<T>>,
    deadline: Deadline,
}

impl<T> Asked<T> {
    fn new(groups: &[&str], deadline: Deadline) -> Self {
        let open = groups.iter().map(|group| ((*group).to_owned(), None)).collect();
        Self { open, done: BTreeMap::new(), deadline }
    }

    /// The outcome of a group that was asked for; others do not matter.
    fn settle(&mut self, group: &str, outcome: Outcome<T>) {
        if let Some((group, _)) = self.open.remove_entry(group) {
            self.done.insert(group, outcome);
        }
    }

    fn again(&mut self, group: &str, reason: KafkaError) {
        if let Some(last) = self.open.get_mut(group) {
            *last = Some(reason);
        }
    }

    fn not_ready(&mut self, group: &str, error: i16) {
        let (group_named, after) = (group.to_owned(), self.deadline.passed());
        self.again(group, KafkaError::CoordinatorNotReady { group: group_named, why: code_name(error), after });
    }

    fn outcomes(mut self) -> BTreeMap<String, Outcome<T>> {
        let passed = self.deadline.passed();
        for (group, last) in self.open {
            let error = match last {
                Some(KafkaError::CoordinatorNotReady { group, why, .. }) => {
                    KafkaError::CoordinatorNotReady { group, why, after: passed }
                }
                Some(other) => other,
                None => {
                    let why = "it says nothing about the group".to_owned();
                    KafkaError::CoordinatorNotReady { group: group.clone(), why, after: passed }
                }
            };
            self.done.insert(group, Err(error));
        }
        self.done
    }
}

/// What an error code about a group means that asking again does not change.
fn refusal(address: &str, step: &str, group: &str, error: i16) -> KafkaError {
    match error {
        code::GROUP_AUTHORIZATION_FAILED => KafkaError::NotAuthorised(Permission::Group(group.to_owned())),
        code::GROUP_ID_NOT_FOUND => KafkaError::GroupNotFound { group: group.to_owned() },
        // A broker on which the consumer protocol is switched off has no group of it.
        code::UNSUPPORTED_VERSION if step == "ConsumerGroupDescribe" => {
            KafkaError::GroupNotFound { group: group.to_owned() }
        }
        other => KafkaError::Refused { address: address.to_owned(), step: step.to_owned(), why: code_name(other) },
    }
}

/// How long to wait before a coordinator is asked again; twice as long each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
