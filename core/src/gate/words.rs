//! Reasons as sentences: what was seen, what is allowed, what to do.

use std::fmt::{self, Write};

use super::reason::{Rated, Reason};
use super::work::{Name, Names, Work};
use crate::snapshot::{GroupState, NoAnswer};
use crate::units::{Duration, Records, Share, count};

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SnapshotMissing {} => f.write_str("nobody could look at the cluster: ask again when somebody can"),
            Self::SnapshotStale { age, took, allowed } => stale(f, *age, *took, *allowed),
            Self::SnapshotRepeated {} => f.write_str("this is the snapshot of before: a second look needs a new one"),
            Self::SnapshotVersion { seen, known } => write!(
                f,
                "the snapshot is of version {seen}, this program reads version {known}: take it with the same program"
            ),
            Self::ClusterUnknown { why } => write!(f, "which Kafka cluster this is cannot be seen: {why}"),
            Self::ClusterOther { seen, expected } => {
                write!(f, "this is the Kafka cluster {seen}, the roll began on {expected}: check the addresses")
            }
            Self::GroupUnknown { why } => {
                write!(f, "the group cannot be seen ({why}), and only it says who owns what")
            }
            Self::GroupOther { seen, expected } => {
                write!(f, "this is the group {seen}, the roll began with {expected}: check --group")
            }
            Self::GroupStateUnknown { state } => {
                write!(f, "the group is in the state {}, which this version does not know", Name(state))
            }
            Self::GroupNotStable { state: GroupState::Empty | GroupState::Dead } => {
                f.write_str("the group has no members: no worker is there to carry on")
            }
            Self::GroupNotStable { state } => write!(
                f,
                "the group is {state}: a balancing round is still under way, and stopping a worker within one is a \
                 gamble; wait until it is Stable"
            ),
            Self::MemberUnreadable { members, why } => {
                write!(f, "what {} says of itself cannot be read: {why}", Names(members))
            }
            Self::StatusesUnknown { why } => write!(f, "no worker tells the statuses: {why}"),
            Self::StatusesFromRestarted { worker } => write!(
                f,
                "the statuses were asked of {worker}, which is being restarted itself and may not have read the topics \
                 yet: ask another worker"
            ),
            Self::AnswerIncomplete { connectors, lacks } => write!(
                f,
                "the answer holds {} without {lacks}: ask for status and info, and wait if there is none yet",
                Names(connectors)
            ),
            Self::StateUnknown { work, states } => {
                write!(f, "{work} {} {}, a state which this version does not know", is(work), Names(states))
            }
            Self::Calm { held, window } => write!(f, "all is met, calm for {held} of {window}"),
            _ => self.of_the_group(f),
        }
    }
}

