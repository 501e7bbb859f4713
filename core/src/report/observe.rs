//! The sentences and tables of `observe` that text and Markdown share.

use std::collections::{BTreeMap, BTreeSet};

use super::page::{Page, Tone};
use super::table::{Side, Table};
use super::words;
use crate::snapshot::{
    Address, ConnectorState, Disagreement, Endpoint, Group, GroupState, Item, Member, Remark, Seen, SinkGroup,
    Snapshot, Statuses, WorkItems, disagreements, remarks,
};
use crate::units::{Duration, Share};

/// A list with its heading.
pub(super) type List = (&'static str, Tone, Vec<String>);

/// How the cluster is, and who leads it.
pub(super) fn summary(snapshot: &Snapshot, page: &Page) -> String {
    let mut text = page.sentences(Tone::Bold, &headline(snapshot));
    for sentence in facts(snapshot) {
        text.push_str(&page.sentences(Tone::Plain, &sentence));
    }
    text
}

/// The one sentence that was asked for: who owns what, and whether a delay runs.
fn headline(snapshot: &Snapshot) -> String {
    match (&snapshot.group, &snapshot.statuses) {
        (Seen::Known(group), statuses) if group.state == GroupState::Stable => {
            format!("{}; {}.", owned(snapshot, group, statuses), delay(group))
        }
        (Seen::Known(group), _) => {
            let (id, state, members) = (&group.id, &group.state, words::count(group.members.len(), "member"));
            format!("The group {id} is {state} and has {members}: who owns what is not known now.")
        }
        (Seen::Unknown(_), Seen::Known(statuses)) => {
            let (all, running) = (statuses.connectors.values().map(|of| of.tasks.len()).sum(), running(statuses));
            let tasks = words::count(all, "task");
            let of = words::count(statuses.connectors.len(), "connector");
            let running = if running == all { "all".to_owned() } else { format!("{} of", number(running)) };
            format!("By their statuses {running} {tasks} of {of} run; who owns them is not known.")
        }
        (Seen::Unknown(_), Seen::Unknown(_)) => "Neither the group of workers nor the statuses are known.".to_owned(),
    }
}

/// `3 workers own all 30 tasks of 4 connectors`.
fn owned(snapshot: &Snapshot, group: &Group, statuses: &Seen<Statuses>) -> String {
    let workers = words::count(group.members.len(), "worker");
    let Seen::Known(owners) = group.owners() else {
        return format!("{workers} are in the group {}; who owns what is not known", group.id);
    };
    let own = if group.members.len() == 1 { "owns" } else { "own" };
    let connectors: BTreeSet<&str> = owners.keys().map(Item::connector).collect();
    let tasks = owners.keys().filter(|item| item.number().is_some()).count();
    let of = words::count(connectors.len(), "connector");
    let unowned = snapshot.unowned();
    let nobodys = unowned.known().map(|items| items.iter().filter(|item| item.number().is_some()).count());
    match (statuses, nobodys) {
        (Seen::Known(statuses), Some(nobodys)) => {
            let of = words::count(statuses.connectors.len().max(connectors.len()), "connector");
            let all = words::count(tasks + nobodys, "task");
            if nobodys == 0 && unowned.known().is_some_and(Vec::is_empty) {
                format!("{workers} {own} all {all} of {of}")
            } else {
                format!("{workers} {own} {} of {all} of {of}", number(tasks))
            }
        }
        _ => format!("{workers} {own} {} of {of}", words::count(tasks, "task")),
    }
}

fn delay(group: &Group) -> String {
    match group.delay() {
        Seen::Known(delay) if delay.is_zero() => "no delay runs".to_owned(),
        Seen::Known(delay) => format!("a delay of at most {delay} runs"),
        Seen::Unknown(_) => "whether a delay runs is not known".to_owned(),
    }
}

/// Group, leader and statuses, a sentence or two each.
fn facts(snapshot: &Snapshot) -> Vec<String> {
    let mut facts = Vec::new();
    let cluster = snapshot.cluster_id.known();
    if let Seen::Known(group) = &snapshot.group {
        let protocol = group.protocol.as_deref().map(|protocol| format!(", protocol {protocol}")).unwrap_or_default();
        let of = cluster.map(|id| format!(" of Kafka cluster {id}")).unwrap_or_default();
        let Group { id, state, coordinator, .. } = group;
        facts.push(match state {
            GroupState::Stable => format!("The group {id} is {state}{protocol}; {coordinator}{of} coordinates it."),
            _ => format!("{coordinator}{of} coordinates it."),
        });
        facts.extend(leads(group));
    } else if let Some(id) = cluster {
        facts.push(format!("The workers are of Kafka cluster {id}."));
    }
    if let Seen::Known(statuses) = &snapshot.statuses {
        facts.push(claims(statuses));
        if snapshot.group.known().is_none() {
            facts.push(
                "A status is what a worker once wrote: a task can say RUNNING and wait for an owner. Who owns what, \
                 whether a delay runs and how far the sinks are behind, only the brokers say."
                    .to_owned(),
            );
        }
    }
    facts
}

fn leads(group: &Group) -> Option<String> {
    let leader = group.leader().known().map(|leader| leader.name())?;
    let next = match group.successor() {
        Seen::Known(Some(next)) => format!("; should it leave, {} leads", next.name()),
        Seen::Known(None) => "; there is no other worker to follow it".to_owned(),
        Seen::Unknown(_) => String::new(),
    };
    Some(format!("{leader} leads{next}."))
}

/// What the statuses say, in numbers.
fn claims(statuses: &Statuses) -> String {
    let mut states: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for task in statuses.connectors.values().flat_map(|of| of.tasks.values()) {
        *states.entry((task.state != ConnectorState::Running, task.state.to_string())).or_default() += 1;
    }
    let said = states.iter().enumerate().map(|(place, ((_, state), tasks))| match (place, tasks) {
        (0, 1) => format!("1 task is {state}"),
        (0, tasks) => format!("{} are {state}", words::count(*tasks, "task")),
        (_, tasks) => format!("{} {state}", number(*tasks)),
    });
    let said: Vec<String> = said.collect();
    let said = if said.is_empty() { "there are no tasks".to_owned() } else { said.join(", ") };
    format!("By the statuses, as {} has read them, {said}.", statuses.asked)
}

/// Who is there: the members in the coordinator's order, then ports that are no member's.
pub(super) fn workers(snapshot: &Snapshot) -> Option<Table> {
    let Some(group) = snapshot.group.known() else { return ports(&snapshot.endpoints) };
    let others = snapshot.endpoints.iter().filter(|of| !group.members.iter().any(|member| is_at(of, member)));
    let others: Vec<&Endpoint> = others.collect();
    if group.members.is_empty() && others.is_empty() {
        return None;
    }
    let mut table = Table::new(&[
        ("worker", Side::Left),
        ("", Side::Left),
        ("version", Side::Left),
        ("tasks", Side::Right),
        ("configs", Side::Right),
        ("owns", Side::Left),
    ]);
    let id = |member: &Member| member.id.clone();
    let leader = group.leader().known().map(|leader| id(leader));
    let next = group.successor().known().copied().flatten().map(id);
    for member in &group.members {
        let endpoint = snapshot.endpoints.iter().find(|of| is_at(of, member));
        let role = match Some(&member.id) {
            is if is == leader.as_ref() => "leads",
            is if is == next.as_ref() => "next",
            _ => "",
        };
        let work = member.owns.known();
        let answers = endpoint.is_none_or(|of| of.no_answer.is_none());
        table.row(
            if work.is_some() && answers { Tone::Plain } else { Tone::Yellow },
            vec![
                member.name(),
                role.to_owned(),
                endpoint.map_or_else(unknown, version),
                work.map_or_else(unknown, |work| number(work.tasks.len())),
                member.config_offset.known().map_or_else(unknown, ToString::to_string),
                work.map_or_else(unknown, listed),
            ],
        );
    }
    // Whose address is not known may be one of these.
    let all_known = group.members.iter().all(|member| member.url.known().is_some());
    for endpoint in others {
        let none = || "–".to_owned();
        let name = Address::of_url(&endpoint.url).to_string();
        let member = if all_known { "no member".to_owned() } else { unknown() };
        table.row(tone(endpoint), vec![name, String::new(), version(endpoint), none(), none(), member]);
    }
    Some(table)
}

/// The REST ports alone.
fn ports(endpoints: &[Endpoint]) -> Option<Table> {
    let mut table = Table::new(&[("worker", Side::Left), ("version", Side::Left), ("", Side::Left)]);
    for endpoint in endpoints {
        let why = endpoint.version.why_unknown().unwrap_or_default();
        table.row(tone(endpoint), vec![endpoint.url.clone(), version(endpoint), why.to_owned()]);
    }
    (!endpoints.is_empty()).then_some(table)
}

fn tone(endpoint: &Endpoint) -> Tone {
    if endpoint.no_answer.is_none() { Tone::Plain } else { Tone::Yellow }
}

/// Where the consumers of sinks are.
pub(super) fn sinks(snapshot: &Snapshot) -> Option<Table> {
    if snapshot.sinks.is_empty() {
        return None;
    }
    let mut table = Table::new(&[
        ("sink", Side::Left),
        ("group", Side::Left),
        ("is", Side::Left),
        ("consumers", Side::Right),
        ("partitions", Side::Right),
        ("lag", Side::Right),
    ]);
    for sink in &snapshot.sinks {
        let known = |of: Option<usize>| of.map_or_else(unknown, number);
        let lag = lag(sink);
        table.row(
            if lag.is_some() { Tone::Plain } else { Tone::Yellow },
            vec![
                sink.connector.clone(),
                sink.group.clone(),
                sink.state.known().map_or_else(unknown, ToString::to_string),
                known(sink.consumers.known().map(Vec::len)),
                known(sink.partitions.known().map(Vec::len)),
                lag.unwrap_or_else(unknown),
            ],
        );
    }
    Some(table)
}

fn lag(sink: &SinkGroup) -> Option<String> {
    let lag = sink.lag().known().copied()?;
    usize::try_from(lag).ok().map(|lag| words::count(lag, "record"))
}

/// What a reader should look at: failures, contradictions, remarks, and what is not known.
pub(super) fn lists(snapshot: &Snapshot) -> Vec<List> {
    let mut unknown = NotKnown::of(snapshot);
    let mut differ = Vec::new();
    let mut nobodys = BTreeSet::new();
    for found in disagreements(snapshot) {
        match &found {
            Disagreement::CannotCompare { what, reason } => {
                unknown.add_compared(what, reason);
                continue;
            }
            Disagreement::OwnedByNobody { item, .. } => {
                nobodys.insert(item.clone());
            }
            _ => {}
        }
        differ.push(found.to_string());
    }
    let mut looks = Vec::new();
    for remark in remarks(snapshot) {
        match &remark {
            Remark::NotKnown { what, reason } => unknown.add_compared(what, reason),
            Remark::Unowned { item } if nobodys.contains(item) => {}
            _ => looks.push(remark.to_string()),
        }
    }
    looks.extend(of_other_clusters(snapshot));
    let lists = [
        ("Not running", Tone::Red, not_running(snapshot)),
        ("Where statuses and group differ", Tone::Yellow, differ),
        ("Worth a look", Tone::Yellow, looks),
        ("Not known", Tone::Yellow, unknown.said()),
    ];
    let lists = lists.into_iter().filter(|(_, _, items)| !items.is_empty());
    lists.map(|(heading, tone, items)| (heading, tone, cut(items))).collect()
}

/// What is not known, by the reason.
struct NotKnown {
    by_reason: BTreeMap<String, BTreeSet<String>>,
    /// Whether a group is there that tells all of its members.
    settled: bool,
}

impl NotKnown {
    /// The parts of the snapshot itself.
    fn of(snapshot: &Snapshot) -> Self {
        let group = snapshot.group.known();
        let settled = group.is_some_and(|group| group.state == GroupState::Stable);
        let mut unknown = Self { by_reason: BTreeMap::new(), settled };
        unknown.add("the group of workers", snapshot.group.why_unknown());
        unknown.add("the statuses", snapshot.statuses.why_unknown());
        if group.is_some() && !settled {
            let why = "the coordinator shows them only while the group is Stable";
            unknown.add("the members' addresses, work and config offsets", Some(why));
        }
        // The table of ports tells why, and a remark of those that are no member's.
        for endpoint in snapshot.endpoints.iter().filter(|endpoint| {
            group.is_some_and(|group| !settled || group.members.iter().any(|member| is_at(endpoint, member)))
        }) {
            unknown.add(&format!("the version of {}", endpoint.url), endpoint.version.why_unknown());
        }
        for sink in &snapshot.sinks {
            let lag = sink.lag();
            let parts = [
                ("state", sink.state.why_unknown()),
                ("consumers", sink.consumers.why_unknown()),
                ("lag", lag.why_unknown()),
            ];
            for (part, why) in parts {
                unknown.add(&format!("the {part} of {}", sink.connector), why);
            }
        }
        unknown
    }

    fn add(&mut self, what: &str, why: Option<&str>) {
        if let Some(why) = why {
            self.by_reason.entry(why.to_owned()).or_default().insert(what.to_owned());
        }
    }

    /// What could not be compared: only where that does not follow from the rest.
    fn add_compared(&mut self, what: &str, why: &str) {
        if self.settled {
            self.add(what, Some(why));
        }
    }

    fn said(self) -> Vec<String> {
        let said = self.by_reason.into_iter().map(|(why, what)| {
            let what: Vec<String> = what.into_iter().collect();
            format!("{}: {why}", listed_names(&what))
        });
        said.collect()
    }
}

/// Workers that work with another Kafka cluster than the one that was asked.
fn of_other_clusters(snapshot: &Snapshot) -> Vec<String> {
    let Seen::Known(id) = &snapshot.cluster_id else { return Vec::new() };
    let versions = snapshot.endpoints.iter().filter_map(|of| Some((of, of.version.known()?)));
    let others = versions.filter(|(_, version)| version.kafka_cluster_id != *id);
    others.map(|(of, version)| format!("{} is of Kafka cluster {}", of.url, version.kafka_cluster_id)).collect()
}

/// What is in another state than running, by state.
fn not_running(snapshot: &Snapshot) -> Vec<String> {
    let Seen::Known(statuses) = &snapshot.statuses else { return Vec::new() };
    let mut states: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, of) in &statuses.connectors {
        let instance = of.instance.known().map(|claimed| (Item::Connector(name.clone()), claimed));
        let tasks = of.tasks.iter().map(|(number, claimed)| (Item::Task(name.clone(), *number), claimed));
        for (item, claimed) in instance.into_iter().chain(tasks) {
            if claimed.state != ConnectorState::Running {
                states.entry(claimed.state.to_string()).or_default().push(format!("{item} ({})", claimed.worker));
            }
        }
    }
    states.into_iter().map(|(state, items)| format!("{state}: {}", listed_names(&items))).collect()
}

