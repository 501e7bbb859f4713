//! All rules.

use super::Rule;
use super::rules;

/// All rules, in the order of their ids.
pub static RULES: &[&Rule] = &[
    &rules::all_workers_at_once::RULE,
    &rules::allow_of_unknown_rule::RULE,
    &rules::connectors_reconfigured_during_roll::RULE,
    &rules::eager_connect_protocol::RULE,
    &rules::exactly_once_source_without_room::RULE,
    &rules::fixed_wait_between_restarts::RULE,
    &rules::grace_period_shorter_than_stop::RULE,
    &rules::heartbeat_above_third_of_session::RULE,
    &rules::long_delay_with_quick_restarts::RULE,
    &rules::long_session_timeout::RULE,
    &rules::rebalance_delay_shorter_than_restart::RULE,
    &rules::roll_to_eager::RULE,
    &rules::session_timeout_outside_broker_range::RULE,
    &rules::single_task_sink::RULE,
    &rules::single_worker::RULE,
    &rules::survivors_without_headroom::RULE,
    &rules::tasks_max_below_workers::RULE,
    &rules::workers_with_different_delays::RULE,
    &rules::workers_with_different_protocols::RULE,
    &rules::zero_rebalance_delay::RULE,
];

/// The rule of that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}
