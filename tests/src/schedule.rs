//! A roll as a scenario writes it.

use rollgate_core::model::{Cluster, Wait, WorkerId};
use rollgate_core::simulation::{Aim, Flush, Order, Schedule, Stop, Timeline};
use rollgate_core::units::Duration;
use serde::Deserialize;

/// A schedule in a scenario's own words; what is left out is a plain roll, one worker after another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleWritten {
    order: OrderWritten,
    #[serde(default)]
    wait: WaitWritten,
    #[serde(default = "one")]
    at_once: usize,
    #[serde(default)]
    stop: StopWritten,
    #[serde(default)]
    flush: FlushWritten,
    #[serde(default = "yes")]
    during_delay: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum OrderWritten {
    Listed(Vec<String>),
    After { leader_after: usize },
    Rule(OrderRule),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OrderRule {
    LeaderLast,
    LeaderFirst,
    PresentLeader,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum WaitWritten {
    Rule(WaitRule),
    /// So long after the restarted worker is back.
    Pause {
        pause_ms: i64,
    },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WaitRule {
    Back,
    Settled,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StopWritten {
    #[default]
    Graceful,
    Kill,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum FlushWritten {
    Rule(FlushRule),
    After { after_followers: usize },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FlushRule {
    Never,
    AtEnd,
}

impl Default for WaitWritten {
    fn default() -> Self {
        Self::Rule(WaitRule::Back)
    }
}

impl Default for FlushWritten {
    fn default() -> Self {
        Self::Rule(FlushRule::Never)
    }
}

impl ScheduleWritten {
    /// The schedule for that cluster.
    ///
    /// # Panics
    /// If it names a worker that the cluster lacks.
    pub fn of(&self, cluster: &Cluster) -> Schedule {
        let worker = |name: &String| {
            let place = cluster.workers.iter().position(|worker| worker.name == *name);
            let place = place.unwrap_or_else(|| panic!("the schedule names `{name}`, and no worker is called so"));
            WorkerId(u32::try_from(place).expect("few workers"))
        };
        Schedule {
            order: match &self.order {
                OrderWritten::Listed(names) => Order::Listed(names.iter().map(worker).collect()),
                OrderWritten::After { leader_after } => Order::LeaderAfter(*leader_after),
                OrderWritten::Rule(OrderRule::LeaderLast) => Order::LeaderLast,
                OrderWritten::Rule(OrderRule::LeaderFirst) => Order::LeaderFirst,
                OrderWritten::Rule(OrderRule::PresentLeader) => Order::PresentLeader,
            },
            wait: match self.wait {
                WaitWritten::Rule(WaitRule::Back) => Wait::Back,
                WaitWritten::Rule(WaitRule::Settled) => Wait::Settled,
                WaitWritten::Pause { pause_ms } => Wait::Fixed(Duration::from_millis(pause_ms)),
            },
            at_once: self.at_once,
            stop: match self.stop {
                StopWritten::Graceful => Stop::Graceful,
                StopWritten::Kill => Stop::Kill,
            },
            flush: match self.flush {
                FlushWritten::Rule(FlushRule::Never) => Flush::Never,
                FlushWritten::Rule(FlushRule::AtEnd) => Flush::AtEnd,
                FlushWritten::After { after_followers } => Flush::AfterFollowers(after_followers),
            },
            during_delay: self.during_delay,
            aim: Aim::Any,
        }
    }
}

/// Who led when stopped, step by step: `L` a leader, `-` followers, `*` an extra restart.
pub fn course(timeline: &Timeline) -> String {
    let mark = |step: &rollgate_core::simulation::Step| match (step.leads, step.flush) {
        (true, true) => "L*",
        (true, false) => "L",
        (false, true) => "-*",
        (false, false) => "-",
    };
    timeline.steps.iter().map(mark).collect::<Vec<_>>().join(" ")
}

const fn one() -> usize {
    1
}

const fn yes() -> bool {
    true
}
