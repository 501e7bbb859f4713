//! One of the two kinds of work, connectors and tasks, through a round.

use super::bits::{Bits, ones};
use super::{Assignment, Configured, HashOrder, Items, Round};
use crate::model::{ConnectorId, TaskId, Work};

/// A kind of work. All steps of the assignor treat both kinds alike and apart.
pub(super) trait Item: Copy + Ord {
    fn index(self) -> usize;
    fn at(index: usize) -> Self;
    fn of(items: &Items) -> &[Self];
    fn of_mut(items: &mut Items) -> &mut Vec<Self>;
    fn count(work: &Work) -> usize;
    /// Java's `hashCode` of the connector's name or of its `ConnectorTaskId`.
    fn hash(self, work: &Work) -> i32;
    /// Fills in what exists; gives their number.
    fn configured(configured: &Configured, work: &Work, into: &mut Bits) -> usize;
}

/// What is known of one kind: the leader's memory and the sets of the present round.
#[derive(Clone, Debug)]
pub(super) struct Kind<I> {
    /// Believed owned or lost.
    pub(super) previous: Bits,
    /// Revoked in the last round.
    pub(super) previous_revoked: Bits,
    /// How many exist.
    pub(super) total: usize,
    /// Owned by any member.
    pub(super) active: Bits,
    /// Known from before and no longer configured.
    pub(super) deleted: Bits,
    /// Owned by several members.
    pub(super) duplicated: Bits,
    /// Whether some are deleted or duplicated.
    pub(super) any_gone: bool,
    /// Known from before, configured, owned by none; in natural order.
    pub(super) lost: Vec<I>,
    /// Configured, not known from before, owned by none; in natural order. Lost items that are to be
    /// distributed at once follow.
    pub(super) to_distribute: Vec<I>,
    /// How many of [`Kind::to_distribute`] were created.
    created: usize,
    /// For each member how many it will own, as far as decided.
    pub(super) next_count: Vec<usize>,
    /// For each member how many it has too many; empty if nobody has.
    pub(super) surplus: Vec<usize>,
    pub(super) order: HashOrder,
    configured: Bits,
}

impl Item for ConnectorId {
    fn index(self) -> usize {
        self.index()
    }

    #[expect(clippy::cast_possible_truncation, reason = "connectors are far fewer than 2^32")]
    fn at(index: usize) -> Self {
        Self(index as u32)
    }

    fn of(items: &Items) -> &[Self] {
        &items.connectors
    }

    fn of_mut(items: &mut Items) -> &mut Vec<Self> {
        &mut items.connectors
    }

    fn count(work: &Work) -> usize {
        work.connector_count()
    }

    fn hash(self, work: &Work) -> i32 {
        work.hash(self)
    }

    fn configured(configured: &Configured, _: &Work, into: &mut Bits) -> usize {
        let mut total = 0;
        for (connector, tasks) in configured.tasks_of.iter().enumerate() {
            if tasks.is_some() {
                into.insert(connector);
                total += 1;
            }
        }
        total
    }
}

impl Item for TaskId {
    fn index(self) -> usize {
        self.index()
    }

    #[expect(clippy::cast_possible_truncation, reason = "tasks are far fewer than 2^32")]
    fn at(index: usize) -> Self {
        Self(index as u32)
    }

    fn of(items: &Items) -> &[Self] {
        &items.tasks
    }

    fn of_mut(items: &mut Items) -> &mut Vec<Self> {
        &mut items.tasks
    }

    fn count(work: &Work) -> usize {
        work.task_count()
    }

    fn hash(self, work: &Work) -> i32 {
        work.hash(work.connector_of(self)).wrapping_mul(31).wrapping_add_unsigned(work.number(self))
    }

    fn configured(configured: &Configured, work: &Work, into: &mut Bits) -> usize {
        let mut total = 0;
        for (connector, tasks) in work.connectors().zip(&configured.tasks_of) {
            let mut all = work.tasks_of(connector);
            if let (Some(tasks), Some(first)) = (tasks, all.next()) {
                let tasks = (*tasks as usize).min(1 + all.count());
                into.insert_range(first.index(), first.index() + tasks);
                total += tasks;
            }
        }
        total
    }
}

impl<I: Item> Kind<I> {
    /// Notes what is configured and what is owned.
    pub(super) fn survey(&mut self, round: &Round<'_>) {
        let count = I::count(round.work);
        self.previous.reserve(count);
        self.previous_revoked.reserve(count);
        self.configured.reset(count);
        self.total = I::configured(round.configured, round.work, &mut self.configured);
        self.active.reset(count);
        self.duplicated.reset(count);
        self.any_gone = false;
        self.next_count.clear();
        for member in round.members {
            let own = I::of(member.owns);
            self.next_count.push(own.len());
            for item in own {
                if self.active.insert(item.index()) {
                    self.duplicated.insert(item.index());
                    self.any_gone = true;
                }
            }
        }
    }