impl Reason {
    fn of_the_group(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WorkerMissing { workers, answering } => {
                write!(f, "{} {} in the group", Names(workers), if workers.len() == 1 { "is not" } else { "are not" })?;
                if answering.is_empty() {
                    f.write_str(": bring it back first, or say that the roll goes on without it")
                } else {
                    write!(
                        f,
                        ", though the REST port of {} answers: see its log for why it cannot join",
                        Names(answering)
                    )
                }
            }
            Self::WorkerTwice { workers } => write!(
                f,
                "{} {} in the group twice: the process of before is a member until its session ends, unless two \
                 processes advertise one address",
                Names(workers),
                are(workers)
            ),
            Self::AssignmentFailed { workers } => write!(
                f,
                "{} got no work, as not all members have read the config topic as far: another round follows",
                Names(workers)
            ),
            Self::OwnsNothing { workers } => write!(
                f,
                "{} {} nothing, where the plan counts on {} to carry on: wait for the next round",
                Names(workers),
                if workers.len() == 1 { "owns" } else { "own" },
                if workers.len() == 1 { "it" } else { "them" }
            ),
            Self::BetweenRounds { work } => write!(
                f,
                "{work} {} just been revoked, and the next round hands {} out: a balance is half done",
                has(work),
                it(work)
            ),
            Self::DelayRunning { left_at_most, exact, value, waiting, leader } => {
                delay(f, *left_at_most, *exact, *value, waiting, leader)
            }
            Self::NoOwner { work, delay_runs: true } => {
                write!(f, "{work} {} no owner: the end of the running delay hands {} out", has(work), it(work))
            }
            Self::NoOwner { work, delay_runs: false } => write!(
                f,
                "{work} {} no owner, and no delay runs: before 3.5.2 and 3.6.1 a delay of 0 loses work for good; the \
                 next member that joins or leaves has it handed out",
                has(work)
            ),
            Self::OwnedTwice { work, workers } => write!(
                f,
                "{work} {} owned twice, by {}: records are produced twice until a round takes one away; restart the \
                 worker whose copy is the older one if it lasts",
                is(work),
                Names(workers)
            ),
            Self::WorkerAway { workers, for_now, answering } => {
                write!(f, "{} {} not back in the group", Names(workers), are(workers))?;
                if !answering.is_empty() {
                    write!(f, "; the REST port of {} answers, which proves no membership", Names(answering))?;
                }
                write!(f, " ({for_now} since the stop)")
            }
            Self::StillMember { workers, for_now, port_closed } => still_member(f, workers, *for_now, port_closed),
            Self::NoRestPort { worker, how } => write!(
                f,
                "{worker} is a member, and its REST port {}: it owns work that nobody can look after; restart it",
                silence(*how)
            ),
            Self::BackFor { passed, asked } => write!(f, "back for {passed} of the {asked} that the step asks"),
            Self::LeaderUnexpected { workers, leader, expected } => {
                let plan = if *expected { "to lead" } else { "not to lead" };
                write!(
                    f,
                    "{leader} leads, and the plan counts on {} {plan}, which decides whether work waits for the delay: \
                     ask which worker is next",
                    Names(workers)
                )
            }
            Self::TooSoon { passed, needed } => write!(
                f,
                "{passed} since the last stop, and without access to Kafka nothing is sure before {needed}, the delay \
                 and the start of a task: until then statuses say RUNNING of work that nobody has"
            ),
            Self::DelayUnknown {} => f.write_str(
                "without access to Kafka and without scheduled.rebalance.max.delay.ms nothing tells whether work \
                 waits: give one of them",
            ),
            Self::RestartUnseen { workers } => write!(
                f,
                "nobody saw the REST port of {} closed, so whether it was restarted cannot be told: poll more often",
                Names(workers)
            ),
            _ => self.of_the_work(f),
        }
    }

    fn of_the_work(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRunning { work, states, overdue: false } => write!(f, "{work} {} {}", is(work), Names(states)),
            Self::NotRunning { work, states, overdue: true } => write!(
                f,
                "{work} {} still {} though {} an owner and nothing is going on: see its worker's log; before 3.6.0 the \
                 status may be a stale one (KAFKA-12525), which a restart of the task writes afresh",
                is(work),
                Names(states),
                if one(work) { "it has" } else { "they have" }
            ),
            Self::StateAsked { work, states } => write!(
                f,
                "{work} {} {}, as somebody asked for since the baseline: resume {}, or take a new baseline",
                is(work),
                Names(states),
                it(work)
            ),
            Self::NoStatus { work } => write!(f, "{work} {} no status yet: nobody has started {}", has(work), it(work)),
            Self::Disagreement { work, claimed, owners } => write!(
                f,
                "{work} {} claimed by another worker than the owner (status topic: {}; group: {}): the owner has not \
                 started {} yet",
                is(work),
                Names(claimed),
                Names(owners),
                it(work)
            ),
            Self::MayBeStale { work, left } => write!(
                f,
                "{work}: the status may be the one of its worker's last life; it counts in {left}, when a start is over"
            ),
            Self::SecondWave { connectors, left } => write!(
                f,
                "the instance of {} has just started and may yet write other task configurations, which stops all its \
                 tasks once more; it counts as quiet in {left}",
                Names(connectors)
            ),
            Self::Failed { work, quiet, exactly_once } => failed(f, work, *quiet, *exactly_once),
            Self::TooManyWaiting { tasks, allowed, work } => write!(
                f,
                "{} {} not running, the step allows {allowed}: {work}",
                count(*tasks, "task"),
                if *tasks == 1 { "is" } else { "are" }
            ),
            Self::ShareWaiting { tasks, of, allowed } => write!(
                f,
                "{tasks} of {} ({}) are not running, the limit is {}",
                count(*of, "task"),
                Share::of(*tasks, *of),
                Share(*allowed)
            ),
            Self::ExactlyOnceStarting { work } => write!(
                f,
                "{work} {} starting with exactly-once support, and the leader is to go: a start that finds no leader \
                 fails for good; wait until {} RUNNING",
                is(work),
                if one(work) { "it is" } else { "all are" }
            ),
            Self::NoTasks { connectors } => write!(
                f,
                "{} {} and has no tasks, which no sink with topics has: create it anew, or accept it",
                Names(connectors),
                if connectors.len() == 1 { "is RUNNING" } else { "are RUNNING" }
            ),
            Self::LeftOverStatus { work } => {
                write!(f, "{work}: a status of before; the connector no longer has {}", it(work))
            }
            Self::BrokenBefore { work } => {
                write!(f, "{work} {} FAILED before the roll: nobody waits for {}", was(work), it(work))
            }
            _ => self.of_sinks(f),
        }
    }

    fn of_sinks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SinkUnknown { connector, why } => {
                write!(f, "whether the sink {} has its partitions cannot be seen: {why}", Name(connector))
            }
            Self::SinkNotStable { connector, state } => {
                write!(f, "the consumer group of the sink {} is {state}", Name(connector))
            }
            Self::SinkUnread { connector, partitions, read, before } => {
                write!(f, "the sink {} reads {}", Name(connector), count(*read, "partition"))?;
                if read < before {
                    write!(f, ", before the roll it read {before}")?;
                }
                if !partitions.is_empty() {
                    write!(f, "; nobody reads {}", Names(partitions))?;
                }
                f.write_str(": its consumers take a rebalance of their own")
            }
            Self::SinkNotWatched { connectors } => {
                write!(f, "the partitions and the lag of {} are not watched", Names(connectors))
            }
            Self::LagUnknown { connector, why } => {
                write!(f, "how far the sink {} is behind cannot be seen: {why}", Name(connector))
            }
            Self::Lag { connector, records, allowed, furthest, furthest_records } => write!(
                f,
                "the sink {} is {} records behind, allowed are {}; furthest is {furthest} with {}",
                Name(connector),
                records_of(*records),
                records_of(*allowed),
                records_of(*furthest_records)
            ),
            Self::ForeseenMissing {} => {
                f.write_str("what stopping it now would do was not computed, and limits ask for it")
            }
            Self::ForeseenShare { tasks, of, allowed } => write!(
                f,
                "stopping it now leaves {tasks} of {} ({}) without an owner at once, the limit is {}",
                count(*of, "task"),
                Share::of(*tasks, *of),
                Share(*allowed)
            ),
            Self::ForeseenLongest { seen, allowed } => {
                write!(f, "stopping it now leaves a task without an owner for {seen}, the limit is {allowed}")
            }
            Self::ForeseenConnectors { connectors } => {
                write!(f, "stopping it now takes all tasks of {} at once", Names(connectors))
            }
            _ => self.of_limits(f),
        }
    }

    fn of_limits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DeadlinePassed { passed, allowed, .. } => {
                write!(
                    f,
                    "the step has taken {passed}, the deadline was {allowed}: look at what is not met, then begin again"
                )
            }
            Self::NotBackInTime { workers, passed, allowed, waiting_per_minute, without, .. } => {
                write!(
                    f,
                    "{} {} been away for {passed}, planned were at most {allowed}",
                    Names(workers),
                    have(workers)
                )?;
                if let (Some(wait), Some(without)) = (waiting_per_minute, without) {
                    let (wait, without) = (Records(*wait), Records(*without));
                    write!(f, "; each further minute costs {wait} task-seconds, going on without it {without}")?;
                }
                f.write_str(": see its log; bring it back, or go on without it")
            }
            Self::NotSettledInTime { passed, allowed, .. } => write!(
                f,
                "not whole again {passed} after the worker's return, planned were at most {allowed}: look at what is not \
                 met before anything else is stopped"
            ),
            Self::ClockJumped { by } => {
                let (by, way) = if *by < Duration::ZERO { (*by * -1, "back") } else { (*by, "ahead") };
                write!(f, "the wall clock went {way} by {by}")
            }
            Self::NotWatched { for_now: Some(passed), allowed } => {
                write!(f, "nobody looked for {passed}, longer than {allowed}: the calm window begins anew")
            }
            Self::NotWatched { for_now: None, .. } => {
                f.write_str("how long nobody looked cannot be told: the calm window begins anew")
            }
            _ => self.of_drift(f),
        }
    }

    fn of_drift(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeaderMoved { from, to, .. } => write!(f, "{to} leads, before the roll it was {from}")?,
            Self::WorkerAdded { workers, .. } => {
                write!(f, "{} {} in the group and not in the baseline", Names(workers), are(workers))?;
            }
            Self::ProtocolChanged { from, to, rated } => {
                write!(f, "the group went from the protocol {from} to {to}")?;
                if *rated == Rated::Stop {
                    f.write_str(", as one member knows no other: tasks may run twice, and no status shows it")?;
                }
            }
            Self::ConnectorAdded { connectors, .. } => {
                write!(f, "{} {} not in the baseline", Names(connectors), are(connectors))?;
            }
            Self::ConnectorGone { connectors, .. } => write!(
                f,
                "{} {} gone, by statuses and group alike: if nobody deleted {}, the config topic has lost {} (it must \
                 be compacted)",
                Names(connectors),
                are(connectors),
                if connectors.len() == 1 { "it" } else { "them" },
                if connectors.len() == 1 { "it" } else { "them" }
            )?,
            Self::TasksChanged { connector, from, to, .. } => {
                write!(f, "{} has {}, before the roll it had {from}", Name(connector), count(*to, "task"))?;
            }
            Self::ConfigEdited { connectors, .. } => {
                write!(f, "the configuration of {} was edited since the baseline", Names(connectors))?;
            }
            Self::ConfigTopicMoved { from, to, .. } => {
                write!(f, "the config topic was written to, from offset {from} to {to}, and no configuration differs")?;
            }
            // The others have their words above.
            other => f.write_str(other.kind())?,
        }
        f.write_str(match self.rated() {
            Some(Rated::PlanAgain) => ": plan again",
            Some(Rated::Stop) => ": stop and look",
            Some(Rated::Harmless) | None => "",
        })
    }
}

