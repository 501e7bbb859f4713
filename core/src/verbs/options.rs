//! The options of the verbs, as the command line and JSON give them.

use serde::Deserialize;

use crate::description::{nearest, time};
use crate::model::{Cluster, Wait, WorkerId};
use crate::simulation::{Flush, Order, Schedule, Stop};

/// An option that cannot be taken: what was given and what can be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(pub(super) String);

/// How a roll is simulated.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulateOptions {
    /// `listed`, `leader-last`, `leader-first`, `leader-next`, `leader-after-N`, or names with commas between.
    pub order: String,
    /// `back`, `settled`, or a time.
    pub wait: String,
    /// How many workers may be away at once, at least 1.
    pub at_once: usize,
    /// `graceful` or `kill`.
    pub stop: String,
    /// `never`, `at-end`, or `after-N`: when the leader is restarted once more to end a delay.
    pub leader_again: String,
    /// The number that repeats it.
    pub seed: u64,
    /// How many runs are drawn; the course shown is the median one's. One by default.
    pub runs: u32,
}

/// How a plan is searched.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanOptions {
    /// The number that repeats it.
    pub seed: u64,
    /// How many runs of each finalist are drawn; by default what the size of the cluster allows.
    pub runs: Option<u32>,
}

/// How a replay is run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReplayOptions {
    /// The number that repeats what the file leaves to chance.
    pub seed: u64,
}

impl SimulateOptions {
    /// What the options mean for a cluster.
    ///
    /// # Errors
    /// If an order names a worker that does not exist, or a word is none of those known.
    pub fn schedule(&self, cluster: &Cluster) -> Result<Schedule, OptionError> {
        if self.at_once == 0 {
            return Err(OptionError("at-once is 0, but at least 1 worker must be away for a restart".into()));
        }
        let stop = match self.stop.as_str() {
            "graceful" => Stop::Graceful,
            "kill" => Stop::Kill,
            other => return Err(OptionError(format!("stop `{other}` is neither graceful nor kill"))),
        };
        Ok(Schedule {
            order: order(&self.order, cluster)?,
            wait: wait(&self.wait)?,
            at_once: self.at_once,
            stop,
            flush: again(&self.leader_again)?,
            during_delay: true,
        })
    }

    pub(super) fn runs(&self) -> Result<u32, OptionError> {
        some_runs(self.runs)
    }
}

impl Default for SimulateOptions {
    fn default() -> Self {
        Self {
            order: "listed".into(),
            wait: "back".into(),
            at_once: 1,
            stop: "graceful".into(),
            leader_again: "never".into(),
            seed: DEFAULT_SEED,
            runs: 1,
        }
    }
}

impl PlanOptions {
    pub(super) fn runs(&self) -> Result<Option<u32>, OptionError> {
        self.runs.map(some_runs).transpose()
    }
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self { seed: DEFAULT_SEED, runs: None }
    }
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { seed: DEFAULT_SEED }
    }
}

/// The seed where none is given: any would do, but it must be one.
pub const DEFAULT_SEED: u64 = 7;

fn some_runs(runs: u32) -> Result<u32, OptionError> {
    if runs == 0 { Err(OptionError("runs is 0, but at least 1 run must be drawn".into())) } else { Ok(runs) }
}

fn order(text: &str, cluster: &Cluster) -> Result<Order, OptionError> {
    Ok(match text {
        "leader-last" => Order::LeaderLast,
        "leader-first" => Order::LeaderFirst,
        "leader-next" => Order::PresentLeader,
        after if after.strip_prefix("leader-after-").is_some_and(|number| number.parse::<usize>().is_ok()) => {
            Order::LeaderAfter(after["leader-after-".len()..].parse().unwrap_or(usize::MAX))
        }
        "listed" => Order::Listed(ids(cluster).map(|(id, _)| id).collect()),
        names => Order::Listed(listed(names, cluster)?),
    })
}

