//! Why a roll was chosen, in sentences with numbers.

use std::fmt;

use super::limits::Breach;
use super::priced::Candidate;
use crate::assessment::{Figure, TaskSeconds};
use crate::model::{Cluster, ConnectProtocol, Policy, Wait};
use crate::simulation::{Flush, Order, Timeline};
use crate::units::{Duration, Share};

/// One reason.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Whoever leads goes next.
    PresentLeader,
    /// The leader goes last.
    LeaderLast {
        /// The delay that its leaving ends.
        delay: Duration,
    },
    /// The leader is restarted once more.
    Flush {
        /// The delay that this ends early.
        delay: Duration,
        /// After how many waiting followers.
        followers: usize,
    },
    /// The leader goes before others do, and why that helps.
    Leader,
    /// There is only one worker.
    Alone,
    /// The policy lets no restart begin while a delay runs.
    NotDuringDelay,
    /// With a delay of 0 the order hardly matters.
    ZeroDelay,
    /// A delay of 0 on versions that lose work.
    ZeroDelayBug,
    /// Under eager every change stops everything.
    Eager,
    /// All is waited for before the next.
    Settled {
        /// The delay that is sat out each time.
        delay: Duration,
    },
    /// The next goes as soon as the one before is back.
    Back,
    /// A pause lets the balancing round end.
    Pause {
        /// How long.
        pause: Duration,
    },
    /// A cheaper roll breaks a limit.
    Refused {
        /// What it would lose.
        unassigned: TaskSeconds,
        /// Instead of.
        instead_of: TaskSeconds,
        /// The first limit it breaks.
        breach: Breach,
    },
    /// What waiting until all is settled would cost.
    Careful {
        /// Its unassigned time.
        unassigned: TaskSeconds,
        /// Its duration.
        duration: Duration,
        /// The delay that each follower's tasks sit out.
        delay: Duration,
    },
    /// The default limit on the share was not given by the operator.
    DefaultShare {
        /// The limit.
        share: Share,
    },
}

