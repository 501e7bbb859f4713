//! All rules.

use super::Rule;
use super::rules;

/// All rules, in the order of their ids.
pub static RULES: &[&Rule] = &[
    &rules::all_workers_at_once::RULE,
    &rules::allow_of_unknown_rule::RULE,
    &rules::config_provider_without_class::RULE,
    &rules::connector_setting_in_worker_file::RULE,
    &rules::connectors_reconfigured_during_roll::RULE,
    &rules::cooperative_assignor_beside_eager_ones::RULE,
    &rules::default_bootstrap_servers::RULE,
    &rules::delay_under_eager::RULE,
    &rules::duplicate_property::RULE,
    &rules::eager_connect_protocol::RULE,
    &rules::exactly_once_source_without_room::RULE,
    &rules::file_of_another_program::RULE,
    &rules::fixed_wait_between_restarts::RULE,
    &rules::grace_period_shorter_than_stop::RULE,
    &rules::group_id_shared_with_different_topics::RULE,
    &rules::heartbeat_above_third_of_session::RULE,
    &rules::internal_topic_replication_factor_one::RULE,
    &rules::internal_topics_alike::RULE,
    &rules::kafka_version_with_rebalance_bug::RULE,
    &rules::long_delay_with_quick_restarts::RULE,
    &rules::long_session_timeout::RULE,
    &rules::missing_required_setting::RULE,
    &rules::no_advertised_address::RULE,
    &rules::offset_flush_longer_than_interval::RULE,
    &rules::offset_flush_longer_than_stop::RULE,
    &rules::rebalance_delay_shorter_than_restart::RULE,
    &rules::relative_plugin_path::RULE,
    &rules::removed_setting::RULE,
    &rules::roll_to_eager::RULE,
    &rules::sample_names::RULE,
    &rules::secret_in_clear::RULE,
    &rules::session_timeout_outside_broker_range::RULE,
    &rules::setting_of_a_newer_version::RULE,
    &rules::single_task_sink::RULE,
    &rules::single_worker::RULE,
    &rules::static_membership_of_a_worker::RULE,
    &rules::survivors_without_headroom::RULE,
    &rules::task_clients_without_security::RULE,
    &rules::tasks_max_below_workers::RULE,
    &rules::topics_shared_by_different_groups::RULE,
    &rules::unknown_config_provider::RULE,
    &rules::unknown_setting::RULE,
    &rules::unreachable_advertised_address::RULE,
    &rules::workers_with_different_delays::RULE,
    &rules::workers_with_different_protocols::RULE,
    &rules::zero_rebalance_delay::RULE,
];

/// The rule of that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}
