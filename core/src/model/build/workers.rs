//! The workers: who they are, how they run before and after, how long they take.

use std::collections::BTreeMap;

use super::settings::{Layers, client_id};
use super::{Build, SessionLimits};
use crate::description::{
    ChangeWritten, Description, RestartWritten, SettingsWritten, StartWritten, WorkerWritten, WorkersWritten, proposal,
};
use crate::model::{KafkaVersion, Restart, Start, Worker};
use crate::text::{Span, Spanned};
use crate::units::{Duration, Spread};

/// A worker's name and, in a list, what was written of it.
struct Named<'d> {
    name: String,
    written: Option<&'d WorkerWritten>,
}

impl Build {
    pub(super) fn workers(
        &mut self,
        description: &Description,
        kafka: KafkaVersion,
        limits: SessionLimits,
    ) -> Vec<Worker> {
        self.remarks(&description.settings);
        self.remarks(&description.roll.all.settings);
        let named = self.names(&description.workers);
        let changes = self.changes(description, &named);
        let leader = self.leader(description, &named);
        let after = description.roll.all.kafka.as_ref().map(|version| self.version("roll.kafka", version));
        self.restart_defaults(description);
        self.grace(&description.restart);
        let mut members: BTreeMap<&str, Span> = BTreeMap::new();
        let mut urls: BTreeMap<&str, Span> = BTreeMap::new();
        let mut workers = Vec::with_capacity(named.len());
        for (place, Named { name, written, .. }) in named.iter().enumerate() {
            let change = changes.get(name.as_str()).copied();
            let own = written.map(|written| &written.settings);
            let version = match written.and_then(|written| written.kafka.as_ref()) {
                Some(own) => self.version(&format!("workers.{name}.kafka"), own),
                None => kafka,
            };
            let layers = before_layers(description, own);
            let before = self.setup(&layers, version, limits);
            let version = match change.and_then(|change| change.kafka.as_ref()) {
                Some(own) => self.version(&format!("roll.workers.{name}.kafka"), own),
                None => after.unwrap_or(version),
            };
            let after_layers = after_layers(description, own, change);
            self.scope = "roll.settings";
            let after = if version == before.version && after_layers.is_none() {
                before.clone()
            } else {
                self.setup(after_layers.as_ref().unwrap_or(&layers), version, limits)
            };
            self.scope = "settings";
            let host = written.and_then(|written| written.host.as_ref()).map(|host| host.value.clone());
            let address = host.as_deref().unwrap_or(name);
            let computed = client_id(&layers, before.rules, address);
            let computed_after = client_id(after_layers.as_ref().unwrap_or(&layers), after.rules, address);
            if let Some(written) = written {
                self.grace(&written.restart);
            }
            let member = written.and_then(|written| written.member.as_ref());
            let known = member.and_then(|member| self.known_member(member, &mut members));
            let client_id = known.unwrap_or_else(|| computed.clone());
            workers.push(Worker {
                name: name.clone(),
                url: written.and_then(|written| self.url(written, &mut urls)),
                host,
                rack: written.and_then(|written| written.rack.clone()),
                client_id_after: if computed == computed_after { client_id.clone() } else { computed_after },
                client_id,
                member_id: member.map(|member| member.value.clone()),
                leads: leader == Some(place),
                unready: written.is_some_and(|written| written.unready),
                before,
                after,
                restart: restart(&description.restart, written.map(|written| &written.restart)),
            });
        }
        if let WorkersWritten::List(list) = &description.workers
            && let Some(last) = list.iter().rfind(|worker| worker.unready)
            && list.iter().all(|worker| worker.unready)
        {
            let message = "every worker is `unready`: nothing runs that a roll could disturb";
            self.errors.add_with_help(last.span, message, "mark only those workers that are out of the group now");
        }
        if leader.is_none() {
            self.assume("leader", "drawn in each run", "it is not said who leads");
        }
        workers
    }

    /// Lists what is worth knowing about a file.
    pub(super) fn remarks(&mut self, settings: &SettingsWritten) {
        for remark in &settings.remarks {
            self.assume(remark.key.as_str(), remark.value.as_str(), remark.reason.as_str());
        }
    }

