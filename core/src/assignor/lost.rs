//! Work that its owner no longer reports: the scheduled delay.

use super::connect_incremental::whole_millis;
use super::{Assignment, IncrementalAssignor, Round};
use crate::model::{Balance, WorkerRules};

impl IncrementalAssignor {
    /// Decides what becomes of lost work; gives the delay to announce, in milliseconds.
    ///
    /// There is one deadline for all that is lost: what is lost later waits only for the rest. When
    /// it has passed, the members that were seen without work get everything, whatever else they
    /// have been given since.
    ///
    /// Source: `IncrementalCooperativeAssignor.handleLostAssignments`.
    pub(super) fn handle_lost(
        &mut self,
        rules: WorkerRules,
        max_delay: i64,
        round: &Round<'_>,
        out: &mut Assignment,
    ) -> i64 {
        let exact = rules.balance == Balance::Exact;
        if self.connectors.lost.is_empty() && self.tasks.lost.is_empty() && !(exact && self.revoked_last) {
            self.end_delay();
            return 0;
        }
        let now = whole_millis(round.now);
        let nobody_left = || self.previous_members.is_subset(&self.members);
        if (self.due.is_none() && nobody_left()) || (max_delay == 0 && rules.zero_delay_reassigns) {
            self.connectors.distribute_lost();
            self.tasks.distribute_lost();
            return 0;
        }
        match self.due {
            Some(due) if now >= due => {
                self.deal_lost(round, out);
                self.end_delay();
                self.revoked_last &= !exact;
                0
            }
            due => {
                self.add_candidates(round);
                let delay = due.map_or(max_delay, |due| (due - now).min(max_delay));
                self.due = Some(now + delay);
                delay
            }
        }
    }

    fn end_delay(&mut self) {
        self.candidates.clear();
        self.due = None;
    }

    fn deal_lost(&mut self, round: &Round<'_>, out: &mut Assignment) {
        self.places.clear();
        self.places.resize(round.ids.len(), None);
        for (place, member) in round.members.iter().enumerate() {
            self.places[member.id.index()] = Some(place);
        }
        let places = &self.places;
        let still_there = self.candidates.iter().filter_map(|id| places[id.index()]);
        if still_there.clone().next().is_none() {
            self.connectors.distribute_lost();
            self.tasks.distribute_lost();
            return;
        }
        self.connectors.deal_lost(still_there.clone().cycle(), out);
        self.tasks.deal_lost(still_there.cycle(), out);
    }

    /// Members without any work become candidates, those of one round in the order of a hash set.
    fn add_candidates(&mut self, round: &Round<'_>) {
        let (connectors, tasks) = (&self.connectors.next_count, &self.tasks.next_count);
        self.idle.clear();
        let idle = round.members.iter().enumerate().filter(|(place, _)| connectors[*place] == 0 && tasks[*place] == 0);
        self.idle.extend(idle.map(|(_, member)| member.id));
        if self.idle.is_empty() {
            return;
        }
        self.seen.reset(round.ids.len());
        for id in &self.candidates {
            self.seen.insert(id.index());
        }
        let idle = &self.idle;
        for place in self.order.of_map(idle.len(), 0, |place| round.ids.hash(idle[place])) {
            let id = idle[*place as usize];
            if !self.seen.insert(id.index()) {
                self.candidates.push(id);
            }
        }
    }
}