/// How it was seen, and how far to trust it.
pub(super) fn how_we_know(snapshot: &Snapshot, page: &Page) -> String {
    let took = Duration::from_millis(snapshot.took_ms);
    let mut said = Vec::new();
    if snapshot.group.known().is_some_and(|group| group.state == GroupState::Stable) {
        said.push(
            "Who owns what is as of the last completed round, alive or not; so is what is left of a delay, which does \
             not count down.",
        );
    }
    if snapshot.statuses.known().is_some() && snapshot.group.known().is_some() {
        said.push("A status is what a worker once wrote; nobody takes it back for a worker that is gone.");
    }
    let seen = page.sentences(Tone::Dim, &format!("Seen at {}, within {took}.", snapshot.taken_at));
    if said.is_empty() { seen } else { seen + &page.sentences(Tone::Dim, &said.join(" ")) }
}

/// `orders: connector, 0–3, 7; payments: 1`.
fn listed(work: &WorkItems) -> String {
    let mut connectors: BTreeMap<&str, (bool, Vec<u32>)> = BTreeMap::new();
    for name in &work.connectors {
        connectors.entry(name).or_default().0 = true;
    }
    for (name, number) in &work.tasks {
        connectors.entry(name).or_default().1.push(*number);
    }
    let number = connectors.len();
    let said = connectors.into_iter().take(MOST_NAMES).map(|(name, (instance, mut tasks))| {
        tasks.sort_unstable();
        let instance = instance.then(|| "connector".to_owned());
        let parts: Vec<String> = instance.into_iter().chain(spans(&tasks)).collect();
        format!("{name}: {}", parts.join(", "))
    });
    let mut said: Vec<String> = said.collect();
    if number > MOST_NAMES {
        said.push(format!("{} more", number - MOST_NAMES));
    }
    if said.is_empty() { "nothing".to_owned() } else { said.join("; ") }
}

