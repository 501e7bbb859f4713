//! The rolls worth trying.

use crate::assessment::hand_over;
use crate::model::{Cluster, ConnectProtocol, Policy, Wait, WorkerId};
use crate::simulation::{Flush, Order, Schedule};

/// What carries out a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Executor {
    /// Something that can restart any workers at each step, one of them twice if need be, and
    /// can choose the next when the one before is back.
    #[default]
    Steps,
    /// A play with `serial: 1`: one worker a step, each once, in an order that stands when it
    /// begins; the leader may be restarted once more as a last step.
    Serial,
}

/// Every roll that the policy and the executor leave open and that differs in who stands where and
/// in the wait; those that are usually the best come first.
pub fn candidates(cluster: &Cluster, policy: &Policy, executor: Executor) -> Vec<Schedule> {
    let mut schedules = Vec::new();
    for order in orders(cluster, policy, executor) {
        for wait in waits(cluster, policy) {
            for flush in flushes(cluster, policy, executor, wait) {
                for at_once in sizes(cluster, policy, executor, &order) {
                    schedules.push(Schedule {
                        at_once,
                        flush,
                        during_delay: policy.during_delay,
                        ..Schedule::new(order.clone(), wait)
                    });
                }
            }
        }
    }
    schedules
}

/// What people do without a plan, as far as the policy allows it: by name, leader first or last,
/// each when the one before is back or when all is settled.
pub fn fixed_policies(cluster: &Cluster, policy: &Policy) -> Vec<Schedule> {
    let mut schedules = Vec::new();
    let mut orders = vec![listed(cluster)];
    if cluster.workers.len() > 1 && !is_eager(cluster) {
        orders.extend([Order::LeaderLast, Order::LeaderFirst, Order::PresentLeader]);
    }
    for order in orders {
        for wait in [Wait::Back, Wait::Settled] {
            if policy.wait.is_none_or(|asked| asked == wait) {
                schedules.push(Schedule { during_delay: policy.during_delay, ..Schedule::new(order.clone(), wait) });
            }
        }
    }
    schedules
}

/// What matters is where the leader and its successors stand.
fn orders(cluster: &Cluster, policy: &Policy, executor: Executor) -> Vec<Order> {
    let workers = cluster.workers.len();
    if is_eager(cluster) || workers < 2 {
        return vec![listed(cluster)];
    }
    let mut orders = Vec::new();
    match executor {
        Executor::Steps => {
            if policy.at_once > 1 && workers > 2 && !is_fenced(cluster) {
                orders.push(Order::WithLeader);
            }
            orders.extend([Order::Succession, Order::PresentLeader, Order::LeaderLast]);
            if workers <= MANY {
                // Each roll takes its time: what has never been best is left out.
                orders.push(Order::LeaderFirst);
                orders.extend((workers > 3).then_some(Order::LeaderAfter(workers / 2)));
                orders.extend((workers > 2).then_some(Order::LeaderAfter(1)));
            }
        }
        Executor::Serial => {
            orders.extend([Order::LeaderAfter(workers - 1), Order::LeaderFirst]);
            orders.extend((workers > 3).then_some(Order::LeaderAfter(workers / 2)));
            orders.extend((workers > 2).then_some(Order::LeaderAfter(workers - 2)));
            orders.extend((workers > 4 && workers <= MANY).then_some(Order::LeaderAfter(1)));
        }
    }
    orders.push(listed(cluster));
    orders
}

fn waits(cluster: &Cluster, policy: &Policy) -> Vec<Wait> {
    match policy.wait {
        Some(wait) => vec![wait],
        // There is no next one to wait for.
        None if cluster.workers.len() < 2 => vec![Wait::Back],
        // A hand-over later the balancing round of the restart before is over.
        None => vec![Wait::Back, Wait::Fixed(hand_over(cluster)), Wait::Settled],
    }
}

fn flushes(cluster: &Cluster, policy: &Policy, executor: Executor, wait: Wait) -> Vec<Flush> {
    // Under eager there is no delay to end, and once all is settled none runs.
    let pointless = cluster.workers.len() < 2 || is_eager(cluster) || wait == Wait::Settled;
    if !policy.leader_again || !policy.during_delay || pointless {
        return vec![Flush::Never];
    }
    let mut flushes = vec![Flush::AtEnd, Flush::Never];
    if executor == Executor::Steps {
        flushes.insert(0, Flush::AfterFollowers(1));
        if cluster.workers.len() > 3 && cluster.workers.len() <= MANY {
            flushes.insert(1, Flush::AfterFollowers(2));
        }
    }
    flushes
}

/// Of each order, with waits for all to settle and without, the first: usually the best of its kind.
pub(super) fn one_of_each_kind(schedules: Vec<Schedule>) -> Vec<Schedule> {
    let mut kinds = Vec::new();
    let mut kept = schedules;
    kept.retain(|schedule| {
        let kind = (std::mem::discriminant(&schedule.order), schedule.wait == Wait::Settled);
        let new = !kinds.contains(&kind);
        if new {
            kinds.push(kind);
        }
        new
    });
    kept
}

fn sizes(cluster: &Cluster, policy: &Policy, executor: Executor, order: &Order) -> Vec<usize> {
    // By name the leader may be among those that go together.
    let risky = matches!(order, Order::Listed(_)) && is_fenced(cluster);
    let several = policy.at_once > 1 && executor == Executor::Steps && *order != Order::WithLeader && !risky;
    if several { vec![1, policy.at_once] } else { vec![1] }
}

/// The workers as the description lists them: where the order does not matter, or nobody asks.
fn listed(cluster: &Cluster) -> Order {
    let mut workers: Vec<WorkerId> = (0..).map(WorkerId).take(cluster.workers.len()).collect();
    workers.sort_by_key(|worker| !cluster.workers[worker.index()].unready);
    Order::Listed(workers)
}

/// Whether there are exactly-once sources: their tasks end FAILED if the leader goes while they start.
fn is_fenced(cluster: &Cluster) -> bool {
    cluster.connectors.iter().any(|connector| connector.exactly_once)
}

/// Whether the group runs the eager protocol until the last worker is restarted.
pub(super) fn is_eager(cluster: &Cluster) -> bool {
    cluster.workers.iter().all(|worker| worker.before.settings.protocol == ConnectProtocol::Eager)
}

/// So many workers make a roll dear.
const MANY: usize = 150;
