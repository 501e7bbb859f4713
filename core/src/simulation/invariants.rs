//! What must hold after each event of every run. Checked in debug builds and tests; a breach is
//! a bug of ours, never of the input, and names itself.
//!
//! | invariant | source |
//! | --- | --- |
//! | time never goes back | the queue's order |
//! | the generation never falls | `ClassicGroup.initNextGeneration` |
//! | the leader is a member, unless the group is empty | `ClassicGroup.remove` elects a successor |
//! | no member is waited for by two processes | KIP-394: every process has an id of its own |
//! | what runs is counted once | the table of instances and its sums agree |
//! | under a cooperative protocol two members that got the same round own nothing in common | KIP-415 |
//! | a member joins only after what was revoked from it has stopped | KIP-415: the safety of the protocol |

use super::instances::{Phase, Unit};
use super::worker::Alive;
use super::world::World;
use crate::model::{ConnectProtocol, WorkerId};
use crate::protocol::GroupState;
use crate::units::SimTime;

/// What was true after the event before.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    now: Option<SimTime>,
    generation: i32,
    events: u64,
}

impl World<'_> {
    /// Checks everything that must hold now.
    ///
    /// # Panics
    /// When an invariant is broken.
    pub(super) fn check_invariants(&mut self) {
        let before = &mut self.before;
        assert!(before.now.is_none_or(|before| before <= self.now), "invariant: time never goes back");
        assert!(before.generation <= self.group.generation(), "invariant: the generation never falls");
        before.now = Some(self.now);
        before.generation = self.group.generation();
        before.events += 1;
        let empty = self.group.state() == GroupState::Empty || self.group.is_empty();
        let leads = self.group.leader().is_some_and(|leader| self.group.contains(leader));
        assert!(empty || leads, "invariant: the leader is a member");
        self.check_members();
        // The sums over all work are as dear as all of it: not after every event of a large run.
        let units = self.cluster.work.task_count() + self.cluster.work.connector_count();
        let every = u64::try_from(units / 32 + 1).unwrap_or(u64::MAX);
        if self.before.events.is_multiple_of(every) {
            self.check_counts();
            self.check_ownership();
        }
    }

    fn check_members(&self) {
        let held: Vec<_> = self.workers.iter().filter_map(|run| run.member).collect();
        for (place, member) in held.iter().enumerate() {
            assert!(!held[..place].contains(member), "invariant: every process has a member id of its own");
        }
    }

    fn check_counts(&self) {
        let count = u32::try_from(self.cluster.work.task_count() + self.cluster.work.connector_count());
        let mut missing = 0;
        for unit in (0..count.unwrap_or(u32::MAX)).map(Unit) {
            let runs =
                self.instances.of(unit).filter(|held| matches!(held.phase, Phase::Running | Phase::Failed)).count();
            assert_eq!(runs, usize::from(self.run_count(unit)), "invariant: what runs is counted once");
            missing += usize::from(runs == 0 && self.is_wanted(unit));
        }
        assert_eq!(missing, self.missing, "invariant: what is missing is counted once");
    }

    /// Only where everyone got the last round: a lost round leaves old lists behind, and so do zombies.
    fn check_ownership(&self) {
        let settled = self.group.state() == GroupState::Stable
            && self.group.protocol() != ConnectProtocol::Eager
            && self.group.members().all(|member| self.group.has_synced(member));
        if !settled || self.timeline.rounds.is_empty() {
            return;
        }
        let mut owner: Vec<Option<WorkerId>> = vec![None; self.cluster.work.task_count()];
        for member in self.group.members() {
            let Some(worker) = self.process_of(member) else { continue };
            let run = &self.workers[worker.index()];
            if run.alive != Alive::Up || run.last_generation != self.group.generation() {
                continue;
            }
            for task in run.local.iter().flat_map(|local| &local.tasks) {
                let other = owner[task.index()].replace(worker);
                assert_eq!(other, None, "invariant: no two members own the same task");
            }
        }
    }

    /// A member that joins holds nothing but what it reports, unless eager members were about.
    pub(super) fn check_join(&self, worker: WorkerId) {
        let run = &self.workers[worker.index()];
        if run.believes == ConnectProtocol::Eager || !run.knows_running || self.rounds.was_eager() {
            return;
        }
        let Some(local) = &run.local else { return };
        for unit in self.instances.held_by(worker) {
            let reported = match self.instances.split(unit) {
                Ok(task) => local.tasks.contains(&task),
                Err(connector) => local.connectors.contains(&connector),
            };
            assert!(reported, "invariant: a member joins only after what was revoked has stopped");
        }
    }
}
