//! The rounds that are timed: here alone, in `tests/src/bin/compare_assignors.rs` beside Kafka's.

use rollgate_core::assignor::{
    Assignment, Configured, IncrementalAssignor, Items, Member, MemberId, MemberIds, Round, WireOrder, worker_order,
};
use rollgate_core::model::{KafkaVersion, Work, WorkerId};
use rollgate_core::units::{Duration, SimTime};

/// Two rounds that a leader computes in turn, over and over; the second is timed.
pub(crate) struct Rounds {
    /// All work.
    pub(crate) work: Work,
    /// All members.
    pub(crate) ids: MemberIds,
    /// All of it.
    pub(crate) configured: Configured,
    /// Who reports what in the round before, in the assignor's order.
    pub(crate) before: Vec<(MemberId, Items)>,
    /// The same of the timed round.
    pub(crate) timed: Vec<(MemberId, Items)>,
}

/// What the timed round is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Nothing changes.
    Steady,
    /// A member is gone: the delay begins.
    Loss,
    /// A new member is there: the others must give up a share.
    Balance,
}

/// A leader that computes the rounds of [`Rounds`].
pub(crate) struct Leader {
    assignor: IncrementalAssignor,
    generation: i32,
    out: Assignment,
}

impl Rounds {
    /// A settled group of so many workers that share so many tasks of connectors of the same size.
    pub(crate) fn new(workers: usize, tasks: u32, kind: Kind) -> Self {
        let each = if tasks < 1_000 { 25 } else { 100 };
        let names: Vec<_> = (0..tasks / each).map(|number| format!("connector-{number}")).collect();
        let work = Work::new(names.iter().map(|name| (name.as_str(), each)));
        let configured = Configured { tasks_of: vec![Some(each); names.len()] };
        let mut ids = MemberIds::default();
        let mut scramble = 1_u64;
        for worker in 0..workers {
            scramble = scramble.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let uuid = scramble ^ (scramble >> 29);
            ids.add(format!("connect-10.0.0.{worker}:8083-{uuid:016x}"), WorkerId(0));
        }
        let all: Vec<_> = (0..workers).map(|worker| MemberId(u32::try_from(worker).unwrap_or(0))).collect();
        let fewer: Vec<_> = all[1..].to_vec();
        let empty = Self { work, ids, configured, before: Vec::new(), timed: Vec::new() };
        let (before, timed) = match kind {
            Kind::Steady => (empty.settled(&all, None), empty.settled(&all, None)),
            Kind::Loss => {
                let before = empty.settled(&all, None);
                let timed = before.iter().filter(|(id, _)| *id != all[0]).cloned().collect();
                (before, timed)
            }
            Kind::Balance => (empty.settled(&fewer, None), empty.settled(&fewer, Some(all[0]))),
        };
        Self { before, timed, ..empty }
    }

    /// What members own after their first round, in the assignor's order; one may come on top.
    fn settled(&self, members: &[MemberId], newcomer: Option<MemberId>) -> Vec<(MemberId, Items)> {
        let mut reports: Vec<_> = members.iter().map(|id| (*id, Items::default())).collect();
        let mut leader = Leader::new();
        leader.compute(self, &reports);
        let mut wire = WireOrder::default();
        for ((_, owns), given) in reports.iter_mut().zip(&leader.out.given) {
            owns.clone_from(&given.assigned);
            wire.regroup(&self.work, owns);
        }
        reports.extend(newcomer.map(|id| (id, Items::default())));
        let ids: Vec<_> = reports.iter().map(|(id, _)| *id).collect();
        worker_order(&ids, &self.ids).into_iter().map(|place| reports[place].clone()).collect()
    }
}

impl Leader {
    /// One that remembers nothing.
    pub(crate) fn new() -> Self {
        Self { assignor: IncrementalAssignor::new(), generation: 0, out: Assignment::default() }
    }

    /// Computes a round that follows the last one; gives how many items were assigned and revoked and the delay.
    pub(crate) fn compute(&mut self, rounds: &Rounds, reports: &[(MemberId, Items)]) -> (usize, usize, Duration) {
        let members: Vec<_> = reports.iter().map(|(id, owns)| Member { id: *id, owns }).collect();
        self.assign(rounds, &members);
        let count = |items: &Items| items.connectors.len() + items.tasks.len();
        let assigned = self.out.given.iter().map(|given| count(&given.assigned)).sum();
        let revoked = self.out.given.iter().map(|given| count(&given.revoked)).sum();
        (assigned, revoked, self.out.delay)
    }

    /// The part that is timed: decoded lists in, ordered lists out.
    pub(crate) fn assign(&mut self, rounds: &Rounds, members: &[Member<'_>]) {
        self.generation += 1;
        let round = Round {
            now: SimTime::from_millis(1_000_000),
            last_generation: self.generation - 1,
            generation: self.generation,
            members,
            ids: &rounds.ids,
            configured: &rounds.configured,
            work: &rounds.work,
        };
        self.assignor.assign(&KafkaVersion::new(4, 4, 0).rules(), Duration::from_secs(300), &round, &mut self.out);
    }
}

/// The sizes: workers and tasks.
pub(crate) const SIZES: [(usize, u32); 3] = [(12, 200), (100, 5_000), (1_000, 50_000)];