    /// Whether something that was revoked in the last round is still owned.
    pub(super) fn revocation_failed(&self) -> bool {
        self.previous_revoked.intersects(&self.active)
    }

    /// Finds out what is deleted, lost and created.
    pub(super) fn compare(&mut self, work: &Work) {
        self.deleted.reset(I::count(work));
        self.lost.clear();
        self.to_distribute.clear();
        let deleted = self.deleted.words_mut();
        for (place, &configured) in self.configured.words().iter().enumerate() {
            let (previous, active) = (self.previous.words()[place], self.active.words()[place]);
            deleted[place] = previous & !configured;
            self.any_gone |= deleted[place] != 0;
            self.lost.extend(ones(place, configured & previous & !active).map(I::at));
            self.to_distribute.extend(ones(place, configured & !previous & !active).map(I::at));
        }
        self.created = self.to_distribute.len();
    }

    /// Revokes deleted items, then duplicated ones, from all who own them.
    pub(super) fn revoke_gone(&mut self, round: &Round<'_>, out: &mut Assignment) {
        if !self.any_gone {
            return;
        }
        for (place, (member, given)) in round.members.iter().zip(&mut out.given).enumerate() {
            let own = I::of(member.owns);
            if !own.iter().any(|item| self.is_gone(*item)) {
                continue;
            }
            let order = self.order.of_set_copied_from(own.len(), |place| own[place].hash(round.work));
            let own = || order.iter().map(|place| own[*place as usize]);
            let revoked = I::of_mut(&mut given.revoked);
            revoked.extend(own().filter(|item| self.deleted.contains(item.index())));
            revoked.extend(
                own().filter(|item| self.duplicated.contains(item.index()) && !self.deleted.contains(item.index())),
            );
            self.next_count[place] -= revoked.len();
        }
    }

    /// Whether the item is deleted or duplicated.
    pub(super) fn is_gone(&self, item: I) -> bool {
        self.any_gone && (self.deleted.contains(item.index()) || self.duplicated.contains(item.index()))
    }

    /// Lost items are treated as if they had just been created.
    pub(super) fn distribute_lost(&mut self) {
        self.to_distribute.extend_from_slice(&self.lost);
    }

    /// Gives lost items to the places in turn.
    pub(super) fn deal_lost(&mut self, places: impl Iterator<Item = usize>, out: &mut Assignment) {
        for (item, place) in self.lost.iter().zip(places) {
            I::of_mut(&mut out.given[place].assigned).push(*item);
            self.next_count[place] += 1;
        }
    }

    /// Nothing is believed to be owned or lost.
    pub(super) fn forget(&mut self) {
        self.previous.words_mut().fill(0);
    }

    /// What members report is what is owned; nothing is lost.
    pub(super) fn believe_what_is_reported(&mut self) {
        self.previous.clone_from(&self.active);
    }

    /// Remembers what is owned after this round or waits to be, and what was revoked.
    pub(super) fn remember(&mut self, out: &Assignment) {
        for (place, previous) in self.previous.words_mut().iter_mut().enumerate() {
            let at = |bits: &Bits| bits.words().get(place).copied().unwrap_or(0);
            *previous = at(&self.active) & !at(&self.deleted);
        }
        self.previous_revoked.reset(self.configured.room());
        for given in &out.given {
            for item in I::of(&given.revoked) {
                self.previous.remove(item.index());
                self.previous_revoked.insert(item.index());
            }
        }
        for item in self.to_distribute[..self.created].iter().chain(&self.lost) {
            self.previous.insert(item.index());
        }
    }

    /// The items of a set.
    pub(super) fn list(bits: &Bits) -> Vec<I> {
        bits.iter().map(I::at).collect()
    }

    /// The set of a list.
    pub(super) fn set(items: &[I], work: &Work) -> Bits {
        let mut bits = Bits::default();
        bits.reset(I::count(work));
        for item in items {
            bits.insert(item.index());
        }
        bits
    }
}

impl<I> Default for Kind<I> {
    fn default() -> Self {
        Self {
            previous: Bits::default(),
            previous_revoked: Bits::default(),
            total: 0,
            active: Bits::default(),
            deleted: Bits::default(),
            duplicated: Bits::default(),
            any_gone: false,
            lost: Vec::new(),
            to_distribute: Vec::new(),
            created: 0,
            next_count: Vec::new(),
            surplus: Vec::new(),
            configured: Bits::default(),
            order: HashOrder::default(),
        }
    }
}
