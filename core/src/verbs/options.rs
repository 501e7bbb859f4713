//! The options of the verbs, as the command line and JSON give them.

use serde::Deserialize;

use crate::description::{nearest, time};
use crate::model::{Cluster, Wait, WorkerId};
use crate::plan::Executor;
use crate::simulation::{Flush, Order, Schedule, Stop, Turn};

/// An option that cannot be taken: what was given and what can be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionError(pub(super) String);

/// How a roll is simulated.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulateOptions {
    /// `listed`, `leader-last`, `leader-first`, `leader-next`, `succession`, `with-leader`,
    /// `leader-after-N`, or steps with commas between: names, joined by `+` if they go together,
    /// and `leader` for whoever leads then.
    pub order: String,
    /// `back`, `settled`, or a time; with an order by names one for each step but the first, with
    /// commas between.
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
    /// What carries the plan out: `steps` or `serial`.
    pub executor: ExecutorOption,
    /// The number that repeats it.
    pub seed: u64,
    /// How many runs of each finalist are drawn; by default what the size of the cluster allows.
    pub runs: Option<u32>,
}

/// What carries a plan out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExecutorOption {
    /// Any workers at each step, one of them twice if need be.
    #[default]
    Steps,
    /// A play with `serial: 1`.
    Serial,
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
        let waits: Vec<Wait> = self.wait.split(',').map(|text| wait(text.trim())).collect::<Result<_, _>>()?;
        let mut order = order(&self.order, cluster)?;
        if let [_, _, ..] = waits.as_slice() {
            order = Order::Turns(with_waits(order, &waits)?);
        }
        if matches!(order, Order::Turns(_) | Order::WithLeader) && self.at_once > 1 {
            return Err(OptionError(
                "at-once goes with an order of single workers; who goes together is written w1+w2 here".into(),
            ));
        }
        Ok(Schedule {
            at_once: self.at_once,
            stop,
            flush: again(&self.leader_again)?,
            ..Schedule::new(order, waits.first().copied().unwrap_or(Wait::Back))
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
    pub(super) fn executor(&self) -> Executor {
        match self.executor {
            ExecutorOption::Steps => Executor::Steps,
            ExecutorOption::Serial => Executor::Serial,
        }
    }

    pub(super) fn runs(&self) -> Result<Option<u32>, OptionError> {
        self.runs.map(some_runs).transpose()
    }
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self { executor: ExecutorOption::Steps, seed: DEFAULT_SEED, runs: None }
    }
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { seed: DEFAULT_SEED }
    }
}

/// The seed where none is given: any would do, but it must be one.
pub const DEFAULT_SEED: u64 = 7;

pub(super) fn some_runs(runs: u32) -> Result<u32, OptionError> {
    if runs == 0 { Err(OptionError("runs is 0, but at least 1 run must be drawn".into())) } else { Ok(runs) }
}

fn order(text: &str, cluster: &Cluster) -> Result<Order, OptionError> {
    Ok(match text {
        "leader-last" => Order::LeaderLast,
        "leader-first" => Order::LeaderFirst,
        "leader-next" => Order::PresentLeader,
        "succession" => Order::Succession,
        "with-leader" => Order::WithLeader,
        after if after.strip_prefix("leader-after-").is_some_and(|number| number.parse::<usize>().is_ok()) => {
            Order::LeaderAfter(after["leader-after-".len()..].parse().unwrap_or(usize::MAX))
        }
        "listed" => Order::Listed(ids(cluster).map(|(id, _)| id).collect()),
        names => listed(names, cluster)?,
    })
}

/// Steps with commas between; who goes together in one step is joined by `+`, and `leader` is
/// whoever leads then.
fn listed(names: &str, cluster: &Cluster) -> Result<Order, OptionError> {
    let mut turns: Vec<Turn> = Vec::new();
    for step in names.split(',') {
        let mut turn = Turn::default();
        for name in step.split('+').map(str::trim) {
            let known = ids(cluster).find(|(_, known)| *known == name);
            let Some((id, _)) = known else {
                if name == LEADER && !turn.leader {
                    turn.leader = true;
                    continue;
                }
                return Err(OptionError(unknown(name, cluster)));
            };
            if turns.iter().chain([&turn]).any(|other| other.workers.contains(&id)) {
                return Err(OptionError(format!(
                    "the order names `{name}` twice; only `leader`, whoever leads then, may go once more"
                )));
            }
            turn.workers.push(id);
        }
        turns.push(turn);
    }
    let single = turns.iter().all(|turn| !turn.leader && turn.workers.len() == 1);
    Ok(if single {
        Order::Listed(turns.into_iter().flat_map(|turn| turn.workers).collect())
    } else {
        Order::Turns(turns)
    })
}

/// Gives each step but the first its own wait.
fn with_waits(order: Order, waits: &[Wait]) -> Result<Vec<Turn>, OptionError> {
    let mut turns = match order {
        Order::Turns(turns) => turns,
        Order::Listed(workers) => workers.into_iter().map(|worker| Turn::of(worker, None)).collect(),
        _ => {
            return Err(OptionError(
                "several waits need an order by names, one wait for each step but the first".into(),
            ));
        }
    };
    if turns.len() != waits.len() + 1 {
        let (steps, given) = (turns.len(), waits.len());
        return Err(OptionError(format!(
            "the order has {steps} steps, so {} waits stand between them, not {given}",
            steps.saturating_sub(1)
        )));
    }
    for (turn, &wait) in turns.iter_mut().skip(1).zip(waits) {
        turn.wait = Some(wait);
    }
    Ok(turns)
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
            .ok_or_else(|| OptionError(format!("wait `{other}` is neither back nor settled nor a time such as 30s"))),
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
const ORDERS: [&str; 7] =
    ["listed", "leader-last", "leader-first", "leader-next", "succession", "with-leader", "leader-after-1"];

/// Whoever leads at that moment, among names.
const LEADER: &str = "leader";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Topic;
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
        assert_eq!(
            order("w1,w1"),
            Err("the order names `w1` twice; only `leader`, whoever leads then, may go once more".into())
        );
        let unknown = order("leader-lst").unwrap_err();
        assert!(unknown.ends_with("did you mean `leader-last`?"), "{unknown}");
        assert!(order("").is_err() && order("w1,").is_err());
    }

    #[test]
    fn steps_are_written_with_plus_and_leader_and_own_waits() {
        let order = |order, wait| scheduled(order, wait).map(|schedule| schedule.order);
        let turn = |workers: &[u32], leader, wait| Turn {
            workers: workers.iter().copied().map(WorkerId).collect(),
            leader,
            wait,
        };
        let together = Order::Turns(vec![turn(&[0], true, None), turn(&[1], false, None), turn(&[], true, None)]);
        assert_eq!(order("w1+leader,w2,leader", "back"), Ok(together));
        let waits =
            [turn(&[2], false, None), turn(&[0], false, Some(Wait::Settled)), turn(&[1], false, Some(Wait::Back))];
        assert_eq!(order("w3,w1,w2", "settled,back"), Ok(Order::Turns(waits.to_vec())));
        assert!(order("w3,w1,w2", "settled,back,back").unwrap_err().contains("2 waits"));
        assert!(order("leader-last", "settled,back").unwrap_err().contains("names"));
    }

    #[test]
    fn every_order_and_executor_can_be_asked_for_by_name() {
        for name in ORDERS.into_iter().chain(["steps", "serial", "graceful", "kill"]) {
            assert!(matches!(Topic::find(name), Some(Topic::Term(_))), "{name}");
        }
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
