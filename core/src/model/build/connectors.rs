//! The connectors: names written out, defaults filled in.

use std::collections::BTreeMap;

use super::settings::Layers;
use super::{Build, SessionLimits};
use crate::description::{ConnectorWritten, ConsumerWritten, Description, Setting};
use crate::model::{Connector, ConnectorState, ConsumerAssignor, Flow, Sink, Worker};
use crate::text::{Span, Spanned};
use crate::units::{Duration, RecordsPerSec, Spread};

impl Build {
    /// All connectors, in Kafka's natural order of their names.
    pub(super) fn connectors(
        &mut self,
        description: &Description,
        workers: &[Worker],
        limits: SessionLimits,
    ) -> Vec<Connector> {
        let layers =
            Layers::default().with(description.settings.file.as_ref()).with(Some(&description.settings.inline));
        let mut places: BTreeMap<Vec<u16>, Span> = BTreeMap::new();
        let mut connectors = Vec::new();
        let mut total = 0_u64;
        for written in &description.connectors {
            let count = written.count.as_ref().map_or(1, |count| count.value);
            let model = self.connector(written, workers, &layers, limits);
            total += u64::from(count) * (1 + u64::from(model.tasks));
            if total > MAX_ITEMS {
                let message = format!("more than {MAX_ITEMS} connectors and tasks");
                self.errors.add(written.name.span, message);
                break;
            }
            for place in 1..=count {
                let name = if written.count.is_some() {
                    written.name.value.replace("{n}", &place.to_string())
                } else {
                    written.name.value.clone()
                };
                let key = name.encode_utf16().collect();
                if let Some(first) = places.get(&key) {
                    let message = format!("a second connector is called `{name}`");
                    self.errors.add_with_also(written.name.span, message, *first, "the first");
                    break;
                }
                places.insert(key, written.name.span);
                connectors.push(Connector { name, ..model.clone() });
            }
        }
        connectors.sort_by_cached_key(|connector| connector.name.encode_utf16().collect::<Vec<u16>>());
        connectors
    }

    /// One connector, or the pattern of many.
    pub(super) fn connector(
        &mut self,
        written: &ConnectorWritten,
        workers: &[Worker],
        layers: &Layers<'_>,
        limits: SessionLimits,
    ) -> Connector {
        self.check_name(written);
        let name = &written.name.value;
        let state = match written.state.as_deref() {
            Some("paused") => ConnectorState::Paused,
            Some("stopped") => ConnectorState::Stopped,
            _ => ConnectorState::Running,
        };
        let tasks = match (&written.tasks, state) {
            (_, ConnectorState::Stopped) => 0,
            (Some(tasks), _) => tasks.value,
            (None, _) => {
                self.errors.add_with_help(
                    written.name.span,
                    format!("it is not said how many tasks `{name}` has"),
                    "add `tasks`; only a stopped connector may be without",
                );
                0
            }
        };
        if let (Some(tasks), Some(most)) = (&written.tasks, &written.tasks_max)
            && tasks.value > most.value
        {
            let message = format!("`{name}` has {} tasks, more than its `tasks_max` of {}", tasks.value, most.value);
            self.errors.add_with_also(tasks.span, message, most.span, format!("at most {}", most.value));
        }
        let sink = self.sink(written, tasks, workers, layers, limits);
        let mut quick = |key: &str, given: &Option<Spread>| {
            if given.is_none() {
                let reason = "as measured with quick tasks: 16 to 154 ms";
                self.assume(format!("connectors.{key}"), TASK.to_string(), reason);
            }
            given.clone().unwrap_or(Spread::Fixed(TASK))
        };
        let (task_start, task_stop) = (quick("start", &written.start), quick("stop", &written.stop));
        Connector {
            name: name.clone(),
            tasks,
            tasks_max: written.tasks_max.as_ref().map(|most| most.value),
            state,
            task_start,
            task_stop,
            exactly_once: self.delivers_once(written, sink.is_some(), workers),
            reconfigures_after: written.reconfigures_after.clone(),
            flow: self.flow(written, tasks),
            sink,
        }
    }

    fn check_name(&mut self, written: &ConnectorWritten) {
        let pattern = written.name.value.contains("{n}");
        match &written.count {
            Some(count) if !pattern && count.value > 1 => {
                let message = format!("{} connectors cannot all be called `{}`", count.value, written.name.value);
                let help = format!("write `{}-{{n}}`: `{{n}}` becomes 1, 2 and so on", written.name.value);
                self.errors.add_with_help(written.name.span, message, help);
            }
            None if pattern => {
                let message = format!("`{}` holds `{{n}}`, but there is no `count`", written.name.value);
                self.errors.add_with_help(written.name.span, message, "add `count`, the number of such connectors");
            }
            _ => {}
        }
    }

    fn delivers_once(&mut self, written: &ConnectorWritten, sink: bool, workers: &[Worker]) -> bool {
        let enabled = workers.iter().all(|worker| worker.before.settings.exactly_once);
        match &written.exactly_once {
            Some(once) if once.value && sink => {
                self.errors.add(
                    once.span,
                    "only sources deliver exactly once by `exactly_once` (KIP-618), and this is a sink",
                );
                false
            }
            Some(once) if once.value != enabled && !sink => {
                let (said, is, write) = if enabled {
                    ("false", "enabled", "with it every source of the cluster delivers exactly once")
                } else {
                    ("true", "not enabled", "add `exactly.once.source.support: enabled` to `settings`")
                };
                let message =
                    format!("`exactly_once` is {said}, but exactly.once.source.support is {is} on the workers");
                self.errors.add_with_help(once.span, message, write);
                false
            }
            Some(once) => once.value,
            None => enabled && !sink,
        }
    }

