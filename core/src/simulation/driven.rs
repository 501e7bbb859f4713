//! A run whose operator is elsewhere: looked at when it pleases, told whom to restart.

use super::chance::Seed;
use super::roll::settled;
use super::schedule::Step;
use super::timeline::Timeline;
use super::worker::Alive;
use super::world::{Detail, World};
use crate::model::{Cluster, WorkerId};
use crate::units::SimTime;

/// A cluster that lives on from one moment to the next, and whose workers are restarted when its
/// owner says so. What a real cluster is to a gate, this is to a rehearsal.
pub struct Driven<'a> {
    world: World<'a>,
}

impl<'a> Driven<'a> {
    /// A quiet, settled cluster.
    pub fn begin(cluster: &'a Cluster, seed: Seed) -> Self {
        Self { world: settled(cluster, seed, Detail::Full) }
    }

    /// Its time.
    pub fn now(&self) -> SimTime {
        self.world.now
    }

    /// Lets everything happen until then.
    pub fn advance(&mut self, to: SimTime) {
        self.world.live_until(to);
        self.note_returns();
    }

    /// Stops workers now, in an orderly way; each comes back after its restart. Who is down already
    /// is started.
    pub fn restart(&mut self, workers: &[WorkerId]) {
        let leading = self.world.leading_worker();
        let leads = workers.iter().any(|&worker| Some(worker) == leading);
        if self.world.timeline.steps.is_empty() {
            self.world.timeline.began = self.world.now;
        }
        for &worker in workers {
            match self.world.workers[worker.index()].alive {
                Alive::No => self.world.reboot(worker),
                Alive::Up | Alive::Frozen => self.world.stop(worker),
                // It is on its way already.
                Alive::Booting | Alive::Stopping => {}
            }
        }
        let step = Step { at: self.world.now, workers: workers.to_vec(), leads, flush: false, back: None };
        self.world.timeline.steps.push(step);
    }

    /// The worker that leads the group now.
    pub fn leader(&self) -> Option<WorkerId> {
        self.world.leading_worker()
    }

    /// Whether everything that is wanted runs and nothing more will move.
    pub fn is_settled(&self) -> bool {
        self.world.is_settled()
    }

    /// What happened so far.
    pub fn timeline(&self) -> &Timeline {
        &self.world.timeline
    }

    /// What happened, if nothing more is done to it: it ends now.
    #[must_use]
    pub fn finish(mut self) -> Timeline {
        self.world.finish_rounds();
        self.world.timeline.settled = self.world.is_settled().then(|| self.world.timeline.last_change());
        self.world.timeline.ended = self.world.now;
        self.world.timeline
    }

    fn note_returns(&mut self) {
        let world = &mut self.world;
        let Some(step) = world.timeline.steps.last_mut().filter(|step| step.back.is_none()) else { return };
        let back = |&worker: &WorkerId| {
            let run = &world.workers[worker.index()];
            run.alive == Alive::Up && run.back
        };
        if step.workers.iter().all(back) {
            step.back = Some(world.now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Wait;
    use crate::simulation::{Order, Schedule, simulate, tests};
    use crate::units::Duration;

    fn cluster() -> Cluster {
        tests::cluster(3, &[("alpha", 12)], Duration::from_secs(300), Duration::from_secs(5))
    }

    #[test]
    fn a_driven_roll_runs_as_a_scheduled_one() {
        let cluster = cluster();
        let order = vec![WorkerId(0), WorkerId(1), WorkerId(2)];
        let planned = simulate(&cluster, &Schedule::new(Order::Listed(order), Wait::Settled), Seed(7), Detail::Full);
        let mut driven = Driven::begin(&cluster, Seed(7));
        for step in &planned.steps {
            driven.advance(step.at);
            driven.restart(&step.workers);
        }
        driven.advance(planned.ended);
        let lived = driven.finish();
        assert_eq!(format!("{:?}", lived.rounds), format!("{:?}", planned.rounds));
        assert_eq!(lived.tasks, planned.tasks);
        assert_eq!(lived.settled.is_some(), planned.settled.is_some());
    }

    #[test]
    fn looking_often_changes_nothing() {
        let cluster = cluster();
        let ask = |every: Duration| {
            let mut driven = Driven::begin(&cluster, Seed(3));
            driven.restart(&[WorkerId(1)]);
            let mut at = SimTime::ZERO;
            while at < SimTime::ZERO + Duration::from_secs(400) {
                at += every;
                driven.advance(at);
            }
            assert!(driven.is_settled());
            driven.finish().tasks
        };
        assert_eq!(ask(Duration::from_millis(250)), ask(Duration::from_secs(400)));
    }
}
