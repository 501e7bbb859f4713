//! Kafka's settings: the strongest layer that gives a key counts.

use std::collections::BTreeMap;

use super::{Build, SessionLimits};
use crate::description::Setting;
use crate::model::{ConnectProtocol, KafkaVersion, WorkerRules, WorkerSettings, WorkerSetup};
use crate::text::{Span, Spanned};
use crate::units::Duration;

/// Settings from several places, the strongest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers<'d>(pub(super) Vec<&'d BTreeMap<String, Setting>>);

impl<'d> Layers<'d> {
    /// The setting that counts.
    pub(crate) fn get(&self, key: &str) -> Option<&'d Setting> {
        self.0.iter().rev().find_map(|layer| layer.get(key))
    }

    /// The value that counts.
    pub(crate) fn text(&self, key: &str) -> Option<&'d str> {
        self.get(key).map(|setting| setting.value.value.as_str())
    }

    /// With one more layer, if there is one, which is the strongest.
    pub(crate) fn with(&self, layer: Option<&'d BTreeMap<String, Setting>>) -> Self {
        Self(self.0.iter().copied().chain(layer).collect())
    }
}

impl Build {
    /// A setting in milliseconds, as Kafka reads it.
    pub(super) fn millis(
        &mut self,
        layers: &Layers<'_>,
        key: &str,
        (least, most): (i64, i64),
    ) -> Option<Spanned<Duration>> {
        let value = &layers.get(key)?.value;
        let text = value.value.trim();
        if let Ok(millis) = text.parse::<i64>() {
            if (least..=most).contains(&millis) {
                return Some(Spanned::new(Duration::from_millis(millis), value.span));
            }
            self.errors.add(value.span, format!("`{key}` is {millis}, and must be from {least} to {most}"));
            return None;
        }
        if text.contains("${") {
            let message = format!("`{key}` is `{text}`, which only the worker itself can fill in");
            self.errors.add_with_help(value.span, message, "write the value under `settings`");
            return None;
        }
        let found = if text.is_empty() { "empty".to_owned() } else { format!("`{text}`") };
        let message = format!("`{key}` is {found}; Kafka wants a whole number of milliseconds");
        let error = self.errors.add(value.span, message);
        if let Some(meant) = crate::description::time(text) {
            error.help = Some(format!("write {}", meant.as_millis()));
        }
        None
    }

    /// A setting in milliseconds, Kafka's default if nobody gives it.
    fn millis_or(&mut self, layers: &Layers<'_>, key: &'static str, default: i64, least: i64) -> Spanned<Duration> {
        let most = if key == "task.shutdown.graceful.timeout.ms" { i64::MAX / 4_000 } else { i64::from(i32::MAX) };
        if let Some(given) = self.millis(layers, key, (least, most)) {
            return given;
        }
        let default = Duration::from_millis(default);
        if layers.get(key).is_none() {
            self.assume(format!("{}.{key}", self.scope), default.to_string(), "Kafka's default");
        }
        Spanned::new(default, Span::default())
    }

    /// What a worker's version and settings mean to its group.
    pub(super) fn setup(&mut self, layers: &Layers<'_>, version: KafkaVersion, limits: SessionLimits) -> WorkerSetup {
        let rules = version.rules();
        let heartbeat = self.millis_or(layers, "heartbeat.interval.ms", 3_000, 1);
        let session = self.millis_or(layers, "session.timeout.ms", 10_000, 1);
        self.heartbeat_below_session("", layers, &heartbeat, &session);
        self.session_within("session.timeout.ms", layers, &session, limits);
        let settings = WorkerSettings {
            protocol: self.protocol(layers),
            delay: self.millis_or(layers, "scheduled.rebalance.max.delay.ms", 300_000, 0).value,
            heartbeat_interval: heartbeat.value,
            session_timeout: session.value,
            rebalance_timeout: self.millis_or(layers, "rebalance.timeout.ms", 60_000, 1).value,
            graceful_timeout: self.millis_or(layers, "task.shutdown.graceful.timeout.ms", 5_000, 0).value,
            sync_timeout: self.millis_or(layers, "worker.sync.timeout.ms", 3_000, 0).value,
            unsync_backoff: self.millis_or(layers, "worker.unsync.backoff.ms", 300_000, 0).value,
            exactly_once: self.exactly_once(layers, rules, version),
        };
        WorkerSetup { version, rules, settings }
    }

