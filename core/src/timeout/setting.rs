//! What Kafka's settings have to be for such a restart, and which limit binds.

use super::limit::{said, whole_seconds};
use super::measured::Kind;
use super::situation::Situation;
use super::times::Times;
use crate::units::Duration;

/// A setting or limit beside the restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Its name, as Kafka, the service manager or the policy has it.
    pub setting: &'static str,
    /// Its value now: the least and the most over the workers; `None` if nobody said it.
    pub now: Option<(Duration, Duration)>,
    /// What it must not be below.
    pub least: Option<Duration>,
    /// What it must not be above.
    pub most: Option<Duration>,
    /// What to set it to, if not to leave it.
    pub set_to: Option<Duration>,
    /// How it stands.
    pub verdict: Verdict,
    /// Why, in a sentence.
    pub why: String,
}

/// How a setting stands beside what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It may stay.
    Fits,
    /// It is too short.
    TooShort,
    /// It is longer than a restart needs, and that costs.
    TooLong,
    /// Something else leaves no room for it: this limit binds.
    Binds,
    /// Nobody said what it is, or what it needs.
    Unknown,
}

/// What becomes of `scheduled.rebalance.max.delay.ms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DelayAdvice {
    /// Every worker is to have this one.
    SetTo(Duration),
    /// It may stay as it is.
    Leave(Duration),
    /// Nothing is known on which to set it.
    NotKnown,
    /// Under `connect.protocol=eager` there is none.
    Unused,
    /// None both outlasts a restart and respects a limit.
    None {
        /// What it must outlast.
        least: Duration,
        /// What the limit leaves.
        most: Duration,
        /// The limit.
        limit: &'static str,
    },
}

impl DelayAdvice {
    /// What becomes of the delay for restarts that take such times.
    ///
    /// It has to outlast the time between `LeaveGroup` and the return; and a follower's tasks
    /// wait all of it, also where the worker is back long before (KIP-415,
    /// `IncrementalCooperativeAssignor`). So the right one is just above the restart, and no
    /// longer than what the policy allows a task to wait.
    pub fn of(times: &Times, situation: &Situation<'_>) -> Self {
        let (now_least, now_most) = situation.delay();
        if situation.is_eager() {
            return Self::Unused;
        }
        if !times.is_known() {
            return Self::NotKnown;
        }
        if now_most.is_zero() && situation.zero_delay_works() {
            return Self::Leave(Duration::ZERO);
        }
        let least = times.away.time;
        if let Some((limit, most)) = situation.least_wait(times).filter(|(_, most)| *most < least) {
            return Self::None { least, most: most.max(Duration::ZERO), limit };
        }
        let fits = now_least >= least && now_most <= least + (least / 4).max(Duration::from_secs(5));
        let allowed = situation.least_wait(times).is_none_or(|(_, most)| now_most <= most);
        if fits && allowed && now_least == now_most { Self::Leave(now_most) } else { Self::SetTo(least) }
    }

    /// The delay that would then be in force, if it is known.
    pub fn then(&self) -> Option<Duration> {
        match self {
            Self::SetTo(delay) | Self::Leave(delay) => Some(*delay),
            Self::Unused => Some(Duration::ZERO),
            Self::NotKnown | Self::None { .. } => None,
        }
    }
}

/// Each setting and limit that a restart of that kind touches, the delay first.
pub(super) fn demands(
    times: &Times,
    situation: &Situation<'_>,
    kind: Option<Kind>,
    advice: &DelayAdvice,
) -> Vec<Demand> {
    let mut demands = vec![
        delay(times, situation, advice),
        grace(times, situation),
        session(situation, kind),
        session_limit(situation),
        rebalance(situation),
    ];
    demands.extend(graceful(situation));
    demands.extend(waits(times, situation, advice));
    demands
}

fn delay(times: &Times, situation: &Situation<'_>, advice: &DelayAdvice) -> Demand {
    let now = situation.delay();
    let known = times.is_known() && *advice != DelayAdvice::Unused;
    let mut demand = Demand {
        setting: "scheduled.rebalance.max.delay.ms",
        now: Some(now),
        least: known.then_some(times.away.time),
        most: situation.least_wait(times).filter(|_| known).map(|(_, most)| most),
        set_to: None,
        verdict: Verdict::Fits,
        why: String::new(),
    };
    let waits = "a follower's tasks wait all of it, also when the worker is back before";
    let moves = "a slower restart gives its tasks away and takes them back: each moves twice";
    match advice {
        DelayAdvice::SetTo(delay) => {
            demand.set_to = Some(*delay);
            (demand.verdict, demand.why) = if now.0.is_zero() {
                (
                    Verdict::TooShort,
                    "with 0 these versions hand nothing out before some later round (KAFKA-15693)".into(),
                )
            } else if now.0 < *delay {
                (Verdict::TooShort, format!("{moves}; and {waits}"))
            } else {
                (Verdict::TooLong, format!("{waits}; just above the restart is enough"))
            };
        }
        DelayAdvice::Leave(delay) if delay.is_zero() => {
            (demand.least, demand.most) = (None, None);
            demand.why = "work moves at once and back again, however long the restart takes".into();
        }
        DelayAdvice::Leave(_) => demand.why = format!("just above the restart; {waits}"),
        DelayAdvice::NotKnown => {
            demand.verdict = Verdict::Unknown;
            demand.why = format!("set it just above a restart, once that is known: {waits}");
        }
        DelayAdvice::Unused => demand.why = "the eager protocol has no delay".into(),
        DelayAdvice::None { limit, .. } => {
            demand.verdict = Verdict::Binds;
            demand.why = format!(
                "no delay outlasts the restart and respects {limit}: quicker restarts do, or a longer limit; or a roll \
                 that ends the delay early, which `rollgate plan` looks for"
            );
        }
    }
    demand
}

