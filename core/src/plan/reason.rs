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
    /// Whoever leads goes next while its successor is to do; else a follower.
    Succession,
    /// The leader goes together with a follower.
    WithLeader,
    /// An order by names, the best of those that were tried.
    Written {
        /// Whether that was every order.
        all: bool,
    },
    /// The roll brings in a delay of 0.
    BringsZeroDelay {
        /// The delay of before.
        delay: Duration,
    },
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
    /// All is waited for before the next, which takes seconds.
    SettledSoon,
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

/// What a search has found.
pub(super) struct Found<'a> {
    pub(super) chosen: &'a Candidate,
    pub(super) expected: &'a Timeline,
    pub(super) refused: &'a [Candidate],
    pub(super) careful: Option<&'a Candidate>,
}

pub(super) fn reasons(cluster: &Cluster, policy: &Policy, found: &Found<'_>, all_orders: bool) -> Vec<Reason> {
    let Found { chosen, expected, refused, careful } = *found;
    let mut reasons = Vec::new();
    if cluster.workers.len() == 1 {
        return vec![Reason::Alone];
    }
    let delay = cluster.workers.iter().map(|worker| worker.before.settings.delay).max().unwrap_or_default();
    let eager = cluster.workers.iter().all(|worker| worker.before.settings.protocol == ConnectProtocol::Eager);
    let zero = cluster.workers.iter().all(|worker| worker.before.settings.delay.is_zero());
    let brings_zero = cluster.workers.iter().all(|worker| worker.after.settings.delay.is_zero());
    let flush = chosen.schedule.flush;
    if eager {
        reasons.push(Reason::Eager);
    } else if zero {
        let lost = cluster.workers.iter().any(|worker| !worker.before.rules.zero_delay_reassigns);
        reasons.push(if lost { Reason::ZeroDelayBug } else { Reason::ZeroDelay });
    } else {
        if brings_zero {
            reasons.push(Reason::BringsZeroDelay { delay });
        }
        match chosen.schedule.order {
            Order::Succession => reasons.push(Reason::Succession),
            Order::WithLeader => reasons.push(Reason::WithLeader),
            Order::Turns(_) => reasons.push(Reason::Written { all: all_orders }),
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
    let longest = Duration::from_secs_f64(chosen.distribution.of(Figure::Longest).median);
    let sits_out = follower && longest * 2 > delay;
    match chosen.schedule.wait {
        _ if !policy.during_delay && !eager && !zero => reasons.push(Reason::NotDuringDelay),
        Wait::Settled if brings_zero && !eager => reasons.push(Reason::SettledSoon),
        Wait::Back if !eager && !zero => reasons.push(Reason::Back),
        Wait::Fixed(pause) => reasons.push(Reason::Pause { pause }),
        Wait::Settled if !eager && !zero && sits_out => reasons.push(Reason::Settled { delay }),
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
            Self::Succession => f.write_str(SUCCESSION),
            Self::WithLeader => f.write_str(
                "A follower goes together with the leader: both have left before the new leader's first round, which \
                 knows of no loss and starts no delay.",
            ),
            Self::Written { all } => {
                let of = if *all { "all orders by names" } else { "the orders by names that were tried" };
                write!(
                    f,
                    "What is known of each worker, and of who succeeds whom, decides: of {of} this one loses least."
                )
            }
            Self::BringsZeroDelay { delay } => write!(
                f,
                "The roll brings in a delay of 0: it counts from the moment a restarted worker leads; until then a \
                 follower's tasks wait for the old one ({delay})."
            ),
            Self::SettledSoon => f.write_str(
                "Each next restart waits until all is settled: without a delay that takes seconds, and no worker is \
                 stopped while tasks of another are still on their way.",
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

const SUCCESSION: &str = "Whoever leads goes next while it and its successor are still to do: the delay lives in the leader's \
                 memory, so its successor hands out everything without an owner at once. Where the successor is \
                 done already, a follower goes first that will not succeed the leader: the leader's next restart \
                 then ends its delay and hands over to a worker still to do.";
