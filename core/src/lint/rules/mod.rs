//! One rule, one file.

pub(super) mod all_workers_at_once;
pub(super) mod allow_of_unknown_rule;
pub(super) mod connectors_reconfigured_during_roll;
pub(super) mod eager_connect_protocol;
pub(super) mod exactly_once_source_without_room;
pub(super) mod fixed_wait_between_restarts;
pub(super) mod grace_period_shorter_than_stop;
pub(super) mod heartbeat_above_third_of_session;
pub(super) mod long_delay_with_quick_restarts;
pub(super) mod long_session_timeout;
pub(super) mod rebalance_delay_shorter_than_restart;
pub(super) mod roll_to_eager;
pub(super) mod session_timeout_outside_broker_range;
pub(super) mod single_task_sink;
pub(super) mod single_worker;
pub(super) mod survivors_without_headroom;
pub(super) mod tasks_max_below_workers;
pub(super) mod workers_with_different_delays;
pub(super) mod workers_with_different_protocols;
pub(super) mod zero_rebalance_delay;
