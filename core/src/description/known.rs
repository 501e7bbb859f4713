//! Every setting that Kafka's own definitions know and that can stand in a worker's file: one table.
//!
//! Made from what `tests/oracle/settings/record` printed of `DistributedConfig`,
//! `StandaloneConfig`, `ProducerConfig`, `ConsumerConfig`, `AdminClientConfig` and the connectors'
//! definitions of one release of each minor version from 2.8 to 4.4; a test compares them.

/// A setting of Kafka's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownSetting {
    /// Its name.
    pub name: &'static str,
    /// Who reads it.
    pub owner: Owner,
    /// The first minor version that knows it; 2.8 also for what is older.
    pub since: Minor,
    /// The last minor version that knows it; `None` if the newest does.
    pub until: Option<Minor>,
}

/// The first two numbers of a version.
pub type Minor = (u16, u16);

/// Who reads a setting, where several do the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The distributed worker.
    Worker,
    /// The worker's own clients, which read and write the internal topics: they get every setting of the file.
    Client,
    /// A connector, in its own configuration.
    Connector,
    /// The standalone worker.
    Standalone,
}

impl KnownSetting {
    /// All of them, sorted by name.
    pub const fn all() -> &'static [Self] {
        KNOWN
    }

    /// The one of that name.
    pub fn of(name: &str) -> Option<&'static Self> {
        let place = KNOWN.binary_search_by_key(&name, |known| known.name).ok()?;
        KNOWN.get(place)
    }

    /// Whether a minor version knows it.
    pub fn is_known_to(&self, version: Minor) -> bool {
        self.since <= version && self.until.is_none_or(|until| version <= until)
    }

    const fn new(owner: Owner, name: &'static str) -> Self {
        Self { name, owner, since: OLDEST, until: None }
    }

    const fn since(self, major: u16, minor: u16) -> Self {
        Self { since: (major, minor), ..self }
    }

    const fn until(self, major: u16, minor: u16) -> Self {
        Self { until: Some((major, minor)), ..self }
    }
}

/// Whether the worker hands a setting on to something inside whose settings nobody lists: to its
/// task clients, its internal topics, converters, listeners, metrics, or to what vendors add.
pub(crate) fn is_handed_on(name: &str) -> bool {
    HANDED_ON.iter().any(|prefix| name.starts_with(prefix))
}

const fn worker(name: &'static str) -> KnownSetting {
    KnownSetting::new(Owner::Worker, name)
}

const fn client(name: &'static str) -> KnownSetting {
    KnownSetting::new(Owner::Client, name)
}

const fn connector(name: &'static str) -> KnownSetting {
    KnownSetting::new(Owner::Connector, name)
}

const fn standalone(name: &'static str) -> KnownSetting {
    KnownSetting::new(Owner::Standalone, name)
}

const OLDEST: Minor = (2, 8);

const HANDED_ON: &[&str] = &[
    "admin.",
    "config.providers.",
    "config.storage.",
    "confluent.",
    "consumer.",
    "header.converter.",
    "internal.key.converter.",
    "internal.value.converter.",
    "key.converter.",
    "listeners.",
    "metrics.context.",
    "offset.storage.",
    "producer.",
    "status.storage.",
    "value.converter.",
];