/// The worker's own limit for a stop (`DistributedHerder.herderExecutorTimeoutMs`, 4.x), and
/// the stop as measured: a service manager that kills before turns a clean stop into a kill.
fn grace(times: &Times, situation: &Situation<'_>) -> Demand {
    let own = situation.own_stop_limit();
    let stop = times.stop.as_ref().filter(|stop| stop.is_known()).map(|stop| stop.time);
    let least = stop.map_or(own, |stop| stop.max(own));
    let now = situation.grace();
    let fits = now.is_some_and(|now| now.0 >= least);
    let measured = stop.map_or_else(String::new, |stop| format!(", and a stop here may take {}", said(stop)));
    Demand {
        setting: "grace period (service manager)",
        now,
        least: Some(least),
        most: None,
        set_to: (!fits).then(|| in_fives(least)),
        verdict: if fits {
            Verdict::Fits
        } else if now.is_some() {
            Verdict::TooShort
        } else {
            Verdict::Unknown
        },
        why: format!(
            "the worker itself stops waiting after {}{measured}; who kills before makes a kill of a clean stop \
             (Kubernetes' default is 30 s, systemd's 90 s)",
            said(own)
        ),
    }
}

fn session(situation: &Situation<'_>, kind: Option<Kind>) -> Demand {
    let now = situation.session();
    let least = situation.heartbeat() * 3;
    let fits = now.0 >= least;
    let why = if kind == Some(Kind::Kill) {
        "a killed worker is missed only after it, and the delay begins then; a longer one would make the group wait longer"
    } else {
        "a clean stop does not need it, and a longer one bridges no restart: Connect has no static membership (KIP-345)"
    };
    Demand {
        setting: "session.timeout.ms",
        now: Some(now),
        least: Some(least),
        most: None,
        set_to: (!fits).then_some(least),
        verdict: if fits { Verdict::Fits } else { Verdict::TooShort },
        why: format!("{why}; at least three heartbeats"),
    }
}

fn session_limit(situation: &Situation<'_>) -> Demand {
    Demand {
        setting: "group.max.session.timeout.ms",
        now: None,
        least: Some(situation.session().1),
        most: None,
        set_to: None,
        verdict: Verdict::Fits,
        why:
            "the brokers' limit to the one above (30 min unless set): as no restart asks for a longer session, it stays"
                .into(),
    }
}

/// A round waits this long for members that stop revoked tasks: eight at a time, each up to
/// `task.shutdown.graceful.timeout.ms` (`Worker`, `DistributedHerder`).
fn rebalance(situation: &Situation<'_>) -> Demand {
    let now = situation.rebalance();
    let least = situation.slowest_revocation();
    let fits = least.is_none_or(|least| now.0 >= least);
    Demand {
        setting: "rebalance.timeout.ms",
        now: Some(now),
        least,
        most: None,
        set_to: least.filter(|_| !fits).map(whole_seconds),
        verdict: match least {
            None => Verdict::Unknown,
            Some(_) if fits => Verdict::Fits,
            Some(_) => Verdict::TooShort,
        },
        why: "a starting worker is no member yet, so it is not waited for; members that stop their tasks are, eight \
              tasks at a time"
            .into(),
    }
}

fn graceful(situation: &Situation<'_>) -> Option<Demand> {
    let now = situation.graceful()?;
    let least = situation.slowest_task_stop()?;
    let fits = now.0 >= least;
    Some(Demand {
        setting: "task.shutdown.graceful.timeout.ms",
        now: Some(now),
        least: Some(least),
        most: None,
        set_to: (!fits).then(|| whole_seconds(least)),
        verdict: if fits { Verdict::Fits } else { Verdict::TooShort },
        why: "a task that stops longer is abandoned: one that hangs in poll() leaves undone what it has not committed"
            .into(),
    })
}

/// What limits how long a follower's tasks may wait.
fn waits(times: &Times, situation: &Situation<'_>, advice: &DelayAdvice) -> Vec<Demand> {
    let delay = advice.then().unwrap_or(situation.delay().1);
    let wait = situation.wait_with(times, delay);
    let binding = match advice {
        DelayAdvice::None { limit, .. } => Some(*limit),
        _ => None,
    };
    let demand = |(setting, allowed, why): (&'static str, Duration, String)| Demand {
        setting,
        now: Some((allowed, allowed)),
        least: Some(wait),
        most: None,
        set_to: None,
        verdict: if binding == Some(setting) {
            Verdict::Binds
        } else if allowed >= wait {
            Verdict::Fits
        } else {
            Verdict::TooShort
        },
        why,
    };
    situation.limits().into_iter().map(demand).collect()
}

/// Up to the next multiple of five seconds, as people set such things.
fn in_fives(time: Duration) -> Duration {
    let secs = whole_seconds(time).as_micros() / 1_000_000;
    Duration::from_secs((secs + 4) / 5 * 5)
}
