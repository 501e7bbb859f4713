//! The rolls worth trying.

use crate::assessment::hand_over;
use crate::model::{Cluster, ConnectProtocol, Policy, Wait, WorkerId};
use crate::simulation::{Flush, Order, Schedule, Stop};

/// Every roll that the policy leaves open and that differs in who stands where and in the wait.
pub fn candidates(cluster: &Cluster, policy: &Policy) -> Vec<Schedule> {
    let mut schedules = Vec::new();
    let mut sizes = vec![1];
    if policy.at_once > 1 {
        sizes.push(policy.at_once);
    }
    let orders = if is_eager(cluster) { vec![listed(cluster)] } else { orders(cluster.workers.len()) };
    for order in orders {
        for wait in waits(cluster, policy) {
            for flush in flushes(cluster, policy, wait) {
                for &at_once in &sizes {
                    schedules.push(Schedule {
                        order: order.clone(),
                        wait,
                        at_once,
                        stop: Stop::Graceful,
                        flush,
                        during_delay: policy.during_delay,
                    });
                }
            }
        }
    }
    schedules
}

/// What matters is where the leader and its successors stand.
fn orders(workers: usize) -> Vec<Order> {
    let mut orders = vec![Order::PresentLeader, Order::LeaderLast];
    if workers > 1 {
        orders.push(Order::LeaderFirst);
    }
    if workers > 2 {
        orders.push(Order::LeaderAfter(workers / 2));
    }
    if workers > MANY {
        // Each roll takes its time: what has never been best is left out.
        orders.truncate(2);
    } else if workers > 4 {
        orders.push(Order::LeaderAfter(1));
    }
    orders
}

fn waits(cluster: &Cluster, policy: &Policy) -> Vec<Wait> {
    match policy.wait {
        Some(wait) => vec![wait],
        // A hand-over later the balancing round of the restart before is over.
        None => vec![Wait::Back, Wait::Fixed(hand_over(cluster)), Wait::Settled],
    }
}

fn flushes(cluster: &Cluster, policy: &Policy, wait: Wait) -> Vec<Flush> {
    // Under eager there is no delay to end, and once all is settled none runs.
    let pointless = cluster.workers.len() < 2 || is_eager(cluster) || wait == Wait::Settled;
    if !policy.leader_again || !policy.during_delay || pointless {
        return vec![Flush::Never];
    }
    let mut flushes = vec![Flush::Never, Flush::AtEnd, Flush::AfterFollowers(1)];
    if cluster.workers.len() > 3 && cluster.workers.len() <= MANY {
        flushes.push(Flush::AfterFollowers(2));
    }
    flushes
}

/// The workers as the description lists them: where the order does not matter.
fn listed(cluster: &Cluster) -> Order {
    let mut workers: Vec<WorkerId> = (0..).map(WorkerId).take(cluster.workers.len()).collect();
    workers.sort_by_key(|worker| !cluster.workers[worker.index()].unready);
    Order::Listed(workers)
}

/// Whether the group runs the eager protocol before and after the roll.
fn is_eager(cluster: &Cluster) -> bool {
    cluster
        .workers
        .iter()
        .all(|worker| worker.before.settings.protocol.max(worker.after.settings.protocol) == ConnectProtocol::Eager)
}

/// So many workers make a roll dear.
const MANY: usize = 150;
