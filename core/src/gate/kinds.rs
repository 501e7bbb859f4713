//! What reasons are called, and what each asks of whoever reads it.

use super::reason::{Rated, Reason, Way};

impl Reason {
    /// Its stable name, as in JSON and for `--accept`.
    pub fn kind(&self) -> &'static str {
        self.kind_and_way().0
    }

    /// What it asks.
    pub fn way(&self) -> Way {
        self.kind_and_way().1
    }

    /// Whether a person may overrule it for a step.
    pub fn can_be_accepted(kind: &str) -> bool {
        ACCEPTABLE.contains(&kind)
    }

    fn kind_and_way(&self) -> (&'static str, Way) {
        match self {
            Self::SnapshotMissing {} => ("snapshot-missing", Way::Unknown),
            Self::SnapshotStale { .. } => ("snapshot-stale", Way::Unknown),
            Self::SnapshotRepeated {} => ("snapshot-repeated", Way::Unknown),
            Self::SnapshotVersion { .. } => ("snapshot-version", Way::Unknown),
            Self::ClusterUnknown { .. } => ("cluster-unknown", Way::Unknown),
            Self::ClusterOther { .. } => ("cluster-other", Way::Never),
            Self::GroupUnknown { .. } => ("group-unknown", Way::Unknown),
            Self::GroupOther { .. } => ("group-other", Way::Never),
            Self::GroupStateUnknown { .. } => ("group-state-unknown", Way::Unknown),
            Self::GroupNotStable { .. } => ("group-not-stable", Way::Wait),
            Self::MemberUnreadable { .. } => ("member-unreadable", Way::Unknown),
            Self::StatusesUnknown { .. } => ("statuses-unknown", Way::Unknown),
            Self::StatusesFromRestarted { .. } => ("statuses-from-restarted", Way::Unknown),
            Self::AnswerIncomplete { .. } => ("answer-incomplete", Way::Unknown),
            Self::StateUnknown { .. } => ("state-unknown", Way::Unknown),
            Self::WorkerMissing { .. } => ("worker-missing", Way::Wait),
            Self::WorkerTwice { .. } => ("worker-twice", Way::Wait),
            Self::AssignmentFailed { .. } => ("assignment-failed", Way::Wait),
            Self::OwnsNothing { .. } => ("owns-nothing", Way::Wait),
            Self::BetweenRounds { .. } => ("between-rounds", Way::Wait),
            Self::DelayRunning { .. } => ("delay-running", Way::Wait),
            Self::NoOwner { delay_runs, .. } => ("no-owner", if *delay_runs { Way::Wait } else { Way::Act }),
            Self::OwnedTwice { .. } => ("owned-twice", Way::Act),
            Self::NotRunning { overdue, .. } => ("not-running", if *overdue { Way::Act } else { Way::Wait }),
            Self::StateAsked { .. } => ("state-asked", Way::Act),
            Self::NoStatus { .. } => ("no-status", Way::Wait),
            Self::Disagreement { .. } => ("disagreement", Way::Wait),
            Self::MayBeStale { .. } => ("may-be-stale", Way::Wait),
            Self::SecondWave { .. } => ("second-wave", Way::Wait),
            Self::Failed { quiet, .. } => ("failed", if *quiet { Way::Act } else { Way::Wait }),
            Self::TooManyWaiting { .. } => ("too-many-waiting", Way::Wait),
            Self::ShareWaiting { .. } => ("share-waiting", Way::Wait),
            Self::ExactlyOnceStarting { .. } => ("exactly-once-starting", Way::Wait),
            Self::SinkUnknown { .. } => ("sink-unknown", Way::Unknown),
            Self::SinkNotStable { .. } => ("sink-not-stable", Way::Wait),
            Self::SinkUnread { .. } => ("sink-unread", Way::Wait),
            Self::LagUnknown { .. } => ("lag-unknown", Way::Unknown),
            Self::Lag { .. } => ("lag", Way::Wait),
            Self::ForeseenMissing {} => ("foreseen-missing", Way::Unknown),
            Self::ForeseenShare { .. } => ("foreseen-share", Way::Act),
            Self::ForeseenLongest { .. } => ("foreseen-longest", Way::Act),
            Self::ForeseenConnectors { .. } => ("foreseen-connectors", Way::Act),
            Self::LeaderUnexpected { .. } => ("leader-unexpected", Way::Act),
            Self::WorkerAway { .. } => ("worker-away", Way::Wait),
            Self::StillMember { .. } => ("still-member", Way::Wait),
            Self::NoRestPort { .. } => ("no-rest-port", Way::Act),
            Self::BackFor { .. } => ("back-for", Way::Wait),
            Self::TooSoon { .. } => ("too-soon", Way::Wait),
            Self::DelayUnknown {} => ("delay-unknown", Way::Unknown),
            Self::RestartUnseen { .. } => ("restart-unseen", Way::Unknown),
            Self::Calm { .. } => ("calm", Way::Wait),
            Self::NoTasks { .. } => ("no-tasks", Way::Act),
            Self::DeadlinePassed { .. } => ("deadline-passed", Way::Never),
            Self::NotBackInTime { .. } => ("not-back-in-time", Way::Never),
            Self::NotSettledInTime { .. } => ("not-settled-in-time", Way::Never),
            Self::LeaderMoved { rated, .. } => ("leader-moved", rated.way()),
            Self::WorkerAdded { rated, .. } => ("worker-added", rated.way()),
            Self::ProtocolChanged { rated, .. } => ("protocol-changed", rated.way()),
            Self::ConnectorAdded { rated, .. } => ("connector-added", rated.way()),
            Self::ConnectorGone { rated, .. } => ("connector-gone", rated.way()),
            Self::TasksChanged { rated, .. } => ("tasks-changed", rated.way()),
            Self::ConfigEdited { rated, .. } => ("config-edited", rated.way()),
            Self::ConfigTopicMoved { rated, .. } => ("config-topic-moved", rated.way()),
            Self::LeftOverStatus { .. } => ("left-over-status", Way::Note),
            Self::BrokenBefore { .. } => ("broken-before", Way::Note),
            Self::SinkNotWatched { .. } => ("sink-not-watched", Way::Note),
            Self::ClockJumped { .. } => ("clock-jumped", Way::Note),
            Self::NotWatched { .. } => ("not-watched", Way::Note),
        }
    }

    /// How a difference to the baseline is rated; nothing for other reasons.
    pub fn rated(&self) -> Option<Rated> {
        match self {
            Self::LeaderMoved { rated, .. }
            | Self::WorkerAdded { rated, .. }
            | Self::ProtocolChanged { rated, .. }
            | Self::ConnectorAdded { rated, .. }
            | Self::ConnectorGone { rated, .. }
            | Self::TasksChanged { rated, .. }
            | Self::ConfigEdited { rated, .. }
            | Self::ConfigTopicMoved { rated, .. } => Some(*rated),
            _ => None,
        }
    }
}

