//! Taking work from members that have too much of it, since 3.4 (KAFKA-12495).

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
        let idle = |(connectors, tasks): (&usize, &usize)| *connectors == 0 && *tasks == 0;
        let all_idle = self.connectors.next_count.iter().zip(&self.tasks.next_count).all(idle);
        if all_idle || (self.connectors.total == 0 && self.tasks.total == 0) {
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

/// How long to wait before the `consecutive`th revoking round in a row, in milliseconds.
///
/// Source: `ExponentialBackoff` as the assignor uses it: from 1 ms, times 40, up to the scheduled
/// delay, without jitter.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "as in Java; 2^31 ms at most")]
fn back_off(consecutive: u32, max_delay: i64) -> i64 {
    if max_delay <= 1 {
        return max_delay;
    }
    let exponent = f64::from(consecutive).min(libm::log(max_delay as f64) / libm::log(MULTIPLIER));
    (libm::pow(MULTIPLIER, exponent) as i64).min(max_delay)
}

const MULTIPLIER: f64 = 40.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_off_grows_forty_fold_up_to_the_delay() {
        let series = |max_delay| [1, 2, 3, 4, 5].map(|consecutive| back_off(consecutive, max_delay));
        assert_eq!(series(300_000), [40, 1_600, 64_000, 300_000, 300_000]);
        assert_eq!(series(60_000), [40, 1_600, 60_000, 60_000, 60_000]);
        assert_eq!(series(30), [30; 5]);
        assert_eq!(series(1), [1; 5]);
        assert_eq!(series(0), [0; 5]);
    }
}