/// `0–3`, `7`.
fn spans(numbers: &[u32]) -> Vec<String> {
    let runs = numbers.chunk_by(|one, next| one.checked_add(1) == Some(*next));
    let said = runs.map(|run| match run {
        [first, .., last] => format!("{first}–{last}"),
        one => one.first().map(ToString::to_string).unwrap_or_default(),
    });
    said.collect()
}

/// Names of which only the first are told.
fn listed_names(names: &[String]) -> String {
    match names.get(MOST_NAMES..) {
        Some(rest) if !rest.is_empty() => {
            format!("{} and {} more", names.get(..MOST_NAMES).unwrap_or_default().join(", "), rest.len())
        }
        _ => names.join(", "),
    }
}

/// A list of which only the first are told.
fn cut(mut items: Vec<String>) -> Vec<String> {
    let rest = items.len().saturating_sub(MOST_ITEMS);
    items.truncate(MOST_ITEMS);
    if rest > 0 {
        items.push(format!("and {rest} more"));
    }
    items
}

fn is_at(endpoint: &Endpoint, member: &Member) -> bool {
    member.url.known().is_some_and(|url| Address::of_url(url) == Address::of_url(&endpoint.url))
}

fn version(endpoint: &Endpoint) -> String {
    endpoint.version.known().map_or_else(unknown, |version| version.version.clone())
}

