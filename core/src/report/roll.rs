//! A roll as a rule, in words and as the options that say it.

use super::words;
use crate::model::{Cluster, Wait};
use crate::simulation::{Flush, Order, Schedule, Seed, Stop, Turn};

/// `leader first, after each follower the present leader, next when back`.
pub fn words(cluster: &Cluster, schedule: &Schedule) -> String {
    if let Order::Turns(turns) = &schedule.order
        && turns.iter().any(|turn| turn.wait.is_some())
    {
        return words_of_turns(cluster, turns, schedule.wait);
    }
    let alternates = matches!(schedule.flush, Flush::AfterFollowers(_));
    let order = match &schedule.order {
        Order::Listed(workers) if workers.len() > MOST_NAMES => "as listed".to_owned(),
        Order::Listed(_) => order_key(cluster, &schedule.order),
        Order::LeaderLast if alternates => "followers first".to_owned(),
        Order::LeaderLast => "leader last".to_owned(),
        Order::LeaderFirst => "leader first".to_owned(),
        Order::LeaderAfter(1) => "leader second".to_owned(),
        Order::LeaderAfter(others) => format!("leader after {others} others"),
        Order::PresentLeader => "whoever leads, while it is still to do".to_owned(),
        Order::Succession => "whoever leads, while it and its successor are still to do, else a follower".to_owned(),
        Order::WithLeader => "whoever leads together with a follower".to_owned(),
        Order::Turns(turns) => turns.iter().map(|turn| turn_words(cluster, turn)).collect::<Vec<_>>().join(", "),
    };
    let again = match schedule.flush {
        Flush::Never => String::new(),
        Flush::AtEnd => ", the present leader once more at the end if a delay runs".to_owned(),
        Flush::AfterFollowers(1) => ", after each follower the present leader".to_owned(),
        Flush::AfterFollowers(followers) => format!(", after every {followers} followers the present leader"),
    };
    let at_once = if schedule.at_once > 1 { format!(", {} at once", schedule.at_once) } else { String::new() };
    let stop = if schedule.stop == Stop::Kill { ", killed" } else { "" };
    format!("{order}{again}{at_once}{stop}, {}", wait(schedule.wait))
}

/// `w3, then when back w1, then when all is settled w2`.
fn words_of_turns(cluster: &Cluster, turns: &[Turn], usual: Wait) -> String {
    let mut text = String::new();
    for (place, turn) in turns.iter().enumerate() {
        if place > 0 {
            text.push_str(match turn.wait.unwrap_or(usual) {
                Wait::Back | Wait::Fixed(_) => ", ",
                Wait::Settled => ", when all is settled ",
            });
        }
        text.push_str(&turn_words(cluster, turn));
    }
    text + ", else each when the one before is back"
}

fn turn_words(cluster: &Cluster, turn: &Turn) -> String {
    let mut names: Vec<&str> = turn.workers.iter().map(|worker| words::worker(cluster, *worker)).collect();
    if turn.leader {
        names.push("the present leader once more");
    }
    names.join(" with ")
}

/// Whether somebody who follows the rule must know which worker leads.
pub(super) fn asks_who_leads(schedule: &Schedule) -> bool {
    let by_name = match &schedule.order {
        Order::Listed(_) => true,
        Order::Turns(turns) => turns.iter().all(|turn| !turn.leader),
        _ => false,
    };
    !by_name || schedule.flush != Flush::Never
}

/// When the next may go: `when back`.
pub(super) fn wait(wait: Wait) -> String {
    match wait {
        Wait::Back => "next when back".to_owned(),
        Wait::Settled => "next when all is settled".to_owned(),
        Wait::Fixed(pause) => format!("next {pause} after the return"),
    }
}

/// The order as `--order` takes it.
pub(super) fn order_key(cluster: &Cluster, order: &Order) -> String {
    match order {
        Order::Listed(workers) => {
            let names: Vec<&str> = workers.iter().map(|worker| words::worker(cluster, *worker)).collect();
            names.join(",")
        }
        Order::LeaderLast => "leader-last".to_owned(),
        Order::LeaderFirst => "leader-first".to_owned(),
        Order::LeaderAfter(others) => format!("leader-after-{others}"),
        Order::PresentLeader => "leader-next".to_owned(),
        Order::Succession => "succession".to_owned(),
        Order::WithLeader => "with-leader".to_owned(),
        Order::Turns(turns) => {
            let key = |turn: &Turn| {
                let names = turn.workers.iter().map(|worker| words::worker(cluster, *worker));
                names.chain(turn.leader.then_some("leader")).collect::<Vec<&str>>().join("+")
            };
            turns.iter().map(key).collect::<Vec<String>>().join(",")
        }
    }
}

/// The waits as `--wait` takes them.
pub(super) fn wait_key(schedule: &Schedule) -> String {
    match &schedule.order {
        Order::Turns(turns) if turns.iter().any(|turn| turn.wait.is_some()) => {
            let key = |turn: &Turn| one_wait(turn.wait.unwrap_or(schedule.wait));
            turns.iter().skip(1).map(key).collect::<Vec<String>>().join(",")
        }
        _ => one_wait(schedule.wait),
    }
}

/// One wait as `--wait` takes it.
pub(super) fn one_wait(wait: Wait) -> String {
    match wait {
        Wait::Back => "back".to_owned(),
        Wait::Settled => "settled".to_owned(),
        Wait::Fixed(pause) => format!("{}ms", pause.as_millis()),
    }
}

/// When the leader goes once more.
pub(super) fn again_key(flush: Flush) -> String {
    match flush {
        Flush::Never => "never".to_owned(),
        Flush::AtEnd => "at-end".to_owned(),
        Flush::AfterFollowers(followers) => format!("after-{followers}"),
    }
}

/// The call that simulates this roll: `rollgate simulate FILE --order leader-next --leader-again after-1`.
pub(super) fn call(cluster: &Cluster, schedule: &Schedule, seed: Seed) -> String {
    let mut call = vec![
        "rollgate simulate FILE --order".to_owned(),
        order_key(cluster, &schedule.order),
        format!("--wait {}", wait_key(schedule)),
    ];
    if schedule.flush != Flush::Never {
        call.push(format!("--leader-again {}", again_key(schedule.flush)));
    }
    if schedule.at_once > 1 {
        call.push(format!("--at-once {}", schedule.at_once));
    }
    call.push(format!("--seed {}", seed.0));
    call.join(" ")
}

/// Orders of more names than these are not read out.
const MOST_NAMES: usize = 8;
