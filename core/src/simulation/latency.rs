//! The small times of a healthy cluster, which nobody configures.
//!
//! Medians of what was measured on a real 4.4.0 cluster on one machine
//! (`tests/scenarios/replay/recorded`); a real network adds its round trips. They are far below
//! the heartbeat interval, so they shift a round by milliseconds and decide only races that a
//! plan must not rely on anyway.

use crate::units::Duration;

/// From a heartbeat's tick to the member's `JoinGroup` at the broker.
pub(super) const LEARN: Duration = Duration::from_millis(8);
/// From a worker's own wish to join (deadline, config record, revocations done) to its `JoinGroup` at the broker.
pub(super) const REJOIN: Duration = Duration::from_millis(6);
/// From the end of the join phase to its answer at the members, which re-phases their heartbeats.
pub(super) const JOIN_ANSWER: Duration = Duration::from_millis(1);
/// From the end of the join phase to a `LeaveGroup` that lay behind a pending `JoinGroup`.
pub(super) const LEAVE_BEHIND_JOIN: Duration = Duration::from_millis(2);
/// From the end of the join phase to the leader's computation.
pub(super) const ASSIGN: Duration = Duration::from_millis(5);
/// From the end of the join phase to the followers' `SyncGroup` at the broker.
pub(super) const FOLLOWER_SYNC: Duration = Duration::from_millis(4);
/// From the leader's `SyncGroup` at the broker to the group's log (`group.coordinator.append.linger.ms`).
pub(super) const APPEND: Duration = Duration::from_millis(8);
/// From the log to the members.
pub(super) const DELIVER: Duration = Duration::from_millis(1);
/// From the first `JoinGroup` of a new process to the second, which carries its id (KIP-394).
pub(super) const MEMBER_ID: Duration = Duration::from_millis(3);
/// From SIGTERM to the order to stop the tasks, and to the closing of the REST port.
pub(super) const STOP_ORDER: Duration = Duration::from_millis(100);
/// What a task that is cancelled adds to a graceful stop: the executor's shutdown and the stores (lab: 6.9 and 7.5 s).
pub(super) const CANCELLED: Duration = Duration::from_millis(1_500);
/// From the end of the last task to `LeaveGroup`: closing the stores.
pub(super) const CLOSE: Duration = Duration::from_millis(500);
/// How long the herder builds one task before its own thread starts it.
pub(super) const BUILD: Duration = Duration::from_millis(5);
/// From a config record to the workers' herders.
pub(super) const CONFIG_RECORD: Duration = Duration::from_millis(3);
/// From the start of a connector's instance to its first task configs at the leader: a JVM that starts its
/// first connector, or forwards its first request, is slow (0.25 to 0.4 s in all recordings).
pub(super) const FIRST_TASK_CONFIGS: Duration = Duration::from_millis(310);
/// From a request for task configs of an instance that runs to their being written.
pub(super) const TASK_CONFIGS: Duration = Duration::from_millis(70);
/// One `PUT /connectors/<c>/fence` after another (exactly-once sources; 8 to 280 ms).
pub(super) const FENCE_CALL: Duration = Duration::from_millis(250);
/// From the waking of a process that stood still to its new `JoinGroup`.
pub(super) const THAW: Duration = Duration::from_millis(360);
/// From a coordinator that answers again to the workers' `JoinGroup`.
pub(super) const COORDINATOR_BACK: Duration = Duration::from_millis(620);
/// A connector instance that does not stop within this time is abandoned (`Worker.CONNECTOR_GRACEFUL_SHUTDOWN_TIMEOUT_MS`).
pub(super) const CONNECTOR_STOP_LIMIT: Duration = Duration::from_secs(5);
/// Threads that start and stop work (`DistributedHerder.START_STOP_THREAD_POOL_SIZE`).
pub(super) const POOL: usize = 8;