fn running(statuses: &Statuses) -> usize {
    let tasks = statuses.connectors.values().flat_map(|of| of.tasks.values());
    tasks.filter(|task| task.state == ConnectorState::Running).count()
}

/// With separators: `5,000`.
fn number(of: usize) -> String {
    words::part_of(Share(1.0), of)
}

/// What a cell holds of which nobody knows.
fn unknown() -> String {
    "?".to_owned()
}

/// Names in one list.
const MOST_NAMES: usize = 8;

/// Lines of one list.
const MOST_ITEMS: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text;
    use crate::report::width::width;

    #[test]
    fn work_is_told_by_connector_with_its_tasks_in_order() {
        let tasks = [("orders", 7), ("orders", 1), ("orders", 0), ("orders", 2), ("audit", 3)];
        let mut work = WorkItems {
            connectors: vec!["orders".to_owned()],
            tasks: tasks.map(|(name, number)| (name.to_owned(), number)).into(),
        };
        assert_eq!(listed(&work), "audit: 3; orders: connector, 0–2, 7");
        work.connectors = (0..40).map(|number| format!("c{number:02}")).collect();
        assert!(listed(&work).ends_with("c06: connector; 34 more"), "{}", listed(&work));
        assert_eq!(listed(&WorkItems::default()), "nothing");
    }

    #[test]
    fn long_lists_are_cut_and_long_names_break_no_page() {
        let long = "n".repeat(200);
        let status = |number: u32| {
            let mut status = format!(
                r#"{{"status": {{"connector": {{"state": "FAILED", "worker_id": "w1:8083"}}, "tasks": []}}, "info":
                {{"config": {{}}, "tasks": [{{"task": {number}}}]}}}}"#
            );
            status.insert_str(0, &format!("\"{long}{number}\": "));
            status
        };
        let json: Vec<String> = (0..40).map(status).collect();
        let snapshot = Snapshot {
            schema_version: 1,
            taken_at: crate::units::Timestamp::from_millis(0),
            took_ms: 3,
            cluster_id: Seen::unknown("nobody asked"),
            group: Seen::unknown("nobody asked"),
            statuses: Statuses::read("http://w1:8083", &format!("{{{}}}", json.join(",")))
                .map_or_else(Seen::unknown, Seen::Known),
            endpoints: vec![Endpoint {
                url: format!("http://{long}:8083"),
                version: Seen::unknown("nobody listens there"),
                no_answer: Some(crate::snapshot::NoAnswer::Refused),
            }],
            sinks: Vec::new(),
        };
        let text = text::observe(&snapshot, &Page::default());
        assert!(text.lines().all(|line| width(line) <= 80), "{text}");
        assert!(text.contains("and 32 more") && text.lines().count() < 60, "{text}");
    }
}