pub(super) fn reasons(
    cluster: &Cluster,
    policy: &Policy,
    chosen: &Candidate,
    expected: &Timeline,
    refused: &[Candidate],
    careful: Option<&Candidate>,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if cluster.workers.len() == 1 {
        return vec![Reason::Alone];
    }
    let delay = cluster.workers.iter().map(|worker| worker.before.settings.delay).max().unwrap_or_default();
    let eager = cluster.workers.iter().all(|worker| worker.before.settings.protocol == ConnectProtocol::Eager);
    let zero = cluster.workers.iter().all(|worker| worker.before.settings.delay.is_zero());
    let flush = chosen.schedule.flush;
    if eager {
        reasons.push(Reason::Eager);
    } else if zero {
        let lost = cluster.workers.iter().any(|worker| !worker.before.rules.zero_delay_reassigns);
        reasons.push(if lost { Reason::ZeroDelayBug } else { Reason::ZeroDelay });
    } else {
        match chosen.schedule.order {
            Order::PresentLeader => reasons.push(Reason::PresentLeader),
            Order::LeaderLast if chosen.schedule.wait != Wait::Settled && flush == Flush::Never => {
                reasons.push(Reason::LeaderLast { delay });
            }
            _ if flush == Flush::Never => reasons.push(Reason::Leader),
            _ => {}
        }
        match flush {
            Flush::AfterFollowers(followers) => reasons.push(Reason::Flush { delay, followers }),
            Flush::AtEnd => reasons.push(Reason::Flush { delay, followers: 0 }),
            Flush::Never => {}
        }
    }
    let follower = expected.steps.iter().any(|step| !step.leads);
    match chosen.schedule.wait {
        _ if !policy.during_delay && !eager && !zero => reasons.push(Reason::NotDuringDelay),
        Wait::Back if !eager && !zero => reasons.push(Reason::Back),
        Wait::Fixed(pause) => reasons.push(Reason::Pause { pause }),
        Wait::Settled if !eager && !zero && follower => reasons.push(Reason::Settled { delay }),
        Wait::Back | Wait::Settled => {}
    }
    let unassigned = |candidate: &Candidate| TaskSeconds(candidate.distribution.of(Figure::Unassigned).median);
    if let Some((cheaper, breach)) = refused.first().and_then(|cheaper| Some((cheaper, cheaper.breaches.first()?))) {
        reasons.push(Reason::Refused {
            unassigned: unassigned(cheaper),
            instead_of: unassigned(chosen),
            breach: *breach,
        });
        if !policy.max_share_given {
            reasons.push(Reason::DefaultShare { share: policy.max_share });
        }
    }
    let dearer = |careful: &&Candidate| unassigned(careful).0 > 1.1 * unassigned(chosen).0;
    let waits = delay > Duration::from_secs(1) && !eager && chosen.schedule.wait != Wait::Settled;
    if let Some(careful) = careful.filter(dearer).filter(|_| waits) {
        let duration = careful.distribution.of(Figure::Duration).median;
        if duration.is_finite() {
            let duration = Duration::from_secs_f64(duration);
            reasons.push(Reason::Careful { unassigned: unassigned(careful), duration, delay });
        }
    }
    reasons
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PresentLeader => f.write_str(
                "Whoever leads the group goes next while it is still to do: the delay lives in the leader's \
                 memory, so when the leader leaves, its successor hands out everything without an owner at once.",
            ),
            Self::Leader => f.write_str(
                "The delay lives in the leader's memory: when the leader leaves, its successor hands out everything \
                 without an owner at once, so where the leader stands in the order decides how long tasks wait.",
            ),
            Self::Alone => f.write_str(
                "There is one worker: while it is away everything stands still, and no order and no wait changes \
                 that. Back again it knows of no earlier assignment, so no delay runs.",
            ),
            Self::NotDuringDelay => f.write_str(
                "No restart begins while a delay runs, because policy.during_delay is false: each waits until the \
                 delay is over.",
            ),
            Self::LeaderLast { delay } => write!(
                f,
                "The leader goes last: the followers' tasks wait for the delay ({delay}), which lives in the \
                 leader's memory and ends when the leader leaves."
            ),
            Self::Flush { delay, followers: 0 } => write!(
                f,
                "If a delay runs at the end, the leader is restarted once more: that ends it at once instead \
                 of after {delay}."
            ),
            Self::Flush { delay, followers: 1 } => write!(
                f,
                "After each follower the leader is restarted, a second time if need be: that ends the \
                 follower's delay at once instead of after {delay}."
            ),
            Self::Flush { delay, followers } => write!(
                f,
                "After every {followers} followers the leader is restarted, a second time if need be: that \
                 ends their delay at once instead of after {delay}."
            ),
            Self::ZeroDelay => f.write_str(
                "With a delay of 0 lost tasks are handed out in the next round, whoever leads: the order hardly \
                 matters, and every task moves twice.",
            ),
            Self::ZeroDelayBug => f.write_str(
                "With a delay of 0 these versions lose sight of a lost worker's tasks until some other rebalance \
                 (KAFKA-15693, fixed in 3.5.2, 3.6.1 and 3.7.0).",
            ),
            Self::Eager => f.write_str(
                "Under the eager protocol every change of members stops all tasks and starts them again; no \
                 delay runs, so the order does not matter.",
            ),
            Self::Settled { delay } => write!(
                f,
                "Each next restart waits until all is settled, so a follower's tasks sit out the whole delay \
                 ({delay}), also when it is back after seconds."
            ),
            Self::Back => f.write_str(
                "The next goes as soon as the one before is back in the group: during a delay nothing happens, \
                 so waiting does not help anyone.",
            ),
            Self::Pause { pause } => write!(
                f,
                "A pause of {pause} after each return lets the balancing round end, so that no worker is \
                 stopped in the middle of it."
            ),
            Self::Refused { unassigned, instead_of, breach } => {
                write!(f, "A roll that loses {unassigned} instead of {instead_of} task-seconds was refused: {breach}.")
            }
            Self::Careful { unassigned, duration, delay } => write!(
                f,
                "The careful way, leader last and each only when every task runs again, would lose {unassigned} \
                 task-seconds and take {duration}: each follower's tasks sit out the whole delay ({delay})."
            ),
            Self::DefaultShare { share } => write!(
                f,
                "The limit on the share is the default, the largest single worker's share ({share}); \
                 policy.max_share allows more."
            ),
        }
    }
}
