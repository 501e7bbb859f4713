//! Why there is no plan, and what would allow one.

use super::parts;
use super::plan::{candidates, changes, headed};
use crate::model::{Cluster, ConnectProtocol, WorkerSetup};
use crate::plan::{Breach, Limit, NoPlan};
use crate::report::page::{Page, Tone};

/// Why there is no plan, for a person.
pub fn no_plan(cluster: &Cluster, none: &NoPlan, page: &Page) -> String {
    let mut text = page.sentences(Tone::Red, "No order and no wait respects the policy.");
    for breach in &none.binding {
        let sentence = format!(
            "{}: {} allowed, {} is the best within reach (p95).",
            breach.limit.key(),
            breach.limit.words(breach.allowed),
            breach.limit.words(breach.reached)
        );
        text.push_str(&page.item(Tone::Plain, "  ", &sentence));
    }
    if let Some(nearest) = &none.nearest {
        text.push('\n');
        text.push_str(&page.toned(Tone::Bold, "What comes nearest"));
        text.push('\n');
        text.push_str(&candidates(cluster, vec![("", nearest)], page));
        for breach in &nearest.breaches {
            text.push_str(&page.item(Tone::Plain, "  ", &format!("It breaks a limit: {breach}.")));
        }
    }
    text.push('\n');
    let allowing = enough(none, page) + &changes(cluster, None, &none.advice, page);
    text.push_str(&headed(page, "What would allow a roll", &allowing));
    text.push('\n');
    text.push_str(&failing(cluster, none, page));
    text.push_str(
        &page.sentences(Tone::Plain, "Quicker restarts and starts of tasks help in any case; then plan again."),
    );
    text.push('\n');
    let runs = none
        .nearest
        .as_ref()
        .map_or_else(String::new, |of| format!("{} of each roll, ", parts::runs(&of.distribution)));
    text.push_str(&parts::certainty(page, cluster, true, &format!("Drawn: {runs}seed {}.", none.seed.0)));
    text
}

/// Why tasks end FAILED, where that stands in the way.
fn failing(cluster: &Cluster, none: &NoPlan, page: &Page) -> String {
    if none.binding.iter().all(|breach| breach.limit != Limit::NoFailedTask) {
        return String::new();
    }
    let eager = |setup: &WorkerSetup| setup.settings.protocol == ConnectProtocol::Eager;
    let brings_eager = cluster.workers.iter().any(|worker| eager(&worker.after) && !eager(&worker.before));
    let sentence = if brings_eager {
        "An eager worker that joins a cooperative group makes tasks run twice, and those that come back to a worker \
         that still holds them end FAILED: leave connect.protocol as it is, or stop all workers at once."
    } else {
        "Tasks of exactly-once sources end FAILED when the leader goes while they start: wait until all is settled \
         before each restart, and restart what failed by hand."
    };
    page.sentences(Tone::Plain, sentence)
}

/// The values of the policy with which the roll that comes nearest respects it.
fn enough(none: &NoPlan, page: &Page) -> String {
    let breaches = none.nearest.as_ref().map_or(&none.binding, |nearest| &nearest.breaches);
    let (settable, others): (Vec<&Breach>, Vec<&Breach>) =
        breaches.iter().partition(|breach| breach.limit.is_set() && breach.reached.is_finite());
    let mut text = String::new();
    for breach in others {
        let sentence = if breach.reached.is_nan() {
            format!("{breach}: give each connector its rate, or leave the limit out.")
        } else {
            format!("No policy allows that {breach}.")
        };
        text.push_str(&page.item(Tone::Plain, "- ", &sentence));
    }
    if !settable.is_empty() {
        let value = |breach: &&Breach| {
            let (limit, allowed) = (breach.limit, breach.limit.words(breach.allowed));
            format!("policy.{} {} instead of {allowed}", limit.key(), limit.rounded_up(breach.reached))
        };
        let values: Vec<String> = settable.iter().map(value).collect();
        let sentence = format!(
            "{}: that is enough for the roll that comes nearest (p95 of these runs, rounded up).",
            values.join(", and ")
        );
        text.push_str(&page.item(Tone::Plain, "- ", &sentence));
    }
    text
}
