//! The rolls worth trying.

use crate::assessment::hand_over;
use crate::model::{Cluster, ConnectProtocol, Policy, Wait};
use crate::simulation::{Flush, Order, Schedule, Stop};

/// Every roll that the policy leaves open and that differs in who stands where and in the wait.
pub fn candidates(cluster: &Cluster, policy: &Policy) -> Vec<Schedule> {
    let mut schedules = Vec::new();
    let mut sizes = vec![1];
    if policy.at_once > 1 {
        sizes.push(policy.at_once);
    }
    for order in orders(cluster.workers.len()) {
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
    if workers > 4 {
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
    let eager = cluster
        .workers
        .iter()
        .all(|worker| worker.before.settings.protocol.min(worker.after.settings.protocol) == ConnectProtocol::Eager);
    let endless = cluster.workers.len() < 2 || eager;
    if !policy.leader_again || !policy.during_delay || endless || wait == Wait::Settled {
        return vec![Flush::Never];
    }
    let mut flushes = vec![Flush::Never, Flush::AtEnd, Flush::AfterFollowers(1)];
    if cluster.workers.len() > 3 {
        flushes.push(Flush::AfterFollowers(2));
    }
    flushes
}
