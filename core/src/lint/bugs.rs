//! Bugs of Kafka's versions that a roll meets: the one table.
//!
//! A fix counts from the release whose tag holds its commit; that was looked up in the history of
//! each release from 2.3.0 to 3.9.0. Of later ones no fix is known that concerns rebalancing: the
//! assignors, the worker's coordinator and the herder of 4.3.1 differ from those of 3.9 in
//! syntax, logging and packages only.

use crate::finding::{Confidence, Severity};
use crate::model::KafkaVersion;

/// A bug of some versions.
#[derive(Clone, Copy, Debug)]
pub struct Bug {
    /// The ticket.
    pub ticket: &'static str,
    /// The first version that has it.
    pub since: KafkaVersion,
    /// The first version without it on each branch that was mended, in order; none if it is open.
    pub fixed: &'static [KafkaVersion],
    /// On which clusters a roll meets it.
    pub meets: Meets,
    /// How bad it is where it is met.
    pub severity: Severity,
    /// How sure it is that a roll meets it.
    pub confidence: Confidence,
    /// What happens in a roll: a clause, to follow the version.
    pub happens: &'static str,
    /// What to do until the version is gone, as a clause.
    pub until: &'static str,
}

/// On which clusters a roll meets a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    /// On any of several workers.
    All,
    /// Where workers rebalance incrementally.
    Cooperative,
    /// Where internal requests are signed.
    Sessioned,
    /// Where `scheduled.rebalance.max.delay.ms` is 0; a rule of its own reports it.
    NoDelay,
    /// Where sinks use the cooperative assignor.
    CooperativeSinks,
    /// Where sources deliver exactly once.
    ExactlyOnce,
    /// Where no client.id is set.
    NoClientId,
    /// Where connectors are restarted together with their tasks.
    RestartOfTasks,
}

impl Bug {
    /// All that are known, by ticket.
    pub const fn all() -> &'static [Self] {
        BUGS
    }

    /// Whether a version has it.
    pub fn is_in(&self, version: KafkaVersion) -> bool {
        let branch = |fixed: &KafkaVersion| (fixed.major, fixed.minor) == (version.major, version.minor);
        let mended = match self.fixed.iter().find(|fixed| branch(fixed)) {
            Some(fixed) => version >= *fixed,
            None => self.fixed.last().is_some_and(|newest| version >= *newest),
        };
        version >= self.since && !mended
    }

    /// The first version without it that is newer than this one; `None` if it is open.
    pub fn fixed_after(&self, version: KafkaVersion) -> Option<KafkaVersion> {
        self.fixed.iter().copied().find(|fixed| *fixed > version)
    }
}

const fn v(major: u16, minor: u16, patch: u16) -> KafkaVersion {
    KafkaVersion::new(major, minor, patch)
}

