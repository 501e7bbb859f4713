//! Where the consumers of sinks are.

use std::collections::{BTreeMap, BTreeSet};

use rollgate_core::snapshot::{Consumer, GroupState, Partition, Seen, SinkGroup, Statuses};
use rollgate_core::wire::consumer_partitions;

use super::kafka::{ConsumerGroup, DescribedGroup, Kafka, KafkaError, Permission};

/// The consumer groups of all sinks, and what the asker lacks to see all of them.
#[derive(Debug, Default)]
pub(super) struct Sinks {
    pub(super) groups: Vec<SinkGroup>,
    pub(super) lacking: BTreeSet<Permission>,
}

/// Topic and number of a partition.
type Place = (String, i32);

/// What was seen of one consumer group.
#[derive(Clone, Debug)]
struct Found {
    state: Seen<GroupState>,
    consumers: Seen<Vec<Consumer>>,
    committed: Seen<BTreeMap<Place, Seen<i64>>>,
}

/// Asks for all groups at once: one request for each coordinator and each leader of
/// partitions, however many tasks there are.
pub(super) fn look(kafka: &mut Kafka, statuses: &Statuses) -> Sinks {
    let groups = statuses.connectors.iter().filter_map(|(name, of)| Some((name, of.consumer_group.as_ref()?)));
    let groups: Vec<(&String, &String)> = groups.collect();
    let mut sinks = Sinks::default();
    if groups.is_empty() {
        return sinks;
    }
    let ids: BTreeSet<&str> = groups.iter().map(|(_, group)| group.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let mut found = sinks.describe(kafka, &ids);
    sinks.fetch(kafka, &ids, &mut found);
    let places = places(&found);
    let asked: Vec<(&str, i32)> = places.iter().map(|(topic, partition)| (topic.as_str(), *partition)).collect();
    let ends = sinks.ends(kafka, &asked);
    for (connector, group) in groups {
        let Some(of) = found.get(group.as_str()) else { continue };
        sinks.groups.push(SinkGroup {
            connector: connector.clone(),
            group: group.clone(),
            state: of.state.clone(),
            consumers: of.consumers.clone(),
            partitions: of.partitions(&ends),
        });
    }
    sinks
}

impl Sinks {
    /// State and members; those that the classic protocol does not know by the consumer protocol.
    fn describe<'a>(&mut self, kafka: &mut Kafka, ids: &[&'a str]) -> BTreeMap<&'a str, Found> {
        let described = match kafka.describe(ids) {
            Ok(described) => described,
            Err(error) => return ids.iter().map(|id| (*id, Found::unknown(self.why(&error)))).collect(),
        };
        let is_gone = |group: &&DescribedGroup| matches!(group.error, Some(KafkaError::GroupNotFound { .. }));
        let gone: Vec<&str> = described.iter().filter(is_gone).map(|group| group.id.as_str()).collect();
        let modern = if gone.is_empty() { Ok(Vec::new()) } else { kafka.describe_consumers(&gone) };
        let modern = modern.unwrap_or_default();
        let mut found = BTreeMap::new();
        for id in ids {
            let classic = described.iter().find(|group| group.id == *id);
            let modern = modern.iter().find(|group| group.id == *id && group.error.is_none());
            let of = match (classic, modern) {
                (_, Some(group)) => Found::of_consumers(group),
                (Some(group), None) => match &group.error {
                    None => Found::of_classic(group),
                    Some(KafkaError::GroupNotFound { .. }) => Found::nobody(),
                    Some(error) => Found::unknown(self.why(error)),
                },
                (None, None) => Found::unknown("nothing was said of it".to_owned()),
            };
            found.insert(*id, of);
        }
        found
    }

    /// What the groups have committed.
    fn fetch(&mut self, kafka: &mut Kafka, ids: &[&str], found: &mut BTreeMap<&str, Found>) {
        let known: Vec<&str> = ids.iter().copied().filter(|id| found.get(id).is_some_and(Found::is_known)).collect();
        if known.is_empty() {
            return;
        }
        let groups = match kafka.committed(&known) {
            Ok(groups) => groups,
            Err(error) => {
                let why = self.why(&error);
                for id in known {
                    if let Some(of) = found.get_mut(id) {
                        of.committed = Seen::unknown(why.clone());
                    }
                }
                return;
            }
        };
        for group in groups {
            let committed = match &group.partitions {
                Ok(partitions) => Seen::Known(
                    partitions.iter().map(|of| ((of.topic.clone(), of.partition), self.offset(&of.offset))).collect(),
                ),
                Err(error) => Seen::unknown(self.why(error)),
            };
            if let Some(of) = found.get_mut(group.id.as_str()) {
                of.committed = committed;
            }
        }
    }

    /// Where partitions end.
    fn ends(&mut self, kafka: &mut Kafka, asked: &[(&str, i32)]) -> Result<BTreeMap<Place, Seen<i64>>, String> {
        if asked.is_empty() {
            return Ok(BTreeMap::new());
        }
        let ends = kafka.ends(asked).map_err(|error| self.why(&error))?;
        Ok(ends.into_iter().map(|of| ((of.topic, of.partition), self.offset(&of.offset))).collect())
    }

    fn offset(&mut self, offset: &Result<u64, KafkaError>) -> Seen<i64> {
        match offset {
            Ok(offset) => Seen::Known(i64::try_from(*offset).unwrap_or(i64::MAX)),
            Err(error) => Seen::unknown(self.why(error)),
        }
    }

    /// The error in words; a permission that lacks is kept.
    fn why(&mut self, error: &KafkaError) -> String {
        if let KafkaError::NotAuthorised(permission) = error {
            self.lacking.insert(permission.clone());
        }
        error.to_string()
    }
}

