//! Whether the consumers of sinks have their partitions, and how far they are behind.

use std::collections::BTreeSet;

use super::Look;
use crate::gate::baseline::SinkBefore;
use crate::gate::conditions::Sight;
use crate::gate::reason::Reason;
use crate::snapshot::{Consumer, GroupState, Partition, SinkGroup};

/// How far a sink is behind.
pub(in crate::gate) struct Lag<'a> {
    /// In all its partitions.
    pub(in crate::gate) records: i64,
    /// The partition that is furthest behind, and how far.
    furthest: Option<(&'a Partition, i64)>,
}

/// How far a sink is behind, without what it did not read in the baseline either. Where nothing
/// was committed yet it is as much as the partition holds, at most.
///
/// # Errors
/// Why that is not known.
pub(in crate::gate) fn lag<'a>(
    partitions: &'a [Partition],
    unread: &BTreeSet<(String, i32)>,
) -> Result<Lag<'a>, String> {
    let mut lag = Lag { records: 0, furthest: None };
    for partition in partitions {
        if !unread.is_empty() && unread.contains(&(partition.topic.clone(), partition.partition)) {
            continue;
        }
        let why = |why: Option<&str>| why.unwrap_or_default().to_owned();
        let end = partition.end.known().ok_or_else(|| why(partition.end.why_unknown()))?;
        let committed = partition.committed.known().ok_or_else(|| why(partition.committed.why_unknown()))?;
        let behind = end.saturating_sub(committed.unwrap_or(0)).max(0);
        lag.records = lag.records.saturating_add(behind);
        if lag.furthest.is_none_or(|(_, most)| behind > most) {
            lag.furthest = Some((partition, behind));
        }
    }
    Ok(lag)
}

/// Why a sink's consumer group cannot be seen, if it cannot.
pub(in crate::gate) fn sink_unknown(sink: &SinkGroup) -> Option<&str> {
    sink.state.why_unknown().or(sink.consumers.why_unknown()).or(sink.partitions.why_unknown())
}

impl Look<'_> {
    /// Whether each sink of the baseline reads what it read.
    pub(super) fn sinks_read(&self, reasons: &mut Vec<Reason>) {
        for (connector, before) in self.sinks() {
            let sink = self.view.snapshot.sinks.iter().find(|sink| sink.connector == *connector);
            let Some(sink) = sink else {
                let why = "nobody asked for its consumer group".to_owned();
                reasons.push(Reason::SinkUnknown { connector: connector.clone(), why });
                continue;
            };
            match (&sink.state.known(), sink.consumers.known(), sink.partitions.known()) {
                (Some(GroupState::Stable), Some(consumers), Some(partitions)) => {
                    reasons.extend(unread(connector, before, consumers, partitions));
                }
                (Some(state), ..) if **state != GroupState::Stable => {
                    reasons.push(Reason::SinkNotStable { connector: connector.clone(), state: (*state).clone() });
                }
                _ => {
                    let why = sink_unknown(sink).unwrap_or_default().to_owned();
                    reasons.push(Reason::SinkUnknown { connector: connector.clone(), why });
                }
            }
        }
    }

    /// Whether no sink is further behind than the limit before a stop.
    pub(super) fn lag_within(&self, reasons: &mut Vec<Reason>) {
        if let Some(allowed) = self.limits.lag_records {
            self.lag_of_each(|_| allowed, reasons);
        }
    }

    /// Whether all sinks are back in the bands that they had in the baseline.
    pub(super) fn lag_back(&self, reasons: &mut Vec<Reason>) {
        if let Some(band) = self.limits.lag_band_records {
            self.lag_of_each(|before| before.lag.unwrap_or(0).saturating_add(band), reasons);
        }
    }

    fn lag_of_each(&self, allowed: impl Fn(&SinkBefore) -> i64, reasons: &mut Vec<Reason>) {
        for (connector, before) in self.sinks() {
            let sink = self.view.snapshot.sinks.iter().find(|sink| sink.connector == *connector);
            let partitions = sink.and_then(|sink| sink.partitions.known());
            let why = sink.and_then(|sink| sink.partitions.why_unknown()).unwrap_or("nobody asked for its offsets");
            let found = partitions.ok_or(why.to_owned()).and_then(|partitions| lag(partitions, &before.unread));
            match found {
                Err(why) => reasons.push(Reason::LagUnknown { connector: connector.clone(), why }),
                Ok(lag) if lag.records > allowed(before) => {
                    let (furthest, furthest_records) = match lag.furthest {
                        Some((of, behind)) => (format!("{}-{}", of.topic, of.partition), behind),
                        None => (String::new(), 0),
                    };
                    let (connector, records, allowed) = (connector.clone(), lag.records, allowed(before));
                    reasons.push(Reason::Lag { connector, records, allowed, furthest, furthest_records });
                }
                Ok(_) => {}
            }
        }
    }

    fn sinks(&self) -> impl Iterator<Item = (&String, &SinkBefore)> {
        let asked = self.conditions.sight == Sight::Group || !self.view.snapshot.sinks.is_empty();
        self.baseline.sinks.iter().filter(move |_| asked)
    }
}

fn unread(connector: &str, before: &SinkBefore, consumers: &[Consumer], partitions: &[Partition]) -> Option<Reason> {
    let read: BTreeSet<(&str, i32)> = consumers
        .iter()
        .flat_map(|consumer| &consumer.partitions)
        .map(|(topic, number)| (topic.as_str(), *number))
        .collect();
    let nobodys = partitions.iter().filter(|of| {
        !read.contains(&(of.topic.as_str(), of.partition)) && !before.unread.contains(&(of.topic.clone(), of.partition))
    });
    let partitions: Vec<String> = nobodys.map(|of| format!("{}-{}", of.topic, of.partition)).collect();
    let fewer = read.len() < before.read;
    (fewer || !partitions.is_empty()).then(|| Reason::SinkUnread {
        connector: connector.to_owned(),
        partitions,
        read: read.len(),
        before: before.read,
    })
}