    /// Everybody's name; names given twice are errors.
    fn names<'d>(&mut self, workers: &'d WorkersWritten) -> Vec<Named<'d>> {
        let list = match workers {
            WorkersWritten::Count(count) => {
                let named = |place| Named { name: format!("w{place}"), written: None };
                return (1..=count.value).map(named).collect();
            }
            WorkersWritten::List(list) => list,
        };
        let mut named: Vec<Named<'d>> = Vec::with_capacity(list.len());
        let mut first: BTreeMap<String, Span> = BTreeMap::new();
        for (place, written) in list.iter().enumerate() {
            let given = written.name.as_ref().or(written.host.as_ref());
            let name = given.map_or_else(|| format!("w{}", place + 1), |given| given.value.clone());
            let span = given.map_or(written.span, |given| given.span);
            if let Some(first) = first.get(&name) {
                let message = format!("a second worker is called `{name}`");
                self.errors.add_with_also(span, message, *first, "the first");
            } else {
                first.insert(name.clone(), span);
            }
            self.remarks(&written.settings);
            named.push(Named { name, written: Some(written) });
        }
        named
    }

    /// What the roll changes for single workers, by name.
    fn changes<'d>(
        &mut self,
        description: &'d Description,
        named: &[Named<'_>],
    ) -> BTreeMap<&'d str, &'d ChangeWritten> {
        let mut changes = BTreeMap::new();
        for (name, change) in &description.roll.workers {
            if self.place(name, named).is_some() {
                self.remarks(&change.settings);
                changes.insert(name.value.as_str(), change);
            }
        }
        changes
    }

    /// The worker of that name; it is an error if there is none.
    fn place(&mut self, name: &Spanned<String>, named: &[Named<'_>]) -> Option<usize> {
        let found = named.iter().position(|worker| worker.name == name.value);
        if found.is_none() {
            let known = named.iter().map(|worker| worker.name.as_str());
            self.errors.add(name.span, format!("no worker is called `{}`", name.value)).help =
                proposal(&name.value, known);
        }
        found
    }

    fn leader(&mut self, description: &Description, named: &[Named<'_>]) -> Option<usize> {
        let mut leader: Option<(usize, Span)> = None;
        if let Some(name) = &description.leader {
            leader = self.place(name, named).map(|place| (place, name.span));
        }
        for (place, worker) in named.iter().enumerate() {
            let Some(leads) = worker.written.and_then(|written| written.leader.as_ref()).filter(|leads| leads.value)
            else {
                continue;
            };
            match leader {
                Some((first, span)) if first != place => {
                    let message = format!("`{}` and `{}` cannot both lead", named[first].name, worker.name);
                    self.errors.add_with_also(leads.span, message, span, "the other");
                }
                _ => leader = Some((place, leads.span)),
            }
        }
        leader.map(|(place, _)| place)
    }

    /// The worker's REST address; it is nobody else's.
    fn url<'d>(&mut self, written: &'d WorkerWritten, known: &mut BTreeMap<&'d str, Span>) -> Option<String> {
        let url = written.url.as_ref()?;
        if let Some(first) = known.insert(&url.value, url.span) {
            self.errors.add_with_also(url.span, "this address belongs to two workers", first, "the other");
        }
        Some(url.value.clone())
    }

    /// The client id in a member id; its UUID must be one and nobody else's.
    fn known_member<'d>(&mut self, member: &'d Spanned<String>, known: &mut BTreeMap<&'d str, Span>) -> Option<String> {
        if let Some(first) = known.get(member.value.as_str()) {
            self.errors.add_with_also(member.span, "this member id belongs to two workers", *first, "the other");
        }
        known.insert(&member.value, member.span);
        let client = client_of(&member.value);
        if client.is_none() {
            let message = format!("`{}` is no member id", member.value);
            self.errors.add_with_help(member.span, message, "Kafka's are `<client id>-<UUID>`");
        }
        client.map(str::to_owned)
    }

    /// No time at all means one thing to systemd and its opposite to Kubernetes.
    fn grace(&mut self, written: &RestartWritten) {
        if let Some(grace) = written.grace.as_ref().filter(|grace| grace.value.is_zero()) {
            let message = "`grace` is 0 s, which systemd takes as no limit and Kubernetes as a kill at once";
            let help = "leave it out if nothing kills, or write a short time such as `1ms`";
            self.errors.add_with_help(grace.span, message, help);
        }
    }

    fn restart_defaults(&mut self, description: &Description) {
        let lacks = |given: fn(&RestartWritten) -> bool| {
            !given(&description.restart)
                && match &description.workers {
                    WorkersWritten::Count(_) => true,
                    WorkersWritten::List(list) => list.iter().any(|worker| !given(&worker.restart)),
                }
        };
        if lacks(|restart| restart.stop.is_some()) {
            self.assume("restart.stop", STOP.to_string(), "as measured with quick tasks on 4.4.0: 0.6 to 1.7 s");
        }
        if lacks(|restart| restart.down.is_some()) {
            self.assume("restart.down", Duration::ZERO.to_string(), "the process is started again at once");
        }
        if lacks(|restart| restart.start.is_some()) {
            self.assume("restart.start", START.to_string(), "as measured without plugins on 4.4.0: median 4.7 s");
        }
    }
}