impl Found {
    fn unknown(why: String) -> Self {
        Self { state: Seen::unknown(why.clone()), consumers: Seen::unknown(why.clone()), committed: Seen::unknown(why) }
    }

    /// No consumer has ever joined.
    fn nobody() -> Self {
        Self::seen(GroupState::Dead, Seen::Known(Vec::new()))
    }

    fn of_classic(group: &DescribedGroup) -> Self {
        let state = GroupState::named(&group.state);
        if state != GroupState::Stable && !group.members.is_empty() {
            return Self::seen(state, Seen::unknown("a rebalance of this group is under way"));
        }
        let consumers = group.members.iter().map(|member| {
            let partitions = consumer_partitions(&member.assignment);
            let partitions = partitions.map_err(|error| format!("the assignment of {}: {error}", member.client_id))?;
            Ok(Consumer { client_id: member.client_id.clone(), partitions })
        });
        let consumers: Result<Vec<Consumer>, String> = consumers.collect();
        Self::seen(state, consumers.map_or_else(Seen::unknown, Seen::Known))
    }

    fn of_consumers(group: &ConsumerGroup) -> Self {
        let consumers = group.members.iter().map(|member| {
            let of = |(topic, numbers): &(String, Vec<i32>)| {
                numbers.iter().map(|number| (topic.clone(), *number)).collect::<Vec<_>>()
            };
            Consumer { client_id: member.client_id.clone(), partitions: member.assigned.iter().flat_map(of).collect() }
        });
        Self::seen(GroupState::named(&group.state), Seen::Known(consumers.collect()))
    }

    fn seen(state: GroupState, consumers: Seen<Vec<Consumer>>) -> Self {
        Self { state: Seen::Known(state), consumers, committed: Seen::Known(BTreeMap::new()) }
    }

    fn is_known(&self) -> bool {
        self.state.known().is_some()
    }

    /// The partitions that it has committed or owns.
    fn places(&self) -> BTreeSet<Place> {
        let committed = self.committed.known().into_iter().flat_map(BTreeMap::keys);
        let owned = self.consumers.known().into_iter().flatten().flat_map(|consumer| &consumer.partitions);
        committed.chain(owned).cloned().collect()
    }

    fn partitions(&self, ends: &Result<BTreeMap<Place, Seen<i64>>, String>) -> Seen<Vec<Partition>> {
        let committed = match &self.committed {
            Seen::Known(committed) => committed,
            Seen::Unknown(why) => return Seen::Unknown(why.clone()),
        };
        let of = |place: Place| {
            let end = match ends {
                Ok(ends) => ends.get(&place).cloned().unwrap_or_else(|| Seen::unknown("nobody said it")),
                Err(why) => Seen::unknown(why.clone()),
            };
            let committed = match (committed.get(&place), &end) {
                (Some(Seen::Known(offset)), _) => Seen::Known(Some(*offset)),
                // Kafka leaves topics out that the asker may not describe; their end is refused then.
                (Some(Seen::Unknown(why)), _) | (None, Seen::Unknown(why)) => Seen::Unknown(why.clone()),
                (None, Seen::Known(_)) => Seen::Known(None),
            };
            Partition { topic: place.0, partition: place.1, committed, end }
        };
        Seen::Known(self.places().into_iter().map(of).collect())
    }
}

fn places(found: &BTreeMap<&str, Found>) -> BTreeSet<Place> {
    found.values().flat_map(Found::places).collect()
}