fn listed(names: &str, cluster: &Cluster) -> Result<Vec<WorkerId>, OptionError> {
    let mut order = Vec::new();
    for name in names.split(',').map(str::trim) {
        let Some((id, _)) = ids(cluster).find(|(_, known)| *known == name) else {
            return Err(OptionError(unknown(name, cluster)));
        };
        if order.contains(&id) {
            return Err(OptionError(format!("the order names `{name}` twice; a worker is restarted once")));
        }
        order.push(id);
    }
    Ok(order)
}

fn unknown(name: &str, cluster: &Cluster) -> String {
    let names = || ids(cluster).map(|(_, name)| name);
    let known: Vec<&str> = ORDERS.into_iter().chain(names()).collect();
    let hint = match nearest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("an order is {}, or names with commas between", ORDERS.join(", ")),
    };
    format!("the order names `{name}`, but no worker is called so; {hint}")
}

fn wait(text: &str) -> Result<Wait, OptionError> {
    match text {
        "back" => Ok(Wait::Back),
        "settled" => Ok(Wait::Settled),
        other => time(other)
            .map(Wait::Fixed)
            .map_err(|()| OptionError(format!("wait `{other}` is neither back nor settled nor a time such as 30s"))),
    }
}

fn again(text: &str) -> Result<Flush, OptionError> {
    let followers = text.strip_prefix("after-").and_then(|number| number.parse::<usize>().ok());
    match text {
        "never" => Ok(Flush::Never),
        "at-end" => Ok(Flush::AtEnd),
        _ => followers
            .filter(|&followers| followers > 0)
            .map(Flush::AfterFollowers)
            .ok_or_else(|| OptionError(format!("leader-again `{text}` is neither never nor at-end nor after-1"))),
    }
}

fn ids(cluster: &Cluster) -> impl Iterator<Item = (WorkerId, &str)> {
    (0..).map(WorkerId).zip(cluster.workers.iter().map(|worker| worker.name.as_str()))
}

/// Orders that are no names.
const ORDERS: [&str; 5] = ["listed", "leader-last", "leader-first", "leader-next", "leader-after-1"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::cluster;
    use crate::units::Duration;

    fn scheduled(order: &str, wait: &str) -> Result<Schedule, String> {
        let cluster = cluster(3, &[("alpha", 6)], Duration::ZERO, Duration::ZERO);
        let options = SimulateOptions { order: order.into(), wait: wait.into(), ..SimulateOptions::default() };
        options.schedule(&cluster).map_err(|error| error.to_string())
    }

    #[test]
    fn an_order_is_a_word_or_names() {
        let order = |text| scheduled(text, "back").map(|schedule| schedule.order);
        let ids = |ids: &[u32]| Ok(Order::Listed(ids.iter().copied().map(WorkerId).collect()));
        assert_eq!(order("listed"), ids(&[0, 1, 2]));
        assert_eq!(order("w3, w1"), ids(&[2, 0]));
        assert_eq!(order("leader-next"), Ok(Order::PresentLeader));
        assert_eq!(order("w1,w1"), Err("the order names `w1` twice; a worker is restarted once".into()));
        let unknown = order("leader-lst").unwrap_err();
        assert!(unknown.ends_with("did you mean `leader-last`?"), "{unknown}");
        assert!(order("").is_err() && order("w1,").is_err());
    }

    #[test]
    fn a_wait_is_a_word_or_a_time() {
        let wait = |text| scheduled("listed", text).map(|schedule| schedule.wait);
        assert_eq!(wait("settled"), Ok(Wait::Settled));
        assert_eq!(wait("1min 30s"), Ok(Wait::Fixed(Duration::from_secs(90))));
        assert!(wait("30").unwrap_err().contains("`30`") && wait("-3s").is_err());
    }

    #[test]
    fn options_in_json_have_defaults_and_no_unknown_keys() {
        let read = serde_json::from_str::<SimulateOptions>;
        assert_eq!(read("{}").unwrap(), SimulateOptions::default());
        assert!(read(r#"{"oder": "listed"}"#).unwrap_err().to_string().contains("`oder`"));
    }
}
