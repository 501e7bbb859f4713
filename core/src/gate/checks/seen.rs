//! Whether enough is seen, and of the right cluster.

use super::Look;
use crate::gate::conditions::{Known, Sight};
use crate::gate::reason::Reason;
use crate::gate::serial::bounded;
use crate::gate::view::{View, address};
use crate::snapshot::{GroupState, Snapshot};
use crate::units::{Duration, Timestamp};

/// Whether a snapshot is of now, new, and of one moment.
pub(in crate::gate) fn fresh(
    snapshot: &Snapshot,
    last: Option<Timestamp>,
    now: Timestamp,
    known: &Known,
    reasons: &mut Vec<Reason>,
) {
    if snapshot.schema_version != Snapshot::SCHEMA_VERSION {
        reasons.push(Reason::SnapshotVersion { seen: snapshot.schema_version, known: Snapshot::SCHEMA_VERSION });
    }
    let (age, took) = (now.since(snapshot.taken_at), bounded(snapshot.took_ms));
    let age = bounded(age.as_millis());
    let allowed = known.stale_after;
    if age > allowed || age < allowed * -1 || took > allowed || took < Duration::ZERO {
        reasons.push(Reason::SnapshotStale { age, took, allowed });
    }
    if last == Some(snapshot.taken_at) {
        reasons.push(Reason::SnapshotRepeated {});
    }
}

/// Whether group and statuses can be seen, and the group is at rest.
pub(in crate::gate) fn seen(view: &View<'_>, sight: &Sight, reasons: &mut Vec<Reason>) {
    let snapshot = view.snapshot;
    if let Some(why) = snapshot.statuses.why_unknown() {
        reasons.push(Reason::StatusesUnknown { why: why.to_owned() });
    }
    match (snapshot.group.known(), sight) {
        (None, Sight::RestOnly(_)) => {}
        (None, Sight::Group) => {
            let why = snapshot.group.why_unknown().unwrap_or_default().to_owned();
            reasons.push(Reason::GroupUnknown { why });
        }
        (Some(group), _) => match &group.state {
            GroupState::Stable => {
                if let Some((members, why)) = view.unreadable.clone() {
                    reasons.push(Reason::MemberUnreadable { members, why });
                }
            }
            GroupState::Other(state) => reasons.push(Reason::GroupStateUnknown { state: state.clone() }),
            state => reasons.push(Reason::GroupNotStable { state: state.clone() }),
        },
    }
}

impl Look<'_> {
    /// Whether it is the cluster and the group of the baseline.
    pub(super) fn identity(&self, reasons: &mut Vec<Reason>) {
        let snapshot = self.view.snapshot;
        let expected = &self.baseline.cluster_id;
        let by_rest = snapshot.endpoints.iter().filter_map(|endpoint| endpoint.version.known());
        let mut ids = snapshot.cluster_id.known().into_iter().chain(by_rest.map(|version| &version.kafka_cluster_id));
        if let Some(other) = ids.find(|id| *id != expected) {
            reasons.push(Reason::ClusterOther { seen: other.clone(), expected: expected.clone() });
        } else if snapshot.cluster_id.known().is_none() && self.conditions.sight == Sight::Group {
            let why = snapshot.cluster_id.why_unknown().unwrap_or_default().to_owned();
            reasons.push(Reason::ClusterUnknown { why });
        }
        if let (Some(group), Some(before)) = (snapshot.group.known(), &self.baseline.group)
            && group.id != before.id
        {
            reasons.push(Reason::GroupOther { seen: group.id.clone(), expected: before.id.clone() });
        }
    }

    /// A worker that has only just started may not have read the topics yet: it answers with
    /// an empty list, or with statuses of long ago. Where there is no other worker it must do.
    pub(super) fn statuses_of_another(&self, reasons: &mut Vec<Reason>) {
        let Some(statuses) = self.view.snapshot.statuses.known() else { return };
        let asked = address(&statuses.asked);
        let others = self.baseline.workers.keys().any(|at| !self.in_step(at) && !self.given_up(at));
        if others && self.in_step(&asked) {
            reasons.push(Reason::StatusesFromRestarted { worker: self.baseline.name(&asked) });
        }
    }
}