    fn flow(&mut self, written: &ConnectorWritten, tasks: u32) -> Option<Flow> {
        let Some(arrival) = written.rate else {
            if let Some(capacity) = &written.capacity {
                let message = format!("`{}` has a `capacity` but no `rate`", written.name.value);
                self.errors.add_with_help(
                    capacity.span,
                    message,
                    "add `rate`, the records that arrive, such as `8000/s`",
                );
            }
            return None;
        };
        let capacity = written.capacity.as_ref().map_or_else(
            || {
                let twice = (2.0 * arrival / f64::from(tasks.max(1))).min(MOST_RECORDS);
                self.assume("connectors.capacity", "2 × rate ÷ tasks", "a task that keeps up, with as much to spare");
                twice
            },
            |capacity| capacity.value,
        );
        Some(Flow { arrival: RecordsPerSec(arrival), capacity_per_task: RecordsPerSec(capacity) })
    }

    fn sink(
        &mut self,
        written: &ConnectorWritten,
        tasks: u32,
        workers: &[Worker],
        layers: &Layers<'_>,
        limits: SessionLimits,
    ) -> Option<Sink> {
        let given = written.partitions.as_ref().map(|partitions| ("partitions", partitions.span));
        let given = given.or(written.consumer.as_ref().map(|consumer| ("consumer", consumer.span)));
        match (written.kind.as_ref().map(|kind| (kind.value.as_str(), kind.span)), given) {
            (Some(("source", kind)), Some((key, span))) => {
                let message = format!("`{key}` belongs to a sink, and `{}` is a source", written.name.value);
                self.errors.add_with_also(span, message, kind, "said here");
                return None;
            }
            (Some(("source", _)), None) => return None,
            (None, None) => {
                self.assume("connectors.kind", "source", "where nothing says it is a sink");
                return None;
            }
            _ => {}
        }
        let partitions = written.partitions.as_ref().map_or_else(
            || {
                self.assume("connectors.partitions", "as many as tasks", "nothing says how many a sink reads");
                tasks.max(1)
            },
            |partitions| partitions.value,
        );
        let rules = workers.first().map(|worker| worker.before.rules);
        let session_default = rules.map_or(Duration::from_secs(45), |rules| rules.consumer_session_timeout);
        let own = written.consumer.as_ref().map(consumer_layer).unwrap_or_default();
        let layers = layers.with(Some(&own));
        let mut millis = |key: &str, default: Duration| {
            let given = self.millis(&layers, &format!("consumer.{key}"), (1, i64::from(i32::MAX)));
            if layers.get(&format!("consumer.{key}")).is_none() {
                self.assume(format!("connectors.consumer.{key}"), default.to_string(), "Kafka's default for consumers");
            }
            given.unwrap_or(Spanned::new(default, Span::default()))
        };
        let session = millis("session.timeout.ms", session_default);
        let heartbeat = millis("heartbeat.interval.ms", Duration::from_secs(3));
        self.heartbeat_below_session("consumer.", &layers, &heartbeat, &session);
        self.session_within("consumer.session.timeout.ms", &layers, &session, limits);
        let assignor = self.assignor(written.consumer.as_ref(), &layers, workers);
        Some(Sink { partitions, assignor, session_timeout: session.value, heartbeat_interval: heartbeat.value })
    }

    fn assignor(
        &mut self,
        consumer: Option<&ConsumerWritten>,
        layers: &Layers<'_>,
        workers: &[Worker],
    ) -> ConsumerAssignor {
        let strategy = layers.get("consumer.partition.assignment.strategy");
        let (cooperative, span) = match (consumer.and_then(|consumer| consumer.assignor.as_ref()), strategy) {
            (Some(word), _) => (word.value == "cooperative-sticky", word.span),
            (None, Some(setting)) => {
                let first = setting.value.value.split(',').next().unwrap_or_default().trim();
                let cooperative = first.ends_with("CooperativeStickyAssignor");
                if !cooperative && !first.ends_with(".RangeAssignor") {
                    let reason = format!("`{first}` stops all tasks at each change, as the range assignor does");
                    self.assume("connectors.consumer.assignor", "range", reason);
                }
                (cooperative, setting.value.span)
            }
            (None, None) => {
                self.assume("connectors.consumer.assignor", "range", "Kafka's default for consumers");
                return ConsumerAssignor::Range;
            }
        };
        if !cooperative {
            return ConsumerAssignor::Range;
        }
        if let Some(old) = workers.iter().find(|worker| !worker.before.rules.cooperative_sinks) {
            let message = format!(
                "sinks may use the cooperative assignor from Kafka 3.0.1 on (KAFKA-12487), and `{}` runs {}",
                old.name, old.before.version
            );
            self.errors.add(span, message);
        }
        ConsumerAssignor::CooperativeSticky
    }
}

/// What a connector says of its consumers, as the worker's settings would say it for all.
fn consumer_layer(consumer: &ConsumerWritten) -> BTreeMap<String, Setting> {
    let settings = [
        ("consumer.session.timeout.ms", &consumer.session_timeout),
        ("consumer.heartbeat.interval.ms", &consumer.heartbeat_interval),
    ];
    settings
        .into_iter()
        .filter_map(|(key, value)| {
            let value = value.clone()?;
            Some((key.to_owned(), Setting { key: value.span, value }))
        })
        .collect()
}

/// From the order to start, or stop, a quick task to its running, or its end.
const TASK: Duration = Duration::from_millis(100);

/// The largest rate, per second, that can be written.
const MOST_RECORDS: f64 = 1e15;

/// More than any cluster has; keeps a slip of the pen from filling the memory.
const MAX_ITEMS: u64 = 200_000;
