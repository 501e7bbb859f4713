//! Offsets: what groups have committed, and where partitions end. Their difference is lag.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::client::Kafka;
use super::coordinators::Said;
use super::deadline::Deadline;
use super::error::{KafkaError, Permission, code, code_name};
use super::messages::{self, GroupOffsets, ListOffsets, OffsetFetch};

/// An offset of one partition. One that is not known is an error, never 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartitionOffset {
    /// The topic.
    pub(crate) topic: String,
    /// The partition.
    pub(crate) partition: i32,
    /// The offset [records since the partition began], or why it is not known.
    pub(crate) offset: Result<u64, KafkaError>,
}

/// What a group has committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommittedGroup {
    /// The group's id.
    pub(crate) id: String,
    /// By partition, or why nothing is known. Partitions for which nothing is committed are
    /// not there, nor are those of topics that the asker may not describe: Kafka leaves them
    /// out without a word.
    pub(crate) partitions: Result<Vec<PartitionOffset>, KafkaError>,
}

impl Kafka {
    /// What these groups have committed, in the order in which they are named here: one request
    /// for each coordinator, for each group before Kafka 3.0.
    ///
    /// # Errors
    /// See [`KafkaError`]. What is wrong with one group stands in its place.
    pub(crate) fn committed(&mut self, groups: &[&str]) -> Result<Vec<CommittedGroup>, KafkaError> {
        let mut outcomes = self.ask_coordinators(groups, "OffsetFetch", fetch)?;
        let committed = |id: &&str| {
            let partitions = outcomes.remove(*id)?.map(|(_, partitions)| partitions);
            Some(CommittedGroup { id: (*id).to_owned(), partitions })
        };
        Ok(groups.iter().filter_map(committed).collect())
    }

    /// Where these partitions end (the high watermark), in the order in which they are named
    /// here: one request for each leader, and one more where leaders are not known yet.
    ///
    /// # Errors
    /// See [`KafkaError`]. What is wrong with one partition stands in its place.
    pub(crate) fn ends(&mut self, partitions: &[(&str, i32)]) -> Result<Vec<PartitionOffset>, KafkaError> {
        let deadline = self.deadline();
        let wanted = partitions.iter().map(|(topic, partition)| ((*topic).to_owned(), *partition));
        let mut ends = Ends { open: wanted.map(|each| (each, None)).collect(), done: BTreeMap::new() };
        for (pass, pause) in PAUSES.into_iter().enumerate() {
            match self.find_leaders(&mut ends, deadline) {
                Err(error) if pass == 0 => return Err(error),
                // What is known by now is worth more.
                Err(_) => break,
                Ok(()) => {}
            }
            for (leader, partitions) in self.by_leader(&ends) {
                self.ask_leader(&leader, partitions, &mut ends, deadline);
            }
            if ends.open.is_empty() || !deadline.pause(pause) {
                break;
            }
        }
        let found = |(topic, partition): &(&str, i32)| {
            let key = ((*topic).to_owned(), *partition);
            let unasked = || Err(no_leader(&key, "it was not found"));
            let offset = ends.done.get(&key).cloned();
            let offset = offset.or_else(|| ends.open.get(&key).cloned().flatten().map(Err)).unwrap_or_else(unasked);
            PartitionOffset { topic: key.0, partition: key.1, offset }
        };
        Ok(partitions.iter().map(found).collect())
    }

    /// Asks about the topics of partitions whose leader is not known.
    fn find_leaders(&mut self, ends: &mut Ends, deadline: Deadline) -> Result<(), KafkaError> {
        let missing: Vec<_> = ends.open.keys().filter(|key| self.leader(key).is_none()).cloned().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let topics: BTreeSet<String> = missing.iter().map(|(topic, _)| topic.clone()).collect();
        let answer = self.metadata(&topics, deadline)?;
        let mut unknown: BTreeMap<String, i16> = BTreeMap::new();
        let mut without: BTreeMap<(String, i32), i16> = BTreeMap::new();
        for topic in answer.topics {
            if topic.error != code::NONE {
                unknown.insert(topic.name, topic.error);
                continue;
            }
            for partition in topic.partitions {
                let key = (topic.name.clone(), partition.index);
                if partition.leader >= 0 {
                    self.leaders.insert(key, partition.leader);
                } else {
                    without.insert(key, partition.error);
                }
            }
        }
        for key in missing {
            if let Some(error) = unknown.get(&key.0).or_else(|| without.get(&key)) {
                ends.take_error(&key, "Metadata", *error);
            } else if !self.leaders.contains_key(&key) {
                ends.settle(&key, Err(KafkaError::PartitionNotFound { topic: key.0.clone(), partition: key.1 }));
            } else if self.leader(&key).is_none() {
                ends.again(&key, no_leader(&key, "its leader is not among the brokers"));
            }
        }
        Ok(())
    }

    /// The open partitions whose leader is known, by its address.
    fn by_leader(&self, ends: &Ends) -> BTreeMap<String, Vec<(String, i32)>> {
        let mut by_address: BTreeMap<String, Vec<(String, i32)>> = BTreeMap::new();
        for key in ends.open.keys() {
            if let Some(address) = self.leader(key) {
                by_address.entry(address.clone()).or_default().push(key.clone());
            }
        }
        by_address
    }