fn stale(f: &mut fmt::Formatter<'_>, age: Duration, took: Duration, allowed: Duration) -> fmt::Result {
    if took > allowed || took < Duration::ZERO {
        return write!(f, "the snapshot took {took}, longer than {allowed}: its parts are not of one moment");
    }
    if age < Duration::ZERO {
        return write!(f, "the snapshot is dated {} from now: set the clocks", age * -1);
    }
    write!(f, "the snapshot is {age} old, allowed are {allowed}: take a new one")
}

fn delay(
    f: &mut fmt::Formatter<'_>,
    left_at_most: Duration,
    exact: bool,
    value: Duration,
    waiting: &Work,
    leader: &str,
) -> fmt::Result {
    if left_at_most.is_zero() {
        write!(f, "a delay of {value} has run out, and the round that ends it is due")?;
    } else if exact {
        write!(f, "a delay runs for {left_at_most} more")?;
    } else {
        write!(f, "a delay runs for {left_at_most} more at most, as nobody saw it begin")?;
    }
    if waiting.is_empty() {
        return Ok(());
    }
    write!(f, "; until then nobody has {waiting}")?;
    if leader.is_empty() || left_at_most.is_zero() {
        return Ok(());
    }
    write!(
        f,
        "; restarting the leader, {leader}, would hand it out at once, as its successor knows of no delay, at the price \
         of a pause of {leader}'s own tasks"
    )
}

