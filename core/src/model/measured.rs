//! What of a description was measured.

use super::{Cluster, Start};
use crate::units::Spread;

/// A time that is given by measured samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The key that says it, such as `restart.start`.
    pub key: &'static str,
    /// How many samples the shortest list of it has.
    pub samples: usize,
}

impl Cluster {
    /// The times that samples say, each key once; what is drawn from few samples is known badly.
    pub fn measured(&self) -> Vec<Measured> {
        let mut all: Vec<Measured> = Vec::new();
        let mut note = |key: &'static str, spread: &Spread| {
            let Spread::Samples(samples) = spread else { return };
            match all.iter_mut().find(|measured| measured.key == key) {
                Some(measured) => measured.samples = measured.samples.min(samples.len()),
                None => all.push(Measured { key, samples: samples.len() }),
            }
        };
        for worker in &self.workers {
            note("restart.stop", &worker.restart.stop);
            note("restart.down", &worker.restart.down);
            match &worker.restart.start {
                Start::Whole(whole) => note("restart.start", whole),
                Start::Parts { jvm, plugin_scan, topics } => {
                    note("restart.start.jvm", jvm);
                    note("restart.start.plugin_scan", plugin_scan);
                    note("restart.start.topics", topics);
                }
            }
        }
        for connector in &self.connectors {
            note("connectors.start", &connector.task_start);
            note("connectors.stop", &connector.task_stop);
            if let Some(after) = &connector.reconfigures_after {
                note("connectors.reconfigures_after", after);
            }
        }
        all
    }
}