/// By ticket. Pull requests are those of apache/kafka.
const BUGS: &[Bug] = &[
    // #7771, in the tags from 2.4.0 on; ported to the branch of 2.3 after its last release.
    Bug {
        ticket: "KAFKA-9184",
        since: v(2, 3, 0),
        fixed: &[v(2, 4, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Error,
        confidence: Confidence::Medium,
        happens: "workers that lose the coordinator keep their tasks running while others get them, and the group \
                  rebalances again and again",
        until: "restart each worker that lost the coordinator",
    },
    // #8069, in the tags from 2.6.0 on.
    Bug {
        ticket: "KAFKA-9374",
        since: v(2, 0, 0),
        fixed: &[v(2, 6, 0)],
        meets: Meets::All,
        severity: Severity::Warning,
        confidence: Confidence::Medium,
        happens: "a connector that hangs as it starts or stops blocks its worker, and with it every rebalance",
        until: "look at the connectors' logs when a rebalance does not end",
    },
    // #8453, in the tags from 2.5.1 and 2.6.0 on.
    Bug {
        ticket: "KAFKA-9841",
        since: v(2, 3, 0),
        fixed: &[v(2, 5, 1), v(2, 6, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Error,
        confidence: Confidence::Medium,
        happens: "a worker that was cut off and comes back keeps tasks that others run by now, and nobody revokes them",
        until: "restart a worker that was cut off from the brokers before you go on",
    },
    // #8805, in the tags from 2.5.1 and 2.6.0 on.
    Bug {
        ticket: "KAFKA-9848",
        since: v(2, 3, 0),
        fixed: &[v(2, 5, 1), v(2, 6, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Warning,
        confidence: Confidence::Medium,
        happens: "a single lost answer of the coordinator makes tasks wait for the whole delay, though no worker has left",
        until: "allow each restart the whole delay",
    },
    // #8827, in the tags from 2.5.1 and 2.6.0 on.
    Bug {
        ticket: "KAFKA-9849",
        since: v(2, 3, 0),
        fixed: &[v(2, 5, 1), v(2, 6, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Error,
        confidence: Confidence::Medium,
        happens: "a worker that cannot read up the config topic stays away for 5 min with its tasks still running, which \
                  run twice once others have them",
        until: "restart a worker whose log says that it cannot catch up with the config topic",
    },
    // #8804, in the tags from 2.5.1 and 2.6.0 on.
    Bug {
        ticket: "KAFKA-9851",
        since: v(2, 4, 0),
        fixed: &[v(2, 5, 1), v(2, 6, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Error,
        confidence: Confidence::Medium,
        happens: "a worker that lost the coordinator stops its tasks and does not start them when it gets them back",
        until: "restart a worker that lost the coordinator",
    },
    // #9319, in the tags from 2.6.2, 2.7.1 and 2.8.0 on.
    Bug {
        ticket: "KAFKA-10413",
        since: v(2, 3, 0),
        fixed: &[v(2, 6, 2), v(2, 7, 1), v(2, 8, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Warning,
        confidence: Confidence::High,
        happens: "of several workers that come back within the delay one gets all lost tasks, the others none",
        until: "restart one worker at a time; eager is no way out, it stops all tasks at each change",
    },
    // #9765, in the tags from 2.6.2, 2.7.1 and 2.8.0 on.
    Bug {
        ticket: "KAFKA-10763",
        since: v(2, 3, 0),
        fixed: &[v(2, 6, 2), v(2, 7, 1), v(2, 8, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Error,
        confidence: Confidence::High,
        happens: "in a rebalance right after another revoked tasks are forgotten and not stopped: they run twice",
        until: "wait for a quiet group after each restart; `already exists in this worker` names such a task",
    },
    // #9669, in the tags from 2.6.2 and 2.7.0 on.
    Bug {
        ticket: "KAFKA-10792",
        since: v(2, 0, 0),
        fixed: &[v(2, 6, 2), v(2, 7, 0)],
        meets: Meets::All,
        severity: Severity::Warning,
        confidence: Confidence::Medium,
        happens: "a source task that hangs as it stops blocks its worker, and with it the rebalance",
        until: "look at the source tasks' logs when a rebalance does not end",
    },
    // #10014, in the tags from 2.6.3, 2.7.2, 2.8.1 and 3.0.0 on.
    Bug {
        ticket: "KAFKA-12252",
        since: v(2, 4, 0),
        fixed: &[v(2, 6, 3), v(2, 7, 2), v(2, 8, 1), v(3, 0, 0)],
        meets: Meets::Sessioned,
        severity: Severity::Warning,
        confidence: Confidence::Medium,
        happens: "a worker that has become leader does not know when to renew the session key, and one that was leader \
                  before wakes up without pause when it has expired",
        until: "keep the restarts of leaders rare, and watch the workers' processor time after the roll",
    },
    // #12876, in the tags from 3.4.0 on.
    Bug {
        ticket: "KAFKA-12476",
        since: v(2, 3, 0),
        fixed: &[v(3, 4, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Note,
        confidence: Confidence::Medium,
        happens: "a worker that was busy starting tasks sleeps past the end of the delay by as long as that took",
        until: "allow the end of the delay as much more as tasks take to start",
    },
    // #10563 among others, in the tags from 3.0.1 and 3.1.0 on.
    Bug {
        ticket: "KAFKA-12487",
        since: v(2, 4, 0),
        fixed: &[v(3, 0, 1), v(3, 1, 0)],
        meets: Meets::CooperativeSinks,
        severity: Severity::Error,
        confidence: Confidence::High,
        happens: "a sink task with the cooperative assignor closes all its partitions when some are revoked, and opens only \
                  new ones again",
        until: "leave partition.assignment.strategy at its default",
    },
    // #12561, in the tags from 3.4.0 on.
    Bug {
        ticket: "KAFKA-12495",
        since: v(2, 3, 0),
        fixed: &[v(3, 4, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Warning,
        confidence: Confidence::High,
        happens: "a worker that comes back right after tasks were revoked for another gets too few of them, and it stays \
                  so: 6, 3 and 3 instead of 4, 4 and 4",
        until: "let a worker get its tasks before the next one goes, and count them per worker after the roll",
    },
    // #13453, in the tags from 3.6.0 on.
    Bug {
        ticket: "KAFKA-12525",
        since: v(2, 0, 0),
        fixed: &[v(3, 6, 0)],
        meets: Meets::All,
        severity: Severity::Note,
        confidence: Confidence::Medium,
        happens: "a late UNASSIGNED can cover up a RUNNING in the status, and stays",
        until: "if a status stays UNASSIGNED in a quiet group, restart that task before you take it for lost",
    },
    // #12295, in the tags from 3.3.2 and 3.4.0 on.
    Bug {
        ticket: "KAFKA-13586",
        since: v(2, 3, 0),
        fixed: &[v(3, 3, 2), v(3, 4, 0)],
        meets: Meets::Cooperative,
        severity: Severity::Warning,
        confidence: Confidence::Low,
        happens: "a connector that cannot be started with a changed configuration ends its whole worker",
        until: "change no connector during the roll",
    },
    // #11869, in the tags from 3.1.1 and 3.2.0 on; the call came with KIP-745.
    Bug {
        ticket: "KAFKA-13719",
        since: v(3, 0, 0),
        fixed: &[v(3, 1, 1), v(3, 2, 0)],
        meets: Meets::RestartOfTasks,
        severity: Severity::Warning,
        confidence: Confidence::Low,
        happens: "`restart?includeTasks=true` starts all tasks of the connector on every worker, which no status shows",
        until: "restart single tasks, by `tasks/<number>/restart`",
    },
    // #12802, in the tags from 3.5.0 on.
    Bug {
        ticket: "KAFKA-14311",
        since: v(2, 3, 0),
        fixed: &[v(3, 5, 0)],
        meets: Meets::All,
        severity: Severity::Warning,
        confidence: Confidence::Low,
        happens: "an orderly stop can end like a crash: if the pool that stops tasks is shut down first, they are not \
                  stopped, and the group learns of it when the session ends",
        until: "look for RejectedExecutionException in the log of a worker that was stopped",
    },
    // #13819, in the tags from 3.6.0 on; fencing came with KIP-618.
    Bug {
        ticket: "KAFKA-15059",
        since: v(3, 3, 0),
        fixed: &[v(3, 6, 0)],
        meets: Meets::ExactlyOnce,
        severity: Severity::Warning,
        confidence: Confidence::Medium,
        happens: "tasks that start while a change of connectors is about to bring a rebalance end FAILED",
        until: "look for FAILED tasks after each step, and restart them",
    },
    // #14647, in the tags from 3.5.2, 3.6.1 and 3.7.0 on.
    Bug {
        ticket: "KAFKA-15693",
        since: v(2, 3, 0),
        fixed: &[v(3, 5, 2), v(3, 6, 1), v(3, 7, 0)],
        meets: Meets::NoDelay,
        severity: Severity::Error,
        confidence: Confidence::High,
        happens: "a leader with a delay of 0 hands lost tasks to nobody, until something else brings a rebalance",
        until: "set the delay just above the time a restart takes",
    },
    // #14825, in the tags from 3.7.0 on.
    Bug {
        ticket: "KAFKA-15888",
        since: v(2, 0, 0),
        fixed: &[v(3, 7, 0)],
        meets: Meets::NoClientId,
        severity: Severity::Note,
        confidence: Confidence::Medium,
        happens: "all workers call themselves connect-1, so that no member id, log line or quota tells them apart",
        until: "set client.id to a name for each worker",
    },
    // #16628 was closed without being merged; 3.8.0 only says in the log what happens (KAFKA-16197).
    Bug {
        ticket: "KAFKA-16056",
        since: v(2, 3, 0),
        fixed: &[],
        meets: Meets::Cooperative,
        severity: Severity::Warning,
        confidence: Confidence::Low,
        happens: "a worker that is busy for longer than rebalance.timeout.ms leaves the group with its tasks running",
        until: "keep rebalance.timeout.ms above the longest stop or start of a task",
    },
    // #16486 was closed without being merged.
    Bug {
        ticket: "KAFKA-17049",
        since: v(2, 3, 0),
        fixed: &[],
        meets: Meets::Cooperative,
        severity: Severity::Note,
        confidence: Confidence::Low,
        happens: "tasks that move are often all of one connector: the totals are even, its load is not",
        until: "count the tasks of large connectors per worker, not only all tasks",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn bug(ticket: &str) -> &'static Bug {
        BUGS.iter().find(|bug| bug.ticket == ticket).unwrap()
    }

    #[test]
    fn a_fix_counts_on_each_branch_from_its_own_release() {
        let delay = bug("KAFKA-15693");
        let has = [v(3, 4, 1), v(3, 5, 1), v(3, 5, 2), v(3, 6, 0), v(3, 6, 1), v(3, 7, 0), v(4, 4, 0)]
            .map(|version| delay.is_in(version));
        assert_eq!(has, [true, true, false, true, false, false, false]);
        assert_eq!(delay.fixed_after(v(3, 6, 0)), Some(v(3, 6, 1)));
        assert_eq!(delay.fixed_after(v(3, 4, 1)), Some(v(3, 5, 2)));
    }

    #[test]
    fn an_open_bug_is_in_every_version_since_it_came() {
        let skew = bug("KAFKA-17049");
        assert_eq!([v(2, 2, 0), v(2, 3, 0), v(4, 4, 0)].map(|version| skew.is_in(version)), [false, true, true]);
        assert_eq!(skew.fixed_after(v(4, 4, 0)), None);
    }

    #[test]
    fn the_table_agrees_with_that_of_the_versions() {
        for version in
            [(2, 8, 2), (3, 0, 0), (3, 0, 1), (3, 3, 2), (3, 4, 0), (3, 5, 1), (3, 5, 2), (3, 6, 0), (4, 4, 0)]
                .map(|(major, minor, patch)| v(major, minor, patch))
        {
            let rules = version.rules();
            assert_eq!(rules.zero_delay_reassigns, !bug("KAFKA-15693").is_in(version), "{version}");
            assert_eq!(rules.client_id_has_address, !bug("KAFKA-15888").is_in(version), "{version}");
            assert_eq!(rules.cooperative_sinks, !bug("KAFKA-12487").is_in(version), "{version}");
            assert_eq!(rules.balance == crate::model::Balance::Exact, !bug("KAFKA-12495").is_in(version), "{version}");
        }
    }

    #[test]
    fn fixes_are_in_order_and_after_the_bug() {
        for bug in BUGS {
            assert!(bug.fixed.is_sorted() && bug.fixed.iter().all(|fixed| *fixed > bug.since), "{}", bug.ticket);
        }
    }
}
