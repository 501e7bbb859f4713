//! One worker of a run: its process, its membership, its herder.

use super::latency;
use crate::assignor::{IncrementalAssignor, MemberId};
use crate::model::{ConnectProtocol, Items, WorkerSetup};
use crate::units::{Duration, SimTime};

/// What a worker's process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alive {
    /// There is no process.
    No,
    /// A process is starting; the group does not know it yet.
    Booting,
    /// It takes part in the group, or tries to.
    Up,
    /// It got SIGTERM.
    Stopping,
    /// It stands still.
    Frozen,
}

/// Why a worker joins of its own accord; it words the cause of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// It learned of a rebalance.
    Rebalance,
    /// Its own deadline of the delay was reached.
    Deadline,
    /// It gave up what was revoked.
    Revoked,
    /// The config topic changed.
    Config,
    /// Its last assignment never came.
    Lost,
    /// The coordinator is back.
    Coordinator,
}

#[expect(clippy::struct_excessive_bools, reason = "each mirrors a flag of Kafka's own classes")]
#[derive(Clone, Debug)]
pub(super) struct WorkerRun {
    pub(super) alive: Alive,
    /// Tells the events of one process from those of the next.
    pub(super) epoch: u32,
    pub(super) setup: WorkerSetup,
    pub(super) member: Option<MemberId>,
    /// The last generation whose assignment it got.
    pub(super) last_generation: i32,
    /// The protocol of that generation (`WorkerCoordinator.currentConnectProtocol`).
    pub(super) believes: ConnectProtocol,
    /// Its assignment, newest first (`assignmentSnapshot`); `None` before the first and after giving up.
    pub(super) local: Option<Items>,
    /// Whether that differs from what it last reported.
    pub(super) local_changed: bool,
    /// Whether it may own something that it has not started.
    pub(super) unstarted: bool,
    /// Whether it knows what it runs; under eager it forgets (`runningAssignment` is empty).
    pub(super) knows_running: bool,
    /// Whether the last assignment was acted upon (`rebalanceResolved`).
    pub(super) resolved: bool,
    /// Whether it joins again once it has started its work.
    pub(super) rejoins: bool,
    pub(super) leader: Option<MemberId>,
    pub(super) delay: Duration,
    pub(super) config_offset: u64,
    /// Changes with the bytes of its metadata.
    pub(super) metadata: u64,
    pub(super) deadline: Option<SimTime>,
    pub(super) deadline_token: u32,
    /// When its heartbeat timer was last reset by the answer to a `JoinGroup`.
    pub(super) anchor: SimTime,
    pub(super) interval: Duration,
    /// Whether it sends heartbeats: not while its `JoinGroup` waits.
    pub(super) beats: bool,
    /// Tells the sessions of one member apart: a later contact makes an expiry void.
    pub(super) contact: u32,
    pub(super) busy_until: SimTime,
    pub(super) wish: Wish,
    pub(super) learn_at: Option<SimTime>,
    pub(super) learn_token: u32,
    /// Its `JoinGroup` is answered, its assignment not there yet: its herder sees nothing else.
    pub(super) syncs: bool,
    /// Its `SyncGroup` will fail with the next rebalance.
    pub(super) missed_sync: bool,
    /// A config record asks for a rebalance once the herder is free.
    pub(super) wants_rebalance: bool,
    /// The config changed during a delay: the next wake-up joins.
    pub(super) stale_config: bool,
    /// Whether its process has been a member of a completed generation.
    pub(super) back: bool,
    pub(super) stop_until: SimTime,
    /// When the service manager kills it, if it still stops then.
    pub(super) killed_at: SimTime,
    pub(super) assignor: IncrementalAssignor,
}

impl WorkerRun {
    pub(super) fn new(setup: WorkerSetup, drift: Duration) -> Self {
        Self {
            alive: Alive::No,
            epoch: 0,
            believes: setup.settings.protocol,
            interval: setup.settings.heartbeat_interval + drift,
            setup,
            member: None,
            last_generation: -1,
            local: None,
            local_changed: true,
            unstarted: false,
            knows_running: true,
            resolved: true,
            rejoins: false,
            leader: None,
            delay: Duration::ZERO,
            config_offset: 0,
            metadata: 0,
            deadline: None,
            deadline_token: 0,
            anchor: SimTime::ZERO,
            beats: false,
            contact: 0,
            busy_until: SimTime::from_micros(i64::MIN / 2),
            wish: Wish::Rebalance,
            learn_at: None,
            learn_token: 0,
            syncs: false,
            missed_sync: false,
            wants_rebalance: false,
            stale_config: false,
            back: false,
            stop_until: SimTime::ZERO,
            killed_at: SimTime::NEVER,
            assignor: IncrementalAssignor::default(),
        }
    }

    /// A new process of the same worker: nothing of the old one is left.
    pub(super) fn reborn(&self, setup: WorkerSetup, drift: Duration) -> Self {
        Self {
            epoch: self.epoch + 1,
            contact: self.contact + 1,
            deadline_token: self.deadline_token + 1,
            learn_token: self.learn_token + 1,
            metadata: self.metadata + 1,
            ..Self::new(setup, drift)
        }
    }

    /// Its first heartbeat at or after that instant.
    pub(super) fn next_tick(&self, at: SimTime) -> SimTime {
        let interval = self.interval.as_micros().max(1);
        let since = (at - self.anchor).as_micros();
        let ticks = since.div_euclid(interval) + i64::from(since.rem_euclid(interval) != 0);
        self.anchor + self.interval * ticks.max(1)
    }

    /// Its last heartbeat, or the answer to its `JoinGroup`, before that instant.
    pub(super) fn last_contact(&self, at: SimTime) -> SimTime {
        let ticks = (at - self.anchor).as_micros().div_euclid(self.interval.as_micros().max(1));
        self.anchor + self.interval * ticks.max(0)
    }

    /// When it can send a `JoinGroup` after it knows of a rebalance at `knows`.
    pub(super) fn joins_at(&self, knows: SimTime) -> SimTime {
        knows.max(self.busy_until) + latency::LEARN
    }
}
