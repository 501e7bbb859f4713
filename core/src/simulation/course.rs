//! A roll that is told one step at a time.

use super::chance::Seed;
use super::operator::Operator;
use super::roll::{LONGEST, settled};
use super::schedule::{Order, Schedule, Turn};
use super::timeline::Timeline;
use super::world::{Detail, World};
use crate::model::{Cluster, WorkerId};
use crate::units::SimTime;

/// A roll under way that waits for its next step: what a search can copy, and go on from in
/// several ways.
///
/// Told the same steps, it runs as [`simulate`](super::simulate) does with [`Order::Turns`], to
/// the byte.
#[derive(Clone)]
pub struct Course<'a> {
    world: World<'a>,
}

impl<'a> Course<'a> {
    /// A quiet, settled cluster before the first step; what `schedule` says of stops, delays
    /// and waits holds for all steps, its order is taken to be empty.
    pub fn begin(cluster: &'a Cluster, schedule: &Schedule, seed: Seed) -> Self {
        let mut world = settled(cluster, seed, Detail::Figures);
        world.begin_roll(Schedule { order: Order::Turns(Vec::new()), ..schedule.clone() });
        if let Some(operator) = &mut world.operator {
            operator.keep_open(cluster.workers.len());
        }
        world.go_on(SimTime::ZERO + LONGEST);
        Self { world }
    }

    /// What happened so far; it ends now.
    pub fn timeline(&self) -> &Timeline {
        &self.world.timeline
    }

    /// The worker that leads the group now.
    pub fn leader(&self) -> Option<WorkerId> {
        self.world.leading_worker()
    }

    /// Takes the next step, after its wait, and goes on until its workers are back.
    pub fn take(&mut self, turn: Turn) {
        self.tell(|operator| operator.add(turn));
    }

    /// Ends the roll: nothing more is restarted, and all comes to rest.
    #[must_use]
    pub fn finish(mut self) -> Timeline {
        self.tell(Operator::close);
        self.world.finish_rounds();
        self.world.timeline
    }

    fn tell(&mut self, what: impl FnOnce(&mut Operator)) {
        if let Some(operator) = &mut self.world.operator {
            what(operator);
        }
        self.world.asks = false;
        self.world.operate();
        self.world.go_on(SimTime::ZERO + LONGEST);
    }
}
