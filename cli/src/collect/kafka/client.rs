//! Which broker to ask, over which connection, and what to do when it is the wrong one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustls::ClientConfig;

use super::access::Access;
use super::api::Request;
use super::connection::Connection;
use super::deadline::Deadline;
use super::error::{Attempt, KafkaError};
use super::messages::{Broker, Metadata, MetadataAnswer};
use super::socket::host_and_port;
use super::{probe, sasl, tls};

/// A Kafka cluster that can be asked, never changed.
///
/// Each method ends within [`Access::timeout`]. A coordinator or leader that has moved is
/// looked up again within it. Connections and what is known of the cluster stay for the
/// next call.
pub(crate) struct Kafka {
    access: Access,
    tls: Option<Arc<ClientConfig>>,
    connections: BTreeMap<String, Connection>,
    brokers: BTreeMap<i32, String>,
    /// Where each group's coordinator was last.
    pub(super) coordinators: BTreeMap<String, String>,
    /// Whether the cluster has the topic in which groups are kept.
    pub(super) has_groups: bool,
    /// Who led each partition last.
    pub(super) leaders: BTreeMap<(String, i32), i32>,
}

impl Kafka {
    /// Reads the files that the access names; connects to nobody yet.
    ///
    /// # Errors
    /// An address, a file or the credentials are of no use.
    pub(crate) fn new(access: Access) -> Result<Self, KafkaError> {
        if access.bootstrap.is_empty() {
            return Err(KafkaError::BadAddress { address: String::new() });
        }
        for address in &access.bootstrap {
            host_and_port(address)?;
        }
        access.sasl.as_ref().map_or(Ok(()), sasl::check)?;
        let tls = access.tls.as_ref().map(tls::config).transpose()?;
        Ok(Self {
            access,
            tls,
            connections: BTreeMap::new(),
            brokers: BTreeMap::new(),
            coordinators: BTreeMap::new(),
            has_groups: false,
            leaders: BTreeMap::new(),
        })
    }

    /// The cluster's id. Needs no permission.
    ///
    /// # Errors
    /// See [`KafkaError`].
    pub(crate) fn cluster_id(&mut self) -> Result<String, KafkaError> {
        let answer = self.metadata(&BTreeSet::new(), self.deadline())?;
        let why = "the cluster has no id".to_owned();
        let address = self.access.bootstrap.join(", ");
        answer.cluster.ok_or(KafkaError::NotUnderstood { address, step: "Metadata".to_owned(), why })
    }

    /// The end of a call that begins now.
    pub(super) fn deadline(&self) -> Deadline {
        Deadline::after(self.access.timeout)
    }

    /// The brokers as the cluster advertises them, by their id.
    pub(super) fn brokers(&mut self, deadline: Deadline) -> Result<Vec<String>, KafkaError> {
        self.metadata(&BTreeSet::new(), deadline)?;
        Ok(self.brokers.values().cloned().collect())
    }

    /// The address of a broker.
    pub(super) fn broker(&self, id: i32) -> Option<&String> {
        self.brokers.get(&id)
    }

    /// Asks about the cluster and these topics, and remembers the brokers.
    pub(super) fn metadata(
        &mut self,
        topics: &BTreeSet<String>,
        deadline: Deadline,
    ) -> Result<MetadataAnswer, KafkaError> {
        let answer = self.ask_any(&Metadata { topics: topics.iter().cloned().collect() }, deadline)?;
        self.brokers = answer.brokers.iter().map(|broker| (broker.id, address(broker))).collect();
        Ok(answer)
    }

    /// Asks one broker. A connection that was kept and has gone stale meanwhile (idle for too
    /// long, the broker restarted, the session over) is replaced once.
    pub(super) fn ask<R: Request>(
        &mut self,
        address: &str,
        request: &R,
        deadline: Deadline,
    ) -> Result<R::Answer, KafkaError> {
        if let Some(mut kept) = self.connections.remove(address) {
            match kept.ask(request, deadline) {
                Err(KafkaError::Closed { .. }) => {}
                answer => {
                    if answer.is_ok() {
                        self.connections.insert(address.to_owned(), kept);
                    }
                    return answer;
                }
            }
        }
        let tls = self.tls.as_ref();
        let opened = Connection::open(address, &self.access, tls, deadline);
        let mut fresh = opened.map_err(|error| self.explained(address, error))?;
        let answer = fresh.ask(request, deadline);
        match answer {
            Ok(answer) => {
                self.connections.insert(address.to_owned(), fresh);
                Ok(answer)
            }
            Err(closed @ KafkaError::Closed { .. }) if self.access.sasl.is_none() => {
                Err(probe::sasl_needed(address, tls, deadline).unwrap_or(closed))
            }
            Err(error) => Err(error),
        }
    }

    /// Asks whoever answers first: open connections, known brokers, then the first addresses.
    /// The time that is left is shared among those that are still to be tried.
    pub(super) fn ask_any<R: Request>(&mut self, request: &R, deadline: Deadline) -> Result<R::Answer, KafkaError> {
        let mut addresses: Vec<String> = Vec::new();
        let known = self.connections.keys().chain(self.brokers.values()).chain(&self.access.bootstrap);
        for address in known {
            if !addresses.contains(address) {
                addresses.push(address.clone());
            }
        }
        let mut errors = Vec::new();
        for (place, address) in addresses.iter().enumerate() {
            match self.ask(address, request, deadline.share(addresses.len() - place)) {
                Err(error) if error.is_of_one_broker() => errors.push((address.clone(), error)),
                answer => return answer,
            }
        }
        if let [_] = errors[..] {
            return Err(errors.remove(0).1);
        }
        let attempts = errors.into_iter().flat_map(|(address, error)| match error {
            KafkaError::Unreachable { attempts } => attempts,
            KafkaError::TimedOut { step, .. } => vec![Attempt { address, why: format!("no answer in time: {step}") }],
            KafkaError::Closed { step, .. } => vec![Attempt { address, why: format!("connection closed: {step}") }],
            other => vec![Attempt { address, why: other.to_string() }],
        });
        Err(KafkaError::Unreachable { attempts: attempts.collect() })
    }

    /// The error with what is known here: that an address is the cluster's own idea, which is
    /// hard to see when the first one could be reached; that there is no client certificate.
    fn explained(&self, address: &str, error: KafkaError) -> KafkaError {
        match error {
            KafkaError::Unreachable { mut attempts } if !self.access.bootstrap.iter().any(|each| each == address) => {
                for attempt in &mut attempts {
                    attempt.why.push_str("; the cluster advertises this address");
                }
                KafkaError::Unreachable { attempts }
            }
            KafkaError::CertificateRefused { address, .. }
                if self.access.tls.as_ref().is_some_and(|tls| tls.identity.is_none()) =>
            {
                KafkaError::CertificateRefused { address, why: "it asks for one and none is configured".to_owned() }
            }
            other => other,
        }
    }
}

/// `host:port` of a broker, in the form in which [`Access::bootstrap`] is written.
pub(super) fn address(broker: &Broker) -> String {
    let Broker { host, port, .. } = broker;
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}