    fn protocol(&mut self, layers: &Layers<'_>) -> ConnectProtocol {
        let Some(setting) = layers.get("connect.protocol") else {
            self.assume(format!("{}.connect.protocol", self.scope), "sessioned", "Kafka's default");
            return ConnectProtocol::Sessioned;
        };
        match setting.value.value.as_str() {
            "eager" => ConnectProtocol::Eager,
            "compatible" => ConnectProtocol::Compatible,
            "sessioned" => ConnectProtocol::Sessioned,
            other => {
                let message = format!("`connect.protocol` is `{other}`");
                self.errors.add_with_help(setting.value.span, message, "write `eager`, `compatible` or `sessioned`");
                ConnectProtocol::Sessioned
            }
        }
    }

    fn exactly_once(&mut self, layers: &Layers<'_>, rules: WorkerRules, version: KafkaVersion) -> bool {
        let Some(setting) = layers.get("exactly.once.source.support") else { return false };
        match setting.value.value.to_ascii_lowercase().as_str() {
            "disabled" | "preparing" => false,
            "enabled" if rules.exactly_once => true,
            "enabled" => {
                let message = format!("exactly-once sources need Kafka 3.3.0 or later, and a worker runs {version}");
                self.errors.add(setting.value.span, message);
                false
            }
            other => {
                let message = format!("`exactly.once.source.support` is `{other}`");
                self.errors.add_with_help(setting.value.span, message, "write `disabled`, `preparing` or `enabled`");
                false
            }
        }
    }

    /// Kafka's client refuses to start otherwise (`Heartbeat`).
    pub(super) fn heartbeat_below_session(
        &mut self,
        prefix: &str,
        layers: &Layers<'_>,
        heartbeat: &Spanned<Duration>,
        session: &Spanned<Duration>,
    ) {
        if heartbeat.value < session.value {
            return;
        }
        let key = |name: &str| format!("{prefix}{name}");
        let given = |name: &str| layers.get(&key(name)).map(|setting| setting.value.span);
        let (interval, timeout) = (given("heartbeat.interval.ms"), given("session.timeout.ms"));
        let default = |given: Option<Span>| if given.is_some() { "" } else { ", the default" };
        let message = format!(
            "heartbeat.interval.ms ({}{}) must be below session.timeout.ms ({}{})",
            heartbeat.value.as_millis(),
            default(interval),
            session.value.as_millis(),
            default(timeout)
        );
        match (interval, timeout) {
            (Some(interval), Some(timeout)) => {
                let label = format!("session.timeout.ms is {}", session.value.as_millis());
                self.errors.add_with_also(interval, message, timeout, label);
            }
            (interval, timeout) => {
                self.errors.add(interval.or(timeout).unwrap_or_default(), message);
            }
        }
    }

    /// The coordinator refuses members with other session time-outs (`INVALID_SESSION_TIMEOUT`).
    pub(super) fn session_within(
        &mut self,
        key: &str,
        layers: &Layers<'_>,
        session: &Spanned<Duration>,
        limits: SessionLimits,
    ) {
        let (name, (limit, limited), how) = if session.value < limits.least.0 {
            ("group.min.session.timeout.ms", limits.least, "below")
        } else if session.value > limits.most.0 {
            ("group.max.session.timeout.ms", limits.most, "above")
        } else {
            return;
        };
        let given = layers.get(key).map(|setting| setting.value.span);
        // Kafka's defaults are within Kafka's limits: one of the two was given, or was reported.
        let Some(place) = given.or(limited) else { return };
        let (default, help) = match given {
            Some(_) => ("", format!("if the brokers say otherwise, give {name} under `broker: {{settings: …}}`")),
            None => (", the default", format!("the members need a {key} within the limits")),
        };
        let message = format!(
            "{key} ({}{default}) is {how} the brokers' {name} ({}): they would refuse the member",
            session.value.as_millis(),
            limit.as_millis()
        );
        self.errors.add_with_help(place, message, help);
    }
}

