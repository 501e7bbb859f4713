//! Where leaders before 3.4 differ: what they revoke, and in which order.

use super::bits::Bits;
use super::kind::{Item, Kind};
use super::{Assignment, IncrementalAssignor, Round};
use crate::model::Balance;

/// What members had before lost work was dealt: connectors and tasks.
pub(super) type Loads = (Vec<usize>, Vec<usize>);

impl IncrementalAssignor {
    /// Revokes deleted items from their last owner only; whoever owns duplicates is told to give up
    /// those and nothing else.
    ///
    /// Source: `IncrementalCooperativeAssignor.computeDeleted`, `computeDuplicatedAssignments` of 3.3.2.
    pub(super) fn revoke_gone_before_3_4(&mut self, round: &Round<'_>, out: &mut Assignment) {
        self.connectors.revoke_deleted_from_last_owner(round, out);
        self.tasks.revoke_deleted_from_last_owner(round, out);
        if self.connectors.duplicated.is_empty() && self.tasks.duplicated.is_empty() {
            return;
        }
        let (connectors, tasks) = (&self.connectors, &self.tasks);
        for (member, given) in round.members.iter().zip(&mut out.given) {
            if member.owns.connectors.iter().any(|item| connectors.duplicated.contains(item.index()))
                || member.owns.tasks.iter().any(|item| tasks.duplicated.contains(item.index()))
            {
                given.revoked.clear();
            }
        }
        self.connectors.revoke_duplicates_in_common_order(round, out);
        self.tasks.revoke_duplicates_in_common_order(round, out);
    }

    /// See [`Loads`].
    pub(super) fn loads_before_3_4(&self) -> Loads {
        (self.connectors.next_count.clone(), self.tasks.next_count.clone())
    }

    /// Revokes down to the ceiling of the mean if some member has nothing at all, but never in
    /// two rounds in a row.
    ///
    /// Source: `IncrementalCooperativeAssignor.performTaskRevocation` of 3.3.2.
    pub(super) fn balance_by_ceiling(
        &mut self,
        balance: Balance,
        loads: &Loads,
        delay: i64,
        round: &Round<'_>,
        out: &mut Assignment,
    ) {
        if delay != 0 || self.revoked_last {
            self.revoked_last = delay != 0;
            return;
        }
        let (connectors, tasks) = loads;
        let idle = connectors.iter().zip(tasks).filter(|(connectors, tasks)| **connectors == 0 && **tasks == 0).count();
        if idle == 0 || idle == round.members.len() {
            return;
        }
        let connectors = self.connectors.revoke_above_ceiling(balance, connectors, round, out);
        let tasks = self.tasks.revoke_above_ceiling(balance, tasks, round, out);
        self.revoked_last = connectors || tasks;
    }
}

impl<I: Item> Kind<I> {
    fn revoke_deleted_from_last_owner(&mut self, round: &Round<'_>, out: &mut Assignment) {
        if self.deleted.is_empty() {
            return;
        }
        let mut owned = Vec::new();
        for (place, member) in round.members.iter().enumerate() {
            let before = owned.len();
            let own = I::of(member.owns).iter();
            owned.extend(own.filter(|item| self.deleted.contains(item.index())).map(|item| (*item, place)));
            self.next_count[place] -= owned.len() - before;
        }
        owned.sort_unstable();
        for (entry, next) in owned.iter().zip(owned.iter().skip(1).map(Some).chain([None])) {
            if next.is_none_or(|next| next.0 != entry.0) {
                I::of_mut(&mut out.given[entry.1].revoked).push(entry.0);
            }
        }
    }

    /// Duplicates are found by a grouping, put into a set and copied into another for each member.
    fn revoke_duplicates_in_common_order(&mut self, round: &Round<'_>, out: &mut Assignment) {
        if self.duplicated.is_empty() {
            return;
        }
        let mut seen = Bits::default();
        seen.reset(I::count(round.work));
        let mut distinct = Vec::new();
        let mut calls = Vec::new();
        for item in round.members.iter().flat_map(|member| I::of(member.owns)) {
            let is_new = !seen.insert(item.index());
            calls.push((item.hash(round.work), is_new));
            if is_new {
                distinct.push(*item);
            }
        }
        let grouped = self.order.of_grouping(calls.into_iter()).iter().map(|place| distinct[*place as usize]);
        let grouped: Vec<_> = grouped.filter(|item| self.duplicated.contains(item.index())).collect();
        let set = self.order.of_map(grouped.len(), 0, |place| grouped[place].hash(round.work));
        let set: Vec<_> = set.iter().map(|place| grouped[*place as usize]).collect();
        let copy = self.order.of_set_copied_from(set.len(), |place| set[place].hash(round.work));
        for (member, given) in round.members.iter().zip(&mut out.given) {
            seen.reset(I::count(round.work));
            for item in I::of(member.owns) {
                seen.insert(item.index());
            }
            let common = copy.iter().map(|place| set[*place as usize]);
            I::of_mut(&mut given.revoked).extend(common.filter(|item| seen.contains(item.index())));
        }
    }

    fn revoke_above_ceiling(
        &mut self,
        balance: Balance,
        loads: &[usize],
        round: &Round<'_>,
        out: &mut Assignment,
    ) -> bool {
        let active = match balance {
            Balance::CeilingOfReported => round.members.iter().map(|member| I::of(member.owns).len()).sum(),
            _ => self.active.count(),
        };
        let ceiling = active.div_ceil(round.members.len());
        let mut any = false;
        for ((member, given), load) in round.members.iter().zip(&mut out.given).zip(loads) {
            let surplus = load.saturating_sub(ceiling);
            let own = I::of(member.owns).iter().copied();
            I::of_mut(&mut given.revoked).extend(own.filter(|item| !self.deleted.contains(item.index())).take(surplus));
            any |= surplus != 0;
        }
        any
    }

    /// Deleted items that nobody owned count as revoked, too.
    pub(super) fn remember_ownerless_deletions(&mut self) {
        let words = self.previous_revoked.words_mut().iter_mut();
        for (revoked, (deleted, active)) in words.zip(self.deleted.words().iter().zip(self.active.words())) {
            *revoked |= deleted & !active;
        }
    }
}