fn still_member(f: &mut fmt::Formatter<'_>, workers: &[String], passed: Duration, closed: &[String]) -> fmt::Result {
    write!(f, "{} {} still a member as before its stop ({passed} since)", Names(workers), are(workers))?;
    if closed.is_empty() {
        f.write_str(": it has not left the group; if it was killed, its session has to end first")
    } else {
        write!(
            f,
            "; the REST port of {} is closed: a shutdown under way, or one that hangs, which only kill -9 ends",
            Names(closed)
        )
    }
}

fn failed(f: &mut fmt::Formatter<'_>, work: &Work, quiet: bool, exactly_once: bool) -> fmt::Result {
    write!(f, "{work} {} FAILED since the baseline", has(work))?;
    if exactly_once {
        f.write_str(", as exactly-once sources do that start while the leader goes")?;
    }
    if !quiet {
        return f.write_str(": wait until the group is quiet, a restart before that hits starts under way");
    }
    let calls: Vec<String> = work.parts().map(|(connector, _)| restart_call(connector)).collect();
    write!(f, ": nothing restarts {} by itself; see why, then {}", it(work), Names(&calls))
}

/// The call that restarts what failed of a connector (KIP-745; 3.0 and later).
fn restart_call(connector: &str) -> String {
    let mut path = String::new();
    for byte in connector.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => path.push(char::from(byte)),
            _ => _ = write!(path, "%{byte:02X}"),
        }
    }
    format!("POST /connectors/{path}/restart?includeTasks=true&onlyFailed=true")
}

fn silence(how: Option<NoAnswer>) -> &'static str {
    match how {
        Some(NoAnswer::Refused) => "is closed",
        Some(NoAnswer::TimedOut) => "does not answer in time",
        Some(NoAnswer::Unreachable) => "cannot be reached",
        Some(NoAnswer::Forbidden) => "does not let us in",
        _ => "does not answer as a worker does",
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of records are far below 2^52")]
fn records_of(number: i64) -> Records {
    Records(number as f64)
}

fn one(work: &Work) -> bool {
    work.tasks() + work.connectors() == 1
}

fn is(work: &Work) -> &'static str {
    if one(work) { "is" } else { "are" }
}

fn was(work: &Work) -> &'static str {
    if one(work) { "was" } else { "were" }
}

fn has(work: &Work) -> &'static str {
    if one(work) { "has" } else { "have" }
}

fn it(work: &Work) -> &'static str {
    if one(work) { "it" } else { "them" }
}

fn are(names: &[String]) -> &'static str {
    if names.len() == 1 { "is" } else { "are" }
}

fn have(names: &[String]) -> &'static str {
    if names.len() == 1 { "has" } else { "have" }
}
