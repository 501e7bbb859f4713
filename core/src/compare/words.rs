//! The mechanisms as sentences.

use std::fmt;

use super::Mechanism;

/// A mechanism between two variants that have names.
struct Told<'m> {
    mechanism: &'m Mechanism,
    one: &'m str,
    other: &'m str,
}

impl Mechanism {
    /// The mechanism in one or two sentences; the names are those of the two variants.
    pub fn words(&self, one: &str, other: &str) -> String {
        Told { mechanism: self, one, other }.to_string()
    }

    /// Whether it is the same mechanism, whatever the numbers.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// Each is a sentence.
impl fmt::Display for Told<'_> {
    #[expect(clippy::too_many_lines, reason = "a sentence for each mechanism, side by side")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mechanism {
            Mechanism::ZeroDelay { other, other_moves, moves } => {
                write!(
                    f,
                    "With a delay of 0 what a stopped worker leaves is handed to the others in the next round; with \
                     {other} it waits until that time is over or the leader leaves."
                )?;
                if moves > other_moves {
                    write!(
                        f,
                        " The price: it goes to another worker and back again ({other_moves:.0} → {moves:.0} moves), \
                         and no worker that is away for a moment keeps its tasks."
                    )?;
                }
                Ok(())
            }
            Mechanism::ZeroDelayBug => f.write_str(
                "With a delay of 0 these versions lose sight of a lost worker's tasks until some other rebalance \
                 (KAFKA-15693, fixed in 3.5.2, 3.6.1 and 3.7.0).",
            ),
            Mechanism::BroughtIn { before, after } => write!(
                f,
                "The roll itself changes the delay from {before} to {after}: the leader's counts, so {after} holds \
                 from the moment a restarted worker leads."
            ),
            Mechanism::DelayBelowRestart { delay, away } => write!(
                f,
                "A delay of {delay} is over before a worker is back, which takes {away}: the others get its tasks, \
                 and these move a second time when it has returned."
            ),
            Mechanism::DelaySatOut { from, to, away } => write!(
                f,
                "A follower's tasks wait until the delay is over ({from} → {to}), also when their worker is back \
                 after {away}."
            ),
            Mechanism::DelayEndedEarly { from, to } => {
                let runs = if from == to { from.to_string() } else { format!("{from} → {to}") };
                write!(
                    f,
                    "The roll ends each delay by restarting the leader, in whose memory it lives, so its length hardly \
                     counts: in the expected course a delay runs for {runs}."
                )
            }
            Mechanism::Settled { delay, second } => {
                let (waits, other) = if *second { (self.other, self.one) } else { (self.one, self.other) };
                if delay.is_zero() {
                    return write!(f, "{waits} waits for the last move before the next restart; no delay runs.");
                }
                write!(
                    f,
                    "{waits} waits until all is settled before the next restart, so a delay of {delay} that runs \
                     is sat out each time, but one worker's tasks at most wait at once; in {other} the next \
                     restart falls into it."
                )
            }
            Mechanism::Pause { pause, second } => write!(
                f,
                "{} pauses for {pause} after each return, so that the balancing round is over before the next stop.",
                if *second { self.other } else { self.one }
            ),
            Mechanism::Eager { second } => {
                let which = if *second { self.other } else { self.one };
                write!(
                    f,
                    "{which} runs eager: every change of members stops all tasks and starts them again, no delay \
                     runs. The other stops only what moves."
                )
            }
            Mechanism::Sessioned => f.write_str(
                "compatible and sessioned rebalance alike; they differ in how workers sign their requests (KIP-507).",
            ),
            Mechanism::Version { what } => f.write_str(what),
            Mechanism::SameRules => f.write_str("Between these versions nothing changed that is modelled of a roll."),
            Mechanism::Restart { from, to } => write!(
                f,
                "A worker is back {to} after its stop instead of {from}: each step is {}, and so is what waits for the \
                 end of one.",
                if to < from { "shorter" } else { "longer" }
            ),
            Mechanism::Grace => f.write_str(
                "A stop that takes longer than restart.grace ends as a kill: the worker does not leave, and the group \
                 waits for its session to run out.",
            ),
            Mechanism::TaskTimes => {
                f.write_str("Tasks take another time to start or stop, which each of their moves and returns pays.")
            }
            Mechanism::AtOnce { from, to } => write!(
                f,
                "{to} instead of {from} workers go at once: {} steps and rebalances, {} tasks unassigned together.",
                if to > from { "fewer" } else { "more" },
                if to > from { "more" } else { "fewer" }
            ),
            Mechanism::DuringDelay { second: true } => {
                f.write_str("The next restart may begin while a delay runs, and share it or end it.")
            }
            Mechanism::DuringDelay { second: false } => {
                f.write_str("No restart may begin while a delay runs, so that each is sat out.")
            }
            Mechanism::LeaderAgain { second: true } => {
                f.write_str("The leader may be restarted once more, which ends a follower's delay at once.")
            }
            Mechanism::LeaderAgain { second: false } => {
                f.write_str("The leader may not be restarted once more, so that a follower's delay runs on.")
            }
            Mechanism::Limited { limit } => {
                write!(
                    f,
                    "{} allows another amount: it decides which rolls may be chosen, not what they cost.",
                    limit.key()
                )
            }
            Mechanism::Workers { from, to } => write!(
                f,
                "With {to} instead of {from} workers each holds {} of the tasks, and there are {} to restart.",
                if to > from { "less" } else { "more" },
                if to > from { "more" } else { "fewer" }
            ),
            Mechanism::Tasks { from, to } => write!(f, "There are {to} tasks instead of {from}."),
            Mechanism::Heartbeat { from, to } => write!(
                f,
                "Members hear of a rebalance at their next heartbeat, every {to} instead of {from}: each round takes \
                 {} time.",
                if to < from { "less" } else { "more" }
            ),
            Mechanism::Session => f.write_str(
                "session.timeout.ms counts only where a worker vanishes: one that is stopped leaves the group.",
            ),
            Mechanism::RebalanceTimeout => {
                f.write_str("rebalance.timeout.ms counts only where a member does not come to a round in time.")
            }
            Mechanism::GracefulTimeout => {
                f.write_str("task.shutdown.graceful.timeout.ms counts only where tasks stop more slowly than that.")
            }
            Mechanism::ExactlyOnce => f.write_str(
                "Sources that deliver exactly once ask the leader at each start (KIP-618): they end FAILED if it goes \
                 while they start.",
            ),
            Mechanism::Broker => f.write_str(
                "The brokers' coordinator decides the order of the members, and how long an empty group waits for more.",
            ),
        }
    }
}