    /// The address of a partition's leader, as far as it is known.
    fn leader(&self, key: &(String, i32)) -> Option<&String> {
        self.leaders.get(key).and_then(|leader| self.broker(*leader))
    }

    fn ask_leader(&mut self, leader: &str, partitions: Vec<(String, i32)>, ends: &mut Ends, deadline: Deadline) {
        let mut topics: BTreeMap<String, Vec<i32>> = BTreeMap::new();
        for (topic, partition) in &partitions {
            topics.entry(topic.clone()).or_default().push(*partition);
        }
        match self.ask(leader, &ListOffsets { topics: topics.into_iter().collect() }, deadline) {
            Ok(answers) => {
                for messages::PartitionOffset { topic, partition, error, offset } in answers {
                    let key = (topic, partition);
                    if error == code::NONE {
                        let unknown = || refused("ListOffsets", "no offset".to_owned());
                        ends.settle(&key, u64::try_from(offset).map_err(|_| unknown()));
                    } else {
                        self.leaders.remove(&key);
                        ends.take_error(&key, "ListOffsets", error);
                    }
                }
            }
            Err(error) => {
                for key in partitions {
                    if error.is_of_one_broker() {
                        // Perhaps it is down, and another leads now.
                        self.leaders.remove(&key);
                        ends.again(&key, error.clone());
                    } else {
                        ends.settle(&key, Err(error.clone()));
                    }
                }
            }
        }
    }
}

/// The partitions of one call: those without an outcome, each with the last reason, and the others.
struct Ends {
    open: BTreeMap<(String, i32), Option<KafkaError>>,
    done: BTreeMap<(String, i32), Result<u64, KafkaError>>,
}

impl Ends {
    fn settle(&mut self, key: &(String, i32), outcome: Result<u64, KafkaError>) {
        if let Some((key, _)) = self.open.remove_entry(key) {
            self.done.insert(key, outcome);
        }
    }

    fn again(&mut self, key: &(String, i32), reason: KafkaError) {
        if let Some(last) = self.open.get_mut(key) {
            *last = Some(reason);
        }
    }

    fn take_error(&mut self, key: &(String, i32), step: &str, error: i16) {
        match error {
            code::TOPIC_AUTHORIZATION_FAILED | code::UNKNOWN_TOPIC_OR_PARTITION if step == "Metadata" => {
                self.settle(key, Err(partition_error(step, &key.0, error)));
            }
            code::TOPIC_AUTHORIZATION_FAILED => self.settle(key, Err(partition_error(step, &key.0, error))),
            _ => self.again(key, no_leader(key, &code_name(error))),
        }
    }
}

/// Asks one coordinator; before version 8 a request has room for one group.
fn fetch(
    kafka: &mut Kafka,
    address: &str,
    groups: Vec<String>,
    deadline: Deadline,
) -> Result<Vec<Said<Vec<PartitionOffset>>>, KafkaError> {
    let mut missing = groups;
    let mut said = Vec::new();
    while let Some(first) = missing.first().cloned() {
        let before = missing.len();
        for GroupOffsets { group, error, partitions } in
            kafka.ask(address, &OffsetFetch { groups: missing.clone() }, deadline)?
        {
            let group = if group.is_empty() { first.clone() } else { group };
            missing.retain(|other| *other != group);
            let value = partitions.into_iter().filter_map(committed_offset).collect();
            said.push(Said { group, error, value });
        }
        if missing.len() == before {
            // An answer about none of them: they stay without one.
            break;
        }
    }
    Ok(said)
}

fn committed_offset(read: messages::PartitionOffset) -> Option<PartitionOffset> {
    let messages::PartitionOffset { topic, partition, error, offset } = read;
    let offset = match error {
        // -1: nothing is committed.
        code::NONE => Ok(u64::try_from(offset).ok()?),
        error => Err(partition_error("OffsetFetch", &topic, error)),
    };
    Some(PartitionOffset { topic, partition, offset })
}

fn partition_error(step: &str, topic: &str, error: i16) -> KafkaError {
    match error {
        code::TOPIC_AUTHORIZATION_FAILED => KafkaError::NotAuthorised(Permission::Topic(topic.to_owned())),
        code::UNKNOWN_TOPIC_OR_PARTITION => KafkaError::TopicNotFound { topic: topic.to_owned() },
        other => refused(step, code_name(other)),
    }
}

fn refused(step: &str, why: String) -> KafkaError {
    KafkaError::Refused { address: "the cluster".to_owned(), step: step.to_owned(), why }
}

fn no_leader((topic, partition): &(String, i32), why: &str) -> KafkaError {
    KafkaError::NoLeader { topic: topic.clone(), partition: *partition, why: why.to_owned() }
}

/// How long to wait before leaders are looked up again. Few times: a partition without a
/// leader is for the operator to see, not for a poll to wait for.
const PAUSES: [Duration; 3] = [Duration::from_millis(100), Duration::from_millis(300), Duration::ZERO];