/// The settings before the restart: a worker's own are stronger than those of all.
fn before_layers<'d>(description: &'d Description, own: Option<&'d SettingsWritten>) -> Layers<'d> {
    Layers::default()
        .with(description.settings.file.as_ref())
        .with(Some(&description.settings.inline))
        .with(own.and_then(|own| own.file.as_ref()))
        .with(own.map(|own| &own.inline))
}

/// The settings of the worker at a place and of that name, before its restart and, if the roll changes
/// any, after it.
pub(super) fn layers_of<'d>(
    description: &'d Description,
    place: usize,
    name: &str,
) -> (Layers<'d>, Option<Layers<'d>>) {
    let own = match &description.workers {
        WorkersWritten::Count(_) => None,
        WorkersWritten::List(list) => list.get(place).map(|worker| &worker.settings),
    };
    let mut changes = description.roll.workers.iter();
    let change = changes.find(|(changed, _)| changed.value == name).map(|(_, change)| change);
    (before_layers(description, own), after_layers(description, own, change))
}

/// The settings after the restart, if the roll changes any.
///
/// A new file takes the place of the files before and is stronger than what was said
/// beside them; settings in the roll are stronger than everything.
fn after_layers<'d>(
    description: &'d Description,
    own: Option<&'d SettingsWritten>,
    change: Option<&'d ChangeWritten>,
) -> Option<Layers<'d>> {
    let all = &description.roll.all.settings;
    let single = change.map(|change| &change.settings);
    let file = single.and_then(|single| single.file.as_ref()).or(all.file.as_ref());
    let inline = all.inline.is_empty() && single.is_none_or(|single| single.inline.is_empty());
    if file.is_none() && inline {
        return None;
    }
    let before = if file.is_some() { None } else { description.settings.file.as_ref() };
    let own_before = if file.is_some() { None } else { own.and_then(|own| own.file.as_ref()) };
    let layers = Layers::default()
        .with(before)
        .with(Some(&description.settings.inline))
        .with(own_before)
        .with(own.map(|own| &own.inline))
        .with(file)
        .with(Some(&all.inline))
        .with(single.map(|single| &single.inline));
    Some(layers)
}

/// The part of a member id before `-<UUID>`.
pub(super) fn client_of(member: &str) -> Option<&str> {
    let split = member.len().checked_sub(UUID_LEN + 1)?;
    let (client, uuid) = (member.get(..split)?, member.get(split + 1..)?);
    let is_uuid = uuid.bytes().enumerate().all(|(place, byte)| match place {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    });
    (is_uuid && member.as_bytes()[split] == b'-').then_some(client)
}

/// The restart's phases, defaults filled in.
pub(super) fn restart(all: &RestartWritten, own: Option<&RestartWritten>) -> Restart {
    let pick = |field: fn(&RestartWritten) -> &Option<Spread>, default| {
        own.and_then(|own| field(own).clone()).or_else(|| field(all).clone()).unwrap_or(Spread::Fixed(default))
    };
    let start = own.and_then(|own| own.start.as_ref()).or(all.start.as_ref());
    Restart {
        stop: pick(|restart| &restart.stop, STOP),
        down: pick(|restart| &restart.down, Duration::ZERO),
        start: match start {
            None => Start::Whole(Spread::Fixed(START)),
            Some(StartWritten::Whole(whole)) => Start::Whole(whole.clone()),
            Some(StartWritten::Parts { jvm, plugin_scan, topics }) => {
                let part = |part: &Option<Spread>| part.clone().unwrap_or(Spread::Fixed(Duration::ZERO));
                Start::Parts { jvm: part(jvm), plugin_scan: part(plugin_scan), topics: part(topics) }
            }
        },
        grace: own.and_then(|own| own.grace.as_ref()).or(all.grace.as_ref()).map(|grace| grace.value),
    }
}

/// SIGTERM to `LeaveGroup`.
const STOP: Duration = Duration::from_secs(1);
/// Start of the process to its first `JoinGroup`.
const START: Duration = Duration::from_secs(5);
const UUID_LEN: usize = 36;