/// The client id of a worker, which begins its member ids.
///
/// Follows `DistributedHerder` and `RestServer.advertisedUrl` of 4.3.1: `client.id`, or
/// `connect-<host>:<port>` of the advertised address from 3.7 on (KAFKA-15888), or `connect-1`.
///
/// # Leaves out
/// The resolved host name of a machine whose listener names no host: it is `host` here.
pub(super) fn client_id(layers: &Layers<'_>, rules: WorkerRules, host: &str) -> String {
    let given = |key| layers.text(key).map(str::trim).filter(|text| !text.is_empty());
    if let Some(id) = given("client.id") {
        return id.to_owned();
    }
    if !rules.client_id_has_address {
        return "connect-1".to_owned();
    }
    let listeners: Vec<(&str, &str, &str)> =
        given("listeners").unwrap_or("http://:8083").split(',').filter_map(|url| listener(url.trim())).collect();
    let plain = listeners.iter().any(|(scheme, ..)| scheme.eq_ignore_ascii_case("http"));
    let scheme = given("rest.advertised.listener").unwrap_or(if plain { "http" } else { "https" });
    let found = listeners.iter().find(|(known, ..)| known.eq_ignore_ascii_case(scheme));
    let (listening, port) = found.map_or(("", "8083"), |(_, host, port)| (*host, *port));
    let host = given("rest.advertised.host.name").or(Some(listening).filter(|host| !host.is_empty())).unwrap_or(host);
    let port = given("rest.advertised.port").unwrap_or(port);
    format!("connect-{host}:{port}")
}

/// The same where no setting decides: with the address from 3.7 on.
pub(crate) fn default_client_id(rules: WorkerRules, host: &str) -> String {
    client_id(&Layers::default(), rules, host)
}

/// Scheme, host and port of `http://host:8083/`.
fn listener(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let (host, port) = rest.trim_end_matches('/').rsplit_once(':')?;
    // A name and a password before the host are no part of it.
    let host = host.rsplit('@').next().unwrap_or(host);
    Some((scheme, host, port))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Span;

    fn id(pairs: &[(&str, &str)], version: KafkaVersion) -> String {
        let layer: BTreeMap<String, Setting> = pairs
            .iter()
            .map(|(key, value)| {
                let value = Spanned::new((*value).to_owned(), Span::default());
                ((*key).to_owned(), Setting { value, key: Span::default() })
            })
            .collect();
        client_id(&Layers(vec![&layer]), version.rules(), "h1")
    }

    #[test]
    fn client_ids_are_the_advertised_addresses_since_3_7() {
        let new = KafkaVersion::new(3, 7, 0);
        assert_eq!(id(&[], new), "connect-h1:8083");
        assert_eq!(id(&[("rest.advertised.host.name", "w1"), ("rest.advertised.port", "80")], new), "connect-w1:80");
        assert_eq!(id(&[("listeners", "http://localhost:8084/")], new), "connect-localhost:8084");
        assert_eq!(id(&[("listeners", "https://:8443, http://:8085")], new), "connect-h1:8085");
        let tls = [("listeners", "http://:1,https://:8443"), ("rest.advertised.listener", "https")];
        assert_eq!(id(&tls, new), "connect-h1:8443");
        assert_eq!(id(&[("listeners", "http://user:p@ss@h2:8083")], new), "connect-h2:8083");
        assert_eq!(id(&[("client.id", "mine")], new), "mine");
        assert_eq!(id(&[], KafkaVersion::new(3, 6, 2)), "connect-1");
    }
}
