//! What people write for a key that is called otherwise here: one table.

/// The key that was probably meant by another word for it, of those that may stand there.
pub(super) fn meant<'k>(word: &str, keys: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let plain = word.to_lowercase().replace('-', "_");
    let meant = |key: &&str| SYNONYMS.iter().any(|(name, others)| name == key && others.contains(&plain.as_str()));
    keys.into_iter().find(meant)
}

/// The key that another word stands for, wherever it may be written.
pub fn key_meant(word: &str) -> Option<&'static str> {
    meant(word, SYNONYMS.iter().map(|(key, _)| *key))
}

/// Each key with other words for it, which spelling does not lead to.
static SYNONYMS: &[(&str, &[&str])] = &[
    ("at_once", &["batch", "batch_size", "max_unavailable", "parallel", "parallelism", "serial"]),
    ("capacity", &["max_rate", "speed"]),
    ("connectors", &["jobs", "pipelines"]),
    ("down", &["downtime", "pause"]),
    ("during_delay", &["overlap"]),
    ("grace", &["kill_after", "termination_grace_period", "timeout"]),
    ("host", &["address", "advertised_host", "hostname"]),
    ("leader_again", &["flush"]),
    ("max_lag", &["max_backlog", "max_records"]),
    ("max_share", &["max_lost", "max_peak", "max_tasks"]),
    ("max_unassigned", &["max_downtime", "max_outage"]),
    ("member", &["id", "member_id"]),
    ("policy", &["constraints", "limits", "rules"]),
    ("rack", &["availability_zone", "az", "zone"]),
    ("rate", &["records", "throughput"]),
    ("settings", &["config", "configs", "properties"]),
    ("settings_from", &["config_file", "properties_file"]),
    ("start", &["boot", "startup"]),
    ("stop", &["shutdown"]),
    ("tasks_max", &["tasks.max"]),
    ("wait", &["pause_between", "wait_for", "wait_until"]),
    ("window", &["deadline", "duration", "max_duration", "max_time", "maintenance_window"]),
    ("workers", &["hosts", "members", "nodes"]),
];

#[cfg(test)]
mod tests {
    use super::super::documented::KeyDoc;
    use super::*;

    #[test]
    fn a_word_stands_for_a_key_only_where_that_may_be_written() {
        assert_eq!(meant("Max-Duration", ["wait", "window"]), Some("window"));
        assert_eq!(meant("serial", ["at_once"]), Some("at_once"));
        assert_eq!(meant("serial", ["stop", "start"]), None);
    }

    #[test]
    fn every_word_stands_for_a_key_that_exists_and_for_one_only() {
        let mut words: Vec<&str> = SYNONYMS.iter().flat_map(|(_, others)| others.iter().copied()).collect();
        for (key, _) in SYNONYMS {
            assert!(!KeyDoc::find(key).is_empty(), "{key}");
        }
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
        assert!(SYNONYMS.is_sorted());
    }
}
