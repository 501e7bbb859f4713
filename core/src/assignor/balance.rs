//! Taking work from members that have too much of it, since 3.4 (KAFKA-12495).

use super::back_off::back_off;
use super::connect_incremental::whole_millis;
use super::kind::{Item, Kind};
use super::{Assignment, IncrementalAssignor, Round};

impl IncrementalAssignor {
    /// Revokes until no member has more than its even share, unless a delay runs; after a round
    /// that did so only when a back-off has passed. Gives the delay to announce, in milliseconds.
    ///
    /// Source: `IncrementalCooperativeAssignor.performTaskAssignment`, `performLoadBalancingRevocations`.
    pub(super) fn balance_exactly(
        &mut self,
        delay: i64,
        max_delay: i64,
        round: &Round<'_>,
        out: &mut Assignment,
    ) -> i64 {
        if delay != 0 {
            self.revoked_last = false;
            return delay;
        }
        if !self.plan_revocations() {
            if self.revoked_last {
                self.revoked_last = false;
                self.consecutive = 0;
            }
            return 0;
        }
        if self.revoked_last {
            self.consecutive += 1;
            let delay = back_off(self.consecutive, max_delay);
            if delay != 0 {
                self.due = Some(whole_millis(round.now) + delay);
                return delay;
            }
        }
        self.revoked_last = true;
        self.connectors.revoke_surplus(round, out);
        self.tasks.revoke_surplus(round, out);
        0
    }

    /// Finds out who has too much; says whether anybody has.
    fn plan_revocations(&mut self) -> bool {
        if self.connectors.total == 0 && self.tasks.total == 0 {
            return false;
        }
        let connectors = self.connectors.plan_surplus();
        let tasks = self.tasks.plan_surplus();
        connectors || tasks
    }
}

impl<I: Item> Kind<I> {
    /// Computes how many items each member has too many, the first ones being those that may keep one
    /// more than the others; says whether anybody has.
    fn plan_surplus(&mut self) -> bool {
        self.surplus.clear();
        let members = self.next_count.len();
        let (least, extra) = (self.total / members, self.total % members);
        let with = |count| self.next_count.iter().filter(|next| **next == count).count();
        let with_extra = with(least + 1);
        if with_extra == extra && with(least) + with_extra == members {
            return false;
        }
        let mut extra_left = extra;
        self.surplus.extend(self.next_count.iter().map(|&count| {
            if count <= least {
                return 0;
            }
            let keeps_extra = usize::from(extra_left > 0);
            extra_left -= keeps_extra;
            count - least - keeps_extra
        }));
        self.surplus.iter().any(|surplus| *surplus != 0)
    }

    /// Revokes from the front of the members' lists, which may reach what was dealt in this round.
    fn revoke_surplus(&mut self, round: &Round<'_>, out: &mut Assignment) {
        for (place, &surplus) in self.surplus.iter().enumerate() {
            if surplus == 0 {
                continue;
            }
            let given = &mut out.given[place];
            let revoked = I::of_mut(&mut given.revoked);
            let before = revoked.len();
            let own = I::of(round.members[place].owns).iter().copied();
            revoked.extend(own.filter(|item| !self.is_gone(*item)).take(surplus));
            let dealt = surplus - (revoked.len() - before);
            revoked.extend(I::of_mut(&mut given.assigned).drain(..dealt));
            self.next_count[place] -= surplus;
        }
    }
}
