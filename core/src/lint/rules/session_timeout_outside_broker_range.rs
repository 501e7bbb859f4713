//! The brokers may refuse a worker's session time-out.

use crate::finding::{Confidence, Severity};
use crate::lint::{Context, Found, Rule};
use crate::units::Duration;

pub(in crate::lint) static RULE: Rule = Rule {
    id: "session-timeout-outside-broker-range",
    title: "the brokers' defaults refuse this session time-out",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    finds: "A worker file whose session.timeout.ms is below 6000 or above 1800000, which are the brokers' default \
            limits. In a description, which can name the brokers' own limits, this is a mistake and not a finding.",
    hurts: "A broker refuses the member (INVALID_SESSION_TIMEOUT) and the worker never joins: found out by the first \
            worker of a roll.",
    todo: "Stay within the limits, or change group.min.session.timeout.ms and group.max.session.timeout.ms on all \
           brokers first.",
    wrong: "If the brokers' limits have been changed; a description can say so under `broker: {settings: …}`.",
    sources: &["GroupCoordinatorConfig of Kafka 4.3: group.min.session.timeout.ms, group.max.session.timeout.ms"],
    settings: &["session.timeout.ms", "group.min.session.timeout.ms", "group.max.session.timeout.ms"],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for worker in context.workers().iter().filter(|worker| worker.described.is_none()) {
        let Some(session) = worker.setup.map(|setup| setup.settings.session_timeout) else { continue };
        let (how, limit, name) = if session < LEAST {
            ("below", LEAST, "group.min.session.timeout.ms")
        } else if session > MOST {
            ("above", MOST, "group.max.session.timeout.ms")
        } else {
            continue;
        };
        found.add(
            context.setting(worker, "session.timeout.ms", "10.0 s"),
            format!("session.timeout.ms ({session}) is {how} the brokers' default of {name} ({limit})"),
            "set it within the limits, or change these on the brokers first",
        );
    }
}

/// `group.min.session.timeout.ms`, the default.
const LEAST: Duration = Duration::from_secs(6);

/// `group.max.session.timeout.ms`, the default.
const MOST: Duration = Duration::from_secs(1_800);