const KNOWN: &[KnownSetting] = &[
    worker("access.control.allow.methods"),
    worker("access.control.allow.origin"),
    client("acks"),
    worker("admin.listeners"),
    client("allow.auto.create.topics"),
    client("auto.commit.interval.ms"),
    worker("auto.include.jmx.reporter").since(3, 4).until(3, 9),
    client("auto.offset.reset"),
    client("batch.size"),
    client("bootstrap.controllers").since(3, 7),
    worker("bootstrap.resolve.timeout.ms").since(4, 4),
    worker("bootstrap.servers"),
    client("buffer.memory"),
    client("buffer.memory.allocation.strategy").since(4, 4),
    client("check.crcs"),
    worker("client.dns.lookup"),
    worker("client.id"),
    client("client.rack"),
    client("compression.gzip.level").since(3, 8),
    client("compression.lz4.level").since(3, 8),
    client("compression.type"),
    client("compression.zstd.level").since(3, 8),
    connector("config.action.reload"),
    worker("config.providers"),
    worker("config.storage.replication.factor"),
    worker("config.storage.topic"),
    worker("connect.protocol"),
    worker("connections.max.idle.ms"),
    connector("connector.class"),
    worker("connector.client.config.override.policy"),
    connector("connector.plugin.version").since(4, 1),
    client("default.api.timeout.ms"),
    client("delivery.timeout.ms"),
    client("enable.auto.commit"),
    client("enable.idempotence"),
    client("enable.metrics.push").since(3, 7),
    connector("errors.deadletterqueue.context.headers.enable"),
    connector("errors.deadletterqueue.topic.name"),
    connector("errors.deadletterqueue.topic.replication.factor"),
    connector("errors.log.enable"),
    connector("errors.log.include.messages"),
    connector("errors.retry.delay.max.ms"),
    connector("errors.retry.timeout"),
    connector("errors.tolerance"),
    worker("exactly.once.source.support").since(3, 3),
    connector("exactly.once.support").since(3, 3),
    client("exclude.internal.topics"),
    client("fetch.max.bytes"),
    client("fetch.max.wait.ms"),
    client("fetch.min.bytes"),
    worker("group.id"),
    client("group.instance.id"),
    client("group.protocol").since(3, 7),
    client("group.remote.assignor").since(3, 7),
    worker("header.converter"),
    worker("header.converter.plugin.version").since(4, 1),
    worker("heartbeat.interval.ms"),
    worker("inter.worker.key.generation.algorithm"),
    worker("inter.worker.key.size"),
    worker("inter.worker.key.ttl.ms"),
    worker("inter.worker.signature.algorithm"),
    worker("inter.worker.verification.algorithms"),
    client("interceptor.classes"),
    client("internal.auto.downgrade.txn.commit").until(2, 8),
    worker("internal.key.converter").until(2, 8),
    client("internal.leave.group.on.close").until(4, 1),
    client("internal.throw.on.fetch.stable.offset.unsupported"),
    worker("internal.topics.automatic.creation.enable").since(4, 4),
    worker("internal.value.converter").until(2, 8),
    client("isolation.level"),
    worker("key.converter"),
    worker("key.converter.plugin.version").since(4, 1),
    client("key.deserializer"),
    client("key.serializer"),
    client("linger.ms"),
    worker("listeners"),
    client("max.block.ms"),
    client("max.in.flight.requests.per.connection"),
    client("max.partition.fetch.bytes"),
    client("max.poll.interval.ms"),
    client("max.poll.records"),
    client("max.request.size"),
    worker("metadata.cluster.check.enable").since(4, 4),
    worker("metadata.max.age.ms"),
    client("metadata.max.idle.ms"),
    worker("metadata.recovery.rebootstrap.trigger.ms").since(4, 0),
    worker("metadata.recovery.strategy").since(3, 8),
    worker("metric.reporters"),
    worker("metrics.num.samples"),
    worker("metrics.recording.level"),
    worker("metrics.sample.window.ms"),
    connector("name"),
    worker("offset.flush.interval.ms"),
    worker("offset.flush.timeout.ms"),
    standalone("offset.storage.file.filename"),
    worker("offset.storage.partitions"),
    worker("offset.storage.replication.factor"),
    worker("offset.storage.topic"),
    connector("offsets.storage.topic").since(3, 3),
    client("partition.assignment.strategy"),
    client("partitioner.adaptive.partitioning.enable").since(3, 3),
    client("partitioner.availability.timeout.ms").since(3, 3),
    client("partitioner.class"),
    client("partitioner.ignore.keys").since(3, 3),
    client("partitioner.rack.aware").since(4, 4),
    worker("plugin.discovery").since(3, 6),
    worker("plugin.path"),
    connector("predicates"),
    worker("rebalance.timeout.ms"),
    worker("receive.buffer.bytes"),
    worker("reconnect.backoff.max.ms"),
    worker("reconnect.backoff.ms"),
    worker("request.timeout.ms"),
    worker("response.http.headers.config"),
    worker("rest.advertised.host.name"),
    worker("rest.advertised.listener"),
    worker("rest.advertised.port"),
    worker("rest.extension.classes"),
    worker("rest.host.name").until(2, 8),
    worker("rest.port").until(2, 8),
    client("retries"),
    worker("retry.backoff.max.ms").since(3, 7),
    worker("retry.backoff.ms"),
    worker("sasl.client.callback.handler.class"),
    worker("sasl.jaas.config"),
    worker("sasl.kerberos.kinit.cmd"),
    worker("sasl.kerberos.min.time.before.relogin"),
    worker("sasl.kerberos.service.name"),
    worker("sasl.kerberos.ticket.renew.jitter"),
    worker("sasl.kerberos.ticket.renew.window.factor"),
    worker("sasl.login.callback.handler.class"),
    worker("sasl.login.class"),
    worker("sasl.login.connect.timeout.ms").since(3, 1),
    worker("sasl.login.read.timeout.ms").since(3, 1),
    worker("sasl.login.refresh.buffer.seconds"),
    worker("sasl.login.refresh.min.period.seconds"),
    worker("sasl.login.refresh.window.factor"),
    worker("sasl.login.refresh.window.jitter"),
    worker("sasl.login.retry.backoff.max.ms").since(3, 1),
    worker("sasl.login.retry.backoff.ms").since(3, 1),
    worker("sasl.mechanism"),
    worker("sasl.oauthbearer.allow.unverified.audience").since(4, 4),
    worker("sasl.oauthbearer.allow.unverified.issuer").since(4, 4),
    worker("sasl.oauthbearer.assertion.algorithm").since(4, 1),
    worker("sasl.oauthbearer.assertion.claim.aud").since(4, 1),
    worker("sasl.oauthbearer.assertion.claim.exp.seconds").since(4, 1),
    worker("sasl.oauthbearer.assertion.claim.iss").since(4, 1),
    worker("sasl.oauthbearer.assertion.claim.jti.include").since(4, 1),
    worker("sasl.oauthbearer.assertion.claim.nbf.seconds").since(4, 1),
    worker("sasl.oauthbearer.assertion.claim.sub").since(4, 1),
    worker("sasl.oauthbearer.assertion.file").since(4, 1),
    worker("sasl.oauthbearer.assertion.private.key.file").since(4, 1),
    worker("sasl.oauthbearer.assertion.private.key.passphrase").since(4, 1),
    worker("sasl.oauthbearer.assertion.template.file").since(4, 1),
    worker("sasl.oauthbearer.client.credentials.client.id").since(4, 1),
    worker("sasl.oauthbearer.client.credentials.client.secret").since(4, 1),
    worker("sasl.oauthbearer.clock.skew.seconds").since(3, 1),
    worker("sasl.oauthbearer.expected.audience").since(3, 1),
    worker("sasl.oauthbearer.expected.issuer").since(3, 1),
    worker("sasl.oauthbearer.header.urlencode").since(3, 9),
    worker("sasl.oauthbearer.jwks.endpoint.refresh.ms").since(3, 1),
    worker("sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms").since(3, 1),
    worker("sasl.oauthbearer.jwks.endpoint.retry.backoff.ms").since(3, 1),
    worker("sasl.oauthbearer.jwks.endpoint.url").since(3, 1),
    worker("sasl.oauthbearer.jwt.retriever.class").since(4, 1),
    worker("sasl.oauthbearer.jwt.validator.class").since(4, 1),
    worker("sasl.oauthbearer.scope").since(4, 1),
    worker("sasl.oauthbearer.scope.claim.name").since(3, 1),
    worker("sasl.oauthbearer.sub.claim.name").since(3, 1),
    worker("sasl.oauthbearer.token.endpoint.url").since(3, 1),
    worker("scheduled.rebalance.max.delay.ms"),
    worker("security.protocol"),
    client("security.providers"),
    worker("send.buffer.bytes"),
    worker("session.timeout.ms"),
    client("share.acknowledgement.mode").since(4, 1),
    client("share.acquire.mode").since(4, 2),
    worker("socket.connection.setup.timeout.max.ms"),
    worker("socket.connection.setup.timeout.ms"),
    worker("ssl.cipher.suites"),
    worker("ssl.client.auth"),
    worker("ssl.enabled.protocols"),
    worker("ssl.endpoint.identification.algorithm"),
    worker("ssl.engine.factory.class"),
    worker("ssl.key.password"),
    worker("ssl.keymanager.algorithm"),
    worker("ssl.keystore.certificate.chain"),
    worker("ssl.keystore.key"),
    worker("ssl.keystore.location"),
    worker("ssl.keystore.password"),
    worker("ssl.keystore.type"),
    worker("ssl.protocol"),
    worker("ssl.provider"),
    worker("ssl.secure.random.implementation"),
    worker("ssl.trustmanager.algorithm"),
    worker("ssl.truststore.certificates"),
    worker("ssl.truststore.location"),
    worker("ssl.truststore.password"),
    worker("ssl.truststore.type"),
    worker("status.storage.partitions"),
    worker("status.storage.replication.factor"),
    worker("status.storage.topic"),
    worker("task.shutdown.graceful.timeout.ms"),
    connector("tasks.max"),
    connector("tasks.max.enforce").since(3, 8),
    worker("topic.creation.enable"),
    connector("topic.creation.groups"),
    worker("topic.tracking.allow.reset"),
    worker("topic.tracking.enable"),
    connector("topics"),
    connector("topics.regex"),
    connector("transaction.boundary").since(3, 3),
    connector("transaction.boundary.interval.ms").since(3, 3),
    client("transaction.timeout.ms"),
    client("transaction.two.phase.commit.enable").since(4, 1),
    client("transactional.id"),
    connector("transforms"),
    worker("value.converter"),
    worker("value.converter.plugin.version").since(4, 1),
    client("value.deserializer"),
    client("value.serializer"),
    worker("worker.sync.timeout.ms"),
    worker("worker.unsync.backoff.ms"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(KNOWN.is_sorted_by_key(|known| known.name) && HANDED_ON.is_sorted());
    }

    #[test]
    fn a_setting_is_known_from_its_first_version_to_its_last() {
        let reporter = KnownSetting::of("auto.include.jmx.reporter").unwrap();
        let known: Vec<bool> =
            [(3, 3), (3, 4), (3, 9), (4, 0)].iter().map(|minor| reporter.is_known_to(*minor)).collect();
        assert_eq!(known, [false, true, true, false]);
        assert_eq!(KnownSetting::of("group.idd"), None);
    }
}