impl Rated {
    const fn way(self) -> Way {
        match self {
            Self::Harmless => Way::Note,
            Self::PlanAgain | Self::Stop => Way::Act,
        }
    }
}

/// What a person may overrule. Not another cluster or group, no limit, and not that a worker
/// is away: that is where the step stands.
const ACCEPTABLE: [&str; 48] = [
    "snapshot-stale",
    "cluster-unknown",
    "member-unreadable",
    "statuses-unknown",
    "statuses-from-restarted",
    "answer-incomplete",
    "state-unknown",
    "worker-missing",
    "worker-twice",
    "assignment-failed",
    "owns-nothing",
    "between-rounds",
    "delay-running",
    "no-owner",
    "owned-twice",
    "not-running",
    "state-asked",
    "no-status",
    "disagreement",
    "may-be-stale",
    "second-wave",
    "failed",
    "too-many-waiting",
    "share-waiting",
    "exactly-once-starting",
    "sink-unknown",
    "sink-not-stable",
    "sink-unread",
    "lag-unknown",
    "lag",
    "foreseen-missing",
    "foreseen-share",
    "foreseen-longest",
    "foreseen-connectors",
    "leader-unexpected",
    "no-rest-port",
    "too-soon",
    "delay-unknown",
    "restart-unseen",
    "no-tasks",
    "leader-moved",
    "worker-added",
    "protocol-changed",
    "connector-added",
    "connector-gone",
    "tasks-changed",
    "config-edited",
    "config-topic-moved",
];
